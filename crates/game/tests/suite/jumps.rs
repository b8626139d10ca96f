//! Planned flights: what bends them, what ends them, and what does not.

use crate::{
    common::{RATES, loaded, near},
    folder::{Folder, on_large_stack},
    ground::{BODY, Ground, tried},
    leaper::{Leaper, aim},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::polygon,
    level::{Solid, SurfaceId, View, Zone},
    models::{Mode, ModelName},
    sim::{Command, Value},
};
use proptest::prelude::*;

fn outline(points: &[(f64, f64)]) -> Vec<DVec2> {
    let points: Vec<DVec2> = points.iter().map(|p| dvec2(p.0, p.1)).collect();
    polygon::outline(&points).expect("a simple polygon")
}

/// A square of 80 px with its lower left corner at x and 0.
fn block(name: &str, x: f64, top: f64) -> Solid {
    let points = [(x, 0.0), (x + 80.0, 0.0), (x + 80.0, 80.0), (x, 80.0)];
    Solid { top, ..Solid::new(name.into(), SurfaceId(0), outline(&points)) }
}

/// A yard with blocks of three heights and a wall.
fn yard(hz: u32) -> Ground {
    let mut ground = Ground::none(hz).model(ModelName::topdown).at(0.0, 40.0);
    ground.view = View::Top;
    ground.others = vec![
        block("low", 100.0, 20.0),
        block("middle", 220.0, 48.0),
        block("high", 340.0, 90.0),
        block("wall", 500.0, f64::INFINITY),
    ];
    ground
}

#[test]
fn top_view_jumps_reach_blocks_of_every_height() {
    for hz in RATES {
        let mut leaper = Leaper::new(yard(hz), aim(140.0, 40.0, 15.0));
        for (x, height) in [(140.0, 20.0), (260.0, 48.0), (380.0, 90.0), (450.0, 0.0), (380.0, 90.0)] {
            leaper.aim = aim(x, 40.0, 15.0);
            let plan = leaper.launch();
            for _ in 1..(plan.flight.time * f64::from(hz)).ceil() as u32 {
                assert_eq!(leaper.play.hero().model_name(), "ballistic");
                leaper.tick();
            }
            let hero = leaper.play.hero();
            assert_eq!((hero.pos, hero.z), (dvec2(x, 40.0), height), "at {hz} Hz");
            assert_eq!((hero.vel, hero.vel_z), (DVec2::ZERO, 0.0));
            assert_eq!(leaper.tick().mode, "ground");
        }
        assert_eq!(leaper.play.told("land"), 5);
        leaper.aim = aim(540.0, 40.0, 15.0);
        let why = leaper.attempt().expect_err("a wall has no top");
        assert_eq!(why.to_string(), "`wall` is in the way");
        leaper.aim = aim(650.0, 40.0, 15.0);
        let why = leaper.attempt().expect_err("a wall has no top");
        assert_eq!(why.to_string(), "`wall` is in the way");
    }
}

#[test]
fn a_push_ends_a_planned_flight() {
    for hz in RATES {
        for order in [
            Command::Push(dvec2(50.0, 0.0)),
            Command::SetVelocity(dvec2(-80.0, 100.0), 0.0),
            Command::Place(dvec2(0.0, 300.0), None),
        ] {
            let mut leaper = Leaper::new(Ground::floor(hz), aim(300.0, 0.0, 60.0));
            leaper.launch();
            leaper.tick();
            let before = leaper.play.hero();
            leaper.orders.others.push(order.clone());
            let hero = leaper.tick();
            assert_eq!(hero.model_name(), "ballistic", "until the tick is over");
            let fallen = DVec2::new(0.0, -3672.0 / f64::from(hz));
            let expected = match order {
                Command::SetVelocity(v, _) => v + fallen,
                _ => before.vel + fallen,
            };
            assert!(hero.vel.distance(expected) < 1e-9, "{order:?}");
            assert_eq!(leaper.tick().model_name(), "platformer");
            assert_eq!(leaper.play.told("hit"), 0);
        }
    }
}

