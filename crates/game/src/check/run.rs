//! The check of a game folder or of single files.

use super::{
    actions::unused_actions,
    boxes::formerly_round,
    contracts::check_contracts,
    file_kind::{check_table, is_foreign_medium, unread},
    input_header::check_header,
    known::collect_names,
    unread::unread_folders,
    unused::unused_models,
    variables::Seen,
    *,
};
use crate::{
    Error, Project,
    files::{
        LeftOutMod,
        disk::{endings::CONFIG, walk::FileWalk},
        find,
        media::sounds::Sounds,
        mods::MANIFEST,
        sources::{
            imports::imported_files,
            level_names::{LEVEL_ENDINGS, each_level, lowest_level},
            pictures::Sheets,
        },
    },
};
use hangtime_core::models::OwnActions;
use hangtime_script::{Behavior, Execution, Inspectors, Limits, ScriptRole, Scripts, calls::ForeignCalls};

/// The result of a check.
#[derive(Debug, Default)]
pub struct CheckReport {
    /// Errors, then warnings, each sorted by file and place. If there are more than a hundred errors
    /// or warnings, the first hundred, and a message that counts the others.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of files that were checked.
    pub files: usize,
    /// What has changed for a game from before; none for others, and if only some files are checked.
    pub note: Option<String>,
}

/// The name of a generated script that imports the module to check.
const IMPORTER: &str = "(importer)";

/// The largest number of files that one check reads.
const MOST_CHECKED: usize = 10_000;

/// Checks files without running anything: those at `paths` (files, or folders with their subfolders),
/// or without any paths the whole game folder. Test scripts have the calls of `tests`.
///
/// # Errors
/// [`Error::NoSuchFile`] for the first path that does not exist. Mistakes in files are not an error
/// of the check; they are in the report.
pub fn check(folder: impl Into<GameFolder>, paths: &[String], tests: &ForeignCalls) -> Result<CheckReport, Error> {
    let folder = folder.into();
    let mut chosen: Vec<PathBuf> = Vec::new();
    let mut out = Mistakes::new();
    let others = ["input", "png", "wav", "ogg"].into_iter().chain(folder.languages().endings());
    let endings = LEVEL_ENDINGS.into_iter().chain(others);
    let endings: Vec<&str> = endings.collect();
    if paths.is_empty() {
        for root in all_roots(&folder) {
            for name in GAME_FOLDERS.into_iter().chain([PICTURES, SOUNDS]) {
                let walk = FileWalk::new(&folder, &[], &endings).below(&root.join(name));
                chosen.extend(listed(walk, &mut out));
            }
            let manifest = root.join(MANIFEST);
            if root != folder.path() && manifest.is_file() {
                chosen.push(manifest);
            }
        }
    }
    for name in paths {
        let path = find(folder.path(), name)?;
        if path.is_dir() {
            let walk = FileWalk::new(&folder, &[&path], &endings).below(&path);
            chosen.extend(listed(walk, &mut out));
        } else {
            folder.check_chosen(&path)?;
            chosen.push(path);
        }
    }
    chosen.retain(|path| !is_definitions(folder.languages(), path) && !is_foreign_medium(&folder, path));
    if let Some(path) = chosen.get(MOST_CHECKED) {
        let file = folder.name_of(path);
        let limit = MOST_CHECKED as u64;
        out.extend(Error::OverLimit { file, limit, of: "files" }.diagnostics());
        chosen.truncate(MOST_CHECKED);
    }
    let checker = GameCheck::new(&folder, tests);
    if paths.is_empty() {
        out.extend(checker.left_out.iter().flat_map(|it| it.why.clone()));
        unread_folders(&folder, &mut out);
    }
    for path in &chosen {
        if BuildProgress::is_cancelled() {
            break;
        }
        checker.check_file(path, &mut out);
    }
    if paths.is_empty() {
        checker.unused_files(&chosen, &mut out);
    }
    let note = paths.is_empty().then(|| formerly_round(&checker)).flatten();
    Ok(CheckReport { diagnostics: out.finish(), files: chosen.len(), note })
}

/// The files that were found, by their extensions.
fn listed(walk: FileWalk<'_>, out: &mut Mistakes) -> Vec<PathBuf> {
    for error in &walk.wrong {
        out.extend(error.diagnostics());
    }
    let mut files = walk.files;
    files.sort_by_key(|path| path.extension().map(std::ffi::OsStr::to_os_string));
    files
}

