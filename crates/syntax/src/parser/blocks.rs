//! Blocks of bodies: choices, switches, resets. Where the outline of one cannot be read, the
//! rest of its node is left out.

use crate::ast::{
    Block, BlockKind, Branch, Conditional, DEEPEST, ExprId, ExprKind, Item, Part, Variable,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::parser::expressions::State;
use crate::parser::{Parsed, Parser, Skipped};
use crate::source::Span;
use crate::token::TokenKind;

/// The words that end a part of a block, or the whole of it.
const ENDS: [&str; 10] =
    ["fi", "elsif", "end", "done", "until", "unless", "state", "otherwise", "every", "default"];

/// The words that may begin what a part says.
const BEGINNINGS: [&str; 11] = [
    "activate",
    "automaton",
    "check",
    "cond",
    "do",
    "frame",
    "last",
    "match",
    "present",
    "reset",
    "switch",
];

/// What a part may say.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Only {
    /// Equations and blocks of them.
    Equations,
    /// All that a body can say.
    Anything,
}

impl Parser<'_> {
    /// Whether a word stands here that begins or ends a block, and no flow.
    pub(super) fn is_block_word(&self, word: &str) -> bool {
        // What a condition follows may look like an equation: `elsif [a] = b then`.
        let flow = match word {
            "elsif" | "every" | "until" | "unless" => {
                matches!(self.peek_after(1), TokenKind::Equal | TokenKind::Comma)
            }
            _ => self.at_equation(),
        };
        self.is_word(word)
            && !flow
            && (self.peek_after(1) != TokenKind::Colon || word == "otherwise")
    }

    /// Whether `last x` or `last 'x` stands here.
    pub(super) fn at_last(&self) -> bool {
        self.is_word("last")
            && matches!(self.peek_after(1), TokenKind::Identifier | TokenKind::Quote)
    }

    /// `last x`, in an expression
    pub(super) fn last(&mut self, start: Span) -> Parsed<State> {
        self.bump();
        // SCADE: `last 'x`
        self.eat(TokenKind::Quote);
        let flow = self.ident("of a flow")?;
        let span = start.to(flow.span);
        Ok(State::Operator(self.push(ExprKind::Last(flow), span)))
    }

    /// Whether a part of a block ends here.
    pub(super) fn at_end_of_part(&self) -> bool {
        match self.peek() {
            TokenKind::Else | TokenKind::Bar | TokenKind::Returns => true,
            TokenKind::Identifier => {
                ENDS.iter().any(|word| self.is_block_word(word))
                    || matches!(self.word(), "initial" | "final") && self.at_state()
            }
            _ => false,
        }
    }

    /// Whether a block begins here.
    pub(super) fn at_block(&self) -> bool {
        let follows = self.peek_after(1);
        match self.peek() {
            TokenKind::Var => self.lacks_tel(0),
            TokenKind::If | TokenKind::When => self.equations_follow(),
            TokenKind::Identifier => match self.word() {
                "frame" => follows == TokenKind::LeftParen,
                "cond" => follows == TokenKind::Bar,
                "automaton" => matches!(follows, TokenKind::Identifier),
                "activate" => self.at_activate_block(),
                "do" | "switch" | "match" | "present" | "reset" => self.is_block_word(self.word()),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether equations stand behind the `then` of the `if` that stands here: else it is
    /// an expression, of which the beginning got lost.
    fn equations_follow(&self) -> bool {
        let (mut open, mut braces, mut angles) = (1usize, 0usize, 0usize);
        // Of `any@<bool>`: how many are open, and where the last one was closed.
        let (mut types, mut closed) = (0usize, None);
        for (offset, token) in self.tokens[self.at..].iter().enumerate().skip(1) {
            match token.kind {
                TokenKind::Less if types > 0 || self.peek_after(offset - 1) == TokenKind::At => {
                    types += 1;
                }
                TokenKind::Greater if types > 0 => {
                    types -= 1;
                    closed = Some(offset);
                }
                TokenKind::Semicolon if types > 0 => {}
                // In static arguments `if` is the operator by itself, and `;` is between them.
                TokenKind::Less if self.ends_angles(offset) => angles += 2,
                TokenKind::Greater => angles = angles.saturating_sub(1),
                TokenKind::If | TokenKind::Semicolon if angles > 0 => {}
                TokenKind::If => open += 1,
                TokenKind::Identifier if self.at_with(offset) => open += 1,
                // Behind an operand it samples that, and has no `then`.
                TokenKind::When if closed == Some(offset - 1) => {}
                TokenKind::When if !self.ends_operand(offset - 1) => open += 1,
                // Fields of a record have a `;` between them.
                TokenKind::LeftBrace => braces += 1,
                TokenKind::RightBrace => braces = braces.saturating_sub(1),
                TokenKind::Semicolon if braces == 0 => return false,
                TokenKind::Tel | TokenKind::Let | TokenKind::End => return false,
                // `and then`
                TokenKind::Then if self.peek_after(offset - 1) == TokenKind::And => {}
                TokenKind::Then => {
                    open = open.saturating_sub(1);
                    let next = self.peek_after(offset + 1);
                    match next {
                        _ if open > 0 => {}
                        // It has a `then` of its own.
                        TokenKind::When | TokenKind::If => {}
                        _ => return self.begins_equation(offset + 1),
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// Whether the token some tokens on is the second of `<<`.
    fn ends_angles(&self, offset: usize) -> bool {
        let less = |back| offset >= back && self.peek_after(offset - back) == TokenKind::Less;
        less(0) && less(1) && !less(2)
    }

    /// Whether the token some tokens on may be the last one of an operand.
    fn ends_operand(&self, offset: usize) -> bool {
        use TokenKind::{Decimal, False, Identifier, Integer, RightBrace, RightBracket};
        matches!(
            self.peek_after(offset),
            Identifier | Integer | Decimal | TokenKind::True | False | RightBracket | RightBrace
        ) || self.peek_after(offset) == TokenKind::RightParen
    }

    /// Whether an equation, a block or the end of one stands some tokens on.
    fn begins_equation(&self, offset: usize) -> bool {
        use TokenKind::{Assert, Comma, Else, Equal, LeftBracket, LeftParen, Property, Var};
        let word = self.word_after(offset);
        match self.peek_after(offset) {
            TokenKind::Identifier => {
                matches!(self.peek_after(offset + 1), Equal | Comma | LeftBracket)
                    || self.begins_call_statement(offset)
                    || ENDS.contains(&word)
                    || BEGINNINGS.contains(&word)
            }
            LeftParen => match self.peek_after(offset + 1) {
                TokenKind::RightParen => self.peek_after(offset + 2) == Equal,
                TokenKind::Identifier => self.peek_after(offset + 2) == Comma,
                _ => false,
            },
            Else | Var | Assert | Property => true,
            _ => false,
        }
    }

    /// The block that begins here.
    pub(super) fn block(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let start = self.span();
        if self.depth >= DEEPEST {
            let message = format!("blocks are nested more than {DEEPEST} deep");
            self.complain(Diagnostic::error(Code::Syntax, start, message));
            self.node_gaps.body = true;
            return Err(Skipped);
        }
        self.depth += 1;
        let kind = self.block_kind();
        self.depth -= 1;
        let kind = kind.inspect_err(|_| self.give_up_body())?;
        self.eat(TokenKind::Semicolon);
        items.push(Item::Block(Block { kind, span: start.to(self.last_span()) }));
        Ok(())
    }

    /// A block cannot be read: what follows may be its rest, and nothing is said of it.
    pub(super) fn give_up_body(&mut self) {
        self.node_gaps.body = true;
        let rest = self.tokens[self.at..].iter().take_while(|token| {
            use TokenKind::{Const, End, Function, Node, Type};
            !matches!(token.kind, Node | Function | Type | Const | End)
        });
        let ends = (self.at..).zip(rest).filter(|(_, token)| token.kind == TokenKind::Tel);
        if let Some((end, _)) = ends.last() {
            self.at = end;
            self.wrong = Some(end);
        }
    }

    fn block_kind(&mut self) -> Parsed<BlockKind> {
        let first = self.peek();
        if first == TokenKind::Var || self.is_word("do") {
            return self.local_block();
        }
        match self.word() {
            "automaton" => self.automaton(),
            "activate" => self.activate_block(),
            "frame" => self.frame(),
            "cond" => self.cond(),
            "present" => self.present(),
            "switch" | "match" => self.switch(),
            "reset" => {
                self.bump();
                let around = std::mem::replace(&mut self.in_reset, true);
                let items = self.part_items(Only::Anything);
                self.in_reset = around;
                self.end_word("every", "at the end of the `reset` block")?;
                let every = self.expr()?;
                Ok(BlockKind::Reset(items, every))
            }
            _ => self.conditional(),
        }
    }

    /// All up to the end of a part, which is left.
    pub(super) fn part_items(&mut self, only: Only) -> Vec<Item> {
        let mut items = Vec::new();
        while !self.at_end_of_part() && self.peek() != TokenKind::Tel && !self.at_declaration() {
            if only == Only::Equations && self.at_claim() {
                break;
            }
            if self.item(&mut items).is_err() {
                self.skip_to_item();
            }
        }
        items
    }

    /// Skips what ends a part of a block whose beginning could not be read.
    pub(super) fn skip_orphan(&mut self) {
        let condition = self.is_word("elsif") || self.is_word("until") || self.is_word("unless");
        self.bump();
        while condition
            && !matches!(self.peek(), TokenKind::Then | TokenKind::Semicolon | TokenKind::Tel)
            && !self.at_declaration()
        {
            self.bump();
        }
        self.eat(TokenKind::Then);
    }

    /// Whether something stands here that a block of equations cannot have.
    fn at_claim(&self) -> bool {
        let frame = self.is_word("frame") && self.peek_after(1) == TokenKind::LeftParen;
        let check = self.is_word("check") && self.begins_line() && !self.at_equation();
        let kind = self.peek();
        frame || check || matches!(kind, TokenKind::Assert | TokenKind::Property | TokenKind::Main)
    }

    /// What a branch says.
    pub(super) fn part(&mut self, only: Only) -> Part {
        let start = self.span();
        let mut locals = Vec::new();
        let mut items = self.part_locals(&mut locals);
        if self.is_word("do") {
            self.bump();
        }
        self.inside_part(&mut locals, &mut items, only);
        if self.is_block_word("done") {
            self.bump();
        }
        Part { locals, items, span: start.to(self.last_span()) }
    }

    /// What stands in a part after its `do`. Flows may be declared there too, before `in`
    /// (Heptagon) or `let` (Vélus).
    pub(super) fn inside_part(
        &mut self,
        locals: &mut Vec<Variable>,
        items: &mut Vec<Item>,
        only: Only,
    ) {
        items.extend(self.part_locals(locals));
        if self.is_word("in") {
            self.bump();
        }
        if !locals.is_empty() && self.eat(TokenKind::Let) {
            items.extend(self.part_items(only));
            let _ = self.expect(TokenKind::Tel, "at the end of the block");
            self.eat(TokenKind::Semicolon);
        }
        items.extend(self.part_items(only));
    }

    /// `var x: t; y: u;`, with the last values that are given there.
    pub(super) fn part_locals(&mut self, locals: &mut Vec<Variable>) -> Vec<Item> {
        let around = std::mem::take(&mut self.lasts);
        while self.eat(TokenKind::Var) {
            if !self.locals(locals) {
                self.node_gaps.locals = true;
            }
        }
        std::mem::replace(&mut self.lasts, around)
    }

    /// Takes the word that stands here; whether it is this one.
    fn bump_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.bump();
        found
    }

    /// The word that ends a block.
    pub(super) fn end_word(&mut self, word: &str, place: &str) -> Parsed<()> {
        if self.is_word(word) {
            self.bump();
            return Ok(());
        }
        self.fail(&format!("`{word}` {place}"), None)
    }

    /// A condition.
    pub(super) fn condition(&mut self) -> ExprId {
        self.expr().unwrap_or_else(|Skipped| self.skip_condition())
    }

    /// Skips a condition that cannot be read.
    pub(super) fn skip_condition(&mut self) -> ExprId {
        while !matches!(self.peek(), TokenKind::Then | TokenKind::Semicolon | TokenKind::Tel)
            && !["do", "restart", "resume", "continue"].iter().any(|word| self.is_word(word))
            && !self.at_end_of_part()
            && !self.at_declaration()
        {
            self.bump();
        }
        self.value_that_is_missing()
    }

    /// `if c then … elsif d then … else … fi` and `when c then … else … end`
    fn conditional(&mut self) -> Parsed<BlockKind> {
        let mut lazy = self.bump().kind == TokenKind::When;
        let what = if lazy { "`when`" } else { "`if`" };
        let only = if lazy { Only::Anything } else { Only::Equations };
        let mut branches = Vec::new();
        loop {
            let condition = self.condition();
            let context = format!("after the condition of {what}");
            let then = self.expect(TokenKind::Then, &context);
            if then.is_err() && !self.begins_item() {
                return Err(Skipped);
            }
            branches.push(Branch { condition, part: self.part(only) });
            if !self.is_block_word("elsif") {
                break;
            }
            self.bump();
        }
        let otherwise = self.eat(TokenKind::Else).then(|| self.part(only));
        if self.is_word("fi") || self.is_word("end") {
            // `if … end` is Heptagon's, of which only a branch takes a step.
            lazy |= self.bump_word("end");
        } else {
            let end = if lazy { "`end`" } else { "`fi`" };
            let help = "equations and blocks of them can stand in it, and nothing else";
            self.fail::<()>(&format!("{end} at the end of the {what} block"), Some(help))?;
        }
        Ok(BlockKind::Conditional(Conditional { lazy, branches, otherwise, returns: Vec::new() }))
    }

    /// `var x: t; let … tel` and `do var x: t in … done`
    fn local_block(&mut self) -> Parsed<BlockKind> {
        let start = self.span();
        let word = self.is_word("do");
        if word {
            self.bump();
        }
        let mut locals = Vec::new();
        let mut items = self.part_locals(&mut locals);
        if self.is_word("in") {
            self.bump();
        }
        if !word {
            self.expect(TokenKind::Let, "and the equations of the block")?;
        }
        items.extend(self.part_items(Only::Anything));
        if word {
            self.end_word("done", "at the end of the block")?;
        } else {
            self.expect(TokenKind::Tel, "at the end of the block")?;
        }
        let span: Span = start.to(self.last_span());
        Ok(BlockKind::Local(Part { locals, items, span }))
    }
}
