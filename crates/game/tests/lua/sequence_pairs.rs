//! Functions that wait, each written in Rhai and in Lua: the same frames and hashes in each tick, whatever happens to the
//! world in between.

use crate::{
    folder::{Folder, Game, LEVEL, on_large_stack},
    program::{Dice, Flow, Maker, Oracle, Part, write},
};
use hangtime_core::sim::{EntityId, SavedWorld, SequenceFrame, Value};
use hangtime_game::{OtherLevels, Project};
use hangtime_script::Diagnostic;
use std::{collections::BTreeMap, fmt::Write as _, sync::Arc};

const KIND: &str = "vars = { n = 0, h = 0, k = 0, x = 0.0, log = [] }\n";

/// A game whose hero has this script.
pub fn game(ending: &str, script: &str) -> Folder {
    let folder = Folder::with_script("");
    folder.write("config/entities/hero.toml", &format!("script = \"hero.{ending}\"\n{KIND}"));
    folder.write(&format!("scripts/hero.{ending}"), script);
    folder
}

/// Saves the world as JSON and loads it again.
pub fn restore(game: &mut Game) {
    let saved = serde_json::to_string(game.live.world()).expect("a world is data");
    let loaded: SavedWorld = serde_json::from_str(&saved).expect("a saved world");
    let loaded = loaded
        .check(&game.live.revision().stage)
        .unwrap_or_else(|error| panic!("{error:?}\n{saved}"));
    assert_eq!(loaded.hash(), game.live.world().hash());
    game.live.restore(loaded);
}

pub fn frames(game: &Game) -> Vec<SequenceFrame> {
    game.live.world().frames().of(game.hero().id).to_vec()
}

/// The frames without what is written in the language: where they wait, for what, and what they remember.
fn plain_frames(game: &Game) -> String {
    let each = frames(game).into_iter();
    let each =
        each.map(|it| format!("{} {} {:?} {:?} {:?}", it.at.sequence, it.at.step, it.at.names, it.until, it.locals));
    each.collect::<Vec<_>>().join("\n")
}

/// Compares what both have done in a tick.
fn assert_same(games: &[Game; 2], tick: u64, texts: &[String; 2]) {
    let wrong = games
        .each_ref()
        .map(|game| game.faults.iter().map(|it| it.diagnostic.message.as_str()).collect());
    let [rhai_wrong, lua_wrong]: [Vec<&str>; 2] = wrong;
    assert_eq!(rhai_wrong, lua_wrong, "tick {tick}\n{texts:#?}");
    let [rhai, lua] = games;
    let same = rhai.live.world().hash() == lua.live.world().hash();
    // Waits that are written in the same way have the same hash; comparing all of it takes longer.
    if !same || tick.is_multiple_of(16) {
        assert_eq!(plain_frames(rhai), plain_frames(lua), "tick {tick}\n{texts:#?}");
        assert_eq!(rhai.vars(), lua.vars(), "tick {tick}\n{texts:#?}");
        assert!(same, "tick {tick}\n{texts:#?}");
    }
}

/// Plays both and compares them after each tick; each is saved and loaded at random ticks.
fn assert_alike(of_rhai: &str, of_lua: &str, ticks: u64, dice: &mut Dice) -> [Game; 2] {
    let mut games = [game("rhai", of_rhai).game(), game("luau", of_lua).game()];
    let texts = [of_rhai, of_lua].map(str::to_string);
    for tick in 0..ticks {
        for game in &mut games {
            if dice.roll(5) == 0 {
                restore(game);
            }
            game.ticks(1);
        }
        assert_same(&games, tick, &texts);
    }
    games
}

/// Scripts whose `log` keeps `tick * 100 + x`, and which begin with `born`.
fn logging(of_rhai: &str, of_lua: &str) -> [String; 2] {
    let rhai = format!(
        "fn on_birth(me) {{ this.log = []; this.born(me); }}\nfn log(x) {{ this.log.push(world::tick() * 100 + x); }}\n{of_rhai}"
    );
    let lua = format!(
        "local function log(x) table.insert(vars.log, world.tick() * 100 + x) end\n{of_lua}\n\
         function on_birth(me) vars.log = {{}} born(me) end"
    );
    [rhai, lua]
}

/// Plays both, of which each logs `tick * 100 + x`.
fn assert_logs(of_rhai: &str, of_lua: &str, right: &[i64]) {
    on_large_stack(|| {
        let [rhai, lua] = logging(of_rhai, of_lua);
        for seed in 0..3 {
            let games = assert_alike(&rhai, &lua, 30, &mut Dice(seed));
            for game in &games {
                assert_eq!(game.faults.len(), 0, "{}", game.faults[0].render(false));
                let log: Vec<Value> = right.iter().map(|x| Value::Int(*x)).collect();
                assert_eq!(game.var("log"), Value::List(log), "{of_lua}");
            }
        }
    });
}

