//! Jumps to a destination: the formula, and bodies that land where it says.

use crate::{
    common::{RATES, near},
    ground::Ground,
    leaper::{Leaper, aim, at},
};
use glam::{DVec2, dvec2};
use hangtime_core::models::{
    Mode, ModelName,
    ballistic::{PlanError, launch},
};

/// The farthest from its destination that a body may land, px.
const ERROR: f64 = 1e-3;

#[test]
fn the_launch_formula_matches_the_published_numbers() {
    // dx, dy, g, c; vx, vy, T
    for (dx, dy, g, c, vx, vy, time) in [
        (6.0, 3.75, 10.0, 1.25, 4.0, 10.0, 1.5),
        (6.0, -3.75, 10.0, 1.25, 4.0, 5.0, 1.5),
        (8.0, 0.0, 10.0, 5.0, 4.0, 10.0, 2.0),
        (6.0, -5.0, 10.0, 0.0, 6.0, 0.0, 1.0),
        (100.0, 48.0, 900.0, 24.0, 158.494, 360.0, 0.63094),
    ] {
        let got = launch(dvec2(dx, 0.0), dy, g, c).expect("there is a launch");
        let tolerance = if g > 100.0 { 5e-4 } else { 1e-12 };
        near(got.across.x, vx, tolerance);
        near(got.up, vy, 1e-12);
        near(got.time, time, tolerance);
        // The kinematic equations agree.
        near(got.across.x * got.time, dx, 1e-9);
        near(got.up * got.time - 0.5 * g * got.time * got.time, dy, 1e-9);
        near(got.up * got.up / (2.0 * g), got.apex, 1e-9);
    }
}

#[test]
fn an_impossible_launch_names_its_reason() {
    let refused = |dx: f64, dy: f64, g: f64, c: f64| {
        let refusal = launch(dvec2(dx, 0.0), dy, g, c).expect_err("there is none");
        refusal.to_string()
    };
    assert!(refused(5.0, 0.0, 10.0, 0.0).contains("needs a clearance above 0"));
    assert!(refused(5.0, 1.0, 0.0, 1.0).contains("gravity is 0"));
    assert!(refused(5.0, 1.0, 10.0, -1.0).contains("between 0 and 1000000"));
    assert!(refused(f64::NAN, 1.0, 10.0, 1.0).contains("the destination's x cannot be NaN"));
    assert!(refused(1.0, f64::INFINITY, 10.0, 1.0).contains("cannot be inf"));
    let still = launch(DVec2::ZERO, 0.0, 10.0, 0.0).expect("it is there");
    assert_eq!((still.time, still.up), (0.0, 0.0));
}

/// A floor at 0, a ledge at 120 and a pit with its ground at −90.
fn ledges(hz: u32) -> Ground {
    Ground::none(hz)
        .solid(&[(-2000.0, -500.0), (300.0, -500.0), (300.0, 0.0), (-2000.0, 0.0)])
        .solid(&[(400.0, 90.0), (600.0, 90.0), (600.0, 120.0), (400.0, 120.0)])
        .solid(&[(300.0, -500.0), (2000.0, -500.0), (2000.0, -90.0), (300.0, -90.0)])
}

#[test]
fn jumps_land_at_their_destination_at_every_rate() {
    for hz in RATES {
        for (x, y, clearance) in [
            (150.0, 0.0, 40.0),
            (-333.3, 0.0, 0.7),
            (0.0, 0.0, 60.0),
            (500.0, 120.0, 30.0),
            (411.7, 120.0, 5.0),
            (420.0, -90.0, 60.0),
            (900.0, -90.0, 10.0),
        ] {
            let mut leaper = Leaper::new(ledges(hz), aim(x, y, clearance));
            let plan = leaper.launch();
            let mut ticks = 1;
            while leaper.play.told("land") == 0 {
                let hero = leaper.tick();
                ticks += 1;
                let seconds = f64::from(ticks) / f64::from(hz);
                if leaper.play.told("land") == 0 {
                    assert_eq!((hero.model, hero.mode), (Some(ModelName::ballistic), Mode::Flying));
                    assert!(hero.pos.distance(at(&plan, seconds)) < 1e-9);
                }
                assert!(seconds < plan.flight.time + 0.1, "({x}, {y}) at {hz} Hz");
            }
            let hero = leaper.play.hero();
            near(hero.pos.x, x, ERROR);
            near(hero.pos.y, y + 19.0, ERROR);
            assert_eq!(hero.vel, DVec2::ZERO);
            assert_eq!(ticks, (plan.flight.time * f64::from(hz)).ceil() as u32);
            // In the next tick it stands, moved by its previous model.
            let hero = leaper.tick();
            assert_eq!(hero.model_name(), "platformer");
            assert!(hero.grounded);
            near(hero.pos.x, x, 4.1);
            for event in ["jump", "leave_ground", "land"] {
                assert_eq!(leaper.play.told(event), 1, "{event}");
            }
            assert_eq!(leaper.play.told("model"), 2);
        }
    }
}

