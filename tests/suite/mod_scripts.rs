//! Scripts of mods above the script of a kind: their order, their state, rules, and calls of the layer below.

use crate::{
    folder::{Folder, Game},
    mods::{add_mod, open},
    program::{code, err, out, run},
};
use hangtime::{
    models::ModelName,
    project::Live,
    sim::{Inputs, LayerState, Value},
};
use std::{collections::BTreeMap, sync::Arc};

/// A game in which `a` and `b` put a script above the hero's. An empty script is left out.
pub fn layered(game: &str, scripts: [&str; 2]) -> Folder {
    let folder = Folder::with_script(game);
    folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { n = 0, log = \"\" }\n");
    for (name, script) in ["a", "b"].into_iter().zip(scripts) {
        if !script.is_empty() {
            add_layer(&folder, name, script, "vars = { n = 0, log = \"\" }\n");
        }
    }
    folder
}

/// A mod that puts a script above the hero's.
pub fn add_layer(folder: &Folder, name: &str, script: &str, more: &str) {
    add_mod(folder, name, "");
    let kind = format!("scripts = [\"mine.rhai\"]\n{more}");
    folder.write(&format!("mods/{name}/config/entities/hero.toml"), &kind);
    folder.write(&format!("mods/{name}/scripts/mine.rhai"), script);
}

/// The variables of a layer of the hero; of the lowest one without a name.
pub fn vars_of(live: &Live, layer: &str) -> BTreeMap<String, Value> {
    let hero = live.world().entity("hero").expect("a hero");
    if layer.is_empty() {
        return hero.vars.0.to_plain();
    }
    let found = hero.layers().iter().find(|state| &*state.name == layer);
    found.expect("the layer").vars.0.to_plain()
}

fn of(game: &Game, layer: &str, name: &str) -> Value {
    let vars = vars_of(&game.live, layer);
    vars.get(name).cloned().unwrap_or_default()
}

fn ran(game: &mut Game, ticks: usize) {
    game.ticks(ticks);
    assert_eq!(game.wrong(), Vec::<String>::new());
}

