//! Saved worlds from strangers: each is refused with the name of a field, or can be played.

use crate::folder::on_large_stack;
use crate::mutator::{Dice, mutate};
use crate::support::Ground;
use hangtime::project::{Live, Project, Revision};
use hangtime::sim::{Inputs, MOST_TICKS, SavedWorld, World};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

/// How many changed worlds are tried; `HANGTIME_SAVES=N` tries N.
const CASES: usize = 2000;

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
struct Saved {
    name: &'static str,
    revision: Arc<Revision>,
    worlds: Vec<Value>,
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
            worlds.push(serde_json::to_value(live.world()).expect("it is saved"));
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
        let levels = LEVELS.map(saved_in);
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
            let mut world = dice.of(worlds).clone();
            let changes: Vec<String> = (0..=dice.below(3))
                .map(|_| mutate(&mut world, &mut dice))
                .collect();
            let played = catch_unwind(AssertUnwindSafe(|| play(revision, world)));
            match played {
                Ok(played) => loaded += usize::from(played),
                Err(_) => failed.push(format!("case {case}: {name}: {changes:?}")),
            }
        }
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

#[test]
fn a_refused_world_names_the_field() {
    let mover = "/population/lanes/platformer/movers/0";
    for (path, value, field) in [
        ("/tick".to_string(), json!(u64::MAX), "tick"),
        ("/tick".to_string(), json!(MOST_TICKS + 1), "tick"),
        ("/surface_keys/0".into(), json!(5), "surface_keys"),
        (
            "/population/next_id".into(),
            json!(1),
            "population.entities[0].id",
        ),
        (
            "/population/entities/0/place".into(),
            json!(1),
            "population.entities[0].place",
        ),
        (
            "/population/entities/0/profile".into(),
            json!(7),
            "population.entities[0].profile",
        ),
        (
            "/population/entities/0/start".into(),
            json!(3),
            "population.entities[0].start",
        ),
        (
            "/population/entities/0/name".into(),
            json!("x"),
            "population.entities[0].name",
        ),
        (
            "/population/entities/0/born".into(),
            json!(31),
            "population.entities[0].born",
        ),
        (
            "/population/entities/0/zones".into(),
            json!([0]),
            "population.entities[0].zones",
        ),
        (
            "/population/entities".into(),
            json!([]),
            "population.lanes.platformer.movers",
        ),
        (
            format!("{mover}/id"),
            json!(2),
            "population.lanes.platformer.movers[0].id",
        ),
        (format!("{mover}/body/pos/0"), json!(1e300), "body.pos[0]"),
        (format!("{mover}/body/surface"), json!(9), "body.surface"),
        (format!("{mover}/body/facing"), json!(0.5), "body.facing"),
        (
            format!("{mover}/body/ground/feature"),
            json!({"Face": 4}),
            "body.ground.feature",
        ),
        (
            format!("{mover}/body/ground/normal/1"),
            json!(3.0),
            "body.ground.normal",
        ),
        (
            format!("{mover}/body/jump/pressed"),
            json!(900),
            "body.jump.pressed",
        ),
        (
            format!("{mover}/state/hook/platform"),
            json!(0),
            "state.hook.platform",
        ),
        ("/switches/absent".into(), json!([0]), "switches.absent"),
        (
            "/contacts/touching".into(),
            json!([[1, 1]]),
            "contacts.touching[0]",
        ),
        (
            "/timers".into(),
            json!([{"due": 5, "entity": 1, "name": "x"}]),
            "timers[0].due",
        ),
        (
            "/timers".into(),
            json!([{"due": 500, "entity": 4, "name": "x"}]),
            "timers[0].entity",
        ),
    ] {
        let error = refused(&path, value);
        assert!(error.contains(&format!("{field}`")), "{path}: {error}");
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
