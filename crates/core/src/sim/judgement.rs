//! How well an entity does, as its script judges it.

/// What the rules `reward` and `done` of an entity's script have answered.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Judgement {
    /// The reward; none if no rule gave one.
    pub reward: Option<f64>,
    /// Whether the entity's run has ended; none if no rule said so.
    pub done: Option<bool>,
}
