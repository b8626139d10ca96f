//! What the mods of a game add and override.

use super::{Error, Project};
use crate::files::{
    Data, LeftOutMod, Medium, ModLayer, Node, Sound, SourceSet, Table, content::settings::key_prefix, location,
    mod_folders, name_in, parse, read_text, sources::source::list_in,
};
use hangtime_core::sim::Sheet;
use hangtime_script::{Diagnostic, Mistakes, SourceFile};
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// A value of a mod that replaces one of a layer below.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModOverride {
    /// The key, as in a setting: `platformer.jump_speed`, `entities.hero.model`. A level's keys begin with its path.
    pub key: String,
    /// The value as the mod writes it.
    pub value: String,
    /// Its file and line.
    pub at: String,
    /// The value that it replaces.
    pub was: String,
    /// The file and line of that.
    pub was_at: String,
}

/// A mod that is loaded, with its effect on the layers below.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ModEffects {
    /// The mod's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What the names of its files begin with.
    pub folder: String,
    /// The mods that it needs, with the versions that it works with.
    pub needs: BTreeMap<String, String>,
    /// The values that it overrides, in the order of their files.
    pub overrides: Vec<ModOverride>,
    /// The scripts that it puts above the scripts of kinds: `angry.rhai above bat`, or
    /// `angry.rhai instead of bat's scripts`.
    pub scripts: Vec<String>,
    /// The kinds that it adds.
    pub kinds: Vec<String>,
    /// The surfaces that it adds.
    pub surfaces: Vec<String>,
    /// The levels that it adds, by their paths below its `levels/`.
    pub levels: Vec<String>,
    /// The pictures and sounds of layers below that it replaces: `pictures/hero.png`.
    pub replaces: Vec<String>,
    /// Its keys that no layer below sets, as in settings.
    pub sets: Vec<String>,
}

/// The mods of a game.
#[derive(Clone, Debug)]
pub struct ModsReport {
    /// Those that are loaded, the lowest one first.
    pub loaded: Vec<ModEffects>,
    /// The others.
    pub left_out: Vec<LeftOutMod>,
}

/// What the layers so far have.
#[derive(Default)]
struct KnownLayers {
    /// Their values, by key: the text of each, and its file and line.
    values: BTreeMap<String, (String, String)>,
    kinds: BTreeSet<String>,
    surfaces: BTreeSet<String>,
    levels: BTreeSet<String>,
    media: BTreeSet<String>,
}

impl Project {
    /// What the mods of the game add and override. Whether one breaks is found out with the game's first level.
    ///
    /// # Errors
    /// Why that level cannot be built, whatever mods are left out.
    pub fn mods(&self) -> Result<ModsReport, Error> {
        let mut sources = SourceSet::read_shared(self.folder());
        if let Some(level) = self.levels().first() {
            sources.mods = self.open(level, &[])?.mods;
        }
        let mut known = KnownLayers::default();
        self.add_layer(&sources, None, &mut known);
        let loaded = sources.mods.layers.iter().map(|layer| self.add_layer(&sources, Some(layer), &mut known));
        Ok(ModsReport { loaded: loaded.collect(), left_out: sources.mods.left_out.clone() })
    }

    /// Why mods are left out, as warnings. Whether one breaks is found out with the game's first level.
    pub fn warnings_of_mods(&self) -> Vec<Diagnostic> {
        if mod_folders(self.folder()).0.is_empty() {
            return Vec::new();
        }
        // What is wrong with the game itself, its levels report.
        self.mods().map_or_else(|_| Vec::new(), |report| report.warnings())
    }

    /// Adds a mod, or the game itself, to what the layers so far have. Returns what it adds to and overrides in them.
    fn add_layer(&self, sources: &SourceSet, layer: Option<&ModLayer>, known: &mut KnownLayers) -> ModEffects {
        let mut effects = layer.map_or_else(ModEffects::default, ModEffects::of);
        for (name, file) in &sources.files {
            let local = match layer {
                Some(layer) => layer.local(name),
                None => Some(name.as_str()),
            };
            if let Some(prefix) = local.and_then(key_prefix) {
                known.add_config(&prefix, file, &mut effects);
            }
        }
        let root = self.root().join(layer.map_or("", |layer| &layer.folder));
        for (folder, endings) in [(Sheet::FOLDER, Sheet::ENDINGS), (Sound::FOLDER, Sound::ENDINGS)] {
            for path in list_in(self.folder(), &root.join(folder), endings) {
                let name = name_in(self.folder().files(), &root, &path);
                if !known.media.insert(name.clone()) {
                    effects.replaces.push(name);
                }
            }
        }
        let levels = root.join("levels");
        for path in list_in(self.folder(), &levels, &["toml"]) {
            if let Ok(file) = read_text(self.folder(), &path) {
                known.add_level(name_in(self.folder().files(), &levels, &path), &file, &mut effects);
            }
        }
        effects
    }
}

