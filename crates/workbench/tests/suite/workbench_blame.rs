//! What a marked stretch depends on.

use crate::{
    folder::{Folder, on_large_stack},
    workbench_case::Case,
};
use hangtime_core::models::Action;
use hangtime_workbench::{BlameFacts, MomentBlame, StretchBlame, WindowKey};
use std::time::{Duration, Instant};

const GRAVITY: f64 = 1000.0;
const JUMP: f64 = 500.0;
const RUN: f64 = 300.0;
const HERO: &str = "config/entities/hero.toml";

fn kind(jump: f64) -> String {
    format!(
        "body = {{ box = [20, 38] }}\n[platformer]\njump_speed = {jump:?}\njump_hold_time = 0.0\nrun_speed_min = {RUN:?}\n\
         run_speed_max = {RUN:?}\nair_speed_soft = {RUN:?}\nmax_fall_speed = 5000.0\n"
    )
}

/// A jump to the right from a run, between the marks.
fn case(hz: u32) -> Case {
    crowded(hz, 0)
}

/// The same among others of the kind, who stand where the jump begins.
fn crowded(hz: u32, others: usize) -> Case {
    let folder = Folder::empty();
    let others = "[[entity]]\nkind = \"hero\"\nat = [-100, 19]\n".repeat(others);
    let level = "[[solid]]\npoints = [[-500, -50], [4500, -50], [4500, 0], [-500, 0]]\n\
         [[entity]]\nkind = \"hero\"\nname = \"hero\"\nat = [0, 19]\nplayer = 1\n";
    folder.write("levels/level.toml", &format!("{level}{others}"));
    folder.write("config/hangtime.toml", &format!("[simulation]\ntick_hz = {hz}\ngravity = {GRAVITY:?}\n"));
    folder.write(HERO, &kind(JUMP));
    let mut case = Case::of(folder);
    case.hold(&[Action::Right]);
    case.frames(u64::from(hz));
    case.tap(WindowKey::MarkA);
    case.hold(&[Action::Right, Action::Jump]);
    case.frames(u64::from(hz) * 6 / 5);
    case.tap(WindowKey::MarkB);
    case
}

fn moments(case: &mut Case, blame: &mut StretchBlame) -> Vec<MomentBlame> {
    let started = Instant::now();
    loop {
        case.frames(1);
        blame.follow(&case.bench, true);
        if let Some(BlameFacts::Moments(moments)) = blame.facts().map(|facts| (**facts).clone()) {
            return moments;
        }
        assert!(started.elapsed() < Duration::from_secs(120), "still playing");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The number of a row such as `x 0.31 px per px/s`, with its axis.
fn slope(moments: &[MomentBlame], moment: &str, path: &str) -> (String, f64) {
    let moment = moments.iter().find(|one| one.name == moment).expect("the moment");
    let row = moment.rows.iter().find(|row| row.path == path);
    let row = row.unwrap_or_else(|| panic!("no {path} in {:?}", moment.rows));
    let mut words = row.text.split(' ');
    let axis = words.next().expect("an axis").to_string();
    (axis, words.next().expect("a number").parse().expect("a number"))
}

#[test]
fn the_moments_of_a_stretch_depend_on_its_numbers_as_the_formulas_say() {
    on_large_stack(|| {
        for hz in [30, 60, 120, 240] {
            let mut case = case(hz);
            let mut blame = StretchBlame::default();
            for jump in [JUMP, 460.0] {
                if jump != JUMP {
                    case.edit(HERO, &kind(jump)).expect("good");
                }
                let found = moments(&mut case, &mut blame);
                let names: Vec<&str> = found.iter().map(|moment| moment.name).collect();
                assert_eq!(names, ["landing", "apex", "end"]);
                // It lands run · 2 jump / gravity farther, and is highest jump² / (2 gravity) above the floor.
                let near = |(axis, got): (String, f64), (on, wanted): (&str, f64)| {
                    assert!(
                        axis == on && (got - wanted).abs() < 0.02 * wanted.abs(),
                        "{hz} Hz: {axis} {got}, not {on} {wanted}"
                    );
                };
                near(slope(&found, "landing", "platformer.jump_speed"), ("x", 2.0 * RUN / GRAVITY));
                near(slope(&found, "apex", "platformer.jump_speed"), ("y", jump / GRAVITY));
                let apex = found.iter().find(|moment| moment.name == "apex").expect("an apex");
                assert!((apex.at[1] - 19.0 - jump * jump / (2.0 * GRAVITY)).abs() < 0.5, "{hz} Hz: {:?}", apex.at);
                assert!(!apex.rows.iter().any(|row| row.path.contains("hook")), "{:?}", apex.rows);
                // The same question has the same answer.
                assert_eq!(moments(&mut case, &mut StretchBlame::default()), found);
            }
        }
    });
}

#[test]
fn without_marks_or_a_panel_nothing_is_said() {
    on_large_stack(|| {
        let mut case = case(60);
        let mut blame = StretchBlame::default();
        blame.follow(&case.bench, false);
        assert!(blame.facts().is_none() && !blame.is_running());
        assert!(!moments(&mut case, &mut blame).is_empty());
        case.tap(WindowKey::MarkA);
        blame.follow(&case.bench, true);
        assert!(blame.facts().is_none(), "the marked stretch is forgotten with a new mark");
    });
}

#[test]
fn a_stretch_with_too_many_ticks_of_bodies_is_not_played() {
    on_large_stack(|| {
        let case = crowded(240, 400);
        let mut blame = StretchBlame::default();
        let started = Instant::now();
        while blame.facts().is_none_or(|facts| **facts != BlameFacts::TooLong) {
            blame.follow(&case.bench, true);
            assert!(started.elapsed() < Duration::from_secs(60), "{:?}", blame.facts());
            std::thread::sleep(Duration::from_millis(1));
        }
    });
}
