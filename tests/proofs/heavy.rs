//! Random games in heavy mode: saved and loaded before every tick.

use crate::{chaos_game::files, dice::Dice, figures, folder::Folder};
use hangtime::{
    models::Action,
    playtest::HeavyTwin,
    project::Live,
    script::host::{STACK, render_all},
    sim::{Inputs, PlayerInput},
};
use serde_json::json;
use std::sync::Arc;

/// The ticks of entities that are played without `HANGTIME_CHAOS`.
const ENTITY_TICKS: u64 = 10_000;

/// The ticks of one game.
const GAME: u64 = 100;

/// The function of the script that chooses at random.
const ROLL: &str = "fn roll(low, high) { world::random(low, high) }\n";

/// Plays random games, each on a large stack, on all cores, until they have made enough ticks.
pub fn plays_on_the_same() -> Result<(), String> {
    let wanted = figures::number("HANGTIME_CHAOS").unwrap_or(ENTITY_TICKS);
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let threads: Vec<_> = (0..cores)
        .map(|core| {
            let thread = std::thread::Builder::new().stack_size(STACK);
            let some = move || play_many(core, cores, wanted / cores);
            thread.spawn(some).expect("a thread")
        })
        .collect();
    let (mut entity_ticks, mut games) = (0, 0);
    for thread in threads {
        let (ticks, played) = thread.join().map_err(|_| "a game panicked")??;
        entity_ticks += ticks;
        games += played;
    }
    figures::print(json!({
        "entity_ticks": entity_ticks, "games": games, "loads": games * GAME, "divergences": 0,
    }));
    Ok(())
}

/// Plays every game whose seed belongs to this core. Returns ticks of entities, and games.
fn play_many(core: u64, cores: u64, wanted: u64) -> Result<(u64, u64), String> {
    let (mut entity_ticks, mut games) = (0, 0);
    while entity_ticks < wanted {
        let seed = core + games * cores;
        entity_ticks += play(seed).map_err(|wrong| format!("seed {seed}: {wrong}"))?;
        games += 1;
    }
    Ok((entity_ticks, games))
}

/// Plays one game and returns the ticks of its entities. No script may fail.
fn play(seed: u64) -> Result<u64, String> {
    let mut dice = Dice::new(seed);
    let folder = Folder::empty();
    for (name, text) in files(&mut dice, ROLL).0 {
        folder.write(&name, &text);
    }
    let revision = folder.open().map_err(|wrong| render_all(&wrong, false))?;
    let mut live = Live::new(Arc::new(revision), seed);
    let mut twin = HeavyTwin::new(&live);
    let mut input = PlayerInput::default();
    let mut entity_ticks = 0;
    for _ in 0..GAME {
        keys(&mut input, &mut dice);
        let same = twin.step(&mut live, &Inputs::of_first(input));
        same.map_err(|difference| difference.to_string())?;
        if let Some(fault) = live.report().faults.first.first() {
            return Err(fault.diagnostic.headline());
        }
        entity_ticks += live.world().entities().len() as u64;
    }
    Ok(entity_ticks)
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
