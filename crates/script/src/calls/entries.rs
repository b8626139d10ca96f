//! Short constructors for entries, by owner, and parameters that several calls have.

use super::*;

/// A method of `me`.
pub(super) const fn of_me(name: &'static str, doc: &'static str, example: &'static str) -> ApiEntry {
    ApiEntry::call(Owner::Me, name, doc, example)
}

/// A function of the module `world`.
pub(super) const fn of_world(name: &'static str, doc: &'static str, example: &'static str) -> ApiEntry {
    ApiEntry::call(Owner::World, name, doc, example)
}

pub(super) const X: Param = param("x", Type::Number, "px");
pub(super) const Y: Param = param("y", Type::Number, "px");
/// The first and the last point of a line, or two corners of an area.
pub(super) const X1: Param = param("x1", Type::Number, "px");
pub(super) const Y1: Param = param("y1", Type::Number, "px");
pub(super) const X2: Param = param("x2", Type::Number, "px");
pub(super) const Y2: Param = param("y2", Type::Number, "px");
pub(super) const ACTION: Param = param("action", Type::Name(Names::Action), "");
pub(super) const AXIS: Param = param("axis", Type::Name(Names::Axis), "");
pub(super) const KIND: Param = param("kind", Type::Name(Names::Kind), "");
pub(super) const DATA: Param = param("data", Type::Data, "");
pub(super) const OWN_EVENT: Param = param("name", Type::Name(Names::OwnEvent), "");
pub(super) const KEPT_NAME: Param = param("name", Type::Text, "");
