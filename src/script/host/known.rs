//! What a game's files name, for who checks scripts without running them.

use std::collections::BTreeSet;

/// The names that a game's files give to things which scripts name, too. Of what is empty nothing is
/// known, and nothing is said about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
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
    /// Scripts that kinds and entities name, below `scripts/`.
    pub behaviours: BTreeSet<String>,
    /// Scripts that levels name as their own.
    pub level_scripts: BTreeSet<String>,
    /// Events that tests look for.
    pub looked_for: BTreeSet<String>,
    /// Variables that kinds, entities and levels give first values to.
    pub vars: BTreeSet<String>,
    /// All words of the tests, which may set or look at variables.
    pub test_words: BTreeSet<String>,
    /// Whether some file of surfaces, kind or level could not be read, and may name whatever there is.
    pub unread: bool,
}
