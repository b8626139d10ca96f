//! Tests that are interrupted, at every place where they can be.

use crate::folder::{Folder, on_large_stack};
use hangtime_game::{LevelCache, Project, files};
use hangtime_play::{CaseOptions, CaseRunner, TestResult, collect};
use hangtime_script::budget::interruptible;
use std::{cell::Cell, rc::Rc, sync::Arc};

/// Where recordings of failed tests are.
const RECORDINGS: &str = ".hangtime/failed";

/// A test that ran until it was interrupted.
struct InterruptedCase {
    result: Option<TestResult>,
    /// Whether it was interrupted before its end.
    interrupted: bool,
    /// How often it asked whether it should end.
    questions: u64,
}

/// Runs the only test of a game and interrupts it when it has asked this often whether it should end.
fn run(folder: &Folder, after: u64) -> InterruptedCase {
    let project = Project::load(folder.root()).expect("a game");
    let cases = collect(&project, &files::find_tests(project.root(), &[]).expect("tests"));
    let cache = Arc::new(LevelCache::new(project.folder().clone()));
    let mut runner = CaseRunner::new(project, cache, CaseOptions { saves: true, ..CaseOptions::default() });
    // Compiled and built, so that the number of questions does not depend on how long that takes.
    runner.run(&cases[0]);
    let asked = Rc::new(Cell::new(0));
    let count = asked.clone();
    let asks = move || {
        count.set(count.get() + 1);
        count.get() > after
    };
    let (result, interrupted) = interruptible(asks, || runner.run_checked(&cases[0]));
    InterruptedCase { result, interrupted, questions: asked.get() }
}

#[test]
fn a_test_has_its_own_result_or_none_wherever_it_is_interrupted() {
    on_large_stack(|| {
        for (expected, passes) in [(6, true), (7, false)] {
            let folder = Folder::with_script("fn on_tick(me) { this.n += 1; }");
            let script = format!(
                "fn test_count() {{ let t = play(\"level.toml\"); t.ticks(6); \
                 expect(t.entity(\"hero\").vars.n).equals({expected}); }}"
            );
            folder.write("levels/tests/a.rhai", &script);
            let InterruptedCase { result, questions, .. } = run(&folder, u64::MAX);
            let whole = result.expect("a result");
            assert_eq!(whole.passed(), passes);
            assert_eq!(whole.recording.is_some(), !passes);
            let mut results = Vec::new();
            for after in 0..questions {
                let _ = std::fs::remove_dir_all(folder.path(RECORDINGS));
                let InterruptedCase { result, interrupted, .. } = run(&folder, after);
                if !interrupted {
                    // A slow build of the second run asks more often than a quick one.
                    continue;
                }
                // A second run that was interrupted leaves nothing.
                if let Some(result) = &result {
                    assert_eq!(whole.difference(result), None, "interrupted after {after} of {questions}");
                    assert_eq!((&result.differs, &result.recording), (&None, &None));
                }
                assert!(!folder.path(RECORDINGS).exists());
                results.push(result.is_some());
            }
            // First none, and once the first run is whole, its result.
            assert!(results.is_sorted() && !results[0], "{results:?}");
            assert_eq!(results.contains(&true), !passes, "{results:?}");
        }
    });
}
