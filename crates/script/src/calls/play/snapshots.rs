//! Snapshots of a level that a test plays, and its hash.

use super::super::answer::{Answered, CallAnswer};
use super::super::arg::Arg;
use super::super::arguments::exactly;
use super::super::entries::of_test;
use super::super::table::CallTable;
use super::held_snapshot::HeldSnapshot;
use super::level::TestLevel;
use crate::api::{Access, ApiEntry, Owner, Type, param};
use crate::budget::charge;
use crate::refuse;

/// Operations charged for saving or restoring a level, and how many of its bytes are copied for one.
const PER_SNAPSHOT: u64 = 64;
const BYTES_PER_OPERATION: u64 = 64;

/// Adds `snapshot`, `restore` and `hash`.
pub(super) fn add(table: &mut CallTable) {
    table.add_of_level(
        of_test(
            "snapshot",
            "Saves the level: the state of all entities, past events, held input, and settings.",
            "let moment = t.snapshot();",
        )
        .returns(Type::Snapshot, ""),
        |level, _| {
            let played = level.lock();
            charge(PER_SNAPSHOT + played.snapshot_memory() / BYTES_PER_OPERATION)?;
            let mut memory = level.record.hold();
            memory.set(played.snapshot_memory())?;
            let snapshot = HeldSnapshot::new(played.snapshot(), memory);
            Ok(CallAnswer::Snapshot(snapshot))
        },
    );
    table.add_of_level(
        of_test(
            "restore",
            "Returns to a snapshot of this level, before or after the current tick.",
            "let moment = t.snapshot();\nt.run(0.5);\nt.restore(moment);\nexpect(t.tick).equals(0);",
        )
        .takes(const { &[param("moment", Type::Snapshot, "")] }),
        |level, args| {
            let [snapshot] = *exactly(args)?;
            restore(level, snapshot)
        },
    );
    table.add_of_level(
        ApiEntry::property(
            Owner::Test,
            "hash",
            Access::ReadOnly("it follows from the state"),
            "Hash of the level's state, as in traces. Equal states have equal hashes; use it to compare runs.",
            "let before = t.hash;\nt.ticks(1);\nexpect(t.hash == before).equals(false);",
        )
        .returns(Type::Text, ""),
        |level, _| {
            let level = level.lock();
            charge(level.snapshot_memory() / BYTES_PER_OPERATION)?;
            Ok(CallAnswer::Made(format!("{:016x}", level.hash()).into()))
        },
    );
}

fn restore<'a>(level: &TestLevel, snapshot: Arg<'_>) -> Answered<'a> {
    let Arg::Snapshot(snapshot) = snapshot else {
        return refuse("`moment` of `restore` must be a snapshot");
    };
    let mut played = level.lock();
    charge(PER_SNAPSHOT + played.snapshot_memory() / BYTES_PER_OPERATION)?;
    played.restore(snapshot.snapshot()).or_else(|error| refuse(error.0))?;
    level.record.set_tick(played.tick());
    level.count_memory(&**played)?;
    Ok(CallAnswer::Nothing)
}
