//! Which files are a program: the one that is asked about and those that it
//! includes, found breadth-first and each parsed by itself.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use crate::ast::{Include, Program, Tree};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::dialect::{Dialect, Wish};
use crate::loader::Loader;
use crate::parser::parse_file;
use crate::source::{FileId, SourceMap};

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
        self.included_tree(sources, file, None)
    }

    /// The tree of a file that another includes, with the dialect of that.
    fn included_tree(
        &mut self,
        sources: &SourceMap,
        file: FileId,
        includer: Option<Dialect>,
    ) -> Arc<Tree> {
        let text = &sources.file(file).text;
        let ending = Dialect::of_file(&sources.file(file).name);
        let wish = Wish { option: self.dialect, surroundings: ending.or(includer) };
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
        let names = files.iter().map(|file| &sources.file(*file).name);
        let mut seen: HashSet<String> = names.filter_map(|name| loader.identity(name)).collect();
        // Files still to be parsed; an include adds to the end, so no recursion.
        let mut pending: VecDeque<_> = files.iter().map(|file| (*file, None)).collect();
        while let Some((file, includer)) = pending.pop_front() {
            let tree = self.included_tree(sources, file, includer);
            tree.diagnostics.iter().for_each(|d| diagnostics.push(d.clone()));
            for include in &tree.includes {
                match self.include(sources, &tree, include, loader, &mut seen) {
                    Ok(found) => {
                        let dialect = tree.exprs.reading().known();
                        pending.extend(found.map(|file| (file, dialect)));
                    }
                    Err(diagnostic) => {
                        program.incomplete = true;
                        diagnostics.push(*diagnostic);
                    }
                }
            }
            program.trees.push(tree);
        }
        program
    }

    /// The file that an `include` means, unless it was there before.
    fn include(
        &mut self,
        sources: &mut SourceMap,
        tree: &Tree,
        include: &Include,
        loader: &dyn Loader,
        seen: &mut HashSet<String>,
    ) -> Result<Option<FileId>, Box<Diagnostic>> {
        let path = &include.path;
        let error = |message: String| Diagnostic::error(Code::Include, path.span, message);
        let loaded = loader.load(&sources.file(tree.file).name, &path.name).map_err(|reason| {
            error(format!("cannot include `{}`", path.name)).label(reason.to_string())
        })?;
        if loaded.text.len() > SourceMap::LARGEST {
            return Err(error("the included file is too large".into()).into());
        }
        if !seen.insert(loaded.identity.clone()) {
            return Ok(None);
        }
        if let Some(&known) = self.included.get(&loaded.identity) {
            if sources.file(known).text != loaded.text {
                sources.replace(known, loaded.text);
            }
            return Ok(Some(known));
        }
        let file = sources.add(loaded.name, loaded.text);
        self.included.insert(loaded.identity, file);
        Ok(Some(file))
    }
}
