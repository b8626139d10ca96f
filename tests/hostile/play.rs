//! Plays a hostile script and compares what happens with what it expects.

use crate::{case::Case, figures};
use hangtime::{
    project::{Live, Revision},
    script::host::{Diagnostic, Fault},
    sim::{Inputs, Value},
};
use serde_json::json;
use std::sync::{Arc, LazyLock};

const TICKS: u64 = 120;

/// The most memory that one tick may take, bytes.
const MOST_MEMORY: u64 = 8 << 20;

/// The most memory that the second half of the ticks may leave behind, bytes.
const MOST_LEFT: i64 = 1 << 20;

/// The most text that the script's variables may print as, bytes.
const MOST_VARIABLES: usize = 100_000;

const MOST_ENTITIES: usize = 20_000;

struct Played {
    faults: Vec<Fault>,
    quarantined: bool,
    neighbor: Neighbor,
    variables: usize,
    entities: usize,
    /// The most memory that a tick allocated at one time, bytes.
    memory: u64,
    /// The longest time that a tick took, ms.
    longest: f64,
    /// The memory that the second half of the ticks left behind, bytes.
    left: i64,
}

/// What became of the other entity.
#[derive(Debug, PartialEq)]
struct Neighbor {
    ticks: Value,
    x: f64,
}

/// Where the neighbor gets next to a peaceful script.
static PEACE: LazyLock<Neighbor> = LazyLock::new(|| {
    let played = play(Case::peaceful().open().expect("a level that opens"));
    assert_eq!(played.neighbor.ticks, Value::Int(TICKS as i64));
    played.neighbor
});

fn play(revision: Revision) -> Played {
    let mut live = Live::new(Arc::new(revision), 0);
    let mut faults = Vec::new();
    let (mut memory, mut left, mut longest) = (0, 0, 0.0_f64);
    for tick in 0..TICKS {
        let began = figures::milliseconds();
        let counted = allocation_counter::measure(|| {
            live.step(&Inputs::none());
        });
        longest = longest.max(figures::milliseconds() - began);
        memory = memory.max(counted.bytes_max);
        if tick >= TICKS / 2 {
            left += counted.bytes_current;
        }
        faults.extend(live.report().faults.first.iter().cloned());
    }
    let entities = live.world().entities();
    let named = |name: &str| entities.iter().find(|entity| &*entity.name == name);
    let hostile = named("hostile");
    let neighbor = named("neighbor").expect("the neighbor");
    let view = live.views().find(|view| &*view.name == "neighbor");
    Played {
        quarantined: hostile.is_some_and(|entity| entity.quarantined()),
        neighbor: Neighbor {
            ticks: neighbor.vars.0.to_plain()["ticks"].clone(),
            x: view.expect("the neighbor's view").pos.x,
        },
        variables: hostile.map_or(0, |h| format!("{:?}", h.vars.0.to_plain()).len()),
        entities: entities.len(),
        faults,
        memory,
        longest,
        left,
    }
}

/// The differences between what a script expects and what happens.
pub fn judge(case: &Case) -> Vec<String> {
    match case.open() {
        Err(errors) if case.load_errors.is_empty() => vec![format!("does not load: {errors:?}")],
        Err(errors) => judge_load(&case.load_errors, &errors),
        Ok(_) if !case.load_errors.is_empty() => {
            vec![format!("loads, without {:?}", case.load_errors)]
        }
        Ok(revision) => {
            let mut wrong = judge_load(&case.load_warnings, &revision.warnings);
            let played = play(revision);
            if figures::number("HANGTIME_HOSTILE_FIGURES").is_some() {
                figures::print(json!({
                    "script": case.name, "worst_ms": played.longest,
                    "bytes": played.memory,
                }));
            }
            wrong.extend(judge_faults(case, &played.faults));
            wrong.extend(judge_rest(case, &played));
            wrong
        }
    }
}

/// Whether these parts of messages are among errors or warnings, each of which has a place.
fn judge_load(expected: &[String], found: &[Diagnostic]) -> Vec<String> {
    let headlines: Vec<String> = found.iter().map(Diagnostic::headline).collect();
    let missing = expected.iter().filter(|part| !headlines.iter().any(|line| line.contains(*part)));
    let missing = missing.map(|part| format!("`{part}` is not among {headlines:?}"));
    missing.chain(found.iter().filter_map(unplaced)).collect()
}

fn judge_faults(case: &Case, faults: &[Fault]) -> Vec<String> {
    let mut wrong = Vec::new();
    let is =
        |fault: &Fault, hook: &str, message: &str| *fault.hook == *hook && fault.diagnostic.message.contains(message);
    for (hook, message) in &case.faults {
        match faults.iter().find(|fault| is(fault, hook, message)) {
            Some(fault) => wrong.extend(unplaced(&fault.diagnostic)),
            None => wrong.push(format!("no fault in {hook} with `{message}`")),
        }
    }
    let expected = |fault: &Fault| (case.faults.iter()).any(|(hook, message)| is(fault, hook, message));
    if let Some(other) = faults.iter().find(|fault| !expected(fault)) {
        wrong.push(format!("unexpected: {}", other.render(false)));
    }
    if case.faults.is_empty() && case.load_warnings.is_empty() && !case.nothing {
        wrong.push("has no `// expect:` line".into());
    }
    wrong
}

fn judge_rest(case: &Case, played: &Played) -> Vec<String> {
    let mut wrong = Vec::new();
    if case.quarantine != played.quarantined {
        wrong.push(format!("quarantined: {}", played.quarantined));
    }
    if played.neighbor != *PEACE {
        wrong.push(format!("the neighbor suffered: {:?}", played.neighbor));
    }
    if played.memory > MOST_MEMORY || played.left > MOST_LEFT {
        wrong.push(format!("a tick took {} bytes, {} were left at the end", played.memory, played.left));
    }
    if played.variables > MOST_VARIABLES || played.entities > MOST_ENTITIES {
        wrong.push(format!("{} bytes of variables, {} entities", played.variables, played.entities));
    }
    wrong
}

/// Complains about a message without a file, a line and a caret below the line.
fn unplaced(message: &Diagnostic) -> Option<String> {
    let shown = message.render(false);
    let placed = message.place.is_some() && shown.contains('^');
    (!placed).then(|| format!("has no place: {shown}"))
}
