//! Scripts are changed before they are compiled, and mean what they say nevertheless.

use super::{lua, on_large_stack};

/// What a hero prints in its first tick.
fn printed(script: &str) -> Vec<String> {
    let mut printed = Vec::new();
    on_large_stack(|| {
        let mut game = lua(script).game();
        game.ticks(1);
        assert!(game.faults.is_empty(), "{script}: {}", game.faults[0].render(false));
        printed = game.printed.clone();
    });
    printed
}

#[test]
fn operators_keep_their_places_among_others() {
    for (lines, expected) in [
        ("print('a' .. 1 + 2 .. 'b' == 'a3b')", "true"),
        ("local s = 'a' s ..= nil or 'b' print(s)", "ab"),
        ("local s, t = 'a', { b = { c = string.upper } } s ..= t.b.c 'd' print(s)", "aD"),
        ("local s = 'a' s ..= if #s > 1 then 'b' elseif s == 'b' then 'c' else 'd' print(s)", "ad"),
        ("local s = 'a' s ..= `{1 + 1}{if s then 'x' else 'y'}` print(s)", "a2x"),
        ("local s = 'a' s ..= -1 local t = 2 print(s, t)", "a-1 2"),
        ("local s = 'a' s ..= (function() return 'b' end)() print(s)", "ab"),
        ("print(-2 ^ 2, 2 ^ -1, 2 ^ 3 ^ 2, 2 * 3 ^ 2)", "-4 0.5 512 18"),
        ("local x = 3 x ^= 1 + 1 print(x)", "9"),
        ("local n = 0 for i, x in { 5, 6 } do n += i * x end print(n)", "17"),
        ("for k in (function() for i in { 1 } do end return { a = 1 } end)() do print(k) end", "a"),
        (
            "for k, v in pairs({ b = 1, a = 2 }) do for w in ('x y'):gmatch('%a') do print(k, v, w) break end end",
            "a 2 x",
        ),
        ("print((function(...) return select('#', ...) end)(nil, nil))", "2"),
        ("local function f(a: number, ...: number): ...number return a, ... end print(f(1, 2))", "1 2"),
        ("local x = if 1 > 2 then 3 else if 2 > 1 then 4 else 5 print(x)", "4"),
        ("repeat local done = true until done print('done')", "done"),
    ] {
        let lines = printed(&format!("function on_tick(me) {lines} end"));
        assert_eq!(lines.first().map(String::as_str), Some(expected), "{lines:?}");
    }
}

#[test]
fn variables_of_the_file_are_what_they_were_declared_as() {
    for declared in [
        "local a, b = 1, 2",
        "local a: number, b: number = 1, 2",
        "local a: { [string]: (number) -> number? } | typeof(print), b = 1 :: any, 2",
        "local a: number? local b a = 1 b = 2",
        "local a = 1 -- local a = 3\nlocal b = 2",
        "local function c() return 2 end local a = 1 local b = c()",
        "local a = 1 do local a = 5 b = 2 end",
        "local a, b = 3, 2 for a = 1, 2 do print(a) end a = 1",
    ] {
        let script = format!("{declared}\nfunction on_tick(me) local b = b print(a, b) end");
        assert_eq!(printed(&script).last().map(String::as_str), Some("1 2"), "{declared}");
    }
}

#[test]
fn functions_that_are_local_to_a_file_are_no_hooks() {
    let script = "local function on_tick(me) print('own') end function on_birth(me) on_tick(me) end";
    assert_eq!(printed(script), ["own"]);
}
