//! Formulas in which derived relations are replaced by their definitions.

use lustral_first_order::{Application, Formula, Moment};

use crate::protocol::Protocol;

impl Protocol {
    /// The formula without derived relations: it says the same.
    #[must_use]
    pub fn expanded(&self, formula: &Formula) -> Formula {
        formula.expanded(&|atom| {
            let definition = self.definition(atom.symbol)?;
            // Definitions mention only what was derived earlier, so this ends.
            let body = self.at(&self.expanded(&definition.body), atom.moment);
            let value = |variable: &lustral_first_order::Variable| {
                let position = definition.variables.iter().position(|v| v.id == variable.id)?;
                Some(atom.arguments[position].clone())
            };
            Some(body.replaced(&value))
        })
    }

    /// A formula about one state, said of the state at a moment.
    #[must_use]
    pub fn at(&self, formula: &Formula, moment: Moment) -> Formula {
        let place = |application: &Application| {
            if self.is_immutable(application.symbol) { Moment::Now } else { moment }
        };
        formula.moved(&place)
    }
}
