//! What all nodes of a program share: types, constants, and the nodes so far.

mod keyed;

use lustral_base::sort::BitVec;

use crate::dice::Dice;
use crate::generate::Profile;
use crate::generate::language::{Feature, Language};
use crate::tree::{Declaration, Expr, Flow, Item, Node};

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    Bool,
    Int,
    Real,
    /// A subrange of the world.
    Range(usize),
    /// An enumeration of the world.
    Enum(usize),
    /// A record or array of the world.
    Structure(usize),
    /// A type of machine integers of the world.
    Machine(BitVec),
}

/// A record or array.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Fields with their types.
    Record(Fields),
    /// Elements and how many they are.
    Array(Ty, usize),
    /// Constructors with their fields.
    Data(Vec<(String, Fields)>),
    /// Sets of values of a type.
    Set(Ty),
    /// Maps from a type to another.
    Map(Ty, Ty),
}

/// Fields with their types.
pub type Fields = Vec<(String, Ty)>;

impl Ty {
    /// Whether a value of the other type may stand where this one is asked for.
    pub fn takes(self, other: Ty) -> bool {
        let int = |ty| matches!(ty, Ty::Int | Ty::Range(_));
        self == other || int(self) && int(other)
    }
}

/// How often a flow has a type of numbers, by the profile.
struct Weight {
    rich: usize,
    finite: usize,
}

/// How often a flow has each type.
const BOOL: usize = 5;
const INT: Weight = Weight { rich: 4, finite: 2 };
const REAL: Weight = Weight { rich: 3, finite: 0 };
const RANGE: usize = 3;
const ENUMERATION: usize = 3;
const STRUCTURE: usize = 3;
const MACHINE: usize = 4;

/// The machine integers that a program may have; a finite one has few bits.
const RICH_MACHINES: [BitVec; 8] = [
    BitVec::unsigned(8),
    BitVec::signed(8),
    BitVec::unsigned(16),
    BitVec::signed(16),
    BitVec::signed(32),
    BitVec::unsigned(64),
    BitVec::unsigned(3),
    BitVec::signed(70),
];
const FINITE_MACHINES: [BitVec; 3] = [BitVec::unsigned(2), BitVec::signed(2), BitVec::unsigned(1)];

/// What the callers of a node know.
#[derive(Clone, Debug)]
pub struct Signature {
    pub name: String,
    pub inputs: Vec<Ty>,
    pub outputs: Vec<Ty>,
    pub is_function: bool,
    /// No output depends on an input of the same step.
    pub delays: bool,
}

/// The declarations of a program so far.
pub struct World {
    pub language: Language,
    pub ranges: Vec<(i64, i64)>,
    pub enums: Vec<Vec<String>>,
    pub shapes: Vec<Shape>,
    pub machines: Vec<BitVec>,
    pub consts: Vec<(String, Ty)>,
    pub nodes: Vec<Signature>,
    pub declarations: Vec<Declaration>,
    /// Whether there is a polymorphic node.
    pub has_polymorphic: bool,
    /// By structure, the name of its type as records have it.
    record_names: Vec<String>,
    /// Whether there is a node with static parameters.
    pub has_statics: bool,
    /// The ways to write each type.
    names: Vec<(String, Ty)>,
}

