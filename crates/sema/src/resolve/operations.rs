//! What can be applied: declared nodes, operators by their symbols or by the names that
//! Lustre V6 gives them, and iterators over arrays of one of these. A call with static
//! arguments, `map<<+, 3>>(a, b)`, names one; `iterators.rs` applies it.

use std::sync::Arc;

use lustral_syntax::Span;
use lustral_syntax::ast::{self, BinaryOp, DEEPEST, Ident, StaticArgument, UnaryOp};
use lustral_syntax::diagnostic::{Code, Diagnostic};
use num_bigint::BigInt;

use super::conversions::is_builtin;
use super::expressions::count;
use super::{Components, Resolver};
use crate::program::{ExprId, Meaning, NodeId};
use crate::types::{Type, Value};

/// Something that can be applied to arguments.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Operation {
    /// A declared node, and what it is given.
    Node(NodeId, Given),
    /// A function that no program declares.
    Builtin(Arc<str>),
    /// An operator, and the type of its operands where its name says it.
    Unary(UnaryOp, Option<Type>),
    /// An operator between operands.
    Binary(BinaryOp, Option<Type>),
    /// `if`
    If,
    /// `boolred<<i, j, k>>`: whether at least i and at most j of k are true; without k, of
    /// as many arguments as there are.
    Count(BigInt, BigInt, Option<u32>),
    /// `condact<<f, d>>`
    Condact(Arc<Operation>, (Value, Type)),
    /// `map<<f, n>>` and its like.
    Iterated(Iterator, Arc<Operation>, u32),
}

/// What a node is given before the flows: its type parameters, and its static parameters
/// besides, in their order.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Given {
    pub types: Vec<Type>,
    pub statics: Vec<Static>,
}

/// What a static parameter stands for that is no type.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Static {
    Value(Value, Type),
    Operation(Operation),
}

/// How something goes over arrays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Iterator {
    /// Each element by itself.
    Map,
    /// An accumulator goes through it: `red`, `fill`, `fillred`, `fold` are one.
    Fold,
    /// Each element by itself, with its index behind it: `mapi` of Heptagon.
    MapIndexed,
    /// An accumulator goes through it that stands behind the elements: `fold` and `mapfold` of
    /// Heptagon.
    FoldLast,
    /// The same with the index before the accumulator: `foldi`.
    FoldIndexed,
}

impl Operation {
    /// How deep operations are nested in it.
    fn depth(&self) -> usize {
        match self {
            Operation::Condact(of, _) | Operation::Iterated(_, of, _) => of.depth() + 1,
            Operation::Node(_, given) => {
                let depth = |given: &Static| match given {
                    Static::Value(..) => 0,
                    Static::Operation(operation) => operation.depth() + 1,
                };
                given.statics.iter().map(depth).max().unwrap_or(0)
            }
            _ => 0,
        }
    }
}