impl ModsReport {
    /// Why mods are left out, as warnings: the first of them, and how many more there are.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        let mut out = Mistakes::new();
        out.extend(self.left_out.iter().flat_map(LeftOutMod::warnings));
        out.finish()
    }
}

impl ModEffects {
    /// The effects of a mod without files.
    fn of(layer: &ModLayer) -> Self {
        Self {
            name: layer.name.clone(),
            version: layer.version.to_string(),
            folder: layer.folder.clone(),
            needs: layer.needs.iter().map(|(name, wanted)| (name.clone(), wanted.to_string())).collect(),
            ..Self::default()
        }
    }
}

impl KnownLayers {
    /// Adds a file of `config/`, whose keys begin with `prefix`.
    fn add_config(&mut self, prefix: &str, file: &Arc<SourceFile>, effects: &mut ModEffects) {
        // A build reports mistakes in the file.
        let Ok(table) = parse(file) else {
            return;
        };
        let kind = prefix.strip_prefix("entities.").map(|kind| kind.trim_end_matches('.'));
        // Kinds and surfaces that a mod adds as a whole are not listed key by key.
        let mut unseen = ModEffects::default();
        // The variables of a mod's scripts are their own.
        let has_layer = kind.is_some() && table.get("scripts").is_some();
        let own_vars = format!("{prefix}layers.{}.", effects.name);
        if let Some(kind) = kind
            && self.kinds.insert(kind.to_string())
        {
            effects.kinds.push(kind.to_string());
            return self.add_values(prefix, &table, &mut unseen);
        }
        if let Some(kind) = kind.filter(|_| has_layer) {
            effects.scripts.extend(scripts_above(kind, &table));
        }
        for (key, node) in &table.entries {
            if has_layer && ["scripts", "replaces"].contains(&key.name.as_str()) {
                continue;
            }
            let of_layer = has_layer && key.name == "vars";
            let prefix = if of_layer { own_vars.as_str() } else { prefix };
            let is_new = prefix == "surfaces." && self.surfaces.insert(key.name.clone());
            let one = Table { entries: vec![(key.clone(), node.clone())], place: table.place.clone() };
            if is_new {
                effects.surfaces.push(key.name.clone());
            }
            self.add_values(prefix, &one, if is_new { &mut unseen } else { &mut *effects });
        }
    }

    /// Adds a level, by its path below `levels/`.
    fn add_level(&mut self, name: String, file: &Arc<SourceFile>, effects: &mut ModEffects) {
        let Ok(table) = parse(file) else {
            return;
        };
        let prefix = format!("levels/{name}: ");
        if self.levels.insert(name.clone()) {
            effects.levels.push(name);
            return self.add_values(&prefix, &table, &mut ModEffects::default());
        }
        self.add_values(&prefix, &table, effects);
    }

    fn add_values(&mut self, prefix: &str, table: &Table, effects: &mut ModEffects) {
        let mut values = Vec::new();
        flatten(table, prefix, &mut values);
        let mut seen = BTreeSet::new();
        // If a file has one name twice, neither of the two lies over the other.
        values.retain(|(key, _)| seen.insert(key.clone()));
        for (key, node) in values {
            let (value, at) = (node.shown(), location(&node.place));
            match self.values.insert(key.clone(), (value.clone(), at.clone())) {
                None => effects.sets.push(key),
                Some((was, was_at)) => effects.overrides.push(ModOverride { key, value, at, was, was_at }),
            }
        }
    }
}

/// The scripts that a mod's file puts above the scripts of a kind, or in their place.
fn scripts_above(kind: &str, table: &Table) -> Vec<String> {
    let replaces = table.get("replaces").is_some_and(Node::is_true);
    let place = if replaces {
        format!("instead of {kind}'s scripts")
    } else {
        format!("above {kind}")
    };
    let paths = table.get("scripts").into_iter().flat_map(Node::items).filter_map(Node::text);
    paths.map(|path| format!("{path} {place}")).collect()
}

/// The values of a table by their keys. The items of a list have keys if they have names.
fn flatten<'t>(table: &'t Table, prefix: &str, out: &mut Vec<(String, &'t Node)>) {
    for (key, node) in &table.entries {
        let key = format!("{prefix}{}", key.name);
        match &node.value {
            Data::Table(table) => flatten(table, &format!("{key}."), out),
            Data::Array(items) if items.iter().any(|item| item.table().is_some()) => {
                for table in items.iter().filter_map(Node::table) {
                    if let Some(name) = table.text("name") {
                        flatten(table, &format!("{key} {name}."), out);
                    }
                }
            }
            _ => out.push((key, node)),
        }
    }
}
