//! Timers, and log messages in traces.

use super::answer::{Answered, CallAnswer};
use super::arg::Arg;
use super::arguments::{any_number, exactly, parameter, text};
use super::entries::of_me;
use super::event_names::check_custom_event;
use super::moment::CallMoment;
use super::plain_data::plain_data;
use super::table::CallTable;
use crate::api::{Names, Param, Topic, Type, param};
use crate::budget::charge;
use crate::refuse;
use hangtime_core::sim::Command;

/// The largest number of running timers of one entity.
const MAX_TIMERS: usize = 64;
/// The largest number of running timers of all entities together.
pub const MAX_ALL_TIMERS: usize = 16_384;
/// Operations charged for setting a timer, for stopping timers, and for a note.
const PER_ORDER: u64 = 8;
/// Longest delay of a timer in seconds: a day.
const MAX_DELAY: f64 = 86_400.0;
/// The largest number of values in the data of a timer, and of bytes of text. All timers together stay small.
pub const MOST_TIMER_DATA: (usize, usize) = (16, 512);
/// Longest text of a note in bytes.
const MAX_NOTE: usize = 256;

const NAME: Param = param("name", Type::Name(Names::OwnEvent), "");

/// Adds the topic.
pub(super) fn add(table: &mut CallTable) {
    table.topic(Topic::Timers);
    table.add(
        of_me(
            "after",
            "Calls this entity's `fn on_NAME(me)` after a delay, rounded to the nearest tick, never the current one.",
            r#"me.after(0.5, "recovered"); // fn on_recovered(me) { … }"#,
        )
        .takes(const { &[param("seconds", Type::Number, "s"), NAME] }),
        |moment, args| {
            let [seconds, name] = *exactly(args)?;
            after(moment, [seconds, name], Arg::Nothing)
        },
    );
    table.add(
        of_me(
            "after",
            "With plain data, which the hook reads as `event.data`: at most 16 values and 512 bytes of text.",
            r#"me.after(0.5, "throw", #{ at: me.x }); // fn on_throw(me, event) { print(event.data.at); }"#,
        )
        .takes(const { &[param("seconds", Type::Number, "s"), NAME, param("data", Type::Data, "")] }),
        |moment, args| {
            let [seconds, name, data] = *exactly(args)?;
            after(moment, [seconds, name], data)
        },
    );
    table.add(
        of_me("cancel", "Cancels all of this entity's timers with this name.", r#"me.cancel("recovered");"#)
            .takes(const { &[NAME] }),
        |moment, args| {
            let [name] = *exactly(args)?;
            let name = text("cancel", "name", name)?;
            charge(PER_ORDER)?;
            let name = check_custom_event("cancel", name)?;
            moment.me.queue(Command::Cancel(name.into()))?;
            Ok(CallAnswer::Nothing)
        },
    );
    add_note(table);
}

fn add_note(table: &mut CallTable) {
    table.add(
        of_me(
            "note",
            "Logs text as the event `note`, for debugging and tests. Traces contain it, and `on_note` receives it.",
            "me.note(`vel.y is ${me.vel.y}`);",
        )
        .takes(const { &[param("text", Type::Text, "")] }),
        |moment, args| {
            let [note] = *exactly(args)?;
            let note = text("note", "text", note)?;
            if note.len() > MAX_NOTE {
                return refuse(format!("a note can have at most {MAX_NOTE} bytes; this one has {}", note.len()));
            }
            charge(PER_ORDER)?;
            moment.me.queue(Command::Note(note.into()))?;
            Ok(CallAnswer::Nothing)
        },
    );
}

fn after<'a>(moment: &mut CallMoment, [seconds, name]: [Arg<'_>; 2], data: Arg<'_>) -> Answered<'a> {
    let name = text("after", "name", name)?;
    charge(PER_ORDER)?;
    let what = parameter("after", "seconds");
    let seconds = any_number(what, seconds)?;
    if !(0.0..=MAX_DELAY).contains(&seconds) {
        return refuse(format!("{what} is {seconds}; it must be between 0 and {MAX_DELAY}"));
    }
    let name = check_custom_event("after", name)?;
    let data = plain_data(data, "the data of a timer", MOST_TIMER_DATA)?;
    if moment.me.timers >= MAX_TIMERS {
        return refuse(format!(
            "an entity can have at most {MAX_TIMERS} running timers; stop some with `me.cancel(name)`"
        ));
    }
    let (me, world) = moment.both()?;
    if world.timers >= MAX_ALL_TIMERS {
        return refuse(format!(
            "all entities together can have at most {MAX_ALL_TIMERS} running timers; stop some with \
             `me.cancel(name)`"
        ));
    }
    me.queue(Command::After(seconds, name.into(), data))?;
    me.timers += 1;
    world.timers += 1;
    Ok(CallAnswer::Nothing)
}
