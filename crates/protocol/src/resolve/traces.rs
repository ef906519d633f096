//! Traces that are said to be possible or impossible.

use lustral_base::similar;
use lustral_syntax::Diagnostic;
use lustral_syntax::diagnostic::Code;

use super::expressions::Context;
use super::{Resolved, Resolver};
use crate::ast::{self, TraceArgument, TracePart};
use crate::protocol::{Part, Step, Trace};

impl Resolver<'_> {
    pub(super) fn trace(&mut self, declaration: &ast::TraceDeclaration) -> Resolved<()> {
        let parts: Vec<_> = declaration.parts.iter().map(|part| self.part(part)).collect();
        let parts = parts.into_iter().collect::<Resolved<Vec<Part>>>()?;
        let ast::TraceDeclaration { possible, span, .. } = *declaration;
        let word = if possible { "sat" } else { "unsat" };
        let name = format!("{word} trace at line {}", self.sources.line_column(span).line);
        self.protocol.traces.push(Trace { name, possible, parts, span });
        Ok(())
    }

    fn part(&mut self, part: &TracePart) -> Resolved<Part> {
        Ok(match part {
            TracePart::AssertInit => Part::Init,
            TracePart::Assert(expr) => {
                Part::Holds(self.closed(expr, &mut Context::new("a trace", 1))?)
            }
            TracePart::AnyTransition => Part::Any,
            TracePart::Step(calls) => {
                let steps: Vec<_> = calls.iter().map(|call| self.step(call)).collect();
                Part::Step(steps.into_iter().collect::<Resolved<Vec<Step>>>()?)
            }
        })
    }

    fn step(&mut self, call: &ast::TraceCall) -> Resolved<Step> {
        let name = &call.name;
        let Some((number, declared)) = self.names.transitions.get(&name.text).copied() else {
            let message = format!("there is no transition `{}`", name.text);
            let diagnostic = Diagnostic::error(Code::Undeclared, name.span, message);
            let known = self.names.transitions.keys().map(String::as_str);
            return Err(match similar(&name.text, known) {
                Some(meant) => {
                    let help = format!("did you mean `{meant}`?");
                    self.wrong(diagnostic.help(help))
                }
                None => self.wrong(diagnostic),
            });
        };
        // The transition may have been rejected.
        let known = self.protocol.transitions.iter().find(|t| t.name == name.text);
        let Some(arguments) = &call.arguments else {
            let parameters = known.map_or(0, |t| t.parameters.len());
            return Ok(Step { transition: number, arguments: vec![None; parameters] });
        };
        let wanted: Option<Vec<_>> = known.map(|t| t.parameters.iter().map(|p| p.sort).collect());
        if let Some(wanted) = &wanted
            && wanted.len() != arguments.len()
        {
            let message = format!(
                "`{}` has {} parameters, and here are {}",
                name.text,
                wanted.len(),
                arguments.len()
            );
            return Err(self.wrong(
                Diagnostic::error(Code::Arity, name.span, message)
                    .also(declared, "it is declared here"),
            ));
        }
        let mut resolved = Vec::new();
        for (i, argument) in arguments.iter().enumerate() {
            resolved.push(match argument {
                TraceArgument::Any => None,
                TraceArgument::Term(expr) => {
                    let (term, own) = self.term(expr, &mut Context::new("a trace", 1))?;
                    if let Some(sort) = wanted.as_ref().map(|wanted| wanted[i]) {
                        self.expect_sort(expr.span, own, sort, &name.text)?;
                    }
                    Some(term)
                }
            });
        }
        Ok(Step { transition: number, arguments: resolved })
    }
}
