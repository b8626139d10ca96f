//! Contracts about a kind's feel: how they are written, and what is remembered about them.

use hangtime_core::models::ModelName;
use hangtime_game::{
    GameFolder,
    files::{ExpectLine, FeelBound, FeelMemory, FeelQuantity, RememberedModel, write_expect},
};
use std::fs;

#[test]
fn bounds_are_read_in_every_form() {
    let apex = |text: &str| FeelBound::parse(text, FeelQuantity::Apex);
    for (text, bound) in [
        ("189.8 ± 0.5", FeelBound::Near(189.8, 0.5)),
        ("189.8±0.5", FeelBound::Near(189.8, 0.5)),
        ("189.8 +- 0.5", FeelBound::Near(189.8, 0.5)),
        ("189.8 +/- 0.5 px", FeelBound::Near(189.8, 0.5)),
        ("≥ 180", FeelBound::AtLeast(180.0)),
        (">=180", FeelBound::AtLeast(180.0)),
        ("≤ 0.4", FeelBound::AtMost(0.4)),
        ("<= 4e-1", FeelBound::AtMost(0.4)),
        ("180..190", FeelBound::Between(180.0, 190.0)),
        ("-2.5..-1", FeelBound::Between(-2.5, -1.0)),
        ("190", FeelBound::Near(190.0, 0.5)),
    ] {
        assert_eq!(apex(text), Ok(bound), "{text}");
        assert_eq!(apex(&bound.to_string()), Ok(bound), "{bound}");
    }
}

#[test]
fn malformed_bounds_are_refused() {
    for text in [
        "",
        "tall",
        "±",
        "189 ±",
        "± 1",
        "190..180",
        "1 ± -1",
        "nan",
        "inf",
        "≥",
        "1e9",
        "1 s",
        "1..2..3",
        "5 ± 1 ± 1",
        "> 3",
        "≥ ≥ 3",
    ] {
        let parsed = FeelBound::parse(text, FeelQuantity::Apex);
        assert!(parsed.is_err(), "{text}: {parsed:?}");
    }
}

#[test]
fn a_bound_holds_up_to_its_ends() {
    assert!(FeelBound::Near(189.8, 0.5).holds(190.3));
    assert!(FeelBound::Near(189.8, 0.5).holds(189.3));
    assert!(!FeelBound::Near(189.8, 0.5).holds(190.31));
    assert!(FeelBound::AtMost(0.4).holds(0.4) && !FeelBound::AtMost(0.4).holds(0.41));
    assert!(FeelBound::AtLeast(3.0).holds(3.0) && !FeelBound::AtLeast(3.0).holds(2.99));
    assert!(FeelBound::Between(1.0, 2.0).holds(2.0) && !FeelBound::Between(1.0, 2.0).holds(2.1));
    assert!(!FeelBound::AtLeast(3.0).holds(f64::NAN));
}

/// The text of a kind's file after these contracts were written into it, or why that cannot be.
fn with_lines(text: &str, lines: &[ExpectLine]) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hero.toml");
    fs::write(&path, text).unwrap();
    let changed = write_expect(&GameFolder::new(folder.path()), "hero.toml", lines)?;
    let written = fs::read_to_string(path).unwrap();
    assert_eq!(changed, written != text);
    Ok(written)
}

fn line(quantity: FeelQuantity, value: f64) -> ExpectLine {
    ExpectLine { model: None, quantity, bound: FeelBound::Near(value, 0.5) }
}

const KIND: &str = "# A hero.\nscript = \"hero.rhai\"   # rules\n";

#[test]
fn a_table_is_added_to_a_file_without_one() {
    let lines = [line(FeelQuantity::Apex, 189.8), line(FeelQuantity::Hop, 9.0)];
    let text = with_lines(KIND, &lines).unwrap();
    let expected = format!("{KIND}\n[expect]\napex = \"189.8 ± 0.5\"\nhop = \"9 ± 0.5\"\n");
    assert_eq!(text, expected);
    assert_eq!(with_lines(&text, &lines).unwrap(), text, "twice is once");
}

#[test]
fn comments_order_and_other_keys_stay() {
    let before = format!(
        "{KIND}\n# How it feels.\n[expect]\nhop = \"≥ 3\"   # low\napex = 12 # high\n\n[platformer]\njump_speed = 5.0\n"
    );
    let text = with_lines(&before, &[line(FeelQuantity::Apex, 189.8)]).unwrap();
    assert_eq!(text, before.replace("apex = 12 #", "apex = \"189.8 ± 0.5\" #"));
}

#[test]
fn other_models_have_tables_in_it() {
    let of_model = ExpectLine { model: Some(ModelName::two_velocity), ..line(FeelQuantity::RunUp, 30.0) };
    let text = with_lines(KIND, &[of_model]).unwrap();
    let expected = format!("{KIND}\n[expect.two_velocity]\nrun_up = \"30 ± 0.5\"\n");
    assert_eq!(text, expected);
}

#[test]
fn files_that_cannot_hold_contracts_are_refused() {
    let apex = [line(FeelQuantity::Apex, 1.0)];
    assert!(with_lines("script = ", &apex).is_err());
    assert!(with_lines("expect = 3\n", &apex).is_err());
    let inline = "expect = { apex = 3 }\n";
    let text = with_lines(inline, &apex).unwrap();
    assert_eq!(text, "expect = { apex = \"1 ± 0.5\" }\n");
}

fn memory() -> FeelMemory {
    let values = [("apex".to_string(), 189.83)].into();
    let tunables = [("platformer.jump_speed".to_string(), "540".to_string())].into();
    let mut memory = FeelMemory::new("ab".into());
    memory.models.insert("platformer".into(), RememberedModel { values, tunables });
    memory
}

#[test]
fn what_is_written_reads_back() {
    let root = tempfile::tempdir().unwrap();
    let folder = GameFolder::new(root.path());
    assert_eq!(FeelMemory::read(&folder, "foes/bat"), None);
    memory().write(&folder, "foes/bat").unwrap();
    assert_eq!(FeelMemory::read(&folder, "foes/bat"), Some(memory()));
    let ignored = fs::read_to_string(root.path().join(".hangtime/.gitignore")).unwrap();
    assert_eq!(ignored, "*\n");
}

#[test]
fn files_that_cannot_be_read_count_as_nothing() {
    let root = tempfile::tempdir().unwrap();
    let folder = GameFolder::new(root.path());
    memory().write(&folder, "hero").unwrap();
    let path = root.path().join(".hangtime/feel/hero.json");
    let text = fs::read_to_string(&path).unwrap();
    for broken in ["", "{}", "[1, 2", &text[..text.len() / 2], &text.replace(": 1,", ": 2,")] {
        fs::write(&path, broken).unwrap();
        assert_eq!(FeelMemory::read(&folder, "hero"), None, "{broken}");
    }
    memory().write(&folder, "hero").unwrap();
    assert_eq!(FeelMemory::read(&folder, "hero"), Some(memory()));
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link_that_leads_out() {
    let (root, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::os::unix::fs::symlink(other.path(), root.path().join(".hangtime")).unwrap();
    let folder = GameFolder::new(root.path());
    let refused = memory().write(&folder, "hero").unwrap_err().to_string();
    assert!(refused.contains("leads out"), "{refused}");
    assert_eq!(fs::read_dir(other.path()).unwrap().count(), 0);
}