impl Resolver<'_> {
    /// A call, perhaps with types and static arguments; its arguments are none where one
    /// of them has an error.
    pub(super) fn application(
        &mut self,
        name: &Ident,
        (types, statics): (&[ast::Type], &[StaticArgument]),
        args: Option<Vec<ExprId>>,
        span: Span,
    ) -> Components {
        let declared = self.env.interface(&name.name).map(|(_, interface)| interface);
        let plain = match declared {
            _ if self.operations.contains_key(&name.name) => false,
            Some(interface) => !interface.is_alias && interface.static_variables.is_empty(),
            None => predefined(&name.name).is_none(),
        };
        if statics.is_empty() && plain {
            return self.call((name, types), args, span);
        }
        let operation = self.operation(name, statics, name.span)?;
        self.apply(&operation, args?, span)
    }

    /// What is meant by a name with static arguments; reports if it is nothing.
    pub(super) fn operation(
        &mut self,
        name: &Ident,
        statics: &[StaticArgument],
        span: Span,
    ) -> Option<Operation> {
        if let Some((operation, variable)) = self.operations.get(&name.name).cloned() {
            self.mention(name.span, Meaning::Variable(variable));
            if !statics.is_empty() {
                let message = format!("`{}` has its static arguments already", name.name);
                self.push(Diagnostic::error(Code::Arity, span, message));
                return None;
            }
            return Some(operation);
        }
        if let Some((id, interface)) = self.env.interface(&name.name) {
            self.mention(name.span, Meaning::Node(id));
            if interface.is_alias && statics.is_empty() {
                return self.alias(interface, span);
            }
            let given = self.given(interface, statics, span)?;
            return self.not_too_deep(Operation::Node(id, given), span);
        }
        let word = name.name.strip_prefix("Lustre::").unwrap_or(&name.name);
        if let Some(found) = self.iterator(word, statics, span) {
            return found;
        }
        let found = predefined(&name.name);
        let found = found.or_else(|| is_builtin(word).then(|| Operation::Builtin(word.into())));
        if found.is_none() {
            self.no_node(name);
        } else if !statics.is_empty() {
            let message = format!("`{}` has no static parameters", name.name);
            self.push(Diagnostic::error(Code::Arity, span, message));
            return None;
        }
        found
    }

    /// What an iterator makes of its static arguments; none if there is no such iterator.
    fn iterator(
        &mut self,
        word: &str,
        statics: &[StaticArgument],
        span: Span,
    ) -> Option<Option<Operation>> {
        let wanted = match word {
            "map" | "red" | "fill" | "fillred" | "fold" => "an operator and a size",
            "mapi" | "foldi" | "mapfold" => "a size and a node",
            "boolred" => "three numbers",
            "condact" => "a node and a value",
            _ => return None,
        };
        let found = match (word, statics) {
            ("boolred", [low, high, size]) => self.boolred([low, high, size], span),
            ("condact", [of, value]) => {
                let of = self.static_operation(of);
                let value = self.static_value(value);
                of.zip(value).map(|(of, value)| Operation::Condact(Arc::new(of), value))
            }
            // Heptagon has the size first.
            (
                "map" | "mapi" | "fold" | "foldi" | "mapfold",
                [size, of @ StaticArgument::Operator(_)],
            ) if !matches!(size, StaticArgument::Operator(_)) => {
                let of = self.static_operation(of);
                let size = self.static_size(size);
                let how = match word {
                    "map" => Iterator::Map,
                    "mapi" => Iterator::MapIndexed,
                    "foldi" => Iterator::FoldIndexed,
                    _ => Iterator::FoldLast,
                };
                of.zip(size).map(|(of, size)| Operation::Iterated(how, Arc::new(of), size))
            }
            ("map" | "red" | "fill" | "fillred" | "fold", [of, size]) => {
                let of = self.static_operation(of);
                let size = self.static_size(size);
                let how = if word == "map" { Iterator::Map } else { Iterator::Fold };
                of.zip(size).map(|(of, size)| Operation::Iterated(how, Arc::new(of), size))
            }
            _ => {
                let have = count(statics.len(), "argument");
                let message = format!("`{word}` takes {wanted} between `<<` and `>>`, not {have}");
                self.push(Diagnostic::error(Code::Arity, span, message));
                None
            }
        };
        Some(found.and_then(|found| self.not_too_deep(found, span)))
    }

    pub(super) fn not_too_deep(&mut self, operation: Operation, span: Span) -> Option<Operation> {
        if operation.depth() > DEEPEST {
            let message = format!("iterators are nested at most {DEEPEST} deep");
            self.push(Diagnostic::error(Code::Recursion, span, message));
            return None;
        }
        Some(operation)
    }

    /// `boolred<<i, j, k>>`
    fn boolred(
        &mut self,
        [low, high, size]: [&StaticArgument; 3],
        span: Span,
    ) -> Option<Operation> {
        let (low, high) = (self.static_int(low), self.static_int(high));
        let size = self.static_size(size)?;
        let (low, high) = (low?, high?);
        if !(BigInt::ZERO <= low && low <= high && high <= size.into()) {
            let message = format!("from {low} to {high} of {size} cannot be true");
            let help = "the numbers of `boolred<<i, j, k>>` are in order: 0 <= i <= j <= k";
            self.push(Diagnostic::error(Code::Type, span, message).help(help));
            return None;
        }
        Some(Operation::Count(low, high, Some(size)))
    }

    /// A static argument that is applied; reports if it cannot be.
    pub(super) fn static_operation(&mut self, argument: &StaticArgument) -> Option<Operation> {
        match argument {
            StaticArgument::Name(name, _) => self.operation(name, &[], name.span),
            StaticArgument::Operator(operator) => {
                self.operation(&operator.name, &operator.arguments, operator.span)
            }
            StaticArgument::Const(expr) => self.no_operation(self.ast[*expr].span),
            StaticArgument::Type(ty) => self.no_operation(ty.span),
        }
    }

    fn no_operation<T>(&mut self, span: Span) -> Option<T> {
        let message = "this is no node and no operator";
        self.push(Diagnostic::error(Code::Type, span, message));
        None
    }

    /// The expression of a static argument that is a constant; reports if it is none.
    fn static_constant(&mut self, argument: &StaticArgument) -> Option<ast::ExprId> {
        let span = match argument {
            StaticArgument::Name(_, expr) | StaticArgument::Const(expr) => return Some(*expr),
            StaticArgument::Type(ty) => ty.span,
            StaticArgument::Operator(operator) => operator.span,
        };
        self.push(Diagnostic::error(Code::NotConstant, span, "this is no constant"));
        None
    }

    /// A static argument that is how many elements there are.
    fn static_size(&mut self, argument: &StaticArgument) -> Option<u32> {
        let expr = self.static_constant(argument)?;
        self.array_size(expr)
    }

    /// A static argument that is one scalar, with its type.
    pub(super) fn static_value(&mut self, argument: &StaticArgument) -> Option<(Value, Type)> {
        let expr = self.static_constant(argument)?;
        self.met_free = false;
        let (value, ty) = self.constant_bound(expr)?;
        let span = self.ast[expr].span;
        let value = value.filter(|_| !self.met_free);
        let Some(value) = value else {
            let message = "the value of a static argument is known before the program runs";
            self.push(Diagnostic::error(Code::NotConstant, span, message));
            return None;
        };
        match <[Value; 1]>::try_from(value) {
            Ok([value]) => Some((value, ty)),
            Err(_) => {
                let what = "records, tuples and arrays as static arguments";
                self.push(Diagnostic::unsupported(span, what));
                None
            }
        }
    }

    fn static_int(&mut self, argument: &StaticArgument) -> Option<BigInt> {
        match self.static_value(argument)? {
            (Value::Int(n), _) => Some(n),
            (_, ty) => {
                let span = self.static_constant(argument).map(|expr| self.ast[expr].span)?;
                let message = format!("this is an int, not a {}", self.show(&ty));
                self.push(Diagnostic::error(Code::Type, span, message));
                None
            }
        }
    }
}

