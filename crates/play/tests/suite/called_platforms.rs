//! Platforms that scripts send along their paths.

use crate::{
    common::{RATES, near},
    folder::{Folder, Game, on_large_stack},
};
use hangtime_core::{
    models::Action,
    sim::{Event, EventKind, Inputs, Value},
};
use hangtime_play::HeavyTwin;
use std::sync::Arc;

/// A lift with its top at y = 0 and a hero on it. Its path has a bend.
fn level(speed: f64) -> String {
    format!(
        r#"
[[solid]]
name = "lift"
points = [[-50, -20], [50, -20], [50, 0], [-50, 0]]
path = {{ points = [[0, 0], [0, 120], [90, 120]], speed = {speed:.1}, loop = "called" }}
[[entity]]
kind = "hero"
at = [0, 19]
player = 1
"#
    )
}

/// The lengths of the path up to its points.
const MARKS: [f64; 3] = [0.0, 120.0, 210.0];

/// Where the platform's path is after this distance.
fn offset(place: f64) -> (f64, f64) {
    if place <= 120.0 { (0.0, place) } else { (place - 120.0, 120.0) }
}

fn game(speed: f64, script: &str, hz: u32) -> Game {
    let folder = Folder::with_script(script);
    folder.write("levels/level.toml", &level(speed));
    // Bodies that stand do not walk to a rest position.
    let kind = "script = \"hero.rhai\"\nvars = { n = 0 }\n[platformer]\nrest_spacing = 0\n";
    folder.write("config/entities/hero.toml", kind);
    folder.game_at(hz)
}

/// Where the lift is, from where it is drawn.
fn lift(game: &Game) -> (f64, f64) {
    let live = &game.live;
    let at = live.world().standing(&live.revision().stage).offsets[0];
    (at.x, at.y)
}

fn close(got: (f64, f64), wanted: (f64, f64), case: &str) {
    let far = (got.0 - wanted.0).hypot(got.1 - wanted.1);
    assert!(far < 1e-9, "{got:?}, not {wanted:?}: {case}");
}

const CALLS: &str = r#"
fn on_go(me, event) { world::send("lift", event.data); }
fn on_wait_here(me) { world::stop("lift"); }
fn on_depart(me, event) { this.log += `d${event.point}`; }
fn on_arrive(me, event) { this.log += `a${event.point}`; this.solid = event.solid; }
fn on_birth(me) { this.log = ""; }
"#;

fn send(game: &mut Game, point: i64) {
    game.live.emit("go".into(), Value::Int(point));
}

fn arrivals(game: &Game) -> Vec<&Event> {
    let events = game.live.world().events().iter();
    events.filter(|event| matches!(event.kind, EventKind::Arrive { .. })).collect()
}

#[test]
fn a_called_platform_travels_at_its_speed_and_rests_exactly_at_its_point() {
    on_large_stack(|| {
        for hz in RATES {
            for speed in [30.0, 60.0, 77.0, 1000.0] {
                for point in [0_i64, 1, 2] {
                    let mut game = game(speed, CALLS, hz);
                    game.ticks(10);
                    close(lift(&game), (0.0, 0.0), "before it is sent");
                    send(&mut game, point);
                    let length = MARKS[point as usize];
                    let needed = (length * f64::from(hz) / speed - 1e-9).ceil().max(1.0) as u64;
                    for tick in 1..=needed + 20 {
                        game.ticks(1);
                        let traveled = (speed * tick as f64 / f64::from(hz)).min(length);
                        let case = format!("{speed} px/s to {point}, tick {tick} at {hz} Hz");
                        close(lift(&game), offset(traveled), &case);
                        let arrived = usize::from(tick == needed);
                        assert_eq!(arrivals(&game).len(), arrived, "{case}");
                        // The rider stays on its spot.
                        let (x, y) = lift(&game);
                        let hero = game.hero();
                        assert!(hero.grounded, "{case}");
                        near(hero.pos.x, x, 1e-6);
                        near(hero.pos.y, y + 19.0, 1e-6);
                    }
                    assert_eq!(lift(&game), offset(length));
                    let log = if point == 0 { "a0".into() } else { format!("d{point}a{point}") };
                    assert_eq!(game.var("log"), Value::Text(log));
                    assert_eq!(game.var("solid"), Value::Text("lift".into()));
                    assert_eq!(game.wrong(), [""; 0]);
                }
            }
        }
    });
}

