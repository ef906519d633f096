//! An explanation as a graph: the property at the top, arrows to what is needed.

use std::collections::HashMap;
use std::fmt::Write;

use super::escape::escape_html;
use super::lane::text_width;
use super::layout::{Item, Layout};
use super::quantity;
use crate::explanation::Explanation;

/// With more facts than this, the graph is folded away at first.
const MOST_FACTS_OPEN: usize = 12;
/// With more than that, it would show nothing.
const MOST_DRAWN: usize = 120;

/// The box of a fact, and what lies around it.
const WIDTH: usize = 244;
const HEIGHT: usize = 42;
const PASS: usize = 14;
const BESIDE: usize = 16;
const BELOW: usize = 50;
/// The distance of the first line of an edge that leads upwards from its box,
/// and between such lines; as many as fit side by side.
const LANE: usize = 7;
const LANES: usize = 5;
const MARGIN: usize = LANE * LANES + 10;
/// What is left free above and below where no edge leads upwards.
const BORDER: usize = 10;

/// Writes an explanation of an induction over k steps.
pub(super) fn graph(out: &mut String, explanation: &Explanation, k: usize) {
    let number = quantity(explanation.facts.len(), "fact", "facts");
    let open = if explanation.facts.len() > MOST_FACTS_OPEN { "" } else { " open" };
    let _ = write!(out, "<details{open}><summary>Explanation, {number}</summary>");
    if explanation.facts.len() > MOST_DRAWN {
        let text = "There are too many to be drawn; <code>--json</code> has them all.";
        let _ = write!(out, "<p class=\"caption\">{text}</p></details>");
        return;
    }
    let layout = Layout::new(explanation);
    let places = places(&layout);
    out.push_str("<div class=\"graph\">");
    drawing(out, explanation, &layout, &places);
    out.push_str("</div>");
    legend(out, explanation, &layout, k);
    out.push_str("</details>");
}

/// The middle of each item, by its row.
struct Places {
    x: HashMap<(usize, Item), usize>,
    /// By fact.
    rows: HashMap<usize, usize>,
    width: usize,
}

impl Places {
    fn top(row: usize) -> usize {
        MARGIN + row * (HEIGHT + BELOW)
    }

    /// The middle of a fact, and its row.
    fn fact(&self, fact: usize) -> (usize, usize) {
        let row = self.rows[&fact];
        (self.x[&(row, Item::Fact(fact))], row)
    }
}

/// Every row in the middle of the picture.
fn places(layout: &Layout) -> Places {
    let size = |item: &Item| if matches!(item, Item::Fact(_)) { WIDTH } else { PASS };
    let wide = |row: &Vec<Item>| row.iter().map(|item| size(item) + BESIDE).sum::<usize>();
    let width = layout.rows.iter().map(wide).max().unwrap_or(0);
    let mut places = Places { x: HashMap::new(), rows: HashMap::new(), width };
    for (number, row) in layout.rows.iter().enumerate() {
        let mut x = (width - wide(row)) / 2;
        for item in row {
            places.x.insert((number, *item), x + (size(item) + BESIDE) / 2);
            if let Item::Fact(fact) = item {
                places.rows.insert(*fact, number);
            }
            x += size(item) + BESIDE;
        }
    }
    places
}

fn drawing(out: &mut String, explanation: &Explanation, layout: &Layout, places: &Places) {
    let lanes = layout.up.len() * LANE;
    let width = places.width + if lanes > 0 { lanes + BESIDE } else { 0 };
    let margin = if lanes > 0 { MARGIN } else { BORDER };
    let above = MARGIN - margin;
    let height = Places::top(layout.rows.len()) - BELOW + margin - above;
    let label = quantity(explanation.facts.len(), "fact", "facts");
    let _ = write!(
        out,
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 {above} {width} {height}\" \
         role=\"img\" aria-label=\"A graph of {label}\">"
    );
    down(out, layout, places);
    up(out, layout, places);
    for fact in 0..explanation.facts.len() {
        node(out, explanation, fact, places.fact(fact));
    }
    out.push_str("</svg>");
}

/// Curves between the rows, straight through them.
fn down(out: &mut String, layout: &Layout, places: &Places) {
    let (mut lines, mut tips) = (String::new(), String::new());
    for (row, from, to) in &layout.down {
        let (x1, x2) = (places.x[&(*row, *from)], places.x[&(row + 1, *to)]);
        let (y1, y2) = (Places::top(*row) + HEIGHT, Places::top(row + 1));
        let middle = y1.midpoint(y2);
        let _ = write!(lines, "M{x1} {y1}C{x1} {middle} {x2} {middle} {x2} {y2}");
        match to {
            Item::Fact(_) => tip(&mut tips, x2, y2),
            Item::Pass(_) => {
                let _ = write!(lines, "v{HEIGHT}");
            }
        }
    }
    if !lines.is_empty() {
        let _ = write!(out, "<path d=\"{lines}\"/><path class=\"tip\" d=\"{tips}\"/>");
    }
}

