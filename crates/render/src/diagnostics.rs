//! Diagnostics as rustc shows them.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use lustral_syntax::diagnostic::Label;
use lustral_syntax::{Diagnostic, FileId, Severity, SourceMap};

use crate::escape::{is_invisible, printable};
use crate::style::Style;

/// Lines around a place that are handed to the renderer. The whole text of a
/// large file would cost too much.
const CONTEXT: u32 = 2;

/// The renderer shows ASCII control characters by pictures, but lets those
/// from U+0080 to U+009F through, which some terminals obey, and characters
/// that nobody sees. What stands for them has as many bytes, so that places
/// stay where they are.
fn harmless(text: &str) -> String {
    let shown = |c: char| match c.len_utf8() {
        _ if !('\u{80}'..='\u{9f}').contains(&c) && !is_invisible(c) => c,
        2 => '\u{b7}',
        3 => '\u{fffd}',
        _ => '\u{1f7a1}',
    };
    text.chars().map(shown).collect()
}

/// The longest line that is shown.
const LONGEST_LINE: usize = 2_000;

/// A diagnostic as text.
#[must_use]
pub fn render(sources: &SourceMap, diagnostic: &Diagnostic, style: Style) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(printable(&diagnostic.message)).id(diagnostic.code.as_str());
    let mut group = Group::with_title(title);
    for (file, labels) in by_file(diagnostic) {
        group = match snippet(sources, file, &labels) {
            Some(snippet) => group.element(snippet),
            // Too long a line to show: the place is said in words.
            None => {
                let place = sources.line_column(labels[0].0.span);
                let name = printable(&sources.file(file).name);
                group.element(
                    Level::NOTE.message(format!("at {name}:{}:{}", place.line, place.column)),
                )
            }
        };
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(printable(note)));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(printable(help)));
    }
    let renderer = match style {
        Style::Colour => Renderer::styled(),
        Style::Plain => Renderer::plain(),
    };
    renderer.decor_style(DecorStyle::Ascii).render(&[group])
}

type Marked<'d> = (&'d Label, bool);

/// The labels of each file, that of the primary first.
fn by_file(diagnostic: &Diagnostic) -> Vec<(FileId, Vec<Marked<'_>>)> {
    let mut files: Vec<(FileId, Vec<Marked<'_>>)> =
        vec![(diagnostic.primary.span.file, vec![(&diagnostic.primary, true)])];
    for label in &diagnostic.secondary {
        match files.iter_mut().find(|(file, _)| *file == label.span.file) {
            Some((_, labels)) => labels.push((label, false)),
            None => files.push((label.span.file, vec![(label, false)])),
        }
    }
    files
}

fn snippet<'a>(
    sources: &'a SourceMap,
    file: FileId,
    labels: &[Marked<'a>],
) -> Option<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let source = sources.file(file);
    let first = labels.iter().map(|(l, _)| source.line_column(l.span.start).line).min()?;
    let last = labels.iter().map(|(l, _)| source.line_column(l.span.end).line).max()?;
    let first = first.saturating_sub(CONTEXT).max(1);
    let range = source.lines(first, last + CONTEXT);
    let text = harmless(&source.text[range.clone()]);
    if text.len() > 64 * LONGEST_LINE || text.lines().any(|line| line.len() > LONGEST_LINE) {
        return None;
    }
    let length = text.len();
    let mut snippet =
        Snippet::source(text).line_start(first as usize).path(printable(&source.name));
    for (label, primary) in labels {
        let kind = if *primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let (start, end) = (label.span.start as usize, label.span.end as usize);
        let span = start - range.start..(end - range.start).min(length);
        let mut annotation = kind.span(span);
        if !label.text.is_empty() {
            annotation = annotation.label(printable(&label.text));
        }
        snippet = snippet.annotation(annotation);
    }
    Some(snippet)
}
