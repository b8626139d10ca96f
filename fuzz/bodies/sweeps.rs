//! Sweeps, probes and slides against polygons, one-way lines and platforms, compared with the
//! distance to their outlines.

use super::bytes::Bytes;
use glam::{DVec2, dvec2};
use hangtime::{
    geometry::{Collider, ColliderForm, polygon, separation::separation, turn},
    level::{
        Edge, Feature, Hit, LevelChanges, Path, PathEnd, Scenery, Side, Solid, SurfaceId, Terrain, TickSpan, Transit,
        slide, slide_in_tick,
    },
};
use std::f64::consts::TAU;

/// How deep a body may be in a solid, px.
const DEEPEST: f64 = 0.01;

/// How far a shape that is placed somewhere has to be from solids to count as outside, px.
const CLEAR: f64 = 1e-6;

/// The sine of the angle by which the normal at a corner may be off, where the body is a circle. A
/// body that slides past a corner may overlap it by the touching distance d, 1e-7 of its size, which
/// turns the normal by √(2d).
const TURN: f64 = 5e-4;

/// By how much joining may move the side of a solid to align it with others, px.
const ALIGNED: f64 = 1e-5;

/// How much the share of a motion may differ from 0 or 1.
const SHARE: f64 = 1e-9;

/// The places along a sweep where the distance is measured.
const PLACES: u32 = 12;

/// The moves of a body that slides on and on.
const MOVES: usize = 10;

/// Moves a body through a random room.
pub fn run(bytes: &[u8]) {
    let mut choices = Bytes::new(bytes);
    let shape = shape(&mut choices);
    let from = point(&mut choices, 320.0);
    let motion = motion(&mut choices);
    let room = Room::of(&mut choices);
    if room.terrain.tangled().is_some() {
        return;
    }
    room.check_sweep(shape, from, motion);
    room.check_probe(shape, from, choices.between(0.0, 600.0));
    room.check_push_out(shape, from);
    room.check_slides(shape, from, motion, &mut choices);
    room.check_platforms(shape, from, motion, choices.between(0.0, 5.0));
}

fn shape(choices: &mut Bytes<'_>) -> Collider {
    match choices.below(6) {
        0 => Collider::ellipse(10.0, 19.0),
        1 => Collider::ellipse(12.0, 12.0),
        2 => Collider::ellipse(choices.between(0.5, 4.0), choices.between(10.0, 60.0)),
        3 => Collider::ellipse(choices.between(2.0, 40.0), choices.between(2.0, 40.0)),
        4 => Collider::new(ColliderForm::Box, dvec2(choices.between(0.5, 40.0), choices.between(2.0, 40.0))),
        _ => Collider::new(ColliderForm::Capsule, dvec2(choices.between(0.5, 40.0), choices.between(2.0, 40.0))),
    }
}

fn point(choices: &mut Bytes<'_>, far: f64) -> DVec2 {
    dvec2(choices.coordinate(far), choices.coordinate(far))
}

fn motion(choices: &mut Bytes<'_>) -> DVec2 {
    let motion = point(choices, 480.0);
    match choices.below(6) {
        0 => dvec2(motion.x, 0.0),
        1 => dvec2(0.0, motion.y),
        2 => motion * 0.02,
        3 => motion * 1e-6,
        _ => motion,
    }
}

/// The outline of a box, a star or a sliver.
fn outline(choices: &mut Bytes<'_>) -> Option<Vec<DVec2>> {
    let at = point(choices, 240.0);
    let points = match choices.below(4) {
        0 | 1 => {
            let size = dvec2(choices.coordinate(160.0), choices.coordinate(160.0)).abs();
            let lean = choices.of(&[0.0, 0.0, 20.0, -35.5]);
            vec![at, at + dvec2(size.x, 0.0), at + dvec2(size.x + lean, size.y), at + dvec2(*lean, size.y)]
        }
        2 => {
            let corners = 3 + choices.below(9);
            let first = choices.between(0.0, TAU);
            let corner = |i: usize| {
                let angle = first + TAU * i as f64 / corners as f64;
                at + turn(angle) * choices.between(4.0, 130.0)
            };
            (0..corners).map(corner).collect()
        }
        _ => (0..3 + choices.below(3)).map(|_| at + point(choices, 200.0)).collect(),
    };
    polygon::outline(&points).ok()
}

/// Solids of each kind, and the same ones in a terrain.
struct Room {
    outlines: Vec<Vec<DVec2>>,
    terrain: Terrain,
    /// The only solid that moves, alone in a terrain.
    platform: Option<Terrain>,
}

