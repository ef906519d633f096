//! The Horn clauses of a program, node by node and flattened, say what an
//! explicit search of all states finds.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use lustral_base::Cancel;
use lustral_certify::{CutProgram, ProofChecker};
use lustral_horn::{Clauses, Flat, ModularClauses, Selection};
use lustral_modular::model::{Modelled, spacer_model};
use lustral_sema::InstanceId;
use lustral_sema::instances::Wanted;
use lustral_system::{Goal, PropId};

use crate::engines::worker;
use lustral_testing::encoding::{Encoded, accepted};
use lustral_testing::failure::Failure;
use lustral_testing::search::search;
use lustral_testing::tree::{Parentheses, Program};

/// Finite programs are small.
const TIME: Duration = Duration::from_secs(5);

/// How often things happened.
#[derive(Default)]
pub struct Answers {
    pub safe: AtomicUsize,
    pub unsafe_: AtomicUsize,
    pub unknown: AtomicUsize,
}

impl Answers {
    pub fn text(&self) -> String {
        let get = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        format!(
            "{} safe, {} unsafe, {} unknown",
            get(&self.safe),
            get(&self.unsafe_),
            get(&self.unknown)
        )
    }
}

/// Solves the clauses of all properties together and of one alone.
pub fn check(program: &Program, seed: u64, answers: &Answers) -> Result<(), Failure> {
    let unit = accepted(&program.text(Parentheses::Needed))?;
    let Some(found) = search(&unit) else { return Ok(()) };
    // What shall be reachable has no clauses.
    let stated: Vec<PropId> = stated(&unit).collect();
    if stated.is_empty() {
        return Ok(());
    }
    let any = stated.iter().any(|p| found.fails[p.index()].is_some());
    if !unit.system.is_on_one_clock() {
        // Nodes by themselves are taken to begin together.
        return agrees(&flat(&unit)?, any, "flattened", answers);
    }
    let root = unit.tree.instance(InstanceId::ROOT).node;
    let wanted = Wanted::ALL;
    let nodes = CutProgram::below(&unit.kernel.clone().into(), root, wanted, &|_| String::new());
    let nodes = nodes.map_err(|e| Failure::new("modular", e.to_string()))?;
    let all = ModularClauses::new(&nodes, &Selection::all(&nodes), seed.is_multiple_of(2));
    agrees(&all.clauses, any, "all properties", answers)?;

    let one = stated[(seed as usize / 2) % stated.len()].index();
    let name = &unit.properties[one].name;
    let selection = Selection::one(&nodes, name);
    let selection = selection.map_err(|e| Failure::new("no property", e.0))?;
    // Properties of one name cannot be told apart.
    if unit.properties.iter().filter(|p| p.name == *name).count() == 1 {
        let clauses = ModularClauses::new(&nodes, &selection, false).clauses;
        agrees(&clauses, found.fails[one].is_some(), name, answers)?;
    }
    agrees(&flat(&unit)?, any, "flattened", answers)
}

/// The properties that should hold always.
fn stated(unit: &Encoded) -> impl Iterator<Item = PropId> + '_ {
    let system = &unit.system;
    system.property_ids().filter(|p| system.property(*p).goal == Goal::Always)
}

fn flat(unit: &Encoded) -> Result<Clauses, Failure> {
    let properties: Vec<_> = stated(unit).collect();
    let flat = Flat::any(&unit.system, &properties);
    Ok(flat.map_err(|e| Failure::new("flat", e.to_string()))?.clauses)
}

fn agrees(clauses: &Clauses, fails: bool, what: &str, answers: &Answers) -> Result<(), Failure> {
    let cancel = Cancel::new();
    let wrong = |text: &str| Err(Failure::new("horn", format!("{what}: {text}")));
    let counter = match spacer_model(clauses, &worker(), 0, TIME, &cancel) {
        Modelled::Model(_) if fails => return wrong("safe, though a property fails"),
        Modelled::Refuted if !fails && !clauses.approximate => {
            return wrong("unsafe, though no property fails");
        }
        Modelled::Model(model) => {
            let mut checker = ProofChecker::new(&cancel).expect("the solver starts");
            if let Err(rejected) = checker.check_model(clauses, &model, true) {
                return wrong(&rejected.to_string());
            }
            &answers.safe
        }
        Modelled::Refuted => &answers.unsafe_,
        Modelled::Unknown(_) => &answers.unknown,
    };
    counter.fetch_add(1, Ordering::Relaxed);
    Ok(())
}
