//! The generator of random rooms for `rates.rs`. One seed is one room, on every machine.

use crate::rates_case::{Case, GRID, Solid, Zone};
use hangtime_core::models::{Action, Actions};

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    /// A number in a range, with three decimals.
    fn number(&mut self, from: f64, to: f64) -> f64 {
        let share = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        ((from + (to - from) * share) * 1000.0).round() / 1000.0
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[(self.next() % of.len() as u64) as usize]
    }

    fn count(&mut self, most: u64) -> u64 {
        self.next() % (most + 1)
    }

    fn side(&mut self) -> f64 {
        self.one(&[-1.0, 1.0])
    }
}

/// The models that walk, fall and turn. Models with more rules are listed more often.
const SIDE: [&str; 10] = [
    "platformer",
    "platformer",
    "platformer",
    "platformer",
    "platformer",
    "two_velocity",
    "two_velocity",
    "topdown",
    "vessel",
    "ballistic",
];

/// The case of this seed.
pub fn room(seed: u64) -> Case {
    let mut dice = Dice(seed.wrapping_mul(0x2545_F491_4F6C_DD1D) ^ 0x5EED);
    let dice = &mut dice;
    let top = dice.chance(20);
    let model = if top { dice.one(&["topdown", "two_velocity"]) } else { dice.one(&SIDE) };
    let half = dice.one(&[(10.0, 19.0), (10.0, 19.0), (6.0, 6.0), (16.0, 9.0), (24.0, 40.0)]);
    let mut case = Case {
        seed,
        model,
        top,
        gravity: dice.one(&[3672.0, 3672.0, 1800.0, 900.0, 0.0]),
        half,
        at: [dice.number(-300.0, 300.0), dice.number(60.0, 420.0), dice.one(&[0.0, 0.0, 120.0])],
        velocity: (0.0, 0.0),
        tunes: vec![],
        solids: vec![],
        zones: vec![],
        crates: vec![],
        keys: vec![],
        aim: None,
        leap: None,
    };
    if case.gravity == 0.0 && !dice.chance(30) {
        case.gravity = 3672.0;
    }
    if dice.chance(50) || model == "ballistic" {
        case.velocity = (dice.number(-400.0, 400.0), dice.number(-400.0, 400.0));
    }
    tune(&mut case, dice);
    walls(&mut case);
    for _ in 0..=dice.count(6) {
        let solid = if top { block(dice) } else { feature(dice) };
        case.solids.push(solid);
    }
    if dice.chance(35) {
        for _ in 0..=dice.count(2) {
            case.zones.push(zone(dice));
        }
    }
    if dice.chance(5) && model != "vessel" && model != "ballistic" {
        let y = if top { dice.number(-200.0, 200.0) } else { 12.0 };
        case.crates.push((dice.number(-250.0, 250.0), y));
    }
    keys(&mut case, dice);
    leap(&mut case, dice);
    case
}

/// Sometimes a planned jump.
fn leap(case: &mut Case, dice: &mut Dice) {
    if case.top || !dice.chance(4) || case.model == "vessel" || case.gravity == 0.0 {
        return;
    }
    let after = (f64::from(1 + dice.count(30) as u32) / f64::from(GRID) * 1e6).round() / 1e6;
    let to = (dice.number(-350.0, 350.0), dice.number(0.0, 150.0));
    case.leap = Some([after, to.0, to.1, dice.number(5.0, 60.0)]);
}

fn tune(case: &mut Case, dice: &mut Dice) {
    let walks = ["platformer", "two_velocity"].contains(&case.model) && !case.top;
    if walks {
        if dice.chance(25) {
            case.tunes.push(("step_height", dice.one(&[4.0, 10.0, 16.0])));
        }
        if dice.chance(25) {
            case.tunes.push(("corner_correction", dice.one(&[3.0, 6.0, 8.0])));
        }
        if dice.chance(15) {
            case.tunes.push(("ground_adherence", dice.one(&[0.0, 5.0])));
        }
        if dice.chance(10) {
            case.tunes.push(("max_slope_deg", dice.one(&[30.0, 60.0])));
        }
    }
    if case.model == "platformer" && dice.chance(15) {
        case.tunes.push(("air_brake", 900.0));
    }
    if case.model == "two_velocity" && dice.chance(20) {
        case.tunes.push(("slope_slowdown", 0.5));
    }
    if case.model == "vessel" && dice.chance(50) {
        case.tunes.push(("rebound", dice.one(&[1.0, 1.5, 1.9])));
    }
}

