//! Entities that meet: touches, and pushing apart.

use crate::{
    cast::{Cast, Member},
    common::{RATES, near},
    ground::{Ground, tried},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{
        Collider, ColliderForm,
        apart::{collider_and_polygon, colliders, colliders_meet, convex},
        separation::separation,
    },
    models::{BodyShape, ModelName},
    sim::{Command, EventKind},
};
use proptest::prelude::*;
use std::f64::consts::TAU;

/// The number of directions that the slow algorithm tries.
const AXES: u32 = 3600;

fn axes() -> impl Iterator<Item = DVec2> {
    (0..AXES).map(|i| DVec2::from_angle(TAU * f64::from(i) / f64::from(AXES)))
}

/// The depth of two overlapping convex bodies: the least overlap along any axis.
fn depth(a: impl Fn(DVec2) -> f64, b: impl Fn(DVec2) -> f64) -> f64 {
    let along = |axis: DVec2| a(axis) + b(-axis);
    axes().map(along).fold(f64::INFINITY, f64::min)
}

fn reach_of(shape: Collider, at: DVec2) -> impl Fn(DVec2) -> f64 {
    move |axis| at.dot(axis) + shape.reach(axis)
}

fn reach_of_corners(corners: &[DVec2]) -> impl Fn(DVec2) -> f64 + '_ {
    move |axis| corners.iter().map(|c| c.dot(axis)).fold(f64::NEG_INFINITY, f64::max)
}

fn boxed(half: DVec2, at: DVec2, angle: f64) -> Vec<DVec2> {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let turn = DVec2::from_angle(angle);
    corners.map(|c| at + turn.rotate(half * DVec2::from(c))).to_vec()
}

fn upright() -> impl Strategy<Value = Collider> {
    let form = prop_oneof![Just(ColliderForm::Ellipse), Just(ColliderForm::Box), Just(ColliderForm::Capsule)];
    (form, 4.0..40.0_f64, 4.0..40.0_f64).prop_map(|(form, x, y)| Collider::new(form, DVec2::new(x, y)))
}

fn place() -> impl Strategy<Value = DVec2> {
    (-60.0..60.0_f64, -60.0..60.0_f64).prop_map(DVec2::from)
}

/// Compares a result with the slow one, which is never too small, and too large by at most what
/// lies between two axes.
fn compare(found: Option<DVec2>, slow: f64, size: f64) -> Result<(), TestCaseError> {
    let between = size * (TAU / f64::from(AXES)).powi(2) + 1e-6;
    match found {
        Some(apart) => {
            prop_assert!(slow > -between, "{} where they are {} apart", apart, -slow);
            prop_assert!(apart.length() <= slow + 1e-6, "{} > {slow}", apart.length());
            prop_assert!(apart.length() >= slow - between, "{} < {slow}", apart.length());
        }
        None => prop_assert!(slow < between, "nothing where they overlap by {slow}"),
    }
    Ok(())
}

