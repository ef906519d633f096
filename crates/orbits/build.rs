//! Executables of this package find the Z3 library where `lustral-smt` found it.

fn main() {
    if let Ok(directory) = std::env::var("DEP_LUSTRAL_Z3_LIBRARY") {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{directory}");
    }
}
