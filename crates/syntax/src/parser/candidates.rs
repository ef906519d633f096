//! Files of candidates: `node name`, then expressions that end with `;`.

use crate::ast::{CandidateBlock, CandidateFile, CandidateRole, Program};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::dialect::{Dialect, Wish};
use crate::lexer::lex;
use crate::parser::{Parsed, Parser};
use crate::source::{FileId, SourceMap};
use crate::token::TokenKind;

/// Candidates are written by Lustral, whatever the dialect of the program is.
const CANDIDATES: Wish = Wish { option: Some(Dialect::Kind2), marked: None, surroundings: None };

/// Parses a file of candidates and adds them to a program. What cannot be
/// parsed is skipped with a warning: candidates are guesses, and a program is
/// not rejected because of them. Returns how many there are, the skipped
/// included.
pub fn parse_candidates(
    sources: &SourceMap,
    file: FileId,
    program: &mut Program,
    diagnostics: &mut Diagnostics,
) -> usize {
    let text = sources.file(file).text.clone();
    let mut parser = Parser::new(&text, lex(file, &text, CANDIDATES));
    let (blocks, count) = parser.candidate_file();
    parser.diagnostics.iter().for_each(|d| diagnostics.push(as_warning(d)));
    program.candidates.push(CandidateFile { exprs: parser.exprs, blocks });
    count
}

fn as_warning(diagnostic: &Diagnostic) -> Diagnostic {
    let diagnostic = diagnostic.clone();
    match diagnostic.severity {
        Severity::Warning => diagnostic,
        Severity::Error => Diagnostic { severity: Severity::Warning, ..diagnostic }
            .note("the candidate is skipped"),
    }
}

impl Parser<'_> {
    fn candidate_file(&mut self) -> (Vec<CandidateBlock>, usize) {
        let mut blocks = Vec::new();
        let mut count = 0;
        while self.peek() != TokenKind::End {
            if self.eat(TokenKind::Node) || self.eat(TokenKind::Function) {
                if let Ok(node) = self.ident("of a node") {
                    self.eat(TokenKind::Semicolon);
                    let list = self.candidate_block(&mut count);
                    blocks.push(CandidateBlock { node, list });
                }
            } else {
                let _: Parsed<()> = self.fail("`node` and the name of a node", None);
            }
            // Only after a mistake is there something left of the block.
            while !matches!(self.peek(), TokenKind::Node | TokenKind::Function | TokenKind::End) {
                self.bump();
            }
        }
        (blocks, count)
    }

    /// `requires` or `ensures` before a candidate. They are words only where an
    /// expression follows: flows may have these names. No candidate calls a node, so a
    /// parenthesis begins an expression; and so does a sign.
    pub(super) fn candidate_role(&mut self) -> CandidateRole {
        let role = match self.word() {
            _ if self.peek() != TokenKind::Identifier => return CandidateRole::Invariant,
            "requires" => CandidateRole::Requires,
            "ensures" => CandidateRole::Ensures,
            _ => return CandidateRole::Invariant,
        };
        if !matches!(
            self.peek_after(1),
            TokenKind::Identifier
                | TokenKind::Integer
                | TokenKind::Decimal
                | TokenKind::LeftParen
                | TokenKind::Minus
                | TokenKind::Not
                | TokenKind::If
                | TokenKind::Pre
                | TokenKind::True
                | TokenKind::False
        ) {
            return CandidateRole::Invariant;
        }
        self.bump();
        role
    }

    fn candidate_block(&mut self, count: &mut usize) -> Vec<(CandidateRole, crate::ast::ExprId)> {
        let mut list = Vec::new();
        while !matches!(self.peek(), TokenKind::Node | TokenKind::Function | TokenKind::End) {
            *count += 1;
            let role = self.candidate_role();
            let parsed = self.expr();
            let ended =
                parsed.is_ok() && self.expect(TokenKind::Semicolon, "after the candidate").is_ok();
            match parsed {
                Ok(expr) if ended => list.push((role, expr)),
                _ => self.skip_candidate(),
            }
        }
        list
    }

    fn skip_candidate(&mut self) {
        while !matches!(self.peek(), TokenKind::Node | TokenKind::Function | TokenKind::End) {
            if self.bump().kind == TokenKind::Semicolon {
                return;
            }
        }
    }
}
