//! The arguments of `tests`.

use std::path::PathBuf;

use clap::Args;

use super::check::SearchArguments;
use super::reading::ReadingArguments;

/// Options of `tests`.
#[derive(Args, Debug)]
pub struct TestsOptions {
    /// A Lustre program
    pub file: PathBuf,
    /// How the program is read
    #[command(flatten)]
    pub reading: ReadingArguments,
    /// Test this node; else the one marked as main, else the one that no other calls
    #[arg(long, value_name = "NAME")]
    pub node: Option<String>,
    /// Who searches, and how long
    #[command(flatten)]
    pub search: SearchArguments,
    /// Write each test to a file of this folder, `test-N.csv`: inputs and expected outputs, as
    /// `simulate --inputs` reads them
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Print JSON Lines
    #[arg(long)]
    pub json: bool,
}
