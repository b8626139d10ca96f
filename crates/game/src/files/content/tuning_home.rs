//! Where the value of a tunable is written, and changes that are not written yet.

use super::*;
use crate::files::{level_file, unsaved_in};
use hangtime_core::tuning::{SetError, Setting, Tunable, Tunables};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

/// A group of tunables: what the key of a `KEY=VALUE` setting begins with. Displays as that:
/// `platformer`, `simulation`, `surfaces.ice`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TuningGroup {
    /// The tunables of a model.
    Model(ModelName),
    /// The tunables of one of the level's surfaces, by its name.
    Surface(String),
    /// The tunables of everything that moves.
    Simulation,
}

impl From<ModelName> for TuningGroup {
    fn from(model: ModelName) -> Self {
        Self::Model(model)
    }
}

impl fmt::Display for TuningGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(model) => f.write_str(model.as_str()),
            Self::Surface(name) => write!(f, "surfaces.{name}"),
            Self::Simulation => f.write_str("simulation"),
        }
    }
}

impl TuningGroup {
    /// All tunables of the group.
    pub fn tunables(&self) -> Vec<Tunable> {
        match self {
            Self::Model(model) => model.tunables().to_vec(),
            Self::Surface(_) => SurfaceTuning::list(),
            Self::Simulation => SimulationTuning::list(),
        }
    }

    /// Checks whether a tunable of the group accepts a value.
    ///
    /// # Errors
    /// If there is no such tunable, or the value has the wrong type or is out of range.
    pub fn check(&self, name: &str, value: &Setting) -> Result<(), SetError> {
        match self {
            Self::Model(model) => ModelTunings::default().set(*model, name, value),
            Self::Surface(_) => SurfaceTuning::default().set(name, value),
            Self::Simulation => SimulationTuning::default().set(name, value),
        }
    }
}

/// Where the value of a tunable is written, or would be. A change there affects everything that takes
/// its value from there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TuningHome {
    /// `config/models/MODEL.toml`, for all kinds that do not set it.
    Model,
    /// `config/entities/KIND.toml`, for one kind. Values that no file sets belong there.
    Kind(String),
    /// An entity of the level's file, for it alone.
    Entity(String),
    /// `config/surfaces.toml`, in the table of the surface.
    Surfaces,
    /// `config/hangtime.toml`, in `[simulation]`.
    Game,
    /// The level's file: a level can have its own gravity.
    Level,
    /// A setting of the command line, which is not in a file.
    CommandLine,
    /// This file of a mod, which is what the other home would be in the game.
    Mod(String, Box<Self>),
}

/// Which entities a changed number of a model is for, where the level's file does not set it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TuningScope {
    /// For one kind.
    Kind,
    /// For all kinds that do not set it themselves.
    Model,
}

/// Why nothing is saved in a file that cannot be parsed as TOML.
pub(crate) fn unsaved_reason(file: &str) -> &'static str {
    unsaved_in(file).unwrap_or("has a syntax error; nothing is saved there until it is fixed")
}

/// Another value for a tunable.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TuningChange {
    /// Where the value is written.
    pub home: TuningHome,
    /// The group that the tunable is in.
    pub group: TuningGroup,
    /// The tunable's name.
    pub name: &'static str,
    /// The new value.
    pub value: Setting,
}

/// A change as it was read from a file.
#[derive(Deserialize)]
struct UncheckedChange {
    home: TuningHome,
    group: TuningGroup,
    name: String,
    value: Setting,
}

impl<'de> Deserialize<'de> for TuningChange {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let UncheckedChange { home, group, name, value } = UncheckedChange::deserialize(from)?;
        let wrong = |error: SetError| D::Error::custom(format!("`{group}.{name}`: {error}"));
        let known = group.tunables().into_iter().find(|t| t.name == name);
        let known = known.ok_or_else(|| wrong(SetError::Unknown))?;
        group.check(known.name, &value).map_err(wrong)?;
        Ok(Self { home, group, name: known.name, value })
    }
}

impl TuningHome {
    /// The file, by its path below the game folder; `None` for the command line. `level` is the level's name.
    pub fn file(&self, group: &TuningGroup, level: &str) -> Option<String> {
        match self {
            Self::Model => Some(format!("config/models/{group}.toml")),
            Self::Kind(kind) => Some(format!("config/entities/{kind}.toml")),
            Self::Surfaces => Some("config/surfaces.toml".into()),
            Self::Game => Some("config/hangtime.toml".into()),
            Self::Entity(_) | Self::Level => Some(level_file(level).into()),
            Self::CommandLine => None,
            Self::Mod(file, _) => Some(file.clone()),
        }
    }

    /// Which entities a number that is written there is for, after the name of its file: `for all of platformer`. Empty for
    /// the command line.
    pub fn reach(&self, group: &TuningGroup) -> String {
        match self.in_game() {
            Self::Model => format!("for all of {group}"),
            Self::Kind(kind) => format!("for the kind {kind}"),
            Self::Entity(entity) => format!("for {entity} alone"),
            Self::Surfaces | Self::Game => "for the whole game".into(),
            Self::Level => "for this level".into(),
            Self::CommandLine | Self::Mod(..) => String::new(),
        }
    }

    /// What its file has in the game: the home itself, except for one in a mod.
    pub fn in_game(&self) -> &Self {
        match self {
            Self::Mod(_, home) => home.in_game(),
            home => home,
        }
    }

    /// Whether the value is written in the level's file, so that other levels do not have it.
    pub fn is_of_level(&self) -> bool {
        matches!(self.in_game(), Self::Entity(_) | Self::Level)
    }
}
