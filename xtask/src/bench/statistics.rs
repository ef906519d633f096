//! The few statistics that a benchmark needs. None of nothing.

/// The middle one, or the mean of the two middle ones.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    Some(f64::midpoint(sorted[sorted.len() / 2 - 1], upper))
}

/// The arithmetic mean.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The geometric mean of positive numbers.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logarithms: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    mean(&logarithms).map(f64::exp)
}

/// The smallest that so many percent are not above.
pub fn percentile(values: &[f64], percent: usize) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(place - 1).copied()
}

/// The largest.
pub fn maximum(values: &[f64]) -> Option<f64> {
    values.iter().copied().max_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_has_no_statistics() {
        for statistic in [median, mean, geometric_mean, maximum] {
            assert_eq!(statistic(&[]), None);
        }
    }

    #[test]
    fn one_value_is_all_of_them() {
        for statistic in [median, mean, maximum] {
            assert_eq!(statistic(&[3.5]), Some(3.5));
        }
        assert!((geometric_mean(&[3.5]).unwrap() - 3.5).abs() < 1e-12);
    }

    #[test]
    fn several_values() {
        assert_eq!(median(&[9.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[9.0, 1.0, 2.0, 4.0]), Some(3.0));
        assert_eq!(mean(&[9.0, 1.0, 2.0]), Some(4.0));
        assert_eq!(maximum(&[1.0, 9.0, 2.0]), Some(9.0));
        let many: Vec<f64> = (1..=40).map(f64::from).collect();
        assert_eq!(percentile(&many, 95), Some(38.0));
        assert_eq!(percentile(&[], 95), None);
        // Twice as slow and twice as fast cancel.
        assert!((geometric_mean(&[2.0, 0.5]).unwrap() - 1.0).abs() < 1e-12);
    }
}
