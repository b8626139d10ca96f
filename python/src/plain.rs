//! Plain data of games as Python's values.

use hangtime::script::host::calls::MOST_EVENT_DATA;
use hangtime::script::host::{Diagnostic, Settings};
use hangtime::sim::{Event, Value};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::collections::BTreeMap;

/// A value of a script.
pub fn to_python(py: Python<'_>, value: &Value) -> PyResult<Py<PyAny>> {
    match value {
        Value::Unit => Ok(py.None()),
        Value::Bool(x) => x.into_py_any(py),
        Value::Int(x) => x.into_py_any(py),
        Value::Float(x) => x.into_py_any(py),
        Value::Text(text) => text.into_py_any(py),
        Value::Vector(parts) => (parts[0], parts[1], parts[2]).into_py_any(py),
        Value::List(items) => {
            let items = items.iter().map(|item| to_python(py, item));
            PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_py_any(py)
        }
        Value::Map(entries) => {
            let dict = PyDict::new(py);
            for (key, value) in entries {
                dict.set_item(key, to_python(py, value)?)?;
            }
            dict.into_py_any(py)
        }
    }
}

/// An event, with the keys that it has in traces.
pub fn event<'py>(py: Python<'py>, event: &Event) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("event", event.kind.name())?;
    dict.set_item("entity", &*event.name)?;
    dict.set_item("tick", event.tick)?;
    for (key, value) in event.kind.fields() {
        dict.set_item(key, to_python(py, &value)?)?;
    }
    Ok(dict)
}

/// The numbers of a point or a velocity.
pub fn read_numbers(what: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    given.extract().map_err(|_| {
        let message = format!("{what} must be a list of numbers, as in (100, 200)");
        PyTypeError::new_err(message)
    })
}

/// The data of an event. A world checks its size as well; here, that also ends lists that contain themselves.
pub fn read_event_data(given: &Bound<'_, PyAny>) -> PyResult<Value> {
    let (mut left, most_text) = MOST_EVENT_DATA;
    read_value(given, &mut left, most_text)
}

/// A value, if at most `left` more values are allowed.
fn read_value(given: &Bound<'_, PyAny>, left: &mut usize, most_text: usize) -> PyResult<Value> {
    let (most_values, _) = MOST_EVENT_DATA;
    *left = left.checked_sub(1).ok_or_else(|| {
        let message = format!("data: event data can have at most {most_values} values and {most_text} bytes of text");
        PyValueError::new_err(message)
    })?;
    if given.is_none() {
        Ok(Value::Unit)
    } else if given.is_instance_of::<PyBool>() {
        Ok(Value::Bool(given.extract()?))
    } else if given.is_instance_of::<PyInt>() {
        let whole = given.extract().map_err(|_| {
            let message = format!("data: {given} is larger than an integer of a script can be");
            PyValueError::new_err(message)
        })?;
        Ok(Value::Int(whole))
    } else if given.is_instance_of::<PyString>() {
        Ok(Value::Text(given.extract()?))
    } else if let Ok(dict) = given.cast::<PyDict>() {
        let mut entries = BTreeMap::new();
        for (key, value) in dict {
            let key: String =
                key.extract().map_err(|_| PyTypeError::new_err("data: the keys of a map must be text"))?;
            entries.insert(key, read_value(&value, left, most_text)?);
        }
        Ok(Value::Map(entries))
    } else if given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() {
        let mut list = Vec::new();
        for item in given.try_iter()? {
            list.push(read_value(&item?, left, most_text)?);
        }
        Ok(Value::List(list))
    } else if let Ok(number) = given.extract::<f64>() {
        // Numbers of NumPy, too.
        Ok(Value::Float(number))
    } else {
        let message = "data must be plain: numbers, text, flags, None, and lists and maps of these";
        Err(PyTypeError::new_err(message))
    }
}

/// A list of names. To Python, a text is one, too: a list of its letters.
pub fn read_names(what: &str, given: &Bound<'_, PyAny>, example: &str) -> PyResult<Vec<String>> {
    let names = match given.is_instance_of::<PyString>() {
        true => None,
        false => given.extract::<Vec<String>>().ok(),
    };
    names.ok_or_else(|| {
        let message = format!("{what} must be a list of names, as in {example}");
        PyTypeError::new_err(message)
    })
}

/// Messages about files, each with its place.
pub fn rendered(messages: &[Diagnostic]) -> Vec<String> {
    let messages = messages.iter();
    messages.map(|message| message.render(false)).collect()
}

/// Settings that override the files: keys such as `platformer.jump_speed`, and numbers, flags or text.
pub fn read_settings(given: Option<&Bound<'_, PyAny>>) -> PyResult<Settings> {
    let mut settings = Settings::new();
    let Some(given) = given else {
        return Ok(settings);
    };
    let given = given
        .cast::<PyDict>()
        .map_err(|_| PyTypeError::new_err("settings must be a map, as in {\"platformer.jump_speed\": 600}"))?;
    for (key, value) in given {
        let key: String = key.extract().map_err(|_| PyTypeError::new_err("settings: keys must be text"))?;
        let text = if value.is_instance_of::<PyBool>() {
            value.extract::<bool>()?.to_string()
        } else if value.is_instance_of::<PyFloat>() {
            let number = value.extract::<f64>()?;
            if !number.is_finite() {
                let message = format!("settings: `{key}` must be a finite number, not {number}");
                return Err(PyValueError::new_err(message));
            }
            number.to_string()
        } else if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyString>() {
            value.str()?.to_string()
        } else if let Ok(number) = value.extract::<f64>() {
            // Numbers of NumPy.
            number.to_string()
        } else {
            let message = format!("settings: `{key}` must be a number, a flag or text");
            return Err(PyTypeError::new_err(message));
        };
        settings.push((key, text));
    }
    Ok(settings)
}
