//! A tick that an executor divides among threads has the same results as one on a single thread.

use crate::{
    backward::Backward,
    chaos_game,
    common::loaded,
    dice::Dice,
    folder::{Folder, on_large_stack},
    goldens::{GAMES, levels, root},
    ground::Ground,
};
use glam::dvec2;
use hangtime::{
    level::View,
    models::{Action, ModelName},
    project::{Project, Revision, Threads},
    sim::{Executor, Inputs, NativeRules, Serial, Stage, Start, World},
};
use std::{
    fmt::Write as _,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// The script's function that chooses at random.
const ROLL: &str = "fn roll(low, high) { world::random(low, high) }\n";

fn threads(count: usize) -> Threads {
    Threads::new(count.try_into().expect("at least one")).expect("threads")
}

/// Threads that do pieces of another size.
struct InChunks<'a>(&'a Threads, usize);

impl Executor for InChunks<'_> {
    fn join(&self, left: &mut (dyn FnMut() + Send), right: &mut (dyn FnMut() + Send)) {
        self.0.join(left, right);
    }

    fn chunk(&self) -> usize {
        self.1
    }
}

/// The hash after each tick, and the world at the end. Now and then the world is saved and loaded, or a
/// snapshot of it is restored.
fn play(revision: &Revision, ticks: u64, executor: &dyn Executor) -> (Vec<u64>, World) {
    let stage = &revision.stage;
    let mut rules = revision.scripts.rules();
    let mut world = World::new(stage, 3);
    let track = revision.demo.as_ref().map(|demo| demo.track(stage.hz));
    let mut dice = Dice::new(5);
    let mut random = Inputs::none();
    let mut hashes = Vec::new();
    for tick in 0..ticks {
        if dice.below(4) == 0 {
            let input = random.player_mut(1);
            let action = *dice.of(&Action::ALL);
            match dice.below(2) {
                0 => input.held.insert(action),
                _ => input.held.remove(action),
            }
        }
        let of_track = track.as_ref().map(|track| track.at(tick));
        let inputs = of_track.as_ref().unwrap_or(&random);
        match tick % 50 {
            20 => {
                let snapshot = world.clone();
                world.tick_with(stage, &random, &mut rules, executor);
                world = snapshot;
            }
            45 => {
                let saved = serde_json::to_string(&world).expect("a world can be saved");
                world = loaded(&saved, stage);
            }
            _ => {}
        }
        world.tick_with(stage, inputs, &mut rules, executor);
        hashes.push(world.hash());
    }
    (hashes, world)
}

/// Plays a game on one thread, backward, and on more threads, each body or each few a piece.
fn plays_the_same(revision: &Revision, ticks: u64, chunk: usize, what: &str) {
    let expected = play(revision, ticks, &Serial);
    let got = play(revision, ticks, &Backward(chunk));
    assert!(got == expected, "{what}, backward");
    for count in [1, 2, 3, 8] {
        let threads = threads(count);
        let got = threads.run(|| play(revision, ticks, &InChunks(&threads, chunk)));
        let apart = got.0.iter().zip(&expected.0).position(|(a, b)| a != b);
        assert_eq!(apart, None, "{what}, {count} threads: the tick that differs");
        assert!(got.1 == expected.1, "{what}, {count} threads");
    }
}

#[test]
fn every_level_has_the_same_hashes_on_any_number_of_threads() {
    on_large_stack(|| {
        let mut played = 0;
        for game in GAMES {
            let project = Project::load(root().join(game)).expect("a game");
            for level in levels(game) {
                let found = project.find_level(&level).expect("its level");
                let Ok(revision) = project.open(&found, &[]) else {
                    continue;
                };
                plays_the_same(&revision, 150, 1, &level);
                played += 1;
            }
        }
        assert!(played > 20, "{played} levels");
    });
}

/// A random game with all models, platforms, switches, zones, pushing kinds, hooks, and entities that spawn and
/// despawn; and this many more entities.
fn random_game(seed: u64, more: usize) -> Revision {
    let mut dice = Dice::new(seed);
    let (mut files, view) = chaos_game::files(&mut dice, ROLL);
    let level = files.get_mut("levels/level.toml").expect("a level");
    let kinds: &[&str] = match view {
        "side" => &["runner", "walker", "skater", "lander", "ball", "crate"],
        _ => &["walker", "skater", "ball", "crate"],
    };
    for i in 0..more {
        let (x, y) = (dice.between(-800.0, 800.0), dice.between(20.0, 600.0));
        let kind = kinds[i % kinds.len()];
        let _ = write!(level, "[[entity]]\nkind = \"{kind}\"\nat = [{x}, {y}]\n");
    }
    let folder = Folder::empty();
    for (name, text) in &files {
        folder.write(name, text);
    }
    folder.open().expect("a good game")
}

#[test]
fn random_games_have_the_same_hashes_on_any_number_of_threads() {
    on_large_stack(|| {
        for seed in 0..6 {
            let revision = random_game(seed, 20);
            plays_the_same(&revision, 120, 1, &format!("seed {seed}"));
        }
    });
}

