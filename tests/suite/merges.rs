//! `merge`: the results of parts, joined, are those of one run, or it says why not.

use crate::folder::Folder;
use crate::program::{code, err, out, run};
use hangtime::playtest::{
    CaseOutcome, CaseRecord, Partition, RESULTS_VERSION, ResultsCommand, ResultsFile,
    ResultsHeader, ResultsWriter, fold_hashes, hex, merge, plan_hash,
};
use hangtime::script::host::SourceFile;
use std::collections::BTreeMap;
use std::sync::Arc;

fn name(index: u64) -> String {
    format!("levels/tests/a.rhai::test_{index}")
}

/// A case of which every third failed.
pub fn case(index: u64) -> CaseRecord {
    let failed = index % 3 == 2;
    let some = |text: &str| failed.then(|| text.to_string());
    CaseRecord {
        case: name(index),
        index,
        outcome: if failed {
            CaseOutcome::Failed
        } else {
            CaseOutcome::Passed
        },
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
fn write(folder: &Folder, file: &str, cases: u64, partition: Option<&str>) -> String {
    let out = std::fs::File::create(folder.path(file)).expect("a file");
    let mut writer =
        ResultsWriter::new(Box::new(out), &header(cases, partition)).expect("a header");
    let part = partition.map(|text| Partition::parse(text).expect("a part"));
    for index in (0..cases).filter(|i| part.is_none_or(|part| part.keeps(*i))) {
        writer.case(&case(index)).expect("a line");
    }
    writer.end().expect("the last line");
    file.to_string()
}

/// Writes all parts and returns their names.
fn write_parts(folder: &Folder, cases: u64, total: u64) -> Vec<String> {
    let part = |k| format!("slice:{k}/{total}");
    (1..=total)
        .map(|k| write(folder, &format!("{k}.jsonl"), cases, Some(&part(k))))
        .collect()
}

fn read(folder: &Folder, file: &str) -> String {
    std::fs::read_to_string(folder.path(file)).expect("a file")
}

fn replace(folder: &Folder, file: &str, from: &str, to: &str) {
    let text = read(folder, file);
    assert!(text.contains(from), "{text}");
    folder.write(file, &text.replacen(from, to, 1));
}

/// Runs `merge` and returns its exit code, stdout and stderr.
fn merged(folder: &Folder, files: &[String], options: &[&str]) -> (i32, String, String) {
    let mut arguments = vec!["merge"];
    arguments.extend(files.iter().map(String::as_str));
    arguments.extend(options);
    let output = run(folder.root(), &arguments);
    (code(&output), out(&output), err(&output))
}

#[test]
fn parts_joined_in_any_order_are_one_run() {
    let folder = Folder::empty();
    for (cases, total) in [(1, 1), (2, 1), (7, 2), (7, 7), (2, 5), (33, 7)] {
        let whole = write(&folder, "whole.jsonl", cases, None);
        let mut files = write_parts(&folder, cases, total);
        let failed = (0..cases).filter(|index| index % 3 == 2).count();
        let expected = if failed == 0 { 0 } else { 100 };
        let last = format!("{} passed, {failed} failed", cases as usize - failed);
        for _ in 0..2 {
            let (code, text, wrong) = merged(&folder, &files, &["--results", "joined.jsonl"]);
            assert_eq!((code, wrong.as_str()), (expected, ""), "{cases} in {total}");
            assert_eq!(text.lines().last(), Some(last.as_str()));
            assert_eq!(text.matches("FAILED ").count(), failed, "{text}");
            assert_eq!(read(&folder, "joined.jsonl"), read(&folder, &whole));
            files.reverse();
        }
        // The whole joined with nothing is the whole.
        assert_eq!(merged(&folder, &[whole], &[]).0, expected);
    }
}

#[test]
fn failures_come_first_with_place_values_tick_and_command() {
    let folder = Folder::empty();
    let files = write_parts(&folder, 4, 2);
    let (code, text, _) = merged(&folder, &files, &[]);
    assert_eq!(code, 100);
    let expected = "FAILED levels/tests/a.rhai::test_2 (0 ms)\n\
                    levels/tests/a.rhai:7: error: expected above 20, got 19\n  \
                    expected: above 20\n  got:      19\n  tick:     30\n  \
                    rerun: hangtime test levels/tests/a.rhai --filter test_2\n\
                    3 passed, 1 failed\n";
    assert_eq!(text, expected);
}

#[test]
fn divisions_may_differ_as_long_as_every_case_is_there_once() {
    let folder = Folder::empty();
    let parts = ["slice:1/2", "slice:2/4", "slice:4/4"];
    let files: Vec<String> = parts
        .iter()
        .enumerate()
        .map(|(i, part)| write(&folder, &format!("{i}.jsonl"), 12, Some(part)))
        .collect();
    assert_eq!(merged(&folder, &files, &[]).0, 100);
}

#[test]
fn missing_cases_are_named_with_the_parts_that_have_them() {
    let folder = Folder::empty();
    let files = write_parts(&folder, 33, 3);
    let some = [files[0].clone(), files[2].clone()];
    let (code, text, wrong) = merged(&folder, &some, &["--results", "joined.jsonl"]);
    assert_eq!((code, text.as_str()), (2, ""));
    let expected = "error: 11 of 33 cases are missing, numbers 1, 4, 7, 10, 13, … (counted from 0): \
                    slice:2/3 (no file)\n";
    assert_eq!(wrong, expected);
    assert!(!folder.path("joined.jsonl").exists(), "nothing is written");
    let (_, _, wrong) = merged(&folder, &files[..1], &[]);
    assert!(wrong.contains("22 of 33 cases"), "{wrong}");
    assert!(
        wrong.contains("slice:2/3 (no file), slice:3/3 (no file)"),
        "{wrong}"
    );
    // One case.
    let files = write_parts(&folder, 3, 3);
    let (_, _, wrong) = merged(&folder, &files[1..], &[]);
    assert!(
        wrong.contains("1 of 3 cases is missing, number 0 (counted"),
        "{wrong}"
    );
}

#[test]
fn a_run_that_did_not_end_is_named_and_its_cases_are_missing() {
    let folder = Folder::empty();
    let files = write_parts(&folder, 12, 2);
    let text = read(&folder, &files[1]);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    // Killed in the middle of a line, between lines, and after the last case.
    let in_line = format!("{}{}", lines[..3].concat(), &lines[3][..40]);
    for (cut, cases) in [
        (in_line, 2),
        (lines[..3].concat(), 2),
        (lines[..7].concat(), 6),
    ] {
        folder.write(&files[1], &cut);
        let (code, _, wrong) = merged(&folder, &files, &[]);
        assert_eq!(code, 2);
        let ends = format!("2.jsonl: error: the file ends after {cases} cases");
        assert!(wrong.contains(&ends), "{wrong}");
        assert!(wrong.contains("run slice:2/2 again"), "{wrong}");
        let missing = wrong.contains("4 of 12 cases are missing, numbers 5, 7, 9, 11 ");
        assert_eq!(missing, cases == 2, "{wrong}");
    }
    folder.write(&files[1], "");
    let (code, _, wrong) = merged(&folder, &files, &[]);
    assert_eq!(code, 2);
    assert!(
        wrong.contains("2.jsonl: error: this results file is empty"),
        "{wrong}"
    );
}

#[test]
fn cases_in_two_files_are_refused() {
    let folder = Folder::empty();
    let mut files = write_parts(&folder, 12, 3);
    std::fs::copy(folder.path(&files[1]), folder.path("again.jsonl")).expect("a copy");
    files.push("again.jsonl".into());
    let (code, text, wrong) = merged(&folder, &files, &[]);
    assert_eq!((code, text.as_str()), (2, ""));
    let expected = "again.jsonl:2:1: error: `levels/tests/a.rhai::test_1` is in 2.jsonl:2, too and so \
                    are 3 more cases of this file";
    assert!(wrong.contains(expected), "{wrong}");
    // The same file twice, by two names.
    files[3] = "./2.jsonl".into();
    let (code, _, wrong) = merged(&folder, &files, &[]);
    assert_eq!(code, 2);
    assert!(wrong.contains("named twice"), "{wrong}");
    // A case twice in one file.
    let files = write_parts(&folder, 12, 3);
    let text = read(&folder, &files[0]);
    let line = text.lines().nth(1).expect("a case");
    let twice = text.replacen(line, &format!("{line}\n{line}"), 1);
    folder.write(&files[0], &twice.replace("\"passed\":4,", "\"passed\":5,"));
    let (code, _, wrong) = merged(&folder, &files, &[]);
    assert_eq!(code, 2);
    assert!(wrong.contains("is in 1.jsonl:2, too"), "{wrong}");
}

#[test]
fn two_files_that_disagree_on_a_hash_are_named() {
    let folder = Folder::empty();
    let files = write_parts(&folder, 6, 2);
    let (right, wrong_hash) = (hex(fold_hashes([2])), hex(fold_hashes([99])));
    std::fs::copy(folder.path("1.jsonl"), folder.path("other.jsonl")).expect("a copy");
    replace(&folder, "other.jsonl", &right, &wrong_hash);
    let all = [files[0].clone(), files[1].clone(), "other.jsonl".into()];
    let (code, _, wrong) = merged(&folder, &all, &[]);
    assert_eq!(code, 2);
    let expected = format!(
        "other.jsonl:3:1: error: `levels/tests/a.rhai::test_2` ended with the hash {wrong_hash} here, \
         but with {right} in 1.jsonl:3"
    );
    assert!(wrong.contains(&expected), "{wrong}");
    // An equal hash with another outcome is a disagreement, too.
    std::fs::copy(folder.path("1.jsonl"), folder.path("other.jsonl")).expect("a copy");
    replace(
        &folder,
        "other.jsonl",
        "\"failed\",\"ms\"",
        "\"known_failure\",\"ms\"",
    );
    replace(
        &folder,
        "other.jsonl",
        "\"passed\":2,\"failed\":1",
        "\"passed\":3,\"failed\":0",
    );
    let (code, _, wrong) = merged(&folder, &all, &[]);
    assert_eq!(code, 2);
    assert!(
        wrong.contains("failed as known here, but failed in 1.jsonl:3"),
        "{wrong}"
    );
}

#[test]
fn parts_of_different_runs_are_refused() {
    let folder = Folder::empty();
    for (from, to, what) in [
        (
            "00112233aabbccdd",
            "ff112233aabbccdd",
            "other files of the game",
        ),
        (
            "\"hangtime\":\"0.1.0\"",
            "\"hangtime\":\"0.2.0\"",
            "hangtime 0.2.0, but 1.jsonl with hangtime 0.1.0",
        ),
        (
            "\"options\":\"\"",
            "\"options\":\"--heavy\"",
            "with `--heavy`, but 1.jsonl with no options",
        ),
        ("\"cases\":6", "\"cases\":8", "other cases"),
        ("\"plan\":\"", "\"plan\":\"0", "other cases"),
        (
            "\"command\":\"test\"",
            "\"command\":\"sweep\"",
            "part of a sweep",
        ),
    ] {
        let files = write_parts(&folder, 6, 2);
        replace(&folder, &files[1], from, to);
        let (code, text, wrong) = merged(&folder, &files, &[]);
        assert_eq!((code, text.as_str()), (2, ""), "{to}");
        assert!(wrong.starts_with("2.jsonl: error: "), "{wrong}");
        assert!(wrong.contains(what), "{to}: {wrong}");
    }
    // The names of the cases belong to the plan.
    let files = write_parts(&folder, 6, 2);
    replace(&folder, &files[1], "test_1", "test_x");
    let (code, _, wrong) = merged(&folder, &files, &[]);
    assert_eq!(code, 2);
    assert!(wrong.contains("do not have the hash `plan`"), "{wrong}");
}

#[test]
fn broken_lines_are_errors_with_file_and_line() {
    let folder = Folder::empty();
    for (from, to, what) in [
        (
            "{\"results\":1,",
            "{\"results\":2,",
            "1.jsonl:1:1: error: this file has version 2",
        ),
        (
            "{\"results\":1,",
            "{",
            "1.jsonl:1:1: error: this is not a results file",
        ),
        (
            "{\"results\":1,",
            "results",
            "1.jsonl:1:1: error: this is not a results file",
        ),
        (
            "slice:1/2",
            "slice:3/2",
            "1.jsonl:1:1: error: `partition`: parts are counted from 1 to 2",
        ),
        (
            "\"index\":2",
            "\"index\":3",
            "1.jsonl:3:1: error: `index` is 3, but slice:1/2 does not have this case; slice:2/2 does",
        ),
        (
            "\"index\":2",
            "\"index\":6",
            "1.jsonl:3:1: error: `index` is 6, but the header says that the run has 6 cases",
        ),
        (
            "\"index\":2",
            "\"indx\":2",
            "error: missing field `index`; `indx` is not a field",
        ),
        ("\"index\":2", "\"index\":-2", "1.jsonl:3:"),
        ("\"index\":2", "\"index\":2.5", "1.jsonl:3:"),
        (
            "\"outcome\":\"failed\"",
            "\"outcome\":\"flaky\"",
            "unknown variant `flaky`",
        ),
        (
            "\"ms\":0.5",
            "\"ms\":-0.5",
            "1.jsonl:2:1: error: `ms` must be a time, not -0.5",
        ),
        ("\"ms\":0.5", "\"ms\":1e999", "1.jsonl:2:"),
        ("\"ms\":0.5", "\"ms\":null", "1.jsonl:2:"),
        (
            "\"hash\":\"",
            "\"hash\":\"0",
            "`hash` must be 16 hexadecimal digits",
        ),
        (
            "\"case\":",
            "\"cse\":",
            "1.jsonl:2:1: error: a line of a results file has `case` or `end`",
        ),
        (
            "\"passed\":2",
            "\"passed\":3",
            "1.jsonl:5:1: error: the last line counts 3 passed and 1 failed cases, but the file has 2 passed and 1 failed",
        ),
        ("{\"end\":true", "{}\n{\"end\":true", "1.jsonl:5:1: error: "),
    ] {
        let files = write_parts(&folder, 6, 2);
        replace(&folder, &files[0], from, to);
        let (code, text, wrong) = merged(&folder, &files, &[]);
        assert_eq!((code, text.as_str()), (2, ""), "{to}");
        assert!(wrong.contains(what), "{to}: {wrong}");
    }
    let files = write_parts(&folder, 6, 2);
    let twice = format!("{0}{0}", read(&folder, &files[0]));
    folder.write(&files[0], &twice);
    let (code, _, wrong) = merged(&folder, &files, &[]);
    assert_eq!(code, 2);
    assert!(
        wrong.contains("1.jsonl:6:1: error: lines after the last one"),
        "{wrong}"
    );
    let (code, _, wrong) = merged(&folder, &["none.jsonl".into()], &[]);
    assert_eq!(code, 2);
    assert!(wrong.contains("none.jsonl: error: no such file"), "{wrong}");
}

#[test]
fn the_joined_results_replace_no_part_and_no_file_of_the_game() {
    let folder = Folder::with_script("fn on_tick(me) { }");
    let files = write_parts(&folder, 2, 2);
    let before = read(&folder, "1.jsonl");
    for target in ["1.jsonl", "./1.jsonl", "levels/level.toml"] {
        let (code, text, wrong) = merged(&folder, &files, &["--results", target]);
        assert_eq!((code, text.as_str()), (2, ""), "{target}: {wrong}");
    }
    assert_eq!(read(&folder, "1.jsonl"), before);
    let (code, _, wrong) = merged(&folder, &files, &["--results", "no/such/folder.jsonl"]);
    assert_eq!(code, 2);
    assert!(wrong.contains("cannot write the file"), "{wrong}");
}

#[test]
fn unknown_fields_are_kept() {
    let folder = Folder::empty();
    let files = write_parts(&folder, 2, 2);
    replace(
        &folder,
        &files[0],
        "\"ms\":0.5",
        "\"ms\":0.5,\"zoom\":[1,2.5]",
    );
    let (code, _, wrong) = merged(&folder, &files, &["--results", "joined.jsonl"]);
    assert_eq!(code, 0, "{wrong}");
    assert!(read(&folder, "joined.jsonl").contains("\"zoom\":[1,2.5]"));
}

#[test]
fn texts_of_results_cannot_steer_the_terminal() {
    let folder = Folder::empty();
    let mut steering = case(2);
    steering.index = 0;
    steering.case = "a\u{1b}[2J".into();
    steering.message = Some("b\u{1b}]0;x\u{7}".into());
    steering.replay = Some("c\u{9b}1m".into());
    let mut head = header(1, None);
    head.plan = plan_hash([steering.case.as_str()]);
    let out = std::fs::File::create(folder.path("1.jsonl")).expect("a file");
    let mut writer = ResultsWriter::new(Box::new(out), &head).expect("a header");
    writer.case(&steering).expect("a line");
    writer.end().expect("the last line");
    let steers = |text: &str| text.contains(|c: char| c.is_control() && c != '\n');
    assert!(
        !steers(&read(&folder, "1.jsonl")),
        "the file can be printed, too"
    );
    let (code, text, _) = merged(&folder, &["1.jsonl".into()], &[]);
    assert_eq!(code, 100);
    assert!(!steers(&text), "{text:?}");
}

/// Random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most.max(1) as u64) as usize
    }
}

