//! Generated programs as trees, which can be written, permuted and reduced.

mod blocks;
mod contracts;
mod structures;

use std::fmt::Write;

pub use blocks::{Block, State, Transition};
pub use contracts::Clause;

/// An expression. Names and literals are leaves.
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    /// A name or a literal.
    Leaf(String),
    /// An operator before its operand.
    Prefix(&'static str, Box<Expr>),
    /// An operator between its operands.
    Infix(&'static str, Box<Expr>, Box<Expr>),
    /// `if c then a else b`
    If(Box<[Expr; 3]>),
    /// A call of a node.
    Call(String, Vec<Expr>),
    /// `#(a, b, c)`
    AtMostOne(Vec<Expr>),
    /// `(a, b, c)`
    Tuple(Vec<Expr>),
    /// `t { a = 1; b = 2 }`
    Record(String, Vec<(String, Expr)>),
    /// `[a, b, c]`
    Array(Vec<Expr>),
    /// `{a, b}@<t>`, with the type as it is written
    Set(Vec<Expr>, String),
    /// `e^n`
    Repeat(Box<Expr>, usize),
    /// `r.a`
    Field(Box<Expr>, String),
    /// `a[i]`
    Element(Box<[Expr; 2]>),
    /// `forall (i: int) e` or `exists (i: int) e`
    Quantified(&'static str, &'static str, Box<Expr>),
    /// `uint8 e`
    Convert(String, Box<Expr>),
    /// `e[7:0]`
    Bits(Box<Expr>, u16, u16),
    /// `a[i := e]`: the whole, what is changed, and the value
    Update(Box<[Expr; 3]>),
    /// A call of a node that runs at times.
    Activated(String, Vec<Expr>, Box<Activation>),
    /// `e when c`, the clock as it is written
    When(Box<Expr>, String),
    /// `merge c (A -> a) (B -> b)`
    Merge(String, Vec<(String, Expr)>),
    /// `match e with | A(x) : a | _ : b end`, the patterns as they are written
    Match(Box<Expr>, Vec<(String, Expr)>),
    /// `case e of (A => a) (_ => b)`
    Case(Box<Expr>, Vec<(String, Expr)>),
}

/// When a called node runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Activation {
    /// When it does; none for always.
    pub clock: Option<Expr>,
    /// What its output is before.
    pub default: Option<Expr>,
    /// When it begins anew; none for never.
    pub reset: Option<Expr>,
}

/// A declared flow.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Its name.
    pub name: String,
    /// Its type, as it is written.
    pub ty: String,
}

/// How a property is written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Form {
    /// `check e;` or `check "name" e;`
    Check,
    /// `--%PROPERTY e;` or `--%PROPERTY "name" e;`
    Annotation,
    /// `--!PROPERTY : e;`
    OldAnnotation,
    /// `check reachable e;` or `check reachable "name" e;`: the property is the opposite.
    Reachable,
}

/// A part of a body.
#[derive(Clone, Debug)]
pub enum Item {
    /// Definitions of some flows.
    Equation(Vec<String>, Expr),
    /// The definition of an array: its name, its index, an element.
    ByIndex(String, String, Expr),
    /// An assertion.
    Assert(Expr),
    /// A property, perhaps with a name.
    Property(Form, Option<String>, Expr),
    /// `last x = e;`
    Last(String, Expr),
    /// A part with equations of its own.
    Block(Block),
    /// A clause of the contract, which stands before the body.
    Clause(Clause),
    /// The mark of the main node.
    Main,
}

/// A node or function.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Whether it is declared as `function`.
    pub is_function: bool,
    /// The inputs.
    pub inputs: Vec<Flow>,
    /// The outputs.
    pub outputs: Vec<Flow>,
    /// The local flows.
    pub locals: Vec<Flow>,
    /// The body.
    pub items: Vec<Item>,
}

/// A declaration of a program.
#[derive(Clone, Debug)]
pub enum Declaration {
    /// A name for a type; behind the word `datatype`, the constructors of one.
    Type(String, String),
    /// A constant, perhaps with its type.
    Const(String, Option<String>, Expr),
    /// A constant without a value, and its type.
    Free(String, String),
    /// A node or function.
    Node(Node),
}

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// In the order of the text.
    pub declarations: Vec<Declaration>,
}

/// Which parentheses are written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Parentheses {
    /// Around every operand that is no leaf.
    All,
    /// Where the operators would bind otherwise without them.
    Needed,
}

impl Expr {
    /// A leaf.
    pub fn leaf(text: impl Into<String>) -> Expr {
        Expr::Leaf(text.into())
    }

    /// A prefix operator.
    #[must_use]
    pub fn prefix(op: &'static str, operand: Expr) -> Expr {
        Expr::Prefix(op, Box::new(operand))
    }