#[test]
fn waits_take_as_long() {
    for n in [0_i64, 1, 2, 7] {
        let rhai =
            format!("fn born(me) {{ me.start(\"a\"); }} fn a(me) {{ this.log(1); wait_ticks({n}); this.log(2); }}");
        let lua = format!("function born(me) me:start('a') end function a(me) log(1) wait_ticks({n}) log(2) end");
        assert_logs(&rhai, &lua, &[1, 100 * n.max(1) + 2]);
        let rhai = rhai.replace("wait_ticks(", "wait(world::dt() * ");
        let lua = lua.replace("wait_ticks(", "wait(world.dt() * ");
        assert_logs(&rhai, &lua, &[1, 100 * n.max(1) + 2]);
    }
}

#[test]
fn hooks_wait_and_start_again_with_their_event() {
    for (every, wait) in [(2_i64, 1_i64), (2, 5), (3, 2), (4, 9)] {
        let rhai = format!(
            "fn born(me) {{}} fn on_tick(me) {{ if world::tick() % {every} == 0 && world::tick() < 12 {{ world::emit(\"bell\"); }} }}\n\
             fn on_bell(me, event) {{ let rung = event.tick; wait_ticks({wait}); this.log(rung); }}"
        );
        let lua = format!(
            "function born(me) end function on_tick(me) if world.tick() % {every} == 0 and world.tick() < 12 then world.emit('bell') end end\n\
             function on_bell(me, event) local rung = event.tick wait_ticks({wait}) log(rung) end"
        );
        let bells: Vec<i64> = (0..12).filter(|tick| tick % every == 0).map(|tick| tick + 1).collect();
        let heard = |at: &i64| bells.iter().find(|next| **next > *at).is_none_or(|next| at + wait < *next);
        let right: Vec<i64> = bells.iter().filter(|at| heard(at)).map(|at| (at + wait) * 100 + at).collect();
        assert_logs(&rhai, &lua, &right);
    }
    // The event itself is remembered, if it is read later.
    assert_logs(
        "fn born(me) { me.after(0.05, \"bell\", #{ x: 3 }); } fn on_bell(me, event) { wait_ticks(2); this.log(event.data.x); }",
        "function born(me) me:after(0.05, 'bell', { x = 3 }) end function on_bell(me, event) wait_ticks(2) log(event.data.x) end",
        &[503],
    );
}

#[test]
fn events_end_waits_or_their_time_does() {
    for after in [1_i64, 2, 5, 9] {
        for most in [1_i64, 3, 8] {
            let rhai = format!(
                "fn born(me) {{ me.start(\"a\"); me.after({after} * world::dt(), \"bell\", #{{ x: 7 }}); }}\n\
                 fn a(me) {{ let keep = 3; let e = wait_for(\"bell\", {most} * world::dt());\n\
                 if e == () {{ this.log(keep); }} else {{ this.log(10 * e.data.x + keep); }} }}"
            );
            let lua = format!(
                "function born(me) me:start('a') me:after({after} * world.dt(), 'bell', {{ x = 7 }}) end\n\
                 function a(me) local keep = 3 local e = wait_for('bell', {most} * world.dt())\n\
                 if e == nil then log(keep) else log(10 * e.data.x + keep) end end"
            );
            assert_logs(&rhai, &lua, &[if after <= most { after * 100 + 73 } else { most * 100 + 3 }]);
        }
    }
    let rhai = "fn born(me) { me.start(\"a\"); me.after(0.1, \"bell\", 4); }\n\
                fn a(me) { if wait_for(\"bell\").data == 4 { this.log(1); } else { this.log(2); } wait_for(\"bell\"); this.log(3); }";
    let start = "function born(me) me:start('a') me:after(0.1, 'bell', 4) end\n";
    for body in [
        "if wait_for('bell').data == 4 then log(1) else log(2) end wait_for('bell') log(3)",
        "if wait_for 'bell'.data == 4 then log(1) else log(2) end wait_for \"bell\" log(3)",
        "local x = 1 if not (wait_for('bell').data ~= 4) then log(x) end local y: number, z = wait_for('bell') log(3)",
        "local x x = wait_for('bell').data == 4 if x then log(1) end; return wait_for('bell');",
        "vars.k = wait_for(\n'bell'\n).data - 3 log(vars.k) vars.k = 0 wait_for('bell')",
    ] {
        let lua = format!("{start}function a(me) {body} end");
        let mut games = [Vec::new(), Vec::new()];
        on_large_stack(|| {
            let [rhai, lua] = logging(rhai, &lua);
            for (game, log) in [game("rhai", &rhai).game(), game("luau", &lua).game()].iter_mut().zip(&mut games) {
                game.ticks(40);
                assert_eq!(game.faults.len(), 0, "{}", game.faults[0].render(false));
                log.push(game.var("log"));
            }
        });
        assert_eq!(games[0], [Value::List(vec![Value::Int(601)])]);
        assert_eq!(games[0], games[1], "{body}");
    }
}

