//! A workbench on a game folder, driven frame by frame without a window or a clock.

use crate::folder::Folder;
use hangtime_core::{
    models::Action,
    sim::{Inputs, PlayerInput},
};
use hangtime_game::Notice;
use hangtime_script::Diagnostic;
use hangtime_workbench::{LogKind, WindowKey, Workbench};
use std::{path::PathBuf, sync::Arc, time::Duration};

/// A script whose variable depends on random numbers and on every tick since the start.
pub const COUNTS: &str = "fn on_tick(me) { this.n += world::random(0.0, 1.0); }\n";

/// The kind of the hero with some lines of tuning.
pub fn hero(tuning: &str) -> String {
    format!("script = \"hero.rhai\"\nvars = {{ n = 0 }}\n[platformer]\n{tuning}\n")
}

pub struct Case {
    pub folder: Folder,
    pub bench: Workbench,
    pub input: PlayerInput,
    down: Vec<WindowKey>,
    frames: u64,
    hz: u32,
    revisions: u64,
}

impl Case {
    /// The usual level and hero at a tick rate.
    pub fn at(hz: u32) -> Self {
        let folder = Folder::with_script(COUNTS);
        let config = format!("[simulation]\ntick_hz = {hz}\n");
        folder.write("config/hangtime.toml", &config);
        Self::of(folder)
    }

    pub fn of(folder: Folder) -> Self {
        let revision = folder.open().expect("a good level");
        let films = folder.path("films");
        std::fs::create_dir_all(&films).expect("a folder");
        Self {
            hz: revision.stage.hz,
            bench: Workbench::new(Arc::new(revision), films, false),
            folder,
            input: PlayerInput::default(),
            down: Vec::new(),
            frames: 0,
            revisions: 1,
        }
    }

    pub fn films(&self) -> PathBuf {
        self.folder.path("films")
    }

    pub fn now(&self) -> f64 {
        self.frames as f64 / f64::from(self.hz)
    }

    /// Plays frames with the input that is held now.
    pub fn frames(&mut self, count: u64) {
        for _ in 0..count {
            self.frames += 1;
            self.bench.hold(&self.down);
            let (now, input) = (self.now(), self.input);
            self.bench.frame(now, &mut |_| Inputs::of_first(input));
            self.input.pressed = Default::default();
        }
    }

    /// Plays frames and returns the hash of the shown world after each.
    pub fn hashes(&mut self, count: u64) -> Vec<u64> {
        (0..count)
            .map(|_| {
                self.frames(1);
                self.hash()
            })
            .collect()
    }

    pub fn hash(&self) -> u64 {
        self.bench.live().world().hash()
    }

    /// Holds some actions from now on.
    pub fn hold(&mut self, actions: &[Action]) {
        self.input.held = actions.iter().copied().collect();
    }

    /// Runs and jumps about, with a different input every few ticks.
    pub fn play_about(&mut self, ticks: u64) -> Vec<u64> {
        let mut hashes = Vec::new();
        for i in 0..ticks {
            let way = [Action::Right, Action::Left][(i / 40 % 2) as usize];
            let jump = (i % 50 < 12).then_some(Action::Jump);
            self.input.held = [way].into_iter().chain(jump).collect();
            hashes.extend(self.hashes(1));
        }
        hashes
    }

    /// Presses and releases a key of the window, and makes the frame that handles it.
    pub fn tap(&mut self, key: WindowKey) {
        self.bench.press(key);
        self.frames(1);
    }

    /// Presses a key of the window, holds it for some frames and releases it.
    pub fn hold_key(&mut self, key: WindowKey, frames: u64) {
        self.down.push(key);
        self.bench.press(key);
        self.frames(frames);
        self.down.clear();
        self.bench.hold(&[]);
    }

    /// Saves a file, as the reloader reports it: a new revision, or what is wrong with it.
    pub fn edit(&mut self, file: &str, text: &str) -> Result<(), Vec<Diagnostic>> {
        self.folder.write(file, text);
        match self.folder.open() {
            Ok(mut revision) => {
                self.revisions += 1;
                revision.number = self.revisions;
                self.bench.notice(Notice::Ready {
                    revision: Arc::new(revision),
                    changed: vec![file.into()],
                    took: Duration::from_millis(3),
                    kept: Vec::new(),
                });
                Ok(())
            }
            Err(wrong) => {
                self.bench.notice(Notice::Broken(wrong.clone()));
                Err(wrong)
            }
        }
    }

    /// Waits without frames until ghosts and films are ready, then makes one frame.
    pub fn wait(&mut self) {
        let started = std::time::Instant::now();
        loop {
            self.frames(1);
            if !self.bench.is_busy() {
                return;
            }
            assert!(started.elapsed() < Duration::from_secs(300), "still busy");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The texts of the log of one kind.
    pub fn logged(&self, kind: LogKind) -> Vec<String> {
        let lines = self.bench.log().filter(|line| line.kind == kind);
        lines.map(|line| line.text.clone()).collect()
    }

    /// The x and y of the picked entity.
    pub fn place(&self) -> glam::DVec2 {
        let name = self.bench.picked().expect("an entity").to_string();
        let live = self.bench.live();
        let view = live.world().view_of(&live.revision().stage, &name);
        view.expect("it exists").pos
    }
}
