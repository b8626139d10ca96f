//! The files of a game, in memory.

use super::*;
use hangtime_editor::EditedFile;
use hangtime_game::{GameCheck, MemoryFiles, OtherLevels};
use hangtime_play::calls::calls_of_tests;
use hangtime_script::{Diagnostic, fixes};

/// The folder that the files are in. Messages do not show it.
const ROOT: &str = "game";

/// The files of a game, by their paths below its folder.
#[derive(Default, PartialEq)]
pub struct GameFiles(pub BTreeMap<String, Vec<u8>>);

/// An error or a warning about a file, with what would fix it.
#[derive(Serialize)]
pub struct FileMessage {
    file: String,
    /// From 1. Columns count characters; the end is the place after the last one.
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    severity: &'static str,
    message: String,
    fixes: Vec<MessageFix>,
}

/// Replaces a part of the file. The places are bytes of its text.
#[derive(Serialize)]
struct MessageFix {
    from: usize,
    to: usize,
    text: String,
}

impl FileMessage {
    /// An error about a whole file.
    pub fn about(file: &str, message: String) -> Self {
        let severity = hangtime_script::Severity::Error.name();
        let [line, column, end_line, end_column] = [1; 4];
        Self { file: file.into(), line, column, end_line, end_column, severity, message, fixes: Vec::new() }
    }

    fn of(diagnostic: &Diagnostic) -> Self {
        let place = diagnostic.place.as_ref();
        let (line, column) = place.map_or((1, 1), |place| place.position());
        let (end_line, end_column) = place.map_or((1, 1), |place| place.end_position());
        let found = place.map(|place| fixes(&place.file.text, place.span.clone(), &diagnostic.message));
        let found = found.unwrap_or_default().into_iter();
        Self {
            file: diagnostic.file_name().into(),
            line,
            column,
            end_line,
            end_column,
            severity: diagnostic.severity.name(),
            message: diagnostic.message.clone(),
            fixes: found
                .map(|fix| MessageFix { from: fix.span.start, to: fix.span.end, text: fix.text })
                .collect(),
        }
    }
}

/// The messages for the page.
pub fn messages(diagnostics: &[Diagnostic]) -> Vec<FileMessage> {
    diagnostics.iter().map(FileMessage::of).collect()
}

impl GameFiles {
    /// What differs in other files: their bytes, or none where there is no such file.
    pub fn changes<'f>(&self, other: &'f Self) -> Vec<(String, Option<&'f [u8]>)> {
        let paths: BTreeSet<&String> = self.0.keys().chain(other.0.keys()).collect();
        let changed = paths.into_iter().filter(|path| self.0.get(*path) != other.0.get(*path));
        changed.map(|path| (path.clone(), other.0.get(path).map(Vec::as_slice))).collect()
    }

    /// The game folder with the files as they are now.
    pub fn folder(&self) -> GameFolder {
        let files = self.0.iter().map(|(path, bytes)| (Path::new(ROOT).join(path), bytes.clone()));
        GameFolder::of_files(ROOT, Arc::new(MemoryFiles::new(files)))
    }

    /// Opens a level: its path and revision.
    ///
    /// # Errors
    /// What is wrong with its files.
    pub fn open(&self, level: &str) -> Result<(PathBuf, Revision), Error> {
        let project = Project::load(self.folder())?;
        let path = project.find_level(level)?;
        let revision = project.open(&path, &[])?;
        Ok((path, revision))
    }

    /// The level that is played unless another one is named; empty if there is none.
    pub fn usual_level(&self) -> String {
        let [levels, _] = self.levels();
        let playground = levels.iter().find(|level| *level == "levels/playground.toml");
        playground.or(levels.first()).cloned().unwrap_or_default()
    }

    /// The levels, by their paths below the game folder: those that can be chosen, and then all others, such as test levels.
    pub fn levels(&self) -> [Vec<String>; 2] {
        let Ok(project) = Project::load(self.folder()) else {
            return Default::default();
        };
        let names = |paths: Vec<PathBuf>| -> Vec<String> {
            let below = |path: PathBuf| Some(path.strip_prefix(ROOT).ok()?.to_string_lossy().into_owned());
            paths.into_iter().filter_map(below).collect()
        };
        let chosen = names(project.levels());
        let mut others = names(project.all_levels());
        others.retain(|level| !chosen.contains(level));
        [chosen, others]
    }

    /// Errors and warnings about one file, as `hangtime check` finds them.
    pub fn check(&self, file: &str) -> Vec<FileMessage> {
        let folder = self.folder();
        let check = GameCheck::new(&folder, &calls_of_tests());
        let mut found = check.check_saved(&Path::new(ROOT).join(file));
        found.retain(|wrong| wrong.file_name() == file);
        messages(&found)
    }

    /// What `find` finds at a byte of a file that has this text; nothing if a character is cut there.
    pub fn at_cursor<R>(
        &self,
        file: &str,
        text: &str,
        at: usize,
        find: impl FnOnce(&EditedFile<'_>) -> R,
    ) -> Option<R> {
        let (folder, path) = (self.folder(), Path::new(ROOT).join(file));
        let game = GameCheck::new(&folder, &calls_of_tests());
        let open = BTreeMap::from([(path.clone(), text.to_string())]);
        text.is_char_boundary(at)
            .then(|| find(&EditedFile { offset: at, ..EditedFile::new(&path, text, &game, &open) }))
    }

    /// Plays a level without a picture, with its demo as `hangtime run` does. Returns the hash of the last tick.
    pub fn run(&self, level: &str, ticks: u64) -> Result<u64, Error> {
        let project = Project::load(self.folder())?;
        let path = project.find_level(level)?;
        let mut revision = project.open(&path, &[])?;
        if let Some(demo) = revision.demo.as_ref().filter(|demo| !demo.settings.is_empty()) {
            let settings = demo.settings.clone();
            revision = project.open(&path, &settings)?;
        }
        let demo = revision.demo.clone();
        let seed = demo.as_ref().and_then(|demo| demo.seed).unwrap_or(0);
        let others = OtherLevels::of_game(project.folder().clone(), revision.settings.clone());
        let mut live = Live::new(Arc::new(revision), seed);
        live.use_levels(Some(Arc::new(others)));
        let track = demo.map(|demo| demo.track_in(&live.revision().stage)).unwrap_or_default();
        for tick in 0..ticks {
            live.step(&track.at(tick));
        }
        Ok(live.world().hash())
    }
}