#[test]
fn conditions_starts_and_stops_are_the_same() {
    for at in [0_i64, 1, 5] {
        assert_logs(
            &format!(
                "fn born(me) {{ this.k = {at}; me.start(\"a\"); }}\n\
                 fn a(me) {{ let x = 5; wait_until(|| world::tick() >= this.k && x > 2); this.log(x); }}"
            ),
            &format!(
                "function born(me) vars.k = {at} me:start('a') end\n\
                 function a(me) local x = 5 wait_until(function() return world.tick() >= vars.k and x > 2 end) log(x) end"
            ),
            &[at * 100 + 5],
        );
    }
    assert_logs(
        "fn born(me) { me.start(\"a\"); if me.running(\"a\") { this.log(1); } me.stop(\"a\"); if !me.running(\"a\") { this.log(2); } }\n\
         fn a(me) { this.log(9); wait(1.0); }\n\
         fn on_tick(me) { if world::tick() == 2 { me.start(\"b\"); me.start(\"b\"); } if world::tick() == 5 { me.stop(\"b\"); } }\n\
         fn b(me) { while true { this.log(3); wait_ticks(1); } }",
        "function born(me) me:start('a') if me:running('a') then log(1) end me:stop('a') if not me:running('a') then log(2) end end\n\
         function a(me) log(9) wait(1) end\n\
         function on_tick(me) if world.tick() == 2 then me:start('b') me.start('b') end if world.tick() == 5 then me:stop('b') end end\n\
         function b(me) while true do log(3) wait_ticks(1) end end",
        &[1, 2, 203, 303, 403, 503],
    );
    assert_logs(
        "fn born(me) { this.k = 0; me.start(\"a\"); } fn a(me) { this.k += 1; this.log(this.k); if this.k < 4 { me.start(\"a\"); } wait_ticks(5); this.log(9); }",
        "function born(me) vars.k = 0 me:start('a') end function a(me) vars.k += 1 log(vars.k) if vars.k < 4 then me:start('a') end wait_ticks(5) log(9) end",
        &[1, 102, 203, 304, 809],
    );
    assert_logs(
        "fn born(me) { me.start(\"a\"); } fn a(me) { me.stop(\"a\"); this.log(1); wait_ticks(1); this.log(2); }",
        "function born(me) me:start('a') end function a(me) me:stop('a') log(1) wait_ticks(1) log(2) end",
        &[1],
    );
}

#[test]
fn conditions_of_several_choices_wait_one_after_the_other() {
    // The bell rings in the third tick.
    for most in [1_i64, 2, 4, 9] {
        let right = if most < 3 {
            vec![most * 100 + 2, most * 100 + 104]
        } else {
            // Three ticks after the bell there was no second one.
            vec![703, 704]
        };
        assert_logs(
            &format!(
                "fn born(me) {{ me.start(\"a\"); me.after(0.05, \"bell\"); }}\n\
                 fn a(me) {{ if this.k == 1 {{ wait(1); }} else if wait_for(\"bell\", {most} * world::dt()) == () \
                 {{ this.log(2); wait_ticks(1); }} else if this.k == 2 {{ this.log(9); }} \
                 else if wait_for(\"bell\", 3 * world::dt()) == () {{ wait_ticks(1); this.log(3); }} else {{ this.log(9); }} \
                 this.log(4); }}"
            ),
            &format!(
                "function born(me) me:start('a') me:after(0.05, 'bell') end\n\
                 function a(me) if vars.k == 1 then wait(1) elseif wait_for(\"bell\", {most} * world.dt()) == nil \
                 then log(2) wait_ticks(1) elseif vars.k == 2 then log(9) \
                 elseif wait_for(\"bell\", 3 * world.dt()) == nil then wait_ticks(1) log(3) else log(9) end \
                 log(4) end"
            ),
            &right,
        );
    }
}

#[test]
fn locals_live_over_a_wait() {
    assert_logs(
        "fn born(me) { me.start(\"a\"); }\n\
         fn a(me) { let x = 1.5; let unused = 3; const K = 2; let v = vec(1, 2); let list = [1, \"two\"]; x += 1; unused += 1;\n\
         wait_ticks(2); x += K; if list[1] == \"two\" { x += v.y; } wait_ticks(1); this.log(to_int(x * 2)); }",
        "function born(me) me:start('a') end\n\
         function a(me) local x: number = 1.5 local unused = 3 local K = 2 local v = vec(1, 2) local list = { 1, 'two' } x += 1 unused += 1\n\
         wait_ticks(2) x += K if list[2] == 'two' then x += v.y end wait_ticks(1) log(x * 2) end",
        &[313],
    );
    // Nothing is remembered as nothing.
    assert_logs(
        "fn born(me) { me.start(\"a\"); } fn a(me) { let a = (); let b = 2; let c = (); wait_ticks(1); if a == () && c == () { this.log(b); } }",
        "function born(me) me:start('a') end function a(me) local a, b, c = nil, 2 wait_ticks(1) if a == nil and c == nil then log(b) end end",
        &[102],
    );
}

/// The number of a wait, and the local variables that it remembers.
type Remembered = (u32, &'static [&'static str]);

