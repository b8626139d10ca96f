//! Served worlds in the same process.

use crate::folder::{Folder, on_large_stack};
use hangtime::{
    models::Action,
    project::{InputScript, Live, Project},
    script::host::SourceFile,
    service::{Column, ColumnReader, ServedGame, ServedWorld, WorldStart},
    sim::{Inputs, PlayerInput},
};
use std::{ops::ControlFlow, sync::Arc};

/// The tick rates at which worlds are compared.
pub const RATES: [u32; 4] = [30, 60, 120, 240];

const INPUT: &str = "0.3s right\n0.1s right jump\n0.4s left move=-0.5:0.25\n7 !jump aim=10:20\n";

/// A game whose hero counts and draws random numbers.
pub fn counting() -> Folder {
    Folder::with_script(
        "fn on_tick(me) { this.n += 1; this.drawn = world::random(); }\nfn on_land(me) { print(\"landed\"); }",
    )
}

pub fn serve(folder: &Folder) -> Arc<ServedGame> {
    Arc::new(ServedGame::load(folder.root()).expect("a game folder"))
}

pub fn start_at(hz: u32) -> WorldStart {
    WorldStart { level: "level".into(), seed: 7, settings: vec![("simulation.tick_hz".into(), hz.to_string())] }
}

pub fn world_at(game: &Arc<ServedGame>, hz: u32) -> ServedWorld {
    ServedWorld::create(game, &start_at(hz)).expect("a good level")
}

/// Makes some ticks and returns the hash after each.
pub fn hashes(world: &mut ServedWorld, ticks: u64) -> Vec<u64> {
    let mut found = Vec::new();
    world.step(ticks, |live| {
        found.push(live.world().hash());
        ControlFlow::<()>::Continue(())
    });
    found
}

#[test]
fn a_served_world_plays_like_a_run_however_its_ticks_are_divided() {
    let folder = counting();
    let game = serve(&folder);
    on_large_stack(|| {
        for hz in RATES {
            let project = Project::load(folder.root()).expect("a folder");
            let start = start_at(hz);
            let level = project.find_level(&start.level).expect("a level");
            let revision = project.open(&level, &start.settings).expect("a good level");
            let mut live = Live::new(Arc::new(revision), start.seed);
            let file = Arc::new(SourceFile { name: "a.input".into(), text: INPUT.into() });
            let track = InputScript::parse(&file).expect("good input").track(hz);
            let expected: Vec<u64> = (0..2 * u64::from(hz))
                .map(|tick| {
                    live.step(&track.at(tick));
                    live.world().hash()
                })
                .collect();
            for part in [1, 3, 2 * u64::from(hz)] {
                let mut world = world_at(&game, hz);
                world.queue(INPUT).expect("good input");
                let mut played = Vec::new();
                while played.len() < expected.len() {
                    let left = (expected.len() - played.len()) as u64;
                    played.extend(hashes(&mut world, part.min(left)));
                }
                assert!(played == expected, "{hz} Hz, {part} ticks at a time");
            }
        }
    });
}

#[test]
fn forks_and_snapshots_play_on_like_the_original_with_the_inputs_that_are_left() {
    let folder = counting();
    let game = serve(&folder);
    on_large_stack(|| {
        for hz in RATES {
            for ticks in [0, 1, u64::from(hz) / 3, u64::from(hz)] {
                let mut world = world_at(&game, hz);
                world.queue(INPUT).expect("good input");
                hashes(&mut world, ticks);
                let mut fork = world.fork();
                let saved = world.snapshot().expect("a snapshot");
                let mut other = world_at(&game, hz);
                hashes(&mut other, 5);
                other.restore(&saved).expect("a snapshot of this level");
                assert_eq!(other.tick(), ticks);
                let expected = hashes(&mut world, 90);
                assert!(hashes(&mut fork, 90) == expected, "fork, {hz} Hz, tick {ticks}");
                assert!(hashes(&mut other, 90) == expected, "snapshot, {hz} Hz, tick {ticks}");
            }
        }
    });
}

#[test]
fn a_fork_leaves_the_original_alone() {
    let folder = counting();
    let game = serve(&folder);
    on_large_stack(|| {
        let mut world = world_at(&game, 60);
        let mut fork = world.fork();
        let right = PlayerInput { held: [Action::Right].into_iter().collect(), ..PlayerInput::default() };
        fork.hold(Inputs::of_first(right), 30);
        let moved = hashes(&mut fork, 30);
        let mut again = world_at(&game, 60);
        let still = hashes(&mut again, 30);
        assert_ne!(moved, still);
        assert_eq!(hashes(&mut world, 30), still);
    });
}

