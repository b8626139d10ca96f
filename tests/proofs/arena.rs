//! Random games in which a thousand bodies of all models keep moving.

use crate::{dice::Dice, folder::Folder};
use std::fmt::Write as _;

/// Players `p1` to this one have random keys.
pub const PLAYERS: u8 = 8;

/// The bodies that no player steers.
const BODIES: usize = 992;

/// One kind for each model, and crates that are pushed.
const KINDS: [(&str, &str); 6] = [
    ("runner", "model = \"platformer\"\n"),
    ("walker", "model = \"topdown\"\nbody = { ellipse = [9, 9] }\n"),
    ("skater", "model = \"two_velocity\"\n"),
    ("lander", "model = \"vessel\"\nbody = { pieces = [{ points = [[-13, -9], [13, -9], [10, 14], [-10, 14]] }] }\n"),
    ("ball", "model = \"ballistic\"\nbody = { ellipse = [7, 7] }\n"),
    ("crate", "model = \"two_velocity\"\nbody = { ellipse = [10, 10] }\npushes = true\n"),
];

/// Writes a random game, from the side or from above.
pub fn write(dice: &mut Dice) -> Folder {
    let folder = Folder::empty();
    let side = dice.below(3) > 0;
    for (name, text) in KINDS {
        folder.write(&format!("config/entities/{name}.toml"), text);
    }
    folder.write("config/surfaces.toml", "[stone]\n[ice]\ngrip = 0.1\nfriction = 0.02\n");
    let view = if side { "side" } else { "top" };
    let mut level = format!("view = \"{view}\"\nsurface = \"ice\"\nbounds = [-4200, -400, 4200, 1600]\n");
    walls(&mut level);
    blocks(&mut level, side, dice);
    winds(&mut level, dice);
    for i in 0..BODIES + usize::from(PLAYERS) {
        let kind = kind(i, side);
        let (x, y) = (dice.between(-3900.0, 3900.0), dice.between(20.0, 1300.0));
        let _ = write!(level, "[[entity]]\nkind = \"{kind}\"\nat = [{x}, {y}]\n");
        if let Some(player) = i.checked_sub(BODIES) {
            let _ = writeln!(level, "player = {}", player + 1);
        }
    }
    folder.write("levels/level.toml", &level);
    folder
}

/// The kind of a body: mostly what moves by itself, and a few of what costs more.
fn kind(body: usize, side: bool) -> &'static str {
    match body % 32 {
        0 => "crate",
        1 if side => "lander",
        n if n % 3 == 0 => "ball",
        n if n % 3 == 1 => "skater",
        _ if side => "runner",
        _ => "walker",
    }
}

/// A room around everything.
fn walls(level: &mut String) {
    for [left, bottom, right, top] in
        [[-4100, -100, 4100, 0], [-4100, 1400, 4100, 1500], [-4100, 0, -4000, 1400], [4000, 0, 4100, 1400]]
    {
        let _ = write!(
            level,
            "[[solid]]\npoints = [[{left}, {bottom}], [{right}, {bottom}], [{right}, {top}], [{left}, {top}]]\n"
        );
    }
}

/// Blocks with slopes, and platforms that never stop.
fn blocks(level: &mut String, side: bool, dice: &mut Dice) {
    for i in 0..40 {
        let (x, y) = (dice.between(-3900.0, 3700.0), dice.between(0.0, 1200.0));
        let (w, h) = (dice.between(20.0, 200.0), dice.between(10.0, 60.0));
        let lean = dice.between(-60.0, 60.0);
        let _ = write!(
            level,
            "[[solid]]\npoints = [[{x}, {y}], [{0}, {y}], [{1}, {2}], [{3}, {2}]]\n",
            x + w,
            x + w + lean,
            y + h,
            x + lean
        );
        if !side {
            let _ = writeln!(level, "top = {}", dice.of(&[5, 30, 100]));
        }
        if i % 10 == 0 {
            let (to_x, to_y) = (dice.between(-200.0, 200.0), dice.between(-100.0, 100.0));
            let speed = dice.between(20.0, 200.0);
            let _ = writeln!(level, "path = {{ points = [[0, 0], [{to_x}, {to_y}]], speed = {speed} }}");
        }
    }
}

/// Zones that keep bodies moving.
fn winds(level: &mut String, dice: &mut Dice) {
    for _ in 0..5 {
        let (x, y) = (dice.between(-4000.0, 3600.0), dice.between(-50.0, 1000.0));
        let (right, top) = (x + dice.between(100.0, 400.0), y + dice.between(50.0, 300.0));
        let (wind_x, wind_y) = (dice.between(-900.0, 900.0), dice.between(0.0, 2500.0));
        let effect = match dice.below(3) {
            0 => format!("external_accel = [{wind_x}, {wind_y}]"),
            1 => format!("conveyor = [{wind_x}, 0]"),
            _ => format!("gravity_scale = {}", dice.between(-1.0, 1.0)),
        };
        let _ = write!(
            level,
            "[[zone]]\n{effect}\npoints = [[{x}, {y}], [{right}, {y}], [{right}, {top}], [{x}, {top}]]\n"
        );
    }
}