/// Bodies of a function in both languages, and the local variables that each of its waits remembers.
#[rustfmt::skip]
const REMEMBERED: [(&str, &str, &[Remembered]); 14] = [
    // What is looked up in each round is not needed in the next one, even if it cannot be remembered.
    ("loop { wait_until(|| this.n >= 0); let seen = world::entity(me.name); this.x = seen.x; wait_ticks(1); }",
     "while true do wait_until(function() return vars.n >= 0 end) local seen = world.entity(me.name) vars.x = seen.x wait_ticks(1) end",
     &[(2, &[])]),
    ("let n = 0; loop { n += 1; let twice = n * 2; this.k = twice; wait_ticks(1); }",
     "local n = 0 while true do n += 1 local twice = n * 2 vars.k = twice wait_ticks(1) end",
     &[(1, &["n"])]),
    ("loop { let a = world::tick(); wait_ticks(1); this.k = a; }",
     "while true do local a = world.tick() wait_ticks(1) vars.k = a end",
     &[(1, &["a"])]),
    ("let a = 1; wait_ticks(1); let b = a; let a = 7; wait_ticks(1); this.k = b; wait_ticks(1);",
     "local a = 1 wait_ticks(1) local b = a local a = 7 wait_ticks(1) vars.k = b wait_ticks(1)",
     &[(1, &["a"]), (2, &["b"]), (3, &[])]),
    // A variable of an inner block only hides the other one.
    ("let n = 1; wait_ticks(1); { wait_ticks(1); let n = 2; this.k = n; } wait_ticks(1);",
     "local n = 1 wait_ticks(1) do wait_ticks(1) local n = 2 vars.k = n end wait_ticks(1)",
     &[(1, &[]), (2, &[]), (3, &[])]),
    ("let n = 1; { wait_ticks(1); let n = 2; this.k = n; } wait_ticks(1); this.k += n;",
     "local n = 1 do wait_ticks(1) local n = 2 vars.k = n end wait_ticks(1) vars.k += n",
     &[(1, &["n"]), (2, &["n"])]),
    ("{ let n = 1; this.k = n; wait_ticks(1); } { let n = 5; wait_ticks(1); this.k = n; }",
     "do local n = 1 vars.k = n wait_ticks(1) end do local n = 5 wait_ticks(1) vars.k = n end",
     &[(1, &[]), (2, &["n"])]),
    ("while true { if this.n == 0 { wait_ticks(1); } let a = world::tick(); wait_ticks(1); this.k = a; wait_ticks(1); }",
     "while true do if vars.n == 0 then wait_ticks(1) end local a = world.tick() wait_ticks(1) vars.k = a wait_ticks(1) end",
     &[(1, &[]), (2, &["a"]), (3, &[])]),
    // What a declaration reads is the variable before it.
    ("let x = 1; wait_ticks(1); let x = x + 5; this.k = x; wait_ticks(1);",
     "local x = 1 wait_ticks(1) local x = x + 5 vars.k = x wait_ticks(1)",
     &[(1, &["x"]), (2, &[])]),
    ("let x = 5; wait_ticks(1); if this.n == 99 { let x = 1; this.k = x; } else { this.k = x; } wait_ticks(1);",
     "local x = 5 wait_ticks(1) if vars.n == 99 then local x = 1 vars.k = x else vars.k = x end wait_ticks(1)",
     &[(1, &["x"]), (2, &[])]),
    ("let s = \"a\"; wait_ticks(1); this.log = [s.len()]; wait_ticks(1);",
     "local s = 'a' wait_ticks(1) vars.log = { s:len() } wait_ticks(1)",
     &[(1, &["s"]), (2, &[])]),
    ("for i in 0..=1 { wait_ticks(1); } for i in 0..=2 { this.k += i; } wait_ticks(1);",
     "for i = 0, 1 do wait_ticks(1) end for i = 0, 2 do vars.k += i end wait_ticks(1)",
     &[(1, &["at__1", "end__1"]), (2, &[])]),
    ("loop { let coin = world::entity(me.name); this.x = coin.x; wait_ticks(1); for coin in this.log { this.k = coin; } }",
     "while true do local coin = world.entity(me.name) vars.x = coin.x wait_ticks(1) for _, coin in vars.log do vars.k = coin end end",
     &[(1, &[])]),
    ("let a = 1; wait_ticks(1); let d = if this.n == 0 { let a = 2; a } else { 0 }; this.k = d; wait_ticks(1);",
     "local a = 1 wait_ticks(1) local d = if vars.n == 0 then 2 else 0 vars.k = d wait_ticks(1)",
     &[(1, &[]), (2, &[])]),
];

