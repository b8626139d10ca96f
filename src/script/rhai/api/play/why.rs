//! Why an entity moved as it did, for tests that check it.

use super::super::arguments::Fallible;
use super::super::entries::of_test;
use super::super::registry::Registry;
use super::test_level::TestLevel;
use crate::script::host::Reason;
use crate::script::host::api::{Field, Names, Param, Shape, Topic, Type, field, param};
use crate::script::rhai::engine::budget::charge;
use rhai::{Array, INT, Map};
use std::fmt::Write as _;

/// Fields of a reason.
const REASON: Shape = Shape {
    name: "reason",
    common: &[],
    own: &[
        field("tick", Type::Whole, "", "tick number, as in traces"),
        text(
            "phase",
            "phase of the tick: `orders`, `platforms`, `sense`, `drive`, `ropes`, `travel`, `grab`, `settle`, \
             `zones`, or `push apart`",
        ),
        text("rule", "rule that was called; empty for none"),
        text("answer", "what the rule returned, in script syntax"),
        text(
            "refused",
            "what was refused: `jump`, `grab`, `hook`, `rope`, `model`, or `place`; empty for nothing",
        ),
        text(
            "from",
            "source of the decision: a line of a file, or `default`",
        ),
        text("text", "the whole reason in words"),
    ],
};

const fn text(name: &'static str, doc: &'static str) -> Field {
    field(name, Type::Text, "", doc)
}

const NAME: Param = param("name", Type::Name(Names::Entity), "");

/// A reason as scripts read it.
fn map_of(reason: &Reason) -> Map {
    let mut map = Map::new();
    map.insert("tick".into(), (reason.tick as INT).into());
    for (key, value) in [
        ("phase", reason.phase),
        ("rule", reason.rule),
        ("answer", &reason.answer),
        ("refused", reason.refused),
        ("from", &reason.from),
        ("text", &reason.text),
    ] {
        map.insert(key.into(), value.into());
    }
    map
}

/// Operations charged for a reason, and for looking for reasons in the past.
const PER_REASON: u64 = 80;
const PER_HISTORY: u64 = 64;

impl TestLevel {
    /// Why an entity moved in the last tick.
    fn why(&self, name: &str) -> Fallible<Array> {
        self.require_entity(name)?;
        let reasons = self.lock().why(name);
        charge(PER_REASON * reasons.len() as u64)?;
        Ok(reasons.iter().map(|r| map_of(r).into()).collect())
    }

    /// All reasons so far apart from plain motion, one per line. Works for entities that have left the level, too.
    fn why_text(&self, name: &str) -> Fallible<String> {
        let level = self.lock();
        charge(PER_HISTORY + level.tick())?;
        let reasons = level.why_history(name);
        drop(level);
        charge(PER_REASON * reasons.len() as u64)?;
        if reasons.is_empty() {
            self.require_entity(name)?;
        }
        let mut text = String::new();
        for reason in &reasons {
            let _ = writeln!(text, "tick {}  {reason}", reason.tick);
        }
        Ok(text)
    }
}

/// Registers these calls.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::TestQueries);
    registry.add(
        of_test(
            "why",
            "Why an entity moved in the last tick, in the order of the phases: changes of velocity, orders from \
             its script, answers of rules, and refusals.",
            "t.ticks(1);\nfor reason in t.why(\"hero\") { print(reason.text); }",
        )
        .takes(const { &[NAME] })
        .returns(Type::Array(&Type::Map(&REASON)), ""),
        |t: &mut TestLevel, name: &str| t.why(name),
    );
    registry.add(
        of_test(
            "why_text",
            "The same as text, one line per reason, for all ticks so far. Ticks of plain motion are left out.",
            "t.press(\"jump\");\nt.run(0.5);\nt.press(\"jump\");\nt.run(0.5);\nprint(t.why_text(\"hero\"));",
        )
        .takes(const { &[NAME] })
        .returns(Type::Text, ""),
        |t: &mut TestLevel, name: &str| t.why_text(name),
    );
}
