//! Reasons for motion and for refusals.

use crate::{
    folder::{Folder, Game, on_large_stack},
    ledge::{LEDGE, ledge, played, run_off},
};
use hangtime_core::{
    models::{Action, ModelName},
    sim::{Command, Inputs, NativeRules, PlayerInput, World, why::Watch},
    tuning::Setting,
};
use hangtime_script::Reason;

/// Plays ticks and collects the hero's reasons.
pub fn told(game: &mut Game, ticks: usize) -> Vec<Reason> {
    let mut all = Vec::new();
    for _ in 0..ticks {
        game.ticks(1);
        all.extend(game.live.why("hero"));
    }
    all
}

pub fn refusals(reasons: &[Reason]) -> Vec<&str> {
    let refused = reasons.iter().filter(|r| !r.refused.is_empty());
    refused.map(|r| r.text.as_str()).collect()
}

/// Presses jump in the next tick only.
pub fn press_jump(game: &mut Game) -> Vec<Reason> {
    game.input.pressed.insert(Action::Jump);
    let reasons = told(game, 1);
    game.input.pressed.remove(Action::Jump);
    reasons
}

/// The last tick in which a window is open, found by trying each.
fn last_tick(seconds: f64, hz: u32) -> u64 {
    let open = |n: &u64| *n as f64 <= seconds * f64::from(hz) + 1e-6;
    (0..).take_while(open).last().unwrap_or(0)
}

#[test]
fn a_late_jump_reports_its_delay_the_window_and_where_it_is_set() {
    for hz in [30, 60, 75, 120, 240] {
        for time in [0.0, 0.05, 0.1, 0.13] {
            let folder = ledge(&format!("\n[platformer]\n\ncoyote_time = {time:?}\n"));
            let rate = hz.to_string();
            let window = last_tick(time, hz);
            for late in 0..=window + 3 {
                let mut game = played(&folder, &[("simulation.tick_hz", &rate)]);
                run_off(&mut game);
                game.ticks(late as usize);
                let mut reasons = press_jump(&mut game);
                let jumped = game.hero().vel.y > 0.0;
                assert_eq!(jumped, late <= window, "{late} ticks late at {hz} Hz");
                // The reason appears when the press expires.
                reasons.extend(told(&mut game, hz as usize / 2));
                let unit = if late == 1 { "tick" } else { "ticks" };
                let expected = format!(
                    "jump refused: {late} {unit} after leaving the ground, window {window} \
                     (coyote_time {time} s, config/entities/hero.toml:4)"
                );
                if jumped {
                    assert_eq!(refusals(&reasons), [""; 0], "{late} at {hz} Hz");
                } else {
                    assert_eq!(refusals(&reasons), [expected], "{late} at {hz} Hz");
                }
            }
        }
    }
}

#[test]
fn a_jump_is_refused_when_its_press_expires() {
    for (hz, buffer) in [(60, 0.1), (60, 0.0), (30, 0.1), (240, 0.03)] {
        let folder = ledge(&format!("[platformer]\njump_buffer = {buffer:?}\n"));
        let mut game = played(&folder, &[("simulation.tick_hz", &hz.to_string())]);
        run_off(&mut game);
        game.ticks(hz as usize / 2);
        let pressed = game.live.world().ticks();
        let mut reasons = press_jump(&mut game);
        reasons.extend(told(&mut game, hz as usize / 3));
        let refused = reasons.iter().find(|r| r.refused == "jump");
        let refused = refused.expect("a refusal");
        assert_eq!(refused.phase, "drive");
        assert_eq!(refused.tick, pressed + last_tick(buffer, hz) + 1);
    }
}

/// The only refusal of a jump long after the hero ran off the ledge.
fn late_jump(folder: &Folder, settings: &[(&str, &str)]) -> Reason {
    let mut game = played(folder, settings);
    run_off(&mut game);
    game.ticks(30);
    let mut reasons = press_jump(&mut game);
    reasons.extend(told(&mut game, 30));
    let refused: Vec<Reason> = reasons.into_iter().filter(|r| r.refused == "jump").collect();
    assert_eq!(refused.len(), 1, "{refused:?}");
    refused[0].clone()
}

#[test]
fn the_reported_window_names_the_last_file_that_sets_it() {
    let model = "# defaults\ncoyote_time = 0.05\n";
    let folder = ledge("");
    assert_eq!(late_jump(&folder, &[]).from, "default");
    folder.write("config/models/platformer.toml", model);
    assert_eq!(late_jump(&folder, &[]).from, "config/models/platformer.toml:2");
    folder.write(
        "config/entities/hero.toml",
        "model = \"platformer\"\n[platformer]\nrun_accel = 500\n# late\ncoyote_time = 0.2\n",
    );
    let own = late_jump(&folder, &[]);
    assert_eq!(own.from, "config/entities/hero.toml:5");
    assert!(own.text.contains("window 12 (coyote_time 0.2 s, "), "{own}");
    let line = LEDGE.lines().count() + 1;
    let level = format!("{LEDGE}platformer.coyote_time = 0.15\n");
    folder.write("levels/level.toml", &level);
    let entity = late_jump(&folder, &[]);
    assert_eq!(entity.from, format!("levels/level.toml:{line}"));
    assert!(entity.text.contains("window 9 "), "{entity}");
    folder.write("levels/level.toml", LEDGE);
    let kind = ("entities.hero.platformer.coyote_time", "0.25");
    let set = late_jump(&folder, &[kind]);
    assert_eq!(set.from, "--set entities.hero.platformer.coyote_time=0.25", "{set}");
    assert!(set.text.contains("window 15 (coyote_time 0.25 s, "), "{set}");
    // A kind's table wins over the model's setting.
    let below = ("platformer.coyote_time", "0.3");
    assert_eq!(late_jump(&folder, &[below]).from, "config/entities/hero.toml:5");
    folder.write("config/entities/hero.toml", "");
    let model = late_jump(&folder, &[below]);
    assert_eq!(model.from, "--set platformer.coyote_time=0.3");
}

