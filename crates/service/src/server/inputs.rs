//! Converts the points, inputs and settings of a request to a world's.

use super::*;
use hangtime_core::{
    models::{Actions, OwnActions},
    sim::{MOST_PLAYERS, Value as PlainValue},
};
use serde_json::Value;
use std::{fmt, fmt::Display};

/// The largest coordinate of a point in a request, px.
pub const FARTHEST: f64 = 1e6;

/// A point of a request.
///
/// # Errors
/// If it is too far away.
pub fn point(place: &str, at: [f64; 2]) -> Result<DVec2, RpcError> {
    if at.iter().all(|x| x.abs() <= FARTHEST) {
        Ok(at.into())
    } else {
        let message = format!("is ({}, {}); coordinates must be between -{FARTHEST} and {FARTHEST} px", at[0], at[1]);
        Err(RpcError::parameter(place, message))
    }
}

/// The parameter with the inputs of a world: `inputs`, or an item of it with this place.
#[derive(Clone, Copy)]
pub struct InputsPlace(pub Option<usize>);

impl Display for InputsPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("inputs"),
            Some(place) => write!(f, "inputs[{place}]"),
        }
    }
}

/// The inputs of a step, checked and not yet played.
pub enum StepInputs {
    /// The lines of an input file.
    Queued(InputQueue),
    /// What is held during the step.
    Held(Inputs),
}

impl StepInputs {
    /// Reads the inputs of a request about this world. Also returns warnings about lines without effect.
    ///
    /// # Errors
    /// The mistakes in them, at this parameter.
    pub fn read(
        given: InputsPlace,
        params: &InputsParam,
        world: &ServedWorld,
    ) -> Result<(Self, Vec<Diagnostic>), RpcError> {
        match params {
            InputsParam::Text(text) => {
                let read = world.read_inputs(text).map_err(RpcError::from);
                let (queue, warnings) = read.map_err(|error| match given.0 {
                    Some(_) => error.at(format!("params.{given}")),
                    None => error,
                })?;
                check_players(given, world.live(), &queue)?;
                Ok((Self::Queued(queue), warnings))
            }
            InputsParam::Held(held) => Ok((Self::Held(held_inputs(given, held, world.live())?), Vec::new())),
        }
    }

    /// Plays them in the next `ticks` ticks of a world, instead of what is left of earlier ones.
    pub fn play(self, world: &mut ServedWorld, ticks: u64) {
        match self {
            Self::Queued(queue) => world.play(queue),
            Self::Held(inputs) => world.hold(inputs, ticks),
        }
    }
}

/// What players hold.
///
/// # Errors
/// The first action, player or stick that cannot be.
fn held_inputs(given: InputsPlace, held: &[HeldInput], live: &Live) -> Result<Inputs, RpcError> {
    let actions = &live.revision().stage.actions;
    let mut inputs = Inputs::none();
    let mut seen = [false; MOST_PLAYERS as usize + 1];
    for (place, input) in held.iter().enumerate() {
        let at = |field: &str| format!("{given}[{place}].{field}");
        let player = input.player.map_or(place + 1, usize::from);
        if !(1..=usize::from(MOST_PLAYERS)).contains(&player) {
            let message = format!("is {player}; players are 1 to {MOST_PLAYERS}");
            return Err(RpcError::parameter(&at("player"), message));
        }
        if mem::replace(&mut seen[player], true) {
            let message = format!("is {player}, which an earlier item has");
            return Err(RpcError::parameter(&at("player"), message));
        }
        if *input != (HeldInput { player: input.player, ..HeldInput::default() }) {
            let checked = check_player(live, player as u8);
            checked.map_err(|why| RpcError::parameter(&at("player"), format!("is {player}: {why}")))?;
        }
        let into = inputs.player_mut(player as u8);
        into.held = action_set(&at, "held", &input.held, actions)?;
        into.pressed = action_set(&at, "pressed", &input.pressed, actions)?;
        if let Some(stick) = input.stick {
            if stick.iter().any(|x| x.abs() > 1.0) {
                let message = format!("is ({}, {}); each axis is between -1 and 1", stick[0], stick[1]);
                return Err(RpcError::parameter(&at("move"), message));
            }
            into.stick = stick.into();
        }
        if let Some(aim) = input.aim {
            into.aim = Some(point(&at("aim"), aim)?);
        }
    }
    Ok(inputs)
}

