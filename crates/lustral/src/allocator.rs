//! What the allocator is told.
//!
//! Every context of Z3 fills tables of 17 MB before it does anything. Page by
//! page that is a good part of the time of a small run; and once such a block
//! was given back, the allocator of the GNU C library takes the next ones from
//! memory that it never gives back (docs/performance.md has the figures). So it
//! is told to ask the system for large pages, and to give large blocks back. It
//! reads that in its environment only, before the program starts; so the
//! program starts itself anew.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod gnu {
    use std::os::unix::process::CommandExt;
    use std::path::Path;

    use lustral_smt::{ALLOCATOR_IS_OURS, ALLOCATOR_SETTINGS};

    /// Large pages, and blocks of a million bytes by themselves.
    const SETTINGS: &str = "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=1000000";

    /// Whether the program was started through the dynamic loader, which then
    /// is what the system takes for the program.
    pub fn is_loader(program: &Path) -> bool {
        let name = program.file_name().map(|name| name.to_string_lossy());
        name.is_some_and(|name| name.starts_with("ld-") || name.starts_with("ld."))
    }

    pub fn set_up() {
        // Set: either this is the program that was started anew, or its user
        // knows better. (Programs with special rights lose the settings, not
        // our mark.)
        let set = |name| std::env::var_os(name).is_some();
        if set(ALLOCATOR_SETTINGS) || set(ALLOCATOR_IS_OURS) {
            return;
        }
        let Ok(program) = std::env::current_exe() else { return };
        if is_loader(&program) {
            return;
        }
        let mut arguments = std::env::args_os();
        let mut again = std::process::Command::new(program);
        if let Some(name) = arguments.next() {
            again.arg0(name);
        }
        again.args(arguments).env(ALLOCATOR_SETTINGS, SETTINGS).env(ALLOCATOR_IS_OURS, "1");
        // It comes back only if it fails, and then all goes on as before.
        let error = again.exec();
        tracing::debug!(%error, "the allocator is as it is");
    }
}

/// Sets the allocator up, if it can be. Before any thread is started.
pub fn set_up() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    gnu::set_up();
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    #[test]
    fn the_loader_is_not_the_program() {
        for (path, loader) in [
            ("/lib64/ld-linux-x86-64.so.2", true),
            ("/lib/ld.so.1", true),
            ("/opt/lustral", false),
            ("/ld-tools/lustral", false),
        ] {
            assert_eq!(super::gnu::is_loader(path.as_ref()), loader, "{path}");
        }
    }
}