/// The floor and walls of a side view, or four walls around a plane.
fn walls(case: &mut Case) {
    let mut wall = |name, (x, y): (f64, f64), (right, top): (f64, f64)| {
        case.solids.push(Solid { name, ..boxed(x, y, right, top) });
    };
    wall("west", (-700.0, -500.0), (-500.0, 900.0));
    wall("east", (500.0, -500.0), (700.0, 900.0));
    wall("roof", (-500.0, 700.0), (500.0, 900.0));
    if case.top {
        wall("south", (-500.0, -500.0), (500.0, -300.0));
    } else {
        wall("floor", (-500.0, -500.0), (500.0, 0.0));
    }
}

fn boxed(x: f64, y: f64, right: f64, top: f64) -> Solid {
    Solid {
        name: "box",
        points: vec![(x, y), (right, y), (right, top), (x, top)],
        one_way: false,
        surface: "plain",
        height: None,
        path: None,
    }
}

/// Something in a side view to walk on, run into or jump through.
fn feature(dice: &mut Dice) -> Solid {
    let x = dice.number(-400.0, 400.0);
    let surface = dice.one(&["plain", "plain", "plain", "ice", "rubber"]);
    let mut solid = match dice.count(8) {
        0 | 1 => {
            let width = dice.number(60.0, 260.0) * dice.side();
            let steep = if dice.chance(12) { 72.0 } else { 42.0 };
            let rise = width.abs() * dice.number(5.0, steep).to_radians().tan();
            let rise = (rise * 1000.0).round() / 1000.0;
            Solid {
                name: "slope",
                points: vec![(x, -20.0), (x + width, -20.0), (x + width, rise), (x, 0.0)],
                ..boxed(0.0, 0.0, 1.0, 1.0)
            }
        }
        2 => {
            let rise = dice.number(2.0, 80.0);
            Solid { name: "step", ..boxed(x, -20.0, x + dice.number(30.0, 200.0), rise) }
        }
        3 => {
            let y = dice.number(60.0, 250.0);
            let right = x + dice.number(20.0, 200.0);
            Solid { name: "ceiling", ..boxed(x, y, right, y + dice.number(4.0, 60.0)) }
        }
        4 | 5 => {
            let (y, tilt) = (dice.number(20.0, 220.0), dice.number(-40.0, 40.0));
            let tilt = if dice.chance(50) { 0.0 } else { tilt };
            let width = dice.number(40.0, 240.0);
            Solid {
                name: "line",
                points: vec![(x, y), (x + width, y + tilt)],
                one_way: true,
                ..boxed(0.0, 0.0, 1.0, 1.0)
            }
        }
        6 | 7 => lift(dice, x),
        _ => {
            let (y, r) = (dice.number(20.0, 200.0), dice.number(15.0, 60.0));
            Solid {
                name: "rock",
                points: vec![(x - r, y), (x, y - r), (x + r, y), (x + r / 2.0, y + r)],
                ..boxed(0.0, 0.0, 1.0, 1.0)
            }
        }
    };
    // Rounds sums, which otherwise have 17 digits.
    for (x, y) in &mut solid.points {
        (*x, *y) = ((*x * 1000.0).round() / 1000.0, (*y * 1000.0).round() / 1000.0);
    }
    solid.surface = surface;
    solid
}

