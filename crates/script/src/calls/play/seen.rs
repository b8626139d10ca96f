//! What a test can see of a level: its solids, and what scripts show.

use super::super::answer::{Answered, CallAnswer};
use super::super::arguments::{exactly, text};
use super::super::drawing::color_text;
use super::super::entries::of_test;
use super::super::properties::READ_IN_TESTS;
use super::super::table::CallTable;
use super::level::TestLevel;
use crate::api::{Access, ApiEntry, Field, Names, Owner, Param, Shape, Type, field, param};
use crate::budget::charge;
use crate::{SolidView, refuse};
use hangtime_core::sim::{Drawn, DrawnForm};

/// Operations charged for looking at something.
const PER_LOOK: u64 = 40;

/// Fields of a solid.
const SOLID: Shape = Shape {
    name: "solid",
    common: &[],
    own: &[
        field("moved", Type::Vec, "px", "how far its `path` has taken it from its place in the level's file"),
        field("present", Type::Flag, "", "whether it is there: false while it is switched off"),
    ],
};

/// Fields of something that a script shows.
const SHOWN: Shape = Shape {
    name: "shown",
    common: &[],
    own: &[
        field("form", Type::Text, "", "`text`, `bar`, `line`, `circle`, `rect`, or `sprite`"),
        field("x", Type::Number, "px", "its x, as the script has given it"),
        field("y", Type::Number, "px", "its y, as the script has given it"),
        field("color", Type::Text, "", "its color: a name or `#rrggbb`; empty for the usual one"),
        own_field("text", Type::Text, "the text"),
        own_field("share", Type::Number, "how far a bar is filled, 0 to 1"),
        own_field("picture", Type::Text, "the picture of a sprite"),
        own_field("frame", Type::Whole, "the frame of a sprite"),
    ],
};

/// A field that only some forms have.
const fn own_field(name: &'static str, holds: Type, doc: &'static str) -> Field {
    field(name, holds, "", doc).sometimes()
}

const SOLID_NAME: Param = param("name", Type::Name(Names::Solid), "");
const NAME: Param = param("name", Type::Text, "");

/// What a script shows under a name.
const MAY_BE_SHOWN: Type = Type::Either(&[Type::Map(&SHOWN), Type::Nothing]);

/// Adds these calls.
pub(super) fn add(table: &mut CallTable) {
    table.add_of_level(
        of_test("solid", "Where the solid with this name is now.", "let moved = t.solid(\"ledge\").moved;")
            .takes(const { &[SOLID_NAME] })
            .returns(Type::Map(&SOLID), ""),
        |level, args| {
            let [name] = *exactly(args)?;
            solid(level, text("solid", "name", name)?)
        },
    );
    add_shown(table);
    add_looks(table);
}

fn add_shown(table: &mut CallTable) {
    table.add_of_level(
        of_test(
            "shown",
            "What scripts show under this name, as with `hud::text`, or `()`. The level's script comes first, then the \
             entities in the order in which they spawned.",
            "let coins = t.shown(\"coins\");\nif coins != () { expect(coins.text).equals(\"12 coins\"); }",
        )
        .takes(const { &[NAME] })
        .returns(MAY_BE_SHOWN, ""),
        |level, args| {
            let [name] = *exactly(args)?;
            shown(level, None, text("shown", "name", name)?)
        },
    );
    table.add_of_level(
        of_test(
            "shown",
            "Only what the script of this entity shows.",
            "expect(t.shown(\"ouch\", \"hero\")).equals(());",
        )
        .takes(const { &[NAME, param("entity", Type::Name(Names::Entity), "")] })
        .returns(MAY_BE_SHOWN, ""),
        |level, args| {
            let [name, entity] = *exactly(args)?;
            let entity = text("shown", "entity", entity)?;
            level.require_entity(entity)?;
            shown(level, Some(entity), text("shown", "name", name)?)
        },
    );
}

fn add_looks(table: &mut CallTable) {
    table.add_of_live(
        ApiEntry::property(
            Owner::Live,
            "color",
            Access::ReadOnly(READ_IN_TESTS),
            "The color that its script has given it: a name or `#rrggbb`; `()` for the usual one.",
            "expect(hero.color).equals(());",
        )
        .returns(Type::Either(&[Type::Text, Type::Nothing]), ""),
        |live| {
            let (color, _) = live.looks()?;
            let color = color.map(|color| CallAnswer::Made(color_text(color).into()));
            Ok(color.unwrap_or(CallAnswer::Nothing))
        },
    );
    table.add_of_live(
        ApiEntry::property(
            Owner::Live,
            "visible",
            Access::ReadOnly(READ_IN_TESTS),
            "Whether it is painted; its script can hide it.",
            "expect(hero.visible).equals(true);",
        )
        .returns(Type::Flag, ""),
        |live| Ok(CallAnswer::Flag(live.looks()?.1)),
    );
}

fn solid<'a>(level: &TestLevel, name: &str) -> Answered<'a> {
    charge(PER_LOOK)?;
    match level.lock().solid(name) {
        Some(SolidView { moved, present }) => {
            Ok(CallAnswer::Fields(vec![("moved", moved.into()), ("present", CallAnswer::Flag(present))]))
        }
        None => refuse(format!("there is no solid `{name}` in this level")),
    }
}

fn shown<'a>(level: &TestLevel, by: Option<&str>, name: &str) -> Answered<'a> {
    charge(PER_LOOK)?;
    let shown = level.lock().shown(by, name);
    Ok(shown.map_or(CallAnswer::Nothing, |drawn| answer_of(&drawn)))
}

/// Something that a script shows, as tests read it.
fn answer_of<'a>(drawn: &Drawn) -> CallAnswer<'a> {
    let color = drawn.style.color.map_or_else(String::new, color_text);
    let mut fields = vec![
        ("x", CallAnswer::Number(drawn.at.x)),
        ("y", CallAnswer::Number(drawn.at.y)),
        ("color", CallAnswer::Made(color.into())),
    ];
    let form = match &drawn.shape {
        DrawnForm::Text(text, _) => {
            fields.push(("text", CallAnswer::Made((**text).into())));
            "text"
        }
        DrawnForm::Bar(share, _) => {
            fields.push(("share", CallAnswer::Number(*share)));
            "bar"
        }
        DrawnForm::Line(_) => "line",
        DrawnForm::Circle(_) => "circle",
        DrawnForm::Rect(_) => "rect",
        DrawnForm::Sprite(sprite) => {
            fields.push(("picture", CallAnswer::Made((*sprite.picture).into())));
            fields.push(("frame", CallAnswer::Whole(i64::from(sprite.frame))));
            "sprite"
        }
    };
    fields.push(("form", CallAnswer::Text(form)));
    CallAnswer::Fields(fields)
}