    /// An infix operator.
    #[must_use]
    pub fn infix(left: Expr, op: &'static str, right: Expr) -> Expr {
        Expr::Infix(op, Box::new(left), Box::new(right))
    }

    /// `if c then a else b`
    #[must_use]
    pub fn cond(c: Expr, a: Expr, b: Expr) -> Expr {
        Expr::If(Box::new([c, a, b]))
    }

    /// How much it binds.
    fn strength(&self) -> u8 {
        match self {
            Expr::If(_)
            | Expr::Quantified(..)
            | Expr::Convert(..)
            | Expr::When(..)
            | Expr::Merge(..)
            | Expr::Case(..) => 0,
            Expr::Infix(op, ..) => strength(op),
            Expr::Prefix(..) => PREFIX,
            _ => TIGHT,
        }
    }

    fn write(&self, least: u8, style: Parentheses, out: &mut String) {
        let inside = matches!(style, Parentheses::All) && least > 0 && self.strength() < TIGHT;
        let open = inside || self.strength() < least;
        if open {
            out.push('(');
        }
        match self {
            Expr::Leaf(text) => out.push_str(text),
            Expr::Prefix(op, operand) => {
                let _ = write!(out, "{op} ");
                operand.write(PREFIX, style, out);
            }
            Expr::Infix(op, left, right) => {
                let own = strength(op);
                let to_the_right = matches!(*op, "->" | "=>" | "==>" | "fby");
                left.write(own + u8::from(to_the_right), style, out);
                let _ = write!(out, " {op} ");
                right.write(own + u8::from(!to_the_right), style, out);
            }
            Expr::If(parts) => {
                for (word, part) in ["if ", " then ", " else "].into_iter().zip(parts.iter()) {
                    out.push_str(word);
                    // Every branch may stand alone, whatever is in it.
                    part.write(u8::from(style == Parentheses::All), style, out);
                }
            }
            Expr::Call(name, list) => list_text(name, list, style, out),
            Expr::AtMostOne(list) => list_text("#", list, style, out),
            Expr::Tuple(list) => list_text("", list, style, out),
            Expr::Activated(name, args, activation) => {
                activation.write(name, args, style, out);
            }
            Expr::When(sampled, clock) => {
                sampled.write(TIGHT, style, out);
                let _ = write!(out, " when {clock}");
            }
            Expr::Merge(clock, branches) => {
                let _ = write!(out, "merge {clock}");
                for (case, branch) in branches {
                    let _ = write!(out, " ({case} => ");
                    branch.write(0, style, out);
                    out.push(')');
                }
            }
            _ => self.write_structure(style, out),
        }
        if open {
            out.push(')');
        }
    }

    pub(crate) fn text(&self, style: Parentheses) -> String {
        let mut out = String::new();
        self.write(0, style, &mut out);
        out
    }
}

impl Activation {
    /// The call of a node with these arguments.
    fn write(&self, name: &str, args: &[Expr], style: Parentheses, out: &mut String) {
        let Activation { clock, default, reset } = self;
        if let (Some(clock), Some(default), None) = (clock, default, reset) {
            out.push_str("condact(");
            clock.write(0, style, out);
            list_text(&format!(", {name}"), args, style, out);
            out.push_str(", ");
            default.write(0, style, out);
            out.push(')');
            return;
        }
        let word = if clock.is_some() { "activate" } else { "restart" };
        let _ = write!(out, "({word} {name}");
        let again = if clock.is_some() { " restart every " } else { " every " };
        let parts = [(" every ", clock), (" initial default ", default), (again, reset)];
        for (word, part) in parts {
            if let Some(part) = part {
                out.push_str(word);
                part.write(0, style, out);
            }
        }
        list_text(")", args, style, out);
    }
}

/// How much prefix operators bind.
const PREFIX: u8 = 14;
/// How much names and literals bind.
const TIGHT: u8 = 15;

/// How much an infix operator binds.
fn strength(op: &str) -> u8 {
    match op {
        "->" => 1,
        "=>" | "==>" => 2,
        "or" | "or else" | "xor" => 3,
        "and" | "and then" => 4,
        "in" => 6,
        "+" | "-" => 7,
        "*" | "/" | "div" | "mod" => 8,
        "++" => 9,
        "||" => 10,
        "&&" => 11,
        "lsh" | "rsh" => 12,
        "fby" => 13,
        _ => 5,
    }
}

fn list_text(name: &str, list: &[Expr], style: Parentheses, out: &mut String) {
    out.push_str(name);
    out.push('(');
    for (i, expr) in list.iter().enumerate() {
        out.push_str(if i > 0 { ", " } else { "" });
        expr.write(0, style, out);
    }
    out.push(')');
}

