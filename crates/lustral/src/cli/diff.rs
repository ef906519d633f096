//! The arguments of `diff`.

use std::path::PathBuf;

use clap::Args;

use super::check::SearchArguments;
use super::reading::ReadingArguments;

/// Options of `diff`.
#[derive(Args, Debug)]
pub struct DiffOptions {
    /// The program before the change
    pub old: PathBuf,
    /// The program after it
    pub new: PathBuf,
    /// How the programs are read
    #[command(flatten)]
    pub reading: ReadingArguments,
    /// Compare this node; else the one marked as main, else the one that no other calls
    #[arg(long, value_name = "NAME")]
    pub node: Option<String>,
    /// With this node of the new program, if it has another name there
    #[arg(long, value_name = "NAME", requires = "node")]
    pub new_node: Option<String>,
    /// Who searches, and how long; the time is for each of the three programs: the two versions, and
    /// the one that runs both
    #[command(flatten)]
    pub search: SearchArguments,
    /// Write the program that runs both versions, whose properties say that they agree, to this file
    #[arg(long, value_name = "FILE")]
    pub product: Option<PathBuf>,
    /// Write the certificate of each proof of equivalence to a folder below this one
    #[arg(long, value_name = "DIR")]
    pub certificate: Option<PathBuf>,
    /// Print JSON Lines
    #[arg(long)]
    pub json: bool,
}
