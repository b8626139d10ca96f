//! Spawning and despawning, timers, emitted events, and level
//! scripts.

use crate::{
    common::{RATES, loaded, near},
    folder::{Folder, Game, LEVEL, on_large_stack, with_kind},
};
use hangtime_core::{
    models::Action,
    sim::{Event, EventKind, Inputs, Value},
};
use hangtime_game::Live;

/// The names of the game's entities, by id.
pub fn names(live: &Live) -> Vec<String> {
    let entities = live.world().entities().iter();
    entities.map(|e| e.name.to_string()).collect()
}

/// The events of some ticks.
pub fn told(game: &mut Game, ticks: usize) -> Vec<Event> {
    let mut events = Vec::new();
    for _ in 0..ticks {
        game.ticks(1);
        events.extend(game.live.world().events().iter().cloned());
    }
    events
}

#[test]
fn opening_a_level_reports_rules_in_its_script() {
    let folder = Folder::with_script("fn on_tick(me) { }");
    let level = format!("script = \"level.rhai\"\n{LEVEL}");
    folder.write("levels/level.toml", &level);
    folder.write("scripts/level.rhai", "fn on_tick(me) { }\nfn model(me) { () }\n");
    let expected = "scripts/level.rhai:2:4: error: `model` is a rule for entities; it is \
                    never called in a level's own script";
    assert_eq!(folder.wrong(), [expected]);
    // An entity that has the same script calls it.
    folder.write("config/entities/hero.toml", "script = \"level.rhai\"\n");
    assert_eq!(folder.wrong(), [""; 0]);
}

#[test]
fn created_entities_exist_after_the_tick_and_act_from_the_next() {
    on_large_stack(|| {
        let hero = "fn on_tick(me) { if me.age == 0 { this.made = world::create(\"coin\", 100, 500); } }";
        let coin = "fn on_birth(me) { this.born = world::tick(); } fn on_tick(me) { this.n += 1; }";
        let folder = with_kind(hero, "coin", coin);
        folder.write("config/entities/coin.toml", "script = \"coin.rhai\"\nvars = { n = 0 }\n");
        let mut game = folder.game();
        game.ticks(1);
        let made = game.var("made");
        assert_eq!(names(&game.live), ["hero".to_string(), text(&made)]);
        let coin = game.live.views().nth(1).expect("a coin");
        // It has not moved yet.
        assert_eq!((coin.pos.x, coin.pos.y, coin.vel.y), (100.0, 500.0, 0.0));
        game.ticks(1);
        let vars = game.live.world().entities()[1].vars.0.to_plain();
        assert_eq!((&vars["n"], &vars["born"]), (&Value::Int(1), &Value::Int(1)));
        assert!(game.live.views().nth(1).expect("a coin").vel.y < 0.0);
        assert_eq!(game.wrong(), [""; 0]);
    });
}

fn text(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        other => panic!("{other:?} is not a text"),
    }
}

#[test]
fn names_of_created_entities_are_never_reused() {
    on_large_stack(|| {
        let hero = "fn on_tick(me) { this.n += 1; if this.n <= 3 { world::create(\"coin\", 100 * this.n, 19); world::create(\"coin\", 0, 19); } \
                    if this.n == 2 { throw \"what it created is forgotten\"; } }";
        let folder = with_kind(hero, "coin", "");
        // An entity of the level has the name that the next one would get.
        let level = format!("{LEVEL}[[entity]]\nkind = \"coin\"\nname = \"coin_3\"\nat = [-500, 19]\n");
        folder.write("levels/level.toml", &level);
        let mut game = folder.game();
        game.ticks(5);
        let mut all = names(&game.live);
        assert_eq!(all.len(), 2 + 4, "{all:?}");
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 2 + 4);
    });
}

