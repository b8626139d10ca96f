//! What was played as files: an input file, or a test that plays it and expects where an entity ends.

use super::*;
use hangtime_core::sim::MOST_PLAYERS;
use hangtime_game::{
    GameFolder,
    files::{InputScript, NumberedFile, OutputKind, write_new},
    recording::text_of,
};
use hangtime_script::SourceFile;
use std::fmt::Write as _;

/// How far from where it was an entity may end, px, where a test expects it.
const NEAR: f64 = 1.0;

/// The highest number in the name of a test.
const MOST_TESTS: u32 = 9_999;

/// How often a game that is played again looks whether it still has to be, ticks.
const CHECKED: u64 = 512;

/// A run of the level from its start, to be played again from files.
struct SavedRun {
    /// The files as they are.
    revision: Arc<Revision>,
    seed: u64,
    tape: InputTape,
    /// The end of the run as it was played.
    played: Excerpt,
    picked: Option<PickedEntity>,
    /// The tick at which the marked stretch begins.
    mark: Option<u64>,
}

/// How a run ends if it is played from the files.
struct SavedEnd {
    hash: u64,
    /// The hash at the end of the run as it was played.
    played: u64,
    /// Where the picked entity is, px.
    at: Option<DVec2>,
}

/// What the log says: lines, and why something could not be done.
type SavedLines = Vec<Result<String, String>>;

impl Workbench {
    /// Saves the input from the start of the level as a file: up to mark B, or else up to the shown tick.
    pub(super) fn save_input(&mut self) {
        let folder = self.outputs.folder().to_path_buf();
        self.save_run_as("input", move |run, end| run.save_input(end, &folder));
    }

    /// The same, with a test that expects where the picked entity ends.
    pub(super) fn save_test(&mut self, folder: &GameFolder) {
        let folder = folder.clone();
        self.save_run_as("test", move |run, end| run.save_test(end, &folder));
    }

    fn save_run_as(&mut self, what: &str, save: impl FnOnce(&SavedRun, &SavedEnd) -> SavedLines + Send + 'static) {
        if self.strip.is_saving() {
            return self.note("the last file is not finished yet");
        }
        let run = match self.run_from_start() {
            Ok(run) => run,
            Err(why) => return self.note(why),
        };
        let job = BackgroundJob::start_awaited(what, move |post, canceled| {
            let lines = run.play(canceled).map(|end| save(&run, &end));
            // The window may have been closed.
            let _ = post.send(lines.unwrap_or_else(|why| vec![Err(why)]));
        });
        match job {
            Ok(job) => {
                self.strip.saving = Some(job);
                self.note(format!("saving the {what}"));
            }
            Err(error) => self.warn(&format!("cannot save the {what}: {error}")),
        }
    }

    /// The run that is saved.
    ///
    /// # Errors
    /// Why there is none that begins with the level.
    fn run_from_start(&self) -> Result<SavedRun, &'static str> {
        let line = &self.line;
        let marked = self.comparison.marked_at();
        let end = marked.map_or(line.at(), |marked| marked.end);
        let start = line.timeline.continuous_from(end);
        let fresh = line
            .timeline
            .keyframe_before(start, 0)
            .filter(|(at, world, _)| *at == start && world.ticks() == 0);
        let Some((_, world, _)) = fresh else {
            return Err(
                "an input file begins where the level begins, and this run does not, or its start is no longer kept; \
                        save it as a recording instead",
            );
        };
        if end == start {
            return Err("nothing has been played since the level began");
        }
        let played = Excerpt::within_chapter(&line.timeline, end..end).ok_or("this run is no longer kept")?;
        let revision = self.files_revision().clone();
        let mut tape = line.known_inputs(start..end);
        let (from, to) = (&line.latest().stage.actions, &revision.stage.actions);
        if from != to {
            let mut translated = InputTape::default();
            for (ticks, inputs) in tape.runs_in(0..tape.len()) {
                let mut inputs = inputs.clone();
                inputs.translate(from, to);
                translated.extend(ticks.end, &inputs);
            }
            tape = translated;
        }
        let mark = marked.map(|marked| marked.start.saturating_sub(start));
        Ok(SavedRun { revision, seed: world.seed(), tape, played, picked: line.picked().cloned(), mark })
    }
}