#[test]
fn landing_speed_is_that_of_the_fall() {
    for hz in RATES {
        let mut leaper = Leaper::new(ledges(hz), aim(500.0, 120.0, 30.0));
        leaper.launch();
        let speed = leaper.until_over().expect("it lands");
        near(speed, (2.0 * 3672.0 * 30.0_f64).sqrt(), 1e-6);
    }
}

#[test]
fn a_flight_that_ends_in_the_air_keeps_its_velocity() {
    for hz in RATES {
        let mut leaper = Leaper::new(ledges(hz), aim(100.0, 200.0, 20.0));
        let plan = leaper.launch();
        let ticks = (plan.flight.time * f64::from(hz)).ceil() as u32;
        for _ in 1..ticks {
            leaper.tick();
        }
        let hero = leaper.play.hero();
        assert_eq!(hero.pos, dvec2(100.0, 219.0));
        let end = plan.flight.velocity_at(plan.flight.time).truncate();
        assert_eq!(hero.vel, end);
        assert!(!hero.grounded);
        assert_eq!(leaper.tick().model_name(), "platformer");
    }
}

#[test]
fn a_jump_to_a_platform_lands_where_the_platform_will_be() {
    let block = [(200.0, 40.0), (320.0, 40.0), (320.0, 60.0), (200.0, 60.0)];
    for hz in RATES {
        for way in [(300.0, 0.0), (0.0, 160.0), (-90.0, 200.0), (0.0, -20.0)] {
            for speed in [30.0, 95.0, 240.0] {
                for wait in [0.0, 0.37, 1.3] {
                    let ground = Ground::floor(hz).platform(&block, &[(0.0, 0.0), way], speed);
                    let mut leaper = Leaper::new(ground, aim(0.0, 0.0, 24.0));
                    leaper.play.run(wait);
                    // 40 px in from the platform's left end.
                    let place = leaper.platform(0);
                    leaper.aim = aim(240.0 + place.x, 60.0 + place.y, 24.0);
                    leaper.launch();
                    leaper.until_over().expect("it lands on the platform");
                    let hero = leaper.play.hero();
                    let place = leaper.platform(0);
                    near(hero.pos.x, 240.0 + place.x, ERROR);
                    near(hero.pos.y, 60.0 + 19.0 + place.y, ERROR);
                    // It continues with that velocity.
                    leaper.play.run(0.2);
                    assert!(leaper.play.hero().grounded, "{way:?}, {speed} px/s, {hz} Hz");
                }
            }
        }
    }
}

#[test]
fn a_jump_reaches_a_moving_destination() {
    for hz in RATES {
        for velocity in [dvec2(100.0, 0.0), dvec2(-60.0, 45.0), dvec2(20.0, -30.0)] {
            let mut goal = aim(150.0, 200.0, 30.0);
            goal.velocity = Some(velocity);
            let mut leaper = Leaper::new(Ground::floor(hz), goal);
            let plan = leaper.launch();
            let time = plan.flight.time;
            let there = dvec2(150.0, 219.0) + velocity * time;
            let by_formula = launch(dvec2(there.x, 0.0), there.y - 19.0, 3672.0, 30.0);
            near(by_formula.expect("a launch").time, time, 1e-12);
            for _ in 1..(time * f64::from(hz)).ceil() as u32 {
                leaper.tick();
            }
            assert!(leaper.play.hero().pos.distance(there) < ERROR);
        }
    }
}

