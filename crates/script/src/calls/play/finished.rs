//! What only expressions about a finished run have.

use super::super::answer::CallAnswer;
use super::super::entries::free_in_tests;
use super::super::table::CallTable;
use crate::api::{Param, Topic, Type, param};

const ENTITY: Param = param("entity", Type::Live, "");

/// Adds these calls.
pub(in crate::calls) fn add_finished(table: &mut CallTable) {
    table.topic(Topic::TestQueries);
    table.add_of_live(
        free_in_tests("highest", "The largest y of an entity's center during the run.", "let apex = highest(hero);")
            .takes(const { &[ENTITY] })
            .returns(Type::Number, "px"),
        |live| Ok(CallAnswer::Number(live.reach()?.y)),
    );
    table.add_of_live(
        free_in_tests("farthest", "The largest x of an entity's center during the run.", "let width = farthest(hero);")
            .takes(const { &[ENTITY] })
            .returns(Type::Number, "px"),
        |live| Ok(CallAnswer::Number(live.reach()?.x)),
    );
}
