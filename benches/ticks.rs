//! Ticks per second: `cargo bench --bench ticks`.
//!
//! Plays the playground's demo from start to end. One *item* is one tick of the whole
//! level; rows with many heroes have that many on the same ground. On flat ground an item is one
//! tick of one entity, so the time per item is the inverse of the throughput.

use divan::{Bencher, counter::ItemsCount};
use glam::{DVec2, dvec2};
use hangtime::{
    geometry::{Collider, ColliderForm, polygon},
    level::{Carries, Level, Solid, SurfaceId, View},
    models::{Action, BodyShape, Loadout, Loadouts, ModelName, ModelTunings},
    project::{Live, Project, Revision, Threads},
    script::host::STACK,
    sim::{
        Anchor, Command, Decision, EntityId, Executor, Inputs, Invocation, Joint, JointEnd, NativeRules, PlayerInput,
        Profile, Rules, Scene, ScriptId, Serial, Stage, Start, World,
    },
    tuning::{SimulationTuning, SurfaceTuning},
};
use std::{path::Path, sync::Arc};

fn main() {
    // Scripts need a large stack.
    let bench = std::thread::Builder::new().stack_size(STACK).spawn(divan::main);
    bench.expect("a thread").join().expect("the benches run");
}

/// The playground with `heroes` heroes and no other entities.
fn revision(heroes: usize) -> Arc<Revision> {
    let project = Project::load(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("this repository");
    let level = project.find_level("playground").expect("its level");
    let mut revision = project.open(&level, &[]).expect("a good level");
    let starts = Arc::make_mut(&mut revision.stage.starts);
    starts.retain(|start| &*start.name == "hero");
    for i in 1..heroes {
        let mut hero = starts[0].clone();
        hero.name = format!("hero {i}").into();
        starts.push(hero);
    }
    // All heroes are in one place, where each would touch all others.
    revision.stage.touches = false;
    Arc::new(revision)
}

/// Plays the demo from start to end.
fn play_demo<T>(
    bencher: Bencher<'_, '_>,
    revision: &Revision,
    fresh: impl Fn() -> T + Sync,
    tick: impl Fn(&mut T, &Inputs) + Sync,
) {
    let track = revision.demo.as_ref().expect("a demo").track(revision.stage.hz);
    let inputs: Vec<_> = (0..track.length()).map(|tick| track.at(tick)).collect();
    bencher
        .counter(ItemsCount::new(inputs.len()))
        .with_inputs(fresh)
        .bench_local_refs(|played| inputs.iter().for_each(|input| tick(played, input)));
}

/// The same with native rules.
fn play_natively(bencher: Bencher<'_, '_>, revision: &Revision, stage: &Stage) {
    let tick = |world: &mut World, input: &Inputs| world.tick(stage, input, &mut NativeRules);
    play_demo(bencher, revision, || World::new(stage, 0), tick);
}

#[divan::bench(args = [1, 1000], sample_count = 40, max_time = 10)]
fn native_rules(bencher: Bencher<'_, '_>, heroes: usize) {
    let revision = revision(heroes);
    play_natively(bencher, &revision, &revision.stage);
}

#[divan::bench(args = [1, 1000], sample_count = 40, max_time = 10)]
fn with_the_heros_script(bencher: Bencher<'_, '_>, heroes: usize) {
    let revision = revision(heroes);
    let tick = |live: &mut Live, input: &Inputs| {
        live.step(input);
    };
    play_demo(bencher, &revision, || Live::new(revision.clone(), 0), tick);
}

#[divan::bench(sample_count = 40)]
fn hash_of_1000_heroes(bencher: Bencher<'_, '_>) {
    let revision = revision(1000);
    let world = World::new(&revision.stage, 0);
    bencher.bench(|| world.hash());
}

#[divan::bench(sample_count = 40)]
fn snapshot_of_1000_heroes(bencher: Bencher<'_, '_>) {
    let revision = revision(1000);
    let world = World::new(&revision.stage, 0);
    bencher.bench(|| world.clone());
}

/// The same heroes in each model, with native rules.
#[divan::bench(args = ["platformer", "two_velocity"], sample_count = 20, max_time = 5)]
fn a_model_with_100_heroes(bencher: Bencher<'_, '_>, model: &str) {
    let revision = revision(100);
    let mut stage = revision.stage.clone();
    for profile in Arc::make_mut(&mut stage.profiles) {
        profile.script = None;
        profile.model = ModelName::parse(model).expect("a model");
    }
    play_natively(bencher, &revision, &stage);
}

/// A thousand heroes of each form on the playground's slopes, ledges and platforms, with native rules.
#[divan::bench(args = ["ellipse", "box", "capsule"], sample_count = 40, max_time = 10)]
fn a_form_of_1000_heroes(bencher: Bencher<'_, '_>, form: &str) {
    let form = match form {
        "box" => ColliderForm::Box,
        "capsule" => ColliderForm::Capsule,
        _ => ColliderForm::Ellipse,
    };
    let revision = revision(1000);
    let mut stage = revision.stage.clone();
    for profile in Arc::make_mut(&mut stage.profiles) {
        profile.script = None;
        profile.model = ModelName::platformer;
        let loadout = &mut profile.loadouts.platformer;
        let shape = Collider::new(form, loadout.shape.half);
        *loadout = Loadout::new(loadout.tuning.clone(), &BodyShape::from(shape));
    }
    // As a level does for the bodies of its kinds.
    let shape = stage.profiles[0].loadouts.platformer.shape;
    stage.level.terrain.expect(shape);
    play_natively(bencher, &revision, &stage);
}

/// The players of a large crowd: each has every eighth entity and jumps at another time.
const GROUPS: u8 = 8;

/// The entities of a large crowd, and the ticks of a run with them.
const LARGE_CROWD: u32 = 10_000;
const CROWD_TICKS: u64 = 60;

/// Ten thousand platformers that run and jump on flat ground. An item is one tick of one entity.
#[divan::bench(args = [1, 2], sample_count = 40, max_time = 10)]
fn ten_thousand_on_threads(bencher: Bencher<'_, '_>, count: usize) {
    play_on_threads(bencher, &large_row(), count);
}

/// The same, of bodies that push and touch each other: the same row, and a field in a top view. An item is one tick of one
/// entity.
#[divan::bench(args = ["row, 1", "row, 2", "field, 1", "field, 2"], sample_count = 40, max_time = 20)]
fn ten_thousand_that_push_and_touch(bencher: Bencher<'_, '_>, name: &str) {
    let (place, count) = name.split_once(", ").expect("a place and threads");
    let mut stage = if place == "row" { large_row() } else { large_field() };
    stage.touches = true;
    for profile in Arc::make_mut(&mut stage.profiles) {
        profile.pushes = true;
    }
    play_on_threads(bencher, &stage, count.parse().expect("a number"));
}

/// A row on flat ground, in which each body is in front of ten others.
fn large_row() -> Stage {
    let (stage, _) = row("platformer");
    large_crowd(stage, |i| dvec2(2.0 * f64::from(i), 0.0))
}

/// Rows of a hundred in a top view, in which each body overlaps the next ones a little.
fn large_field() -> Stage {
    let (stage, _) = row("topdown");
    large_crowd(stage, |i| dvec2(18.0 * f64::from(i % 100), 34.0 * f64::from(i / 100)))
}

fn large_crowd(mut stage: Stage, offset: impl Fn(u32) -> DVec2) -> Stage {
    let first = stage.starts[0].clone();
    let start = |i: u32| Start {
        name: format!("hero {i}").into(),
        at: first.at + offset(i),
        player: Some(1 + (i % u32::from(GROUPS)) as u8),
        ..first.clone()
    };
    stage.starts = Arc::new((0..LARGE_CROWD).map(start).collect());
    stage
}

/// Plays a crowd whose groups turn back and jump at different times.
fn play_on_threads(bencher: Bencher<'_, '_>, stage: &Stage, count: usize) {
    let inputs = |tick: u64| {
        let mut inputs = Inputs::none();
        for player in 1..=GROUPS {
            let phase = tick + 7 * u64::from(player);
            let side = if (phase / 50).is_multiple_of(2) { Action::Right } else { Action::Left };
            inputs.player_mut(player).held.insert(side);
            if phase % 45 < 10 {
                inputs.player_mut(player).held.insert(Action::Jump);
            }
        }
        inputs
    };
    let inputs: Vec<Inputs> = (0..CROWD_TICKS).map(inputs).collect();
    let threads = Threads::new(count.try_into().expect("a thread")).expect("threads");
    let executor: &dyn Executor = if count == 1 { &Serial } else { &threads };
    let play = |world: &mut World| {
        threads.run(|| {
            for inputs in &inputs {
                world.tick_with(stage, inputs, &mut NativeRules, executor);
            }
        });
    };
    let fresh = || {
        let mut world = World::new(stage, 0);
        play(&mut world);
        world
    };
    bencher
        .counter(ItemsCount::new(CROWD_TICKS * u64::from(LARGE_CROWD)))
        .with_inputs(fresh)
        .bench_local_refs(play);
}

/// Entities on flat ground.
const CROWD: u32 = 1000;

/// The ticks per run on flat ground.
const TICKS: u32 = 300;

/// A crowd of one model side by side on flat ground.
fn flat(model: ModelName, view: View, tunings: ModelTunings, figure: BodyShape, start: &Start) -> Stage {
    let corners = [dvec2(-16_000.0, -100.0), dvec2(16_000.0, -100.0), dvec2(16_000.0, 0.0), dvec2(-16_000.0, 0.0)];
    let floor = polygon::outline(&corners).expect("a simple polygon");
    let solids = match view {
        View::Side => vec![Solid::new("floor".into(), SurfaceId(0), floor)],
        View::Top => vec![],
    };
    let profile = Profile::new("hero", model, Loadouts::new(tunings, |_| figure.clone()));
    let starts = (0..CROWD).map(|i| Start {
        name: format!("hero {i}").into(),
        at: start.at + dvec2(30.0 * (f64::from(i) - 500.0), 0.0),
        ..start.clone()
    });
    let simulation = SimulationTuning { touches: false, ..SimulationTuning::default() };
    Stage::new(
        Level::new("flat", view, solids, vec!["stone".into()]),
        &simulation,
        None,
        vec![SurfaceTuning::default()],
        vec![profile],
        starts.collect(),
    )
}

/// The stage and the held key of a row in the table below.
fn row(name: &str) -> (Stage, Option<Action>) {
    let at = |y: f64| Start { player: Some(1), ..Start::new("hero", 0, (0.0, y)) };
    let still = ModelTunings::default;
    let body = || BodyShape::from(Collider::ellipse(10.0, 19.0));
    let (ground, right) = (at(19.0), Some(Action::Right));
    let walker = |model, view| flat(model, view, still(), body(), &ground);
    match name {
        "platformer" => (walker(ModelName::platformer, View::Side), right),
        "topdown" => (walker(ModelName::topdown, View::Top), right),
        "topdown, with touches" => {
            let mut stage = walker(ModelName::topdown, View::Top);
            stage.touches = true;
            (stage, right)
        }
        "topdown, side" => (walker(ModelName::topdown, View::Side), right),
        "two_velocity" => (walker(ModelName::two_velocity, View::Side), right),
        "two_velocity, top" => (walker(ModelName::two_velocity, View::Top), right),
        "ballistic" => {
            // They land after 6.5 s.
            let thrown = Start { velocity: dvec2(0.0, 12_000.0), ..ground };
            let figure = body();
            (flat(ModelName::ballistic, View::Side, still(), figure, &thrown), None)
        }
        "vessel, sliding" => {
            let mut tunings = still();
            tunings.vessel.friction = 0.0;
            tunings.vessel.friction_cap = 0.0;
            let pushed = Start { velocity: dvec2(100.0, 0.0), ..at(8.0) };
            let figure = BodyShape::of_box(24.0, 16.0);
            (flat(ModelName::vessel, View::Side, tunings, figure, &pushed), None)
        }
        _ => {
            let figure = BodyShape::of_box(24.0, 16.0);
            (flat(ModelName::vessel, View::Side, still(), figure, &at(8.0)), None)
        }
    }
}

/// A thousand entities of each model on flat ground. An item is one tick of one entity.
#[divan::bench(
    args = [
        "platformer",
        "topdown",
        "topdown, with touches",
        "topdown, side",
        "two_velocity",
        "two_velocity, top",
        "ballistic",
        "vessel, sliding",
        "vessel, at rest",
    ],
    sample_count = 20,
    max_time = 5
)]
fn on_flat_ground(bencher: Bencher<'_, '_>, name: &str) {
    let (stage, key) = row(name);
    let held = key.into_iter().collect();
    let inputs = Inputs::of_first(PlayerInput { held, ..PlayerInput::default() });
    let fresh = || {
        let mut world = World::new(&stage, 0);
        // Let them accelerate or come to rest first.
        for _ in 0..60 {
            world.tick(&stage, &inputs, &mut NativeRules);
        }
        world
    };
    bencher
        .counter(ItemsCount::new(TICKS * CROWD))
        .with_inputs(fresh)
        .bench_local_refs(|world| {
            for _ in 0..TICKS {
                world.tick(&stage, &inputs, &mut NativeRules);
            }
        });
}

