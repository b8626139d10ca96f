//! Functions of Lua that wait where they cannot, frames that no script has made, and scripts that change.

use crate::{
    folder::{Game, on_large_stack},
    lua,
    sequence_pairs::{frames, game, restore},
};
use hangtime_core::sim::{SavedWorld, Value, why::Watch};
use serde_json::json;
use std::sync::Arc;

/// A game with `text` as the hero's script.
fn played(text: &str, ticks: usize) -> Game {
    let mut game = game("luau", text).game();
    game.ticks(ticks);
    game
}

#[test]
fn waits_that_cannot_be_are_errors_with_a_place_and_a_way_out() {
    on_large_stack(|| {
        for (script, at, why) in [
            ("function model(me) wait(1) return 'vessel' end", "1:20", "is a rule"),
            ("function can_grab(me, hit)\n  wait(1) return true end", "2:3", "is a rule"),
            ("function on_tick(me) wait(1) end", "1:22", "me:start(\"attack\")"),
            ("function on_death(me) wait(1) end", "1:23", "the entity is gone"),
            ("function on_land(me) local f = function() wait(1) end end", "1:43", "must be a statement"),
            ("function on_land(me) local function f() wait(1) end f() end", "1:41", "must be a statement"),
            ("function on_land(me) me:face(wait(1)) end", "1:30", "must be a statement"),
            ("function on_land(me) local x = 1 + wait_for('land') end", "1:36", "must be a statement"),
            ("function on_land(me) local x = { wait_for('land') } end", "1:34", "must be a statement"),
            ("function on_land(me) while wait_for('land') do end end", "1:28", "must be a statement"),
            ("function on_land(me) repeat until wait_for('land') end", "1:35", "must be a statement"),
            ("function on_land(me) for i = 1, wait(1) do end end", "1:33", "must be a statement"),
            ("function on_land(me) if me.x > 0 then elseif wait(1) then end end", "1:46", "must be a statement"),
            ("function on_land(me) if 1 > wait_for('land').tick then end end", "1:29", "must be a statement"),
            ("function on_land(me) local w = wait w(1) end", "1:32", "must be a statement"),
            ("function on_land(me) local x = `{wait(1)}` end", "1:34", "must be a statement"),
            ("local x = wait(1)\nfunction on_land(me) end", "1:11", "must be a statement"),
            ("local function a(me) wait(1) end function on_land(me) a(me) end", "1:22", "must be a statement"),
            ("on_land = function(me) wait(1) end", "1:24", "must be a statement"),
            ("function a(me, x) wait(1) end", "1:19", "`me` as its only parameter"),
            ("function a(...) wait(1) end", "1:17", "`me` as its only parameter"),
            ("function a() wait(1) end", "1:14", "`me` as its only parameter"),
            ("function on_land(me) a(me) end function a(me) wait(1) end", "1:22", "start it with `me:start(\"a\")`"),
            (
                "function on_land(me) local b = a end function a(me) wait(1) end",
                "1:32",
                "start it with `me:start(\"a\")`",
            ),
            ("function on_land(me) wait() end", "1:22", "write `wait(seconds)`"),
            ("function on_land(me) wait_for(vars.name) end", "1:22", "the name of an event in quotes"),
            ("function on_land(me) wait_for('tick') end", "1:31", "wait_ticks(1)"),
            ("function on_land(me) wait_for('death') end", "1:31", "the entity is gone"),
            ("function on_land(me) wait_for('on_land') end", "1:31", "the event is `land`"),
            (
                "function on_land(me) wait_until(me.grounded) end",
                "1:22",
                "wait_until(function() return me.grounded end)",
            ),
            ("function on_land(me) wait_until(function(x) return true end) end", "1:22", "needs a condition"),
            (
                "function on_land(me) local x = 1 do local x = 2 wait(1) vars.x = x end vars.y = x end",
                "1:49",
                "rename one of them",
            ),
            ("function a(me) wait(1) end\nfunction a(me) wait(2) end", "2:16", "has two functions `a`"),
            ("function on_tick(me) local c = coroutine end", "1:32", "write a sequence"),
        ] {
            let folder = lua(script);
            let mut found = folder.wrong();
            if found.is_empty() {
                // What only running shows.
                let mut game = folder.game();
                game.ticks(60);
                found = game.wrong();
            }
            let place = format!("scripts/hero.luau:{at}: ");
            let right = found.iter().any(|it| it.starts_with(&place) && it.contains(why));
            assert!(right, "{script}\n{found:#?}");
        }
        // A function of this name comes first.
        let own = lua("local function wait(x) return x end function on_tick(me) vars.n = wait(1) + 1 end");
        assert_eq!(own.wrong(), [""; 0]);
        let imported = lua("local lib = require('lib')\nfunction on_tick(me) lib.rest(me) end");
        imported.write("scripts/lib.luau", "local M = {}\nfunction M.rest(me) wait(1) end\nreturn M");
        let wrong = imported.wrong();
        assert!(wrong[0].starts_with("scripts/lib.luau:2:21: ") && wrong[0].contains("imported file"), "{wrong:?}");
        // All of them are reported.
        let two = lua("function model(me) wait(1) end\nfunction on_tick(me) wait(1) end").wrong();
        assert_eq!(two.len(), 2, "{two:?}");
    });
}