#[test]
fn crowds_around_the_size_of_a_piece_have_the_same_hashes() {
    on_large_stack(|| {
        for (chunk, step) in [(3, 3), (8, 7)] {
            // The lanes have a quarter or a sixth of the entities.
            for more in (0..=4 * chunk * 2 + 6).step_by(step) {
                let revision = random_game(more as u64, more);
                plays_the_same(&revision, 30, chunk, &format!("{chunk}, {more} entities"));
            }
        }
    });
}

/// Bodies that push and touch each other: rows with steps of these sizes, px, side by side in a top view or a single one on
/// a floor. Names are in order if `named`.
fn pushing(count: usize, in_row: usize, step: f64, named: bool) -> Stage {
    let mut ground = Ground::floor(60);
    if in_row < count {
        (ground.view, ground.model) = (View::Top, ModelName::topdown);
    }
    let mut stage = ground.stage();
    let start = |i: usize| {
        let (x, y) = ((i % in_row) as f64, (i / in_row) as f64);
        let name = if named { i } else { i * 7919 % count };
        Start {
            player: Some((i % 2 + 1) as u8),
            ..Start::new(&format!("{name:05}"), 0, [step * x - 6_000.0, 30.0 * y + 19.0])
        }
    };
    stage.starts = Arc::new((0..count).map(start).collect());
    stage.touches = true;
    Arc::make_mut(&mut stage.profiles)[0].pushes = true;
    stage
}

#[test]
fn crowds_that_push_and_touch_have_the_same_ticks_on_any_number_of_threads() {
    let inputs = |tick: u64| {
        let mut inputs = Inputs::none();
        inputs.player_mut(1).held.insert(if tick % 9 < 5 { Action::Right } else { Action::Left });
        inputs.player_mut(2).held.insert(if tick % 7 < 4 { Action::Left } else { Action::Jump });
        inputs
    };
    // More than 4,000 pairs in a row whose names are in order make way in another order than fewer.
    for (count, in_row, step, named) in
        [(1_500, 40, 15.0, true), (1_500, 40, 15.0, false), (1_500, 1_500, 0.0, true), (4_500, 4_500, 2.5, true)]
    {
        let stage = pushing(count, in_row, step, named);
        let mut expected = World::new(&stage, 0);
        let threads = [1, 2, 3, 8].map(threads);
        let mut worlds = threads.each_ref().map(|_| expected.clone());
        for tick in 0..8 {
            let inputs = inputs(tick);
            expected.tick(&stage, &inputs, &mut NativeRules);
            for (threads, world) in threads.iter().zip(&mut worlds) {
                threads.run(|| world.tick_with(&stage, &inputs, &mut NativeRules, threads));
                assert!(*world == expected, "{count} bodies, {in_row} in a row, after tick {tick}");
            }
        }
        assert!(expected.touching_pairs().count() > count / 2);
    }
}

/// Counts how often work is divided.
#[derive(Default)]
struct Counting(AtomicUsize);

impl Executor for Counting {
    fn join(&self, left: &mut (dyn FnMut() + Send), right: &mut (dyn FnMut() + Send)) {
        self.0.fetch_add(1, Ordering::Relaxed);
        Serial.join(left, right);
    }
}

#[test]
fn all_bodies_of_a_crowd_are_divided_into_pieces_and_few_are_not() {
    for (count, pushes) in [1, 2, 63, 64, 65, 127, 128, 129, 1000].into_iter().flat_map(|n| [(n, false), (n, true)]) {
        let mut stage = Ground::floor(60).stage();
        let first = stage.starts[0].clone();
        let start = |i: usize| Start {
            name: format!("hero {i}").into(),
            at: first.at + dvec2(i as f64 * 0.5, 0.0),
            ..first.clone()
        };
        stage.starts = Arc::new((0..count).map(start).collect());
        stage.touches = false;
        Arc::make_mut(&mut stage.profiles)[0].pushes = pushes;
        let [mut one, mut other] = [World::new(&stage, 0), World::new(&stage, 0)];
        let counting = Counting::default();
        one.tick_with(&stage, &Inputs::none(), &mut NativeRules, &counting);
        other.tick(&stage, &Inputs::none(), &mut NativeRules);
        assert!(one == other, "{count} bodies");
        // A sequence of n pieces is cut n − 1 times, once for each of the parts of a tick: latch, sense and drive, travel,
        // settle, report. Bodies that do not push pass the first four in a row.
        let parts = if pushes { 5 } else { 2 };
        let cuts = parts * (count.div_ceil(64) - 1);
        assert_eq!(counting.0.into_inner(), cuts, "{count} bodies");
    }
}

#[test]
fn a_panic_in_a_piece_reaches_the_caller() {
    let threads = threads(2);
    for inside in [false, true] {
        for fails in [0, 1] {
            let join = || {
                let mut pieces = [0, 1].map(|i| move || assert!(i != fails, "this is a test"));
                let [left, right] = &mut pieces;
                threads.join(left, right);
            };
            let caught = catch_unwind(AssertUnwindSafe(|| match inside {
                true => threads.run(join),
                false => join(),
            }));
            let panic = caught.expect_err("a panic");
            assert_eq!(panic.downcast_ref(), Some(&"this is a test"));
        }
        let (mut left, mut right) = (0, 0);
        threads.join(&mut || left = 1, &mut || right = 2);
        assert_eq!([left, right], [1, 2], "threads work on after a panic");
    }
}
