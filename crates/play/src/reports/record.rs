//! Results as lines of a results file.

use super::*;

/// The largest number of characters of a value in a results file.
const MOST_TEXT: usize = 4000;

/// The line of a test in a results file.
pub fn record_of(planned: &PlannedCase, result: &TestResult) -> CaseRecord {
    let short = |text: &String| cut(text, MOST_TEXT).into_owned();
    let failure = result.failure();
    let message = match &result.outcome {
        TestOutcome::KnownFailure(known) => Some(short(&known.why)),
        _ => result.diagnostic().map(|wrong| wrong.message.clone()),
    };
    let file = result.diagnostic().map(|wrong| wrong.file_name().to_string());
    let line = result.place().map(|place| place.position().0 as u64);
    let mut more = BTreeMap::new();
    if let Some(differs) = &result.differs {
        more.insert("rerun_differs".into(), short(differs).into());
    }
    if let Some(recording) = &result.recording {
        more.insert("recording".into(), recording.clone().into());
    }
    if let Some(moved_by) = result.golden.as_ref().and_then(|golden| golden.moved_by.as_ref()) {
        more.insert("changed".into(), short(moved_by).into());
    }
    CaseRecord {
        case: planned.case.name.clone(),
        index: planned.index,
        outcome: result.outcome.kind(),
        ms: (result.took.as_secs_f64() * 1e6).round() / 1000.0,
        hash: hex(result.hash),
        message,
        file: file.filter(|name| !name.is_empty()),
        line,
        expected: failure.and_then(|f| f.expected.as_ref()).map(short),
        got: failure.and_then(|f| f.got.as_ref()).map(short),
        tick: failure.and_then(|f| f.tick),
        value: None,
        replay: (!result.passed()).then(|| result.rerun.clone()),
        more,
    }
}