/// Around the right side: out below the fact, in above the other.
fn up(out: &mut String, layout: &Layout, places: &Places) {
    let (mut lines, mut tips) = (String::new(), String::new());
    for (number, (from, to)) in layout.up.iter().enumerate() {
        let ((x1, row1), (x2, row2)) = (places.fact(*from), places.fact(*to));
        // Beside the middle, where the other edges come and go.
        let aside = WIDTH / 8 + number % LANES * LANE;
        let (x1, x2) = (x1 + aside, x2 + aside);
        let (y1, y2) = (Places::top(row1) + HEIGHT, Places::top(row2));
        let out_by = LANE * (1 + number % LANES);
        let right = places.width + LANE * (number + 1);
        let _ = write!(lines, "M{x1} {y1}v{out_by}H{right}V{}H{x2}V{y2}", y2 - out_by - 4);
        tip(&mut tips, x2, y2);
    }
    if !lines.is_empty() {
        let _ = write!(
            out,
            "<g class=\"up\"><path d=\"{lines}\"/><path class=\"tip\" d=\"{tips}\"/></g>"
        );
    }
}

fn tip(out: &mut String, x: usize, y: usize) {
    let _ = write!(out, "M{x} {y}l-4-7h8z");
}

/// A box with one or two lines, and a small circle if the fact needs itself.
fn node(out: &mut String, explanation: &Explanation, fact: usize, (x, row): (usize, usize)) {
    let text = &explanation.facts[fact].text;
    let (left, top) = (x - WIDTH / 2, Places::top(row));
    let class = if fact == 0 { " class=\"goal\"" } else { "" };
    let _ = write!(
        out,
        "<g{class}><title>{}</title><rect x=\"{left}\" y=\"{top}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" rx=\"7\"/>",
        escape_html(text)
    );
    let itself = explanation.needs_itself(fact);
    let room = WIDTH - 16 - if itself { 18 } else { 0 };
    let lines = wrapped(text, room as f64);
    let first = top + HEIGHT / 2 - if lines.len() > 1 { 8 } else { 0 };
    for (i, line) in lines.iter().enumerate() {
        let y = first + 16 * i;
        let _ = write!(out, "<text x=\"{}\" y=\"{y}\">{}</text>", left + 9, escape_html(line));
    }
    if itself {
        let (x, y) = (left + WIDTH - 15, top + HEIGHT / 2);
        let _ = write!(out, "<path d=\"M{} {y}a5 5 0 1 1-5-5l-3-3m3 3l-3 3\"/>", x + 5);
    }
    out.push_str("</g>");
}

/// A text on two lines at most, broken at a space if there is one. Of a long
/// text, the second line is the end: facts of one proof often begin alike.
fn wrapped(text: &str, room: f64) -> Vec<String> {
    if text_width(text) <= room {
        return vec![text.to_string()];
    }
    let fits = text.char_indices().map(|(i, c)| i + c.len_utf8());
    let end = fits.take_while(|end| text_width(&text[..*end]) <= room).last().unwrap_or(0);
    let end = text[..end].rfind(' ').filter(|space| *space > 0).unwrap_or(end);
    let rest = text[end..].trim_start();
    if text_width(rest) <= room {
        return vec![text[..end].to_string(), rest.to_string()];
    }
    let fits = rest.char_indices().map(|(i, _)| &rest[i..]);
    let tail = fits.skip(1).find(|tail| text_width(tail) + text_width("…") <= room);
    vec![text[..end].to_string(), format!("…{}", tail.unwrap_or_default())]
}

fn legend(out: &mut String, explanation: &Explanation, layout: &Layout, k: usize) {
    let before = if k == 1 { "the step before".into() } else { format!("the {k} steps before") };
    let mut parts = Vec::new();
    if layout.rows.len() > 1 {
        parts.push(format!("Each fact follows from those that its arrows lead to, at {before}"));
    }
    if !layout.up.is_empty() {
        parts.push("dashed arrows close circles, which is no fault in an induction".into());
    }
    let itself = |fact| explanation.needs_itself(fact);
    if (0..explanation.facts.len()).any(itself) {
        parts.push(format!("↻ marks facts that need themselves at {before}"));
    }
    let alone = explanation.facts.iter().filter(|fact| fact.needs.is_empty()).count();
    match (alone, explanation.facts.len()) {
        (0, _) => {}
        (1, 1) => parts.push(format!("It follows {}", explanation.ground())),
        _ => parts
            .push(format!("what no arrow leaves and has no ↻ follows {}", explanation.ground())),
    }
    if !explanation.minimal {
        parts.push("some of it may not be needed: there was no time to find out".into());
    }
    if !parts.is_empty() {
        let _ = write!(out, "<p class=\"caption\">{}</p>", parts.join("; "));
    }
}
