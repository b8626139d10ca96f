//! `known_failure`: tests that are expected to fail.

use super::super::answer::CallAnswer;
use super::super::arguments::{exactly, text};
use super::super::entries::free_in_tests;
use super::super::table::CallTable;
use crate::api::{Topic, Type, param};
use crate::refuse;

/// Adds `known_failure`.
pub(super) fn add(table: &mut CallTable) {
    table.topic(Topic::Expectations);
    table.add_in_session(
        free_in_tests(
            "known_failure",
            "Marks this test as expected to fail. It counts as passed while it fails, and as failed once it passes.",
            "known_failure(\"the jump is not high enough yet\");\nexpect(hero.y).above(100000);",
        )
        .takes(const { &[param("why", Type::Text, "")] }),
        |session, args| {
            let [why] = *exactly(args)?;
            let why = text("known_failure", "why", why)?;
            if why.trim().is_empty() {
                return refuse("`known_failure` needs the reason why the test fails");
            }
            session.record.set_known_failure(why);
            Ok(CallAnswer::Nothing)
        },
    );
}
