//! Tests that are known to fail.

use super::super::arguments::{Fallible, wrong};
use super::super::registry::Registry;
use super::Seen;
use crate::script::host::api::{Entry, Owner, Room, Topic, Type, param};

/// Registers it.
pub(super) fn register(registry: &mut Registry<'_>, seen: Seen) {
    registry.topic(Topic::Expectations);
    registry.add(
        Entry::call(
            Owner::Free,
            "known_failure",
            "Says that this test is known to fail, and why. It then counts as passed as long as it fails, and \
             as failed when it does no longer.",
            "known_failure(\"nobody can jump that high yet\");\nexpect(hero.y).above(100000);",
        )
        .takes(const { &[param("why", Type::Text, "")] })
        .only_in(Room::Test),
        move |why: &str| -> Fallible<()> {
            if why.trim().is_empty() {
                return wrong("`known_failure` takes the reason why the test fails".into());
            }
            // The first word on it stands.
            seen.lock().known.get_or_insert(why.into());
            Ok(())
        },
    );
    registry.topic(Topic::Play);
}
