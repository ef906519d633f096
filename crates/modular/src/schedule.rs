//! Work on nodes side by side, in the order of the calls.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::channel;

use crate::failure::Unlearned;

/// The result of each job, given the results of those that it depends on, in
/// the order in which it names them.
///
/// Each job has a thread of its own, even where only one runs at a time: what a
/// solver answers may depend on what its thread asked before, and a result must
/// not depend on which job happened to be first.
pub(crate) fn run<T, F>(dependencies: &[Vec<usize>], job: F) -> Vec<Arc<Result<T, Unlearned>>>
where
    T: Send + Sync + 'static,
    F: Fn(usize, &[Arc<Result<T, Unlearned>>]) -> Result<T, Unlearned> + Send + Sync + 'static,
{
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    run_on(threads, dependencies, job)
}

fn run_on<T, F>(
    threads: usize,
    dependencies: &[Vec<usize>],
    job: F,
) -> Vec<Arc<Result<T, Unlearned>>>
where
    T: Send + Sync + 'static,
    F: Fn(usize, &[Arc<Result<T, Unlearned>>]) -> Result<T, Unlearned> + Send + Sync + 'static,
{
    let job = Arc::new(job);
    let (sender, results) = channel();
    let mut done: Vec<Option<Arc<Result<T, Unlearned>>>> = vec![None; dependencies.len()];
    let is_ready = |i: &usize, done: &[Option<_>]| {
        dependencies[*i].iter().all(|needed| done[*needed].is_some())
    };
    let mut waiting: BTreeSet<usize> = (0..dependencies.len()).collect();
    let mut running = 0;
    loop {
        while running < threads
            && let Some(next) = waiting.iter().copied().find(|i| is_ready(i, &done))
        {
            waiting.remove(&next);
            let given: Vec<_> =
                dependencies[next].iter().filter_map(|i| done[*i].clone()).collect();
            let (job, sender) = (job.clone(), sender.clone());
            lustral_base::spawn("learn", move || {
                let work = AssertUnwindSafe(|| job(next, &given));
                let result = catch_unwind(work).unwrap_or_else(|_| Err(Unlearned::Panicked));
                let _ = sender.send((next, result));
            });
            running += 1;
        }
        if running == 0 {
            break;
        }
        let Ok((finished, result)) = results.recv() else { break };
        done[finished] = Some(Arc::new(result));
        running -= 1;
    }
    let nothing = || Arc::new(Err(Unlearned::Recursive));
    done.into_iter().map(|result| result.unwrap_or_else(nothing)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_the_dependencies_whatever_the_threads() {
        let dependencies = [vec![], vec![], vec![0, 1, 0], vec![2], vec![1]];
        for threads in 1..4 {
            let results = run_on(threads, &dependencies, |i, given| {
                let below: usize = given.iter().map(|g| *(**g).as_ref().unwrap()).sum();
                if i == 4 { Err(Unlearned::Recursive) } else { Ok(below + i + 1) }
            });
            let found: Vec<Option<usize>> = results.iter().map(|r| (**r).clone().ok()).collect();
            assert_eq!(found, [Some(1), Some(2), Some(7), Some(11), None]);
        }
    }

    #[test]
    fn a_panic_is_a_reason() {
        let results = run_on(2, &[vec![], vec![0]], |i, _| {
            assert!(i == 1, "for the test");
            Ok(())
        });
        assert!(results[0].is_err() && results[1].is_ok());
    }
}