#[test]
fn a_removed_entity_gets_on_death_last_and_is_gone_in_the_same_tick() {
    on_large_stack(|| {
        let hero = "fn on_tick(me) { this.n += 1; if this.n == 3 { me.remove(); me.remove(); } } \
                    fn on_death(me) { print(`dead after ${this.n}`); }";
        let mut game = Folder::with_script(hero).game();
        game.ticks(2);
        assert_eq!(names(&game.live), ["hero"]);
        let events = told(&mut game, 1);
        assert_eq!(names(&game.live), [""; 0]);
        assert_eq!(game.live.report().printed.lines, ["dead after 3"]);
        let deaths = events.iter().filter(|e| e.kind == EventKind::Death);
        assert_eq!(deaths.count(), 1);
        game.ticks(10);
        assert_eq!(game.wrong(), [""; 0]);
    });
}

#[test]
fn created_entities_that_fall_out_are_removed_and_placed_ones_stay() {
    on_large_stack(|| {
        for (coin, left) in
            [("fn on_death(me) { print(\"gone\"); }", 1), ("", 1), ("fn on_fall_out(me) { me.place(-300, 19); }", 2)]
        {
            let hero = "fn on_birth(me) { world::create(\"coin\", 2500, 0); }";
            let folder = with_kind(hero, "coin", coin);
            folder.write("levels/level.toml", &format!("bounds = [-1000, -300, 3000, 900]\n{LEVEL}"));
            let mut game = folder.game();
            game.ticks(60);
            assert_eq!(names(&game.live).len(), left, "{coin}");
            let printed = &game.printed;
            assert_eq!(printed.len(), usize::from(coin.contains("gone")), "{printed:?}");
            assert_eq!(game.wrong(), [""; 0]);
        }
    });
}

#[test]
fn timers_fire_on_time_at_every_rate_and_can_be_canceled() {
    on_large_stack(|| {
        for hz in RATES {
            let script = "fn on_birth(me) { me.after(0.25, \"bell\"); me.after(0, \"soon\"); me.after(0.1, \"never\"); me.cancel(\"never\"); } \
                          fn on_bell(me, event) { this.bell = world::tick(); this.name = event.event; } \
                          fn on_soon(me) { this.soon = world::tick(); } \
                          fn on_never(me) { this.never = true; }";
            let folder = Folder::with_script(script);
            let settings = [("simulation.tick_hz", &*hz.to_string())];
            let revision = folder.open_with(&settings).expect("a good level");
            let mut game = Game::new(std::sync::Arc::new(revision));
            game.ticks(hz as usize);
            // on_birth runs in the step from tick 0 to 1.
            let ticks = (0.25 * f64::from(hz)).round() as i64;
            assert_eq!(game.var("bell"), Value::Int(ticks), "{hz} Hz");
            assert_eq!(game.var("soon"), Value::Int(1));
            assert_eq!(game.var("never"), Value::Unit);
            assert_eq!(text(&game.var("name")), "bell");
        }
    });
}

#[test]
fn timers_survive_a_reload_and_a_snapshot() {
    on_large_stack(|| {
        let script = "fn on_birth(me) { me.after(0.5, \"bell\"); } fn on_bell(me) { this.bell = world::tick(); }";
        let folder = Folder::with_script(script);
        let mut game = folder.game();
        game.ticks(10);
        let snapshot = game.live.world().clone();
        let json = serde_json::to_string(&snapshot).expect("plain data");
        folder.write("scripts/hero.rhai", &script.replace("this.bell =", "this.rang ="));
        game.live.adopt(std::sync::Arc::new(folder.open().expect("a good script")));
        game.ticks(30);
        assert_eq!(game.var("rang"), Value::Int(30));
        let loaded = loaded(&json, &folder.game().live.revision().stage);
        assert_eq!(loaded.hash(), snapshot.hash());
        game.live.restore(loaded);
        game.ticks(30);
        assert_eq!(game.var("rang"), Value::Int(30));
    });
}

