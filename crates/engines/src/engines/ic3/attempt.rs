//! One property: frames that grow until two are equal, or until an abstract
//! counterexample is one.

use std::sync::Arc;
use std::time::Duration;

use lustral_base::schedule::Moment;
use lustral_smt::Fault;
use lustral_system::{Predicate, PropId, Role};
use lustral_term::{TermId, VarId};
use rustc_hash::FxHashMap;

use super::forever::Share;
use super::frames::Frames;
use super::lift::{Lifter, Target};
use super::obligations::Obligations;
use super::predicates::{Cube, Predicates};
use super::refine::{Refined, Refinement};
use super::steps::{Place, Reached, Steps, Transition};
use crate::board::Lemma;
use crate::model::Inputs;
use crate::patience::Trouble;
use crate::task::Task;

/// A session is made anew after so many facts that served one query each.
const TEMPORARIES: usize = 500;

/// How far an attempt came.
pub(crate) enum Progress {
    /// There is more to do.
    More,
    /// These cubes are never entered, and outside of them the property holds.
    Invariant(Vec<Cube>),
    /// An execution of so many steps at whose last the property fails.
    Execution(usize, Inputs),
    /// The largest depth was reached.
    DepthLimit,
    /// There is nothing more to try.
    Nothing,
}

/// The work on one property.
pub(crate) struct Attempt<'t> {
    pub(super) task: &'t Task,
    pub property: PropId,
    /// The memories that the property and all constraints depend on.
    slice: Vec<VarId>,
    inside: Vec<bool>,
    nexts: FxHashMap<VarId, TermId>,
    pub typing: Vec<Predicate>,
    pub lemmas: Vec<Arc<Lemma>>,
    /// The lemmas of the board that were looked at.
    seen: usize,
    pub predicates: Predicates,
    pub(super) steps: Steps<'t>,
    lifter: Option<Lifter<'t>>,
    pub(super) frames: Frames,
    obligations: Obligations,
    /// How often predicates were added.
    pub(super) refinements: usize,
    /// The last frame; none before the first step was looked at.
    pub(super) last: Option<usize>,
    /// By predicate: how often it was needed to exclude a cube.
    pub(super) activity: Vec<u32>,
    limit: Option<Duration>,
    /// The time for what is no part of the search for the answer.
    pub(super) share: Share,
    /// Whether lemmas of the board have a part in what is excluded for good.
    pub(super) board_matters: bool,
    /// The lemmas that were posted here.
    pub(super) posted: Vec<Predicate>,
}

/// Whether a predicate speaks of a slice only.
fn is_inside(inside: &[bool], predicate: &Predicate) -> bool {
    predicate.terms.variables([predicate.term]).iter().all(|var| inside[var.index()])
}

