//! What goes to a worker and what comes back, as lines of text.
//!
//! A query is a line `option NAME VALUE` for each option, a line `clauses`, the
//! clauses, and a line `end`. An answer is a line that says what is known, the
//! text that goes with it, and a line `end`: who died half way said nothing.

use crate::session::Fault;

/// Why nothing is known of some clauses.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unsolved {
    /// The level that the options allow was reached.
    #[error("the largest level was reached")]
    LevelLimit,
    /// The work that the options allow was done.
    #[error("the work that it may do was not enough")]
    WorkLimit,
    /// Spacer says that it does not know, and this is why.
    #[error("{0}")]
    GaveUp(String),
    /// The worker failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl Unsolved {
    /// What Z3's reason stands for.
    pub(super) fn of_reason(reason: &str) -> Unsolved {
        match reason {
            // Spacer ended as it should, and without an answer.
            "ok" => Unsolved::LevelLimit,
            reason if reason.contains("resource limit") => Unsolved::WorkLimit,
            reason => Unsolved::GaveUp(reason.into()),
        }
    }

    /// The line of an answer that begins with it, and the text below.
    fn to_words(&self) -> (&'static str, String) {
        match self {
            Unsolved::LevelLimit => ("level-limit", String::new()),
            Unsolved::WorkLimit => ("work-limit", String::new()),
            other => ("unknown", other.to_string()),
        }
    }
}

const END: &str = "end";

/// Clauses and how to solve them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HornQuery {
    /// Global parameters of Z3.
    pub options: Vec<(String, String)>,
    /// The clauses and the query, in Z3's dialect with `rule` and `query`.
    pub clauses: String,
}

/// What is known of some clauses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HornAnswer {
    /// The query is not derivable: what the predicates may be, as Z3 shows it.
    Invariant(String),
    /// The query is derivable: the ground facts on the way, from the query back.
    Derivation(String),
    /// Nothing, for this reason.
    Unknown(Unsolved),
}

impl HornQuery {
    /// As text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::with_capacity(self.clauses.len() + 256);
        for (name, value) in &self.options {
            text.push_str(&format!("option {name} {value}\n"));
        }
        text.push_str("clauses\n");
        text.push_str(&self.clauses);
        text.push('\n');
        text.push_str(END);
        text.push('\n');
        text
    }

    /// The query of a text, if that is whole.
    #[must_use]
    pub fn from_text(text: &str) -> Option<HornQuery> {
        let (header, rest) = text.split_once("clauses\n")?;
        let clauses = body(rest)?.to_string();
        let mut options = Vec::new();
        for line in header.lines() {
            let mut words = line.splitn(3, ' ');
            let ("option", Some(name), Some(value)) = (words.next()?, words.next(), words.next())
            else {
                return None;
            };
            options.push((name.to_string(), value.to_string()));
        }
        Some(HornQuery { options, clauses })
    }
}

impl HornAnswer {
    /// As text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let (word, text) = match self {
            HornAnswer::Invariant(text) => ("invariant", text.clone()),
            HornAnswer::Derivation(text) => ("derivation", text.clone()),
            HornAnswer::Unknown(reason) => reason.to_words(),
        };
        format!("{word}\n{text}\n{END}\n")
    }

    /// The answer of a text.
    ///
    /// # Errors
    /// If it is none, or not whole.
    pub fn from_text(text: &str) -> Result<HornAnswer, Fault> {
        let nonsense = || Fault::Nonsense(text.chars().take(200).collect());
        if text.is_empty() {
            return Err(Fault::Died);
        }
        let (word, rest) = text.split_once('\n').ok_or_else(nonsense)?;
        let text = body(rest).ok_or_else(nonsense)?.to_string();
        match word {
            "invariant" => Ok(HornAnswer::Invariant(text)),
            "derivation" => Ok(HornAnswer::Derivation(text)),
            "unknown" => Ok(HornAnswer::Unknown(Unsolved::GaveUp(text))),
            "level-limit" => Ok(HornAnswer::Unknown(Unsolved::LevelLimit)),
            "work-limit" => Ok(HornAnswer::Unknown(Unsolved::WorkLimit)),
            _ => Err(nonsense()),
        }
    }
}

/// What stands before the last line, if that is the right one.
fn body(text: &str) -> Option<&str> {
    text.strip_suffix('\n')?.strip_suffix(END)?.strip_suffix('\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let options = vec![("fp.engine".to_string(), "spacer".to_string())];
        let query = HornQuery { options, clauses: "(declare-rel p ())\n(query p)".into() };
        assert_eq!(HornQuery::from_text(&query.to_text()), Some(query.clone()));
        for cut in 0..query.to_text().len() {
            assert_eq!(HornQuery::from_text(&query.to_text()[..cut]), None, "{cut}");
        }
        for answer in [
            HornAnswer::Invariant("(a\n b)".into()),
            HornAnswer::Derivation(String::new()),
            HornAnswer::Unknown(Unsolved::GaveUp("end".into())),
            HornAnswer::Unknown(Unsolved::LevelLimit),
            HornAnswer::Unknown(Unsolved::WorkLimit),
        ] {
            let text = answer.to_text();
            assert_eq!(HornAnswer::from_text(&text), Ok(answer));
            for cut in 0..text.len() {
                assert!(HornAnswer::from_text(&text[..cut]).is_err(), "{cut}");
            }
        }
        assert!(HornAnswer::from_text("maybe\n\nend\n").is_err());
    }
}
