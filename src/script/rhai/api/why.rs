//! `t.why(name)`: what moved an entity, for tests that assert it.

use super::play::Test;
use crate::script::host::Reason;
use rhai::{Array, Engine, EvalAltResult, INT, Map};
use std::fmt::Write as _;

type Fallible<T> = Result<T, Box<EvalAltResult>>;

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

/// All reasons as text, a line for each.
fn text_of(reasons: &[Reason]) -> String {
    let mut text = String::new();
    for reason in reasons {
        let _ = writeln!(text, "tick {}  {reason}", reason.tick);
    }
    text
}

/// Registers what tests ask about reasons.
pub(super) fn register(engine: &mut Engine) {
    engine.register_fn("why", |t: &mut Test, name: &str| -> Fallible<Array> {
        t.entity(name)?;
        let reasons = t.lock().why(name);
        Ok(reasons.iter().map(|r| map_of(r).into()).collect())
    });
    engine.register_fn("why_text", |t: &mut Test, name: &str| -> Fallible<String> {
        let reasons = t.lock().diary(name);
        if reasons.is_empty() {
            t.entity(name)?;
        }
        Ok(text_of(&reasons))
    });
}