/// Checks files of one game, without reading the whole game for each.
pub struct GameCheck<'a> {
    pub(super) folder: &'a GameFolder,
    /// What all levels may depend on. No mod may be left out.
    pub(super) shared: SourceSet,
    /// The pictures that can be shown.
    pub(super) sheets: Sheets,
    /// The sounds that can be played.
    pub(super) sounds: Sounds,
    /// The mods that cannot be loaded.
    pub(super) left_out: Vec<LeftOutMod>,
    /// What the check of variables has read so far.
    pub(super) seen: Seen,
    /// The limits of scripts in this game.
    pub(super) limits: Limits,
    /// The actions that the game defines.
    pub(super) actions: OwnActions,
    /// Everything below `scripts/`, for imports.
    pub(super) scripts: Arc<Sources>,
    /// The scripts that other scripts import: libraries, whose functions are not hooks.
    pub(super) imported: Vec<String>,
    /// The scripts that tests import.
    pub(super) tested: Vec<String>,
    /// The names in the game's files.
    pub(super) known: GameNames,
    /// Check the bodies of functions.
    pub(super) inspectors: Inspectors,
    /// What test scripts can call.
    pub(super) test_calls: ForeignCalls,
}

impl<'a> GameCheck<'a> {
    /// Reads the names and scripts of a game folder, whose test scripts have these calls.
    pub fn new(folder: &'a GameFolder, test_calls: &ForeignCalls) -> Self {
        let mut shared = SourceSet::read_shared(folder);
        let mut left_out = shared.mods.left_out.clone();
        // Each is reported once, and not with every level.
        shared.mods.left_out.iter_mut().for_each(|it| it.why.clear());
        left_out.retain(|it| !it.why.is_empty());
        let layers = shared.mods.layers.iter();
        shared.running_mods = layers.map(|layer| layer.folder.clone()).collect();
        shared.pictures.are_checked = true;
        shared.sounds.are_checked = true;
        let sheets = shared.sheets(&mut Mistakes::new());
        let sounds = shared.decode_sounds(&mut Mistakes::new());
        let scripts = shared.scripts();
        let imports = |file: &Arc<SourceFile>| {
            let files = imported_files(file, folder.languages(), &shared.files).into_iter();
            files.map(|name| key_of(&name).to_string())
        };
        let imported = scripts.values().flat_map(imports).collect();
        let known = collect_names(folder, &shared.mods, &scripts);
        let roots = shared.mods.roots(folder).into_iter();
        let levels = roots.map(|root| root.join("levels"));
        let endings: Vec<&str> = folder.languages().endings().collect();
        let tests = levels.flat_map(|levels| list_in(folder, &levels, &endings));
        let tests = tests.filter_map(|path| read_text(folder, &path).ok());
        let tested = tests.flat_map(|file| imports(&file)).collect();
        // Mistakes in this file are reported when it is checked itself.
        let ignored = &mut Mistakes::new();
        let table = shared.layered_table(CONFIG, ignored);
        let config = Config::read(&table, ignored);
        Self {
            folder,
            shared,
            sheets,
            sounds,
            left_out,
            seen: Seen::default(),
            limits: Limits::of(&config.scripts),
            actions: config.keys.own_actions().clone(),
            inspectors: Inspectors::new(folder.languages(), &scripts, &known, test_calls),
            test_calls: test_calls.clone(),
            known,
            scripts: Arc::new(scripts),
            imported,
            tested,
        }
    }

    pub(super) fn check_file(&self, path: &Path, out: &mut Mistakes) {
        let name = self.folder.name_of(path);
        let (is_picture, is_sound) = (name.ends_with(".png"), name.ends_with(".wav") || name.ends_with(".ogg"));
        if is_picture || is_sound {
            let mut found = Mistakes::new();
            match is_picture {
                true => drop(self.shared.sheets(&mut found)),
                false => drop(self.shared.decode_sounds(&mut found)),
            }
            let wrong = found.finish().into_iter();
            out.extend(wrong.filter(|wrong| wrong.file_name() == name));
            return;
        }
        match read_text(self.folder, path) {
            Ok(file) => self.check_file_text(path, &name, &file, out),
            Err(error) => out.extend(error.diagnostics()),
        }
    }