#[test]
fn too_many_waits_and_deep_ones_are_refused_or_work() {
    on_large_stack(|| {
        let many = |n: usize| {
            format!("function on_birth(me) {} vars.done = 1 end", "if vars.n == 0 then wait_ticks(1) end\n".repeat(n))
        };
        assert_eq!(played(&many(64), 66).var("done"), Value::Int(1));
        let wrong = lua(&many(65)).wrong();
        assert!(wrong[0].contains("too many waits"), "{wrong:?}");
        for (open, close) in
            [("if true then ", " end"), ("do ", " end"), ("repeat ", " until true"), ("for i = 1, 1 do ", " end")]
        {
            for depth in [1, 20, 60, 100] {
                let open: String = (0..depth).map(|n| open.replace(" i ", &format!(" i{n} "))).collect();
                let text =
                    format!("function on_birth(me) {open} wait_ticks(1) vars.done = 1 {} end", close.repeat(depth));
                let found = lua(&text).wrong();
                if found.is_empty() {
                    let game = played(&text, 3);
                    // It remembers where each loop is.
                    let many = game.wrong().iter().any(|it| it.contains("at most 16 values"));
                    assert!(many || game.var("done") == Value::Int(1), "{open} {depth}: {:?}", game.wrong());
                } else {
                    assert!(depth > 20 && found.len() == 1, "{open} {depth}: {found:?}");
                }
            }
        }
    });
}

#[test]
fn calls_with_wrong_values_fail_and_end_the_sequence() {
    on_large_stack(|| {
        let long = "vars.s = '0123456789012345678901234567890123456789'";
        let mut other = Vec::new();
        for (body, why) in [
            ("wait(0 / 0)", "`seconds` of `wait` cannot be NaN"),
            ("wait(1e6)", "`seconds` of `wait` is 1000000; it must be between 0 and 86400"),
            ("wait(-1)", "`seconds` of `wait` is -1; it must be between 0 and 86400"),
            ("wait('1' .. '')", "`seconds` of `wait` must be a number"),
            ("wait(nil)", "`seconds` of `wait` must be a number"),
            ("wait_ticks(-1)", "`count` of `wait_ticks` is -1; it must be between 0 and"),
            ("wait_ticks(0.5)", "`count` of `wait_ticks` is 0.5; it must be a whole number"),
            ("wait_for('land', -1)", "`seconds` of `wait_for` is -1"),
            ("local f = function() end wait(1) f()", "`f` has a function, which cannot be remembered"),
            ("local e = world.entity('hero') wait(1) vars.x = e.x", "`e` has an entity"),
            ("local t = {} t[1] = function() end wait(1) vars.x = t", "`t` has a function"),
            ("local t = { a = {} } t.a.b = t wait(1) vars.x = t", "at most 16 values and 512 bytes"),
            ("local l = {1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7} wait(1) vars.x = l", "at most 16 values and 512 bytes"),
            ("local s = vars.s for i = 1, 5 do s = s .. s end wait(1) vars.x = s", "at most 16 values and 512 bytes"),
            ("for k, v in { a = 1 } do wait(1) end", "goes through a list"),
            ("for k in string.gmatch('a b', '%w') do wait(1) end", "goes through a list"),
            ("for k in nil do wait(1) end", "goes through a list"),
            ("for i = 1, {} do wait(1) end", "'for' limit"),
            ("for i = nil, 1 do wait(1) end", "'for' initial value"),
            ("me:start('b')", "this script has no sequence `b`"),
            ("me:stop('aa')", "did you mean `a`?"),
            ("me:start('on_land')", "`on_land` is a hook, which starts with its event"),
            ("while true do if vars.n == 77 then wait(1) end end", "is there an infinite loop?"),
        ] {
            let text = format!(
                "function on_birth(me) {long} me:start('a') end\nfunction a(me)\n{body}\nwait(9) end\nfunction on_land(me) wait(1) end"
            );
            let game = played(&text, 3);
            let wrong = game.wrong();
            let is_one = wrong.len() == 1 && wrong[0].contains(why) && wrong[0].starts_with("scripts/hero.luau:3:");
            if !is_one || frames(&game).iter().any(|frame| &*frame.at.sequence == "a") {
                other.push(format!("{body}: {wrong:?}"));
            }
        }
        assert_eq!(other, [""; 0]);
    });
}

