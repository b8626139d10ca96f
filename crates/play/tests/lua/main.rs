//! Tests in Lua, and everything that scripts in Lua can call.

mod blames;
#[expect(dead_code, reason = "shared with the tests of other crates")]
#[path = "../../../../tests/support/folder.rs"]
mod folder;
mod gallery;
mod habits;
mod page;
mod pairs;
mod reach;
mod recordings;
mod templates;

use folder::{Folder, on_large_stack};
use hangtime_game::{Project, files};
use hangtime_play::{TestResult, collect, run_case};
use std::path::Path;

/// The results of the tests of the game in a folder.
fn results(root: &Path) -> Vec<TestResult> {
    let project = Project::load(root).expect("a game");
    let cases = collect(&project, &files::find_tests(project.root(), &[]).expect("tests"));
    cases.iter().map(|case| run_case(&project, case)).collect()
}
