//! What a game's files name, for who checks scripts without running them.

use std::collections::BTreeSet;

/// The surface of what has no other.
pub const PLAIN_SURFACE: &str = "plain";

/// The names that a game's files give to things which scripts name, too. Of what is empty nothing is
/// known, and nothing is said about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameNames {
    /// Levels: the files below `levels/`, as they are called from there.
    pub levels: BTreeSet<String>,
    /// Surfaces: of `config/surfaces.toml`, and those that levels name.
    pub surfaces: BTreeSet<String>,
    /// Solids of the levels.
    pub solids: BTreeSet<String>,
    /// Those of them that scripts can switch.
    pub switched: BTreeSet<String>,
    /// Zones of the levels.
    pub zones: BTreeSet<String>,
    /// Kinds: the files below `config/entities/`.
    pub kinds: BTreeSet<String>,
    /// Entities of the levels.
    pub entities: BTreeSet<String>,
    /// Scripts that kinds and entities name, below `scripts/`.
    pub behaviors: BTreeSet<String>,
    /// Scripts that levels name as their own.
    pub level_scripts: BTreeSet<String>,
    /// Events that tests look for.
    pub looked_for: BTreeSet<String>,
    /// Variables that kinds, entities and levels give first values to.
    pub vars: BTreeSet<String>,
    /// Keys of maps in the first values of variables.
    pub inner_vars: BTreeSet<String>,
    /// All words of the tests, which may set or look at variables.
    pub test_words: BTreeSet<String>,
    /// Whether some file of surfaces, kind or level could not be read, and may name whatever there is.
    pub unread: bool,
}

impl GameNames {
    /// Whether an entity may have this name: the level itself, one that a level names, or one that has got the
    /// name of its kind, perhaps with a number.
    #[must_use]
    pub fn may_be_entity(&self, name: &str) -> bool {
        let numbered = |kind: &String| {
            let rest = name.strip_prefix(kind.as_str());
            let rest = rest.and_then(|rest| rest.strip_prefix('_'));
            rest.is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()))
        };
        name == "level"
            || self.entities.contains(name)
            || self.kinds.iter().any(|kind| kind == name || numbered(kind))
    }

    /// Whether a test that plays this may find a level: one that has this name in whatever folder.
    #[must_use]
    pub fn may_be_level(&self, name: &str) -> bool {
        let last = |path: &str| {
            let name = path.rsplit('/').next().unwrap_or_default();
            name.trim_end_matches(".toml").to_string()
        };
        let wanted = last(name);
        self.levels.is_empty() || self.levels.iter().any(|level| last(level) == wanted)
    }
}
