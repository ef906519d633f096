//! The system that one property is about: the memories that it and all
//! constraints depend on.
//!
//! A state is a valuation of these memories, before the inputs of the step are
//! known; the initial state is one. A property of memories alone is a
//! predicate of states as it stands. Any other also speaks of inputs, or of
//! steps that the constraints allow, so it is remembered: a new memory says
//! whether it held so far, and that memory is the predicate. Nothing else
//! depends on it, so a set of predicates that is inductive with it is so
//! without it, and implies the property at every step that constraints allow.

use lustral_system::{Inlined, Memory, Origin, PropId, Role, TransitionSystem, Variable};
use lustral_term::{Operator, Sort, Term, TermId, Terms, Value, VarId};

/// The system of one property.
pub(crate) struct Slice {
    pub system: Inlined,
    /// The property as a predicate of states.
    pub p0: TermId,
    /// The memory that says whether it held so far, if there is one.
    pub held: Option<VarId>,
}

/// Whether a term has an operation whose value its operands do not give: one that is not
/// defined everywhere, or a function of which nothing is known.
pub(super) fn is_open(terms: &Terms, term: TermId) -> bool {
    let partial = |t: &TermId| match terms.get(*t) {
        Term::Apply(Operator::IntDiv, [_, d])
        | Term::Apply(Operator::Mod, [_, d])
        | Term::Apply(Operator::RealDiv, [_, d]) => {
            terms.value(*d).is_none_or(|v| *v == Value::zero(v.sort()))
        }
        Term::Apply(Operator::Call(_), _) => true,
        _ => false,
    };
    terms.closure([term]).iter().any(partial)
}

impl Slice {
    pub fn new(whole: &Inlined, property: PropId) -> Slice {
        let mut system = whole.clone();
        let (p0, held) = system.change(|system| Slice::of(system, property));
        Slice { system, p0, held }
    }

    /// Makes a system that of one property; what [`Slice`] says of it.
    fn of(system: &mut TransitionSystem, property: PropId) -> (TermId, Option<VarId>) {
        system.properties = vec![system.property(property).clone()];
        system.candidates = Vec::new();
        let term = system.properties[0].term;
        let constraints = system.constraints.iter().map(|c| c.term);
        let roots = system.terms.variables(constraints.chain([term]));
        let inside = system.cone_of(roots);
        system.memories.retain(|m| inside[m.var.index()]);
        let terms = &system.terms;
        system.typing.retain(|t| terms.variables([*t]).iter().all(|v| inside[v.index()]));
        let is_memory = |v: &VarId| system.variable(*v).role == Role::Memory;
        let of_state = system.constraints.is_empty()
            && system.terms.variables([term]).iter().all(is_memory)
            && !is_open(&system.terms, term);
        if of_state {
            return (term, None);
        }
        let (var, held) = system.add_variable(Variable {
            name: "held so far".into(),
            sort: Sort::Bool,
            role: Role::Memory,
            range: None,
            origin: Origin::Auxiliary,
        });
        let next = system.terms.and([held, term]);
        system.memories.push(Memory { var, initial: Value::Bool(true), next });
        (held, Some(var))
    }

    /// The memories, in their order.
    pub fn memories(&self) -> Vec<VarId> {
        self.system.memories.iter().map(|m| m.var).collect()
    }
}
