//! Automata, in the forms of lustrec, Heptagon, Vélus and SCADE.

use crate::ast::{Automaton, BlockKind, ExprId, Ident, Part, State, Transition};
use crate::parser::blocks::Only;
use crate::parser::{Parsed, Parser, Skipped};
use crate::source::Span;
use crate::token::TokenKind;

/// What SCADE writes for transitions that have a condition in common.
const FORKS: &str = "forks of transitions (write a transition for each)";

impl Parser<'_> {
    /// `automaton state A do … until c then B … end` (Heptagon, Vélus, SCADE) and
    /// `automaton a state A: let … tel until c restart B` (lustrec)
    pub(super) fn automaton(&mut self) -> Parsed<BlockKind> {
        self.bump();
        let named = !self.at_state() && !self.is_word("initially");
        let name = if named { Some(self.ident("of an automaton")?) } else { None };
        let initially = if self.is_word("initially") { self.initially()? } else { Vec::new() };
        let mut states = Vec::new();
        // That of lustrec has no word at its end.
        let mut open = false;
        while self.at_state() {
            states.push(self.state(&mut open)?);
        }
        if states.is_empty() {
            return self.fail("`state` and the first state of the automaton", None);
        }
        if open || self.is_word("end") {
            self.end_word("end", "at the end of the automaton")?;
        }
        let returns = if self.eat(TokenKind::Returns) { self.returned()? } else { Vec::new() };
        Ok(BlockKind::Automaton(Automaton { name, initially, states, returns }))
    }

    /// What SCADE repeats at the end of an automaton: the flows that it defines, or `..`.
    pub(super) fn returned(&mut self) -> Parsed<Vec<Ident>> {
        let mut found = Vec::new();
        loop {
            if !self.eat(TokenKind::DotDot) {
                found.push(self.ident("of a flow")?);
            }
            if !self.eat(TokenKind::Comma) {
                return Ok(found);
            }
        }
    }

    pub(super) fn at_state(&self) -> bool {
        let mut offset = 0;
        while offset < 2 && matches!(self.word_after(offset), "initial" | "final") {
            offset += 1;
        }
        self.word_after(offset) == "state"
    }

    /// Whether a state or a transition stands here, and no flow of such a name.
    pub(super) fn at_lost_state(&self) -> bool {
        let named = self.peek_after(1) == TokenKind::Identifier;
        named && ["state", "unless", "until"].iter().any(|word| self.is_block_word(word))
    }

    /// `initially A`, or `initially if c then A; otherwise B`
    fn initially(&mut self) -> Parsed<Vec<(Option<ExprId>, Ident)>> {
        self.bump();
        let mut found = Vec::new();
        while self.eat(TokenKind::If) {
            let condition = self.condition();
            self.expect(TokenKind::Then, "after the condition")?;
            found.push((Some(condition), self.ident("of a state")?));
            self.eat(TokenKind::Semicolon);
        }
        if !found.is_empty() {
            self.end_word("otherwise", "and the state to begin with")?;
        }
        found.push((None, self.ident("of a state")?));
        self.eat(TokenKind::Semicolon);
        Ok(found)
    }

    fn state(&mut self, open: &mut bool) -> Parsed<State> {
        let start = self.span();
        let mut initial = false;
        while !self.is_word("state") {
            initial |= self.is_word("initial");
            if self.is_word("final") {
                let span = self.span();
                let help = "define a flow that is true in this state, and go by that outside";
                self.unsupported_but(span, "final states", help);
            }
            self.bump();
        }
        self.bump();
        let name = self.ident("of a state")?;
        self.eat(TokenKind::Colon);
        let mut transitions = Vec::new();
        self.transitions(&mut transitions)?;
        self.signals()?;
        let mut locals = Vec::new();
        let mut items = self.part_locals(&mut locals);
        if self.eat(TokenKind::Let) {
            items.extend(self.part_items(Only::Anything));
            self.expect(TokenKind::Tel, "at the end of the state")?;
            self.eat(TokenKind::Semicolon);
        } else if self.is_word("do") {
            *open = true;
            self.bump();
            self.inside_part(&mut locals, &mut items, Only::Anything);
        } else if !self.ends_empty_state() {
            return self.fail("`do` or `let` and what the state does", None);
        }
        let part = Part { locals, items, span: start.to(self.last_span()) };
        self.transitions(&mut transitions)?;
        Ok(State { name, initial, part, transitions })
    }

    /// Whether a state that says nothing ends here, as SCADE has it.
    fn ends_empty_state(&self) -> bool {
        let word = ["unless", "until", "end"].iter().any(|word| self.is_block_word(word));
        word || self.at_state() || self.peek() == TokenKind::Returns
    }

    /// `unless c then A | d continue B`, `until c restart A`, and their like
    fn transitions(&mut self, list: &mut Vec<Transition>) -> Parsed<()> {
        while self.is_block_word("unless") || self.is_block_word("until") {
            let strong = self.is_word("unless");
            self.bump();
            self.eat(TokenKind::Bar);
            loop {
                match self.transition(strong) {
                    Ok(transition) => list.push(transition),
                    Err(Skipped) => self.skip_transition(),
                }
                if self.is_block_word("elsif") {
                    let span = self.span();
                    self.unsupported(span, FORKS);
                    self.skip_transition();
                }
                let ended = self.eat(TokenKind::Semicolon);
                let more = self.eat(TokenKind::Bar)
                    || ended && self.peek() == TokenKind::If && self.if_of_scade();
                if !more {
                    break;
                }
            }
        }
        Ok(())
    }

    /// `c then A`, `c continue A`, `c restart A`, `c resume A`, `if c restart A`
    fn transition(&mut self, strong: bool) -> Parsed<Transition> {
        let start = self.span();
        if self.is_word("synchro") {
            let help =
                "define a flow that says that the automata inside have ended: `until done …`";
            self.unsupported_but(start, "synchronised transitions", help);
            self.bump();
            let condition = self.value_that_is_missing();
            return self.target(strong, condition, start);
        }
        if self.peek() == TokenKind::If && self.if_of_scade() {
            self.bump();
        }
        let condition = self.selector();
        self.target(strong, condition, start)
    }

    /// Skips the rest of a transition that cannot be read: nobody knows where it leads.
    fn skip_transition(&mut self) {
        use TokenKind::{Bar, Let, Semicolon, Tel, Var};
        self.node_gaps.body = true;
        while !matches!(self.peek(), Bar | Let | Semicolon | Tel | Var)
            && !self.is_word("do")
            && !self.at_state()
            && !self.at_end_of_part()
            && !self.at_declaration()
        {
            self.bump();
        }
    }

    /// `then A`, `continue A`, `restart A`, `resume A`
    fn target(&mut self, strong: bool, condition: ExprId, start: Span) -> Parsed<Transition> {
        if self.is_word("do") {
            // SCADE: what the transition does.
            self.bump();
            if !self.is_word("restart") && !self.is_word("resume") {
                let span = self.span();
                let what = "actions of transitions (write the equation into the state)";
                return self.skip_unsupported(span, what);
            }
        }
        let history = match self.peek() {
            TokenKind::Then => false,
            TokenKind::If => return self.unsupported_fork(),
            _ if self.is_word("restart") => false,
            _ if self.is_word("continue") || self.is_word("resume") => true,
            _ => return self.fail("`then`, `continue`, `restart` or `resume`", None),
        };
        self.bump();
        let target = self.ident("of a state")?;
        let span = start.to(target.span);
        Ok(Transition { strong, condition, history, target, span })
    }

    /// `if c if d restart A; else restart B; end`: skipped to its end.
    fn unsupported_fork(&mut self) -> Parsed<Transition> {
        let span = self.span();
        while !self.is_word("end") && self.peek() != TokenKind::Tel && !self.at_declaration() {
            self.bump();
        }
        if self.is_word("end") {
            self.bump();
        }
        self.skip_unsupported(span, FORKS)
    }

    /// Whether the `if` of a transition is a mere word: no `then` belongs to it.
    fn if_of_scade(&self) -> bool {
        for token in &self.tokens[self.at..] {
            match token.kind {
                TokenKind::Then => return false,
                TokenKind::Semicolon | TokenKind::End => return true,
                TokenKind::Identifier => {
                    if matches!(&self.text[token.span.range()], "restart" | "resume") {
                        return true;
                    }
                }
                _ => {}
            }
        }
        true
    }
}
