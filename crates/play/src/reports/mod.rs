//! Results of tests as text and files: for people, CI systems and other machines.

mod github;
mod junit;
mod record;
mod text;

use super::*;
use hangtime_script::text::printable;

pub use github::{github_annotation, without_commands};
pub(crate) use junit::JunitCase;
pub use junit::JunitReport;
pub use record::record_of;
