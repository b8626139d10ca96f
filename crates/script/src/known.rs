//! The names in a game's files, for checking scripts without running them.

use hangtime_core::models::ModelName;
use std::collections::{BTreeMap, BTreeSet};

/// The surface of solids that do not name one.
pub const PLAIN_SURFACE: &str = "plain";

/// The endings of levels: TOML, maps of Tiled, and projects of LDtk. If levels have the same name, the one with the first
/// ending is found.
pub const LEVEL_ENDINGS: [&str; 3] = ["toml", "tmx", "ldtk"];

/// The names that a game's files define and scripts use. An empty set means that the names are unknown, so nothing is
/// checked against it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameNames {
    /// Levels: paths below `levels/`.
    pub levels: BTreeSet<String>,
    /// Surfaces: those in `config/surfaces.toml` and in levels.
    pub surfaces: BTreeSet<String>,
    /// Solids in levels.
    pub solids: BTreeSet<String>,
    /// Whether a script creates solids with names that it computes, so that more may exist.
    pub computed_solids: bool,
    /// The solids that scripts can switch.
    pub switched: BTreeSet<String>,
    /// The platforms that scripts can send, with the largest number of points that the path of one has.
    pub called: BTreeMap<String, usize>,
    /// The stances of all kinds.
    pub stances: BTreeSet<String>,
    /// Zones in levels.
    pub zones: BTreeSet<String>,
    /// Kinds: the files in `config/entities/`.
    pub kinds: BTreeSet<String>,
    /// The kinds of the entities in levels.
    pub placed: BTreeSet<String>,
    /// Pictures and sounds that kinds, levels and settings name.
    pub media: BTreeSet<String>,
    /// Pictures: the PNG files in `pictures/`.
    pub pictures: BTreeSet<String>,
    /// Sounds: the keys of all tables `[sounds]`.
    pub sounds: BTreeSet<String>,
    /// The actions that the game defines.
    pub actions: BTreeSet<String>,
    /// Models that entities in levels choose for themselves.
    pub models: BTreeSet<String>,
    /// Entities in levels.
    pub entities: BTreeSet<String>,
    /// Scripts of kinds and entities: paths below `scripts/`.
    pub behaviors: BTreeSet<String>,
    /// Those of them that entities in levels name themselves.
    pub own_scripts: BTreeSet<String>,
    /// The models that move the entities of a script, for the scripts of which all are known.
    pub moved_by: BTreeMap<String, BTreeSet<ModelName>>,
    /// Scripts of levels themselves: paths below `scripts/`.
    pub level_scripts: BTreeSet<String>,
    /// Names in quotes in tests, which can emit and query events.
    pub quoted_in_tests: BTreeSet<String>,
    /// Variables with a first value in a kind, an entity or a level.
    pub vars: BTreeSet<String>,
    /// The texts among the first values of variables.
    pub texts_in_vars: BTreeSet<String>,
    /// The variables that kinds, entities and levels set for each of their scripts, by its key.
    pub vars_of: BTreeMap<String, BTreeSet<String>>,
    /// The key of the script of each kind that has one.
    pub kind_scripts: BTreeMap<String, String>,
    /// The kinds of the entities in levels, by their names: the kind itself for those without one.
    pub entity_kinds: BTreeMap<String, String>,
    /// All words in tests, which can set and read variables.
    pub words_in_tests: BTreeSet<String>,
    /// Whether a file of surfaces, a kind or a level could not be read, so that more names may exist.
    pub unread: bool,
}

impl GameNames {
    /// Whether an entity can have this name: the level itself, an entity in a level, or one that a script creates, which
    /// is named after its kind, perhaps with a number.
    pub fn may_be_entity(&self, name: &str) -> bool {
        let numbered = |kind: &String| {
            let rest = name.strip_prefix(kind.as_str());
            let rest = rest.and_then(|rest| rest.strip_prefix('_'));
            rest.is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()))
        };
        name == "level" || self.entities.contains(name) || self.kinds.iter().any(|kind| kind == name || numbered(kind))
    }

    /// The hint for a variable that does not exist, if something of the game has its name.
    pub fn unquoted(&self, name: &str) -> Option<String> {
        let all = [&self.zones, &self.solids, &self.kinds, &self.surfaces];
        all.iter()
            .any(|names| names.contains(name))
            .then(|| format!("; names are in quotes: `\"{name}\"`"))
    }

    /// The key of the script of an entity: one with a name, or one that is named after its kind, perhaps with a number.
    pub fn script_of_entity(&self, name: &str) -> Option<&String> {
        let kind = self.entity_kinds.get(name).map_or(name, String::as_str);
        let numbered = || {
            self.kind_scripts
                .get(kind.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix('_')?)
        };
        self.kind_scripts.get(kind).or_else(numbered)
    }

    /// The variables that files may set for a script. An entity that names its script itself has those of its kind, too.
    pub fn vars_for(&self, script: &str) -> Option<&BTreeSet<String>> {
        match self.own_scripts.contains(script) {
            true => Some(&self.vars),
            false => self.vars_of.get(script),
        }
    }

    /// Whether something other than a script answers an event that a file with this text emits: a test that queries it, or
    /// a sound.
    pub fn hears(&self, event: &str, is_test: bool, text: &str) -> bool {
        // A test that emits it has its name at least once.
        let often = || {
            ['"', '\'']
                .iter()
                .any(|quote| text.matches(&format!("{quote}{event}{quote}")).count() > 1)
        };
        let in_tests = self.quoted_in_tests.contains(event) && (!is_test || often());
        in_tests || self.sounds.contains(event)
    }

    /// Whether a test can play this level: one of this name exists in some folder.
    pub fn may_be_level(&self, name: &str) -> bool {
        let last = |path: &str| without_ending(path.rsplit('/').next().unwrap_or_default());
        let wanted = last(name);
        let is_wanted =
            |level: String| level == wanted || level.split_once('#').is_some_and(|(file, _)| file == wanted);
        self.levels.is_empty() || self.levels.iter().any(|level| is_wanted(last(level)))
    }
}

/// The name of a level without the ending of its file: `world#Cave` of `world.ldtk#Cave`.
pub(crate) fn without_ending(name: &str) -> String {
    match name.split_once(".ldtk#") {
        Some((file, part)) => format!("{file}#{part}"),
        None => {
            let stem = LEVEL_ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)?.strip_suffix('.'));
            stem.unwrap_or(name).into()
        }
    }
}