#[test]
fn a_variable_that_is_declared_again_is_not_remembered_until_then() {
    on_large_stack(|| {
        for (of_rhai, of_lua, right) in REMEMBERED {
            let rhai = format!("fn on_birth(me) {{ me.start(\"a\"); }} fn a(me) {{ {of_rhai} }}");
            let lua = format!("function on_birth(me) me:start('a') end function a(me) {of_lua} end");
            assert_alike(&rhai, &lua, 12, &mut Dice(1));
            for (ending, script) in [("rhai", &rhai), ("luau", &lua)] {
                let (mut game, mut seen) = (game(ending, script).game(), BTreeMap::new());
                for _ in 0..12 {
                    game.ticks(1);
                    seen.extend(frames(&game).into_iter().map(|it| (it.at.step, it.at.names.clone())));
                }
                assert!(game.faults.is_empty(), "{script}: {:?}", game.wrong());
                let seen: Vec<(u32, Vec<&str>)> = seen
                    .iter()
                    .map(|(step, names)| (*step, names.iter().map(|name| &**name).collect()))
                    .collect();
                let right: Vec<_> = right.iter().map(|(step, names)| (*step, names.to_vec())).collect();
                assert_eq!(seen, right, "{script}");
            }
        }
    });
}

/// What is remembered depends on what can run before the next waits: nothing after a block that ends in one, and nothing of a
/// loop that only the loops in it leave.
#[test]
fn blocks_that_end_in_waits_and_loops_that_are_left_remember_the_same() {
    assert_logs(
        "fn born(me) { me.start(\"a\"); }\n\
         fn a(me) { for i in 1..=2 { { let x = 1; this.log(x); wait_ticks(1); } let y = 0; \
         while y < 1 { y += 1; if this.k > 0 { break; } wait_ticks(1); } wait_ticks(1); this.log(i); } }",
        "function born(me) me:start('a') end\n\
         function a(me) for i = 1, 2 do do local x = 1 log(x) wait_ticks(1) end local y = 0 \
         while y < 1 do y += 1 if vars.k > 0 then break end wait_ticks(1) end wait_ticks(1) log(i) end end",
        &[1, 301, 301, 602],
    );
}

/// Loops of Lua alone.
#[test]
fn loops_of_lua_continue_where_they_waited() {
    for (body, right) in [
        ("local n = 0 repeat n += 1 local last = n == 3 wait_ticks(1) log(n) until last", vec![101, 202, 303]),
        ("local n = 0 repeat n += 1 if n == 2 then continue end wait_ticks(1) log(n) until n > 2", vec![101, 203]),
        ("for i = 3, 1, -1 do wait_ticks(1) log(i) end log(9)", vec![103, 202, 301, 309]),
        ("for i = 1, 2, 0.5 do wait_ticks(1) log(i * 2) end", vec![102, 203, 304]),
        ("for i = 2, 1 do wait_ticks(1) log(i) end log(9)", vec![9]),
        ("for i = 1, math.huge do wait_ticks(1) log(i) if i == 3 then break end end", vec![101, 202, 303]),
        ("for i: number = 1, 2 do i += 5 wait_ticks(1) log(i) end", vec![106, 207]),
        ("for i, x in { 5, 6 } do wait_ticks(1) log(i * 10 + x) end", vec![115, 226]),
        ("for i, x in ipairs({ 5, 6 }) do wait_ticks(1) log(i * 10 + x) end", vec![115, 226]),
        ("for i, x in pairs({ 5, 6 }) do wait_ticks(1) log(i * 10 + x) end", vec![115, 226]),
        ("for i, x in next, { 5, 6 } do wait_ticks(1) log(i * 10 + x) end", vec![115, 226]),
        ("for _, x in { 5, 6 } do for _, y in { 1, 2 } do wait_ticks(1) log(x * y) end end", vec![105, 210, 306, 412]),
        ("for i in { 5, 6 } do wait_ticks(1) log(i) end for _ in {} do wait(1) end log(7)", vec![101, 202, 207]),
        ("local l = { 5, 6 } for _, x in l do l[2] = 9 wait_ticks(1) log(x) end", vec![105, 206]),
        ("local function twice(x) return x * 2 end log(twice(4)) wait_ticks(1) log(1)", vec![8, 101]),
        ("do local x = 4 do wait_ticks(1) end log(x) end local x = 5 wait_ticks(1) log(x)", vec![104, 205]),
        ("local x = 1 wait_ticks(1) x += 1 local x = x + 5 wait_ticks(1) log(x)", vec![207]),
        (
            "if vars.k == 1 then wait(1) elseif vars.k == 0 then wait_ticks(1) log(1) wait_ticks(1) log(2) else wait(1) log(3) end log(4)",
            vec![101, 202, 204],
        ),
        ("if vars.k == 1 then wait(1) else if vars.k == 0 then wait_ticks(2) log(2) end end log(4)", vec![202, 204]),
        ("local a, b = 1, 2; (log)(a); wait_ticks(1); (log)(b)", vec![1, 102]),
        ("local s = `a{if vars.k == 0 then `{1}` else 2}b` wait_ticks(1) log(#s)", vec![103]),
        ("local f = function() return 3 end local n = f() wait_ticks(1) log(n)", vec![103]),
        ("while true do if world.tick() > 2 then return end wait_ticks(1) log(1) end", vec![101, 201, 301]),
        (
            "wait_ticks(1) for i = 1, 2 do while true do wait_ticks(1) if i == 1 then break end log(i) return end end",
            vec![302],
        ),
    ] {
        let lua = format!(
            "local function log(x) table.insert(vars.log, world.tick() * 100 + x) end\n\
             function on_birth(me) vars.log = {{}} me:start('a') end function a(me)\n{body}\nend"
        );
        let right = Value::List(right.into_iter().map(Value::Int).collect());
        on_large_stack(|| {
            for saved in [false, true] {
                let mut game = game("luau", &lua).game();
                for _ in 0..12 {
                    game.ticks(1);
                    if saved {
                        restore(&mut game);
                    }
                }
                assert_eq!(game.faults.len(), 0, "{body}: {}", game.faults[0].render(false));
                assert_eq!(game.var("log"), right, "{body}");
            }
        });
    }
}

