//! Grabbing walls and roofs, and the grappling hook.

use crate::{
    common::{RATES, near},
    folder::{Folder, on_large_stack},
    ground::{Ground, Play},
};
use glam::dvec2;
use hangtime_core::{models::Action, sim::Value};

/// A shaft with walls at −50 and 50 and a floor far below.
fn shaft(hz: u32) -> Ground {
    Ground::floor(hz)
        .solid(&[(50.0, 0.0), (90.0, 0.0), (90.0, 900.0), (50.0, 900.0)])
        .solid(&[(-90.0, 0.0), (-50.0, 0.0), (-50.0, 900.0), (-90.0, 900.0)])
}

/// A body that has grabbed the right wall of the shaft and released the key.
fn on_the_wall(hz: u32) -> Play {
    let mut play = shaft(hz).at(30.0, 500.0).play();
    play.hold(Action::Right);
    play.run(0.3);
    assert_eq!(play.hero().mode, "wall");
    play.release(Action::Right);
    play.tick();
    play
}

#[test]
fn the_key_toward_a_wall_grabs_it_and_need_not_stay_down() {
    for hz in RATES {
        let mut play = on_the_wall(hz);
        let height = play.hero().pos.y;
        let held = play.run(1.0).pop().expect("ticks");
        assert_eq!(held.mode, "wall");
        assert_eq!(held.vel, glam::DVec2::ZERO);
        near(held.pos.x, 40.0, 1e-5);
        assert!((held.pos.y - height).abs() <= 2.0, "only the move to a rest position");
        assert_eq!(play.told("grab"), 1);
        // Without the key the body falls past.
        let mut play = shaft(hz).at(39.0, 500.0).moving(100.0, 0.0).play();
        assert!(play.run(0.3).iter().all(|h| h.mode == "air"));
    }
}

#[test]
fn walls_within_the_tolerance_of_vertical_are_grabbed() {
    for hz in RATES {
        for (degrees, mode) in [(5.0_f64, "wall"), (6.5, "air"), (-5.0, "wall"), (-6.5, "air")] {
            // A wall to the right of the body, tilted by this angle.
            let lean = 400.0 * degrees.to_radians().tan();
            let points = [(0.0, -200.0), (lean, 200.0), (300.0, 200.0), (300.0, -200.0)];
            let mut play = Ground::none(hz).solid(&points).at(lean * 0.5 - 30.0, 0.0).play();
            play.hold(Action::Right);
            play.run(0.2);
            assert_eq!(play.hero().mode, mode, "{degrees}° at {hz} Hz");
        }
    }
}

#[test]
fn down_or_the_key_away_drops_and_coyote_time_still_allows_a_jump() {
    for hz in RATES {
        for key in [Action::Down, Action::Left] {
            for (wait, jumps) in [(0.0, true), (0.1, true), (0.1 + 1.0 / f64::from(hz), false)] {
                let mut play = on_the_wall(hz);
                play.hold(key);
                play.tick();
                assert_eq!(play.hero().mode, "air");
                assert_eq!(play.told("drop"), 1);
                play.run((wait - 1.0 / f64::from(hz)).max(0.0));
                play.hold(Action::Jump);
                play.tick();
                // A press in the tick of the drop counts as simultaneous.
                assert_eq!(play.hero().vel.y > 0.0, jumps, "after {wait} s at {hz} Hz");
            }
        }
    }
}

#[test]
fn a_jump_off_a_wall_does_not_grab_it_again_while_the_key_is_held() {
    for hz in RATES {
        let mut play = shaft(hz).at(30.0, 300.0).play();
        play.hold(Action::Right);
        play.run(0.3);
        assert_eq!(play.hero().mode, "wall");
        let height = play.hero().pos.y;
        play.hold(Action::Jump);
        let mut highest = height;
        for hero in play.run(0.4) {
            assert_eq!(hero.mode, "air", "the key is used up");
            highest = highest.max(hero.pos.y);
        }
        assert!(highest > height + 150.0, "it has risen {}", highest - height);
        // Pressing the key again grabs the wall higher up, so walls can be climbed.
        play.release(Action::Right).release(Action::Jump);
        play.tick();
        play.hold(Action::Right);
        play.run(0.1);
        assert_eq!(play.hero().mode, "wall");
        assert!(play.hero().pos.y > height + 100.0);
    }
}

