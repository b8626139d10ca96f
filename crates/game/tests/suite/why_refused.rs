//! Why walls are not grabbed, hooks do not hold, and models do not jump or change.

use crate::{
    folder::{Folder, on_large_stack},
    ledge::{LEDGE, ledge, played},
    why::{SWING, press_jump, refusals, told},
};
use hangtime_core::models::Action;
use hangtime_script::Reason;

#[test]
fn a_model_that_cannot_jump_says_so_and_what_chose_it() {
    on_large_stack(|| {
        let folder = ledge("\nmodel = \"topdown\"\n");
        let mut game = played(&folder, &[]);
        let expected = "jump refused: `topdown` does not jump in a side view \
                        (model topdown, config/entities/hero.toml:2)";
        assert_eq!(refusals(&press_jump(&mut game)), [expected]);
        folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\n");
        folder.write("scripts/hero.rhai", "\nfn model(me) { \"vessel\" }\n");
        let mut game = played(&folder, &[]);
        game.ticks(1);
        let expected = "jump refused: `vessel` does not jump (model vessel, scripts/hero.rhai:2)";
        assert_eq!(refusals(&press_jump(&mut game)), [expected]);
        game.input.pressed.insert(Action::Hook);
        let expected = "hook refused: `vessel` has no hook (model vessel, scripts/hero.rhai:2)";
        assert_eq!(refusals(&told(&mut game, 1)), [expected]);
        let script = "fn on_tick(me) { me.set_model(\"vessel\"); me.jump(); }\n";
        folder.write("scripts/hero.rhai", script);
        let mut game = played(&folder, &[]);
        game.ticks(1);
        let expected = "jump refused: `vessel` does not jump (model vessel, scripts/hero.rhai)";
        assert_eq!(refusals(&told(&mut game, 1)), [expected]);
    });
}

/// A shaft in which the hero falls along the right wall, tilted by some degrees.
fn shaft(kind: &str, degrees: f64) -> Folder {
    let folder = Folder::empty();
    let lean = 1000.0 * degrees.to_radians().tan();
    folder.write(
        "levels/level.toml",
        &format!(
            "[[solid]]\nname = \"wall\"\npoints = [[0, -1000], [{lean:?}, 0], [300, 0], [300, -1000]]\n\
             [[entity]]\nkind = \"hero\"\nat = [{:?}, -500]\nplayer = 1\n",
            0.5 * lean - 16.0
        ),
    );
    folder.write("config/entities/hero.toml", kind);
    folder
}

#[test]
fn an_ungrabbed_wall_says_why() {
    on_large_stack(|| {
        let tuned = "[platformer]\nwall_tolerance_deg = 4.0\n";
        for degrees in [4.5, 12.0, -5.0] {
            let mut game = played(&shaft(tuned, degrees), &[]);
            game.input.held.insert(Action::Right);
            let reasons = told(&mut game, 20);
            let steep = f64::abs(degrees);
            let expected = format!(
                "grab refused: the wall leans {steep:.2}° from vertical \
                 (wall_tolerance_deg 4°, config/entities/hero.toml:2)"
            );
            assert_eq!(refusals(&reasons), [expected], "{degrees}°");
            assert_eq!(game.hero().mode, "air");
        }
        // Thrown at the wall without the key.
        let level = shaft("", 0.0);
        let text = std::fs::read_to_string(level.path("levels/level.toml")).expect("a level");
        level.write("levels/level.toml", &format!("{text}velocity = [300, 0]\n"));
        let mut game = played(&level, &[]);
        let expected = "grab refused: the key toward the wall is not held";
        assert_eq!(refusals(&told(&mut game, 20)), [expected]);
        // With the key it grabs, without a message.
        let mut game = played(&level, &[]);
        game.input.held.insert(Action::Right);
        assert_eq!(refusals(&told(&mut game, 20)), [""; 0]);
        assert_eq!(game.hero().mode, "wall");
        // It jumped off with the key still held.
        let mut reasons = press_jump(&mut game);
        reasons.extend(told(&mut game, 3));
        let refused = refusals(&reasons);
        assert_eq!(refused.len(), 1, "{refused:?}");
        assert!(refused[0].contains("still held from the last grab or wall jump"), "{refused:?}");
    });
}

#[test]
fn a_grab_refused_by_a_rule_names_its_line() {
    on_large_stack(|| {
        let folder = shaft("script = \"hero.rhai\"\n", 0.0);
        folder.write("scripts/hero.rhai", "// Walls are slippery.\nfn can_grab(me, hit) { hit.solid != \"wall\" }\n");
        let mut game = played(&folder, &[]);
        game.input.held.insert(Action::Right);
        let reasons = told(&mut game, 20);
        let first = refusals(&reasons)[0];
        let expected = "grab refused: `can_grab` returned false (can_grab false, scripts/hero.rhai:2)";
        assert_eq!(first, expected);
        let answer = reasons.iter().find(|r| r.rule == "can_grab");
        let answer = answer.expect("the rule was asked");
        assert_eq!((&*answer.answer, &*answer.from, answer.phase), ("false", "scripts/hero.rhai:2", "grab"));
        // The rule refuses in each tick of the contact; only the first is logged.
        let count = |wanted: fn(&&Reason) -> bool| reasons.iter().filter(wanted).count();
        let refused = count(|r| !r.refused.is_empty());
        assert!(refused > 10, "{refused} ticks at the wall");
        assert_eq!(count(|r| !r.refused.is_empty() && !r.plain), 1);
        assert_eq!(count(|r| r.rule == "can_grab" && !r.plain), 1);
    });
}