    pub(super) fn check_file_text(&self, path: &Path, name: &str, file: &Arc<SourceFile>, out: &mut Mistakes) {
        let kind = match self.kind_of(name, file) {
            FileKind::Manifest => FileKind::Manifest,
            // What the files of a mod are is known only if it is loaded.
            _ if self.shared.mods.is_left_out(name) => return,
            kind => kind,
        };
        match kind {
            FileKind::Level => {
                let path = lowest_level(self.folder, path.to_path_buf());
                for path in each_level(self.folder, path) {
                    if !BuildProgress::is_cancelled() {
                        self.check_level(&path, name, out);
                    }
                }
            }
            FileKind::Behavior => {
                self.check_named(name, file, out);
                self.check_behavior(name, file, out);
                out.extend(self.check_functions(name, file));
            }
            FileKind::TestScript => {
                if let Some(language) = self.folder.languages().of(name) {
                    let compiled = language.compile_test(file, self.scripts.clone(), &self.test_calls);
                    out.extend(compiled.err().map_or_else(Vec::new, |wrong| wrong.0));
                }
                out.extend(self.inspectors.of(name).inspect(file, ScriptRole::Test));
                let local = self.shared.mods.local(name);
                let functions = self.functions_of(file);
                let test = functions.iter().find(|it| it.is_test() && it.parameters.is_empty());
                if let Some(test) = test.filter(|_| !local.starts_with("levels/tests/")) {
                    let message = "`hangtime test` runs what is in levels/tests/; put this file there";
                    out.warn(&Place::new(file, test.at..test.at + test.name.len()), message);
                }
            }
            FileKind::Manifest => {
                let of_mod = self.left_out.iter().filter(|it| it.has(name));
                out.extend(of_mod.flat_map(|it| it.why.clone()));
            }
            FileKind::Unread => out.push(unread(name, self.shared.mods.local(name))),
            FileKind::Input => match InputScript::parse_with(file, &self.actions) {
                Ok(script) => out.extend(check_header(self.folder, &self.shared, file, &script)),
                Err(error) => out.extend(error.diagnostics()),
            },
            kind => {
                check_table(self, &kind, file, out);
                if matches!(kind, FileKind::Config) {
                    out.extend(unused_actions(self, file));
                }
                // A mod's file has only what it changes.
                let whole = self.shared.mods.local(name) == name;
                if let (FileKind::Kind, true, Ok(table)) = (&kind, whole, parse(file)) {
                    let layered = self.shared.layered_table(name, &mut Mistakes::new());
                    unused_models(self, &table, &layered, out);
                    self.check_first_state(&table, out);
                }
                if matches!(kind, FileKind::Kind) && file.text.contains("expect") {
                    self.check_contracts(name, out);
                }
            }
        }
    }

    fn check_level(&self, path: &Path, name: &str, out: &mut Mistakes) {
        // Building the level checks the files that it uses, too.
        let sources = self.shared.clone().with_level(self.folder, path);
        // Building the level reports what cannot be read.
        let table = sources.level_table(&mut Mistakes::new());
        let mut heard = false;
        match Revision::build(&sources, &[], 1, None) {
            Ok(revision) => {
                heard = revision.stage.script.is_some() && revision.scripts.hears_players();
                out.extend(revision.overridden_numbers());
                out.extend(revision.warnings);
            }
            Err(error) => out.extend(error.diagnostics()),
        }
        if let Some((table, ..)) = table {
            self.check_variables(&table, out);
            if !heard {
                check_players(&table, self.shared.mods.local(name), out);
            }
        }
    }

    /// Whether a file names or imports a script.
    pub(super) fn is_named(&self, name: &str) -> bool {
        let (key, known) = (key_of(name), &self.known);
        let mut imported = self.imported.iter().chain(&self.tested);
        known.behaviors.contains(key) || known.level_scripts.contains(key) || imported.any(|path| path == key)
    }

    /// Warns of a script of a mod that no file names or imports.
    fn check_named(&self, name: &str, file: &Arc<SourceFile>, out: &mut Mistakes) {
        let of_mod = self.shared.mods.layer_of(name).is_some();
        if of_mod && !self.is_named(name) && !self.known.unread {
            let message = "nothing names this script; a mod's `scripts = [\"…\"]` in the file of a kind puts it above the kind's own";
            out.warn(&Place::new(file, 0..0), message);
        }
    }

    /// Contracts of a kind that cannot be measured. Mistakes in its file have been reported.
    fn check_contracts(&self, name: &str, out: &mut Mistakes) {
        let name = self.shared.mods.local(name);
        let kind = name.strip_prefix("config/entities/").unwrap_or(name);
        let kind = kind.strip_suffix(".toml").unwrap_or(kind);
        let project = Project::load(self.folder.clone());
        if let Ok(kind) = project.and_then(|project| project.kind_in(kind, &self.shared)) {
            check_contracts(&kind, out);
        }
    }

