//! `KEY=VALUE` settings, which override the files.

use super::provenance::{Provenance, SETTING};
use super::tree::{Data, Node, Table, TableKey, parse_value};
use hangtime_core::models::ModelName;
use hangtime_script::names::suggestion;
use hangtime_script::{Diagnostic, Mistakes, Place, SourceFile};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The TOML files of a game, parsed but not read yet.
#[derive(Clone, Debug)]
pub(crate) struct FileTrees {
    pub config: Table,
    pub surfaces: Table,
    pub models: BTreeMap<ModelName, Table>,
    pub kinds: BTreeMap<String, Table>,
    /// The kinds that scripts may spawn.
    pub created: BTreeSet<String>,
    pub level: Table,
}

/// What a setting's key may begin with, apart from the models' names.
const ROOTS: [&str; 6] = ["simulation", "scripts", "window", "surfaces", "entities", "level"];

/// The largest number of settings, and of parts of a setting's key. Each setting is looked up among the
/// others.
pub(crate) const MOST_SETTINGS: usize = 1000;
const MOST_PARTS: usize = 16;

impl FileTrees {
    /// The places that set the numbers of the simulation and of surfaces, and the level's gravity. Keys are
    /// spelled as in a setting: `simulation.gravity`, `surfaces.ice.grip`, `level.gravity`.
    pub fn places(&self) -> Provenance {
        let mut found = Provenance::default();
        let mut note = |group: &str, table: &Table| {
            for (key, node) in &table.entries {
                found.note(format!("{group}.{}", key.name), &node.place);
            }
        };
        if let Some(Data::Table(table)) = self.config.get("simulation").map(|node| &node.value) {
            note("simulation", table);
        }
        for (name, node) in &self.surfaces.entries {
            if let Data::Table(table) = &node.value {
                note(&format!("surfaces.{}", name.name), table);
            }
        }
        if let Some(gravity) = self.level.get("gravity") {
            found.note("level.gravity".into(), &gravity.place);
        }
        found
    }

    /// Applies settings in their order.
    pub fn set_all(&mut self, settings: &[(String, String)], out: &mut Mistakes) {
        for (key, value) in settings.iter().take(MOST_SETTINGS) {
            if let Err(wrong) = self.set(key, value) {
                out.push(wrong);
            }
        }
        if let Some((key, value)) = settings.get(MOST_SETTINGS) {
            let message =
                format!("there can be at most {MOST_SETTINGS} settings; this is the first one that has no effect");
            let file = setting_file(key, value);
            out.push(Diagnostic::error(Place::new(&file, 0..key.len()), message));
        }
    }

    /// Applies a setting. The key is a dotted path, such as `platformer.jump_speed` or
    /// `entities.hero.platformer.run_accel`; the value is TOML or a bare word.
    fn set(&mut self, key: &str, value: &str) -> Result<(), Diagnostic> {
        let file = setting_file(key, value);
        let path = path_of(&file, key);
        if path.len() > MOST_PARTS {
            let message = format!("a setting's key can have at most {MOST_PARTS} parts");
            return Err(Diagnostic::error(path[MOST_PARTS].place.clone(), message));
        }
        let offset = key.len() + 1;
        let node = parse_value(&file, offset).unwrap_or_else(|| Node {
            value: Data::Text(value.into()),
            place: Place::new(&file, offset..file.text.len()),
        });
        let [root, rest @ ..] = path.as_slice() else {
            unreachable!("splitting a text gives at least one part");
        };
        if rest.is_empty() {
            let hint = suggestion(&root.name, roots());
            let message = format!(
                "`{key}` is not a setting; a setting's key is a dotted path, such as `platformer.jump_speed`{hint}"
            );
            return Err(Diagnostic::error(root.place.clone(), message));
        }
        match root.name.as_str() {
            "simulation" | "scripts" | "window" => self.config.set(&path, node),
            "surfaces" => self.surfaces.set(rest, node),
            "level" => self.level.set(rest, node),
            "entities" => return self.set_kind(rest, node),
            name => match ModelName::parse(name) {
                Some(model) => {
                    let table = self.models.entry(model);
                    table.or_insert_with(|| Table::empty(SETTING)).set(rest, node);
                }
                None => {
                    let hint = suggestion(name, roots());
                    let message = format!("a setting cannot begin with `{name}`{hint}");
                    return Err(Diagnostic::error(root.place.clone(), message));
                }
            },
        }
        Ok(())
    }

    /// Sets a key of a kind: `path` is `KIND.KEY…`.
    fn set_kind(&mut self, path: &[TableKey], node: Node) -> Result<(), Diagnostic> {
        let [kind, keys @ ..] = path else {
            return Ok(());
        };
        let name = &kind.name;
        let message = match self.kinds.get_mut(name) {
            Some(_) if keys.is_empty() => {
                format!("a setting of a kind needs a key, as in `entities.{name}.model`")
            }
            Some(table) => {
                table.set(keys, node);
                return Ok(());
            }
            None => {
                let names: Vec<&str> = self.kinds.keys().map(String::as_str).collect();
                let hint = suggestion(name, names);
                format!("there is no kind `{name}`{hint}")
            }
        };
        Err(Diagnostic::error(kind.place.clone(), message))
    }
}

/// What the keys of a file in `config/` begin with in settings. None for other files.
pub(crate) fn key_prefix(name: &str) -> Option<String> {
    let path = name.strip_prefix("config/")?.strip_suffix(".toml")?;
    Some(match path.split_once('/') {
        None if path == "hangtime" => String::new(),
        None => format!("{path}."),
        Some(("models", model)) => format!("{model}."),
        Some((folder, rest)) => format!("{folder}.{}.", rest.replace('/', ".")),
    })
}

/// A setting as the text that messages show.
fn setting_file(key: &str, value: &str) -> Arc<SourceFile> {
    Arc::new(SourceFile { name: SETTING.into(), text: format!("{key}={value}") })
}

/// Everything that a setting's key may begin with.
fn roots() -> Vec<&'static str> {
    let models = ModelName::ALL.iter().map(|m| m.as_str());
    ROOTS.into_iter().chain(models).collect()
}

/// The parts of a dotted key, each with its place.
fn path_of(file: &Arc<SourceFile>, key: &str) -> Vec<TableKey> {
    let mut at = 0;
    key.split('.')
        .map(|name| {
            let place = Place::new(file, at..at + name.len());
            at += name.len() + 1;
            TableKey { name: name.into(), place }
        })
        .collect()
}
