//! The fields of events as scripts see them.

use super::Vector;
use hangtime_core::sim::{Event, EventField, Value};

/// The fields that an event has in addition to the fields of every event. Points and velocities are vecs.
pub fn fields_of_event(event: &Event) -> Vec<(&'static str, Value)> {
    let mut fields = Vec::new();
    event.kind.each_field(|key, field| fields.push((key, value_of_field(field))));
    fields
}

/// A field as plain data.
pub fn value_of_field(field: EventField<'_>) -> Value {
    match vec_of_field(field) {
        Some(v) => Value::Vector([v.x, v.y, v.z]),
        None => field.to_value(),
    }
}

/// The vec that scripts see in a field.
pub fn vec_of_field(field: EventField<'_>) -> Option<Vector> {
    match field {
        EventField::Plane(v) => Some(v.into()),
        EventField::Up => Some(Vector::new(0.0, 0.0, 1.0)),
        _ => None,
    }
}
