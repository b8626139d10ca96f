//! Why something moved as it did, for tests that assert it.

use super::super::arguments::Fallible;
use super::super::registry::Registry;
use super::{Test, of_test};
use crate::script::host::Reason;
use crate::script::host::api::{Field, Names, Param, Shape, Topic, Type, field, param};
use rhai::{Array, INT, Map};
use std::fmt::Write as _;

/// What a reason holds.
const REASON: Shape = Shape {
    name: "reason",
    common: &[],
    own: &[
        field("tick", Type::Whole, "", "the tick at whose end it showed"),
        text(
            "phase",
            "`orders platforms sense drive ropes travel grab settle zones` or `push apart`",
        ),
        text("rule", "the rule that was asked, or nothing"),
        text("answer", "what it answered, as a script would write it"),
        text(
            "refused",
            "what was refused: `jump grab hook rope model place`, or nothing",
        ),
        text("from", "who decided: a line of a file, or `default`"),
        text("text", "all of it in words"),
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

impl Test {
    /// What moved an entity in the last tick.
    fn why(&self, name: &str) -> Fallible<Array> {
        self.entity(name)?;
        let reasons = self.lock().why(name);
        Ok(reasons.iter().map(|r| map_of(r).into()).collect())
    }

    /// What was more than plain motion so far, a line for each reason. One that has left the level is
    /// still told of.
    fn why_text(&self, name: &str) -> Fallible<String> {
        let reasons = self.lock().diary(name);
        if reasons.is_empty() {
            self.entity(name)?;
        }
        let mut text = String::new();
        for reason in &reasons {
            let _ = writeln!(text, "tick {}  {reason}", reason.tick);
        }
        Ok(text)
    }
}

/// Registers it.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::Sight);
    registry.add(
        of_test(
            "why",
            "What moved an entity in the last tick, in the order of its phases: what each did to its \
             velocity, what its script ordered, what rules answered, and what was refused.",
            "t.ticks(1);\nfor reason in t.why(\"hero\") { print(reason.text); }",
        )
        .takes(const { &[NAME] })
        .answers(Type::Array(&Type::Map(&REASON)), ""),
        |t: &mut Test, name: &str| t.why(name),
    );
    registry.add(
        of_test(
            "why_text",
            "The same as text, a line for each reason, for all ticks so far in which there was more \
             than plain motion.",
            "t.press(\"jump\");\nt.run(0.5);\nt.press(\"jump\");\nt.run(0.5);\nprint(t.why_text(\"hero\"));",
        )
        .takes(const { &[NAME] })
        .answers(Type::Text, ""),
        |t: &mut Test, name: &str| t.why_text(name),
    );
}
