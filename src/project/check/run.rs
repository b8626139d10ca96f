//! The check of a game folder or of single files.

use super::input_header::check_header;
use super::known::collect_names;
use super::variables::VariableCheck;
use crate::models::ModelName;
use crate::project::Error;
use crate::project::files::kind::KindSettings;
use crate::project::files::source::{leads_out, list, name_of, read_text};
use crate::project::files::surfaces::read_surfaces;
use crate::project::files::tree::parse;
use crate::project::files::{Config, InputScript, SourceSet, find};
use crate::project::live::{Revision, missing_script, sort_diagnostics};
use crate::script::host::names::nearest;
use crate::script::host::{
    Diagnostic, GameNames, Limits, PlayedLevel, Playtest, PlaytestError, Settings, Severity,
    SourceFile,
};
use crate::script::rhai::{Inspector, Role, Scripts, Sources, TestScript};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The result of a check.
#[derive(Debug, Default)]
pub struct CheckReport {
    /// Errors, then warnings, each sorted by file and place.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of files that were checked.
    pub files: usize,
}

/// The name of a generated script that imports the module to check.
const IMPORTER: &str = "(importer)";

/// The type of a file, by its extension and folder.
enum FileKind {
    Config,
    Surfaces,
    Model(ModelName),
    Kind,
    Level,
    Behavior,
    TestScript,
    Input,
    /// A file in `config/` that nothing reads.
    Unread,
}

/// Checks files without running anything: those at `paths` (files, or folders with their subfolders),
/// or without any paths the whole game folder.
///
/// # Errors
/// [`Error::NoSuchFile`] for the first path that does not exist. Mistakes in files are not an error
/// of the check; they are in the report.
pub fn check(root: &Path, paths: &[String]) -> Result<CheckReport, Error> {
    let mut chosen: Vec<PathBuf> = Vec::new();
    if paths.is_empty() {
        chosen = ["config", "scripts", "levels"]
            .iter()
            .flat_map(|f| all(&root.join(f)))
            .collect();
    }
    for path in paths {
        let path = find(root, path)?;
        if path.is_dir() {
            chosen.extend(all(&path));
        } else {
            chosen.push(path);
        }
    }
    let mut report = CheckReport {
        files: chosen.len(),
        ..CheckReport::default()
    };
    let checker = Checker::new(root);
    for path in &chosen {
        checker.check_file(path, &mut report.diagnostics);
    }
    sort_diagnostics(&mut report.diagnostics);
    Ok(report)
}

/// All files in a folder and its subfolders that can be checked.
fn all(folder: &Path) -> Vec<PathBuf> {
    ["toml", "rhai", "input"]
        .iter()
        .flat_map(|ending| list(folder, ending))
        .collect()
}

struct Checker<'a> {
    root: &'a Path,
    /// The limits of scripts in this game.
    limits: Limits,
    /// Everything below `scripts/`, for imports.
    scripts: Arc<Sources>,
    /// The scripts that other scripts import: libraries, whose functions are not hooks.
    imported: Vec<String>,
    /// The scripts that tests import.
    tested: Vec<String>,
    /// The names in the game's files.
    known: GameNames,
    /// Checks the bodies of functions.
    inspector: Inspector,
}

impl<'a> Checker<'a> {
    fn new(root: &'a Path) -> Self {
        let folder = root.join("scripts");
        let read = |path: &PathBuf| {
            let file = read_text(path, &name_of(root, path)).ok()?;
            Some((name_of(&folder, path), file))
        };
        let listed = list(&folder, "rhai");
        let listed = listed.iter().filter(|path| !leads_out(&folder, path));
        let scripts: Sources = listed.filter_map(read).collect();
        let imported = scripts
            .values()
            .flat_map(|file| imports_of(&file.text))
            .collect();
        let known = collect_names(root);
        let tests = list(&root.join("levels"), "rhai");
        let tests = tests.iter().filter_map(|path| read_text(path, "").ok());
        let tested = tests.flat_map(|file| imports_of(&file.text)).collect();
        let config = root.join("config/hangtime.toml");
        let table = read_text(&config, "")
            .ok()
            .and_then(|file| parse(&file).ok());
        // Mistakes in this file are reported when it is checked itself.
        let config = table.map(|table| Config::read(&table, &mut Vec::new()));
        Self {
            root,
            limits: Limits::of(&config.unwrap_or_default().scripts),
            inspector: Inspector::new(&scripts, known.clone()),
            known,
            scripts: Arc::new(scripts),
            imported,
            tested,
        }
    }

    fn check_file(&self, path: &Path, out: &mut Vec<Diagnostic>) {
        let name = name_of(self.root, path);
        let file = match read_text(path, &name) {
            Ok(file) => file,
            Err(error) => {
                out.extend(error.diagnostics());
                return;
            }
        };
        match self.kind_of(&name, &file) {
            FileKind::Level => {
                // Building the level checks the files that it uses, too.
                let sources = SourceSet::read(self.root, path);
                match Revision::build(&sources, &[], 1, None) {
                    Ok(revision) => out.extend(revision.warnings),
                    Err(error) => out.extend(error.diagnostics()),
                }
                let variables = VariableCheck {
                    root: self.root,
                    scripts: &self.scripts,
                    known: &self.known,
                };
                out.append(&mut variables.misspelled(&file));
            }
            FileKind::Behavior => {
                self.check_behavior(&name, &file, out);
                out.extend(self.check_functions(&name, &file));
            }
            FileKind::TestScript => {
                let compiled =
                    TestScript::compile(&file, self.scripts.clone(), Arc::new(CompileOnly));
                out.extend(compiled.err().map_or_else(Vec::new, |wrong| wrong.0));
                out.extend(self.inspector.look_at(&file, Role::Test));
            }
            FileKind::Unread => out.push(unread(&name)),
            FileKind::Input => match InputScript::parse(&file) {
                Ok(script) => out.extend(check_header(self.root, &file, &script)),
                Err(error) => out.extend(error.diagnostics()),
            },
            kind => check_table(&kind, &file, &self.scripts, out),
        }
    }

