//! Golden traces that someone has changed.

use crate::folder::{Folder, on_large_stack};
use hangtime_game::{LevelCache, Project, files};
use hangtime_play::{CaseOptions, CaseRunner, collect, update_golden};
use std::sync::Arc;

const TRACE: &str = "levels/tests/a.trace";

#[test]
fn no_change_of_a_golden_trace_panics() {
    on_large_stack(|| {
        let folder = Folder::with_script("fn on_tick(me) { this.n += 1; }");
        folder.write("levels/tests/a.input", "level level.toml\n1 right\n");
        let project = Project::load(folder.root()).expect("a game");
        let cases = collect(&project, &files::find_tests(project.root(), &[]).expect("tests"));
        assert_eq!(update_golden(&project, &cases[0]).expect("a trace"), Some(1));
        let trace = folder.read(TRACE);
        let first = trace.find('\n').expect("a line");
        let cache = Arc::new(LevelCache::new(project.folder().clone()));
        let mut runner = CaseRunner::new(project, cache, CaseOptions::default());
        assert!(runner.run(&cases[0]).passed(), "a trace is equal to itself");
        let mut state: u64 = 0x2545_f491_4f6c_dd1d;
        let mut below = |most: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % most.max(1) as u64) as usize
        };
        let mut failures = 0;
        for _ in 0..3_000 {
            let mut bytes = trace.as_bytes().to_vec();
            // The files in the first line are not compared.
            let at = first + below(bytes.len() - first);
            let end = (at + below(60)).min(bytes.len());
            match below(5) {
                0 => bytes[at] = below(256) as u8,
                1 => drop(bytes.drain(at..end)),
                2 => bytes.truncate(at),
                3 => drop(bytes.splice(at..at, *b"{[9e999")),
                _ => drop(bytes.splice(at..at, trace.bytes().skip(at / 2).take(40))),
            }
            folder.write(TRACE, &String::from_utf8_lossy(&bytes));
            let result = runner.run(&cases[0]);
            failures += usize::from(!result.passed());
            if let Some(wrong) = result.diagnostic() {
                assert!(!wrong.message.is_empty() && !wrong.message.contains("report this bug"), "{}", wrong.message);
                assert!(result.place().is_none_or(|place| place.position().0 <= 5));
            }
        }
        assert!(failures > 2_100, "{failures}");
    });
}