#[test]
fn wind_keys_and_external_velocity_do_not_bend_a_flight() {
    for hz in RATES {
        let mut ground = Ground::floor(hz);
        ground.zones.push(Zone {
            present: true,
            name: "storm".into(),
            points: outline(&[(50.0, 0.0), (150.0, 0.0), (150.0, 400.0), (50.0, 400.0)]),
            external_accel: dvec2(-4000.0, 500.0),
            gravity_scale: 0.3,
            time_scale: 1.0,
            conveyor: DVec2::ZERO,
            surface: None,
        });
        let mut leaper = Leaper::new(ground, aim(300.0, 0.0, 60.0));
        leaper.orders.others.push(Command::Push(dvec2(200.0, 0.0)));
        leaper.tick();
        leaper.aim = aim(leaper.play.hero().pos.x + 200.0, 0.0, 60.0);
        leaper.play.input.held.insert(hangtime_core::models::Action::Left);
        leaper.play.input.held.insert(hangtime_core::models::Action::Down);
        leaper.launch();
        leaper.until_over().expect("it lands");
        near(leaper.play.hero().pos.x, leaper.aim.at.x, 1e-3);
    }
}

#[test]
fn a_solid_that_appears_in_the_way_ends_a_flight() {
    for hz in RATES {
        let ground = Ground::floor(hz);
        let mut leaper = Leaper::new(ground.clone(), aim(300.0, 0.0, 60.0));
        leaper.launch();
        let wall = [(200.0, 0.0), (220.0, 0.0), (220.0, 300.0), (200.0, 300.0)];
        let walled = ground.solid(&wall).stage();
        let mut new = leaper.play.stage.clone();
        new.level = walled.level;
        leaper.play.world.adopt(&leaper.play.stage, &new);
        leaper.play.stage = new;
        let mut speed = 0.0;
        while leaper.play.told("hit") == 0 {
            speed = leaper.play.hero().vel.x;
            leaper.tick();
        }
        let hero = leaper.play.hero();
        near(hero.pos.x, 190.0, 1e-6);
        assert!(speed > 0.0 && hero.vel.x == 0.0);
        assert_eq!(leaper.tick().model_name(), "platformer");
    }
}

#[test]
fn a_plan_avoids_platforms_that_will_be_in_the_way() {
    for hz in RATES {
        // A gate that comes down in the way while the body is in the air.
        let gate = [(140.0, 200.0), (160.0, 200.0), (160.0, 420.0), (140.0, 420.0)];
        let ground = Ground::floor(hz).platform(&gate, &[(0.0, 0.0), (0.0, -200.0)], 900.0);
        let mut leaper = Leaper::new(ground, aim(290.0, 0.0, 60.0));
        let why = leaper.attempt().expect_err("it closes in time");
        assert_eq!(why.to_string(), "`platform 0` is in the way");
    }
}

#[test]
fn a_projectile_follows_the_formula_and_stops_where_it_lands() {
    for hz in RATES {
        let mut play = Ground::floor(hz).model(ModelName::ballistic).at(0.0, 300.0).moving(120.0, 400.0).play();
        let mut seconds = 0.0;
        while play.told("land") == 0 {
            let hero = play.tick();
            seconds += play.dt();
            if play.told("land") == 0 {
                assert_eq!(hero.mode, "flying");
                near(hero.pos.x, 120.0 * seconds, 1e-9);
                let y = 300.0 + 400.0 * seconds - 0.5 * 3672.0 * seconds * seconds;
                near(hero.pos.y, y, 1e-9);
            }
        }
        let hero = play.hero();
        assert_eq!((hero.mode, hero.vel), (Mode::Landed, DVec2::ZERO));
        let fall = (400.0 + (400.0_f64.powi(2) + 2.0 * 3672.0 * 281.0).sqrt()) / 3672.0;
        // Motion within a tick is a straight line.
        near(hero.pos.x, 120.0 * fall, 120.0 * play.dt());
        let there = hero.pos;
        play.run(0.3);
        assert_eq!(play.hero().pos, there);
    }
}

