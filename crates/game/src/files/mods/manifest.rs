//! `mod.toml`: what a mod is called, and what it needs.

use super::folders::MOST_MODS;
use crate::files::{TableReader, parse};
use hangtime_script::{Diagnostic, Mistakes, Place, SourceFile, text::is_small_name};
use semver::{Version, VersionReq};
use std::{collections::BTreeMap, sync::Arc};

/// The largest number of characters in a mod's name.
const LONGEST_NAME: usize = 64;

/// Names that mean something else in scripts and messages.
const RESERVED: [&str; 3] = ["base", "game", "level"];

/// A mod: one layer of a game's files.
#[derive(Clone, Debug, PartialEq)]
pub struct ModLayer {
    /// Its name, which is unique among the mods that are loaded.
    pub name: String,
    /// Its version.
    pub version: Version,
    /// What the names of its files begin with: `mods/angry`.
    pub folder: String,
    /// The mods that it lies over, with the versions that it works with.
    pub needs: BTreeMap<String, VersionReq>,
    /// The versions of the game that it works with, and where it says so; none if it works with any.
    pub game: Option<(VersionReq, Place)>,
    /// Where `mod.toml` names it.
    pub(super) name_place: Place,
    /// Where it names each mod that it needs.
    pub(super) need_places: BTreeMap<String, Place>,
}

impl ModLayer {
    /// The path of a file inside the mod, if it is one of its files.
    pub fn local<'n>(&self, file: &'n str) -> Option<&'n str> {
        file.strip_prefix(&self.folder)?.strip_prefix('/')
    }

    /// The name of a file of the mod, by its path inside the mod.
    pub(crate) fn full(&self, local: &str) -> String {
        format!("{}/{local}", self.folder)
    }

    /// Reads `mod.toml`.
    ///
    /// # Errors
    /// Every mistake in it.
    pub(super) fn read(folder: &str, file: &Arc<SourceFile>) -> Result<Self, Vec<Diagnostic>> {
        let table = parse(file).map_err(|wrong| vec![wrong])?;
        let mut out = Mistakes::new();
        let mut reader = TableReader::new(&table, &mut out);
        let name = reader.require_text("name", "a mod");
        let version = reader.require_text("version", "a mod");
        if let Some((name, place)) = name
            && let Err(why) = check_mod_name(name)
        {
            reader.error(place, why);
        }
        let version = version.and_then(|(text, place)| {
            let version = read_version(text);
            if version.is_none() {
                reader.error(place, format!("`{text}` is not a version, such as \"1.0.0\""));
            }
            version
        });
        let game = reader.text_at("game_version").and_then(|(text, place)| match VersionReq::parse(&text) {
            Ok(wanted) => Some((wanted, place)),
            Err(_) => {
                let message = "a mod works with versions of the game, such as \"1.2\", \">=1.2, <3\" or \"*\"";
                reader.error(&place, message);
                None
            }
        });
        let mut needs = BTreeMap::new();
        let mut need_places = BTreeMap::new();
        let needed = reader.table("needs").map_or(&[][..], |t| &t.entries);
        if let Some((key, _)) = needed.get(MOST_MODS) {
            reader.error(&key.place, format!("a game has at most {MOST_MODS} mods"));
        }
        for (key, node) in needed.iter().take(MOST_MODS) {
            let text = node.text();
            if let Err(why) = check_mod_name(&key.name) {
                reader.error(&key.place, why);
            } else if let Some(wanted) = text.and_then(|text| VersionReq::parse(text).ok()) {
                needs.insert(key.name.clone(), wanted);
                need_places.insert(key.name.clone(), key.place.clone());
            } else {
                let message = "a mod needs versions of another one, such as \"1.2\", \">=1.2, <3\" or \"*\"";
                reader.error(&node.place, message);
            }
        }
        reader.finish();
        match (name, version) {
            (Some((name, name_place)), Some(version)) if !out.has_errors() => {
                let (name, name_place) = (name.into(), name_place.clone());
                Ok(Self { name, version, folder: folder.into(), needs, game, name_place, need_places })
            }
            _ => Err(out.finish()),
        }
    }
}

/// Whether a range names a version. To semver, `*` matches none before a release, such as 1.0.0-beta.
pub fn allows(wanted: &VersionReq, version: &Version) -> bool {
    *wanted == VersionReq::STAR || wanted.matches(version)
}

/// Reads a version whose last parts may be missing.
pub fn read_version(text: &str) -> Option<Version> {
    let full = ["", ".0", ".0.0"].map(|rest| format!("{text}{rest}"));
    full.iter().find_map(|text| Version::parse(text).ok())
}

/// Whether this can be the name of a mod.
///
/// # Errors
/// Why not.
pub fn check_mod_name(name: &str) -> Result<(), String> {
    if RESERVED.contains(&name) {
        return Err(format!("a mod cannot be named `{name}`, which means something else"));
    }
    if is_small_name(name, LONGEST_NAME, &['_', '-']) {
        return Ok(());
    }
    Err(format!(
        "`{name}` is not a name for a mod; start with a letter, and use at most {LONGEST_NAME} lowercase letters, \
         digits, `_` and `-`"
    ))
}
