//! The names in a game's files, for checking its scripts against them.

use super::{
    unused::{DEFAULTS, may_change_model},
    *,
};
use crate::files::{
    ModStack,
    content::script_variables::outside,
    disk::root::name_in,
    sources::{
        level_names::{LEVEL_ENDINGS, each_level, split_path},
        source::read_named,
    },
};
use hangtime_core::sim::{PlannedJump, Sheet};
use hangtime_script::text::quoted_in;
use std::collections::BTreeMap;

/// Collects the names in all files of a game and of the mods that are loaded. Files that cannot be read are reported when they
/// are checked themselves.
pub fn collect_names(folder: &GameFolder, mods: &ModStack, scripts: &Sources) -> GameNames {
    let (mut known, mut kinds) = (GameNames::default(), KindsMoved::default());
    let keys = Config::of(folder).keys;
    let actions = keys.own_actions().names().map(String::from);
    known.actions.extend(actions);
    for root in mods.roots(folder) {
        LayerNames { folder, root }.collect(&mut known, &mut kinds);
    }
    // Solids that scripts create can be switched.
    for file in scripts.values().filter(|file| file.text.contains("create_solid")) {
        let names: Vec<String> = quoted_in(&file.text).map(String::from).collect();
        known.switched.extend(names.iter().cloned());
        known.solids.extend(names);
        known.computed_solids |= computes_names(&file.text);
    }
    known.moved_by = kinds.by_script(&known, scripts);
    known
}

/// Whether a script passes anything but a plain text to `create_solid` as the name, such as `"step" + n`.
fn computes_names(script: &str) -> bool {
    let calls = script
        .split("create_solid")
        .skip(1)
        .filter_map(|rest| rest.trim_start().strip_prefix('('));
    calls.map(str::trim_start).any(|name| {
        let quote = name.chars().next().filter(|first| matches!(first, '"' | '\'' | '`'));
        let text = quote.and_then(|quote| name[1..].split_once(quote));
        // Texts in backquotes may contain expressions.
        text.is_none_or(|(text, rest)| text.contains('{') || !rest.trim_start().starts_with(','))
    })
}

/// The scripts and the models that the files of each kind name.
#[derive(Default)]
struct KindsMoved(BTreeMap<String, (BTreeSet<String>, BTreeSet<ModelName>)>);

impl KindsMoved {
    /// The models that move the entities of each script. A script that entities in levels name themselves, or that may
    /// choose a model, is not among them.
    fn by_script(self, known: &GameNames, scripts: &Sources) -> BTreeMap<String, BTreeSet<ModelName>> {
        let elsewhere = |model: &&ModelName| {
            [&known.models, &known.words_in_tests].iter().any(|names| names.contains(model.as_str()))
        };
        let elsewhere: BTreeSet<ModelName> = ModelName::ALL.iter().filter(elsewhere).copied().collect();
        let (mut found, mut open) = (BTreeMap::<String, BTreeSet<ModelName>>::new(), BTreeSet::new());
        for (paths, mut models) in self.0.into_values().filter(|_| !known.unread) {
            models.extend(&elsewhere);
            // A planned jump is a flight.
            let jumps = |path: &String| scripts.get(path).is_some_and(|file| file.text.contains("jump_to"));
            models.extend(paths.iter().any(jumps).then_some(PlannedJump::MODEL));
            match paths
                .iter()
                .any(|path| may_change_model(path, scripts) || known.own_scripts.contains(path))
            {
                true => open.extend(paths),
                false => paths.into_iter().for_each(|path| found.entry(path).or_default().extend(&models)),
            }
        }
        found.retain(|path, _| !open.contains(path));
        found
    }
}

/// The files of a game or of a mod.
struct LayerNames<'a> {
    folder: &'a GameFolder,
    root: PathBuf,
}