#[test]
fn a_window_from_a_rule_or_tune_names_the_script() {
    on_large_stack(|| {
        let folder = ledge("script = \"hero.rhai\"\n[platformer]\ncoyote_time = 0.2\n");
        folder.write(
            "scripts/hero.rhai",
            "// fn jump_windows(me) is not here.\nfn model(me) { () }\n\
             fn jump_windows(me) {\n  #{ coyote_time: 0.05 }\n}\n",
        );
        let ruled = late_jump(&folder, &[]);
        assert_eq!(ruled.from, "scripts/hero.rhai:3");
        assert!(ruled.text.contains("window 3 (coyote_time 0.05 s, "), "{ruled}");
        // Values that a rule leaves out come from tuning.
        folder.write("scripts/hero.rhai", "fn jump_windows(me) { #{ jump_hold_time: 0.1 } }\n");
        assert_eq!(late_jump(&folder, &[]).from, "config/entities/hero.toml:3");
        folder.write("scripts/hero.rhai", "fn on_birth(me) { me.tune(\"platformer.coyote_time\", 0.3); }\n");
        let tuned = late_jump(&folder, &[]);
        assert_eq!(tuned.from, "me.tune in scripts/hero.rhai");
        assert!(tuned.text.contains("window 18 (coyote_time 0.3 s, "), "{tuned}");
    });
}

#[test]
fn a_tunable_overridden_for_one_entity_says_so() {
    let folder = ledge("[platformer]\nhook_length = 100\n");
    folder.write("levels/level.toml", SWING);
    let revision = folder.open().expect("a good level");
    let stage = &revision.stage;
    let mut world = World::new(stage, 0);
    let id = world.entities()[0].id;
    let tune = Command::Tune(ModelName::platformer, "hook_length", Setting::Number(150.0));
    world.order(stage, id, &tune);
    world.watch(Watch::All);
    let mut input = PlayerInput::default();
    input.held.insert(Action::Hook);
    input.aim = Some(glam::dvec2(0.0, 1000.0));
    let mut reasons = Vec::new();
    for _ in 0..10 {
        world.tick(stage, &Inputs::of_first(input), &mut NativeRules);
        let account = world.why_of("hero").expect("it is watched");
        reasons.extend(revision.reasons(account));
    }
    let expected = "hook refused: nothing within reach \
                    (hook_length 150 px, me.tune)";
    assert_eq!(refusals(&reasons), [expected]);
}

#[test]
fn an_early_press_reports_by_how_much() {
    let folder = ledge("[platformer]\njump_buffer = 0.05\n");
    let high = LEDGE.replace("at = [-100, 19]", "at = [-100, 219]");
    folder.write("levels/level.toml", &high);
    for hz in [30, 60, 120] {
        let rate = [("simulation.tick_hz", &*hz.to_string())];
        let mut game = played(&folder, &rate);
        // The first run has no press and finds the landing.
        let mut landed = 0;
        while !game.hero().grounded {
            game.ticks(1);
            landed += 1;
        }
        let buffer = last_tick(0.05, hz);
        for early in 1..=buffer + 4 {
            let mut game = played(&folder, &rate);
            game.ticks((landed - early) as usize);
            let mut reasons = press_jump(&mut game);
            let mut jumped = false;
            for _ in 0..early + 2 {
                reasons.extend(told(&mut game, 1));
                let events = game.live.world().events();
                jumped |= events.iter().any(|e| e.kind.name() == "jump");
            }
            assert_eq!(jumped, early <= buffer, "{early} ticks early at {hz} Hz");
            let unit = if early == 1 { "tick" } else { "ticks" };
            let expected = format!(
                "jump refused: pressed {early} {unit} before landing, buffer {buffer} \
                 (jump_buffer 0.05 s, config/entities/hero.toml:2)"
            );
            let refused = refusals(&reasons);
            assert_eq!(refused.contains(&&*expected), !jumped, "{early} at {hz} Hz: {refused:?}");
        }
    }
}

#[test]
fn a_refused_jump_in_the_air_says_when_the_body_left_the_ground() {
    let folder = ledge("");
    let mut game = played(&folder, &[]);
    press_jump(&mut game);
    game.input.held.insert(Action::Jump);
    let mut reasons = told(&mut game, 10);
    game.input.held.remove(Action::Jump);
    reasons.extend(press_jump(&mut game));
    reasons.extend(told(&mut game, 8));
    // The first jump began in the step from tick 0, this press was made in that from tick 11.
    let expected = "jump refused: 11 ticks after its last jump, still in the air";
    assert_eq!(refusals(&reasons), [expected]);
    let high = LEDGE.replace("at = [-100, 19]", "at = [-100, 900]");
    folder.write("levels/level.toml", &high);
    let mut game = played(&folder, &[]);
    let mut reasons = press_jump(&mut game);
    reasons.extend(told(&mut game, 8));
    assert_eq!(refusals(&reasons), ["jump refused: in the air since tick 0"]);
}

/// Far above the floor, with a roof within the hook's reach.
pub const SWING: &str = r#"
[[solid]]
name = "roof"
points = [[-40, 300], [40, 300], [40, 400], [-40, 400]]
[[entity]]
kind = "hero"
at = [0, 0]
player = 1
"#;
