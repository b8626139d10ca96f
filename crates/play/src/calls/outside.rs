//! What a test does to a level from outside: teleporting entities, emitting events, keeping values, and settings.

use super::{session::setting_text, *};
use crate::test_progress::MOST_EMITTED;
use hangtime_core::sim::{EntityId, EventKind, MOST_KEPT, Teleport};
use hangtime_script::calls::{PER_EVENT, check_custom_event, event_data, kept_data, kept_name};

/// Operations charged for teleporting a body, which is pushed out of solids, and how many bytes of the
/// level's state are looked at for one: all bodies sense the ground again.
const PER_PLACE: u64 = 2_000;
const BYTES_PER_OPERATION: u64 = 64;

/// Operations charged for a setting: the files of the level are built again.
const PER_SETTING: u64 = 20_000;

const X: Param = param("x", Type::Number, "px");
const Y: Param = param("y", Type::Number, "px");
const VX: Param = param("vx", Type::Number, "px/s");
const VY: Param = param("vy", Type::Number, "px/s");
const EVENT_NAME: Param = param("name", Type::Name(Names::OwnEvent), "");
const DATA: Param = param("data", Type::Data, "");
const KEY: Param = param("key", Type::Name(Names::Setting), "");
const VALUE: Param = param("value", Type::Either(&[Type::Number, Type::Flag, Type::Text]), "");

fn place<'a>(level: &'a TestLevel, args: Args<'a>) -> Answered<'a> {
    let name = args.text(0)?;
    charge(PER_PLACE + level.lock().game.snapshot_memory() / BYTES_PER_OPERATION)?;
    let at = args.point(1)?;
    let velocity = match args.get(3) {
        Arg::Nothing => None,
        _ => Some(args.point(3)?),
    };
    let id = level.require_entity(name)?;
    let game = &mut level.lock().game;
    let bounds = game.live.revision().stage.level.bounds;
    if !bounds.holds(at) {
        let (min, max) = (bounds.min, bounds.max);
        return refuse(format!(
            "({}, {}) is outside of the level's bounds, ({}, {}) to ({}, {})",
            at.x, at.y, min.x, min.y, max.x, max.y
        ));
    }
    if game.change(|live| live.place(id, Teleport { velocity: velocity.map(|v| (v, 0.0)), ..at.into() })) {
        Ok(CallAnswer::Nothing)
    } else {
        refuse(format!("there is no room for `{name}` at ({}, {})", at.x, at.y))
    }
}

fn emit<'a>(level: &'a TestLevel, args: Args<'a>) -> Answered<'a> {
    let name = args.text(0)?;
    charge(PER_EVENT)?;
    let name = check_custom_event("emit", name)?;
    let data = event_data(args.get(1))?;
    let mut played = level.lock();
    let game = &mut played.game;
    if game.progress.emitted >= MOST_EMITTED {
        return refuse(format!("a test can emit at most {MOST_EMITTED} events per tick"));
    }
    game.progress.emitted += 1;
    game.change(|live| live.emit(name.into(), data.clone()));
    let kind = EventKind::Signal { name: name.into(), data };
    let event = Event { tick: game.tick(), entity: EntityId::LEVEL, name: "level".into(), kind };
    game.progress.note_event(event, &game.live);
    played.count_memory()?;
    Ok(CallAnswer::Nothing)
}

fn keep<'a>(level: &'a TestLevel, args: Args<'a>) -> Answered<'a> {
    charge(PER_EVENT)?;
    let name = kept_name(args)?;
    let data = kept_data(args.get(1))?;
    let game = &mut level.lock().game;
    let mut kept = game.live.world().kept().clone();
    if !kept.set(name, data) {
        return refuse(format!("a game can keep at most {MOST_KEPT} values"));
    }
    game.change(|live| live.set_kept(kept.clone()));
    Ok(CallAnswer::Nothing)
}

/// Adds these calls.
pub fn add(table: &mut ObjectCalls) {
    add_calls! { table;
        /// Keeps plain data as a script's `world::keep` does. Tests begin with nothing kept.
        call keep(TEXT_NAME, DATA);
        "t.keep(\"best\", 3);\nt.ticks(1);";
        keep;

        /// What scripts or the test have kept under a name, or `()`.
        call kept(TEXT_NAME) -> Type::Data;
        "let best = t.kept(\"best\") ?? 0;";
        |level: &TestLevel, args| {
            let name = kept_name(args)?;
            let value = level.lock().game.live.world().kept().get(name).cloned();
            Ok(CallAnswer::Data(value.unwrap_or_default()))
        };

        /// Teleports the center of an entity to (x, y), pushed out of any solid there. The velocity stays, and it lets
        /// go of its hook and of walls. Fails outside of the level's bounds, or where there is no room.
        call place(ENTITY_NAME, X, Y);
        "t.place(\"hero\", 0, 100);\nt.ticks(1);";
        place;

        /// With a velocity, px/s, in place of the one that it has.
        call place(ENTITY_NAME, X, Y, VX, VY);
        "t.place(\"hero\", 0, 100, 360, 0);\nt.ticks(1);";
        place;

        /// Emits an event. In the next tick it calls `fn on_NAME` in every script that has it. Its `entity` is `level`.
        call emit(EVENT_NAME);
        "t.emit(\"alarm\");\nt.ticks(1);";
        emit;

        /// With plain data, which the hook reads as `event.data`: at most 64 values and 4 KiB of text.
        call emit(EVENT_NAME, DATA);
        "t.emit(\"alarm\", #{ x: 40, loud: true });\nt.ticks(1);";
        emit;

        /// Changes a setting while the level runs, as if its file had been edited. Limits of scripts can only be
        /// lowered.
        call tune(KEY, VALUE);
        "t.tune(\"platformer.jump_speed\", 700);";
        |level: &TestLevel, args| {
            let key = args.text(0)?;
            charge(PER_SETTING)?;
            level.session.check_wanted()?;
            let value = setting_text(args.get(1))?;
            level.lock().game.tune(key, value)?;
            Ok(CallAnswer::Nothing)
        };
    }
}
