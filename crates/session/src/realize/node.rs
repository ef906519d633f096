//! A strategy as a node: the program with a body for the node that had none.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use lustral_coordinator::Unit;
use lustral_realize::Equations;
use lustral_render::{Named, formula};
use lustral_sema::program::Node;
use lustral_sema::types::Type;
use lustral_sema::{InstanceId, StreamId};
use lustral_syntax::SourceMap;
use lustral_system::{Game, Origin, Predicate, Role, StreamRole, TransitionSystem};
use lustral_term::{Sort, Term, TermId, Terms, Translation, VarId};
use rustc_hash::FxHashMap;

/// What has more operators has a flow of its own.
const LARGEST: usize = 60;

/// Why a strategy is not written as a node.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum NoNode {
    #[error("only a node without a body gets one")]
    Body,
    #[error("the node is in a file that the program includes")]
    Files,
    #[error("the type of `{0}` has no name")]
    Nameless(String),
    #[error("the strategy depends on the first value of a `pre`")]
    FirstValue,
    #[error("the strategy has something that cannot be written as Lustre yet")]
    Unwritten,
}

/// The program in which the node of a unit has a body.
pub(super) fn program(
    unit: &Unit,
    sources: &SourceMap,
    game: &Game,
    equations: &Equations,
) -> Result<String, NoNode> {
    let node = unit.program.node(unit.tree.instance(InstanceId::ROOT).node);
    if !node.imported || node.of.is_some() {
        return Err(NoNode::Body);
    }
    // Which constructor made a value, and its fields, are told apart by `match` only.
    if node.streams.iter().any(|stream| stream.ty.has_variants()) {
        return Err(NoNode::Unwritten);
    }
    // The file that the program is read from comes first.
    let file = node.whole.file;
    if sources.files().next().is_none_or(|(first, _)| first != file) {
        return Err(NoNode::Files);
    }
    let mut body = Body::new(game, node, sources)?;
    body.write(equations)?;
    let text = &sources.file(file).text;
    let [start, name, inside, end] =
        [node.whole.start, node.span.start, node.body.start, node.whole.end].map(|at| at as usize);
    let keyword = text[start..name].replacen("imported", "", 1);
    let (keyword, header) = (keyword.trim_end(), text[name..inside].trim_end());
    // There may be a body without an equation.
    let rest = text[inside..end].trim();
    let rest = rest.strip_prefix("let").and_then(|rest| rest.strip_suffix("tel")).unwrap_or(rest);
    let (before, after) = (&text[..start], &text[end..]);
    let Body { locals, equations, .. } = &body;
    let locals = if locals.is_empty() { String::new() } else { format!("var\n{locals}") };
    Ok(format!("{before}{keyword} {header}\n{locals}let\n{rest}{equations}tel{after}"))
}

/// Local flows and equations.
struct Body<'g> {
    system: &'g TransitionSystem,
    node: &'g Node,
    /// The arena of what is written: variables are numbered as their names.
    terms: Terms,
    names: Vec<(String, Sort)>,
    /// The variables of the game.
    known: FxHashMap<VarId, TermId>,
    /// The variables that each output is made of, in the order of its type.
    leaves: BTreeMap<StreamId, Vec<VarId>>,
    /// What the names of local flows begin with.
    prefix: String,
    locals: String,
    equations: String,
}

