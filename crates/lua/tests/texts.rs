//! What is known of a script from its text alone.

use hangtime_lua::Lua;
use hangtime_script::Language;

#[test]
fn words_are_cut_where_luau_cuts_them() {
    for (text, spaced) in [
        (
            "local s=[==[ a ]] b ]==]--rest\nx..='it\\'s'..0x1F..1e-5",
            "local s = [==[ a ]] b ]==] x ..= 'it\\'s' .. 0x1F .. 1e-5",
        ),
        ("y//=2--[[ long\n ]]t=`{z}{`{1}`}`", "y //= 2 t = `{ z }{ `{ 1 }` }`"),
    ] {
        assert_eq!(Lua.changes(text, spaced), Vec::<String>::new(), "{text}");
    }
    assert_eq!(Lua.changes("x = 'a  b'", "x = 'a b'"), ["changed"]);
    for (text, ends) in [("x = 1 -- y", true), ("x = 1 --[[ y", true), ("-- a\nx = 1", false)] {
        assert_eq!(Lua.ends_in_comment(text), ends, "{text}");
    }
}

#[test]
fn functions_of_the_top_level_are_found() {
    let text = "local function help(a) if a then return 1 elseif b then end end\n\
                local value = if a then 1 elseif b then 2 else if c then 3 else 4\n\
                function on_tick(me) for i = 1, 3 do local f = function() end end end\n\
                function on_land(me, event) while true do break end repeat until true end\n\
                do function hidden() end end";
    let found = Lua.functions(text);
    let found: Vec<_> = found.iter().map(|function| (function.name, function.parameters)).collect();
    assert_eq!(found, [("on_tick", "me"), ("on_land", "me, event")]);
    let text = "local it = {} function it.aim(at) end local function help() end function on_tick(me) end return it";
    let returned: Vec<_> = Lua.module_functions(text).iter().map(|function| function.name).collect();
    assert_eq!(returned, ["aim", "help"]);
}

#[test]
fn changes_name_functions() {
    let old = "function a() return 1 end function b() end";
    assert_eq!(Lua.changes(old, "function a() return 1 end -- same\nfunction b()\nend"), Vec::<String>::new());
    assert_eq!(
        Lua.changes(old, "function a() return 2 end function c() end"),
        ["function a changed", "function c added", "function b removed"]
    );
    assert_eq!(Lua.changes("x = 1", "x = 2"), ["changed"]);
}

#[test]
fn required_files_are_found() {
    let text = "local m = require('lib/math') local n = require \"a.lua\" -- require('x')";
    assert_eq!(Lua.imports(text), ["lib/math.luau", "a.lua"]);
    let text = "local m = require('lib/math') local n = require \"a.lua\"";
    assert_eq!(["m", "n", "o"].map(|name| Lua.imported_as(text, name)), [Some("lib/math"), Some("a.lua"), None]);
}
