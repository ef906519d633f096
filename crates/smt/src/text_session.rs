//! A session over any [`Dialogue`].

use std::time::{Duration, Instant};

use lustral_term::{Sort, TermId, Terms, Value, VarId};
use rustc_hash::FxHashSet;

use crate::dialogue::Dialogue;
use crate::session::{Fault, NoAnswer, Outcome, Session};
use crate::smtlib::{SExpr, Writer, array_of, declare, read_element, read_value};

/// Opens a new dialogue with the same solver.
type Open = Box<dyn Fn() -> Result<Box<dyn Dialogue>, Fault>>;

/// A session in SMT-LIB 2. After a fault it answers nothing but `unknown`;
/// after a query without an answer, the solver is started anew.
pub struct TextSession {
    open: Open,
    dialogue: Box<dyn Dialogue>,
    /// All that the solver was told.
    told: String,
    limit: Option<Duration>,
    writer: Writer,
    declared: FxHashSet<VarId>,
    literals: Vec<(TermId, String)>,
    fault: Option<Fault>,
}

impl TextSession {
    /// A session that sets the options and the logic first.
    ///
    /// # Errors
    /// If the solver cannot be started.
    pub fn new(open: Open, logic: &str) -> Result<TextSession, Fault> {
        let dialogue = open()?;
        let mut session = TextSession {
            open,
            dialogue,
            told: String::new(),
            limit: None,
            writer: Writer::new("t"),
            declared: FxHashSet::default(),
            literals: Vec::new(),
            fault: None,
        };
        session.tell(&format!(
            "(set-option :print-success false)\n(set-option :produce-models true)\n\
             (set-option :produce-unsat-assumptions true)\n(set-logic {logic})"
        ));
        Ok(session)
    }

    fn tell(&mut self, commands: &str) {
        if self.fault.is_none() && !commands.is_empty() {
            self.fault = self.dialogue.tell(commands).err();
            self.told.push_str(commands);
            self.told.push('\n');
        }
    }

    /// A new solver that was told the same. The old one may still think, and
    /// what it says next would be taken for the answer to another question; and
    /// after a query that it gave up on, it is not certain that it can go on.
    fn start_anew(&mut self) -> Result<(), Fault> {
        self.dialogue = (self.open)()?;
        self.dialogue.limit(self.limit);
        self.dialogue.tell(&self.told)
    }

    /// The text of a term, after all that it needs was told.
    fn text(&mut self, terms: &Terms, term: TermId) -> String {
        let mut out = String::new();
        let declared = &mut self.declared;
        let text = self.writer.term(terms, term, &mut out, &mut |out, var, sort| {
            let name = format!("v{}", var.0);
            if declared.insert(var) {
                declare(out, &name, sort);
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
            return Outcome::Unknown(fault.clone().into());
        }
        let list: Vec<&str> = self.literals.iter().map(|(_, text)| text.as_str()).collect();
        let command = if list.is_empty() {
            "(check-sat)".to_string()
        } else {
            format!("(check-sat-assuming ({}))", list.join(" "))
        };
        let start = Instant::now();
        match self.dialogue.answer(&command) {
            Ok(Outcome::Unknown(reason)) => {
                self.fault = self.start_anew().err();
                Outcome::Unknown(reason)
            }
            Ok(outcome) => outcome,
            Err(Fault::Stopped) if self.limit.is_some_and(|l| start.elapsed() >= l) => {
                self.fault = self.start_anew().err();
                Outcome::Unknown(NoAnswer::Limit)
            }
            Err(fault) => {
                self.fault = Some(fault.clone());
                Outcome::Unknown(fault.into())
            }
        }
    }

    fn limit(&mut self, limit: Option<Duration>) {
        self.limit = limit;
        self.dialogue.limit(limit);
    }

    fn fault(&self) -> Option<Fault> {
        self.fault.clone()
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
        let text = text.to_string();
        match terms.sort(term) {
            sort @ Sort::Array(_) => self.element_of(&text, sort),
            sort => {
                let value = self.ask(&text)?;
                self.trusted(read_value(&value, sort))
            }
        }
    }
}

impl TextSession {
    /// The value that the model gives an array or an element of one. Of an array it is what the
    /// model says of the indices that are looked at, and everywhere else what it says of the first
    /// of these (`by_key.rs`). Arrays in arrays are as deep as types are nested.
    fn element_of(&mut self, text: &str, sort: Sort) -> Result<Value, Fault> {
        let Sort::Array(array) = sort else {
            let value = self.ask(text)?;
            return self.trusted(read_element(&value, sort));
        };
        let mut elements = Vec::new();
        for index in self.writer.indices(array.index()) {
            let element = self.element_of(&format!("(select {text} {index})"), array.element())?;
            elements.push((self.ask(&index)?, element));
        }
        Ok(array_of(array, elements))
    }

    /// Whoever answers nonsense is not asked again.
    fn trusted(&mut self, value: Result<Value, Fault>) -> Result<Value, Fault> {
        value.inspect_err(|fault| {
            if *fault != Fault::Irrational {
                self.fault = Some(fault.clone());
            }
        })
    }

    /// What the model says of a text.
    fn ask(&mut self, text: &str) -> Result<SExpr, Fault> {
        let asked = self.dialogue.ask(&format!("(get-value ({text}))"));
        // An answer that was missed would be taken for that of the next question.
        let answer = asked.inspect_err(|fault| self.fault = Some(fault.clone()))?;
        if let SExpr::List(pairs) = &answer
            && let [SExpr::List(pair)] = &pairs[..]
            && let [_, value] = &pair[..]
        {
            return Ok(value.clone());
        }
        let fault = Fault::Nonsense(answer.shown());
        self.fault = Some(fault.clone());
        Err(fault)
    }
}
