//! What a client wants to see of a world.

use super::*;

/// What to show of a world. With nothing given, the whole line of a trace. In every line, `level.vars` has the variables of the
/// level's own script; columns do not have them.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ObserveParams {
    /// Only the entities with these names, and their events.
    pub entities: Option<Vec<String>>,
    /// Only the entities of these kinds, and their events.
    pub kinds: Option<Vec<String>>,
    /// Only these members of each entity, along with its `name`.
    pub fields: Option<Vec<String>>,
    /// Why each entity moved, as in traces with `--trace-why`. Only for ticks that were recorded: see `why` of
    /// `world.create`.
    pub why: bool,
    /// Numbers instead of lines: the names of columns, such as `pos.x`.
    pub columns: Option<Vec<String>>,
    /// How the numbers of columns are sent.
    pub format: ColumnFormat,
    /// In `world.step` and `world.trace.subscribe`: show every nth tick of the world. Without it, a step shows its last
    /// tick, and a subscription every tick. At least 1.
    #[serde(deserialize_with = "whole_if_any")]
    pub every: Option<u64>,
}

/// How the numbers of columns are sent: always as 8 bytes each, little-endian IEEE 754.
#[derive(Clone, Copy, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ColumnFormat {
    /// In base64, in the answer.
    #[default]
    Base64,
    /// In a binary frame that follows the answer. Only over WebSocket.
    Binary,
}

/// What happens when a subscriber reads more slowly than the world makes ticks.
#[derive(Clone, Copy, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WhenFull {
    /// Lines are dropped; the next one that is sent says how many.
    #[default]
    Drop,
    /// The world waits for the subscriber.
    Wait,
}
