//! Going back to a moment, and telling moments apart.

use super::super::arguments::{Fallible, wrong};
use super::super::registry::{Registry, never};
use super::{Test, of_test};
use crate::script::host::Snapshot;
use crate::script::host::api::{Access, Entry, Owner, Type, param};

/// Registers it.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.value::<Snapshot>(Owner::Snapshot);
    registry.add(
        of_test(
            "snapshot",
            "This moment, to go back to with `restore`: everybody's state, what has happened, what is held \
             and what was tuned.",
            "let moment = t.snapshot();",
        )
        .answers(Type::Snapshot, ""),
        |t: &mut Test| t.lock().snapshot(),
    );
    registry.add(
        of_test(
            "restore",
            "Goes back to a moment of this level. What has happened since is forgotten.",
            "let moment = t.snapshot();\nt.run(0.5);\nt.restore(moment);\nexpect(t.tick).equals(0);",
        )
        .takes(const { &[param("moment", Type::Snapshot, "")] }),
        |t: &mut Test, moment: Snapshot| -> Fallible<()> {
            let mut game = t.lock();
            game.restore(&moment).or_else(|error| wrong(error.0))?;
            t.seen.set(game.tick());
            Ok(())
        },
    );
    registry.property(
        Entry::property(
            Owner::Test,
            "hash",
            Access::ReadOnly("it follows from the state"),
            "The hash of everybody's state, as traces show it: equal hashes are equal states.",
            "let before = t.hash;\nt.ticks(1);\nexpect(t.hash == before).equals(false);",
        )
        .answers(Type::Text, ""),
        |t: &mut Test| Ok(format!("{:016x}", t.lock().hash()).into()),
        never,
    );
}
