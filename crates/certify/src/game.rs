//! The game of a contract: which variables of a unit are chosen by whom, what the
//! environment must keep to and what the system. Trusted: it states the question.
//!
//! Of a node without a body the outputs are chosen by the system, after it has seen the
//! inputs; its assumptions bind the environment, its guarantees and modes the system. Of a
//! node with `--%REALIZABLE` the inputs that it does not name are chosen by the system; its
//! assertions bind the environment, its properties the system, and so do assertions about what the system
//! chooses at the same step: nobody else can keep them, and who kept to them would only win more. What else is open is the
//! environment's: first values of `pre` too, which nobody has chosen. Of a node with a body in which
//! values are chosen (`any { x | p }`), the system chooses these, after it has seen the inputs; the conditions bind the
//! system, and all else that restricts executions the environment. What the node claims is another question.
//!
//! Of a function without a body the results are chosen in the same way ([`opened`]). Its
//! contract has no memory, so whoever can choose at each step can choose the same for the
//! same inputs.

use lustral_sema::InstanceId;
use lustral_sema::instances::Wanted;
use lustral_sema::program::{Assertion, Node, Premise};
use lustral_system::{
    ConstraintSource, Demand, Game, Goal, Inlined, Origin, Reason, Role, TransitionSystem,
};
use lustral_term::{Operator, Sort, TermId, VarId};

use crate::Unit;

/// The word for what finds out about realizability, in reasons.
const WHO: &str = "realize";

/// Which obligations the unit of a game needs: of a node without a body its constraints
/// say all.
#[must_use]
pub fn wanted(node: &Node) -> Wanted {
    Wanted { called_nodes: !node.imported, outputs: false }
}

/// Whether a node with a body chooses values of which something is to hold.
#[must_use]
pub fn chooses(node: &Node) -> bool {
    let is_chosen = |assertion: &Assertion| assertion.premise == Premise::Chosen;
    !node.imported && node.realizable.is_none() && node.asserts.iter().any(is_chosen)
}

/// The unit of a game: if its root is a function without a body, the results are open at each
/// step, in place of values of functions of which nothing is known.
#[must_use]
pub fn opened(mut unit: Unit) -> Unit {
    let node = unit.program.node(unit.tree.instance(InstanceId::ROOT).node);
    if !node.imported || !node.is_function {
        return unit;
    }
    let system = &mut unit.system;
    for variable in &mut system.variables {
        if is_result(node, variable.origin) {
            variable.role = Role::Choice;
        }
    }
    let variables = &system.variables;
    system.definitions.retain(|var| !is_result(node, variables[var.index()].origin));
    unit
}

/// Whether a variable is an output of the root, or a part of one.
fn is_result(node: &Node, origin: Origin) -> bool {
    match origin {
        Origin::Stream { instance: InstanceId::ROOT, stream, .. } => {
            node.output_ids().any(|output| output == stream)
        }
        _ => false,
    }
}

