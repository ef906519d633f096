//! Which files are a program: the one that is asked about and those that it
//! includes, found breadth-first and each parsed by itself.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use crate::ast::{Include, Program, Tree};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
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
    trees: HashMap<FileId, Arc<Tree>>,
    /// The file of each text that was included, by what tells it apart.
    included: HashMap<String, FileId>,
}

impl Forest {
    /// The tree of a file.
    pub fn tree(&mut self, sources: &SourceMap, file: FileId) -> Arc<Tree> {
        let text = &sources.file(file).text;
        if let Some(known) = self.trees.get(&file)
            && (Arc::ptr_eq(&known.text, text) || known.text == *text)
        {
            return known.clone();
        }
        let tree = Arc::new(parse_file(file, text));
        self.trees.insert(file, tree.clone());
        tree
    }

    /// The program that a file and all that it includes are. Files that were
    /// included before keep their ids; their texts are loaded again.
    pub fn program(
        &mut self,
        sources: &mut SourceMap,
        main: FileId,
        loader: &dyn Loader,
        diagnostics: &mut Diagnostics,
    ) -> Program {
        let mut program = Program::default();
        let mut seen = HashSet::new();
        seen.extend(loader.identity(&sources.file(main).name));
        // Files still to be parsed; an include adds to the end, so no recursion.
        let mut pending = VecDeque::from([main]);
        while let Some(file) = pending.pop_front() {
            let tree = self.tree(sources, file);
            tree.diagnostics.iter().for_each(|d| diagnostics.push(d.clone()));
            for include in &tree.includes {
                match self.include(sources, &tree, include, loader, &mut seen) {
                    Ok(found) => pending.extend(found),
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
