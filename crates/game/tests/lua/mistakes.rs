//! Messages about mistakes have a place and the right name.

use super::{lua, on_large_stack};

/// The first message about a script, when it is loaded or in the first ticks.
fn message(script: &str) -> String {
    let mut message = String::new();
    on_large_stack(|| {
        let folder = lua(script);
        message = match folder.open() {
            Err(wrong) => wrong[0].headline(),
            Ok(_) => {
                let mut game = folder.game();
                game.ticks(3);
                game.faults.first().map_or("nothing".into(), |fault| fault.diagnostic.headline())
            }
        };
    });
    message
}

#[test]
fn mistakes_name_the_line_the_column_and_the_way_out() {
    for (script, expected) in [
        ("function on_tick(me)\n  me.hold('rihgt')\nend", "2:12: error: there is no action `rihgt`"),
        ("function on_tick(me)\n  me.jmup()\nend", "2:6: error: `me` has no `jmup`; did you mean `jump`?"),
        ("function on_tick(me)\n  me.shade = 1\nend", "2:6: error: `me` has no `shade`"),
        ("function on_tick(me)\n  me.x = 1\nend", "2:6: error: `me.x` is read-only"),
        ("function on_tick(me)\n  world.emitt('x')\nend", "2:9: error: `world` has no `emitt`; did you mean `emit`?"),
        ("function on_tick(me)\n  local a = nil\n  a.b = 1\nend", "3:5: error: there is nothing to take `b` from"),
        ("function on_tick(me)\n  task.wait(1)\nend", "2:3: error: write `wait(seconds)` in a hook"),
        ("function on_tick(me)\n  local v = Vector2.new(1, 2)\nend", "2:13: error: vecs are made with `vec(x, y)`"),
        ("function on_tick(me)\n  prinnt(1)\nend", "2:3: error: there is no `prinnt`; did you mean `print`?"),
        ("function on_tick(me)\n  me.push(1)\nend", "2:6: error: "),
        (
            "function on_tick(me)\n  local n = math.ceiling(1.5)\nend",
            "2:18: error: `math` has no `ceiling`; it can be `abs`, `acos`,",
        ),
        ("function on_tick(me)\n  local n = table.contains({}, 1)\nend", "2:19: error: `table` has no `contains`"),
        (
            "function on_tick(me)\n  local n = ('ice'):uper()\nend",
            "2:21: error: `string` has no `uper`; did you mean `upper`?",
        ),
        ("function on_tick(me)\n  me.push('a', 1)\nend", "2:6: error: `x` of `push` must be"),
        ("function on_tick(me)\n  local x = 2 ^ me\nend", "2:15: error: `^` needs two numbers, not a number and a map"),
        (
            "do\n  local list = {}\n  function on_tick(me)\n    table.insert(list, 1)\n  end\nend",
            "3:3: error: a function that uses variables of a block",
        ),
        ("local n = 1\nlocal n = 2\nfunction on_tick(me) end", "2:7: error: this file has a variable `n` already"),
        ("function on_tick(me)\n  if me.x > 1 then\nend", "3:"),
        ("function on_tick(me)\n  error('no way')\nend", "2:3: error: no way"),
        ("local hits = 0\nfunction on_tick(me)\n  hits += 1\nend", "3:3: error: `hits` belongs to the file"),
        ("function on_land(me, event, more) end", "1:10: error: `on_land` has 3 parameters; write `on_land(me)` or"),
        ("function on_tick(me)\n  while true do\n  end\nend", "2:3: error: this call was stopped after"),
        ("local m = require('nothing')\nfunction on_tick(me) end", "1:"),
    ] {
        let said = message(script);
        assert!(said.starts_with(&format!("scripts/hero.luau:{expected}")), "{script}:\n{said}\n{expected}");
    }
}

#[test]
fn functions_that_are_nearly_hooks_are_warned_of() {
    on_large_stack(|| {
        for (script, expected) in [
            ("function on_lnad(me) end", Some("did you mean `on_land(me)` or `on_land(me, event)`?")),
            ("function on_lnad(me) end function on_tick(me) on_lnad(me) end", None),
            ("function on_lnad(me) end function on_tick(me) me:after(1, 'lnad') end", None),
            // Tests may emit it: `check` knows them.
            ("function on_alarm(me) end", None),
        ] {
            let wrong = lua(script).wrong();
            assert_eq!(wrong.len(), usize::from(expected.is_some()), "{script}: {wrong:?}");
            assert!(expected.is_none_or(|why| wrong[0].contains(why)), "{script}: {wrong:?}");
        }
    });
}
