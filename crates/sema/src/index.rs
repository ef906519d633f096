//! What stands where: an index from positions to things and from things to the
//! places where they are named. Built from an [`Analysis`], on which errors or
//! not; what could not be resolved is not in it.

use lustral_syntax::{FileId, Span};
use rustc_hash::FxHashMap;

use crate::Analysis;
use crate::program::{
    CallId, ConstId, ExprId, Meaning, Node, NodeId, Program, Role, StreamId, TypeId, Use,
};
use crate::types::{EnumId, FieldId, Type};

/// A thing that has a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Thing {
    /// A type.
    Type(TypeId),
    /// A constant.
    Const(ConstId),
    /// A value of an enumeration.
    Value(EnumId, u32),
    /// A node.
    Node(NodeId),
    /// A flow of a node.
    Stream(NodeId, StreamId),
    /// A field of a record type.
    Field(FieldId),
    /// An index of a definition by index, by its position in the node.
    Index(NodeId, u32),
    /// A variable of a type outside of nodes.
    Variable(u32),
}

/// What a place is to the thing that it names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PlaceRole {
    /// It is declared here.
    Declaration,
    /// Its equation is here.
    Definition,
    /// It is mentioned here.
    Mention,
}

/// A place where a thing is named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Where its name stands.
    pub span: Span,
    /// The thing.
    pub thing: Thing,
    /// What the place is to it.
    pub role: PlaceRole,
}

/// What stands at a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct At {
    /// The name that the position touches.
    pub name: Option<Place>,
    /// The smallest expression around it that has a type, with its place.
    pub expression: Option<(Span, Type)>,
    /// The smallest call around it.
    pub call: Option<CallId>,
    /// The part of the body around it.
    pub part: Option<Part>,
    /// The node around it.
    pub node: Option<NodeId>,
}

/// A part of a node, by its number among those of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// An assertion.
    Assertion(usize),
    /// A property.
    Property(usize),
    /// A candidate.
    Candidate(usize),
}

/// The index of a program.
pub struct Index<'a> {
    analysis: &'a Analysis,
    /// All places in the order of the text.
    places: Vec<Place>,
    /// The places of each thing, by position in `places`.
    by_thing: FxHashMap<Thing, Vec<usize>>,
    /// The nodes in the order of the text.
    nodes: Vec<NodeId>,
}

impl<'a> Index<'a> {
    /// The index of an analysed program.
    #[must_use]
    pub fn new(analysis: &'a Analysis) -> Index<'a> {
        let program = analysis.program();
        let mut places = declarations(program);
        places.extend(program.uses.iter().map(|u| place(u, None)));
        for id in shown(program) {
            places.extend(program.node(id).uses.iter().map(|u| place(u, Some(id))));
        }
        places.extend(of_others(program));
        places.sort_by_key(|place| (place.span.file, place.span.start, place.role));
        places.dedup();
        let mut by_thing: FxHashMap<Thing, Vec<usize>> = FxHashMap::default();
        for (i, place) in places.iter().enumerate() {
            by_thing.entry(place.thing).or_default().push(i);
        }
        let mut nodes = shown(program);
        nodes.sort_by_key(|id| {
            let whole = program.node(*id).whole;
            (whole.file, whole.start)
        });
        Index { analysis, places, by_thing, nodes }
    }

    /// What stands at a byte of a file.
    #[must_use]
    pub fn at(&self, file: FileId, byte: u32) -> At {
        let name = self.name_at(file, byte);
        let Some(id) = self.node_at(file, byte) else { return At { name, ..At::default() } };
        let node = self.analysis.program().node(id);
        At {
            name,
            expression: expression_at(node, file, byte),
            call: call_at(node, file, byte),
            part: part_at(node, file, byte),
            node: Some(id),
        }
    }

    /// The name that a byte touches: the one that it is in, or else the one that
    /// ends there.
    #[must_use]
    pub fn name_at(&self, file: FileId, byte: u32) -> Option<Place> {
        let after = |p: &Place| (p.span.file, p.span.start) <= (file, byte);
        let end = self.places.partition_point(after);
        let last = self.places[..end].last()?;
        // Names do not overlap, and those that begin at one byte are one name.
        let touches = last.span.file == file && last.span.touches(byte);
        let found = self.places[..end].iter().rev().take_while(|p| p.span == last.span).last();
        found.copied().filter(|_| touches)
    }

    /// The node whose text a byte is in.
    #[must_use]
    pub fn node_at(&self, file: FileId, byte: u32) -> Option<NodeId> {
        let whole = |id: &NodeId| self.analysis.program().node(*id).whole;
        let after = |id: &NodeId| (whole(id).file, whole(id).start) <= (file, byte);
        let end = self.nodes.partition_point(after);
        let last = self.nodes[..end].last()?;
        (whole(last).file == file && whole(last).touches(byte)).then_some(*last)
    }

    /// All places that name a thing, in the order of the text.
    pub fn places_of(&self, thing: Thing) -> impl Iterator<Item = Place> + '_ {
        self.by_thing.get(&thing).into_iter().flatten().map(|i| self.places[*i])
    }

