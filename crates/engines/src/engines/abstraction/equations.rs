//! A system as small equations, and the graph of what depends on what.
//!
//! The definitions of a prepared system are inlined. Here they are taken apart
//! again, finer than the program's own equations: a term that is used twice,
//! or that is a choice, gets a variable and an equation of its own.

use lustral_system::{Origin, Role, TransitionSystem, Variable};
use lustral_term::{Operator, Term, TermId, Terms, VarId};

/// A system of equations: one for each memory and each defined variable.
pub(super) struct Equations {
    /// The split system.
    pub system: TransitionSystem,
    /// By defined variable: its inlined term in the system that was split.
    pub inlined: Vec<Option<TermId>>,
    /// By variable: the variables of its equation.
    pub uses: Vec<Vec<VarId>>,
}

impl Equations {
    pub fn split(prepared: &TransitionSystem) -> Equations {
        let roots = prepared
            .memories
            .iter()
            .map(|m| m.next)
            .chain(prepared.constraints.iter().map(|c| c.term))
            .chain(prepared.typing.iter().copied())
            .chain(prepared.properties.iter().map(|p| p.term));
        let closure = prepared.terms.closure(roots);
        let mut users = vec![0u32; prepared.terms.len()];
        for id in &closure {
            prepared.terms.operands(*id).iter().for_each(|operand| users[operand.index()] += 1);
        }
        let mut system = prepared.clone();
        system.terms = Terms::new();
        let mut inlined = vec![None; system.variables.len()];
        let mut split: Vec<Option<TermId>> = vec![None; prepared.terms.len()];
        for id in closure {
            let term = system.terms.rebuild(prepared.terms.get(id), |operand| {
                split[operand.index()].expect("operands come before their users")
            });
            let named = match prepared.terms.get(id) {
                Term::Value(_) | Term::Var(..) | Term::Apply(Operator::Not, [_]) => false,
                Term::Apply(Operator::Ite, _) => true,
                _ => users[id.index()] > 1,
            };
            split[id.index()] = Some(if named && system.terms.value(term).is_none() {
                let (_, variable) = system.add_variable(Variable {
                    name: "(part)".into(),
                    sort: prepared.terms.sort(id),
                    role: Role::Defined(term),
                    range: None,
                    origin: Origin::Auxiliary,
                });
                inlined.push(Some(id));
                variable
            } else {
                term
            });
        }
        let get = |id: TermId| split[id.index()].expect("roots are in the closure");
        system.memories.iter_mut().for_each(|m| m.next = get(m.next));
        system.constraints.iter_mut().for_each(|c| c.term = get(c.term));
        system.typing.iter_mut().for_each(|t| *t = get(*t));
        system.properties.iter_mut().for_each(|p| p.term = get(p.term));
        let uses = uses(&system);
        Equations { system, inlined, uses }
    }

    /// Whether a variable has an equation.
    pub fn has_equation(&self, var: VarId) -> bool {
        matches!(self.system.variable(var).role, Role::Memory | Role::Defined(_))
    }
}

fn uses(system: &TransitionSystem) -> Vec<Vec<VarId>> {
    let mut uses = vec![Vec::new(); system.variables.len()];
    for (id, variable) in system.variables() {
        if let Role::Defined(term) = variable.role
            && variable.origin == Origin::Auxiliary
        {
            uses[id.index()] = system.terms.variables([term]);
        }
    }
    for memory in &system.memories {
        uses[memory.var.index()] = system.terms.variables([memory.next]);
    }
    uses
}
