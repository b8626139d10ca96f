//! A headless app plays as `hangtime run` does.

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;
use hangtime_bevy::{Body, FrameTime, HangtimeGame, HangtimePlugin, Happened, Player, Reloaded};
use hangtime_core::{
    models::Action,
    sim::{EventKind, Inputs, MOST_PLAYERS},
};
use hangtime_game::{InputScript, Track};
use hangtime_script::SourceFile;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An app with a level, and with players who do nothing yet.
fn app(folder: &Path, level: &str) -> App {
    let mut app = App::new();
    app.add_plugins(HangtimePlugin { clock: false, ..HangtimePlugin::new(folder, level) });
    for number in 1..=MOST_PLAYERS {
        app.world_mut().spawn(Player::new(number));
    }
    app
}

fn hash(app: &mut App) -> u64 {
    app.world_mut().resource_mut::<HangtimeGame>().live().world().hash()
}

fn ticks(app: &mut App) -> u64 {
    app.world_mut().resource_mut::<HangtimeGame>().live().world().ticks()
}

fn frame(app: &mut App, seconds: f64, inputs: &Inputs) {
    app.world_mut().resource_mut::<FrameTime>().0 = seconds;
    let mut players = app.world_mut().query::<&mut Player>();
    for mut player in players.iter_mut(app.world_mut()) {
        player.input = inputs.player(player.number);
    }
    app.update();
}

fn demo(app: &mut App, path: &str) -> Track {
    let text = fs::read_to_string(root().join("levels").join(path)).expect("a demo");
    let file = Arc::new(SourceFile { name: path.into(), text: text.into() });
    let stage = app.world_mut().resource_mut::<HangtimeGame>().live().revision().stage.clone();
    InputScript::parse_with(&file, &stage.actions).expect("a demo").track(stage.hz)
}

/// What `hangtime run` says about a level with its demo: ticks and hash.
fn golden(level: &str) -> (u64, u64) {
    let goldens = fs::read_to_string(root().join("tests/goldens.txt")).expect("goldens");
    let line = goldens
        .lines()
        .find_map(|line| line.strip_prefix(&format!("levels/{level}.toml ")))
        .expect("a level");
    let (ticks, hash) = line.split_once(' ').expect("ticks and a hash");
    (ticks.parse().expect("a number"), u64::from_str_radix(hash, 16).expect("a hash"))
}

#[test]
fn levels_end_as_with_hangtime_run() {
    for level in ["playground", "courtyard", "landing", "gallery", "together"] {
        let mut app = app(&root(), level);
        let (ticks, golden) = golden(level);
        let demo = demo(&mut app, &format!("{level}.input"));
        for tick in 0..ticks {
            frame(&mut app, 1.0 / 60.0, demo.get(tick).unwrap_or(&Inputs::none()));
        }
        assert_eq!(format!("{:016x}", hash(&mut app)), format!("{golden:016x}"), "{level}");
    }
}

#[test]
fn the_rate_of_frames_changes_only_what_is_shown() {
    let right = held(Action::Right);
    let mut hashes = Vec::new();
    for fps in [30.0, 60.0, 144.0, 1000.0] {
        let mut app = app(&root(), "playground");
        while ticks(&mut app) < 48 {
            frame(&mut app, 1.0 / fps, &right);
        }
        assert_eq!(ticks(&mut app), 48, "{fps} frames a second");
        hashes.push(hash(&mut app));
        // A quarter of a tick later, the picture is a quarter of the way between the last two ticks.
        let mut shown = app.world_mut().query::<(&Body, &Transform)>();
        let hero = |app: &mut App, shown: &mut QueryState<(&Body, &Transform)>| {
            let (body, transform) = shown.iter(app.world()).find(|(body, _)| &*body.name == "hero").expect("a hero");
            (body.pos.x, body.vel.x, f64::from(transform.translation.x))
        };
        let (x, speed, before) = hero(&mut app, &mut shown);
        frame(&mut app, 0.25 / 60.0, &right);
        let (_, _, after) = hero(&mut app, &mut shown);
        assert!(ticks(&mut app) == 48 && speed > 0.0 && before <= x, "{fps}");
        assert!((after - before - speed * 0.25 / 60.0).abs() < 0.01, "{fps}: {before} {after} {speed}");
    }
    assert!(hashes.windows(2).all(|pair| pair[0] == pair[1]), "{hashes:x?}");
}

#[test]
fn entities_of_the_level_are_entities_of_bevy() {
    let mut app = app(&root(), "tests/gallery/turret");
    let mut bodies = app.world_mut().query::<&Body>();
    let mut counts = Vec::new();
    for _ in 0..600 {
        frame(&mut app, 1.0 / 60.0, &Inputs::none());
        let mut shown: Vec<_> = bodies.iter(app.world()).map(|body| (body.id, body.pos)).collect();
        shown.sort_by_key(|(id, _)| *id);
        let mut game = app.world_mut().resource_mut::<HangtimeGame>();
        let world = game.live().world();
        let expected: Vec<_> = world.entities().iter().map(|entity| (entity.id, world.body(entity).pos)).collect();
        assert_eq!(shown, expected);
        counts.push(shown.len());
    }
    let (least, most) = (counts.iter().min(), counts.iter().max());
    assert!(least < most, "nothing was created in this level");
}

