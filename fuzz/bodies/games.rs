//! Games in memory, and what holds for all of them while they run.

use super::messages;
use hangtime::{
    project::{Live, Revision, SourceSet},
    script::host::{Fault, MOST_SHOWN, SourceFile},
    sim::{Inputs, SavedWorld},
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// The repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut above = here.ancestors();
    let root = above.find(|folder| folder.join("levels/playground.toml").is_file());
    root.expect("the levels of this repository").to_path_buf()
}

/// A file in memory.
pub fn file(name: &str, text: &str) -> Arc<SourceFile> {
    Arc::new(SourceFile { name: name.into(), text: text.into() })
}

/// The files of a game: paths below its folder, and texts. The level is `levels/level.toml`.
pub fn sources(files: &[(&str, &str)]) -> SourceSet {
    let mut sources = SourceSet::default();
    sources.level = "levels/level.toml".into();
    for (name, text) in files {
        sources.files.insert((*name).into(), file(name, text));
    }
    sources
}

/// Builds a game. If it is refused, or accepted with warnings, the messages are checked.
pub fn build(files: &[(&str, &str)]) -> Option<Arc<Revision>> {
    match Revision::build(&sources(files), &[], 1, None) {
        Ok(revision) => {
            messages::check(&revision.warnings);
            Some(Arc::new(revision))
        }
        Err(error) => {
            messages::check_refusal(&error.diagnostics());
            None
        }
    }
}

/// A game that is played twice: the twin is saved and loaded on the way. Both stay equal.
pub struct Played {
    pub live: Live,
    twin: Live,
}

impl Played {
    /// The twin may have its own revision, built from the same files.
    pub fn new(revision: Arc<Revision>, again: Arc<Revision>) -> Self {
        Self { live: Live::new(revision, 7), twin: Live::new(again, 7) }
    }

    /// Makes one tick of both and checks what holds after any tick. Returns the errors of scripts.
    pub fn step(&mut self, inputs: &Inputs) -> Vec<Fault> {
        self.live.step(inputs);
        self.twin.step(inputs);
        let (world, twin) = (self.live.world(), self.twin.world());
        assert_eq!(world.hash(), twin.hash(), "tick {}", world.ticks());
        for view in self.live.views() {
            let numbers = [view.pos, view.vel, view.external].map(|v| v.is_finite());
            let others = [view.z, view.vel_z, view.angle, view.spin].map(f64::is_finite);
            assert!(numbers == [true; 3] && others == [true; 4], "{view:?}");
        }
        let limits = self.live.revision().config.scripts.clone();
        let most = u64::from(limits.tick_operations);
        assert!(self.live.script_operations() <= most);
        let faults = self.live.report().faults.first.clone();
        assert!(faults.len() <= MOST_SHOWN, "{} faults", faults.len());
        for fault in &faults {
            messages::check_one(&fault.diagnostic);
            assert!(!fault.render(false).is_empty());
        }
        assert_eq!(faults.len(), self.twin.report().faults.first.len());
        faults
    }

    /// Saves the twin and plays on from what was loaded.
    pub fn reload(&mut self) {
        let saved = serde_json::to_vec(self.twin.world()).expect("it is saved");
        let saved: SavedWorld = serde_json::from_slice(&saved).expect("it is read");
        let loaded = self.twin.load(saved);
        loaded.unwrap_or_else(|error| panic!("a saved world is refused: {error}"));
        assert_eq!(self.live.world().hash(), self.twin.world().hash());
    }
}

/// Plays a game for this many ticks, twice, with this input. The second time it is saved and
/// loaded halfway.
pub fn play(revision: Arc<Revision>, ticks: u64, input: impl Fn(u64) -> Inputs) -> Played {
    let mut played = Played::new(revision.clone(), revision);
    for tick in 0..ticks {
        if tick == ticks / 2 {
            played.reload();
        }
        played.step(&input(tick));
    }
    played
}
