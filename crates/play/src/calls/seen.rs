//! What a test can see of a level: its solids, and what scripts show.

use super::*;
use hangtime_core::sim::{Drawn, DrawnBy, DrawnColor, DrawnForm};
use hangtime_script::calls::color_text;

/// Operations charged for looking at something.
const PER_LOOK: u64 = 40;

/// Fields of a solid.
const SOLID: Shape = Shape {
    name: "solid",
    common: &[],
    own: fields! {
        /// how far its `path` has taken it from its place in the level's file
        moved: Type::Vec, "px";
        /// how far its `rotation` has turned it, counterclockwise
        angle: Type::Number, "rad";
        /// whether it is there: false while it is switched off
        present: Type::Flag;
    },
};

/// Fields of something that a script shows.
const SHOWN: Shape = Shape {
    name: "shown",
    common: &[],
    own: fields! {
        /// `text`, `bar`, `line`, `circle`, `rect`, `polygon`, or `sprite`
        form: Type::Text;
        /// its x, as the script has given it
        x: Type::Number, "px";
        /// its y, as the script has given it
        y: Type::Number, "px";
        /// its color: a name or `#rrggbb`; empty for the usual one
        color: Type::Text;
        /// the text
        text sometimes: Type::Text;
        /// how far a bar is filled, 0 to 1
        share sometimes: Type::Number;
        /// the picture of a sprite
        picture sometimes: Type::Text;
        /// the frame of a sprite
        frame sometimes: Type::Whole;
    },
};

/// What a script shows under a name.
const MAY_BE_SHOWN: Type = Type::Either(&[Type::Map(&SHOWN), Type::Nothing]);

/// Adds these calls.
pub fn add(table: &mut ObjectCalls) {
    add_calls! { table;
        /// Where the solid with this name is now.
        call solid(param("name", Type::Name(Names::Solid), "")) -> Type::Map(&SOLID);
        "let moved = t.solid(\"ledge\").moved;";
        solid;

        /// What scripts show under this name, as with `hud::text`, or `()`. The level's script comes first, then the
        /// entities in the order in which they spawned.
        call shown(TEXT_NAME) -> MAY_BE_SHOWN;
        "let coins = t.shown(\"coins\");\nif coins != () { expect(coins.text).equals(\"12 coins\"); }";
        shown;

        /// Only what the script of this entity shows.
        call shown(TEXT_NAME, param("entity", Type::Name(Names::Entity), "")) -> MAY_BE_SHOWN;
        "expect(t.shown(\"ouch\", \"hero\")).equals(());";
        shown;

        /// The color that its script has given it: a name or `#rrggbb`; `()` for the usual one.
        state color() -> Type::Either(&[Type::Text, Type::Nothing]);
        "expect(hero.color).equals(());";
        |entity: &LiveEntity, _| Ok(entity.looks()?.0.map(|color| CallAnswer::made(color_text(color))).into());

        /// Whether it is painted; its script can hide it.
        state visible() -> Type::Flag;
        "expect(hero.visible).equals(true);";
        |entity: &LiveEntity, _| Ok(CallAnswer::Flag(entity.looks()?.1));
    }
}

fn solid<'a>(level: &'a TestLevel, args: Args<'a>) -> Answered<'a> {
    let name = args.text(0)?;
    charge(PER_LOOK)?;
    let live = &level.lock().game.live;
    let (world, stage) = (live.world(), &live.revision().stage);
    let terrain = &world.level(stage).terrain;
    let Some(index) = terrain.solid_named(name) else {
        return refuse(format!("there is no solid `{name}` in this level"));
    };
    let solid = &terrain.solids()[index as usize];
    let tilt = world.changes().tilt(index, solid, world.seconds(stage));
    let moved = solid.path.as_ref().map(|path| world.changes().offset(index, path, world.seconds(stage)));
    Ok(CallAnswer::Fields(vec![
        ("moved", moved.unwrap_or_default().into()),
        ("angle", CallAnswer::Number(tilt.map_or(0.0, |tilt| tilt.angle().to_radians()))),
        ("present", CallAnswer::Flag(world.is_present(index))),
    ]))
}

/// What a script has drawn under a name: the script of an entity, or without one the first script that has the name.
fn shown<'a>(level: &'a TestLevel, args: Args<'a>) -> Answered<'a> {
    let by = (args.count() > 1).then(|| level.require_entity(args.text(1)?)).transpose()?;
    let name = args.text(0)?;
    charge(PER_LOOK)?;
    let played = level.lock();
    let drawing = played.game.live.world().drawing();
    let find = |by: &DrawnBy| by.things().iter().find(|thing| &*thing.name == name).cloned();
    let shown = match by {
        Some(by) => drawing.of(by).and_then(find),
        None => drawing.owners().find_map(|(_, by)| find(by)),
    };
    Ok(shown.map(|drawn| answer_of(&drawn)).into())
}

impl LiveEntity {
    /// The color that its script has given it, and whether it is painted.
    fn looks(&self) -> Result<(Option<DrawnColor>, bool), CallRefusal> {
        self.look(|live, entity| {
            let by = live.world().drawing().of(entity.id);
            by.map_or((None, true), |by| (by.color, !by.hidden))
        })
    }
}

/// Something that a script shows, as tests read it.
fn answer_of<'a>(drawn: &Drawn) -> CallAnswer<'a> {
    let color = drawn.style.color.map_or_else(String::new, color_text);
    let mut fields = vec![
        ("x", CallAnswer::Number(drawn.at.x)),
        ("y", CallAnswer::Number(drawn.at.y)),
        ("color", CallAnswer::made(color)),
    ];
    let form = match &drawn.shape {
        DrawnForm::Text(text, _) => {
            fields.push(("text", CallAnswer::made(&**text)));
            "text"
        }
        DrawnForm::Bar(share, _) => {
            fields.push(("share", CallAnswer::Number(*share)));
            "bar"
        }
        DrawnForm::Line(_) => "line",
        DrawnForm::Circle(_) => "circle",
        DrawnForm::Rect(_) => "rect",
        DrawnForm::Polygon(_) => "polygon",
        DrawnForm::Sprite(sprite) => {
            fields.push(("picture", CallAnswer::made(&*sprite.picture)));
            fields.push(("frame", CallAnswer::Whole(i64::from(sprite.frame))));
            "sprite"
        }
    };
    fields.push(("form", CallAnswer::Text(form)));
    CallAnswer::Fields(fields)
}