impl<'g> Body<'g> {
    /// With the names of inputs and outputs.
    fn new(game: &'g Game, node: &'g Node, sources: &SourceMap) -> Result<Body<'g>, NoNode> {
        let system: &TransitionSystem = &game.system;
        let streams = &system.root().streams;
        let mut prefix = "step".to_string();
        while sources.files().any(|(_, file)| file.text.contains(&prefix)) {
            prefix.push('_');
        }
        let mut body = Body {
            system,
            node,
            terms: Terms::new(),
            names: Vec::new(),
            known: FxHashMap::default(),
            leaves: BTreeMap::new(),
            prefix,
            locals: String::new(),
            equations: String::new(),
        };
        for stream in streams {
            let variable = system.variable(stream.var);
            let var = match (stream.role, variable.role) {
                (StreamRole::Output, Role::Defined(term)) => {
                    system.terms.var(term).ok_or(NoNode::Unwritten)?
                }
                (StreamRole::Local, _) => continue,
                // An input, or the result of a function.
                _ => stream.var,
            };
            if let (StreamRole::Output, Origin::Stream { stream, .. }) =
                (stream.role, variable.origin)
            {
                body.leaves.entry(stream).or_default().push(var);
            }
            let name = body.name(stream.name.clone(), variable.sort);
            body.known.insert(var, name);
        }
        Ok(body)
    }

    /// A variable with a name.
    fn name(&mut self, name: String, sort: Sort) -> TermId {
        let var = VarId(self.names.len() as u32);
        self.names.push((name, sort));
        self.terms.variable(var, sort)
    }

    /// A local flow.
    fn local(&mut self, sort: Sort) -> Result<(String, TermId), NoNode> {
        let name = format!("{}{}", self.prefix, self.names.len());
        let ty = match sort {
            Sort::Bool => "bool".into(),
            Sort::Int => "int".into(),
            Sort::Real => "real".into(),
            Sort::Enum(e) => {
                let found = self.system.enumerations.get(e.id.index());
                found.ok_or(NoNode::Unwritten)?.name.clone()
            }
            Sort::BitVec(machine) => machine.to_string(),
            _ => return Err(NoNode::Unwritten),
        };
        let _ = writeln!(self.locals, "  {name}: {ty};");
        let term = self.name(name.clone(), sort);
        Ok((name, term))
    }

    fn write(&mut self, equations: &Equations) -> Result<(), NoNode> {
        let mut memories = Vec::with_capacity(equations.memories.len());
        for (var, initial, next) in &equations.memories {
            let (name, term) = self.local(initial.sort())?;
            self.known.insert(*var, term);
            memories.push((name, self.terms.constant(initial.clone()), *next));
        }
        let nexts = memories.iter().map(|(_, _, next)| *next);
        let roots = equations.outputs.iter().map(|(_, term)| *term).chain(nexts);
        let done = self.shared(&equations.terms, roots.collect())?;
        for (name, initial, next) in memories {
            let (initial, next) = (self.operand(initial)?, done[&next]);
            let before = if self.terms.value(next).is_some() { "" } else { "pre " };
            let next = self.operand(next)?;
            let _ = writeln!(self.equations, "  {name} = {initial} -> {before}{next};");
        }
        let chosen: FxHashMap<VarId, TermId> =
            equations.outputs.iter().map(|(var, term)| (*var, done[term])).collect();
        for (stream, leaves) in std::mem::take(&mut self.leaves) {
            let leaf = |var: &VarId| self.text(*chosen.get(var).ok_or(NoNode::Unwritten)?);
            let leaves: Vec<String> = leaves.iter().map(leaf).collect::<Result<_, NoNode>>()?;
            let output = self.node.stream(stream);
            let nameless = || NoNode::Nameless(output.name.to_string());
            let value = put_together(&output.ty, leaves).ok_or_else(nameless)?;
            let _ = writeln!(self.equations, "  {} = {value};", output.name);
        }
        self.write_region(equations);
        Ok(())
    }

    /// The region, as far as the body can speak of it: whoever proves the contract of the
    /// node may need it.
    fn write_region(&mut self, equations: &Equations) {
        let source = &equations.terms;
        for clause in &equations.region {
            if source.variables([*clause]).iter().any(|var| !self.known.contains_key(var)) {
                continue;
            }
            let known = &self.known;
            let of = |_: &mut Terms, var: VarId, _: Sort| known[&var];
            let clause = Translation::new().apply(source, &mut self.terms, *clause, of);
            if let Ok(text) = self.text(clause) {
                let _ = writeln!(self.equations, "  --%CANDIDATE {text};");
            }
        }
    }

    /// Terms in the arena of what is written. What is used more than once has a flow of its
    /// own, so that the text is no larger than the graph of the terms; so has what is large.
    fn shared(
        &mut self,
        source: &Terms,
        roots: Vec<TermId>,
    ) -> Result<FxHashMap<TermId, TermId>, NoNode> {
        let mut all = source.closure(roots.iter().copied());
        all.sort_unstable();
        let mut uses: FxHashMap<TermId, usize> = FxHashMap::default();
        for id in all.iter().flat_map(|id| source.operands(*id)).chain(&roots) {
            *uses.entry(*id).or_default() += 1;
        }
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut sizes: FxHashMap<TermId, usize> = FxHashMap::default();
        for id in all {
            let operands = source.operands(id);
            let mut size = 1 + operands.iter().map(|operand| sizes[operand]).sum::<usize>();
            let mut term = match source.get(id) {
                Term::Var(var, _) => *self.known.get(&var).ok_or(NoNode::FirstValue)?,
                term => self.terms.rebuild(term, |operand| done[&operand]),
            };
            if !operands.is_empty() && (uses[&id] > 1 || size > LARGEST) {
                let text = self.text(term)?;
                let (name, flow) = self.local(source.sort(id))?;
                let _ = writeln!(self.equations, "  {name} = {text};");
                (term, size) = (flow, 1);
            }
            done.insert(id, term);
            sizes.insert(id, size);
        }
        Ok(done)
    }

    /// A term as an operand.
    fn operand(&self, term: TermId) -> Result<String, NoNode> {
        let text = self.text(term)?;
        let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '_');
        Ok(if is_word { text } else { format!("({text})") })
    }

    fn text(&self, term: TermId) -> Result<String, NoNode> {
        let named = |(name, sort): &(String, Sort)| Named { name: name.clone(), sort: *sort };
        let predicate = Predicate { terms: Arc::new(self.terms.clone()), term };
        let arguments = self.names.iter().map(named).collect();
        formula(arguments, &self.system.enumerations, &predicate).ok_or(NoNode::Unwritten)
    }
}

