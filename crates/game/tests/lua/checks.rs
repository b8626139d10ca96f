//! What `check` says of scripts without running them.

use super::{lua, on_large_stack};
use hangtime_game::check;
use hangtime_script::calls::ForeignCalls;

/// The headlines about the hero's script.
fn findings(script: &str) -> Vec<String> {
    let mut found = Vec::new();
    on_large_stack(|| {
        let folder = lua(script);
        let report = check(folder.root(), &[], &ForeignCalls::none()).expect("a game");
        found = report.diagnostics.iter().map(hangtime_script::Diagnostic::headline).collect();
    });
    found.retain(|line| line.starts_with("scripts/hero.luau"));
    found
}

#[test]
fn mistakes_are_found_in_lines_that_never_run() {
    for (line, expected) in [
        ("me.jmup()", "3:6: error: `me` has no `jmup`; did you mean `jump`?"),
        ("me:hold('rihgt')", "3:11: error: there is no action `rihgt`; did you mean `right`?"),
        ("me.x = 3", "3:6: error: `me.x` is read-only"),
        ("me.color = 'redd'", "3:14: error: "),
        ("me.push(1)", "3:6: error: `push` takes 2 arguments, not 1"),
        ("world.emitt('x')", "3:9: error: `world` has no `emitt`; did you mean `emit`?"),
        ("world.create('heroo', 1, 2)", "3:16: error: there is no kind `heroo`; did you mean `hero`?"),
        ("world.create('hero', 1, 2, { velosity = 3 })", "3:32: error: `create` has no setting `velosity`"),
        ("me.tune('platformer.jump_sped', 3)", "3:11: error: "),
        ("me.tune('platformer.jump_speed', true)", "3:36: error: "),
        ("me.after(500, 'later')", "3:12: warning: `after` takes seconds; for 500 ms, write `0.5`"),
        ("local x = math.sin(90)", "3:22: warning: `sin` takes radians"),
        ("world.emit('on_fire')", "3:14: error: "),
        ("vars.n = event.speed", "3:12: error: there is no `event`; it is the second parameter of a hook"),
        ("world.emit('alarm')", "3:14: warning: no script handles `alarm`, as there is no function `on_alarm`"),
        ("me:after(1, 'tock')", "3:15: warning: no script handles `tock`, as there is no function `on_tock`"),
        ("prinnt(1)", "3:3: error: there is no `prinnt`; did you mean `print`?"),
        ("wait()", "3:3: error: write `wait(seconds)`"),
        ("task.wait(1)", "3:3: error: write `wait(seconds)` in a hook"),
        ("score = 3", "3:3: error: `score` would be forgotten after this call; write `local score`"),
        ("local t = { n = nn }", "3:19: error: there is no `nn`"),
    ] {
        let found = findings(&format!("function on_land(me)\n  if false then\n  {line}\n  end\nend"));
        let expected = format!("scripts/hero.luau:{expected}");
        assert!(found.iter().any(|line| line.starts_with(&expected)), "{line}: {found:#?}\nand not {expected}");
    }
}

#[test]
fn words_of_other_languages_in_texts_and_comments_and_names_get_no_answer_where_a_file_does_not_end() {
    let ends = "function on_tick(me)\n  vars.n += 1\n";
    for (line, answer) in [
        ("  print('switch (x) => func a ? b')", None),
        ("  -- elif fn a() else if x == = 1 ? 2", None),
        ("  local undef = { prefunc = 1, elifs = 2 }", None),
        ("  if vars.n == 1 then vars.n = 2 else if vars.n == 2 then vars.n = 3 end", Some("write `elseif`")),
        ("  func helper(a) end", Some("write `function`")),
    ] {
        let found = findings(&format!("{ends}{line}\n"));
        assert!(found.len() == 1 && found[0].contains("error: "), "{line}: {found:#?}");
        assert_eq!(found[0].contains("; write "), answer.is_some(), "{line}: {found:#?}");
        assert!(found[0].contains(answer.unwrap_or_default()), "{line}: {found:#?}");
    }
}

#[test]
fn misspelled_hooks_are_found() {
    for (script, expected) in [
        (
            "function on_tik(me) end",
            "1:10: error: nothing calls `on_tik`; did you mean `on_tick(me)` or `on_tick(me, event)`?",
        ),
        (
            "function on_tick() end",
            "1:10: error: `on_tick` has no parameters; write `on_tick(me)` or `on_tick(me, event)`",
        ),
        ("function update(me) end", "1:10: warning: nothing calls `update`; did you mean the hook `on_tick`?"),
    ] {
        let found = findings(script);
        let expected = format!("scripts/hero.luau:{expected}");
        assert!(found.iter().any(|line| line.starts_with(&expected)), "{script}: {found:#?}\nand not {expected}");
    }
}

