//! Explanations, reloads and profiles of games in Lua.

use super::{Folder, lua, on_large_stack};
use hangtime_core::sim::{Value, why::Watch};
use std::sync::Arc;

/// The reasons of a hero's motion in some ticks.
fn reasons(folder: &Folder) -> Vec<String> {
    let mut game = folder.game();
    game.live.watch(Watch::All);
    let mut all = Vec::new();
    for _ in 0..30 {
        game.ticks(1);
        all.extend(game.live.why("hero").into_iter().map(|reason| reason.text));
    }
    assert!(game.faults.is_empty(), "{:?}", game.wrong());
    all
}

#[test]
fn explanations_spell_calls_and_answers_in_lua() {
    let rhai = "fn jump_windows(me) { #{ coyote_time: 0.15, jump_buffer: 0 } }
        fn model(me) { if me.x > -199 { \"two_velocity\" } }
        fn on_tick(me) {
            me.hold(\"right\"); me.push(3, 0.5); me.vel = vec(90, me.vel.y);
            if world::tick() == 3 { world::emit(\"alarm\"); me.after(1, \"later\"); me.jump_to(me.x + 90, 0, 30); }
        }
        fn on_later(me) {} fn on_alarm(me) {}";
    let in_lua = "function jump_windows(me) return { coyote_time = 0.15, jump_buffer = 0 } end
        function model(me) if me.x > -199 then return 'two_velocity' end end
        function on_tick(me)
            me:hold('right') me:push(3, 0.5) me.vel = vec(90, me.vel.y)
            if world.tick() == 3 then world.emit('alarm') me:after(1, 'later') me:jump_to(me.x + 90, 0, 30) end
        end
        function on_later(me) end function on_alarm(me) end";
    on_large_stack(|| {
        let of_rhai = Folder::with_script(rhai);
        of_rhai.write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { n = 0, speed = 0.0 }\n");
        let (rhai, lua) = (reasons(&of_rhai), reasons(&lua(in_lua)));
        let spelled = |text: &String| {
            let text = text
                .replace("world::", "world.")
                .replace(".rhai", ".luau")
                .replace("#{ coyote", "{ coyote");
            let text = text.replace("coyote_time: ", "coyote_time = ").replace("jump_buffer: ", "jump_buffer = ");
            text.replace("→ ()", "→ nil")
        };
        let rhai: Vec<String> = rhai.iter().map(spelled).collect();
        for (place, (rhai, lua)) in rhai.iter().zip(&lua).enumerate() {
            assert_eq!(rhai, lua, "reason {place}");
        }
        assert_eq!(rhai.len(), lua.len());
        for part in ["world.emit(\"alarm\")", "coyote_time = 0.15", "me.push(3, 0.5)"] {
            assert!(lua.iter().any(|text| text.contains(part)), "{part}: {lua:#?}");
        }
    });
}

#[test]
fn a_reload_keeps_variables_and_calls_on_reload() {
    on_large_stack(|| {
        let folder = lua("function on_tick(me) vars.n += 1 end");
        let mut game = folder.game();
        game.ticks(10);
        folder.write(
            "scripts/hero.luau",
            "function on_tick(me) vars.n += 100 end function on_reload(me) vars.reloads = (vars.reloads or 0) + 1 end",
        );
        game.live.adopt(Arc::new(folder.open().expect("a good script")));
        game.ticks(2);
        assert_eq!((game.var("n"), game.var("reloads")), (Value::Int(210), Value::Int(1)));
        // One in the other language continues with the same variables.
        folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += 1000; }");
        folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { n = 0, speed = 0.0 }\n");
        game.live.adopt(Arc::new(folder.open().expect("a good script")));
        game.ticks(2);
        assert_eq!((game.var("n"), game.var("reloads")), (Value::Int(2210), Value::Int(1)));
        assert!(game.faults.is_empty(), "{:?}", game.wrong());
    });
}

#[test]
fn changes_name_the_functions_of_a_script() {
    on_large_stack(|| {
        let folder = lua("function on_tick(me) vars.n += 1 end\nfunction on_land(me) end");
        let before = folder.open().expect("a good script");
        folder.write("scripts/hero.luau", "function on_tick(me) vars.n += 2 end -- more\nfunction on_land(me) end");
        let after = folder.open().expect("a good script");
        let changes: Vec<String> = after.changes_from(&before).iter().map(ToString::to_string).collect();
        assert_eq!(changes.len(), 1);
        assert!(changes[0].ends_with("hero.luau: function on_tick changed"), "{changes:?}");
    });
}

#[test]
fn a_profile_has_the_calls_of_each_hook() {
    on_large_stack(|| {
        let mut game = lua("function on_tick(me) vars.n += 1 end function model(me) return 'platformer' end").game();
        game.live.measure(true);
        game.ticks(20);
        let profile = game.live.profile().expect("a profile");
        let calls: Vec<(&str, u64)> = profile.hooks.iter().map(|hook| (&*hook.hook, hook.calls)).collect();
        assert!(calls.contains(&("on_tick", 20)), "{calls:?}");
        assert!(profile.hooks.iter().all(|hook| hook.behavior.ends_with("hero.luau")), "{:?}", profile.hooks);
    });
}