impl World {
    /// Types and constants.
    pub fn new(language: Language, dice: &mut Dice) -> World {
        let mut names = vec![("bool", Ty::Bool), ("int", Ty::Int)];
        if language.has(Feature::Reals) {
            names.push(("real", Ty::Real));
        }
        let mut world = World {
            language,
            ranges: Vec::new(),
            enums: Vec::new(),
            shapes: Vec::new(),
            machines: Vec::new(),
            consts: Vec::new(),
            nodes: Vec::new(),
            declarations: Vec::new(),
            has_polymorphic: false,
            record_names: Vec::new(),
            has_statics: false,
            names: names.into_iter().map(|(name, ty)| (name.to_string(), ty)).collect(),
        };
        let switched =
            |feature: Feature, count: usize| if language.has(feature) { count } else { 0 };
        for _ in 0..switched(Feature::Machine, dice.weighted(&[4, 3, 2])) {
            world.machine(dice);
        }
        for i in 0..switched(Feature::Enumerations, dice.weighted(&[2, 4, 1])) {
            world.enumeration(dice, i);
        }
        for _ in 0..dice.weighted(&[4, 3, 2]) {
            world.constant(dice);
        }
        for i in 0..switched(Feature::Subranges, dice.weighted(&[2, 4, 2])) {
            world.range(dice, i);
        }
        for _ in 0..switched(Feature::Data, dice.weighted(&[6, 3, 1])) {
            world.data(dice);
        }
        for _ in 0..switched(Feature::Structures, dice.weighted(&[3, 4, 4])) {
            world.structure(dice);
        }
        for _ in 0..dice.weighted(&[5, 3, 2]) {
            world.constant(dice);
        }
        for i in 0..dice.weighted(&[5, 3, 2]) {
            world.alias(dice, i);
        }
        if language.has(Feature::Polymorphic) && language.has(Feature::Time) && dice.chance(40) {
            world.polymorphic();
        }
        if language.has(Feature::Statics) && language.has(Feature::Time) && dice.chance(40) {
            world.with_statics();
        }
        world
    }

    /// A node that is its first argument and then the second, of whatever type they are.
    fn polymorphic(&mut self) {
        let flow = |name: &str| Flow { name: name.into(), ty: "T".into() };
        let later = Expr::infix(Expr::leaf("a"), "->", Expr::leaf("b"));
        self.declarations.push(Declaration::Node(Node {
            name: "either<T>".into(),
            is_function: false,
            inputs: vec![flow("a"), flow("b")],
            outputs: vec![flow("c")],
            locals: Vec::new(),
            items: vec![Item::Equation(vec!["c".into()], later)],
        }));
        self.has_polymorphic = true;
    }

    /// A node that gives its second argument k steps late, and the first one before.
    fn with_statics(&mut self) {
        let flow = |name: &str| Flow { name: name.into(), ty: "T".into() };
        let late = "with k = 0 then b else (a -> pre later<<k - 1, T>>(a, b))";
        self.declarations.push(Declaration::Node(Node {
            name: "later<<const k: int; type T>>".into(),
            is_function: false,
            inputs: vec![flow("a"), flow("b")],
            outputs: vec![flow("c")],
            locals: Vec::new(),
            items: vec![Item::Equation(vec!["c".into()], Expr::leaf(late))],
        }));
        self.has_statics = true;
    }

    fn rich(&self) -> bool {
        self.language.profile == Profile::Rich
    }

    fn enumeration(&mut self, dice: &mut Dice, i: usize) {
        let count = dice.weighted(&[0, 1, 4, 4, 1]);
        let values: Vec<String> = (0..count).map(|v| format!("E{i}_{v}")).collect();
        let definition = format!("enum {{ {} }}", values.join(", "));
        self.declare_type(format!("color{i}"), definition, Ty::Enum(i));
        self.enums.push(values);
    }

    fn machine(&mut self, dice: &mut Dice) {
        let all: &[BitVec] = if self.rich() { &RICH_MACHINES } else { &FINITE_MACHINES };
        let shape = *dice.pick(all);
        if !self.machines.contains(&shape) {
            self.machines.push(shape);
            self.names.push((shape.to_string(), Ty::Machine(shape)));
        }
    }

    fn declare_type(&mut self, name: String, definition: String, ty: Ty) {
        self.declarations.push(Declaration::Type(name.clone(), definition));
        self.names.push((name, ty));
    }

