//! Where the value of a tunable is written, and changes that are not written yet.

use crate::models::ModelName;
use crate::tuning::Setting;

/// Where the value of a tunable is written, or would be. A change there affects every entity that takes
/// its value from there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TuningHome {
    /// `config/models/MODEL.toml`, for all kinds that do not set it.
    Model,
    /// `config/entities/KIND.toml`, for one kind. Values that no file sets belong there.
    Kind(String),
    /// An entity of the level's file, for it alone.
    Entity(String),
    /// A setting of the command line, which is not in a file.
    CommandLine,
}

/// Another value for a tunable.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningChange {
    /// Where the value is written.
    pub home: TuningHome,
    /// The model whose tunable it is.
    pub model: ModelName,
    /// The tunable's name.
    pub name: &'static str,
    /// The new value.
    pub value: Setting,
}

impl TuningHome {
    /// The file, by its path below the game folder; `None` for the command line. `level` is the path of
    /// the level's file.
    #[must_use]
    pub fn file(&self, model: ModelName, level: &str) -> Option<String> {
        match self {
            Self::Model => Some(format!("config/models/{}.toml", model.as_str())),
            Self::Kind(kind) => Some(format!("config/entities/{kind}.toml")),
            Self::Entity(_) => Some(level.to_string()),
            Self::CommandLine => None,
        }
    }
}