impl LayerNames<'_> {
    /// The TOML files below a folder, by their paths there; none for one that cannot be read.
    fn tables(&self, name: &str) -> Vec<(String, Option<Table>)> {
        let below = self.root.join(name);
        let paths = list_in(self.folder, &below, &["toml"]).into_iter();
        let paths = paths.take_while(|_| !BuildProgress::is_cancelled());
        let read = paths.map(move |path| {
            let name = name_in(self.folder.files(), &below, &path);
            let file = read_named(self.folder, &path, &name).ok();
            (name, file.and_then(|file| parse(&file).ok()))
        });
        read.collect()
    }

    /// Adds the names in all its files.
    fn collect(&self, known: &mut GameNames, kinds: &mut KindsMoved) {
        for (name, table) in self.tables("config/entities") {
            let kind = name.trim_end_matches(".toml").to_string();
            let scripts = table.iter().flat_map(scripts_of);
            let scripts: Vec<String> = scripts.map(|path| self.key_of(path)).collect();
            let moved = kinds.0.entry(kind.clone()).or_default();
            moved.0.extend(scripts.iter().cloned());
            let model = table.as_ref().and_then(|table| ModelName::parse(table.text("model")?));
            moved.1.extend(model.map_or(DEFAULTS.to_vec(), |model| vec![model]));
            known.unread |= table.is_none();
            if let Some(table) = &table {
                // The file of a mod may only set variables of the game's own script.
                let lowest = known.kind_scripts.get(&kind).or(scripts.first()).cloned();
                let holders = if scripts.is_empty() { lowest.as_slice() } else { &scripts };
                holders.iter().for_each(|key| collect_vars(table, Some(key.clone()), known));
                known.vars.extend(keys_in(table, "vars"));
                known.stances.extend(keys_in(table, "stances"));
                known.kind_scripts.extend(lowest.map(|key| (kind.clone(), key)));
                known.sounds.extend(keys_in(table, "sounds"));
                collect_media(table, &mut known.media);
            }
            known.kinds.insert(kind);
            known.behaviors.extend(scripts);
        }
        for (name, table) in self.tables("config") {
            table.iter().for_each(|table| collect_media(table, &mut known.media));
            let tables = table.iter();
            match name.as_str() {
                "hangtime.toml" => known.sounds.extend(tables.flat_map(|table| keys_in(table, "sounds"))),
                "surfaces.toml" => {
                    known.unread |= table.is_none();
                    known.surfaces.extend(tables.flat_map(Table::names).map(String::from));
                }
                _ => {}
            }
        }
        let pictures = self.root.join(PICTURES);
        let files = list_in(self.folder, &pictures, &["png"]).into_iter();
        known.pictures.extend(files.map(|path| name_in(self.folder.files(), &pictures, &path)));
        let maps = self.maps(&mut known.media);
        for (name, table) in self.tables("levels").into_iter().chain(maps) {
            known.levels.insert(name);
            match table {
                Some(table) => self.collect_level(&table, known),
                None => known.unread = true,
            }
        }
        let endings: Vec<&str> = self.folder.languages().endings().collect();
        for path in list_in(self.folder, &self.root.join("levels"), &endings) {
            if let Ok(test) = read_text(self.folder, &path) {
                let quoted = quoted_in(&test.text).filter(|text| !text.contains(outside));
                known.quoted_in_tests.extend(quoted.map(String::from));
                known.words_in_tests.extend(test.text.split(outside).map(String::from));
            }
        }
    }

    /// The levels that are maps, as the tables that their TOML would be. Adds the pictures of their tiles to `media`.
    fn maps(&self, media: &mut BTreeSet<String>) -> Vec<(String, Option<Table>)> {
        let (folder, levels) = (self.folder, self.root.join("levels"));
        let paths = list_in(folder, &levels, &LEVEL_ENDINGS[1..]).into_iter();
        let read = |path: PathBuf| {
            let sources = SourceSet::read_map(folder, &path);
            BuildProgress::at(&sources.level);
            let level = sources.level_table(&mut Mistakes::new());
            let looks = level.iter().flat_map(|(_, drawn, _)| drawn).flat_map(|layer| &layer.tiles.looks);
            media.extend(looks.filter_map(|look| sources.local_medium::<Sheet>(&look.sheet)).map(String::from));
            let (file, part) = split_path(&path);
            let name = name_in(folder.files(), &levels, &file);
            (part.map_or_else(|| name.clone(), |part| format!("{name}#{part}")), level.map(|(table, ..)| table))
        };
        let each = paths.flat_map(|path| each_level(folder, path));
        each.take_while(|_| !BuildProgress::is_cancelled()).map(read).collect()
    }

    /// The key of a script that one of the files names: the mod's own script, if it has one.
    fn key_of(&self, path: &str) -> String {
        let own = self.root.join("scripts").join(path);
        if self.root == self.folder.path() || !self.folder.has_file(&own) {
            return path.into();
        }
        self.folder.name_of(&own)
    }

    /// Adds the names in a level. Values of a wrong type are skipped; checking the level reports them.
    fn collect_level(&self, level: &Table, known: &mut GameNames) {
        let script = level.text("script").map(|path| self.key_of(path));
        collect_vars(level, script.clone(), known);
        known.level_scripts.extend(script);
        known.vars.extend(keys_in(level, "vars"));
        collect_surfaces(level, &mut known.surfaces);
        collect_media(level, &mut known.media);
        for (key, node) in &level.entries {
            for table in node.tables() {
                let name = table.text("name").map(String::from);
                match key.name.as_str() {
                    "solid" => {
                        let switched = table.get("present").and(name.clone());
                        known.switched.extend(switched);
                        if let (Some(name), Some(points)) = (&name, points_of_called(table)) {
                            let most = known.called.entry(name.clone()).or_default();
                            *most = points.max(*most);
                        }
                        known.solids.extend(name);
                    }
                    "zone" => known.zones.extend(name),
                    "entity" => {
                        let script = table.text("script").map(|path| self.key_of(path));
                        let kind = table.text("kind").unwrap_or_default();
                        collect_vars(table, script.clone().or(known.kind_scripts.get(kind).cloned()), known);
                        known.own_scripts.extend(script.clone());
                        known.behaviors.extend(script);
                        known.placed.extend(table.text("kind").map(String::from));
                        let called = name.clone().unwrap_or_else(|| kind.to_string());
                        known.entity_kinds.insert(called, kind.to_string());
                        let model = table.text("model");
                        known.models.extend(model.map(String::from));
                        known.vars.extend(keys_in(table, "vars"));
                        known.stances.extend(keys_in(table, "stances"));
                        known.entities.extend(name);
                    }
                    _ => {}
                }
            }
        }
    }
}