#[test]
fn errors_after_a_wait_name_their_line() {
    on_large_stack(|| {
        let text = "function on_birth(me)\n  me:start('a')\nend\n\nfunction a(me)\n  local x\n    = 1\n  while\n    x < 5\n  do\n    \
                    x += 1\n    if x == 4 then\n      vars.n.y = 1\n    end\n    wait_ticks(1)\n  end\nend";
        let wrong = played(text, 9).wrong();
        assert!(wrong.len() == 1 && wrong[0].starts_with("scripts/hero.luau:13:"), "{wrong:?}");
        let text = "function on_birth(me)\n  local e =\n    wait_for(\n      'bell', 0.05)\n  local y = e.data\nend";
        let wrong = played(text, 9).wrong();
        assert!(wrong.len() == 1 && wrong[0].starts_with("scripts/hero.luau:5:"), "{wrong:?}");
    });
}

#[test]
fn an_entity_has_at_most_eight_sequences_and_one_may_start_itself() {
    on_large_stack(|| {
        let functions: String = (0..9).map(|n| format!("function s{n}(me) wait(9) end ")).collect();
        let mut game =
            game("luau", &format!("{functions} function on_tick(me) me:start('s' .. vars.n) vars.n += 1 end")).game();
        game.ticks(8);
        assert_eq!((frames(&game).len(), game.faults.len()), (8, 0));
        game.ticks(1);
        assert_eq!(frames(&game).len(), 8);
        assert!(game.wrong()[0].contains("at most 8 running sequences"), "{:?}", game.wrong());
        let text = "function on_birth(me) me:start('a') end function a(me) vars.n += 1 me:start('a') end\nfunction b(me) wait(1) end";
        assert!(played(text, 2).wrong()[0].contains("no sequence `a`"));
        let game = played(&text.replace("vars.n += 1", "vars.n += 1 wait_for('never', 0)"), 9);
        assert_eq!((game.faults.len(), frames(&game).len()), (0, 1));
    });
}

/// A change of the saved frames.
type Tampering = dyn Fn(&mut serde_json::Value);

#[test]
fn saved_frames_that_were_changed_are_refused_or_harmless() {
    on_large_stack(|| {
        let script = "function on_birth(me) me:start('a') end function a(me) local k = 1 wait(9) vars.x = k + 1 end";
        let game = played(script, 2);
        let saved = serde_json::to_value(game.live.world()).expect("a world is data");
        let check = |change: &Tampering| {
            let mut changed = saved.clone();
            change(&mut changed["frames"]);
            let loaded: Result<SavedWorld, _> = serde_json::from_value(changed);
            loaded
                .map_err(|error| error.to_string())
                .and_then(|it| it.check(&game.live.revision().stage).map_err(|error| error.to_string()))
        };
        assert!(check(&|_| {}).is_ok());
        assert!(check(&|frames| frames[0]["locals"] = json!([])).is_err());
        assert!(check(&|frames| frames[0]["entity"] = json!(99)).is_err());
        let played: [(&Tampering, usize); 6] = [
            (&|frames| frames[0]["at"]["sequence"] = json!("on_birth"), 1),
            (&|frames| frames[0]["at"]["label"] = json!("wait(8)"), 1),
            (&|frames| frames[0]["at"]["names"] = json!(["j"]), 1),
            (&|frames| frames[0]["at"]["step"] = json!(u32::MAX), 0),
            (&|frames| frames[0]["locals"] = json!([{ "Vector": [1.0, 2.0, 3.0] }]), 1),
            (&|frames| frames[0]["locals"] = json!([{ "List": [{ "Int": 1 }] }]), 1),
        ];
        for (place, (change, faults)) in played.into_iter().enumerate() {
            let soon = |frames: &mut serde_json::Value| {
                change(frames);
                frames[0]["until"] = json!({ "Tick": 3 });
            };
            let world = check(&soon).unwrap_or_else(|error| panic!("{place}: {error}"));
            let mut again = Game::new(game.live.revision().clone());
            again.live.restore(world);
            again.ticks(5);
            assert_eq!(frames(&again).len(), 0, "change {place}");
            assert_eq!(again.faults.len(), faults, "change {place}: {:?}", again.wrong());
        }
    });
}