#[test]
fn a_projectile_reports_a_wall_once_and_may_keep_its_speed() {
    for hz in RATES {
        let wall = [(200.0, 0.0), (260.0, 0.0), (260.0, 900.0), (200.0, 900.0)];
        let mut ground = Ground::floor(hz)
            .solid(&wall)
            .model(ModelName::ballistic)
            .at(0.0, 600.0)
            .moving(900.0, 0.0);
        let mut play = ground.play();
        play.run(1.0);
        assert_eq!((play.told("hit"), play.told("land")), (1, 1));
        near(play.hero().pos.x, 190.0, 1e-6);
        ground.tunings.ballistic.keep_landing_velocity = true;
        ground.velocity.x = -300.0;
        let mut play = ground.play();
        play.run(2.0);
        assert_eq!(play.hero().vel, dvec2(-300.0, 0.0));
    }
}

#[test]
fn a_flight_continues_the_same_from_every_snapshot() {
    let mut leaper = Leaper::new(Ground::floor(60), aim(260.0, 0.0, 90.0));
    leaper.launch();
    let mut worlds = vec![leaper.play.world.clone()];
    for _ in 0..40 {
        leaper.tick();
        worlds.push(leaper.play.world.clone());
    }
    for from in 0..40 {
        let saved = serde_json::to_string(&worlds[from]).expect("a world can be saved");
        leaper.play.world = loaded(&saved, &leaper.play.stage);
        assert_eq!(leaper.play.world, worlds[from]);
        for (tick, world) in worlds.iter().enumerate().skip(from + 1) {
            leaper.tick();
            assert_eq!(leaper.play.world.hash(), world.hash(), "{tick} from {from}");
        }
    }
}

#[test]
fn model_is_not_called_during_a_planned_jump() {
    on_large_stack(|| {
        let folder = Folder::with_script(
            r#"
            fn model(me) { this.asked += 1; if me.grounded { "two_velocity" } else { "platformer" } }
            fn on_birth(me) { this.asked = 0; }
            fn on_tick(me) {
                this.n += 1;
                if this.n == 10 {
                    this.plan = me.jump_to(me.x + 50, 0, 40);
                }
            }
            fn on_land(me) { this.landed = this.n; }
            "#,
        );
        let mut game = folder.game();
        game.ticks(9);
        assert_eq!(game.hero().model_name(), "two_velocity");
        game.ticks(2);
        let (before, x) = (game.var("asked"), game.hero().pos.x);
        while game.hero().model_name() == "ballistic" {
            assert_eq!(game.var("asked"), before);
            game.ticks(1);
        }
        assert_eq!(game.wrong(), [""; 0]);
        assert_eq!(game.hero().model_name(), "two_velocity");
        assert!(game.hero().grounded && x < -150.0);
        near(game.hero().pos.x, -150.0, 1e-3);
        let Value::Map(plan) = game.var("plan") else { panic!("no plan in {:?}", game.vars()) };
        assert_eq!(plan["ok"], Value::Bool(true));
        assert_eq!(plan["apex"], Value::Float(40.0));
    });
}

