//! Verdicts from checked answers, with what a report needs besides.

use std::sync::Arc;
use std::time::Instant;

use lustral_certify::{Answer, Checked};
use lustral_coordinator::{Options, Unit};
use lustral_engines::EngineChoice;
use lustral_modular::compositional::Looked;
use lustral_report::{RunInfo, Statement, StatementKind, Subject, Verdict};
use lustral_sema::program::Premise;
use lustral_syntax::SourceMap;

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

    /// What the premises of an answer about a unit are in the program.
    fn premises(&self, unit: &Unit, answer: &Checked<Answer>) -> Vec<Statement> {
        let needed = answer.premises().map_or(&[][..], |premises| &premises.constraints);
        let one = |constraint: &usize| {
            let (node, assertion) = unit.premise(*constraint)?;
            let place = self.sources.line_column(assertion.span);
            let kind = match assertion.premise {
                Premise::Asserted => StatementKind::Assertion,
                Premise::Assumed => StatementKind::Assumption,
                Premise::Typed | Premise::Constant => StatementKind::Type,
                Premise::Guaranteed => StatementKind::Guarantee,
                Premise::Chosen => StatementKind::Choice,
            };
            Some(Statement {
                file: self.sources.file(assertion.span.file).name.clone(),
                line: place.line,
                column: place.column,
                kind,
                node: node.name.to_string(),
            })
        };
        needed.iter().filter_map(one).collect()
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
        let subject = Subject {
            // The line is one of this file, which may be an included one.
            file: &self.sources.file(span.file).name,
            system: &unit.system,
            line: place.line,
            column: place.column,
            premises: &self.premises(unit, answer),
        };
        run.warnings.clone_from(&looked.warnings);
        if let Answer::Valid(_) = answer.get() {
            run.warnings.extend(looked.doubt.clone());
        }
        Event::Verdict(Box::new(Verdict::new(subject, answer, run)))
    }
}
