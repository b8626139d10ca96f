//! Runs, tests and saves.

mod body_calls;
mod called_platforms;
#[path = "../../../../tests/support/common.rs"]
mod common;
#[expect(dead_code, reason = "shared with the tests of other crates")]
#[path = "../../../../tests/support/folder.rs"]
mod folder;
#[expect(dead_code, reason = "shared with the tests of other crates")]
#[path = "../../../../tests/support/ground.rs"]
mod ground;
mod partitions;
mod saves;
mod second_language_plays;
mod sweeps_specs;
mod world_calls;