impl SavedRun {
    /// Plays the text of the input from the files, as `hangtime run` does.
    fn play(&self, canceled: &AtomicBool) -> Result<SavedEnd, String> {
        let stage = &self.revision.stage;
        let file = SourceFile { name: "the input".into(), text: self.lines()? };
        let script = InputScript::parse_with(&Arc::new(file), &stage.actions);
        let script = script.map_err(|error| render_all(&error.diagnostics(), false))?;
        let track = script.track_in(stage);
        let mut live = Live::new(self.revision.clone(), self.seed);
        for tick in 0..track.length() {
            if tick % CHECKED == 0 && canceled.load(Ordering::Relaxed) {
                return Err("the window was closed".into());
            }
            live.step(&track.at(tick));
        }
        let world = live.world();
        let picked = self.picked.as_ref().and_then(|picked| picked.index_in(world));
        let at = picked.map(|index| world.body(&world.entities()[index]).pos);
        Ok(SavedEnd { hash: world.hash(), played: self.played.start().world().hash(), at })
    }

    /// The lines of input, one for each run of equal inputs.
    fn lines(&self) -> Result<String, String> {
        let mut text = String::new();
        let mut before = Inputs::none();
        let mut last: Option<(u64, String)> = None;
        let end_run = |text: &mut String, run: Option<(u64, String)>| {
            if let Some((ticks, items)) = run {
                let space = if items.is_empty() { "" } else { " " };
                let _ = writeln!(text, "{ticks}{space}{items}");
            }
        };
        for (ticks, inputs) in self.tape.runs_in(0..self.tape.len()) {
            // From its second tick on, what is pressed in a run was down in the tick before.
            let mut bounds: Vec<u64> = self.mark.into_iter().chain([ticks.start, ticks.start + 1, ticks.end]).collect();
            bounds.retain(|bound| (ticks.start..=ticks.end).contains(bound));
            bounds.sort_unstable();
            bounds.dedup();
            for part in bounds.windows(2) {
                let (from, length) = (part[0], part[1] - part[0]);
                let items = self.items(inputs, &before)?;
                before = inputs.clone();
                if self.mark == Some(from) {
                    end_run(&mut text, last.take());
                    text += "# mark A\n";
                }
                match &mut last {
                    Some((count, same)) if *same == items => *count += length,
                    _ => end_run(&mut text, last.replace((length, items))),
                }
            }
        }
        end_run(&mut text, last);
        Ok(text)
    }

    /// The items of a tick, without presses that follow from what was held in the tick before it.
    fn items(&self, inputs: &Inputs, before: &Inputs) -> Result<String, String> {
        let mut shown = inputs.clone();
        for player in 1..=MOST_PLAYERS {
            let (now, last) = (inputs.player(player), before.player(player));
            let was = last.held.or(last.pressed);
            let plain = now.pressed.and(now.held).without(was);
            if plain != Actions::NONE {
                let input = shown.player_mut(player);
                input.pressed = now.pressed.without(plain);
            }
            if now.stick.abs().max_element() > 1.0 {
                return Err("input files cannot have a stick that is pushed farther than 1".into());
            }
        }
        let actions = &self.revision.stage.actions;
        let text = text_of(&shown);
        // The game's own actions have the names that it gives them.
        let named = text.split(' ').map(|word| {
            let bare = word.rsplit(['.', '!']).next().unwrap_or_default();
            match Action::parse(bare) {
                Some(own @ Action::Own(_)) => word.replace(bare, actions.name_of(own)),
                _ => word.to_string(),
            }
        });
        Ok(named.collect::<Vec<_>>().join(" "))
    }

    /// What is at the start of both files.
    fn about(&self, end: &SavedEnd) -> String {
        let ticks = self.tape.len();
        let place = match (&self.picked, end.at) {
            (Some(picked), Some(at)) => {
                format!("{} ends at {:.2}, {:.2} after", printable_name(&picked.name), at.x, at.y)
            }
            _ => "It has".into(),
        };
        format!("{place} {ticks} ticks, with the hash {:016x}.", end.hash)
    }

    /// What has to be said if the files play otherwise than it was played.
    fn difference(&self, end: &SavedEnd) -> Option<Result<String, String>> {
        (end.hash != end.played).then(|| {
            let why = "the files play this input otherwise than it was played: they were edited on the way, or numbers of the panel \
                       are not saved";
            Err(why.to_string())
        })
    }