/// The rows of a crowd of crates.
const ROWS: u32 = 10;

/// A thousand crates that carry each other, in stacks of ten: at rest, and while those at the bottom walk. An item is one
/// tick of all of them.
#[divan::bench(args = ["at rest", "walking"], sample_count = 20, max_time = 10)]
fn a_thousand_crates(bencher: Bencher<'_, '_>, name: &str) {
    let crate_of_20 = BodyShape::of_box(20.0, 20.0);
    let first = Start::new("crate", 0, (0.0, 10.0));
    let mut stage = flat(ModelName::two_velocity, View::Side, ModelTunings::default(), crate_of_20, &first);
    Arc::make_mut(&mut stage.profiles)[0].carries = Carries::All;
    for (i, start) in (0..).zip(Arc::make_mut(&mut stage.starts)) {
        start.at = dvec2(30.0 * f64::from(i / ROWS), 10.0 + 20.0 * f64::from(i % ROWS));
        start.player = (name == "walking" && i % ROWS == 0).then_some(1);
    }
    stage.touches = true;
    let held = [Action::Right].into_iter().collect();
    let inputs = Inputs::of_first(PlayerInput { held, ..PlayerInput::default() });
    let tick = |world: &mut World| world.tick(&stage, &inputs, &mut NativeRules);
    let fresh = || {
        let mut world = World::new(&stage, 0);
        (0..60).for_each(|_| tick(&mut world));
        world
    };
    bencher.counter(ItemsCount::new(TICKS)).with_inputs(fresh).bench_local_refs(|world| {
        (0..TICKS).for_each(|_| tick(world));
    });
}

