//! Why something that a client asks for cannot be done.

use super::*;

/// Why a served world, or the game around it, cannot do what it is asked. The world stays as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServiceError {
    /// The game's files, a level's name, an input file or settings are wrong.
    #[error(transparent)]
    Files(#[from] Error),
    /// The game has no level with the name in the parameter `level`, or does not read it.
    #[error("{error}")]
    Level {
        /// Why not, with the nearest name.
        error: Error,
    },
    /// A parameter has a value that it cannot have.
    #[error("{place}: {message}")]
    Parameter {
        /// The parameter, such as `inputs[0].held`.
        place: String,
        /// What is wrong, and what would be right.
        message: String,
    },
    /// A snapshot is damaged, from another version, or of another level.
    #[error("{0}")]
    Snapshot(String),
    /// A limit of the service is reached.
    #[error("{0}")]
    Limit(String),
}

impl ServiceError {
    /// A parameter that cannot have its value.
    pub(super) fn parameter(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Parameter { place: place.into(), message: message.into() }
    }
}