    fn save_input(&self, end: &SavedEnd, folder: &Path) -> SavedLines {
        let stage = &self.revision.stage;
        let level = &*stage.level.name;
        let plain = |text: &str| !text.contains(['#', '\n', '\r']);
        let mut text = format!("# {}\n", self.about(end));
        if plain(level) && !level.contains(char::is_whitespace) {
            let _ = writeln!(text, "level {level}");
        }
        if self.seed != 0 {
            let _ = writeln!(text, "seed {}", self.seed);
        }
        for (key, value) in &self.revision.settings {
            if !plain(key) || !plain(value) {
                return vec![Err(format!("input files cannot have the setting `{key}`"))];
            }
            let _ = writeln!(text, "set {key}={value}");
        }
        let lines = match self.lines() {
            Ok(lines) => lines,
            Err(why) => return vec![Err(why)],
        };
        let _ = write!(text, "\n{lines}");
        let stem = stem_of(level);
        let written = NumberedFile::create(folder, &stem, OutputKind::Input).and_then(|(output, mut file)| {
            let wrote = file.write_all(text.as_bytes()).and_then(|()| file.flush());
            wrote.map_err(|source| hangtime_game::Error::Write { file: stem.clone(), source })?;
            drop(file);
            output.complete()
        });
        match written {
            Ok(path) => {
                let path = path.display();
                let saved =
                    format!("saved {path}: `hangtime run {level} --input {path}` plays its {} ticks", self.tape.len());
                [Ok(saved)].into_iter().chain(self.difference(end)).collect()
            }
            Err(error) => vec![Err(error.to_string())],
        }
    }

    fn save_test(&self, end: &SavedEnd, folder: &GameFolder) -> SavedLines {
        let (Some(picked), Some(at)) = (&self.picked, end.at) else {
            return vec![Err(
                "a test expects where the picked entity ends, and there is none at the end of this run".into()
            )];
        };
        let lines = match self.lines() {
            Ok(lines) => lines,
            Err(why) => return vec![Err(why)],
        };
        let level = &*self.revision.stage.level.name;
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        let stem: String = stem_of(level).chars().take(60).map(plain).collect();
        let tests = folder.path().join("levels/tests");
        let file = |number: u32, ending: &str| tests.join(format!("{stem}_run_{number}.{ending}"));
        let endings = ["input", "rhai", "luau", "trace", "toml"];
        let is_free = |number: &u32| endings.iter().all(|ending| file(*number, ending).symlink_metadata().is_err());
        let Some(number) = (1..=MOST_TESTS).find(is_free) else {
            return vec![Err(format!("there are {MOST_TESTS} tests of this name"))];
        };
        let name = format!("{stem}_run_{number}");
        let about = self.about(end);
        let input = format!("# {about}\n# {name}.rhai plays it.\n\n{lines}");
        let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
        let mut settings: Vec<String> = (self.seed != 0).then(|| format!("seed: {}", self.seed)).into_iter().collect();
        settings.extend(self.revision.settings.iter().map(|(key, value)| {
            let is_bare = value.parse::<f64>().is_ok() || value == "true" || value == "false";
            format!("{}: {}", quoted(key), if is_bare { value.clone() } else { quoted(value) })
        }));
        let settings = if settings.is_empty() {
            String::new()
        } else {
            format!(", #{{ {} }}", settings.join(", "))
        };
        let (level, entity) = (quoted(level), quoted(&picked.name));
        let test = format!(
            "// {about}\nfn test_{name}() {{\n    let t = play({level}{settings});\n    t.input(\"{name}.input\");\n    let picked = \
             t.entity({entity});\n    expect(picked.x).near({:?}, {NEAR:?});\n    expect(picked.y).near({:?}, {NEAR:?});\n}}\n",
            at.x, at.y
        );
        for (ending, text) in [("input", &input), ("rhai", &test)] {
            if let Err(error) = write_new(folder, &file(number, ending), text) {
                return vec![Err(error.to_string())];
            }
        }
        let saved = format!("saved levels/tests/{name}.rhai: `hangtime test levels/tests/{name}.rhai` runs it");
        [Ok(saved)].into_iter().chain(self.difference(end)).collect()
    }
}

/// What files about a level are called.
fn stem_of(level: &str) -> String {
    let stem = Path::new(level).file_stem();
    stem.map_or_else(|| "run".into(), |stem| stem.to_string_lossy().into_owned())
}
