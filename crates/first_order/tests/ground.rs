//! What a formula means at a size is said twice: by the evaluator and by the grounder. They
//! agree on random formulas in random structures.

#![allow(clippy::unwrap_used)]
use lustral_base::Random;
use lustral_first_order::{
    Application, Assignment, Circuit, Formula, GateId, Ground, Grounder, Leaves, Moment,
    Quantifier, Shown, Signature, SortId, States, Structure, Symbol, SymbolId, Term, Universe,
    VarId, Variable,
};

fn signature() -> Signature {
    let symbol = |name: &str, arguments: &[u32], result: Option<u32>| Symbol {
        name: name.into(),
        arguments: arguments.iter().map(|sort| SortId(*sort)).collect(),
        result: result.map(SortId),
    };
    Signature {
        sorts: vec!["a".into(), "b".into()],
        symbols: vec![
            symbol("p", &[0], None),
            symbol("q", &[0, 1], None),
            symbol("r", &[], None),
            symbol("f", &[0], Some(1)),
            symbol("g", &[1, 0], Some(0)),
            symbol("c", &[], Some(0)),
        ],
    }
}

struct Maker<'a> {
    random: Random,
    signature: &'a Signature,
    scope: Vec<Variable>,
    next: u32,
}

impl Maker<'_> {
    fn moment(&mut self) -> Moment {
        *self.random.pick(&[Moment::Now, Moment::Next])
    }

    fn application(&mut self, symbol: SymbolId, depth: u32) -> Application {
        let sorts = self.signature.symbol(symbol).arguments.clone();
        let arguments = sorts.into_iter().map(|sort| self.term(sort, depth)).collect();
        Application { symbol, moment: self.moment(), arguments }
    }

    fn term(&mut self, sort: SortId, depth: u32) -> Term {
        let known: Vec<Variable> = self.scope.iter().filter(|v| v.sort == sort).cloned().collect();
        if depth > 0 && self.random.below(8) == 0 {
            let condition = self.formula(depth - 1);
            let (then, otherwise) = (self.term(sort, depth - 1), self.term(sort, depth - 1));
            return Term::Choice(Box::new((condition, then, otherwise)));
        }
        if !known.is_empty() && (depth == 0 || self.random.below(3) > 0) {
            return Term::Variable(self.random.pick(&known).clone());
        }
        let symbol = if sort == SortId(1) { 3 } else { *self.random.pick(&[4, 5]) };
        let symbol = if depth == 0 && symbol == 4 { 5 } else { symbol };
        Term::Apply(self.application(SymbolId(symbol), depth.saturating_sub(1)))
    }

    fn formula(&mut self, depth: u32) -> Formula {
        if depth == 0 || self.random.below(5) == 0 {
            return match self.random.below(5) {
                0 => {
                    let sort = SortId(self.random.below(2) as u32);
                    Formula::equal(self.term(sort, depth), self.term(sort, depth))
                }
                n => {
                    let symbol = SymbolId(n as u32 % 3);
                    Formula::Relation(self.application(symbol, depth))
                }
            };
        }
        match self.random.below(8) {
            0 => self.formula(depth - 1).negated(),
            1 => Formula::And((0..3).map(|_| self.formula(depth - 1)).collect()),
            2 => Formula::Or((0..2).map(|_| self.formula(depth - 1)).collect()),
            3 => Formula::Implies(Box::new((self.formula(depth - 1), self.formula(depth - 1)))),
            4 => Formula::Iff(Box::new((self.formula(depth - 1), self.formula(depth - 1)))),
            5 => Formula::Choice(Box::new((
                self.formula(depth - 1),
                self.formula(depth - 1),
                self.formula(depth - 1),
            ))),
            _ => self.quantified(depth),
        }
    }

    fn quantified(&mut self, depth: u32) -> Formula {
        let before = self.scope.len();
        for _ in 0..=self.random.below(2) {
            let sort = SortId(self.random.below(2) as u32);
            let name = format!("X{}", self.next).into();
            self.scope.push(Variable { id: VarId(self.next), sort, name });
            self.next += 1;
        }
        let body = self.formula(depth - 1);
        let variables = self.scope.split_off(before);
        let quantifier = *self.random.pick(&[Quantifier::Forall, Quantifier::Exists]);
        Formula::Quantified(quantifier, variables, Box::new(body))
    }
}

fn structure(random: &mut Random, signature: &Signature, universe: &Universe) -> Structure {
    let mut structure = Structure::new(signature, universe.clone());
    for (id, symbol) in signature.symbols() {
        for position in 0..universe.count(&symbol.arguments).unwrap() {
            match symbol.result {
                None => structure.set(id, position, random.below(2) == 0),
                Some(sort) => {
                    let value = random.below(u64::from(universe.size(sort))) as u32;
                    structure.set_value(id, position, value);
                }
            }
        }
    }
    structure
}

