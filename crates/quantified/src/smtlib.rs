//! Formulas as SMT-LIB 2 text. Trusted: what is proved is what stands here.
//!
//! Sorts of a protocol are uninterpreted sorts, which SMT-LIB takes to have an element, as
//! a protocol does; symbols are functions. A name of a protocol gets a mark in front, so
//! that it is never a word of SMT-LIB, and symbols of the two states differ by that mark. What
//! a step does not change has one name in both states: that is the frame. Derived relations
//! are written out, so they have no name at all.

use std::fmt::Write;

use lustral_first_order::{Application, Formula, Moment, Quantifier, SortId, SymbolId, Term};
use lustral_protocol::{Change, Protocol, Transition};

/// How formulas of a protocol are written.
pub(crate) struct Writer<'p> {
    pub protocol: &'p Protocol,
    /// What the step between the two states is, if there are two.
    pub step: Option<&'p Transition>,
}

impl Writer<'_> {
    /// The sorts, the symbols of both states, and the parameters of the step.
    pub fn declarations(&self) -> String {
        let mut out = String::new();
        let signature = &self.protocol.signature;
        for sort in signature.sort_ids() {
            let _ = writeln!(out, "(declare-sort {} 0)", self.sort(sort));
        }
        for (id, symbol) in signature.symbols() {
            if self.protocol.definition(id).is_some() {
                continue;
            }
            let arguments: Vec<String> = symbol.arguments.iter().map(|s| self.sort(*s)).collect();
            let result = symbol.result.map_or("Bool".into(), |sort| self.sort(sort));
            let mut declare = |name: String| {
                let _ = writeln!(out, "(declare-fun {name} ({}) {result})", arguments.join(" "));
            };
            declare(self.symbol(id, Moment::Now));
            if self.changes(id) {
                declare(self.symbol(id, Moment::Next));
            }
        }
        for parameter in self.step.iter().flat_map(|step| &step.parameters) {
            let (name, sort) = (variable(parameter.id), self.sort(parameter.sort));
            let _ = writeln!(out, "(declare-const {name} {sort})");
        }
        out
    }

    /// What the body of the step says.
    pub fn step(&self) -> String {
        self.step.map_or("true".into(), |step| self.formula(&step.body))
    }

    /// A formula. Derived relations are replaced by what they are defined to be.
    pub fn formula(&self, formula: &Formula) -> String {
        let mut out = String::new();
        self.write(&self.protocol.expanded(formula), &mut out);
        out
    }

    /// A formula about one state, said of the state that is entered.
    pub fn next(&self, formula: &Formula) -> String {
        let mut out = String::new();
        let formula = self.protocol.at(&self.protocol.expanded(formula), Moment::Next);
        self.write(&formula, &mut out);
        out
    }

    /// Whether the two states may differ in a symbol.
    fn changes(&self, symbol: SymbolId) -> bool {
        let modified = self.step.is_some_and(|step| step.modifies.contains(&symbol));
        modified && self.protocol.changes[symbol.index()] == Change::Mutable
    }

    fn sort(&self, sort: SortId) -> String {
        format!("|sort {}|", self.protocol.signature.sort(sort))
    }

    fn symbol(&self, symbol: SymbolId, moment: Moment) -> String {
        let name = &self.protocol.signature.symbol(symbol).name;
        match moment {
            Moment::Next if self.changes(symbol) => format!("|new {name}|"),
            Moment::Now | Moment::Next => format!("|now {name}|"),
        }
    }

    fn write(&self, formula: &Formula, out: &mut String) {
        match formula {
            Formula::Constant(value) => {
                let _ = write!(out, "{value}");
            }
            Formula::Relation(atom) => self.application(atom, out),
            Formula::Equal(sides) => {
                out.push_str("(= ");
                self.term(&sides.0, out);
                out.push(' ');
                self.term(&sides.1, out);
                out.push(')');
            }
            Formula::Not(inner) => self.operator("not", &[inner], out),
            Formula::And(list) => self.list("and", "true", list, out),
            Formula::Or(list) => self.list("or", "false", list, out),
            Formula::Implies(sides) => self.operator("=>", &[&sides.0, &sides.1], out),
            Formula::Iff(sides) => self.operator("=", &[&sides.0, &sides.1], out),
            Formula::Choice(three) => self.operator("ite", &[&three.0, &three.1, &three.2], out),
            Formula::Quantified(_, variables, body) if variables.is_empty() => {
                self.write(body, out);
            }
            Formula::Quantified(quantifier, variables, body) => {
                out.push_str(match quantifier {
                    Quantifier::Forall => "(forall (",
                    Quantifier::Exists => "(exists (",
                });
                for bound in variables {
                    let _ = write!(out, "({} {})", variable(bound.id), self.sort(bound.sort));
                }
                out.push_str(") ");
                self.write(body, out);
                out.push(')');
            }
        }
    }

    fn list(&self, operator: &str, none: &str, list: &[Formula], out: &mut String) {
        match list {
            [] => out.push_str(none),
            [one] => self.write(one, out),
            _ => self.operator(operator, &list.iter().collect::<Vec<_>>(), out),
        }
    }

    fn operator(&self, operator: &str, operands: &[&Formula], out: &mut String) {
        let _ = write!(out, "({operator}");
        for operand in operands {
            out.push(' ');
            self.write(operand, out);
        }
        out.push(')');
    }

    fn term(&self, term: &Term, out: &mut String) {
        match term {
            Term::Variable(known) => out.push_str(&variable(known.id)),
            Term::Apply(application) => self.application(application, out),
            Term::Choice(three) => {
                out.push_str("(ite ");
                self.write(&three.0, out);
                out.push(' ');
                self.term(&three.1, out);
                out.push(' ');
                self.term(&three.2, out);
                out.push(')');
            }
        }
    }

    fn application(&self, application: &Application, out: &mut String) {
        let name = self.symbol(application.symbol, application.moment);
        if application.arguments.is_empty() {
            out.push_str(&name);
            return;
        }
        let _ = write!(out, "({name}");
        for argument in &application.arguments {
            out.push(' ');
            self.term(argument, out);
        }
        out.push(')');
    }
}

fn variable(id: lustral_first_order::VarId) -> String {
    format!("|var {}|", id.index())
}
