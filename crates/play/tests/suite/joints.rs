//! Ropes and springs, as scripts tie them.

use crate::{
    common::near,
    folder::{Folder, Game, on_large_stack},
};
use hangtime_core::sim::{Inputs, MOST_JOINTS, Value};
use hangtime_play::HeavyTwin;

const LEVEL: &str = r#"
gravity = 900.0
[[solid]]
name = "lift"
points = [[-50, 180], [50, 180], [50, 200], [-50, 200]]
path = { points = [[0, 0], [0, 60]], speed = 30.0, loop = "called" }
[[entity]]
kind = "hero"
name = "hero"
at = [0, 100]
player = 1
[[entity]]
kind = "other"
name = "other"
at = [300, 100]
"#;

fn game(script: &str) -> Game {
    let folder = Folder::with_script(script);
    folder.write("levels/level.toml", LEVEL);
    folder.write("config/entities/other.toml", "model = \"ballistic\"\n");
    folder.game_at(60)
}

/// What a script writes that makes this call when it spawns.
fn refusal(call: &str) -> String {
    let mut game = game(&format!("fn on_birth(me) {{ {call} }}"));
    game.ticks(2);
    game.wrong().concat()
}

#[test]
fn bad_arguments_are_refused_with_a_reason() {
    on_large_stack(|| {
        let cases = [
            ("world::rope(me.name, me.name, 50);", "`rope` cannot tie `hero` to itself"),
            ("world::rope(me.name, \"othr\", 50);", "there is no entity `othr`; did you mean `other`?"),
            ("world::rope(vec(0, 0), vec(0, 9), 50);", "`rope` needs an entity at one of its ends"),
            ("world::rope(me.name, \"other\", 0);", "`length` of `rope` is 0; it must be above 0"),
            ("world::rope(me.name, \"other\", -3);", "`length` of `rope` is -3; it must be above 0"),
            ("world::rope(me.name, \"other\", 0.0 / 0.0);", "`length` of `rope` cannot be NaN"),
            ("world::rope(me.name, vec(0.0 / 0.0, 0), 9);", "cannot be NaN"),
            ("world::rope(me.name, 7, 50);", "`b` of `rope` must be the name of an entity or a vec, not a number"),
            ("world::rope(me.name, \"other\", 50, #{ hertz: 2 });", "`rope` has no setting `hertz`"),
            (
                "world::spring(me.name, \"other\", 50, #{ hertz: 61 });",
                "`hertz` of `spring` is 61; it must be between 0 and 60",
            ),
            ("world::spring(me.name, \"other\", 50, #{ strength: -1 });", "`strength` of `spring` is -1"),
            ("world::cut(1);", "`id` of `cut` is 1, but no joint has had this id"),
            ("world::reel(1, 20, 100);", "`id` of `reel` is 1, but no joint has had this id"),
        ];
        for (call, message) in cases {
            let wrong = refusal(call);
            assert!(wrong.contains(message), "{call}: {wrong}");
        }
    });
}

#[test]
fn an_entity_of_the_same_tick_can_be_tied() {
    on_large_stack(|| {
        let mut game = game(
            "fn on_birth(me) { this.rope = world::rope(me.name, world::create(\"other\", 0, 60), 40); }\n\
             fn on_tick(me) { let joint = world::joint(this.rope); if joint != () { this.kind = joint.kind; this.length = joint.length; } }",
        );
        game.ticks(3);
        assert_eq!(game.wrong(), [""; 0]);
        assert_eq!(game.live.world().joints().len(), 1);
        assert_eq!(game.var("kind"), Value::Text("rope".into()));
        assert_eq!(game.var("length"), Value::Float(40.0));
    });
}

#[test]
fn a_point_on_a_platform_moves_with_it() {
    on_large_stack(|| {
        // The lift is from y = 180 to 200, and what is less than 1 px away from it holds on to it.
        let heights =
            [(178.5, 0.0), (179.2, 60.0), (180.0, 60.0), (190.0, 60.0), (200.0, 60.0), (200.8, 60.0), (201.5, 0.0)];
        for x in [-45.0, 0.0, 30.0] {
            for (y, lifted) in heights {
                let folder = Folder::with_script(&format!(
                    "fn on_birth(me) {{ world::rope(me.name, vec({x:?}, {y:?}), {:?}); }}\n\
                     fn on_tick(me) {{ if world::tick() == 60 {{ world::send(\"lift\", 1); }} }}",
                    y - 100.0
                ));
                folder.write("levels/level.toml", &LEVEL.replace("at = [0, 100]", &format!("at = [{x:?}, 100]")));
                folder.write("config/entities/other.toml", "model = \"ballistic\"\n");
                let mut game = folder.game_at(60);
                game.ticks(60);
                near(game.hero().pos.y, 100.0, 1e-3);
                game.ticks(240);
                assert_eq!(game.wrong(), [""; 0]);
                // It may still bounce a little: it was pulled at 30 px/s, which lifts it by v²/2g = 0.5 px.
                near(game.hero().pos.y, 100.0 + lifted, 0.6);
            }
        }
    });
}

#[test]
fn there_are_a_thousand_joints_at_most() {
    on_large_stack(|| {
        let mut game = game(
            "fn on_tick(me) { if world::tick() < 20 { for i in 0..100 { world::rope(me.name, \"other\", 400); } } }",
        );
        game.ticks(20);
        assert_eq!(game.live.world().joints().len(), MOST_JOINTS);
        let wrong = game.wrong().concat();
        assert!(wrong.contains("a level can have at most 1000 ropes and springs"), "{wrong}");
    });
}

#[test]
fn reloads_and_saved_worlds_keep_joints_and_restarts_do_not() {
    on_large_stack(|| {
        let script = "fn on_birth(me) { if me.age == 0 && world::handed() == () { world::rope(me.name, vec(0, 180), 80); world::spring(me.name, \"other\", 200); } }\n\
                      fn on_joint_lost(me, event) { this.n += 1; }\n\
                      fn on_again(me) { world::restart(1); }";
        let folder = Folder::with_script(script);
        folder.write("levels/level.toml", LEVEL);
        folder.write("config/entities/other.toml", "model = \"ballistic\"\n");
        let (mut game, mut other) = (folder.game_at(60), folder.game_at(60));
        let mut twin = HeavyTwin::new(&game.live);
        for tick in 0..60 {
            twin.step(&mut game.live, &Inputs::none()).expect("no difference");
            other.ticks(1);
            if tick == 20 {
                // Another solid comes first, so that the platform has another number.
                let more = "[[solid]]\nname = \"far\"\npoints = [[900, 0], [950, 0], [950, 50], [900, 50]]\n[[solid]]\nname = \"lift\"";
                folder.write("levels/level.toml", &LEVEL.replace("[[solid]]\nname = \"lift\"", more));
                other.live.adopt(folder.open_at(60));
            }
            near(game.hero().pos.distance(other.hero().pos), 0.0, 1e-6);
        }
        assert_eq!(other.live.world().joints().len(), 2);
        assert_eq!(other.wrong(), [""; 0]);
        // Without the platform, the rope is gone, and the spring stays.
        folder.write("levels/level.toml", &LEVEL.replace("name = \"lift\"", "name = \"crane\""));
        other.live.adopt(folder.open_at(60));
        other.ticks(2);
        assert_eq!(other.live.world().joints().len(), 1);
        assert_eq!(other.var("n"), Value::Int(1));
        other.live.emit("again".into(), Value::Unit);
        other.ticks(3);
        assert!(other.live.world().joints().is_empty());
    });
}