#[test]
fn a_rider_is_carried_as_by_a_platform_that_travels_by_the_clock() {
    on_large_stack(|| {
        for hz in RATES {
            for keys in [&[][..], &[Action::Right], &[Action::Jump], &[Action::Right, Action::Jump]] {
                let mut called = game(60.0, CALLS, hz);
                let folder = Folder::with_script(CALLS);
                folder.write("levels/level.toml", &level(60.0).replace("called", "once"));
                let kind = "script = \"hero.rhai\"\nvars = { n = 0 }\n[platformer]\nrest_spacing = 0\n";
                folder.write("config/entities/hero.toml", kind);
                let mut clockwork = folder.game_at(hz);
                // Sent in the first tick, it travels as the other one does.
                send(&mut called, 2);
                for tick in 0..4 * hz {
                    for game in [&mut called, &mut clockwork] {
                        for key in keys {
                            match tick % hz < hz / 3 {
                                true => game.input.held.insert(*key),
                                false => game.input.held.remove(*key),
                            }
                        }
                        game.ticks(1);
                    }
                    let (one, other) = (called.hero(), clockwork.hero());
                    let case = format!("{keys:?}, tick {tick} at {hz} Hz");
                    assert_eq!((one.pos, one.vel), (other.pos, other.vel), "{case}");
                    assert_eq!(one.external, other.external, "{case}");
                }
            }
        }
    });
}

#[test]
fn a_platform_turns_back_on_its_way_and_stops_where_it_is() {
    on_large_stack(|| {
        for hz in RATES {
            let dt = 1.0 / f64::from(hz);
            let mut game = game(60.0, CALLS, hz);
            send(&mut game, 2);
            game.ticks(hz as usize);
            close(lift(&game), (0.0, 60.0), "after a second");
            send(&mut game, 0);
            game.ticks(hz as usize / 2);
            close(lift(&game), (0.0, 30.0), "back for half a second");
            game.live.emit("wait_here".into(), Value::Unit);
            game.ticks(hz as usize);
            close(lift(&game), (0.0, 30.0), "stopped");
            assert_eq!(game.var("log"), Value::Text("d2".into()));
            send(&mut game, 1);
            game.ticks(1);
            close(lift(&game), (0.0, 30.0 + 60.0 * dt), "sent again");
            game.ticks(2 * hz as usize);
            close(lift(&game), (0.0, 120.0), "at its point");
            assert_eq!(game.var("log"), Value::Text("d2d1a1".into()));
            assert_eq!(game.wrong(), [""; 0]);
        }
    });
}

#[test]
fn a_saved_world_and_a_reload_keep_where_a_platform_travels() {
    on_large_stack(|| {
        for hz in RATES {
            let folder = Folder::with_script(CALLS);
            folder.write("levels/level.toml", &level(60.0));
            let (mut game, mut other) = (folder.game_at(hz), folder.game_at(hz));
            let mut twin = HeavyTwin::new(&game.live);
            for tick in 0..3 * hz {
                if tick == 3 {
                    for live in [&mut game.live, &mut other.live] {
                        live.emit("go".into(), Value::Int(1));
                    }
                    twin.twin().emit("go".into(), Value::Int(1));
                }
                twin.step(&mut game.live, &Inputs::none()).expect("no difference");
                other.ticks(1);
                if tick == hz {
                    folder.write("levels/level.toml", &format!("# Saved.\n{}", level(60.0)));
                    other.live.adopt(folder.open_at(hz));
                }
                close(lift(&game), lift(&other), "with and without a reload");
            }
            close(lift(&game), (0.0, 120.0), "it has arrived");
            // A shorter path ends where it now ends.
            let shorter = level(60.0).replace("[0, 120], [90, 120]", "[0, 40]");
            folder.write("levels/level.toml", &shorter);
            other.live.adopt(folder.open_at(hz));
            close(lift(&other), (0.0, 40.0), "at the same point of the new path");
            folder.write("levels/level.toml", &shorter.replace("called", "once"));
            other.live.adopt(folder.open_at(hz));
            other.ticks(10);
        }
    });
}

#[test]
fn the_hash_tells_where_a_platform_travels() {
    on_large_stack(|| {
        let mut hashes = std::collections::BTreeSet::new();
        for point in [None, Some(1_i64), Some(2)] {
            let mut game = game(60.0, "fn on_go(me, event) { world::send(\"lift\", event.data); }", 60);
            // The hero stands elsewhere, so that only the platform differs.
            let id = game.live.world().entities()[0].id;
            game.live.place(id, glam::dvec2(2000.0, 0.0));
            if let Some(point) = point {
                send(&mut game, point);
            }
            game.ticks(5);
            hashes.insert(game.live.world().hash());
        }
        assert_eq!(hashes.len(), 3);
    });
}

