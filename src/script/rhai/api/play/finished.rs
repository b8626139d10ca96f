//! A finished run, for expressions about it.

use super::super::arguments::Fallible;
use super::super::entries::free_in_tests;
use super::super::registry::Registry;
use super::super::test_record::TestRecord;
use super::queries::LiveEntity;
use super::test_level::{MayEmit, TestLevel};
use crate::script::host::PlayedLevel;
use crate::script::host::api::{ApiEntry, Param, Topic, Type, param};
use rhai::{Engine, FLOAT, Scope};

const ENTITY: Param = param("entity", Type::Live, "");

/// Registers what only expressions have.
pub(in crate::script::rhai) fn register(engine: &mut Engine) -> Vec<ApiEntry> {
    let mut registry = Registry::new(engine);
    registry.topic(Topic::TestQueries);
    registry.add(
        free_in_tests(
            "highest",
            "The largest y of an entity's center during the run.",
            "let apex = highest(hero);",
        )
        .takes(const { &[ENTITY] })
        .returns(Type::Number, "px"),
        |entity: LiveEntity| -> Fallible<FLOAT> { Ok(entity.reach()?.y) },
    );
    registry.add(
        free_in_tests(
            "farthest",
            "The largest x of an entity's center during the run.",
            "let width = farthest(hero);",
        )
        .takes(const { &[ENTITY] })
        .returns(Type::Number, "px"),
        |entity: LiveEntity| -> Fallible<FLOAT> { Ok(entity.reach()?.x) },
    );
    registry.finish()
}

/// The variables of expressions about a run: `t`, and each of these entities under its name.
pub(in crate::script::rhai) fn finished_run(
    level: Box<dyn PlayedLevel>,
    entities: &[String],
    may_emit: MayEmit,
) -> Fallible<Scope<'static>> {
    let t = TestLevel::new(level, TestRecord::default(), may_emit)?;
    let mut scope = Scope::new();
    for name in entities {
        scope.push(name.clone(), t.live(name.clone()));
    }
    scope.push("t", t);
    Ok(scope)
}
