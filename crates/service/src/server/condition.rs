//! When a step ends early.

use super::*;
use hangtime_core::sim::event_names;

/// What a step waits for: an event, to one entity or to any, or a number of an entity that compares with another one.
pub struct StepCondition {
    params: UntilParams,
    /// `None` for an event.
    column: Option<Column>,
}

/// The column with the name in this parameter. A variable must be one that some script of the game has.
///
/// # Errors
/// If there is no such column or variable, with the nearest one.
pub fn named_column(live: &Live, place: &str, name: &str) -> Result<Column, RpcError> {
    let found = known_column(place, name)?;
    check_column(live, place, &found)?;
    Ok(found)
}

/// The column with the name in this parameter, whose variable no world may have.
///
/// # Errors
/// If there is no such column, with the nearest one.
pub fn known_column(place: &str, name: &str) -> Result<Column, RpcError> {
    Column::parse(name).map_err(|error| match error {
        ServiceError::Parameter { message, .. } => {
            let known = Column::known().map(|(name, ..)| name).chain(["vars.NAME"]);
            RpcError::from(ServiceError::parameter(place, message)).allowing(known)
        }
        other => other.into(),
    })
}

/// Checks that some script of the game has the variable that a column reads, if it reads one.
///
/// # Errors
/// If none has it, with the nearest one.
pub fn check_column(live: &Live, place: &str, column: &Column) -> Result<(), RpcError> {
    if let Some(variable) = column.variable() {
        check_variable(live, None, variable).map_err(|why| ServiceError::parameter(place, why))?;
    }
    Ok(())
}

impl StepCondition {
    /// The condition of a request.
    ///
    /// # Errors
    /// If it names what is not there, or is not a condition.
    pub fn new(params: &UntilParams, live: &Live) -> Result<Self, RpcError> {
        let UntilParams { event, entity, column, above, below, equals } = params;
        let numbers = [above, below, equals].into_iter().flatten().count();
        let column = match (event, entity, column, numbers) {
            (Some(event), _, None, 0) => {
                if !event_names().any(|name| name == event) && !emits(live, event) {
                    let names: Vec<&str> = event_names().collect();
                    return Err(RpcError::unknown("until.event", ("event", event), names.iter().copied()));
                }
                None
            }
            (None, Some(_), Some(name), 1) => Some(named_column(live, "until.column", name)?),
            _ => {
                let message =
                    "takes an `event`, or a `column` of an `entity` with one of `above`, `below` and `equals`";
                return Err(RpcError::parameter("until", message));
            }
        };
        // Events also happen to the level.
        let is_level = |entity: &&String| column.is_none() && *entity == "level";
        if let Some(entity) = entity.as_ref().filter(|entity| !is_level(entity)) {
            queries::entity_at(live, "until.entity", entity)?;
        }
        Ok(Self { params: params.clone(), column })
    }

    /// Whether it holds after the tick that was made last. It does not for an entity that does not exist.
    pub fn holds(&self, live: &Live) -> bool {
        let world = live.world();
        let UntilParams { event, entity, above, below, equals, .. } = &self.params;
        let Some(column) = &self.column else {
            return world.events().iter().any(|happened| {
                Some(happened.kind.name()) == event.as_deref()
                    && entity.as_ref().is_none_or(|entity| **entity == *happened.name)
            });
        };
        let Some(entity) = entity.as_ref().and_then(|name| world.entity(name)) else {
            return false;
        };
        let number = column.of(&world.view(&live.revision().stage, entity), entity);
        above.is_some_and(|least| number > least)
            || below.is_some_and(|most| number < most)
            || equals.is_some_and(|same| number == same)
    }
}

/// Whether a file of the level has this name in quotes, so that a script may emit or set it.
fn emits(live: &Live, event: &str) -> bool {
    let quoted = format!("\"{event}\"");
    live.revision().files.values().any(|file| file.text.contains(&quoted))
}