/// Writes a program in Lua.
fn write_lua(parts: &[Part], out: &mut String) {
    for part in parts {
        let _ = match part {
            Part::Log(v) => writeln!(out, "vars.h = (vars.h * 31 + world.tick() * 7 + v{v}) % 1000003 vars.n += 1"),
            Part::Let(v, x) => writeln!(out, "local v{v} = {x}"),
            Part::Add(v, x) => writeln!(out, "v{v} += {x}"),
            Part::Wait(n) => writeln!(out, "wait_ticks({n})"),
            Part::Seconds(n) => writeln!(out, "wait({n} * world.dt())"),
            Part::Until(k) => writeln!(out, "wait_until(function() return world.tick() % {k} == 0 end)"),
            Part::For(name) => writeln!(out, "if wait_for(\"{name}\", 0.05) == nil then vars.n += 1 end"),
            Part::If(v, x, yes, no) => {
                let _ = writeln!(out, "if v{v} > {x} then");
                write_lua(yes, out);
                out.push_str("else\n");
                write_lua(no, out);
                writeln!(out, "end")
            }
            Part::While(v, x, body) => {
                let _ = write!(out, "local v{v} = 0\nwhile v{v} < {x} do\nv{v} += 1\n");
                write_lua(body, out);
                writeln!(out, "end")
            }
            Part::Range(v, x, _, body) => {
                let _ = writeln!(out, "for v{v} = 0, {x} do");
                write_lua(body, out);
                writeln!(out, "end")
            }
            Part::List(v, list, body) => {
                let _ = writeln!(out, "for _, v{v} in {} do", format!("{list:?}").replace('[', "{").replace(']', "}"));
                write_lua(body, out);
                writeln!(out, "end")
            }
            Part::Block(body) => {
                out.push_str("do\n");
                write_lua(body, out);
                writeln!(out, "end")
            }
            Part::Switch(v, one, other) => {
                let _ = writeln!(out, "if v{v} == 1 then");
                write_lua(one, out);
                out.push_str("else\n");
                write_lua(other, out);
                writeln!(out, "end")
            }
            Part::BreakIf(v, x) => writeln!(out, "if v{v} > {x} then break end"),
            Part::ContinueIf(v, x) => writeln!(out, "if v{v} > {x} then continue end"),
        };
    }
}

/// Lets all ranges have their last number, as they have in Lua.
fn close_ranges(parts: &mut [Part]) {
    for part in parts {
        match part {
            Part::Range(_, x, closed, body) => {
                *x -= i64::from(!*closed);
                *closed = true;
                close_ranges(body);
            }
            Part::While(.., body) | Part::List(.., body) | Part::Block(body) => close_ranges(body),
            Part::If(.., one, other) | Part::Switch(_, one, other) => {
                close_ranges(one);
                close_ranges(other);
            }
            _ => {}
        }
    }
}

/// A random program, written in both languages, and what it computes in its ticks.
struct Pair {
    texts: [String; 2],
    ticks: u64,
    right: (Value, Value),
}

impl Pair {
    /// A program that repeats a random body until the time is up.
    fn of(maker: &mut Maker) -> Self {
        let mut parts = maker.block(&[1], 4, false);
        close_ranges(&mut parts);
        parts.push(Part::Wait(1));
        let mut rhai = String::from("fn on_birth(me) { me.start(\"play\"); }\nfn play(me) {\nlet v1 = 1;\nloop {\n");
        write(&parts, &mut rhai);
        rhai.push_str("}\n}\n");
        let mut lua = String::from(
            "function on_birth(me) me:start(\"play\") end\nfunction play(me)\nlocal v1 = 1\nwhile true do\n",
        );
        write_lua(&parts, &mut lua);
        lua.push_str("end\nend\n");
        let ticks = 100 + maker.dice.roll(200);
        let mut oracle = Oracle { tick: 0, end: ticks, vars: vec![0; maker.names + 1], h: 0, n: 0 };
        oracle.vars[1] = 1;
        while oracle.play(&parts) != Flow::Over {}
        Self { texts: [rhai, lua], ticks, right: (Value::Int(oracle.h), Value::Int(oracle.n)) }
    }
}