impl Program {
    /// The program as text.
    #[must_use]
    pub fn text(&self, style: Parentheses) -> String {
        let mut out = String::new();
        for declaration in &self.declarations {
            match declaration {
                Declaration::Type(name, definition) => {
                    let _ = match definition.strip_prefix("datatype ") {
                        Some(constructors) => writeln!(out, "datatype {name} = {constructors};"),
                        None => writeln!(out, "type {name} = {definition};"),
                    };
                }
                Declaration::Const(name, ty, value) => {
                    let ty = ty.as_ref().map(|ty| format!(": {ty}")).unwrap_or_default();
                    let _ = writeln!(out, "const {name}{ty} = {};", value.text(style));
                }
                Declaration::Free(name, ty) => {
                    let _ = writeln!(out, "const {name}: {ty};");
                }
                Declaration::Node(node) => node.write(style, &mut out),
            }
        }
        out
    }

    /// The nodes, to change them.
    pub fn nodes_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        self.declarations.iter_mut().filter_map(|declaration| match declaration {
            Declaration::Node(node) => Some(node),
            _ => None,
        })
    }
}

impl Node {
    fn write(&self, style: Parentheses, out: &mut String) {
        // Outputs that nothing defines are those of a function without a body.
        let imported = self.is_function && self.items.is_empty() && !self.outputs.is_empty();
        let word = match (self.is_function, imported) {
            (_, true) => "function imported",
            (true, false) => "function",
            (false, false) => "node",
        };
        let flows = |list: &[Flow]| {
            let list: Vec<String> = list.iter().map(|f| format!("{}: {}", f.name, f.ty)).collect();
            list.join("; ")
        };
        let (inputs, outputs) = (flows(&self.inputs), flows(&self.outputs));
        let _ = writeln!(out, "{word} {}({inputs}) returns ({outputs});", self.name);
        if imported {
            return;
        }
        let (clauses, body): (Vec<&Item>, Vec<&Item>) =
            self.items.iter().partition(|item| matches!(item, Item::Clause(_)));
        if !clauses.is_empty() {
            out.push_str("con\n");
            for clause in clauses {
                let _ = writeln!(out, "  {}", clause.text(style));
            }
            out.push_str("noc\n");
        }
        if !self.locals.is_empty() {
            let _ = writeln!(out, "var {};", flows(&self.locals));
        }
        out.push_str("let\n");
        for item in body {
            let _ = writeln!(out, "  {}", item.text(style));
        }
        out.push_str("tel\n");
    }
}

impl Item {
    /// The flows that it defines.
    #[must_use]
    pub fn defined(&self) -> Vec<String> {
        match self {
            Item::Equation(names, _) => names.clone(),
            Item::ByIndex(name, ..) => vec![name.clone()],
            Item::Block(block) => {
                block.parts().into_iter().flatten().flat_map(Item::defined).collect()
            }
            Item::Assert(_)
            | Item::Property(..)
            | Item::Last(..)
            | Item::Clause(_)
            | Item::Main => Vec::new(),
        }
    }

    /// The expressions in it.
    pub fn expressions(&mut self) -> Vec<&mut Expr> {
        match self {
            Item::Equation(_, e)
            | Item::ByIndex(_, _, e)
            | Item::Assert(e)
            | Item::Last(_, e)
            | Item::Property(_, _, e) => vec![e],
            Item::Block(block) => block.expressions(),
            Item::Clause(clause) => clause.expressions(),
            Item::Main => Vec::new(),
        }
    }

    pub(crate) fn text(&self, style: Parentheses) -> String {
        match self {
            Item::Equation(left, right) => {
                let left = match &left[..] {
                    [one] => one.clone(),
                    // Both ways of writing a tuple, by the parity of a length.
                    several if several[0].len() % 2 == 0 => several.join(", "),
                    several => format!("({})", several.join(", ")),
                };
                format!("{left} = {};", right.text(style))
            }
            Item::ByIndex(name, index, right) => {
                format!("{name}[{index}] = {};", right.text(style))
            }
            Item::Assert(expr) => format!("assert {};", expr.text(style)),
            Item::Property(form, name, expr) => {
                let word = match form {
                    Form::Check => "check",
                    Form::Annotation => "--%PROPERTY",
                    Form::OldAnnotation => "--!PROPERTY :",
                    Form::Reachable => "check reachable",
                };
                let name = name.as_ref().map(|n| format!(" \"{n}\"")).unwrap_or_default();
                format!("{word}{name} {};", expr.text(style))
            }
            Item::Last(name, value) => format!("last {name} = {};", value.text(style)),
            Item::Block(block) => block.text(style),
            Item::Clause(clause) => clause.text(style),
            Item::Main => "--%MAIN;".into(),
        }
    }
}
