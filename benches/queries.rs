//! The terrain queries of models: `cargo bench --bench queries`.
//!
//! Queries on the playground's terrain from positions all over it. One *item* is one query. The terrain expects the shape
//! `hero` and has a grid for it; the shape `stranger` is swept through the grid of all shapes.

use divan::{Bencher, black_box, counter::ItemsCount};
use glam::{DVec2, dvec2};
use hangtime::{
    geometry::Collider,
    level::{Contact, GroundRule, Scenery, Terrain, slide, walk},
    project::Project,
};
use std::{path::Path, sync::LazyLock};

const BODY: Collider = Collider::ellipse(10.0, 19.0);

/// The same shape to the eye, but one that the terrain does not expect.
const STRANGER: Collider = Collider::ellipse(10.0, 19.000_001);

/// Both, by name.
const SHAPES: [&str; 2] = ["hero", "stranger"];

fn shape(name: &str) -> Collider {
    if name == "hero" { BODY } else { STRANGER }
}

const RULE: GroundRule =
    GroundRule { up: 1.0, least_up: std::f64::consts::FRAC_1_SQRT_2, probe: 0.5, adherence: 20.0, step: 0.0 };

/// The terrain, free positions in it, and motions from there.
static GROUND: LazyLock<(Terrain, Vec<(DVec2, DVec2)>)> = LazyLock::new(|| {
    let project = Project::load(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("this repository");
    let level = project.find_level("playground").expect("its level");
    let revision = project.open(&level, &[]).expect("a good level");
    let terrain = revision.stage.level.terrain.clone();
    terrain.expect(BODY);
    let place = |i: u32| {
        let (a, b) = (f64::from(i) * 0.618_034, f64::from(i) * 0.754_878);
        let at = dvec2(5000.0 * a.fract(), 260.0 * b.fract());
        let way = dvec2((a * 7.0).fract() - 0.5, (b * 5.0).fract() - 0.5) * 22.0;
        (at, way)
    };
    let free = |(at, _): &(DVec2, DVec2)| terrain.still().overlap(BODY, *at).is_none();
    let places = (1..4000).map(place).filter(free).collect();
    (terrain, places)
});

fn main() {
    divan::main();
}

/// Runs a query from every position.
fn ask<T>(bencher: Bencher<'_, '_>, question: impl Fn(&Scenery<'_>, DVec2, DVec2) -> T + Sync) {
    let (terrain, places) = &*GROUND;
    let scenery = terrain.still();
    bencher.counter(ItemsCount::new(places.len())).bench_local(|| {
        for (at, way) in places {
            black_box(question(&scenery, *at, *way));
        }
    });
}

#[divan::bench(args = SHAPES)]
fn sweep(bencher: Bencher<'_, '_>, name: &str) {
    let shape = shape(name);
    ask(bencher, |scenery, at, way| scenery.sweep(shape, at, way));
}

#[divan::bench(args = SHAPES)]
fn probe(bencher: Bencher<'_, '_>, name: &str) {
    let shape = shape(name);
    ask(bencher, |scenery, at, _| scenery.probe(shape, at, 0.5));
}

#[divan::bench]
fn cast_500_px(bencher: Bencher<'_, '_>) {
    ask(bencher, |scenery, at, way| scenery.cast(at, way.normalize_or(DVec2::Y) * 500.0));
}

#[divan::bench]
fn overlap(bencher: Bencher<'_, '_>) {
    ask(bencher, |scenery, at, _| scenery.overlap(BODY, at));
}

#[divan::bench]
fn push_out(bencher: Bencher<'_, '_>) {
    // From slightly lower, where many are inside a solid.
    ask(bencher, |scenery, at, _| scenery.push_out(BODY, at - dvec2(0.0, 30.0)));
}

#[divan::bench(args = SHAPES)]
fn slide_of_a_tick(bencher: Bencher<'_, '_>, name: &str) {
    let shape = shape(name);
    ask(bencher, |scenery, at, way| slide(scenery, shape, at, way, |_, _| false).pos);
}

#[divan::bench(args = SHAPES)]
fn walk_of_a_tick(bencher: Bencher<'_, '_>, name: &str) {
    let shape = shape(name);
    let (terrain, places) = &*GROUND;
    let scenery = terrain.still();
    let stand = |(at, way): &(DVec2, DVec2)| {
        let hit = scenery.probe(shape, *at, 300.0)?;
        let contact = Contact::of(&scenery, &hit, &RULE)?;
        Some((*at - dvec2(0.0, 300.0 * hit.time), contact, way.x))
    };
    let standing: Vec<_> = places.iter().filter_map(stand).collect();
    bencher.counter(ItemsCount::new(standing.len())).bench_local(|| {
        for (at, contact, by) in &standing {
            black_box(walk(&scenery, shape, *at, *contact, *by, &RULE).pos);
        }
    });
}