#[test]
fn platforms_that_cannot_be_sent_say_why() {
    on_large_stack(|| {
        for (call, message) in [
            ("world::send(\"lift\", 3);", "the path of `lift` has no point 3; its points are 0 to 2"),
            ("world::send(\"lift\", -1);", "has no point -1"),
            ("world::send(\"lift\", 0.5);", "must be a whole number"),
            ("world::send(\"lift\", 0.0 / 0.0);", "must be a whole number"),
            ("world::send(\"lift\", 1e300);", "must be a whole number"),
            ("world::send(\"lfit\", 1);", "there is no solid `lfit` in this level; did you mean `lift`?"),
            ("world::send(\"rock\", 1);", "give it a `path` with `loop = \"called\"`"),
            ("world::stop(\"rock\");", "give it a `path` with `loop = \"called\"`"),
            (
                "world::move_solid(\"lift\", 0, 5);",
                "the solid `lift` cannot be moved; give it `path = { loop = \"free\"",
            ),
            ("world::move_solid(\"gate\", 0, 0.0 / 0.0);", "`y` of `move_solid` cannot be NaN"),
            ("world::move_solid(\"gate\", 0, -4e4);", "a solid moves at most 32768 px from where it is drawn"),
            ("world::send(\"gate\", 0);", "its path is `free`, so use `world::move_solid`"),
            (
                "world::set_path_speed(\"rock\", 5);",
                "only a solid with a `path` in the level file has a speed, unlike `rock`",
            ),
            (
                "world::set_path_speed(\"lift\", -5);",
                "`speed` of `set_path_speed` is -5; it must be between 0 and 1000000",
            ),
            (
                "world::turn_solid(\"gate\", 1);",
                "the solid `gate` does not rotate; give it `rotation = { pivot = [x, y], speed_deg = 45, loop = \"called\" }`",
            ),
            (
                "world::turn_solid(\"mill\", 1);",
                "the solid `mill` rotates by itself; give its `rotation` the key `loop = \"called\"`",
            ),
            ("world::turn_solid(\"bridge\", 1e5);", "a solid rotates to at most 1000 turns from where it is drawn"),
            ("world::turn_solid(\"bridge\", 0.0 / 0.0);", "`angle` of `turn_solid` cannot be NaN"),
            ("world::solid_angle(\"bride\");", "there is no solid `bride` in this level; did you mean `bridge`?"),
            ("world::solid_offset(\"gat\");", "there is no solid `gat` in this level; did you mean `gate`?"),
        ] {
            let folder = Folder::with_script(&format!("fn on_tick(me) {{ {call} }}"));
            let rock = "[[solid]]\nname = \"rock\"\npoints = [[900, 0], [950, 0], [900, 50]]\n";
            let gate = "[[solid]]\nname = \"gate\"\npath = { loop = \"free\", speed = 60 }\n\
                        points = [[990, 0], [995, 0], [990, 50]]\n";
            let rotor = |name: &str, more: &str| {
                format!(
                    "[[solid]]\nname = \"{name}\"\npoints = [[800, 0], [810, 0], [800, 50]]\nrotation = {{ pivot = [800, 0], speed_deg = 9{more} }}\n"
                )
            };
            let rotors = [rotor("mill", ""), rotor("bridge", ", loop = \"called\"")].concat();
            folder.write("levels/level.toml", &format!("{rock}{gate}{rotors}{}", level(60.0)));
            let mut game = folder.game();
            game.ticks(1);
            let wrong = game.wrong();
            assert!(wrong.first().is_some_and(|w| w.contains(message)), "{call}: {wrong:?}");
        }
    });
}

#[test]
fn a_platform_that_is_sent_in_every_tick_costs_no_more_than_its_orders() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { this.n += 1; for i in 0..50 { world::send(\"lift\", (this.n + i) % 3); } }";
        let mut game = game(60.0, script, 60);
        game.ticks(300);
        assert_eq!(game.wrong(), [""; 0]);
        let (x, y) = lift(&game);
        assert!(x.is_finite() && y.is_finite());
    });
}

