//! Saved worlds from strangers: each is refused with the name of a field, or can be played.

use crate::chaos::{chaos, keys};
use crate::folder::on_large_stack;
use crate::mutator::{Dice, mutate, paths};
use crate::support::Ground;
use hangtime::project::{Live, Project, Revision};
use hangtime::sim::{Inputs, MOST_TICKS, PlayerInput, SavedWorld, World};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

/// How many changed worlds are tried; `HANGTIME_SAVES=N` tries N.
const CASES: usize = 1500;

/// How many ticks each is played if it can be.
const TICKS: u64 = 60;

/// Levels with the models, hooks, platforms, switches, zones and flights that a world can hold.
const LEVELS: [&str; 8] = [
    "playground",
    "swing",
    "shaft",
    "ferry",
    "hoppers",
    "courtyard",
    "rink",
    "landing",
];

/// A level and worlds that were saved in it.
#[derive(Clone)]
struct Saved {
    name: &'static str,
    revision: Arc<Revision>,
    /// With the paths to all of their values.
    worlds: Vec<(Value, Vec<String>)>,
}

fn saved_world(live: &Live) -> (Value, Vec<String>) {
    let saved = serde_json::to_value(live.world()).expect("it is saved");
    let paths = paths(&saved);
    (saved, paths)
}

/// Random games: their worlds hold overrides, timers, spawned entities, hooks and flights.
fn saved_in_chaos(seed: u64) -> Saved {
    let mut dice = Dice::new(seed);
    let (folder, name) = chaos(&mut dice);
    let revision = Arc::new(folder.open().expect("a good level"));
    let mut live = Live::new(revision.clone(), seed);
    let mut input = PlayerInput::default();
    let mut worlds = Vec::new();
    for tick in 0..150 {
        keys(&mut input, &mut dice);
        live.step(&Inputs::of_first(input));
        if tick % 37 == 36 {
            worlds.push(saved_world(&live));
        }
    }
    Saved {
        name,
        revision,
        worlds,
    }
}

fn saved_in(name: &'static str) -> Saved {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let project = Project::load(root).expect("this repository is there");
    let level = project.find_level(name).expect("its level is there");
    let revision = Arc::new(project.open(&level, &[]).expect("a good level"));
    let mut live = Live::new(revision.clone(), 0);
    let track = revision
        .demo
        .as_ref()
        .map(|demo| demo.track(revision.stage.hz));
    let track = track.unwrap_or_default();
    let mut worlds = Vec::new();
    for tick in 0..300 {
        if tick % 37 == 0 {
            worlds.push(saved_world(&live));
        }
        live.step(&track.at(tick));
    }
    Saved {
        name,
        revision,
        worlds,
    }
}

/// Loads a changed world and plays it. Returns whether it could be loaded.
fn play(revision: &Arc<Revision>, world: Value) -> bool {
    let Ok(saved) = serde_json::from_value::<SavedWorld>(world) else {
        return false;
    };
    let mut live = Live::new(revision.clone(), 0);
    match live.load(saved) {
        Err(error) => {
            assert!(
                !error.field.is_empty() && !error.problem.is_empty(),
                "{error}"
            );
            false
        }
        Ok(()) => {
            assert_eq!(live.views().count(), live.world().entities().len());
            for tick in 0..TICKS {
                live.step(&Inputs::none());
                if tick % 20 == 0 {
                    let saved = serde_json::to_string(live.world()).expect("it is saved");
                    let saved: SavedWorld = serde_json::from_str(&saved).expect("it is loaded");
                    let world = saved.check(&live.revision().stage).expect("it plays on");
                    assert_eq!(world.hash(), live.world().hash());
                }
            }
            true
        }
    }
}

#[test]
fn changed_saved_worlds_are_refused_or_played() {
    on_large_stack(|| {
        let mut levels = LEVELS.map(saved_in).to_vec();
        levels.extend((0..4).map(saved_in_chaos));
        let cases = std::env::var("HANGTIME_SAVES").ok();
        let cases = cases.map_or(CASES, |n| n.parse().expect("HANGTIME_SAVES is a number"));
        let (mut loaded, mut failed) = (0, vec![]);
        for case in 0..cases {
            let mut dice = Dice::new(case as u64);
            let Saved {
                name,
                revision,
                worlds,
            } = dice.of(&levels);
            let (world, paths) = dice.of(worlds);
            let mut world = world.clone();
            let changes: Vec<String> = (0..=dice.below(3))
                .map(|_| mutate(&mut world, paths, &mut dice))
                .collect();
            let played = catch_unwind(AssertUnwindSafe(|| play(revision, world)));
            match played {
                Ok(played) => loaded += usize::from(played),
                Err(_) => failed.push(format!("case {case}: {name}: {changes:?}")),
            }
        }
        println!(
            "figures {{\"worlds\":{cases},\"loaded\":{loaded},\"panics\":{}}}",
            failed.len()
        );
        assert!(failed.is_empty(), "{}", failed.join("\n"));
        // Both happen: a check that refused everything would prove nothing.
        assert!(
            loaded > cases / 20 && loaded < cases,
            "{loaded} of {cases} were loaded"
        );
    });
}