#[test]
fn a_world_that_is_put_back_has_its_entities_again() {
    let mut app = app(&root(), "tests/gallery/turret");
    let mut bodies = app.world_mut().query::<&Body>();
    let mut kept = Vec::new();
    let mut counts = Vec::new();
    for number in 0..600 {
        frame(&mut app, 1.0 / 60.0, &Inputs::none());
        let mut game = app.world_mut().resource_mut::<HangtimeGame>();
        if number < 400 && number % 20 == 0 {
            kept.push(game.live().world().clone());
        }
        // Earlier and later ones by turns, so that their numbers of entities are often equal.
        if number >= 400 {
            let world = kept[number * 7 % kept.len()].clone();
            game.live().restore(world);
            frame(&mut app, [0.0, 1.0 / 60.0][number % 2], &Inputs::none());
        }
        let mut shown: Vec<_> = bodies.iter(app.world()).map(|body| body.id).collect();
        shown.sort();
        let mut game = app.world_mut().resource_mut::<HangtimeGame>();
        let expected: Vec<_> = game.live().world().entities().iter().map(|entity| entity.id).collect();
        assert_eq!(shown, expected, "frame {number}");
        counts.push(shown.len());
    }
    assert!(counts.iter().max() > counts.iter().min(), "shots come and go");
}