    /// What kind of file this is.
    pub(super) fn kind_of(&self, name: &str, file: &SourceFile) -> FileKind {
        let mut layers = self.shared.mods.layers.iter();
        let of_mod = layers.any(|layer| layer.local(name) == Some(MANIFEST));
        if of_mod || self.left_out.iter().any(|it| it.has(name) && name.ends_with(MANIFEST)) {
            return FileKind::Manifest;
        }
        let name = self.shared.mods.local(name);
        let is = |ending: &str| name.ends_with(ending);
        let parent = Path::new(name).parent().and_then(Path::file_name).unwrap_or_default();
        let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
        if is(".input") {
            FileKind::Input
        } else if let Some(language) = self.folder.languages().of(name) {
            let is_test = || language.functions(&file.text).iter().any(TextFunction::is_test);
            if name.starts_with("levels/") || is_test() {
                FileKind::TestScript
            } else {
                FileKind::Behavior
            }
        } else if parent == "config" && stem == "surfaces" {
            FileKind::Surfaces
        } else if parent == "config" && stem == "hangtime" {
            FileKind::Config
        } else if name.starts_with("config/entities/") {
            FileKind::Kind
        } else if let (true, Some(model)) = (name.starts_with("config/models/"), ModelName::parse(&stem)) {
            FileKind::Model(model)
        } else if name.starts_with("config/") {
            FileKind::Unread
        } else {
            FileKind::Level
        }
    }

    /// Mistakes inside the functions of a script. A script that tests import as well is valid if it works
    /// in either role.
    fn check_functions(&self, name: &str, file: &Arc<SourceFile>) -> Vec<Diagnostic> {
        let (role, inspector) = (self.role_of(name), self.inspectors.of(name));
        let below = key_of(name);
        if !self.tested.iter().any(|path| path == below) {
            return inspector.inspect(file, role);
        }
        let mut found = inspector.inspect(file, ScriptRole::TestLibrary);
        if role == ScriptRole::Library || self.known.behaviors.contains(below) {
            let others = inspector.inspect(file, role);
            found.retain(|wrong| others.contains(wrong));
        }
        found
    }

    /// The role of a script below `scripts/`, by the files that name or import it.
    fn role_of(&self, name: &str) -> ScriptRole {
        let below = key_of(name);
        if self.imported.iter().any(|path| path == below) {
            ScriptRole::Library
        } else if self.known.level_scripts.contains(below) && !self.known.behaviors.contains(below) {
            ScriptRole::Level
        } else {
            ScriptRole::Behavior
        }
    }

    fn check_behavior(&self, name: &str, file: &Arc<SourceFile>, out: &mut Mistakes) {
        let (languages, below) = (self.folder.languages(), key_of(name));
        let mut sources = (*self.scripts).clone();
        let mut compile = |key: String, file: Arc<SourceFile>| {
            sources.insert(key.clone(), file);
            let (sources, behaviors) = (Arc::new(std::mem::take(&mut sources)), [Behavior::alone(key)]);
            let mut found: Vec<Diagnostic> = Vec::new();
            let _ = Scripts::compile(languages, sources, &behaviors, self.limits, Execution::Interpreted, &mut found);
            found
        };
        let language = languages.of(name).filter(|_| self.imported.iter().any(|path| path == below));
        let Some(language) = language else {
            out.extend(compile(below.into(), file.clone()));
            return;
        };
        // Scripts import it, so it is compiled as a module, as if by a script next to its layer's scripts.
        let text = language.importer(key_of(self.shared.mods.local(name)));
        let key = format!("{IMPORTER}.{}", language.ending());
        let name = match self.shared.mods.layer_of(name) {
            Some(layer) => format!("{}/scripts/{key}", layer.folder),
            None => key.clone(),
        };
        let mut found = compile(key, Arc::new(SourceFile { name: name.clone(), text }));
        // The importer is not a file of the game. The module's own mistakes are reported separately.
        found.retain(|wrong| wrong.file_name() != name);
        out.extend(found);
    }
}

/// Warns of a level that no player can play, unless it is for tests. Its script does not hear players.
fn check_players(level: &Table, local: &str, out: &mut Mistakes) {
    let mut entities = level.tables("entity").peekable();
    if let Some(first) = entities.peek().map(|it| it.place.clone())
        && !local.starts_with("levels/tests/")
        && entities.all(|entity| entity.get("player").is_none_or(|it| it.number().is_some_and(|n| n != 1.0)))
    {
        let message = "no entity of this level follows the keys; give one of them `player = 1`";
        out.warn(&first, message);
    }
}

/// The key of a script, by its name.
pub fn key_of(name: &str) -> &str {
    name.strip_prefix("scripts/").unwrap_or(name)
}
