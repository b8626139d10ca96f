//! Zones that scripts switch, and entities that spawn with settings.

use crate::{
    common::{RATES, near},
    folder::{Folder, Game, on_large_stack},
};
use hangtime_core::sim::{Inputs, Value};
use hangtime_play::HeavyTwin;
use std::sync::Arc;

const WIND: &str = r#"
gravity = 0.0
[[zone]]
name = "wind"
points = [[-500, -500], [500, -500], [500, 500], [-500, 500]]
external_accel = [300, 0]
[[zone]]
name = "calm"
points = [[-500, -500], [500, -500], [500, 500], [-500, 500]]
[[entity]]
kind = "hero"
at = [0, 0]
player = 1
"#;

#[test]
fn a_zone_that_is_off_has_no_effect_and_is_left() {
    on_large_stack(|| {
        for hz in RATES {
            let script = r#"
                fn on_enter(me, event) { this.log += "+" + event.zone; }
                fn on_leave(me, event) { this.log += "-" + event.zone; }
                fn on_tick(me) {
                    this.n += 1;
                    if this.n == 5 { world::set_zone("wind", false); }
                    if this.n == 9 { world::set_zone("wind", true); }
                    this.on = world::zone("wind");
                    this.here = world::zones_at(me.x, me.y).len();
                }
            "#;
            let folder = Folder::with_script(script);
            folder.write("levels/level.toml", WIND);
            let kind = "script = \"hero.rhai\"\nvars = { n = 0, log = \"\" }\n";
            folder.write("config/entities/hero.toml", kind);
            let mut game = folder.game_at(hz);
            let mut twin = HeavyTwin::new(&game.live);
            let mut before = 0.0;
            for tick in 1..=12 {
                twin.step(&mut game.live, &Inputs::none()).expect("no difference");
                let speed = game.hero().external.x;
                // In the ticks 5 to 8 the zone is off; a push that decays cannot grow.
                let off = (5..9).contains(&tick);
                assert_eq!(speed <= before, off, "tick {tick} at {hz} Hz");
                assert_eq!(game.var("on"), Value::Bool(!(6..=9).contains(&tick)), "{tick}");
                let zones = if (6..=9).contains(&tick) { 1 } else { 2 };
                assert_eq!(game.var("here"), Value::Int(zones), "tick {tick}");
                before = speed;
                game.note_report();
            }
            assert_eq!(game.wrong(), [""; 0]);
            assert_eq!(game.var("log"), Value::Text("+calm+wind-wind+wind".into()));
        }
    });
}

#[test]
fn a_zone_that_is_off_stays_off_over_a_reload_and_a_vessel_at_rest_feels_it() {
    on_large_stack(|| {
        let script = r#"fn on_tick(me) { this.n += 1; if this.n == 2 { world::set_zone("wind", false); } }"#;
        let folder = Folder::with_script(script);
        folder.write("levels/level.toml", WIND);
        let mut game = folder.game_at(60);
        game.ticks(5);
        folder.write("levels/level.toml", &format!("# Another revision.\n{WIND}"));
        game.live.adopt(Arc::new(folder.open().expect("a good game")));
        let before = game.hero().external.x;
        game.ticks(5);
        assert!(game.hero().external.x < before);
        assert_eq!(game.wrong(), [""; 0]);
        // A vessel that rests on the ground is lifted when the wind begins.
        let level = "[[solid]]\npoints = [[-900, -100], [900, -100], [900, 0], [-900, 0]]\n\
                     [[zone]]\nname = \"wind\"\npoints = [[-900, -10], [900, -10], [900, 500], [-900, 500]]\n\
                     external_accel = [0, 9000]\n[[entity]]\nkind = \"hero\"\nat = [0, 20]\n";
        let script = r#"
            fn on_birth(me) { world::set_zone("wind", false); }
            fn on_go(me) { world::set_zone("wind", true); }
        "#;
        let folder = Folder::with_script(script);
        folder.write("levels/level.toml", level);
        let body = "[body]\npieces = [{ points = [[-10, -10], [10, -10], [10, 10], [-10, 10]] }]\n";
        let kind = format!("script = \"hero.rhai\"\nmodel = \"vessel\"\n{body}");
        folder.write("config/entities/hero.toml", &kind);
        let mut game = folder.game_at(60);
        game.ticks(240);
        let rests = game.hero().pos;
        game.ticks(60);
        near(game.hero().pos.x, rests.x, 1e-6);
        game.live.emit("go".into(), Value::Unit);
        game.ticks(30);
        assert_eq!(game.wrong(), [""; 0]);
        // The wind speeds external velocity up to 9000 / 4 px/s, and gravity of 3672 px/s² acts on its own.
        let (external, fastest) = (game.hero().external.y, 9000.0 / 4.0);
        let seconds = -(1.0 - external / fastest).ln() / 4.0;
        let blown = fastest * (seconds - (1.0 - (-4.0 * seconds).exp()) / 4.0);
        near(game.hero().pos.y - rests.y, blown - 0.5 * 3672.0 * seconds * seconds, 0.01);
        assert!(game.hero().pos.y > rests.y + 100.0, "{}", game.hero().pos);
    });
}

