//! Names that were perhaps meant (edit distance; two neighbours that changed places are
//! one mistake).

/// The name among some that was perhaps meant: at most a third of it differs.
pub fn similar<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    known
        .filter(|k| !k.is_empty() && k.len() < 64 && name.len() < 64)
        .map(|k| (edit_distance(name, k), other_case(name, k), k))
        .filter(|(distance, _, k)| *distance * 3 <= name.len().max(k.len()).max(3))
        .min()
        .map(|(_, _, k)| k)
}

/// How many letters are written in the other case.
fn other_case(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).filter(|(a, b)| a.is_uppercase() != b.is_uppercase()).count()
}

fn edit_distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|text| text.to_ascii_lowercase().chars().collect::<Vec<char>>());
    // By length of the beginnings of both.
    let mut distance = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            if i == 0 || j == 0 {
                distance[i][j] = i + j;
                continue;
            }
            let other = usize::from(a[i - 1] != b[j - 1]);
            let mut least = distance[i - 1][j - 1] + other;
            least = least.min(distance[i - 1][j] + 1).min(distance[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(distance[i - 2][j - 2] + 1);
            }
            distance[i][j] = least;
        }
    }
    distance[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant() {
        let nodes = ["main", "counter", "x"];
        let meant = |name| similar(name, nodes.into_iter());
        assert_eq!(meant("mian"), Some("main"));
        assert_eq!(meant("Main"), Some("main"));
        assert_eq!(meant("conuters"), Some("counter"));
        assert_eq!(meant("y"), Some("x"));
        assert_eq!(meant("nodes"), None);
        assert_eq!(similar("m", ["N", "n"].into_iter()), Some("n"), "of the same case");
    }

    #[test]
    fn distances() {
        for (a, b, distance) in [
            ("", "", 0),
            ("", "ab", 2),
            ("abc", "abc", 0),
            ("abc", "acb", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(edit_distance(a, b), distance, "{a} {b}");
            assert_eq!(edit_distance(b, a), distance, "{b} {a}");
        }
    }
}