/// `HANGTIME_SEQUENCE_POINTS` is how often a world with a sequence that waits is saved and loaded, in both languages
/// together.
#[test]
fn random_sequences_have_the_same_frames_and_hashes_in_both_languages() {
    let most: u64 = std::env::var("HANGTIME_SEQUENCE_POINTS").map_or(4000, |count| count.parse().expect("a number"));
    on_large_stack(|| {
        let (mut points, mut programs, mut too_large) = (0, 0, 0);
        while points < most {
            programs += 1;
            let mut maker = Maker { dice: Dice(programs * 977 + 1), names: 1, left: 40 };
            let pair = Pair::of(&mut maker);
            let [rhai, lua] = &pair.texts;
            let mut games = [game("rhai", rhai).game(), game("luau", lua).game()];
            for tick in 0..pair.ticks {
                for game in &mut games {
                    // Not always, so that what is only in memory lives for some ticks.
                    if maker.dice.roll(4) > 0 {
                        points += u64::from(!game.live.world().frames().is_empty());
                        restore(game);
                    }
                    game.ticks(1);
                }
                assert_same(&games, tick, &pair.texts);
            }
            if games[0].faults.iter().any(|fault| fault.diagnostic.message.contains("at most 16 values")) {
                too_large += 1;
                continue;
            }
            let [_, game] = &games;
            assert_eq!(game.wrong(), [""; 0], "{lua}");
            assert_eq!((game.var("h"), game.var("n")), pair.right, "{lua}");
        }
        println!("{programs} pairs, {points} times saved and loaded while they waited; {too_large} remember too much");
        assert!(too_large * 10 < programs, "{too_large} of {programs}");
    });
}

/// Programs with words that are gone, twice there or exchanged: what Luau takes with functions in place of the waits is taken
/// with waits, too, unless a message says where a function cannot wait.
#[test]
fn changed_words_of_sequences_are_refused_or_play() {
    const FUNCTIONS: &str = "local function wait(x) end local function wait_ticks(x) end local function wait_until(x) end \
                             local function wait_for(x, y) end ";
    on_large_stack(|| {
        let mut played = 0;
        for program in 1..=60 {
            let mut maker = Maker { dice: Dice(program * 977 + 1), names: 1, left: 40 };
            let [_, lua] = Pair::of(&mut maker).texts;
            let words: Vec<&str> = lua.split_inclusive([' ', '\n', '(', ')', ',']).collect();
            let mut roll = || maker.dice.roll(words.len() as u64) as usize;
            for kind in 0..6 {
                let (mut changed, at, other) = (words.clone(), roll(), roll());
                match kind % 3 {
                    0 => _ = changed.remove(at),
                    1 => changed.insert(at, words[other]),
                    _ => changed.swap(at, other),
                }
                let changed = changed.concat();
                let folder = game("luau", &format!("{FUNCTIONS}{changed}"));
                let is_right = folder.open().is_ok();
                folder.write("scripts/hero.luau", &changed);
                match folder.open() {
                    Ok(revision) => {
                        played += 1;
                        Game::new(Arc::new(revision)).ticks(9);
                    }
                    Err(wrong) => {
                        let says =
                            |it: &Diagnostic| ["wait", "rename one"].iter().any(|word| it.message.contains(word));
                        assert!(!is_right || wrong.iter().all(says), "{changed}\n{wrong:#?}");
                    }
                }
            }
        }
        assert!(played > 0);
    });
}

/// What waits in one language continues in the other, where the words of the wait are the same.
#[test]
fn a_world_that_waits_in_one_language_loads_in_the_other() {
    let rhai = "fn on_birth(me) { me.start(\"a\"); }\n\
                fn a(me) { let x = 2; for i in 1..=3 { wait(0.1); x += i; this.n = x; } if wait_for(\"bell\", 0.2) == () { this.n += 100; } }";
    let lua = "function on_birth(me) me:start('a') end\n\
               function a(me) local x = 2 for i = 1, 3 do wait(0.1) x += i vars.n = x end if wait_for(\"bell\", 0.2) == nil then vars.n += 100 end end";
    on_large_stack(|| {
        for at in [1, 5, 7, 13, 19, 25] {
            let games = || [game("rhai", rhai).game(), game("luau", lua).game()];
            let mut whole = games();
            for game in &mut whole {
                game.ticks(40);
            }
            assert_eq!(whole[0].var("n"), Value::Int(108));
            for from in [0, 1] {
                let [mut first, mut second] = games();
                if from == 1 {
                    std::mem::swap(&mut first, &mut second);
                }
                first.ticks(at);
                second.live.restore(first.live.world().clone());
                second.ticks(40 - at);
                assert_eq!(second.faults.len(), 0, "{at}: {}", second.faults[0].render(false));
                assert_eq!(second.live.world().hash(), whole[0].live.world().hash(), "from {from} at {at}");
            }
        }
    });
}