#[test]
fn spawned_entities_begin_with_their_settings() {
    on_large_stack(|| {
        for hz in RATES {
            for (vx, vy, side) in [(0.0, 0.0, 1), (200.0, 300.0, -1), (-50.5, -10.0, 7)] {
                let script = format!(
                    r#"
                    fn on_birth(me) {{
                        if me.name == "hero" {{
                            world::create("ball", 0, 500, #{{
                                vel: vec({vx}, {vy}), facing: {side}, vars: #{{ bounces: 3, word: "x" }}
                            }});
                            world::create("ball", 400, 500);
                        }}
                    }}
                    "#
                );
                let folder = Folder::with_script(&script);
                let ball = "script = \"hero.rhai\"\nvars = { bounces = 1, kept = 2 }\n[platformer]\n\
                            gravity_scale = 0\n";
                folder.write("config/entities/ball.toml", ball);
                let mut game = folder.game_at(hz);
                game.ticks(1);
                assert_eq!(game.wrong(), [""; 0]);
                let case = format!("({vx}, {vy}) at {hz} Hz");
                let ball = |game: &Game, place: usize| {
                    let balls: Vec<_> = game.live.views().filter(|v| &*v.kind == "ball").collect();
                    balls[place].clone()
                };
                let one = ball(&game, 0);
                assert_eq!((one.vel.x, one.vel.y), (vx, vy), "{case}");
                assert_eq!(one.facing, f64::from(side).signum(), "{case}");
                let vars = |game: &Game, place: usize| {
                    let all = game.live.world().entities().iter();
                    let of_kind: Vec<_> = all.filter(|e| &*e.kind == "ball").collect();
                    of_kind[place].vars.0.to_plain()
                };
                let own = vars(&game, 0);
                assert_eq!(own["bounces"], Value::Int(3));
                assert_eq!(own["kept"], Value::Int(2));
                assert_eq!(own["word"], Value::Text("x".into()));
                assert_eq!(vars(&game, 1)["bounces"], Value::Int(1));
                game.ticks(1);
                let moved = ball(&game, 0).pos - one.pos;
                near(moved.y, vy / f64::from(hz), 1e-9);
            }
        }
    });
}

#[test]
fn wrong_settings_of_a_spawned_entity_are_refused() {
    on_large_stack(|| {
        for (settings, message) in [
            ("#{ velocity: vec(1, 2) }", "has no setting `velocity`"),
            ("#{ vel: 3 }", "must be a vec"),
            ("#{ vel: vec(1, 2, 3) }", "always 0 in a side view"),
            ("#{ vel: vec(0.0 / 0.0, 2) }", "cannot be NaN"),
            ("#{ facing: 0 }", "must be 1 or -1"),
            ("#{ z: 5 }", "z is always 0 in a side view"),
            ("#{ vars: 3 }", "must be a map"),
            ("#{ vars: #{ f: || 3 } }", "cannot contain a function"),
            ("\"text\"", "must be a map"),
        ] {
            let script = format!("fn on_tick(me) {{ world::create(\"hero\", 0, 500, {settings}); }}");
            let mut game = Folder::with_script(&script).game();
            game.ticks(1);
            let wrong = game.wrong();
            assert!(wrong.first().is_some_and(|w| w.contains(message)), "{settings}: {wrong:?}");
            assert_eq!(game.live.world().entities().len(), 1, "{settings}");
        }
    });
}

#[test]
fn touching_without_contacts_says_how_to_switch_them_on() {
    on_large_stack(|| {
        let folder = Folder::with_script(r#"fn on_tick(me) { me.touching("hero"); }"#);
        let revision = folder.open_with(&[("simulation.touches", "false")]);
        let mut game = Game::new(Arc::new(revision.expect("a good game")));
        game.ticks(1);
        assert!(game.wrong()[0].contains("touches = true"), "{:?}", game.wrong());
    });
}
