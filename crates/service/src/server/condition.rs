//! When a step ends early.

use crate::Column;
use crate::protocol::{RpcError, UntilParams};
use hangtime_core::sim::{EntityView, event_names};
use hangtime_game::Live;

/// What a step waits for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum StepCondition {
    /// An event happens, to this entity or to any.
    Event { name: String, entity: Option<String> },
    /// A number of an entity compares with another one.
    Number { entity: String, column: Column, comparison: Comparison },
}

/// How a number compares with another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Comparison {
    Above(f64),
    Below(f64),
    Equals(f64),
}

impl StepCondition {
    /// The condition of a request.
    ///
    /// # Errors
    /// If it names what is not there, or is not a condition.
    pub fn new(params: &UntilParams, live: &Live) -> Result<Self, RpcError> {
        let known = |entity: &str| match live.world().entity(entity) {
            Some(_) => Ok(()),
            None => {
                let names: Vec<&str> = live.world().entities().iter().map(|e| &*e.name).collect();
                Err(RpcError::unknown("until.entity", ("entity", entity), &names))
            }
        };
        let UntilParams { event, entity, column, above, below, equals } = params;
        match (event, entity, column, (*above, *below, *equals)) {
            (Some(event), entity, None, (None, None, None)) => {
                if !event_names().any(|name| name == event) && !emits(live, event) {
                    let names: Vec<&str> = event_names().collect();
                    return Err(RpcError::unknown("until.event", ("event", event), &names));
                }
                entity.as_deref().filter(|entity| *entity != "level").map_or(Ok(()), known)?;
                Ok(Self::Event { name: event.clone(), entity: entity.clone() })
            }
            (None, Some(entity), Some(column), numbers) => {
                let comparison = match numbers {
                    (Some(x), None, None) => Comparison::Above(x),
                    (None, Some(x), None) => Comparison::Below(x),
                    (None, None, Some(x)) => Comparison::Equals(x),
                    _ => return Err(not_a_condition()),
                };
                let column = Column::parse(column).map_err(|error| RpcError::from(error).at("params.until.column"))?;
                known(entity)?;
                Ok(Self::Number { entity: entity.clone(), column, comparison })
            }
            _ => Err(not_a_condition()),
        }
    }

    /// Whether it holds after the tick that was made last. It does not for an entity that does not exist.
    pub fn holds(&self, live: &Live) -> bool {
        let world = live.world();
        match self {
            Self::Event { name, entity } => world
                .events()
                .iter()
                .any(|event| event.kind.name() == name && entity.as_ref().is_none_or(|entity| **entity == *event.name)),
            Self::Number { entity, column, comparison } => world.entity(entity).is_some_and(|entity| {
                let view: EntityView = world.view(&live.revision().stage, entity);
                let number = column.of(&view, entity);
                match *comparison {
                    Comparison::Above(least) => number > least,
                    Comparison::Below(most) => number < most,
                    Comparison::Equals(same) => number == same,
                }
            }),
        }
    }
}

fn not_a_condition() -> RpcError {
    let message = "takes an `event`, or a `column` of an `entity` with one of `above`, `below` and `equals`";
    RpcError::parameter("until", message)
}

/// Whether a file of the level has this name in quotes, so that a script may emit or set it.
fn emits(live: &Live, event: &str) -> bool {
    let quoted = format!("\"{event}\"");
    live.revision().files.values().any(|file| file.text.contains(&quoted))
}
