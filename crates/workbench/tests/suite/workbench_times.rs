//! How long scripts take, over the game: what the workbench measures and shows.

use crate::{
    folder::on_large_stack,
    workbench_case::{COUNTS, Case, hero},
};
use hangtime_game::TickProfile;
use hangtime_workbench::WindowKey;

fn calls(profile: &TickProfile) -> Vec<(&str, &str, u64)> {
    let hooks = profile.hooks.iter();
    hooks.map(|hook| (hook.behavior.as_str(), hook.hook.as_str(), hook.calls)).collect()
}

/// The rows over the game that have one of these words.
fn rows(case: &Case, words: &[&str]) -> Vec<String> {
    let notes = case.bench.picture().notes.into_iter();
    let has = |text: &String| words.iter().any(|word| text.contains(word));
    notes.map(|row| row.text).filter(has).collect()
}

#[test]
fn the_last_second_is_shown_while_the_next_one_is_measured() {
    on_large_stack(|| {
        for hz in [30, 60, 120] {
            let mut case = Case::at(hz);
            let second = u64::from(hz);
            case.frames(7);
            assert!(case.bench.script_times().is_none());
            case.bench.press(WindowKey::Times);
            case.frames(second - 1);
            assert!(case.bench.script_times().is_none());
            assert_eq!(rows(&case, &["measuring scripts"]).len(), 1);
            for _ in 0..3 {
                case.frames(1);
                let shown = case.bench.script_times().expect("times").clone();
                assert_eq!(shown.ticks, second);
                assert_eq!(calls(&shown), [("hero.rhai", "on_tick", second)]);
                case.frames(second - 1);
                assert_eq!(case.bench.script_times(), Some(&shown), "until the next is complete");
            }
            let shown = rows(&case, &["on_tick", "physics", "share"]);
            assert_eq!(shown.len(), 3, "{shown:?}");
            assert!(shown[1].starts_with("hero"), "{shown:?}");
            assert!(shown[1].contains(&format!(" {second} ")), "{shown:?}");
            case.tap(WindowKey::Times);
            assert!(case.bench.script_times().is_none());
            assert!(rows(&case, &["on_tick", "physics", "measuring"]).is_empty());
        }
    });
}

#[test]
fn measuring_outlives_edits_restarts_and_jumps_in_time_and_changes_nothing() {
    on_large_stack(|| {
        let play = |measured: bool| {
            let mut case = Case::at(60);
            if measured {
                case.bench.press(WindowKey::Times);
            }
            let mut hashes = case.play_about(70);
            case.edit("config/entities/hero.toml", &hero("jump_speed = 500")).expect("a good edit");
            hashes.extend(case.play_about(70));
            case.tap(WindowKey::Pause);
            case.hold_key(WindowKey::ScrubBack, 20);
            hashes.push(case.hash());
            case.tap(WindowKey::Pause);
            hashes.extend(case.play_about(70));
            case.tap(WindowKey::Restart);
            hashes.extend(case.play_about(130));
            (hashes, case)
        };
        let (plain, _) = play(false);
        let (hashes, case) = play(true);
        assert_eq!(plain, hashes);
        let shown = case.bench.script_times().expect("times");
        assert_eq!(calls(shown), [("hero.rhai", "on_tick", 60)]);
    });
}

#[test]
fn only_the_hooks_with_the_most_time_are_listed() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        let mut script = COUNTS.to_string();
        script += "fn on_birth(me) { for n in 0..12 { world::emit(`e${n}`, n); } }\n";
        for n in 0..12 {
            script += &format!("fn on_e{n}(me) {{ }}\n");
        }
        case.edit("scripts/hero.rhai", &script).expect("a good edit");
        case.tap(WindowKey::Restart);
        case.bench.press(WindowKey::Times);
        case.frames(61);
        let shown = case.bench.script_times().expect("times").clone();
        assert!(shown.hooks.len() >= 13, "{:?}", calls(&shown));
        let listed = rows(&case, &[" on_"]).into_iter();
        assert_eq!(listed.filter(|row| row.starts_with("hero ")).count(), 8);
        let more = format!("and {} more", shown.hooks.len() - 8);
        assert_eq!(rows(&case, &[more.as_str()]).len(), 1);
    });
}