proptest! {
    #![proptest_config(tried(2000))]

    #[test]
    fn overlapping_bodies_separate_by_the_shortest_move(a in upright(), b in upright(), at in place()) {
        let slow = depth(reach_of(a, DVec2::ZERO), reach_of(b, at));
        let found = colliders(a, DVec2::ZERO, b, at);
        // The move leads away from the other body, not through it.
        if let Some(apart) = found {
            let left = depth(reach_of(a, apart), reach_of(b, at));
            prop_assert!(left < 1e-3, "{left} px are left of {slow}");
            let back = colliders(b, at, a, DVec2::ZERO).expect("the same overlap");
            prop_assert!((back.length() - apart.length()).abs() < 1e-9);
        }
        prop_assert_eq!(colliders_meet(a, DVec2::ZERO, b, at), found.is_some());
        compare(found, slow, 160.0)?;
    }

    #[test]
    fn overlapping_boxes_separate_by_the_shortest_move(
        half in (4.0..40.0_f64, 4.0..40.0_f64),
        other in (4.0..40.0_f64, 4.0..40.0_f64),
        at in place(),
        angles in (0.0..TAU, 0.0..TAU),
        margin in prop_oneof![Just(0.0), 0.0..3.0_f64],
    ) {
        let a = boxed(half.into(), DVec2::ZERO, angles.0);
        let b = boxed(other.into(), at, angles.1);
        // The least overlap along all normals, by definition.
        let normals = [angles.0, angles.1].map(DVec2::from_angle);
        let normals = normals.iter().flat_map(|n| [*n, -*n, n.perp(), -n.perp()]);
        let along = |n: DVec2| reach_of_corners(&a)(n) + reach_of_corners(&b)(-n);
        let slow = normals.map(along).fold(f64::INFINITY, f64::min) + margin;
        match convex(&a, &b, margin) {
            Some(apart) => {
                near(apart.length(), slow, 1e-9);
                let moved: Vec<DVec2> = a.iter().map(|p| *p + apart).collect();
                let left = convex(&moved, &b, 0.0).map_or(0.0, DVec2::length);
                prop_assert!(left < 1e-6, "{left} px are left");
            }
            None => prop_assert!(slow <= 1e-5, "{slow}"),
        }
    }

    #[test]
    fn an_upright_body_separates_from_a_turned_box(
        a in upright(),
        half in (4.0..40.0_f64, 4.0..40.0_f64),
        at in place(),
        angle in 0.0..TAU,
    ) {
        let b = boxed(half.into(), at, angle);
        let slow = depth(reach_of(a, DVec2::ZERO), reach_of_corners(&b));
        match collider_and_polygon(a, DVec2::ZERO, &b) {
            Some(apart) => {
                let moved = separation(a, apart, &b);
                prop_assert!(moved.gap > -1e-3, "{} px are left", -moved.gap);
                prop_assert!(apart.length() > slow - 0.1, "{} < {slow}", apart.length());
            }
            None => prop_assert!(slow < 0.1, "{slow}"),
        }
    }
}

/// A wide and a tall ellipse with nearly the same center separate along several axes, nearly
/// equally far; the search once missed the shortest by 0.05 px.
#[test]
fn ellipses_with_two_ways_to_separate_take_the_shorter() {
    let (wide, tall) = (Collider::ellipse(23.532, 7.007), Collider::ellipse(9.657, 23.735));
    for at in [(-2.727, -0.262), (2.727, -0.262), (-2.727, 0.262)] {
        let at = DVec2::from(at);
        let slow = depth(reach_of(wide, DVec2::ZERO), reach_of(tall, at));
        let found = colliders(wide, DVec2::ZERO, tall, at).expect("they overlap");
        near(found.length(), slow, 160.0 * (TAU / f64::from(AXES)).powi(2));
    }
}

const ROUND: Collider = Collider::ellipse(10.0, 10.0);

fn figures() -> [BodyShape; 2] {
    [ROUND.into(), BodyShape::of_box(20.0, 20.0)]
}

/// Two bodies in mid-air that glide into and away from each other.
fn passing(hz: u32, first: &Member, second: &Member) -> Cast {
    let ground = Ground::none(hz).gravity(0.0);
    Cast::new(&ground, &[first.clone(), second.clone()])
}

