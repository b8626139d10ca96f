//! Results of tests as text and files: for people, CI systems and other machines.

mod github;
mod junit;
mod record;
mod text;

pub use github::{github_annotation, without_commands};
pub use junit::JunitReport;
pub(super) use junit::without_total_of_skipped;
pub use record::record_of;
