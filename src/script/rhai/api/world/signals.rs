//! Events between scripts.

use super::super::arguments::{Fallible, own_event, wrong};
use super::super::outlook::Outlook;
use super::super::registry::Registry;
use super::world;
use crate::script::host::api::{Names, Param, Topic, Type, param};
use crate::script::rhai::engine::values::{NotPlain, to_plain};
use crate::sim::{Command, Value};
use rhai::{Dynamic, NativeCallContext};

/// Most events that all scripts together emit in a tick.
const MOST_EMITTED: usize = 1_024;
/// Most events that one entity emits in a tick, so that it leaves room for the others.
const MOST_OF_ONE: usize = 64;
/// Most values of what goes with an event, and most bytes of its text.
const MOST_VALUES: usize = 64;
const MOST_TEXT: usize = 4_096;

const NAME: Param = param("name", Type::Name(Names::OwnEvent), "");

/// Registers `emit`.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::Signals);
    registry.add(
        world(
            "emit",
            "Tells `fn on_NAME` of every script that has it, this one's included, in the next tick.",
            "world::emit(\"alarm\"); // fn on_alarm(me, event) { print(event.entity); }",
        )
        .takes(const { &[NAME] }),
        |context: NativeCallContext<'_>, name: &str| emit(&context, name, &Dynamic::UNIT),
    );
    registry.add(
        world(
            "emit",
            "The same, with plain data, which is `event.data` there: at most 64 values and 4 KiB of text.",
            "world::emit(\"alarm\", #{ x: me.x, loud: true });",
        )
        .takes(const { &[NAME, param("data", Type::Data, "")] }),
        |context: NativeCallContext<'_>, name: &str, data: Dynamic| emit(&context, name, &data),
    );
}

fn emit(context: &NativeCallContext<'_>, name: &str, data: &Dynamic) -> Fallible<()> {
    let name = own_event("emit", name)?;
    let data = small(data)?;
    let outlook = Outlook::of(context)?;
    let mut sight = outlook.lock();
    sight.in_event("emit")?;
    if sight.emitted >= MOST_EMITTED {
        return wrong(format!(
            "scripts emit at most {MOST_EMITTED} events in a tick"
        ));
    }
    let of_turn = |command: &&Command| matches!(command, Command::Emit(..));
    if sight.me()?.lock().commands.iter().filter(of_turn).count() >= MOST_OF_ONE {
        return wrong(format!(
            "one entity emits at most {MOST_OF_ONE} events in a tick"
        ));
    }
    sight.emitted += 1;
    sight.order(Command::Emit(name.into(), data))
}

/// Plain data that is not too much. Counted first, so that nothing large is copied.
fn small(data: &Dynamic) -> Fallible<Value> {
    let (mut values, mut text) = (MOST_VALUES, MOST_TEXT);
    if count(data, &mut values, &mut text).is_none() {
        return wrong(format!(
            "the data of an event has at most {MOST_VALUES} values and {MOST_TEXT} bytes of text"
        ));
    }
    to_plain(data).or_else(|NotPlain { path, what }| {
        let path = path.trim_start_matches('.');
        let place = if path.is_empty() {
            String::new()
        } else {
            format!(": `{path}`")
        };
        wrong(format!("the data of an event cannot hold {what}{place}"))
    })
}

/// Takes a value's parts off what may still come; none when there is too much.
fn count(value: &Dynamic, values: &mut usize, text: &mut usize) -> Option<()> {
    *values = values.checked_sub(1)?;
    if let Ok(words) = value.as_immutable_string_ref() {
        *text = text.checked_sub(words.len())?;
    } else if let Ok(list) = value.as_array_ref() {
        return list.iter().try_for_each(|v| count(v, values, text));
    } else if let Ok(map) = value.as_map_ref() {
        return map.iter().try_for_each(|(key, v)| {
            *text = text.checked_sub(key.len())?;
            count(v, values, text)
        });
    }
    Some(())
}
