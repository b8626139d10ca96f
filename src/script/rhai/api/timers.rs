//! Timers, and notes for who reads traces.

use super::arguments::{Fallible, any_number, own_event, wrong};
use super::me::Me;
use super::registry::Registry;
use crate::script::host::api::{Entry, Names, Owner, Param, Topic, Type, param};
use crate::sim::Command;
use rhai::Dynamic;

/// Most timers of one entity that run at a time.
const MOST_TIMERS: usize = 64;
/// Longest time that can be waited for, s: a day.
const LONGEST: f64 = 86_400.0;
/// Most bytes of a note.
const MOST_NOTE: usize = 256;

const NAME: Param = param("name", Type::Name(Names::OwnEvent), "");

/// Registers them.
pub(in crate::script::rhai) fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::Timers);
    registry.add(
        Entry::call(
            Owner::Me,
            "after",
            "Tells this entity's `fn on_NAME(me)` when so many seconds are over, in the nearest tick \
             and at the earliest in the next.",
            r#"me.after(0.5, "recovered"); // fn on_recovered(me) { … }"#,
        )
        .takes(const { &[param("seconds", Type::Number, "s"), NAME] }),
        |me: &mut Me, seconds: Dynamic, name: &str| -> Fallible<()> {
            let seconds = any_number("after's seconds", &seconds)?;
            if !(0.0..=LONGEST).contains(&seconds) {
                return wrong(format!("`after` takes 0 to {LONGEST} seconds, not {seconds}"));
            }
            let name = own_event("after", name)?;
            let mut moment = me.lock();
            if moment.timers >= MOST_TIMERS {
                return wrong(format!(
                    "an entity has at most {MOST_TIMERS} timers that run; `me.cancel(name)` ends some"
                ));
            }
            moment.timers += 1;
            moment.order(Command::After(seconds, name.into()))
        },
    );
    registry.add(
        Entry::call(
            Owner::Me,
            "cancel",
            "Forgets every timer that `me.after` has set by this name.",
            r#"me.cancel("recovered");"#,
        )
        .takes(const { &[NAME] }),
        |me: &mut Me, name: &str| -> Fallible<()> {
            let name = own_event("cancel", name)?;
            me.lock().order(Command::Cancel(name.into()))
        },
    );
    registry.add(
        Entry::call(
            Owner::Me,
            "note",
            "Writes a text into the trace of this tick, as the event `note`: for who looks for a \
             mistake, and for tests.",
            "me.note(`vel.y is ${me.vel.y}`);",
        )
        .takes(const { &[param("text", Type::Text, "")] })
        .only_in(crate::script::host::api::Room::Behavior),
        |me: &mut Me, text: &str| -> Fallible<()> {
            if text.len() > MOST_NOTE {
                return wrong(format!(
                    "a note has at most {MOST_NOTE} bytes; this has {}",
                    text.len()
                ));
            }
            me.lock().order(Command::Note(text.into()))
        },
    );
}
