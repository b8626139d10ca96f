//! What lives from one call to the next: variables, and nothing else.

use super::{Folder, folder::LEVEL, lua, on_large_stack};
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
fn a_hook_that_names_nothing_of_me_draws_from_its_own_stream() {
    on_large_stack(|| {
        let drawn = |script: &str| {
            let mut game = lua(script).game();
            game.ticks(3);
            game.var("n")
        };
        let with_me = drawn("function on_tick(me) if me.age >= 0 then vars.n = math.random() end end");
        assert_eq!(drawn("function on_tick(me) vars.n = math.random() end"), with_me);
        assert_eq!(drawn("function on_tick(me) local m = math vars.n = m['ran' .. 'dom']() end"), with_me);
        assert_eq!(drawn("local f = math.random function on_tick(me) vars.n = f() end"), with_me);
    });
}

#[test]
fn each_hook_sees_what_the_hooks_before_it_have_written() {
    let script = "local LIMITS = { low = -1000000 }
    local function is_at(it, x) return it.x == x and it.x > LIMITS.low end
    local function named(it, name) return it[name] end
    function on_ping(me, event)
        assert(event.event == 'ping' and event.nothing == nil, 'fields')
        local x, kind = me.x, me.kind
        me:place(x + 5, me.y)
        vars.n = me.x
        assert(kind == 'hero' and me.kind == kind and vars.n == x + 5, 'placed')
    end
    function on_tick(me)
        assert(vars.n == 0 or is_at(me, vars.n), 'a function reads it')
        assert(named(me, 'x') == me.x and named(me, 'ki' .. 'nd') == me.kind, 'read by a name')
        world.emit('ping')
    end";
    assert_eq!(faults(script), [""; 0]);
}