impl Room {
    fn of(choices: &mut Bytes<'_>) -> Self {
        let mut outlines = Vec::new();
        let mut solids = Vec::new();
        for _ in 0..1 + choices.below(5) {
            let Some(points) = outline(choices) else {
                continue;
            };
            solids.push(Solid::new("solid".into(), SurfaceId(0), points.clone()));
            outlines.push(points);
        }
        for _ in 0..choices.below(3) {
            let points: Vec<DVec2> = (0..2 + choices.below(3)).map(|_| point(choices, 240.0)).collect();
            if let Ok(line) = polygon::one_way(&points) {
                solids.push(Solid::one_way("line".into(), SurfaceId(0), line));
            }
        }
        let mut platform = None;
        if choices.one_in(3)
            && let Some(points) = outline(choices)
        {
            let way = vec![point(choices, 100.0), point(choices, 100.0)];
            let path = Path::new(way, choices.between(0.0, 2000.0), PathEnd::PingPong);
            let solid = Solid::new("platform".into(), SurfaceId(0), points);
            let path = Some(path);
            platform = Some(Terrain::new(vec![Solid { path, ..solid }]));
        }
        Self { outlines, terrain: Terrain::new(solids), platform }
    }

    /// How far the body is from the nearest solid, px; below 0 how deep it is in one.
    fn gap(&self, shape: Collider, at: DVec2) -> f64 {
        let gaps = self.outlines.iter().map(|points| gap(shape, at, points));
        gaps.fold(f64::INFINITY, f64::min)
    }

    /// Whether the body is in no solid, and in no outline after joining, which moves corners that are
    /// almost in line.
    fn is_free(&self, shape: Collider, at: DVec2) -> bool {
        let edges = self.terrain.edges().iter();
        let mut sides = edges.filter(|edge| edge.side == Side::Solid);
        self.gap(shape, at) > CLEAR && sides.all(|edge| gap(shape, at, &[edge.face.start, edge.end]) > CLEAR)
    }

    /// A sweep stops where the body first touches something, and nowhere else.
    fn check_sweep(&self, shape: Collider, from: DVec2, motion: DVec2) {
        if !self.is_free(shape, from) {
            return;
        }
        let scenery = self.terrain.still();
        let hit = scenery.sweep(shape, from, motion);
        let free = hit.map_or(1.0, |hit| hit.time);
        for place in 0..=PLACES {
            let at = from + motion * free * (f64::from(place) / f64::from(PLACES));
            let gap = self.gap(shape, at);
            assert!(gap > -DEEPEST, "{gap} deep at {at} after {place} of {PLACES}");
        }
        let Some(hit) = hit else {
            return;
        };
        check_hit(&scenery, &hit, shape, motion);
        if self.terrain.edge_of(hit.feature).side == Side::Solid {
            let gap = self.gap(shape, from + motion * hit.time);
            assert!(gap < DEEPEST, "stopped {gap} px away from a solid");
        }
        let again = scenery.sweep(shape, from, motion);
        assert_eq!(again, Some(hit));
    }

    /// A probe goes straight down, or up under inverted gravity, and sees one-way lines from there.
    fn check_probe(&self, shape: Collider, from: DVec2, reach: f64) {
        if !self.is_free(shape, from) {
            return;
        }
        for up in [1.0, -1.0] {
            let scenery = self.terrain.still().upward(up);
            let down = dvec2(0.0, -reach * up);
            let hit = scenery.probe(shape, from, reach);
            assert_eq!(hit, scenery.sweep(shape, from, down));
            let Some(hit) = hit else {
                continue;
            };
            check_hit(&scenery, &hit, shape, down);
            let side = self.terrain.edge_of(hit.feature).side;
            let dropped = scenery.dropping(true).probe(shape, from, reach);
            match side {
                Side::Solid => assert_eq!(dropped, Some(hit)),
                _ => assert!(dropped.is_none_or(|other| other.time + SHARE >= hit.time)),
            }
        }
    }

    fn check_push_out(&self, shape: Collider, from: DVec2) {
        let scenery = self.terrain.still();
        let Some(free) = scenery.push_out(shape, from) else {
            return;
        };
        let gap = self.gap(shape, free);
        assert!(gap > -DEEPEST, "pushed out to {free}, {gap} px deep");
        if self.is_free(shape, from) {
            let moved = free.distance(from);
            assert!(moved <= ALIGNED, "pushed out of nothing, by {moved} px");
        }
    }

