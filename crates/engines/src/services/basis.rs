//! What a proof by induction rests on, put together from its parts.

use std::sync::Arc;

use lustral_system::{Predicate, PropId};

use crate::board::Lemma;

/// Parts of a proof. Each is inductive from the others at its own k, so at the
/// largest k all of them are.
#[derive(Clone)]
pub(crate) struct Basis {
    pub k: usize,
    pub properties: Vec<PropId>,
    pub invariants: Vec<Predicate>,
    pub compression: bool,
    /// Lemmas that were proved together share their invariants.
    united: Vec<Arc<[Predicate]>>,
}

impl Basis {
    /// Invariants that are inductive at some k.
    pub fn new(k: usize, invariants: Vec<Predicate>) -> Basis {
        let (properties, united) = (Vec::new(), Vec::new());
        Basis { k, properties, invariants, compression: false, united }
    }

    /// Adds a property.
    pub fn add(&mut self, property: PropId) {
        if !self.properties.contains(&property) {
            self.properties.push(property);
        }
    }

    /// Adds all that a lemma rests on.
    pub fn unite(&mut self, lemma: &Lemma) {
        self.k = self.k.max(lemma.k);
        self.compression |= lemma.compression;
        lemma.properties.iter().for_each(|property| self.add(*property));
        if self.united.iter().any(|known| Arc::ptr_eq(known, &lemma.invariants)) {
            return;
        }
        self.united.push(lemma.invariants.clone());
        for invariant in lemma.invariants.iter() {
            if !self.invariants.iter().any(|known| known.same_as(invariant)) {
                self.invariants.push(invariant.clone());
            }
        }
    }

    /// Something that is part of it, or follows, as a lemma.
    pub fn lemma(self, predicate: Predicate) -> Lemma {
        let Basis { k, properties, invariants, compression, .. } = self;
        Lemma { predicate, k, properties, invariants: invariants.into(), compression }
    }
}
