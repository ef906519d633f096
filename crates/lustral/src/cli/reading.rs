//! How programs are read.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use lustral_session::Request;
use lustral_syntax::{Dialect, Level, Levels};

/// How programs are read.
#[derive(Args, Clone, Debug)]
pub struct ReadingArguments {
    /// The dialect of the program: kind2, lustrec, v6, velus or heptagon; else a line `--%DIALECT`,
    /// what only lustrec has (`#open`, `!=`) or the ending of the file says which, else it is kind2
    #[arg(long, value_name = "NAME", value_parser = parse_dialect)]
    pub dialect: Option<Dialect>,
    /// Another file that belongs to the program, as if it were included (repeatable)
    #[arg(long = "with", value_name = "FILE")]
    pub with: Vec<PathBuf>,
    /// The levels of warnings
    #[command(flatten)]
    pub lints: LintArguments,
}

/// How much warnings matter.
#[derive(Clone, Debug, Default)]
pub struct LintArguments {
    levels: Levels,
}

/// The options that set levels, with what they say.
const LEVELS: [(&str, Level, &str); 3] = [
    (
        "allow",
        Level::Allow,
        "Do not tell this warning (repeatable, or with commas; `all` for all of them)",
    ),
    (
        "warn",
        Level::Warn,
        "Tell this warning: some are not told unless asked for, such as unused-flow, unread-input, dead-node and shadowing",
    ),
    ("deny", Level::Deny, "Reject programs that have this warning"),
];

impl FromArgMatches for LintArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<LintArguments, clap::Error> {
        // In the order of the command line: the last counts.
        let mut given: Vec<(usize, String, Level)> = Vec::new();
        for (id, level, _) in LEVELS {
            let places = matches.indices_of(id).into_iter().flatten();
            let names = matches.get_many::<String>(id).into_iter().flatten().cloned();
            given.extend(places.zip(names).map(|(place, name)| (place, name, level)));
        }
        given.sort_by_key(|(place, ..)| *place);
        let mut levels = Levels::default();
        for (_, name, level) in given {
            levels.ask(&name, level).map_err(|wrong| {
                clap::Error::raw(clap::error::ErrorKind::InvalidValue, format!("{wrong}\n"))
            })?;
        }
        Ok(LintArguments { levels })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = LintArguments::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for LintArguments {
    fn augment_args(command: Command) -> Command {
        LEVELS.into_iter().fold(command, |command, (id, _, help)| {
            let option = Arg::new(id).long(id).value_name("LINT").help(help);
            command.arg(option.action(ArgAction::Append).value_delimiter(','))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        LintArguments::augment_args(command)
    }
}

impl ReadingArguments {
    /// The program in a file, and in those that belong to it.
    #[must_use]
    pub fn request(&self, file: &Path) -> Request {
        Request::file(file)
            .with_files(self.with.clone())
            .in_dialect(self.dialect)
            .with_levels(self.lints.levels.clone())
    }
}

fn parse_dialect(name: &str) -> Result<Dialect, String> {
    Dialect::named(name)
        .ok_or_else(|| format!("there is no dialect `{name}`: expected one of {}", Dialect::list()))
}