#[test]
fn one_way_platforms_are_not_grabbed() {
    for hz in RATES {
        let steep = [(0.0, -300.0), (20.0, 300.0)];
        let mut play = Ground::none(hz).one_way(&steep).at(-60.0, 100.0).play();
        play.hold(Action::Right);
        assert!(play.run(0.3).iter().all(|h| h.mode == "air"));
    }
}

/// A ceiling with its lower side this far above the body's center.
fn ceiling(hz: u32, height: f64) -> Play {
    let points = [(-900.0, height), (900.0, height), (900.0, height + 50.0), (-900.0, height + 50.0)];
    let mut play = Ground::none(hz).tune("gravity_scale", 0.0).solid(&points).at(0.0, 0.0).play();
    play.input.aim = Some(dvec2(0.0, 5000.0));
    play
}

#[test]
fn the_hook_attaches_only_within_its_length() {
    for hz in RATES {
        for (height, state) in [(500.0, "attached"), (499.0, "attached"), (500.1, "idle"), (37.0, "attached")] {
            let mut play = ceiling(hz, height);
            play.hold(Action::Hook);
            let mut attached = false;
            for hero in play.run(0.6) {
                attached |= hero.hook.state == "attached";
            }
            assert_eq!(attached, state == "attached", "{height} px at {hz} Hz");
            assert_eq!(play.told("hook"), usize::from(attached));
        }
    }
}

#[test]
fn the_hook_flies_out_and_back_at_its_speed() {
    for hz in RATES {
        let mut play = ceiling(hz, 5000.0);
        play.hold(Action::Hook);
        play.run(0.1);
        assert_eq!(play.hero().hook.state, "firing");
        near(play.hero().hook.tip.y, 300.0, 1e-6);
        play.release(Action::Hook);
        play.run(0.2);
        assert_eq!(play.hero().hook.state, "idle");
    }
}

#[test]
fn the_rope_pulls_in_at_its_speed_against_gravity() {
    for hz in RATES {
        let points = [(-900.0, 419.0), (900.0, 419.0), (900.0, 500.0), (-900.0, 500.0)];
        let mut play = Ground::floor(hz).solid(&points).play();
        play.run(0.1);
        play.input.aim = Some(dvec2(0.0, 5000.0));
        play.hold(Action::Hook);
        // The tip flies for 400/3000 s; then the body rises at 600 px/s despite gravity.
        while play.hero().hook.state != "attached" {
            play.tick();
        }
        for _ in 0..hz / 4 {
            let before = play.hero().pos.y;
            let hero = play.tick();
            near(hero.vel.y, 600.0, 1e-6);
            near((hero.pos.y - before) * f64::from(hz), 600.0, 1e-6);
        }
        // Near the end of the rope it grabs the roof, and stays there after the hook detaches.
        play.run(0.6);
        assert_eq!(play.hero().mode, "roof");
        near(play.hero().pos.y, 400.0, 1e-5);
        play.release(Action::Hook);
        assert_eq!(play.run(0.5).pop().expect("ticks").mode, "roof");
        play.hold(Action::Down);
        play.run(0.1);
        assert_eq!(play.hero().mode, "air");
        assert_eq!((play.told("grab"), play.told("drop"), play.told("unhook")), (1, 1, 1));
    }
}

#[test]
fn the_rope_never_gets_longer() {
    for hz in RATES {
        let points = [(-900.0, 419.0), (900.0, 419.0), (900.0, 500.0), (-900.0, 500.0)];
        let mut play = Ground::none(hz).solid(&points).at(0.0, 100.0).moving(650.0, 0.0).play();
        play.input.aim = Some(dvec2(-200.0, 419.0));
        play.hold(Action::Hook);
        let mut length = f64::INFINITY;
        for hero in play.run(0.6) {
            if hero.hook.state == "attached" {
                let rope = hero.hook.tip.distance(hero.pos);
                assert!(rope <= length + 1e-9, "from {length} to {rope}");
                length = rope;
            }
        }
        assert!(length < 300.0);
    }
}