#[test]
fn a_hook_that_names_nothing_of_me_sees_no_other_call() {
    // What `on_tick` has read is not what `on_ping` sees through a name that it has computed.
    let script = "local function read(it, a, b) return it[a .. b] end
    function on_ping(me, event) vars.n = read(me, '', event.data) event.data = 'facing' end
    function on_tick(me)
        if world.tick() > 0 and vars.n ~= me.x then error(`it is at {me.x}, not {vars.n}`) end
        me:place(me.x + 5, me.y)
        world.emit('ping', '' .. 'x')
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

/// A game with two heroes whose variables have other kinds, and this script.
fn two_heroes(script: &str) -> super::Folder {
    let folder = lua(script);
    let first = "n = 0, f = 0.5, flag = false, text = 'a', list = [1, [2]], at = { x = 1.0 }, other = 7";
    folder.write("config/entities/hero.toml", &format!("script = \"hero.luau\"\nvars = {{ {first} }}\n"));
    let second = "[[entity]]\nkind = \"hero\"\nname = \"second\"\nat = [-400, 19]\n\
        vars = { n = 'none', f = true, flag = 2, text = ['b'], list = 'c', extra = { y = 2 } }\n";
    folder.write("levels/level.toml", &format!("{LEVEL}{second}"));
    folder
}

#[test]
fn variables_that_a_script_names_are_what_they_are_in_a_script_that_takes_all() {
    // As many as are passed one by one, and one more.
    let [many, more] =
        [64, 65].map(|count| (0..count).map(|i| format!("vars.v{i} = (vars.v{i} or {i}) + 1 ")).collect::<String>());
    for body in [
        "vars.n = if type(vars.n) == 'number' then vars.n + 1 else 0",
        "vars.f = if vars.f == true then 0.25 elseif vars.f == 0.25 then nil else vars.f",
        "vars.flag = not vars.flag vars.new = vars.flag",
        "if vars.text == 'a' then vars.text = 'ab' elseif vars.text == 'ab' then vars.text = 'a' end",
        "if type(vars.list) == 'table' then vars.list[#vars.list + 1] = vars.n end",
        "if vars.at then vars.at.x += 1 vars.at.y = vars.at end",
        "vars.v = vec(1, 2) + (vars.v or vec(0, 0)) vars.w = vars.v",
        "vars.huge = 2 ^ 60 vars.tiny = -0 * 1 vars.back = (vars.back or 0) - 0.5",
        "vars.new = world.tick() if world.tick() % 2 == 0 then vars.new = nil end",
        "vars.n = 5 vars.text = 'changed' if world.tick() == 2 then vars.none.x = 1 end",
        "vars.n = 9 vars.flag = world.tick() vars.f = if world.tick() == 3 then 0 / 0 else 1",
        "vars.text = string.rep('x', 1000 * world.tick()) vars.list = { vars.text, vars.text, vars.text, vars.text }",
        "if world.tick() == 3 then vars.f = print end vars.n = world.tick()",
        "vars.list.x.y = 1",
        "local x = me.x me:place(x + 10, me.y) vars.f = me.x - x me.vel.x += 3 vars.v = me.vel vars.n = 'at ' .. me.x",
        "vars.text = `{vars.n} of {vars.other}` vars.n = me.vars",
        many.as_str(),
        more.as_str(),
    ] {
        on_large_stack(|| {
            let named = format!("function on_tick(me) {body} end");
            let all = format!("function on_tick(me) local all = vars {} end", body.replace("vars.", "all."));
            let (mut named, mut all) = (two_heroes(&named).game(), two_heroes(&all).game());
            for tick in 0..8 {
                let both = [&mut named, &mut all].map(|game| {
                    game.ticks(1);
                    let vars = |entity: &hangtime_core::sim::Entity| entity.vars.0.to_plain();
                    let world = game.live.world();
                    let faults: Vec<String> =
                        game.faults.iter().map(|fault| fault.diagnostic.message.clone()).collect();
                    (world.entities().iter().map(vars).collect::<Vec<_>>(), world.hash(), faults)
                });
                let [named, all] = both;
                assert_eq!(format!("{:?}", named.0), format!("{:?}", all.0), "{body}: tick {tick}");
                assert_eq!((named.1, named.2), (all.1, all.2), "{body}: tick {tick}");
                if body.starts_with("vars.n = if") {
                    // The rest stays.
                    assert_eq!(named.0[0]["n"], Value::Int(tick + 1));
                    assert_eq!((&named.0[0]["other"], &named.0[0]["f"]), (&Value::Int(7), &Value::Float(0.5)));
                    assert!(named.0[1].contains_key("extra"));
                }
            }
        });
    }
}

#[test]
fn no_script_sees_what_another_one_has_read() {
    on_large_stack(|| {
        let folder = lua("function on_tick(me) vars.n = me.x me.vel.x = 30 vars.speed = me.vel.x end");
        let reads = "local x, vel = 'x', 'vel' vars.n = me[x] vars.speed = me[vel].x vars.facing = me.facing";
        folder.write("scripts/other.luau", &format!("function on_tick(me) {reads} me.facing = -1 end"));
        folder.write(
            "config/entities/other.toml",
            "script = \"other.luau\"\nvars = { n = 0, speed = 0.5, facing = 0 }\n",
        );
        let others: String = [-600, -400, 0]
            .iter()
            .map(|x| format!("[[entity]]\nkind = \"other\"\nname = \"at{x}\"\nat = [{x}, 19]\n"))
            .collect();
        folder.write("levels/level.toml", &format!("{LEVEL}{others}"));
        let mut game = folder.game();
        game.ticks(1);
        assert!(game.faults.is_empty(), "{:?}", game.wrong());
        let vars = |place: usize| game.live.world().entities()[place].vars.0.to_plain();
        assert_eq!((&vars(0)["n"], &vars(0)["speed"]), (&Value::Int(-200), &Value::Float(30.0)));
        for (place, x) in (1..).zip([-600, -400, 0]) {
            assert_eq!(vars(place)["n"], Value::Int(x));
            assert_eq!(vars(place)["speed"], Value::Float(0.0));
            assert_eq!(vars(place)["facing"], Value::Int(1));
        }
    });
}

#[test]
fn a_hook_and_a_sequence_share_the_variables_that_they_name() {
    for (first, second) in (1..4).zip(2..5) {
        for more in ["", "local all = vars"] {
            on_large_stack(|| {
                let birth = format!(
                    "vars.a = vars.n wait_ticks({first}) vars.b = vars.n vars.n += 100 wait_ticks({second}) vars.c = vars.n"
                );
                let script = format!(
                    "function on_tick(me) vars.n += 1 {more} end\nfunction on_birth(me) {birth} vars.speed = me.x end"
                );
                let mut game = lua(&script).game();
                game.ticks(first + second + 2);
                assert!(game.faults.is_empty(), "{script}: {:?}", game.wrong());
                let vars = game.vars();
                let number = |name: &str| match vars[name] {
                    Value::Int(n) => n as usize,
                    ref other => panic!("{script}: `{name}` is {other:?}"),
                };
                assert_eq!(number("b"), number("a") + first, "{script}");
                assert_eq!(number("c"), number("b") + 100 + second, "{script}");
                assert_eq!(number("n"), first + second + 2 + 100, "{script}");
            });
        }
    }
}

#[test]
fn an_event_has_every_field_that_a_hook_may_read() {
    on_large_stack(|| {
        let of_rhai = Folder::with_script("fn on_birth(me, event) { this.n = event.keys().len(); }");
        let all = of_rhai.game().ticks(1).var("n");
        assert!(matches!(all, Value::Int(count) if count >= 3), "{all:?}");
        for script in [
            "function on_birth(me, event) for _ in pairs(event) do vars.n += 1 end end",
            "function on_birth(me, it) local copy = it for _ in copy do vars.n += 1 end end",
            "local function count(of) for _ in of do vars.n += 1 end end function on_birth(me, event) count(event) end",
        ] {
            assert_eq!(lua(script).game().ticks(1).var("n"), all, "{script}");
        }
        // What is named is there, whatever other functions of the file name.
        let script = "function on_birth(me, event) vars.n = if event.event == 'birth' and event['tick'] then 2 else 1 me:jump() end
            function on_land(me, it) vars.n = if it.speed > 0 and it.data == nil and it.tick > 0 then 3 else 4 end";
        let mut game = lua(script).game();
        assert_eq!(game.ticks(1).var("n"), Value::Int(2));
        assert_eq!(game.ticks(120).var("n"), Value::Int(3));
    });
}
