//! `run --why` prints what lasts once, and says so if there is nothing to print. The examples in the docs print what they
//! show.

use crate::{
    folder::Folder,
    ledge::LEDGE,
    program::{code, err, out, run},
};
use std::path::Path;

/// The fenced blocks of a page, without their fences.
fn blocks(page: &str) -> Vec<&str> {
    let parts = page.split("\n```").skip(1).step_by(2);
    parts.map(|part| part.split_once('\n').map_or("", |(_, text)| text)).collect()
}

#[test]
fn the_documented_examples_print_what_they_show() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/testing.md")).expect("the page");
    let all = blocks(&page);
    let folder = Folder::empty();
    let mut examples = 0;
    for (at, block) in all.iter().enumerate() {
        let Some(line) = block.strip_prefix("$ hangtime run levels/tests/ledge.toml --input late.input ") else {
            continue;
        };
        // The input file is the first block after the first example.
        let input = all[at + 1..].iter().find(|block| block.contains("right jump"));
        let input = input.or(all[..at].iter().rev().find(|block| block.contains("right jump")));
        folder.write("late.input", input.expect("the input file"));
        let (options, shown) = line.split_once('\n').expect("lines");
        let late = folder.path("late.input");
        let late = late.to_str().expect("a path");
        let mut arguments = vec!["run", "levels/tests/ledge.toml", "--input", late];
        arguments.extend(options.split(' '));
        let asked = run(root, &arguments);
        assert_eq!(code(&asked), 0, "{}", err(&asked));
        assert_eq!(out(&asked).trim_end(), shown.trim_end(), "{options}");
        examples += 1;
    }
    assert_eq!(examples, 2, "one of all ticks and one of a single tick");
}

/// A level whose hero stands on a lift, with a script if there is one.
fn lift(script: &str) -> Folder {
    let folder = Folder::empty();
    folder.write(
        "levels/level.toml",
        "[[solid]]\nname = \"lift\"\npoints = [[-100, -20], [100, -20], [100, 0], [-100, 0]]\n\
         path = { points = [[0, 0], [0, 9000]], speed = 60 }\n\
         [[entity]]\nkind = \"hero\"\nat = [0, 19]\nplayer = 1\n",
    );
    folder.write("config/entities/hero.toml", "");
    if !script.is_empty() {
        folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { n = 0 }\n");
        folder.write("scripts/hero.rhai", script);
    }
    folder
}

fn asked(folder: &Folder, hz: u32, ticks: u32, why: &str) -> String {
    let (ticks, hz) = (ticks.to_string(), format!("simulation.tick_hz={hz}"));
    let done = run(folder.root(), &["run", "level", "--ticks", &ticks, "--set", &hz, "--why", why]);
    assert_eq!(code(&done), 0, "{}", err(&done));
    out(&done)
}

/// The ticks of the lines that contain a text.
fn ticks_of(text: &str, part: &str) -> Vec<u32> {
    let lines = text.lines().filter(|line| line.contains(part));
    lines
        .map(|line| line.split_whitespace().nth(1).expect("a tick").parse().expect("a number"))
        .collect()
}

#[test]
fn a_ride_on_a_platform_is_reported_when_it_begins() {
    for hz in [30, 60, 120, 240] {
        let text = asked(&lift(""), hz, hz, "hero");
        assert!(ticks_of(&text, "  platforms ").len() <= 1, "{hz}: {text}");
        assert!(text.lines().count() <= 6, "{hz}: {text}");
    }
}

#[test]
fn an_order_in_every_tick_is_reported_once_even_if_its_numbers_change() {
    let folder =
        lift("fn on_tick(me) {\n    this.n += 1;\n    me.push(this.n, 0);\n    if this.n == 20 { me.jump(); }\n}\n");
    for hz in [30, 60, 120, 240] {
        let text = asked(&folder, hz, 30, "hero");
        assert_eq!(ticks_of(&text, "me.push(").first(), Some(&1), "{hz}: {text}");
        // Once more where something else happens.
        let pushes = ticks_of(&text, "me.push(");
        assert!(pushes.len() <= 5, "{hz}: {text}");
        assert_eq!(ticks_of(&text, "me.jump()"), [20], "{hz}: {text}");
    }
}

#[test]
fn two_presses_in_consecutive_ticks_are_two_refusals() {
    let folder = Folder::empty();
    folder.write("levels/level.toml", LEDGE);
    folder.write("config/entities/hero.toml", "[platformer]\ncoyote_time = 0.0\njump_buffer = 0.0\n");
    folder.write("presses.input", "60 right\n1 jump\n1\n1 jump\n1\n1 jump\n20\n");
    let done = run(folder.root(), &["run", "level", "--input", "presses.input", "--why", "hero"]);
    let text = out(&done);
    assert_eq!(ticks_of(&text, "jump refused: ").len(), 3, "{text}");
}

#[test]
fn an_entity_that_only_moves_along_is_said_to() {
    let folder = Folder::empty();
    folder.write("levels/level.toml", LEDGE);
    folder.write("config/entities/hero.toml", "");
    for hz in [30, 60, 120, 240] {
        let text = asked(&folder, hz, 7, "hero");
        assert_eq!(text, "hero  only plain motion in 7 ticks\n", "at {hz} Hz");
        let one = asked(&folder, hz, 1, "hero");
        assert_eq!(one, "hero  only plain motion in 1 tick\n", "at {hz} Hz");
    }
    // A name without an entity has no motion.
    assert_eq!(asked(&folder, 60, 7, "hreo"), "");
    assert_eq!(asked(&folder, 60, 7, "hreo@3"), "tick 3  hreo  there is no such entity in this tick\n");
    folder.write("run.input", "7 right\n");
    let done = run(folder.root(), &["run", "level", "--input", "run.input", "--why", "hero@3"]);
    let text = out(&done);
    assert!(text.starts_with("tick 3  hero  only plain motion:\ntick 3  hero  drive "), "{text}");
}
