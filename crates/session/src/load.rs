//! From a text to a typed program, with what is wrong with it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lustral_kernel::translate;
use lustral_sema::{Hazards, Program, analyse, lints, state_candidates, state_hazards};
use lustral_syntax::{
    Diagnostics, Dialect, FileId, Forest, Levels, Loader, NoFiles, SourceMap, Span,
};

use crate::cache::{self, Keys};
use crate::candidates::{Origins, Quiet};
use crate::files::{FileLoader, Source, read};
use crate::realize::open;

/// A program that is to be read.
#[derive(Clone, Debug)]
pub struct Request {
    input: Input,
    others: Vec<PathBuf>,
    dialect: Option<Dialect>,
    origins: Origins,
    hazards: Hazards,
    levels: Levels,
    /// Candidates that are to be properties, instead of what the program states.
    stated: Option<Vec<Span>>,
    /// The contract by this name is looked at by itself.
    opened: Option<String>,
}

#[derive(Clone, Debug)]
enum Input {
    File(PathBuf),
    /// A text, and whether what it includes is beside a file of that name.
    Text {
        name: String,
        text: Arc<str>,
        files: bool,
    },
}

/// A program as it was read, with what is wrong with it. Where there are
/// errors, the program is not to be used.
pub struct Analysed {
    /// The program's files, and after them those of candidates.
    pub sources: SourceMap,
    /// The typed program.
    pub program: Arc<Program>,
    /// Its kernel, which is encoded.
    pub kernel: Arc<lustral_kernel::Program>,
    /// The number of the program's own files.
    pub files: usize,
    /// What identifies each node in a cache, if there is one.
    pub keys: Keys,
    /// What is wrong.
    pub diagnostics: Diagnostics,
    /// Files of earlier runs, of which nobody wants to hear what is wrong.
    pub quiet: Quiet,
    /// Whether one of its files is not UTF-8, and was read as Latin-1.
    pub latin: bool,
    /// How much warnings matter.
    pub levels: Levels,
}

/// A file that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cannot read {name}: {reason}")]
pub struct Unreadable {
    /// The file.
    pub name: String,
    /// Why not.
    pub reason: String,
}

impl Request {
    /// The program in a file.
    #[must_use]
    pub fn file(path: &Path) -> Request {
        Request::new(Input::File(path.to_path_buf()))
    }

    /// A program in memory; the name stands for its file in all that is said of it.
    #[must_use]
    pub fn text(name: impl Into<String>, text: impl Into<Arc<str>>) -> Request {
        Request::new(Input::Text { name: name.into(), text: text.into(), files: false })
    }

    /// The same program with another text of its first file.
    pub(crate) fn with_text(&self, text: impl Into<Arc<str>>) -> Request {
        let files = match &self.input {
            Input::File(_) => true,
            Input::Text { files, .. } => *files,
        };
        let input = Input::Text { name: self.name(), text: text.into(), files };
        Request { input, ..self.clone() }
    }

    fn new(input: Input) -> Request {
        Request {
            input,
            others: Vec::new(),
            dialect: None,
            origins: Origins::default(),
            hazards: Hazards::default(),
            levels: Levels::default(),
            stated: None,
            opened: None,
        }
    }

    /// With other files that belong to the program.
    #[must_use]
    pub fn with_files(self, others: Vec<PathBuf>) -> Request {
        Request { others, ..self }
    }

    /// Read in a dialect, if one is given, whatever the text says.
    #[must_use]
    pub fn in_dialect(self, dialect: Option<Dialect>) -> Request {
        Request { dialect, ..self }
    }

    /// With properties about indices and overflows, beside those that the program states.
    #[must_use]
    pub fn asking(self, hazards: Hazards) -> Request {
        Request { hazards, ..self }
    }

    /// With levels of lints, beside those that its files state.
    #[must_use]
    pub fn with_levels(self, levels: Levels) -> Request {
        Request { levels, ..self }
    }

    /// The levels that were asked for.
    pub(crate) fn levels(&self) -> &Levels {
        &self.levels
    }

    /// With these candidates as properties, instead of what the program states.
    pub(crate) fn stating(self, candidates: Vec<Span>) -> Request {
        Request { stated: Some(candidates), ..self }
    }

    /// With the contract of a node, or of a contract node, as that of a node without a body.
    pub(crate) fn opening(&self, name: &str) -> Request {
        Request { opened: Some(name.into()), ..self.clone() }
    }

    /// With more candidates, in a text by this name.
    pub(crate) fn proposing(mut self, name: &str, text: String) -> Request {
        self.origins.texts.push((name.into(), text.into()));
        self
    }

    /// With candidates for invariants from elsewhere.
    pub(crate) fn with_candidates(self, origins: Origins) -> Request {
        Request { origins, ..self }
    }