#[test]
fn presses_between_two_ticks_and_events_arrive_once() {
    let mut app = app(&root(), "playground");
    let mut press = Inputs::none();
    press.player_mut(1).pressed.insert(Action::Jump);
    let mut jumps = 0;
    for i in 0..240 {
        // Four frames for each tick; the key is down for one frame of the 30th tick.
        match i {
            117 => frame(&mut app, 0.25 / 60.0, &press),
            _ => {
                app.world_mut().resource_mut::<FrameTime>().0 = 0.25 / 60.0;
                app.update();
            }
        }
        let mut messages = app.world_mut().resource_mut::<Messages<Happened>>();
        jumps += messages.drain().filter(|Happened(event)| matches!(event.kind, EventKind::Jump)).count();
    }
    assert_eq!((jumps, ticks(&mut app)), (1, 60));
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

/// What becomes of an edit.
fn wait(app: &mut App, what: &str) -> Reloaded {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        assert!(Instant::now() < deadline, "{what} has not arrived");
        frame(app, 1.0 / 60.0, &Inputs::none());
        let mut messages = app.world_mut().resource_mut::<Messages<Reloaded>>();
        if let Some(reloaded) = messages.drain().next() {
            return reloaded;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn held(action: Action) -> Inputs {
    let mut inputs = Inputs::none();
    inputs.player_mut(1).held.insert(action);
    inputs
}

/// The names and kinds of what is shown.
fn shown(app: &mut App) -> Vec<String> {
    let mut bodies = app.world_mut().query::<&Body>();
    let mut names: Vec<_> = bodies.iter(app.world()).map(|body| format!("{} {}", body.name, body.kind)).collect();
    names.sort();
    names
}

#[test]
fn an_edit_changes_the_running_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| write(folder.path(), name, text);
    let kind = |speed: &str| {
        format!("model = \"platformer\"\nbody = {{ ellipse = [10, 19] }}\n[platformer]\njump_speed = {speed}\n")
    };
    write("config/entities/hero.toml", &kind("500"));
    write(
        "levels/yard.toml",
        "[[solid]]\npoints = [[-99, -9], [99, -9], [99, 0], [-99, 0]]\n\
         [[entity]]\nkind = \"hero\"\nname = \"hero\"\nat = [0, 19]\nplayer = 1\n",
    );
    let mut app = app(folder.path(), "yard");
    frame(&mut app, 1.0 / 60.0, &Inputs::none());
    write("config/entities/hero.toml", &kind("\"high\""));
    let broken = wait(&mut app, "the mistake");
    assert!(matches!(&broken, Reloaded::Mistakes(text) if text.contains("hero.toml:4")), "{broken:?}");
    let before = ticks(&mut app);
    write("config/entities/hero.toml", &kind("700"));
    let mended = wait(&mut app, "the edit");
    assert!(matches!(&mended, Reloaded::Files(files) if *files == ["config/entities/hero.toml"]), "{mended:?}");
    assert!(ticks(&mut app) > before);
    // The jump has the new speed.
    frame(&mut app, 1.0 / 60.0, &held(Action::Jump));
    let mut bodies = app.world_mut().query::<&Body>();
    let body = bodies.single(app.world()).expect("a hero");
    assert!(body.vel.y > 550.0, "{}", body.vel.y);
}

#[test]
fn an_edit_after_a_change_of_level_is_of_the_level_that_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| write(folder.path(), name, text);
    for (kind, other) in [("hero", "cave"), ("bat", "yard")] {
        write(
            &format!("config/entities/{kind}.toml"),
            &format!("model = \"platformer\"\nbody = {{ ellipse = [10, 19] }}\nscript = \"{kind}.rhai\"\n"),
        );
        write(
            &format!("scripts/{kind}.rhai"),
            &format!("fn on_tick(me) {{ if me.pressed(\"jump\") {{ world::play_level(\"{other}\"); }} }}\n"),
        );
    }
    let entity = |kind: &str, name: &str, x: i32| {
        format!("[[entity]]\nkind = \"{kind}\"\nname = \"{name}\"\nat = [{x}, 19]\nplayer = 1\n")
    };
    let floor = "[[solid]]\npoints = [[-99, -9], [99, -9], [99, 0], [-99, 0]]\n";
    write("levels/yard.toml", &format!("{floor}{}", entity("hero", "hero", 0)));
    write("levels/cave.toml", &format!("{floor}{}", entity("bat", "bat", 0)));
    let mut app = app(folder.path(), "yard");
    let play_other = |app: &mut App| {
        for inputs in [Inputs::none(), held(Action::Jump), Inputs::none()] {
            frame(app, 1.0 / 60.0, &inputs);
        }
        shown(app)
    };
    assert_eq!(play_other(&mut app), ["bat bat"], "an entity of one level is shown as one of another with the same id");

    write("levels/cave.toml", &format!("{floor}{}{}", entity("bat", "bat", 0), entity("bat", "late", 50)));
    let edit = wait(&mut app, "the edit");
    assert!(matches!(&edit, Reloaded::Files(files) if *files == ["levels/cave.toml"]), "{edit:?}");
    let level = app.world_mut().resource_mut::<HangtimeGame>().live().revision().stage.level.name.clone();
    assert_eq!(&*level, "levels/cave.toml");
    // There and back: the level is played as its file is now.
    assert_eq!(play_other(&mut app), ["hero hero"]);
    assert_eq!(play_other(&mut app), ["bat bat", "late bat"]);
}

#[test]
fn a_body_that_has_no_angle_again_is_shown_upright() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "config/entities/ship.toml", "model = \"vessel\"\nbody = { ellipse = [10, 10] }\n");
    write(folder.path(), "levels/sky.toml", "[[entity]]\nkind = \"ship\"\nname = \"ship\"\nat = [0, 0]\nplayer = 1\n");
    let mut app = app(folder.path(), "sky");
    let drawn = |app: &mut App| {
        let mut bodies = app.world_mut().query::<(&Body, &Transform)>();
        let (body, transform) = bodies.single(app.world()).expect("a ship");
        (body.angle, transform.rotation)
    };
    frame(&mut app, 1.0 / 60.0, &Inputs::none());
    let (angle, upright) = drawn(&mut app);
    assert_eq!(angle, 0.0);
    let before = app.world_mut().resource_mut::<HangtimeGame>().live().world().clone();
    for _ in 0..30 {
        frame(&mut app, 1.0 / 60.0, &held(Action::Left));
    }
    let (angle, turned) = drawn(&mut app);
    assert!(angle != 0.0 && turned != upright, "{angle}");
    app.world_mut().resource_mut::<HangtimeGame>().live().restore(before);
    for _ in 0..2 {
        frame(&mut app, 1.0 / 60.0, &Inputs::none());
    }
    assert_eq!(drawn(&mut app), (0.0, upright));
}

#[test]
fn a_teleported_body_is_not_shown_on_its_way() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "config/entities/lamp.toml", "model = \"ballistic\"\nbody = { ellipse = [5, 5] }\n");
    write(folder.path(), "levels/sky.toml", "[[entity]]\nkind = \"lamp\"\nname = \"lamp\"\nat = [0, 0]\n");
    for (to, shown_at) in [(1000.0, 1000.0), (100.0, 25.0)] {
        let mut app = app(folder.path(), "sky");
        frame(&mut app, 1.0 / 60.0, &Inputs::none());
        let mut bodies = app.world_mut().query::<(&Body, &Transform)>();
        let id = bodies.single(app.world()).expect("a lamp").0.id;
        let mut game = app.world_mut().resource_mut::<HangtimeGame>();
        assert!(game.live().place(id, hangtime_core::glam::DVec2::new(to, 0.0)));
        frame(&mut app, 1.25 / 60.0, &Inputs::none());
        let (body, transform) = bodies.single(app.world()).expect("a lamp");
        assert_eq!((body.pos.x, transform.translation.x), (to, shown_at));
    }
}
