//! Protocols as a domain of primal-dual Houdini (section 5 of the paper): states are finite structures, predicates
//! universally quantified clauses whose variables are different.

use std::collections::BTreeSet;

use lustral_base::Cancel;
use lustral_duality::{
    Domain, Judged, PredicateId, Predicates, Separation, StateId, States, Transition,
};
use lustral_first_order::{Assignment, Formula, States as Truth, Universe};
use lustral_protocol::Protocol;
use lustral_quantified::Steps;
use lustral_sat::Solver;
use rustc_hash::FxHashMap;

use super::instances::{Instance, Step};
use super::separate::{Shown, Wanted, separate};
use super::{Halt, Predicate};
use crate::atoms::Cube;
use crate::pattern::Pattern;
use crate::system::Chosen;

/// No more elements of all sorts together than this, beyond the fewest, are looked at.
const MOST_MORE: u32 = 8;

struct State {
    /// The number of the instance.
    instance: usize,
    cube: Cube,
}

/// States and predicates of a protocol, and what is known of them.
pub(super) struct Structures<'p> {
    protocol: &'p Protocol,
    cancel: Cancel,
    /// Those with the fewest elements first.
    instances: Vec<Instance<'p>>,
    /// The sizes that follow, and how many elements they have together.
    smallest: Universe,
    more: u32,
    states: Vec<State>,
    state_ids: FxHashMap<(usize, Cube), StateId>,
    predicates: Vec<Predicate>,
    predicate_ids: FxHashMap<Pattern, PredicateId>,
    known: Vec<Transition>,
    /// By state: whether the known transitions lead there.
    reached: Vec<bool>,
    /// The second tier, and the numbers that predicates have there.
    steps: Steps<'p>,
    facts: FxHashMap<PredicateId, usize>,
    /// Induction steps that were shown.
    shown: Vec<(Predicates, Predicates)>,
    satisfied: FxHashMap<(StateId, PredicateId), bool>,
    between: FxHashMap<(Option<StateId>, StateId), bool>,
    /// The most variables of a predicate.
    layers: usize,
}

