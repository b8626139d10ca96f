//! When a step ends early.

use super::column::Column;
use super::error::ServiceError;
use hangtime_core::sim::event_names;
use hangtime_game::Live;

/// What a step waits for.
#[derive(Clone, Debug, PartialEq)]
pub enum StepCondition {
    /// An event happens.
    Event {
        /// The name of its hook, without `on_`, or that of an emitted event.
        event: String,
        /// The entity it happens to; `None` for any.
        entity: Option<String>,
    },
    /// A number of an entity compares with another one.
    Number {
        /// The entity's name.
        entity: String,
        /// The number.
        column: Column,
        /// What it compares with.
        comparison: NumberComparison,
    },
    /// One of several things happens.
    Any(Vec<StepCondition>),
}

/// How a number compares with another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumberComparison {
    /// It is larger.
    Above(f64),
    /// It is smaller.
    Below(f64),
    /// It is the same.
    Equals(f64),
}

impl NumberComparison {
    fn holds(self, x: f64) -> bool {
        match self {
            Self::Above(least) => x > least,
            Self::Below(most) => x < most,
            Self::Equals(same) => x == same,
        }
    }
}

impl StepCondition {
    /// Whether it holds after the tick that was made last. That of an entity that does not exist does not.
    #[must_use]
    pub fn holds(&self, live: &Live) -> bool {
        let world = live.world();
        match self {
            Self::Event { event, entity } => world.events().iter().any(|happened| {
                let about = entity.as_ref().is_none_or(|name| **name == *happened.name);
                about && happened.kind.name() == event
            }),
            Self::Number { entity, column, comparison } => {
                let found = world.entities().iter().find(|e| *e.name == **entity);
                found.is_some_and(|found| {
                    let view = world.view(&live.revision().stage, found);
                    comparison.holds(column.of(&view, found))
                })
            }
            Self::Any(all) => all.iter().any(|condition| condition.holds(live)),
        }
    }

    /// Checks that it names entities of this world. Names of events are checked only if `emitted` ones are known to be
    /// none of them.
    ///
    /// # Errors
    /// The name that is not there, with the nearest one that is.
    pub fn check(&self, live: &Live) -> Result<(), ServiceError> {
        let names = || live.world().entities().iter().map(|e| &*e.name);
        let known = |entity: &str| match names().any(|name| name == entity) {
            true => Ok(()),
            false => {
                let names: Vec<&str> = names().collect();
                let what = ("entity", entity);
                Err(ServiceError::unknown("until.entity", what, names))
            }
        };
        match self {
            Self::Event { event, entity } => {
                if !event_names().any(|name| name == event) && !emits(live, event) {
                    let what = ("event", event.as_str());
                    let names: Vec<&str> = event_names().collect();
                    return Err(ServiceError::unknown("until.event", what, names));
                }
                match entity.as_deref() {
                    None | Some("level") => Ok(()),
                    Some(entity) => known(entity),
                }
            }
            Self::Number { entity, .. } => known(entity),
            Self::Any(all) => all.iter().try_for_each(|condition| condition.check(live)),
        }
    }
}

/// Whether a file of the level has this name in quotes, so that a script may emit or set it.
fn emits(live: &Live, event: &str) -> bool {
    let quoted = format!("\"{event}\"");
    let mut files = live.revision().files.values();
    files.any(|file| file.text.contains(&quoted))
}
