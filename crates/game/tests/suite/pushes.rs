//! Bodies that scripts throw, push and teleport, and how they land.

use crate::{
    common::{RATES, near},
    folder::{Folder, Game, on_large_stack},
    ground::Ground,
};
use hangtime_core::{
    models::ModelName,
    sim::{EventKind, Value},
};

/// Plays ticks and counts the events with these names.
fn told(game: &mut Game, ticks: usize, names: &[&str]) -> Vec<usize> {
    let mut counts = vec![0; names.len()];
    for _ in 0..ticks {
        game.ticks(1);
        for event in game.live.world().events() {
            if let Some(at) = names.iter().position(|n| *n == event.kind.name()) {
                counts[at] += 1;
            }
        }
    }
    counts
}

/// A script that runs a statement once, in tick 10.
fn once(what: &str) -> Folder {
    let script = format!("fn on_tick(me) {{ this.n += 1; if this.n == 10 {{ {what} }} }}");
    Folder::with_script(&script)
}

#[test]
fn a_weak_upward_push_keeps_a_body_on_the_ground() {
    on_large_stack(|| {
        let folder = once("me.push(0, 0.001); me.vel = vec(300, 0);");
        folder.write("config/models/platformer.toml", "rest_spacing = 0\n");
        let mut game = folder.game();
        let counts = told(&mut game, 60, &["land", "leave_ground"]);
        assert_eq!(counts, [0, 0]);
        assert_eq!(game.hero().vel.x, 0.0, "it has slowed down");
        // Slowing from 300 at 4000 px/s² takes 300²/8000 px; the hero starts at -200.
        near(game.hero().pos.x, -200.0 + 300.0 * 300.0 / 8000.0, 1e-9);
    });
}

#[test]
fn a_body_that_was_pushed_up_lands_once() {
    on_large_stack(|| {
        for speed in [100, 300, 900] {
            let mut game = once(&format!("me.push(0, {speed});")).game();
            let counts = told(&mut game, 120, &["leave_ground", "land"]);
            assert_eq!(counts, [1, 1], "at {speed} px/s");
        }
    });
}

#[test]
fn a_push_over_a_crest_follows_the_hill_down() {
    on_large_stack(|| {
        let folder = once("me.push(400, 0);");
        folder.write(
            "levels/level.toml",
            "[[solid]]\npoints = [[-500, -200], [3000, -200], [3000, 0], [400, 0], [0, 160], \
             [-400, 0], [-500, 0]]\n[[entity]]\nkind = \"hero\"\nat = [-20, 175]\nplayer = 1\n",
        );
        let mut game = folder.game();
        // It lands first.
        game.ticks(8);
        assert!(game.hero().grounded);
        let counts = told(&mut game, 60, &["leave_ground", "land"]);
        assert_eq!(counts, [0, 0]);
        assert!(game.hero().pos.x > 20.0, "it has passed the crest");
        assert_eq!(game.hero().vel.x, 0.0, "a push adds nothing to its own speed");
    });
}

#[test]
fn every_way_to_leave_the_ground_emits_leave_ground() {
    on_large_stack(|| {
        for what in ["me.vel.y = 500;", "me.push(0, 300);", "me.place(-200, 100);"] {
            let mut game = once(what).game();
            let counts = told(&mut game, 20, &["leave_ground"]);
            assert_eq!(counts, [1], "{what}");
        }
    });
}