#[test]
fn jump_to_reports_refusals_and_wrong_arguments() {
    on_large_stack(|| {
        let folder = Folder::with_script(
            r#"
            fn on_tick(me) {
                this.n += 1;
                if this.n == 1 { this.why = me.plan_jump(0, 0, 0).why; }
                if this.n == 2 { this.moving = me.plan_jump(0, 50, 20.5, vec(10, 0)).ok; }
                if this.n == 3 { me.plan_jump("there", 0, 0); }
                if this.n == 4 { me.jump_to(0, 0, -1); }
                if this.n == 5 { me.jump_to(0, 0, 1, 5); }
                if this.n == 6 { me.jump_to(0.0 / 0.0, 0, 1); }
            }
            "#,
        );
        let mut game = folder.game();
        game.ticks(6);
        let Value::Text(why) = game.var("why") else { panic!("no reason in {:?}", game.vars()) };
        assert!(why.contains("needs a clearance above 0"), "{why}");
        assert_eq!(game.var("moving"), Value::Bool(true));
        let wrong = game.wrong();
        for (got, expected) in wrong.iter().zip([
            "`x` of `plan_jump` must be a number, not text",
            "`clearance` of `jump_to` is -1; it must be between 0 and 1000000",
            "`velocity` of `jump_to` must be a vec",
            "`x` of `jump_to` cannot be NaN",
        ]) {
            assert!(got.contains(expected), "{got}");
        }
        assert_eq!(wrong.len(), 4, "{wrong:?}");
        assert_eq!(game.hero().model_name(), "platformer");
    });
}

