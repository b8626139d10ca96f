//! Tests of `src/live/reload/half.rs`.

use super::looks_half;

const LEVEL: &str = "gravity = 1800\n\n[[solid]]\npoints = [[0, 0], [9, 0], [9, 9]]\n\n\
                     [[entity]]\nkind = \"hero\"\nplayer = 1\n\n[[entity]]\nkind = \"coin\"\n";
const SCRIPT: &str = "fn on_tick(me) {\n    this.n += 1;\n}\n\nfn on_land(me) {\n    this.n = 0;\n}\n";

#[test]
fn a_file_cut_at_any_byte_looks_half() {
    for (name, text) in [("levels/a.toml", LEVEL), ("scripts/a.rhai", SCRIPT)] {
        for end in 0..text.trim_end().len() {
            assert!(looks_half(name, text, &text[..end]), "{:?}", &text[..end]);
        }
    }
}

#[test]
fn the_cut_beginning_of_another_version_looks_half() {
    let next = LEVEL.replace("1800", "1900").replace("[9, 9]]", "[9, 9], [0, 9]]");
    for end in 0..next.trim_end().len() {
        assert!(looks_half("levels/a.toml", LEVEL, &next[..end]), "{end}");
    }
    // More terrain than before, and then nothing.
    let more = "[[solid]]\npoints = []\n".repeat(20);
    assert!(looks_half("levels/a.toml", LEVEL, &more));
}

#[test]
fn an_edited_number_or_line_does_not_look_half() {
    for (from, to) in [
        ("1800", "180"),
        ("player = 1", "player = 2"),
        ("\"coin\"", "\"c\""),
        ("gravity = 1800\n", ""),
        ("[9, 0], ", ""),
        ("player = 1\n", ""),
    ] {
        let new = LEVEL.replace(from, to);
        assert_ne!(new, LEVEL);
        assert!(!looks_half("levels/a.toml", LEVEL, &new), "{from} to {to}");
    }
    let numbers = "run_accel = 650.0\njump_buffer = 0.15\n";
    for new in [
        "run_accel = 650.0\njump_buffer = 0.1\n",
        "run_accel = 65\njump_buffer = 0.15\n",
        "# run_accel = 650.0\njump_buffer = 0.15\n",
        "jump_buffer = 0.15\n",
        "run_accel = 650.0\njump_buffer = 0.15\ncoyote_time = 0.1\n",
    ] {
        assert!(!looks_half("config/models/platformer.toml", numbers, new), "{new}");
    }
}

#[test]
fn a_script_that_is_cut_in_or_after_a_comment_looks_half_even_if_it_has_grown() {
    let added = "fn on_jump(me) {\n    this.jumps += 1;\n}\n\n".repeat(3);
    let next = format!("{added}{SCRIPT}\n/* How often\nit has jumped. */\n// A number,\n// from 0.\nconst MOST = 3;\n");
    for end in ["/* How", "often\n", "jumped. */\n", "// A number,\n", "// A n", "from 0.\n"] {
        let cut = &next[..next.find(end).expect("it is there") + end.len()];
        assert!(looks_half("scripts/a.rhai", SCRIPT, cut), "{cut}");
        // The file ended without a line break before.
        assert!(looks_half("scripts/a.rhai", SCRIPT.trim_end(), cut.trim_end()), "{cut}");
    }
    assert!(!looks_half("scripts/a.rhai", SCRIPT, &next));
    // A script that ended with this comment still does.
    let ended = format!("{SCRIPT}// The end.\n");
    assert!(!looks_half("scripts/a.rhai", &ended, &ended.replace("+= 1", "+= 2")));
}

#[test]
fn a_level_that_lost_an_entity_looks_half() {
    let new = LEVEL.replace("[[entity]]\nkind = \"hero\"\nplayer = 1\n", "");
    assert!(looks_half("levels/a.toml", LEVEL, &new));
}
