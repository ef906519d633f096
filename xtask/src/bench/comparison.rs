//! Comparing wall times: this run with an earlier one, or two tools.

use std::fmt::Write;

use super::statistics::{geometric_mean, median};

/// Times are compared as tables keep them, in whole milliseconds.
const SHORTEST: f64 = 0.001;

/// A change of less than this, in seconds, is not worth a line.
const NOISE: f64 = 0.05;

/// How many changes are listed each way.
const LISTED: usize = 10;

/// The wall times of one file, where it was solved.
#[derive(Clone, Debug)]
pub struct Pair<'a> {
    /// The file.
    pub file: &'a str,
    /// What it is compared with.
    pub before: Option<f64>,
    /// What is compared.
    pub after: Option<f64>,
}

/// A file solved on both sides.
#[derive(Clone, Debug, PartialEq)]
struct Change<'a> {
    file: &'a str,
    before: f64,
    after: f64,
}

impl Change<'_> {
    /// Below 1 is faster than before.
    fn ratio(&self) -> f64 {
        self.after.max(SHORTEST) / self.before.max(SHORTEST)
    }
}

/// What pairs of times say together.
pub struct Comparison<'a> {
    /// Sorted by ratio: what became faster first.
    changes: Vec<Change<'a>>,
    /// Solved now, not before.
    gained: Vec<&'a str>,
    /// Solved before, not now.
    lost: Vec<&'a str>,
}

impl<'a> Comparison<'a> {
    /// Compares.
    pub fn of(pairs: impl IntoIterator<Item = Pair<'a>>) -> Comparison<'a> {
        let mut comparison =
            Comparison { changes: Vec::new(), gained: Vec::new(), lost: Vec::new() };
        for Pair { file, before, after } in pairs {
            match (before, after) {
                (Some(before), Some(after)) => {
                    comparison.changes.push(Change { file, before, after });
                }
                (None, Some(_)) => comparison.gained.push(file),
                (Some(_), None) => comparison.lost.push(file),
                (None, None) => {}
            }
        }
        comparison.changes.sort_by(|a, b| a.ratio().total_cmp(&b.ratio()));
        comparison
    }

    /// One line: the ratios over all files solved on both sides.
    pub fn ratios(&self) -> String {
        let ratios: Vec<f64> = self.changes.iter().map(Change::ratio).collect();
        match (median(&ratios), geometric_mean(&ratios)) {
            (Some(median), Some(mean)) => format!(
                "wall time ratio on {} files solved by both: median {median:.3}, geometric mean {mean:.3}",
                ratios.len()
            ),
            _ => "no file solved by both".to_string(),
        }
    }

    /// Files solved only now, and only before.
    pub fn gained_and_lost(&self) -> (&[&'a str], &[&'a str]) {
        (&self.gained, &self.lost)
    }

    /// The ratios, the files gained and lost, the largest changes.
    pub fn report(&self) -> String {
        let mut text = format!("  {} (below 1 is faster now)\n", self.ratios());
        for (what, files) in [("gained", &self.gained), ("lost", &self.lost)] {
            let _ = writeln!(text, "  {what}: {}", files.len());
            files.iter().for_each(|file| text += &format!("    {file}\n"));
        }
        let noticed = || self.changes.iter().filter(|c| (c.after - c.before).abs() >= NOISE);
        let faster: Vec<_> = noticed().filter(|c| c.ratio() < 1.0).take(LISTED).collect();
        let slower: Vec<_> = noticed().rev().filter(|c| c.ratio() > 1.0).take(LISTED).collect();
        for (what, changes) in [("speed-ups", faster), ("slow-downs", slower)] {
            if !changes.is_empty() {
                let _ = writeln!(text, "  largest {what}:");
            }
            for c in changes {
                let (ratio, before, after, file) = (c.ratio(), c.before, c.after, c.file);
                let _ = writeln!(text, "    {ratio:7.3}  {before:8.3} s → {after:8.3} s  {file}");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(file: &str, before: Option<f64>, after: Option<f64>) -> Pair<'_> {
        Pair { file, before, after }
    }

    fn example() -> Comparison<'static> {
        Comparison::of([
            pair("slow.lus", Some(1.0), Some(4.0)),
            pair("fast.lus", Some(4.0), Some(1.0)),
            pair("same.lus", Some(2.0), Some(2.0)),
            pair("noise.lus", Some(0.001), Some(0.004)),
            pair("tiny.lus", Some(0.004), Some(0.0)),
            pair("gained.lus", None, Some(1.0)),
            pair("lost.lus", Some(1.0), None),
            pair("never.lus", None, None),
        ])
    }

    #[test]
    fn ratios_are_of_files_solved_by_both() {
        let text = example().ratios();
        assert!(text.contains("on 5 files"), "{text}");
        assert!(text.contains("median 1.000, geometric mean 1.000"), "{text}");
        assert_eq!(Comparison::of([]).ratios(), "no file solved by both");
    }

    #[test]
    fn gained_and_lost() {
        assert_eq!(example().gained_and_lost(), (&["gained.lus"][..], &["lost.lus"][..]));
    }

    #[test]
    fn the_largest_changes_without_noise() {
        let report = example().report();
        assert!(
            report.contains("largest speed-ups:\n      0.250     4.000 s →    1.000 s  fast.lus")
        );
        assert!(
            report.contains("largest slow-downs:\n      4.000     1.000 s →    4.000 s  slow.lus")
        );
        for absent in ["noise.lus", "tiny.lus", "same.lus", "never.lus"] {
            assert!(!report.contains(absent), "{report}");
        }
    }

    #[test]
    fn ten_are_listed_the_largest_first() {
        let names: Vec<String> = (0..15).map(|i| format!("{i:02}.lus")).collect();
        let pairs = names.iter().enumerate();
        let pairs = pairs.map(|(i, name)| pair(name, Some(1.0), Some(2.0 + i as f64)));
        let report = Comparison::of(pairs).report();
        let listed: Vec<&str> =
            report.lines().filter_map(|line| line.rsplit_once("s  ").map(|(_, f)| f)).collect();
        assert_eq!(listed.len(), LISTED);
        assert_eq!((listed[0], listed[9]), ("14.lus", "05.lus"));
    }
}
