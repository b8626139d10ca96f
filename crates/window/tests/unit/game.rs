//! Tests of `src/game.rs`.

use super::{GameLoop, GameThread};
use crate::shared::SharedState;
use hangtime_game::{
    Project,
    files::{OutputFile, OutputKind},
    unpack_playground,
};
use hangtime_script::STACK;
use hangtime_workbench::SessionFiles;
use std::{
    path::Path,
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};
use tiny_skia::{Pixmap, PremultipliedColorU8};

/// Moments within a frame at which pictures are drawn.
const MOMENTS: u32 = 4;

/// A playground at a tick rate, in a window without a screen.
struct Game {
    game: GameLoop,
    hz: f64,
}

impl Game {
    fn new(root: &Path, hz: u32) -> Self {
        let project = Project::load(root).expect("the playground");
        let level = project.find_level("playground").expect("its level");
        let rate = [("simulation.tick_hz".into(), hz.to_string())];
        let revision = Arc::new(project.open(&level, &rate).expect("a good level"));
        assert_eq!(revision.stage.hz, hz);
        let shared = Arc::new(SharedState::new(revision.clone()));
        Self { game: GameLoop::new(root.into(), level, revision, shared, &mut SessionFiles::default()), hz: hz.into() }
    }

    /// What the window shows some frames after the last tick, below the status line.
    fn shot(&self, frames: f64) -> Vec<PremultipliedColorU8> {
        let mut frame = self.game.shared.frame.lock().clone();
        // Lines of the log come and go by the clock.
        frame.bench.notes.clear();
        let mut canvas = Pixmap::new(640, 200).expect("a size above 0");
        frame.paint(&mut canvas, &[], frames / self.hz);
        canvas.pixels()[640 * 20..].to_vec()
    }
}

/// A disk without room.
struct FullDisk;

impl std::io::Write for FullDisk {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_session_that_could_not_be_recorded_says_so_at_its_end() {
    let run = || {
        let root = unpack_playground().expect("a copy of the playground");
        for fails in [false, true] {
            let mut game = Game::new(&root, 60).game;
            let path = root.join("session.run");
            let output = OutputFile::create(&root, &path, OutputKind::Recording);
            let (file, out) = output.expect("a file");
            game.record((file, if fails { Box::new(FullDisk) } else { out }));
            game.frame();
            game.shared.stop.store(true, Ordering::Relaxed);
            assert_eq!((game.run().unrecorded, path.exists()), (fails, !fails));
            let _ = std::fs::remove_file(path);
        }
        std::fs::remove_dir_all(&root).expect("the copy can be removed");
    };
    let thread = std::thread::Builder::new().stack_size(STACK);
    thread.spawn(run).expect("a thread").join().expect("it says so");
}

/// Long enough for every machine; nothing waits for it to pass.
const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn a_tick_that_does_not_end_keeps_the_window_neither_from_drawing_nor_from_closing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in [
        ("levels/level.toml", "[[entity]]\nkind = \"hero\"\nat = [0, 0]\nplayer = 1\n"),
        ("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { n = 0 }\n"),
        ("config/hangtime.toml", "[scripts]\noperations = 100000000\ntick_operations = 4000000000\n"),
        // The second tick does not end.
        ("scripts/hero.rhai", "fn on_tick(me) { this.n += 1; while this.n > 1 { this.n += 1; } }\n"),
    ] {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let open = folder.path().to_path_buf();
    let thread = std::thread::Builder::new().stack_size(STACK);
    let opened = thread.spawn(move || {
        let project = Project::load(open).expect("a game");
        let level = project.find_level("level").expect("its level");
        let revision = project.open(&level, &[]).expect("a good level");
        (project.folder().clone(), level, Arc::new(revision))
    });
    let (game, level, revision) = opened.expect("a thread").join().expect("it opens");
    let keys = revision.config.keys.clone();
    let shared = Arc::new(SharedState::new(revision.clone()));
    let began = shared.frame.lock().at;
    let files = SessionFiles::default();
    let game = GameThread::start(game, level, revision, shared.clone(), files, None).expect("a thread");
    let until = Instant::now() + PATIENCE;
    while shared.frame.lock().at <= began {
        assert!(Instant::now() < until, "the first tick is not shown");
        std::thread::yield_now();
    }
    // Pictures and keys do not wait for the tick.
    for _ in 0..100 {
        let mut canvas = Pixmap::new(640, 200).expect("a size above 0");
        shared.frame.lock().clone().paint(&mut canvas, &[], 0.0);
        shared.latch.lock().press("Space", &keys);
        shared.latch.lock().release("Space");
    }
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || tell.send(game.stop().is_some()));
    assert_eq!(told.recv_timeout(PATIENCE), Ok(true), "the window does not close");
}

#[test]
fn a_key_is_in_the_picture_at_most_two_frames_later() {
    let run = || {
        let root = unpack_playground().expect("a copy of the playground");
        for hz in [30, 60, 120, 240] {
            for key in ["ArrowRight", "Space"] {
                lag(&root, hz, key);
            }
        }
        std::fs::remove_dir_all(&root).expect("the copy can be removed");
    };
    let thread = std::thread::Builder::new().stack_size(STACK);
    thread.spawn(run).expect("a thread").join().expect("no key is late");
}

/// Presses a key right after a tick, so that it waits for a whole frame, and looks at every later picture
/// next to the same picture of a game without the key.
fn lag(root: &Path, hz: u32, key: &str) {
    let (mut pressed, mut other) = (Game::new(root, hz), Game::new(root, hz));
    for _ in 0..hz {
        pressed.game.frame();
        other.game.frame();
    }
    assert!(pressed.shot(0.0) == other.shot(0.0), "twins");
    let keys = pressed.game.bench.revision().config.keys.clone();
    pressed.game.shared.latch.lock().press(key, &keys);
    let mut shown = [None; MOMENTS as usize];
    for frame in 1..=3 {
        pressed.game.frame();
        other.game.frame();
        for (moment, shown) in (0..MOMENTS).zip(&mut shown) {
            let part = f64::from(moment) / f64::from(MOMENTS);
            if shown.is_none() && pressed.shot(part) != other.shot(part) {
                *shown = Some(f64::from(frame) + part);
            }
        }
    }
    for frames in shown {
        let frames = frames.expect("the key has an effect");
        assert!(frames <= 2.0, "{key} at {hz} Hz: {frames} frames");
    }
}