#[test]
fn a_key_held_by_a_script_is_logged_when_it_starts() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { if world::tick() != 10 { me.hold(\"right\"); } }\n";
        let folder = ledge("");
        folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\n");
        folder.write("scripts/hero.rhai", script);
        let reasons = told(&mut played(&folder, &[]), 20);
        let held = |r: &&Reason| r.text == "me.hold(\"right\")";
        assert_eq!(reasons.iter().filter(held).count(), 19);
        let told: Vec<u64> = reasons.iter().filter(|r| held(r) && !r.plain).map(|r| r.tick).collect();
        // The step from n to n + 1 shows at n + 1; in the step from 10 to 11 the key is not held.
        assert_eq!(told, [1, 12]);
    });
}

#[test]
fn a_hook_that_misses_or_snaps_says_why() {
    on_large_stack(|| {
        let folder = ledge("[platformer]\nhook_length = 200\n");
        folder.write("levels/level.toml", SWING);
        let mut game = played(&folder, &[]);
        game.input.held.insert(Action::Hook);
        game.input.aim = Some(glam::dvec2(0.0, 1000.0));
        let expected = "hook refused: nothing within reach \
                        (hook_length 200 px, config/entities/hero.toml:2)";
        assert_eq!(refusals(&told(&mut game, 30)), [expected]);
        // Long enough, but weak.
        folder.write("config/entities/hero.toml", "[platformer]\nhook_snap_speed = 620\nhook_snap_needs_key = false\n");
        let mut game = played(&folder, &[]);
        game.input.held.insert(Action::Hook);
        game.input.aim = Some(glam::dvec2(0.0, 1000.0));
        let reasons = told(&mut game, 30);
        let refused = refusals(&reasons);
        assert_eq!(refused.len(), 1, "{refused:?}");
        let pulled = refused[0]
            .strip_prefix("rope refused: the body pulls away at ")
            .and_then(|rest| rest.split_once(" px/s ("));
        let (pulled, because) = pulled.expect("how hard it was pulled");
        assert!(pulled.parse::<f64>().expect("a number") > 620.0, "{pulled}");
        assert_eq!(
            because,
            "hook_snap_speed 620 px/s, config/entities/hero.toml:2; \
             hook_snap_needs_key false, config/entities/hero.toml:3)"
        );
        // A rule's decision names the rule.
        folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\n");
        folder.write("scripts/hero.rhai", "fn grapple_snaps(me, rope) {\n  me.age > 0.2\n}\n");
        let mut game = played(&folder, &[]);
        game.input.held.insert(Action::Hook);
        game.input.aim = Some(glam::dvec2(0.0, 1000.0));
        let reasons = told(&mut game, 30);
        let asked: Vec<&Reason> = reasons.iter().filter(|r| r.rule == "grapple_snaps").collect();
        assert!(asked.len() > 2, "it is asked in each tick");
        assert!(asked.iter().all(|r| r.from == "scripts/hero.rhai:1"));
        let (last, before) = asked.split_last().expect("some");
        assert_eq!(last.answer, "true");
        assert!(before.iter().all(|r| r.answer == "false"));
        assert!(refusals(&reasons)[0].ends_with("(grapple_snaps true, scripts/hero.rhai:1)"));
    });
}

/// A low room on the ledge around the hero.
const WALLS: &str = r#"
[[solid]]
points = [[-1000, 60], [0, 60], [0, 100], [-1000, 100]]
[[solid]]
points = [[-1000, 0], [-900, 0], [-900, 60], [-1000, 60]]
[[solid]]
points = [[-40, 0], [0, 0], [0, 60], [-40, 60]]
"#;

#[test]
fn refused_models_and_teleports_say_why_and_actions_are_spelled_as_in_scripts() {
    on_large_stack(|| {
        let folder = ledge("script = \"hero.rhai\"\n[vessel]\nbody = { box = [400, 300] }\n");
        folder.write(
            "scripts/hero.rhai",
            "fn on_tick(me) {\n\
               me.vel.x = 12.5;\n me.push(3, 4);\n me.hold(\"right\");\n\
               me.place(-500, 19);\n me.set_model(\"vessel\");\n}\n",
        );
        folder.write("levels/level.toml", &format!("{WALLS}{LEDGE}"));
        let mut game = played(&folder, &[]);
        let reasons = told(&mut game, 1);
        let orders: Vec<&str> = reasons
            .iter()
            .filter(|r| r.text.starts_with("me."))
            .map(|r| {
                assert_eq!((r.phase, &*r.from), ("orders", "scripts/hero.rhai"));
                &*r.text
            })
            .collect();
        assert_eq!(
            orders,
            [
                "me.vel = (12.5, 0)",
                "me.push(3, 4)",
                "me.hold(\"right\")",
                "me.place(-500, 19)",
                "me.set_model(\"vessel\")",
            ]
        );
        let refused = refusals(&reasons);
        let expected = "model refused: `vessel`: there is no room for its body \
                        (model vessel, scripts/hero.rhai)";
        assert!(refused.contains(&expected), "{reasons:#?}");
    });
}
