//! Minimum-cost hitting sets: the cheapest set that has a member in common with
//! each of some sets, by branch and bound.

/// Branches after which nothing is known.
const MOST: usize = 20_000;

/// The cheapest set that hits all of `sets`; nothing if that is too much work.
/// Elements are positions in `costs`.
pub(crate) fn cheapest(sets: &[Vec<usize>], costs: &[u64]) -> Option<Vec<usize>> {
    let cost = |chosen: &[usize]| chosen.iter().map(|e| costs[*e]).sum::<u64>();
    let mut best = greedy(sets, costs);
    // What is chosen, and what is left to other branches.
    let mut pending: Vec<(Vec<usize>, Vec<usize>)> = vec![(Vec::new(), Vec::new())];
    let mut branches = 0;
    while let Some((chosen, excluded)) = pending.pop() {
        branches += 1;
        if branches > MOST {
            return None;
        }
        let allowed = |set: &&Vec<usize>| -> Vec<usize> {
            set.iter().filter(|e| !excluded.contains(e)).copied().collect()
        };
        let missed = sets.iter().filter(|set| !set.iter().any(|e| chosen.contains(e)));
        let missed: Vec<Vec<usize>> = missed.map(|set| allowed(&set)).collect();
        if cost(&chosen) + least(&missed, costs) >= cost(&best) && !sets.is_empty() {
            continue;
        }
        let Some(set) = missed.iter().min_by_key(|set| set.len()) else {
            best = chosen;
            continue;
        };
        let mut order = set.clone();
        order.sort_by_key(|e| (costs[*e], *e));
        // The cheapest is tried first.
        for (i, element) in order.iter().enumerate().rev() {
            let mut more = chosen.clone();
            more.push(*element);
            let less = excluded.iter().chain(&order[..i]).copied().collect();
            pending.push((more, less));
        }
    }
    best.sort_unstable();
    Some(best)
}

/// What all of some sets cost at least: sets that have nothing in common are
/// paid for one by one. A set without a member cannot be hit.
fn least(sets: &[Vec<usize>], costs: &[u64]) -> u64 {
    let mut paid: Vec<usize> = Vec::new();
    let mut sum: u64 = 0;
    for set in sets {
        if set.iter().any(|e| paid.contains(e)) {
            continue;
        }
        paid.extend(set);
        let Some(cheapest) = set.iter().map(|e| costs[*e]).min() else { return u64::MAX / 2 };
        sum += cheapest;
    }
    sum
}

/// Some set that hits all: the element that hits most for its cost, again and again.
fn greedy(sets: &[Vec<usize>], costs: &[u64]) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    let mut left: Vec<&Vec<usize>> = sets.iter().collect();
    while !left.is_empty() {
        let hits = |e: usize| left.iter().filter(|set| set.contains(&e)).count() as u64;
        let elements = left.iter().flat_map(|set| set.iter().copied());
        let worth = |e: &usize| (costs[*e].div_ceil(hits(*e)), *e);
        let Some(next) = elements.min_by_key(worth) else { break };
        left.retain(|set| !set.contains(&next));
        chosen.push(next);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use lustral_base::Random;

    use super::*;

    #[test]
    fn the_cheapest_is_found() {
        assert_eq!(cheapest(&[], &[1, 1]), Some(vec![]));
        let sets = vec![vec![0, 1], vec![1, 2], vec![0, 2]];
        assert_eq!(cheapest(&sets, &[1, 1, 5]), Some(vec![0, 1]));
        // One that hits all is dearer than two.
        let sets = vec![vec![0, 1], vec![0, 2]];
        assert_eq!(cheapest(&sets, &[10, 1, 1]), Some(vec![1, 2]));
        assert_eq!(cheapest(&sets, &[1, 1, 1]), Some(vec![0]));
    }

    /// Against all subsets.
    #[test]
    fn it_is_the_cheapest_of_all() {
        let mut random = Random::new(7);
        for _ in 0..50 {
            let costs: Vec<u64> = (0..8).map(|_| 1 + random.below(5)).collect();
            let mut set = || (0..8).filter(|_| random.below(3) == 0).collect::<Vec<usize>>();
            let sets: Vec<Vec<usize>> = (0..6).map(|_| set()).filter(|s| !s.is_empty()).collect();
            let cost = |chosen: &[usize]| chosen.iter().map(|e| costs[*e]).sum::<u64>();
            let subsets = (0..256_usize).map(|bits| (0..8).filter(move |e| bits >> e & 1 == 1));
            let subsets = subsets.map(Iterator::collect::<Vec<usize>>);
            let hits = |c: &Vec<usize>| sets.iter().all(|s| s.iter().any(|e| c.contains(e)));
            let least = subsets.filter(hits).map(|c| cost(&c)).min().unwrap();
            assert_eq!(cost(&cheapest(&sets, &costs).unwrap()), least, "{sets:?} {costs:?}");
        }
    }
}