#[test]
fn hooks_run_in_every_layer_the_lowest_one_first() {
    let each = |name: &str| {
        format!(
            "fn on_tick(me) {{ me.note(\"{name} tick\"); }}
             fn on_ping(me, event) {{ me.note(\"{name} ping\"); }}
             fn on_birth(me) {{ me.note(\"{name} birth\"); world::emit(\"ping\", ()); }}"
        )
    };
    let folder = layered(&each("game"), [&each("a"), &each("b")]);
    let mut game = folder.game();
    let mut notes = Vec::new();
    for _ in 0..3 {
        ran(&mut game, 1);
        for event in game.live.world().events() {
            if event.kind.name() == "note" {
                notes.push(format!("{:?}", event.kind.fields()[0].1));
            }
        }
    }
    let said = |what: &str| ["game", "a", "b"].map(|name| format!("Text(\"{name} {what}\")"));
    let mut expected = [said("birth"), said("tick")].concat();
    // Three layers have emitted an event, which each of the three receives.
    for _ in 0..3 {
        expected.extend(said("ping"));
    }
    expected.extend(said("tick"));
    expected.extend(said("tick"));
    assert_eq!(notes, expected);
}

#[test]
fn each_layer_has_its_own_variables() {
    let count = |by: i64| format!("fn on_tick(me) {{ this.n += {by}; }}");
    let folder = layered(&count(1), [&count(10), &count(100)]);
    // The mod's variables do not fill the game's.
    add_layer(&folder, "a", &count(10), "vars = { n = 5, rage = true }\n");
    let mut game = folder.game();
    ran(&mut game, 4);
    assert_eq!(of(&game, "", "n"), Value::Int(4));
    assert_eq!(of(&game, "a", "n"), Value::Int(45));
    assert_eq!(of(&game, "b", "n"), Value::Int(400));
    assert_eq!(of(&game, "", "rage"), Value::Unit);
    assert_eq!(of(&game, "a", "rage"), Value::Bool(true));
}

#[test]
fn of_two_layers_that_write_the_velocity_the_later_wins() {
    let write = |speed: f64| format!("fn on_tick(me) {{ me.vel = vec({speed:?}, 300.0); }}");
    for (scripts, expected) in [
        (["", ""], 100.0),
        ([write(200.0).as_str(), ""], 200.0),
        (["", write(300.0).as_str()], 300.0),
        ([write(200.0).as_str(), write(300.0).as_str()], 300.0),
    ] {
        let folder = layered(&write(100.0), scripts);
        folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\nmodel = \"ballistic\"\n");
        let mut game = folder.game();
        ran(&mut game, 2);
        crate::common::near(game.hero().vel.x, expected, 1e-9);
    }
}

#[test]
fn the_topmost_layer_that_answers_decides_a_rule() {
    let answer = |model: &str| match model {
        "" => "fn model(me) { }".to_string(),
        "throw" => "fn model(me) { throw \"no\"; }".to_string(),
        model => format!("fn model(me) {{ \"{model}\" }}"),
    };
    let models = ["", "ballistic", "two_velocity"];
    for game in models {
        for a in models {
            for b in ["", "ballistic", "two_velocity", "throw"] {
                let folder = layered(&answer(game), [&answer(a), &answer(b)]);
                let mut played = folder.game();
                played.ticks(2);
                let b = if b == "throw" { "" } else { b };
                let decided = [b, a, game].into_iter().find(|answer| !answer.is_empty());
                let decided = decided.map_or(ModelName::platformer, |name| ModelName::parse(name).expect("a model"));
                assert_eq!(played.hero().model, Some(decided), "{game} {a} {b}");
            }
        }
    }
}

#[test]
fn a_layer_has_its_own_timers() {
    let script = |first: i64| {
        format!(
            "fn on_birth(me) {{ me.after({first} / 10.0, \"ring\"); me.after(1.0, \"never\"); }}
             fn on_ring(me) {{ this.n += 1; me.cancel(\"never\"); }}
             fn on_never(me) {{ this.n += 100; }}"
        )
    };
    let folder = layered(
        &script(1),
        [&script(5), "fn on_birth(me) { me.after(1.0, \"never\"); } fn on_never(me) { this.n += 7; }"],
    );
    let mut game = folder.game();
    let hz = f64::from(game.live.revision().stage.hz);
    ran(&mut game, (0.3 * hz) as usize);
    assert_eq!((of(&game, "", "n"), of(&game, "a", "n")), (Value::Int(1), Value::Int(0)));
    ran(&mut game, (1.2 * hz) as usize);
    // Each has cancelled its own timer alone.
    let all = ["", "a", "b"].map(|layer| of(&game, layer, "n"));
    assert_eq!(all, [Value::Int(1), Value::Int(1), Value::Int(7)]);
}

#[test]
fn a_layer_has_its_own_random_stream() {
    let draw = "fn on_tick(me) { this.n = world::random(); }";
    let alone = layered(draw, ["", ""]);
    let all = layered(draw, [draw, draw]);
    let (mut alone, mut all) = (alone.game(), all.game());
    let mut seen = Vec::new();
    for _ in 0..20 {
        ran(&mut alone, 1);
        ran(&mut all, 1);
        // The game's number is the same with mods as without.
        assert_eq!(of(&alone, "", "n"), of(&all, "", "n"));
        seen.extend(["", "a", "b"].map(|layer| format!("{:?}", of(&all, layer, "n"))));
    }
    let count = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), count, "no number was drawn twice");
}

#[test]
fn base_calls_functions_of_the_layer_below_with_its_own_this() {
    let folder = layered(
        "const STEP = 2;
         fn step() { STEP }
         fn count(me, by) { this.n += by * step(); me.after(0.1, \"counted\"); this.n }
         fn on_counted(me) { this.log += \"game\"; }
         fn model(me) { if this.n > 5 { \"ballistic\" } }",
        [
            "fn on_tick(me) { this.n = base::count(me, 1); }
             fn on_counted(me) { this.log += \"a\"; }",
            "fn on_tick(me) { if world::tick() == 0 { this.n = base::count(me, 100); } }
             fn model(me) { base::model(me) }",
        ],
    );
    let mut game = folder.game();
    ran(&mut game, 1);
    // `a` has no function `count`: `b` calls the game's.
    let n = |game: &Game, layer| of(game, layer, "n");
    assert_eq!(n(&game, "a"), Value::Int(2));
    let hz = game.live.revision().stage.hz as usize;
    ran(&mut game, hz / 2);
    assert_eq!(n(&game, ""), n(&game, "a"));
    assert_eq!(game.hero().model, Some(ModelName::ballistic));
    // The timer that the game's function has set is the game's.
    let Value::Text(log) = of(&game, "", "log") else {
        panic!("a text");
    };
    assert!(log.starts_with("gamegame"), "{log}");
    assert_eq!(of(&game, "a", "log"), Value::Text("".into()));
}

#[test]
fn a_failing_layer_is_disabled_alone() {
    let count = "fn on_tick(me) { this.n += 1; }";
    let fail = "fn on_tick(me) { this.n += 1; me.vel = vec(900, 0); throw \"no\"; }";
    for (place, scripts) in [[fail, count, count], [count, fail, count], [count, count, fail]].into_iter().enumerate() {
        let folder = layered(scripts[0], [scripts[1], scripts[2]]);
        let mut game = folder.game();
        game.ticks(30);
        for (layer, name) in ["", "a", "b"].into_iter().enumerate() {
            let ran = if layer == place { 10 } else { 30 };
            assert_eq!(of(&game, name, "n"), Value::Int(ran), "{place} {layer}");
        }
        // Its orders were dropped.
        assert!(game.hero().vel.x.abs() < 1.0);
        let disabled: Vec<String> = game.live.disabled().collect();
        let of_mod = ["of `hero` failed", "in the mod `a`", "in the mod `b`"];
        assert_eq!(disabled.len(), 1, "{disabled:?}");
        assert!(disabled[0].contains(of_mod[place]), "{disabled:?}");
    }
}

#[test]
fn layers_share_the_operations_of_one_call() {
    let work = |turns: u32| format!("fn on_tick(me) {{ for i in 0..{turns} {{ this.n = i; }} this.log = \"done\"; }}");
    // Together they need more than one call may use, each alone less.
    let folder = layered(&work(2500), [&work(2500), ""]);
    let mut game = folder.game();
    game.ticks(1);
    assert_eq!(of(&game, "", "log"), Value::Text("done".into()));
    assert_eq!(of(&game, "a", "log"), Value::Text("".into()));
    assert!(game.wrong()[0].contains("operations"), "{:?}", game.wrong());
    // If a layer fails, its operations are not taken from the layers above.
    let folder = layered("fn on_tick(me) { loop { this.n += 1; } }", [&work(2500), ""]);
    let mut game = folder.game();
    game.ticks(1);
    assert_eq!(of(&game, "a", "log"), Value::Text("done".into()));
}

#[test]
fn replaces_takes_the_place_of_the_layers_below() {
    let count = |by: i64| format!("fn on_tick(me) {{ this.n += {by}; }}");
    let folder = layered(&count(1), [&count(10), ""]);
    add_layer(&folder, "b", &count(100), "replaces = true\nvars = { n = 5 }\n");
    add_layer(&folder, "c", &count(1000), "vars = { n = 0 }\n");
    let mut game = folder.game();
    ran(&mut game, 2);
    let hero = game.live.world().entity("hero").expect("a hero");
    let layers: Vec<&str> = hero.layers().iter().map(|layer: &LayerState| &*layer.name).collect();
    assert_eq!(layers, ["c"]);
    assert_eq!(of(&game, "", "n"), Value::Int(205));
    assert_eq!(of(&game, "", "log"), Value::Unit);
    assert_eq!(of(&game, "c", "n"), Value::Int(2000));
    let listed = out(&run(folder.root(), &["mods"]));
    assert!(listed.contains("puts scripts mine.rhai instead of hero's scripts"), "{listed}");
    assert!(listed.contains("puts scripts mine.rhai above hero"), "{listed}");
}

#[test]
fn a_saved_world_with_layers_plays_on_exactly() {
    let script = |name: &str| {
        format!(
            "fn on_birth(me) {{ me.after(0.05, \"again\"); }}
             fn on_again(me) {{ this.n += world::random_int(1, 6); this.log = \"{name}\"; me.after(0.05, \"again\"); }}
             fn model(me) {{ if this.n % 3 == 0 {{ \"ballistic\" }} }}"
        )
    };
    let folder = layered(&script("game"), [&script("a"), &script("b")]);
    let revision = Arc::new(open(&folder));
    let mut live = Live::new(revision.clone(), 7);
    for tick in 0..80 {
        if tick % 9 == 0 {
            let text = serde_json::to_string(live.world()).expect("written");
            let mut loaded = Live::new(revision.clone(), 7);
            let saved: hangtime::sim::SavedWorld = serde_json::from_str(&text).expect("read");
            loaded.load(saved).unwrap_or_else(|wrong| panic!("{wrong}"));
            assert_eq!(loaded.world().hash(), live.world().hash(), "at {tick}");
            live = loaded;
        }
        let mut other = Live::new(revision.clone(), 7);
        for _ in 0..=tick {
            other.step(&Inputs::none());
        }
        live.step(&Inputs::none());
        assert_eq!(other.world().hash(), live.world().hash(), "at {tick}");
    }
    assert_ne!(vars_of(&live, "a"), vars_of(&live, "b"));
}

#[test]
fn why_names_the_layer_and_what_it_wins_over() {
    let write = |speed: f64| format!("fn on_tick(me) {{ me.vel = vec({speed}, 0); }}");
    let folder = layered(&write(100.0), [&write(200.0), "fn model(me) { \"ballistic\" }"]);
    let args = ["run", "level", "--ticks", "3", "--why", "hero"];
    let ran = run(folder.root(), &args);
    let said = format!("{}{}", out(&ran), err(&ran));
    for line in [
        "me.vel = (100, 0)\n",
        "me.vel = (200, 0) (mods/a/scripts/mine.rhai) wins over me.vel = (100, 0) (scripts/hero.rhai)",
        "(mods/b/scripts/mine.rhai:1)",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
}

#[test]
fn a_level_is_created_in_a_mod_and_played_by_a_script() {
    let folder = Folder::with_script(
        "fn on_tick(me) { if world::tick() == 3 { world::play_level(\"cave\", 5); } }
         fn on_birth(me) { this.n = world::handed() ?? 0; }",
    );
    add_mod(&folder, "a", "");
    let option = folder.path("mods/a").display().to_string();
    let made = run(folder.root(), &["new", "level", "cave", "--mod", &option]);
    assert_eq!(code(&made), 0, "{}", err(&made));
    let level = folder.read("mods/a/levels/cave.toml");
    assert!(level.contains("kind = \"hero\""), "{level}");
    let again = run(folder.root(), &["new", "level", "cave", "--mod", &option]);
    assert!(err(&again).contains("mods/a/levels/cave.toml"), "{}", err(&again));
    let test = "fn test_it() {
        let t = play(\"level\");
        t.run(0.5);
        for hero in t.all(\"hero\") { expect(hero.vars.n).equals(5); }
        expect(t.all(\"hero\").len()).above(0);
    }";
    folder.write("levels/tests/it.rhai", test);
    let ran = run(folder.root(), &["test"]);
    assert_eq!(code(&ran), 0, "{}{}", out(&ran), err(&ran));
}

#[test]
fn a_reload_of_one_layer_keeps_the_variables_of_all() {
    let count = |by: i64| format!("fn on_tick(me) {{ this.n += {by}; }}");
    let folder = layered(&count(1), [&count(10), &count(100)]);
    let mut game = folder.game();
    ran(&mut game, 5);
    add_layer(&folder, "a", &count(1000), "vars = { n = 7, more = 3 }\n");
    game.live.adopt(Arc::new(open(&folder)));
    assert_eq!(of(&game, "a", "n"), Value::Int(50));
    assert_eq!(of(&game, "a", "more"), Value::Int(3));
    ran(&mut game, 1);
    let all = ["", "a", "b"].map(|layer| of(&game, layer, "n"));
    assert_eq!(all, [Value::Int(6), Value::Int(1050), Value::Int(600)]);
    // A mod that goes away takes its state with it, and the others keep theirs.
    std::fs::remove_dir_all(folder.path("mods/a")).expect("removed");
    game.live.adopt(Arc::new(open(&folder)));
    ran(&mut game, 1);
    let all = ["", "b"].map(|layer| of(&game, layer, "n"));
    assert_eq!(all, [Value::Int(7), Value::Int(700)]);
}

#[test]
fn a_game_with_layers_is_the_same_compiled_and_interpreted() {
    let script = |by: i64| {
        format!(
            "fn step(me) {{ this.n += {by}; this.n }}
         fn on_tick(me) {{ this.n += world::random_int(0, 3); me.push(this.n % 5, 0); }}
         fn jump_windows(me) {{ #{{ coyote_time: (this.n % 7) / 10.0 }} }}"
        )
    };
    let above = "fn on_tick(me) { this.n = base::step(me); me.push(this.n % 9, 0); }";
    let folder = layered(&script(1), [&script(2), above]);
    let traces = ["--both-ways", "--interpret", "--strict"].map(|way| {
        let ran = run(folder.root(), &["run", "level", "--ticks", "120", "--trace", "-", way]);
        assert_eq!(code(&ran), 0, "{way}: {}", err(&ran));
        out(&ran)
    });
    assert_eq!(traces[0], traces[1]);
    assert_eq!(traces[0], traces[2]);
}