#[test]
fn a_refused_jump_changes_nothing() {
    let wall = [(200.0, 0.0), (220.0, 0.0), (220.0, 400.0), (200.0, 400.0)];
    let far = aim(100.0, 0.0, 10.0);
    let mut slow = Ground::floor(60);
    slow.tunings.ballistic.max_launch_speed = 300.0;
    let roof = [(-50.0, 39.0), (50.0, 39.0), (50.0, 60.0), (-50.0, 60.0)];
    for (ground, aim, why) in [
        (Ground::floor(60), aim(100.0, 0.0, 0.0), "needs a clearance above 0"),
        (slow, far, "max_launch_speed is 300"),
        (Ground::floor(60).solid(&wall), aim(300.0, 0.0, 10.0), "`solid 2` is in the way"),
        (Ground::floor(60).solid(&roof), far, "`solid 2` is in the way"),
        (Ground::floor(60), aim(100.0, -50.0, 10.0), "`solid 1` is in the way"),
        (Ground::floor(60), aim(f64::NAN, 0.0, 10.0), "x cannot be NaN"),
        (Ground::floor(60), aim(20_000.0, 0.0, 10.0), "leave the level"),
    ] {
        let mut leaper = Leaper::new(ground, aim);
        leaper.play.run(0.2);
        let before = leaper.play.hero();
        let refusal = leaper.attempt().expect_err("it is refused");
        assert!(refusal.to_string().contains(why), "{refusal}");
        let hero = leaper.play.hero();
        assert_eq!((hero.pos, hero.vel), (before.pos, before.vel));
        assert_eq!(hero.model_name(), "platformer");
        assert_eq!(leaper.play.told("jump"), 0);
    }
    let mut leaper = Leaper::new(Ground::floor(60), far);
    leaper.play.stage.gravity = 0.0;
    assert_eq!(leaper.attempt().expect_err("refused"), PlanError::NoGravity);
}

#[test]
fn a_wall_in_the_way_makes_the_jump_higher() {
    let wall = |top: f64| [(100.0, 0.0), (120.0, 0.0), (120.0, top), (100.0, top)];
    for hz in RATES {
        let ground = Ground::floor(hz).solid(&wall(60.0));
        let mut leaper = Leaper::new(ground, aim(220.0, 0.0, 10.0));
        let plan = leaper.launch();
        assert!(plan.clearance > 60.0, "{}", plan.clearance);
        near((plan.clearance - 10.0) % 8.0, 0.0, 1e-9);
        leaper.until_over().expect("it lands");
        near(leaper.play.hero().pos.x, 220.0, ERROR);
        let higher = Ground::floor(hz).solid(&wall(206.0));
        let mut leaper = Leaper::new(higher, aim(220.0, 0.0, 10.0));
        assert!(leaper.attempt().is_err());
        leaper.aim = aim(220.0, 0.0, 260.0);
        leaper.attempt().expect("it was asked to go so high");
    }
}

#[test]
fn a_jump_lands_on_a_slope_where_the_body_fits() {
    for hz in RATES {
        let ramp = [(100.0, 0.0), (400.0, 0.0), (400.0, 150.0)];
        let mut leaper = Leaper::new(Ground::floor(hz).solid(&ramp), aim(200.0, 50.0, 30.0));
        leaper.launch();
        leaper.until_over().expect("it lands");
        let hero = leaper.play.hero();
        assert!(hero.grounded);
        near(hero.pos.x, 200.0, ERROR);
        // tan θ = ½: the ellipse touches the slope next to its lowest point.
        let above = (10.0_f64.powi(2) * 0.25 + 19.0_f64.powi(2)).sqrt();
        near(hero.pos.y, 50.0 + above, ERROR);
    }
}

#[test]
fn a_horizontal_launch_leaves_the_edge() {
    for hz in RATES {
        let ledge = [(-200.0, 0.0), (0.0, 0.0), (0.0, 100.0), (-200.0, 100.0)];
        let ground = Ground::floor(hz).solid(&ledge).at(0.0, 119.0);
        let mut leaper = Leaper::new(ground, aim(150.0, 0.0, 0.0));
        let plan = leaper.launch();
        assert_eq!((plan.clearance, plan.flight.velocity.y), (0.0, 0.0));
        near(plan.flight.time, (2.0 * 100.0 / 3672.0_f64).sqrt(), 1e-12);
        leaper.until_over().expect("it lands");
        near(leaper.play.hero().pos.x, 150.0, ERROR);
    }
}

#[test]
fn the_previous_model_is_restored_after_landing() {
    for model in [ModelName::two_velocity, ModelName::platformer] {
        let ground = Ground::floor(60).model(model);
        let mut leaper = Leaper::new(ground, aim(90.0, 0.0, 30.0));
        leaper.launch();
        leaper.until_over().expect("it lands");
        let hero = leaper.tick();
        assert_eq!(hero.model_name(), model.as_str());
        assert!(hero.grounded);
        assert_eq!(hero.vel, DVec2::ZERO);
    }
}
