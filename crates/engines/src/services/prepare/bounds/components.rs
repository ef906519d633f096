//! Memories in groups that depend on each other, each group after those that it
//! depends on: the strongly connected components of the graph of terms, in which
//! a memory leads to its next-state function (Tarjan 1972).

use lustral_system::TransitionSystem;
use lustral_term::TermId;

/// The memories of a system by their positions, in groups.
pub(super) struct Components {
    /// Those that the constraints depend on. What the constraints say is known after
    /// them, and not before.
    pub constrained: Vec<usize>,
    /// The others, in the order in which they can be looked at.
    pub others: Vec<Vec<usize>>,
}

impl Components {
    pub fn new(system: &TransitionSystem) -> Components {
        let constraints = system.constraints.iter().map(|c| c.term);
        let inside = system.cone_of(system.terms.variables(constraints));
        let (constrained, others): (Vec<usize>, Vec<usize>) =
            (0..system.memories.len()).partition(|i| inside[system.memories[*i].var.index()]);
        let mut search = Search::new(system);
        for i in others {
            if let Some(term) = search.variables[i] {
                search.visit(term);
            }
        }
        let mut others = search.found;
        for group in &mut others {
            group.retain(|i| !inside[system.memories[*i].var.index()]);
            group.sort_unstable();
        }
        others.retain(|group| !group.is_empty());
        Components { constrained, others }
    }
}

/// What the search knows of a term.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    /// On the path or in a component that is not complete: when it was found.
    Open(u32),
    Done,
}

struct Search<'s> {
    system: &'s TransitionSystem,
    /// By memory: the term of its variable, if any term has it.
    variables: Vec<Option<TermId>>,
    /// By term: the memory that it is.
    memory: Vec<Option<usize>>,
    /// By term.
    state: Vec<State>,
    /// The terms that are open, in the order in which they were found.
    open: Vec<TermId>,
    count: u32,
    found: Vec<Vec<usize>>,
}

/// A term on the path: how many of its successors were looked at, and the earliest
/// open term that it leads to.
struct Visit {
    term: TermId,
    next: usize,
    lowest: u32,
}

impl<'s> Search<'s> {
    fn new(system: &'s TransitionSystem) -> Search<'s> {
        let terms = &system.terms;
        let mut by_variable = vec![None; system.variables.len()];
        for (i, memory) in system.memories.iter().enumerate() {
            by_variable[memory.var.index()] = Some(i);
        }
        let mut variables = vec![None; system.memories.len()];
        let mut memory = vec![None; terms.len()];
        for id in (0..terms.len() as u32).map(TermId) {
            if let Some(i) = terms.var(id).and_then(|var| by_variable[var.index()]) {
                variables[i] = Some(id);
                memory[id.index()] = Some(i);
            }
        }
        let state = vec![State::New; terms.len()];
        let (open, found) = (Vec::new(), Vec::new());
        Search { system, variables, memory, state, open, count: 0, found }
    }

    /// The successor of a term with a number.
    fn successor(&self, term: TermId, number: usize) -> Option<TermId> {
        match self.memory[term.index()] {
            Some(i) => (number == 0).then(|| self.system.memories[i].next),
            None => self.system.terms.operands(term).get(number).copied(),
        }
    }

    fn open(&mut self, term: TermId) -> Visit {
        self.state[term.index()] = State::Open(self.count);
        self.open.push(term);
        self.count += 1;
        Visit { term, next: 0, lowest: self.count - 1 }
    }

    /// Finds the components that a term leads to.
    fn visit(&mut self, root: TermId) {
        if self.state[root.index()] != State::New {
            return;
        }
        let mut path = vec![self.open(root)];
        while let Some(top) = path.last_mut() {
            if let Some(successor) = self.successor(top.term, top.next) {
                top.next += 1;
                match self.state[successor.index()] {
                    State::New => path.push(self.open(successor)),
                    State::Open(found) => top.lowest = top.lowest.min(found),
                    State::Done => {}
                }
                continue;
            }
            let (term, lowest) = (top.term, top.lowest);
            path.pop();
            if let Some(user) = path.last_mut() {
                user.lowest = user.lowest.min(lowest);
            }
            if self.state[term.index()] == State::Open(lowest) {
                self.close(term);
            }
        }
    }

    /// The component of the term by which it was entered is complete.
    fn close(&mut self, first: TermId) {
        let mut group = Vec::new();
        while let Some(term) = self.open.pop() {
            self.state[term.index()] = State::Done;
            group.extend(self.memory[term.index()]);
            if term == first {
                break;
            }
        }
        self.found.push(group);
    }
}
