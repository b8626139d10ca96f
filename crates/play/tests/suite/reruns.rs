//! Failing tests that run once more.

use hangtime_play::{TestOutcome, TestResult};
use hangtime_script::{Diagnostic, Failure, Place, SourceFile};
use std::{sync::Arc, time::Duration};

fn result(got: Option<&str>, hash: u64) -> TestResult {
    let file = Arc::new(SourceFile { name: "a.rhai".into(), text: "fn test_a() { }".into() });
    let failed = |got: &str| {
        TestOutcome::Failed(Box::new(Failure {
            diagnostic: Diagnostic::error(Place::new(&file, 3..9), "no"),
            expected: Some("3".into()),
            got: Some(got.into()),
            missed: None,
            tick: Some(7),
            fault: None,
        }))
    };
    TestResult {
        name: "a.rhai::test_a".into(),
        outcome: got.map_or(TestOutcome::Passed, failed),
        took: Duration::from_millis(hash),
        hash,
        ..TestResult::default()
    }
}

#[test]
fn a_rerun_differs_in_its_outcome_hash_or_message_but_not_in_its_time() {
    let failed = result(Some("4"), 1);
    let again = TestResult { took: Duration::from_secs(9), ..failed.clone() };
    assert_eq!(failed.difference(&again), None);
    let says = |other: &TestResult| failed.difference(other).unwrap_or_default();
    assert_eq!(says(&result(None, 1)), "it failed, and then it passed");
    assert_eq!(
        says(&result(Some("4"), 2)),
        "its levels ended with the hash 0000000000000001, and then with 0000000000000002"
    );
    assert_eq!(says(&result(Some("5"), 1)), "its message then was: a.rhai:1:4: error: no (got 5 at tick 7)");
    let noted = TestResult { differs: Some(says(&result(None, 1))), ..failed.clone() };
    let line = "a rerun differs: it failed, and then it passed; tests are deterministic";
    assert!(noted.report(false).contains(line));
    assert!(noted.recap().contains(line));
}
