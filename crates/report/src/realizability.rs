//! What is known of contracts without a body: whether some node keeps them.

use std::fmt::Write;

use lustral_certify::{Checked, Realizability};
use lustral_render::execution::{Begin, Datum, Execution, Most};
use lustral_render::{Style, printable};
use lustral_system::{Game, Role, TransitionSystem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{Outcome, RunInfo, Subject, Verdict};

/// A verdict about a contract. Only what was checked makes one.
#[derive(Clone, Debug)]
pub struct ContractVerdict {
    /// The file.
    pub file: String,
    /// The node.
    pub node: String,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// What is known.
    pub(crate) outcome: ContractOutcome,
    /// How it came about.
    pub run: RunInfo,
}

/// What is known of a contract.
#[derive(Clone, Debug)]
pub enum ContractOutcome {
    /// Some node keeps it.
    Realizable {
        /// The number of moves of the strategy that was found.
        moves: usize,
        /// The program with a body for the node, if that was asked for and passed a check.
        node: Option<String>,
    },
    /// None does.
    Unrealizable {
        /// A play that ends without an answer.
        play: Execution,
        /// Which guarantees cannot be kept together.
        conflict: Option<ConflictEvent>,
    },
    /// Nothing.
    Unknown {
        /// Why.
        reason: String,
        /// The name of the kind of reason.
        code: String,
    },
}

/// Guarantees that cannot be kept together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ConflictEvent {
    /// Their names.
    pub guarantees: Vec<String>,
    /// Whether the others can be kept without any one of them.
    pub minimal: bool,
}

impl ContractVerdict {
    /// The verdict of something that was checked about a game.
    #[must_use]
    pub fn new(
        subject: Subject<'_>,
        game: Option<&Game>,
        checked: &Checked<Realizability>,
        conflict: Option<ConflictEvent>,
        run: RunInfo,
    ) -> ContractVerdict {
        let outcome = match checked.get() {
            Realizability::Realizable(strategy) => {
                ContractOutcome::Realizable { moves: strategy.moves(), node: None }
            }
            Realizability::Unrealizable { play, .. } => {
                let cone = vec![true; subject.system.variables.len()];
                let mut play = Execution::about(subject.system, &cone, play, Begin::Initially);
                if let Some(game) = game {
                    hide_last(subject.system, game, &mut play);
                }
                ContractOutcome::Unrealizable { play, conflict }
            }
            Realizability::Unknown(reason) => {
                ContractOutcome::Unknown { reason: reason.to_string(), code: reason.code().into() }
            }
        };
        ContractVerdict {
            file: subject.file.to_string(),
            node: checked.node().to_string(),
            line: subject.line,
            column: subject.column,
            outcome,
            run,
        }
    }

    /// What is known.
    #[must_use]
    pub fn outcome(&self) -> &ContractOutcome {
        &self.outcome
    }

    /// With a program in which the node has a body, after what it owes was proved: all of
    /// it, and there must be something.
    #[must_use]
    pub fn with_node(mut self, text: String, proofs: &[Verdict]) -> ContractVerdict {
        let is_proved = |proof: &Verdict| matches!(proof.outcome, Outcome::Valid { .. });
        let proved = !proofs.is_empty() && proofs.iter().all(is_proved);
        if let ContractOutcome::Realizable { node, .. } = &mut self.outcome
            && proved
        {
            *node = Some(text);
        }
        self
    }

    /// The verdict in one word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self.outcome {
            ContractOutcome::Realizable { .. } => "realizable",
            ContractOutcome::Unrealizable { .. } => "unrealizable",
            ContractOutcome::Unknown { .. } => "unknown",
        }
    }

    /// For people at a terminal.
    #[must_use]
    pub fn text(&self, style: Style, width: usize) -> String {
        let time = self.run.seconds.map(|s| format!(", {s:.2} s")).unwrap_or_default();
        let (colour, how) = match &self.outcome {
            ContractOutcome::Realizable { moves, .. } => {
                let moves = count(*moves, "move");
                (Style::GREEN, style.paint(Style::DIM, &format!("(a strategy of {moves}{time})")))
            }
            ContractOutcome::Unrealizable { play, .. } => {
                let step = play.steps - 1;
                let how = format!("(no outputs are right at step {step}{time})");
                (Style::RED, style.paint(Style::DIM, &how))
            }
            ContractOutcome::Unknown { reason, .. } => {
                (Style::YELLOW, format!("({})", printable(reason)))
            }
        };
        let word = style.paint(colour, &format!("{:<12}", self.word()));
        let name = style.paint(Style::BOLD, &printable(&self.node));
        let mut out = format!("{word} {name}  {how}\n");
        for warning in &self.run.warnings {
            let warning = printable(warning);
            let _ = writeln!(out, "  {} {warning}", style.paint(Style::YELLOW, "warning:"));
        }
        if let ContractOutcome::Unrealizable { play, conflict } = &self.outcome {
            if let Some(ConflictEvent { guarantees, minimal }) = conflict {
                let names: Vec<String> = guarantees.iter().map(|name| printable(name)).collect();
                let doubt = if *minimal { "" } else { " (some may not be needed)" };
                let _ = writeln!(out, "  cannot be kept together{doubt}: {}", names.join(", "));
            }
            out.push_str(&play.blocks(style, width, Most::ANSWER));
        }
        out
    }
}

/// What depends on outputs has no value at the last step, where there are none to choose.
fn hide_last(system: &TransitionSystem, game: &Game, play: &mut Execution) {
    for (instance, rows) in system.instances.iter().zip(&mut play.instances) {
        for (stream, row) in instance.streams.iter().zip(&mut rows.streams) {
            let depends = game.depends_on_outputs(stream.var);
            if let (true, Some(last)) = (depends, row.values.last_mut()) {
                *last = Datum::Text("?".into());
            }
        }
    }
    let last = play.steps.saturating_sub(1);
    for (id, variable) in system.variables() {
        if variable.role == Role::Choice && game.depends_on_outputs(id) {
            let at_last = format!("{} at step {last}", variable.name);
            let hidden = |name: &str| name == at_last || last == 0 && name == variable.name;
            play.choices.retain(|choice| !hidden(&choice.name));
        }
    }
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
