//! The obligations of a program by its text, and the text that asks for them.
//!
//! A condition that stands in an expression is asked for beside the equation: what it depends on there, on which side
//! of `->` it stands and which branches lead to it, is a part of the question. Where it would mean something else beside the
//! equation (inside of `when c then …`, of calls that do not always run, under quantifiers), it is not looked for.

use std::collections::BTreeMap;
use std::ops::Range;

use lustral_syntax::ast::{
    BinaryOp, Block, BlockKind, Case, ContractItem, ExprId, ExprKind, Exprs, Item, Part, Program,
    Tree, UnaryOp,
};
use lustral_syntax::printer::print_expr;
use lustral_syntax::{FileId, Span};

use super::{Kind, Obligation};

/// More conditions than this in one decision are not told apart.
const MOST_CONDITIONS: usize = 16;
/// Conditions below more branches than this are not looked at.
const DEEPEST: usize = 24;
/// More of an expression is not shown.
const LONGEST: usize = 80;

/// A question with its place in the text.
struct Insertion {
    tree: usize,
    at: usize,
    question: String,
    obligation: Obligation,
}

/// All questions.
pub(super) struct Insertions {
    list: Vec<Insertion>,
    /// What is left out of the text: other properties, and what it includes.
    blank: Vec<(usize, Range<usize>)>,
}

impl Insertions {
    pub fn collect(program: &Program, names: &BTreeMap<FileId, String>) -> Insertions {
        let mut found = Insertions { list: Vec::new(), blank: Vec::new() };
        for (number, tree) in program.trees.iter().enumerate() {
            let file = names.get(&tree.file).cloned().unwrap_or_default();
            found.blank.extend(tree.includes.iter().map(|include| {
                let end = include.path.span.range().end;
                let start = tree.text[..end].rfind("include").unwrap_or(end);
                (number, start..end)
            }));
            for declaration in &tree.declarations {
                if let lustral_syntax::ast::Declaration::Node(node) = declaration {
                    let name = node.name.name.to_string();
                    let mut walk =
                        Walk { tree, number, file: &file, node: name, found: &mut found };
                    walk.items(&node.items);
                }
            }
        }
        found
    }

    /// The text that asks, and where each question stands in it.
    pub fn text(&self, program: &Program) -> (String, Vec<Range<usize>>) {
        let mut out = String::new();
        let mut places = vec![0..0; self.list.len()];
        for (number, tree) in program.trees.iter().enumerate() {
            let mut text = tree.text.to_string().into_bytes();
            for (_, range) in self.blank.iter().filter(|(tree, _)| *tree == number) {
                text[range.clone()].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
            }
            let text = String::from_utf8_lossy(&text).into_owned();
            let mut here: Vec<usize> =
                (0..self.list.len()).filter(|i| self.list[*i].tree == number).collect();
            here.sort_by_key(|i| self.list[*i].at);
            let mut at = 0;
            for i in here {
                let insertion = &self.list[i];
                out.push_str(&text[at..insertion.at]);
                at = insertion.at;
                let start = out.len();
                out.push_str(&format!("check reachable \"{i}\" {}; ", insertion.question));
                places[i] = start..out.len();
            }
            out.push_str(&text[at..]);
            out.push('\n');
        }
        (out, places)
    }

    pub fn obligations(&self) -> Vec<Obligation> {
        self.list.iter().map(|insertion| insertion.obligation.clone()).collect()
    }

    /// Takes questions away.
    pub fn remove(&mut self, bad: &[usize]) -> Vec<Obligation> {
        let removed = bad.iter().map(|i| self.list[*i].obligation.clone()).collect();
        let mut number = 0;
        self.list.retain(|_| {
            number += 1;
            !bad.contains(&(number - 1))
        });
        removed
    }
}

/// The modes of the contracts of nodes, by the names that their properties have where the node is checked.
pub(super) fn modes(program: &Program, names: &BTreeMap<FileId, String>) -> Vec<Obligation> {
    let mut found = Vec::new();
    for (tree, node) in program.nodes() {
        let contracts = node.items.iter().filter_map(|item| match item {
            Item::Contract(contract) => Some(contract),
            _ => None,
        });
        for item in contracts.flat_map(|contract| &contract.items) {
            let ContractItem::Mode(mode) = item else { continue };
            found.push(Obligation {
                node: node.name.name.to_string(),
                kind: Kind::Mode,
                file: names.get(&tree.file).cloned().unwrap_or_default(),
                line: line(tree, mode.span),
                text: format!("`{}`", mode.name.name),
            });
        }
    }
    found
}

