//! What a test does to a level from outside: teleporting entities and emitting events.

use super::super::arguments::{Fallible, fail};
use super::super::convert::{arg_of, text_of};
use super::super::entries::of_test;
use super::super::registry::Registry;
use super::test_level::TestLevel;
use crate::script::host::api::{Names, Param, Type, param};
use crate::script::host::calls::{PER_EVENT, check_custom_event, event_data, point};
use crate::script::rhai::engine::budget::charge;
use rhai::Dynamic;

/// Operations charged for teleporting a body, which is pushed out of solids, and how many bytes of the
/// level's state are looked at for one: all bodies sense the ground again.
const PER_PLACE: u64 = 2_000;
const BYTES_PER_OPERATION: u64 = 64;

const PLACE: &[Param] = &[
    param("name", Type::Name(Names::Entity), ""),
    param("x", Type::Number, "px"),
    param("y", Type::Number, "px"),
];

const NAME: Param = param("name", Type::Name(Names::OwnEvent), "");

impl TestLevel {
    fn place(&self, name: &str, x: &Dynamic, y: &Dynamic) -> Fallible<()> {
        charge(PER_PLACE + self.lock().snapshot_memory() / BYTES_PER_OPERATION)?;
        let at = point("place", arg_of(x, None), arg_of(y, None))?;
        self.require_entity(name)?;
        let placed = self.lock().place(name, at);
        placed.or_else(|error| fail(error.0))
    }

    fn emit(&self, name: &str, data: &Dynamic) -> Fallible<()> {
        charge(PER_EVENT)?;
        let name = check_custom_event("emit", name)?;
        let data = event_data(arg_of(data, text_of(data).as_deref()))?;
        let mut level = self.lock();
        level.emit(name, data).or_else(|error| fail(error.0))?;
        self.count_memory(&**level)
    }
}

/// Registers these calls.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.add(
        of_test(
            "place",
            "Teleports the center of an entity to (x, y), pushed out of any solid there. The velocity stays, and it \
             lets go of its hook and of walls. Fails outside of the level's bounds, or where there is no room.",
            "t.place(\"hero\", 0, 100);\nt.ticks(1);",
        )
        .takes(PLACE),
        |t: &mut TestLevel, name: &str, x: Dynamic, y: Dynamic| t.place(name, &x, &y),
    );
    registry.add(
        of_test(
            "emit",
            "Emits an event. In the next tick it calls `fn on_NAME` in every script that has it. Its `entity` is \
             `level`.",
            "t.emit(\"alarm\");\nt.ticks(1);",
        )
        .takes(const { &[NAME] }),
        |t: &mut TestLevel, name: &str| t.emit(name, &Dynamic::UNIT),
    );
    registry.add(
        of_test(
            "emit",
            "With plain data, which the hook reads as `event.data`: at most 64 values and 4 KiB of text.",
            "t.emit(\"alarm\", #{ x: 40, loud: true });\nt.ticks(1);",
        )
        .takes(const { &[NAME, param("data", Type::Data, "")] }),
        |t: &mut TestLevel, name: &str, data: Dynamic| t.emit(name, &data),
    );
}
