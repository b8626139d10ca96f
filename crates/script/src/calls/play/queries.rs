//! What a test can read of the level that it plays.

use super::super::answer::{Answered, CallAnswer};
use super::super::arguments::{exactly, text};
use super::super::entries::of_test;
use super::super::event_names::check_event_filter;
use super::super::properties::{ENTITY_PROPERTIES, READ_IN_TESTS};
use super::super::table::CallTable;
use super::level::TestLevel;
use crate::api::{Access, ApiEntry, Names, Owner, Shape, Topic, Type, param};
use crate::budget::charge;
use crate::{EVENT, fields_of_event, refuse};
use hangtime_core::sim::{Event, Value};

/// Operations charged for an event.
const PER_EVENT: u64 = 40;

/// The events so far, of one name or all.
fn events<'a>(level: &TestLevel, name: Option<&str>) -> Answered<'a> {
    charge(PER_EVENT * level.lock().events().len() as u64)?;
    if let Some(name) = name {
        let happened = |name: &str| {
            let level = level.lock();
            level.events().iter().any(|event| event.kind.name() == name)
        };
        let known = |name: &str| (level.may_emit)(name) || happened(name);
        check_event_filter(name, known).or_else(refuse)?;
    }
    let level = level.lock();
    let wanted = |event: &&Event| name.is_none_or(|name| event.kind.name() == name);
    let events = level.events().iter().filter(wanted);
    Ok(CallAnswer::List(events.map(event_answer).collect()))
}

/// An event with the fields that event hooks receive.
fn event_answer<'a>(event: &Event) -> CallAnswer<'a> {
    let mut fields = vec![
        ("event", CallAnswer::Made(event.kind.name().into())),
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
pub(super) fn add(table: &mut CallTable) {
    table.topic(Topic::TestQueries);
    add_lookup(table);
    for property in ENTITY_PROPERTIES {
        table.add_seen_live(property.in_tests(), property.read);
    }
    table.add_of_live(
        ApiEntry::call(Owner::Live, "to_string", "Its name, which `print` shows.", "print(hero);")
            .returns(Type::Text, ""),
        |live| Ok(CallAnswer::Made(live.name().into())),
    );
    add_vars(table);
    add_events(table);
    add_heard(table);
}

fn add_lookup(table: &mut CallTable) {
    table.add_of_level(
        of_test(
            "entity",
            "The entity with this name. Its properties always show its current state.",
            "let hero = t.entity(\"hero\");\nt.run(0.5);\nexpect(hero.grounded).equals(true);",
        )
        .takes(const { &[param("name", Type::Name(Names::Entity), "")] })
        .returns(Type::Live, ""),
        |level, args| {
            let [name] = *exactly(args)?;
            let name = text("entity", "name", name)?;
            level.require_entity(name)?;
            Ok(CallAnswer::Live(Box::new(level.live(name.into()))))
        },
    );
    table.add_of_level(
        of_test(
            "all",
            "All entities of a kind, in the order in which they spawned. Use it for entities that scripts spawn.",
            "for hero in t.all(\"hero\") { expect(hero.grounded).equals(true); }",
        )
        .takes(const { &[param("kind", Type::Name(Names::Kind), "")] })
        .returns(Type::Array(&Type::Live), ""),
        |level, args| {
            let [kind] = *exactly(args)?;
            let names = level.lock().of_kind(text("all", "kind", kind)?);
            let live = |name| CallAnswer::Live(Box::new(level.live(name)));
            Ok(CallAnswer::List(names.into_iter().map(live).collect()))
        },
    );
}

fn add_vars(table: &mut CallTable) {
    table.add_of_live(
        ApiEntry::property(
            Owner::Live,
            "vars",
            Access::ReadOnly(READ_IN_TESTS),
            "Its variables: `this` of its script.",
            "let counted = \"jumps\" in hero.vars;",
        )
        .returns(Type::Data, ""),
        |live| Ok(CallAnswer::Data(live.vars()?)),
    );
    table.add_of_live(
        ApiEntry::property(
            Owner::Live,
            "layers",
            Access::ReadOnly(READ_IN_TESTS),
            "The scripts that mods put above its own, by their names, each with its variables as `vars`.",
            "let raging = \"angry\" in hero.layers && hero.layers.angry.vars.rage > 3;",
        )
        .returns(Type::Data, ""),
        |live| Ok(CallAnswer::Data(live.layers()?)),
    );
    table.add_of_level(
        ApiEntry::property(
            Owner::Test,
            "vars",
            Access::ReadOnly(READ_IN_TESTS),
            "Variables of the level: `this` of its script; empty without a script.",
            "let counted = \"coins\" in t.vars;",
        )
        .returns(Type::Data, ""),
        |level, _| Ok(CallAnswer::Data(Value::Map(level.lock().level_vars()))),
    );
}

/// Adds the question for what is heard.
fn add_heard(table: &mut CallTable) {
    table.add_of_level(
        of_test(
            "heard",
            "How often the sound with this name in a table `[sounds]` was heard so far: with an event of this name, or \
             because a script played it.",
            "let loud = t.heard(\"ping\") > 0;",
        )
        .takes(const { &[param("name", Type::Name(Names::Sound), "")] })
        .returns(Type::Whole, ""),
        |level, args| {
            let [name] = *exactly(args)?;
            let name = text("heard", "name", name)?;
            let count = level.lock().heard(name);
            let count = count.or_else(|wrong| refuse(wrong.to_string()))?;
            Ok(CallAnswer::Whole(count as i64))
        },
    );
}

fn add_events(table: &mut CallTable) {
    table.add_of_level(
        of_test(
            "events",
            "All events so far, oldest first, as maps with the fields that event hooks receive.",
            "for event in t.events() { print(event.event); }",
        )
        .returns(Type::Array(&Type::Map(&ANY_EVENT)), ""),
        |level, _| events(level, None),
    );
    table.add_of_level(
        of_test(
            "events",
            "Only the events with this name, without `on_`.",
            "t.press(\"jump\");\nt.ticks(2);\nexpect(t.events(\"jump\").len()).equals(1);",
        )
        .takes(const { &[param("name", Type::Name(Names::Event), "")] })
        .returns(Type::Array(&Type::Map(&ANY_EVENT)), ""),
        |level, args| {
            let [name] = *exactly(args)?;
            events(level, Some(text("events", "name", name)?))
        },
    );
}