fn line(tree: &Tree, span: Span) -> u32 {
    1 + tree.text[..span.range().start].matches('\n').count() as u32
}

struct Walk<'a> {
    tree: &'a Tree,
    number: usize,
    file: &'a str,
    node: String,
    found: &'a mut Insertions,
}

fn place(item: &Item) -> Span {
    match item {
        Item::Equation(equation) => equation.span,
        Item::Property(property) => property.span,
        Item::Contract(contract) => contract.span,
        Item::Block(block) => block.span,
        Item::Assert(_, span)
        | Item::Candidate(_, _, span)
        | Item::Main(span)
        | Item::Realizable(_, span)
        | Item::Last(_, _, span) => *span,
    }
}

impl Walk<'_> {
    fn exprs(&self) -> &Exprs {
        &self.tree.exprs
    }

    fn shown(&self, id: ExprId) -> String {
        let text = print_expr(self.exprs(), id);
        match text.char_indices().nth(LONGEST) {
            Some((at, _)) => format!("{}…", &text[..at]),
            None => text,
        }
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            let at = place(item).range().start;
            match item {
                Item::Equation(equation) if equation.indices.is_empty() => {
                    self.expression(equation.right, at);
                }
                Item::Property(property) => {
                    self.found.blank.push((self.number, property.span.range()));
                }
                Item::Block(block) => self.block(block, at),
                _ => {}
            }
        }
    }

    fn add(&mut self, at: usize, kind: Kind, span: Span, question: String, text: String) {
        let line = line(self.tree, span);
        let (file, node) = (self.file.to_string(), self.node.clone());
        let obligation = Obligation { node, kind, file, line, text };
        self.found.list.push(Insertion { tree: self.number, at, question, obligation });
    }

    /// Asks for both sides of a condition.
    fn sides(&mut self, at: usize, condition: ExprId, path: &[String]) {
        let text = print_expr(self.exprs(), condition);
        let shown = self.shown(condition);
        let span = self.exprs()[condition].span;
        let yes = both(path, &format!("({text})"));
        let no = both(path, &format!("not ({text})"));
        self.add(at, Kind::Branch, span, yes, format!("`{shown}` is true"));
        self.add(at, Kind::Branch, span, no, format!("`{shown}` is false"));
    }

    fn expression(&mut self, root: ExprId, at: usize) {
        let mut stack: Vec<(ExprId, Vec<String>)> = vec![(root, Vec::new())];
        while let Some((id, path)) = stack.pop() {
            if path.len() > DEEPEST {
                continue;
            }
            let with = |more: String| path.iter().cloned().chain([more]).collect::<Vec<_>>();
            match self.exprs()[id].kind.clone() {
                ExprKind::If(condition, yes, no) => {
                    self.sides(at, condition, &path);
                    let text = print_expr(self.exprs(), condition);
                    stack.push((yes, with(format!("({text})"))));
                    stack.push((no, with(format!("not ({text})"))));
                    stack.push((condition, path));
                }
                ExprKind::Lazy(condition, ..) => {
                    self.sides(at, condition, &path);
                    stack.push((condition, path));
                }
                ExprKind::Merge(clock, branches) => {
                    for (case, _) in &branches {
                        let (question, value) = match case {
                            Case::True => (format!("{}", clock.name), "true".to_string()),
                            Case::False => (format!("not {}", clock.name), "false".to_string()),
                            Case::Value(v) => {
                                (format!("({} = {})", clock.name, v.name), v.name.to_string())
                            }
                        };
                        let text = format!("`{}` is {value}, of `merge`", clock.name);
                        self.add(at, Kind::Branch, clock.span, both(&path, &question), text);
                    }
                }
                ExprKind::Binary(BinaryOp::Arrow, first, later) => {
                    stack.push((first, with("(true -> false)".into())));
                    stack.push((later, with("(false -> true)".into())));
                }
                ExprKind::Activated(_)
                | ExprKind::Quantified(..)
                | ExprKind::Match(..)
                | ExprKind::With(..)
                | ExprKind::Binary(
                    BinaryOp::LazyImplies | BinaryOp::OrElse | BinaryOp::AndThen,
                    ..,
                ) => {}
                _ if is_decision(self.exprs(), id) => {
                    for leaf in self.decision(id, at, &path) {
                        stack.push((leaf, path.clone()));
                    }
                }
                _ => {
                    let operands = self.exprs().operands(id);
                    stack.extend(operands.into_iter().map(|operand| (operand, path.clone())));
                }
            }
        }
    }

    /// Asks that each condition of a decision decides alone, both ways (masking MC/DC): the
    /// other operands of the operators above it leave the outcome to it. Returns the conditions.
    fn decision(&mut self, root: ExprId, at: usize, path: &[String]) -> Vec<ExprId> {
        let mut leaves: Vec<(ExprId, Vec<String>)> = Vec::new();
        let mut stack = vec![(root, Vec::new())];
        while let Some((id, open)) = stack.pop() {
            let text = |id| print_expr(self.exprs(), id);
            let with = |more: Option<String>| open.iter().cloned().chain(more).collect::<Vec<_>>();
            match self.exprs()[id].kind {
                ExprKind::Unary(UnaryOp::Not, a) => stack.push((a, open)),
                ExprKind::Binary(op, a, b) if connects(op) => {
                    let (for_a, for_b) = match op {
                        BinaryOp::And => {
                            (Some(format!("({})", text(b))), Some(format!("({})", text(a))))
                        }
                        BinaryOp::Or => {
                            (Some(format!("not ({})", text(b))), Some(format!("not ({})", text(a))))
                        }
                        BinaryOp::Implies => {
                            (Some(format!("not ({})", text(b))), Some(format!("({})", text(a))))
                        }
                        _ => (None, None),
                    };
                    let (for_a, for_b) = (with(for_a), with(for_b));
                    stack.push((b, for_b));
                    stack.push((a, for_a));
                }
                _ => leaves.push((id, open)),
            }
        }
        if (2..=MOST_CONDITIONS).contains(&leaves.len()) {
            let whole = self.shown(root);
            for (leaf, open) in &leaves {
                let text = print_expr(self.exprs(), *leaf);
                let shown = self.shown(*leaf);
                let span = self.exprs()[*leaf].span;
                let path: Vec<String> = path.iter().chain(open).cloned().collect();
                for (value, sign) in [("true", ""), ("false", "not ")] {
                    let question = both(&path, &format!("{sign}({text})"));
                    let text = format!("`{shown}` is {value} and decides about `{whole}`");
                    self.add(at, Kind::Mcdc, span, question, text);
                }
            }
        }
        leaves.into_iter().map(|(leaf, _)| leaf).collect()
    }

    fn block(&mut self, block: &Block, at: usize) {
        match &block.kind {
            BlockKind::Conditional(choice) => {
                let mut earlier: Vec<String> = Vec::new();
                for branch in &choice.branches {
                    self.sides(at, branch.condition, &earlier);
                    earlier.push(format!("not ({})", print_expr(self.exprs(), branch.condition)));
                    self.items(&branch.part.items);
                }
                choice.otherwise.iter().for_each(|part| self.items(&part.items));
            }
            BlockKind::Switch(switch) => {
                for (value, part) in &switch.cases {
                    let text = format!("case `{}`", self.shown(*value));
                    self.inside(part, Kind::Branch, "true".into(), text);
                    self.items(&part.items);
                }
            }
            BlockKind::Automaton(automaton) => {
                for state in &automaton.states {
                    let name = &state.name.name;
                    self.inside(&state.part, Kind::State, "true".into(), format!("`{name}`"));
                    let mut earlier: Vec<String> = Vec::new();
                    // What leaves a state before it runs is not seen from inside of it.
                    for transition in state.transitions.iter().filter(|t| !t.strong) {
                        let condition = print_expr(self.exprs(), transition.condition);
                        let question = both(&earlier, &format!("({condition})"));
                        let (target, shown) =
                            (&transition.target.name, self.shown(transition.condition));
                        let text = format!("from `{name}` to `{target}` by `{shown}`");
                        self.inside(&state.part, Kind::Transition, question, text);
                        earlier.push(format!("not ({condition})"));
                    }
                    self.items(&state.part.items);
                }
            }
            BlockKind::Frame(frame) => self.items(&frame.items),
            BlockKind::Reset(items, _) => self.items(items),
            BlockKind::Local(part) => self.items(&part.items),
        }
    }

    /// Asks for something inside of a part, if that says anything.
    fn inside(&mut self, part: &Part, kind: Kind, question: String, text: String) {
        if let Some(first) = part.items.first() {
            let span = place(first);
            self.add(span.range().start, kind, part.span, question, text);
        }
    }
}

fn connects(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Implies)
}

fn is_decision(exprs: &Exprs, id: ExprId) -> bool {
    match exprs[id].kind {
        ExprKind::Unary(UnaryOp::Not, _) => true,
        ExprKind::Binary(op, ..) => connects(op),
        _ => false,
    }
}

fn both(path: &[String], last: &str) -> String {
    let all: Vec<&str> = path.iter().map(String::as_str).chain([last]).collect();
    format!("({})", all.join(" and "))
}
