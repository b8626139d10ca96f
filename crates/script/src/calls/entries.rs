//! Short constructors for entries, by owner, and parameters that several calls have.

use super::*;

/// A method of `me`.
pub const fn of_me(name: &'static str, doc: &'static str, example: &'static str) -> ApiEntry {
    ApiEntry::call(Owner::Me, name, doc, example)
}

/// A function of the module `world`.
pub const fn of_world(name: &'static str, doc: &'static str, example: &'static str) -> ApiEntry {
    ApiEntry::call(Owner::World, name, doc, example)
}

pub const X: Param = param("x", Type::Number, "px");
pub const Y: Param = param("y", Type::Number, "px");
/// The first and the last point of a line, or two corners of an area.
pub const X1: Param = param("x1", Type::Number, "px");
pub const Y1: Param = param("y1", Type::Number, "px");
pub const X2: Param = param("x2", Type::Number, "px");
pub const Y2: Param = param("y2", Type::Number, "px");
pub const ACTION: Param = param("action", Type::Name(Names::Action), "");
pub const AXIS: Param = param("axis", Type::Name(Names::Axis), "");
pub const KIND: Param = param("kind", Type::Name(Names::Kind), "");
pub const DATA: Param = param("data", Type::Data, "");
pub const OWN_EVENT: Param = param("name", Type::Name(Names::OwnEvent), "");
pub const KEPT_NAME: Param = param("name", Type::Text, "");
