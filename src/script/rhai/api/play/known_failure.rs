//! `known_failure`: tests that are expected to fail.

use super::super::arguments::{Fallible, fail};
use super::super::entries::free_in_tests;
use super::super::registry::Registry;
use super::super::test_record::TestRecord;
use crate::script::host::api::{Topic, Type, param};

/// Registers `known_failure`.
pub(super) fn register(registry: &mut Registry<'_>, record: &TestRecord) {
    registry.topic(Topic::Expectations);
    let record = record.clone();
    registry.add(
        free_in_tests(
            "known_failure",
            "Marks this test as expected to fail. It counts as passed while it fails, and as failed once it passes.",
            "known_failure(\"the jump is not high enough yet\");\nexpect(hero.y).above(100000);",
        )
        .takes(const { &[param("why", Type::Text, "")] }),
        move |why: &str| -> Fallible<()> {
            if why.trim().is_empty() {
                return fail("`known_failure` needs the reason why the test fails".into());
            }
            record.set_known_failure(why);
            Ok(())
        },
    );
}
