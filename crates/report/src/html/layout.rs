//! Where the facts of an explanation stand: in rows, what is needed below what
//! needs it. A layered drawing by the method of Sugiyama: edges that close
//! circles are turned round, facts are put in layers, and crossings are made
//! fewer by the barycentre heuristic, sweeping down and up.
//!
//! An edge that skips a row has a place of its own in it, so that no edge runs
//! through a fact. Edges to one fact share these places. What would lead
//! upwards, in a circle, is kept apart.

use std::collections::BTreeSet;

use crate::explanation::Explanation;

/// A row has no more facts than this: a page is higher than it is wide.
const WIDEST_ROW: usize = 4;
/// How often the rows are put in order, down and up.
const SWEEPS: usize = 6;

/// What has a place in a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Item {
    Fact(usize),
    /// An edge on its way down to this fact.
    Pass(usize),
}

/// The rows of a graph, and its edges.
pub(super) struct Layout {
    /// From the top, each from the left.
    pub(super) rows: Vec<Vec<Item>>,
    /// From a place in a row to a place in the next: the row, and both items.
    pub(super) down: BTreeSet<(usize, Item, Item)>,
    /// From a fact to one that it needs and that stands above it.
    pub(super) up: Vec<(usize, usize)>,
}

impl Layout {
    pub(super) fn new(explanation: &Explanation) -> Layout {
        let Edges { order, down: edges, up } = edges(explanation);
        let row_of = assign(explanation.facts.len(), &order, &edges);
        let height = row_of.iter().max().map_or(0, |row| row + 1);
        let mut rows: Vec<Vec<Item>> = vec![Vec::new(); height];
        for fact in order {
            rows[row_of[fact]].push(Item::Fact(fact));
        }
        let mut down = BTreeSet::new();
        for (from, to) in edges {
            let mut item = Item::Fact(from);
            for row in row_of[from]..row_of[to] {
                let last = row + 1 == row_of[to];
                let below = if last { Item::Fact(to) } else { Item::Pass(to) };
                if !rows[row + 1].contains(&below) {
                    rows[row + 1].push(below);
                }
                down.insert((row, item, below));
                item = below;
            }
        }
        let mut layout = Layout { rows, down, up };
        (0..SWEEPS).for_each(|_| layout.sweep());
        layout
    }

    /// Orders each row by where its neighbours are, above and then below.
    fn sweep(&mut self) {
        let height = self.rows.len();
        for row in 1..height {
            self.order(row, row - 1);
        }
        for row in (0..height.saturating_sub(1)).rev() {
            self.order(row, row + 1);
        }
    }

    fn order(&mut self, row: usize, by: usize) {
        let middle = |items: &[Item]| (items.len() as f64 - 1.0) / 2.0;
        let centre = middle(&self.rows[by]);
        let place = |item: Item| self.rows[by].iter().position(|other| *other == item);
        let mut keyed: Vec<(f64, Item)> = Vec::with_capacity(self.rows[row].len());
        for (i, item) in self.rows[row].iter().enumerate() {
            let neighbours = self.down.iter().filter_map(|(above, from, to)| {
                let (here, there) = if by < row { (to, from) } else { (from, to) };
                (*above == row.min(by) && here == item).then_some(*there)
            });
            let places: Vec<usize> = neighbours.filter_map(place).collect();
            let key = match places.len() {
                // Without a neighbour it stays about where it is.
                0 => i as f64 - middle(&self.rows[row]),
                n => places.iter().sum::<usize>() as f64 / n as f64 - centre,
            };
            keyed.push((key, *item));
        }
        keyed.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        self.rows[row] = keyed.into_iter().map(|(_, item)| item).collect();
    }
}

/// What an explanation says, without circles.
struct Edges {
    /// The facts, each before what it needs.
    order: Vec<usize>,
    down: Vec<(usize, usize)>,
    /// The edges that close circles.
    up: Vec<(usize, usize)>,
}