    /// Where a thing is declared.
    #[must_use]
    pub fn declaration(&self, thing: Thing) -> Option<Span> {
        let mut places = self.places_of(thing);
        places.find(|place| place.role == PlaceRole::Declaration).map(|place| place.span)
    }

    /// Where the equation of a flow is; of other things, where they are declared.
    #[must_use]
    pub fn definition(&self, thing: Thing) -> Option<Span> {
        let mut places = self.places_of(thing);
        let equation = places.find(|place| place.role == PlaceRole::Definition);
        equation.map(|place| place.span).or_else(|| self.declaration(thing))
    }

    /// The type of a thing, if it has one and that has no error.
    #[must_use]
    pub fn type_of(&self, thing: Thing) -> Option<Type> {
        let program = self.analysis.program();
        match thing {
            Thing::Type(id) => program.types[id.index()].ty.clone(),
            Thing::Const(id) => Some(program.consts[id.index()].ty.clone()),
            Thing::Value(id, _) => Some(Type::Enum(id)),
            Thing::Node(_) => None,
            Thing::Stream(node, stream) => self.analysis.flow_type(node, stream).cloned(),
            Thing::Field(id) => Some(program.fields[id.index()].ty.clone()),
            Thing::Index(..) => Some(Type::Int),
            Thing::Variable(_) => None,
        }
    }

    /// All places of a file, in the order of the text.
    pub fn places_in(&self, file: FileId) -> impl Iterator<Item = &Place> {
        self.places.iter().filter(move |place| place.span.file == file)
    }
}

/// The nodes that stand for the declarations of the text, one for each: where the
/// node itself has no meaning, the first one for values of its constant inputs.
/// What is named only in other nodes that are made from the same text as one that is shown:
/// of a choice before the program runs each has one side. Their flows are numbered alike.
fn of_others(program: &Program) -> Vec<Place> {
    let shown: FxHashMap<NodeId, NodeId> = declared(program).into_iter().collect();
    let mut found = Vec::new();
    for id in program.node_ids() {
        let base = program.node(id).of.filter(|base| program.node(*base).template);
        let Some(shown) = base.and_then(|base| shown.get(&base)).filter(|shown| **shown != id)
        else {
            continue;
        };
        let uses = program.node(id).uses.iter();
        let uses = uses.filter(|u| !matches!(u.meaning, Meaning::Index(_)));
        found.extend(uses.map(|u| place(u, Some(*shown))));
    }
    found
}

fn shown(program: &Program) -> Vec<NodeId> {
    declared(program).into_iter().map(|(_, shown)| shown).collect()
}

/// The nodes of the text, each with the one that stands for it.
fn declared(program: &Program) -> Vec<(NodeId, NodeId)> {
    let mut first: FxHashMap<NodeId, NodeId> = FxHashMap::default();
    for id in program.node_ids() {
        if let Some(base) = program.node(id).of.filter(|base| program.node(*base).template) {
            first.entry(base).or_insert(id);
        }
    }
    let declared = program.node_ids().filter(|id| program.node(*id).of.is_none());
    declared.map(|id| (id, first.get(&id).copied().unwrap_or(id))).collect()
}

