//! Timers, and log messages in traces.

use super::arguments::{Fallible, any_number, fail, parameter};
use super::entries::of_me;
use super::event_names::check_custom_event;
use super::me::Me;
use super::registry::Registry;
use super::world_view::WorldHandle;
use crate::script::host::api::{Names, Param, Topic, Type, param};
use crate::script::rhai::engine::budget::charge;
use crate::sim::Command;
use rhai::{Dynamic, NativeCallContext};

/// The largest number of running timers of one entity.
const MAX_TIMERS: usize = 64;
/// The largest number of running timers of all entities together.
const MAX_ALL_TIMERS: usize = 16_384;
/// Operations charged for setting a timer, for stopping timers, and for a note.
const PER_ORDER: u64 = 8;
/// Longest delay of a timer in seconds: a day.
const MAX_DELAY: f64 = 86_400.0;
/// Longest text of a note in bytes.
const MAX_NOTE: usize = 256;

const NAME: Param = param("name", Type::Name(Names::OwnEvent), "");

/// Registers the topic.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::Timers);
    registry.add(
        of_me(
            "after",
            "Calls this entity's `fn on_NAME(me)` after a delay, rounded to the nearest tick, never the current one.",
            r#"me.after(0.5, "recovered"); // fn on_recovered(me) { … }"#,
        )
        .takes(const { &[param("seconds", Type::Number, "s"), NAME] }),
        |context: NativeCallContext<'_>, me: &mut Me, seconds: Dynamic, name: &str| -> Fallible<()> {
            charge(PER_ORDER)?;
            let what = parameter("after", "seconds");
            let seconds = any_number(&what, &seconds)?;
            if !(0.0..=MAX_DELAY).contains(&seconds) {
                return fail(format!("{what} is {seconds}; it must be between 0 and {MAX_DELAY}"));
            }
            let name = check_custom_event("after", name)?;
            let mut state = me.lock();
            if state.timers >= MAX_TIMERS {
                return fail(format!(
                    "an entity can have at most {MAX_TIMERS} running timers; stop some with `me.cancel(name)`"
                ));
            }
            let world = WorldHandle::of(&context)?;
            let mut world = world.lock();
            if world.timers >= MAX_ALL_TIMERS {
                return fail(format!(
                    "all entities together can have at most {MAX_ALL_TIMERS} running timers; stop some with \
                     `me.cancel(name)`"
                ));
            }
            state.queue(Command::After(seconds, name.into()))?;
            state.timers += 1;
            world.timers += 1;
            Ok(())
        },
    );
    registry.add(
        of_me(
            "cancel",
            "Cancels all of this entity's timers with this name.",
            r#"me.cancel("recovered");"#,
        )
        .takes(const { &[NAME] }),
        |me: &mut Me, name: &str| -> Fallible<()> {
            charge(PER_ORDER)?;
            let name = check_custom_event("cancel", name)?;
            me.lock().queue(Command::Cancel(name.into()))
        },
    );
    registry.add(
        of_me(
            "note",
            "Logs text as the event `note`, for debugging and tests. Traces contain it, and `on_note` receives it.",
            "me.note(`vel.y is ${me.vel.y}`);",
        )
        .takes(const { &[param("text", Type::Text, "")] }),
        |me: &mut Me, text: &str| -> Fallible<()> {
            if text.len() > MAX_NOTE {
                return fail(format!(
                    "a note can have at most {MAX_NOTE} bytes; this one has {}",
                    text.len()
                ));
            }
            charge(PER_ORDER)?;
            me.lock().queue(Command::Note(text.into()))
        },
    );
}
