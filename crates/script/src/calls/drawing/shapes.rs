//! Texts, bars, lines, circles, rectangles, polygons and pictures as calls: in the level, at an entity, and on the
//! screen.

use super::orders::{ReadForm, bar, circle, draw, erase, line, polygon, rect, sprite, text};
use crate::calls::*;
use hangtime_core::sim::DrawnSpace;

const NAME: Param = param("name", Type::Text, "");
const OPTIONS: Param = param("options", Type::Data, "");
const SHOWN: Param = param("text", Type::Either(&[Type::Text, Type::Number]), "");
const SHARE: Param = param("share", Type::Number, "");
const TO_X: Param = param("to_x", Type::Number, "px");
const TO_Y: Param = param("to_y", Type::Number, "px");
const RADIUS: Param = param("radius", Type::Number, "px");
const WIDTH: Param = param("width", Type::Number, "px");
const PICTURE: Param = param("picture", Type::Name(Names::Picture), "");
const POINTS: Param = param("points", Type::Array(&Type::Any), "px");
const HEIGHT: Param = param("height", Type::Number, "px");

/// What has these calls, and where they draw: in the level, at an entity, and on the screen.
const OWNERS: [(Owner, DrawnSpace); 3] =
    [(Owner::World, DrawnSpace::Level), (Owner::Me, DrawnSpace::Entity), (Owner::Hud, DrawnSpace::Screen)];

