//! What has a meaning, and perhaps not the one that was meant.

use lustral_first_order::{Application, Formula, Moment, SortId, SymbolId, Term};
use lustral_syntax::diagnostic::Code;
use lustral_syntax::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::Resolver;
use crate::protocol::{Change, Part, Stated, Transition};

impl Resolver<'_> {
    /// Warns of what looks like a mistake in a protocol that has none.
    pub(super) fn lints(&mut self) {
        let mut list: Vec<(String, SymbolId, Span)> =
            self.names.symbols.iter().map(|(name, (id, at))| (name.clone(), *id, *at)).collect();
        list.sort_by_key(|(_, id, _)| *id);
        for (name, symbol, place) in list {
            if !self.is_used(symbol) {
                let message = format!("nothing speaks of `{name}`");
                self.found.push(Diagnostic::warning(Code::Unused, place, message));
            } else if self.begins_as_anything(symbol) {
                let message = format!("`init` says nothing of `{name}`");
                self.found.push(
                    Diagnostic::warning(Code::Unconstrained, place, message)
                        .note("in the first state it is any relation"),
                );
            }
        }
        self.changes_that_are_not_said();
        self.names_of_two();
    }

    /// All formulas, with derived relations written out.
    fn all_formulas(&self) -> impl Iterator<Item = Formula> + '_ {
        let protocol = &self.protocol;
        let stated = [&protocol.axioms, &protocol.init, &protocol.safety, &protocol.invariants];
        let stated = stated.into_iter().flatten().chain(protocol.theorems.iter().map(|(_, s)| s));
        let steps = protocol.transitions.iter().map(|transition| &transition.body);
        let parts = protocol.traces.iter().flat_map(|trace| &trace.parts);
        let traced = parts.filter_map(|part| match part {
            Part::Holds(formula) => Some(formula),
            Part::Init | Part::Any | Part::Step(_) => None,
        });
        stated
            .map(|s| &s.formula)
            .chain(steps)
            .chain(traced)
            .map(|formula| protocol.expanded(formula))
    }

    fn is_used(&self, symbol: SymbolId) -> bool {
        // What is derived may be there for its name: traces and theorems use it or not.
        matches!(self.protocol.changes[symbol.index()], Change::Derived(_))
            || self.protocol.transitions.iter().any(|t| t.modifies.contains(&symbol))
            || self.all_formulas().any(|formula| formula.mentions(&|atom| atom.symbol == symbol))
    }

    /// Whether a relation may be anything in the first state. Functions and constants often are meant
    /// to be.
    fn begins_as_anything(&self, symbol: SymbolId) -> bool {
        let protocol = &self.protocol;
        let said = |stated: &Stated| {
            protocol.expanded(&stated.formula).mentions(&|atom| atom.symbol == symbol)
        };
        protocol.changes[symbol.index()] == Change::Mutable
            && protocol.signature.symbol(symbol).result.is_none()
            && !protocol.init.iter().any(said)
    }

    /// What a transition modifies, and of which it does not say what it becomes, or only what becomes of
    /// some of it.
    fn changes_that_are_not_said(&mut self) {
        let mut warnings = Vec::new();
        for transition in &self.protocol.transitions {
            let body = self.protocol.expanded(&transition.body);
            for symbol in &transition.modifies {
                let is_new =
                    |atom: &Application| atom.symbol == *symbol && atom.moment == Moment::Next;
                let is_of_all = |atom: &Application| is_new(atom) && is_of_all(atom, transition);
                if body.mentions(&is_of_all) {
                    continue;
                }
                let name = &self.protocol.signature.symbol(*symbol).name;
                let step = &transition.name;
                let (message, note, help) = if body.mentions(&is_new) {
                    (
                        format!("`{step}` modifies `{name}` and says only of some what it becomes"),
                        format!("after `{step}`, `{name}` may be anything for all others"),
                        format!("say it of all: `new({})`", self.of_all(*symbol)),
                    )
                } else {
                    (
                        format!("`{step}` modifies `{name}` and does not say how"),
                        format!("after `{step}`, `{name}` may be anything"),
                        format!(
                            "say what `new({name}…)` is; without `{name}` under `modifies`, it \
                             stays as it is"
                        ),
                    )
                };
                warnings.push(
                    Diagnostic::warning(Code::Unconstrained, transition.span, message)
                        .note(note)
                        .help(help),
                );
            }
        }
        warnings.into_iter().for_each(|warning| self.found.push(warning));
    }

    /// A symbol with variables as arguments, as somebody would write it: `holds(C)`, `le(N1, N2)`.
    fn of_all(&self, symbol: SymbolId) -> String {
        let signature = &self.protocol.signature;
        let symbol = signature.symbol(symbol);
        let letter = |sort: &SortId| signature.sort(*sort).chars().next().unwrap_or('x');
        let letters: Vec<char> = symbol.arguments.iter().map(letter).collect();
        let variable = |(i, letter): (usize, &char)| {
            let before = letters[..i].iter().filter(|other| *other == letter).count();
            let alone = letters.iter().filter(|other| *other == letter).count() == 1;
            let number = if alone { String::new() } else { (before + 1).to_string() };
            format!("{}{number}", letter.to_ascii_uppercase())
        };
        let variables: Vec<String> = letters.iter().enumerate().map(variable).collect();
        format!("{}({})", symbol.name, variables.join(", "))
    }

    /// Properties with one name: their verdicts cannot be told apart.
    fn names_of_two(&mut self) {
        let protocol = &self.protocol;
        let theorems = protocol.theorems.iter().map(|(_, stated)| stated);
        let mut known: FxHashMap<&str, Span> = FxHashMap::default();
        let mut warnings = Vec::new();
        for stated in protocol.safety.iter().chain(&protocol.invariants).chain(theorems) {
            match known.get(stated.name.as_str()) {
                Some(first) => {
                    let message = format!("two properties are called `{}`", stated.name);
                    warnings.push(
                        Diagnostic::warning(Code::Duplicate, stated.span, message)
                            .also(*first, "the first is here"),
                    );
                }
                None => drop(known.insert(&stated.name, stated.span)),
            }
        }
        warnings.into_iter().for_each(|warning| self.found.push(warning));
    }
}

/// Whether an application is about variables only, none of them a parameter: about all elements, or about some that
/// the formula chooses.
fn is_of_all(atom: &Application, transition: &Transition) -> bool {
    let is_parameter = |id| transition.parameters.iter().any(|parameter| parameter.id == id);
    atom.arguments.iter().all(|term| match term {
        Term::Variable(variable) => !is_parameter(variable.id),
        _ => false,
    })
}