#[test]
fn the_rope_snaps_when_strained_too_hard_with_the_key_held() {
    for hz in RATES {
        for (outward, key, snaps) in
            [(399.0, true, false), (401.0, true, true), (401.0, false, false), (399.0, false, false)]
        {
            // The body flies away to the right of the hook; gravity and keys add nothing.
            let wall = [(-20.0, -100.0), (0.0, -100.0), (0.0, 100.0), (-20.0, 100.0)];
            let mut ground = Ground::none(hz)
                .tune("gravity_scale", 0.0)
                .tune("air_accel", 0.0)
                .tune("hook_speed", 1e6)
                .solid(&wall);
            ground = ground.at(200.0, 0.0).moving(outward, 0.0);
            let mut play = ground.play();
            play.input.aim = Some(dvec2(0.0, 0.0));
            play.hold(Action::Hook);
            if key {
                play.hold(Action::Right);
            }
            play.tick();
            let state = play.hero().hook.state;
            assert_eq!(state == "returning", snaps, "{outward} px/s at {hz} Hz: {state}");
            assert_eq!(play.told("unhook"), usize::from(snaps));
            assert_eq!(play.told("hook"), 1, "told even if it snaps in the same tick");
        }
    }
}

#[test]
fn rules_decide_when_the_rope_snaps_and_what_is_grabbed() {
    on_large_stack(|| {
        let script = "
            fn on_tick(me) { if this.n == 0 { me.fire_hook(me.x, 500); } this.n += 1; }
            fn on_hook(me, event) { this.where = event.solid; }
            fn grapple_snaps(me, rope) { this.asked = true; this.state = me.hook.state; rope.length < 100 }
            fn on_unhook(me, event) { this.snapped = event.snapped; }
            fn can_grab(me, hit) { this.touched = hit.surface; hit.roof && hit.surface != \"ice\" }";
        let folder = Folder::with_script(script);
        for (surface, mode) in [("stone", "air"), ("ice", "air")] {
            let level = format!(
                "[[solid]]\npoints = [[-900, -50], [900, -50], [900, 0], [-900, 0]]\n\
                 [[solid]]\nname = \"roof\"\nsurface = \"{surface}\"\n\
                 points = [[-900, 300], [900, 300], [900, 350], [-900, 350]]\n\
                 [[entity]]\nkind = \"hero\"\nat = [0, 19]\nplayer = 1\n"
            );
            folder.write("levels/level.toml", &level);
            let mut game = folder.game();
            game.ticks(45);
            assert_eq!(game.wrong(), [""; 0]);
            assert_eq!(game.var("where"), Value::Text("roof".into()));
            assert_eq!(game.var("asked"), Value::Bool(true));
            assert_eq!(game.var("state"), Value::Text("attached".into()));
            assert_eq!(game.var("snapped"), Value::Bool(true));
            assert_eq!(game.hero().mode, mode);
        }
        // Without the rule the rope holds and the roof is grabbed; an icy roof is not.
        for (surface, mode) in [("stone", "roof"), ("ice", "air")] {
            let script = script.replace("fn grapple_snaps", "fn never_asked_rope");
            folder.write("scripts/hero.rhai", &script);
            let level = folder.read("levels/level.toml");
            let level = level.replace("surface = \"ice\"", &format!("surface = \"{surface}\""));
            folder
                .write("levels/level.toml", &level.replace("surface = \"stone\"", &format!("surface = \"{surface}\"")));
            let mut game = folder.game();
            game.ticks(60);
            assert_eq!(game.wrong(), [""; 0]);
            assert_eq!(game.hero().mode, mode, "{surface}");
            assert_eq!(game.var("touched"), Value::Text(surface.into()));
        }
    });
}

#[test]
fn a_hook_that_hits_a_wall_too_far_away_returns_from_there() {
    for hz in RATES {
        let wall = [(-460.0, -300.0), (-440.0, -300.0), (-440.0, 300.0), (-460.0, 300.0)];
        let mut play = Ground::none(hz).tune("gravity_scale", 0.0).solid(&wall).moving(600.0, 600.0).play();
        play.input.aim = Some(dvec2(-1000.0, 19.0));
        play.hold(Action::Hook);
        for hero in play.run(0.5) {
            assert!(hero.hook.state != "attached");
            assert!(hero.hook.tip.x > -440.1, "through the wall to {}", hero.hook.tip);
        }
    }
}

#[test]
fn firing_an_attached_hook_again_detaches_it_first() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { this.n += 1; if this.n == 1 || this.n == 20 { me.fire_hook(me.x, 500); } }\n\
                      fn on_unhook(me) { this.let_go = this.n; }";
        let folder = Folder::with_script(script);
        let level = "[[solid]]\npoints = [[-900, 300], [900, 300], [900, 350], [-900, 350]]\n\
                     [[entity]]\nkind = \"hero\"\nat = [0, 19]\n";
        folder.write("levels/level.toml", level);
        let mut game = folder.game();
        game.ticks(24);
        assert_eq!(game.var("let_go"), Value::Int(20));
        assert_ne!(game.hero().hook.state, "idle");
    });
}