#[test]
fn touch_is_emitted_once_for_both_and_again_after_they_separate() {
    let models = [ModelName::platformer, ModelName::vessel, ModelName::topdown, ModelName::ballistic];
    for hz in RATES {
        for (one, other) in models.iter().flat_map(|a| models.map(|b| (*a, b))) {
            for figure in figures() {
                let a = Member::new("a", one, figure.clone(), dvec2(0.0, 0.0));
                let b = Member::new("b", other, figure.clone(), dvec2(30.0, 0.0));
                let mut told = vec![];
                for swapped in [false, true] {
                    let (first, second) = if swapped { (&b, &a) } else { (&a, &b) };
                    let mut cast = passing(hz, first, second);
                    let mover = usize::from(swapped);
                    let mut when = vec![];
                    for x in [0.0, 14.0, 16.0, 0.0, -5.0, 12.0] {
                        cast.order(mover, Command::Place(dvec2(x, 0.0), None));
                        cast.run(0.1);
                        when.push((cast.told("a", "touch"), cast.told("b", "touch")));
                    }
                    assert_eq!(when, [(0, 0), (1, 1), (1, 1), (1, 1), (1, 1), (2, 2)], "{one:?}, {other:?}");
                    for event in &cast.events {
                        if let EventKind::Touch { other, kind } = &event.kind {
                            assert_eq!(&**other, if &*event.name == "a" { "b" } else { "a" });
                            assert_eq!(&**kind, "member");
                        }
                    }
                    let touches = cast.events.iter().filter(|e| e.kind.name() == "touch");
                    let mut ticks: Vec<_> = touches.map(|e| (e.tick, e.name.clone())).collect();
                    ticks.sort();
                    told.push(ticks);
                }
                assert_eq!(told[0], told[1]);
            }
        }
    }
}

#[test]
fn bodies_touch_within_half_a_px_in_every_model() {
    let models = [ModelName::platformer, ModelName::vessel];
    for (one, other) in models.iter().flat_map(|a| models.map(|b| (*a, b))) {
        for (gap, touches) in [(0.6, 0), (0.4, 1)] {
            let half = |model: ModelName| match model {
                // A box-shaped vessel against the ellipse of the other.
                ModelName::vessel => BodyShape::of_box(20.0, 20.0),
                _ => ROUND.into(),
            };
            let a = Member::new("a", one, half(one), dvec2(0.0, 0.0));
            let b = Member::new("b", other, half(other), dvec2(20.0 + gap, 0.0));
            let mut cast = passing(60, &a, &b);
            cast.run(0.1);
            assert_eq!(cast.told("a", "touch"), touches, "{one:?}, {other:?}, {gap} px");
        }
    }
}

#[test]
fn bodies_far_above_or_without_listeners_do_not_touch() {
    for (z, tells, touches) in [(0.0, true, 1), (9.0, true, 1), (11.0, true, 0), (0.0, false, 0)] {
        let mut a = Member::new("a", ModelName::topdown, ROUND, dvec2(0.0, 0.0));
        let b = Member::new("b", ModelName::two_velocity, ROUND, dvec2(5.0, 0.0));
        a.z = z;
        let ground = Ground::none(60).top_view().gravity(0.0);
        let mut cast = Cast::new(&ground, &[a, b]);
        cast.stage.touches = tells;
        cast.run(0.2);
        assert_eq!(cast.told("a", "touch"), touches, "{z} px above");
        assert_eq!(cast.told("b", "touch"), touches);
    }
}

#[test]
fn mass_decides_which_body_moves_and_speeds_do_not_change() {
    for hz in RATES {
        for (mass, other) in [(1.0, 1.0), (1.0, 3.0), (10.0, 1.0)] {
            for model in [ModelName::platformer, ModelName::topdown, ModelName::vessel] {
                let mut a = Member::new("a", model, BodyShape::of_box(20.0, 20.0), dvec2(0.0, 0.0));
                let mut b = Member { name: "b", at: dvec2(12.0, 0.0), ..a.clone() };
                (a.pushes, b.pushes) = (true, true);
                (a.mass, b.mass) = (mass, other);
                let mut cast = passing(hz, &a, &b);
                cast.tick();
                // 8 px of overlap, shared in inverse proportion to mass.
                near(cast.view(0).pos.x, -8.0 * other / (mass + other), 1e-5);
                near(cast.view(1).pos.x, 12.0 + 8.0 * mass / (mass + other), 1e-5);
                for who in 0..2 {
                    let view = cast.view(who);
                    assert_eq!((view.vel, view.external), (DVec2::ZERO, DVec2::ZERO));
                }
            }
        }
    }
}

