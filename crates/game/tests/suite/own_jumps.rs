//! Jumps that are planned by playing the entity's own model.

use crate::common::{RATES, near};
use crate::folder::{Folder, Game, on_large_stack};
use hangtime_core::sim::Value;
use std::sync::Arc;

/// A floor, and ledges on both sides.
const LEVEL: &str = r#"
[[solid]]
points = [[-2000, -100], [2000, -100], [2000, 0], [-2000, 0]]
[[solid]]
points = [[100, 0], [220, 0], [220, 40], [100, 40]]
[[solid]]
points = [[-260, 30], [-140, 30]]
one_way = true
[[entity]]
kind = "hero"
at = [0, 19]
player = 1
"#;

/// Plans in the third tick and follows the plan.
const FOLLOW: &str = r#"
fn on_land(me, event) { if this.n > 3 && this.landed == () { this.landed = event.at; } }
fn on_tick(me) {
    this.n += 1;
    if this.n == 3 { this.plan = me.plan_own_jump(TARGET); this.age = me.age; }
    if this.plan == () || !this.plan.ok { return; }
    let t = me.age - this.age + 0.25 * world::dt();
    if t < this.plan.hold { me.hold("jump"); }
    if t < this.plan.steer { me.hold(if this.plan.side > 0 { "right" } else { "left" }); }
}
"#;

fn script(x: f64, y: f64) -> String {
    FOLLOW.replace("TARGET", &format!("{x}, {y}"))
}

fn game(script: &str, kind: &str, hz: u32) -> Game {
    let folder = Folder::with_script(script);
    folder.write("levels/level.toml", LEVEL);
    let kind = format!("script = \"hero.rhai\"\nvars = {{ n = 0 }}\n{kind}");
    folder.write("config/entities/hero.toml", &kind);
    folder.game_at(hz)
}

fn field(game: &Game, name: &str) -> f64 {
    let Value::Map(plan) = game.var("plan") else { panic!("no plan: {:?}", game.wrong()) };
    match plan.get(name) {
        Some(Value::Float(x)) => *x,
        other => panic!("`{name}` is {other:?}"),
    }
}

fn is_ok(game: &Game) -> bool {
    let Value::Map(plan) = game.var("plan") else { panic!("no plan: {:?}", game.wrong()) };
    plan["ok"] == Value::Bool(true)
}

#[test]
fn a_planned_jump_of_a_walker_lands_where_it_says() {
    on_large_stack(|| {
        let (mut found, mut missing) = (0, Vec::new());
        for hz in RATES {
            for (x, y) in
                [(0.0, 0.0), (60.0, 0.0), (-60.0, 0.0), (130.0, 40.0), (180.0, 40.0), (-180.0, 30.0), (-230.0, 30.0)]
            {
                for kind in ["", "[platformer]\njump_speed = 700\n", "model = \"two_velocity\"\n"] {
                    let mut game = game(&script(x, y), kind, hz);
                    game.ticks(3 * hz as usize);
                    assert_eq!(game.wrong(), [""; 0]);
                    let case = format!("({x}, {y}) with {kind:?} at {hz} Hz");
                    if !is_ok(&game) {
                        missing.push(format!("{case}: {:?}", game.var("plan")));
                        continue;
                    }
                    found += 1;
                    let Value::Vector([at_x, at_y, _]) = game.var("landed") else {
                        panic!("it has not landed: {case}")
                    };
                    near(at_x, field(&game, "x"), 1e-6);
                    near(at_y, field(&game, "y"), 1e-6);
                    assert!((at_x - x).abs() <= 10.0, "{at_x}: {case}");
                    assert!((at_y - y).abs() <= 2.0, "{at_y}: {case}");
                }
            }
        }
        assert!(found >= 72, "only {found} of 84, not {missing:#?}");
    });
}

#[test]
fn a_jump_that_is_too_far_or_too_high_is_not_planned() {
    on_large_stack(|| {
        for hz in RATES {
            for (x, y) in [(0.0, 500.0), (1900.0, 0.0), (-200.0, 200.0), (150.0, 20.0)] {
                let mut game = game(&script(x, y), "", hz);
                game.ticks(10);
                assert_eq!(game.wrong(), [""; 0]);
                assert!(!is_ok(&game), "({x}, {y}) at {hz} Hz");
            }
            let mut game = game(&script(60.0, 0.0), "model = \"topdown\"\n", hz);
            game.ticks(10);
            assert!(!is_ok(&game), "a model without a jump");
        }
    });
}

#[test]
fn planning_in_every_tick_stays_within_the_budget() {
    on_large_stack(|| {
        let folder = Folder::with_script("fn on_tick(me) { this.ok = me.plan_own_jump(60, 0).ok; }");
        folder.write("levels/level.toml", LEVEL);
        let mut game = Game::new(Arc::new(folder.open().expect("a good game")));
        game.ticks(30);
        assert_eq!(game.wrong(), [""; 0]);
        assert_eq!(game.var("ok"), Value::Bool(true));
    });
}
