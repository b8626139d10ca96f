//! Custom events, from script to script.

use crate::calls::*;

/// The largest number of events that all scripts together emit in a tick.
pub const MAX_EMITTED: usize = 1_024;
/// The largest number of events that one entity emits in a tick, so that it leaves some for the others.
const MAX_EMITTED_BY_ONE: usize = 64;
/// The largest number of values in the data of an event, and of bytes of text.
pub const MOST_EVENT_DATA: (usize, usize) = (64, 4_096);
/// Operations charged for an event.
pub const PER_EVENT: u64 = 36;
/// How many orders are looked through for one operation.
const LOOKED_THROUGH: usize = 32;

/// Adds `emit`.
pub fn add(table: &mut CallTable) {
    table.topic(Topic::CustomEvents);
    add_calls! { table;
        /// Emits an event. In the next tick it calls `fn on_NAME` in every script that has it, including this one.
        of_world emit(OWN_EVENT);
        "world::emit(\"alarm\"); // fn on_alarm(me, event) { print(event.entity); }";
        emit;

        /// With plain data, which the hook reads as `event.data`: at most 64 values and 4 KiB of text.
        of_world emit(OWN_EVENT, DATA);
        "world::emit(\"alarm\", #{ x: me.x, loud: true });";
        emit;
    }
}

fn emit<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let name = args.text(0)?;
    charge(PER_EVENT)?;
    let name = check_custom_event("emit", name)?;
    let data = event_data(args.get(1))?;
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
    me.order(Command::Emit(name.into(), data))
}

/// The data of an event as a plain value. Its size is checked first, so nothing large is copied.
///
/// # Errors
/// If it is too large or not plain.
pub fn event_data(data: Arg<'_>) -> Accepted<Value> {
    plain_data(data, "event data", MOST_EVENT_DATA)
}
