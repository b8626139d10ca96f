//! Game folders made for a test.

use hangtime_core::sim::{EntityView, Inputs, PlayerInput, Value};
use hangtime_game::{Live, Project, Revision};
use hangtime_script::{Diagnostic, Fault, STACK};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};
use tempfile::TempDir;

/// A game folder that is deleted after the test.
pub struct Folder {
    dir: TempDir,
}

/// A stone floor, then an ice floor, with a hero on the stone.
pub const LEVEL: &str = r#"
surface = "stone"
[[solid]]
name = "floor"
points = [[-1000, -100], [0, -100], [0, 0], [-1000, 0]]
[[solid]]
name = "rink"
surface = "ice"
points = [[0, -100], [2000, -100], [2000, 0], [0, 0]]
[[entity]]
kind = "hero"
at = [-200, 19]
player = 1
"#;

impl Folder {
    /// A game whose hero has this script.
    pub fn with_script(script: &str) -> Self {
        let folder = Self::empty();
        folder.write("levels/level.toml", LEVEL);
        folder.write("config/surfaces.toml", "[stone]\n[ice]\ngrip = 0.1\n");
        folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { n = 0 }\n");
        folder.write("scripts/hero.rhai", script);
        folder
    }

    pub fn empty() -> Self {
        Self { dir: tempfile::tempdir().expect("a temporary folder") }
    }

    pub fn root(&self) -> &Path {
        self.dir.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        self.write_bytes(name, text.as_bytes());
    }

    /// Writes the pixels of a picture, row by row from the top, as a PNG.
    pub fn write_png(&self, name: &str, (width, height): (u32, u32), pixels: &[[u8; 4]]) {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().expect("a header");
        let data = pixels.as_flattened();
        writer.write_image_data(data).expect("as many pixels");
        writer.finish().expect("an end");
        self.write_bytes(name, &bytes);
    }

    pub fn write_bytes(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("below the root")).expect("a folder");
        std::fs::write(path, bytes).expect("a file");
    }

    /// The text of a file.
    pub fn read(&self, name: impl AsRef<Path>) -> String {
        let name = name.as_ref();
        let text = std::fs::read_to_string(self.dir.path().join(name));
        text.unwrap_or_else(|error| panic!("{}: {error}", name.display()))
    }

    pub fn open(&self) -> Result<Revision, Vec<Diagnostic>> {
        self.open_with(&[])
    }

    pub fn open_with(&self, settings: &[(&str, &str)]) -> Result<Revision, Vec<Diagnostic>> {
        let project = Project::load(self.root()).expect("a folder");
        let settings: Vec<_> = settings.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        let level = self.path("levels/level.toml");
        project.open(&level, &settings).map_err(|error| error.diagnostics())
    }

    /// The headlines of all errors, or of all warnings if it opens.
    pub fn wrong(&self) -> Vec<String> {
        match self.open() {
            Ok(revision) => revision.warnings.iter().map(Diagnostic::headline).collect(),
            Err(wrong) => wrong.iter().map(Diagnostic::headline).collect(),
        }
    }

    pub fn game(&self) -> Game {
        let revision = self
            .open()
            .unwrap_or_else(|wrong| panic!("{}", hangtime_script::render_all(&wrong, false)));
        Game::new(Arc::new(revision))
    }

    /// The level at this tick rate.
    pub fn open_at(&self, hz: u32) -> Arc<Revision> {
        let opened = self.open_with(&[("simulation.tick_hz", &hz.to_string())]);
        Arc::new(opened.expect("a good game"))
    }

    /// The game at this tick rate.
    pub fn game_at(&self, hz: u32) -> Game {
        Game::new(self.open_at(hz))
    }
}

/// A running game with what its scripts have reported so far.
pub struct Game {
    pub live: Live,
    pub input: PlayerInput,
    pub faults: Vec<Fault>,
    pub printed: Vec<String>,
}

impl Game {
    pub fn new(revision: Arc<Revision>) -> Self {
        Self { live: Live::new(revision, 0), input: PlayerInput::default(), faults: vec![], printed: vec![] }
    }

    pub fn ticks(&mut self, count: usize) -> &mut Self {
        for _ in 0..count {
            self.live.step(&Inputs::of_first(self.input));
            self.note_report();
        }
        self
    }

    /// Keeps what the last tick reported.
    pub fn note_report(&mut self) {
        let report = self.live.report().clone();
        self.faults.extend(report.faults.first);
        self.printed.extend(report.printed.lines);
    }

    pub fn hero(&self) -> EntityView {
        self.live.views().find(|e| &*e.name == "hero").expect("there is a hero")
    }

    pub fn vars(&self) -> BTreeMap<String, Value> {
        let entities = self.live.world().entities();
        entities.iter().find(|e| &*e.name == "hero").expect("there is a hero").vars.0.to_plain()
    }

    pub fn var(&self, name: &str) -> Value {
        self.vars().get(name).cloned().unwrap_or_default()
    }

    /// The headlines of all faults.
    pub fn wrong(&self) -> Vec<String> {
        self.faults.iter().map(|f| f.diagnostic.headline()).collect()
    }
}

/// Runs `test` with the stack that scripts need.
pub fn on_large_stack(test: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, test).expect("a thread");
        if let Err(panic) = thread.join() {
            std::panic::resume_unwind(panic);
        }
    });
}

pub fn with_kind(script: &str, kind: &str, of_kind: &str) -> Folder {
    let folder = Folder::with_script(script);
    let toml = format!("script = \"{kind}.rhai\"\n");
    folder.write(&format!("config/entities/{kind}.toml"), &toml);
    folder.write(&format!("scripts/{kind}.rhai"), of_kind);
    folder
}