/// A hero that grabs a wall and then runs this script.
fn clinging(what: &str) -> crate::folder::Game {
    let script = format!(
        "fn on_tick(me) {{ this.n += 1; if this.n < 12 {{ me.hold(\"right\"); }} \
         if this.n == 20 {{ {what} }} }}\n\
         fn on_drop(me) {{ this.drops = 1; }}"
    );
    let folder = Folder::with_script(&script);
    let level = "[[solid]]\npoints = [[20, -900], [60, -900], [60, 900], [20, 900]]\n\
                 [[entity]]\nkind = \"hero\"\nat = [0, 0]\n";
    folder.write("levels/level.toml", level);
    let mut game = folder.game();
    game.ticks(19);
    assert_eq!(game.hero().mode, "wall");
    game.ticks(3);
    assert_eq!(game.wrong(), [""; 0]);
    game
}

#[test]
fn every_end_of_a_grab_emits_drop() {
    on_large_stack(|| {
        for what in ["me.jump();", "me.place(-200, 0);", "me.set_model(\"two_velocity\");"] {
            let game = clinging(what);
            assert_eq!(game.var("drops"), Value::Int(1), "{what}");
            assert_eq!(game.hero().mode, "air", "{what}");
        }
        assert_eq!(clinging("me.jump();").hero().vel.y, 540.0);
    });
}

#[test]
fn a_rule_that_teleports_its_entity_cancels_the_grab() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { me.hold(\"right\"); } \
                      fn can_grab(me, hit) { if me.x > 0 { me.place(-300, 0); } true }";
        let folder = Folder::with_script(script);
        let level = "[[solid]]\npoints = [[20, -900], [60, -900], [60, 900], [20, 900]]\n\
                     [[entity]]\nkind = \"hero\"\nat = [0, 0]\n";
        folder.write("levels/level.toml", level);
        let mut game = folder.game();
        for _ in 0..12 {
            game.ticks(1);
            let hero = game.hero();
            assert!(hero.mode == "air" || hero.pos.x > 0.0, "it holds on at {}", hero.pos);
        }
        assert!(game.hero().pos.x < -200.0);
    });
}

#[test]
fn a_hook_survives_a_reload_unless_its_solid_is_gone() {
    let beam = |y: i32, path: &str| {
        format!("[[solid]]\nname = \"beam\"\npoints = [[-90, {y}], [90, {y}], [90, 350], [-90, 350]]\n{path}\n")
    };
    let other = "[[solid]]\nname = \"other\"\npoints = [[500, 0], [600, 0], [500, 50]]\n\
                 path = { points = [[0, 0], [50, 0]], speed = 10 }\n";
    let moving = "path = { points = [[0, 0], [20, 0]], speed = 10 }";
    let hero = "[[entity]]\nkind = \"hero\"\nat = [0, 19]\nplayer = 1\n";
    on_large_stack(move || {
        let (still, gone) = (beam(300, ""), String::new());
        for (before, after, kept) in [
            (still.clone(), still.clone(), true),
            (still.clone(), beam(340, ""), false),
            (still, gone.clone(), false),
            // The order and the number of platforms in the file may change.
            (format!("{other}{}", beam(300, moving)), beam(300, moving), true),
            (format!("{other}{}", beam(300, moving)), gone.clone(), false),
        ] {
            let folder = Folder::with_script("fn on_tick(me) { if me.age == 0 { me.fire_hook(0, 400); } }");
            folder.write("levels/level.toml", &format!("{before}{hero}"));
            let mut game = folder.game();
            game.ticks(8);
            assert_eq!(game.hero().hook.state, "attached");
            folder.write("levels/level.toml", &format!("{after}{hero}"));
            let revision = folder.open().expect("a good level");
            game.live.adopt(revision.into());
            let told = game.live.world().events().iter().any(|e| e.kind.name() == "unhook");
            assert_eq!(told, !kept);
            game.ticks(1);
            assert_eq!(game.hero().hook.state == "attached", kept, "{after}");
        }
    });
}
