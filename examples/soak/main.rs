//! Plays the window for a long time under a virtual display while files are saved in every way that editors
//! and programs save them: `cargo run --release --example soak -- --minutes 30`.
//!
//! It counts what must not happen: ticks lost, files that belong together seen apart by a script of the
//! running game, mistakes that do not show or do not go, memory that grows. The exit code is 1 if anything
//! did. It needs `Xvfb`, `xdotool` and a graphics driver, like `.ci/window`.

mod disk;
mod display;
mod game;
mod idle;
mod memory;
mod mistakes;
mod player;
mod saves;

use clap::Parser;
use disk::Game;
use display::Display;
use idle::IdlePace;
use memory::Memory;
use mistakes::Mistakes;
use player::Player;
use saves::{SAVES, Saves};
use std::{
    path::PathBuf,
    process::ExitCode,
    time::{Duration, Instant},
};

/// A save begins this often.
const EVERY: Duration = Duration::from_millis(300);

/// Saves between two changes of the window's size.
const SIZES: u64 = 7;

/// The window has its first size from this second of a minute on.
const RESTORED: u64 = 52;

/// Lost ticks and memory are judged from this many minutes on.
const JUDGED: f64 = 8.0;

#[derive(Parser)]
struct Arguments {
    /// How long to play
    #[arg(long, default_value_t = 30.0)]
    minutes: f64,
    /// The program
    #[arg(long, default_value = "target/release/hangtime")]
    program: PathBuf,
    /// The first number of the dice; each plays another session
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The display to start, such as `:71` [default: a free one]
    #[arg(long)]
    display: Option<String>,
    /// The only kinds of saves to make [default: all]
    #[arg(long)]
    only: Vec<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match soak(&arguments) {
        Ok(wrong) if wrong.is_empty() => ExitCode::SUCCESS,
        Ok(wrong) => {
            for line in wrong {
                eprintln!("soak: {line}");
            }
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("soak: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Plays and prints the counts. Returns what must not have happened.
fn soak(arguments: &Arguments) -> Result<Vec<String>, String> {
    let mut game = Game::new()?;
    let display = Display::start(arguments.display.as_deref())?;
    let player = Player::start(&arguments.program, game.root(), &display)?;
    let mut saves = Saves::new(arguments.seed, &arguments.only);
    let mut mistakes = Mistakes::default();
    let mut memory = Memory::default();
    let idle = IdlePace::start();
    let started = Instant::now();
    let end = Duration::from_secs_f64(arguments.minutes * 60.0);
    let mut count = 0;
    while started.elapsed() < end {
        let began = Instant::now();
        saves.make(&mut game, mistakes.file())?;
        mistakes.advance(&mut game, &player, &display, saves.dice())?;
        count += 1;
        // A large window takes more memory, so it has the same size at the end of each minute.
        let second = started.elapsed().as_secs() % 60;
        if second < RESTORED && count % SIZES == 0 {
            display.resize(player.window(), saves.dice());
        } else if second == RESTORED {
            display.restore(player.window());
        } else if second > RESTORED + 1 {
            memory.read(player.id(), started.elapsed());
        }
        if !player.is_running() {
            return Err(format!("the program ended\n{}", player.last_lines(40)));
        }
        std::thread::sleep(EVERY.saturating_sub(began.elapsed()));
    }
    mistakes.end(&mut game, &player, &display)?;
    let played = player.quit(&display)?;
    for (save, made) in SAVES.iter().zip(saves.counts()) {
        println!("{made:>6} {}", save.name);
    }
    println!("{count:>6} saves in all, {} revisions", player.revisions());
    println!("{}", display.counts());
    println!("{}", mistakes.counts());
    println!("{}", memory.figures());
    println!("{played}; a thread that only waits has lost {}", idle.lost());
    let mut wrong = mistakes.wrong();
    let (excused, seen): (Vec<String>, Vec<String>) = player.wrong().into_iter().partition(|line| saves.excuses(line));
    println!("{:>6} half revisions, and {} after the soak itself was too slow", seen.len(), excused.len());
    wrong.extend(seen);
    if arguments.minutes >= JUDGED {
        wrong.extend(memory.wrong());
        // On a machine that stops for longer, no program keeps its pace.
        if idle.lost() == 0 && !played.contains(", 0 lost,") {
            wrong.push(format!("ticks were lost: {played}"));
        }
    }
    Ok(wrong)
}
