//! Exit codes, which follow those of Kind 2.

use lustral_session::Remark;

/// How a run ended. Where several apply, the first in this order is reported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// Internal error, or a file cannot be read or written: 1.
    Failure,
    /// The options do not go together: 2.
    Usage,
    /// The program is rejected: 3.
    Rejected,
    /// Some property is falsifiable: 40.
    Falsifiable,
    /// Some property is undecided: 30.
    Unknown,
    /// All properties are valid: 0.
    Valid,
}

impl Exit {
    /// How a run ends in which this is to be said.
    #[must_use]
    pub fn of(remark: &Remark) -> Exit {
        match remark {
            Remark::Unreadable(_)
            | Remark::NoFolder(_)
            | Remark::Broken(_)
            | Remark::NotPassed { .. }
            | Remark::Unwritten(_) => Exit::Failure,
            Remark::NoSuchNode(_)
            | Remark::NoSuchProperty(_)
            | Remark::TooManyInstances(_)
            | Remark::Clocked(_)
            | Remark::WrongSizes(_)
            | Remark::Denied(_)
            | Remark::NotModular(_) => Exit::Rejected,
            Remark::NotRead(_)
            | Remark::Unlisted { .. }
            | Remark::SomeValues { .. }
            | Remark::Unfinished { .. }
            | Remark::Unexplained(_)
            | Remark::Unlearned { .. }
            | Remark::Unsummarised { .. } => Exit::Unknown,
            Remark::Latin
            | Remark::ByOutputs { .. }
            | Remark::NothingToCheck { .. }
            | Remark::NothingStated
            | Remark::NothingToRealize { .. }
            | Remark::NoCandidates
            | Remark::Limited { .. }
            | Remark::Anew { .. }
            | Remark::NotUsed(_)
            | Remark::Unkeepable { .. }
            | Remark::NotRemoved(_)
            | Remark::LeftOut { .. }
            | Remark::NotChecked { .. }
            | Remark::NoBody { .. }
            | Remark::PerhapsByNodes { .. }
            | Remark::Reached { .. }
            | Remark::Unreachable { .. }
            | Remark::SaysNothing { .. }
            | Remark::CacheUnwritten { .. } => Exit::Valid,
        }
    }
}

impl From<Exit> for i32 {
    fn from(exit: Exit) -> i32 {
        match exit {
            Exit::Failure => 1,
            Exit::Usage => 2,
            Exit::Rejected => 3,
            Exit::Falsifiable => 40,
            Exit::Unknown => 30,
            Exit::Valid => 0,
        }
    }
}
