//! A node with all that the stages made of it: the one type for what is looked
//! at, whether all instances below the node are there or some calls are cut.
//!
//! Where a call is cut, only the interface of the called node is there: its
//! inputs are defined by the arguments, its outputs are inputs of the system, of
//! which only the types are known. The tree says which calls are cut, and whether
//! the root stands for any call of its node. What is known of cut calls is stated
//! by others: [`crate::CutSystem`] and [`crate::Guarantees`].

use std::sync::Arc;

use lustral_flow::{encode, encode_candidates, encode_with_conditions};
use lustral_kernel::Program as Kernel;
use lustral_sema::instances::{MOST_INSTANCES, Wanted, properties};
use lustral_sema::program::{Assertion, Node};
use lustral_sema::{InstanceTree, NodeId, Program, PropertyInstance, PropertySource};
use lustral_system::{ConstraintSource, Predicate, PropId, TransitionSystem};
use lustral_term::TermId;

use crate::Context;

/// A node with its instances, properties and system.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The program.
    pub program: Arc<Program>,
    /// The program in scalar equations, from which the system is made.
    pub kernel: Arc<Kernel>,
    /// The instances below the node; some may be cut.
    pub tree: InstanceTree,
    /// What is to be shown, in the order of the system's properties.
    pub properties: Vec<PropertyInstance>,
    /// The system, as it came from the program: not prepared.
    pub system: TransitionSystem,
    /// Of properties that say something under a condition only (`a => b`), a term of the
    /// system: that the condition does not hold.
    pub conditions: Vec<(PropId, TermId)>,
}

/// A node that cannot be unfolded.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the calls of `{node}` unfold to more than {MOST_INSTANCES} instances")]
pub struct TooManyInstances {
    /// The name of the node.
    pub node: String,
}

impl Unit {
    /// Unfolds and encodes a node.
    ///
    /// # Errors
    /// If there are too many instances.
    pub fn new(
        kernel: &Arc<Kernel>,
        root: NodeId,
        wanted: Wanted,
    ) -> Result<Unit, TooManyInstances> {
        let tree = InstanceTree::new(kernel, root)
            .map_err(|_| TooManyInstances { node: kernel.node(root).name.to_string() })?;
        Ok(Unit::of_tree(kernel, tree, wanted))
    }

    /// Encodes a node with all its instances.
    #[must_use]
    pub fn of_tree(kernel: &Arc<Kernel>, tree: InstanceTree, wanted: Wanted) -> Unit {
        let properties = properties(&kernel.typed, &tree, wanted);
        Unit::cut(kernel, tree, properties)
    }

    /// Encodes a node with some of its instances, the others cut: for some properties.
    #[must_use]
    pub fn cut(
        kernel: &Arc<Kernel>,
        tree: InstanceTree,
        properties: Vec<PropertyInstance>,
    ) -> Unit {
        let (system, conditions) = encode_with_conditions(kernel, &tree, &properties);
        let (program, kernel) = (kernel.typed.clone(), kernel.clone());
        Unit { program, kernel, tree, properties, system, conditions }
    }

    /// The same with only the properties that are wanted, by the names that they have in the
    /// system. Nothing else of it speaks of properties: what holds of these here holds there.
    #[must_use]
    pub fn only(self, is_wanted: impl Fn(&str) -> bool) -> Unit {
        let Unit { kernel, tree, properties, system, .. } = self;
        let of_system = system.property_ids().map(|id| is_wanted(&system.property(id).name));
        let chosen = properties.into_iter().zip(of_system).filter(|(_, wanted)| *wanted);
        let properties = chosen.map(|(property, _)| property).collect();
        Unit::cut(&kernel, tree, properties)
    }

    /// The system with the candidates of the program, if it has some. Of a cut
    /// system it is the part that comes from the program, without summaries.
    #[must_use]
    pub fn with_candidates(&self) -> Option<TransitionSystem> {
        let has_some = |id| {
            let given = !self.tree.node(&self.program, id).candidates.list.is_empty();
            given && !self.tree.is_cut(id)
        };
        let some = self.tree.ids().any(has_some);
        let encode = || encode_candidates(&self.kernel, &self.tree, &self.properties);
        let mut system = some.then(encode)?;
        if self.tree.cut_ids().next().is_some() {
            self.keep_known(&mut system);
        }
        Some(system)
    }

    /// The system with all candidates of the nodes whose instances are not cut, in the order
    /// of instances and of the text; some may remember something by themselves, in variables
    /// after those of [`Unit::system`].
    #[must_use]
    pub fn with_all_candidates(&self) -> TransitionSystem {
        encode_candidates(&self.kernel, &self.tree, &self.properties)
    }

    /// The candidates of the program as predicates over the flows of this
    /// system and what it remembers of them.
    #[must_use]
    pub fn candidates(&self) -> Arc<[Predicate]> {
        let Some(mut system) = self.with_candidates() else { return Arc::new([]) };
        self.keep_known(&mut system);
        let terms = Arc::new(system.terms);
        let predicate = |term| Predicate { terms: terms.clone(), term };
        system.candidates.into_iter().map(predicate).collect()
    }

    /// Leaves out the candidates that remember something by themselves. Their
    /// memories come after all other variables; so do, in a cut system, those of
    /// summaries, which have the same numbers and are not the same.
    fn keep_known(&self, system: &mut TransitionSystem) {
        let own = encode(&self.kernel, &self.tree, &self.properties).variables.len();
        let TransitionSystem { terms, candidates, .. } = system;
        candidates.retain(|c| terms.variables([*c]).iter().all(|var| var.index() < own));
    }

    /// What a check needs to know.
    #[must_use]
    pub fn context(&self) -> Context<'_> {
        Context {
            program: &self.program,
            tree: &self.tree,
            properties: &self.properties,
            system: &self.system,
        }
    }

    /// The assertion that a constraint of the system comes from, and its node; nothing of
    /// what was learned.
    #[must_use]
    pub fn premise(&self, constraint: usize) -> Option<(&Node, &Assertion)> {
        match self.system.constraints.get(constraint)?.source {
            ConstraintSource::Assertion { instance, index } => {
                let node = self.tree.node(&self.program, instance);
                Some((node, node.asserts.get(index as usize)?))
            }
            ConstraintSource::Summary(_) | ConstraintSource::Assumption => None,
        }
    }

    /// Whether its boolean outputs are taken as properties.
    #[must_use]
    pub fn by_outputs(&self) -> bool {
        self.properties.iter().any(|p| matches!(p.source, PropertySource::Output(_)))
    }
}