    fn range(&mut self, dice: &mut Dice, i: usize) {
        let low = dice.between(-2, 2);
        let high = low + dice.between(0, 3);
        self.ranges.push((low, high));
        // In a finite program both ends are closed.
        let written = match dice.weighted(&[8, 1, 1]) {
            1 if self.rich() => format!("subrange [{low}, *] of int"),
            2 if self.rich() => format!("subrange [*, {high}] of int"),
            _ => format!("subrange [{low}, {high}] of int"),
        };
        if dice.chance(50) {
            self.declare_type(format!("small{i}"), written, Ty::Range(i));
        } else if dice.chance(30) {
            // The same bounds through a constant.
            let name = format!("bound{i}");
            let value = Expr::leaf(low.to_string());
            self.declarations.push(Declaration::Const(name.clone(), None, value));
            let written = format!("subrange [{name}, {name} + {}] of int", high - low);
            self.names.push((written, Ty::Range(i)));
        } else {
            self.names.push((written, Ty::Range(i)));
        }
    }

    /// A record or array; in a finite program of few values.
    fn structure(&mut self, dice: &mut Dice) {
        let i = self.shapes.len();
        let (first, second) = (self.part(dice), self.part(dice));
        let is_record = dice.chance(50);
        let length = if is_record { 2 } else { dice.between(1, 3) as usize };
        // Whether the type of the first part is a parameter, and whether it is named where
        // a record is made, takes no dice of its own: the programs stay as they were.
        let parameter =
            self.language.has(Feature::Polymorphic) && self.consts.len().is_multiple_of(2);
        let inferred = self.consts.len().is_multiple_of(4);
        let written = self.named(first);
        let part = if parameter { "T" } else { &written };
        let (ty, shape) = if is_record {
            let text = format!("struct {{ a: {part}; b: {} }}", self.named(second));
            (text, Shape::Record(vec![("a".to_string(), first), ("b".to_string(), second)]))
        } else {
            (format!("{part}^{length}"), Shape::Array(first, length))
        };
        self.shapes.push(shape);
        let name = format!("shape{i}");
        if !parameter {
            self.record_names.push(name.clone());
            return self.declare_type(name, ty, Ty::Structure(i));
        }
        self.declarations.push(Declaration::Type(format!("{name}<T>"), ty));
        self.names.push((format!("{name}<{written}>"), Ty::Structure(i)));
        self.record_names.push(if inferred { name } else { format!("{name}@<{written}>") });
    }

    /// A type for a part of a structure.
    fn part(&self, dice: &mut Dice) -> Ty {
        match self.any(dice) {
            Ty::Int | Ty::Real | Ty::Range(_) | Ty::Structure(_) | Ty::Machine(_)
                if !self.rich() =>
            {
                Ty::Bool
            }
            ty => ty,
        }
    }

    /// A data type, of which the first constructor has a field.
    fn data(&mut self, dice: &mut Dice) {
        let i = self.shapes.len();
        let mut constructors = Vec::new();
        for c in 0..dice.weighted(&[0, 1, 4, 3]) {
            let count = if c == 0 { dice.between(1, 2) } else { dice.between(0, 2) };
            let fields = (0..count).map(|k| (format!("f{i}_{c}{k}"), self.part(dice)));
            constructors.push((format!("D{i}_{c}"), fields.collect::<Fields>()));
        }
        let written = constructors.iter().map(|(name, fields)| {
            let fields = fields.iter().map(|(name, ty)| format!("{name}: {}", self.named(*ty)));
            match &fields.collect::<Vec<String>>()[..] {
                [] => name.clone(),
                fields => format!("{name} ({})", fields.join(", ")),
            }
        });
        let written = format!("datatype {}", written.collect::<Vec<_>>().join(" | "));
        self.shapes.push(Shape::Data(constructors));
        self.record_names.push(String::new());
        self.declare_type(format!("shape{i}"), written, Ty::Structure(i));
    }

    /// The first way to write a type.
    pub fn named(&self, ty: Ty) -> String {
        let name = self.names.iter().find(|(_, t)| *t == ty);
        name.map(|(name, _)| name.clone()).unwrap_or_default()
    }

