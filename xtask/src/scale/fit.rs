//! How fast something grows.

/// The power law `y = factor * x^exponent` nearest to some points: least
/// squares of the logarithms, over the upper half of the points, because small
/// programs measure the time to start. `None` with fewer than three there.
pub fn power_law(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let upper = &points[points.len() / 2..];
    if upper.len() < 3 {
        return None;
    }
    let logs: Vec<(f64, f64)> = upper.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let both: f64 = logs.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let spread: f64 = logs.iter().map(|p| (p.0 - x).powi(2)).sum();
    let exponent = both / spread;
    Some((exponent, (y - exponent * x).exp()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_is_found_again() {
        let points: Vec<(f64, f64)> = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]
            .iter()
            .map(|x: &f64| (*x, 3.0 * x.powf(1.5)))
            .collect();
        let (exponent, factor) = power_law(&points).unwrap();
        assert!((exponent - 1.5).abs() < 1e-9 && (factor - 3.0).abs() < 1e-9);
    }

    #[test]
    fn small_sizes_do_not_count() {
        let flat = [(1.0, 9.0), (2.0, 9.0), (4.0, 9.0)];
        let steep = [(8.0, 64.0), (16.0, 256.0), (32.0, 1024.0)];
        let (exponent, _) = power_law(&[flat, steep].concat()).unwrap();
        assert!((exponent - 2.0).abs() < 1e-9);
        assert_eq!(power_law(&steep[..2]), None);
    }
}
