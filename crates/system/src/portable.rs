//! Systems, predicates and executions that travel: read back (by serde) from
//! what another process wrote, and judged before anybody works with them.
//!
//! Plain data derives its two directions where it is defined. Here stands what
//! has something to keep: a predicate takes along only the part of its arena
//! that it reaches; a system is read only if all its ids and sorts are right.

use std::sync::Arc;

use lustral_base::InstanceId;
use lustral_term::{EnumId, Enumeration, Sort, TermId, Terms, Value, VarId};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::trace::{Answers, Question};
use crate::transition::{
    Constraint, ConstraintSource, EnumNames, Instance, Memory, Origin, Property, Role,
    TransitionSystem, Variable,
};
use crate::verdict::Predicate;

/// What is wrong with a system or a predicate that was read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InvalidSystem {
    /// A term that is not in the arena.
    #[error("{what} is the term {}, which does not exist", .term.0)]
    NoTerm {
        /// What it should be.
        what: &'static str,
        /// The term.
        term: TermId,
    },
    /// A variable that is not in the list.
    #[error("{what} is the variable {}, which does not exist", .var.0)]
    NoVariable {
        /// What it should be.
        what: &'static str,
        /// The variable.
        var: VarId,
    },
    /// An instance that is not in the list, or comes after those that it calls.
    #[error("{what} is the instance {}, which does not exist or comes later", .instance.0)]
    NoInstance {
        /// What it should be.
        what: &'static str,
        /// The instance.
        instance: InstanceId,
    },
    /// Something of a wrong sort.
    #[error("{what} is of sort {found:?}, not {expected:?}")]
    Sort {
        /// What it is.
        what: &'static str,
        /// The sort that it should have.
        expected: Sort,
        /// The sort that it has.
        found: Sort,
    },
    /// A variable in the list of another role.
    #[error("the variable {} is {what} and has another role", .var.0)]
    Role {
        /// What it should be.
        what: &'static str,
        /// The variable.
        var: VarId,
    },
    /// A definition that uses a variable whose definition comes later.
    #[error("the definition of the variable {} uses one that comes later", .0.0)]
    Order(VarId),
    /// A variable with bounds that is no integer, or with no value between them.
    #[error("the variable {} has bounds without an integer between them", .0.0)]
    Range(VarId),
    /// A term of an enumeration that has another number of names than values.
    #[error("the enumeration {} has not as many names as values", .0.0)]
    Names(EnumId),
}

impl Serialize for Predicate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (terms, roots) = self.terms.part(&[self.term]);
        WrittenPredicate { terms, term: roots[0] }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Predicate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Predicate, D::Error> {
        let WrittenPredicate { terms, term } = WrittenPredicate::deserialize(deserializer)?;
        of_sort(&terms, "a predicate", term, Sort::Bool).map_err(de::Error::custom)?;
        Ok(Predicate { terms: Arc::new(terms), term })
    }
}

#[derive(Serialize, Deserialize)]
struct WrittenPredicate {
    terms: Terms,
    term: TermId,
}

impl Predicate {
    /// Whether all that it speaks of is in a system. One that was read may be
    /// about any.
    ///
    /// # Errors
    /// If a variable is not there, or of another sort.
    pub fn belongs_to(&self, system: &TransitionSystem) -> Result<(), InvalidSystem> {
        variables_of(system, &self.terms, self.terms.closure([self.term]))
    }
}

fn of_sort(
    terms: &Terms,
    what: &'static str,
    term: TermId,
    expected: Sort,
) -> Result<(), InvalidSystem> {
    if term.index() >= terms.len() {
        return Err(InvalidSystem::NoTerm { what, term });
    }
    same_sort(what, expected, terms.sort(term))
}

fn same_sort(what: &'static str, expected: Sort, found: Sort) -> Result<(), InvalidSystem> {
    if expected == found { Ok(()) } else { Err(InvalidSystem::Sort { what, expected, found }) }
}

/// Whether the variables among some terms are those of a system.
fn variables_of(
    system: &TransitionSystem,
    terms: &Terms,
    among: impl IntoIterator<Item = TermId>,
) -> Result<(), InvalidSystem> {
    for id in among {
        if let Some(var) = terms.var(id) {
            let variable = known(system, "a term", var)?;
            same_sort("a variable", variable.sort, terms.sort(id))?;
        }
    }
    Ok(())
}

fn known<'s>(
    system: &'s TransitionSystem,
    what: &'static str,
    var: VarId,
) -> Result<&'s Variable, InvalidSystem> {
    system.variables.get(var.index()).ok_or(InvalidSystem::NoVariable { what, var })
}

/// A system as it is written: the fields of [`TransitionSystem`].
#[derive(Deserialize)]
struct WrittenSystem {
    terms: Terms,
    variables: Vec<Variable>,
    memories: Vec<Memory>,
    definitions: Vec<VarId>,
    constraints: Vec<Constraint>,
    assumption: Option<TermId>,
    typing: Vec<TermId>,
    properties: Vec<Property>,
    candidates: Vec<TermId>,
    instances: Vec<Instance>,
    enumerations: Arc<[EnumNames]>,
}

impl<'de> Deserialize<'de> for TransitionSystem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TransitionSystem, D::Error> {
        let read = WrittenSystem::deserialize(deserializer)?;
        let system = TransitionSystem {
            terms: read.terms,
            variables: read.variables,
            memories: read.memories,
            definitions: read.definitions,
            constraints: read.constraints,
            assumption: read.assumption,
            typing: read.typing,
            properties: read.properties,
            candidates: read.candidates,
            instances: read.instances,
            enumerations: read.enumerations,
        };
        system.validate().map_err(de::Error::custom)?;
        Ok(system)
    }
}

