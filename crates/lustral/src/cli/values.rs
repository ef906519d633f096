//! Values of options.

use lustral_engines::{EngineChoice, Passes, Templates};
use lustral_smt::Solver;

pub(super) fn parse_engine(name: &str) -> Result<EngineChoice, String> {
    let found = EngineChoice::ALL.into_iter().find(|e| e.name() == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = EngineChoice::ALL.into_iter().map(EngineChoice::name).collect();
        format!("expected one of {}", names.join(", "))
    })
}

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

pub(super) fn parse_templates(list: &str) -> Result<Templates, String> {
    let mut templates = Templates::NONE;
    for name in list.split(',').map(str::trim) {
        match name {
            "all" => templates = Templates::ALL,
            "none" => {}
            _ if templates.enable(name) => {}
            _ => {
                let names = Templates::NAMES.join(", ");
                return Err(format!("there is no kind `{name}`: expected {names}, all or none"));
            }
        }
    }
    Ok(templates)
}

pub(super) fn parse_solver(name: &str) -> Result<Solver, String> {
    Solver::named(name).map_err(|e| e.to_string())
}

pub(super) fn parse_jobs(text: &str) -> Result<usize, String> {
    let number = text.parse::<usize>().ok().filter(|n| *n > 0);
    number.ok_or_else(|| "expected a positive number".into())
}

pub(super) fn parse_width(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(width @ 1..=8) => Ok(width),
        _ => Err("not a number from 1 to 8".into()),
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
