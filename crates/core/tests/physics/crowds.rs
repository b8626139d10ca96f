//! Crowds that push and touch each other have the same results however their work is divided among threads.

use crate::{
    backward::Backward,
    common::loaded,
    ground::{Ground, tried},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::Collider,
    models::{Action, BodyShape, Loadouts, ModelName},
    sim::{
        Command, Creation, Decision, EntityId, EventKind, Executor, Inputs, Invocation, NativeRules, PlayerInput,
        Profile, Rules, Scene, ScriptId, Serial, Stage, Start, World,
    },
};
use proptest::prelude::*;
use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Threads that start for each piece of work, as long as fewer than some are at work.
struct Started {
    chunk: usize,
    idle: AtomicUsize,
}

impl Started {
    fn new(threads: usize, chunk: usize) -> Self {
        Self { chunk, idle: AtomicUsize::new(threads - 1) }
    }
}

impl Executor for Started {
    fn join(&self, left: &mut (dyn FnMut() + Send), right: &mut (dyn FnMut() + Send)) {
        let take = |idle: usize| idle.checked_sub(1);
        if self.idle.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_err() {
            left();
            right();
            return;
        }
        std::thread::scope(|scope| {
            scope.spawn(right);
            left();
        });
        self.idle.fetch_add(1, Ordering::Relaxed);
    }

    fn chunk(&self) -> usize {
        self.chunk
    }
}

/// The half-widths of upright kinds: small ones, large ones, and one that is next to all others.
const SIZES: [(f64, f64); 4] = [(10.0, 19.0), (10.0, 10.0), (2.0, 3.0), (150.0, 90.0)];

/// A kind of each size and model that works in the view; one in five neither pushes nor is pushed.
fn profiles(ground: &Ground) -> Vec<Profile> {
    let models: Vec<ModelName> = ModelName::ALL
        .iter()
        .filter(|model| model.views().contains(&ground.view))
        .copied()
        .collect();
    let kinds = models.iter().flat_map(|model| SIZES.map(|size| (*model, size)));
    let profile = |(i, (model, (x, y))): (usize, (ModelName, (f64, f64)))| {
        let shape = |model: ModelName| match model.turns() {
            true => BodyShape::of_box(2.0 * x, 2.0 * y),
            false => Collider::ellipse(x, y).into(),
        };
        Profile {
            pushes: i % 5 != 4,
            mass: [1.0, 0.3, 4.0][i % 3],
            ..Profile::new(&format!("member {i}"), model, Loadouts::new(ground.tunings.clone(), shape))
        }
    };
    kinds.enumerate().map(profile).collect()
}

/// A member: its kind, where it is, and a number that its name begins with.
type Placed = (usize, DVec2, u16);

fn field() -> impl Strategy<Value = Vec<Placed>> {
    let cells = (-12..12_i32, 0..12_i32).prop_map(|(x, y)| dvec2(f64::from(20 * x), f64::from(20 * y)));
    let at = prop_oneof![cells, Just(dvec2(-40.0, 100.0)), (-400.0..400.0_f64, 0.0..300.0_f64).prop_map(DVec2::from),];
    prop::collection::vec((0..64_usize, at, any::<u16>()), 20..90)
}

fn stage(ground: &Ground, field: &[Placed]) -> Stage {
    let mut stage = ground.stage();
    let profiles = profiles(ground);
    let start = |(i, (kind, at, name)): (usize, &Placed)| Start {
        player: Some((i % 2 + 1) as u8),
        // Few are of the largest kind.
        ..Start::new(
            &format!("{name} {i}"),
            if i % 16 == 0 { *kind } else { kind / 4 * 4 + kind % 3 } % profiles.len(),
            *at,
        )
    };
    stage.starts = Arc::new(field.iter().enumerate().map(start).collect());
    stage.profiles = Arc::new(profiles);
    stage.touches = true;
    stage
}

fn grounds() -> [Ground; 2] {
    let hall = |ground: Ground| {
        ground
            .solid(&[(-420.0, -40.0), (420.0, -40.0), (420.0, 0.0), (-420.0, 0.0)])
            .solid(&[(-440.0, -40.0), (-420.0, -40.0), (-420.0, 400.0), (-440.0, 400.0)])
            .solid(&[(60.0, -5.0), (160.0, -5.0), (120.0, 40.0), (90.0, 40.0)])
    };
    [hall(Ground::none(60)), hall(Ground::none(60).top_view())]
}

fn inputs(tick: u64) -> Inputs {
    let held = |actions: &[Action]| PlayerInput { held: actions.iter().copied().collect(), ..PlayerInput::default() };
    let mut inputs = Inputs::none();
    let (one, other) = match tick / 7 % 3 {
        0 => (held(&[Action::Right]), held(&[Action::Left, Action::Jump])),
        1 => (held(&[Action::Left, Action::Down]), held(&[Action::Right])),
        _ => (held(&[Action::Jump]), held(&[])),
    };
    (*inputs.player_mut(1), *inputs.player_mut(2)) = (one, other);
    inputs
}

