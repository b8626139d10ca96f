//! What lasts beyond the level.

use crate::calls::*;
use hangtime_core::sim::{LONGEST_KEPT_NAME, MOST_KEPT, MOST_KEPT_DEPTH, MOST_KEPT_PARTS};

/// Operations charged for keeping a value, and for reading one.
const PER_KEEP: u64 = 20;
/// How many values there can be in one that is kept, and bytes of text.
const MOST_DATA: (usize, usize) = (MOST_KEPT_PARTS.0 as usize, MOST_KEPT_PARTS.1 as usize);
/// Operations charged for each value in a value that is read, and how many bytes of its text are copied for one.
const PER_VALUE: u64 = 2;
const TEXT_IN_ONE: u64 = 32;

/// Adds the topic.
pub fn add(table: &mut CallTable) {
    table.topic(Topic::Kept);
    add_calls! { table;
        /// Keeps plain data beyond the level, under a name that all scripts of the game share. `world::kept` returns it
        /// from the next tick on. `()` forgets it.
        of_world keep(KEPT_NAME, DATA);
        "if me.age > (world::kept(\"longest\") ?? 0) { world::keep(\"longest\", me.age); }";
        keep;

        /// What was kept under a name when the tick began, or `()`.
        of_world kept(KEPT_NAME) -> Type::Data;
        "let best = world::kept(\"best\") ?? 0;";
        |moment, args| {
            let name = args.text(0)?;
            let Some(value) = moment.world()?.kept.get(name) else {
                return Ok(CallAnswer::Nothing);
            };
            charge(value.count() * PER_VALUE + value.text() / TEXT_IN_ONE)?;
            Ok(CallAnswer::Data(value.clone()))
        };
    }
}

/// The first argument, which must be the name of a value that is kept.
///
/// # Errors
/// If it is empty or too long.
pub fn kept_name(args: Args<'_>) -> Accepted<&str> {
    let name = args.text(0)?;
    if name.is_empty() || name.len() > LONGEST_KEPT_NAME {
        return refuse(format!(
            "a name for what is kept has 1 to {LONGEST_KEPT_NAME} bytes; this one has {}",
            name.len()
        ));
    }
    Ok(name)
}

/// What is kept, as plain data.
///
/// # Errors
/// If it is too large, nested too deep, or not plain.
pub fn kept_data(data: Arg<'_>) -> Accepted<Value> {
    let value = plain_data(data, "what is kept", MOST_DATA)?;
    if value.depth() > MOST_KEPT_DEPTH {
        return refuse(format!(
            "lists and maps in what is kept can be nested {MOST_KEPT_DEPTH} deep; this one is {} deep",
            value.depth()
        ));
    }
    Ok(value)
}

fn keep<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    charge(PER_KEEP)?;
    let name = kept_name(args)?;
    let data = kept_data(args.get(1))?;
    let (me, world) = moment.both()?;
    world.require_event("keep")?;
    // What other scripts keep and forget in this tick counts as well.
    let there = !matches!(data, Value::Unit);
    if there && world.later.adds(&world.kept, name) && world.later.count(&world.kept) >= MOST_KEPT {
        return refuse(format!("a game can keep at most {MOST_KEPT} values; forget some with `world::keep(name, ())`"));
    }
    me.queue(Command::Keep(name.into(), data))?;
    world.later.note(&world.kept, name, there);
    Ok(CallAnswer::Nothing)
}