#[test]
fn level_scripts_wait_and_a_restart_ends_their_sequences() {
    let rhai = "fn on_tick(me) { if world::tick() == 0 { me.start(\"run\"); } }\n\
                fn run(me) { for i in 1..=9 { wait_ticks(2); this.n += 1; if this.n == 3 { world::restart(); } } }\n\
                fn on_land(me, event) { let who = event.entity; wait(0.1); this.landed = who; }";
    let lua = "function on_tick(me) if world.tick() == 0 then me:start('run') end end\n\
               function run(me) for i = 1, 9 do wait_ticks(2) vars.n += 1 if vars.n == 3 then world.restart() end end end\n\
               function on_land(me, event) local who = event.entity wait(0.1) vars.landed = who end";
    on_large_stack(|| {
        let mut games = [("rhai", rhai), ("luau", lua)].map(|(ending, script)| {
            let folder = Folder::with_script("");
            let level = format!("script = \"level.{ending}\"\nvars = {{ n = 0 }}\n{}", LEVEL);
            folder.write("levels/level.toml", &level.replace("at = [-200, 19]", "at = [-200, 60]"));
            folder.write(&format!("scripts/level.{ending}"), script);
            folder.game()
        });
        for tick in 0..40 {
            for game in &mut games {
                game.ticks(1);
                restore(game);
                assert!(game.faults.is_empty(), "{}", game.faults[0].render(false));
            }
            let frames = games.each_ref().map(|game| game.live.world().frames().of(EntityId::LEVEL).len());
            assert_eq!(frames[0], frames[1], "tick {tick}");
            assert_eq!(games[0].live.world().hash(), games[1].live.world().hash(), "tick {tick}");
            // The third round restarts the level, and nothing starts the sequence again in later ticks.
            if tick < 6 {
                assert!(frames[0] >= 1, "tick {tick}");
            }
        }
    });
}

/// A sequence of a level and one of the hero order another level, in one tick or in several.
#[test]
fn another_level_ends_all_sequences_and_begins_its_own() {
    on_large_stack(|| {
        for after in [1_u64, 3, 8] {
            let rhai = [
                format!(
                    "fn on_birth(me) {{ me.start(\"leave\"); }}\n\
                     fn leave(me) {{ let at = world::tick(); for i in 1..={after} {{ wait_ticks(1); this.n = i; }} \
                     world::play_level(\"two\", at); wait_ticks(1); this.n = 100; }}"
                ),
                "fn on_tick(me) { if !me.running(\"count\") { me.start(\"count\"); } }\n\
                 fn count(me) { let from = world::handed(); for i in 1..=9 { wait_ticks(2); this.n += 1; } this.from = from; }"
                    .to_string(),
            ];
            let lua = [
                format!(
                    "function on_birth(me) me:start('leave') end\n\
                     function leave(me) local at = world.tick() for i = 1, {after} do wait_ticks(1) vars.n = i end \
                     world.play_level('two', at) wait_ticks(1) vars.n = 100 end"
                ),
                "function on_tick(me) if not me:running('count') then me:start('count') end end\n\
                 function count(me) local from = world.handed() for i = 1, 9 do wait_ticks(2) vars.n += 1 end vars.from = from end"
                    .to_string(),
            ];
            let mut games = [("rhai", rhai), ("luau", lua)].map(|(ending, [hero, level])| {
                let folder = game(ending, &hero);
                folder.write(&format!("scripts/level.{ending}"), &level);
                for name in ["level", "two"] {
                    let head = format!("script = \"level.{ending}\"\nvars = {{ n = 0, from = 0 }}\n");
                    folder.write(&format!("levels/{name}.toml"), &format!("{head}{LEVEL}"));
                }
                let project = Project::load(folder.root()).expect("a folder");
                let levels = OtherLevels::of_game(project.folder().clone(), Vec::new());
                let mut game = folder.game();
                game.live.use_levels(Some(Arc::new(levels)));
                (folder, game)
            });
            // The order of the tick `after` is carried out before the next one, in which the hero is born again.
            for tick in 0..4 * (after + 1) {
                for (_, game) in &mut games {
                    game.ticks(1);
                    restore(game);
                    assert_eq!(game.wrong(), [""; 0], "tick {tick}");
                    let round = tick % (after + 1);
                    assert_eq!(game.var("n"), Value::Int(round as i64), "tick {tick}, other level after {after}");
                    // What the hero waits for after its order, and what the level counts, is gone with the level.
                    assert_eq!(frames(game).len(), 1, "tick {tick}, other level after {after}");
                    let of_level = game.live.world().frames().of(EntityId::LEVEL);
                    assert_eq!(of_level.len(), 1, "tick {tick}, other level after {after}");
                    // The first tick of the level before was handed over.
                    let handed = (tick - round).checked_sub(after + 1).map_or(Value::Unit, |at| Value::Int(at as i64));
                    let place = of_level[0].at.names.iter().position(|name| &**name == "from");
                    assert_eq!(of_level[0].locals[place.expect("it is needed later")], handed, "tick {tick}");
                }
                let hashes = games.each_ref().map(|(_, game)| game.live.world().hash());
                assert_eq!(hashes[0], hashes[1], "tick {tick}, other level after {after}");
            }
        }
    });
}
