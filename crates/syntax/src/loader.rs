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

/// Why a file cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LoadError {
    /// Nothing has this name.
    #[error("there is no such file")]
    Missing,
    /// It is there, and may not be read.
    #[error("permission denied")]
    Denied,
    /// It is a directory.
    #[error("it is a directory; name the files in it")]
    Directory,
    /// It is larger than [`crate::SourceMap::LARGEST`].
    #[error("it is too large")]
    TooLarge,
    /// There are no files at all.
    #[error("no files can be included here")]
    NoFiles,
    /// What else the system says.
    #[error("{0}")]
    System(String),
}

/// Finds the text of an `include`. The binary reads files; tests keep them in memory.
pub trait Loader {
    /// The text that `path` means in an `include` written in the file `from`.
    ///
    /// # Errors
    /// When there is no such file or it cannot be read.
    fn load(&self, from: &str, path: &str) -> Result<Loaded, LoadError>;

    /// What tells a file that was not included apart from those that are.
    fn identity(&self, name: &str) -> Option<String> {
        self.load("", name).ok().map(|loaded| loaded.identity)
    }
}

/// A loader without any file.
#[derive(Clone, Copy, Debug)]
pub struct NoFiles;

impl Loader for NoFiles {
    fn load(&self, _from: &str, _path: &str) -> Result<Loaded, LoadError> {
        Err(LoadError::NoFiles)
    }
}
