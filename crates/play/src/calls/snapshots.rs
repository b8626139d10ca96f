//! Snapshots of a level that a test plays, and its hash.

use super::*;
use crate::game::TestSnapshot;

/// Operations charged for saving or restoring a level, and how many of its bytes are copied for one.
const PER_SNAPSHOT: u64 = 64;
const BYTES_PER_OPERATION: u64 = 64;

/// A snapshot, which counts as memory that the test holds.
struct HeldSnapshot {
    snapshot: TestSnapshot,
    _memory: HeldMemory,
}

impl ObjectType for HeldSnapshot {
    const OWNER: Owner = Owner::Snapshot;
}

/// Adds `snapshot`, `restore` and `hash`.
pub fn add(table: &mut ObjectCalls) {
    add_calls! { table;
        /// Saves the level: the state of all entities, past events, held input, and settings.
        call snapshot() -> Type::Snapshot;
        "let moment = t.snapshot();";
        |level: &TestLevel, _| {
            let game = &level.lock().game;
            charge(PER_SNAPSHOT + game.snapshot_memory() / BYTES_PER_OPERATION)?;
            let _memory = level.session.hold(game.snapshot_memory())?;
            Ok(CallAnswer::object(HeldSnapshot { snapshot: game.snapshot(), _memory }))
        };

        /// Returns to a snapshot of this level, before or after the current tick.
        call restore(param("moment", Type::Snapshot, ""));
        "let moment = t.snapshot();\nt.run(0.5);\nt.restore(moment);\nexpect(t.tick).equals(0);";
        restore;
    }
    table.add(
        property(
            "hash",
            "it follows from the state",
            prose! {
                /// Hash of the level's state, as in traces. Equal states have equal hashes; use it to compare runs.
            },
            "let before = t.hash;\nt.ticks(1);\nexpect(t.hash == before).equals(false);",
        )
        .returns(Type::Text, ""),
        |level: &TestLevel, _| {
            let game = &level.lock().game;
            charge(game.snapshot_memory() / BYTES_PER_OPERATION)?;
            Ok(CallAnswer::made(format!("{:016x}", game.live.world().hash())))
        },
    );
}

fn restore<'a>(level: &'a TestLevel, args: Args<'a>) -> Answered<'a> {
    args.object(0, |snapshot: &HeldSnapshot| {
        let mut played = level.lock();
        charge(PER_SNAPSHOT + played.game.snapshot_memory() / BYTES_PER_OPERATION)?;
        played.game.restore(&snapshot.snapshot)?;
        level.session.record().tick = Some(played.game.tick());
        played.count_memory()?;
        Ok(CallAnswer::Nothing)
    })?
}
