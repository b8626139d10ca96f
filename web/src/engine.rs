//! What JavaScript calls. Names are short texts, results are JSON, times are seconds of one clock of the page.

use super::{
    sounds::HeardNumbers,
    state::{GameKeys, GameState},
    *,
};
use hangtime_service::editor::{completions, hover};

#[wasm_bindgen]
extern "C" {
    /// The clock of the page or the worker, ms.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn clock_ms() -> f64;

    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn console_error(text: &str);
}

fn clock() -> f64 {
    clock_ms() / 1000.0
}

/// What opening a level has led to.
#[derive(Serialize)]
struct Opened {
    ok: bool,
    messages: Vec<Message>,
}

/// A game and the level of it that is played.
#[wasm_bindgen]
#[derive(Default)]
pub struct Engine {
    pub(super) files: GameFiles,
    session: Option<Session>,
    /// The level to open once the files allow it.
    wanted: String,
    canvas: Option<Pixmap>,
    heard: HeardNumbers,
}

#[wasm_bindgen]
impl Engine {
    /// An engine without a game. Write its files first, then open a level.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        std::panic::set_hook(Box::new(|panic| console_error(&panic.to_string())));
        Self::default()
    }

    /// The files are the built-in playground's from now on.
    pub fn use_playground(&mut self) {
        self.files = GameFiles::playground();
    }

    /// The paths of all files, as a JSON list.
    pub fn paths(&self) -> String {
        json(&self.files.0.keys().collect::<Vec<_>>())
    }

    /// The bytes of a file.
    pub fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.files.0.get(path).cloned()
    }

    /// Writes a file. It takes effect with the next [`save`](Self::save), or when a level is opened.
    pub fn write(&mut self, path: &str, bytes: Vec<u8>) {
        self.files.0.insert(path.into(), bytes);
    }

    /// Removes a file, in the same way.
    pub fn remove(&mut self, path: &str) {
        self.files.0.remove(path);
    }

    /// The levels as JSON: a list of those to choose from, and one of all others.
    pub fn levels(&self) -> String {
        json(&self.files.levels())
    }

    /// Opens a level and begins it. Returns JSON: `ok`, and `messages` about its files. If they have errors, the level that
    /// was played before continues.
    pub fn open(&mut self, level: &str) -> String {
        let (ok, messages) = self.open_level(level);
        json(&Opened { ok, messages })
    }

    fn open_level(&mut self, level: &str) -> (bool, Vec<Message>) {
        self.wanted = level.into();
        match self.files.open(level) {
            Ok((path, revision)) => {
                let found = messages(&revision.warnings);
                let (folder, revision, now) = (self.files.folder(), Arc::new(revision), clock());
                match &mut self.session {
                    Some(session) => session.begin(folder, path, Live::new(revision, 0), now),
                    None => self.session = Some(Session::new(folder, path, revision, now)),
                }
                self.fit();
                (true, found)
            }
            Err(error) => (false, messages(&error.diagnostics())),
        }
    }

    /// Lets the files take effect in the running level, with its state kept. Returns the messages about them as JSON; with
    /// errors, the last good revision plays on. If no level could be opened so far, this tries again.
    pub fn save(&mut self) -> String {
        let folder = self.files.folder();
        let found = match &mut self.session {
            Some(session) => session.save(folder, &clock),
            None => self.open_level(&self.wanted.clone()).1,
        };
        json(&found)
    }

    /// The messages about one file, as JSON, as `hangtime check` finds them.
    pub fn check(&self, file: &str) -> String {
        json(&self.files.check(file))
    }

    /// What can be written at a byte of a file that has this text, as a JSON list of the items of the language server.
    pub fn complete(&self, file: &str, text: &str, at: usize) -> String {
        json(&self.files.at_cursor(file, text, at, completions))
    }

    /// What the reference says about the word at a byte of a file that has this text, as Markdown.
    pub fn hover(&self, file: &str, text: &str, at: usize) -> Option<String> {
        self.files.at_cursor(file, text, at, hover).flatten()
    }

    /// Makes the ticks that are due and paints. Returns whether the picture has changed.
    pub fn play(&mut self) -> bool {
        match (&mut self.session, &mut self.canvas) {
            (Some(session), Some(canvas)) => session.play(clock(), canvas),
            _ => false,
        }
    }

    /// Makes a number of frames at once, as if their time had passed.
    pub fn frames(&mut self, count: u32) {
        if let Some(session) = &mut self.session {
            let (now, hz) = (session.frame.at, f64::from(session.bench.revision().stage.hz));
            for frame in 1..=count {
                session.tick(now + f64::from(frame) / hz);
            }
            session.rest(clock());
        }
    }

    /// The page was not seen until now: nothing of that time is played.
    pub fn rest(&mut self) {
        if let Some(session) = &mut self.session {
            session.rest(clock());
        }
    }

    /// Where the pixels are in the memory: RGBA, row by row from the top.
    pub fn pixels(&self) -> usize {
        self.canvas.as_ref().map_or(0, |canvas| canvas.data().as_ptr() as usize)
    }

    /// The width of the picture.
    pub fn width(&self) -> u32 {
        self.canvas.as_ref().map_or(0, Pixmap::width)
    }

    /// The height of the picture.
    pub fn height(&self) -> u32 {
        self.canvas.as_ref().map_or(0, Pixmap::height)
    }

    /// The width that the game asks for.
    pub fn wanted_width(&self) -> u32 {
        self.session.as_ref().map_or(640, |session| session.bench.revision().config.window.width)
    }

    /// The height that the game asks for.
    pub fn wanted_height(&self) -> u32 {
        self.session.as_ref().map_or(360, |session| session.bench.revision().config.window.height)
    }

    /// Pictures have this size from now on.
    pub fn resize(&mut self, width: u32, height: u32) {
        if let Some(canvas) = Pixmap::new(width.clamp(1, 4096), height.clamp(1, 4096)) {
            self.canvas = Some(canvas);
        }
        self.fit();
    }

    fn fit(&mut self) {
        if self.canvas.is_none() {
            self.canvas = Pixmap::new(self.wanted_width(), self.wanted_height());
        }
        if let (Some(session), Some(canvas)) = (&mut self.session, &self.canvas) {
            session.resize((canvas.width(), canvas.height()));
        }
    }

    /// What has been heard since the last call, as JSON: `sounds` by their numbers, with the loudness on the left and on the
    /// right and the pitch of each; and the `music`, with its volume and pitch.
    pub fn heard(&mut self) -> String {
        json(&self.session.as_mut().map(|session| self.heard.hear(session)).unwrap_or_default())
    }

    /// The samples of a sound, with its channels interleaved; none if it is an OGG file.
    pub fn samples(&self, sound: usize) -> Vec<f32> {
        self.heard.get(sound).map(|sound| sound.samples.clone()).unwrap_or_default()
    }

    /// The OGG file of a sound; empty if it has samples.
    pub fn ogg(&self, sound: usize) -> Vec<u8> {
        self.heard.get(sound).map(|sound| sound.ogg.clone()).unwrap_or_default()
    }

    /// How many samples of a channel a second of a sound has.
    pub fn sample_rate(&self, sound: usize) -> u32 {
        self.heard.get(sound).map_or(0, |sound| sound.rate)
    }

    /// The number of channels of a sound.
    pub fn channels(&self, sound: usize) -> u16 {
        self.heard.get(sound).map_or(0, |sound| sound.channels)
    }

    /// The hash of the shown tick, as hexadecimal digits.
    pub fn hash(&self) -> String {
        let world = self.session.as_ref().map(|session| session.bench.live().world().hash());
        world.map_or_else(String::new, |hash| format!("{hash:016x}"))
    }

    /// What the page shows next to the picture, as JSON.
    pub fn state(&self) -> String {
        self.session
            .as_ref()
            .map_or_else(|| "null".into(), |session| json(&GameState::of(session)))
    }

    /// The keys of the game, as JSON.
    pub fn keys(&self) -> String {
        let keys = self.session.as_ref().map(|session| GameKeys::of(session.bench.revision()));
        json(&keys)
    }

    /// The files that the running level uses, as a JSON list of paths.
    pub fn used_files(&self) -> String {
        let revision = self.session.as_ref().map(|session| session.bench.files_revision().clone());
        let used = revision.iter().flat_map(|revision| revision.files.keys());
        json(&used.collect::<Vec<_>>())
    }

    /// A key went down. Returns a JSON list of what the page itself has to do.
    pub fn press(&mut self, key: &str) -> String {
        json(&self.session.as_mut().map(|session| session.press(key)).unwrap_or_default())
    }

    /// A key came up.
    pub fn release(&mut self, key: &str) {
        if let Some(session) = &mut self.session {
            session.release(key);
        }
    }

    /// No key is down any more.
    pub fn release_all(&mut self) {
        if let Some(session) = &mut self.session {
            session.release_all();
        }
    }

    /// A button of the page does what a key with this name in `[keys]` does, such as `pause`. Returns whether there is one.
    pub fn act(&mut self, name: &str) -> bool {
        let key = WindowKey::all().find(|key| key.name() == name);
        if let (Some(session), Some(key)) = (&mut self.session, key) {
            session.act(key);
        }
        key.is_some()
    }

    /// Closes a page over the game. Returns whether one was open.
    pub fn close_page(&mut self) -> bool {
        self.session.as_mut().is_some_and(Session::close_page)
    }

    /// The mouse is at a pixel of the picture.
    pub fn point(&mut self, x: f64, y: f64) {
        if let Some(session) = &mut self.session {
            session.point(Some((x, y)), clock());
        }
    }

    /// The mouse has left the picture.
    pub fn leave(&mut self) {
        if let Some(session) = &mut self.session {
            session.point(None, clock());
        }
    }

    /// The wheel was turned by a number of steps.
    pub fn zoom(&mut self, steps: f64) {
        if let Some(session) = &mut self.session {
            session.zoom(steps);
        }
    }

    /// How a gamepad is: the buttons that are down, a bit each, and its axes. A negative mask for one that is unplugged.
    /// Returns a JSON list of what the page itself has to do.
    pub fn pad(&mut self, device: usize, mask: i32, axes: &[f64]) -> String {
        let mask = u32::try_from(mask).ok();
        json(&self.session.as_mut().map(|session| session.pad(device, mask, axes)).unwrap_or_default())
    }

    /// Shows a position of the timeline. Time stands still from then on.
    pub fn show(&mut self, position: f64) {
        if let Some(session) = &mut self.session {
            session.bench.show_position(position.max(0.0) as u64);
        }
    }

    /// The tuning panel as JSON, with the rows that a search finds.
    pub fn panel(&mut self, search: &str) -> String {
        self.session.as_mut().map_or_else(|| "null".into(), |session| session.panel(search))
    }

    /// Changes a number of the panel; not a number drops the edit.
    pub fn tune(&mut self, path: &str, value: f64, continues: bool, dragged: bool) {
        if let Some(session) = &mut self.session {
            let value = Some(value).filter(|value| !value.is_nan());
            session.tune(path, value, continues, dragged);
        }
    }

    /// A button of the panel: `undo`, `redo`, `reset`, `swap`, `copy`, `kind` or `model`.
    pub fn panel_button(&mut self, button: &str) {
        if let Some(session) = &mut self.session {
            session.panel_button(button);
        }
    }

    /// Keeps a number of the panel although its file has another one by now.
    pub fn keep_mine(&mut self, path: &str) {
        if let Some(session) = &mut self.session {
            session.keep_mine(path);
        }
    }

    /// Writes the numbers of the panel into the files. Returns JSON: the `files` that were changed, and what is `wrong`. They
    /// take effect with the next [`save`](Self::save).
    pub fn save_numbers(&mut self) -> String {
        let saved = self.session.as_mut().map(|session| session.save_numbers(&mut self.files));
        json(&saved)
    }

    /// The world at the shown tick, as JSON.
    pub fn saved_world(&self) -> String {
        self.session
            .as_ref()
            .map_or_else(String::new, |session| json(session.bench.live().world()))
    }

    /// Continues with a saved world of this level. Returns why it cannot be used; empty if it can.
    pub fn restore(&mut self, world: &str) -> String {
        let Some(session) = &mut self.session else {
            return "no level is open".into();
        };
        session.restore(world, clock()).err().unwrap_or_default()
    }

    /// The last seconds before the shown tick, to share them, as JSON; empty if no level is open. With an edit of the files in
    /// them, `after` is not null.
    pub fn moment(&self) -> String {
        self.session.as_ref().map_or_else(String::new, moment::shared)
    }

    /// Plays a moment that was shared, up to its edit. Returns why it cannot be played; empty if it can.
    pub fn begin_moment(&mut self, moment: &str) -> String {
        let session = self.session.as_mut().ok_or_else(|| "no level is open".into());
        session
            .and_then(|session| moment::begin(session, moment, clock()))
            .err()
            .unwrap_or_default()
    }

    /// Plays the rest of it, and stops there.
    pub fn end_moment(&mut self, moment: &str) -> String {
        let session = self.session.as_mut().ok_or_else(|| "no level is open".into());
        session
            .and_then(|session| moment::end(session, moment, clock()))
            .err()
            .unwrap_or_default()
    }

    /// Plays a level without a picture, with its demo as `hangtime run` does. Returns the hash of the last tick, or the
    /// message of an error, which has spaces.
    pub fn run(&self, level: &str, ticks: u32) -> String {
        match self.files.run(level, u64::from(ticks)) {
            Ok(hash) => format!("{hash:016x}"),
            Err(error) => format!("error: {error}"),
        }
    }
}
