//! Why an entity moved as it did, for tests that check it.

use super::*;
use std::fmt::Write as _;

/// Fields of a reason.
const REASON: Shape = Shape {
    name: "reason",
    common: &[],
    own: fields! {
        /// tick number, as in traces
        tick: Type::Whole;
        /// phase of the tick: `orders`, `platforms`, `sense`, `drive`, `ropes`, `travel`, `grab`, `settle`, `zones`, or
        /// `push apart`
        phase: Type::Text;
        /// rule that was called; empty for none
        rule: Type::Text;
        /// what the rule returned, in script syntax
        answer: Type::Text;
        /// what was refused: `jump`, `grab`, `hook`, `rope`, `model`, or `place`; empty for nothing
        refused: Type::Text;
        /// source of the decision: a line of a file, or `default`
        from: Type::Text;
        /// the whole reason in words
        text: Type::Text;
    },
};

/// A reason as scripts read it.
fn answer_of<'a>(reason: &Reason) -> CallAnswer<'a> {
    let made = |text: &str| CallAnswer::made(text);
    CallAnswer::Fields(vec![
        ("tick", CallAnswer::Whole(reason.tick as i64)),
        ("phase", CallAnswer::Text(reason.phase)),
        ("rule", CallAnswer::Text(reason.rule)),
        ("answer", made(&reason.answer)),
        ("refused", CallAnswer::Text(reason.refused)),
        ("from", made(&reason.from)),
        ("text", made(&reason.text)),
    ])
}

/// Operations charged for a reason, and for looking for reasons in the past.
const PER_REASON: u64 = 80;
const PER_HISTORY: u64 = 64;

/// Why an entity moved in the last tick.
fn why<'a>(level: &'a TestLevel, args: Args<'a>) -> Answered<'a> {
    let name = args.text(0)?;
    level.require_entity(name)?;
    let reasons = level.lock().game.live.why(name);
    charge(PER_REASON * reasons.len() as u64)?;
    Ok(CallAnswer::List(reasons.iter().map(answer_of).collect()))
}

/// All reasons so far apart from plain motion, one per line. Works for entities that have left the level, too.
fn why_text<'a>(level: &'a TestLevel, args: Args<'a>) -> Answered<'a> {
    let name = args.text(0)?;
    let played = level.lock();
    charge(PER_HISTORY + played.game.tick())?;
    let reasons = played.game.progress.history.of(name);
    drop(played);
    charge(PER_REASON * reasons.len() as u64)?;
    if reasons.is_empty() {
        level.require_entity(name)?;
    }
    let mut text = String::new();
    for reason in &reasons {
        let _ = writeln!(text, "tick {}  {reason}", reason.tick);
    }
    Ok(CallAnswer::made(text))
}

/// Adds these calls.
pub fn add(table: &mut ObjectCalls) {
    add_calls! { table;
        /// Why an entity moved in the last tick, in the order of the phases: changes of velocity, orders from its
        /// script, answers of rules, and refusals.
        call why(ENTITY_NAME) -> Type::Array(&Type::Map(&REASON));
        "t.ticks(1);\nfor reason in t.why(\"hero\") { print(reason.text); }";
        why;

        /// The same as text, one line per reason, for all ticks so far. Ticks of plain motion are left out.
        call why_text(ENTITY_NAME) -> Type::Text;
        "t.press(\"jump\");\nt.run(0.5);\nt.press(\"jump\");\nt.run(0.5);\nprint(t.why_text(\"hero\"));";
        why_text;
    }
}
