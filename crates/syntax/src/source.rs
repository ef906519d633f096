//! Source texts and places in them.

use std::ops::Range;
use std::sync::Arc;

/// A source file of a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// A range of bytes in a source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The smallest span that covers both; `self` must not come after `other`'s end.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Whether a byte is in the span or directly after it, where a cursor that
    /// touches it stands.
    #[must_use]
    pub fn touches(self, byte: u32) -> bool {
        self.start <= byte && byte <= self.end
    }

    /// Whether all of another span is in this one.
    #[must_use]
    pub fn covers(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// The span as a range of bytes.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A line and a column, both counted from 1; the column counts characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineColumn {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// One source text.
#[derive(Debug)]
pub struct SourceFile {
    /// The name shown to the user: the path as it was given.
    pub name: String,
    /// The text.
    pub text: Arc<str>,
    /// The byte at which each line begins.
    line_starts: Vec<u32>,
    /// The number of characters before every so many bytes.
    characters: Vec<u32>,
}

/// How many bytes apart characters are counted: a line may be a whole program.
const APART: usize = 256;

/// All source texts of a program, the main file first.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// The largest text that is read: spans have 32 bits.
    pub const LARGEST: usize = u32::MAX as usize / 2;

    /// An empty map.
    #[must_use]
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a text, which must not be larger than [`SourceMap::LARGEST`].
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        self.files.push(SourceFile::new(name.into(), text.into()));
        FileId(self.files.len() as u32 - 1)
    }

    /// Gives a file another text, which must not be larger than
    /// [`SourceMap::LARGEST`]. Places in the old text are places of it no more.
    pub fn replace(&mut self, file: FileId, text: impl Into<Arc<str>>) {
        let old = &mut self.files[file.0 as usize];
        *old = SourceFile::new(std::mem::take(&mut old.name), text.into());
    }
    /// The file with this id.
    #[must_use]
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files with their ids, in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId(i as u32), f))
    }

    /// The text of a span.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        &self.file(span.file).text[span.range()]
    }

    /// Where a span begins.
    #[must_use]
    pub fn line_column(&self, span: Span) -> LineColumn {
        self.file(span.file).line_column(span.start)
    }
}

/// Whether a byte of a UTF-8 text is the first of its character.
fn begins_character(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

fn count_characters(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|byte| begins_character(**byte)).count() as u32
}

impl SourceFile {
    fn new(name: String, text: Arc<str>) -> SourceFile {
        assert!(text.len() <= SourceMap::LARGEST, "callers check the size of files");
        let newlines = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(i, _)| i as u32 + 1)).collect();
        let mut characters = Vec::with_capacity(text.len() / APART + 1);
        let mut count = 0;
        for (i, byte) in text.bytes().enumerate() {
            if i % APART == 0 {
                characters.push(count);
            }
            count += u32::from(begins_character(byte));
        }
        SourceFile { name, text, line_starts, characters }
    }

    /// The number of characters before a byte.
    fn characters_before(&self, byte: usize) -> u32 {
        let Some(known) = self.characters.get(byte / APART) else {
            let all = self.characters.last().copied().unwrap_or(0);
            let rest = self.characters.len().saturating_sub(1) * APART..byte;
            return all + count_characters(&self.text.as_bytes()[rest]);
        };
        known + count_characters(&self.text.as_bytes()[byte / APART * APART..byte])
    }

    /// The line and column of a byte.
    #[must_use]
    pub fn line_column(&self, byte: u32) -> LineColumn {
        let line = self.line_starts.partition_point(|start| *start <= byte);
        let start = self.line_starts[line - 1] as usize;
        let column = self.characters_before(byte as usize) - self.characters_before(start);
        LineColumn { line: line as u32, column: column + 1 }
    }

    /// The bytes of some lines (counted from 1), cut to those that exist.
    #[must_use]
    pub fn lines(&self, first: u32, last: u32) -> Range<usize> {
        let at = |line: u32| {
            self.line_starts.get(line as usize).map_or(self.text.len(), |start| *start as usize)
        };
        at(first.max(1) - 1)..at(last)
    }
}

/// A part of a text with the parentheses that it opens or closes and that stand outside of
/// it: the place of `(a + b)` is that of `a + b`, and so a place may end before a `)`.
#[must_use]
pub fn with_parentheses(text: &str) -> String {
    let (mut open, mut missing) = (0_usize, 0_usize);
    for c in text.chars() {
        match c {
            '(' => open += 1,
            ')' if open > 0 => open -= 1,
            ')' => missing += 1,
            _ => {}
        }
    }
    format!("{}{text}{}", "(".repeat(missing), ")".repeat(open))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_and_by_character() {
        let mut map = SourceMap::new();
        let file = map.add("a.lus", "ab\n\u{e9}x\n");
        let at = |start| map.line_column(Span { file, start, end: start });
        assert_eq!(at(0), LineColumn { line: 1, column: 1 });
        assert_eq!(at(3), LineColumn { line: 2, column: 1 });
        assert_eq!(at(5), LineColumn { line: 2, column: 2 });
        assert_eq!(at(7), LineColumn { line: 3, column: 1 });
        assert_eq!(map.file(file).lines(2, 2), 3..7);
    }

    #[test]
    fn columns_of_a_long_line() {
        for length in [1, 100, 255, 256, 257, 511, 512, 513, 1000] {
            let text: String =
                "x\n".chars().chain("a\u{e9}\u{20ac}".chars().cycle().take(length)).collect();
            let mut map = SourceMap::new();
            let file = map.add("a.lus", text.clone());
            for (column, (start, _)) in text.char_indices().skip(2).enumerate() {
                let place = map.file(file).line_column(start as u32);
                assert_eq!(place, LineColumn { line: 2, column: column as u32 + 1 }, "{length}");
            }
            let end = map.file(file).line_column(text.len() as u32);
            assert_eq!(end.column as usize, length + 1);
        }
    }
}
