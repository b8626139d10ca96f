//! Games with random levels, whose scripts make random calls.

use super::dice::Dice;
use std::{collections::BTreeMap, fmt::Write as _};

/// Calls everything that a script can call, at random.
pub const SCRIPT: &str = include_str!("chaos.rhai");

const LEVEL_SCRIPT: &str = r#"
fn on_birth(me) { this.n = 0; me.after(0.3, "bell"); }
fn on_bell(me) { this.n += 1; me.after(world::random(0.05, 1.0), "bell"); world::emit("alarm", #{ n: this.n, at: [1.5, "x"] }); }
fn on_tick(me) {
    if world::random() < 0.05 { world::set_solid("door", world::random() < 0.5); }
    if world::random() < 0.02 && world::all("crate").len() < 6 {
        this.made = world::create("crate", world::random(-600, 600), world::random(50, 400));
    }
}
fn on_death(me, event) { this.died = event.entity; }
"#;

/// One kind for each model, and crates that push.
const KINDS: [(&str, &str); 6] = [
    ("runner", "model = \"platformer\"\n[stances]\nlow = { size = [14, 16], action = \"down\" }\n"),
    ("walker", "model = \"topdown\"\nbody = { ellipse = [9, 9] }\n[stances]\nlow = { size = [30, 12] }\n"),
    ("skater", "model = \"two_velocity\"\npushes = true\n[stances]\nlow = { size = [40, 12], action = \"up\" }\n"),
    (
        "lander",
        "model = \"vessel\"\nbody = { pieces = [\
         { points = [[-13, 0], [13, 0], [10, 22], [-10, 22]] }, \
         { points = [[-19, -9], [-11, -9], [-9, 3], [-13, 3]], foot = true }, \
         { points = [[11, -9], [19, -9], [13, 3], [9, 3]], foot = true }] }\n",
    ),
    ("ball", "model = \"ballistic\"\nbody = { ellipse = [7, 7] }\npushes = true\nmass = 0.5\n"),
    ("crate", "model = \"two_velocity\"\nbody = { ellipse = [12, 12] }\npushes = true\nmass = 3\n"),
];

/// The files of a game with a random level in a side view or a top view, by their paths, and the
/// view. `roll` is the script's function of this name.
pub fn files(dice: &mut Dice, roll: &str) -> (BTreeMap<String, String>, &'static str) {
    let view = *dice.of(&["side", "side", "top"]);
    let side = view == "side";
    let mut level = format!(
        "view = \"{view}\"\nbounds = [-900, -400, 900, 900]\nsurface = \"stone\"\n\
         script = \"level.rhai\"\n"
    );
    if side {
        level += "[[solid]]\nname = \"floor\"\n\
                  points = [[-900, -200], [900, -200], [900, 0], [-900, 0]]\n\
                  [[solid]]\nname = \"line\"\none_way = true\npoints = [[-300, 150], [-100, 150]]\n";
    }
    solids(&mut level, side, dice);
    zones(&mut level, dice);
    entities(&mut level, side, dice);
    // Kinds that the level does not use are not loaded, and some work only from the side.
    let (all, above) =
        (r#"["runner", "walker", "skater", "lander", "ball", "crate"]"#, r#"["walker", "skater", "ball", "crate"]"#);
    assert!(SCRIPT.contains(all));
    let script = SCRIPT.replace(all, if side { all } else { above }) + roll;
    let surfaces = "[stone]\n[ice]\ngrip = 0.1\nfriction = 0.2\n";
    let carries = if dice.below(2) == 0 { "carries = true\n" } else { "" };
    let kinds = KINDS.map(|(kind, text)| {
        let carries = if kind == "crate" { carries } else { "" };
        let text = format!("script = \"chaos.rhai\"\n{carries}{text}");
        (format!("config/entities/{kind}.toml"), text)
    });
    let mut files = BTreeMap::from(kinds);
    files.insert("levels/level.toml".into(), level);
    files.insert("config/surfaces.toml".into(), surfaces.into());
    files.insert("scripts/chaos.rhai".into(), script);
    files.insert("scripts/level.rhai".into(), LEVEL_SCRIPT.into());
    (files, view)
}

/// A parallelogram in a level file, from its lower left corner.
fn points([x, y]: [f64; 2], [w, h]: [f64; 2], lean: f64) -> String {
    let (right, top) = (x + w, y + h);
    let (left_top, right_top) = (x + lean, x + w + lean);
    format!("points = [[{x}, {y}], [{right}, {y}], [{right_top}, {top}], [{left_top}, {top}]]\n")
}

/// Blocks, lifts, and solids that scripts switch.
fn solids(level: &mut String, side: bool, dice: &mut Dice) {
    for i in 0..8 {
        let at = [dice.between(-800.0, 700.0), dice.between(-20.0, 420.0)];
        let size = [dice.between(20.0, 180.0), dice.between(10.0, 90.0)];
        let points = points(at, size, dice.between(-60.0, 60.0));
        let surface = dice.of(&["stone", "ice"]);
        let _ = write!(level, "[[solid]]\nname = \"block {i}\"\nsurface = \"{surface}\"\n{points}");
        if !side {
            let _ = writeln!(level, "top = {}", dice.of(&[0, 20, 40, 90]));
        }
    }
    for i in 0..3 {
        let at = [dice.between(-700.0, 600.0), dice.between(20.0, 300.0)];
        let points = points(at, [110.0, 16.0], 0.0);
        let (x, y) = (dice.between(-150.0, 150.0), dice.between(-100.0, 100.0));
        let speed = dice.between(20.0, 200.0);
        let top = if side { "" } else { "top = 30\n" };
        let end = if i < 2 { "ping_pong" } else { "called" };
        let _ = write!(
            level,
            "[[solid]]\nname = \"lift {i}\"\n{top}{points}\
             path = {{ points = [[0, 0], [{x}, {y}]], speed = {speed}, loop = \"{end}\" }}\n"
        );
    }
    let crane = points([400.0, 120.0], [60.0, 16.0], 0.0);
    let _ = write!(
        level,
        "[[solid]]\nname = \"crane\"\n{crane}path = {{ loop = \"free\", speed = 150 }}\nrotation = {{ pivot = [430, 128], speed_deg = 90, loop = \"called\" }}\n"
    );
    let mill = points([-330.0, 90.0], [120.0, 14.0], 0.0);
    let _ = write!(level, "[[solid]]\nname = \"mill\"\n{mill}rotation = {{ pivot = [-300, 97], speed_deg = -70 }}\n");
    for (name, x) in [("door", -200.0), ("gate", 250.0)] {
        let points = points([x, 0.0], [30.0, 90.0], 0.0);
        let present = dice.below(2) == 0;
        let _ = write!(level, "[[solid]]\nname = \"{name}\"\npresent = {present}\n{points}");
    }
}

fn zones(level: &mut String, dice: &mut Dice) {
    for (name, effect) in [
        ("wind", "external_accel = [300, 900]"),
        ("moon", "gravity_scale = -0.4"),
        ("belt", "conveyor = [-120, 0]"),
        ("water", "surface = \"ice\""),
        ("syrup", "time_scale = 0.3"),
    ] {
        let at = [dice.between(-800.0, 600.0), dice.between(-50.0, 300.0)];
        let points = points(at, [200.0, 150.0], 0.0);
        let _ = write!(level, "[[zone]]\nname = \"{name}\"\n{effect}\n{points}");
    }
}

fn entities(level: &mut String, side: bool, dice: &mut Dice) {
    let above = ["walker", "skater", "ball", "crate"];
    for (kind, _) in KINDS.iter().cycle().take(9) {
        if side || above.contains(kind) {
            let (x, y) = (dice.between(-800.0, 800.0), dice.between(20.0, 500.0));
            let _ = write!(level, "[[entity]]\nkind = \"{kind}\"\nat = [{x}, {y}]\n");
        }
    }
    let player = if side { "runner" } else { "walker" };
    let _ = write!(level, "[[entity]]\nkind = \"{player}\"\nname = \"hero\"\nat = [0, 300]\nplayer = 1\n");
}
