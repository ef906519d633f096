//! Abducts: smallest sets of candidates that make a target inductive, relative
//! to itself; on this thread, or several targets side by side.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use lustral_term::{TermId, Terms};
use rustc_hash::FxHashMap;

use super::consecution::{Case, Consecution, Step};
use crate::failure::Failure;
use crate::task::Task;

/// A target, and what its abduct may be made of: pools that are tried one after
/// another, the cheapest candidates of each first.
pub(crate) struct Job {
    pub target: TermId,
    pub pools: Vec<Vec<TermId>>,
}

/// Whether hypotheses at a step make a target hold at the next.
type Ask<'a> = dyn FnMut(&[TermId], TermId) -> Result<Step, Failure> + 'a;

/// A smallest abduct from the first pool that has one; or steps that show that
/// the last has none.
pub(crate) fn find(ask: &mut Ask<'_>, job: &Job) -> Result<Step, Failure> {
    let mut last = Err(Failure::NoCandidates);
    for pool in &job.pools {
        let hypotheses = [&[job.target], &pool[..]].concat();
        match ask(&hypotheses, job.target)? {
            Step::Holds(core) => {
                return Ok(Step::Holds(smallest(ask, job.target, pool, core)?));
            }
            fails @ Step::Fails(_) => last = Ok(fails),
        }
    }
    last
}

/// Leaves out of an abduct what can be left out, the most expensive first:
/// what remains cannot be.
pub(crate) fn smallest(
    ask: &mut Ask<'_>,
    target: TermId,
    pool: &[TermId],
    mut core: Vec<TermId>,
) -> Result<Vec<TermId>, Failure> {
    let rank: FxHashMap<TermId, usize> = pool.iter().enumerate().map(|(i, c)| (*c, i)).collect();
    core.retain(|c| *c != target);
    core.sort_by_key(|c| std::cmp::Reverse(rank.get(c).copied()));
    let mut needed: Vec<TermId> = Vec::new();
    while let Some(dropped) = core.first().copied() {
        let rest = core[1..].iter().chain(&needed).copied();
        let hypotheses: Vec<TermId> = std::iter::once(target).chain(rest).collect();
        match ask(&hypotheses, target)? {
            Step::Fails(_) => {
                core.remove(0);
                needed.push(dropped);
            }
            Step::Holds(smaller) => core.retain(|c| *c != dropped && smaller.contains(c)),
        }
    }
    Ok(needed)
}

/// How many threads there are, on any machine: which session a target is shown
/// in, and so the result, must not depend on it.
const WORKERS: usize = 2;

/// Threads that find abducts, each in a session of its own.
pub(crate) struct Workers {
    jobs: Vec<Sender<(usize, Arc<Terms>, Job)>>,
    results: Receiver<(usize, Result<Step, Failure>)>,
}

impl Workers {
    /// Starts the threads.
    pub fn start(task: &Task) -> Workers {
        let (sender, results) = channel();
        let jobs = (0..WORKERS).map(|_| work(task.clone(), sender.clone())).collect();
        Workers { jobs, results }
    }

    /// The results of some jobs, in their order.
    ///
    /// # Errors
    /// If a thread has ended.
    pub fn find(
        &self,
        terms: &Terms,
        jobs: Vec<Job>,
    ) -> Result<Vec<Result<Step, Failure>>, Failure> {
        let terms = Arc::new(terms.clone());
        let mut found: Vec<Result<Step, Failure>> =
            jobs.iter().map(|_| Err(Failure::Thread)).collect();
        for (i, job) in jobs.into_iter().enumerate() {
            self.jobs[i % WORKERS].send((i, terms.clone(), job)).map_err(|_| Failure::Thread)?;
        }
        for _ in 0..found.len() {
            let (i, result) = self.results.recv().map_err(|_| Failure::Thread)?;
            found[i] = result;
        }
        Ok(found)
    }
}

/// A thread that finds abducts until nobody asks for more.
fn work(
    task: Task,
    results: Sender<(usize, Result<Step, Failure>)>,
) -> Sender<(usize, Arc<Terms>, Job)> {
    let (sender, jobs) = channel::<(usize, Arc<Terms>, Job)>();
    lustral_base::spawn("abducts", move || {
        let mut session = Consecution::new(&task, Case::Induction(1));
        for (i, terms, job) in jobs {
            let work = std::panic::AssertUnwindSafe(|| match &mut session {
                Ok(session) => find(&mut |h, target| session.ask(&terms, h, &[target]), &job),
                Err(fault) => Err(fault.clone().into()),
            });
            let result = std::panic::catch_unwind(work).unwrap_or(Err(Failure::Thread));
            if results.send((i, result)).is_err() {
                return;
            }
        }
    });
    sender
}
