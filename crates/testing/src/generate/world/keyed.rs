//! The types of sets and maps of a program.

use super::{Shape, Ty, World};
use crate::dice::Dice;
use crate::generate::language::Feature;

impl World {
    /// Sets and maps.
    pub fn keyed(&mut self, dice: &mut Dice) {
        if !self.rich() || !self.language.has(Feature::Keyed) {
            return;
        }
        for _ in 0..dice.weighted(&[6, 3, 2]) {
            let mut types = vec![Ty::Int, Ty::Int, Ty::Bool];
            types.extend((0..self.enums.len()).map(Ty::Enum));
            types.extend(self.machines.iter().filter(|m| m.width() < 10).map(|m| Ty::Machine(*m)));
            types.extend((0..self.ranges.len()).map(Ty::Range));
            let key = *dice.pick(&types);
            // Maps have no maps in them, and bounds are not said of sets in maps.
            let free = |ty: &Ty| !matches!(ty, Ty::Range(_));
            let is_keyed = |shape: &Shape| match shape {
                Shape::Set(key) => free(key),
                Shape::Map(..) | Shape::Record(_) | Shape::Array(..) | Shape::Data(_) => false,
            };
            let known = self.shapes.iter().enumerate().filter(|(_, shape)| is_keyed(shape));
            types.extend(known.map(|(i, _)| Ty::Structure(i)));
            let value = *dice.pick(&types);
            let key_text = self.named(key);
            let (text, shape) = if dice.chance(50) {
                (format!("set<{key_text}>"), Shape::Set(key))
            } else {
                (format!("map<{key_text}, {}>", self.named(value)), Shape::Map(key, value))
            };
            let i = self.shapes.len();
            self.shapes.push(shape);
            self.record_names.push(String::new());
            self.declare_type(format!("shape{i}"), text, Ty::Structure(i));
        }
    }
}
