//! `lustral simulate`
use crate::cli::SimulateOptions;
use crate::exit::Exit;
pub fn run(_o: &SimulateOptions) -> Exit {
    Exit::Failure
}