impl<'p> Structures<'p> {
    /// The property is predicate 0.
    pub fn new(
        protocol: &'p Protocol,
        property: usize,
        smallest: Universe,
        steps: Steps<'p>,
        cancel: &Cancel,
    ) -> Result<Structures<'p>, Halt> {
        let mut this = Structures {
            protocol,
            cancel: cancel.clone(),
            instances: Vec::new(),
            smallest,
            more: 0,
            states: Vec::new(),
            state_ids: FxHashMap::default(),
            predicates: vec![Predicate::Property(property)],
            predicate_ids: FxHashMap::default(),
            known: Vec::new(),
            reached: Vec::new(),
            steps,
            facts: FxHashMap::default(),
            shown: Vec::new(),
            satisfied: FxHashMap::default(),
            between: FxHashMap::default(),
            layers: 1,
        };
        this.larger()?;
        Ok(this)
    }

    /// Looks at the sizes with one element more, of whichever sort.
    fn larger(&mut self) -> Result<(), Halt> {
        if self.more > MOST_MORE {
            return Err(Halt::Sizes);
        }
        for universe in with_more(&self.smallest, self.more) {
            let instance = Instance::new(self.protocol, universe, &self.cancel);
            self.instances.push(instance.map_err(|_| Halt::Sizes)?);
        }
        self.more += 1;
        Ok(())
    }

    fn state(&mut self, instance: usize, cube: Cube) -> StateId {
        let key = (instance, cube);
        if let Some(known) = self.state_ids.get(&key) {
            return *known;
        }
        let id = StateId(self.states.len() as u32);
        self.states.push(State { instance, cube: key.1.clone() });
        self.reached.push(false);
        self.state_ids.insert(key, id);
        id
    }

    fn predicate(&mut self, pattern: Pattern) -> PredicateId {
        if let Some(known) = self.predicate_ids.get(&pattern) {
            return *known;
        }
        let id = PredicateId(self.predicates.len() as u32);
        self.predicate_ids.insert(pattern.clone(), id);
        self.predicates.push(Predicate::Clause(pattern));
        id
    }

    /// What a predicate says.
    pub fn formula(&self, id: PredicateId) -> Formula {
        match &self.predicates[id.0 as usize] {
            Predicate::Property(property) => self.protocol.safety[*property].formula.clone(),
            Predicate::Clause(pattern) => pattern.formula(&self.protocol.signature),
        }
    }

    /// Remembers a transition.
    fn note(&mut self, transition: Transition) -> Transition {
        if !self.known.contains(&transition) {
            self.known.push(transition);
            self.between.insert((transition.from, transition.to), true);
            // What is reached now may lead on.
            loop {
                let leads = |t: &&Transition| {
                    let begins = t.from.is_none_or(|s| self.reached[s.0 as usize]);
                    begins && !self.reached[t.to.0 as usize]
                };
                let Some(to) = self.known.iter().find(leads).map(|t| t.to) else { break };
                self.reached[to.0 as usize] = true;
            }
        }
        transition
    }

    /// An edge of `E` that an induction step is not parallel to, among those that are known.
    fn broken(&mut self, p: &Predicates, q: &Predicates) -> Result<Option<Transition>, Halt> {
        for transition in self.known.clone() {
            let before = match transition.from {
                Some(from) => self.satisfies_all(from, p)? && self.satisfies_all(from, q)?,
                None => true,
            };
            let to = transition.to;
            if before && self.satisfies_all(to, p)? && !self.satisfies_all(to, q)? {
                return Ok(Some(transition));
            }
        }
        Ok(None)
    }

    /// The same, in an instance: from a reached state, if there is one.
    fn broken_in(
        &mut self,
        number: usize,
        p: &Predicates,
        q: &Predicates,
    ) -> Result<Option<Transition>, Halt> {
        let predicates = &self.predicates;
        let numbered = |set: &Predicates| -> Vec<(usize, &Predicate)> {
            set.iter().map(|id| (id.0 as usize, &predicates[id.0 as usize])).collect()
        };
        let (holds, adds) = (numbered(p), numbered(q));
        let instance = &mut self.instances[number];
        if let Some(cube) = instance.first(&holds, &adds)? {
            let to = self.state(number, cube);
            return Ok(Some(self.note(Transition { from: None, to })));
        }
        let here = self.states.iter().enumerate().filter(|(_, state)| state.instance == number);
        let reached = here.filter(|(i, _)| self.reached[*i]).map(|(_, state)| &state.cube);
        let mut found = None;
        for from in reached.map(Some).chain([None]) {
            found = instance.step(&holds, &adds, from)?;
            if found.is_some() {
                break;
            }
        }
        let Some(Step { from, to }) = found else { return Ok(None) };
        let (from, to) = (self.state(number, from), self.state(number, to));
        Ok(Some(self.note(Transition { from: Some(from), to })))
    }

    /// The second tier: whether the step holds at all sizes.
    fn shown(&mut self, p: &Predicates, q: &Predicates) -> Result<Option<Predicates>, Halt> {
        let mut numbered = |set: &Predicates| -> Result<BTreeSet<usize>, Halt> {
            let mut found = BTreeSet::new();
            for id in set {
                let number = match self.facts.get(id) {
                    Some(number) => *number,
                    None => {
                        let formula = self.formula(*id);
                        self.steps.add(formula).ok_or(Halt::Stopped)?;
                        let number = self.facts.len();
                        self.facts.insert(*id, number);
                        number
                    }
                };
                found.insert(number);
            }
            Ok(found)
        };
        let (known, adds) = (numbered(p)?, numbered(q)?);
        let core = self.steps.holds(&known, &adds);
        Ok(core.map(|core| p.iter().copied().filter(|id| core.contains(&self.facts[id])).collect()))
    }

    /// What chose the step between two states.
    pub fn chosen(&mut self, from: StateId, to: StateId) -> Result<Option<Chosen>, Halt> {
        let [from, to] = [from, to].map(|id| &self.states[id.0 as usize]);
        Ok(self.instances[from.instance].between(&from.cube, &to.cube)?)
    }

    /// A state, with its instance.
    pub fn shown_state(&self, id: StateId) -> (&Cube, &Instance<'p>) {
        let state = &self.states[id.0 as usize];
        (&state.cube, &self.instances[state.instance])
    }

    fn leads(&mut self, from: Option<StateId>, to: StateId) -> Result<bool, Halt> {
        if let Some(known) = self.between.get(&(from, to)) {
            return Ok(*known);
        }
        let target = &self.states[to.0 as usize];
        let instance = &mut self.instances[target.instance];
        let leads = match from.map(|id| &self.states[id.0 as usize]) {
            None => instance.begins(&target.cube)?,
            Some(source) if source.instance == target.instance => {
                instance.between(&source.cube, &target.cube)?.is_some()
            }
            Some(_) => false,
        };
        self.between.insert((from, to), leads);
        Ok(leads)
    }

    fn as_shown(&self, id: StateId) -> Shown<'_> {
        let (state, instance) = self.shown_state(id);
        Shown { atoms: &instance.frames.system.atoms, state }
    }

    /// How many states and predicates there are.
    pub fn numbers(&self) -> (usize, usize) {
        (self.states.len(), self.predicates.len())
    }
}