/// A value of a type, of the scalars that it is made of; none if a record has no name.
fn put_together(ty: &Type, leaves: Vec<String>) -> Option<String> {
    enum Work<'t> {
        Type(&'t Type),
        Text(&'t str),
    }
    let mut leaves = leaves.into_iter();
    let mut stack = vec![Work::Type(ty)];
    let mut out = String::new();
    while let Some(work) = stack.pop() {
        let mut parts = Vec::new();
        match work {
            Work::Text(text) => out.push_str(text),
            Work::Type(Type::Record(record)) => {
                parts.extend([Work::Text(record.name.as_deref()?), Work::Text(" { ")]);
                for (i, (name, ty)) in record.names.iter().zip(record.fields.types()).enumerate() {
                    parts.push(Work::Text(if i == 0 { "" } else { "; " }));
                    parts.extend([Work::Text(name), Work::Text(" = "), Work::Type(ty)]);
                }
                parts.push(Work::Text(" }"));
            }
            Work::Type(Type::Array(array)) => {
                for i in 0..array.length {
                    parts.push(Work::Text(if i == 0 { "[" } else { ", " }));
                    parts.push(Work::Type(&array.element));
                }
                parts.push(Work::Text("]"));
            }
            Work::Type(Type::Tuple(tuple)) => {
                for (i, ty) in tuple.types().iter().enumerate() {
                    parts.push(Work::Text(if i == 0 { "{" } else { ", " }));
                    parts.push(Work::Type(ty));
                }
                parts.push(Work::Text("}"));
            }
            Work::Type(_) => out.push_str(&leaves.next()?),
        }
        stack.extend(parts.into_iter().rev());
    }
    Some(out)
}
