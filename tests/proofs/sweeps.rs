//! Swept motion at scale: no body gets through a wall, and none stays inside one.
//!
//! Each world is a room of four chambers with walls 1 px thick, filled with random polygons that
//! touch and overlap, and crossed by ellipses, boxes and capsules at up to 50 body sizes per tick. A body that ends in
//! another chamber has tunneled; a body that overlaps a solid by more than 0.01 px is stuck inside.
//! Both are reported with the seed that reproduces them.

use crate::{dice::Dice, figures};
use glam::{DVec2, dvec2};
use hangtime::{
    geometry::{Collider, ColliderForm, polygon},
    level::{Solid, SurfaceId, Terrain, slide},
};
use serde_json::json;
use std::{
    f64::consts::TAU,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

/// The swept moves without `HANGTIME_SWEEPS`.
const MOVES: u64 = 100_000;

const CHAMBER: f64 = 300.0;
const MOVES_PER_WORLD: u64 = 4_000;
const DEEPEST: f64 = 0.01;
const FASTEST: f64 = 50.0;

/// Counts of one world or of all.
#[derive(Default)]
struct Counts {
    moves: u64,
    hits: u64,
    wrong: Vec<String>,
}

/// Plays random worlds on all cores until they have made enough moves.
pub fn stay_outside() -> Result<(), String> {
    let moves = figures::number("HANGTIME_SWEEPS").unwrap_or(MOVES);
    let worlds = moves.div_ceil(MOVES_PER_WORLD);
    let next = AtomicU64::new(0);
    let total = Mutex::new(Counts::default());
    let work = || {
        loop {
            let world = next.fetch_add(1, Ordering::Relaxed);
            if world >= worlds {
                return;
            }
            let counts = play(world + 1);
            let mut total = total.lock().expect("no thread panics");
            total.moves += counts.moves;
            total.hits += counts.hits;
            total.wrong.extend(counts.wrong);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(work);
        }
    });
    let total = total.into_inner().expect("no thread panics");
    if !total.wrong.is_empty() {
        return Err(total.wrong.join("\n"));
    }
    figures::print(json!({
        "moves": total.moves, "hits": total.hits, "worlds": worlds, "tunneled": 0, "inside": 0,
    }));
    Ok(())
}

/// Plays one world. Reports what is wrong with its seed.
fn play(seed: u64) -> Counts {
    let mut dice = Dice::new(seed);
    let terrain = Terrain::new(solids(&mut dice));
    let scenery = terrain.still();
    let mut counts = Counts::default();
    for chamber in 0..4 {
        let corner = dvec2(f64::from(chamber % 2), f64::from(chamber / 2)) * CHAMBER;
        let half = dvec2(dice.between(3.0, 25.0), dice.between(3.0, 25.0));
        let forms = [ColliderForm::Ellipse, ColliderForm::Box, ColliderForm::Capsule];
        let shape = Collider::new(forms[seed as usize % forms.len()], half);
        let free = (0..50).find_map(|_| {
            let at = corner + dvec2(dice.between(30.0, 270.0), dice.between(30.0, 270.0));
            scenery.overlap(shape, at).is_none().then_some(at)
        });
        let Some(mut at) = free else { continue };
        for tick in 0..MOVES_PER_WORLD / 4 {
            let angle = dice.between(0.0, TAU);
            let size = shape.half.max_element() * 2.0;
            let speed = size * FASTEST * dice.between(0.0, 1.0).powi(3);
            let motion = dvec2(angle.cos(), angle.sin()) * speed;
            let slid = slide(&scenery, shape, at, motion, |_, _| false);
            counts.moves += 1;
            counts.hits += u64::from(slid.bumps.iter().next().is_some());
            let place = slid.pos - corner;
            let inside = place.cmpgt(DVec2::ZERO).all() && place.cmplt(DVec2::splat(CHAMBER)).all();
            let overlap = scenery.overlap(shape, slid.pos);
            let deep = overlap.map_or(0.0, |overlap| overlap.to_touch.length());
            if !inside || deep > DEEPEST {
                let what = if inside { "inside a solid" } else { "through a wall" };
                counts.wrong.push(format!(
                    "seed {seed}, chamber {chamber}, tick {tick}: from {at} by {motion} to {}, {what}",
                    slid.pos
                ));
                break;
            }
            at = slid.pos;
        }
    }
    counts
}

fn solids(dice: &mut Dice) -> Vec<Solid> {
    let end = 2.0 * CHAMBER;
    let mut outlines: Vec<Vec<DVec2>> = Vec::new();
    for wall in 0..3 {
        let at = f64::from(wall) * CHAMBER;
        outlines.push(rectangle(dvec2(at - 0.5, -0.5), dvec2(at + 0.5, end + 0.5)));
        outlines.push(rectangle(dvec2(-0.5, at - 0.5), dvec2(end + 0.5, at + 0.5)));
    }
    for _ in 0..12 {
        let middle = dvec2(dice.between(0.0, end), dice.between(0.0, end));
        let corners = 3 + dice.below(9);
        let turn = dice.between(0.0, TAU);
        let point = |i: usize, radius: f64| {
            let angle = turn + TAU * i as f64 / corners as f64;
            middle + dvec2(angle.cos(), angle.sin()) * radius
        };
        outlines.push((0..corners).map(|i| point(i, dice.between(5.0, 90.0))).collect());
    }
    let outlines = outlines.iter().filter_map(|points| polygon::outline(points).ok());
    outlines.map(|points| Solid::new("solid".into(), SurfaceId(0), points)).collect()
}

fn rectangle(min: DVec2, max: DVec2) -> Vec<DVec2> {
    vec![min, dvec2(max.x, min.y), max, dvec2(min.x, max.y)]
}