#[test]
fn emitted_events_reach_all_scripts_in_the_next_tick_in_order() {
    on_large_stack(|| {
        let hero = "fn on_tick(me) { if world::tick() == 3 { world::emit(\"alarm\", #{ x: 1.5 }); world::emit(\"calm\"); world::emit(\"alarm\", 2); } } \
                    fn on_alarm(me) { this.heard = world::tick(); }";
        let guard = "fn on_birth(me) { this.said = []; } \
                     fn on_alarm(me, event) { this.said.push([event.event, event.entity, event.tick, event.data]); this.at = world::tick(); } \
                     fn on_calm(me, event) { this.said.push([event.event, event.data]); }";
        let folder = with_kind(hero, "guard", guard);
        folder.write("levels/level.toml", &format!("{LEVEL}[[entity]]\nkind = \"guard\"\nat = [-500, 19]\n"));
        let mut game = folder.game();
        let events = told(&mut game, 6);
        assert_eq!(game.wrong(), [""; 0]);
        assert_eq!(game.var("heard"), Value::Int(4));
        let vars = game.live.world().entities()[1].vars.0.to_plain();
        assert_eq!(vars["at"], Value::Int(4));
        let word = |w: &str| Value::Text(w.into());
        let x = Value::Map([("x".to_string(), Value::Float(1.5))].into());
        let said = Value::List(vec![
            Value::List(vec![word("alarm"), word("hero"), Value::Int(4), x]),
            Value::List(vec![word("calm"), Value::Unit]),
            Value::List(vec![word("alarm"), word("hero"), Value::Int(4), Value::Int(2)]),
        ]);
        assert_eq!(vars["said"], said);
        // Traces show them, too.
        let emitted = events.iter().filter(|e| e.kind.name() == "alarm");
        assert_eq!(emitted.count(), 2);
    });
}

/// A folder whose level has a script.
fn with_level_script(script: &str, hero: &str) -> Folder {
    let folder = Folder::with_script(hero);
    folder.write("levels/level.toml", &format!("script = \"rules.rhai\"\nvars = {{ lands = 0 }}\n{LEVEL}"));
    folder.write("scripts/rules.rhai", script);
    folder
}

#[test]
fn level_scripts_receive_the_events_of_all_entities() {
    on_large_stack(|| {
        let level = "fn on_birth(me, event) { if event.entity == \"level\" { this.born = me.name; me.after(0.1, \"bell\"); } } \
                     fn on_land(me, event) { this.lands += 1; this.who = event.entity; this.on = event.solid; } \
                     fn on_bell(me) { world::emit(\"began\"); this.r = world::random(); } \
                     fn on_tick(me) { this.ticks += 1; }";
        let hero = "fn on_began(me, event) { this.from = event.entity; }";
        let folder = with_level_script(&level.replace("this.ticks += 1", "this.ticks = world::tick()"), hero);
        let mut game = folder.game();
        game.input.held.insert(Action::Jump);
        game.ticks(90);
        assert_eq!(game.wrong(), [""; 0]);
        let json = serde_json::to_value(game.live.world()).expect("plain data");
        let vars = &json["level"]["vars"];
        assert_eq!(vars["born"]["Text"], "level");
        assert_eq!(vars["lands"]["Int"], 1);
        assert_eq!(vars["who"]["Text"], "hero");
        assert_eq!(vars["on"]["Text"], "floor");
        assert_eq!(vars["ticks"]["Int"], 89);
        assert_eq!(text(&game.var("from")), "level");
    });
}

#[test]
fn a_level_script_cannot_call_body_functions() {
    on_large_stack(|| {
        for call in [
            "me.x",
            "me.vel = vec(1, 2)",
            "me.jump()",
            "me.held(\"jump\")",
            "me.remove()",
            "me.tune(\"platformer.jump_speed\", 3)",
        ] {
            let folder = with_level_script(&format!("fn on_tick(me) {{ {call}; }}"), "");
            let mut game = folder.game();
            game.ticks(1);
            let wrong = game.wrong();
            assert!(wrong.len() == 1 && wrong[0].contains("the level itself has no"), "{call}: {wrong:?}");
        }
    });
}

