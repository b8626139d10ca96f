//! What players hold, as Python says it.

use glam::DVec2;
use hangtime::models::{Actions, OwnActions};
use hangtime::script::host::names::suggestion;
use hangtime::sim::{Inputs, MOST_PLAYERS, PlayerInput};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySet, PyString, PyTuple};

/// Inputs for a number of ticks.
#[derive(Clone, Debug)]
pub enum GivenInputs {
    /// The lines of an input file.
    Text(String),
    /// The same for every tick.
    Held(Inputs),
}

/// What may be given.
const EXPECTED: &str = "inputs must be the text of an input file, a list of actions, a map with any of `held`, \
                        `pressed`, `stick` and `aim`, or a list of such maps, one for each player";

/// Reads inputs.
pub fn read_inputs(given: &Bound<'_, PyAny>, actions: &OwnActions) -> PyResult<GivenInputs> {
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(GivenInputs::Text(text.to_string()));
    }
    if let Ok(player) = given.cast::<PyDict>() {
        let input = read_player(player, actions)?;
        return Ok(GivenInputs::Held(Inputs::of_first(input)));
    }
    if !is_list(given) {
        return Err(PyTypeError::new_err(EXPECTED));
    }
    let items = given.try_iter()?.collect::<PyResult<Vec<_>>>()?;
    if items.iter().all(|item| item.is_instance_of::<PyString>()) {
        let input = PlayerInput { held: read_actions(given, actions)?, ..PlayerInput::default() };
        return Ok(GivenInputs::Held(Inputs::of_first(input)));
    }
    if items.len() > usize::from(MOST_PLAYERS) {
        let message = format!("inputs: a level has at most {MOST_PLAYERS} players");
        return Err(PyValueError::new_err(message));
    }
    let mut inputs = Inputs::none();
    for (player, item) in (1..).zip(&items) {
        let item = item.cast::<PyDict>();
        let item = item.map_err(|_| PyTypeError::new_err(EXPECTED))?;
        *inputs.player_mut(player) = read_player(item, actions)?;
    }
    Ok(GivenInputs::Held(inputs))
}

fn is_list(given: &Bound<'_, PyAny>) -> bool {
    given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() || given.is_instance_of::<PySet>()
}

fn read_player(given: &Bound<'_, PyDict>, actions: &OwnActions) -> PyResult<PlayerInput> {
    let mut input = PlayerInput::default();
    for (key, value) in given {
        let key = key.str()?.to_string();
        match key.as_str() {
            "held" | "pressed" if !is_list(&value) => {
                let message = format!("inputs: `{key}` takes a list of actions, as in [\"right\"]");
                return Err(PyTypeError::new_err(message));
            }
            "held" => input.held = read_actions(&value, actions)?,
            "pressed" => input.pressed = read_actions(&value, actions)?,
            "stick" => {
                let stick = read_point(&value, "stick")?;
                if stick.abs().max_element() > 1.0 {
                    let message = format!("inputs: `stick` takes numbers from -1 to 1, not {stick}");
                    return Err(PyValueError::new_err(message));
                }
                input.stick = stick;
            }
            "aim" => input.aim = Some(read_point(&value, "aim")?),
            other => {
                let message = format!("inputs: there is no `{other}`{}", part_hint(other));
                return Err(PyValueError::new_err(message));
            }
        }
    }
    Ok(input)
}

/// The hint after the name of a part that a map does not have.
fn part_hint(wrong: &str) -> String {
    match wrong {
        "move" => "; did you mean `stick`? `move` is its name in the text of an input file".into(),
        _ => suggestion(wrong, ["held", "pressed", "stick", "aim"]),
    }
}

fn read_point(given: &Bound<'_, PyAny>, name: &str) -> PyResult<DVec2> {
    let point: (f64, f64) = given
        .extract()
        .map_err(|_| PyTypeError::new_err(format!("inputs: `{name}` takes two numbers, as in (0.5, 0)")))?;
    let point = DVec2::from(point);
    if !point.is_finite() {
        return Err(PyValueError::new_err(format!("inputs: `{name}` must be finite, not {point}")));
    }
    Ok(point)
}

fn read_actions(given: &Bound<'_, PyAny>, actions: &OwnActions) -> PyResult<Actions> {
    let mut read = Actions::NONE;
    for name in given.try_iter()? {
        let name = name?
            .extract::<String>()
            .map_err(|_| PyTypeError::new_err("inputs: actions are names, as in [\"right\", \"jump\"]"))?;
        let Some(action) = actions.parse(&name) else {
            let known: Vec<&str> = actions.all_names().collect();
            let near = match name.as_str() {
                "move" | "stick" => "; a stick needs a map, as in {\"stick\": (0.5, 0)}".into(),
                name => suggestion(name, known.iter().copied()),
            };
            let message = format!("inputs: there is no action `{name}`{near}");
            return Err(PyValueError::new_err(message));
        };
        read.insert(action);
    }
    Ok(read)
}
