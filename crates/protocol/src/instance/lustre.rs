//! An instance as a program in Lustre, with one node.

use std::fmt::Write;

use lustral_first_order::{Gate, GateId};

use super::build::Instance;
use super::cells::{CellId, Leaf};
use crate::protocol::Protocol;

/// What is said of a node, gathered.
#[derive(Default)]
struct Text {
    inputs: Vec<String>,
    locals: Vec<String>,
    equations: String,
}

impl Text {
    fn define(&mut self, name: &str, value: &str) {
        self.locals.push(name.to_string());
        let _ = writeln!(self.equations, "  {name} = {value};");
    }

    /// Names for which exactly one holds, chosen by new inputs: the n-th if the inputs are n in
    /// binary, and the last if they are more.
    fn one_of(&mut self, names: &[String], input: &str) {
        let bits = usize::BITS - names.len().saturating_sub(1).leading_zeros();
        let inputs: Vec<String> = (0..bits).map(|bit| format!("{input}_bit{bit}")).collect();
        let last = names.len().saturating_sub(1);
        for (i, name) in names.iter().enumerate() {
            let value = if last == 0 {
                "true".to_string()
            } else if i == last {
                format!("not ({})", names[..last].join(" or "))
            } else {
                let bit = |(bit, input): (usize, &String)| {
                    if i >> bit & 1 == 1 { input.clone() } else { format!("not {input}") }
                };
                inputs.iter().enumerate().map(bit).collect::<Vec<_>>().join(" and ")
            };
            self.define(name, &value);
        }
        self.inputs.extend(inputs);
    }
}

impl Instance {
    /// The program. Its properties are those of the protocol, in their order, with the names
    /// `safety 0`, `safety 1` and so on.
    #[must_use]
    pub fn program(&self, protocol: &Protocol) -> String {
        let mut text = Text::default();
        self.choices(protocol, &mut text);
        let gates = self.gates(&mut text);
        let gate = |id: GateId| gates[id.index()].as_str();
        for (number, guard) in self.guards.iter().enumerate() {
            let value = format!("{} and ({})", self.chosen(number), gate(*guard));
            text.define(&self.names.taken[number], &value);
        }
        for (i, (first, next)) in self.values.iter().enumerate() {
            let (is, was) = (&self.names.is[i], &self.names.was[i]);
            let immutable = protocol.is_immutable(self.cells.list[i].symbol);
            let next = if immutable { was } else { gate(*next) };
            text.define(is, &format!("{} -> {next}", gate(*first)));
            text.define(was, &format!("false -> pre {is}"));
        }
        let (init, axioms) = self.assertions;
        for assertion in [format!("{} -> true", gate(init)), gate(axioms).to_string()] {
            if assertion != "true" && assertion != "true -> true" {
                let _ = writeln!(text.equations, "  assert {assertion};");
            }
        }
        for one_hot in self.functions() {
            self.exactly_one(&one_hot, &mut text);
        }
        for (number, property) in self.properties.iter().enumerate() {
            let _ = writeln!(text.equations, "  check \"safety {number}\" {};", gate(*property));
        }
        let inputs = if text.inputs.is_empty() { vec!["unused".into()] } else { text.inputs };
        format!(
            "node instance({}: bool)\nreturns (done: bool);\nvar {}: bool;\nlet\n{}  done = true;\n\
             tel\n",
            inputs.join(", "),
            text.locals.join(", "),
            text.equations
        )
    }

    /// The name that says that the inputs choose a transition.
    fn chosen(&self, number: usize) -> String {
        format!("choose_{}", self.names.taken[number])
    }

    /// What inputs choose: the transition, its arguments, and what is left open.
    fn choices(&self, protocol: &Protocol, text: &mut Text) {
        let chosen: Vec<String> = (0..self.guards.len()).map(|i| self.chosen(i)).collect();
        text.one_of(&chosen, "choose");
        for (sort, names) in protocol.signature.sort_ids().zip(&self.names.arguments) {
            for name in names {
                let size = self.universe.size(sort);
                let elements: Vec<String> = (0..size).map(|e| format!("{name}{e}")).collect();
                text.one_of(&elements, name);
            }
        }
        let used = |id: CellId| self.leaves.contains(&Leaf::Any(id));
        for row in self.functions() {
            if row.iter().any(|id| used(*id)) {
                let names: Vec<String> =
                    row.iter().map(|id| self.names.any[id.index()].clone()).collect();
                text.one_of(&names, &names[0]);
            }
        }
        for leaf in &self.leaves {
            if let Leaf::Any(id) = leaf
                && self.cells.cell(*id).value.is_none()
            {
                text.inputs.push(self.names.any[id.index()].clone());
            }
        }
    }