/// A saved world of one hero on a floor, with one field changed.
fn refused(path: &str, value: Value) -> String {
    let ground = Ground::floor(60);
    let mut play = ground.play();
    play.run(0.5);
    let mut saved = serde_json::to_value(&play.world).expect("it is saved");
    *saved
        .pointer_mut(path)
        .unwrap_or_else(|| panic!("{path} is there")) = value;
    let saved: SavedWorld = serde_json::from_value(saved).expect("it has all fields");
    saved
        .check(&play.stage)
        .expect_err("it is refused")
        .to_string()
}

/// A changed field, its new value, and the field that the error names.
type Row = (&'static str, Value, &'static str);

/// Fields of the world.
fn world_rows() -> Vec<Row> {
    let early = json!([{"due": 5, "entity": 1, "name": "x"}]);
    let stray = json!([{"due": 500, "entity": 4, "name": "x"}]);
    let movers = "population.lanes.platformer.movers";
    vec![
        ("/tick", json!(u64::MAX), "tick"),
        ("/tick", json!(MOST_TICKS + 1), "tick"),
        ("/surface_keys/0", json!(5), "surface_keys"),
        ("/population/next_id", json!(1), "population.entities[0].id"),
        ("/population/entities", json!([]), movers),
        (
            "/population/removed_starts",
            json!(["x"]),
            "population.removed_starts",
        ),
        ("/level/has_script", json!(true), "level.has_script"),
        ("/switches/absent", json!([0]), "switches.absent"),
        ("/switches/key", json!(8), "switches.key"),
        (
            "/contacts/touching",
            json!([[1, 1]]),
            "contacts.touching[0]",
        ),
        ("/timers", early, "timers[0].due"),
        ("/timers", stray, "timers[0].entity"),
    ]
}

/// Fields of its only entity.
fn entity_rows() -> Vec<Row> {
    vec![
        ("/place", json!(1), "place"),
        ("/profile", json!(7), "profile"),
        ("/start", json!(3), "start"),
        ("/name", json!("x"), "name"),
        ("/kind", json!("x"), "kind"),
        ("/born", json!(31), "born"),
        ("/zones", json!([0]), "zones"),
        ("/jumping", json!(true), "jumping"),
    ]
}

/// Fields of the motion of its only entity.
fn mover_rows() -> Vec<Row> {
    vec![
        ("/id", json!(2), "id"),
        ("/before", json!(64), "before"),
        ("/intent/keys", json!(255), "intent.keys"),
        ("/body/pos/0", json!(1e300), "body.pos[0]"),
        ("/body/vel/1", json!(-1e12), "body.vel[1]"),
        ("/body/z", json!(1), "body.z"),
        ("/body/surface", json!(9), "body.surface"),
        ("/body/facing", json!(0.5), "body.facing"),
        (
            "/body/ground/feature",
            json!({"Face": 4}),
            "body.ground.feature",
        ),
        ("/body/ground/normal/1", json!(3.0), "body.ground.normal"),
        ("/body/jump/pressed", json!(900), "body.jump.pressed"),
        (
            "/body/windows/coyote_time",
            json!(-1.0),
            "body.windows.coyote_time",
        ),
        ("/state/consumed", json!(100), "state.consumed"),
        ("/state/hook/length", json!(-5.0), "state.hook.length"),
        ("/state/hook/platform", json!(0), "state.hook.platform"),
    ]
}

#[test]
fn a_refused_world_names_the_field() {
    let tables = [
        ("", "", world_rows()),
        (
            "/population/entities/0",
            "population.entities[0].",
            entity_rows(),
        ),
        (
            "/population/lanes/platformer/movers/0",
            "population.lanes.platformer.movers[0].",
            mover_rows(),
        ),
    ];
    for (at, part, rows) in tables {
        for (path, value, field) in rows {
            let error = refused(&format!("{at}{path}"), value);
            let start = format!("`{part}{field}` of the saved world ");
            assert!(error.starts_with(&start), "{path}: {error}");
        }
    }
}

#[test]
fn a_world_of_another_level_is_refused() {
    let world: World = Ground::floor(60).play().world;
    let saved = serde_json::to_string(&world).expect("it is saved");
    let saved: SavedWorld = serde_json::from_str(&saved).expect("it has all fields");
    let other = Ground::floor(60).surface(0.5).stage();
    let error = saved.check(&other).expect_err("it has another surface");
    assert_eq!(error.field, "surface_keys");
}
