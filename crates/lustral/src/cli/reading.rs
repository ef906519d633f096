//! How programs are read.

use std::path::{Path, PathBuf};

use clap::Args;
use lustral_session::Request;
use lustral_syntax::Dialect;

/// How programs are read.
#[derive(Args, Debug)]
pub struct ReadingArguments {
    /// The dialect of the program: kind2, lustrec, v6, velus or heptagon; else a line `--%DIALECT`,
    /// `#open` or the ending of the file says which, else it is kind2
    #[arg(long, value_name = "NAME", value_parser = parse_dialect)]
    pub dialect: Option<Dialect>,
    /// Another file that belongs to the program, as if it were included (repeatable)
    #[arg(long = "with", value_name = "FILE")]
    pub with: Vec<PathBuf>,
}

impl ReadingArguments {
    /// The program in a file, and in those that belong to it.
    #[must_use]
    pub fn request(&self, file: &Path) -> Request {
        Request::file(file).with_files(self.with.clone()).in_dialect(self.dialect)
    }
}

fn parse_dialect(name: &str) -> Result<Dialect, String> {
    Dialect::named(name)
        .ok_or_else(|| format!("there is no dialect `{name}`: expected one of {}", Dialect::list()))
}