#[test]
fn held_inputs_end_with_their_ticks_and_presses_happen_once() {
    let folder = counting();
    let game = serve(&folder);
    on_large_stack(|| {
        let mut held = world_at(&game, 60);
        let mut queued = held.fork();
        let input = PlayerInput {
            held: [Action::Right].into_iter().collect(),
            pressed: [Action::Jump].into_iter().collect(),
            ..PlayerInput::default()
        };
        held.hold(Inputs::of_first(input), 10);
        queued.queue("1 right !jump\n9 right\n").expect("good input");
        assert_eq!(held.inputs().left(0), 10);
        assert_eq!(hashes(&mut held, 40), hashes(&mut queued, 40));
        assert_eq!(held.inputs().left(held.tick()), 0);
    });
}

#[test]
fn a_snapshot_brings_its_settings_along() {
    let folder = counting();
    let game = serve(&folder);
    on_large_stack(|| {
        let mut light = world_at(&game, 60);
        light.set(vec![("simulation.gravity".into(), "100".into())]).expect("a setting");
        light.queue("1 jump\n40\n").expect("good input");
        hashes(&mut light, 3);
        let saved = light.snapshot().expect("a snapshot");
        let expected = hashes(&mut light, 30);
        let mut heavy = world_at(&game, 60);
        heavy.restore(&saved).expect("a snapshot of this level");
        assert_eq!(hashes(&mut heavy, 30), expected);
        assert_eq!(heavy.settings(), light.settings());
    });
}

#[test]
fn a_snapshot_of_another_level_is_refused_and_names_both() {
    let folder = counting();
    folder.write("levels/other.toml", crate::folder::LEVEL);
    let game = serve(&folder);
    let other = WorldStart { level: "other".into(), ..start_at(60) };
    on_large_stack(|| {
        let other = ServedWorld::create(&game, &other).expect("a good level");
        let saved = other.snapshot().expect("a snapshot");
        let mut world = world_at(&game, 60);
        hashes(&mut world, 5);
        let before = world.live().world().hash();
        let refused = world.restore(&saved).expect_err("another level").to_string();
        assert_eq!(
            refused,
            "the snapshot is one of the level `levels/other.toml`; this world plays `levels/level.toml`"
        );
        for wrong in [&saved[..saved.len() / 2], &[], b"not a snapshot"] {
            let refused = world.restore(wrong).expect_err("damaged").to_string();
            assert!(refused.contains("this is not a snapshot"), "{refused}");
        }
        assert_eq!(world.live().world().hash(), before);
        assert_eq!(world.tick(), 5);
    });
}

#[test]
fn reload_keeps_the_state_and_names_the_files_that_changed() {
    let folder = counting();
    let game = serve(&folder);
    on_large_stack(|| {
        let mut world = world_at(&game, 60);
        hashes(&mut world, 10);
        let number = world.live().revision().number;
        assert!(world.reload().expect("good files").is_empty());
        assert_eq!(world.live().revision().number, number);
        folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += 100; }");
        let changes = world.reload().expect("good files");
        assert_eq!(changes, ["scripts/hero.rhai"]);
        hashes(&mut world, 1);
        let vars = world.live().world().entities()[0].vars.0.to_plain();
        assert_eq!(vars["n"], hangtime::sim::Value::Int(110));
        folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += ; }");
        let wrong = world.reload().expect_err("a mistake").to_string();
        assert!(wrong.contains("scripts/hero.rhai:1:"), "{wrong}");
        hashes(&mut world, 1);
        let vars = world.live().world().entities()[0].vars.0.to_plain();
        assert_eq!(vars["n"], hangtime::sim::Value::Int(210));
    });
}

#[test]
fn a_mistake_in_a_file_is_forgotten_once_it_is_mended() {
    let good = [
        ("scripts/hero.rhai", "fn on_tick(me) { this.n += 1; }"),
        ("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { n = 0 }\n"),
        ("levels/level.toml", crate::folder::LEVEL),
    ];
    for (name, text) in good {
        // Broken before the first world, and while one runs.
        for running in [false, true] {
            let folder = counting();
            let game = serve(&folder);
            on_large_stack(|| {
                let mut world = running.then(|| world_at(&game, 60));
                for _ in 0..2 {
                    folder.write(name, &format!("{text} ]["));
                    if let Some(world) = &mut world {
                        world.reload().expect_err("a mistake");
                    }
                    assert!(ServedWorld::create(&game, &start_at(60)).is_err(), "{name}");
                    folder.write(name, &format!("{text}\n"));
                    if let Some(world) = &mut world {
                        let reloaded = world.reload();
                        reloaded.unwrap_or_else(|error| panic!("{name}: {error}"));
                    }
                    let created = ServedWorld::create(&game, &start_at(60));
                    created.unwrap_or_else(|error| panic!("{name}: {error}"));
                }
            });
        }
    }
}

