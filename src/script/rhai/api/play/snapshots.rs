//! Snapshots of a level that a test plays, and its hash.

use super::super::arguments::{Fallible, fail};
use super::super::entries::of_test;
use super::super::registry::{Registry, read_only};
use super::super::test_record::HeldMemory;
use super::test_level::TestLevel;
use crate::script::host::Snapshot;
use crate::script::host::api::{Access, ApiEntry, Owner, Type, param};
use crate::script::rhai::engine::budget::charge;
use std::sync::Arc;

/// Operations charged for saving or restoring a level, and how many of its bytes are copied for one.
const PER_SNAPSHOT: u64 = 64;
const BYTES_PER_OPERATION: u64 = 64;

/// A snapshot, which counts as memory that the test holds.
#[derive(Clone)]
struct HeldSnapshot {
    snapshot: Snapshot,
    _memory: Arc<HeldMemory>,
}

/// Registers `snapshot`, `restore` and `hash`.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.value::<HeldSnapshot>(Owner::Snapshot);
    registry.add(
        of_test(
            "snapshot",
            "Saves the level: the state of all entities, past events, held input, and settings.",
            "let moment = t.snapshot();",
        )
        .returns(Type::Snapshot, ""),
        |t: &mut TestLevel| -> Fallible<HeldSnapshot> {
            let level = t.lock();
            charge(PER_SNAPSHOT + level.snapshot_memory() / BYTES_PER_OPERATION)?;
            let mut memory = t.record.hold();
            memory.set(level.snapshot_memory())?;
            Ok(HeldSnapshot {
                snapshot: level.snapshot(),
                _memory: Arc::new(memory),
            })
        },
    );
    registry.add(
        of_test(
            "restore",
            "Returns to a snapshot of this level, before or after the current tick.",
            "let moment = t.snapshot();\nt.run(0.5);\nt.restore(moment);\nexpect(t.tick).equals(0);",
        )
        .takes(const { &[param("moment", Type::Snapshot, "")] }),
        |t: &mut TestLevel, moment: HeldSnapshot| -> Fallible<()> {
            let mut level = t.lock();
            charge(PER_SNAPSHOT + level.snapshot_memory() / BYTES_PER_OPERATION)?;
            level
                .restore(&moment.snapshot)
                .or_else(|error| fail(error.0))?;
            t.record.set_tick(level.tick());
            t.count_memory(&**level)
        },
    );
    registry.property(
        ApiEntry::property(
            Owner::Test,
            "hash",
            Access::ReadOnly("it follows from the state"),
            "Hash of the level's state, as in traces. Equal states have equal hashes; use it to compare runs.",
            "let before = t.hash;\nt.ticks(1);\nexpect(t.hash == before).equals(false);",
        )
        .returns(Type::Text, ""),
        |t: &mut TestLevel| {
            let level = t.lock();
            charge(level.snapshot_memory() / BYTES_PER_OPERATION)?;
            Ok(format!("{:016x}", level.hash()).into())
        },
        read_only,
    );
}
