//! Reading programs from files.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lustral_syntax::loader::Loaded;
use lustral_syntax::{LoadError, Loader, SourceMap};

/// A file that was read.
pub struct Source {
    /// What it says.
    pub text: Arc<str>,
    /// Not UTF-8: read as Latin-1, as old programs with accents in their
    /// comments are. Nothing but comments can hold such characters, so the
    /// meaning does not depend on it.
    pub latin: bool,
}

/// What stands for the standard input in place of a file.
const STANDARD_INPUT: &str = "-";

/// Reads a file, or the standard input for `-`.
///
/// # Errors
/// If it cannot be read: why.
pub fn read(path: &Path) -> Result<Source, LoadError> {
    let bytes = bytes_of(path)?;
    if bytes.len() > SourceMap::LARGEST {
        return Err(LoadError::TooLarge);
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => Source { text: text.into(), latin: false },
        Err(error) => {
            let text: String = error.into_bytes().into_iter().map(char::from).collect();
            Source { text: text.into(), latin: true }
        }
    })
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, LoadError> {
    if path == Path::new(STANDARD_INPUT) {
        let mut bytes = Vec::new();
        // One byte more than may be there shows that it is too long, and no more is kept of what has no end.
        let mut input = std::io::stdin().lock().take(SourceMap::LARGEST as u64 + 1);
        input.read_to_end(&mut bytes).map_err(|e| describe(&e))?;
        return Ok(bytes);
    }
    let metadata = std::fs::metadata(path).map_err(|e| describe(&e))?;
    if metadata.is_dir() {
        return Err(LoadError::Directory);
    }
    std::fs::read(path).map_err(|e| describe(&e))
}

fn describe(error: &std::io::Error) -> LoadError {
    match error.kind() {
        std::io::ErrorKind::NotFound => LoadError::Missing,
        std::io::ErrorKind::PermissionDenied => LoadError::Denied,
        _ => LoadError::System(error.to_string()),
    }
}

/// Includes are read from the file system, relative to the file they stand in.
pub struct FileLoader;

impl Loader for FileLoader {
    fn load(&self, from: &str, path: &str) -> Result<Loaded, LoadError> {
        let folder = Path::new(from).parent().map_or_else(PathBuf::new, Path::to_path_buf);
        let full = folder.join(path);
        let source = read(&full)?;
        let name = full.display().to_string();
        Ok(Loaded { identity: identity(&full), name, text: source.text })
    }

    fn identity(&self, name: &str) -> Option<String> {
        Some(identity(Path::new(name)))
    }
}

/// Two names of one file have the same identity.
fn identity(path: &Path) -> String {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf()).display().to_string()
}