    /// The cells of each function for each tuple.
    fn functions(&self) -> Vec<Vec<CellId>> {
        let mut rows: Vec<Vec<CellId>> = Vec::new();
        for id in self.cells.ids() {
            match self.cells.cell(id).value {
                None => {}
                Some(0) => rows.push(vec![id]),
                Some(_) => {
                    if let Some(row) = rows.last_mut() {
                        row.push(id);
                    }
                }
            }
        }
        rows
    }

    /// Says that a function has exactly one value for a tuple. That follows from the equations:
    /// in the first state and in every state that is entered, each branch of the value is one
    /// of an input that is decoded (`one_of`), of a term, or of the state before. So the
    /// assertion excludes nothing; it is there so that engines need not find it.
    fn exactly_one(&self, row: &[CellId], text: &mut Text) {
        let names: Vec<&str> = row.iter().map(|id| self.names.is[id.index()].as_str()).collect();
        if names.len() < 2 {
            return;
        }
        let _ = writeln!(text.equations, "  assert {};", names.join(" or "));
        for (i, name) in names.iter().enumerate() {
            for other in &names[..i] {
                let _ = writeln!(text.equations, "  assert not ({other} and {name});");
            }
        }
    }

    /// The gates as text; those that are used more than once become flows.
    fn gates(&self, text: &mut Text) -> Vec<String> {
        let uses = self.uses();
        let mut shown: Vec<String> = Vec::with_capacity(self.circuit.len());
        for (i, uses) in uses.iter().enumerate() {
            if *uses == 0 {
                shown.push(String::new());
                continue;
            }
            let at = |id: &GateId| shown[id.index()].as_str();
            let joined = |list: &[GateId], operator: &str| {
                let parts: Vec<&str> = list.iter().map(at).collect();
                format!("({})", parts.join(operator))
            };
            let gate = self.circuit.gate(GateId(i as u32));
            let value = match gate {
                Gate::Constant(value) => value.to_string(),
                Gate::Leaf(number) => self.leaf_name(self.leaves[*number as usize]),
                Gate::Not(inner) => format!("(not {})", at(inner)),
                Gate::And(list) => joined(list, " and "),
                Gate::Or(list) => joined(list, " or "),
                Gate::Iff(left, right) => format!("({} = {})", at(left), at(right)),
                Gate::If(condition, then, otherwise) => {
                    format!("(if {} then {} else {})", at(condition), at(then), at(otherwise))
                }
            };
            let large = !matches!(gate, Gate::Constant(_) | Gate::Leaf(_) | Gate::Not(_));
            if large && *uses > 1 {
                let name = format!("gate{i}");
                text.define(&name, &value);
                shown.push(name);
            } else {
                shown.push(value);
            }
        }
        shown
    }

    /// How often each gate is used by what the program states.
    fn uses(&self) -> Vec<usize> {
        let mut uses = vec![0; self.circuit.len()];
        let values = self.values.iter().flat_map(|(first, next)| [*first, *next]);
        let assertions = [self.assertions.0, self.assertions.1];
        let roots = values.chain(assertions).chain(self.guards.iter().copied());
        roots.chain(self.properties.iter().copied()).for_each(|id| uses[id.index()] += 1);
        for i in (0..uses.len()).rev() {
            if uses[i] == 0 {
                continue;
            }
            match self.circuit.gate(GateId(i as u32)) {
                Gate::Constant(_) | Gate::Leaf(_) => {}
                Gate::Not(inner) => uses[inner.index()] += 1,
                Gate::And(list) | Gate::Or(list) => {
                    list.iter().for_each(|id| uses[id.index()] += 1);
                }
                Gate::Iff(left, right) => [left, right].iter().for_each(|id| uses[id.index()] += 1),
                Gate::If(a, b, c) => [a, b, c].iter().for_each(|id| uses[id.index()] += 1),
            }
        }
        uses
    }

    fn leaf_name(&self, leaf: Leaf) -> String {
        match leaf {
            Leaf::Was(id) => self.names.was[id.index()].clone(),
            Leaf::Is(id) => self.names.is[id.index()].clone(),
            Leaf::Any(id) => self.names.any[id.index()].clone(),
            Leaf::Argument(sort, number, element) => {
                format!("{}{element}", self.names.arguments[sort as usize][number as usize])
            }
            Leaf::Taken(number) => self.names.taken[number as usize].clone(),
        }
    }
}
