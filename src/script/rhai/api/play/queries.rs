//! What a test can read of the level that it plays.

use super::super::arguments::{Fallible, fail};
use super::super::convert::to_value;
use super::super::entries::of_test;
use super::super::registry::{Registry, read_only};
use super::test_level::TestLevel;
use crate::script::host::api::{Access, ApiEntry, Names, Owner, Shape, Topic, Type, param};
use crate::script::host::calls::{
    CallAnswer, ENTITY_PROPERTIES, READ_IN_TESTS, check_event_filter,
};
use crate::script::host::names::suggestion;
use crate::script::rhai::engine::budget::charge;
use crate::script::rhai::engine::values::{event_map, to_map};
use crate::sim::{EntityId, EntityView, Event};
use glam::DVec2;
use rhai::{Array, Dynamic, ImmutableString};

/// Operations charged for looking at an entity, and for an event.
const PER_VIEW: u64 = 40;
const PER_EVENT: u64 = 40;

/// An entity of a level that a test plays; reads return its current state.
#[derive(Clone)]
pub(super) struct LiveEntity {
    level: TestLevel,
    name: String,
}

impl LiveEntity {
    /// The current value of a property.
    fn read(&self, getter: fn(&EntityView) -> CallAnswer<'_>) -> Fallible<Dynamic> {
        charge(PER_VIEW)?;
        match self.level.lock().entity(&self.name) {
            Some(view) => Ok(to_value(getter(&view))),
            None => gone(&self.name),
        }
    }

    /// The largest x and y of its center so far.
    pub(super) fn reach(&self) -> Fallible<DVec2> {
        charge(PER_VIEW)?;
        match self.level.lock().reach(&self.name) {
            Some(reach) => Ok(reach),
            None => fail(format!("`{}` was not in this level", self.name)),
        }
    }

    fn vars(&self) -> Fallible<Dynamic> {
        charge(PER_VIEW)?;
        let level = self.level.lock();
        match level.entity(&self.name) {
            Some(_) => Ok(to_map(&level.vars(&self.name)).into()),
            None => gone(&self.name),
        }
    }
}

fn gone<T>(name: &str) -> Fallible<T> {
    fail(format!("`{name}` is no longer in the level"))
}

impl TestLevel {
    /// Checks that an entity with this name is in the level.
    pub(super) fn require_entity(&self, name: &str) -> Fallible<()> {
        let level = self.lock();
        if level.entity(name).is_some() {
            return Ok(());
        }
        let was = |e: &Event| &*e.name == name && e.entity != EntityId::LEVEL;
        if level.events().iter().any(was) {
            return gone(name);
        }
        let names = level.names();
        let hint = suggestion(name, names.iter().map(String::as_str).collect::<Vec<_>>());
        fail(format!("there is no entity `{name}` in this level{hint}"))
    }

    fn entity(&self, name: &str) -> Fallible<LiveEntity> {
        self.require_entity(name)?;
        Ok(self.live(name.into()))
    }

    /// An entity by its name, whether it is in the level or not.
    pub(super) fn live(&self, name: String) -> LiveEntity {
        LiveEntity {
            level: self.clone(),
            name,
        }
    }

    /// All entities that are of a kind now.
    fn all(&self, kind: &str) -> Array {
        let names = self.lock().of_kind(kind);
        let live = |name| Dynamic::from(self.live(name));
        names.into_iter().map(live).collect()
    }

    /// The events so far, of one name or all.
    fn events(&self, name: Option<&str>) -> Fallible<Array> {
        charge(PER_EVENT * self.lock().events().len() as u64)?;
        if let Some(name) = name {
            let happened = |name: &str| {
                let level = self.lock();
                level.events().iter().any(|event| event.kind.name() == name)
            };
            let known = |name: &str| (self.may_emit)(name) || happened(name);
            check_event_filter(name, known).or_else(fail)?;
        }
        let level = self.lock();
        let wanted = |event: &&Event| name.is_none_or(|name| event.kind.name() == name);
        Ok(level
            .events()
            .iter()
            .filter(wanted)
            .map(|e| event_map(e).into())
            .collect())
    }
}

/// The fields that all events have; each event adds its own.
const ANY_EVENT: Shape = Shape {
    name: "event",
    common: crate::script::host::EVENT,
    own: &[],
};

/// Registers these calls.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::TestQueries);
    register_lookup(registry);
    registry.value::<LiveEntity>(Owner::Live);
    for property in ENTITY_PROPERTIES {
        let read = property.read;
        registry.property(
            property.in_tests(),
            move |live: &mut LiveEntity| live.read(read),
            read_only,
        );
    }
    registry.add(
        ApiEntry::call(
            Owner::Live,
            "to_string",
            "Its name, which `print` shows.",
            "print(hero);",
        )
        .returns(Type::Text, ""),
        |live: &mut LiveEntity| ImmutableString::from(live.name.as_str()),
    );
    register_vars(registry);
    register_events(registry);
}

fn register_lookup(registry: &mut Registry<'_>) {
    registry.add(
        of_test(
            "entity",
            "The entity with this name. Its properties always show its current state.",
            "let hero = t.entity(\"hero\");\nt.run(0.5);\nexpect(hero.grounded).equals(true);",
        )
        .takes(const { &[param("name", Type::Name(Names::Entity), "")] })
        .returns(Type::Live, ""),
        |t: &mut TestLevel, name: &str| t.entity(name),
    );
    registry.add(
        of_test(
            "all",
            "All entities of a kind, in the order in which they spawned. Use it for entities that scripts spawn.",
            "for hero in t.all(\"hero\") { expect(hero.grounded).equals(true); }",
        )
        .takes(const { &[param("kind", Type::Name(Names::Kind), "")] })
        .returns(Type::Array(&Type::Live), ""),
        |t: &mut TestLevel, kind: &str| t.all(kind),
    );
}

fn register_vars(registry: &mut Registry<'_>) {
    registry.property(
        ApiEntry::property(
            Owner::Live,
            "vars",
            Access::ReadOnly(READ_IN_TESTS),
            "Its variables: `this` of its script.",
            "let counted = \"jumps\" in hero.vars;",
        )
        .returns(Type::Data, ""),
        |live: &mut LiveEntity| live.vars(),
        read_only,
    );
    registry.property(
        ApiEntry::property(
            Owner::Test,
            "vars",
            Access::ReadOnly(READ_IN_TESTS),
            "Variables of the level: `this` of its script; empty without a script.",
            "let counted = \"coins\" in t.vars;",
        )
        .returns(Type::Data, ""),
        |t: &mut TestLevel| Ok(to_map(&t.lock().level_vars()).into()),
        read_only,
    );
}

fn register_events(registry: &mut Registry<'_>) {
    registry.add(
        of_test(
            "events",
            "All events so far, oldest first, as maps with the fields that event hooks receive.",
            "for event in t.events() { print(event.event); }",
        )
        .returns(Type::Array(&Type::Map(&ANY_EVENT)), ""),
        |t: &mut TestLevel| t.events(None),
    );
    registry.add(
        of_test(
            "events",
            "Only the events with this name, without `on_`.",
            "t.press(\"jump\");\nt.ticks(2);\nexpect(t.events(\"jump\").len()).equals(1);",
        )
        .takes(const { &[param("name", Type::Name(Names::Event), "")] })
        .returns(Type::Array(&Type::Map(&ANY_EVENT)), ""),
        |t: &mut TestLevel, name: &str| t.events(Some(name)),
    );
}
