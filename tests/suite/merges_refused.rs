//! `merge` refuses what is not one whole run, and says why.

use crate::{
    folder::Folder,
    results_files::{merged, replace, write, write_parts},
};
use hangtime::playtest::{fold_hashes, hex};

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
    assert!(wrong.contains("slice:2/3 (no file), slice:3/3 (no file)"), "{wrong}");
    // One case.
    let files = write_parts(&folder, 3, 3);
    let (_, _, wrong) = merged(&folder, &files[1..], &[]);
    assert!(wrong.contains("1 of 3 cases is missing, number 0 (counted"), "{wrong}");
}

#[test]
fn a_run_that_did_not_end_is_named_and_its_cases_are_missing() {
    let folder = Folder::empty();
    let files = write_parts(&folder, 12, 2);
    let text = folder.read(&files[1]);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    // Killed in the middle of a line, between lines, and after the last case.
    let in_line = format!("{}{}", lines[..3].concat(), &lines[3][..40]);
    for (cut, cases) in [(in_line, 2), (lines[..3].concat(), 2), (lines[..7].concat(), 6)] {
        folder.write(&files[1], &cut);
        let (code, _, wrong) = merged(&folder, &files, &[]);
        assert_eq!(code, 2);
        let plural = if cases == 1 { "" } else { "s" };
        let ends = format!("2.jsonl: error: the file ends without its last line, after {cases} case{plural}");
        assert!(wrong.contains(&ends), "{wrong}");
        assert!(wrong.contains("run slice:2/2 again"), "{wrong}");
        let missing = wrong.contains("4 of 12 cases are missing, numbers 5, 7, 9, 11 ");
        assert_eq!(missing, cases == 2, "{wrong}");
    }
    folder.write(&files[1], "");
    let (code, _, wrong) = merged(&folder, &files, &[]);
    assert_eq!(code, 2);
    assert!(wrong.contains("2.jsonl: error: this results file is empty"), "{wrong}");
}

#[test]
fn cases_in_two_files_are_refused() {
    let folder = Folder::empty();
    let mut files = write_parts(&folder, 12, 3);
    std::fs::copy(folder.path(&files[1]), folder.path("again.jsonl")).expect("a copy");
    files.push("again.jsonl".into());
    let (code, text, wrong) = merged(&folder, &files, &[]);
    assert_eq!((code, text.as_str()), (2, ""));
    let expected = "again.jsonl:2:1: error: `levels/tests/a.rhai::test_1` is also in 2.jsonl:2, and so \
                    are 3 more cases of this file";
    assert!(wrong.contains(expected), "{wrong}");
    // The same file twice, by two names.
    files[3] = "./2.jsonl".into();
    let (code, _, wrong) = merged(&folder, &files, &[]);
    assert_eq!(code, 2);
    assert!(wrong.contains("named twice"), "{wrong}");
    // A case twice in one file.
    let files = write_parts(&folder, 12, 3);
    let text = folder.read(&files[0]);
    let line = text.lines().nth(1).expect("a case");
    let twice = text.replacen(line, &format!("{line}\n{line}"), 1);
    folder.write(&files[0], &twice.replace("\"passed\":4,", "\"passed\":5,"));
    let (code, _, wrong) = merged(&folder, &files, &[]);
    assert_eq!(code, 2);
    assert!(wrong.contains("is also in 1.jsonl:2"), "{wrong}");
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
    replace(&folder, "other.jsonl", "\"failed\",\"ms\"", "\"known_failure\",\"ms\"");
    replace(&folder, "other.jsonl", "\"passed\":2,\"failed\":1", "\"passed\":3,\"failed\":0");
    let (code, _, wrong) = merged(&folder, &all, &[]);
    assert_eq!(code, 2);
    assert!(wrong.contains("failed as known here, but failed in 1.jsonl:3"), "{wrong}");
}

#[test]
fn parts_of_different_runs_are_refused() {
    let folder = Folder::empty();
    for (from, to, what) in [
        ("00112233aabbccdd", "ff112233aabbccdd", "other files of the game"),
        ("\"hangtime\":\"0.1.0\"", "\"hangtime\":\"0.2.0\"", "hangtime 0.2.0, but 1.jsonl with hangtime 0.1.0"),
        ("\"options\":\"\"", "\"options\":\"--heavy\"", "with `--heavy`, but 1.jsonl with no options"),
        ("\"cases\":6", "\"cases\":8", "other cases"),
        ("\"plan\":\"", "\"plan\":\"0", "other cases"),
        ("\"command\":\"test\"", "\"command\":\"sweep\"", "part of a sweep"),
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

/// A change of the first of two files of six cases, and the message about it.
#[rustfmt::skip]
const BROKEN: &[(&str, &str, &str)] = &[
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
];

#[test]
fn broken_lines_are_errors_with_file_and_line() {
    let folder = Folder::empty();
    for (from, to, what) in BROKEN {
        let files = write_parts(&folder, 6, 2);
        replace(&folder, &files[0], from, to);
        let (code, text, wrong) = merged(&folder, &files, &[]);
        assert_eq!((code, text.as_str()), (2, ""), "{to}");
        assert!(wrong.contains(what), "{to}: {wrong}");
    }
    let files = write_parts(&folder, 6, 2);
    let twice = format!("{0}{0}", folder.read(&files[0]));
    folder.write(&files[0], &twice);
    let (code, _, wrong) = merged(&folder, &files, &[]);
    assert_eq!(code, 2);
    assert!(wrong.contains("1.jsonl:6:1: error: lines after the last one"), "{wrong}");
    let (code, _, wrong) = merged(&folder, &["none.jsonl".into()], &[]);
    assert_eq!(code, 2);
    assert!(wrong.contains("none.jsonl: error: no such file"), "{wrong}");
}

#[test]
fn a_header_with_billions_of_cases_takes_no_time_and_memory() {
    let folder = Folder::empty();
    write(&folder, "1.jsonl", 6, Some("slice:1/2"));
    replace(&folder, "1.jsonl", "\"cases\":6", "\"cases\":18446744073709551615");
    let (code, _, wrong) = merged(&folder, &["1.jsonl".into()], &[]);
    assert_eq!(code, 2);
    let expected = "18446744073709551612 of 18446744073709551615 cases are missing, numbers 1, 3, 5, 6, 7,";
    assert!(wrong.contains(expected), "{wrong}");
}