/// Plays some ticks with each executor, and compares the worlds after each. One world is saved and loaded again and again.
fn plays_alike(
    stage: &Stage,
    ticks: u64,
    executors: &[&dyn Executor],
    mut rules: impl FnMut() -> Box<dyn Rules>,
) -> World {
    let mut expected = World::new(stage, 0);
    let mut worlds: Vec<World> = executors.iter().map(|_| expected.clone()).collect();
    for tick in 0..ticks {
        let inputs = inputs(tick);
        expected.tick(stage, &inputs, &mut *rules());
        for (i, (world, executor)) in worlds.iter_mut().zip(executors).enumerate() {
            if i == 0 && tick % 5 == 4 {
                let saved = serde_json::to_string(world).expect("a world can be saved");
                *world = loaded(&saved, stage);
            }
            world.tick_with(stage, &inputs, &mut *rules(), *executor);
            assert!(*world == expected, "executor {i} after tick {tick}");
        }
    }
    expected
}

fn native() -> Box<dyn Rules> {
    Box::new(NativeRules)
}

proptest! {
    #![proptest_config(tried(24))]

    #[test]
    fn a_field_has_the_same_ticks_however_it_is_divided(field in field(), top in any::<bool>()) {
        let ground = &grounds()[usize::from(top)];
        let stage = stage(ground, &field);
        let executors: [&dyn Executor; 4] = [&Backward(1), &Backward(3), &Started::new(2, 1), &Started::new(3, 2)];
        let world = plays_alike(&stage, 20, &executors, native);
        prop_assert!(world.touching_pairs().count() > 0);
    }

    #[test]
    fn bodies_that_leave_appear_and_meet_in_one_tick_are_the_same_however_they_are_divided(
        field in field(),
        top in any::<bool>(),
    ) {
        let ground = &grounds()[usize::from(top)];
        let mut stage = stage(ground, &field);
        for profile in Arc::make_mut(&mut stage.profiles) {
            profile.script = Some(ScriptId(0));
        }
        // Saved worlds find the profiles of what was spawned by their kinds.
        let kinds = stage.profiles.iter().enumerate().map(|(i, profile)| (profile.kind.clone(), i));
        stage.kinds = Arc::new(kinds.collect());
        let executors: [&dyn Executor; 3] = [&Backward(1), &Backward(2), &Started::new(2, 1)];
        plays_alike(&stage, 16, &executors, || Box::new(Changing));
    }
}

/// Removes some entities, spawns others where one is, and puts some on top of each other.
struct Changing;

impl Rules for Changing {
    fn decide(&mut self, scene: &Scene<'_>, invocations: &mut [Invocation], decisions: &mut [Decision]) {
        let mut next = scene.world.next_id();
        for (invocation, decision) in invocations.iter().zip(decisions) {
            let EntityId(id) = invocation.entity;
            let commands = &mut decision.commands;
            match (u64::from(id) * 31 + scene.tick * 17) % 61 {
                0 => commands.push(Command::Remove),
                1 => commands.push(Command::Place(dvec2(-40.0, 100.0), None)),
                2 => {
                    let entity = scene.world.entities().iter().find(|entity| entity.id == invocation.entity);
                    let at = entity.map_or(DVec2::ZERO, |entity| scene.world.body(entity).pos);
                    let creation = Creation {
                        id: EntityId(next),
                        // Its place in the order of names differs from its place in the order of ids.
                        name: format!("{} new {next}", next * 7919 % 1000).into(),
                        profile: invocation.profile,
                        at,
                        z: 0.0,
                        velocity: dvec2(90.0, 0.0),
                        vel_z: 0.0,
                        facing: 1.0,
                        vars: Default::default(),
                    };
                    next += 1;
                    commands.push(Command::Create(Box::new(creation)));
                    if scene.tick.is_multiple_of(2) {
                        commands.push(Command::Remove);
                    }
                }
                _ => {}
            }
        }
    }
}

/// A row of bodies on a floor, side by side from left to right in the order of their names; more than make way in the
/// order of their names.
fn row(count: usize) -> Stage {
    let mut stage = Ground::floor(60).stage();
    let start = |i: usize| Start {
        player: Some((i % 2 + 1) as u8),
        ..Start::new(&format!("{i:05}"), 0, [3.0 * i as f64 - 7000.0, 19.0])
    };
    stage.starts = Arc::new((0..count).map(start).collect());
    Arc::make_mut(&mut stage.profiles)[0].pushes = true;
    stage.touches = true;
    stage
}

