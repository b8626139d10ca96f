//! What a test sees of the level that it plays.

use super::super::arguments::{Fallible, looked_for, wrong};
use super::super::reading::{SHOWN, TESTS_READ};
use super::super::registry::{Registry, never};
use super::{Test, of_test};
use crate::script::host::api::{Access, Entry, Names, Owner, Shape, Topic, Type, param};
use crate::script::host::names::suggestion;
use crate::script::rhai::engine::values::{event_map, to_map};
use crate::sim::{EntityId, EntityView, Event};
use rhai::{Array, Dynamic, ImmutableString};

/// An entity of a level being played; reads are of its state now.
#[derive(Clone)]
pub(super) struct Live {
    test: Test,
    name: String,
}

impl Live {
    /// What a property shows now.
    fn read(&self, show: fn(&EntityView) -> Dynamic) -> Fallible<Dynamic> {
        match self.test.lock().entity(&self.name) {
            Some(view) => Ok(show(&view)),
            None => self.gone(),
        }
    }

    fn vars(&self) -> Fallible<Dynamic> {
        let game = self.test.lock();
        match game.entity(&self.name) {
            Some(_) => Ok(to_map(&game.vars(&self.name)).into()),
            None => self.gone(),
        }
    }

    fn gone<T>(&self) -> Fallible<T> {
        wrong(format!("`{}` is no longer in the level", self.name))
    }
}

impl Test {
    pub(super) fn entity(&self, name: &str) -> Fallible<Live> {
        let game = self.lock();
        if game.entity(name).is_some() {
            return Ok(Live {
                test: self.clone(),
                name: name.into(),
            });
        }
        let was = |e: &Event| &*e.name == name && e.entity != EntityId::LEVEL;
        if game.events().iter().any(was) {
            return wrong(format!("`{name}` is no longer in the level"));
        }
        let names = game.names();
        let hint = suggestion(name, names.iter().map(String::as_str).collect::<Vec<_>>());
        wrong(format!("there is no entity `{name}` in this level{hint}"))
    }

    /// All that are of a kind now.
    fn all(&self, kind: &str) -> Array {
        let live = |name| {
            Dynamic::from(Live {
                test: self.clone(),
                name,
            })
        };
        let names = self.lock().of_kind(kind);
        names.into_iter().map(live).collect()
    }

    /// What has happened, of one name or all.
    fn events(&self, name: Option<&str>) -> Fallible<Array> {
        if let Some(name) = name {
            looked_for(name, &*self.told).or_else(wrong)?;
        }
        let game = self.lock();
        let wanted = |event: &&Event| name.is_none_or(|name| event.happening.name() == name);
        Ok(game
            .events()
            .iter()
            .filter(wanted)
            .map(|e| event_map(e).into())
            .collect())
    }
}

/// What any event holds: which fields beside these depends on the event.
const ANY_EVENT: Shape = Shape {
    name: "event",
    common: crate::script::host::EVENT,
    own: &[],
};

/// Registers it.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::Sight);
    register_finding(registry);
    registry.value::<Live>(Owner::Live);
    for shown in SHOWN {
        let read = shown.read;
        registry.property(
            shown.in_tests(),
            move |live: &mut Live| live.read(read),
            never,
        );
    }
    registry.property(
        Entry::property(
            Owner::Live,
            "vars",
            Access::ReadOnly(TESTS_READ),
            "Its variables: what its script has in `this`.",
            "let counted = \"jumps\" in hero.vars;",
        )
        .answers(Type::Data, ""),
        |live: &mut Live| live.vars(),
        never,
    );
    registry.add(
        Entry::call(
            Owner::Live,
            "to_string",
            "Its name: what `print` shows of it.",
            "print(hero);",
        )
        .answers(Type::Text, ""),
        |live: &mut Live| ImmutableString::from(live.name.as_str()),
    );
}

fn register_finding(registry: &mut Registry<'_>) {
    registry.add(
        of_test(
            "entity",
            "The entity with this name. What is read of it is as it is now.",
            "let hero = t.entity(\"hero\");\nt.run(0.5);\nexpect(hero.grounded).equals(true);",
        )
        .takes(const { &[param("name", Type::Name(Names::Entity), "")] })
        .answers(Type::Live, ""),
        |t: &mut Test, name: &str| t.entity(name),
    );
    registry.add(
        of_test(
            "all",
            "All entities of a kind, in the order in which they came into the world: so are found those whom \
             scripts have created, whose names nobody chose.",
            "for hero in t.all(\"hero\") { expect(hero.grounded).equals(true); }",
        )
        .takes(const { &[param("kind", Type::Name(Names::Kind), "")] })
        .answers(Type::Array(&Type::Live), ""),
        |t: &mut Test, kind: &str| t.all(kind),
    );
    registry.property(
        Entry::property(
            Owner::Test,
            "vars",
            Access::ReadOnly(TESTS_READ),
            "The level's own variables: what its script has in `this`. Without a script it has none.",
            "let counted = \"coins\" in t.vars;",
        )
        .answers(Type::Data, ""),
        |t: &mut Test| Ok(to_map(&t.lock().level_vars()).into()),
        never,
    );
    registry.add(
        of_test(
            "events",
            "All that has happened so far, oldest first: maps with what a script is told.",
            "for event in t.events() { print(event.event); }",
        )
        .answers(Type::Array(&Type::Map(&ANY_EVENT)), ""),
        |t: &mut Test| t.events(None),
    );
    registry.add(
        of_test(
            "events",
            "The events of one name, without `on_`.",
            "t.press(\"jump\");\nt.ticks(2);\nexpect(t.events(\"jump\").len()).equals(1);",
        )
        .takes(const { &[param("name", Type::Name(Names::Event), "")] })
        .answers(Type::Array(&Type::Map(&ANY_EVENT)), ""),
        |t: &mut Test, name: &str| t.events(Some(name)),
    );
}
