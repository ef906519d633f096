//! Verdicts from checked answers, with what a report needs besides.

use std::sync::Arc;
use std::time::Instant;

use lustral_certify::{Answer, Checked};
use lustral_coordinator::{Options, Unit};
use lustral_engines::EngineChoice;
use lustral_modular::compositional::Looked;
use lustral_report::{RunInfo, Statement, StatementKind, Subject, Verdict};
use lustral_sema::PropertySource;
use lustral_sema::program::{Assertion, Node, Premise, PropertyKind};
use lustral_syntax::SourceMap;
use lustral_syntax::source::with_parentheses;

use super::blame::{blame, item};
use super::library::chosen;
use crate::event::Event;

/// What the verdicts about a program have in common.
pub(super) struct Verdicts {
    sources: Arc<SourceMap>,
    /// From when their times are counted, if there are any: they are others in
    /// every run.
    began: Option<Instant>,
    search: Options,
}

impl Verdicts {
    pub(super) fn new(
        sources: Arc<SourceMap>,
        began: Option<Instant>,
        search: &Options,
    ) -> Verdicts {
        Verdicts { sources, began, search: search.clone() }
    }

    /// How a verdict came about that no engine found.
    pub(super) fn run_info(&self) -> RunInfo {
        RunInfo {
            seconds: self.began.map(|began| began.elapsed().as_secs_f64()),
            explain: self.search.explain,
            ..RunInfo::default()
        }
    }

    /// How a verdict came about that an engine found.
    pub(super) fn found_by(&self, engine: &'static str) -> RunInfo {
        RunInfo { engine: Some(engine), solver: self.solver_of(engine), ..self.run_info() }
    }

    /// The solver that an engine asks, if it asks one.
    fn solver_of(&self, engine: &str) -> Option<String> {
        let Options { solver, engine_options, .. } = &self.search;
        let solver = EngineChoice::named(engine)?.solver(solver, engine_options)?;
        Some(solver.name().to_string())
    }

    /// What the premises of an answer about a unit are in the program; of a proof that was given what called nodes
    /// guarantee, all that the proofs of that may rest on as well.
    fn premises(&self, unit: &Unit, answer: &Checked<Answer>) -> Vec<Statement> {
        let needed = answer.premises().map_or(&[][..], |premises| &premises.constraints);
        let mut found: Vec<Statement> =
            needed.iter().filter_map(|i| Some(self.statement(unit.premise(*i)?))).collect();
        for summary in answer.cut().into_iter().flat_map(|cut| cut.summaries()) {
            let below = summary.cut();
            for i in 0..below.system.constraints.len() {
                let Some((node, assertion)) = below.premise(i) else { continue };
                // What calls are owed is a condition of what they guarantee, and no premise.
                let is_owed = matches!(assertion.premise, Premise::Assumed | Premise::Typed);
                if assertion.premise.is_stated() && !(is_owed && below.tree.is_kept_call()) {
                    found.push(self.statement((node, assertion)));
                }
            }
        }
        found
    }

    /// Something that a node takes for granted.
    fn statement(&self, (node, assertion): (&Node, &Assertion)) -> Statement {
        let place = self.sources.line_column(assertion.span);
        let kind = match assertion.premise {
            Premise::Asserted => StatementKind::Assertion,
            Premise::Assumed => StatementKind::Assumption,
            Premise::Typed | Premise::Constant => StatementKind::Type,
            Premise::Guaranteed => StatementKind::Guarantee,
            Premise::Chosen => StatementKind::Choice,
        };
        Statement {
            file: self.sources.file(assertion.span.file).name.clone(),
            line: place.line,
            column: place.column,
            kind,
            node: node.name.to_string(),
        }
    }

    /// The text of the property, on one line; of what types and contracts say, where it stands.
    fn expression(&self, unit: &Unit, answer: &Checked<Answer>) -> String {
        let property = &unit.properties[answer.property().index()];
        let node = unit.tree.node(&unit.program, property.instance);
        let span = match property.source {
            PropertySource::Stated(index) => {
                let stated = &node.properties[index];
                let whole = node.exprs[stated.expr].span;
                // What is asked by its opposite has the place of the question.
                if stated.kind == PropertyKind::Always { whole } else { stated.span }
            }
            _ => property.span,
        };
        let words: Vec<&str> = self.sources.text(span).split_whitespace().collect();
        // The parentheses around the first and the last operand belong to neither of them.
        with_parentheses(&words.join(" "))
    }

    /// The verdict of an answer about a unit.
    pub(super) fn verdict(
        &self,
        unit: &Unit,
        looked: &Looked,
        answer: &Checked<Answer>,
        mut run: RunInfo,
    ) -> Event {
        let span = unit.properties[answer.property().index()].span;
        let place = self.sources.line_column(span);
        let (premises, blame) = (self.premises(unit, answer), blame(unit, answer));
        let subject = Subject {
            // The line is one of this file, which may be an included one.
            file: &self.sources.file(span.file).name,
            system: &unit.system,
            line: place.line,
            column: place.column,
            expression: &self.expression(unit, answer),
            premises: &premises,
            blame: blame.as_ref(),
            item: item(unit, answer.property()),
        };
        run.warnings.extend(looked.warnings.iter().cloned());
        match answer.get() {
            Answer::Valid(_) => run.warnings.extend(looked.doubt.clone()),
            Answer::Falsifiable(trace) => {
                run.warnings.extend(chosen(unit, answer.property(), trace));
            }
            Answer::Unknown(_) => {}
        }
        Event::Verdict(Box::new(Verdict::new(subject, answer, run)))
    }
}
