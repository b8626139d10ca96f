//! In steady state, a tick without scripts allocates nothing.

use glam::{DVec2, dvec2};
use hangtime::{
    geometry::{Collider, polygon},
    level::{CreatedSolid, Level, Path as Way, PathEnd, Rotation, RotationLaw, Solid, SurfaceId, View, Zone, Zones},
    models::{Action, BodyShape, Loadouts, ModelName, ModelTunings},
    playtest::run,
    project::{InputScript, Live, Project, Threads, Track, files::read},
    sim::{
        Command, Decision, Executor, Inputs, Invocation, NativeRules, PlayerInput, Profile, Rules, Scene, ScriptId,
        Stage, Start, Value, World,
    },
    tuning::{SimulationTuning, SurfaceTuning},
};
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

#[test]
fn a_steady_tick_without_scripts_allocates_nothing() {
    let project = Project::load(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("this repository");
    let level = project.find_level("playground").expect("its level");
    let mut revision = project.open(&level, &[]).expect("a good level");
    let stage = &mut revision.stage;
    let starts = Arc::make_mut(&mut stage.starts);
    starts.retain(|start| &*start.name == "hero");
    for profile in Arc::make_mut(&mut stage.profiles) {
        profile.script = None;
    }
    for i in 1..300 {
        let mut hero = starts[0].clone();
        hero.name = format!("hero {i}").into();
        // The heroes start at different places, so their events spread over ticks.
        hero.at.x += f64::from(i);
        starts.push(hero);
    }
    let demo = revision.demo.as_ref().expect("a demo");
    let track: Track = demo.track(stage.hz);
    let inputs: Vec<_> = (0..track.length()).map(|tick| track.at(tick)).collect();
    let mut world = World::new(stage, 0);
    let mut happened = 0;
    // In the first rounds buffers grow to the size they need.
    for input in inputs.iter().chain(&inputs) {
        world.tick(stage, input, &mut NativeRules);
    }
    let counted = allocation_counter::measure(|| {
        for input in &inputs {
            world.tick(stage, input, &mut NativeRules);
            happened += world.events().len();
        }
    });
    assert!(happened > 1000, "{happened} events");
    assert_eq!(counted.count_total, 0, "in {} ticks", inputs.len());
}

#[test]
fn a_steady_tick_on_threads_allocates_nothing_on_any_of_them() {
    allocates_nothing_on_threads(false);
}

#[test]
fn a_steady_crowd_that_pushes_and_touches_on_threads_allocates_nothing_on_any_of_them() {
    allocates_nothing_on_threads(true);
}

/// Plays a crowd on two threads. Its bodies push and touch each other if they `meet`.
fn allocates_nothing_on_threads(meet: bool) {
    let (count, ticks) = (300, 600);
    let mut stage = crowd(View::Side);
    // Entering and leaving zones allocates.
    let mut level = Level::clone(&stage.level);
    level.zones = Zones::new(vec![]);
    stage.level = Arc::new(level);
    for profile in Arc::make_mut(&mut stage.profiles) {
        profile.pushes = meet;
    }
    stage.touches = meet;
    let first = stage.starts.to_vec();
    let start = |i: usize| Start { name: format!("member {i}").into(), ..first[i % first.len()].clone() };
    stage.starts = Arc::new((0..count).map(start).collect());
    let held = [Action::Right].into_iter().collect();
    let inputs = Inputs::of_first(PlayerInput { held, ..PlayerInput::default() });
    let threads = Threads::new(2.try_into().expect("not zero")).expect("threads");
    let mut world = World::new(&stage, 0);
    let counting = Counting { threads: &threads, allocations: AtomicU64::new(0) };
    threads.run(|| {
        let mut play = || {
            for _ in 0..ticks {
                world.tick_with(&stage, &inputs, &mut NativeRules, &counting);
            }
        };
        // In the first three rounds buffers grow to the size they need, and threads allocate what they keep. Bodies that push each
        // other keep gathering for a while.
        play();
        play();
        play();
        counting.allocations.store(0, Ordering::Relaxed);
        let counted = allocation_counter::measure(play);
        // The pieces on this thread are counted twice.
        assert_eq!(counted.count_total, 0, "in {ticks} ticks");
    });
    assert_eq!(counting.allocations.into_inner(), 0, "in pieces");
}

/// Counts the allocations of all pieces.
struct Counting<'a> {
    threads: &'a Threads,
    allocations: AtomicU64,
}