/// The operators between operands that can be named by their symbols.
const SYMBOLS: [BinaryOp; 18] = [
    BinaryOp::Arrow,
    BinaryOp::Fby,
    BinaryOp::Implies,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::And,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::Plus,
    BinaryOp::Minus,
    BinaryOp::Times,
    BinaryOp::Divide,
    BinaryOp::Div,
    BinaryOp::Mod,
];

/// The operator with a symbol or a name of Lustre V6: `+`, `Lustre::plus`, `Lustre::iplus`.
fn predefined(name: &str) -> Option<Operation> {
    let any = |op| Some(Operation::Binary(op, None));
    let Some(word) = name.strip_prefix("Lustre::") else {
        return match name {
            "not" => Some(Operation::Unary(UnaryOp::Not, None)),
            "pre" => Some(Operation::Unary(UnaryOp::Pre, None)),
            "if" => Some(Operation::If),
            "#" => Some(Operation::Count(BigInt::ZERO, BigInt::from(1), None)),
            "nor" => Some(Operation::Count(BigInt::ZERO, BigInt::ZERO, None)),
            _ => SYMBOLS.into_iter().find(|op| op.as_str() == name).and_then(any),
        };
    };
    match word {
        "not" | "if" | "and" | "or" | "xor" | "div" | "mod" | "nor" => return predefined(word),
        "impl" => return any(BinaryOp::Implies),
        "eq" => return any(BinaryOp::Equal),
        "neq" => return any(BinaryOp::NotEqual),
        "diese" => return predefined("#"),
        "int2real" => return Some(Operation::Builtin("int_to_real".into())),
        // As in C, towards zero.
        "real2int" => return Some(Operation::Builtin("real_to_int".into())),
        _ => {}
    }
    let arithmetic = |word: &str| {
        Some(match word {
            "plus" => BinaryOp::Plus,
            "minus" => BinaryOp::Minus,
            "times" => BinaryOp::Times,
            "slash" => BinaryOp::Divide,
            "lt" => BinaryOp::Less,
            "lte" => BinaryOp::LessEqual,
            "gt" => BinaryOp::Greater,
            "gte" => BinaryOp::GreaterEqual,
            _ => return None,
        })
    };
    let typed = |word: &str, ty: Option<Type>| match word {
        "uminus" => Some(Operation::Unary(UnaryOp::Minus, ty)),
        _ => arithmetic(word).map(|op| Operation::Binary(op, ty)),
    };
    let of = |prefix, ty| typed(word.strip_prefix(prefix)?, Some(ty));
    typed(word, None).or_else(|| of("i", Type::Int)).or_else(|| of("r", Type::Real))
}
