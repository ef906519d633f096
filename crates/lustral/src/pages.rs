//! Large pages for the tables of Z3.
//!
//! Every context of Z3 fills tables of 17 MB before it does anything. Page by
//! page that is a good part of the time of a small run (docs/performance.md has
//! the figures); with pages of 2 MB it is next to nothing. Where the system
//! gives these to who asks, the allocator of the GNU C library asks if it was
//! told so, which is possible in its environment only, before the program
//! starts. So the program starts itself anew.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod gnu {
    use std::os::unix::process::CommandExt;
    use std::path::Path;

    /// What the allocator reads.
    const TUNABLES: &str = "GLIBC_TUNABLES";

    /// How the system gives large pages.
    const SETTING: &str = "/sys/kernel/mm/transparent_hugepage/enabled";

    /// Whether the system gives large pages to who asks, and only to those.
    pub fn on_request(setting: &str) -> bool {
        setting.contains("[madvise]")
    }

    /// Whether the program was started through the dynamic loader, which then
    /// is what the system takes for the program.
    pub fn is_loader(program: &Path) -> bool {
        let name = program.file_name().map(|name| name.to_string_lossy());
        name.is_some_and(|name| name.starts_with("ld-") || name.starts_with("ld."))
    }

    pub fn ask() {
        // Set: either this is the program that was started anew, or its user
        // knows better.
        if std::env::var_os(TUNABLES).is_some() {
            return;
        }
        let setting = std::fs::read_to_string(SETTING).unwrap_or_default();
        let Ok(program) = std::env::current_exe() else { return };
        if !on_request(&setting) || is_loader(&program) {
            return;
        }
        let mut arguments = std::env::args_os();
        let mut again = std::process::Command::new(program);
        if let Some(name) = arguments.next() {
            again.arg0(name);
        }
        // It comes back only if it fails, and then all goes on as before.
        let error = again.args(arguments).env(TUNABLES, "glibc.malloc.hugetlb=1").exec();
        tracing::debug!(%error, "no large pages");
    }
}

/// Asks for large pages, if that is of any use. Before any thread is started.
pub fn ask() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    gnu::ask();
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    #[test]
    fn only_where_asking_helps() {
        assert!(super::gnu::on_request("always [madvise] never\n"));
        assert!(!super::gnu::on_request("[always] madvise never\n"));
        assert!(!super::gnu::on_request("always madvise [never]\n"));
        assert!(!super::gnu::on_request(""));
    }

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
