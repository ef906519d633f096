//! A session over any [`Dialogue`].

use std::fmt::Write;

use lustral_term::{TermId, Terms, Value, VarId};
use rustc_hash::FxHashSet;

use crate::dialogue::Dialogue;
use crate::session::{Fault, Outcome, Session};
use crate::smtlib::{SExpr, Writer, parse_value, sort_name};

/// A session in SMT-LIB 2. After a fault it answers nothing but `unknown`.
pub struct TextSession {
    dialogue: Box<dyn Dialogue>,
    writer: Writer,
    declared: FxHashSet<VarId>,
    literals: Vec<(TermId, String)>,
    fault: Option<Fault>,
}

impl TextSession {
    /// A session that sets the options and the logic first.
    #[must_use]
    pub fn new(dialogue: Box<dyn Dialogue>, logic: &str) -> TextSession {
        let mut session = TextSession {
            dialogue,
            writer: Writer::new("t"),
            declared: FxHashSet::default(),
            literals: Vec::new(),
            fault: None,
        };
        session.tell(&format!(
            "(set-option :print-success false)\n(set-option :produce-models true)\n\
             (set-option :produce-unsat-assumptions true)\n(set-logic {logic})"
        ));
        session
    }

    fn tell(&mut self, commands: &str) {
        if self.fault.is_none() && !commands.is_empty() {
            self.fault = self.dialogue.tell(commands).err();
        }
    }

    /// The text of a term, after all that it needs was told.
    fn text(&mut self, terms: &Terms, term: TermId) -> String {
        let mut out = String::new();
        let declared = &mut self.declared;
        let text = self.writer.term(terms, term, &mut out, &mut |out, var, sort| {
            let name = format!("v{}", var.0);
            if declared.insert(var) {
                let _ = writeln!(out, "(declare-fun {name} () {})", sort_name(sort));
            }
            name
        });
        self.tell(&out);
        text
    }
}

impl Session for TextSession {
    fn assert(&mut self, terms: &Terms, fact: TermId) {
        let text = self.text(terms, fact);
        self.tell(&format!("(assert {text})"));
    }

    fn check(&mut self, terms: &Terms, literals: &[TermId]) -> Outcome {
        self.literals.clear();
        for literal in literals {
            let text = self.text(terms, *literal);
            self.literals.push((*literal, text));
        }
        if let Some(fault) = &self.fault {
            return Outcome::Unknown(fault.to_string());
        }
        let list: Vec<&str> = self.literals.iter().map(|(_, text)| text.as_str()).collect();
        let command = if list.is_empty() {
            "(check-sat)".to_string()
        } else {
            format!("(check-sat-assuming ({}))", list.join(" "))
        };
        let outcome = self.dialogue.query(&command);
        if let Outcome::Unknown(reason) = &outcome {
            // The state of the solver is not certain any more.
            self.fault = Some(Fault::Reported(reason.clone()));
        }
        outcome
    }

    fn core(&mut self) -> Vec<TermId> {
        let all = || self.literals.iter().map(|(id, _)| *id).collect();
        let Ok(SExpr::List(core)) = self.dialogue.ask("(get-unsat-assumptions)") else {
            return all();
        };
        let show = |e: &SExpr| match e {
            SExpr::Atom(a) => a.clone(),
            SExpr::List(list) => {
                let atoms = list.iter().filter_map(|e| match e {
                    SExpr::Atom(a) => Some(a.as_str()),
                    SExpr::List(_) => None,
                });
                format!("({})", atoms.collect::<Vec<_>>().join(" "))
            }
        };
        let names: FxHashSet<String> = core.iter().map(show).collect();
        self.literals.iter().filter(|(_, text)| names.contains(text)).map(|(id, _)| *id).collect()
    }

    fn value(&mut self, terms: &Terms, term: TermId) -> Result<Value, Fault> {
        // A definition made now would end the model; what the solver never
        // heard of can have any value.
        let Some(text) = self.writer.known(term) else {
            return match terms.var(term) {
                Some(_) => Ok(Value::zero(terms.sort(term))),
                None => Err(Fault::Nonsense("a term that the solver does not know".into())),
            };
        };
        let asked = self.dialogue.ask(&format!("(get-value ({text}))"));
        // An answer that was missed would be taken for that of the next question.
        let answer = asked.inspect_err(|fault| self.fault = Some(fault.clone()))?;
        let value = match &answer {
            SExpr::List(pairs) => match &pairs[..] {
                [SExpr::List(pair)] if pair.len() == 2 => parse_value(&pair[1], terms.sort(term)),
                _ => None,
            },
            SExpr::Atom(_) => None,
        };
        value.ok_or_else(|| Fault::Nonsense(format!("{answer:?}")))
    }
}
