//! Bodies that change their size because a script says so or a key is held.

use crate::{
    common::loaded,
    folder::{Folder, Game, LEVEL, on_large_stack},
};
use glam::dvec2;
use hangtime_core::{
    geometry::ColliderForm,
    models::{Action, OwnActions},
    sim::Value,
};
use hangtime_game::check;
use hangtime_script::calls::ForeignCalls;

const KIND: &str = "config/entities/hero.toml";

/// A hero with this script and these lines in its kind, and a low roof right of x = 100.
fn folder(script: &str, kind: &str) -> Folder {
    let folder = Folder::with_script(script);
    folder.write(KIND, &format!("script = \"hero.rhai\"\nvars = {{ n = 0 }}\n{kind}"));
    let roof = "[[solid]]\nname = \"roof\"\npoints = [[100, 42], [400, 42], [400, 90], [100, 90]]\n";
    folder.write("levels/level.toml", &format!("{LEVEL}{roof}"));
    folder
}

fn size(game: &Game) -> [f64; 2] {
    let hero = game.hero();
    (2.0 * hero.half).into()
}

const CROUCH: &str = "[stances]\ncrouch = { size = [20, 24], action = \"down\" }\n";

#[test]
fn a_call_reads_the_size_that_it_has_set() {
    on_large_stack(|| {
        let script = "fn on_tick(me) {\n\
             if world::tick() != 5 { return; }\n\
             this.before = [me.width, me.height, me.y];\n\
             me.resize(30, 57.5);\n\
             this.after = [me.width, me.height, me.y];\n\
             me.place_feet(-500, 0);\n\
             this.placed = me.y;\n}\n";
        let mut game = folder(script, "").game();
        game.ticks(6);
        assert_eq!(game.wrong(), [""; 0]);
        let numbers = |all: [f64; 3]| Value::List(all.map(Value::Float).to_vec());
        assert_eq!(game.var("before"), numbers([20.0, 38.0, 19.0]));
        assert_eq!(game.var("after"), numbers([30.0, 57.5, 28.75]));
        assert_eq!(game.var("placed"), Value::Float(28.75));
        assert_eq!(size(&game), [30.0, 57.5]);
        assert_eq!(game.hero().pos, dvec2(-500.0, 28.75));
    });
}

#[test]
fn a_size_without_room_is_an_error_that_names_the_solid_and_the_call_has_no_effect() {
    on_large_stack(|| {
        let script = "fn on_tick(me) {\n\
             if world::tick() == 1 { me.place(200, 19); }\n\
             if world::tick() != 3 { return; }\n\
             this.room = [me.has_room(20, 42), me.has_room(20, 43)];\n\
             me.resize(20, 41);\n    me.resize(20, 43);\n}\n";
        let mut game = folder(script, "").game();
        game.ticks(5);
        let faults: Vec<String> = game.faults.iter().map(|fault| fault.diagnostic.render(false)).collect();
        assert_eq!(faults.len(), 1, "{faults:?}");
        let place = "scripts/hero.rhai:6:8: error: there is no room for 20 by 43 px: `roof` is in the way";
        assert!(faults[0].starts_with(place), "{}", faults[0]);
        // The hook failed, so the first size is dropped, too.
        assert_eq!(size(&game), [20.0, 38.0]);
    });
}

/// It grew, left the level, began at its start, and left it in the next tick again.
#[test]
fn a_body_does_not_grow_out_of_its_level() {
    on_large_stack(|| {
        // The feet stay at y = 0, so the center is half the height above it.
        for top in [100.0, 300.0] {
            for (height, fits) in [(2.0 * top - 1.0, true), (2.0 * top + 1.0, false), (10_000.0, false)] {
                let script = format!(
                    "fn on_tick(me) {{\n    if world::tick() != 3 {{ return; }}\n    \
                     this.room = me.has_room(20, {height:?});\n    me.resize(20, {height:?});\n}}\n"
                );
                let folder = folder(&script, "");
                folder.write("levels/level.toml", &format!("bounds = [-500, -100, 500, {top}]\n{LEVEL}"));
                let mut game = folder.game();
                game.ticks(30);
                if fits {
                    assert_eq!(
                        (game.var("room"), size(&game)),
                        (Value::Bool(true), [20.0, height]),
                        "{:?}",
                        game.wrong()
                    );
                } else {
                    let said = format!("with 20 by {height} px, its center would be outside the level's bounds");
                    assert!(game.wrong().iter().any(|wrong| wrong.contains(&said)), "{:?}", game.wrong());
                    assert_eq!(size(&game), [20.0, 38.0]);
                }
                assert_eq!(game.hero().pos.x, -200.0, "it stays where it was, under {top}");
            }
        }
    });
}

