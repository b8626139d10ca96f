//! Saved worlds from strangers: each is refused with the name of a field, or can be played.

use super::{bytes::Bytes, calls, games::root};
use hangtime::{
    project::{Live, Project, Revision},
    sim::{Inputs, SavedWorld},
};
use serde_json::{Number, Value, json};
use std::sync::{Arc, LazyLock};

/// How many ticks an accepted world is played.
const TICKS: u64 = 60;

/// Levels with the models, hooks, platforms, switches, zones and flights that a world can hold.
const LEVELS: [&str; 8] = ["playground", "swing", "shaft", "ferry", "hoppers", "courtyard", "rink", "landing"];

/// A level and a world that was saved in it.
struct Saved {
    revision: Arc<Revision>,
    world: Value,
    /// The paths to all of its values.
    paths: Vec<String>,
}

impl Saved {
    fn of(live: &Live) -> Self {
        let world = serde_json::to_value(live.world()).expect("it is saved");
        let mut paths = Vec::new();
        collect(&world, String::new(), &mut paths);
        Self { revision: live.revision().clone(), world, paths }
    }
}

static WORLDS: LazyLock<Vec<Saved>> = LazyLock::new(|| {
    let mut worlds = Vec::new();
    LEVELS.iter().for_each(|name| saved_in(name, &mut worlds));
    (0..calls::count()).for_each(|game| saved_in_chaos(game, &mut worlds));
    worlds
});

/// Worlds of a level in the course of its demo.
fn saved_in(name: &str, worlds: &mut Vec<Saved>) {
    let project = Project::load(root()).expect("this repository is there");
    let level = project.find_level(name).expect("its level is there");
    let revision = Arc::new(project.open(&level, &[]).expect("a good level"));
    let mut live = Live::new(revision.clone(), 0);
    let demo = revision.demo.as_ref();
    let track = demo.map(|demo| demo.track(revision.stage.hz)).unwrap_or_default();
    for tick in 0..300 {
        if tick % 74 == 37 {
            worlds.push(Saved::of(&live));
        }
        live.step(&track.at(tick));
    }
}

/// Worlds of random games: they hold overrides, timers, spawned entities, hooks and flights.
fn saved_in_chaos(game: usize, worlds: &mut Vec<Saved>) {
    let code: Vec<u8> = (0..150_u8).map(|i| i.wrapping_mul(101) ^ 45).collect();
    let mut live = Live::new(calls::game(game, &code), 0);
    for tick in 0..100 {
        if tick % 37 == 36 {
            worlds.push(Saved::of(&live));
        }
        live.step(&Inputs::none());
    }
}

/// Changes one of the worlds at up to four places and plays it.
pub fn run(bytes: &[u8]) {
    let mut choices = Bytes::new(bytes);
    let Saved { revision, world, paths } = choices.of(&WORLDS);
    let mut world = world.clone();
    let changes = 1 + choices.below(4);
    let changes: Vec<String> = (0..changes).map(|_| mutate(&mut world, paths, &mut choices)).collect();
    play(revision, world, &changes);
}

/// Loads a changed world and plays it.
fn play(revision: &Arc<Revision>, world: Value, changes: &[String]) {
    let Ok(saved) = serde_json::from_value::<SavedWorld>(world) else {
        return;
    };
    let mut live = Live::new(revision.clone(), 0);
    let first = live.world().hash();
    if let Err(error) = live.load(saved) {
        let named = !error.field.is_empty() && !error.problem.is_empty();
        assert!(named, "{changes:?}: {error}");
        assert_eq!(live.world().hash(), first, "the old world stays");
        return;
    }
    assert_eq!(live.views().count(), live.world().entities().len());
    let mut twin = live.world().clone();
    for tick in 0..TICKS {
        live.step(&Inputs::none());
        if tick == TICKS / 2 {
            let saved = serde_json::to_string(live.world()).expect("it is saved");
            let saved: SavedWorld = serde_json::from_str(&saved).expect("it is read");
            let world = saved.check(&live.revision().stage);
            twin = world.unwrap_or_else(|error| panic!("{changes:?}: {error}"));
            assert_eq!(twin.hash(), live.world().hash(), "{changes:?}");
        }
    }
    // What was saved halfway plays on the same.
    let mut again = Live::resume(revision.clone(), twin);
    for _ in TICKS / 2 + 1..TICKS {
        again.step(&Inputs::none());
    }
    assert_eq!(again.world().hash(), live.world().hash(), "{changes:?}");
}