#[test]
fn a_script_throws_a_ball_onto_a_target() {
    on_large_stack(|| {
        for hz in RATES {
            let folder = Folder::with_script(
                r#"
                fn on_tick(me) {
                    this.n += 1;
                    if this.n == 5 {
                        let hand = vec(6, 10);
                        this.plan = me.plan_throw("ball", me.x + 200, 0, #{ clearance: 40, offset: hand });
                        this.from = vec(me.x + 6, me.y + 10);
                        world::create("ball", this.from.x, this.from.y, #{ vel: this.plan.velocity });
                    }
                    if this.n == 6 { this.level = me.plan_throw("ball", me.x + 200, me.y - 4).clearance; }
                    if this.n == 7 { this.late = me.plan_throw("ball", me.x + 200, 100, #{ velocity: vec(30, 0) }).ok; }
                    if this.n == 8 { me.plan_throw("hero", 0, 0); }
                    if this.n == 9 { me.plan_throw("ball", 0, 0, #{ clearance: -1 }); }
                    if this.n == 10 { me.plan_throw("ball", 0, 0, 5); }
                    if this.n == 11 { me.plan_throw("ball", 0, 0, #{ offset: vec(0, 0, 1) }); }
                    if this.n == 12 { me.plan_throw("ball", 0, 0, this.wrong); }
                    if this.n == 13 { me.plan_throw(this.unknown, 0, 0); }
                }
                "#,
            );
            folder.write("config/entities/ball.toml", "model = \"ballistic\"\nbody = { ellipse = [4, 4] }\n");
            let kind = "script = \"hero.rhai\"\nvars = { n = 0, unknown = \"bal\", wrong = { speed = 1 } }\n";
            folder.write("config/entities/hero.toml", kind);
            let mut game = folder.game_at(hz);
            game.ticks(13.max(hz as usize * 2));
            let Value::Map(plan) = game.var("plan") else { panic!("no plan: {:?}", game.vars()) };
            assert_eq!(plan["ok"], Value::Bool(true));
            let Value::Vector([x, y, _]) = game.var("from") else { panic!("no hand") };
            // From its lowest point at the hand down to 0, over the hand by 40 px, under a gravity of 3672.
            let Value::Vector([vx, vy, _]) = plan["velocity"] else { panic!("no velocity") };
            near(vy, (2.0 * 3672.0 * 40.0_f64).sqrt(), 1e-9);
            let time = vy / 3672.0 + (2.0 * (40.0 + y - 4.0) / 3672.0).sqrt();
            near(vx, (200.0 - 6.0) / time, 1e-9);
            let ball = game.live.views().find(|e| &*e.kind == "ball").expect("a ball");
            // It lands half a pixel early, and moves along a straight line within a tick.
            let below = 0.5 + 3672.0 / (8.0 * f64::from(hz).powi(2));
            near(ball.pos.x, x + 194.0, below * vx / (2.0 * 3672.0 * (36.0 + y)).sqrt() + 1e-3);
            assert!(ball.grounded);
            assert_eq!((game.var("level"), game.var("late")), (Value::Float(10.0), Value::Bool(true)));
            let wrong = game.wrong();
            for (got, expected) in wrong.iter().zip([
                "`hero` cannot be thrown: its model is `platformer`, not `ballistic`",
                "`clearance` of `plan_throw` is -1; it must be between 0 and 1000000",
                "`settings` of `plan_throw` must be a map",
                "`offset.z` of `plan_throw` is always 0 in a side view",
                "`plan_throw` has no setting `speed`",
                "there is no kind `bal`",
            ]) {
                assert!(got.contains(expected), "{got}");
            }
            assert_eq!(wrong.len(), 6, "{wrong:?}");
        }
    });
}

#[test]
fn scripts_can_query_entities_time_and_terrain() {
    on_large_stack(|| {
        let folder = Folder::with_script(
            r#"
            fn on_tick(me) {
                let other = world::entity("twin");
                this.speed = other.vel.length();
                this.seen = [other.x, other.kind, world::entity("missing"), world::all("hero").len()];
                this.time = [world::tick(), world::time()];
                this.zones = world::zones_at(0, 50);
                let floor = world::cast(-500, 100, -500, -50);
                this.floor = [floor.y, floor.normal.y, floor.solid, floor.surface];
                this.nothing = world::cast(0, 100, 10, 100);
                this.n += 1;
                if this.n == 5 { other.x = 3; }
            }
            "#,
        );
        let level = crate::folder::LEVEL.to_string()
            + "[[entity]]\nkind = \"hero\"\nname = \"twin\"\nat = [-300, 19]\n\
               [[zone]]\nname = \"fog\"\npoints = [[-10, 0], [10, 0], [10, 90], [-10, 90]]\n";
        folder.write("levels/level.toml", &level);
        let mut game = folder.game();
        game.ticks(3);
        assert_eq!(game.wrong(), [""; 0]);
        let text = |s: &str| Value::Text(s.into());
        let list = |values: &[Value]| Value::List(values.to_vec());
        let seen = [Value::Float(-300.0), text("hero"), Value::Unit, Value::Int(2)];
        assert_eq!(game.var("seen"), list(&seen));
        assert_eq!(game.var("time"), list(&[Value::Int(2), Value::Float(2.0 / 60.0)]));
        assert_eq!(game.var("zones"), list(&[text("fog")]));
        assert_eq!(game.var("nothing"), Value::Unit);
        let Value::List(floor) = game.var("floor") else { panic!("no floor in {:?}", game.vars()) };
        assert!(matches!(floor[0], Value::Float(y) if y.abs() < 0.01));
        assert_eq!(floor[1..], [Value::Float(1.0), text("floor"), text("stone")]);
        game.ticks(2);
        assert!(game.wrong()[0].contains("of another entity is read-only"));
    });
}

/// A box from its center and half-widths.
type Block = (f64, f64, f64, f64);

fn ledges(hz: u32, blocks: &[Block], moving: &[Block]) -> Ground {
    let corners = |&(x, y, w, h): &Block| [(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)];
    let ground = blocks.iter().fold(Ground::floor(hz), |ground, block| ground.solid(&corners(block)));
    moving.iter().fold(ground, |ground, block| {
        let way = [(0.0, 0.0), (block.1 - 100.0, 0.7 * block.0)];
        ground.platform(&corners(block), &way, 40.0 + 2.0 * block.2)
    })
}

fn blocks(most: usize) -> impl Strategy<Value = Vec<Block>> {
    let block = (-300.0..300.0, 60.0..300.0, 5.0..80.0, 3.0..40.0);
    prop::collection::vec(block, 0..most)
}

proptest! {
    #![proptest_config(tried(400))]

    #[test]
    fn a_planned_jump_arrives_without_entering_solids(
        rate in 0..RATES.len(),
        still in blocks(6),
        moving in blocks(3),
        goal in (-400.0..400.0, 0.0..380.0, 0.0..90.0),
        onto in any::<prop::sample::Index>(),
        share in -1.0..1.0_f64,
        velocity in prop::option::of((-120.0..120.0, -60.0..120.0)),
    ) {
        let hz = RATES[rate];
        let mut goal = aim(goal.0, goal.1, goal.2);
        // Onto a ledge if there is one, else to any place.
        if !still.is_empty() && share < 0.6 {
            let (x, y, w, h) = still[onto.index(still.len())];
            goal.at = dvec2(x + w * share, y + h);
        } else if let (Some((x, y, w, h)), true) = (moving.first(), velocity.is_none()) {
            goal.at = dvec2(x + w * share, y + h);
        } else {
            goal.velocity = velocity.map(|(x, y)| dvec2(x, y));
        }
        let mut leaper = Leaper::new(ledges(hz, &still, &moving), goal);
        let Ok(plan) = leaper.attempt() else { return Ok(()); };
        let ticks = (plan.flight.time * f64::from(hz)).ceil().max(1.0) as u32;
        for tick in 1..=ticks {
            let stage = &leaper.play.stage;
            let standing = leaper.play.world.standing(stage);
            let scenery = stage.level.terrain.moved(&standing);
            let hero = leaper.play.hero();
            prop_assert!(scenery.overlap(BODY, hero.pos).is_none(), "inside in tick {tick}");
            if tick < ticks {
                prop_assert_eq!(hero.model_name(), "ballistic");
                leaper.tick();
            }
        }
        let hero = leaper.play.hero();
        let end = plan.flight.to.truncate();
        prop_assert!(hero.pos.distance(end) < 1e-3, "{} is not {}", hero.pos, end);
        prop_assert_eq!(leaper.play.told("hit"), 0);
        if let Some(velocity) = goal.velocity {
            let there = goal.at + dvec2(0.0, 19.0) + velocity * plan.flight.time;
            prop_assert!((end.x - there.x).abs() < 1e-9 && end.y >= there.y - 1e-9);
        }
    }

    #[test]
    fn a_jump_between_floors_arrives_without_entering_solids(
        rate in 0..RATES.len(),
        blocks in prop::collection::vec((-300.0..300.0, 0.0..300.0, 0.0..140.0_f64), 1..7),
        goal in (-350.0..350.0, -50.0..350.0, 0.0..60.0),
        moves in any::<bool>(),
    ) {
        let hz = RATES[rate];
        let mut ground = Ground::none(hz).model(ModelName::topdown).at(0.0, -40.0);
        ground.view = View::Top;
        for (index, &(x, y, top)) in blocks.iter().enumerate() {
            let points = [(x, y), (x + 90.0, y), (x + 90.0, y + 70.0), (x, y + 70.0)];
            let solid = Solid::new(format!("block {index}").into(), SurfaceId(0), outline(&points));
            let solid = Solid { top, ..solid };
            ground = if moves && index == 0 {
                ground.moving_solid(solid, &[(0.0, 0.0), (80.0, -60.0)], 70.0)
            } else {
                ground.others.push(solid);
                ground
            };
        }
        let mut leaper = Leaper::new(ground, aim(goal.0, goal.1, goal.2));
        let Ok(plan) = leaper.attempt() else { return Ok(()); };
        let ticks = (plan.flight.time * f64::from(hz)).ceil().max(1.0) as u32;
        for tick in 1..=ticks {
            let stage = &leaper.play.stage;
            let standing = leaper.play.world.standing(stage);
            let hero = leaper.play.hero();
            let scenery = stage.level.terrain_at(hero.z).moved(&standing);
            prop_assert!(scenery.overlap(BODY, hero.pos).is_none(), "inside in tick {tick}");
            if tick < ticks {
                prop_assert_eq!(hero.model_name(), "ballistic");
                leaper.tick();
            }
        }
        let hero = leaper.play.hero();
        let end = plan.flight.to;
        prop_assert!(hero.pos.extend(hero.z).distance(end) < 1e-3, "{} is not {end}", hero.pos);
        prop_assert!(hero.grounded && hero.vel_z == 0.0);
        prop_assert_eq!(leaper.play.told("hit"), 0);
    }
}
