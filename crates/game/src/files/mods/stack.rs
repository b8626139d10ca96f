//! The mods of a game in the order in which they lie over each other, and those that are left out.

use super::{
    folders::MOST_MODS,
    manifest::{ModLayer, allows, read_version},
};
use crate::{
    Error,
    files::{CONFIG, GAME_FOLDERS, Node, TableReader, parse},
};
use hangtime_script::{Diagnostic, Mistakes, Severity, SourceFile, suggestion};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// A mod that is not loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOutMod {
    /// Its folder, as the names of its files begin.
    pub folder: String,
    /// Why it is left out: errors.
    pub why: Vec<Diagnostic>,
}

impl LeftOutMod {
    /// The same as warnings: the game runs without the mod. None if there is no reason.
    pub fn warnings(&self) -> impl Iterator<Item = Diagnostic> + '_ {
        let head = self.why.first().map(|first| {
            let message = format!("this mod is left out: {}", first.message);
            Diagnostic::about_file(&self.folder, message)
        });
        let others = self.why.iter().filter(|wrong| wrong.file_name() != self.folder);
        let all = head.into_iter().chain(others.cloned());
        all.map(|wrong| Diagnostic { severity: Severity::Warning, ..wrong })
    }

    /// Whether a file is one of the mod's, or its folder.
    pub(crate) fn has(&self, file: &str) -> bool {
        let rest = file.strip_prefix(&self.folder);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// The mods of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModStack {
    /// The mods that are loaded, the lowest one first: each after the mods that it needs, then in the order of
    /// `mods/mods.toml`, then by name.
    pub layers: Vec<ModLayer>,
    /// The others, by folder.
    pub left_out: Vec<LeftOutMod>,
}

impl ModStack {
    /// The mods whose files are among these.
    pub(crate) fn of(files: &BTreeMap<String, Arc<SourceFile>>) -> Self {
        let mut stack = Self::default();
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        let folders = folders_of(files);
        for (count, folder) in folders.into_iter().enumerate() {
            if count >= MOST_MODS {
                let error = Error::OverLimit { file: folder.into(), limit: MOST_MODS as u64, of: "mods" };
                stack.note(folder, error.diagnostics());
                continue;
            }
            match ModLayer::read(folder, &files[&format!("{folder}/{MANIFEST}")]) {
                Ok(layer) => match known.get(&layer.name).map(|other| &stack.layers[*other].folder) {
                    Some(other) => {
                        let message = format!("{other} is named `{}`, too; give this mod another name", layer.name);
                        stack.note(folder, vec![Diagnostic::error(layer.name_place, message)]);
                    }
                    None => {
                        known.insert(layer.name.clone(), stack.layers.len());
                        stack.layers.push(layer);
                    }
                },
                Err(why) => stack.note(folder, why),
            }
        }
        stack.leave_out_for_other_games(files);
        stack.sort(&ordered(files));
        stack
    }

    /// Leaves out the mods that do not work with this version of the game.
    fn leave_out_for_other_games(&mut self, files: &BTreeMap<String, Arc<SourceFile>>) {
        let config = files.get(CONFIG).and_then(|file| parse(file).ok());
        let text = config.as_ref().and_then(|table| table.text("version"));
        let version = text.and_then(read_version);
        for layer in self.layers.clone() {
            let Some((wanted, place)) = layer
                .game
                .filter(|(wanted, _)| !version.as_ref().is_some_and(|version| allows(wanted, version)))
            else {
                continue;
            };
            let is = version.as_ref().map_or_else(|| "says none".into(), |version| format!("says {version}"));
            let message = format!("`{}` works with version {wanted} of the game, and {CONFIG} {is}", layer.name);
            self.note(&layer.folder, vec![Diagnostic::error(place, message)]);
        }
    }

    /// What is wrong with the order that the player gives, as warnings.
    pub(crate) fn wrong_order(&self, file: &Arc<SourceFile>) -> Vec<Diagnostic> {
        let warning = |wrong: Diagnostic| Diagnostic { severity: Severity::Warning, ..wrong };
        let table = match parse(file) {
            Ok(table) => table,
            Err(wrong) => return vec![warning(wrong)],
        };
        let mut out = Mistakes::new();
        let mut reader = TableReader::new(&table, &mut out);
        let known = self.layers.iter().map(|layer| layer.name.as_str());
        for node in reader.require("order", ORDER).into_iter().flat_map(Node::items) {
            match node.text() {
                Some(name) if known.clone().any(|it| it == name) => {}
                Some(name) => {
                    reader.error(&node.place, format!("no mod `{name}` is loaded{}", suggestion(name, known.clone())))
                }
                None => reader.error(&node.place, format!("`order` takes names of mods, not {}", node.kind())),
            }
        }
        reader.finish();
        out.finish().into_iter().map(warning).collect()
    }

    /// The layer that a file belongs to; none for the game's own files and for mods that are left out.
    pub fn layer_of(&self, file: &str) -> Option<&ModLayer> {
        self.layers.iter().find(|layer| layer.local(file).is_some())
    }

    /// Whether a file belongs to a mod that is left out.
    pub(crate) fn is_left_out(&self, file: &str) -> bool {
        self.left_out.iter().any(|it| it.has(file))
    }

