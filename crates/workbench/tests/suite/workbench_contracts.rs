//! The contracts of the picked kind while its numbers are edited.

use crate::{
    folder::{Folder, LEVEL, on_large_stack},
    workbench_case::Case,
};
use hangtime_core::{models::ModelName, tuning::Setting};
use hangtime_game::{GameFolder, TuningHome};
use hangtime_workbench::{ContractFacts, ContractRow, ContractState, ContractWatch, LogKind, panel::Tuner};
use std::time::{Duration, Instant};

const HERO: &str = "config/entities/hero.toml";
const GRAVITY: f64 = 1000.0;

/// A hero whose jumps rise by jump² / (2 gravity), with these contracts.
fn hero(jump: f64, contracts: &str) -> String {
    format!("[platformer]\njump_speed = {jump:?}\njump_hold_time = 0.0\nmax_fall_speed = 5000.0\n{contracts}")
}

fn case(hz: u32, contracts: &str) -> (Case, ContractWatch) {
    let folder = Folder::empty();
    folder.write("levels/level.toml", &LEVEL.replace("surface = \"stone\"", "").replace("surface = \"ice\"", ""));
    folder.write("config/hangtime.toml", &format!("[simulation]\ntick_hz = {hz}\ngravity = {GRAVITY:?}\n"));
    folder.write(HERO, &hero(500.0, contracts));
    let watch = ContractWatch::new(GameFolder::new(folder.root()));
    (Case::of(folder), watch)
}

