//! Checking files without running them.

use super::cast::missing_script;
use super::headers::check_head;
use super::input::InputScript;
use super::kind::Kind;
use super::known::known;
use super::misnamed::Files;
use super::revision::sort;
use super::source::{leads_out, list, name_of, read_text};
use super::surfaces::read_surfaces;
use super::tree::parse;
use super::{Config, Revision, SourceSet, files};
use crate::models::ModelName;
use crate::script::host::names::nearest;
use crate::script::host::{
    Diagnostic, GameNames, Limits, PlayedLevel, Playtest, Settings, Severity, SourceFile,
};
use crate::script::rhai::{Inspector, Role, Scripts, Sources, TestScript};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a check has found.
#[derive(Debug, Default)]
pub struct Found {
    /// Everything that is wrong or odd, by file and place.
    pub diagnostics: Vec<Diagnostic>,
    /// How many files were looked at.
    pub files: usize,
}

/// A script that stands for those who import a module.
const IMPORTER: &str = "(importer)";

/// What a file is, by its ending and folder.
enum Sort {
    Config,
    Surfaces,
    Model(ModelName),
    Kind,
    Level,
    Behavior,
    TestScript,
    Input,
    /// Something in `config/` that nothing reads.
    Unread,
}

/// Checks files: all of a game folder's, or those at `paths` (files, or folders with all that is
/// below them). Nothing is run.
///
/// # Errors
/// About the first path that does not exist.
pub fn check(root: &Path, paths: &[String]) -> Result<Found, Diagnostic> {
    let mut chosen: Vec<PathBuf> = Vec::new();
    if paths.is_empty() {
        chosen = ["config", "scripts", "levels"]
            .iter()
            .flat_map(|f| all(&root.join(f)))
            .collect();
    }
    for path in paths {
        let path = files::find(root, path)?;
        if path.is_dir() {
            chosen.extend(all(&path));
        } else {
            chosen.push(path);
        }
    }
    let mut found = Found {
        files: chosen.len(),
        ..Found::default()
    };
    let checker = Checker::new(root);
    for path in &chosen {
        checker.check_file(path, &mut found.diagnostics);
    }
    sort(&mut found.diagnostics);
    Ok(found)
}

fn all(folder: &Path) -> Vec<PathBuf> {
    ["toml", "rhai", "input"]
        .iter()
        .flat_map(|ending| list(folder, ending))
        .collect()
}

struct Checker<'a> {
    root: &'a Path,
    /// The budgets of scripts in this game.
    limits: Limits,
    /// Everything below `scripts/`, for imports.
    scripts: Arc<Sources>,
    /// The names of scripts that others import: libraries, whose functions are not hooks.
    imported: Vec<String>,
    /// The same for those that tests import.
    tested: Vec<String>,
    /// What the game's files name.
    known: GameNames,
    /// Looks into the functions of scripts.
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
        let known = known(root);
        let tests = list(&root.join("levels"), "rhai");
        let tests = tests.iter().filter_map(|path| read_text(path, "").ok());
        let tested = tests.flat_map(|file| imports_of(&file.text)).collect();
        let config = root.join("config/hangtime.toml");
        let table = read_text(&config, "")
            .ok()
            .and_then(|file| parse(&file).ok());
        // What is wrong with the file is told when it is checked itself.
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
            Err(wrong) => {
                out.push(wrong);
                return;
            }
        };
        match self.sort_of(&name, &file) {
            Sort::Level => {
                // Building it reads all that it uses, too.
                let sources = SourceSet::read(self.root, path);
                match Revision::build(&sources, &Settings::new(), 1, None) {
                    Ok(revision) => out.extend(revision.warnings),
                    Err(wrong) => out.extend(wrong),
                }
                let files = Files {
                    root: self.root,
                    scripts: &self.scripts,
                    known: &self.known,
                };
                out.append(&mut files.misnamed(&file));
            }
            Sort::Behavior => {
                self.check_behavior(&name, &file, out);
                out.extend(self.look_into(&name, &file));
            }
            Sort::TestScript => {
                let compiled = TestScript::compile(&file, self.scripts.clone(), Arc::new(Nowhere));
                out.extend(compiled.err().unwrap_or_default());
                out.extend(self.inspector.look_at(&file, Role::Test));
            }
            Sort::Unread => out.push(unread(&name)),
            Sort::Input => match InputScript::parse(&file) {
                Ok(script) => out.extend(check_head(self.root, &file, &script)),
                Err(wrong) => out.extend(wrong),
            },
            sort => check_table(&sort, &file, &self.scripts, out),
        }
    }

    fn sort_of(&self, name: &str, file: &SourceFile) -> Sort {
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
            Sort::Input
        } else if is(".rhai") {
            let test = name.starts_with("levels/") || file.text.contains("fn test_");
            if test {
                Sort::TestScript
            } else {
                Sort::Behavior
            }
        } else if parent == "config" && stem == "surfaces" {
            Sort::Surfaces
        } else if parent == "config" && stem == "hangtime" {
            Sort::Config
        } else if name.starts_with("config/entities/") {
            Sort::Kind
        } else if let (true, Some(model)) =
            (name.starts_with("config/models/"), ModelName::parse(&stem))
        {
            Sort::Model(model)
        } else if name.starts_with("config/") {
            Sort::Unread
        } else {
            Sort::Level
        }
    }

    /// What is wrong inside the functions of a script. What tests import, too, may be for either.
    fn look_into(&self, name: &str, file: &Arc<SourceFile>) -> Vec<Diagnostic> {
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

    /// What a script below `scripts/` is for, by who names it.
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
            // Compiled as what it is for those who import it: a module.
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
            // The importer is nobody's file; the module's own mistakes are there beside it.
            found.retain(|wrong| wrong.file_name() != IMPORTER);
            out.append(&mut found);
            return;
        }
        let mut sources = (*self.scripts).clone();
        sources.insert(below.clone(), file.clone());
        let _ = Scripts::compile(Arc::new(sources), &[below], limits, out);
    }
}

/// A file in `config/` whose name means nothing.
fn unread(name: &str) -> Diagnostic {
    let models = ModelName::ALL
        .iter()
        .map(|m| format!("config/models/{}.toml", m.as_str()));
    let known = ["config/hangtime.toml", "config/surfaces.toml"].map(String::from);
    let known: Vec<String> = known.into_iter().chain(models).collect();
    let what = "nothing reads this file";
    match nearest(name, known.iter().map(String::as_str)) {
        Some(right) => Diagnostic::about_file(name, format!("{what}; did you mean `{right}`?")),
        None => Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::about_file(name, format!("{what}; kinds lie in config/entities/"))
        },
    }
}

/// Checks a table of tunables.
fn check_table(sort: &Sort, file: &Arc<SourceFile>, scripts: &Sources, out: &mut Vec<Diagnostic>) {
    let table = match parse(file) {
        Ok(table) => table,
        Err(wrong) => {
            out.push(wrong);
            return;
        }
    };
    match sort {
        Sort::Surfaces => {
            read_surfaces(&table, out);
        }
        Sort::Model(model) => Kind::default().read_model(*model, &table, out),
        Sort::Kind => {
            let mut kind = Kind::default();
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

/// Checking plays no levels.
struct Nowhere;

impl Playtest for Nowhere {
    fn play(&self, _level: &str, _settings: &Settings) -> Result<Box<dyn PlayedLevel>, String> {
        Err("levels are not played while checking".into())
    }
}