/// The sizes with so many elements more than the smallest.
fn with_more(smallest: &Universe, more: u32) -> Vec<Universe> {
    let mut found: Vec<Vec<u32>> = vec![Vec::new()];
    for size in smallest.sizes() {
        let longer = |sizes: &Vec<u32>| {
            let sizes = sizes.clone();
            (0..=more).map(move |extra| [&sizes[..], &[size + extra]].concat())
        };
        found = found.iter().flat_map(longer).collect();
    }
    let all = |sizes: &[u32]| sizes.iter().sum::<u32>();
    found.retain(|sizes| all(sizes) == all(smallest.sizes()) + more);
    found.into_iter().map(Universe::new).collect()
}

impl Domain for Structures<'_> {
    type Halt = Halt;

    fn too_many(&self, _: usize) -> Halt {
        Halt::Sizes
    }

    fn satisfies(&mut self, s: StateId, p: PredicateId) -> Result<bool, Halt> {
        if let Some(known) = self.satisfied.get(&(s, p)) {
            return Ok(*known);
        }
        let state = &self.states[s.0 as usize];
        let predicate = &self.predicates[p.0 as usize];
        let instance = &mut self.instances[state.instance];
        let holds = match instance.satisfies(&state.cube, p.0 as usize, predicate) {
            Some(holds) => holds,
            None => {
                let structure = instance.structure(&state.cube);
                let states = Truth::one(&self.protocol.signature, &structure);
                states.holds(&self.formula(p), &Assignment::new())
            }
        };
        self.satisfied.insert((s, p), holds);
        Ok(holds)
    }

    fn transition_between(
        &mut self,
        from: &States,
        to: &States,
    ) -> Result<Option<Transition>, Halt> {
        for t in to {
            for s in std::iter::once(None).chain(from.iter().copied().map(Some)) {
                if self.leads(s, *t)? {
                    return Ok(Some(self.note(Transition { from: s, to: *t })));
                }
            }
        }
        Ok(None)
    }

    fn judge(&mut self, p: &Predicates, q: &Predicates) -> Result<Judged, Halt> {
        let is_known = |(from, adds): &&(Predicates, Predicates)| adds == q && from.is_subset(p);
        if let Some((from, _)) = self.shown.iter().find(is_known) {
            return Ok(Judged::Holds(from.clone()));
        }
        if let Some(transition) = self.broken(p, q)? {
            return Ok(Judged::Broken(transition));
        }
        let mut looked = 0;
        loop {
            while looked < self.instances.len() {
                if let Some(transition) = self.broken_in(looked, p, q)? {
                    return Ok(Judged::Broken(transition));
                }
                looked += 1;
            }
            if let Some(core) = self.shown(p, q)? {
                self.shown.push((core.clone(), q.clone()));
                return Ok(Judged::Holds(core));
            }
            if self.cancel.is_cancelled() {
                return Err(Halt::Stopped);
            }
            self.larger()?;
        }
    }

    fn separate(&mut self, query: &Separation<'_>) -> Result<Option<Predicates>, Halt> {
        let positive: Vec<Shown<'_>> = query.positive.iter().map(|s| self.as_shown(*s)).collect();
        let both = query.implications.iter();
        let implications: Vec<(Shown<'_>, Shown<'_>)> =
            both.map(|(from, to)| (self.as_shown(*from), self.as_shown(*to))).collect();
        let wanted = Wanted { positive: &positive, implications: &implications };
        let solver = || Solver::new(Some(self.cancel.clone()));
        for variables in 0..=query.stratum {
            for negative in query.some_negative {
                if query.positive.contains(negative) {
                    continue;
                }
                let negative = self.as_shown(*negative);
                let found = separate(&wanted, negative, variables, &solver);
                if let Some(pattern) = found.map_err(|()| Halt::Stopped)? {
                    return Ok(Some(Predicates::from([self.predicate(pattern)])));
                }
            }
        }
        Ok(None)
    }

    fn strata(&self) -> usize {
        self.layers
    }

    /// A clause with more variables than a state has elements holds in it: where all states have fewer, more
    /// separate nothing.
    fn grow(&mut self, _: &States) -> bool {
        let elements = |state: &State| {
            let universe = self.instances[state.instance].universe();
            universe.sizes().iter().sum::<u32>() as usize
        };
        let more = self.states.iter().any(|state| elements(state) > self.layers);
        self.layers += usize::from(more);
        more
    }

    fn known(&self) -> Vec<Transition> {
        self.known.clone()
    }
}