fn collect(value: &Value, here: String, all: &mut Vec<String>) {
    match value {
        Value::Array(list) => {
            for (i, inner) in list.iter().enumerate() {
                collect(inner, format!("{here}/{i}"), all);
            }
        }
        Value::Object(map) => {
            for (key, inner) in map {
                let key = key.replace('~', "~0").replace('/', "~1");
                collect(inner, format!("{here}/{key}"), all);
            }
        }
        _ => {}
    }
    all.push(here);
}

/// Changes one random place of a saved world, and says which. `all` are the paths in it; those that
/// earlier changes have removed are left alone.
fn mutate(saved: &mut Value, all: &[String], choices: &mut Bytes<'_>) -> String {
    let path = choices.of(all).clone();
    if saved.pointer(&path).is_none() {
        return String::new();
    }
    // Sometimes another part of the same world, most of all one with the same name.
    if choices.below(5) == 0 {
        let name = path.rsplit('/').next().unwrap_or("").to_string();
        let alike: Vec<&String> = all.iter().filter(|p| p.ends_with(&format!("/{name}"))).collect();
        let from = match alike.is_empty() || choices.below(4) == 0 {
            true => choices.of(all),
            false => *choices.of(&alike),
        };
        let copy = saved.pointer(from).cloned().unwrap_or_default();
        *saved.pointer_mut(&path).expect("it is there") = copy;
        return format!("{path} = {from}");
    }
    let value = saved.pointer_mut(&path).expect("it is there");
    change(value, choices);
    let now = value.to_string();
    format!("{path} = {}", now.chars().take(80).collect::<String>())
}

fn change(value: &mut Value, choices: &mut Bytes<'_>) {
    match value {
        Value::Null => *value = json!(choices.of(&[0, 1, 7])),
        Value::Bool(flag) => *flag = !*flag,
        Value::Number(x) => *value = number(x, choices),
        Value::String(text) => {
            let words = ["", "x", "hero", "platformer", "vessel", "Attached", "Idle", "floor"];
            *text = choices.of(&words).to_string();
        }
        Value::Array(list) => {
            let (one, other) = (choices.below(list.len()), choices.below(list.len()));
            match choices.below(4) {
                0 => list.truncate(one),
                1 if !list.is_empty() => list.swap(one, other),
                2 if !list.is_empty() => list.push(list[one].clone()),
                _ if !list.is_empty() => drop(list.remove(one)),
                _ => list.push(json!(1)),
            }
        }
        Value::Object(map) => {
            let keys: Vec<String> = map.keys().cloned().collect();
            let Some(key) = keys.get(choices.below(keys.len())) else {
                return;
            };
            let other = choices.of(&keys);
            match choices.below(3) {
                0 => drop(map.remove(key)),
                1 => drop(map.insert(key.clone(), map[other].clone())),
                _ => *value = Value::Null,
            }
        }
    }
}

fn number(x: &Number, choices: &mut Bytes<'_>) -> Value {
    let real = x.as_f64().unwrap_or(0.0);
    if let Some(whole) = x.as_i64()
        && choices.below(2) == 0
    {
        let near = [whole.wrapping_add(1), whole.wrapping_sub(1), whole.wrapping_mul(2), whole.wrapping_neg()];
        return json!(choices.of(&near));
    }
    match choices.below(5) {
        0 => json!(choices.of(&[0_u64, 1, 2, 255, 65_535, u64::from(u32::MAX), u64::MAX, 1 << 53])),
        1 => json!(choices.of(&[-1_i64, i64::MIN, -1000])),
        2 => json!(choices.of(&[-0.0, 1e-300, 1e-9, 0.5, 1e6, 1e9, -1e12, 1e100, 1e308, -1e308])),
        3 => json!(real * choices.between(-3.0, 3.0)),
        _ => json!(real + choices.between(-300.0, 300.0)),
    }
}
