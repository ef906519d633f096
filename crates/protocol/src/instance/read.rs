//! What an execution of the program of an instance is in the protocol.

use lustral_first_order::Structure;

use super::build::Instance;
use crate::execution::{Argued, complete};
use crate::protocol::Protocol;

/// States of a protocol with the steps between them, as somebody says; nothing of it was
/// checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Execution {
    /// The first state.
    pub first: Structure,
    /// The steps.
    pub steps: Vec<ExecutionStep>,
}

/// A step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExecutionStep {
    /// The transition with its arguments.
    pub by: Argued,
    /// The state that is entered.
    pub state: Structure,
}

impl Instance {
    /// Reads an execution of the program, given the value of each flow by name at each step;
    /// steps at which nothing happens are left out. Nothing if a flow has no value.
    #[must_use]
    pub fn read(
        &self,
        protocol: &Protocol,
        steps: usize,
        value: &dyn Fn(&str, usize) -> Option<bool>,
    ) -> Option<Execution> {
        let first = self.state(protocol, &|name| value(name, 0))?;
        let mut execution = Execution { first, steps: Vec::new() };
        for step in 1..steps {
            let at = |name: &str| value(name, step);
            let mut taken = None;
            for (number, name) in self.names.taken.iter().enumerate() {
                if at(name)? {
                    taken = Some(number);
                }
            }
            if let Some(transition) = taken {
                let by = self.argued(protocol, transition, &at)?;
                let state = self.state(protocol, &at)?;
                execution.steps.push(ExecutionStep { by, state });
            }
        }
        Some(execution)
    }

    fn state(&self, protocol: &Protocol, at: &dyn Fn(&str) -> Option<bool>) -> Option<Structure> {
        let mut state = Structure::new(&protocol.signature, self.universe.clone());
        for (cell, name) in self.cells.list.iter().zip(&self.names.is) {
            let holds = at(name)?;
            match cell.value {
                None => state.set(cell.symbol, cell.position, holds),
                Some(value) if holds => state.set_value(cell.symbol, cell.position, value),
                Some(_) => {}
            }
        }
        complete(protocol, &mut state);
        Some(state)
    }

    fn argued(
        &self,
        protocol: &Protocol,
        transition: usize,
        at: &dyn Fn(&str) -> Option<bool>,
    ) -> Option<Argued> {
        let parameters = &protocol.transitions[transition].parameters;
        let mut arguments = Vec::new();
        for (i, parameter) in parameters.iter().enumerate() {
            let number =
                parameters[..i].iter().filter(|other| other.sort == parameter.sort).count();
            let name = &self.names.arguments[parameter.sort.index()][number];
            let mut argument = None;
            for element in 0..self.universe.size(parameter.sort) {
                if at(&format!("{name}{element}"))? {
                    argument = Some(element);
                }
            }
            arguments.push(argument?);
        }
        Some(Argued { transition, arguments })
    }
}
