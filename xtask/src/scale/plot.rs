//! Plots with logarithmic axes, as SVG.

use std::fmt::Write;

/// One diagram.
pub struct Panel<'a> {
    /// Its title.
    pub title: &'a str,
    /// The unit of the upward axis.
    pub unit: &'a str,
    /// The points.
    pub points: &'a [(f64, f64)],
    /// The exponent and the factor of the line through their upper half.
    pub line: Option<(f64, f64)>,
}

const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 46.0;

/// Panels side by side, under a heading.
pub fn svg(heading: &str, panels: &[Panel<'_>]) -> String {
    let width = WIDTH * panels.len() as f64;
    let height = HEIGHT + 26.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{}\" y=\"20\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>\n",
        width / 2.0,
        escape(heading)
    );
    for (i, panel) in panels.iter().enumerate() {
        let _ = writeln!(text, "<g transform=\"translate({} 26)\">", WIDTH * i as f64);
        draw(&mut text, panel);
        text += "</g>\n";
    }
    text + "</svg>\n"
}

fn draw(text: &mut String, panel: &Panel<'_>) {
    let x = Axis::of(panel.points.iter().map(|p| p.0), LEFT, WIDTH - RIGHT);
    let y = Axis::of(panel.points.iter().map(|p| p.1), HEIGHT - BOTTOM, TOP);
    let (left, right, bottom) = (LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM);
    for (value, label) in x.ticks() {
        let at = x.place(value);
        let _ = writeln!(
            text,
            "<path d=\"M{at:.1} {TOP}V{bottom}\" stroke=\"#ddd\"/>\
             <text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
            bottom + 16.0
        );
    }
    for (value, label) in y.ticks() {
        let at = y.place(value);
        let _ = writeln!(
            text,
            "<path d=\"M{left} {at:.1}H{right}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            left - 6.0,
            at + 4.0
        );
    }
    let _ = writeln!(
        text,
        "<path d=\"M{left} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"black\"/>\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">n</text>\
         <text x=\"{}\" y=\"22\" text-anchor=\"middle\">{}</text>\
         <text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        f64::midpoint(left, right),
        bottom + 36.0,
        f64::midpoint(left, right),
        escape(panel.title),
        f64::midpoint(TOP, bottom),
        escape(panel.unit),
    );
    draw_line(text, panel, &x, &y);
    for (n, value) in panel.points {
        let (cx, cy) = (x.place(*n), y.place(*value));
        let _ =
            writeln!(text, "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"3.5\" fill=\"#1f5fa8\"/>");
    }
}

/// The fitted line over the points that it was fitted to.
fn draw_line(text: &mut String, panel: &Panel<'_>, x: &Axis, y: &Axis) {
    let Some((exponent, factor)) = panel.line else { return };
    let upper = &panel.points[panel.points.len() / 2..];
    let (Some(from), Some(to)) = (upper.first(), upper.last()) else { return };
    let at = |n: f64| (x.place(n), y.place(factor * n.powf(exponent)));
    let ((x1, y1), (x2, y2)) = (at(from.0), at(to.0));
    let _ = writeln!(
        text,
        "<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke=\"#c0392b\" stroke-width=\"1.5\" \
         stroke-dasharray=\"5 3\"/>\
         <text x=\"{}\" y=\"{}\" fill=\"#c0392b\">~ n^{exponent:.2}</text>",
        LEFT + 10.0,
        TOP + 16.0
    );
}

/// A logarithmic axis.
struct Axis {
    low: f64,
    high: f64,
    start: f64,
    end: f64,
}

impl Axis {
    /// The axis between two places that shows some values, with some room. It
    /// spans a factor of ten at least, so that noise does not look like growth.
    fn of(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Axis {
        let (low, high) =
            values.fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = if low > high { (1.0, 10.0) } else { (low, high) };
        let missing = (10.0 / (high / low)).max(1.0).sqrt();
        Axis { low: low / missing / 1.25, high: high * missing * 1.25, start, end }
    }

    fn place(&self, value: f64) -> f64 {
        let part = (value / self.low).ln() / (self.high / self.low).ln();
        self.start + part * (self.end - self.start)
    }

    /// Powers of ten, with 2 and 5 times them where there is room.
    fn ticks(&self) -> Vec<(f64, String)> {
        let decades = (self.high / self.low).log10();
        let steps: &[f64] = if decades > 3.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let (from, to) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let all = (from..=to).flat_map(|e| steps.iter().map(move |s| s * 10_f64.powi(e)));
        all.filter(|v| *v >= self.low && *v <= self.high).map(|v| (v, label(v))).collect()
    }
}

fn label(value: f64) -> String {
    let places = (-value.log10().floor()).max(0.0) as usize;
    format!("{value:.places$}")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_places_its_ends_inside() {
        let axis = Axis::of([1.0, 1000.0].into_iter(), 0.0, 100.0);
        assert!(axis.place(1.0) > 0.0 && axis.place(1000.0) < 100.0);
        assert!(axis.place(10.0) < axis.place(100.0));
        assert!(axis.ticks().contains(&(100.0, "100".into())));
    }

    #[test]
    fn small_numbers_have_labels() {
        assert_eq!(
            (label(0.05), label(0.1), label(2000.0)),
            ("0.05".into(), "0.1".into(), "2000".into())
        );
    }

    #[test]
    fn one_point_can_be_drawn() {
        let panel = Panel { title: "a<b", unit: "s", points: &[(4.0, 0.1)], line: None };
        let text = svg("x", &[panel]);
        assert!(text.contains("a&lt;b") && text.contains("<circle") && !text.contains("NaN"));
    }
}