    /// What kind of file this is.
    fn kind_of(&self, name: &str, file: &SourceFile) -> FileKind {
        let is = |ending: &str| name.ends_with(ending);
        let parent = Path::new(name)
            .parent()
            .and_then(Path::file_name)
            .unwrap_or_default();
        let stem = Path::new(name)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy();
        if is(".input") {
            FileKind::Input
        } else if is(".rhai") {
            let test = name.starts_with("levels/") || file.text.contains("fn test_");
            if test {
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
        } else if let (true, Some(model)) =
            (name.starts_with("config/models/"), ModelName::parse(&stem))
        {
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
        let role = self.role_of(name);
        let below = name.strip_prefix("scripts/").unwrap_or(name);
        if !self.tested.iter().any(|path| path == below) {
            return self.inspector.look_at(file, role);
        }
        let mut found = self.inspector.look_at(file, Role::TestLibrary);
        if role == Role::Library || self.known.behaviors.contains(below) {
            let others = self.inspector.look_at(file, role);
            found.retain(|wrong| others.contains(wrong));
        }
        found
    }

    /// The role of a script below `scripts/`, by the files that name or import it.
    fn role_of(&self, name: &str) -> Role {
        let below = name.strip_prefix("scripts/").unwrap_or(name);
        if self.imported.iter().any(|path| path == below) {
            Role::Library
        } else if self.known.level_scripts.contains(below) && !self.known.behaviors.contains(below)
        {
            Role::Level
        } else {
            Role::Behavior
        }
    }

    fn check_behavior(&self, name: &str, file: &Arc<SourceFile>, out: &mut Vec<Diagnostic>) {
        let below = name.strip_prefix("scripts/").unwrap_or(name).to_string();
        let limits = self.limits;
        if self.imported.contains(&below) {
            // Scripts import it, so it is compiled as a module.
            let importer = format!("import {:?} as it;", below.trim_end_matches(".rhai"));
            let importer = Arc::new(SourceFile {
                name: IMPORTER.into(),
                text: importer,
            });
            let mut sources = (*self.scripts).clone();
            sources.insert(IMPORTER.into(), importer);
            let mut found = Vec::new();
            let behaviors = [IMPORTER.to_string()];
            let _ = Scripts::compile(Arc::new(sources), &behaviors, limits, &mut found);
            // The importer is not a file of the game. The module's own mistakes are reported separately.
            found.retain(|wrong| wrong.file_name() != IMPORTER);
            out.append(&mut found);
            return;
        }
        let mut sources = (*self.scripts).clone();
        sources.insert(below.clone(), file.clone());
        let _ = Scripts::compile(Arc::new(sources), &[below], limits, out);
    }
}

/// The message for a file in `config/` that nothing reads.
fn unread(name: &str) -> Diagnostic {
    let models = ModelName::ALL
        .iter()
        .map(|m| format!("config/models/{}.toml", m.as_str()));
    let known = ["config/hangtime.toml", "config/surfaces.toml"].map(String::from);
    let known: Vec<String> = known.into_iter().chain(models).collect();
    let message = "nothing reads this file";
    match nearest(name, known.iter().map(String::as_str)) {
        Some(right) => Diagnostic::about_file(name, format!("{message}; did you mean `{right}`?")),
        None => Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::about_file(name, format!("{message}; kinds belong in config/entities/"))
        },
    }
}

/// Checks a TOML file of `config/`.
fn check_table(
    kind: &FileKind,
    file: &Arc<SourceFile>,
    scripts: &Sources,
    out: &mut Vec<Diagnostic>,
) {
    let table = match parse(file) {
        Ok(table) => table,
        Err(wrong) => {
            out.push(wrong);
            return;
        }
    };
    match kind {
        FileKind::Surfaces => {
            read_surfaces(&table, out);
        }
        FileKind::Model(model) => KindSettings::default().read_model(*model, &table, out),
        FileKind::Kind => {
            let mut kind = KindSettings::default();
            kind.read(&table, &[], out);
            if let Some((path, place)) = kind.script
                && !scripts.contains_key(&path)
            {
                out.push(missing_script(
                    &path,
                    place,
                    scripts.keys().map(String::as_str),
                ));
            }
        }
        _ => {
            Config::read(&table, out);
        }
    }
}

/// The paths that a script imports, below `scripts/`, with their ending.
fn imports_of(text: &str) -> Vec<String> {
    text.split("import")
        .skip(1)
        .filter_map(|rest| {
            let path = rest.trim_start().strip_prefix('"')?.split('"').next()?;
            Some(if path.ends_with(".rhai") {
                path.into()
            } else {
                format!("{path}.rhai")
            })
        })
        .collect()
}

/// Test scripts are compiled here but never run.
struct CompileOnly;

impl Playtest for CompileOnly {
    fn play(
        &self,
        _level: &str,
        _settings: &Settings,
    ) -> Result<Box<dyn PlayedLevel>, PlaytestError> {
        Err(PlaytestError("a check does not play levels".into()))
    }
}
