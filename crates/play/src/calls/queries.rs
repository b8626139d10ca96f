//! What a test can read of the level that it plays.

use super::*;
use hangtime_core::sim::Value;
use hangtime_script::{
    EVENT,
    calls::{ENTITY_PROPERTIES, check_event_filter},
    fields_of_event,
};

/// Operations charged for an event.
const PER_EVENT: u64 = 40;

/// The events so far, of one name or all.
fn events<'a>(level: &'a TestLevel, args: Args<'a>) -> Answered<'a> {
    let game = &level.lock().game;
    let events = &game.progress.events;
    charge(PER_EVENT * events.len() as u64)?;
    let name = (args.count() > 0).then(|| args.text(0)).transpose()?;
    if let Some(name) = name {
        let happened = |name: &str| events.iter().any(|event| event.kind.name() == name);
        let known = |name: &str| level.session.may_emit(name) || happened(name);
        check_event_filter(name, known).or_else(refuse)?;
    }
    let wanted = |event: &&Event| name.is_none_or(|name| event.kind.name() == name);
    Ok(CallAnswer::List(events.iter().filter(wanted).map(event_answer).collect()))
}

/// An event with the fields that event hooks receive.
fn event_answer<'a>(event: &Event) -> CallAnswer<'a> {
    let mut fields = vec![
        ("event", CallAnswer::made(event.kind.name())),
        ("entity", CallAnswer::Made(event.name.clone())),
        ("tick", CallAnswer::Whole(event.tick as i64)),
    ];
    let own = fields_of_event(event).into_iter();
    fields.extend(own.map(|(key, value)| (key, CallAnswer::Data(value))));
    CallAnswer::Fields(fields)
}

/// The fields that all events have; each event adds its own.
const ANY_EVENT: Shape = Shape { name: "event", common: EVENT, own: &[] };

/// Adds these calls.
pub fn add(table: &mut ObjectCalls) {
    add_calls! { table;
        /// The entity with this name. Its properties always show its current state.
        call entity(ENTITY_NAME) -> Type::Live;
        "let hero = t.entity(\"hero\");\nt.run(0.5);\nexpect(hero.grounded).equals(true);";
        |level: &TestLevel, args| {
            let name = args.text(0)?;
            level.require_entity(name)?;
            Ok(CallAnswer::object(level.live(name)))
        };

        /// All entities of a kind, in the order in which they spawned. Use it for entities that scripts spawn.
        call all(param("kind", Type::Name(Names::Kind), "")) -> Type::Array(&Type::Live);
        "for hero in t.all(\"hero\") { expect(hero.grounded).equals(true); }";
        |level: &TestLevel, args| {
            let kind = args.text(0)?;
            let game = &level.lock().game;
            let of_kind = game.live.world().entities().iter().filter(|entity| &*entity.kind == kind);
            Ok(CallAnswer::List(of_kind.map(|entity| CallAnswer::object(level.live(&entity.name))).collect()))
        };
    }
    for property in ENTITY_PROPERTIES {
        table.add(property.in_tests(), |entity: &LiveEntity, _| {
            let view = entity.look(|live, entity| live.world().view(&live.revision().stage, entity))?;
            Ok((property.read)(&view).into_owned())
        });
    }
    add_calls! { table;
        /// Its name, which `print` shows.
        call to_string() -> Type::Text;
        "print(hero);";
        |entity: &LiveEntity, _| Ok(CallAnswer::Text(&entity.name));

        /// Its variables: `this` of its script.
        state vars() -> Type::Data;
        "let counted = \"jumps\" in hero.vars;";
        |entity: &LiveEntity, _| {
            let vars = entity.look(|_, entity| entity.vars.0.to_plain())?;
            Ok(CallAnswer::Data(Value::Map(vars)))
        };

        /// The scripts that mods put above its own, by their names, each with its variables as `vars`.
        state layers() -> Type::Data;
        "let raging = \"angry\" in hero.layers && hero.layers.angry.vars.rage > 3;";
        |entity: &LiveEntity, _| {
            let layers = entity.look(|_, entity| entity.layer_values())?;
            Ok(CallAnswer::Data(Value::Map(layers)))
        };

        /// Variables of the level: `this` of its script; empty without a script.
        state vars() -> Type::Data;
        "let counted = \"coins\" in t.vars;";
        |level: &TestLevel, _| {
            let game = &level.lock().game;
            let vars = game.live.world().level_vars().map(|vars| vars.0.to_plain());
            Ok(CallAnswer::Data(Value::Map(vars.unwrap_or_default())))
        };

        /// All events so far, oldest first, as maps with the fields that event hooks receive.
        call events() -> Type::Array(&Type::Map(&ANY_EVENT));
        "for event in t.events() { print(event.event); }";
        events;

        /// Only the events with this name, without `on_`.
        call events(param("name", Type::Name(Names::Event), "")) -> Type::Array(&Type::Map(&ANY_EVENT));
        "t.press(\"jump\");\nt.ticks(2);\nexpect(t.events(\"jump\").len()).equals(1);";
        events;

        /// How often the sound with this name in a table `[sounds]` was heard so far: with an event of this name, or
        /// because a script played it.
        call heard(param("name", Type::Name(Names::Sound), "")) -> Type::Whole;
        "let loud = t.heard(\"ping\") > 0;";
        |level: &TestLevel, args| {
            let game = &level.lock().game;
            let count = game.progress.heard(args.text(0)?, &game.live.revision().sounds)?;
            Ok(CallAnswer::Whole(count as i64))
        };
    }
}

/// Adds what only expressions about a finished run have.
pub fn add_finished(table: &mut ObjectCalls) {
    const ENTITY: Param = param("entity", Type::Live, "");
    add_calls! { table;
        /// The largest y of an entity's center during the run.
        call highest(ENTITY) -> Type::Number, "px";
        "let apex = highest(hero);";
        |_: &TestSession, args| Ok(CallAnswer::Number(args.object(0, LiveEntity::reach)??.y));

        /// The largest x of an entity's center during the run.
        call farthest(ENTITY) -> Type::Number, "px";
        "let width = farthest(hero);";
        |_: &TestSession, args| Ok(CallAnswer::Number(args.object(0, LiveEntity::reach)??.x));
    }
}