#[test]
fn sizes_that_no_body_can_have_are_refused_at_the_call() {
    on_large_stack(|| {
        for (size, said) in [
            ("0, 10", "`width` of `resize` is 0; it must be between 0.2 and 10000"),
            ("10, -5", "`height` of `resize` is -5; it must be between 0.2 and 10000"),
            ("0.1, 10", "`width` of `resize` is 0.1; it must be between 0.2 and 10000"),
            ("10, 10001", "`height` of `resize` is 10001; it must be between 0.2 and 10000"),
            ("1.0 / 0.0, 10", "`width` of `resize` cannot be inf"),
            ("10, sqrt(-1.0)", "`height` of `resize` cannot be NaN"),
        ] {
            let script = format!("fn on_tick(me) {{ if world::tick() == 1 {{ me.resize({size}); }} }}\n");
            let mut game = folder(&script, "").game();
            game.ticks(3);
            let wrong = game.wrong();
            assert_eq!(wrong.len(), 1, "{size}: {wrong:?}");
            assert!(wrong[0].contains(said), "{size}: {wrong:?}");
        }
    });
}

#[test]
fn a_vessel_and_a_rule_cannot_resize() {
    on_large_stack(|| {
        let once = "fn on_tick(me) { if world::tick() == 1 { me.resize(20, 20); } }\n";
        let mut game = folder(once, "model = \"vessel\"\nbody = { box = [20, 20] }\n").game();
        game.ticks(3);
        let said = "a body of the model `vessel` consists of pieces, which have no size";
        assert!(game.wrong()[0].contains(said), "{:?}", game.wrong());
        let mut game = folder("fn jump_windows(me) { me.resize(20, 20); }\n", "").game();
        game.ticks(3);
        let said = "`resize` cannot be called from a rule; call it from an event hook";
        // The rule `jump_windows` is asked in the decide phase, in which a size may change.
        assert!(game.wrong().iter().all(|wrong| wrong.contains(said)), "{:?}", game.wrong());
    });
}

#[test]
fn a_body_of_pieces_takes_sizes_as_its_bounding_box() {
    on_large_stack(|| {
        // Around the common center of mass, which is in the middle, the pieces reach 10 px to the sides and 19 px up and down.
        let pieces = "body = { pieces = [{ points = [[-10, 0], [10, 0], [0, 19]] }, { points = [[-10, 0], [0, -19], [10, 0]] }] }\n";
        let script = "fn on_tick(me) {\n\
             if world::tick() == 20 { me.resize(30, 40); this.room = me.has_room(30, 40); }\n\
             if world::tick() == 40 { me.resize(); }\n}\n";
        for hz in [30, 60, 120, 240] {
            let mut game = folder(script, &format!("{pieces}{CROUCH}")).game_at(hz);
            game.ticks(15);
            assert_eq!((size(&game), game.hero().form), ([20.0, 38.0], ColliderForm::Box), "at {hz} Hz");
            game.ticks(10);
            assert_eq!((size(&game), game.hero().pos.y), ([30.0, 40.0], 20.0), "at {hz} Hz");
            game.input.held = [Action::Down].into_iter().collect();
            game.ticks(5);
            assert_eq!((size(&game), game.hero().pos.y), ([20.0, 24.0], 12.0), "at {hz} Hz");
            game.input.held = Default::default();
            game.ticks(30);
            assert_eq!((size(&game), game.hero().pos.y), ([20.0, 38.0], 19.0), "at {hz} Hz");
            assert_eq!(game.wrong(), [""; 0]);
            assert_eq!(game.var("room"), Value::Bool(true));
        }
    });
}

