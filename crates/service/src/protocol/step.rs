//! The parameters of `world.step`.

use super::*;
use hangtime_core::sim::MOST_PLAYERS;
use serde::de::{
    Error, MapAccess,
    value::{MapAccessDeserializer, SeqAccessDeserializer},
};

about_a_world!(
    StepParams of "world.step" {
        /// How many ticks to make.
        #[serde(default = "one", deserialize_with = "whole")]
        pub ticks: u64,
        /// What is held from the present tick on, instead of what is left of earlier inputs. Without it, these continue.
        #[serde(default)]
        pub inputs: Option<InputsParam>,
        /// Ends the step early, after the first tick in which this holds, or one of several.
        #[serde(default)]
        pub until: Option<UntilParam>,
        /// What to show. Without it, the answer has only tick, hash and events.
        #[serde(default)]
        pub observe: Option<ObserveParams>,
    }
);

pub fn one() -> u64 {
    1
}

// The text of an input file, or what each player holds.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
pub enum InputsParam {
    // Lines that the step does not reach are played by later ones.
    Text(String),
    // What each player holds during this step.
    Held(Vec<HeldInput>),
}

/// What a player holds during a step.
#[derive(Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct HeldInput {
    /// The player, from 1. Without it, the place in the list.
    #[serde(deserialize_with = "whole_if_any")]
    pub player: Option<u8>,
    /// The actions whose keys are down.
    pub held: Vec<String>,
    /// The actions whose keys go down in the first tick, even if they are up again.
    pub pressed: Vec<String>,
    /// The stick, from -1 to 1 on each axis.
    #[serde(rename = "move")]
    pub stick: Option<[f64; 2]>,
    /// The point aimed at, px.
    pub aim: Option<[f64; 2]>,
}

// One condition, or several; one of them is enough.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
pub enum UntilParam {
    One(#[schemars(with = "UntilParams")] [UntilParams; 1]),
    Several(Vec<UntilParams>),
}

impl UntilParam {
    /// The conditions.
    pub fn all(&self) -> &[UntilParams] {
        match self {
            Self::One(one) => one,
            Self::Several(several) => several,
        }
    }
}

/// What a step waits for: an `event`, or a `column` of an `entity` that is `above`, `below` or `equals` a number.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct UntilParams {
    /// The name of an event.
    pub event: Option<String>,
    /// The name of the entity. For an event, any if it is left out.
    pub entity: Option<String>,
    /// The name of a column, such as `pos.x` or `vars.coins`.
    pub column: Option<String>,
    /// The column is larger than this.
    pub above: Option<f64>,
    /// The column is smaller than this.
    pub below: Option<f64>,
    /// The column is this.
    pub equals: Option<f64>,
}

struct InputsVisitor;

impl<'de> Visitor<'de> for InputsVisitor {
    type Value = InputsParam;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text of an input file, or an array with what each player holds")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<InputsParam, E> {
        Ok(InputsParam::Text(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<InputsParam, A::Error> {
        // One more than there can be is a mistake that is found later.
        let (held, _) = first_items(list, usize::from(MOST_PLAYERS) + 1)?;
        Ok(InputsParam::Held(held))
    }
}

impl<'de> Deserialize<'de> for InputsParam {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(InputsVisitor)
    }
}

struct UntilVisitor;

impl<'de> Visitor<'de> for UntilVisitor {
    type Value = UntilParam;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a condition, or an array of conditions")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<UntilParam, A::Error> {
        Ok(UntilParam::One([UntilParams::deserialize(MapAccessDeserializer::new(map))?]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<UntilParam, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(UntilParam::Several)
    }
}

impl<'de> Deserialize<'de> for UntilParam {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(UntilVisitor)
    }
}
