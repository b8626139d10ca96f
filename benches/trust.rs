//! Checks swept motion at scale: `cargo bench --bench trust -- 100000000`.
//!
//! Runs this many swept moves over random terrain, at up to 50 body sizes per tick, on all cores.
//! Each world is a room of four chambers with walls 1 px thick, filled with random polygons that
//! touch and overlap. A body that ends in another chamber has tunneled; a body that overlaps a solid
//! by more than 0.01 px is stuck inside. Both are printed with the seed that reproduces them.

use glam::{DVec2, dvec2};
use hangtime::geometry::{Ellipse, polygon};
use hangtime::level::{Solid, SurfaceId, Terrain, slide};
use std::f64::consts::TAU;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

const CHAMBER: f64 = 300.0;
const MOVES_PER_WORLD: u64 = 4_000;
const DEEPEST: f64 = 0.01;
const FASTEST: f64 = 50.0;

/// Random numbers from a seed: xorshift is good enough here.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.roll()
    }
}

fn main() {
    let asked = std::env::args().skip(1).find_map(|a| a.parse().ok());
    let moves: u64 = asked.unwrap_or(200_000);
    let worlds = moves.div_ceil(MOVES_PER_WORLD);
    let next = AtomicU64::new(0);
    let totals = [const { AtomicU64::new(0) }; 4];
    let began = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(|| {
                loop {
                    let world = next.fetch_add(1, Ordering::Relaxed);
                    if world >= worlds {
                        return;
                    }
                    for (total, count) in totals.iter().zip(play(world + 1)) {
                        total.fetch_add(count, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let [made, bumped, through, inside] = totals.map(AtomicU64::into_inner);
    println!(
        "{made} swept moves in {worlds} worlds, {bumped} of them into something: {through} got \
         through, {inside} stayed inside ({:.0} s)",
        began.elapsed().as_secs_f64()
    );
    assert_eq!((through, inside), (0, 0));
}

/// The numbers of moves, of hits, of bodies that tunneled, and of bodies stuck inside.
fn play(seed: u64) -> [u64; 4] {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..16 {
        let _ = dice.roll();
    }
    let terrain = Terrain::new(solids(&mut dice));
    let scenery = terrain.still();
    let mut counts = [0; 4];
    for chamber in 0..4 {
        let corner = dvec2(f64::from(chamber % 2), f64::from(chamber / 2)) * CHAMBER;
        let shape = Ellipse::new(dice.within(3.0, 25.0), dice.within(3.0, 25.0));
        let free = (0..50).find_map(|_| {
            let at = corner + dvec2(dice.within(30.0, 270.0), dice.within(30.0, 270.0));
            scenery.overlap(shape, at).is_none().then_some(at)
        });
        let Some(mut at) = free else { continue };
        for tick in 0..MOVES_PER_WORLD / 4 {
            let angle = dice.within(0.0, TAU);
            let speed = shape.half.max_element() * 2.0 * FASTEST * dice.roll().powi(3);
            let motion = dvec2(angle.cos(), angle.sin()) * speed;
            let slid = slide(&scenery, shape, at, motion, |_, _| false);
            counts[0] += 1;
            counts[1] += u64::from(slid.bumps.iter().next().is_some());
            let place = slid.pos - corner;
            if !(place.cmpgt(DVec2::ZERO).all() && place.cmplt(DVec2::splat(CHAMBER)).all()) {
                println!(
                    "seed {seed}, chamber {chamber}, tick {tick}: from {at} by {motion} to {}",
                    slid.pos
                );
                counts[2] += 1;
                break;
            }
            let overlap = scenery.overlap(shape, slid.pos);
            if let Some(overlap) = overlap.filter(|o| o.to_touch.length() > DEEPEST) {
                let deep = overlap.to_touch.length();
                println!(
                    "seed {seed}, chamber {chamber}, tick {tick}: {deep} px inside at {}",
                    slid.pos
                );
                counts[3] += 1;
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
        let middle = dvec2(dice.within(0.0, end), dice.within(0.0, end));
        let corners = 3 + (dice.roll() * 9.0) as usize;
        let turn = dice.within(0.0, TAU);
        let point = |i: usize, radius: f64| {
            let angle = turn + TAU * i as f64 / corners as f64;
            middle + dvec2(angle.cos(), angle.sin()) * radius
        };
        outlines.push(
            (0..corners)
                .map(|i| point(i, dice.within(5.0, 90.0)))
                .collect(),
        );
    }
    let outlines = outlines
        .iter()
        .filter_map(|points| polygon::outline(points).ok());
    outlines
        .map(|points| Solid::new("solid".into(), SurfaceId(0), points))
        .collect()
}

fn rectangle(min: DVec2, max: DVec2) -> Vec<DVec2> {
    vec![min, dvec2(max.x, min.y), max, dvec2(min.x, max.y)]
}
