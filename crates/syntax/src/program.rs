//! Which files are a program: the one that is asked about and those that it
//! includes, found breadth-first and each parsed by itself.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use crate::ast::{Include, Program, Tree};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::dialect::{Dialect, Reading, Wish};
use crate::loader::Loader;
use crate::parser::parse_file;
use crate::source::{FileId, SourceMap, Span};

/// Parses a file and all that it includes.
pub fn parse_program(
    sources: &mut SourceMap,
    main: FileId,
    loader: &dyn Loader,
    diagnostics: &mut Diagnostics,
) -> Program {
    Forest::default().program(sources, main, loader, diagnostics)
}

/// The trees of files, kept from one reading of a program to the next: a file
/// whose text is the same is not parsed again. Identity is decided on the texts
/// themselves, so there is no hash that two texts could share.
#[derive(Default, Debug)]
pub struct Forest {
    /// The dialect that the user asked for.
    dialect: Option<Dialect>,
    trees: HashMap<FileId, Arc<Tree>>,
    /// The file of each text that was included, by what tells it apart.
    included: HashMap<String, FileId>,
}

impl Forest {
    /// A forest whose files are all read in one dialect, if one is given.
    #[must_use]
    pub fn new(dialect: Option<Dialect>) -> Forest {
        Forest { dialect, ..Forest::default() }
    }

    /// The tree of a file.
    pub fn tree(&mut self, sources: &SourceMap, file: FileId) -> Arc<Tree> {
        self.included_tree(sources, file, Reading::default())
    }

    /// What is known of the dialect of a file that another includes.
    fn wish(&self, sources: &SourceMap, file: FileId, includer: Reading) -> Wish {
        let ending = Dialect::of_file(&sources.file(file).name);
        Wish {
            option: self.dialect,
            marked: includer.written(),
            surroundings: ending.or(includer.known()),
        }
    }

    /// The tree of a file that another includes, with the dialect of that.
    fn included_tree(&mut self, sources: &SourceMap, file: FileId, includer: Reading) -> Arc<Tree> {
        let text = &sources.file(file).text;
        let wish = self.wish(sources, file, includer);
        if let Some(known) = self.trees.get(&file)
            && known.wish == wish
            && (Arc::ptr_eq(&known.text, text) || known.text == *text)
        {
            return known.clone();
        }
        let tree = Arc::new(parse_file(file, text, wish));
        self.trees.insert(file, tree.clone());
        tree
    }

    /// The program that a file and all that it includes are.
    pub fn program(
        &mut self,
        sources: &mut SourceMap,
        main: FileId,
        loader: &dyn Loader,
        diagnostics: &mut Diagnostics,
    ) -> Program {
        self.program_of(sources, &[main], loader, diagnostics)
    }

    /// The program that some files and all that they include are. Files that were
    /// included before keep their ids; their texts are loaded again.
    pub fn program_of(
        &mut self,
        sources: &mut SourceMap,
        files: &[FileId],
        loader: &dyn Loader,
        diagnostics: &mut Diagnostics,
    ) -> Program {
        let mut program = Program::default();
        let names = files.iter().map(|file| (loader.identity(&sources.file(*file).name), *file));
        let mut seen: HashMap<String, FileId> =
            names.filter_map(|(name, file)| Some((name?, file))).collect();
        // Files still to be parsed; an include adds to the end, so no recursion.
        let mut pending: VecDeque<_> = VecDeque::new();
        pending.extend(files.first().map(|file| (*file, Reading::default())));
        let mut others = files.get(1..).unwrap_or_default();
        // What was included again, where, and by a file in which dialect.
        let mut again: Vec<(FileId, Span, Reading)> = Vec::new();
        while let Some((file, includer)) = pending.pop_front() {
            let tree = self.included_tree(sources, file, includer);
            tree.diagnostics.iter().for_each(|d| diagnostics.push(d.clone()));
            let reading = tree.exprs.reading();
            // The others belong to the program as if the first file included them.
            pending.extend(std::mem::take(&mut others).iter().map(|file| (*file, reading)));
            for include in &tree.includes {
                match self.include(sources, &tree, include, loader, &mut seen) {
                    Ok(Included::New(file)) => pending.push_back((file, reading)),
                    Ok(Included::Again(file)) => again.push((file, include.path.span, reading)),
                    Err(diagnostic) => {
                        program.incomplete = true;
                        diagnostics.push(*diagnostic);
                    }
                }
            }
            program.trees.push(tree);
        }
        // The first file is read as it is by itself, whoever includes it.
        again.retain(|(file, _, _)| Some(file) != files.first());
        for (file, span, includer) in again {
            if let Some(diagnostic) = self.read_otherwise(sources, &program, file, (span, includer))
            {
                diagnostics.push(diagnostic);
            }
        }
        program
    }

    /// What to say of a file that is included twice, if it means something else for the second
    /// includer: it can be read in one dialect only, and which one must not depend on the order.
    fn read_otherwise(
        &self,
        sources: &SourceMap,
        program: &Program,
        file: FileId,
        (span, includer): (Span, Reading),
    ) -> Option<Diagnostic> {
        let known = program.trees.iter().find(|tree| tree.file == file)?;
        let wish = self.wish(sources, file, includer);
        if wish == known.wish {
            return None;
        }
        let other = parse_file(file, &sources.file(file).text, wish).exprs.reading().dialect;
        let here = known.exprs.reading().dialect;
        let name = &sources.file(file).name;
        (other != here).then(|| {
            let message = format!(
                "`{name}` is included twice, in the dialect {} and in the dialect {}",
                here.as_str(),
                other.as_str()
            );
            Diagnostic::error(Code::Include, span, message)
                .label(format!("here it would be read as {}", other.as_str()))
                .help(format!("say in `{name}` which one is meant: `--%DIALECT {}`", here.as_str()))
        })
    }

    /// The file that an `include` means.
    fn include(
        &mut self,
        sources: &mut SourceMap,
        tree: &Tree,
        include: &Include,
        loader: &dyn Loader,
        seen: &mut HashMap<String, FileId>,
    ) -> Result<Included, Box<Diagnostic>> {
        let path = &include.path;
        let error = |message: String| Diagnostic::error(Code::Include, path.span, message);
        let loaded = loader.load(&sources.file(tree.file).name, &path.name).map_err(|reason| {
            error(format!("cannot include `{}`", path.name)).label(reason.to_string())
        })?;
        if loaded.text.len() > SourceMap::LARGEST {
            return Err(error("the included file is too large".into()).into());
        }
        if let Some(&known) = seen.get(&loaded.identity) {
            return Ok(Included::Again(known));
        }
        let file = match self.included.get(&loaded.identity) {
            Some(&known) => {
                if sources.file(known).text != loaded.text {
                    sources.replace(known, loaded.text);
                }
                known
            }
            None => sources.add(loaded.name, loaded.text),
        };
        seen.insert(loaded.identity.clone(), file);
        self.included.insert(loaded.identity, file);
        Ok(Included::New(file))
    }
}

/// What an `include` means: a file that is read for the first time, or one that was there before.
enum Included {
    New(FileId),
    Again(FileId),
}
