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

/// The most properties that a message names.
const NAMED: usize = 5;

/// Why there is no model.
struct Missing {
    /// Whether there is none at all, by the word of Spacer: then what is claimed
    /// is not so. Where the clauses allow more than the program, nobody knows.
    certain: bool,
    reason: String,
}

impl Missing {
    /// The same, said of something.
    fn of(self, what: &str) -> Missing {
        Missing { reason: format!("{what}: {}", self.reason), ..self }
    }
}

/// The model of some clauses, or why there is none.
fn model(asking: &Asking, clauses: &Clauses) -> Result<Model, Missing> {
    match asking.ask(clauses) {
        Modelled::Model(model) => Ok(model),
        Modelled::Refuted => {
            Err(Missing { certain: !clauses.approximate, reason: "there is none".into() })
        }
        Modelled::Unknown(reason) => Err(Missing { certain: false, reason }),
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
    several: Option<String>,
}

impl Certified {
    /// Reads all certificates of a node below a folder.
    pub fn read(
        folder: &Path,
        kernel: &Arc<Kernel>,
        sources: &SourceMap,
        root: NodeId,
    ) -> Result<Certified, String> {
        let unit = Unit::new(kernel, root, Wanted::ALL);
        let unit = unit.map_err(|error| error.to_string())?;
        let (mut properties, mut invariant, mut several) = (Vec::new(), Vec::new(), None);
        for folder in certificates_below(folder) {
            // Other programs may have theirs here: what those say is no matter.
            let manifest = read_manifest(&folder).map_err(|error| error.to_string())?;
            if manifest.node != *kernel.node(root).name || !same_sources(&manifest, sources) {
                continue;
            }
            let (manifest, more) =
                read_invariant(&folder, &unit.system).map_err(|error| error.to_string())?;
            let name = &manifest.property;
            if manifest.proof != "induction" || manifest.k != 1 || manifest.compression {
                several = Some(format!(
                    "the certificate of `{name}` is no invariant of single steps ({}, k = {})",
                    manifest.proof, manifest.k
                ));
            }
            if !manifest.rests_on.is_empty() {
                return Err(format!("the certificate of `{name}` is one node by node"));
            }
            let position = unit.system.properties.iter().position(|p| p.name == *name);
            let position = position.ok_or_else(|| format!("there is no property `{name}`"))?;
            properties.push(PropId(position as u32));
            invariant.extend(more);
        }
        if properties.is_empty() {
            return Err("there is no certificate of this program".into());
        }
        Ok(Certified { unit, properties, invariant, several })
    }

    /// What to say of the properties without a certificate, if there are some.
    pub fn missing(&self) -> Option<String> {
        let without = |p| !self.properties.contains(&p);
        let some = self.unit.system.property_ids().any(without);
        some.then(|| format!("{}: left out, there is no certificate of it", self.names(without)))
    }

    /// The properties that the clauses are about: all, or one.
    pub fn selection(&self, modular: &Modular) -> Result<Selection, String> {
        let all = self.unit.system.property_ids().all(|p| self.properties.contains(&p));
        match (all, &self.properties[..]) {
            (true, _) => Ok(Selection::all(modular)),
            (false, [one]) => {
                let name = &self.unit.system.property(*one).name;
                Selection::one(modular, name)
                    .map_err(|missing| format!("there is no property `{}`", missing.0))
            }
            _ => Err(format!(
                "there are certificates of {}, but none of {}: give the folder of one",
                self.names(|p| self.properties.contains(&p)),
                self.names(|p| !self.properties.contains(&p))
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
    ) -> Result<(Model, Option<String>), String> {
        let reason = match &self.several {
            // What k steps say together cannot be said of the state of one.
            Some(several) => several.clone(),
            None => match self.between(modular, clauses, asking) {
                Ok(model) => return Ok((model, None)),
                Err(Missing { certain: true, reason }) => return Err(reason),
                Err(Missing { reason, .. }) => reason,
            },
        };
        // There may be an invariant that can be, but it has to be found anew.
        match model(asking, &clauses.clauses) {
            Ok(model) => Ok((model, Some(reason))),
            Err(none) => Err(format!("{reason}, and Spacer found no other: {}", none.reason)),
        }
    }

    /// The same by what lies between steps.
    fn between(
        &self,
        modular: &Modular,
        clauses: &ModularClauses,
        asking: &Asking,
    ) -> Result<Model, Missing> {
        let other = |reason| Missing { certain: false, reason };
        let flat = between_steps(&self.unit.system, &self.invariant, &self.properties)
            .map_err(|unsupported| other(unsupported.to_string()))?;
        let found = model(asking, &flat.clauses);
        let found = found.map_err(|missing| {
            missing.of("the invariant says nothing of the state between steps")
        })?;
        let main = self.main(modular, clauses, &flat, &found).map_err(other)?;
        let query = given_main(clauses, &main);
        let found = model(asking, &query);
        let mut model = found.map_err(|missing| missing.of("no summaries were found"))?;
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
    ) -> Result<Definition, String> {
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
            return Err(format!("no node remembers {name} by itself"));
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
