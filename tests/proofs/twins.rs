//! Twins: the same game on two threads, one of them saved and loaded again and again.

use crate::{arena, dice::Dice, figures, folder::Folder};
use hangtime::{
    models::Action,
    project::{Live, Revision},
    script::host::STACK,
    sim::{Inputs, SavedWorld},
};
use serde_json::json;
use std::sync::Arc;

/// The ticks of entities that are compared without `HANGTIME_TWINS`.
const ENTITY_TICKS: u64 = 100_000;

/// The ticks of one game.
const GAME: u64 = 250;

/// Hashes are compared after this many ticks.
const COMPARED: u64 = 20;

/// One twin is saved and loaded after this many ticks.
const SAVED: u64 = 100;

/// What a twin went through: a hash for every comparison, and the ticks of all its entities.
struct Course {
    hashes: Vec<u64>,
    entity_ticks: u64,
}

/// Plays random games until they have made enough ticks.
pub fn compare() -> Result<(), String> {
    let wanted = figures::number("HANGTIME_TWINS").unwrap_or(ENTITY_TICKS);
    let (mut made, mut hashes, mut loads, mut seed) = (0, 0, 0, 0);
    while made < wanted {
        let folder = arena::write(&mut Dice::new(seed));
        let [one, other] = play_both(&folder, seed)?;
        if let Some(at) = (0..one.hashes.len()).find(|&i| one.hashes[i] != other.hashes[i]) {
            let tick = (at as u64 + 1) * COMPARED;
            return Err(format!("seed {seed}: the twins differ by tick {tick}"));
        }
        made += one.entity_ticks;
        hashes += one.hashes.len();
        loads += GAME / SAVED;
        seed += 1;
    }
    figures::print(json!({
        "entity_ticks": made, "games": seed, "hashes": hashes, "loads": loads, "divergences": 0,
    }));
    Ok(())
}

fn play_both(folder: &Folder, seed: u64) -> Result<[Course; 2], String> {
    let open = || {
        let opened = folder.open();
        opened.map_err(|wrong| hangtime::script::host::render_all(&wrong, false))
    };
    // Each twin has its own revision, so that they share nothing.
    let revisions = [open()?, open()?];
    let mut twins = revisions.into_iter().zip([false, true]).map(|(revision, loaded)| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        thread.spawn(move || play(revision, seed, loaded)).expect("a thread")
    });
    let (one, other) = (twins.next(), twins.next());
    let course = |twin: Option<std::thread::JoinHandle<_>>| {
        let ended = twin.expect("two twins").join();
        ended.unwrap_or_else(|_| Err(format!("seed {seed}: a twin panicked")))
    };
    Ok([course(one)?, course(other)?])
}

fn play(revision: Revision, seed: u64, loaded: bool) -> Result<Course, String> {
    let revision = Arc::new(revision);
    let mut live = Live::new(revision.clone(), seed);
    let mut dice = Dice::new(seed);
    let mut inputs = Inputs::none();
    let mut course = Course { hashes: Vec::new(), entity_ticks: 0 };
    for tick in 1..=GAME {
        for player in 1..=arena::PLAYERS {
            let input = inputs.player_mut(player);
            let action = *dice.of(&Action::ALL);
            match dice.below(8) {
                0 => input.held.insert(action),
                1 => input.held.remove(action),
                _ => {}
            }
        }
        live.step(&inputs);
        course.entity_ticks += live.world().entities().len() as u64;
        if tick % COMPARED == 0 {
            course.hashes.push(live.world().hash());
        }
        if loaded && tick % SAVED == 0 {
            live = load(&live, &revision).map_err(|wrong| format!("seed {seed}, tick {tick}: {wrong}"))?;
        }
    }
    Ok(course)
}

/// The game as it is after its world was saved and loaded.
fn load(live: &Live, revision: &Arc<Revision>) -> Result<Live, String> {
    let saved = serde_json::to_vec(live.world()).map_err(|error| error.to_string())?;
    let read: SavedWorld = serde_json::from_slice(&saved).map_err(|error| error.to_string())?;
    let world = read.check(&revision.stage).map_err(|error| error.to_string())?;
    Ok(Live::resume(revision.clone(), world))
}
