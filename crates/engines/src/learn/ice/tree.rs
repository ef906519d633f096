//! Decision trees that tell states that are reached from those that must not be.
//!
//! A node asks whether an attribute is at most a threshold: the question that tells most, by the entropy
//! of the labels. States without a label go to the leaf in which they end up; what is
//! known of the others spreads along steps when a leaf is made, so that no step leads out of what is
//! said to be reached as far as steps are known (Garg, Neider, Madhusudan and Roth, POPL 2016).

use super::super::number::Number;
use super::points::Points;

/// The most leaves: what needs more is no invariant that anybody would state.
const MOST_LEAVES: usize = 64;

/// That an attribute is at most a threshold, or that it is not.
pub(super) type Question = (usize, Number, bool);

/// The leaves in which states are reached, each as the answers on the way. Nothing if states with
/// other labels are not told apart.
pub(super) fn leaves(points: &Points, thresholds: &[Number]) -> Option<Vec<Vec<Question>>> {
    let mut labels = points.labels.clone();
    let mut found = Vec::new();
    let mut count = 0;
    let all: Vec<usize> = (0..points.rows.len()).collect();
    let mut pending: Vec<(Vec<usize>, Vec<Question>)> = vec![(all, Vec::new())];
    while let Some((inside, way)) = pending.pop() {
        let of = |label| inside.iter().filter(|i| labels[**i] == Some(label)).count();
        let (good, bad) = (of(true), of(false));
        if good > 0 && bad > 0 {
            let (attribute, threshold) = best(points, &labels, &inside, thresholds)?;
            let at_most = |i: &usize| points.rows[*i][attribute].is_some_and(|v| v <= threshold);
            let (low, high): (Vec<usize>, Vec<usize>) = inside.into_iter().partition(at_most);
            let with = |answer| [&way[..], &[(attribute, threshold, answer)]].concat();
            pending.push((high, with(false)));
            pending.push((low, with(true)));
            continue;
        }
        count += 1;
        if count > MOST_LEAVES {
            return None;
        }
        // What nobody has reached is out.
        let reached = good > 0;
        spread(points, &mut labels, inside, reached);
        if reached {
            found.push(way);
        }
    }
    Some(found)
}

/// Labels the states of a leaf, with what follows them or what they follow. There is no contradiction:
/// what leads to a state that must not be reached has its label already.
fn spread(points: &Points, labels: &mut [Option<bool>], inside: Vec<usize>, reached: bool) {
    let mut pending = inside;
    while let Some(point) = pending.pop() {
        if labels[point].is_none() {
            labels[point] = Some(reached);
            pending.extend(points.neighbours(point, reached));
        }
    }
}

/// The question that tells most of the states with a label.
fn best(
    points: &Points,
    labels: &[Option<bool>],
    inside: &[usize],
    thresholds: &[Number],
) -> Option<(usize, Number)> {
    let known: Vec<(usize, bool)> =
        inside.iter().filter_map(|i| labels[*i].map(|label| (*i, label))).collect();
    let attributes = points.rows.first()?.len();
    let mut best: Option<(f64, usize, Number)> = None;
    for attribute in 0..attributes {
        let value = |(i, label): &(usize, bool)| points.rows[*i][attribute].map(|v| (v, *label));
        let Some(mut column) = known.iter().map(value).collect::<Option<Vec<_>>>() else {
            continue;
        };
        column.sort_unstable();
        let good = column.iter().filter(|(_, label)| *label).count();
        let (mut low, mut low_good) = (0, 0);
        for pair in column.windows(2) {
            low += 1;
            low_good += usize::from(pair[0].1);
            if pair[0].0 == pair[1].0 {
                continue;
            }
            let high = column.len() - low;
            let cost = entropy(low_good, low) + entropy(good - low_good, high);
            if best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, attribute, between(pair[0].0, pair[1].0, thresholds)));
            }
        }
    }
    best.map(|(_, attribute, threshold)| (attribute, threshold))
}

/// A constant of the program between two values, or the lower one.
fn between(low: Number, high: Number, thresholds: &[Number]) -> Number {
    let first = thresholds.partition_point(|t| *t < low);
    thresholds.get(first).copied().filter(|t| *t < high).unwrap_or(low)
}

/// How little is known of so many states, of which so many are reached: in bits.
fn entropy(good: usize, all: usize) -> f64 {
    let part = |n: usize| {
        let share = n as f64 / all as f64;
        if n == 0 { 0.0 } else { -(n as f64) * share.log2() }
    };
    part(good) + part(all - good)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lustral_term::Value;

    /// Neither attribute alone tells them apart.
    #[test]
    fn trees_say_or() {
        let mut points = Points::default();
        let corners =
            [(0_i64, 0_i64, true), (0, 9, true), (9, 9, true), (9, 0, false), (7, 2, false)];
        for (x, y, reached) in corners {
            let state = vec![Value::from(x), Value::from(y)];
            let at = points.add(state, |state| state.iter().map(Number::of).collect());
            assert!(points.label(at, reached).is_ok());
        }
        let thresholds = [Number::from(5)];
        let found = leaves(&points, &thresholds).unwrap();
        assert_eq!(found.len(), 2, "{found:?}");
        let says = |x: i64, y: i64| {
            let value = |attribute| Number::from(if attribute == 0 { x } else { y });
            let holds = |(a, t, answer): &Question| (value(*a) <= *t) == *answer;
            found.iter().any(|way| way.iter().all(holds))
        };
        assert!(says(5, 0) && says(6, 6) && !says(6, 5));
    }

    /// A state without a label is where its successor makes it be.
    #[test]
    fn steps_lead_out_of_no_leaf() {
        let mut points = Points::default();
        for n in [0_i64, 4, 8] {
            points.add(vec![Value::from(n)], |state| state.iter().map(Number::of).collect());
        }
        assert!(points.step(1, 2).is_ok());
        assert!(points.label(0, true).is_ok() && points.label(2, false).is_ok());
        let found = leaves(&points, &[]).unwrap();
        assert_eq!(found, [vec![(0, Number::from(0), true)]]);
    }
}