impl<'t> Attempt<'t> {
    pub fn new(task: &'t Task, property: PropId) -> Result<Attempt<'t>, Fault> {
        let system = &task.system;
        let goal = system.property(property).term;
        let constraints = system.constraints.iter().map(|c| c.term);
        let roots: Vec<TermId> = constraints.chain([goal]).collect();
        let inside = system.cone_of(system.terms.variables(roots.iter().copied()));
        let memories = || system.memories.iter().filter(|m| inside[m.var.index()]);
        let slice: Vec<VarId> = memories().map(|m| m.var).collect();
        let nexts: FxHashMap<VarId, TermId> = memories().map(|m| (m.var, m.next)).collect();
        let terms = Arc::new(system.terms.clone());
        let typing =
            system.typing.iter().map(|term| Predicate { terms: terms.clone(), term: *term });
        let typing: Vec<Predicate> = typing.filter(|p| is_inside(&inside, p)).collect();
        let mut predicates = Predicates::new(system);
        let guards: Vec<TermId> = roots.into_iter().chain(memories().map(|m| m.next)).collect();
        predicates.begin(system, &inside, &guards);
        let steps = Steps::new(task, property, &slice, &typing)?;
        let lifter = Some(Lifter::new(task, property, &typing)?);
        debug_assert!(slice.iter().all(|var| system.variable(*var).role == Role::Memory));
        let mut attempt = Attempt {
            task,
            property,
            slice,
            inside,
            nexts,
            typing,
            lemmas: Vec::new(),
            seen: 0,
            predicates,
            steps,
            lifter,
            frames: Frames::default(),
            obligations: Obligations::default(),
            refinements: 0,
            last: None,
            activity: Vec::new(),
            limit: None,
            share: Share::new(),
            board_matters: false,
            posted: Vec::new(),
        };
        attempt.know();
        Ok(attempt)
    }

    fn know(&mut self) {
        self.steps.know(&self.predicates);
        self.activity.resize(self.predicates.len(), 0);
    }

    /// Works until some time, with a limit for each query.
    pub fn work(&mut self, until: Moment, limit: Option<Duration>) -> Result<Progress, Trouble> {
        self.limit = limit;
        self.steps.limit(limit);
        while Moment::now() < until && !self.task.cancel.is_cancelled() {
            if self.steps.temporaries > TEMPORARIES {
                self.renew()?;
            }
            match self.advance()? {
                Progress::More => {}
                other => return Ok(other),
            }
        }
        Ok(Progress::More)
    }

    /// A new session that knows what is still of use.
    fn renew(&mut self) -> Result<(), Fault> {
        self.steps = Steps::new(self.task, self.property, &self.slice, &self.typing)?;
        self.steps.limit(self.limit);
        self.steps.know(&self.predicates);
        self.lemmas.iter().for_each(|lemma| self.steps.use_lemma(lemma));
        for (frame, cube) in self.frames.all() {
            self.steps.exclude(cube, Place::Frame(frame));
        }
        for cube in &self.frames.always {
            self.steps.exclude(cube, Place::Always);
        }
        if self.lifter.is_some() {
            self.lifter = Some(Lifter::new(self.task, self.property, &self.typing)?);
        }
        Ok(())
    }

    /// Uses what the board has learned meanwhile. What is only known along
    /// paths that repeat no state is of no use here.
    fn look_at_board(&mut self) {
        let news = self.task.board.lemmas_after(self.seen);
        self.seen += news.len();
        for lemma in news {
            if !lemma.compression
                && is_inside(&self.inside, &lemma.predicate)
                && !self.is_mine(&lemma)
            {
                self.steps.use_lemma(&lemma);
                self.lemmas.push(lemma);
            }
        }
    }

    /// Whether a lemma is one that was posted here.
    fn is_mine(&self, lemma: &Lemma) -> bool {
        self.posted.iter().any(|mine| mine.same_as(&lemma.predicate))
    }

    fn advance(&mut self) -> Result<Progress, Trouble> {
        let Some(last) = self.last else { return self.first() };
        if let Some((frame, number)) = self.obligations.first() {
            return self.oblige(frame, number, last);
        }
        self.look_at_board();
        if let Some(transition) = self.steps.fails_next(Place::Frame(last))? {
            let cube = self.abstracted(&transition, None);
            self.obligations.add(cube, last, None);
            return Ok(Progress::More);
        }
        self.task.board.post_depth(&[self.property], last + 2);
        tracing::debug!(
            last,
            predicates = self.predicates.len(),
            cubes = self.frames.from(0).count(),
            "ic3: frame"
        );
        self.last = Some(last + 1);
        if let Some(equal) = self.propagate(last)? {
            return Ok(Progress::Invariant(self.frames.from(equal).cloned().collect()));
        }
        self.settle_forever(last + 1);
        let too_deep = self.task.limits.stop_at(last + 1).is_some();
        Ok(if too_deep { Progress::DepthLimit } else { Progress::More })
    }

    /// The first step: an execution may end there.
    fn first(&mut self) -> Result<Progress, Trouble> {
        self.look_at_board();
        let fails = self.steps.failure(self.property);
        let start = self.predicates.start.clone();
        if let Some(transition) = self.steps.walk(&start, fails)? {
            let mut inputs = Inputs { answers: transition.first.answers, ..Inputs::default() };
            for (var, value) in transition.first.values {
                if self.task.system.variable(var).role != Role::Memory {
                    inputs.values.insert((0, var), value);
                }
            }
            return Ok(Progress::Execution(1, inputs));
        }
        self.task.board.post_depth(&[self.property], 1);
        self.last = Some(0);
        Ok(Progress::More)
    }

    /// The cube of the first state of a transition to an obligation, lifted.
    fn abstracted(&mut self, transition: &Transition, next: Option<usize>) -> Cube {
        let cube = self.predicates.abstracted(&transition.first);
        let target = match next {
            Some(number) => Target::Cube(&self.obligations.get(number).cube),
            None => Target::Failure,
        };
        match &mut self.lifter {
            Some(lifter) => lifter.lift(&self.predicates, cube, transition, target),
            None => cube,
        }
    }

    /// Works on the first obligation.
    fn oblige(&mut self, frame: usize, number: usize, last: usize) -> Result<Progress, Trouble> {
        let cube = self.obligations.get(number).cube.clone();
        if self.predicates.is_initial(&cube) {
            return self.refine(number);
        }
        let later = (frame < last).then_some(frame + 1);
        if self.frames.excludes(&cube, frame) {
            self.obligations.moved(number, frame, later);
            return Ok(Progress::More);
        }
        // A cube without the initial state is in no chain at frame zero.
        let Some(before) = frame.checked_sub(1) else {
            self.obligations.moved(number, frame, later);
            return Ok(Progress::More);
        };
        match self.steps.reached(&cube, Place::Frame(before), true)? {
            Reached::Yes(transition) => {
                if let Some(transition) = transition {
                    let predecessor = self.abstracted(&transition, Some(number));
                    self.obligations.add(predecessor, before, Some(number));
                }
            }
            Reached::No(core, _) => {
                let core = self.generalise(&cube, core, before);
                self.exclude(core, frame, last);
                self.obligations.moved(number, frame, later);
            }
        }
        Ok(Progress::More)
    }

    fn refine(&mut self, number: usize) -> Result<Progress, Trouble> {
        let chain = self.obligations.chain(number);
        let mut refinement = Refinement {
            task: self.task,
            property: self.property,
            steps: &mut self.steps,
            predicates: &mut self.predicates,
            nexts: &self.nexts,
        };
        let refined = refinement.refine(&chain)?;
        tracing::debug!(
            steps = chain.len() + 1,
            predicates = self.predicates.len(),
            "ic3: refined"
        );
        match refined {
            Refined::Execution(length, inputs) => return Ok(Progress::Execution(length, inputs)),
            Refined::Predicates => {
                self.refinements += 1;
                for predicate in self.activity.len()..self.predicates.len() {
                    let text = self.predicates.show(&self.task.system, predicate);
                    tracing::trace!(text, "ic3: predicate");
                }
                self.know();
            }
            // Without lifting there is always something new.
            Refined::Nothing if self.lifter.is_some() => self.lifter = None,
            Refined::Nothing => return Ok(Progress::Nothing),
        }
        self.obligations.clear();
        Ok(Progress::More)
    }
}