    /// What stands before the fields of a record.
    pub fn record_name(&self, i: usize) -> String {
        self.record_names[i].clone()
    }

    fn alias(&mut self, dice: &mut Dice, i: usize) {
        let (definition, ty) = dice.pick(&self.names).clone();
        self.declare_type(format!("alias{i}"), definition, ty);
    }

    fn constant(&mut self, dice: &mut Dice) {
        let ty = self.any(dice);
        let name = format!("C{}", self.consts.len());
        let few = matches!(ty, Ty::Bool | Ty::Range(_) | Ty::Enum(_));
        if self.language.has(Feature::FreeConstants) && (few || self.rich()) && dice.chance(15) {
            let ty_text = self.written(dice, ty);
            self.declarations.push(Declaration::Free(name.clone(), ty_text));
            self.consts.push((name, ty));
            return;
        }
        let value = self.constant_value(dice, ty, 2);
        // A bound is declared, or it is none; an enumeration tells its type.
        let declared = matches!(ty, Ty::Range(_)) || dice.chance(50);
        let written = declared.then(|| self.written(dice, ty));
        self.declarations.push(Declaration::Const(name.clone(), written, value));
        self.consts.push((name, ty));
    }

    fn constant_value(&self, dice: &mut Dice, ty: Ty, depth: usize) -> Expr {
        let known: Vec<&String> =
            self.consts.iter().filter(|(_, t)| *t == ty).map(|(name, _)| name).collect();
        if !known.is_empty() && dice.chance(40) {
            return Expr::leaf(dice.pick(&known).as_str());
        }
        if depth == 0
            || matches!(ty, Ty::Range(_) | Ty::Enum(_) | Ty::Structure(_))
            || dice.chance(40)
        {
            return self.literal(dice, ty);
        }
        let (ops, operands): (&[&'static str], Ty) = match ty {
            Ty::Bool if dice.chance(50) => (&["and", "or", "xor", "=>", "=", "<>"], Ty::Bool),
            Ty::Bool => (&["=", "<>", "<", "<=", ">", ">="], Ty::Int),
            Ty::Machine(_) => (&["+", "-", "*", "div", "mod", "&&", "||"], ty),
            Ty::Real if self.rich() => (&["+", "-", "*", "/"], Ty::Real),
            Ty::Real => (&["+", "-", "*"], Ty::Real),
            _ => (&["+", "-", "*"], Ty::Int),
        };
        let left = self.constant_value(dice, operands, depth - 1);
        if ty == Ty::Int && dice.chance(30) {
            // Only a rich program may divide by what is perhaps zero.
            let divisor = if self.rich() && dice.chance(40) {
                self.constant_value(dice, Ty::Int, depth - 1)
            } else {
                Expr::leaf(*dice.pick(&["2", "3", "(-3)", "7"]))
            };
            return Expr::infix(left, dice.pick::<&str>(&["div", "mod"]), divisor);
        }
        let right = self.constant_value(dice, operands, depth - 1);
        if dice.chance(20) {
            let condition = self.constant_value(dice, Ty::Bool, depth - 1);
            if operands == ty {
                return Expr::cond(condition, left, right);
            }
        }
        Expr::infix(left, dice.pick::<&str>(ops), right)
    }

    /// A type that the profile allows for a flow.
    pub fn any(&self, dice: &mut Dice) -> Ty {
        let [int, real] =
            if self.rich() { [INT.rich, REAL.rich] } else { [INT.finite, REAL.finite] };
        let real = if self.language.has(Feature::Reals) { real } else { 0 };
        let range = if self.ranges.is_empty() { 0 } else { RANGE };
        let enumeration = if self.enums.is_empty() { 0 } else { ENUMERATION };
        let structure = if self.shapes.is_empty() { 0 } else { STRUCTURE };
        let machine = if self.machines.is_empty() { 0 } else { MACHINE };
        let weights = [BOOL, int, real, range, enumeration, structure, machine];
        match dice.weighted(&weights) {
            0 => Ty::Bool,
            1 => Ty::Int,
            2 => Ty::Real,
            3 => Ty::Range(dice.below(self.ranges.len())),
            4 => Ty::Enum(dice.below(self.enums.len())),
            5 => Ty::Structure(dice.below(self.shapes.len())),
            _ => Ty::Machine(*dice.pick(&self.machines)),
        }
    }

    /// A way to write a type.
    pub fn written(&self, dice: &mut Dice, ty: Ty) -> String {
        let names: Vec<&String> =
            self.names.iter().filter(|(_, t)| *t == ty).map(|(name, _)| name).collect();
        dice.pick(&names).to_string()
    }

    /// A literal of a type.
    pub fn literal(&self, dice: &mut Dice, ty: Ty) -> Expr {
        let rich = self.rich();
        Expr::leaf(match ty {
            Ty::Bool => (if dice.chance(50) { "true" } else { "false" }).to_string(),
            Ty::Int if rich && dice.chance(5) => "123456789012345678901234567890".into(),
            Ty::Int => return number(dice.between(-2, 5)),
            Ty::Real => {
                let list = ["0.0", "1.0", "0.5", "2.5", "3.", ".25", "1.5e1", "25E-2", "0.1"];
                (*dice.pick(&list)).to_string()
            }
            Ty::Machine(shape) => {
                let [low, high] = shape.range();
                let numbers =
                    ["0".into(), "1".into(), "2".into(), low.to_string(), high.to_string()];
                let text = if dice.chance(15) { "-1" } else { dice.pick::<String>(&numbers) };
                let value = match text.strip_prefix('-') {
                    Some(digits) => Expr::prefix("-", Expr::leaf(digits)),
                    None => Expr::leaf(text),
                };
                return Expr::Convert(shape.conversion(), Box::new(value));
            }
            Ty::Range(i) => return number(dice.between(self.ranges[i].0, self.ranges[i].1)),
            Ty::Enum(i) => dice.pick(&self.enums[i]).clone(),
            Ty::Structure(i) => {
                return match &self.shapes[i] {
                    Shape::Record(fields) => {
                        let values =
                            fields.iter().map(|(name, ty)| (name.clone(), self.literal(dice, *ty)));
                        Expr::Record(self.record_name(i), values.collect())
                    }
                    Shape::Array(part, length) => {
                        Expr::Array((0..*length).map(|_| self.literal(dice, *part)).collect())
                    }
                    Shape::Set(key) => {
                        let count = dice.below(3);
                        let elements = (0..count).map(|_| self.literal(dice, *key)).collect();
                        Expr::Set(elements, self.named(*key))
                    }
                    Shape::Map(key, value) => {
                        let map = format!("map[]@<{}, {}>", self.named(*key), self.named(*value));
                        if dice.chance(40) {
                            return Expr::leaf(map);
                        }
                        let (key, value) = (self.literal(dice, *key), self.literal(dice, *value));
                        let map = if dice.chance(50) { map } else { "map".into() };
                        Expr::Update(Box::new([Expr::leaf(map), key, value]))
                    }
                    Shape::Data(constructors) => {
                        let (name, fields) = dice.pick(constructors);
                        let fields = fields.iter().map(|(_, ty)| self.literal(dice, *ty));
                        made(name.clone(), fields.collect())
                    }
                };
            }
        })
    }
}

/// A value that a constructor makes.
pub fn made(name: String, fields: Vec<Expr>) -> Expr {
    if fields.is_empty() { Expr::Leaf(name) } else { Expr::Call(name, fields) }
}

/// A number; a negative one is an operator and a literal.
pub fn number(n: i64) -> Expr {
    let literal = Expr::leaf(n.abs().to_string());
    if n < 0 { Expr::prefix("-", literal) } else { literal }
}
