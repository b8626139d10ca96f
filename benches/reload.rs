//! From save to effect: `cargo bench --bench reload`.
//!
//! A game runs at 60 ticks per second while its files are saved, 200 times in place and 200 times by
//! rename, like editors do. The time is from just before the first byte is written to the
//! end of the first tick with the new revision. The files alternate: a script, tuning, a level.

use hangtime::project::{Live, Notice, Pace, Project, Reloader, unpack_playground};
use hangtime::script::host::STACK;
use hangtime::sim::Inputs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

const SAVES: usize = 200;
const FILES: [&str; 3] = [
    "scripts/hero.rhai",
    "config/models/platformer.toml",
    "levels/playground.toml",
];

fn main() {
    let root = unpack_playground().expect("a copy of the playground");
    let game_root = root.clone();
    let (effects, told) = channel();
    let (stop, stopped) = channel();
    let game = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || play(&game_root, &effects, &stopped))
        .expect("a thread");
    // The game has to run before the first save.
    told.recv().expect("the game begins");
    for (name, save) in [
        ("in place", in_place as fn(&Path, &str)),
        ("by rename", by_rename),
    ] {
        let mut times: Vec<f64> = (0..SAVES)
            .map(|i| time_one(&root, FILES[i % 3], i, save, &told))
            .collect();
        times.sort_by(f64::total_cmp);
        println!(
            "{SAVES} saves {name}: median {:.1} ms, worst {:.1} ms (bounds: 30 and 100)",
            times[SAVES / 2],
            times[SAVES - 1]
        );
    }
    stop.send(()).expect("the game runs");
    let (made, lost) = game.join().expect("the game ends");
    println!("ticks: {made} made, {lost} lost (bound: 0)");
    std::fs::remove_dir_all(&root).expect("the copy can be removed");
}

/// Saves a file once and waits for its effect. Returns milliseconds.
fn time_one(
    root: &Path,
    name: &str,
    number: usize,
    save: fn(&Path, &str),
    told: &Receiver<Instant>,
) -> f64 {
    let path = root.join(name);
    let text = std::fs::read_to_string(&path).expect("the file is there");
    let comment = if name.ends_with("rhai") { "//" } else { "#" };
    let kept: Vec<&str> = text
        .lines()
        .filter(|l| !l.contains("save number"))
        .collect();
    let text = format!("{}\n{comment} save number {number}\n", kept.join("\n"));
    // Saves are out of step with the ticks.
    std::thread::sleep(Duration::from_micros(
        20_000 + (number as u64 * 7919) % 16_667,
    ));
    let began = Instant::now();
    save(&path, &text);
    let effect = told
        .recv_timeout(Duration::from_secs(10))
        .expect("the save takes effect");
    effect.duration_since(began).as_secs_f64() * 1000.0
}

fn in_place(path: &Path, text: &str) {
    std::fs::write(path, text).expect("written");
}

fn by_rename(path: &Path, text: &str) {
    let renamed: PathBuf = path.with_extension("swp");
    std::fs::write(&renamed, text).expect("written");
    std::fs::rename(renamed, path).expect("a renamed file");
}

/// Ticks at the game's pace and applies every revision, like the window's game thread; returns
/// the numbers of ticks played and lost.
fn play(root: &Path, effects: &Sender<Instant>, stop: &Receiver<()>) -> (u64, u64) {
    let project = Project::load(root).expect("the copy");
    let level = project.find_level("playground").expect("its level");
    let revision = Arc::new(project.open(&level, &[]).expect("a good level"));
    let reloader = Reloader::new(root.to_path_buf(), level, vec![], &revision);
    let mut live = Live::new(revision, 0);
    // The watcher's thread has to start before files change.
    std::thread::sleep(Duration::from_millis(200));
    effects.send(Instant::now()).expect("somebody listens");
    let mut pace = Pace::new(live.revision().stage.hz);
    while stop.try_recv().is_err() {
        for _ in 0..pace.wait() {
            let mut adopted = 0;
            for notice in reloader.notices() {
                match notice {
                    Notice::Ready { revision, .. } => {
                        live.adopt(revision);
                        adopted += 1;
                    }
                    other => panic!("{other:?}"),
                }
            }
            live.step(&Inputs::none());
            for _ in 0..adopted {
                effects.send(Instant::now()).expect("somebody listens");
            }
        }
    }
    (live.world().ticks(), pace.lost())
}