#[test]
fn judging_an_entity_whose_tuning_its_script_has_changed_asks_its_script_and_changes_nothing() {
    let folder = Folder::with_script(
        "fn on_tick(me) { me.tune(\"platformer.run_speed_max\", 300); this.n += 1; }
         fn reward(me) { this.n += 100; me.tuned(\"platformer.run_speed_max\") }
         fn done(me) { this.n % 100 >= 3 }",
    );
    let game = serve(&folder);
    on_large_stack(|| {
        let (mut judged, mut plain) = (world_at(&game, 60), world_at(&game, 60));
        for tick in 1..=5 {
            let before = hashes(&mut judged, 1);
            assert_eq!(before, hashes(&mut plain, 1));
            let id = judged.live().world().entities()[0].id;
            let judgement = judged.live_mut().judge(id);
            assert_eq!(judgement.reward, Some(300.0));
            assert_eq!(judgement.done, Some(tick >= 3));
            assert_eq!(judged.live().world().hash(), plain.live().world().hash());
            assert!(judged.live().report().faults.is_empty());
        }
    });
}

#[test]
fn worlds_share_what_was_built_until_a_file_changes() {
    let folder = counting();
    let game = serve(&folder);
    let (one, two) = (world_at(&game, 60), world_at(&game, 60));
    assert!(Arc::ptr_eq(one.live().revision(), two.live().revision()));
    folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { n = 5 }\n");
    let three = world_at(&game, 60);
    assert!(!Arc::ptr_eq(one.live().revision(), three.live().revision()));
    let vars = three.live().world().entities()[0].vars.0.to_plain();
    assert_eq!(vars["n"], hangtime::sim::Value::Int(5));
    // A level that was not built before, with the files of now.
    folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { n = 6 }\n");
    folder.write("levels/other.toml", crate::folder::LEVEL);
    let other = WorldStart { level: "other".into(), ..start_at(60) };
    let other = ServedWorld::create(&game, &other).expect("a good level");
    let vars = other.live().world().entities()[0].vars.0.to_plain();
    assert_eq!(vars["n"], hangtime::sim::Value::Int(6));
}

#[test]
fn columns_are_the_numbers_of_the_views() {
    let folder = counting();
    let game = serve(&folder);
    on_large_stack(|| {
        let mut world = world_at(&game, 60);
        world.queue("20 right\n").expect("good input");
        hashes(&mut world, 20);
        let names = ["pos.x", "vel.x", "grounded", "vars.n", "vars.missing"];
        let columns = names.map(|name| Column::parse(name).expect("a column"));
        let mut reader = ColumnReader::new(columns.to_vec(), world.live(), |_| true);
        assert_eq!(reader.rows().collect::<Vec<_>>(), ["hero"]);
        let mut numbers = [0.0; 5];
        reader.read(world.live(), &mut numbers);
        let view = world.live().views().next().expect("the hero");
        assert_eq!(numbers[..4], [view.pos.x, view.vel.x, 1.0, 20.0]);
        assert!(view.pos.x > -200.0 && numbers[4].is_nan());
        let wrong = Column::parse("pos.q").expect_err("no such column").to_string();
        assert_eq!(wrong, "columns: there is no column `pos.q`; did you mean `pos.x`?");
    });
}

#[test]
fn a_column_shows_the_entity_of_its_row_also_in_another_level() {
    let folder = counting();
    let level = |entities: &str| format!("bounds = [-500, -500, 500, 500]\n{entities}");
    let entity = |name: &str, x: i32| format!("[[entity]]\nkind = \"hero\"\nname = \"{name}\"\nat = [{x}, 0]\n");
    let (one, two) = ([entity("hero", 10), entity("extra", 90)], [entity("friend", -90), entity("hero", 20)]);
    folder.write("levels/level.toml", &level(&one.concat()));
    folder.write("levels/two.toml", &level(&two.concat()));
    folder.write(
        "scripts/hero.rhai",
        "fn on_tick(me) { this.n += 1; if me.name == \"hero\" && this.n == 2 { world::play_level(\"two\"); } }",
    );
    let game = serve(&folder);
    on_large_stack(|| {
        let mut world = world_at(&game, 60);
        let columns = || vec![Column::parse("id").expect("a column")];
        let mut all = ColumnReader::new(columns(), world.live(), |_| true);
        let names = ["extra", "hero", "friend", "hero"].map(String::from);
        let mut named = ColumnReader::named(columns(), world.live(), &names);
        let mut read = |live: &Live| {
            let (mut first, mut second) = ([0.0; 2], [0.0; 4]);
            all.read(live, &mut first);
            named.read(live, &mut second);
            assert_eq!(all.has_all_of(live), live.world().entities()[0].name == "hero".into());
            let or_none = |id: f64| (!id.is_nan()).then_some(id as u32);
            (first.map(or_none), second.map(or_none))
        };
        let before = read(world.live());
        assert_eq!(before.0, [Some(1), Some(2)]);
        assert_eq!(before.1, [Some(2), Some(1), None, Some(1)]);
        hashes(&mut world, 5);
        let after = read(world.live());
        assert_eq!(after.0, [Some(2), None]);
        assert_eq!(after.1, [None, Some(2), Some(1), Some(2)]);
    });
}
