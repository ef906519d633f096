//! Finds the Z3 library, or installs it, and tells the linker where it is.
//!
//! Three ways, in this order:
//! - feature `static-z3`: Z3 is built from source into the binary (`z3-src`);
//! - `LUSTRAL_Z3=system`: the system's Z3 through pkg-config, if new enough;
//! - otherwise the pinned wheel of `z3-requirements.txt`, fetched once with pip
//!   (version and hash checked) into `.z3/` at the root of the workspace.
//!
//! The packages that link executables read the directory from the metadata this
//! script leaves (`DEP_LUSTRAL_Z3_LIBRARY`) and set their rpath from it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};

const PINNED: &str = "5.4.0";
const OLDEST: (u32, u32, u32) = (4, 13, 3);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=z3-requirements.txt");
    println!("cargo::rerun-if-env-changed=LUSTRAL_Z3");
    if env::var_os("CARGO_FEATURE_STATIC_Z3").is_some() {
        return;
    }
    let directory = match env::var("LUSTRAL_Z3").as_deref() {
        Ok("system") => system_library(),
        Ok("pinned") | Err(_) => pinned_library(),
        Ok(other) => {
            fail(&format!("LUSTRAL_Z3={other}: expected `system` or `pinned` (the default)"))
        }
    };
    println!("cargo::rustc-link-search=native={}", directory.display());
    println!("cargo::rustc-link-arg=-Wl,-rpath,{}", directory.display());
    println!("cargo::metadata=LIBRARY={}", directory.display());
    // An installation that was removed is made anew by the next build.
    println!("cargo::rerun-if-changed={}", directory.display());
}

fn fail(message: &str) -> ! {
    for line in message.lines() {
        println!("cargo::error={line}");
    }
    exit(1)
}

/// The system's own Z3, refused when it is older than what the bindings need.
fn system_library() -> PathBuf {
    let ask = |flag: &str| {
        let output = Command::new("pkg-config").args([flag, "z3"]).output();
        match output {
            Ok(o) if o.status.success() => String::from_utf8_lossy(&o.stdout).trim().to_string(),
            Ok(o) => fail(&format!(
                "LUSTRAL_Z3=system: pkg-config knows no z3: {}\n\
                 Install Z3's development files, or unset LUSTRAL_Z3 to use the pinned Z3 {PINNED}.",
                String::from_utf8_lossy(&o.stderr).trim().replace('\n', " ")
            )),
            Err(e) => fail(&format!("LUSTRAL_Z3=system: cannot run pkg-config: {e}")),
        }
    };
    let version = ask("--modversion");
    let mut parts = version.split('.').map(|p| p.parse().unwrap_or(0));
    let mut part = || parts.next().unwrap_or(0);
    if (part(), part(), part()) < OLDEST {
        fail(&format!(
            "LUSTRAL_Z3=system: the system's Z3 is {version}, which is too old: \
             {}.{}.{} or newer is needed.\n\
             Unset LUSTRAL_Z3 to use the pinned Z3 {PINNED}.",
            OLDEST.0, OLDEST.1, OLDEST.2
        ));
    }
    PathBuf::from(ask("--variable=libdir"))
}

/// The pinned library in `.z3/VERSION/`, installed by the first build.
fn pinned_library() -> PathBuf {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let root = manifest.join("../..").canonicalize().expect("the workspace is there");
    let directory = root.join(".z3").join(PINNED);
    let name = if cfg!(target_os = "macos") { "libz3.dylib" } else { "libz3.so" };
    if directory.join(name).exists() {
        return directory;
    }
    let work = root.join(".z3").join(format!("install-{}", std::process::id()));
    let outcome = install(&manifest.join("z3-requirements.txt"), &work, &directory, name);
    let _ = fs::remove_dir_all(&work);
    if let Err(reason) = outcome {
        fail(&format!(
            "The Z3 {PINNED} library is not installed, and installing it failed: {reason}\n\
             Needed once: python3 with pip and access to its package registry. \
             Or set LUSTRAL_Z3=system to use the system's Z3 through pkg-config, \
             or build with --features static-z3."
        ));
    }
    directory
}

fn install(requirements: &Path, work: &Path, directory: &Path, name: &str) -> Result<(), String> {
    let text = |e: std::io::Error| e.to_string();
    fs::create_dir_all(work).map_err(text)?;
    run(Command::new("python3")
        .args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check"])
        .args(["--no-deps", "--only-binary", ":all:", "--require-hashes", "--dest"])
        .arg(work)
        .arg("--requirement")
        .arg(requirements))?;
    let wheel = fs::read_dir(work)
        .map_err(text)?
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .find(|path| path.extension().is_some_and(|e| e == "whl"))
        .ok_or("pip fetched no wheel")?;
    let unpacked = work.join("unpacked");
    run(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(wheel).arg(&unpacked))?;
    let library = unpacked.join("z3/lib");
    // The wheel holds the library under both its names: one is enough, the
    // other (the one that the loader asks for) becomes a link.
    let ready = work.join("ready");
    fs::create_dir_all(&ready).map_err(text)?;
    fs::rename(library.join(name), ready.join(name)).map_err(text)?;
    for entry in fs::read_dir(&library).map_err(text)?.flatten() {
        let alias = entry.file_name();
        if alias.to_string_lossy().starts_with("libz3") {
            std::os::unix::fs::symlink(name, ready.join(alias)).map_err(text)?;
        }
    }
    match fs::rename(&ready, directory) {
        Err(_) if directory.join(name).exists() => Ok(()), // another build was quicker
        outcome => outcome.map_err(text),
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("{:?}: {e}", command.get_program()))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let tail: Vec<&str> = text.lines().rev().take(3).collect();
    Err(tail.into_iter().rev().collect::<Vec<_>>().join(" "))
}