impl TransitionSystem {
    /// Whether all ids and sorts are right, so that nothing that works with the
    /// system meets an id that is not there. What `flow` makes always passes.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn validate(&self) -> Result<(), InvalidSystem> {
        let all = (0..self.terms.len() as u32).map(TermId);
        variables_of(self, &self.terms, all.clone())?;
        self.validate_names(all)?;
        self.validate_variables()?;
        self.validate_definitions()?;
        for memory in &self.memories {
            let variable = known(self, "a memory", memory.var)?;
            if variable.role != Role::Memory {
                return Err(InvalidSystem::Role { what: "a memory", var: memory.var });
            }
            same_sort("an initial value", variable.sort, memory.initial.sort())?;
            of_sort(&self.terms, "a next value", memory.next, variable.sort)?;
        }
        let facts = (self.constraints.iter().map(|c| ("a constraint", c.term)))
            .chain(self.assumption.iter().map(|t| ("the assumption", *t)))
            .chain(self.typing.iter().map(|t| ("a typing fact", *t)))
            .chain(self.properties.iter().map(|p| ("a property", p.term)))
            .chain(self.candidates.iter().map(|t| ("a candidate", *t)));
        for (what, term) in facts {
            of_sort(&self.terms, what, term, Sort::Bool)?;
        }
        self.validate_instances()
    }

    /// What is of an enumeration can be called by its name. A system that was
    /// made without a program has no names at all.
    fn validate_names(&self, all: impl Iterator<Item = TermId>) -> Result<(), InvalidSystem> {
        if self.enumerations.is_empty() {
            return Ok(());
        }
        let names = |e: Enumeration| self.enumerations.get(e.id.index()).map(|n| n.values.len());
        let wrong = |e: &Enumeration| names(*e) != Some(e.size as usize);
        match all.filter_map(|id| self.terms.sort(id).enumeration()).find(wrong) {
            Some(e) => Err(InvalidSystem::Names(e.id)),
            None => Ok(()),
        }
    }

    fn validate_variables(&self) -> Result<(), InvalidSystem> {
        for (var, variable) in self.variables() {
            if let Role::Defined(term) = variable.role {
                of_sort(&self.terms, "a definition", term, variable.sort)?;
            }
            if let Some(range) = &variable.range
                && (variable.sort != Sort::Int || range.is_empty())
            {
                return Err(InvalidSystem::Range(var));
            }
        }
        Ok(())
    }

    /// Definitions stand in topological order. A system whose definitions are
    /// inlined has none in the list, and its terms mention none.
    fn validate_definitions(&self) -> Result<(), InvalidSystem> {
        let mut place = vec![None; self.variables.len()];
        for (i, var) in self.definitions.iter().enumerate() {
            match known(self, "a definition", *var)?.role {
                Role::Defined(_) => place[var.index()] = Some(i),
                _ => return Err(InvalidSystem::Role { what: "defined", var: *var }),
            }
        }
        for (i, var) in self.definitions.iter().enumerate() {
            if let Role::Defined(term) = self.variable(*var).role {
                let later = |used: &VarId| {
                    matches!(self.variable(*used).role, Role::Defined(_))
                        && place[used.index()].is_none_or(|place| place >= i)
                };
                if self.terms.variables([term]).iter().any(later) {
                    return Err(InvalidSystem::Order(*var));
                }
            }
        }
        Ok(())
    }

    fn validate_instances(&self) -> Result<(), InvalidSystem> {
        let exists = |what, instance: InstanceId, before: usize| {
            if instance.index() < before {
                Ok(())
            } else {
                Err(InvalidSystem::NoInstance { what, instance })
            }
        };
        // A system that was made without a program has no instances, and its
        // assertions are those of nobody in particular.
        if self.instances.is_empty() {
            return Ok(());
        }
        let count = self.instances.len();
        for (i, instance) in self.instances.iter().enumerate() {
            if let Some(parent) = instance.parent {
                exists("a caller", parent, i)?;
            }
            for stream in &instance.streams {
                known(self, "a flow", stream.var)?;
                for (tag, _) in &stream.counts {
                    known(self, "a constructor", *tag)?;
                }
            }
        }
        for variable in &self.variables {
            match variable.origin {
                Origin::Stream { instance, .. }
                | Origin::FirstValue { instance, .. }
                | Origin::Delay { instance, .. }
                | Origin::Any { instance, .. }
                | Origin::Clock { instance, .. }
                | Origin::Kernel { instance } => exists("an origin", instance, count)?,
                Origin::First | Origin::Auxiliary => {}
            }
        }
        for constraint in &self.constraints {
            match constraint.source {
                ConstraintSource::Assertion { instance, .. }
                | ConstraintSource::Summary(instance) => {
                    exists("the source of a constraint", instance, count)?;
                }
                ConstraintSource::Assumption => {}
            }
        }
        Ok(())
    }
}

/// Answers to questions, which no format has as keys: they are written as a list.
impl Serialize for Answers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

impl<'de> Deserialize<'de> for Answers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Answers, D::Error> {
        let list: Vec<(Question, Value)> = Vec::deserialize(deserializer)?;
        if list.iter().any(|(question, value)| question.sort() != value.sort()) {
            return Err(de::Error::custom("an answer is of another sort than its question"));
        }
        Ok(Answers(list.into_iter().collect()))
    }
}
