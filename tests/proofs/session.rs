//! A long session: the playground runs at four times its speed while its files are saved, broken,
//! fixed, removed and brought back. Its memory stays flat, and in the end the files are what runs.

use crate::{dice::Dice, figures};
use hangtime::{
    models::Action,
    project::{Live, Notice, Pace, Project, Reloader, unpack_playground},
    script::host::STACK,
    sim::{Inputs, PlayerInput},
};
use serde_json::json;
use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

/// The length of the session without `HANGTIME_SESSION`, s.
const SECONDS: u64 = 5;

/// The ticks made in a second.
const TICKS_PER_SECOND: u32 = 240;

/// The time between two saves.
const SAVE_EVERY: Duration = Duration::from_millis(300);

/// How long the last reload may take.
const LAST_RELOAD: Duration = Duration::from_secs(20);

/// How often the memory is looked at in the whole session.
const SAMPLES: u32 = 200;

/// The most that memory may grow in the second half of a long session, percent.
const MOST_GROWTH: f64 = 5.0;

/// Sessions shorter than this are not judged by their memory: caches are still filling.
const JUDGED_FROM: u64 = 60;

/// The files that are saved.
const FILES: [&str; 4] =
    ["scripts/hero.rhai", "config/models/platformer.toml", "config/entities/hero.toml", "levels/playground.toml"];

/// What happened in the session.
#[derive(Default)]
struct Counts {
    ticks: u64,
    saves: u64,
    adopted: u64,
    refused: u64,
    kib: Vec<u64>,
}

pub fn stays_flat() -> Result<(), String> {
    let seconds = figures::number("HANGTIME_SESSION").unwrap_or(SECONDS);
    let root = unpack_playground().map_err(|error| error.to_string())?;
    let thread = std::thread::Builder::new().stack_size(STACK);
    let game_root = root.clone();
    let played = thread.spawn(move || play(&game_root, Duration::from_secs(seconds)));
    let played = played.map_err(|error| error.to_string())?.join();
    let _ = std::fs::remove_dir_all(&root);
    let counts = played.map_err(|_| "the game panicked")??;
    let (quarter, half) = (counts.kib.len() / 4, counts.kib.len() / 2);
    let most = |part: &[u64]| part.iter().copied().max().unwrap_or(0) as f64;
    let (before, after) = (most(&counts.kib[quarter..half]), most(&counts.kib[half..]));
    // A short session on a busy machine may find no moment in which the files are whole. That the last save
    // is adopted has been checked in any case.
    if seconds > SECONDS && (counts.adopted == 0 || counts.refused == 0) {
        return Err(format!("{} revisions were adopted and {} refused", counts.adopted, counts.refused));
    }
    let growth = (after / before.max(1.0) - 1.0) * 100.0;
    figures::print(json!({
        "seconds": seconds, "ticks": counts.ticks, "saves": counts.saves, "adopted": counts.adopted,
        "refused": counts.refused, "growth_percent": growth, "kib": counts.kib,
    }));
    if seconds >= JUDGED_FROM && before > 0.0 && growth > MOST_GROWTH {
        return Err(format!("memory grew by {growth:.1} % in the second half"));
    }
    Ok(())
}

fn play(root: &Path, length: Duration) -> Result<Counts, String> {
    let project = Project::load(root).map_err(|error| error.to_string())?;
    let level = project.find_level("playground").map_err(|error| error.to_string())?;
    let revision = project.open(&level, &[]).map_err(|error| error.to_string())?;
    let reloader = Reloader::new(root, level, vec![], &revision);
    let mut live = Live::new(Arc::new(revision), 0);
    let originals = FILES.map(|name| std::fs::read_to_string(root.join(name)).unwrap_or_default());
    let (mut counts, mut dice) = (Counts::default(), Dice::new(1));
    let mut input = PlayerInput::default();
    let began = Instant::now();
    let (mut save_at, mut sample_at) = (SAVE_EVERY, Duration::ZERO);
    let mut seen = live.world().ticks();
    let mut pace = Pace::new(TICKS_PER_SECOND);
    while began.elapsed() < length {
        let _ = pace.wait();
        press(&mut input, &mut dice);
        live.step(&Inputs::of_first(input));
        if live.world().ticks() != seen + 1 {
            return Err(format!("tick {seen} was followed by {}", live.world().ticks()));
        }
        seen += 1;
        counts.ticks += 1;
        for notice in reloader.notices() {
            match notice {
                Notice::Ready { revision, .. } => {
                    live.adopt(revision);
                    counts.adopted += 1;
                }
                Notice::Broken(_) => counts.refused += 1,
                Notice::Reverted => {}
            }
        }
        let now = began.elapsed();
        if now >= save_at {
            save(root, &originals, &mut dice);
            counts.saves += 1;
            save_at = now + SAVE_EVERY;
        }
        if now >= sample_at {
            counts.kib.push(figures::memory_now().unwrap_or(0));
            sample_at += length / SAMPLES;
        }
    }
    end_with_files(&mut live, &reloader, root, &originals)?;
    Ok(counts)
}

/// Saves the files once more and waits until exactly they are what runs.
fn end_with_files(live: &mut Live, reloader: &Reloader, root: &Path, originals: &[String]) -> Result<(), String> {
    let saved: Vec<String> = originals.iter().map(|text| text.clone() + "\n").collect();
    for (name, text) in FILES.iter().zip(&saved) {
        std::fs::write(root.join(name), text).map_err(|error| error.to_string())?;
    }
    let runs = |live: &Live| {
        let hashes = &live.revision().hashes;
        let same = |(name, text): (&&str, &String)| {
            hashes.get(*name).is_some_and(|hash| *hash == *blake3::hash(text.as_bytes()).as_bytes())
        };
        FILES.iter().zip(&saved).all(same)
    };
    let began = Instant::now();
    while !runs(live) {
        if began.elapsed() > LAST_RELOAD {
            return Err("after the last save, something else runs".into());
        }
        for notice in reloader.notices() {
            if let Notice::Ready { revision, .. } = notice {
                live.adopt(revision);
            }
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}

fn press(input: &mut PlayerInput, dice: &mut Dice) {
    let action = *dice.of(&Action::ALL);
    match dice.below(12) {
        0 => input.held.insert(action),
        1 | 2 => input.held.remove(action),
        _ => {}
    }
}

/// Saves a file: in place, by rename, with an error, torn, empty or not at all.
fn save(root: &Path, originals: &[String], dice: &mut Dice) {
    let which = dice.below(FILES.len());
    let (path, text) = (root.join(FILES[which]), &originals[which]);
    let comment = if FILES[which].ends_with(".rhai") { "//" } else { "#" };
    let changed = format!("{text}\n{comment} {}\n", dice.roll());
    let half: String = text.chars().take(text.chars().count() / 2).collect();
    let written = path.with_extension("new");
    // The disk is not what is tested: a save that fails counts as one that did not happen.
    let _ = match dice.below(7) {
        0..=2 => std::fs::write(&path, changed),
        3 => std::fs::write(&written, changed).and_then(|()| std::fs::rename(&written, &path)),
        4 => std::fs::write(&path, format!("{text}\n}}}} [[\n")),
        5 => std::fs::write(&path, half),
        _ => std::fs::remove_file(&path),
    };
}
