//! Runs, tests and saves.

mod body_calls;
mod called_platforms;
#[path = "../../../../tests/support/common.rs"]
mod common;
mod created_solids;
mod feel_arcs;
mod feel_expected;
#[expect(dead_code, reason = "shared with the tests of other crates")]
#[path = "../../../../tests/support/folder.rs"]
mod folder;
mod golden_changes;
#[expect(dead_code, reason = "shared with the tests of other crates")]
#[path = "../../../../tests/support/ground.rs"]
mod ground;
mod interrupted_cases;
mod joints;
mod partitions;
mod reachable;
mod reachable_levels;
mod reachable_rooms;
mod reachable_saved;
mod recorded_inputs;
mod reruns;
mod saves;
mod second_language_plays;
mod sweeps_specs;
mod test_blames;
mod texts;
mod wishes;
mod world_calls;
