//! Whether a property fails for the first time where it was seen to fail: random executions
//! and searches from the other end find it at any step.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lustral_base::schedule::Moment;
use lustral_system::PropId;

use crate::board::{Board, Found, News};
use crate::model::Inputs;
use crate::search::BoundedSearch;
use crate::task::Task;

/// What is known of executions that are shorter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shorter {
    /// There is none at whose end the property fails.
    None,
    /// This is one of the shortest, with so many steps.
    Found(usize, Inputs),
    /// Nobody knows.
    Unknown,
}

/// Looks for the shortest execution at whose last step a property fails, among those with fewer steps
/// than a known one. It is known to hold at so many steps.
#[must_use]
pub fn shorter(
    task: &Task,
    property: PropId,
    length: usize,
    known: usize,
    time: Duration,
) -> Shorter {
    // A board of its own: on that of the run the property is settled.
    let found: Arc<Mutex<Option<(usize, Inputs)>>> = Arc::default();
    let heard = found.clone();
    let tell = move |news: News| {
        if let News::Finding(finding) = news
            && finding.property == property
            && let Found::Execution(length, inputs) = finding.found
        {
            *heard.lock().unwrap_or_else(PoisonError::into_inner) = Some((length, inputs));
        }
    };
    let board = Arc::new(Board::new(task.system.properties.len(), Box::new(tell)));
    let task = Task { board, ..task.clone() };
    let until = Moment::now() + time;
    let Ok(mut search) = BoundedSearch::new(&task, "first") else { return Shorter::Unknown };
    while search.len() + 1 < length {
        search.extend();
        if search.len() <= known {
            continue;
        }
        let left = until.left();
        if left.is_zero() || task.cancel.is_cancelled() {
            return Shorter::Unknown;
        }
        search.limit(Some(left));
        let outcome = search.falsify(&[property]);
        let earlier = found.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (earlier, outcome) {
            (Some((length, inputs)), _) => return Shorter::Found(length, inputs),
            (None, Ok(())) => {}
            (None, Err(_)) => return Shorter::Unknown,
        }
    }
    Shorter::None
}
