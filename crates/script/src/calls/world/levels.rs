//! Starting the level again, playing another one, and what is handed over.

use crate::calls::*;
use hangtime_core::sim::LevelOrder;

/// The largest number of values that are handed over, and of bytes of text.
const MOST_HANDED: (usize, usize) = (64, 4_096);
/// Operations charged for an order to start a level. Only one order of a tick is carried out.
const PER_LEVEL: u64 = 100;
/// The longest name of a level, in bytes.
const MOST_NAME: usize = 256;

const LEVEL: Param = param("level", Type::Name(Names::Level), "");

/// Adds the topic.
pub fn add(table: &mut CallTable) {
    table.topic(Topic::Levels);
    add_calls! { table;
        /// Starts the level again before the next tick: all entities, variables, timers and switches are as they were
        /// when it began, also its time. The number of the tick continues. It hands over the last checkpoint or,
        /// without one, what the level began with.
        of_world restart();
        "if me.age > 60 { world::restart(); }";
        |moment, args| order(moment, args, None, None);

        /// Hands over this plain data instead, which is the checkpoint from then on.
        of_world restart(DATA);
        "world::restart(#{ lives: 2 });";
        |moment, args| {
            let data = handed(args.get(0))?;
            order(moment, args, None, Some(data))
        };

        /// Plays another level of the game from the next tick on. If it cannot be played, this one continues, and the
        /// reason is reported. If a tick has several such orders, including `world::restart`, the last one counts.
        of_world play_level(LEVEL);
        "if \"exit\" in me.zones { world::play_level(\"playground\"); }";
        |moment, args| order(moment, args, Some(args.text(0)?), None);

        /// Hands over plain data, which the scripts of that level read with `world::handed()`: at most 64 values and 4
        /// KiB of text.
        of_world play_level(LEVEL, DATA);
        "world::play_level(\"playground\", #{ coins: 3 });";
        |moment, args| {
            let level = args.text(0)?;
            let data = handed(args.get(1))?;
            order(moment, args, Some(level), Some(data))
        };

        /// Keeps plain data for the next `world::restart()`, which hands it over: at most 64 values and 4 KiB of text.
        /// It lasts until another checkpoint or another level.
        of_world checkpoint(DATA);
        "world::checkpoint(#{ x: me.x, y: me.y });";
        |moment, args| {
            let data = handed(args.get(0))?;
            moment.world()?.require_event("checkpoint")?;
            moment.me.order(Command::Checkpoint(data))
        };

        /// What was handed over when the level began: by `world::play_level`, `world::restart` or the last
        /// `world::checkpoint`; `()` if nothing was.
        of_world handed() -> Type::Data;
        "let start = world::handed();\nif start != () { me.place(start.x, start.y); }";
        |moment, _| {
            let data = moment.world()?.handed.clone();
            charge(2 * data.count() + data.text() / 32)?;
            Ok(CallAnswer::Data(data))
        };
    }
}

fn handed(data: Arg<'_>) -> Accepted<Value> {
    plain_data(data, "what is handed over", MOST_HANDED)
}

fn order<'a>(moment: &mut CallMoment, args: Args<'_>, level: Option<&str>, data: Option<Value>) -> Answered<'a> {
    let call = args.call();
    let (me, world) = moment.both()?;
    world.require_event(call)?;
    if let Some(name) = level
        && (name.is_empty() || name.len() > MOST_NAME)
    {
        return refuse(format!("`level` of `{call}` must be the name of a level, such as `\"playground\"`"));
    }
    charge(PER_LEVEL)?;
    let level = level.map(Into::into);
    me.order(Command::Level(LevelOrder { level, data }))
}
