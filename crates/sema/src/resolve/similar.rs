//! Names that were perhaps meant (edit distance).

/// The name among some that was perhaps meant: at most a third of it differs.
pub(crate) fn similar<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    known
        .filter(|k| !k.is_empty() && k.len() < 64 && name.len() < 64)
        .map(|k| (edit_distance(name, k), k))
        .filter(|(distance, k)| *distance * 3 <= name.len().max(k.len()).max(3))
        .min()
        .map(|(_, k)| k)
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = diagonal + usize::from(!x.eq_ignore_ascii_case(y));
            diagonal = row[j + 1];
            row[j + 1] = cost.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