#[test]
fn tune_affects_only_its_entity() {
    on_large_stack(|| {
        let script = "fn on_birth(me) { if me.name == \"hero\" { me.tune(\"platformer.jump_speed\", 270); } } \
                      fn on_tick(me) { me.hold(\"jump\"); if world::tick() == 100 { me.untune(\"platformer.jump_speed\"); } }";
        let folder = Folder::with_script(script);
        folder.write(
            "levels/level.toml",
            &format!("{LEVEL}[[entity]]\nkind = \"hero\"\nname = \"twin\"\nat = [-500, 19]\n"),
        );
        let mut game = folder.game();
        game.ticks(1);
        let speeds = |game: &Game| game.live.views().map(|v| v.vel.y).collect::<Vec<_>>();
        assert_eq!(speeds(&game), [270.0, 540.0]);
        // Height of a full jump: the held part plus v²/2g.
        let height = |v: f64| v * 0.278 + v * v / (2.0 * 3672.0);
        let mut top = [0.0_f64; 2];
        for _ in 0..60 {
            game.ticks(1);
            for (top, view) in top.iter_mut().zip(game.live.views()) {
                *top = top.max(view.pos.y - 19.0);
            }
        }
        near(top[0], height(270.0), 3.0);
        near(top[1], height(540.0), 6.0);
        // The override survives a reload and a loaded snapshot.
        let json = serde_json::to_string(game.live.world()).expect("plain data");
        game.live.adopt(std::sync::Arc::new(folder.open().expect("a good script")));
        let mut other = folder.game();
        other.live.restore(loaded(&json, &game.live.revision().stage));
        let stays = |game: &mut Game| {
            let jumped = |game: &Game| {
                game.live.world().events().iter().any(|e| &*e.name == "hero" && e.kind == EventKind::Jump)
            };
            game.live.step(&Inputs::none());
            while !jumped(game) && game.live.world().ticks() < 99 {
                game.live.step(&Inputs::none());
            }
            game.live.views().next().expect("a hero").vel.y
        };
        for game in [&mut game, &mut other] {
            // The key is held all the time, so only the script makes it jump again.
            let _ = stays(game);
            assert_eq!(game.faults.len(), 0);
        }
        game.ticks(60);
        assert_eq!(game.wrong(), [""; 0]);
    });
}

#[test]
fn random_streams_are_per_entity_and_depend_on_the_seed() {
    on_large_stack(|| {
        let script = "fn on_birth(me) { this.r = []; } fn on_tick(me) { this.r.push(world::random()); }";
        let folder = Folder::with_script(script);
        folder.write(
            "levels/level.toml",
            &format!("{LEVEL}[[entity]]\nkind = \"hero\"\nname = \"twin\"\nat = [-500, 19]\n"),
        );
        let revision = std::sync::Arc::new(folder.open().expect("a good level"));
        let draw = |seed: u64, snapshot: bool| {
            let mut live = Live::new(revision.clone(), seed);
            for tick in 0..200 {
                if snapshot && tick == 77 {
                    let world = live.world().clone();
                    live.step(&Inputs::none());
                    live.restore(world);
                }
                live.step(&Inputs::none());
            }
            let of = |i: usize| match &live.world().entities()[i].vars.0.to_plain()["r"] {
                Value::List(list) => list
                    .iter()
                    .map(|v| match v {
                        Value::Float(x) => *x,
                        other => panic!("{other:?}"),
                    })
                    .collect::<Vec<f64>>(),
                other => panic!("{other:?}"),
            };
            [of(0), of(1)]
        };
        let first = draw(7, false);
        assert_eq!(first, draw(7, false));
        assert_eq!(first, draw(7, true));
        assert_ne!(first, draw(8, false));
        assert_ne!(first[0], first[1]);
        let all = first.concat();
        assert_eq!(all.len(), 400);
        assert!(all.iter().all(|x| (0.0..1.0).contains(x)));
        let mean = all.iter().sum::<f64>() / 400.0;
        // Four standard deviations of the mean of 400 uniform numbers.
        near(mean, 0.5, 4.0 / (12.0_f64 * 400.0).sqrt());
    });
}
