//! Results files made for tests, and `merge` run on them.

use crate::{
    folder::Folder,
    program::{code, err, out, run},
};
use hangtime::playtest::{
    CaseOutcome, CaseRecord, Partition, RESULTS_VERSION, ResultsCommand, ResultsHeader, ResultsWriter, fold_hashes,
    hex, plan_hash,
};
use std::collections::BTreeMap;

pub fn name(index: u64) -> String {
    format!("levels/tests/a.rhai::test_{index}")
}

/// The case with this index. Every third one failed.
pub fn case(index: u64) -> CaseRecord {
    let failed = index % 3 == 2;
    let some = |text: &str| failed.then(|| text.to_string());
    CaseRecord {
        case: name(index),
        index,
        outcome: if failed { CaseOutcome::Failed } else { CaseOutcome::Passed },
        ms: 0.5,
        hash: hex(fold_hashes([index])),
        message: some("expected above 20, got 19"),
        file: some("levels/tests/a.rhai"),
        line: failed.then_some(7),
        expected: some("above 20"),
        got: some("19"),
        tick: failed.then_some(30),
        value: None,
        replay: some("hangtime test levels/tests/a.rhai --filter test_2"),
        more: BTreeMap::new(),
    }
}

pub fn header(cases: u64, partition: Option<&str>) -> ResultsHeader {
    let names: Vec<String> = (0..cases).map(name).collect();
    ResultsHeader {
        results: RESULTS_VERSION,
        command: ResultsCommand::Test,
        hangtime: "0.1.0".into(),
        game: "00112233aabbccdd".into(),
        cases,
        plan: plan_hash(names.iter().map(String::as_str)),
        partition: partition.map(str::to_string),
        options: String::new(),
    }
}

/// Writes the results of one part, or of all cases, and returns the file's name.
pub fn write(folder: &Folder, file: &str, cases: u64, partition: Option<&str>) -> String {
    let out = std::fs::File::create(folder.path(file)).expect("a file");
    let mut writer = ResultsWriter::new(Box::new(out), &header(cases, partition)).expect("a header");
    let part = partition.map(|text| Partition::parse(text).expect("a part"));
    for index in (0..cases).filter(|i| part.is_none_or(|part| part.keeps(*i))) {
        writer.case(&case(index)).expect("a line");
    }
    writer.end().expect("the last line");
    file.to_string()
}

/// Writes all parts and returns their names.
pub fn write_parts(folder: &Folder, cases: u64, total: u64) -> Vec<String> {
    let part = |k| format!("slice:{k}/{total}");
    (1..=total).map(|k| write(folder, &format!("{k}.jsonl"), cases, Some(&part(k)))).collect()
}

pub fn replace(folder: &Folder, file: &str, from: &str, to: &str) {
    let text = folder.read(file);
    assert!(text.contains(from), "{text}");
    folder.write(file, &text.replacen(from, to, 1));
}

/// Runs `merge` and returns its exit code, stdout and stderr.
pub fn merged(folder: &Folder, files: &[String], options: &[&str]) -> (i32, String, String) {
    let mut arguments = vec!["merge"];
    arguments.extend(files.iter().map(String::as_str));
    arguments.extend(options);
    let output = run(folder.root(), &arguments);
    (code(&output), out(&output), err(&output))
}