/// Plays the first script for some ticks and then the second one: `vars.n`, and the messages.
fn changed(before: &str, after: &str) -> (Value, Vec<String>) {
    let start = "function on_birth(me) me:start('a') end\n";
    let folder = game("luau", &format!("{start}{before}"));
    let mut game = folder.game();
    game.ticks(3);
    assert_eq!(frames(&game).len(), 1);
    restore(&mut game);
    folder.write("scripts/hero.luau", &format!("{start}{after}"));
    game.live.adopt(Arc::new(folder.open().expect("a good script")));
    game.ticks(50);
    assert_eq!(frames(&game).len(), 0);
    (game.var("n"), game.wrong())
}

#[test]
fn a_sequence_continues_where_its_wait_is_now_or_stops_and_says_so() {
    on_large_stack(|| {
        let text = "function a(me) local k = 1 wait(0.2) vars.n = k end";
        for (after, right) in [
            (text.to_string(), 1),
            (format!("function other() return 3 end\n\n{text}"), 1),
            ("function a(me) local k = 5 wait(0.2) vars.n = k end".into(), 1),
            ("function a(me) local k = 1 wait(0.2) vars.n = k + 10 end".into(), 11),
            ("function a(me) local k = 1 wait(0.1) wait(0.2) vars.n = k end".into(), 1),
            ("function a(me) local k = 1 wait(0.2) vars.n = k + 20 wait(0.3) wait(0.2) vars.n = k end".into(), 1),
            ("function a(me) local k = 1 wait(0.3) wait(0.2) vars.n = k + 1 wait(0.2) vars.n = k + 2 end".into(), 3),
        ] {
            assert_eq!(changed(text, &after), (Value::Int(right), vec![]), "{after}");
        }
        for after in [
            "function a(me) wait(0.3) vars.n = 1 end",
            "function b(me) wait(0.2) vars.n = 1 end function a(me) wait_ticks(1) end",
            "function a(me) local m = 1 wait(0.2) vars.n = m end",
            "function a(me) local k = 1 for i = 1, 1 do wait(0.2) end vars.n = k end",
            "function a(me) end",
            "",
        ] {
            let (n, wrong) = changed(text, after);
            assert_eq!((n, wrong.len()), (Value::Int(0), 1), "{after}: {wrong:?}");
            assert!(wrong[0].contains("`a` has stopped: it cannot continue at `wait(0.2)`"), "{wrong:?}");
        }
    });
}

#[test]
fn why_names_the_wait_and_its_line() {
    on_large_stack(|| {
        for blank in [0, 1, 7] {
            let lines = "\n".repeat(blank);
            let rhai = format!(
                "fn on_birth(me) {{ me.start(\"a\"); }}\n{lines}fn a(me) {{\nwait(0.5);\nlet rung = wait_for(\"bell\");\n}}"
            );
            let lua = format!(
                "function on_birth(me) me:start('a') end\n{lines}function a(me)\nwait(0.5)\nlocal rung = wait_for(\"bell\")\nend"
            );
            for (ending, text) in [("rhai", rhai), ("luau", lua)] {
                let mut game = game(ending, &text).game();
                game.live.watch(Watch::All);
                for tick in 0..60 {
                    game.ticks(1);
                    // Half a second is 30 ticks.
                    let (line, wait) = if tick < 30 { (3, "wait(0.5)") } else { (4, "wait_for(\"bell\")") };
                    let right = format!("`a` waits: {wait} (scripts/hero.{ending}:{})", line + blank);
                    let why = game.live.why("hero");
                    assert!(why.iter().any(|reason| reason.text == right), "tick {tick}: {right}\n{why:?}");
                }
            }
        }
    });
}