    /// Slides never end in a solid, one after another.
    fn check_slides(&self, shape: Collider, from: DVec2, first: DVec2, choices: &mut Bytes<'_>) {
        if !self.is_free(shape, from) {
            return;
        }
        let scenery = self.terrain.still();
        let (mut at, mut step) = (from, first);
        for _ in 0..MOVES {
            let slid = slide(&scenery, shape, at, step, |_, _| false);
            let gap = self.gap(shape, slid.pos);
            assert!(gap > -DEEPEST, "slid {gap} px deep to {}", slid.pos);
            let moved = slid.pos.distance(at);
            assert!(moved <= step.length() * (1.0 + SHARE) + SHARE, "{moved} of {step}");
            let clipped = slid.bumps.clip(step);
            for hit in slid.bumps.iter() {
                assert!(clipped.dot(hit.normal) > -1e-6 * step.length().max(1.0));
            }
            at = slid.pos;
            step = motion(choices) * 0.2;
        }
    }

    /// A body that is free meets a moving platform on its way and is not in it at the end.
    fn check_platforms(&self, shape: Collider, from: DVec2, motion: DVec2, seconds: f64) {
        let Some(terrain) = &self.platform else {
            return;
        };
        let (hz, now) = (60.0, (seconds * 60.0) as u64);
        let points = &terrain.solids()[0].points;
        let changes = LevelChanges::default();
        let mut transit = Transit::standing(terrain.platforms(), &changes, now, hz);
        let before = transit.offsets[0];
        if gap(shape, from - before, points) <= CLEAR {
            return;
        }
        transit.step(terrain.platforms(), &changes, now, hz);
        let (scenery, span) = (terrain.moved(&transit), TickSpan { left: 1.0, length: 1.0 });
        if let Some(hit) = scenery.sweep_in_tick(shape, from, motion, span) {
            check_hit(&scenery, &hit, shape, motion - scenery.step_under(hit.feature));
            let platform = before + transit.steps[0] * hit.time;
            let gap = gap(shape, from + motion * hit.time - platform, points);
            assert!(gap.abs() < DEEPEST, "stopped {gap} px away from a platform");
        }
        let slid = slide_in_tick(&scenery, shape, from, motion, span, |_, _| false);
        let gap = gap(shape, slid.pos - transit.offsets[0], points);
        assert!(gap > -DEEPEST, "slid {gap} px deep into a platform");
    }
}

/// How far a body is from an outline, px; below 0 how deep it is inside.
fn gap(shape: Collider, at: DVec2, points: &[DVec2]) -> f64 {
    let apart = separation(shape, at, points);
    apart.to_touch.length() * apart.gap.signum()
}

/// Whether an edge is shorter than a body may be deep in a solid.
fn is_tiny(edge: &Edge) -> bool {
    edge.face.length < DEEPEST
}

/// What holds for every hit.
fn check_hit(scenery: &Scenery<'_>, hit: &Hit, shape: Collider, motion: DVec2) {
    assert!((0.0..=1.0).contains(&hit.time), "{hit:?}");
    assert!((hit.normal.length() - 1.0).abs() < 1e-9, "{hit:?}");
    assert!(motion.dot(hit.normal) < 0.0, "{hit:?} from behind");
    let edge = |index| scenery.terrain.edge(index);
    match hit.feature {
        Feature::Face(index) => assert_eq!(hit.normal, edge(index).face.normal),
        // The end of an edge that follows itself is a plain corner: no longer than rounding errors, it
        // has no other neighbor.
        Feature::Corner(index) if edge(index).after == index => {}
        // Next to such an edge, joining may have left out another one, or moved a corner by as much as the edge
        // is long. A body then meets the corner from beyond the cone. How deep it is is checked anyway.
        Feature::Corner(index) if is_tiny(edge(index)) || is_tiny(edge(edge(index).after)) => {}
        // A side of a box or a capsule that meets the corner has the normal of the side.
        Feature::Corner(_) if !shape.is_round() => {}
        Feature::Corner(index) if edge(index).side == Side::Solid => {
            let normals = [edge(index).face.normal, hit.normal, edge(edge(index).after).face.normal];
            let [ends, normal, begins] = normals.map(|n| (n * shape.half).normalize());
            // Within the counterclockwise cone between the two, where the body is a circle.
            assert!(ends.perp_dot(normal) > -TURN, "{hit:?}");
            assert!(normal.perp_dot(begins) > -TURN, "{hit:?}");
        }
        Feature::Corner(_) => {}
    }
}
