//! Games whose scripts make random calls, in heavy mode: saved and loaded before every tick.

use crate::chaos_game::{SCRIPT, files};
use crate::dice::Dice;
use crate::folder::{Folder, on_large_stack};
use hangtime::models::Action;
use hangtime::playtest::HeavyTwin;
use hangtime::project::Live;
use hangtime::sim::{Inputs, PlayerInput};
use std::sync::Arc;

/// How many ticks of random games are played; `HANGTIME_CHAOS=N` plays N.
const TICKS: u64 = 600;

/// The ticks of one game.
const GAME: u64 = 100;

/// The function of the script that chooses at random.
const ROLL: &str = "fn roll(low, high) { world::random(low, high) }\n";

/// A game folder with a random level in a side view or a top view.
fn chaos(dice: &mut Dice) -> (Folder, &'static str) {
    let folder = Folder::empty();
    let (files, view) = files(dice, ROLL);
    for (name, text) in files {
        folder.write(&name, &text);
    }
    (folder, view)
}

/// Random keys of one tick.
fn keys(input: &mut PlayerInput, dice: &mut Dice) {
    let action = *dice.of(&Action::ALL);
    match dice.below(12) {
        0 => input.held.insert(action),
        1 | 2 => input.held.remove(action),
        3 => input.aim = Some([dice.between(-500.0, 500.0), dice.between(0.0, 500.0)].into()),
        _ => {}
    }
}

#[test]
fn random_games_play_on_the_same_when_saved_and_loaded_before_every_tick() {
    on_large_stack(|| {
        let ticks = std::env::var("HANGTIME_CHAOS").ok();
        let ticks = ticks.map_or(TICKS, |n| n.parse().expect("HANGTIME_CHAOS is a number"));
        let (mut played, mut entity_ticks, mut seed) = (0, 0, 0);
        let mut wrong = Vec::new();
        let began = std::time::Instant::now();
        while played < ticks {
            let mut dice = Dice::new(seed);
            let (folder, view) = chaos(&mut dice);
            let revision = Arc::new(folder.open().unwrap_or_else(|wrong| {
                panic!(
                    "seed {seed}: {}",
                    hangtime::script::host::render_all(&wrong, false)
                )
            }));
            let mut live = Live::new(revision, seed);
            let mut twin = HeavyTwin::new(&live);
            let mut input = PlayerInput::default();
            for _ in 0..GAME {
                keys(&mut input, &mut dice);
                let same = twin.step(&mut live, &Inputs::of_first(input));
                same.unwrap_or_else(|difference| panic!("seed {seed}, {view}: {difference}"));
                let faults = live.take_faults();
                let headlines = faults.iter().map(|fault| fault.diagnostic.headline());
                wrong.extend(headlines.map(|line| format!("seed {seed}, {view}: {line}")));
                entity_ticks += live.world().entities().len();
            }
            played += GAME;
            seed += 1;
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        let seconds = began.elapsed().as_secs_f64();
        let rate = entity_ticks as f64 / seconds;
        println!("{entity_ticks} entity-ticks in {seconds:.1} s, {rate:.0} a second");
    });
}

/// The names of the calls in the script reference that begin with this, such as `me.`.
fn documented(owner: &str) -> Vec<String> {
    let page = include_str!("../../docs/api.md");
    let headings = page.lines().filter_map(|line| line.strip_prefix("### `"));
    let calls = headings.filter(|line| line.starts_with(owner));
    let until = |line: &str| line.split('(').next().unwrap_or("").to_string();
    calls.map(until).collect()
}

#[test]
fn random_games_use_every_call_of_a_script() {
    let used = format!("{SCRIPT}{ROLL}");
    for owner in ["me.", "world::"] {
        let calls = documented(owner);
        assert!(calls.len() > 8, "{calls:?}");
        for call in calls {
            assert!(used.contains(&format!("{call}(")), "{call} is not used");
        }
    }
}