/// Where things are declared.
fn declarations(program: &Program) -> Vec<Place> {
    let mut places = Vec::new();
    let mut declare = |span, thing| {
        places.push(Place { span, thing, role: PlaceRole::Declaration });
    };
    for (i, ty) in program.types.iter().enumerate() {
        declare(ty.span, Thing::Type(TypeId(i as u32)));
    }
    for (i, enumeration) in program.enums.iter().enumerate() {
        for (value, span) in enumeration.value_spans.iter().enumerate() {
            declare(*span, Thing::Value(EnumId(i as u32), value as u32));
        }
    }
    for (i, field) in program.fields.iter().enumerate() {
        declare(field.span, Thing::Field(FieldId(i as u32)));
    }
    for (i, constant) in program.consts.iter().enumerate() {
        declare(constant.span, Thing::Const(ConstId(i as u32)));
    }
    for (i, (_, span)) in (0..).zip(&program.variables) {
        declare(*span, Thing::Variable(i));
    }
    for (base, id) in declared(program) {
        let node = program.node(id);
        if !node.name.is_empty() {
            declare(node.span, Thing::Node(base));
        }
        // A free constant is declared outside.
        for stream in node.stream_ids().filter(|id| node.stream(*id).constant.is_none()) {
            declare(node.stream(stream).span, Thing::Stream(id, stream));
        }
        for (i, (_, span)) in (0..).zip(&node.indices) {
            declare(*span, Thing::Index(id, i));
        }
    }
    places
}

fn place(used: &Use, node: Option<NodeId>) -> Place {
    let thing = match (used.meaning, node) {
        (Meaning::Type(id), _) => Thing::Type(id),
        (Meaning::Const(id), _) => Thing::Const(id),
        (Meaning::Value(id, i), _) => Thing::Value(id, i),
        (Meaning::Node(id), _) => Thing::Node(id),
        (Meaning::Stream(id), Some(node)) => Thing::Stream(node, id),
        (Meaning::Field(id), _) => Thing::Field(id),
        (Meaning::Index(i), Some(node)) => Thing::Index(node, i),
        (Meaning::Variable(i), _) => Thing::Variable(i),
        (Meaning::Stream(_) | Meaning::Index(_), None) => {
            unreachable!("flows and indices are named in their node only")
        }
    };
    let role = match used.role {
        Role::Definition => PlaceRole::Definition,
        Role::Mention => PlaceRole::Mention,
    };
    Place { span: used.span, thing, role }
}

/// Whether a byte is in a span of a file.
fn within(span: Span, file: FileId, byte: u32) -> bool {
    span.file == file && span.touches(byte)
}

fn expression_at(node: &Node, file: FileId, byte: u32) -> Option<(Span, Type)> {
    let all = node.exprs.iter().chain(node.candidates.exprs.iter());
    // Of several with one place the last one is the outermost; a tuple has none.
    let around = all.filter(|(_, e)| within(e.span, file, byte));
    let smallest = around.min_by_key(|(id, e): &(ExprId, _)| (e.span.end - e.span.start, id.0));
    smallest.map(|(_, e)| (e.span, e.ty.clone()))
}

fn call_at(node: &Node, file: FileId, byte: u32) -> Option<CallId> {
    let around = node.calls.iter().enumerate().filter(|(_, c)| within(c.span, file, byte));
    let smallest = around.min_by_key(|(_, c)| c.span.end - c.span.start);
    smallest.map(|(i, _)| CallId(i as u32))
}

fn part_at(node: &Node, file: FileId, byte: u32) -> Option<Part> {
    let find = |mut spans: Box<dyn Iterator<Item = Span> + '_>| {
        spans.position(|span| within(span, file, byte))
    };
    find(Box::new(node.asserts.iter().map(|a| a.span)))
        .map(Part::Assertion)
        .or_else(|| find(Box::new(node.properties.iter().map(|p| p.span))).map(Part::Property))
        .or_else(|| {
            find(Box::new(node.candidates.list.iter().map(|c| c.span))).map(Part::Candidate)
        })
}
