//! Calls about a body: letting go, contacts, tuning, zones, and where it was hit.

use crate::{
    common::{RATES, near},
    folder::{Folder, Game, on_large_stack},
};
use hangtime_core::{
    models::Action,
    sim::{EventKind, Inputs, Value},
};
use hangtime_play::HeavyTwin;

/// A floor at y = 0, a wall at x = 100, and a hero in the air next to it.
const WALL: &str = r#"
[[solid]]
name = "floor"
points = [[-1000, -100], [1000, -100], [1000, 0], [-1000, 0]]
[[solid]]
name = "wall"
points = [[100, 0], [200, 0], [200, 2000], [100, 2000]]
[[entity]]
kind = "hero"
at = [80, 900]
player = 1
"#;

/// A game in this level whose hero has this script, at a tick rate.
fn game(level: &str, script: &str, hz: u32) -> Game {
    let folder = Folder::with_script(script);
    folder.write("levels/level.toml", level);
    folder.game_at(hz)
}

fn number(value: &Value) -> f64 {
    match value {
        Value::Float(x) => *x,
        Value::Int(x) => *x as f64,
        other => panic!("{other:?} is not a number"),
    }
}

fn mode(game: &Game) -> &'static str {
    game.hero().mode.as_str()
}

/// Holds right until the hero holds the wall.
fn grab(game: &mut Game, hz: u32) {
    game.input.held.insert(Action::Right);
    for _ in 0..hz {
        if mode(game.ticks(1)) == "wall" {
            return;
        }
    }
    panic!("it holds no wall after a second at {hz} Hz");
}

#[test]
fn a_body_that_lets_go_falls_until_the_key_is_pressed_again() {
    on_large_stack(|| {
        for hz in RATES {
            let script = r#"fn on_tick(me) { if me.pressed("up") { me.let_go(); } }"#;
            let mut game = game(WALL, script, hz);
            grab(&mut game, hz);
            // The key is pressed again while it holds the wall, so it is fresh.
            game.input.held.remove(Action::Right);
            game.ticks(1);
            game.input.held.insert(Action::Right);
            game.ticks(1);
            assert_eq!(mode(&game), "wall", "at {hz} Hz");
            let held_at = game.hero().pos.y;
            game.input.held.insert(Action::Up);
            game.ticks(1);
            let drops = |game: &Game| {
                let events = game.live.world().events().iter();
                events.filter(|e| matches!(e.kind, EventKind::Drop { jumped: false })).count()
            };
            assert_eq!(drops(&game), 1, "at {hz} Hz");
            for _ in 0..hz / 2 {
                assert_eq!(mode(&game), "air", "at {hz} Hz");
                game.ticks(1);
            }
            assert!(game.hero().pos.y < held_at - 50.0, "at {hz} Hz");
            game.input.held.remove(Action::Right);
            game.ticks(1);
            game.input.held.insert(Action::Right);
            game.ticks(2);
            assert_eq!(mode(&game), "wall", "at {hz} Hz");
            assert_eq!(game.wrong(), [""; 0]);
        }
    });
}