const TOKENS: [&str; 14] = [
    "null",
    "true",
    "-1",
    "1e400",
    "18446744073709551616",
    "{",
    "}",
    "[",
    "\"",
    "\n",
    ",",
    "\\u0000",
    "{\"end\":true,\"passed\":0,\"failed\":0}\n",
    "\u{feff}",
];

/// Changes a text in one random way. What is no longer UTF-8 is replaced.
fn mutate(text: &str, dice: &mut Dice) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let at = dice.below(bytes.len());
    let end = (at + 1 + dice.below(40)).min(bytes.len());
    match dice.below(7) {
        0 => bytes[at] = dice.below(256) as u8,
        1 => drop(bytes.drain(at..end)),
        2 => {
            let copy = bytes[at..end].to_vec();
            let to = dice.below(bytes.len());
            bytes.splice(to..to, copy);
        }
        3 => bytes.truncate(at),
        4 => {
            let token = TOKENS[dice.below(TOKENS.len())];
            bytes.splice(at..at, token.bytes());
        }
        5 => {
            // Two lines change places.
            let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
            let (a, b) = (dice.below(lines.len()), dice.below(lines.len()));
            lines.swap(a, b);
            bytes = lines.concat().into_bytes();
        }
        _ => {
            // A digit becomes another one.
            if let Some(digit) = bytes[at..].iter_mut().find(|b| b.is_ascii_digit()) {
                *digit = b'0' + dice.below(10) as u8;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn no_change_of_a_valid_file_panics_or_has_an_error_without_a_file() {
    let folder = Folder::empty();
    let valid: Vec<String> = write_parts(&folder, 9, 3)
        .iter()
        .map(|file| read(&folder, file))
        .collect();
    let source = |i: usize, text: &str| {
        Arc::new(SourceFile {
            name: format!("{i}.jsonl"),
            text: text.to_string(),
        })
    };
    let good: Vec<ResultsFile> = valid
        .iter()
        .enumerate()
        .map(|(i, text)| ResultsFile::parse(&source(i, text)).expect("a valid file"))
        .collect();
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let (mut refused, mut joined, mut unjoined) = (0, 0, 0);
    for _ in 0..20_000 {
        let changed = dice.below(3);
        let mut text = valid[changed].clone();
        for _ in 0..=dice.below(3) {
            if !text.is_empty() {
                text = mutate(&text, &mut dice);
            }
        }
        match ResultsFile::parse(&source(changed, &text)) {
            Err(error) => {
                refused += 1;
                let wrong = error.diagnostics();
                assert!((1..=101).contains(&wrong.len()));
                let lines = text.lines().count().max(1);
                for diagnostic in wrong.iter().filter(|diagnostic| diagnostic.more == 0) {
                    assert_eq!(diagnostic.file_name(), format!("{changed}.jsonl"));
                    let line = diagnostic
                        .place
                        .as_ref()
                        .map_or(1, |place| place.position().0);
                    assert!((1..=lines).contains(&line), "{text}");
                    assert!(!diagnostic.render(false).is_empty());
                }
            }
            Ok(file) => {
                let mut files = good.clone();
                files[changed] = file;
                match merge(&files) {
                    Ok(whole) => {
                        joined += 1;
                        assert_eq!(whole.cases.len(), 9);
                    }
                    Err(error) => {
                        unjoined += 1;
                        assert!(!error.diagnostics().is_empty());
                    }
                }
            }
        }
    }
    // The changes reach every outcome.
    assert!(
        refused > 5_000 && joined > 500 && unjoined > 500,
        "{refused} {joined} {unjoined}"
    );
}

#[test]
fn a_header_with_billions_of_cases_takes_no_time_and_memory() {
    let folder = Folder::empty();
    write(&folder, "1.jsonl", 6, Some("slice:1/2"));
    replace(
        &folder,
        "1.jsonl",
        "\"cases\":6",
        "\"cases\":18446744073709551615",
    );
    let (code, _, wrong) = merged(&folder, &["1.jsonl".into()], &[]);
    assert_eq!(code, 2);
    let expected =
        "18446744073709551612 of 18446744073709551615 cases are missing, numbers 1, 3, 5, 6, 7,";
    assert!(wrong.contains(expected), "{wrong}");
}

/// A run of a sweep over coyote time, from 0 to 0.3 s, that passes from 0.2 s on.
fn sweep_case(index: u64) -> CaseRecord {
    let time = ["0", "0.1", "0.2", "0.3"][index as usize];
    let x = 10.5 * index as f64;
    CaseRecord {
        case: format!("platformer.coyote_time={time}, simulation.tick_hz=60"),
        outcome: if index >= 2 {
            CaseOutcome::Passed
        } else {
            CaseOutcome::Failed
        },
        message: None,
        file: None,
        line: None,
        expected: None,
        got: None,
        tick: None,
        replay: None,
        value: Some(x),
        more: BTreeMap::from([("measures".into(), serde_json::json!({"hero.x": x}))]),
        ..case(index)
    }
}

/// Writes a sweep of four runs in two parts, with changed cases.
fn write_sweep(folder: &Folder, change: impl Fn(&mut CaseRecord)) -> Vec<String> {
    let mut all: Vec<CaseRecord> = (0..4).map(sweep_case).collect();
    all.iter_mut().for_each(change);
    let part = |k: u64| {
        let file = format!("{k}.jsonl");
        let out = std::fs::File::create(folder.path(&file)).expect("a file");
        let mut head = header(4, Some(&format!("slice:{k}/2")));
        head.command = ResultsCommand::Sweep;
        head.plan = plan_hash(all.iter().map(|case| case.case.as_str()));
        let mut writer = ResultsWriter::new(Box::new(out), &head).expect("a header");
        for case in all.iter().filter(|case| case.index % 2 == k - 1) {
            writer.case(case).expect("a line");
        }
        writer.end().expect("the last line");
        file
    };
    (1..=2).map(part).collect()
}

#[test]
fn a_sweep_is_joined_as_a_table() {
    let folder = Folder::empty();
    let files = write_sweep(&folder, |_| {});
    let (code, text, wrong) = merged(&folder, &files, &["--csv", "all.csv"]);
    assert_eq!((code, wrong.as_str()), (0, ""));
    let expected = "run  platformer.coyote_time  simulation.tick_hz  hero.x  pass\n\
                    0    0                       60                  0       false\n\
                    1    0.1                     60                  10.5    false\n\
                    2    0.2                     60                  21      true\n\
                    3    0.3                     60                  31.5    true\n\
                    2 of 4 runs pass\n";
    assert_eq!(text, expected);
    let csv = read(&folder, "all.csv");
    let mut lines = csv.split("\r\n");
    let titles = "run,platformer.coyote_time,simulation.tick_hz,hero.x,pass,hash,error";
    assert_eq!(lines.next(), Some(titles));
    let row = format!("0,0,60,0,false,{},", hex(fold_hashes([0])));
    assert_eq!(lines.next(), Some(row.as_str()));
    // An earlier table is replaced, a file of the game is not.
    assert_eq!(merged(&folder, &files, &["--csv", "all.csv"]).0, 0);
    folder.write("levels/a.toml", "");
    assert_eq!(merged(&folder, &files, &["--csv", "levels/a.toml"]).0, 2);
}

#[test]
fn a_joined_sweep_exits_as_one_run_does() {
    let folder = Folder::empty();
    // Only measured.
    let files = write_sweep(&folder, |case| case.outcome = CaseOutcome::Measured);
    let (code, text, _) = merged(&folder, &files, &[]);
    assert_eq!(code, 0);
    assert!(
        text.starts_with("run  platformer.coyote_time  simulation.tick_hz  hero.x\n"),
        "{text}"
    );
    assert!(!text.contains("pass"), "{text}");
    // None passes.
    let files = write_sweep(&folder, |case| case.outcome = CaseOutcome::Failed);
    let (code, _, wrong) = merged(&folder, &files, &[]);
    assert_eq!((code, wrong.as_str()), (1, "error: no run passes\n"));
    // One has no result.
    let files = write_sweep(&folder, |case| {
        if case.index == 3 {
            case.outcome = CaseOutcome::Failed;
            case.message = Some("a script, failed".into());
            case.more.clear();
        }
    });
    let (code, text, wrong) = merged(&folder, &files, &["--csv", "all.csv"]);
    assert_eq!((code, wrong.as_str()), (1, "error: 1 of 4 runs failed\n"));
    assert!(text.contains("a script, failed\n"), "{text}");
    assert!(read(&folder, "all.csv").contains(",\"a script, failed\"\r\n"));
}

#[test]
fn results_of_tests_have_no_rows() {
    let folder = Folder::empty();
    let files = write_parts(&folder, 4, 2);
    let (code, _, wrong) = merged(&folder, &files, &["--csv", "all.csv"]);
    assert_eq!(code, 2);
    assert!(wrong.contains("only a sweep has rows"), "{wrong}");
    assert!(!folder.path("all.csv").exists());
}
