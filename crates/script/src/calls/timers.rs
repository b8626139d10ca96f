//! Timers, and log messages in traces.

use super::{arguments::check_length, *};

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

const SECONDS: Param = param("seconds", Type::Number, "s");

/// Adds the topic.
pub fn add(table: &mut CallTable) {
    table.topic(Topic::Timers);
    add_calls! { table;
        /// Calls this entity's `fn on_NAME(me)` after a delay, rounded to the nearest tick, never the current one.
        of_me after(SECONDS, OWN_EVENT);
        r#"me.after(0.5, "recovered"); // fn on_recovered(me) { … }"#;
        after;

        /// With plain data, which the hook reads as `event.data`: at most 16 values and 512 bytes of text.
        of_me after(SECONDS, OWN_EVENT, DATA);
        r#"me.after(0.5, "throw", #{ at: me.x }); // fn on_throw(me, event) { print(event.data.at); }"#;
        after;

        /// Cancels all of this entity's timers with this name.
        of_me cancel(OWN_EVENT);
        r#"me.cancel("recovered");"#;
        |moment, args| {
            let name = args.text(0)?;
            charge(PER_ORDER)?;
            let name = check_custom_event("cancel", name)?;
            moment.me.order(Command::Cancel(name.into()))
        };

        /// Logs text as the event `note`, for debugging and tests. Traces contain it, and `on_note` receives it.
        of_me note(param("text", Type::Text, ""));
        "me.note(`vel.y is ${me.vel.y}`);";
        |moment, args| {
            let note = args.text(0)?;
            check_length(note, "a note", MAX_NOTE)?;
            charge(PER_ORDER)?;
            moment.me.order(Command::Note(note.into()))
        };
    }
}

fn after<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let name = args.text(1)?;
    charge(PER_ORDER)?;
    let seconds = args.get(0).within(args.parameter(0), 0.0..=MAX_DELAY)?;
    let name = check_custom_event("after", name)?;
    let data = plain_data(args.get(2), "the data of a timer", MOST_TIMER_DATA)?;
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