#[test]
fn nothing_is_said_of_scripts_that_work() {
    for script in [
        "local SPEED, half = 300, 0.5\nlocal function far(a: number, b: number): number return a - b end\n\
         function on_tick(me)\n  for i, v in ipairs({ 1, 2 }) do vars.n += far(i, v) end\n\
         \x20 local t = { x = 1, ['y'] = 2, f = function(q) return q end }\n  t.x, t.y = t.y, t.f(t.x)\n\
         \x20 me:push(SPEED * half, if t.x > 1 then 2 else 3)\n  me.vel.x = math.max(1, unpack({ 2, 3 }))\nend",
        "function on_birth(me) me.after(0.5, 'later') me:after(100.0, 'later') end\n\
         function on_later(me, event) print(event.event, `{me.x} px`) end",
        "helper = { n = 1 }\nfunction add(a) return a + helper.n end\nfunction on_tick(me) vars.n = add(vars.n or 0) end",
        "function on_birth(me) me:start('call') local e = wait_for('answer', 2) vars.n = e and e.tick end\n\
         function call(me) wait(0.5) world.emit('answer') world.emit('end') wait_for \"end\" end",
        "function on_tick(me) vars.n = HALF * twice(me.x) end\nlocal HALF = 0.5\nlocal function twice(x) return 2 * x end",
        "function on_land(me) if me.x > 900 then me:remove() end wait(1) me:jump() end",
        "function on_touch(me) me:remove() end\nfunction on_land(me) wait(1) me:jump() end",
        "local SPEED = { run = 300 }\nfunction on_tick(me) vars.state = 'idle' me:push(SPEED[vars.state] or 0, 0) end",
        "local states = { run = {} }\nstates['fly'] = {}\nfunction states.run.tick(me) vars.state = 'fly' end\n\
         function on_tick(me) states[vars.state].tick(me) end",
        "local states = { run_left = {} }\nfunction states.run_left.tick(me) vars.state = 'run_' .. 'left' end\n\
         function on_tick(me) states[vars.state].tick(me) end",
        "local states = { run = {}, }\nfunction states.run(me) vars.state = 'run' end\n\
         function on_tick(me) states[vars.state].tick(me) end",
        "local function sum(table) return table.size end\nfunction on_tick(me) vars.n = sum({ size = 1 }) end",
        "function on_tick(me) local a, math = 1, { turn = 2 } vars.n = a + math.turn end",
        "local ai = { fly = { speed = 3 } }\nfunction ai.fly:pace() return self.speed end\n\
         function on_tick(me) vars.n = ai.fly:pace() end",
        "local handlers = {}\nhandlers.on_hit = function(n) return n end\n\
         function on_tick(me) vars.n = handlers['on_' .. 'hit'](1) end",
        "function on_tick(me) me.hold(me, 'right') me.jump(me) me:jump() end",
        "function on_tick(me) repeat local done = me.x > 1 until done or me.y < 3 while me.x > 9 do break end end",
    ] {
        assert_eq!(findings(script), Vec::<String>::new(), "{script}");
    }
}

#[test]
fn base_is_known_in_mods_only() {
    on_large_stack(|| {
        let own = "local function speed(me) return 3 end\nfunction help(me) return speed(me) end\nfunction on_land(me) vars.n = help(me) end";
        let folder = lua(own);
        folder.write("mods/fast/mod.toml", "name = \"fast\"\nversion = \"1.0.0\"\n");
        folder.write("mods/fast/config/entities/hero.toml", "scripts = [\"hero.luau\"]\n");
        let of_mod = "function on_jump(me) vars.n = base.help(me) end\nfunction jump_windows(me) vars.n = base.help(me) return nil end";
        folder.write("mods/fast/scripts/hero.luau", of_mod);
        let headlines = || {
            let report = check(folder.root(), &[], &ForeignCalls::none()).expect("a game");
            report.diagnostics.iter().map(hangtime_script::Diagnostic::headline).collect::<Vec<_>>()
        };
        let about = |file: &str| headlines().into_iter().filter(|line| line.starts_with(file)).collect::<Vec<_>>();
        assert_eq!(about("mods/"), Vec::<String>::new());
        folder.write("mods/fast/scripts/hero.luau", "function on_jump(me) vars.n = base.hlep(me) end");
        assert!(about("mods/")[0].contains("hlep"), "{:?}", about("mods/"));
        folder.write("mods/fast/scripts/hero.luau", "function on_jump(me) vars.n = base:help(me) end");
        assert!(about("mods/")[0].contains("1:35: warning: write a dot"), "{:?}", about("mods/"));
        folder.write("scripts/hero.luau", "function on_jump(me) vars.n = base.help(me) end");
        assert!(about("scripts/hero.luau")[0].contains("there is no `base`"), "{:?}", about("scripts/"));
    });
}

