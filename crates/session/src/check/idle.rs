//! Valid properties that say nothing of the program: what is told of them, and how much it matters.

use lustral_certify::{Answer, Checked, Unit};
use lustral_sema::InstanceId;
use lustral_sema::PropertySource;
use lustral_sema::obligations::ObligationKind;
use lustral_sema::program::PropertyKind;
use lustral_syntax::Level;

use super::blame::obligation;
use crate::log::Log;
use crate::remark::{Remark, why_nothing};

/// The name of the warning.
const LINT: &str = "says-nothing";

/// The warning of a valid property that says nothing, if it is known to and that is to be told. Of
/// properties of called nodes it is not told, unless it is so at every call: a caller need not use all that a
/// node can do.
pub(super) fn warning(log: &mut Log, unit: &Unit, answer: &Checked<Answer>) -> Option<String> {
    let vacuous = answer.vacuous()?;
    let property = &unit.properties[answer.property().index()];
    if property.instance != InstanceId::ROOT || is_asked_for(unit, property.source) {
        return None;
    }
    let (kind, _) = obligation(unit, property)?;
    if !matches!(kind, ObligationKind::Stated | ObligationKind::Guarantee) {
        return None;
    }
    let remark = Remark::SaysNothing { property: property.name.clone(), vacuous };
    match log.levels.of(LINT, Some(property.span.file)) {
        Level::Allow => None,
        Level::Warn => Some(format!("{} ({LINT})", why_nothing(vacuous))),
        Level::Deny => {
            log.deny(remark);
            None
        }
    }
}

/// Whether it is a verdict of its own whether the condition is ever met (`provided`).
fn is_asked_for(unit: &Unit, source: PropertySource) -> bool {
    let PropertySource::Stated(index) = source else { return false };
    let stated = &unit.tree.node(&unit.program, InstanceId::ROOT).properties;
    let asks = |p: &lustral_sema::program::Property| {
        p.kind == PropertyKind::Occurs && p.span == stated[index].span
    };
    stated.iter().any(asks)
}
