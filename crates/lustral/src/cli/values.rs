//! Values of options.

use lustral_engines::{Passes, Templates};
use lustral_session::CoreWish;
use lustral_smt::Solver;

pub(super) fn parse_passes(list: &str) -> Result<Passes, String> {
    let mut passes = Passes::NONE;
    for name in list.split(',').map(str::trim) {
        match name {
            "on" if list == "on" => passes = Passes::DEFAULT,
            "off" if list == "off" => {}
            _ if passes.enable(name) => {}
            _ => {
                let names = Passes::NAMES.join(", ");
                return Err(format!("there is no pass `{name}`: expected on, off, or of {names}"));
            }
        }
    }
    Ok(passes)
}

pub(super) fn parse_cores(text: &str) -> Result<CoreWish, String> {
    match text {
        "one" => Ok(CoreWish::One),
        "minimal" => Ok(CoreWish::Minimal),
        "all" => Ok(CoreWish::All),
        _ => Err("expected one, minimal or all".into()),
    }
}

pub(super) fn parse_solver(name: &str) -> Result<Solver, String> {
    Solver::named(name).map_err(|e| e.to_string())
}

pub(super) fn parse_jobs(text: &str) -> Result<usize, String> {
    let number = text.parse::<usize>().ok().filter(|n| *n > 0);
    number.ok_or_else(|| "expected a positive number".into())
}

/// A sort and the number of its elements.
pub(super) fn parse_size(text: &str) -> Result<(String, u32), String> {
    let parts = text.split_once('=').map(|(sort, size)| (sort.trim(), size.trim().parse::<u32>()));
    match parts {
        Some((sort, Ok(size))) if !sort.is_empty() && size > 0 => Ok((sort.to_string(), size)),
        _ => Err("expected a sort and a positive number, such as `node=3`".into()),
    }
}

pub(super) fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if (0.0..=1e9).contains(&s) => Ok(s),
        _ => Err("expected a number of seconds".into()),
    }
}

/// A time limit from seconds, none for 0.
#[must_use]
pub fn limit(seconds: f64) -> Option<std::time::Duration> {
    (seconds > 0.0).then(|| std::time::Duration::from_secs_f64(seconds))
}

/// Kinds of candidates.
pub(super) fn parse_templates(list: &str) -> Result<Templates, String> {
    Templates::parse(list).map_err(|wrong| wrong.to_string())
}
