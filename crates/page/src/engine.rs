//! Carrying out what the page asks for.

use super::*;
use hangtime_editor::{completions, hover};
use serde_json::Value;

/// The most ticks that a call makes at once.
const MOST_TICKS: u64 = 100_000;

/// A game and the level of it that is played.
pub struct PageEngine {
    host: Box<dyn PageHost>,
    files: GameFiles,
    session: Option<PageSession>,
    watched: Option<WatchedView>,
    /// The level to open once the files allow it.
    wanted: String,
    canvas: Option<Pixmap>,
    heard: HeardNumbers,
    /// What the page itself has to do since the last frame.
    effects: Vec<&'static str>,
    /// Why files could not be written since the last save.
    unwritten: Vec<FileMessage>,
}

/// What opening a level has led to.
#[derive(Serialize)]
struct OpenedLevel {
    ok: bool,
    messages: Vec<FileMessage>,
}

/// What starting has led to.
#[derive(Serialize)]
struct StartedGame {
    /// The files of the host's game, if the page has brought none.
    files: Option<Vec<(String, Blob)>>,
    level: String,
    #[serde(flatten)]
    opened: OpenedLevel,
    facts: Option<LevelFacts>,
    /// Why the world or the moment is not the one that was asked for; empty if it is.
    lost: String,
    hash: String,
}

/// What the running level has.
#[derive(Serialize)]
struct LevelFacts {
    keys: GameKeys,
    /// Those to choose from, and all others.
    levels: [Vec<String>; 2],
    /// The files that it uses.
    used: Vec<String>,
    /// The size of the picture that the game asks for.
    width: u32,
    height: u32,
}

/// What there is to show.
#[derive(Serialize)]
struct ShownFrame<'s> {
    /// RGBA, row by row from the top; none if the picture is the same.
    pixels: Option<Blob>,
    width: u32,
    height: u32,
    state: Option<GameState<'s>>,
    effects: Vec<&'static str>,
    /// JSON, which the page compares with the last one before it reads it.
    panel: Option<String>,
    heard: HeardFrame,
    sounds: Vec<SoundSamples>,
    /// How long ticks and painting took, ms.
    took: f64,
    saved: Option<SavedElsewhere>,
}

/// Files that were saved by somebody else, and the messages about the game since then.
#[derive(Serialize)]
struct SavedElsewhere {
    files: Vec<(String, Option<Blob>)>,
    messages: Vec<FileMessage>,
}

impl PageEngine {
    /// An engine without a game.
    pub fn new(host: Box<dyn PageHost>) -> Self {
        Self {
            host,
            files: GameFiles::default(),
            session: None,
            watched: None,
            wanted: String::new(),
            canvas: None,
            heard: HeardNumbers::default(),
            effects: Vec::new(),
            unwritten: Vec::new(),
        }
    }