#[test]
fn a_scripted_jump_has_full_height_at_every_rate() {
    on_large_stack(|| {
        for hz in ["30", "60", "120", "240"] {
            let folder = once("me.jump();");
            let settings = [("simulation.tick_hz", hz)];
            let revision = folder.open_with(&settings).expect("a good level");
            let mut game = Game::new(revision.into());
            let mut highest = f64::NEG_INFINITY;
            let mut fastest: f64 = 0.0;
            for _ in 0..hz.parse::<usize>().expect("a number") * 2 {
                game.ticks(1);
                highest = highest.max(game.hero().pos.y);
                fastest = fastest.max(game.hero().vel.y);
            }
            // The held part at 540 px/s, then free flight; a tick ends near the top.
            let height = 540.0 * 0.278 + 540.0 * 540.0 / (2.0 * 3672.0);
            let rate: f64 = hz.parse().expect("a number");
            near(highest - 19.0, height, 0.125 * 3672.0 / (rate * rate) + 1e-9);
            assert_eq!(fastest, 540.0);
        }
    });
}

#[test]
fn the_landing_speed_matches_the_height_of_the_fall() {
    for hz in RATES {
        for height in [1.0, 7.0, 23.0, 40.0, 60.0] {
            let mut play = Ground::floor(hz).at(0.0, 19.0 + height).play();
            play.run(0.5);
            let speed = play.events.iter().find_map(|e| match &e.kind {
                EventKind::Land { speed, .. } => Some(*speed),
                _ => None,
            });
            let expected = (2.0_f64 * 3672.0 * height).sqrt();
            near(speed.expect("it lands"), expected, 1e-9 * expected);
        }
    }
}

#[test]
fn grip_below_rounding_errors_steers_nothing() {
    let mut ground = Ground::floor(30).surface(1e-17).model(ModelName::two_velocity).moving(50.0, 0.0);
    ground.solids[0].1 = 1;
    let mut play = ground.play();
    play.hold(hangtime_core::models::Action::Right);
    let last = play.run(1.0).pop().expect("ticks");
    assert_eq!(last.vel.x, 50.0);
}

#[test]
fn a_flat_floor_costs_no_climb_even_with_a_slope_limit_of_zero() {
    let walk = |slope: f64| {
        let mut play = Ground::floor(60)
            .model(ModelName::two_velocity)
            .tune("max_slope_deg", slope)
            .tune("slope_slowdown", 0.5)
            .play();
        play.hold(hangtime_core::models::Action::Right);
        play.run(0.5).pop().expect("ticks").pos.x
    };
    assert_eq!(walk(0.0), walk(45.0));
}

#[test]
fn a_push_up_in_a_top_view_adds_to_external_velocity_and_decays() {
    on_large_stack(|| {
        for (hz, model) in [30, 60, 144]
            .into_iter()
            .flat_map(|hz| ["topdown", "two_velocity"].map(|model| (hz, model)))
        {
            let folder = Folder::with_script(
                "fn on_tick(me) {\n if this.n == 0 { me.push_z(200); me.push_z(100); me.external.z += 20; }\n \
                 if this.n < 2 { this.z = me.external.z; }\n this.n += 1;\n}",
            );
            folder.write(
                "config/entities/hero.toml",
                &format!("model = \"{model}\"\nscript = \"hero.rhai\"\nvars = {{ n = 0, z = 0 }}\n"),
            );
            folder.write(
                "levels/level.toml",
                "view = \"top\"\n[[entity]]\nkind = \"hero\"\nname = \"hero\"\nat = [0, 0]\nplayer = 1\n",
            );
            let mut game = folder.game_at(hz);
            game.ticks(1);
            assert_eq!(game.wrong(), [""; 0]);
            assert_eq!(game.var("z"), Value::Float(320.0), "a script reads what it has written");
            let dt = 1.0 / f64::from(hz);
            let kept = (-4.0 * dt).exp();
            let hero = game.hero();
            near(hero.z, 320.0 * (1.0 - kept) / 4.0 - 0.5 * 3672.0 * dt * dt, 1e-9);
            near(hero.external_z, 320.0 * kept, 1e-9);
            assert!(!hero.grounded);
            game.ticks(1);
            assert_eq!(game.var("z"), Value::Float(hero.external_z));
            game.ticks(hz as usize);
            assert_eq!((game.hero().grounded, game.hero().external_z), (true, 0.0));
        }
    });
}