/// A leaf for every ground atom, in the order in which they are asked for.
#[derive(Default)]
struct Numbered(Vec<(SymbolId, Moment, usize, Option<u32>)>);

impl Numbered {
    fn leaf(
        &mut self,
        circuit: &mut Circuit,
        key: (SymbolId, Moment, usize, Option<u32>),
    ) -> GateId {
        let known = self.0.iter().position(|other| *other == key);
        let number = known.unwrap_or_else(|| {
            self.0.push(key);
            self.0.len() - 1
        });
        circuit.leaf(number as u32)
    }
}

impl Leaves for Numbered {
    fn relation(&mut self, c: &mut Circuit, s: SymbolId, m: Moment, position: usize) -> GateId {
        self.leaf(c, (s, m, position, None))
    }

    fn value(
        &mut self,
        c: &mut Circuit,
        s: SymbolId,
        m: Moment,
        position: usize,
        v: u32,
    ) -> GateId {
        self.leaf(c, (s, m, position, Some(v)))
    }
}

#[test]
fn the_evaluator_and_the_grounder_agree() {
    let signature = signature();
    let mut held = 0;
    for seed in 0..2000 {
        let mut random = Random::new(seed);
        let parameter = Variable { id: VarId(0), sort: SortId(0), name: "n".into() };
        let scope = vec![parameter.clone()];
        let mut maker = Maker { random: Random::new(!seed), signature: &signature, scope, next: 1 };
        let formula = maker.formula(4);
        let sizes = vec![1 + random.below(3) as u32, 1 + random.below(2) as u32];
        let universe = Universe::new(sizes);
        let now = structure(&mut random, &signature, &universe);
        let next = structure(&mut random, &signature, &universe);
        let element = random.below(u64::from(universe.size(SortId(0)))) as u32;
        let states = States::two(&signature, &now, &next);
        let expected = states.holds(&formula, &Assignment::of([(parameter.id, element)]));
        held += u32::from(expected);

        // The parameter is an element, or open: then its gates are the leaves from 1000.
        let (mut circuit, mut leaves) = (Circuit::new(), Numbered::default());
        let open = (0..universe.size(SortId(0))).map(|e| circuit.leaf(1000 + e)).collect();
        for given in [Ground::Element(element), Ground::Open(open)] {
            let mut grounder = Grounder {
                signature: &signature,
                universe: &universe,
                circuit: &mut circuit,
                leaves: &mut leaves,
            };
            let gate = grounder.formula(&formula, &mut vec![(parameter.id, given)]).unwrap();
            let values = circuit.values(&|leaf| match leaf.checked_sub(1000) {
                Some(e) => e == element,
                None => {
                    let (symbol, moment, position, value) = leaves.0[leaf as usize];
                    let at = if moment == Moment::Now { &now } else { &next };
                    match value {
                        Some(value) => at.value_at(symbol, position) == value,
                        None => at.holds_at(symbol, position),
                    }
                }
            });
            let shown = Shown(&signature, &formula);
            assert_eq!(values[gate.index()], expected, "seed {seed}: {shown}");
        }
    }
    assert!((500..1500).contains(&held), "{held}");
}

#[test]
fn gates_that_exclude_each_other() {
    let mut circuit = Circuit::new();
    let [a, b, c] = [0, 1, 2].map(|i| circuit.leaf(i));
    let both = circuit.and([a, b]);
    let not_both = circuit.not(both);
    let with_c = circuit.and([a, b, c]);
    let not_a = circuit.not(a);
    let neither = circuit.or([not_a, c]);
    assert!(circuit.exclude_each_other(both, not_both));
    assert!(circuit.exclude_each_other(not_both, with_c));
    assert!(circuit.exclude_each_other(both, not_a));
    assert!(!circuit.exclude_each_other(not_both, a));
    assert!(!circuit.exclude_each_other(neither, both));
}

#[test]
fn tuples_and_their_positions() {
    let universe = Universe::new(vec![2, 3]);
    let sorts = [SortId(1), SortId(0)];
    let tuples: Vec<_> = universe.tuples(&sorts).collect();
    assert_eq!(tuples.len(), universe.count(&sorts).unwrap());
    for (position, tuple) in tuples.iter().enumerate() {
        assert_eq!(universe.position(&sorts, tuple), position);
    }
    assert_eq!(universe.tuples(&[]).count(), 1);
    assert_eq!(Universe::new(vec![0]).size(SortId(0)), 1);
}