#[test]
fn a_local_function_never_runs_as_a_test() {
    on_large_stack(|| {
        let folder = lua("function on_land(me) vars.n = 1 end");
        let tests = "local function test_a() expect(1):equals(2) end\nlocal function help() return 1 end\nfunction test_b() expect(help()):equals(1) end";
        folder.write("levels/tests/all.luau", tests);
        let report = check(folder.root(), &[], &ForeignCalls::none()).expect("a game");
        let found = report.diagnostics.iter().map(hangtime_script::Diagnostic::headline);
        let found: Vec<String> = found.filter(|line| line.starts_with("levels/tests/all.luau")).collect();
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("1:16: warning: `test_a` never runs"), "{found:?}");
    });
}

#[test]
fn mistakes_in_tests_were_not_found() {
    on_large_stack(|| {
        let folder = lua("function on_land(me) vars.n = 1 end");
        for (tests, expected) in [
            (
                "function test_a() end\nfunction test_a() expect(1):equals(1) end",
                "2:10: error: there is a test `test_a` already",
            ),
            ("local m = {}\nfunction m.test_a() expect(1):equals(2) end", "2:12: warning: `test_a` never runs"),
        ] {
            folder.write("levels/tests/all.luau", tests);
            let report = check(folder.root(), &[], &ForeignCalls::none()).expect("a game");
            let found: Vec<String> = report.diagnostics.iter().map(hangtime_script::Diagnostic::headline).collect();
            assert!(found.iter().any(|line| line.contains(expected)), "{tests}: {found:?}");
        }
        let tests = "function test_a() expect(1 == 1) end\nfunction test_b() local one = expect(1) one:equals(1) end\n\
                     function test_c() expect(1).equals(1) expect(2):above(1) end";
        folder.write("levels/tests/all.luau", tests);
        let report = check(folder.root(), &[], &ForeignCalls::none()).expect("a game");
        let found: Vec<String> = report.diagnostics.iter().map(hangtime_script::Diagnostic::headline).collect();
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("all.luau:1:19: error: this checks nothing"), "{found:?}");
    });
}

#[test]
fn a_script_that_ends_after_any_word_is_read_to_its_end() {
    let whole = "local LIMIT = 3\nfunction on_hit(me, event) local at, by = me.vel, event.speed for i, each in ipairs(world.near(me.x, 1, 5)) do \
        vars.n += each.x end repeat local held = `at {at.x} and {by}` until if held then true else me.grounded wait_for(\"land\", 2.0) \
        local seen = world.entity(\"hero\") if seen and seen.vel.x < -LIMIT then me:jump() elseif not (by ^ 2 == 4) then \
        vars.list[1] = { a = 1, [\"b\"] = event.speed } end while true do vars.text ..= \"a\" wait_ticks(1) end end";
    on_large_stack(|| {
        let folder = lua(whole);
        let ends = whole.char_indices().filter(|(_, letter)| !letter.is_alphanumeric());
        for end in ends.flat_map(|(at, letter)| [at, at + letter.len_utf8()]) {
            folder.write("scripts/hero.luau", &whole[..end]);
            let report = check(folder.root(), &[], &ForeignCalls::none()).expect("a game");
            let failed = report
                .diagnostics
                .iter()
                .find(|found| found.headline().contains("hangtime itself failed"));
            assert!(failed.is_none(), "{:?}: {failed:?}", &whole[..end]);
        }
    });
}

#[test]
fn the_first_parameter_of_a_hook_is_me() {
    let found = |script: &str| findings(script).iter().filter(|line| line.contains("first parameter")).count();
    assert_eq!(found("function on_tick(body) body:jump() end"), 1);
    assert_eq!(found("function jump_windows(self) return nil end"), 1);
    for right in [
        "function on_tick(me) me:jump() end",
        "function on_tick(_) end",
        "function on_tick() end",
        "function help(body) end",
    ] {
        assert_eq!(found(right), 0, "{right}");
    }
}
