//! The fields of events as scripts see them.

use super::api::Type;
use super::hooks::EVENTS;
use crate::sim::{Event, Value};

/// The fields that an event has in addition to those of all events. Points and velocities are vecs.
pub fn fields_of_event(event: &Event) -> impl Iterator<Item = (&'static str, Value)> {
    let name = event.kind.name();
    let hook = EVENTS.iter().find(|hook| hook.event() == Some(name));
    let about = hook.and_then(|hook| hook.about);
    let is_vec = move |key: &str| {
        let field = about.and_then(|about| about.field(key));
        field.is_some_and(|field| field.holds == Type::Vec)
    };
    let fields = event.kind.fields().into_iter();
    fields.map(move |(key, value)| match &value {
        Value::List(parts) if is_vec(key) => {
            let part = |i: usize| match parts.get(i) {
                Some(Value::Float(x)) => *x,
                _ => 0.0,
            };
            (key, Value::Vector([part(0), part(1), part(2)]))
        }
        _ => (key, value),
    })
}
