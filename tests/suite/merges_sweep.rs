//! `merge` of the parts of a sweep.

use crate::{
    folder::Folder,
    results_files::{case, header, merged, write_parts},
};
use hangtime::playtest::{CaseOutcome, CaseRecord, ResultsCommand, ResultsWriter, fold_hashes, hex, plan_hash};
use std::collections::BTreeMap;

/// A run of a sweep over coyote time, from 0 to 0.3 s, that passes from 0.2 s on.
fn sweep_case(index: u64) -> CaseRecord {
    let time = ["0", "0.1", "0.2", "0.3"][index as usize];
    let x = 10.5 * index as f64;
    CaseRecord {
        case: format!("platformer.coyote_time={time}, simulation.tick_hz=60"),
        outcome: if index >= 2 { CaseOutcome::Passed } else { CaseOutcome::Failed },
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
    // As one run prints it.
    let expected = "platformer.coyote_time  simulation.tick_hz  hero.x  pass\n\
                    \x20                    0                  60       0    no\n\
                    \x20                  0.1                  60    10.5    no\n\
                    \x20                  0.2                  60      21   yes\n\
                    \x20                  0.3                  60    31.5   yes\n\
                    2 of 4 runs pass\n";
    assert_eq!(text, expected);
    let csv = folder.read("all.csv");
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
    assert!(text.starts_with("platformer.coyote_time  simulation.tick_hz  hero.x\n"), "{text}");
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
    assert!(folder.read("all.csv").contains(",\"a script, failed\"\r\n"));
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

#[test]
fn parts_that_disagree_on_a_value_with_the_same_hash_are_named() {
    let folder = Folder::empty();
    write_sweep(&folder, |case| case.value = Some(99.5));
    std::fs::rename(folder.path("1.jsonl"), folder.path("other.jsonl")).expect("a file");
    let mut files = write_sweep(&folder, |case| case.ms += 7.0);
    files.push("other.jsonl".into());
    let (code, text, wrong) = merged(&folder, &files, &["--csv", "all.csv"]);
    assert_eq!((code, text.as_str()), (2, ""));
    let expected = "other.jsonl:2:1: error: `platformer.coyote_time=0, simulation.tick_hz=60` has 99.5 as \
                    `value` here, but 0.0 in 1.jsonl:2, although both have the same hash\n";
    assert!(wrong.contains(expected), "{wrong}");
    assert!(!folder.path("all.csv").exists());
    // Also what only this sweep measured.
    write_sweep(&folder, |case| {
        case.more.insert("moved".into(), serde_json::json!({"hero": true}));
    });
    std::fs::rename(folder.path("1.jsonl"), folder.path("other.jsonl")).expect("a file");
    write_sweep(&folder, |_| {});
    let (code, _, wrong) = merged(&folder, &files, &[]);
    assert_eq!(code, 2);
    let expected = "has {\"hero\":true} as `moved` here, but nothing in 1.jsonl:2";
    assert!(wrong.contains(expected), "{wrong}");
}