/// Checks the players of queued inputs.
///
/// # Errors
/// The first one that the level does not have.
fn check_players(given: InputsPlace, live: &Live, queue: &InputQueue) -> Result<(), RpcError> {
    let mut all = queue
        .rest(live.world().ticks())
        .flat_map(|(_, inputs)| (1..=MOST_PLAYERS).filter(|player| inputs.player(*player) != PlayerInput::default()));
    all.try_for_each(|player| {
        let checked = check_player(live, player);
        checked.map_err(|why| RpcError::parameter(&given.to_string(), format!("has input of player {player}: {why}")))
    })
}

/// Checks that a player is in a level: at its start or now, so that input for one whose entity is gone stays possible.
/// Scripts may hear any player.
///
/// # Errors
/// Which players there are instead.
fn check_player(live: &Live, player: u8) -> Result<(), String> {
    let revision = live.revision();
    let stage = &revision.stage;
    let starts = || stage.starts.iter().filter_map(|start| start.player);
    let now = || live.world().entities().iter().filter_map(|entity| entity.player);
    if revision.scripts.hears_players() || now().chain(starts()).any(|known| known == player) {
        return Ok(());
    }
    let known: BTreeSet<u8> = starts().chain(now()).collect();
    let known: Vec<String> = known.iter().map(u8::to_string).collect();
    let known = if known.is_empty() {
        "no entity in it has a `player`".to_string()
    } else {
        format!("it has {}", known.join(", "))
    };
    Err(format!("`{}` has no player {player}; {known}", printable_name(&stage.level.name)))
}

fn action_set(
    at: &impl Fn(&str) -> String,
    field: &str,
    names: &[String],
    actions: &OwnActions,
) -> Result<Actions, RpcError> {
    let mut set = Actions::NONE;
    for (i, name) in names.iter().enumerate() {
        let Some(action) = actions.parse(name) else {
            let place = format!("{}[{i}]", at(field));
            return Err(RpcError::unknown(&place, ("action", name), actions.all_names()));
        };
        set.insert(action);
    }
    Ok(set)
}

/// Settings as the command line has them.
///
/// # Errors
/// A value that no setting has.
pub fn settings(settings: BTreeMap<String, Value>) -> Result<Vec<(String, String)>, RpcError> {
    let text = |(key, value): (String, Value)| {
        let text = match value {
            Value::String(text) => text,
            Value::Bool(_) | Value::Number(_) | Value::Array(_) => value.to_string(),
            Value::Null | Value::Object(_) => {
                let place = format!("settings.{key}");
                let message = "takes a number, a text, true or false, or an array of these";
                return Err(RpcError::parameter(&place, message));
            }
        };
        Ok((key, text))
    };
    settings.into_iter().map(text).collect()
}

/// The data of an event.
///
/// # Errors
/// A number that scripts do not have.
pub fn event_data(data: &Value) -> Result<PlainValue, RpcError> {
    Ok(match data {
        Value::Null => PlainValue::Unit,
        Value::Bool(flag) => PlainValue::Bool(*flag),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => PlainValue::Int(whole),
            (None, Some(x)) if !number.is_u64() => PlainValue::Float(x),
            _ => {
                let message = format!("has {number}, which is larger than an integer of a script can be");
                return Err(RpcError::parameter("data", message));
            }
        },
        Value::String(text) => PlainValue::Text(text.clone()),
        Value::Array(list) => PlainValue::List(list.iter().map(event_data).collect::<Result<_, _>>()?),
        Value::Object(map) => {
            let entries = map.iter().map(|(key, value)| Ok((key.clone(), event_data(value)?)));
            PlainValue::Map(entries.collect::<Result<_, RpcError>>()?)
        }
    })
}
