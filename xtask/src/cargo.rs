//! Calling cargo: the same one that started us, on the same workspace.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// A call of cargo at the root of the workspace.
pub fn command() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Cargo says where this package is; its parent is the workspace. Started
    // by hand, the current folder has to do.
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    if let Some(root) = package.as_deref().and_then(Path::parent) {
        command.current_dir(root);
    }
    command
}

/// Builds the checker for measuring, and says where cargo has put it.
///
/// # Errors
/// If it cannot be built.
pub fn build_lustral() -> Result<PathBuf, String> {
    build(&["--release"])
}

/// Builds the checker with debug assertions, in which faults can be asked for.
///
/// # Errors
/// If it cannot be built.
pub fn build_for_faults() -> Result<PathBuf, String> {
    build(&[])
}

fn build(how: &[&str]) -> Result<PathBuf, String> {
    let output = command()
        .args(["build", "--package", "lustral"])
        .args(how)
        .args(["--message-format", "json-render-diagnostics"])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("cannot run cargo: {e}"))?;
    if !output.status.success() {
        return Err("lustral does not build (--lustral PATH takes another binary)".into());
    }
    executable(&String::from_utf8_lossy(&output.stdout))
        .ok_or_else(|| "cargo names no executable of the package lustral".into())
}

/// The executable in cargo's messages, one JSON object a line.
fn executable(messages: &str) -> Option<PathBuf> {
    messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).find_map(
        |message| {
            let ours = message["reason"] == "compiler-artifact"
                && message["target"]["name"] == "lustral"
                && message["target"]["kind"].as_array()?.contains(&"bin".into());
            ours.then(|| message["executable"].as_str().map(PathBuf::from)).flatten()
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_is_found_among_the_messages() {
        let messages = concat!(
            r#"{"reason":"build-script-executed","package_id":"x"}"#,
            "\n",
            r#"{"reason":"compiler-artifact","target":{"kind":["lib"],"name":"lustral"},"executable":null}"#,
            "\n",
            r#"{"reason":"compiler-artifact","target":{"kind":["bin"],"name":"lustral"},"executable":"/t/release/lustral"}"#,
            "\n",
            r#"{"reason":"build-finished","success":true}"#,
        );
        assert_eq!(executable(messages), Some(PathBuf::from("/t/release/lustral")));
        assert_eq!(executable("no JSON\n"), None);
    }
}