fn lift(dice: &mut Dice, x: f64) -> Solid {
    let (y, width) = (dice.number(20.0, 180.0), dice.number(60.0, 200.0));
    let thick = dice.number(6.0, 30.0);
    let way = match dice.count(2) {
        0 => (dice.number(60.0, 250.0) * dice.side(), 0.0),
        1 => (0.0, dice.number(40.0, 200.0)),
        _ => (dice.number(-150.0, 150.0), dice.number(30.0, 150.0)),
    };
    let end = dice.one(&["ping_pong", "ping_pong", "circle", "once"]);
    let path = Some((vec![(0.0, 0.0), way], dice.number(30.0, 320.0), end));
    if dice.chance(25) {
        return Solid {
            name: "lift line",
            points: vec![(x, y), (x + width, y)],
            one_way: true,
            path,
            ..boxed(0.0, 0.0, 1.0, 1.0)
        };
    }
    Solid { name: "lift", path, ..boxed(x, y, x + width, y + thick) }
}

/// A block of a top view.
fn block(dice: &mut Dice) -> Solid {
    let (x, y) = (dice.number(-400.0, 300.0), dice.number(-250.0, 500.0));
    let mut solid = Solid {
        name: "block",
        height: dice.one(&[None, Some(20.0), Some(60.0), Some(100.0), Some(0.0)]),
        surface: dice.one(&["plain", "ice"]),
        ..boxed(x, y, x + dice.number(20.0, 200.0), y + dice.number(20.0, 200.0))
    };
    if dice.chance(25) {
        let way = (dice.number(-150.0, 150.0), dice.number(-150.0, 150.0));
        solid.name = "lift";
        solid.path = Some((vec![(0.0, 0.0), way], dice.number(30.0, 250.0), "ping_pong"));
    }
    for (x, y) in &mut solid.points {
        (*x, *y) = ((*x * 1000.0).round() / 1000.0, (*y * 1000.0).round() / 1000.0);
    }
    solid
}

fn zone(dice: &mut Dice) -> Zone {
    let from = (dice.number(-450.0, 300.0), dice.number(-50.0, 200.0));
    let to = (from.0 + dice.number(8.0, 400.0), from.1 + dice.number(8.0, 300.0));
    let round = |(x, y): (f64, f64)| ((x * 1000.0).round() / 1000.0, (y * 1000.0).round() / 1000.0);
    let effect = match dice.count(5) {
        0 => String::new(),
        1 => format!("gravity_scale = {:?}", dice.one(&[0.0, 0.3, 2.0, -1.0])),
        2 => format!("external_accel = [{:?}, {:?}]", dice.number(-1200.0, 1200.0), dice.number(-500.0, 4500.0)),
        3 | 4 => format!("conveyor = [{:?}, 0.0]", dice.number(-300.0, 300.0)),
        _ => String::from("surface = \"ice\""),
    };
    Zone { from, to: round(to), effect }
}

/// Keys for nine seconds. A platformer may have a hook.
fn keys(case: &mut Case, dice: &mut Dice) {
    if dice.chance(10) {
        case.keys.push((9 * GRID, Actions::NONE));
        return;
    }
    let hooks = case.model == "platformer" && dice.chance(40);
    if hooks && dice.chance(50) {
        // Its side decides where the body faces, once per tick, so the body never gets past it.
        case.aim = Some((dice.number(600.0, 900.0) * dice.side(), dice.number(300.0, 900.0)));
    }
    let mut left = 9 * GRID;
    while left > 0 {
        let steps = (1 + dice.count(40) as u32).min(left);
        left -= steps;
        let mut held = Actions::NONE;
        match dice.count(4) {
            0 => {}
            1 | 2 => held.insert(Action::Left),
            _ => held.insert(Action::Right),
        }
        if case.top || ["topdown", "vessel"].contains(&case.model) {
            match dice.count(3) {
                0 => held.insert(Action::Up),
                1 => held.insert(Action::Down),
                _ => {}
            }
        }
        if dice.chance(35) {
            held.insert(Action::Jump);
        }
        if dice.chance(5) {
            held.insert(Action::Down);
        }
        if hooks && dice.chance(40) {
            held.insert(Action::Hook);
        }
        case.keys.push((steps, held));
    }
}