    /// The path of a file below the folder of its layer, be it the game or a mod.
    pub fn local<'n>(&self, file: &'n str) -> &'n str {
        let local = self.layers.iter().find_map(|layer| layer.local(file));
        local.unwrap_or(file)
    }

    /// Leaves out a mod and the mods that need it. If it is left out already, this becomes the reason.
    pub(crate) fn leave_out(&mut self, folder: &str, why: Vec<Diagnostic>) {
        self.note(folder, why);
        self.leave_out_needing();
    }

    /// Notes that a mod is left out, and why.
    fn note(&mut self, folder: &str, why: Vec<Diagnostic>) {
        self.layers.retain(|layer| layer.folder != folder);
        match self.left_out.binary_search_by(|it| (*it.folder).cmp(folder)) {
            // It has become one of those whose needs are missing.
            Ok(at) => self.left_out[at].why = why,
            Err(at) => self.left_out.insert(at, LeftOutMod { folder: folder.into(), why }),
        }
    }

    /// The same stack with only these mods. The others are left out without a reason.
    pub(crate) fn only(&self, names: &BTreeSet<String>) -> Self {
        let mut stack = self.clone();
        for layer in self.layers.iter().filter(|layer| !names.contains(&layer.name)) {
            stack.note(&layer.folder, Vec::new());
        }
        stack
    }

    /// Leaves out the mods that need one that is not there, until there is none.
    fn leave_out_needing(&mut self) {
        loop {
            let lacking: Vec<_> = self
                .layers
                .iter()
                .map(|layer| (layer.folder.clone(), self.missing_needs(layer)))
                .filter(|(_, why)| !why.is_empty())
                .collect();
            if lacking.is_empty() {
                return;
            }
            for (folder, why) in lacking {
                self.note(&folder, why);
            }
        }
    }

    /// Why a mod cannot have what it needs.
    pub(crate) fn missing_needs(&self, layer: &ModLayer) -> Vec<Diagnostic> {
        let why = |(name, wanted): (&String, &semver::VersionReq)| {
            let other = self.layers.iter().find(|other| other.name == *name);
            let message = match other {
                Some(other) if allows(wanted, &other.version) => return None,
                Some(other) => format!(
                    "`{}` needs version {wanted} of `{name}`, and {} is version {}",
                    layer.name, other.folder, other.version
                ),
                None => format!("`{}` needs the mod `{name}`, which is not loaded", layer.name),
            };
            Some(Diagnostic::error(layer.need_places[name].clone(), message))
        };
        layer.needs.iter().filter_map(why).collect()
    }

    /// Sorts the mods: each after the mods that it needs, then by their places in the `order` of the player, those without
    /// one first, then by name. Mods that need each other are left out.
    fn sort(&mut self, order: &[String]) {
        self.leave_out_needing();
        let layers = std::mem::take(&mut self.layers).into_iter();
        let mut rest: BTreeMap<String, ModLayer> = layers.map(|layer| (layer.name.clone(), layer)).collect();
        let ready = |rest: &BTreeMap<String, ModLayer>| {
            let ready = rest.values().filter(|layer| layer.needs.keys().all(|name| !rest.contains_key(name)));
            let first = ready.min_by_key(|layer| order.iter().position(|name| *name == layer.name));
            first.map(|layer| layer.name.clone())
        };
        while let Some(name) = ready(&rest) {
            self.layers.extend(rest.remove(&name));
        }
        for layer in rest.values() {
            let round = round_of(layer, &rest).join("` needs `");
            let message = format!("mods cannot need each other in a circle: `{round}`");
            self.note(&layer.folder, vec![Diagnostic::error(layer.name_place.clone(), message)]);
        }
    }

    /// The mods that one needs, directly or through others, with itself.
    pub(crate) fn needed_by(&self, name: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut next = vec![name.to_string()];
        while let Some(name) = next.pop() {
            let layer = self.layers.iter().find(|layer| layer.name == name);
            if let Some(layer) = layer.filter(|_| found.insert(name)) {
                next.extend(layer.needs.keys().cloned());
            }
        }
        found
    }
}

/// The names on the way from a mod to one that it needs for the second time. All of these are in or before a circle.
fn round_of(layer: &ModLayer, rest: &BTreeMap<String, ModLayer>) -> Vec<String> {
    let mut names = vec![layer.name.clone()];
    let mut at = layer;
    loop {
        let mut needs = at.needs.keys();
        let Some(next) = needs.find_map(|name| rest.get(name)) else {
            return names;
        };
        let is_known = names.contains(&next.name);
        names.push(next.name.clone());
        if is_known {
            return names;
        }
        at = next;
    }
}

/// The file that makes a folder a mod.
pub const MANIFEST: &str = "mod.toml";

/// The file in which the player orders mods: `order = ["enemies", "angry"]`.
pub const ORDER: &str = "mods/mods.toml";

/// The names of mods as the player orders them.
fn ordered(files: &BTreeMap<String, Arc<SourceFile>>) -> Vec<String> {
    let table = files.get(ORDER).and_then(|file| parse(file).ok());
    let order = table.as_ref().and_then(|table| table.get("order"));
    order.into_iter().flat_map(Node::items).filter_map(Node::text).map(String::from).collect()
}

/// The folders with a `mod.toml` that is not itself a file in one of the three folders of the game or of a mod.
fn folders_of(files: &BTreeMap<String, Arc<SourceFile>>) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    let mut folders: Vec<&str> =
        files.keys().filter_map(|name| name.strip_suffix(MANIFEST)?.strip_suffix('/')).collect();
    folders.sort_by_key(|folder| (folder.len(), *folder));
    let in_game = |local: &str| GAME_FOLDERS.iter().any(|name| local.split('/').next() == Some(name));
    for folder in folders {
        let of_mod = |other: &&str| {
            let local = folder.strip_prefix(*other).and_then(|local| local.strip_prefix('/'));
            local.is_some_and(in_game)
        };
        if !in_game(folder) && !found.iter().any(of_mod) {
            found.push(folder);
        }
    }
    found.sort_unstable();
    found
}