/// How often the lift departs and arrives, by name, in n ticks.
fn reports(script: &str, ticks: usize) -> Vec<String> {
    let mut game = game(60.0, script, 60);
    let mut seen = Vec::new();
    for _ in 0..ticks {
        game.ticks(1);
        for event in game.live.world().events() {
            match &event.kind {
                EventKind::Depart { point, .. } => seen.push(format!("depart {point}")),
                EventKind::Arrive { point, .. } => seen.push(format!("arrive {point}")),
                _ => {}
            }
        }
    }
    seen
}

#[test]
fn only_the_last_of_several_orders_of_a_tick_is_reported() {
    on_large_stack(|| {
        let orders = |orders: &str| format!("fn on_tick(me) {{ this.n += 1; if this.n == 3 {{ {orders} }} }}");
        let twice = orders("world::send(\"lift\", 1); world::send(\"lift\", 2);");
        assert_eq!(reports(&twice, 400), ["depart 2", "arrive 2"]);
        let never = orders("world::send(\"lift\", 1); world::stop(\"lift\");");
        assert_eq!(reports(&never, 60), [""; 0]);
        let again = orders("world::send(\"lift\", 1); world::stop(\"lift\"); world::send(\"lift\", 1);");
        assert_eq!(reports(&again, 200), ["depart 1", "arrive 1"]);
    });
}

#[test]
fn orders_of_a_call_that_fails_after_them_are_not_given_twice() {
    on_large_stack(|| {
        // The unknown variable keeps the hook from being completed in compiled code.
        for order in ["world::send(\"lift\", 1)", "world::stop(\"lift\")"] {
            let script = format!(
                "fn on_tick(me) {{ this.n += 1; if this.n == 3 {{ {order}; let s = \"a\"; s += this.nothing; }} }}"
            );
            let folder = Folder::with_script(&script);
            folder.write("levels/level.toml", &level(60.0));
            let project = hangtime_game::Project::load(
                hangtime_game::GameFolder::new(folder.root()).run_scripts(hangtime_script::Execution::BothWays),
            );
            let opened = project.expect("a folder").open(&folder.path("levels/level.toml"), &[]);
            let mut game = Game::new(Arc::new(opened.expect("a good game")));
            game.ticks(10);
            assert_eq!(game.live.take_call_difference(), None, "{order}");
        }
    });
}

#[test]
fn a_free_solid_follows_a_script_tick_by_tick_and_a_zone_begins_off() {
    on_large_stack(|| {
        for hz in RATES {
            let script = "fn on_tick(me) {\n\
                let t = world::time();\n\
                world::move_solid(\"raft\", 60 * t, 20 * t);\n\
                this.seen = world::solid_offset(\"raft\");\n\
                if world::tick() == 5 { world::set_zone(\"wind\", true); }\n\
                this.zones = world::zone(\"wind\");\n}";
            let folder = Folder::with_script(script);
            folder.write(
                "levels/level.toml",
                "[[solid]]\nname = \"raft\"\npath = { loop = \"free\", speed = 1e6 }\n\
                 points = [[-50, -20], [50, -20], [50, 0], [-50, 0]]\n\
                 [[zone]]\nname = \"wind\"\npresent = false\nexternal_accel = [0, 0]\n\
                 points = [[900, 0], [950, 0], [950, 50]]\n\
                 [[entity]]\nkind = \"hero\"\nat = [0, 19]\nplayer = 1\n",
            );
            folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\n[platformer]\nrest_spacing = 0\n");
            let mut game = folder.game_at(hz);
            for tick in 1..=u64::from(hz) {
                game.ticks(1);
                assert_eq!(game.wrong(), [""; 0]);
                // The script of a tick knows the time at its beginning.
                let at = (tick - 1) as f64 / f64::from(hz);
                close(lift(&game), (60.0 * at, 20.0 * at), &format!("tick {tick} at {hz} Hz"));
                let hero = game.hero();
                assert!(hero.grounded);
                near(hero.pos.x, 60.0 * at, 1e-6);
                near(hero.pos.y, 20.0 * at + 19.0, 1e-6);
                assert_eq!(game.var("zones"), Value::Bool(tick > 6));
            }
        }
    });
}

#[test]
fn a_free_path_with_points_says_who_moves_the_solid() {
    let folder = Folder::empty();
    folder.write(
        "levels/level.toml",
        "[[solid]]\npath = { loop = \"free\", speed = 5, points = [[0, 0]] }\npoints = [[0, 0], [9, 0], [0, 9]]\n",
    );
    let wrong = folder.wrong();
    assert!(wrong[0].starts_with("levels/level.toml:2:45: error: a free path has no points"), "{}", wrong[0]);
}
