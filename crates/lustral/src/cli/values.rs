//! Values of options.

use lustral_engines::Passes;
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
