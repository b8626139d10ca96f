//! What a test does to a level from outside: teleporting entities and emitting events.

use super::super::answer::{Answered, CallAnswer};
use super::super::arg::Arg;
use super::super::arguments::{exactly, point, text};
use super::super::entries::of_test;
use super::super::event_names::check_custom_event;
use super::super::table::CallTable;
use super::super::world::{PER_EVENT, event_data, kept_data, kept_name};
use super::level::TestLevel;
use crate::api::{Names, Param, Type, param};
use crate::budget::charge;
use crate::refuse;

/// Operations charged for teleporting a body, which is pushed out of solids, and how many bytes of the
/// level's state are looked at for one: all bodies sense the ground again.
const PER_PLACE: u64 = 2_000;
const BYTES_PER_OPERATION: u64 = 64;

const PLACE: &[Param] =
    &[param("name", Type::Name(Names::Entity), ""), param("x", Type::Number, "px"), param("y", Type::Number, "px")];

const NAME: Param = param("name", Type::Name(Names::OwnEvent), "");

fn place<'a>(level: &TestLevel, name: Arg<'_>, [x, y]: [Arg<'_>; 2]) -> Answered<'a> {
    let name = text("place", "name", name)?;
    charge(PER_PLACE + level.lock().snapshot_memory() / BYTES_PER_OPERATION)?;
    let at = point("place", x, y)?;
    level.require_entity(name)?;
    let placed = level.lock().place(name, at);
    placed.or_else(|error| refuse(error.0))?;
    Ok(CallAnswer::Nothing)
}

fn emit<'a>(level: &TestLevel, name: Arg<'_>, data: Arg<'_>) -> Answered<'a> {
    let name = text("emit", "name", name)?;
    charge(PER_EVENT)?;
    let name = check_custom_event("emit", name)?;
    let data = event_data(data)?;
    let mut played = level.lock();
    played.emit(name, data).or_else(|error| refuse(error.0))?;
    level.count_memory(&**played)?;
    Ok(CallAnswer::Nothing)
}

const KEPT_NAME: Param = param("name", Type::Text, "");

fn keep<'a>(level: &TestLevel, name: Arg<'_>, data: Arg<'_>) -> Answered<'a> {
    charge(PER_EVENT)?;
    let name = kept_name("keep", name)?;
    let data = kept_data(data)?;
    level.lock().keep(name, data).or_else(|error| refuse(error.0))?;
    Ok(CallAnswer::Nothing)
}

/// Adds the calls of what lasts.
fn add_kept(table: &mut CallTable) {
    table.add_of_level(
        of_test(
            "keep",
            "Keeps plain data as a script's `world::keep` does. Tests begin with nothing kept.",
            "t.keep(\"best\", 3);\nt.ticks(1);",
        )
        .takes(const { &[KEPT_NAME, param("data", Type::Data, "")] }),
        |level, args| {
            let [name, data] = *exactly(args)?;
            keep(level, name, data)
        },
    );
    table.add_of_level(
        of_test(
            "kept",
            "What scripts or the test have kept under a name, or `()`.",
            "let best = t.kept(\"best\") ?? 0;",
        )
        .takes(const { &[KEPT_NAME] })
        .returns(Type::Data, ""),
        |level, args| {
            let [name] = *exactly(args)?;
            let value = level.lock().kept(kept_name("kept", name)?);
            Ok(CallAnswer::Data(value))
        },
    );
}

/// Adds these calls.
pub(super) fn add(table: &mut CallTable) {
    add_kept(table);
    table.add_of_level(
        of_test(
            "place",
            "Teleports the center of an entity to (x, y), pushed out of any solid there. The velocity stays, and it \
             lets go of its hook and of walls. Fails outside of the level's bounds, or where there is no room.",
            "t.place(\"hero\", 0, 100);\nt.ticks(1);",
        )
        .takes(PLACE),
        |level, args| {
            let [name, x, y] = *exactly(args)?;
            place(level, name, [x, y])
        },
    );
    table.add_of_level(
        of_test(
            "emit",
            "Emits an event. In the next tick it calls `fn on_NAME` in every script that has it. Its `entity` is \
             `level`.",
            "t.emit(\"alarm\");\nt.ticks(1);",
        )
        .takes(const { &[NAME] }),
        |level, args| {
            let [name] = *exactly(args)?;
            emit(level, name, Arg::Nothing)
        },
    );
    table.add_of_level(
        of_test(
            "emit",
            "With plain data, which the hook reads as `event.data`: at most 64 values and 4 KiB of text.",
            "t.emit(\"alarm\", #{ x: 40, loud: true });\nt.ticks(1);",
        )
        .takes(const { &[NAME, param("data", Type::Data, "")] }),
        |level, args| {
            let [name, data] = *exactly(args)?;
            emit(level, name, data)
        },
    );
}