#[test]
fn a_long_row_in_the_order_of_its_names_has_the_same_ticks_however_it_is_divided() {
    let stage = row(4_400);
    // With the largest chunks no phase is divided.
    let executors: [&dyn Executor; 4] =
        [&Backward(64), &Started::new(2, 64), &Started::new(8, 200), &Backward(100_000)];
    let world = plays_alike(&stage, 6, &executors, native);
    let touching = world.touching_pairs().count();
    assert!(touching > 4_000, "{touching} pairs");
}

/// The pairs that touch, by comparing all bodies with each other: ellipses of one size, scaled to circles of radius 1.
#[test]
fn touches_are_those_that_comparing_all_bodies_finds() {
    for chunk in [1, 64] {
        let half = dvec2(10.0, 14.0);
        let mut ground = Ground::none(60).gravity(0.0).top_view().figure(Collider::ellipse(half.x, half.y));
        ground.model = ModelName::topdown;
        let mut stage = ground.stage();
        // Distances repeat on a lattice, but none is near the one at which bodies touch.
        let at = |i: usize| dvec2((i * 37 % 400) as f64 * 3.1 - 600.0, (i * 53 % 89) as f64 * 7.3 - 300.0);
        let start = |i: usize| Start::new(&format!("{} {i}", i * 7919 % 1000), 0, at(i));
        stage.starts = Arc::new((0..300).map(start).collect());
        stage.touches = true;
        let mut world = World::new(&stage, 0);
        world.tick_with(&stage, &Inputs::none(), &mut NativeRules, &Backward(chunk));
        // Bodies touch within 0.5 px, and grown by that an ellipse is no longer similar: leave out what is close to it.
        let apart = |a: EntityId, b: EntityId| {
            let [a, b] = [a, b].map(|id| at(id.0 as usize - 1));
            ((a - b) / (2.0 * half)).length()
        };
        let touching: BTreeSet<(EntityId, EntityId)> = world.touching_pairs().collect();
        let mut expected = 0;
        for b in 1..=300 {
            for a in 1..b {
                let pair = (EntityId(a), EntityId(b));
                let apart = apart(pair.0, pair.1);
                if apart < 0.999 {
                    assert!(touching.contains(&pair), "{pair:?} do not touch");
                    expected += 1;
                }
                assert!(apart < 1.05 || !touching.contains(&pair), "{pair:?} touch");
            }
        }
        assert!(expected > 100, "{expected} pairs");
        let emitted = world
            .events()
            .iter()
            .filter(|event| matches!(event.kind, EventKind::Touch { .. }))
            .count();
        assert_eq!(emitted, 2 * touching.len());
    }
}

#[test]
fn a_pushing_row_makes_way_in_the_order_of_its_names_and_a_long_one_in_two_rounds() {
    // Bodies in the air, each overlapping the next one by 0.5 px; both of a pair make way by half of that.
    for count in [40, 4_300] {
        let mut ground = Ground::none(60).gravity(0.0);
        ground.model = ModelName::topdown;
        ground.figure = Collider::ellipse(1.0, 1.0).into();
        let mut stage = ground.stage();
        let start = |i: usize| Start::new(&format!("{i:05}"), 0, [1.5 * i as f64 - 3_200.0, 0.0]);
        stage.starts = Arc::new((0..count).map(start).collect());
        Arc::make_mut(&mut stage.profiles)[0].pushes = true;
        stage.touches = false;
        let mut world = World::new(&stage, 0);
        let at = |world: &World, i: usize| world.body(&world.entities()[i]).pos.x;
        let (first, last) = (at(&world, 0), at(&world, count - 1));
        let middle = |world: &World| (0..count).map(|i| at(world, i)).sum::<f64>() / count as f64;
        let before = middle(&world);
        // Few pairs make way in the order of their names; many every other one, and then those between.
        let pairs = if count <= 4_000 { vec![(0, 1)] } else { vec![(0, 2), (1, 2)] };
        let mut expected: Vec<f64> = (0..count).map(|i| at(&world, i)).collect();
        for i in pairs.into_iter().flat_map(|(from, step)| (from..count - 1).step_by(step)) {
            let overlap = (2.0 - (expected[i + 1] - expected[i])).max(0.0);
            expected[i] -= 0.5 * overlap;
            expected[i + 1] += 0.5 * overlap;
        }
        world.tick_with(&stage, &Inputs::none(), &mut NativeRules, &Serial);
        for (i, expected) in expected.iter().enumerate() {
            assert!((at(&world, i) - expected).abs() < 1e-6, "{i} of {count}: {} {expected}", at(&world, i));
        }
        for _ in 0..30 {
            world.tick_with(&stage, &Inputs::none(), &mut NativeRules, &Serial);
        }
        // Equal masses yield alike, so that the middle of all stays where it was while the row grows.
        assert!((middle(&world) - before).abs() < 1e-6, "{} of {count}", middle(&world) - before);
        assert!(at(&world, 0) < first - 0.5 && at(&world, count - 1) > last + 0.5);
    }
}
