//! What a rollback costs.

use crate::{
    Failure,
    session::{RolledGame, pressed_keys},
};
use hangtime_core::sim::{Inputs, MOST_PLAYERS};
use std::{fmt::Write as _, hint::black_box, path::Path, time::Instant};

/// How many ticks a rollback plays again.
const RESIMULATED: u32 = 8;

/// Prints a table: the playground, two players, and a hundred bodies that run and jump.
pub fn print(folder: &str) -> Result<(), Failure> {
    println!(
        "| level | entities | state, memory | state, JSON | save | hash | load | load and {RESIMULATED} ticks | each saved |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    let crowd = std::env::temp_dir().join(format!("hangtime-rollback-{}", std::process::id()));
    write_crowd(Path::new(folder), &crowd)?;
    let crowd_folder = crowd.to_string_lossy().into_owned();
    for (folder, level) in [(folder, "playground"), (folder, "together"), (&crowd_folder, "crowd")] {
        measure(folder, level)?;
    }
    std::fs::remove_dir_all(crowd)?;
    Ok(())
}

/// The hero of the game a hundred times, on one floor.
fn write_crowd(from: &Path, to: &Path) -> Result<(), Failure> {
    copy(&from.join("config"), &to.join("config"))?;
    copy(&from.join("scripts"), &to.join("scripts"))?;
    let mut level =
        "view = \"side\"\n[[solid]]\npoints = [[-100, -40], [3100, -40], [3100, 0], [-100, 0]]\n".to_string();
    for i in 0..100 {
        let at = 30 * i;
        write!(level, "[[entity]]\nkind = \"hero\"\nname = \"hero{i}\"\nat = [{at}, 19]\nplayer = {}\n", i % 8 + 1)?;
    }
    std::fs::create_dir_all(to.join("levels"))?;
    Ok(std::fs::write(to.join("levels/crowd.toml"), level)?)
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            std::fs::copy(path, target)?;
        }
    }
    Ok(())
}

fn measure(folder: &str, level: &str) -> Result<(), Failure> {
    let mut game = RolledGame::open(folder, level)?;
    // In the middle of things: each player runs and jumps differently.
    let inputs: Vec<Inputs> = (0..90 + RESIMULATED).map(|tick| held_by_all(tick.into())).collect();
    let (before, again) = inputs.split_at(90);
    for inputs in before {
        game.live.step(inputs);
    }
    let saved = game.live.world().clone();
    let memory = allocation_counter::measure(|| drop(black_box(saved.clone()))).bytes_max;
    let json = serde_json::to_string(&saved)?.len();
    let save = median(|| drop(black_box(game.live.world().clone())));
    let hash = median(|| {
        black_box(game.live.world().hash());
    });
    let load = median(|| game.live.restore(saved.clone()));
    let resimulate = median(|| {
        game.live.restore(saved.clone());
        for inputs in again {
            game.live.step(inputs);
        }
    });
    let saving = median(|| {
        game.live.restore(saved.clone());
        for inputs in again {
            game.live.step(inputs);
            black_box((game.live.world().clone(), game.live.world().hash()));
        }
    });
    let entities = saved.entities().len();
    let kilobytes = |bytes: f64| format!("{:.1} kB", bytes / 1e3);
    let (memory, json) = (kilobytes(memory as f64), kilobytes(json as f64));
    println!(
        "| `{level}` | {entities} | {memory} | {json} | {save:.1} µs | {hash:.1} µs | {load:.1} µs | {resimulate:.0} µs | \
         {saving:.0} µs |"
    );
    Ok(())
}

fn held_by_all(tick: u64) -> Inputs {
    let mut inputs = Inputs::none();
    for player in 1..=MOST_PLAYERS {
        inputs.player_mut(player).held = pressed_keys(player.into(), tick);
    }
    inputs
}

/// The median time of a piece of work, µs.
fn median(mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..501)
        .map(|_| {
            let began = Instant::now();
            work();
            began.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
