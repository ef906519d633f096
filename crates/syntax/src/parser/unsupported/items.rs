//! Parts of bodies: contracts, other queries than invariants.

use crate::diagnostic::Diagnostic;
use crate::parser::{Parsed, Parser, Skipped};
use crate::token::TokenKind;

impl Parser<'_> {
    /// `a[0] = e;`, `a[0..3] = e;`: where no index names all elements.
    pub(in crate::parser) fn unsupported_element<T>(&mut self) -> Parsed<T> {
        let span = self.span();
        self.skip_group();
        self.diagnostics.push(
            Diagnostic::unsupported(span.to(self.last_span()), "definitions of single elements")
                .help("define all elements at once: `a[i] = if i = 0 then … else …;`"),
        );
        Err(Skipped)
    }

    /// `X (int, bool)`: fields of a data type without names
    pub(in crate::parser) fn unsupported_fields<T>(&mut self) -> Parsed<T> {
        let diagnostic = Diagnostic::unsupported(self.span(), "fields without names");
        self.complain(diagnostic.help("name them: `X (first: int, second: bool)`"));
        Err(Skipped)
    }

    /// `match x with | 1 : …`
    pub(in crate::parser) fn unsupported_pattern<T>(&mut self) -> Parsed<T> {
        let diagnostic =
            Diagnostic::unsupported(self.span(), "numbers and truth values in patterns");
        self.complain(diagnostic.help("write `if x = 1 then … else …`"));
        Err(Skipped)
    }

    /// `p.x = e;`, `p[i].x = e;`
    pub(in crate::parser) fn unsupported_field<T>(&mut self) -> Parsed<T> {
        let diagnostic = Diagnostic::unsupported(self.span(), "definitions of single fields");
        self.complain(diagnostic.help(
            "define the whole record: `p = t { x = …; y = … };`; where the name of a flow has a `.` in \
             it, as in programs that a tool inlined, write `p_x`",
        ));
        Err(Skipped)
    }

    pub(in crate::parser) fn unsupported_item(&mut self) -> Parsed<()> {
        let span = self.span();
        let what = match self.peek() {
            TokenKind::Identifier
                if ["assume", "guarantee", "require", "ensure", "mode"]
                    .iter()
                    .any(|w| self.is_word(w))
                    && !matches!(self.peek_after(1), TokenKind::Equal | TokenKind::Comma) =>
            {
                "clauses of contracts between equations"
            }
            _ => return Ok(()),
        };
        let diagnostic = Diagnostic::unsupported(span, what);
        self.diagnostics.push(diagnostic.help(
            "write them before the body, between `returns (…);` and `let`: \
             `con assume \"A\" e; guarantee \"G\" e; noc`",
        ));
        Err(Skipped)
    }
}
