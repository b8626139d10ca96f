//! The parameters and the result of `worlds.step`.

use super::*;
use serde::Serializer;

/// Parameters of `worlds.step`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepWorldsParams {
    /// The worlds, each at most once. They may be of different levels and tick rates.
    #[serde(deserialize_with = "whole_list")]
    pub worlds: Vec<u64>,
    /// How many ticks to make in each.
    #[serde(default = "one", deserialize_with = "whole")]
    pub ticks: u64,
    /// One entry for each world, in their order: inputs as `world.step` takes them, or null to continue the earlier inputs
    /// of that world. Without it, every world continues its earlier inputs.
    #[serde(default)]
    pub inputs: Option<Vec<Option<InputsParam>>>,
    /// Numbers to show after the last tick.
    #[serde(default)]
    pub observe: Option<ObserveWorldsParams>,
}

/// Which numbers of many worlds to show.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObserveWorldsParams {
    /// The names of columns, such as `pos.x`.
    pub columns: Vec<String>,
    /// Only the entities with these names, and their events. Every world has to have them.
    #[serde(default)]
    pub entities: Option<Vec<String>>,
    /// Only the entities of these kinds, and their events.
    #[serde(default)]
    pub kinds: Option<Vec<String>>,
    /// How the numbers are sent.
    #[serde(default)]
    pub format: ColumnFormat,
}

/// The result of `worlds.step`. Lists without a `world` have an item for each world, in the order of the request.
#[derive(Serialize, JsonSchema)]
pub struct StepWorldsAnswer<'a> {
    /// The number of ticks that each world has made since its beginning; null if the world has ended, for which its report
    /// has the reason.
    pub ticks: Vec<Option<u64>>,
    /// The hash of each world, 16 hexadecimal digits; null if it has ended.
    #[schemars(with = "Vec<Option<String>>")]
    pub hashes: Vec<Option<HashText>>,
    /// How many ticks of queued inputs are left in each world. Omitted if none are left in any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inputs_left: Vec<u64>,
    /// The numbers after the last tick, in a block for all worlds that have the same entities.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<ColumnBlock>,
    /// What else happened in the worlds in which something did.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reports: Vec<WorldReport<'a>>,
}

/// Numbers of worlds that have the same entities. They are sorted by world, then by column, then by row.
#[derive(Serialize, JsonSchema)]
pub struct ColumnBlock {
    /// The worlds, in the order of the request.
    pub worlds: Vec<u64>,
    /// The names of the entities, as of the beginning of the request. One that no longer exists is NaN.
    pub rows: Vec<String>,
    /// The numbers in base64: 8 bytes each, little-endian IEEE 754. Omitted if they are in a binary frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// The length of the block in the binary frame that follows, bytes. It comes after the blocks before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binary: Option<usize>,
}

/// What happened in one of many worlds. An answer has room for 10,000 events, 1,000 printed lines and 1,000 errors.
/// Each world has the same share of that room, and at least 4 of each.
#[derive(Serialize, JsonSchema)]
pub struct WorldReport<'a> {
    /// The world.
    pub world: u64,
    /// Why the world has ended, if it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<&'static str>,
    /// What happened in these ticks, to the entities that are observed or, without `observe`, to all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventLine<'a>>,
    /// How many events are left out because there were too many.
    #[serde(skip_serializing_if = "is_zero")]
    pub events_left_out: u64,
    /// The first errors of scripts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultLine>,
    /// How many errors of scripts are left out.
    #[serde(skip_serializing_if = "is_zero")]
    pub faults_left_out: u64,
    /// The first lines that scripts printed.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub printed: &'a [String],
    /// How many printed lines are left out.
    #[serde(skip_serializing_if = "is_zero")]
    pub printed_left_out: u64,
    /// Warnings about lines of `inputs` that have no effect.
    #[serde(skip_serializing_if = "<[DiagnosticLine]>::is_empty")]
    pub warnings: &'a [DiagnosticLine],
}

/// The hash of a world, written as 16 hexadecimal digits.
#[derive(Clone, Copy, PartialEq)]
pub struct HashText(pub u64);

impl Serialize for HashText {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let digit = |place: usize| b"0123456789abcdef"[(self.0 >> (60 - 4 * place)) as usize & 15];
        let digits: [u8; 16] = std::array::from_fn(digit);
        // Digits are UTF-8.
        out.serialize_str(std::str::from_utf8(&digits).unwrap_or_default())
    }
}

#[cfg(test)]
#[path = "../../tests/unit/protocol/worlds.rs"]
mod tests;
