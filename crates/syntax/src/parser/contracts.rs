//! Contracts: `con … noc`, `(*@contract … *)` and lines `--@ …` between the header and the
//! body of a node, and contract nodes.

use crate::ast::{
    Claim, Contract, ContractDeclaration, ContractItem, Declaration, ExprId, ExprKind, GapKind,
    Ghost, Import, Item, Mode,
};
use crate::lexer::LINES;
use crate::parser::expressions::State;
use crate::parser::{Parsed, Parser, Skipped};
use crate::source::Span;
use crate::token::TokenKind;

/// What ends a list of items.
#[derive(Clone, Copy, PartialEq)]
enum End {
    /// `noc`
    Noc,
    /// `*)`
    Close,
    /// `tel`
    Tel,
    /// The end of the line, or the line that follows.
    Line,
}

impl Parser<'_> {
    /// `::mode` or `::contract::mode`: a name that no flow can have.
    pub(super) fn mode_reference(&mut self, start: Span) -> Parsed<State> {
        let mut name = String::new();
        while self.eat(TokenKind::DoubleColon) {
            let part = self.ident("of a mode")?;
            name.push_str("::");
            name.push_str(&part.name);
        }
        let span = start.to(self.last_span());
        let name = self.intern(&name);
        Ok(State::Operator(self.push(ExprKind::Name(name), span)))
    }

    /// Whether a contract of a node begins here.
    pub(super) fn at_contract(&self) -> bool {
        self.is_word("con") || self.peek() == TokenKind::Contract && !self.at_contract_in_comment()
    }

    /// Whether a contract node begins here, perhaps in a comment.
    pub(super) fn at_contract_node(&self) -> bool {
        self.is_word("contract") && self.peek_after(1) == TokenKind::Identifier
            || self.at_contract_in_comment()
    }

    /// `(*@contract name (`: a whole contract node in a comment.
    fn at_contract_in_comment(&self) -> bool {
        self.peek() == TokenKind::Contract
            && self.peek_after(1) == TokenKind::Identifier
            && self.peek_after(2) == TokenKind::LeftParen
            && !matches!(self.word_after(1), "guarantee" | "assume")
    }

    /// The contract of a node that begins here.
    pub(super) fn contract(&mut self) -> Contract {
        let start = self.span();
        let end = match self.bump().kind {
            TokenKind::Contract => End::Close,
            _ => End::Noc,
        };
        let contract = self.contract_items(start, end);
        if end == End::Noc {
            self.eat(TokenKind::Semicolon);
        }
        contract
    }

    /// Lines `--@ requires e;` one after the other, as lustrec and CoCoSim write them.
    pub(super) fn contract_lines(&mut self, items: &mut Vec<Item>) {
        let start = self.span();
        let (mut claims, mut incomplete) = (Vec::new(), false);
        let mut begun = false;
        while self.peek() == TokenKind::ContractLine {
            let read = self.span().range().len() == "--@".len();
            if read && self.word_after(1) == "contract" {
                self.bump();
                self.bump();
            } else if read && LINES.contains(&self.word_after(1)) {
                self.bump();
                let line = self.contract_items(start, End::Line);
                claims.extend(line.items);
                incomplete |= line.incomplete;
            } else {
                self.unsupported_contract_line();
                continue;
            }
            begun = true;
        }
        if begun {
            let span = start.to(self.last_span());
            items.push(Item::Contract(Contract { items: claims, incomplete, span }));
        }
    }

    /// A contract that stands before its node, as in programs for older versions of lustrec.
    pub(super) fn contract_before_node(&mut self) {
        let start = self.span();
        let mut items = Vec::new();
        if self.peek() == TokenKind::ContractLine {
            self.contract_lines(&mut items);
        } else {
            items.push(Item::Contract(self.contract()));
        }
        let node = matches!(self.peek(), TokenKind::Node | TokenKind::Function)
            || self.at_annotated_node("transparent");
        let more = matches!(self.peek(), TokenKind::Contract | TokenKind::ContractLine)
            && !self.at_contract_node();
        for item in items {
            if let Item::Contract(contract) = item {
                self.said_before.push(contract);
            }
        }
        if !node && !more {
            self.said_before.clear();
            self.unsupported(start, "contracts outside of nodes");
            self.gap(GapKind::Text, start);
        }
    }

    /// `contract c(…) returns (…); let … tel`
    pub(super) fn contract_node(&mut self) -> Parsed<()> {
        let start = self.span();
        let commented = self.bump().kind == TokenKind::Contract;
        let name = self.ident("of a contract")?;
        self.node_gaps = Default::default();
        let after_name = self.span();
        let type_parameters = self.type_parameters()?;
        self.unsupported_parameters();
        let strange = self.peek() != TokenKind::LeftParen;
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        let read = self.header(&mut inputs, &mut outputs);
        let gaps = std::mem::take(&mut self.node_gaps);
        read?;
        if strange {
            // Perhaps there were type parameters.
            self.gap(GapKind::Text, after_name);
        }
        self.expect(TokenKind::Let, "and what the contract says")?;
        let contract = self.contract_items(start, End::Tel);
        let incomplete = gaps.inputs || gaps.outputs || strange;
        if !self.eat(TokenKind::Semicolon) {
            self.eat(TokenKind::Dot);
        }
        if commented {
            self.expect(TokenKind::Close, "after the contract")?;
        }
        let span = start.to(self.last_span());
        self.declarations.push(Declaration::Contract(ContractDeclaration {
            name,
            type_parameters,
            inputs,
            outputs,
            contract,
            span,
            incomplete,
        }));
        Ok(())
    }

    /// Items up to and including what ends them.
    fn contract_items(&mut self, start: Span, end: End) -> Contract {
        let mut items = Vec::new();
        let mut incomplete = false;
        loop {
            if self.at_end_of(end) {
                if end != End::Line {
                    self.bump();
                }
                break;
            }
            if self.ends_contract() {
                let what = match end {
                    End::Noc => "`noc` at the end of the contract",
                    End::Close => "`*)` at the end of the contract",
                    End::Tel => "`tel` at the end of the contract",
                    End::Line => "`;` at the end of the line",
                };
                // A comment that is never closed has its diagnostic.
                if end != End::Close {
                    let _: Parsed<()> = self.fail(what, None);
                }
                incomplete = true;
                break;
            }
            if self.contract_item(&mut items, &mut incomplete, end).is_err() {
                incomplete = true;
                if end != End::Line || !self.at_end_of(end) {
                    self.skip_contract_item(end);
                }
            }
        }
        Contract { items, incomplete, span: start.to(self.last_span()) }
    }

    fn at_end_of(&self, end: End) -> bool {
        match end {
            End::Noc => self.is_word("noc"),
            End::Close => self.peek() == TokenKind::Close,
            End::Tel => self.peek() == TokenKind::Tel,
            End::Line => self.begins_line() || self.peek() == TokenKind::End,
        }
    }

    /// Whether the end of the contract must be missing: a constant may be declared in
    /// it, a node may not.
    fn ends_contract(&self) -> bool {
        match self.peek() {
            TokenKind::Const | TokenKind::Type => false,
            TokenKind::Node | TokenKind::Function => self.at_declaration() && self.has_header(),
            _ => self.at_declaration(),
        }
    }

    /// Whether the word `node` that stands here has a `returns` of its own, and is no
    /// mistake for another word.
    fn has_header(&self) -> bool {
        use TokenKind::{Close, End, Function, Let, Node, Returns, Tel};
        let mut after = self.tokens[self.at + 1..].iter().map(|token| token.kind);
        after.find(|kind| matches!(kind, Returns | Let | Tel | Node | Function | Close | End))
            == Some(Returns)
    }

    /// Skips to the next item: what is left of a mode is no item.
    fn skip_contract_item(&mut self, end: End) {
        loop {
            self.bump();
            let inside = matches!(self.word(), "require" | "ensure" | ")");
            if self.at_end_of(end) || self.ends_contract() || self.begins_contract_item() && !inside
            {
                return;
            }
        }
    }

    fn contract_item(
        &mut self,
        items: &mut Vec<ContractItem>,
        incomplete: &mut bool,
        end: End,
    ) -> Parsed<()> {
        let start = self.span();
        let commented = matches!(end, End::Close | End::Line);
        match self.peek() {
            TokenKind::Semicolon => {
                self.bump();
                return Ok(());
            }
            TokenKind::Var => return self.ghosts(false, items),
            TokenKind::Const => return self.ghosts(true, items),
            _ => {}
        }
        let weak = self.is_word("weakly");
        if weak {
            self.bump();
        }
        let item = match self.word() {
            "assume" => ContractItem::Assume(self.claim(start, weak)?),
            "guarantee" => ContractItem::Guarantee(self.claim(start, weak)?),
            // The words of other tools, which write contracts in comments only.
            "requires" if commented => ContractItem::Assume(self.claim(start, weak)?),
            "ensures" if commented => ContractItem::Guarantee(self.claim(start, weak)?),
            "mode" if !weak => ContractItem::Mode(self.mode(incomplete)?),
            "import" if !weak => ContractItem::Import(self.import()?),
            "assumption_vars" if !weak => return self.assumption_variables(),
            "decreases" if !weak => return self.skip_unsupported(start, "measures (`decreases`)"),
            _ if weak => return self.fail("`assume` or `guarantee` after `weakly`", None),
            _ => {
                let expected = "an item of the contract: `assume`, `guarantee`, `mode`, `var`, \
                                `const` or `import`";
                return self.fail(expected, None);
            }
        };
        items.push(item);
        Ok(())
    }

    /// `assume "name" e;` and its like, whose word stands here.
    fn claim(&mut self, start: Span, weak: bool) -> Parsed<Claim> {
        self.bump();
        let name = self.quoted_name();
        let expr = self.expr()?;
        let span = start.to(self.last_span());
        self.end_of_claim()?;
        Ok(Claim { name, expr, weak, span })
    }

    /// The `;` after a claim; a contract in a comment may end without.
    fn end_of_claim(&mut self) -> Parsed<()> {
        if self.peek() == TokenKind::Close {
            return Ok(());
        }
        match self.expect(TokenKind::Semicolon, "after the item of the contract") {
            // Where only the `;` is missing, nothing is skipped.
            Err(Skipped) if !self.begins_contract_item() => Err(Skipped),
            _ => Ok(()),
        }
    }

    /// Whether an item of a contract or of a mode begins here, or one of these ends.
    fn begins_contract_item(&self) -> bool {
        const WORDS: [&str; 11] = [
            "assume",
            "guarantee",
            "mode",
            "import",
            "weakly",
            "require",
            "ensure",
            "requires",
            "ensures",
            "noc",
            "assumption_vars",
        ];
        match self.peek() {
            TokenKind::Var | TokenKind::Const | TokenKind::Tel | TokenKind::RightParen => true,
            TokenKind::Identifier => WORDS.contains(&self.word()),
            _ => false,
        }
    }

    /// `mode m (require e; ensure e;);`
    fn mode(&mut self, incomplete: &mut bool) -> Parsed<Mode> {
        let start = self.bump().span;
        let name = self.ident("of a mode")?;
        // Where only the parenthesis is missing, nothing is skipped.
        if self.expect(TokenKind::LeftParen, "after the name of the mode").is_err()
            && !self.begins_contract_item()
        {
            return Err(Skipped);
        }
        let (mut requires, mut ensures) = (Vec::new(), Vec::new());
        while !self.eat(TokenKind::RightParen) {
            if self.eat(TokenKind::Semicolon) {
                continue;
            }
            let item = self.span();
            let read = match self.word() {
                "require" => self.claim(item, false).map(|claim| requires.push(claim)),
                "ensure" => self.claim(item, false).map(|claim| ensures.push(claim)),
                _ => self.fail("`require`, `ensure` or `)`", None),
            };
            if read.is_err() {
                *incomplete = true;
                self.skip_in_mode();
            }
            if self.ends_mode() {
                break;
            }
        }
        let span = start.to(self.last_span());
        self.eat(TokenKind::Semicolon);
        Ok(Mode { name, requires, ensures, span })
    }

    /// Whether the mode ends here though its parenthesis is not closed.
    fn ends_mode(&self) -> bool {
        let other = self.begins_contract_item() && !matches!(self.word(), "require" | "ensure");
        other && self.peek() != TokenKind::RightParen
            || matches!(self.peek(), TokenKind::Close | TokenKind::Let | TokenKind::End)
    }

    /// Skips what is left of a part of a mode with a mistake.
    fn skip_in_mode(&mut self) {
        while !self.ends_mode() && self.peek() != TokenKind::RightParen {
            if self.bump().kind == TokenKind::Semicolon {
                return;
            }
        }
    }

    /// `import c(e) returns (y);`
    fn import(&mut self) -> Parsed<Import> {
        let start = self.bump().span;
        let contract = self.ident("of a contract")?;
        let types = self.type_arguments()?;
        let inputs = self.actuals()?;
        self.expect(TokenKind::Returns, "after the inputs of the contract")?;
        let outputs = self.actuals()?;
        let span = start.to(self.last_span());
        self.end_of_claim()?;
        Ok(Import { contract, types, inputs, outputs, span })
    }

    /// `(e, e)`; inputs and outputs may also be separated by `;`.
    fn actuals(&mut self) -> Parsed<Vec<ExprId>> {
        self.expect(TokenKind::LeftParen, "and what the flows of the contract are")?;
        let mut list = Vec::new();
        while self.peek() != TokenKind::RightParen {
            list.push(self.expr()?);
            if !self.eat(TokenKind::Comma) && !self.eat(TokenKind::Semicolon) {
                break;
            }
        }
        self.expect(TokenKind::RightParen, "after the flows of the contract")?;
        Ok(list)
    }

    /// `assumption_vars x, y;`: from which flows to generate assumptions, which is
    /// no part of what the contract says.
    fn assumption_variables(&mut self) -> Parsed<()> {
        self.bump();
        self.ident("of a flow")?;
        while self.eat(TokenKind::Comma) {
            self.ident("of a flow")?;
        }
        self.end_of_claim()
    }

    /// `var x: int = e;`, `var x, y: int = e;`, `var a: int, b: bool = e;`,
    /// `var x = e;`; and more of them after one `var`.
    fn ghosts(&mut self, constant: bool, items: &mut Vec<ContractItem>) -> Parsed<()> {
        let mut start = self.bump().span;
        loop {
            let (mut names, mut types) = (Vec::new(), Vec::new());
            let mut untyped = 0;
            loop {
                names.push(self.ident("of a ghost flow")?);
                untyped += 1;
                if self.eat(TokenKind::Colon) {
                    let ty = self.ty()?;
                    types.extend(std::iter::repeat_n(ty, untyped));
                    untyped = 0;
                }
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            if untyped > 0 && (names.len() > 1 || !types.is_empty()) {
                return self.fail("`:` and the type of the ghost flow", None);
            }
            self.expect(TokenKind::Equal, "and the definition of the ghost flow")?;
            let value = self.expr()?;
            let span = start.to(self.last_span());
            self.end_of_claim()?;
            items.push(ContractItem::Ghost(Ghost { names, types, value, constant, span }));
            let more = self.peek() == TokenKind::Identifier
                && matches!(self.peek_after(1), TokenKind::Colon | TokenKind::Comma);
            if !more {
                return Ok(());
            }
            start = self.span();
        }
    }
}
