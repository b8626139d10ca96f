//! What happens between the phases of a tick is saved, too.

use crate::{
    common::{RATES, loaded},
    folder::{Folder, on_large_stack},
    ground::Ground,
};
use glam::dvec2;
use hangtime_core::{
    geometry::polygon,
    level::{Solid, SurfaceId},
    models::Action,
    sim::{Command, Inputs, NativeRules, PlayerInput, Value},
};
use hangtime_play::HeavyTwin;

#[test]
fn a_solid_that_was_just_switched_on_pushes_bodies_out_after_loading_too() {
    let corners = [(-40.0, 0.0), (30.0, 0.0), (30.0, 60.0), (-40.0, 60.0)];
    let outline = polygon::outline(&corners.map(|(x, y)| dvec2(x, y))).expect("a box");
    let mut ground = Ground::floor(60);
    ground
        .others
        .push(Solid { present: Some(false), ..Solid::new("door".into(), SurfaceId(0), outline) });
    let mut play = ground.play();
    play.run(0.5);
    let door = play.stage.level.terrain.solid_named("door").expect("it is there");
    let hero = play.world.entities()[0].id;
    play.world.order(&play.stage, hero, &Command::Switch(door, true));
    let saved = serde_json::to_string(&play.world).expect("it is saved");
    let mut other = loaded(&saved, &play.stage);
    assert_eq!(other, play.world);
    for _ in 0..10 {
        play.tick();
        other.tick(&play.stage, &Inputs::none(), &mut NativeRules);
        assert_eq!(other.hash(), play.world.hash());
    }
    // Next to the door or on top of it: the ellipse is 10 px wide and 19 px high to each side.
    let at = play.hero().pos;
    assert!(at.x >= 30.0 + 9.9 || at.y >= 60.0 + 18.9, "{at}");
}

#[test]
fn a_world_can_be_saved_wherever_the_player_points() {
    for hz in RATES {
        for far in [1e8, 4.018_437_044_674_407e38, 1e9, 1e300, f64::MAX, f64::INFINITY, f64::NAN] {
            for aim in [dvec2(far, 20.0), dvec2(-far, 20.0), dvec2(20.0, -far)] {
                let mut play = Ground::floor(hz).play();
                play.input.aim = Some(aim);
                play.input.stick = aim;
                play.hold(Action::Hook);
                for _ in 0..3 {
                    let hero = play.tick();
                    assert!(hero.pos.is_finite() && hero.vel.is_finite());
                    let saved = serde_json::to_string(&play.world).expect("it is saved");
                    let twin = loaded(&saved, &play.stage);
                    assert_eq!(twin.hash(), play.world.hash(), "{hz} Hz, {aim}");
                }
                if aim.y > 0.0 && !far.is_nan() {
                    // Level with the body, to the side of the aim.
                    let flown = play.hero().hook.tip - play.hero().pos;
                    assert!(flown.x * aim.x > 0.0, "{hz} Hz, {aim}: {flown}");
                    assert!(flown.y.abs() < 1e-3, "{hz} Hz, {aim}: {flown}");
                }
            }
        }
    }
}

#[test]
fn an_override_that_a_rule_sets_takes_effect_after_loading_too() {
    on_large_stack(|| {
        let folder = Folder::with_script(
            "fn can_grab(me, hit) { this.n += 1; me.tune(\"platformer.ground_probe\", 0.5 + this.n); true }",
        );
        // The wall moves up, and carries bodies that hold on to it.
        folder.write(
            "levels/level.toml",
            "surface = \"stone\"\n\
             [[solid]]\npoints = [[-500, -100], [90, -100], [90, 0], [-500, 0]]\n\
             [[solid]]\npoints = [[100, -300], [200, -300], [200, 600], [100, 600]]\n\
             path = { points = [[0, 0], [0, 200]], speed = 60 }\n\
             [[entity]]\nkind = \"hero\"\nat = [0, 19]\nplayer = 1\n",
        );
        let mut game = folder.game();
        let mut twin = HeavyTwin::new(&game.live);
        for tick in 0..240 {
            let mut input = PlayerInput::default();
            if tick % 60 < 40 {
                input.held = [Action::Right, Action::Jump].into_iter().collect();
            }
            let same = twin.step(&mut game.live, &Inputs::of_first(input));
            same.unwrap_or_else(|difference| panic!("{difference}"));
            game.note_report();
        }
        assert_eq!(game.wrong(), [""; 0]);
        assert_ne!(game.var("n"), Value::Int(0), "it has grabbed");
    });
}