#[test]
fn a_planned_jump_keeps_the_size() {
    on_large_stack(|| {
        let script = "fn on_tick(me) {\n\
             if world::tick() == 5 { me.jump_to(me.x + 150, 0, 40); }\n\
             if world::tick() == 10 { this.room = me.has_room(10, 10); me.resize(10, 10); }\n}\n";
        let mut game = folder(script, CROUCH).game();
        game.ticks(9);
        game.input.held = [Action::Down].into_iter().collect();
        game.ticks(3);
        let said = "a body in ballistic flight keeps its size until it lands";
        assert!(game.wrong()[0].contains(said), "{:?}", game.wrong());
        assert_eq!(size(&game), [20.0, 38.0]);
        game.ticks(60);
        // It has landed, and the key is still held.
        assert_eq!(game.hero().stance.as_deref(), Some("crouch"));
    });
}

#[test]
fn stances_are_set_read_and_cleared() {
    on_large_stack(|| {
        let script = "fn on_tick(me) {\n\
             if world::tick() == 2 { me.set_stance(\"hide\"); }\n\
             if world::tick() == 4 { this.read = me.stance; me.clear_stance(); }\n\
             if world::tick() == 6 { this.none = me.stance == (); }\n}\n";
        let mut game = folder(script, &format!("{CROUCH}hide = {{ size = [12, 12] }}\n")).game();
        game.input.held = [Action::Down].into_iter().collect();
        game.ticks(2);
        assert_eq!(size(&game), [20.0, 24.0]);
        game.ticks(1);
        assert_eq!(size(&game), [12.0, 12.0]);
        game.ticks(1);
        game.input.held = [].into_iter().collect();
        game.ticks(1);
        assert_eq!((game.var("read"), size(&game)), (Value::Text("hide".into()), [20.0, 38.0]));
        game.ticks(2);
        assert_eq!(game.var("none"), Value::Bool(true));
        assert_eq!(game.wrong(), [""; 0]);
    });
}

#[test]
fn a_stance_that_the_kind_lacks_is_refused_with_the_nearest_name() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { if world::tick() == 1 { me.set_stance(\"cruch\"); } }\n";
        let mut game = folder(script, CROUCH).game();
        game.ticks(3);
        let said = "the kind `hero` has no stance `cruch`; did you mean `crouch`?";
        assert!(game.wrong()[0].contains(said), "{:?}", game.wrong());
    });
}

#[test]
fn an_action_of_the_game_takes_a_stance() {
    on_large_stack(|| {
        let folder = folder("", "[stances]\nroll = { size = [16, 16], action = \"roll\" }\n");
        folder.write("config/hangtime.toml", "[keys]\nroll = \"KeyJ\"\n");
        let mut game = folder.game();
        let actions: &OwnActions = &game.live.revision().stage.actions;
        game.input.held = [actions.own("roll").expect("an action")].into_iter().collect();
        game.ticks(2);
        assert_eq!(size(&game), [16.0, 16.0]);
        let said = check(folder.root(), &[], &ForeignCalls::none()).expect("a game").diagnostics;
        assert_eq!(said.iter().map(|d| d.headline()).collect::<Vec<_>>(), [""; 0]);
    });
}

#[test]
fn an_entity_of_a_level_changes_a_stance_of_its_kind() {
    on_large_stack(|| {
        let folder = folder("", CROUCH);
        let own = "stances = { crouch = { size = [24, 14], action = \"down\" }, hide = { size = [8, 8] } }\n";
        folder.write("levels/level.toml", &format!("{LEVEL}{own}"));
        let mut game = folder.game();
        game.input.held = [Action::Down].into_iter().collect();
        game.ticks(2);
        assert_eq!(size(&game), [24.0, 14.0]);
    });
}