impl Executor for Counting<'_> {
    fn join(&self, left: &mut (dyn FnMut() + Send), right: &mut (dyn FnMut() + Send)) {
        let counted = |work: &mut (dyn FnMut() + Send)| {
            let counted = allocation_counter::measure(work);
            let all = &self.allocations;
            all.fetch_add(counted.count_total, Ordering::Relaxed);
        };
        let mut left = || counted(left);
        self.threads.join(&mut left, &mut || counted(right));
    }

    fn chunk(&self) -> usize {
        8
    }
}

fn boxed(from: (f64, f64), to: (f64, f64)) -> Vec<DVec2> {
    let corners = [from, (to.0, from.1), to, (from.0, to.1)].map(DVec2::from);
    polygon::outline(&corners).expect("a simple polygon")
}

/// Walls, a moving platform, a mill, switchable solids, wind and a conveyor.
fn level(view: View) -> Level {
    let solid = |name: &str, from, to, top| Solid { top, ..Solid::new(name.into(), SurfaceId(0), boxed(from, to)) };
    let sweeper = Solid {
        path: Some(Way::new(vec![DVec2::ZERO, dvec2(300.0, 0.0)], 90.0, PathEnd::PingPong)),
        ..solid("sweeper", (-500.0, 0.0), (-480.0, 30.0), 30.0)
    };
    let mill = Solid {
        rotation: Some(Rotation { pivot: dvec2(-300.0, 90.0), law: RotationLaw::Steady(80.0) }),
        ..solid("mill", (-360.0, 85.0), (-240.0, 95.0), 60.0)
    };
    let present = |there, solid| Solid { present: Some(there), ..solid };
    let hatch = solid("hatch", (-200.0, 0.0), (-160.0, 20.0), 20.0);
    let gate = solid("gate", (200.0, 0.0), (240.0, 300.0), f64::INFINITY);
    let solids = vec![
        present(true, hatch),
        present(false, gate),
        solid("floor", (-2000.0, -100.0), (2000.0, 0.0), f64::INFINITY),
        solid("left", (-600.0, 0.0), (-560.0, 900.0), f64::INFINITY),
        solid("right", (600.0, 0.0), (640.0, 900.0), 80.0),
        sweeper,
        mill,
    ];
    let zone = |name: &str, from, to, wind, conveyor| Zone {
        present: true,
        time_scale: 1.0,
        name: name.into(),
        points: boxed(from, to),
        external_accel: wind,
        gravity_scale: 0.9,
        conveyor,
        surface: Some(SurfaceId(0)),
    };
    let zones = vec![
        zone("wind", (-300.0, -50.0), (0.0, 900.0), dvec2(700.0, 0.0), DVec2::ZERO),
        zone("belt", (-100.0, -50.0), (400.0, 300.0), DVec2::ZERO, dvec2(-60.0, 0.0)),
    ];
    Level { zones: Zones::new(zones), ..Level::new("crowd", view, solids, vec!["stone".into()]) }
}

/// A crowd of all models of a view that push and touch each other.
fn crowd(view: View) -> Stage {
    let models: Vec<ModelName> = ModelName::ALL.iter().filter(|model| model.views().contains(&view)).copied().collect();
    let profile = |model: &ModelName| Profile {
        kind: model.as_str().into(),
        script: None,
        layers: Vec::new(),
        model: *model,
        loadouts: Loadouts::new(ModelTunings::default(), |model| match model {
            ModelName::vessel => BodyShape::of_box(24.0, 16.0),
            _ => Collider::ellipse(10.0, 12.0).into(),
        }),
        pushes: true,
        mass: 1.0,
        carries: Default::default(),
        stances: Default::default(),
        time_scale: 1.0,
        vars: Default::default(),
    };
    let start = |i: usize| Start {
        name: format!("member {i}").into(),
        profile: i % models.len(),
        at: dvec2(-500.0 + 20.0 * i as f64, 20.0 + 13.0 * (i % 7) as f64),
        z: 0.0,
        angle: 0.0,
        velocity: dvec2(if i.is_multiple_of(2) { 200.0 } else { 0.0 }, 0.0),
        player: (i.is_multiple_of(3)).then_some(1),
    };
    Stage::new(
        level(view),
        &SimulationTuning::default(),
        None,
        vec![SurfaceTuning::default()],
        models.iter().map(profile).collect(),
        (0..50).map(start).collect(),
    )
}

/// Creates a solid, and removes one of the level.
struct Rebuilding;

impl Rules for Rebuilding {
    fn decide(&mut self, _scene: &Scene<'_>, _invocations: &mut [Invocation], decisions: &mut [Decision]) {
        let step = CreatedSolid {
            name: "step".into(),
            surface: SurfaceId(0),
            points: boxed((-40.0, 0.0), (40.0, 16.0)),
            one_way: false,
            top: None,
            speed: None,
            removed: false,
        };
        decisions[0].commands.push(Command::CreateSolid(Box::new(step)));
        decisions[0].commands.push(Command::RemoveSolid("left".into()));
    }
}

