//! Random rooms for `rates.rs`: a level as a text, and keys that change 30 times a second.

use hangtime_core::models::{Action, Actions};
use std::fmt::Write as _;

/// Keys change at multiples of this share of a second, so all tick rates see them at one time.
pub const GRID: u32 = 30;

/// What a case runs, and its tables in the level's file. Every part can be left out, so that a
/// failing case can be made smaller.
#[derive(Clone, Debug)]
pub struct Case {
    pub seed: u64,
    pub model: &'static str,
    pub top: bool,
    pub gravity: f64,
    /// Half the width and height of the body, px.
    pub half: (f64, f64),
    pub at: [f64; 3],
    pub velocity: (f64, f64),
    /// Tunables of the model: key and value.
    pub tunes: Vec<(&'static str, f64)>,
    pub solids: Vec<Solid>,
    pub zones: Vec<Zone>,
    /// Crates that push and can be pushed: centers.
    pub crates: Vec<(f64, f64)>,
    /// Held keys, each for a number of thirtieths of a second.
    pub keys: Vec<(u32, Actions)>,
    /// The point that it aims at.
    pub aim: Option<(f64, f64)>,
    /// A planned jump: seconds, destination and clearance.
    pub leap: Option<[f64; 4]>,
}

/// Offsets, a speed and what happens at the end.
pub type Way = (Vec<(f64, f64)>, f64, &'static str);

#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    pub name: &'static str,
    pub points: Vec<(f64, f64)>,
    pub one_way: bool,
    pub surface: &'static str,
    /// Its top in a top view; infinite unless set.
    pub height: Option<f64>,
    /// Where it moves, its speed, and what it does at the end.
    pub path: Option<Way>,
}

#[derive(Clone, Debug)]
pub struct Zone {
    pub from: (f64, f64),
    pub to: (f64, f64),
    /// A key and its value; several separated by line breaks.
    pub effect: String,
}

/// The surfaces of all rooms.
pub const SURFACES: &str = "[plain]\n[ice]\ngrip = 0.1\nfriction = 0.2\n[rubber]\nrebound = 1.2\n";

impl Case {
    /// The length of the run in steps of the grid: a second longer than the keys.
    pub fn steps(&self) -> u32 {
        self.keys.iter().map(|(steps, _)| steps).sum::<u32>() + GRID
    }

    /// The keys held from this step of the grid to the next.
    pub fn held(&self, step: u32) -> Actions {
        let mut end = 0;
        for (steps, held) in &self.keys {
            end += *steps;
            if step < end {
                return *held;
            }
        }
        Actions::NONE
    }

    /// The level's file.
    pub fn level(&self) -> String {
        let view = if self.top { "top" } else { "side" };
        let mut text =
            format!("view = \"{view}\"\ngravity = {:?}\nbounds = [-2000.0, -2000.0, 2000.0, 2000.0]\n", self.gravity);
        for (i, solid) in self.solids.iter().enumerate() {
            solid.write(i, &mut text);
        }
        for zone in &self.zones {
            let ((x, y), (right, top)) = (zone.from, zone.to);
            let points = [(x, y), (right, y), (right, top), (x, top)];
            let _ = writeln!(text, "[[zone]]\npoints = {}", list(&points));
            let _ = writeln!(text, "{}", zone.effect);
        }
        let [x, y, z] = self.at;
        let at = if self.top {
            format!("[{x:?}, {y:?}, {z:?}]")
        } else {
            format!("[{x:?}, {y:?}]")
        };
        let (vx, vy) = self.velocity;
        let _ = write!(
            text,
            "[[entity]]\nkind = \"hero\"\nname = \"hero\"\nat = {at}\nvelocity = [{vx:?}, {vy:?}]\n\
             player = 1\nmodel = \"{}\"\nbody = {{ ellipse = [{:?}, {:?}] }}\n",
            self.model, self.half.0, self.half.1
        );
        if !self.crates.is_empty() {
            text.push_str("pushes = true\n");
        }
        if !self.tunes.is_empty() || self.jumps() {
            let _ = writeln!(text, "[entity.{}]", self.model);
        }
        if self.model == "platformer" {
            // Distances are taken before a body moves to a place to rest, in the tick after it has stopped.
            text.push_str("rest_spacing = 0.0\n");
        }
        if self.jumps() {
            // These windows count from the first tick of a new state. What a press within them does is up to a tick late.
            text.push_str("coyote_time = 0.0\njump_buffer = 0.0\n");
        }
        for (key, value) in &self.tunes {
            let _ = writeln!(text, "{key} = {value:?}");
        }
        for (x, y) in &self.crates {
            let _ = write!(
                text,
                "[[entity]]\nkind = \"crate\"\nat = [{x:?}, {y:?}]\nmodel = \"{}\"\npushes = true\n\
                 body = {{ ellipse = [12.0, 12.0] }}\n",
                if self.top { "topdown" } else { "platformer" }
            );
        }
        text
    }

    /// Whether its model has a jump.
    fn jumps(&self) -> bool {
        ["platformer", "two_velocity", "topdown"].contains(&self.model)
    }

    /// The script of the hero, if it has one.
    pub fn script(&self) -> Option<String> {
        let [after, x, y, clearance] = self.leap?;
        Some(format!(
            "fn on_birth(me) {{ me.after({after:?}, \"leap\"); }}\n\
             fn on_leap(me) {{ me.jump_to({x:?}, {y:?}, {clearance:?}); }}\n"
        ))
    }

    /// The input file of the run.
    pub fn input(&self) -> String {
        let mut text = String::from("level room.toml\n");
        let rest = [(GRID, Actions::NONE)];
        for (steps, held) in self.keys.iter().chain(&rest) {
            let _ = write!(text, "{:.6}s", f64::from(*steps) / f64::from(GRID));
            for action in Action::ALL.iter().filter(|a| held.has(**a)) {
                let _ = write!(text, " {}", action.name());
            }
            if let Some((x, y)) = self.aim {
                let _ = write!(text, " aim={x:?}:{y:?}");
            }
            text.push('\n');
        }
        text
    }
}

impl Solid {
    fn write(&self, index: usize, text: &mut String) {
        let _ = writeln!(text, "[[solid]]\nname = \"{} {index}\"", self.name);
        let _ = writeln!(text, "points = {}", list(&self.points));
        if self.one_way {
            text.push_str("one_way = true\n");
        }
        if self.surface != "plain" {
            let _ = writeln!(text, "surface = \"{}\"", self.surface);
        }
        if let Some(height) = self.height {
            let _ = writeln!(text, "top = {height:?}");
        }
        if let Some((points, speed, end)) = &self.path {
            let points = list(points);
            let _ = writeln!(text, "path = {{ points = {points}, speed = {speed:?}, loop = \"{end}\" }}");
        }
    }
}

fn list(points: &[(f64, f64)]) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("[{x:?}, {y:?}]")).collect();
    format!("[{}]", points.join(", "))
}