#[test]
fn mistakes_in_stances_are_shown_with_their_place_and_the_right_name() {
    on_large_stack(|| {
        for (stances, said) in [
            (
                "[stances]\ncrouch = { size = [20, 24], action = \"dwon\" }\n",
                "4:38: error: there is no action `dwon`; did you mean `down`?",
            ),
            ("[stances]\ncrouch = { action = \"down\" }\n", "4:10: error: a stance needs `size`"),
            ("[stances]\ncrouch = { siz = [20, 24] }\n", "4:12: error: unknown key `siz`; did you mean `size`?"),
            (
                "[stances]\ncrouch = { size = [0.1, 24] }\n",
                "4:19: error: `size` is 0.1; it must be between 0.2 and 10000 px",
            ),
            (
                "[stances]\ncrouch = { size = [20] }\n",
                "4:19: error: `size` takes 2 numbers, not 1: full widths, [w, h]",
            ),
            ("[stances]\ncrouch = [20, 24]\n", "4:10: error: a stance takes a table"),
            (
                "[stances]\ncrouch = { size = [20, 24], platformer = { run_speed_mx = 1 } }\n",
                "4:44: error: unknown key `run_speed_mx`; did you mean `run_speed_max`?",
            ),
        ] {
            let folder = folder("", stances);
            let wanted = format!("config/entities/hero.toml:{said}");
            let checked = check(folder.root(), &[], &ForeignCalls::none()).expect("a game").diagnostics;
            for found in [checked, folder.open().err().unwrap_or_default()] {
                let all: Vec<String> = found.iter().map(|d| d.render(false)).collect();
                assert!(all.iter().any(|text| text.starts_with(&wanted)), "{stances}\n{}", all.join("\n"));
            }
        }
    });
}

#[test]
fn check_says_of_older_games_that_boxes_were_round() {
    let note = |config: &str, kind: &str| {
        let folder = folder("", kind);
        folder.write("config/hangtime.toml", config);
        let report = check(folder.root(), &[], &ForeignCalls::none()).expect("a game");
        assert!(report.diagnostics.iter().all(|d| !d.is_error()), "{kind}");
        let of_a_file = check(folder.root(), &[KIND.into()], &ForeignCalls::none()).expect("a game");
        assert_eq!(of_a_file.note, None, "{kind}");
        report.note
    };
    let said = "a `box` is a box in every model since hangtime 0.3, and was an ellipse in all but `vessel`. This changes `hero`: \
                `hangtime upgrade` writes the old shape, `body = { ellipse = [10, 15.5] }`. If this game is made for boxes, write \
                `hangtime = \"0.3\"` at the beginning of config/hangtime.toml";
    for config in ["", "hangtime = \"0.1\"\n", "hangtime = \"0.2.9\"\n"] {
        assert_eq!(note(config, "body = { box = [20, 31] }\n").as_deref(), Some(said), "{config}");
        assert_eq!(note(config, "body = { box = [20, 31] }\nmodel = \"vessel\"\n"), None);
        assert_eq!(note(config, "body = { ellipse = [10, 19] }\n"), None);
    }
    for config in ["hangtime = \"0.3\"\n", "hangtime = \"0.3.0\"\n"] {
        assert_eq!(note(config, "body = { box = [20, 31] }\n"), None, "{config}");
    }
}

#[test]
fn a_crouch_is_saved_with_the_world_and_restarts_with_the_level() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { if world::tick() == 20 { me.resize(30, 40); } if world::tick() == 60 { world::restart(); } }\n";
        let folder = folder(script, CROUCH);
        for hz in [30, 60, 120, 240] {
            let mut game = folder.game_at(hz);
            game.input.held = [Action::Down].into_iter().collect();
            game.ticks(30);
            let saved = serde_json::to_string(game.live.world()).expect("it is saved");
            let mut other = folder.game_at(hz);
            other.live.restore(loaded(&saved, &other.live.revision().stage));
            for tick in 30..90 {
                game.input.held = if tick < 40 {
                    [Action::Down].into_iter().collect()
                } else {
                    [].into_iter().collect()
                };
                other.input = game.input;
                game.ticks(1);
                other.ticks(1);
                assert_eq!(game.live.world().hash(), other.live.world().hash(), "tick {tick} at {hz} Hz");
                let size = size(&game);
                match tick {
                    30..40 => assert_eq!(size, [20.0, 24.0]),
                    40..=60 => assert_eq!(size, [30.0, 40.0]),
                    61.. => assert_eq!(size, [20.0, 38.0]),
                    _ => {}
                }
            }
            assert_eq!(game.wrong(), [""; 0]);
        }
    });
}
