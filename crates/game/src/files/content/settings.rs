//! `KEY=VALUE` settings, which override the files.

use super::*;
use crate::files::{DrawnLayer, TableKey, parse_value, tables::provenance::SETTING};
use hangtime_core::level::TileLayer;
use hangtime_script::SourceFile;

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
    /// The layers of tiles that a level shows that is a map, and those that are solid.
    pub drawn: Arc<[DrawnLayer]>,
    pub tiles: Arc<[TileLayer]>,
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
        if let Some(table) = self.config.table("simulation") {
            note("simulation", table);
        }
        for (name, node) in &self.surfaces.entries {
            if let Some(table) = node.table() {
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
            if let Err((place, message)) = self.set(key, value) {
                out.error(&place, message);
            }
        }
        if let Some((key, value)) = settings.get(MOST_SETTINGS) {
            let message =
                format!("there can be at most {MOST_SETTINGS} settings; this is the first one that has no effect");
            out.error(&Place::new(&setting_file(key, value), 0..key.len()), message);
        }
    }

    /// Applies a setting. The key is a dotted path, such as `platformer.jump_speed` or
    /// `entities.hero.platformer.run_accel`; the value is TOML or a bare word.
    fn set(&mut self, key: &str, value: &str) -> Result<(), (Place, String)> {
        let file = setting_file(key, value);
        let path = path_of(&file, key);
        if let Some(part) = path.get(MOST_PARTS) {
            return Err((part.place.clone(), format!("a setting's key can have at most {MOST_PARTS} parts")));
        }
        let offset = key.len() + 1;
        let text = || Node::new(Data::Text(value.into()), &Place::new(&file, offset..file.text.len()));
        let node = parse_value(&file, offset).unwrap_or_else(text);
        let (root, rest) = (&path[0], &path[1..]);
        let refuse = |key: &TableKey, message: String| Err((key.place.clone(), message));
        let known = ModelName::ALL.iter().map(|model| model.as_str());
        let hint = || suggestion(&root.name, ROOTS.into_iter().chain(known));
        let (table, rest) = match (root.name.as_str(), rest) {
            (_, []) => {
                let what = "a setting's key is a dotted path, such as `platformer.jump_speed`";
                return refuse(root, format!("`{key}` is not a setting; {what}{}", hint()));
            }
            ("simulation" | "scripts" | "window", _) => (&mut self.config, &path[..]),
            ("surfaces", _) => (&mut self.surfaces, rest),
            ("level", _) => (&mut self.level, rest),
            ("entities", [kind, keys @ ..]) => match self.kinds.get_mut(&kind.name) {
                Some(table) if !keys.is_empty() => (table, keys),
                Some(_) => {
                    let name = &kind.name;
                    return refuse(kind, format!("a setting of a kind needs a key, as in `entities.{name}.model`"));
                }
                None => {
                    let hint = suggestion(&kind.name, self.kinds.keys().map(String::as_str));
                    return refuse(kind, format!("there is no kind `{}`{hint}", kind.name));
                }
            },
            (name, _) => match ModelName::parse(name) {
                Some(model) => (self.models.entry(model).or_insert_with(|| Table::empty(SETTING)), rest),
                None => return refuse(root, format!("a setting cannot begin with `{name}`{}", hint())),
            },
        };
        table.set(rest, node);
        Ok(())
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