#[test]
fn bodies_that_do_not_push_overlap() {
    for (one, other) in [(true, false), (false, true), (false, false)] {
        let mut a = Member::new("a", ModelName::topdown, ROUND, dvec2(0.0, 0.0));
        let mut b = Member { name: "b", at: dvec2(5.0, 0.0), ..a.clone() };
        (a.pushes, b.pushes) = (one, other);
        let mut cast = passing(60, &a, &b);
        cast.run(0.5);
        assert_eq!(cast.view(0).pos, a.at);
        assert_eq!(cast.view(1).pos, b.at);
    }
}

proptest! {
    #![proptest_config(tried(48))]

    #[test]
    fn crowds_between_walls_come_to_rest_without_overlaps(
        places in prop::collection::vec((20.0..380.0_f64, 20.0..230.0_f64, 0.2..5.0_f64), 2..9),
        rate in 0..4usize,
        top in any::<bool>(),
        walks in any::<bool>(),
    ) {
        let model = if walks { ModelName::two_velocity } else { ModelName::topdown };
        let mut ground = Ground::none(RATES[rate]);
        let solids = [
            [(-50.0, -50.0), (450.0, -50.0), (450.0, 0.0), (-50.0, 0.0)],
            [(-50.0, 250.0), (450.0, 250.0), (450.0, 300.0), (-50.0, 300.0)],
            [(-50.0, 0.0), (0.0, 0.0), (0.0, 250.0), (-50.0, 250.0)],
            [(400.0, 0.0), (450.0, 0.0), (450.0, 250.0), (400.0, 250.0)],
            [(180.0, 100.0), (240.0, 80.0), (220.0, 160.0), (200.0, 160.0)],
        ];
        for solid in &solids {
            ground = ground.solid(solid);
        }
        if top {
            ground = ground.top_view();
        }
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let members: Vec<Member> = places.iter().zip(names).map(|((x, y, mass), name)| {
            let mut member = Member::new(name, model, ROUND, dvec2(*x, *y));
            (member.pushes, member.mass) = (true, *mass);
            member
        }).collect();
        let mut cast = Cast::new(&ground, &members);
        let count = members.len();
        let mut last = vec![DVec2::ZERO; count];
        for tick in 0..4 * RATES[rate] {
            cast.tick();
            for (who, last) in last.iter_mut().enumerate() {
                let pos = cast.view(who).pos;
                for solid in &solids {
                    let corners: Vec<DVec2> = solid.iter().map(|p| DVec2::from(*p)).collect();
                    let gap = separation(ROUND, pos, &corners).gap;
                    prop_assert!(gap > -1e-4, "{gap} px in a solid at tick {tick}");
                }
                *last = pos;
            }
        }
        for i in 0..count {
            for j in 0..i {
                let apart = last[i].distance(last[j]);
                prop_assert!(apart > 20.0 - 0.5, "{apart} px between {i} and {j}: {last:?}");
            }
        }
        let before = last.clone();
        cast.tick();
        for (who, before) in before.iter().enumerate() {
            let moved = cast.view(who).pos.distance(*before);
            prop_assert!(moved < 0.1, "{who} still moves by {moved} px a tick");
        }
    }
}

#[test]
fn pushes_do_not_depend_on_the_order_of_entities() {
    let body = |name: &'static str, x: f64| {
        let mut member = Member::new(name, ModelName::topdown, Collider::ellipse(10.0, 19.0), dvec2(x, 0.0));
        member.pushes = true;
        member
    };
    let bodies = [body("a", 0.0), body("b", 7.0), body("c", 12.0)];
    let mut backwards = bodies.clone();
    backwards.reverse();
    let ground = Ground::none(60).gravity(0.0);
    let mut one = Cast::new(&ground, &bodies);
    let mut other = Cast::new(&ground, &backwards);
    for _ in 0..60 {
        assert_eq!(one.world.hash(), other.world.hash());
        one.tick();
        other.tick();
    }
}
