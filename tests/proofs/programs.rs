//! Random scripts, compiled and interpreted: both play the same game.

use crate::{dice::Dice, figures, folder::Folder, random_scripts as scripts};
use hangtime::{
    models::Action,
    project::{Live, Revision},
    script::host::{STACK, render_all},
    sim::{Inputs, PlayerInput},
};
use serde_json::json;
use std::sync::Arc;

/// The scripts that are played without `HANGTIME_SCRIPTS`.
const SCRIPTS: u64 = 300;

/// The ticks of one game.
const GAME: u64 = 40;

const LEVEL: &str = r#"
surface = "stone"
[[solid]]
name = "floor"
points = [[-500, -50], [0, -50], [0, 0], [-500, 0]]
[[solid]]
name = "rink"
surface = "ice"
points = [[0, -50], [500, -50], [500, 0], [0, 0]]
[[solid]]
name = "wall"
points = [[300, 0], [330, 0], [330, 200], [300, 200]]
[[solid]]
name = "door"
present = true
points = [[200, 0], [220, 0], [220, 90], [200, 90]]
[[zone]]
name = "wind"
points = [[-100, 0], [100, 0], [100, 90], [-100, 90]]
external_accel = [100, 0]
[[entity]]
kind = "hero"
at = [-20, 40]
player = 1
[[entity]]
kind = "hero"
name = "other"
at = [150, 19]
"#;

/// What came of one kind of games.
#[derive(Default)]
struct Tally {
    scripts: u64,
    refused: u64,
    faults: u64,
    ticks: u64,
    compiled: u64,
    others: u64,
}

/// Plays random scripts on all cores, each on a large stack.
pub fn play_the_same() -> Result<(), String> {
    let wanted = figures::number("HANGTIME_SCRIPTS").unwrap_or(SCRIPTS);
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let threads: Vec<_> = (0..cores)
        .map(|core| {
            let thread = std::thread::Builder::new().stack_size(STACK);
            let some = move || play_many(core, cores, wanted);
            thread.spawn(some).expect("a thread")
        })
        .collect();
    let mut all = Tally::default();
    for thread in threads {
        let some = thread.join().map_err(|_| "a game panicked")??;
        all.scripts += some.scripts;
        all.refused += some.refused;
        all.faults += some.faults;
        all.ticks += some.ticks;
        all.compiled += some.compiled;
        all.others += some.others;
    }
    figures::print(json!({
        "scripts": all.scripts, "refused": all.refused, "ticks": all.ticks, "faults": all.faults,
        "calls_compiled": all.compiled, "other_calls": all.others, "differences": 0,
    }));
    // Two interpreters always agree.
    if all.compiled * 4 < all.compiled + all.others {
        return Err(format!("{} calls were compiled, {} were not", all.compiled, all.others));
    }
    // Scripts that do not load, or that fail at once, compare nothing.
    if all.refused * 10 > all.scripts {
        return Err(format!("{} of {} scripts were refused", all.refused, all.scripts));
    }
    Ok(())
}

fn play_many(core: u64, cores: u64, wanted: u64) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for seed in (core..wanted).step_by(cores as usize) {
        let script = scripts::script(&mut Dice::new(seed));
        let played = play(seed, &script, &mut tally);
        played.map_err(|wrong| format!("seed {seed}: {wrong}\n{script}"))?;
    }
    Ok(tally)
}

/// The game with this script.
fn open(script: &str, compile: bool) -> Result<Revision, String> {
    let folder = Folder::empty();
    folder.write("levels/level.toml", LEVEL);
    folder.write("config/surfaces.toml", "[stone]\n[ice]\ngrip = 0.1\n");
    let kind = format!("script = \"hero.rhai\"\n{}", scripts::VARS);
    folder.write("config/entities/hero.toml", &kind);
    folder.write("config/hangtime.toml", &format!("[scripts]\ncompile = {compile}\n"));
    folder.write("scripts/lib.rhai", scripts::LIBRARY);
    folder.write("scripts/hero.rhai", script);
    folder.open().map_err(|wrong| render_all(&wrong, false))
}

/// Plays one script both ways and compares every tick.
fn play(seed: u64, script: &str, tally: &mut Tally) -> Result<(), String> {
    tally.scripts += 1;
    let revision = match open(script, true) {
        Ok(revision) => revision,
        Err(why) => {
            if std::env::var_os("HANGTIME_SHOW_REFUSED").is_some() {
                println!("seed {seed}: {why}");
            }
            tally.refused += 1;
            return Ok(());
        }
    };
    let mut compiled = Live::new(Arc::new(revision), seed);
    let mut interpreted = Live::new(Arc::new(open(script, false)?), seed);
    let mut dice = Dice::new(seed);
    let mut input = PlayerInput::default();
    for tick in 0..GAME {
        keys(&mut input, &mut dice);
        compiled.step(&Inputs::of_first(input));
        interpreted.step(&Inputs::of_first(input));
        tally.ticks += 1;
        let seen = [seen(&compiled), seen(&interpreted)];
        tally.faults += seen[0].faults.len() as u64;
        if seen[0] != seen[1] {
            let [compiled, interpreted] = seen;
            return Err(format!("tick {tick}: compiled {compiled:#?}, interpreted {interpreted:#?}"));
        }
    }
    let counts = compiled.call_counts();
    tally.compiled += counts.compiled;
    tally.others += counts.bailed + counts.interpreted;
    Ok(())
}

/// All of a tick that a player, a test or a modder can see.
#[derive(Debug, PartialEq)]
struct Seen {
    hash: u64,
    operations: u64,
    printed: Vec<String>,
    faults: Vec<String>,
    vars: Vec<String>,
}

fn seen(live: &Live) -> Seen {
    let entities = live.world().entities().iter();
    Seen {
        vars: entities.map(|e| format!("{}: {:?}", e.name, e.vars.0.to_plain())).collect(),
        hash: live.world().hash(),
        operations: live.script_operations(),
        printed: live.report().printed.lines.clone(),
        faults: live
            .report()
            .faults
            .first
            .iter()
            .map(|fault| without_shares(&fault.render(false)))
            .collect(),
    }
}

/// A message without the lines that used most of a stopped call: only compiled code counts by line.
fn without_shares(message: &str) -> String {
    let shares = |line: &str| line.find(" % of its operations were used").and_then(|at| line[..at].rfind("; "));
    let lines = message.lines().map(|line| &line[..shares(line).unwrap_or(line.len())]);
    lines.collect::<Vec<_>>().join("\n")
}

/// Random keys of one tick.
fn keys(input: &mut PlayerInput, dice: &mut Dice) {
    let action = *dice.of(&Action::ALL);
    match dice.below(6) {
        0 | 1 => input.held.insert(action),
        2 | 3 => input.held.remove(action),
        _ => {}
    }
    input.pressed = if dice.below(4) == 0 {
        [action].into_iter().collect()
    } else {
        Default::default()
    };
}
