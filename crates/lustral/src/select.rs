//! Which nodes are checked.

use lustral_sema::{NodeId, Program, select};

/// The nodes to check, or a message.
pub fn roots(program: &Program, asked: &[String]) -> Result<Vec<NodeId>, String> {
    let roots = select::roots(program, asked).map_err(|missing| {
        let meant = missing.meant.map(|m| format!(" (is `{m}` meant?)")).unwrap_or_default();
        format!("there is no node `{}`{meant}", missing.name)
    })?;
    if roots.is_empty() {
        return Err("the program has no node".into());
    }
    Ok(roots)
}