    /// Carries out a message of the page. Returns the answer: its `id`, and the `value` of the last call, or the `error` of
    /// the first call that there is not.
    pub fn handle(&mut self, message: &[u8]) -> Vec<u8> {
        let mut blobs = Blobs::default();
        let request = match PageRequest::read(message) {
            Ok(request) => request,
            Err(error) => return Self::refusal(&error),
        };
        let mut value = Ok("null".to_string());
        for (name, values) in &request.calls {
            value = self.call(name, &request.arguments(values), &mut blobs);
            if value.is_err() {
                break;
            }
        }
        let id = request.id;
        let text = match value {
            Ok(value) => format!(r#"{{"id":{id},"value":{value}}}"#),
            Err(error) => format!(r#"{{"id":{id},"error":{}}}"#, json(&error)),
        };
        blobs.after(&text)
    }

    /// The answer to a message that is not carried out.
    pub fn refusal(why: &str) -> Vec<u8> {
        Blobs::default().after(&format!(r#"{{"id":0,"error":{}}}"#, json(&why)))
    }

    /// Carries out a call. Returns its value as JSON.
    fn call(&mut self, name: &str, with: &CallArguments<'_>, blobs: &mut Blobs) -> Result<String, String> {
        match name {
            "start" => return Ok(json(&self.start(with, blobs))),
            "frame" => return Ok(self.frame(with.value(0).as_str(), blobs)),
            "facts" => return Ok(json(&self.facts())),
            "open" => return Ok(json(&self.open(with.text(0)))),
            "read" => return Ok(json(&self.files.0.get(with.text(0)).map(|file| blobs.add(file)))),
            "write" => {
                let (path, bytes) = (with.text(0), with.bytes(1));
                let refused = self.write(path, bytes).err();
                self.unwritten.extend(refused.map(|why| FileMessage::about(path, why)));
            }
            "save" => {
                let mut found = std::mem::take(&mut self.unwritten);
                found.extend(self.save());
                return Ok(json(&found));
            }
            "save_numbers" => {
                let session = self.session.as_mut();
                return Ok(json(&session.map(|session| session.save_numbers(&mut self.files, &mut *self.host))));
            }
            "check" => return Ok(json(&self.files.check(with.text(0)))),
            "complete" => return Ok(json(&self.at_cursor(with, completions))),
            "hover" => return Ok(json(&self.at_cursor(with, hover).flatten())),
            "resize" => self.resize(with.count(0), with.count(1)),
            "worlds" => return Ok(json(&self.host.worlds())),
            "watch" => {
                let number = with.count(0);
                self.watched = self.host.world(number).map(|live| WatchedView::new(number, live));
                self.rest();
                return Ok(json(&self.watched.is_some()));
            }
            "run" => {
                return Ok(json(&match self.files.run(with.text(0), with.count(1).min(MOST_TICKS)) {
                    Ok(hash) => format!("{hash:016x}"),
                    Err(error) => format!("error: {error}"),
                }));
            }
            _ => {
                return match &mut self.session {
                    Some(session) => in_session(session, name, with, &*self.host, &mut self.effects),
                    None => Ok("null".into()),
                };
            }
        }
        Ok("null".into())
    }

    /// What `find` finds at a byte of a file that has this text.
    fn at_cursor<R>(
        &self,
        with: &CallArguments<'_>,
        find: impl FnOnce(&hangtime_editor::EditedFile<'_>) -> R,
    ) -> Option<R> {
        self.files.at_cursor(with.text(0), with.text(1), with.count(2) as usize, find)
    }

    /// Begins with files of the page or, without them, with the host's; in a saved world of the level, or at a moment that
    /// was shared.
    fn start(&mut self, with: &CallArguments<'_>, blobs: &mut Blobs) -> StartedGame {
        let (files, level, world, moment) = (with.value(0), with.text(1), with.text(2), with.value(3));
        let mut lost = String::new();
        let own = files.is_null().then(|| self.host.files().map(GameFiles));
        match own {
            Some(Ok(own)) => self.files = own,
            Some(Err(error)) => lost = error.to_string(),
            None => {
                self.files = GameFiles::default();
                lost = self.write_all(with, files);
            }
        }
        let known = files.is_null().then(|| self.files.0.iter());
        let files = known.map(|all| all.map(|(path, file)| (path.clone(), blobs.add(file))).collect());
        let level = if level.is_empty() { self.files.usual_level() } else { level.into() };
        let mut opened = self.open(&level);
        let now = self.host.now();
        if let (true, Some(session)) = (opened.ok, &mut self.session) {
            if !world.is_empty() {
                lost = session.restore(world, now).err().unwrap_or_default();
            }
            let played = moment.get("played").and_then(Value::as_str);
            if let Some(played) = played {
                let mut replay = moment::begin(session, played, now);
                let edit = &moment["edit"];
                if edit.as_array().is_some_and(|edit| !edit.is_empty()) {
                    lost = self.write_all(with, edit);
                    opened.messages = self.save();
                }
                if let (Ok(()), Some(session)) = (&replay, &mut self.session) {
                    replay = moment::end(session, played, now);
                }
                if let Err(why) = replay {
                    lost = why;
                }
            }
        }
        StartedGame { files, level, opened, facts: self.facts(), lost, hash: self.hash() }
    }

    /// Writes and removes files. Returns why that is not possible.
    fn write_all(&mut self, with: &CallArguments<'_>, files: &Value) -> String {
        let mut written = with.files(files).map(|(path, bytes)| self.write(path, bytes));
        written.find_map(Result::err).unwrap_or_default()
    }

    /// Writes or removes a file. It takes effect with the next save, or when a level is opened.
    fn write(&mut self, path: &str, bytes: Option<&[u8]>) -> Result<(), String> {
        if self.files.0.get(path).map(Vec::as_slice) == bytes {
            return Ok(());
        }
        self.host.keep(path, bytes)?;
        match bytes {
            Some(bytes) => self.files.0.insert(path.into(), bytes.into()),
            None => self.files.0.remove(path),
        };
        Ok(())
    }

    /// Opens a level and begins it. If its files have errors, the level that was played before continues.
    fn open(&mut self, level: &str) -> OpenedLevel {
        self.wanted = level.into();
        self.watched = None;
        match self.files.open(level) {
            Ok((path, revision)) => {
                let found = messages(&revision.warnings);
                let (folder, revision, now) = (self.files.folder(), Arc::new(revision), self.host.now());
                match &mut self.session {
                    Some(session) => session.begin(folder, path, Live::new(revision, 0), now),
                    None => self.session = Some(PageSession::new(folder, path, revision, now)),
                }
                self.fit();
                OpenedLevel { ok: true, messages: found }
            }
            Err(error) => OpenedLevel { ok: false, messages: messages(&error.diagnostics()) },
        }
    }

    /// Lets the files take effect in the running level, with its state kept. With errors, the last good revision plays on.
    /// If no level could be opened so far, this tries again.
    fn save(&mut self) -> Vec<FileMessage> {
        let folder = self.files.folder();
        match &mut self.session {
            Some(session) => session.save(folder, &*self.host),
            None => self.open(&self.wanted.clone()).messages,
        }
    }

    fn facts(&self) -> Option<LevelFacts> {
        let session = self.session.as_ref()?;
        let revision = session.bench.revision();
        let window = &revision.config.window;
        Some(LevelFacts {
            keys: GameKeys::of(revision),
            levels: self.files.levels(),
            used: session.bench.files_revision().files.keys().cloned().collect(),
            width: window.width,
            height: window.height,
        })
    }

    fn resize(&mut self, width: u64, height: u64) {
        let [width, height] = [width, height].map(|size| size.clamp(1, 4096) as u32);
        if let Some(canvas) = Pixmap::new(width, height) {
            self.canvas = Some(canvas);
        }
        self.fit();
    }

    fn fit(&mut self) {
        let Some(session) = &mut self.session else { return };
        if self.canvas.is_none() {
            let window = &session.bench.revision().config.window;
            self.canvas = Pixmap::new(window.width, window.height);
        }
        if let Some(canvas) = &self.canvas {
            session.resize((canvas.width(), canvas.height()));
        }
    }

    fn rest(&mut self) {
        if let Some(session) = &mut self.session {
            session.rest(self.host.now());
        }
    }

    /// The hash of the shown tick, as hexadecimal digits.
    fn hash(&self) -> String {
        let world = self.session.as_ref().map(|session| session.bench.live().world().hash());
        world.map_or_else(String::new, |hash| format!("{hash:016x}"))
    }

    /// Takes over files that were saved by somebody else.
    fn take_saved(&mut self, blobs: &mut Blobs) -> Option<SavedElsewhere> {
        if !self.host.has_saved_files() {
            return None;
        }
        // A file that cannot be read is being saved: that is noticed again.
        let files = GameFiles(self.host.files().ok()?);
        let changed = self.files.changes(&files).into_iter();
        let changed: Vec<_> = changed.map(|(path, file)| (path, file.map(|file| blobs.add(file)))).collect();
        if changed.is_empty() {
            return None;
        }
        self.files = files;
        Some(SavedElsewhere { files: changed, messages: self.save() })
    }

    /// Makes the ticks that are due and paints.
    fn frame(&mut self, search: Option<&str>, blobs: &mut Blobs) -> String {
        let saved = self.take_saved(blobs);
        let began = self.host.now();
        let mut painted = false;
        if let Some(watched) = &mut self.watched {
            match (self.host.world(watched.number), &mut self.canvas) {
                (Some(live), Some(canvas)) => {
                    watched.paint(live, canvas, began);
                    painted = true;
                }
                _ => {
                    self.watched = None;
                    self.effects.push("watched_world_ended");
                    self.rest();
                }
            }
        } else if let (Some(session), Some(canvas)) = (&mut self.session, &mut self.canvas) {
            painted = session.play(began, canvas);
        }
        let took = (self.host.now() - began) * 1000.0;
        let canvas = self.canvas.as_ref();
        let pixels = canvas.filter(|_| painted).map(|canvas| blobs.add(canvas.data()));
        let (width, height) = canvas.map_or((0, 0), |canvas| (canvas.width(), canvas.height()));
        let session = self.session.as_mut();
        let heard = session.map(|session| self.heard.hear(session)).unwrap_or_default();
        let sounds = self.heard.learn(blobs);
        let panel = search.and_then(|search| Some(self.session.as_mut()?.panel(search)));
        let state = match (&self.watched, &self.session) {
            (Some(watched), _) => Some(watched.state()),
            (None, session) => session.as_ref().map(GameState::of),
        };
        let effects = std::mem::take(&mut self.effects);
        json(&ShownFrame { pixels, width, height, state, effects, panel, heard, sounds, took, saved })
    }
}

/// Carries out a call that is for the running level.
fn in_session(
    session: &mut PageSession,
    name: &str,
    with: &CallArguments<'_>,
    host: &dyn PageHost,
    effects: &mut Vec<&'static str>,
) -> Result<String, String> {
    match name {
        // Keys and buttons of the mouse have their names in `[keys]`.
        "press" => effects.extend(session.press(with.text(0))),
        "release" => session.release(with.text(0)),
        "release_all" => session.release_all(),
        // A button of the page does what a key with this name in `[keys]` does, such as `pause`.
        "act" => {
            let key = WindowKey::all().find(|key| key.name() == with.text(0));
            effects.extend(key.and_then(|key| session.act(key)));
        }
        "close_page" => _ = session.close_page(),
        "keyboard" => session.bench.use_keyboard(with.flag(0)),
        "editor" => session.bench.use_editor(with.flag(0)),
        "point" => {
            let at = (with.number(0), with.number(1));
            session.point(Some(at).filter(|(x, y)| x.is_finite() && y.is_finite()), host.now());
        }
        "leave" => session.point(None, host.now()),
        // More than this is beyond all zooms, or is not a number.
        "zoom" => session.zoom(Some(with.number(0)).filter(|steps| steps.abs() < 100.0).unwrap_or_default()),
        "pad" => {
            let axes: Vec<f64> = (2..6).map(|at| with.number(at)).collect();
            effects.extend(session.pad(with.count(0) as usize, with.value(1).as_u64().map(|mask| mask as u32), &axes));
        }
        // Shows a position of the timeline. Time stands still from then on.
        "show" => session.bench.show_position(with.number(0).max(0.0) as u64),
        // Not a number drops the edit.
        "tune" => {
            let value = Some(with.number(1)).filter(|value| !value.is_nan());
            session.tune(with.text(0), value, with.flag(2), with.flag(3));
        }
        "panel_button" => session.panel_button(with.text(0)),
        "keep_mine" => session.keep_mine(with.text(0)),
        // The page was not seen until now.
        "rest" => session.rest(host.now()),
        // Makes frames at once, as if their time had passed.
        "frames" => {
            let (from, hz) = (session.frame.at, f64::from(session.bench.revision().stage.hz));
            for frame in 1..=with.count(0).min(MOST_TICKS) {
                session.tick(from + frame as f64 / hz);
            }
            session.rest(host.now());
        }
        "hash" => return Ok(json(&format!("{:016x}", session.bench.live().world().hash()))),
        "state" => return Ok(json(&GameState::of(session))),
        // Texts: their numbers are larger than those of JavaScript.
        "saved_world" => return Ok(json(&json(session.bench.live().world()))),
        "moment" => return Ok(json(&moment::shared(session))),
        _ => return Err(format!("the engine has no call `{name}`")),
    }
    Ok("null".into())
}
