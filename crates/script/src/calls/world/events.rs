//! Custom events, from script to script.

use super::super::answer::{Answered, CallAnswer};
use super::super::arg::Arg;
use super::super::arguments::{exactly, text};
use super::super::entries::of_world;
use super::super::event_names::check_custom_event;
use super::super::moment::CallMoment;
use super::super::plain_data::plain_data;
use super::super::table::CallTable;
use crate::api::{Names, Param, Topic, Type, param};
use crate::budget::charge;
use crate::{CallRefusal, refuse};
use hangtime_core::sim::{Command, Value};

/// The largest number of events that all scripts together emit in a tick.
const MAX_EMITTED: usize = 1_024;
/// The largest number of events that one entity emits in a tick, so that it leaves some for the others.
const MAX_EMITTED_BY_ONE: usize = 64;
/// The largest number of values in the data of an event.
const MAX_VALUES: usize = 64;
/// The largest number of bytes of text in the data of an event.
const MAX_TEXT: usize = 4_096;
/// Operations charged for an event.
pub const PER_EVENT: u64 = 36;
/// How many orders are looked through for one operation.
const LOOKED_THROUGH: usize = 32;

const NAME: Param = param("name", Type::Name(Names::OwnEvent), "");

/// Adds `emit`.
pub(super) fn add(table: &mut CallTable) {
    table.topic(Topic::CustomEvents);
    table.add(
        of_world(
            "emit",
            "Emits an event. In the next tick it calls `fn on_NAME` in every script that has it, including this one.",
            "world::emit(\"alarm\"); // fn on_alarm(me, event) { print(event.entity); }",
        )
        .takes(const { &[NAME] }),
        |moment, args| {
            let [name] = *exactly(args)?;
            emit(moment, name, Arg::Nothing)
        },
    );
    table.add(
        of_world(
            "emit",
            "With plain data, which the hook reads as `event.data`: at most 64 values and 4 KiB of text.",
            "world::emit(\"alarm\", #{ x: me.x, loud: true });",
        )
        .takes(const { &[NAME, param("data", Type::Data, "")] }),
        |moment, args| {
            let [name, data] = *exactly(args)?;
            emit(moment, name, data)
        },
    );
}

fn emit<'a>(moment: &mut CallMoment, name: Arg<'_>, data: Arg<'_>) -> Answered<'a> {
    let name = text("emit", "name", name)?;
    charge(PER_EVENT)?;
    let name = check_custom_event("emit", name)?;
    let data = event_data(data)?;
    let (me, world) = moment.both()?;
    world.require_event("emit")?;
    if world.emitted >= MAX_EMITTED {
        return refuse(format!("all scripts together can emit at most {MAX_EMITTED} events per tick"));
    }
    let is_emit = |command: &&Command| matches!(command, Command::Emit(..));
    charge((me.commands.len() / LOOKED_THROUGH) as u64)?;
    if me.commands.iter().filter(is_emit).count() >= MAX_EMITTED_BY_ONE {
        return refuse(format!("an entity can emit at most {MAX_EMITTED_BY_ONE} events per tick"));
    }
    world.emitted += 1;
    me.queue(Command::Emit(name.into(), data))?;
    Ok(CallAnswer::Nothing)
}

/// The data of an event as a plain value. Its size is checked first, so nothing large is copied.
///
/// # Errors
/// If it is too large or not plain.
pub fn event_data(data: Arg<'_>) -> Result<Value, CallRefusal> {
    plain_data(data, "event data", (MAX_VALUES, MAX_TEXT))
}