/// Makes frames until all is measured.
fn rows(case: &mut Case, watch: &mut ContractWatch) -> Vec<ContractRow> {
    let started = Instant::now();
    loop {
        case.frames(1);
        watch.follow(&mut case.bench, true);
        let facts = watch.facts().map(|facts| (**facts).clone());
        match facts {
            Some(ContractFacts::Rows(rows)) if !watch.is_running() => return rows,
            Some(ContractFacts::None | ContractFacts::Wrong(_)) if !watch.is_running() => return Vec::new(),
            _ => {}
        }
        assert!(started.elapsed() < Duration::from_secs(120), "still measuring");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn tune(case: &mut Case, jump: f64) {
    let mut tuner = Tuner::new(case.bench.files_revision().clone());
    let key = (TuningHome::Kind("hero".into()), ModelName::platformer.into(), "jump_speed");
    tuner.set(&key, Setting::Number(jump), false);
    case.bench.tune(tuner.changes());
    // Changes of the panel take effect once the last ones were shown for a moment.
    let hz = case.bench.revision().stage.hz;
    case.frames(u64::from(hz));
}

fn states(rows: &[ContractRow]) -> Vec<(&str, ContractState)> {
    rows.iter().map(|row| (row.name.as_str(), row.state)).collect()
}

#[test]
fn a_contract_breaks_and_holds_again_with_the_number_of_the_panel_at_each_rate() {
    on_large_stack(|| {
        for hz in [30, 60, 120, 240] {
            // The apex is 125 px, the air time 1 s.
            let (mut case, mut watch) = case(hz, "[expect]\napex = \"125 ± 2\"\nair_time = \"≥ 0.9\"\n");
            let hash = case.hash();
            let held = rows(&mut case, &mut watch);
            assert_eq!(states(&held), [("apex", ContractState::Holds), ("air_time", ContractState::Holds)], "{hz} Hz");
            assert_eq!((held[0].measured.as_str(), held[0].allowed.as_str()), ("125 px", "125 ± 2 px"));
            assert!(case.logged(LogKind::Warning).is_empty());
            for jump in [520.0, 440.0] {
                tune(&mut case, jump);
                let broken = rows(&mut case, &mut watch);
                let apex = jump * jump / (2.0 * GRAVITY);
                assert_eq!(broken[0].state, ContractState::Broken, "{hz} Hz: {broken:?}");
                assert_eq!(broken[0].measured, format!("{apex} px"));
                let short = 2.0 * jump / GRAVITY < 0.9;
                assert_eq!(broken[1].state == ContractState::Broken, short, "{hz} Hz: {broken:?}");
                let said = case.logged(LogKind::Warning);
                let line = format!("`apex` of hero is {apex} px, not 125 ± 2");
                assert_eq!(
                    said.iter().filter(|text| text.contains(&line)).count(),
                    usize::from(jump == 520.0),
                    "{said:?}"
                );
                // A break is reported once.
                assert_eq!(said.iter().filter(|text| text.contains("`apex`")).count(), 1, "{said:?}");
            }
            tune(&mut case, 500.0);
            assert_eq!(states(&rows(&mut case, &mut watch)), states(&held));
            let noted = case.logged(LogKind::Note);
            assert!(noted.iter().any(|text| text == "`apex` of hero holds again: 125 px"), "{noted:?}");
            // Only what was played has changed the world.
            let frames = case.bench.timeline().end();
            let (mut other, _) = self::case(hz, "");
            assert_eq!(other.hash(), hash);
            other.frames(frames);
            assert_eq!(other.hash(), case.hash(), "{hz} Hz");
        }
    });
}

#[test]
fn a_contract_that_holds_just_so_is_near() {
    on_large_stack(|| {
        for (bound, state) in [
            ("125 ± 2", ContractState::Holds),
            ("126.7 ± 2", ContractState::Near),
            ("123..126", ContractState::Holds),
            ("124.9..130", ContractState::Near),
            ("≤ 140", ContractState::Holds),
            ("≤ 126", ContractState::Near),
            ("≥ 124", ContractState::Near),
            ("≥ 126", ContractState::Broken),
        ] {
            let (mut case, mut watch) = case(60, &format!("[expect]\napex = \"{bound}\"\n"));
            assert_eq!(rows(&mut case, &mut watch)[0].state, state, "{bound}");
        }
    });
}

#[test]
fn contracts_that_are_edited_on_disk_are_measured_again() {
    on_large_stack(|| {
        let (mut case, mut watch) = case(60, "");
        assert!(rows(&mut case, &mut watch).is_empty());
        assert_eq!(watch.facts().map(|facts| (**facts).clone()), Some(ContractFacts::None));
        case.edit(HERO, &hero(500.0, "[expect]\napex = 200\n")).expect("good");
        assert_eq!(states(&rows(&mut case, &mut watch)), [("apex", ContractState::Broken)]);
        // A file with a mistake changes nothing.
        case.edit(HERO, &hero(500.0, "[expect]\napex = \"high\"\n")).expect_err("a mistake");
        assert_eq!(states(&rows(&mut case, &mut watch)), [("apex", ContractState::Broken)]);
        case.edit(
            HERO,
            &hero(500.0, "[expect]\napex = 125\nair_time = 1\n[expect.ballistic]\nlanding_error = \"≤ 0.1\"\n"),
        )
        .expect("good");
        let all = rows(&mut case, &mut watch);
        let names: Vec<&str> = all.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["apex", "air_time", "ballistic.landing_error"]);
        assert!(all.iter().all(|row| row.state != ContractState::Broken), "{all:?}");
        // A closed panel says nothing.
        watch.follow(&mut case.bench, false);
        assert!(watch.facts().is_none() && !watch.is_running());
    });
}

#[test]
fn the_newest_numbers_of_a_drag_are_what_is_measured_in_the_end() {
    on_large_stack(|| {
        let contracts = "[expect]\napex = \"125 ± 40\"\ngap = \"≥ 1\"\nclimb = \"≥ 1\"\n";
        let (mut case, mut watch) = case(60, contracts);
        let mut tuner = Tuner::new(case.bench.files_revision().clone());
        let key = (TuningHome::Kind("hero".into()), ModelName::platformer.into(), "jump_speed");
        let mut last = 0.0;
        for step in 0..40 {
            last = 500.0 + 2.0 * f64::from(step);
            tuner.set(&key, Setting::Number(last), step > 0);
            case.bench.tune(tuner.changes());
            for _ in 0..4 {
                case.frames(1);
                watch.follow(&mut case.bench, true);
            }
        }
        case.frames(60);
        let all = rows(&mut case, &mut watch);
        let apex = last * last / (2.0 * GRAVITY);
        assert_eq!(all[0].measured, format!("{} px", (apex * 100.0).round() / 100.0));
        assert_eq!(all[0].state == ContractState::Broken, apex > 165.0);
    });
}

#[test]
fn a_script_that_fails_is_named_with_the_contract() {
    on_large_stack(|| {
        let (mut case, mut watch) = case(60, "[expect]\napex = \"125 ± 2\"\n");
        case.folder.write("scripts/hero.rhai", "fn on_tick(me) { me.nothing_like_it(); }\n");
        let kind = format!("script = \"hero.rhai\"\n{}", hero(500.0, "[expect]\napex = \"125 ± 2\"\n"));
        case.edit(HERO, &kind).expect("it compiles");
        let all = rows(&mut case, &mut watch);
        assert_eq!(all.len(), 1);
        assert!(all[0].about.contains("nothing_like_it"), "{}", all[0].about);
    });
}