    /// What the program is called: its file, or what the caller called the text.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.input {
            Input::File(path) => path.display().to_string(),
            Input::Text { name, .. } => name.clone(),
        }
    }

    /// The text of its first file.
    pub(crate) fn read(&self) -> Result<Source, Unreadable> {
        match &self.input {
            Input::File(path) => read_named(path),
            Input::Text { text, .. } => Ok(Source { text: text.clone(), latin: false }),
        }
    }

    /// Where includes come from if nothing else is said.
    pub(crate) fn usual_loader(&self) -> Box<dyn Loader + Send> {
        match &self.input {
            Input::File(_) | Input::Text { files: true, .. } => Box::new(FileLoader),
            Input::Text { .. } => Box::new(NoFiles),
        }
    }

    /// A protocol is no program: read as one, every word of it would be blamed.
    fn is_program(&self) -> Result<(), Unreadable> {
        let name = self.name();
        if !name.to_ascii_lowercase().ends_with(".pyv") {
            return Ok(());
        }
        let reason =
            "it is a protocol, which `lustral check` looks at; this is for programs in Lustre";
        Err(Unreadable { name, reason: reason.into() })
    }

    /// The program as a tree, whatever is wrong with it.
    pub(crate) fn tree(&self, loader: &dyn Loader) -> Result<lustral_syntax::Program, Unreadable> {
        Ok(self.tree_and_sources(loader)?.0)
    }

    /// The names of its files.
    pub(crate) fn file_names(
        &self,
        loader: &dyn Loader,
    ) -> Result<BTreeMap<FileId, String>, Unreadable> {
        let (_, sources) = self.tree_and_sources(loader)?;
        Ok(sources.files().map(|(id, file)| (id, file.name.clone())).collect())
    }

    fn tree_and_sources(
        &self,
        loader: &dyn Loader,
    ) -> Result<(lustral_syntax::Program, SourceMap), Unreadable> {
        self.is_program()?;
        let mut sources = SourceMap::new();
        let mut all = vec![sources.add(self.name(), self.read()?.text)];
        for other in &self.others {
            all.push(sources.add(other.display().to_string(), read_named(other)?.text));
        }
        let mut forest = Forest::new(self.dialect);
        let tree = forest.program_of(&mut sources, &all, loader, &mut Diagnostics::new());
        Ok((tree, sources))
    }

    /// Reads and analyses the program with its candidates; what it includes
    /// comes from `loader`.
    ///
    /// # Errors
    /// If the file, or a file of candidates that the user named, cannot be read.
    pub fn analyse(&self, loader: &dyn Loader) -> Result<Analysed, Unreadable> {
        self.is_program()?;
        let source = self.read()?;
        let mut sources = SourceMap::new();
        let mut all = vec![sources.add(self.name(), source.text)];
        let mut latin = source.latin;
        for other in &self.others {
            let source = read_named(other)?;
            all.push(sources.add(other.display().to_string(), source.text));
            latin |= source.latin;
        }
        let mut diagnostics = Diagnostics::new();
        let mut forest = Forest::new(self.dialect);
        let mut tree = forest.program_of(&mut sources, &all, loader, &mut diagnostics);
        if let Some(name) = &self.opened {
            open(&mut tree, name);
        }
        let files = sources.files().count();
        let keys = match self.origins.cache {
            Some(_) => cache::keys(&tree),
            None => Keys::new(),
        };
        let quiet = self.origins.add(&keys, &mut sources, &mut tree, &mut diagnostics)?;
        // What could be read is judged even if the rest has mistakes: see `sema`.
        let mut program = analyse(&sources, &tree, &mut diagnostics);
        let mut levels = self.levels.clone();
        levels.read(&tree, &mut diagnostics);
        if !diagnostics.has_errors() {
            lints(&program, &mut diagnostics);
        }
        let diagnostics = levels.apply(&quiet.remove_from(diagnostics));
        if !diagnostics.has_errors() {
            state_hazards(&mut program, &sources, self.hazards);
            if let Some(candidates) = &self.stated {
                state_candidates(&mut program, candidates);
            }
        }
        let program = Arc::new(program);
        let kernel = if diagnostics.has_errors() {
            lustral_kernel::Program::default()
        } else {
            translate(&program, &sources)
        };
        let kernel = Arc::new(kernel);
        Ok(Analysed { sources, program, kernel, files, keys, diagnostics, quiet, latin, levels })
    }
}

/// Reads a file; the error says which.
pub(crate) fn read_named(path: &Path) -> Result<Source, Unreadable> {
    let name = || path.display().to_string();
    read(path).map_err(|reason| Unreadable { name: name(), reason: reason.to_string() })
}