/// Depth-first search from the property: an edge to what is still open closes a
/// circle.
fn edges(explanation: &Explanation) -> Edges {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        New,
        Above,
        Done,
    }
    let number = explanation.facts.len();
    let mut state = vec![Visit::New; number];
    let mut edges = Edges { order: Vec::new(), down: Vec::new(), up: Vec::new() };
    for start in 0..number {
        let mut stack = Vec::new();
        if state[start] == Visit::New {
            state[start] = Visit::Above;
            stack.push((start, explanation.others(start).collect::<Vec<usize>>()));
        }
        while let Some((fact, left)) = stack.last_mut() {
            let fact = *fact;
            let Some(other) = left.pop() else {
                state[fact] = Visit::Done;
                edges.order.push(fact);
                stack.pop();
                continue;
            };
            if state[other] == Visit::Above {
                edges.up.push((fact, other));
                continue;
            }
            edges.down.push((fact, other));
            if state[other] == Visit::New {
                state[other] = Visit::Above;
                stack.push((other, explanation.others(other).collect()));
            }
        }
    }
    edges.order.reverse();
    edges
}

/// The row of each fact: the first below all that need it that is not full,
/// those that are near the property first.
fn assign(number: usize, order: &[usize], edges: &[(usize, usize)]) -> Vec<usize> {
    let mut above = vec![Vec::new(); number];
    edges.iter().for_each(|(from, to)| above[*to].push(*from));
    let mut depth = vec![0; number];
    for fact in order {
        depth[*fact] = above[*fact].iter().map(|from| depth[*from] + 1).max().unwrap_or(0);
    }
    let mut by_depth = order.to_vec();
    by_depth.sort_by_key(|fact| depth[*fact]);
    let mut rows = vec![0; number];
    let mut sizes: Vec<usize> = Vec::new();
    for fact in by_depth {
        let least = above[fact].iter().map(|from| rows[*from] + 1).max().unwrap_or(0);
        let row = (least..sizes.len()).find(|row| sizes[*row] < WIDEST_ROW);
        let row = row.unwrap_or(sizes.len().max(least));
        sizes.resize(sizes.len().max(row + 1), 0);
        sizes[row] += 1;
        rows[fact] = row;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explanation::Fact;

    fn layout(needs: &[&[usize]]) -> Layout {
        let fact = |needs: &&[usize]| Fact { text: String::new(), needs: needs.to_vec() };
        let facts = needs.iter().map(fact).collect();
        Layout::new(&Explanation { facts, minimal: true, constrained: false })
    }

    #[test]
    fn what_is_needed_stands_below() {
        let layout = layout(&[&[1, 2, 3], &[3], &[2], &[3, 0]]);
        assert_eq!(layout.rows[0], [Item::Fact(0)]);
        assert_eq!(layout.rows[2], [Item::Fact(3)]);
        assert!(layout.rows[1].contains(&Item::Fact(1)) && layout.rows[1].contains(&Item::Fact(2)));
        assert!(layout.rows[1].contains(&Item::Pass(3)), "an edge runs through the row");
        assert_eq!(layout.up, [(3, 0)]);
    }

    #[test]
    fn every_fact_has_one_place_and_rows_are_not_wide() {
        let all: Vec<usize> = (0..40).collect();
        let needs: Vec<&[usize]> = all.iter().map(|_| &all[..]).collect();
        for layout in [
            layout(&needs),
            layout(
                &[&all[1..]]
                    .map(|n| n as &[usize])
                    .into_iter()
                    .chain(std::iter::repeat_n(&[] as &[usize], 39))
                    .collect::<Vec<_>>(),
            ),
        ] {
            let facts = layout.rows.iter().flatten().filter(|i| matches!(i, Item::Fact(_)));
            assert_eq!(facts.count(), 40);
            let width = |row: &Vec<Item>| row.iter().filter(|i| matches!(i, Item::Fact(_))).count();
            assert!(layout.rows.iter().map(width).max().unwrap() <= WIDEST_ROW);
            for (row, from, to) in &layout.down {
                assert!(layout.rows[*row].contains(from) && layout.rows[*row + 1].contains(to));
            }
        }
    }
}
