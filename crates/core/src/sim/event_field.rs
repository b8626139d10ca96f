//! The fields of events.

use super::event::EventKind;
use super::value::Value;
use glam::DVec2;
use std::sync::Arc;

/// The value of a field of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EventField<'a> {
    /// Text.
    Text(&'a str),
    /// Text that events share.
    Name(&'a Arc<str>),
    /// A number.
    Number(f64),
    /// A whole number.
    Whole(i64),
    /// True or false.
    Flag(bool),
    /// A point or a normal in the plane.
    Plane(DVec2),
    /// Out of the plane: the normal of the ground in a top view.
    Up,
    /// What a script has sent along.
    Data(&'a Value),
}

impl EventField<'_> {
    /// The value as traces show it.
    pub fn to_value(self) -> Value {
        match self {
            Self::Text(text) => text.into(),
            Self::Name(name) => Value::from(&**name),
            Self::Number(x) => x.into(),
            Self::Whole(x) => Value::Int(x),
            Self::Flag(flag) => Value::Bool(flag),
            Self::Plane(v) => v.into(),
            Self::Up => Value::List(vec![0.0.into(), 0.0.into(), 1.0.into()]),
            Self::Data(data) => data.clone(),
        }
    }
}

impl EventKind {
    /// Its fields as traces show them, in their order.
    pub fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = Vec::new();
        self.each_field(|key, field| fields.push((key, field.to_value())));
        fields
    }

    /// The field with this name.
    pub fn field(&self, name: &str) -> Option<EventField<'_>> {
        let mut found = None;
        self.each_field(|key, field| {
            if key == name {
                found = Some(field);
            }
        });
        found
    }

    /// Calls `seen` with each field, in the order in which traces show them.
    pub fn each_field<'a>(&'a self, mut seen: impl FnMut(&'static str, EventField<'a>)) {
        use EventField::{Data, Flag, Name, Plane, Text, Whole};
        match self {
            Self::Birth | Self::Jump | Self::Crush | Self::FallOut | Self::Reload | Self::Quarantine | Self::Death => {}
            Self::Signal { data, .. } => seen("data", Data(data)),
            Self::Timer { layer, data, .. } => {
                if let Some(layer) = layer {
                    seen("layer", Name(layer));
                }
                if !data.is_unit() {
                    seen("data", Data(data));
                }
            }
            Self::Arrive { solid, point } | Self::Depart { solid, point } => {
                seen("solid", Name(solid));
                seen("point", Whole(i64::from(*point)));
            }
            Self::Note { text } => seen("text", Name(text)),
            Self::Land { .. } | Self::Hit { .. } => self.each_impact_field(seen),
            Self::Touch { other, kind } => {
                seen("other", Name(other));
                seen("kind", Name(kind));
            }
            Self::Enter { zone } | Self::Leave { zone } => seen("zone", Name(zone)),
            Self::Grab { solid, surface, normal } => {
                what_it_met(solid, surface, &mut seen);
                seen("normal", Plane(*normal));
            }
            Self::Hook { solid, surface, at } => {
                what_it_met(solid, surface, &mut seen);
                seen("at", Plane(*at));
            }
            Self::Unhook { snapped } => seen("snapped", Flag(*snapped)),
            Self::Drop { jumped } | Self::LeaveGround { jumped } => seen("jumped", Flag(*jumped)),
            Self::Surface { surface, was } => {
                seen("surface", Name(surface));
                seen("was", Name(was));
            }
            Self::Model { model, was } => {
                seen("model", Text(model.as_str()));
                seen("was", Text(was.as_str()));
            }
            Self::ModelRefused { model, reason } => {
                seen("model", Text(model.as_str()));
                seen("reason", Name(reason));
            }
        }
    }

    /// Calls `seen` with each field of a landing or a hit.
    fn each_impact_field<'a>(&'a self, mut seen: impl FnMut(&'static str, EventField<'a>)) {
        use EventField::{Flag, Number, Plane, Whole};
        match self {
            Self::Land { solid, surface, normal, speed, at } => {
                what_it_met(solid, surface, &mut seen);
                seen("normal", normal_of_ground(*normal));
                seen("speed", Number(*speed));
                seen("at", Plane(*at));
            }
            Self::Hit { solid, surface, normal, speed, foot, at, part } => {
                what_it_met(solid, surface, &mut seen);
                seen("normal", Plane(*normal));
                seen("speed", Number(*speed));
                seen("foot", Flag(*foot));
                seen("at", Plane(*at));
                seen("part", Whole(i64::from(*part)));
            }
            _ => {}
        }
    }
}

/// The solid that a body met, and its surface.
fn what_it_met<'a>(solid: &'a Arc<str>, surface: &'a Arc<str>, seen: &mut impl FnMut(&'static str, EventField<'a>)) {
    seen("solid", EventField::Name(solid));
    seen("surface", EventField::Name(surface));
}

/// The normal of the ground: in a top view it points up, out of the plane.
fn normal_of_ground<'a>(normal: DVec2) -> EventField<'a> {
    if normal == DVec2::ZERO {
        return EventField::Up;
    }
    EventField::Plane(normal)
}