#[test]
fn zones_touches_and_pushes_allocate_only_when_a_zone_is_entered_or_left() {
    for (view, rebuilt) in [(View::Side, false), (View::Top, false), (View::Side, true)] {
        let mut stage = crowd(view);
        Arc::make_mut(&mut stage.profiles)[0].script = rebuilt.then_some(ScriptId(0));
        let mut world = World::new(&stage, 0);
        if rebuilt {
            world.tick(&stage, &Inputs::none(), &mut Rebuilding);
            assert!(!Arc::ptr_eq(world.level(&stage), &stage.level), "the level is built again");
        }
        let held = |tick: u64| match tick / 40 % 3 {
            0 => [Action::Right].into_iter().collect(),
            1 => [Action::Left, Action::Jump].into_iter().collect(),
            _ => Default::default(),
        };
        let mut play = |ticks: u64| {
            let (mut allocations, mut crossings, mut touches) = (0, 0, 0);
            for _ in 0..ticks {
                let held = held(world.ticks());
                let input = PlayerInput { held, ..PlayerInput::default() };
                let inputs = Inputs::of_first(input);
                let counted = allocation_counter::measure(|| {
                    world.tick(&stage, &inputs, &mut NativeRules);
                });
                let told = |name: &[&str]| {
                    let events = world.events().iter();
                    events.filter(|e| name.contains(&e.kind.name())).count() as u64
                };
                allocations += counted.count_total;
                crossings += told(&["enter", "leave"]);
                touches += told(&["touch"]);
            }
            (allocations, crossings, touches)
        };
        play(1200);
        let (allocations, crossings, touches) = play(1200);
        assert!(touches > 100, "{touches} touches");
        assert!(
            allocations <= crossings,
            "{allocations} allocations, {crossings} crossings, {view:?}, rebuilt: {rebuilt}"
        );
    }
}

/// Bytes in use at most while a terrain is built.
fn bytes_to_build(solids: Vec<Solid>) -> u64 {
    let mut solids = Some(solids);
    let counted = allocation_counter::measure(|| {
        let _ = hangtime::level::Terrain::new(solids.take().expect("once"));
    });
    counted.bytes_max
}

#[test]
fn long_triangles_and_lines_take_memory_by_their_number() {
    let around = |i: u32, count: u32, far: f64| {
        let angle = std::f64::consts::PI * (f64::from(i) + 0.5) / f64::from(count);
        DVec2::from_angle(angle) * far
    };
    let triangle = |i: u32, far: f64| {
        let end = around(i, 20, far);
        let points = polygon::outline(&[-end, end, end + end.perp() / far]).expect("a triangle");
        Solid::new("sliver".into(), SurfaceId(0), points)
    };
    let line = |i: u32, far: f64| {
        let points = [-around(i, 400, far), around(i, 400, far)].map(|p| p + DVec2::Y * f64::from(i));
        let points = polygon::one_way(&points).expect("a line");
        Solid::one_way("line".into(), SurfaceId(0), points)
    };
    for far in [1e3, 16_384.0, 1e6] {
        // Half a million places in the cells of a tree, each with a share of a node, are the most for
        // so few edges, and building takes as much again. There are a few such grids.
        let bytes = bytes_to_build((0..20).map(|i| triangle(i, far)).collect());
        assert!(bytes < 100_000_000, "20 triangles of {far} px take {bytes} bytes");
        let bytes = bytes_to_build((1..400).map(|i| line(i, far)).collect());
        assert!(bytes < 100_000_000, "400 lines of {far} px take {bytes} bytes");
    }
}

#[test]
fn three_thousand_entities_on_one_spot_take_memory_by_their_number() {
    const COUNT: u64 = 3_000;
    for pushes in [false, true] {
        let mut stage = crowd(View::Side);
        for profile in Arc::make_mut(&mut stage.profiles) {
            profile.pushes = pushes;
        }
        let starts = Arc::make_mut(&mut stage.starts);
        let first = starts[0].clone();
        starts.clear();
        starts.extend((0..COUNT).map(|i| Start { name: format!("member {i}").into(), ..first.clone() }));
        let mut world = World::new(&stage, 0);
        let mut most = 0;
        for _ in 0..10 {
            let counted = allocation_counter::measure(|| {
                world.tick(&stage, &Inputs::none(), &mut NativeRules);
            });
            most = most.max(counted.bytes_max);
        }
        // 32 pairs for each entity, two events for each pair, in buffers that double when they grow
        // and a second one to sort them, and a kilobyte for everything else.
        let event = size_of::<hangtime::sim::Event>() as u64;
        let bound = COUNT * (32 * 2 * event * 4 + 1_000);
        assert!(most < bound, "{most} bytes, at most {bound} expected");
    }
}

