//! Vessels dropped onto random terrain never tunnel or gain energy, and come to rest.
//!
//! `HANGTIME_DROPS=100000` sets the number of drops; the default is small.

use crate::ground::Ground;
use glam::{DVec2, dvec2};
use hangtime_core::{
    models::{BodyShape, ModelName, Piece},
    sim::EntityView,
};

/// A random generator that never changes, so that a number identifies a drop.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// The surface of a random terrain, from left to right: slopes of at most 30°, hollows and crests.
fn surface(dice: &mut Dice) -> Vec<DVec2> {
    let mut at = dvec2(-1200.0, dice.between(-100.0, 100.0));
    let mut points = vec![at];
    while at.x < 1200.0 {
        let degrees = match dice.next() {
            x if x < 0.25 => 0.0,
            x if x < 0.5 => 30.0 * (dice.next() - 0.5).signum(),
            _ => dice.between(-30.0, 30.0),
        };
        let long = dice.between(8.0, 160.0);
        at += DVec2::from_angle(degrees.to_radians()) * long;
        points.push(at);
    }
    points
}

/// The terrain under a surface, as one polygon or one per piece, and walls.
fn ground(hz: u32, surface: &[DVec2], whole: bool) -> Ground {
    let mut ground = Ground::none(hz).model(ModelName::vessel);
    let bottom = surface.iter().map(|p| p.y).fold(f64::INFINITY, f64::min) - 100.0;
    let (first, last) = (surface[0], surface[surface.len() - 1]);
    if whole {
        let mut points: Vec<(f64, f64)> = surface.iter().map(|p| (p.x, p.y)).collect();
        points.extend([(last.x, bottom), (first.x, bottom)]);
        ground = ground.solid(&points);
    } else {
        for pair in surface.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            ground = ground.solid(&[(a.x, a.y), (b.x, b.y), (b.x, bottom), (a.x, bottom)]);
        }
    }
    for (x, out) in [(first.x, -100.0), (last.x, 100.0)] {
        let high = 4000.0;
        ground = ground.solid(&[(x, bottom), (x, high), (x + out, high), (x + out, bottom)]);
    }
    ground
}

fn figure(dice: &mut Dice) -> (BodyShape, bool) {
    if dice.next() < 0.5 {
        let (w, h) = (dice.between(8.0, 60.0), dice.between(8.0, 60.0));
        return (BodyShape::of_box(w, h), false);
    }
    let (w, h) = (dice.between(20.0, 40.0), dice.between(14.0, 30.0));
    let (x, y) = (0.5 * w, 0.5 * h);
    let piece =
        |points: [(f64, f64); 4], foot: bool| Piece { points: points.into_iter().map(DVec2::from).collect(), foot };
    let (out, low) = (x + dice.between(0.0, 5.0), -y - dice.between(4.0, 10.0));
    let hull = piece([(-x, -y), (x, -y), (0.7 * x, y), (-0.7 * x, y)], false);
    let left = piece([(-out, low), (8.0 - out, low), (8.0 - out, -y), (2.0 - x, -y)], true);
    let right = piece([(out - 8.0, low), (out, low), (x - 2.0, -y), (out - 8.0, -y)], true);
    (BodyShape::of_pieces(vec![hull, left, right], DVec2::ZERO), true)
}

/// The depth of the hull's deepest corner below the surface, px.
fn depth(view: &EntityView, surface: &[DVec2]) -> f64 {
    let below = |p: DVec2| {
        let pair = surface.windows(2).find(|pair| pair[0].x <= p.x && p.x <= pair[1].x);
        pair.map_or(0.0, |pair| {
            let along = (pair[1] - pair[0]).normalize();
            let normal = dvec2(-along.y, along.x);
            -(p - pair[0]).dot(normal)
        })
    };
    let pieces = view.pieces.as_ref().expect("a vessel has pieces");
    let hull = pieces.iter().filter(|p| !p.foot).flat_map(|p| &p.points);
    let turn = DVec2::from_angle(view.angle);
    hull.map(|p| below(view.pos + turn.rotate(*p))).fold(f64::NEG_INFINITY, f64::max)
}

/// The failure of a drop, if any.
fn drop_one(number: u64) -> Result<(), String> {
    let mut dice = Dice(number);
    let hz = [30, 60, 120, 240][number as usize % 4];
    let surface = surface(&mut dice);
    let (figure, _) = figure(&mut dice);
    let mut start = ground(hz, &surface, dice.next() < 0.5).figure(figure);
    start.at = dvec2(dice.between(-900.0, 900.0), dice.between(500.0, 1000.0));
    start.velocity = dvec2(dice.between(-600.0, 600.0), dice.between(-600.0, 200.0));
    start.angle = dice.between(-3.0, 3.0);
    let mut play = start.play();
    let profile = &play.stage.profiles[0].loadouts.vessel;
    let ratio = profile.derived.inertia_ratio;
    let bottom = surface.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
    let gravity = play.stage.gravity;
    let energy =
        |v: &EntityView| 0.5 * v.vel.length_squared() + 0.5 * v.spin * v.spin / ratio + gravity * (v.pos.y - bottom);
    let first = energy(&play.hero());
    let mut rested: Option<DVec2> = None;
    let mut quiet = 0;
    let mut last = DVec2::ZERO;
    for tick in 0..12 * hz {
        let now = play.tick();
        let deep = depth(&now, &surface);
        if deep > 2.0 {
            return Err(format!("is {deep} px deep at tick {tick}"));
        }
        if energy(&now) > 1.01 * first {
            return Err(format!("gained {} at tick {tick}", energy(&now) / first));
        }
        if now.pos.y < bottom || now.pos.x.abs() > 1500.0 {
            return Err(format!("is out at {:?} at tick {tick}", now.pos));
        }
        let still = now.vel == DVec2::ZERO && now.spin == 0.0 && now.pos == last;
        last = now.pos;
        if let Some(at) = rested
            && (now.pos.distance(at) > 1e-9 || !still)
        {
            return Err(format!("creeps to {:?} from {at:?} at tick {tick}", now.pos));
        }
        // A vessel that does not move for a quarter of a second is at rest.
        quiet = if still { quiet + 1 } else { 0 };
        if quiet * 4 > hz && rested.is_none() {
            rested = Some(now.pos);
        }
        if tick == 10 * hz && rested.is_none() {
            return Err(format!("has {:?} and {} after 10 s at {:?}", now.vel, now.spin, now.pos));
        }
    }
    Ok(())
}

#[test]
fn dropped_vessels_never_tunnel_or_gain_energy_and_come_to_rest() {
    let count = std::env::var("HANGTIME_DROPS").ok().and_then(|n| n.parse().ok());
    let count: u64 = count.unwrap_or(120);
    let first: u64 = std::env::var("HANGTIME_DROP").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let wrong: Vec<String> = (first..first + count)
        .filter_map(|n| drop_one(n).err().map(|why| format!("drop {n} {why}")))
        .collect();
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}