/// The game of a unit, whose root has no body, says which of its inputs the environment
/// chooses, or chooses values itself.
///
/// # Errors
/// If the question has no such form.
pub fn game(unit: &Unit) -> Result<Game, Reason> {
    let system = Inlined::new(&unit.system);
    let node = unit.program.node(unit.tree.instance(InstanceId::ROOT).node);
    let chooses = chooses(node);
    if !node.imported && node.realizable.is_none() && !chooses {
        let text = format!("`{}` has a body: nothing is left to choose", node.name);
        return Err(inconclusive("nothing_to_choose", text));
    }
    if system.variables().any(|(_, variable)| matches!(variable.sort, Sort::Array(_))) {
        let text = "the contract speaks of sets or maps, of which no strategy is looked for";
        return Err(inconclusive("sets_or_maps", text.into()));
    }
    let controlled: Vec<VarId> = (system.variables())
        .filter(|(_, v)| is_controlled(node, v.role, v.origin))
        .map(|(id, _)| id)
        .collect();
    let mut environment = Vec::new();
    for (id, variable) in system.variables() {
        let free = matches!(variable.role, Role::Input | Role::Choice);
        if free && !controlled.contains(&id) {
            environment.push(id);
        }
    }
    let (mut assumptions, mut guarantees) = (Vec::new(), Vec::new());
    for constraint in &system.constraints {
        let own = match constraint.source {
            ConstraintSource::Assertion { instance: InstanceId::ROOT, index } => {
                Some(&node.asserts[index as usize])
            }
            _ => None,
        };
        match own {
            Some(assertion) if node.imported && !assertion.premise.is_given() => {
                let clause = node.clauses.iter().find(|clause| clause.span == assertion.span);
                let name = clause.map(|clause| clause.name.to_string());
                // The condition of a type stands where its flow does.
                let flow = node.streams.iter().find(|stream| stream.span == assertion.span);
                let name = name.or_else(|| flow.map(|flow| format!("type of {}", flow.name)));
                guarantees.push(Demand { name, term: constraint.term });
            }
            Some(Assertion { premise: Premise::Chosen, .. }) if chooses => {
                let name = Some(format!("choice {}", guarantees.len() + 1));
                guarantees.push(Demand { name, term: constraint.term });
            }
            _ if node.realizable.is_some() && depends_on(&system, constraint.term, &controlled) => {
                let number = own.map(|own| {
                    let asserted = |a: &&Assertion| a.premise == own.premise;
                    let all = node.asserts.iter().filter(asserted);
                    all.take_while(|a| !std::ptr::eq(*a, own)).count() + 1
                });
                let name = number.map(|number| format!("assertion {number}"));
                guarantees.push(Demand { name, term: constraint.term });
            }
            _ => assumptions.push(constraint.term),
        }
    }
    // What should be reached, or should occur, is no demand on every step.
    let goals = unit.properties.iter().map(|property| property.goal);
    let is_demand = |goal: Goal| goal == Goal::Always && !chooses;
    let always = system.properties.iter().zip(goals).filter(|(_, goal)| is_demand(*goal));
    for (property, _) in always {
        let name = Some(property.name.clone());
        guarantees.push(Demand { name, term: property.term });
    }
    let game = Game { system, environment, controlled, assumptions, guarantees };
    judge(&game)?;
    Ok(game)
}

/// Whether a term depends on some variables at the same step.
fn depends_on(system: &TransitionSystem, term: TermId, vars: &[VarId]) -> bool {
    system.terms.variables([term]).iter().any(|var| vars.contains(var))
}

/// Whether the system chooses a variable: what an output of the root is, where that has no
/// body, an input that the environment does not choose, or what the node itself chooses.
fn is_controlled(node: &Node, role: Role, origin: Origin) -> bool {
    if node.imported && node.is_function {
        return is_result(node, origin);
    }
    match (origin, &node.realizable) {
        (Origin::Any { instance: InstanceId::ROOT, .. }, None) if chooses(node) => true,
        (Origin::Any { instance: InstanceId::ROOT, expr, .. }, _) if node.imported => {
            node.output_ids().any(|output| node.stream(output).definition == Some(expr))
        }
        (Origin::Stream { instance: InstanceId::ROOT, stream, .. }, Some(inputs)) => {
            role == Role::Input && !node.imported && !inputs.contains(&stream)
        }
        _ => false,
    }
}

/// Whether the two choose one after the other.
fn judge(game: &Game) -> Result<(), Reason> {
    let system: &TransitionSystem = &game.system;
    let depends = |term: &TermId| {
        let used = system.terms.variables([*term]);
        used.into_iter().find(|var| game.controlled.contains(var))
    };
    if let Some(var) = game.assumptions.iter().find_map(depends) {
        let text = format!(
            "an assumption depends on {} at the same step, which is chosen after it",
            system.variable(var).name
        );
        return Err(inconclusive("assumption_about_outputs", text));
    }
    let demands = game.guarantees.iter().map(|demand| demand.term);
    let roots = game.assumptions.iter().copied().chain(demands);
    let call = |term: &TermId| matches!(system.terms.operator(*term), Some(Operator::Call(_)));
    if system.terms.closure(system.roots().chain(roots.clone())).iter().any(call) {
        let text = "it depends on a function without a body, which nobody chooses";
        return Err(inconclusive("arbitrary_value", text.into()));
    }
    let cone = system.cone_of(system.terms.variables(roots));
    let open = game.environment.iter().find(|var| {
        let variable = system.variable(**var);
        let later =
            variable.role == Role::Choice && !matches!(variable.origin, Origin::FirstValue { .. });
        later && cone[var.index()]
    });
    match open {
        None => Ok(()),
        Some(var) => {
            let name = &system.variable(*var).name;
            let text = format!("{name} may depend on outputs of the same step: not supported yet");
            Err(inconclusive("arbitrary_value", text))
        }
    }
}

fn inconclusive(code: &'static str, text: String) -> Reason {
    Reason::Inconclusive { engine: WHO.into(), code: code.into(), text }
}
