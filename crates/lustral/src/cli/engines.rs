//! The engines and their options as arguments, from how engines describe
//! themselves.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use lustral_engines::{EngineChoice, EngineOption, InvalidValue, Options};

/// What `--engine` is for.
pub(super) fn engine_help() -> String {
    let (usual, other): (Vec<EngineChoice>, Vec<EngineChoice>) =
        EngineChoice::ALL.into_iter().partition(|engine| engine.by_default);
    format!(
        "Use only this engine (repeatable, or with commas): {}, which all run by default, or {}",
        choice(&usual),
        choice(&other),
    )
}

/// `a, b or c`.
fn choice(engines: &[EngineChoice]) -> String {
    let names: Vec<&str> = engines.iter().map(|engine| engine.name()).collect();
    match &names[..] {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => names.concat(),
    }
}

pub(super) fn parse_engine(name: &str) -> Result<EngineChoice, String> {
    EngineChoice::named(name).ok_or_else(|| {
        let names: Vec<&str> = EngineChoice::ALL.into_iter().map(EngineChoice::name).collect();
        format!("expected one of {}", names.join(", "))
    })
}

/// The options of all engines, as they were given.
#[derive(Clone, Debug, Default)]
pub struct EngineArguments {
    /// Their values.
    pub options: Options,
    /// Those that have another value than by default.
    pub changed: Vec<&'static str>,
}

impl FromArgMatches for EngineArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineArguments, Error> {
        let mut arguments = EngineArguments::default();
        arguments.update_from_arg_matches(matches)?;
        Ok(arguments)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for option in EngineOption::all() {
            let Some(value) = matches.get_one::<String>(option.name) else { continue };
            let wrong = |error: InvalidValue| {
                Error::raw(clap::error::ErrorKind::InvalidValue, format!("{error}\n"))
            };
            (option.set)(&mut self.options, value).map_err(wrong)?;
            if option.changes(value) {
                self.changed.push(option.name);
            }
        }
        Ok(())
    }
}

impl Args for EngineArguments {
    fn augment_args(command: Command) -> Command {
        let add = |command: Command, option: &&'static EngineOption| command.arg(argument(option));
        EngineOption::all().iter().fold(command, add)
    }

    fn augment_args_for_update(command: Command) -> Command {
        EngineArguments::augment_args(command)
    }
}

/// An option as an argument.
fn argument(option: &'static EngineOption) -> Arg {
    let help = format!("{}. For {}", option.help, choice(&option.readers()));
    let argument = Arg::new(option.name).long(option.name).value_name(option.value).help(help);
    let argument = match option.default {
        Some(default) => argument.default_value(default),
        None => argument,
    };
    if !option.values.is_empty() {
        return argument.value_parser(PossibleValuesParser::new(option.values));
    }
    argument.value_parser(move |text: &str| {
        (option.set)(&mut Options::default(), text).map(|()| text.to_string())
    })
}