/// The number of points in the path of a solid that scripts can send; none for other solids.
fn points_of_called(solid: &Table) -> Option<usize> {
    let path = solid.table("path")?;
    let is_called = path.text("loop") == Some("called");
    Some(path.get("points").filter(|_| is_called)?.list()?.len())
}

/// The keys of a table in another one, such as the variables in the `vars` of a kind.
fn keys_in<'t>(table: &'t Table, name: &str) -> impl Iterator<Item = String> + use<'t> {
    let inner = table.table(name).into_iter();
    inner.flat_map(Table::names).map(String::from)
}

/// Adds the variables that a table sets for a script, by its key.
fn collect_vars(table: &Table, script: Option<String>, known: &mut GameNames) {
    let vars = table.table("vars").into_iter().flat_map(|vars| &vars.entries);
    known.texts_in_vars.extend(vars.filter_map(|(_, node)| node.text()).map(String::from));
    if let Some(script) = script {
        known.vars_of.entry(script).or_default().extend(keys_in(table, "vars"));
    }
}

/// The scripts of a kind: its own, or those that a mod puts above it.
fn scripts_of(table: &Table) -> impl Iterator<Item = &str> {
    let above = table.get("scripts").into_iter().flat_map(Node::items).filter_map(Node::text);
    table.text("script").into_iter().chain(above)
}

/// Adds all texts in a table that are the names of pictures or sounds.
fn collect_media(table: &Table, out: &mut BTreeSet<String>) {
    for (_, node) in &table.entries {
        let is_medium = |text: &&str| [".png", ".wav", ".ogg"].iter().any(|it| text.ends_with(it));
        out.extend(node.text().filter(is_medium).map(String::from));
        node.tables().into_iter().for_each(|table| collect_media(table, out));
    }
}

/// Adds every `surface` of a table and of the tables in it.
fn collect_surfaces(table: &Table, out: &mut BTreeSet<String>) {
    for (key, node) in &table.entries {
        if key.name == "surface" {
            out.extend(node.text().map(String::from));
        }
        node.tables().into_iter().for_each(|table| collect_surfaces(table, out));
    }
}