#[test]
fn a_velocity_that_is_written_on_a_wall_lets_go_unless_it_points_into_it() {
    on_large_stack(|| {
        for hz in RATES {
            for (x, y) in
                [(0.0, 0.0), (0.0, 300.0), (0.0, -300.0), (-200.0, 0.0), (-200.0, 400.0), (200.0, 0.0), (1.0, 500.0)]
            {
                let script = format!(r#"fn on_tick(me) {{ if me.pressed("up") {{ me.vel = vec({x}, {y}); }} }}"#);
                let mut game = game(WALL, &script, hz);
                grab(&mut game, hz);
                let before = game.hero().pos;
                game.input.held.remove(Action::Right);
                game.input.held.insert(Action::Up);
                game.ticks(1);
                let stays = x > 0.0 || (x == 0.0 && y == 0.0);
                let case = format!("({x}, {y}) at {hz} Hz");
                assert_eq!(mode(&game), if stays { "wall" } else { "air" }, "{case}");
                let moved = game.hero().pos - before;
                if !stays {
                    let dt = 1.0 / f64::from(hz);
                    // Gravity and air friction act within the tick.
                    assert!((moved.y - y * dt).abs() <= 3672.0 * dt * dt, "{case}: {moved}");
                    assert!(moved.x <= 0.0 && moved.x >= x * dt - 1e-9, "{case}: {moved}");
                }
                assert_eq!(game.wrong(), [""; 0]);
            }
        }
    });
}

const TOUCH_LEVEL: &str = r#"
[[solid]]
points = [[-1000, -100], [1000, -100], [1000, 0], [-1000, 0]]
[[entity]]
kind = "hero"
at = [0, 19]
player = 1
[[entity]]
kind = "coin"
at = [200, 19]
"#;

#[test]
fn touching_is_true_from_the_tick_of_on_touch_until_the_bodies_part() {
    on_large_stack(|| {
        for hz in RATES {
            let folder = Folder::with_script(
                r#"
                fn on_touch(me) { this.told = world::tick(); }
                fn on_tick(me) {
                    if me.touching("coin") { this.n += 1; this.first = this.first ?? world::tick(); }
                    if me.touching("hero") { this.own = true; }
                    if this.n == 2 { me.place(-300, 19); this.n += 100; }
                }
                "#,
            );
            folder.write("levels/level.toml", TOUCH_LEVEL);
            folder.write("config/entities/coin.toml", "");
            let mut game = folder.game_at(hz);
            game.input.held.insert(Action::Right);
            game.ticks(hz as usize * 2);
            assert_eq!(game.wrong(), [""; 0]);
            let (told, first) = (game.var("told"), game.var("first"));
            assert!(matches!(told, Value::Int(_)), "at {hz} Hz");
            // It may have come back and touched the coin again, but not in the ticks between.
            assert!(number(&first) <= number(&told), "at {hz} Hz");
            assert!(number(&game.var("n")) >= 102.0, "at {hz} Hz");
            assert_eq!(game.var("own"), Value::Unit);
        }
    });
}

#[test]
fn near_finds_the_others_within_a_circle_the_nearest_first() {
    on_large_stack(|| {
        for radius in [0.0, 99.0, 100.0, 150.0, 400.0, 1e6] {
            let folder = Folder::with_script(&format!(
                "fn on_tick(me) {{ this.found = world::near(0, 500, {radius}).map(|e| e.name); }}"
            ));
            let coins: [(f64, f64); 5] = [(100.0, 500.0), (-50.0, 500.0), (0.0, 900.0), (-400.0, 0.0), (100.0, 400.0)];
            let mut level = TOUCH_LEVEL.replace("[200, 19]", "[900, 19]");
            for (n, (x, y)) in coins.iter().enumerate() {
                level += &format!("[[entity]]\nkind = \"coin\"\nname = \"c{n}\"\nat = [{x}, {y}]\n");
            }
            folder.write("levels/level.toml", &level);
            folder.write("config/entities/coin.toml", "[platformer]\ngravity_scale = 0\n");
            let mut game = folder.game_at(60);
            game.ticks(1);
            assert_eq!(game.wrong(), [""; 0]);
            let mut all: Vec<(String, f64)> = game
                .live
                .views()
                .filter(|view| &*view.name != "hero")
                .map(|view| (view.name.to_string(), view.pos.distance(glam::dvec2(0.0, 500.0))))
                .filter(|(_, far)| *far <= radius)
                .collect();
            all.sort_by(|a, b| a.1.total_cmp(&b.1));
            let expected = all.into_iter().map(|(name, _)| Value::Text(name)).collect();
            assert_eq!(game.var("found"), Value::List(expected), "{radius} px");
        }
    });
}

#[test]
fn random_int_gives_every_number_of_its_range_and_no_other() {
    on_large_stack(|| {
        for (low, high) in [(1, 6), (0, 0), (-3, 3), (-7, -7), (10, 13)] {
            let script = format!("fn on_tick(me) {{ let n = world::random_int({low}, {high}); this.n = n; }}");
            let mut game = Folder::with_script(&script).game();
            let mut seen = std::collections::BTreeSet::new();
            for _ in 0..400 {
                let Value::Int(n) = game.ticks(1).var("n") else {
                    panic!("{low} to {high}: {:?}", game.wrong());
                };
                seen.insert(n);
            }
            assert_eq!(seen.into_iter().collect::<Vec<_>>(), (low..=high).collect::<Vec<_>>());
        }
        let wide = "fn on_tick(me) { this.n = world::random_int(-9223372036854775807, 9223372036854775807); }";
        let mut game = Folder::with_script(wide).game();
        let mut signs = [0; 2];
        for _ in 0..200 {
            signs[usize::from(number(&game.ticks(1).var("n")) < 0.0)] += 1;
        }
        assert!(signs.iter().all(|count| *count > 60), "{signs:?}");
    });
}

#[test]
fn tuned_reads_what_the_files_and_overrides_say() {
    on_large_stack(|| {
        for speed in [0.0, 1.5, 540.0, 900.0] {
            let script = format!(
                r#"
                fn on_tick(me) {{
                    let key = "platformer.jump_speed";
                    if this.n == 0 {{
                        this.file = me.tuned(key);
                        me.tune(key, {speed});
                        this.at_once = me.tuned(key);
                        me.untune(key);
                        this.undone = me.tuned(key);
                        me.tune(key, {speed});
                    }} else {{
                        this.later = me.tuned(key);
                        me.untune();
                        this.all_undone = me.tuned(key);
                    }}
                    this.flag = me.tuned("ballistic.keep_landing_velocity");
                    this.n += 1;
                }}
                "#
            );
            let folder = Folder::with_script(&script);
            let kind = "script = \"hero.rhai\"\nvars = { n = 0 }\n[platformer]\njump_speed = 321\n";
            folder.write("config/entities/hero.toml", kind);
            let mut game = folder.game();
            game.ticks(2);
            assert_eq!(game.wrong(), [""; 0]);
            for name in ["file", "undone", "all_undone"] {
                assert_eq!(game.var(name), Value::Float(321.0), "{name}");
            }
            for name in ["at_once", "later"] {
                assert_eq!(game.var(name), Value::Float(speed), "{name}");
            }
            assert!(matches!(game.var("flag"), Value::Bool(_)));
        }
    });
}

#[test]
fn gravity_is_that_of_the_level() {
    on_large_stack(|| {
        for gravity in [0.0, 900.0, 3672.0] {
            let level = format!("gravity = {gravity:.1}\n{TOUCH_LEVEL}")
                .replace("kind = \"coin\"", "kind = \"hero\"\nname = \"b\"");
            let mut game = game(&level, "fn on_tick(me) { this.n = world::gravity(); }", 60);
            game.ticks(1);
            assert_eq!(game.wrong(), [""; 0]);
            assert_eq!(game.var("n"), Value::Float(gravity));
        }
    });
}

#[test]
fn the_data_of_a_timer_arrives_with_its_event_also_after_loading() {
    on_large_stack(|| {
        for (written, value) in [
            ("3", Value::Int(3)),
            ("\"words\"", Value::Text("words".into())),
            ("[1, 2.5]", Value::List(vec![Value::Int(1), Value::Float(2.5)])),
            ("vec(1, 2)", Value::Vector([1.0, 2.0, 0.0])),
            ("()", Value::Unit),
        ] {
            let script = format!(
                r#"
                fn on_birth(me) {{ me.after(0.25, "due", {written}); me.after(0.25, "plain"); }}
                fn on_due(me, event) {{ this.got = event.data; this.n += 1; }}
                fn on_plain(me, event) {{ this.none = event.data == (); }}
                "#
            );
            let mut game = Folder::with_script(&script).game();
            let mut twin = HeavyTwin::new(&game.live);
            for _ in 0..20 {
                twin.step(&mut game.live, &Inputs::none()).expect("no difference");
                game.note_report();
            }
            assert_eq!(game.wrong(), [""; 0]);
            assert_eq!((game.var("got"), game.var("n")), (value, Value::Int(1)), "{written}");
            assert_eq!(game.var("none"), Value::Bool(true));
        }
    });
}

#[test]
fn data_of_timers_is_small_and_plain() {
    on_large_stack(|| {
        let long = format!("\"{}\"", "x".repeat(600));
        for (data, message) in [
            (&*long, "at most 16 values and 512 bytes of text"),
            ("|| 3", "cannot contain a function"),
            ("[1, 0.0 / 0.0]", "cannot contain NaN at `[1]`"),
            ("[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]", "at most 16 values"),
        ] {
            let script = format!("fn on_tick(me) {{ me.after(1, \"due\", {data}); }}");
            let mut game = Folder::with_script(&script).game();
            game.ticks(1);
            let wrong = game.wrong();
            assert!(wrong.first().is_some_and(|w| w.contains(message)), "{data}: {wrong:?}");
        }
    });
}

#[test]
fn a_landing_says_where() {
    on_large_stack(|| {
        for hz in RATES {
            for (x, slope) in [(-300.0, 0.0), (12.5, 0.0), (300.0, 0.0), (0.0, 0.25)] {
                let (left, right) = (-1000.0 * slope, 1000.0 * slope);
                let level = format!(
                    "[[solid]]\npoints = [[-1000, -900], [1000, -900], [1000, {right}], [-1000, {left}]]\n\
                     [[entity]]\nkind = \"hero\"\nat = [{x}, 300]\nplayer = 1\n"
                );
                let script = "fn on_land(me, event) { this.at = event.at; this.n = event.normal; }";
                let mut game = game(&level, script, hz);
                game.ticks(2 * hz as usize);
                assert_eq!(game.wrong(), [""; 0]);
                let Value::Vector([at_x, at_y, z]) = game.var("at") else {
                    panic!("it has not landed at {hz} Hz");
                };
                // The point is on the ground, where the ellipse touches it.
                let slant = (slope * slope + 1.0_f64).sqrt();
                let (nx, ny) = (-slope / slant, 1.0 / slant);
                let reach = ((10.0 * nx).powi(2) + (19.0 * ny).powi(2)).sqrt();
                near(at_y, slope * at_x, 1e-6);
                near(at_x, x - 100.0 * nx / reach, 1e-6);
                assert_eq!(z, 0.0);
            }
        }
    });
}

/// A shot that flies to a wall at x = 400.
const SHOT: &str = r#"
[[solid]]
name = "wall"
points = [[400, -900], [500, -900], [500, 900], [400, 900]]
[[entity]]
kind = "hero"
at = [0, 0]
velocity = [600, 120]
"#;

#[test]
fn a_hit_says_where_and_which_part() {
    on_large_stack(|| {
        for hz in RATES {
            let folder = Folder::with_script(
                "fn on_hit(me, event) { this.at = event.at; this.part = event.part; this.foot = event.foot; }",
            );
            folder.write("levels/level.toml", &format!("gravity = 0.0\n{SHOT}"));
            let kind = "script = \"hero.rhai\"\nmodel = \"ballistic\"\nbody = { ellipse = [8, 8] }\n";
            folder.write("config/entities/hero.toml", kind);
            let mut game = folder.game_at(hz);
            game.ticks(hz as usize);
            assert_eq!(game.wrong(), [""; 0]);
            let Value::Vector([x, y, _]) = game.var("at") else {
                panic!("it has hit nothing at {hz} Hz");
            };
            near(x, 400.0, 1e-6);
            // It rises 120 px/s for the time that its front needs to the wall.
            let half = game.hero().half;
            near(y, 120.0 * (400.0 - half.x) / 600.0, 1e-6);
            assert_eq!(game.var("part"), Value::Int(0));
        }
    });
}

#[test]
fn a_vessel_says_which_of_its_pieces_was_hit() {
    on_large_stack(|| {
        for hz in RATES {
            for (at, velocity, part, foot) in [
                // Its left foot is the lowest piece when it is tilted to the left, its hull when it is upside down.
                ("[0, 60]\nangle_deg = 20.0", "[0, -100]", 1, true),
                ("[0, 60]\nangle_deg = -20.0", "[0, -100]", 2, true),
                ("[0, 60]\nangle_deg = 180.0", "[0, -100]", 0, false),
            ] {
                let folder = Folder::with_script(
                    "fn on_hit(me, event) { if this.n == 0 { this.part = event.part; this.foot = event.foot; this.at = event.at; this.n = 1; } }",
                );
                folder.write(
                    "levels/level.toml",
                    &format!(
                        "gravity = 0.0\n[[solid]]\npoints = [[-1000, -100], [200, -100], [200, 0], [-1000, 0]]\n\
                         [[solid]]\npoints = [[200, -100], [300, -100], [300, 900], [200, 900]]\n\
                         [[entity]]\nkind = \"hero\"\nat = {at}\nvelocity = {velocity}\n"
                    ),
                );
                let body = "[body]\npieces = [\n{ points = [[-13, 0], [13, 0], [16, 9], [10, 22], [-10, 22], [-16, 9]] },\n\
                            { points = [[-19, -9], [-11, -9], [-9, 3], [-13, 3]], foot = true },\n\
                            { points = [[11, -9], [19, -9], [13, 3], [9, 3]], foot = true },\n]\n";
                let kind = format!("script = \"hero.rhai\"\nmodel = \"vessel\"\nvars = {{ n = 0 }}\n{body}");
                folder.write("config/entities/hero.toml", &kind);
                let mut game = folder.game_at(hz);
                game.ticks(hz as usize);
                assert_eq!(game.wrong(), [""; 0]);
                let case = format!("{at} at {hz} Hz");
                assert_eq!(game.var("part"), Value::Int(part), "{case}");
                assert_eq!(game.var("foot"), Value::Bool(foot), "{case}");
                let Value::Vector([_, y, _]) = game.var("at") else { panic!("no place, {case}") };
                near(y, 0.0, 1e-9);
            }
        }
    });
}
