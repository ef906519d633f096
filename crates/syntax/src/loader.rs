//! Where included files come from.

use std::sync::Arc;

/// A text that a [`Loader`] found.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The name under which it is shown, and from which its own includes are resolved.
    pub name: String,
    /// What tells two files apart: a file is included once.
    pub identity: String,
    /// The text.
    pub text: Arc<str>,
}

/// Why a file cannot be included.
#[derive(Clone, Debug)]
pub struct LoadError(pub String);

/// Finds the text of an `include`. The binary reads files; tests keep them in memory.
pub trait Loader {
    /// The text that `path` means in an `include` written in the file `from`.
    ///
    /// # Errors
    /// When there is no such file or it cannot be read.
    fn load(&self, from: &str, path: &str) -> Result<Loaded, LoadError>;
}

/// A loader without any file.
#[derive(Clone, Copy, Debug)]
pub struct NoFiles;

impl Loader for NoFiles {
    fn load(&self, _from: &str, _path: &str) -> Result<Loaded, LoadError> {
        Err(LoadError("no files can be included here".into()))
    }
}
