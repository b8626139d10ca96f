//! From save to effect: `cargo bench --bench reload`.
//!
//! A game runs at 60 ticks per second while its files are saved, 200 times in place and 200 times by
//! rename, like editors do. The time is from just before the first byte is written to the
//! end of the first tick with the new revision. The files alternate: a script, tuning, a level. Then the same with three
//! mods, which put scripts above the hero's script and override its tuning: first loading the level, then 200 saves of
//! files of the mods. Scripts alone are saved in both languages: `cargo bench --bench reload --features lua`.

use hangtime::{
    project::{Live, Notice, Pace, Project, Reloader, unpack_playground},
    script::host::STACK,
    sim::Inputs,
};
use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
    time::{Duration, Instant},
};

const SAVES: usize = 200;
const FILES: [&str; 3] = ["scripts/hero.rhai", "config/models/platformer.toml", "levels/playground.toml"];

/// The files of the mods that are saved.
const MOD_FILES: [&str; 3] =
    ["mods/a/scripts/mine.rhai", "mods/b/config/models/platformer.toml", "mods/c/config/entities/hero.toml"];

fn main() {
    let root = unpack_playground().expect("a copy of the playground");
    time_saves(&root, &FILES, &[("in place", in_place), ("by rename", by_rename)]);
    time_batches(&root);
    time_scripts(&root);
    add_mods(&root);
    time_loads(&root);
    time_saves(&root, &MOD_FILES, &[("with three mods", in_place)]);
    std::fs::remove_dir_all(&root).expect("the copy can be removed");
}

/// Saves the hero's script alone, in Rhai and, with `--features lua`, its twin in Lua.
fn time_scripts(root: &Path) {
    time_saves(root, &[FILES[0]; 3], &[("of the script in Rhai", in_place)]);
    if !cfg!(feature = "lua") {
        return;
    }
    let kind = root.join("config/entities/hero.toml");
    let in_rhai = std::fs::read_to_string(&kind).expect("the hero's kind");
    std::fs::write(root.join("scripts/hero.luau"), include_str!("../examples/lua/hero.luau")).expect("written");
    std::fs::write(&kind, in_rhai.replace("hero.rhai", "hero.luau")).expect("written");
    time_saves(root, &["scripts/hero.luau"; 3], &[("of the script in Lua", in_place)]);
    std::fs::write(&kind, in_rhai).expect("written");
}

/// Adds three mods: each has a script above the hero's script, which calls the one below, and overrides a number.
fn add_mods(root: &Path) {
    for name in ["a", "b", "c"] {
        let folder = root.join("mods").join(name);
        let files = [
            ("mod.toml", format!("name = \"{name}\"\nversion = \"1.0.0\"\n")),
            ("config/entities/hero.toml", "scripts = [\"mine.rhai\"]\nvars = { ticks = 0 }\n".into()),
            ("config/models/platformer.toml", format!("jump_speed = 54{}\n", name.len())),
            (
                "scripts/mine.rhai",
                "fn on_tick(me) { this.ticks += 1; }\nfn on_land(me) { me.note(\"landed\"); }\n".into(),
            ),
        ];
        for (file, text) in files {
            let path = folder.join(file);
            let parent = path.parent().expect("below the folder");
            std::fs::create_dir_all(parent).expect("a folder");
            std::fs::write(path, text).expect("written");
        }
    }
}

/// Loads the game and opens its level again and again.
fn time_loads(root: &Path) {
    let mut times: Vec<f64> = (0..SAVES)
        .map(|_| {
            let began = Instant::now();
            let project = Project::load(root).expect("the copy");
            let level = project.find_level("playground").expect("its level");
            let revision = project.open(&level, &[]).expect("a good level");
            assert_eq!(revision.mods.layers.len(), 3);
            began.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!(
        "{SAVES} loads with three mods: median {:.1} ms, worst {:.1} ms (bound: 30)",
        times[SAVES / 2],
        times[SAVES - 1]
    );
}

/// A way to save a file.
type Save = fn(&Path, &str);

/// Saves these files in turns while the game runs, in each of these ways.
fn time_saves(root: &Path, files: &[&str; 3], ways: &[(&str, Save)]) {
    let game_root = root.to_path_buf();
    let (effects, told) = channel();
    let (stop, stopped) = channel();
    let game = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || play(&game_root, &effects, &stopped))
        .expect("a thread");
    // The game has to run before the first save.
    told.recv().expect("the game begins");
    for (name, save) in ways {
        let mut times: Vec<f64> = (0..SAVES).map(|i| time_one(root, files[i % 3], i, *save, &told)).collect();
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
}

/// Saves all files 20 ms apart, again and again. The time is from the last write.
fn time_batches(root: &Path) {
    let game_root = root.to_path_buf();
    let ((effects, told), (stop, stopped)) = (channel(), channel());
    let game = std::thread::Builder::new().stack_size(STACK);
    let game = game.spawn(move || play(&game_root, &effects, &stopped)).expect("a thread");
    told.recv().expect("the game begins");
    let batch = |number: usize| {
        let mut written = Instant::now();
        for name in FILES {
            std::thread::sleep(Duration::from_millis(20));
            written = Instant::now();
            in_place(&root.join(name), &numbered(root, name, number));
        }
        let mut effect = told.recv_timeout(Duration::from_secs(10)).expect("the saves take effect");
        // A machine that stops for a moment may take the first file alone.
        while let Ok(later) = told.recv_timeout(Duration::from_millis(150)) {
            effect = later;
        }
        effect.duration_since(written).as_secs_f64() * 1000.0
    };
    let mut times: Vec<f64> = (0..SAVES / 2).map(batch).collect();
    times.sort_by(f64::total_cmp);
    println!(
        "{} batches of {} saves: median {:.1} ms from the last write, worst {:.1} ms (bound: 90)",
        times.len(),
        FILES.len(),
        times[times.len() / 2],
        times[times.len() - 1]
    );
    stop.send(()).expect("the game runs");
    game.join().expect("the game ends");
}

/// The text of a file with a comment that numbers the save.
fn numbered(root: &Path, name: &str, number: usize) -> String {
    let text = std::fs::read_to_string(root.join(name)).expect("the file is there");
    let comment = match name.rsplit('.').next() {
        Some("rhai") => "//",
        Some("luau") => "--",
        _ => "#",
    };
    let kept: Vec<&str> = text.lines().filter(|line| !line.contains("save number")).collect();
    format!("{}\n{comment} save number {number}\n", kept.join("\n"))
}

/// Saves a file once and waits for its effect. Returns milliseconds.
fn time_one(root: &Path, name: &str, number: usize, save: Save, told: &Receiver<Instant>) -> f64 {
    let path = root.join(name);
    let text = numbered(root, name, number);
    // Saves are out of step with the ticks.
    std::thread::sleep(Duration::from_micros(20_000 + (number as u64 * 7919) % 16_667));
    let began = Instant::now();
    save(&path, &text);
    let effect = told.recv_timeout(Duration::from_secs(10)).expect("the save takes effect");
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
    effects.send(Instant::now()).expect("the bench receives effects");
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
                effects.send(Instant::now()).expect("the bench receives effects");
            }
        }
    }
    (live.world().ticks(), pace.lost())
}