/// A shape, which is drawn in three places, each without and with options.
struct ShapeCall {
    name: &'static str,
    form: ReadForm,
    takes: [&'static [Param]; 2],
    /// What it does, and an example: for each owner without and with options.
    said: [[&'static str; 2]; 6],
}

/// Adds all of them.
pub fn add(table: &mut CallTable) {
    for ShapeCall { name, form, takes, said } in SHAPES {
        for ((owner, space), said) in OWNERS.into_iter().zip(said.chunks(2)) {
            for (takes, &[doc, example]) in takes.into_iter().zip(said) {
                let entry = ApiEntry::call(owner, name, doc, example).takes(takes);
                table.add(entry, move |moment, args| draw(moment, args, space, form));
            }
        }
    }
    for ((owner, space), [doc, example]) in OWNERS.into_iter().zip(ERASERS) {
        let entry = ApiEntry::call(owner, "erase", doc, example).takes(&[NAME]);
        table.add(entry, move |moment, args| erase(moment, args, space));
    }
}

/// Lines of the table of shapes: name and parameters, then texts and examples for each owner, without and with options.
macro_rules! shapes {
    ($($name:ident($($param:expr),+): $($(#[doc = $line:literal])+ $example:literal),+;)+) => {
        const SHAPES: [ShapeCall; [$(stringify!($name)),+].len()] = [$(ShapeCall {
            name: stringify!($name),
            form: $name,
            takes: [&[NAME, $($param),+], &[NAME, $($param),+, OPTIONS]],
            said: [$([prose!($(#[doc = $line])+), $example]),+],
        }),+];
    };
}

shapes! {
    text(X, Y, SHOWN):
    /// Shows text around (x, y) of the level, until the name is drawn again or erased. `\n` begins a new line.
    r#"world::text("sign", 200, 90, "To the lake");"#,
    /// Options: `color`; `size`, how many times as large the letters are, 1 to 16; and `align`, which end of the text
    /// is at x: `left`, `center` or `right`.
    r#"world::text("sign", 200, 90, "To the lake", #{ color: "gold", size: 2 });"#,
    /// Shows text at the entity, x px to the right of its center and y px above it. The text follows the entity, so it
    /// need not be drawn in every tick.
    r#"me.text("name", 0, 30, me.name);"#,
    /// With the options of `world::text`.
    r#"me.text("ouch", 0, 40, "-5", #{ color: "red" });"#,
    /// Shows text on the screen, x px to the right of its upper left corner and y px below the status line. A negative
    /// x or y counts from the right or the lower edge.
    r#"hud::text("coins", 8, 4, "12 coins");"#,
    /// With the options of `world::text`. With `align: "center"` x counts from the middle, and with `align: "right"` 0
    /// is the right edge.
    r#"hud::text("title", 0, 40, "Level 2", #{ align: "center", size: 3 });"#;

    bar(X, Y, SHARE):
    /// Draws a bar around (x, y) of the level that is filled by a share, 0 to 1. Without a color it is green, gold
    /// below one half, and red below one quarter.
    r#"world::bar("door", 300, 120, 0.7);"#,
    /// Options: `color`, `width` and `height` in px, and `align`.
    r#"world::bar("door", 300, 120, 0.7, #{ color: "cyan", width: 60, height: 8 });"#,
    /// Draws a bar at the entity, x px to the right of its center and y px above it. It follows the entity.
    r#"me.bar("health", 0, 26, 0.8);"#,
    /// With the options of `world::bar`.
    r#"me.bar("heat", 0, 32, 0.4, #{ color: "orange", height: 3 });"#,
    /// Draws a bar on the screen, placed as by `hud::text`.
    r#"hud::bar("health", 8, 20, 0.8);"#,
    /// With the options of `world::bar`.
    r#"hud::bar("boss", 0, -16, 0.9, #{ align: "center", width: 300, height: 8 });"#;

    line(X, Y, TO_X, TO_Y):
    /// Draws a line from (x, y) to (to_x, to_y) of the level.
    r#"world::line("sight", me.x, me.y, me.x + 80 * me.facing, me.y);"#,
    /// Options: `color`, and `width` in px.
    r#"world::line("laser", 0, 40, 300, 40, #{ color: "red", width: 3 });"#,
    /// Draws a line at the entity. Both points are relative to its center, and it follows the entity.
    r#"me.line("gun", 0, 0, 24 * me.facing, 6);"#,
    /// With the options of `world::line`.
    r#"me.line("gun", 0, 0, 24 * me.facing, 6, #{ color: "silver", width: 4 });"#,
    /// Draws a line on the screen; its points are placed as by `hud::text`.
    r#"hud::line("rule", 8, 36, 120, 36);"#,
    /// With the options of `world::line`.
    r##"hud::line("rule", 8, 36, 120, 36, #{ color: "#ffffff80", width: 1 });"##;

    circle(X, Y, RADIUS):
    /// Draws a filled circle around (x, y) of the level.
    r#"world::circle("goal", 400, 60, 12);"#,
    /// Options: `color`; and `width` in px, which draws only the outline.
    r#"world::circle("range", me.x, me.y, 90, #{ color: "cyan", width: 1 });"#,
    /// Draws a filled circle at the entity, around a point relative to its center. It follows the entity.
    r#"me.circle("lamp", 0, 24, 4);"#,
    /// With the options of `world::circle`.
    r##"me.circle("shield", 0, 0, 30, #{ color: "#78dcff60" });"##,
    /// Draws a filled circle on the screen; its center is placed as by `hud::text`.
    r#"hud::circle("light", -16, 16, 6);"#,
    /// With the options of `world::circle`.
    r#"hud::circle("light", -16, 16, 6, #{ color: "red" });"#;

    rect(X, Y, WIDTH, HEIGHT):
    /// Draws a filled rectangle around (x, y) of the level.
    r#"world::rect("door", 300, 40, 12, 60);"#,
    /// Options: `color`; `width` in px, which draws only the outline; and `align`.
    r#"world::rect("frame", 300, 40, 12, 60, #{ color: "gold", width: 2 });"#,
    /// Draws a filled rectangle at the entity, around a point relative to its center. It follows the entity.
    r#"me.rect("hat", 0, 22, 18, 5);"#,
    /// With the options of `world::rect`.
    r#"me.rect("hat", 0, 22, 18, 5, #{ color: "brown" });"#,
    /// Draws a filled rectangle on the screen, placed as by `hud::text`.
    r#"hud::rect("panel", 4, 0, 120, 40);"#,
    /// With the options of `world::rect`.
    r##"hud::rect("panel", 4, 0, 120, 40, #{ color: "#00000080" });"##;

    polygon(X, Y, POINTS):
    /// Draws a filled polygon in the level. Its points, 3 to 64, are relative to (x, y), each `[x, y]` or a vec.
    r#"world::polygon("arrow", me.x, me.y + 40, [[-8, 12], [8, 12], [0, 0]]);"#,
    /// Options: `color`; and `width` in px, which draws only the outline.
    r#"world::polygon("field", 100, 0, [[0, 0], [200, 0], [160, 60], [0, 80]], #{ color: "cyan", width: 2 });"#,
    /// Draws a filled polygon at the entity. Its points are relative to (x, y), which is relative to its center. It
    /// follows the entity.
    r#"me.polygon("fin", 0, 10, [[0, 0], [-12 * me.facing, 4], [0, 14]]);"#,
    /// With the options of `world::polygon`.
    r##"me.polygon("light", 0, 0, [[0, 0], [200, -40], [200, 40]], #{ color: "#ffffa040" });"##,
    /// Draws a filled polygon on the screen, with (x, y) as for `hud::text`. The y of its points is below that for
    /// positive numbers.
    r#"hud::polygon("pointer", 20, 40, [[0, 0], [12, 6], [0, 12]]);"#,
    /// With the options of `world::polygon`.
    r#"hud::polygon("pointer", 20, 40, [[0, 0], [12, 6], [0, 12]], #{ color: "gold" });"#;

    sprite(X, Y, PICTURE):
    /// Draws a picture of the folder `pictures/` around (x, y) of the level.
    r#"world::sprite("torch", 300, 40, "torch.png");"#,
    /// Options: `width` and `height` of a frame in pixels of the picture, and `frame`, which of them is shown, from 0;
    /// after the last comes the first again. Frames are counted like letters on a page. `size`, how many times as large
    /// it is; `flip: true` mirrors it; `color` tints it; and `align`.
    r#"world::sprite("torch", 300, 40, "torch.png", #{ width: 8, height: 16, frame: world::time() * 6 });"#,
    /// Draws a picture at the entity, around a point relative to its center. It follows the entity. How the entity
    /// itself looks is in the table `[sprite]` of its kind.
    r#"me.sprite("hat", 0, 22, "hat.png");"#,
    /// With the options of `world::sprite`.
    r#"me.sprite("sword", 14 * me.facing, 0, "sword.png", #{ flip: me.facing < 0 });"#,
    /// Draws a picture on the screen, placed as by `hud::text`.
    r#"hud::sprite("coin", 8, 4, "coin.png");"#,
    /// With the options of `world::sprite`.
    r#"hud::sprite("heart", 8, 4, "hearts.png", #{ width: 8, frame: 1, size: 2 });"#;
}

/// What `erase` does in each place, and an example.
const ERASERS: [[&str; 2]; 3] = [
    [
        prose! {
            /// Erases what this script has drawn in the level under this name. Nothing happens if there is nothing.
        },
        r#"world::erase("sign");"#,
    ],
    [
        prose! {
            /// Erases what was drawn at the entity under this name.
        },
        r#"me.erase("name");"#,
    ],
    [
        prose! {
            /// Erases what this script has drawn on the screen under this name.
        },
        r#"hud::erase("title");"#,
    ],
];
