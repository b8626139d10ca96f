//! The rows of a sweep in a results file, so that parts of a sweep on several machines can be joined.

use super::*;

/// The header of the results of a sweep. `options` are those that change what its runs do.
pub fn sweep_header(
    sweep: &ParameterSweep,
    game: String,
    partition: Option<Partition>,
    options: String,
) -> ResultsHeader {
    let names: Vec<String> = (0..sweep.plan().runs()).map(|run| sweep.plan().name(run)).collect();
    ResultsHeader {
        results: RESULTS_VERSION,
        command: ResultsCommand::Sweep,
        hangtime: env!("CARGO_PKG_VERSION").into(),
        game,
        cases: names.len() as u64,
        plan: plan_hash(names.iter().map(String::as_str)),
        partition: partition.map(|partition| partition.to_string()),
        options,
    }
}

/// The line of a row. `value` is the first measure, if it is a number; all of them are in the field
/// `measures`, by their names.
pub fn sweep_record(sweep: &ParameterSweep, row: &SweepRow) -> CaseRecord {
    let failure = row.failure.as_ref();
    let outcome = match (failure, row.passed) {
        (Some(_), _) | (None, Some(false)) => CaseOutcome::Failed,
        (None, Some(true)) => CaseOutcome::Passed,
        (None, None) => CaseOutcome::Measured,
    };
    let names = sweep.columns().iter().map(|column| column.name.clone());
    let measures = names.zip(row.cells.iter().cloned());
    let mut more = BTreeMap::new();
    if failure.is_none() {
        more.insert(MEASURES.into(), Value::Object(measures.collect()));
        if let Some(best) = row.best {
            more.insert(BEST.into(), best.into());
        }
    }
    CaseRecord {
        case: sweep.plan().name(row.run),
        index: row.run as u64,
        outcome,
        ms: row.ms,
        // A run plays one level, so there is nothing to fold: it is the hash that `run` prints.
        hash: hex(row.hash),
        message: failure.map(|failure| failure.message.clone()),
        file: failure.map(|f| f.file.clone()).filter(|file| !file.is_empty()),
        line: failure.map(|f| f.line as u64).filter(|line| *line > 0),
        expected: None,
        got: None,
        tick: failure.map(|failure| failure.tick),
        value: row.cells.first().and_then(Value::as_f64),
        replay: None,
        more,
    }
}