#[test]
fn the_first_tick_of_a_fork_takes_little_memory_for_each_body() {
    const COUNT: u64 = 1_000;
    let floor = Solid::new("floor".into(), SurfaceId(0), boxed((-100.0, -100.0), (5_000.0, 0.0)));
    let level = Level::new("plain", View::Side, vec![floor], vec!["stone".into()]);
    let loadouts = Loadouts::new(ModelTunings::default(), |_| Collider::ellipse(10.0, 12.0).into());
    let profile = Profile::new("hero", ModelName::platformer, loadouts);
    let start = |i: u64| Start::new(&format!("hero {i}"), 0, dvec2(4.0 * i as f64, 12.0));
    let tuning = SimulationTuning { touches: false, ..SimulationTuning::default() };
    let starts = (0..COUNT).map(start).collect();
    let stage = Stage::new(level, &tuning, None, vec![SurfaceTuning::default()], vec![profile], starts);
    let mut world = World::new(&stage, 0);
    (0..9).for_each(|_| world.tick(&stage, &Inputs::none(), &mut NativeRules));
    let mut fork = world.clone();
    let counted = allocation_counter::measure(|| fork.tick(&stage, &Inputs::none(), &mut NativeRules));
    // What each waits for, and where its results would be.
    let each = counted.bytes_total / COUNT;
    assert!(each < 16, "{each} bytes for each");
}

#[test]
fn a_steady_headless_run_of_an_input_file_allocates_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    write("config/entities/hero.toml", "model = \"platformer\"\n");
    let floor = "points = [[-9000, -50], [9000, -50], [9000, 0], [-9000, 0]]";
    let hero = "kind = \"hero\"\nname = \"hero\"\nat = [0, 19]\nplayer = 1";
    write("levels/flat.toml", &format!("[[solid]]\n{floor}\n[[entity]]\n{hero}\n"));
    let round = "60 right\n30 right jump\n30\n60 left\n30 left jump\n30\n";
    write("walk.input", &round.repeat(4));
    let project = Project::load(folder.path()).expect("a game");
    let level = project.find_level("flat").expect("its level");
    let revision = Arc::new(project.open(&level, &[]).expect("a good level"));
    let input = read(project.folder(), "walk.input").expect("a file");
    let input = InputScript::parse(&input).expect("a good input");
    let track = input.track(revision.stage.hz);
    let mut live = Live::new(revision, 0);
    // In the first rounds buffers grow to the size they need.
    let half = track.length() / 2;
    run(&mut live, &track, half, &mut []).expect("no observer fails");
    let before = live.world().hash();
    let counted = allocation_counter::measure(|| {
        run(&mut live, &track, half, &mut []).expect("no observer fails");
    });
    assert_ne!(live.world().hash(), before);
    assert_eq!(counted.count_total, 0, "in {half} ticks");
}

#[test]
fn a_steady_tick_of_compiled_scripts_that_search_allocates_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { near = 0, all = 0 }\n");
    let script = "fn on_tick(me) {\n    this.near = 0; this.all = 0;\n\
                  for other in world::near(me.x, me.y, 250) { if other.x > me.x { this.near += 1; } }\n\
                  for other in world::all(\"hero\") { if other.x < me.x { this.all += 1; } }\n}\n";
    write("scripts/hero.rhai", script);
    let mut level = String::from("[[solid]]\npoints = [[-9000, -50], [9000, -50], [9000, 0], [-9000, 0]]\n");
    for i in 0..20 {
        level += &format!("[[entity]]\nkind = \"hero\"\nname = \"hero {i}\"\nat = [{}, 19]\n", 100 * i);
    }
    write("levels/flat.toml", &level);
    let project = Project::load(folder.path()).expect("a game");
    let level = project.find_level("flat").expect("its level");
    let mut live = Live::new(Arc::new(project.open(&level, &[]).expect("a good level")), 0);
    let play = |live: &mut Live| {
        for _ in 0..60 {
            live.step(&Inputs::none());
        }
    };
    play(&mut live);
    let counted = allocation_counter::measure(|| play(&mut live));
    // Two of the others are within 250 px to the right, and each entity has those before it to the left.
    for (hero, i) in live.world().entities().iter().zip(0..) {
        let vars = hero.vars.0.to_plain();
        assert_eq!([&vars["near"], &vars["all"]], [&Value::Int(2.min(19 - i)), &Value::Int(i)]);
    }
    assert_eq!(counted.count_total, 0, "in 60 ticks");
}
