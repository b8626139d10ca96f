//! What lives from one call to the next: variables, and nothing else.

use super::{folder::LEVEL, lua, on_large_stack};
use hangtime_core::sim::Value;

/// The messages of a hero's faults in the first ticks.
fn faults(script: &str) -> Vec<String> {
    let mut all = Vec::new();
    on_large_stack(|| {
        let mut game = lua(script).game();
        game.ticks(3);
        all = game.faults.iter().map(|fault| fault.diagnostic.headline()).collect();
    });
    all
}

#[test]
fn globals_and_tables_of_the_file_are_frozen_after_it_is_loaded() {
    for (script, why) in [
        ("function on_tick(me)\n  score = 1\nend", "scripts/hero.luau:2:3: error: `score` would be forgotten"),
        ("list = { 1 }\nfunction on_tick(me)\n  list[2] = 5\nend", "scripts/hero.luau:3:"),
        ("local list = { 1, { 2 } }\nfunction on_tick(me)\n  list[2][1] = 5\nend", "scripts/hero.luau:3:"),
        ("function on_tick(me)\n  on_land = nil\nend", "scripts/hero.luau:2:"),
        ("function on_tick(me)\n  math.pi = 3\nend", "scripts/hero.luau:2:"),
        ("function on_tick(me)\n  world.tick = 3\nend", "scripts/hero.luau:2:"),
    ] {
        let faults = faults(script);
        assert_eq!(faults.len(), 3, "{script}: {faults:?}");
        assert!(faults[0].starts_with(why), "{script}: {faults:?}");
    }
}

#[test]
fn what_a_call_has_changed_before_it_fails_stays() {
    on_large_stack(|| {
        let mut game = lua("function on_tick(me) vars.n += 1 vars.nothing.x = 1 end").game();
        game.ticks(3);
        assert_eq!(game.faults.len(), 3);
        assert_eq!(game.var("n"), Value::Int(3));
    });
}

#[test]
fn me_shows_what_the_call_has_written() {
    let script = "function on_tick(me)
        local x, y, speed = me.x, me.y, me.external.x
        me:place(x + 5, y + 50)
        assert(me.x == x + 5 and me.y == y + 50, 'placed')
        me.facing = -1
        assert(me.facing == -1, 'faces')
        me.vel.x = 7
        assert(me.vel.x == 7 and me.vel.y == me['v' .. 'el'].y, 'moves')
        me:push(3, 0)
        assert(me.external.x == speed + 3, 'pushed')
        local named = 'gro' .. 'unded'
        assert(me[named] == me.grounded and me['ang' .. 'le'] == 0, 'read by a name')
    end";
    assert_eq!(faults(script), [""; 0]);
}

#[test]
fn a_level_has_no_position_even_if_its_script_is_that_of_an_entity() {
    on_large_stack(|| {
        let folder = lua("function on_tick(me) vars.n = me.x end");
        folder.write("levels/level.toml", &format!("script = \"hero.luau\"\n{LEVEL}"));
        let mut game = folder.game();
        game.ticks(2);
        let said: Vec<String> = game.faults.iter().map(|fault| fault.diagnostic.headline()).collect();
        let expected = "scripts/hero.luau:1:34: error: the level itself has no `x`";
        assert!(said.len() == 2 && said.iter().all(|said| said.starts_with(expected)), "{said:?}");
        assert_eq!(game.var("n"), Value::Int(-200));
    });
}

#[test]
fn a_file_cannot_hide_the_variables_of_the_entity() {
    on_large_stack(|| {
        for script in ["local vars = {}\nfunction on_tick(me) vars.n = 3 end", "vars = {}"] {
            let wrong = lua(script).wrong();
            assert!(wrong.len() == 1 && wrong[0].contains("`vars` has the entity's variables"), "{script}: {wrong:?}");
        }
        let replaced = faults("function on_tick(me)\n  vars = {}\nend");
        assert!(replaced[0].starts_with("scripts/hero.luau:2:3: error: `vars` cannot be replaced"), "{replaced:?}");
    });
}

#[test]
fn variables_hold_plain_data_only() {
    for (script, why) in [
        ("function on_tick(me) vars.f = print end", "`vars.f` cannot hold a function"),
        ("function on_tick(me) vars.me = me end", "`vars.me` cannot hold"),
        ("function on_tick(me) vars.bad = 0/0 end", "`vars.bad` cannot hold NaN"),
        ("function on_tick(me) vars.t = setmetatable({}, {}) end", "`vars.t` cannot hold a table with a metatable"),
        ("function on_tick(me) vars.t = { 1, 2, x = 3 } end", "`vars.t` cannot hold a table with both"),
        (
            "function on_tick(me) vars.t = { [1] = 1, [3] = 3 } end",
            "`vars.t` cannot hold a table with a number that is no",
        ),
        ("function on_tick(me) local t = {} t.t = t vars.t = t end", "nested more than 32 levels deep"),
        ("function on_tick(me) vars.e = world.entity('hero') end", "`vars.e` cannot hold an entity"),
        (
            "function on_tick(me) vars.long = {} for i = 1, 3 do vars.long[i] = string.rep('x', 4000) end end",
            "bytes of text",
        ),
    ] {
        let faults = faults(script);
        assert_eq!(faults.len(), 3, "{script}: {faults:?}");
        assert!(faults[0].contains(why), "{script}: {faults:?}");
    }
}

#[test]
fn a_call_without_an_end_is_stopped_and_its_orders_are_dropped() {
    for script in [
        "function on_tick(me) me.push(500, 0) while true do end end",
        "function on_tick(me) me.push(500, 0) local function f() f() end f() end",
        "function on_tick(me) me.push(500, 0) repeat until false end",
        "function on_tick(me) me.push(500, 0) for i = 1, math.huge do end end",
    ] {
        on_large_stack(|| {
            let mut game = lua(script).game();
            let before = game.live.world().entities()[0].clone();
            game.ticks(2);
            assert_eq!(game.faults.len(), 2, "{script}");
            let x = |world: &hangtime_core::sim::World, entity| world.body(entity).pos.x;
            assert_eq!(
                x(game.live.world(), &game.live.world().entities()[0]),
                x(game.live.world(), &before),
                "{script}"
            );
        });
    }
}

#[test]
fn members_are_read_by_computed_names_and_random_numbers_need_no_world() {
    on_large_stack(|| {
        let script = "function on_tick(me) local key = 'na' .. 'me' vars.own = me[key] vars.luck = math.random() end";
        let folder = lua(script);
        let level = folder.read(folder.path("levels/level.toml"));
        let second = "[[entity]]\nkind = \"hero\"\nname = \"second\"\nat = [-400, 19]\n";
        folder.write("levels/level.toml", &format!("{level}{second}"));
        let mut game = folder.game();
        game.ticks(1);
        assert!(game.faults.is_empty(), "{:?}", game.wrong());
        let vars = |place: usize| game.live.world().entities()[place].vars.0.to_plain();
        assert_eq!(vars(0)["own"], Value::Text("hero".into()));
        assert_eq!(vars(1)["own"], Value::Text("second".into()));
        assert_ne!(vars(0)["luck"], vars(1)["luck"]);
    });
}