/// The ropes of the row below.
const ROPES: usize = 200;

/// How many lamps hang in a chain.
const CHAIN: usize = 10;

/// The length of a rope, px.
const ROPE: f64 = 12.0;

/// Ropes that are joined in the first tick.
struct Hanging(Vec<Joint>);

impl Rules for Hanging {
    fn decide(&mut self, _scene: &Scene<'_>, _invocations: &mut [Invocation], decisions: &mut [Decision]) {
        let joints = self.0.drain(..).map(|joint| Command::Join(Box::new(joint)));
        decisions[0].commands.extend(joints);
    }
}

/// Two hundred lamps that swing on ropes: each at its point, or ten in a chain. An item is one tick of all of them.
#[divan::bench(args = ["alone", "in chains"], sample_count = 20, max_time = 10)]
fn two_hundred_ropes(bencher: Bencher<'_, '_>, name: &str) {
    let chain = if name == "in chains" { CHAIN } else { 1 };
    let first = Start::new("lamp", 0, (0.0, 1000.0));
    let lamp = Collider::ellipse(4.0, 4.0).into();
    let mut stage = flat(ModelName::ballistic, View::Side, ModelTunings::default(), lamp, &first);
    Arc::make_mut(&mut stage.profiles)[0].script = Some(ScriptId(0));
    let starts = Arc::make_mut(&mut stage.starts);
    starts.truncate(ROPES);
    let mut ropes = vec![];
    for i in 0..ROPES {
        let point = dvec2(200.0 * (i / chain) as f64 - 15_000.0, 1000.0);
        // They begin level with their point.
        starts[i].at = point + ROPE * (i % chain + 1) as f64 * DVec2::X;
        let level = JointEnd { on: Anchor::Level, name: "".into(), at: point };
        let lamp =
            |i: usize| JointEnd { on: Anchor::Entity(EntityId(0)), name: starts[i].name.clone(), at: DVec2::ZERO };
        let above = if i % chain == 0 { level } else { lamp(i - 1) };
        let (id, ends) = (i as u32 + 1, [above, lamp(i)]);
        let rope =
            Joint { id, ends, length: ROPE, spring: None, strength: None, reel: None, tension: 0.0, hook: false };
        ropes.push(rope);
    }
    let fresh = || {
        let mut world = World::new(&stage, 0);
        world.tick(&stage, &Inputs::none(), &mut Hanging(ropes.clone()));
        assert_eq!(world.joints().iter().count(), ROPES);
        world
    };
    bencher.counter(ItemsCount::new(TICKS)).with_inputs(fresh).bench_local_refs(|world| {
        (0..TICKS).for_each(|_| world.tick(&stage, &Inputs::none(), &mut NativeRules));
    });
}
