//! Summaries of nodes from the certificates of an earlier run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lustral_base::Digest;
use lustral_certify::{Manifest, read_invariant, read_manifest};
use lustral_coordinator::Unit;
use lustral_horn::{
    Clauses, Definition, Flat, Model, ModularClauses, Place, Selection, between_steps, given_main,
};
use lustral_kernel::Program as Kernel;
use lustral_sema::instances::Wanted;
use lustral_sema::program::CallId;
use lustral_sema::{InstanceId, NodeId};
use lustral_syntax::SourceMap;
use lustral_system::{Modular, Origin, Predicate, PropId, Slot};
use lustral_term::{Sort, Translation, VarId};

use super::spacer::{Asking, Modelled};
use super::{BadCertificates, Gap, Missing, NoneFound};

/// The most properties that a message names.
const NAMED: usize = 5;

/// The model of some clauses, or why there is none.
fn model(asking: &Asking, clauses: &Clauses) -> Result<Model, NoneFound> {
    match asking.ask(clauses) {
        Modelled::Model(model) => Ok(model),
        Modelled::Refuted => Err(NoneFound::Refuted { approximate: clauses.approximate }),
        Modelled::Unknown(reason) => Err(reason.into()),
    }
}

/// The folders with a manifest: the given one or those below it, in order.
#[must_use]
pub fn certificates_below(given: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![given.to_path_buf()];
    while let Some(folder) = pending.pop() {
        if folder.join("manifest.json").is_file() {
            found.push(folder);
            continue;
        }
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|t| t.is_dir()) {
                pending.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

/// What the certificates of a root prove.
pub struct Certified {
    unit: Unit,
    properties: Vec<PropId>,
    invariant: Vec<Predicate>,
    /// Why this is no invariant of single steps, if it is none.
    several: Option<Gap>,
}

impl Certified {
    /// Reads all certificates of a node below a folder.
    pub fn read(
        folder: &Path,
        kernel: &Arc<Kernel>,
        sources: &SourceMap,
        root: NodeId,
    ) -> Result<Certified, BadCertificates> {
        let unit = Unit::new(kernel, root, Wanted::ALL)?;
        let (mut properties, mut invariant, mut several) = (Vec::new(), Vec::new(), None);
        for folder in certificates_below(folder) {
            // Other programs may have theirs here: what those say is no matter.
            let manifest = read_manifest(&folder)?;
            if manifest.node != *kernel.node(root).name || !same_sources(&manifest, sources) {
                continue;
            }
            let (manifest, more) = read_invariant(&folder, &unit.system)?;
            let name = manifest.property;
            if manifest.proof != "induction" || manifest.k != 1 || manifest.compression {
                let (property, proof, k) = (name.clone(), manifest.proof, manifest.k);
                several = Some(Gap::Several { property, proof, k });
            }
            if !manifest.rests_on.is_empty() {
                return Err(BadCertificates::NodeByNode(name));
            }
            let position = unit.system.properties.iter().position(|p| p.name == name);
            let position = position.ok_or(BadCertificates::NoProperty(name))?;
            properties.push(PropId(position as u32));
            invariant.extend(more);
        }
        if properties.is_empty() {
            return Err(BadCertificates::None);
        }
        Ok(Certified { unit, properties, invariant, several })
    }

    /// What to say of the properties without a certificate, if there are some.
    pub fn missing(&self) -> Option<Missing> {
        let without = |p| !self.properties.contains(&p);
        let some = self.unit.system.property_ids().any(without);
        some.then(|| Missing::Certificates(self.names(without)))
    }

    /// The properties that the clauses are about: all, or one.
    pub fn selection(&self, modular: &Modular) -> Result<Selection, BadCertificates> {
        let all = self.unit.system.property_ids().all(|p| self.properties.contains(&p));
        match (all, &self.properties[..]) {
            (true, _) => Ok(Selection::all(modular)),
            (false, [one]) => {
                let name = &self.unit.system.property(*one).name;
                Selection::one(modular, name)
                    .map_err(|missing| BadCertificates::NoProperty(missing.0))
            }
            _ => Err(BadCertificates::NotAll(
                self.names(|p| self.properties.contains(&p)),
                self.names(|p| !self.properties.contains(&p)),
            )),
        }
    }

    /// Some properties by their names: the first few.
    fn names(&self, which: impl Fn(PropId) -> bool) -> String {
        let system = &self.unit.system;
        let all: Vec<PropId> = system.property_ids().filter(|p| which(*p)).collect();
        let few = all.iter().take(NAMED).map(|p| format!("`{}`", system.property(*p).name));
        let few = few.collect::<Vec<_>>().join(", ");
        match all.len() {
            0..=NAMED => few,
            more => format!("{few} and {} more", more - NAMED),
        }
    }

    /// A model of the clauses of those properties; nobody has checked it. With it,
    /// why the certificates have no part in it, if they have none.
    pub fn model(
        &self,
        modular: &Modular,
        clauses: &ModularClauses,
        asking: &Asking,
    ) -> Result<(Model, Option<Gap>), BadCertificates> {
        let gap = match &self.several {
            // What k steps say together cannot be said of the state of one.
            Some(several) => several.clone(),
            None => match self.between(modular, clauses, asking) {
                Ok(model) => return Ok((model, None)),
                Err(gap) if gap.is_certain() => return Err(BadCertificates::Refuted(gap)),
                Err(gap) => gap,
            },
        };
        // There may be an invariant that can be, but it has to be found anew.
        match model(asking, &clauses.clauses) {
            Ok(model) => Ok((model, Some(gap))),
            Err(none) => Err(BadCertificates::NoOther(gap, none)),
        }
    }

    /// The same by what lies between steps.
    fn between(
        &self,
        modular: &Modular,
        clauses: &ModularClauses,
        asking: &Asking,
    ) -> Result<Model, Gap> {
        let flat = between_steps(&self.unit.system, &self.invariant, &self.properties)?;
        let found = model(asking, &flat.clauses).map_err(Gap::Between)?;
        let main = self.main(modular, clauses, &flat, &found)?;
        let query = given_main(clauses, &main);
        let mut model = model(asking, &query).map_err(Gap::NoSummaries)?;
        model.definitions[clauses.main] = main;
        Ok(model)
    }

    /// `Main`, from what holds of the state after steps of the flattened system.
    fn main(
        &self,
        modular: &Modular,
        clauses: &ModularClauses,
        flat: &Flat,
        found: &Model,
    ) -> Result<Definition, Gap> {
        let places = &clauses.nodes[modular.root()].initial_places;
        let of_state = &found.definitions[0];
        let mut main = Definition::always();
        let mut missing = None;
        let term = Translation::new().apply(
            &of_state.terms,
            &mut main.terms,
            of_state.term,
            |terms, var, sort| {
                let memory = flat.state[var.index()];
                let place = self.slot(modular, memory).map(Place::After);
                let position = places.iter().position(|p| Some(*p) == place);
                if position.is_none() {
                    missing = Some(self.unit.system.variable(memory).name.clone());
                }
                terms.variable(VarId(position.unwrap_or(0) as u32), sort)
            },
        );
        if let Some(name) = missing {
            return Err(Gap::Unowned(name));
        }
        let flag = places.iter().position(|p| *p == Place::Flag);
        let flag = flag.map(|flag| main.terms.variable(VarId(flag as u32), Sort::Bool));
        main.term = main.terms.and(flag.into_iter().chain([term]));
        Ok(main)
    }

    /// The part of the root's state that a memory of the flattened system is.
    fn slot(&self, modular: &Modular, memory: VarId) -> Option<usize> {
        let root = modular.root();
        let slots = &modular.nodes[root].state;
        slots.iter().position(|slot| {
            let (mut node, mut at, mut calls) = (root, *slot, Vec::new());
            while let Slot::Called { call, slot } = at {
                calls.push(CallId(call as u32));
                node = modular.nodes[node].calls[call];
                at = modular.nodes[node].state[slot];
            }
            let Slot::Own(var) = at else { return false };
            let theirs = modular.nodes[node].system.variable(var).origin;
            let instance = self.unit.tree.follow(InstanceId::ROOT, &calls);
            match (theirs, self.unit.system.variable(memory).origin, instance) {
                (Origin::Delay { expr, leaf, .. }, ours, Some(instance)) => {
                    ours == Origin::Delay { instance, expr, leaf }
                }
                _ => false,
            }
        })
    }
}

/// Whether a certificate is about the program as it is.
fn same_sources(manifest: &Manifest, sources: &SourceMap) -> bool {
    let ours: Vec<String> =
        sources.files().map(|(_, f)| Digest::of(&*f.text).to_string()).collect();
    manifest.sources.len() == ours.len()
        && manifest.sources.iter().zip(ours).all(|(theirs, ours)| theirs.sha256 == ours)
}
