//! The scripts of `hostile.rs`, one by one or by family.

/// What should become of a script.
#[derive(Clone, Debug)]
pub enum Expected {
    /// It is not loaded: a message contains this.
    Refused(&'static str),
    /// Every tick has a fault, whose message contains this.
    Fails(&'static str),
    /// It runs.
    Runs,
    /// Whatever it does, it does the same everywhere.
    Anything,
}

/// A script with its expectation.
pub struct Case {
    pub name: String,
    /// Paths and texts.
    pub files: Vec<(String, String)>,
    pub expected: Expected,
}

impl Case {
    /// A script whose `on_tick` does this.
    pub fn new(name: &str, body: &str, expected: Expected) -> Self {
        Self::file(name, &format!("function on_tick(me)\n    {body}\nend\n"), expected)
    }

    /// A whole file.
    fn file(name: &str, text: &str, expected: Expected) -> Self {
        Self { name: name.into(), files: vec![("scripts/hostile.luau".into(), text.into())], expected }
    }

    fn with(mut self, name: &str, text: &str) -> Self {
        self.files.push((format!("scripts/{name}"), text.into()));
        self
    }
}

const STOPPED: &str = "was stopped after 20000 operations";
const TOO_LONG: &str = "this text is over the limit of 4096 bytes";
const TOO_MANY: &str = "at most 250 values can be passed at once";
const TOO_LARGE: &str = "this array is over the limit of 1024 elements";
const FROZEN: &str = "cannot be changed later";
const NO_ORDER: &str = "its keys have no order that is the same in every run";
const DEEP: &str = "deep";

/// All of them.
pub fn all() -> Vec<Case> {
    let mut all = bodies();
    all.extend(files());
    all.extend(operators());
    all.extend(absent());
    all.extend(required());
    all.extend(broken());
    all
}

fn bodies() -> Vec<Case> {
    use Expected::{Anything, Fails, Runs};
    [
        // Loops.
        ("loop_while", "while true do end", Fails(STOPPED)),
        ("loop_repeat", "repeat until false", Fails(STOPPED)),
        ("loop_to_infinity", "for i = 1, math.huge do end", Fails(STOPPED)),
        ("loop_of_tiny_steps", "for i = 0, 1, 1e-300 do end", Fails(STOPPED)),
        ("loop_of_no_steps", "for i = 1, 10, 0 do end", Anything),
        ("loop_of_nan", "for i = 0 / 0, 1 do end", Anything),
        ("loop_above_exact_numbers", "for i = 9007199254740992, 9007199254740993 do end", Anything),
        ("loop_nested", "while true do while true do while true do end end end", Fails(STOPPED)),
        ("loop_in_a_function", "local function f() while true do end end f()", Fails(STOPPED)),
        ("loop_in_a_condition", "while (function() return true end)() do end", Fails(STOPPED)),
        ("loop_of_an_iterator", "for x in function() return 1 end do end", Fails(STOPPED)),
        ("loop_of_a_callable", "for x in setmetatable({}, { __call = function() return 1 end }) do end", Fails(STOPPED)),
        (
            "loop_of_iter",
            "for x in setmetatable({}, { __iter = function() return function() return 1 end end }) do end",
            Fails(STOPPED),
        ),
        ("loop_in_a_comparison", "table.sort({ 3, 1, 2 }, function() while true do end end)", Fails(STOPPED)),
        ("loop_in_a_replacement", "string.gsub('abc', '.', function() while true do end end)", Fails(STOPPED)),
        ("loop_in_a_value_in_text", "local s = `{(function() while true do end end)()}`", Fails(STOPPED)),
        ("loop_over_a_growing_list", "local t = { 1 } for i, x in ipairs(t) do t[i + 1] = 1 end", Fails(STOPPED)),
        ("loop_of_orders", "while true do me.push(1, 0) end", Anything),
        ("loop_of_prints", "while true do print('x') end", Fails(STOPPED)),
        ("loop_of_random", "while true do math.random() end", Fails(STOPPED)),
        ("loop_of_vecs", "local v = vec(1, 2) while true do v = v + v end", Fails(STOPPED)),
        ("loop_of_errors", "while true do error('no') end", Fails("no")),
        ("budget_spent", "for i = 1, 3000 do vars.n += 1 end", Runs),
        // Recursion.
        ("recursion", "local function f() f() end f()", Fails(DEEP)),
        ("recursion_returned", "local function f() return f() end f()", Fails(DEEP)),
        ("recursion_of_two", "local g local function f() g() end g = function() f() end f()", Fails(DEEP)),
        ("recursion_in_a_loop", "local function f() for _ in pairs({ 1 }) do f() end end f()", Fails(DEEP)),
        ("recursion_in_a_replacement", "local function f() string.gsub('a', 'a', f) end f()", Fails(DEEP)),
        (
            "recursion_in_a_comparison",
            "local function f() table.sort({ 2, 1 }, function() f() return true end) end f()",
            Fails(DEEP),
        ),
        (
            "recursion_of_a_hook",
            "on_tick(me)",
            Fails(DEEP),
        ),
        ("recursion_of_tostring", "print(setmetatable({}, { __tostring = tostring }))", Fails(DEEP)),
        (
            "recursion_of_a_text",
            "local m = {} m.__tostring = function(t) return tostring(t) end tostring(setmetatable({}, m))",
            Fails(DEEP),
        ),
        (
            "recursion_of_iter",
            "local m = {} m.__iter = function(t) for x in t do end end for x in setmetatable({}, m) do end",
            Fails(DEEP),
        ),
        (
            "fibonacci",
            "local function fib(n) return if n < 2 then n else fib(n - 1) + fib(n - 2) end vars.n = fib(28)",
            Fails(STOPPED),
        ),
        (
            "ackermann",
            "local function a(m, n) if m == 0 then return n + 1 elseif n == 0 then return a(m - 1, 1) end \
             return a(m - 1, a(m, n - 1)) end a(3, 9)",
            Fails(DEEP),
        ),
        // Texts.
        ("text_doubled", "local s = 'x' while true do s ..= s end", Fails(TOO_LONG)),
        ("text_joined", "local s = 'x' while true do s = s .. s .. s end", Fails(TOO_LONG)),
        ("text_interpolated", "local s = 'x' while true do s = `{s}{s}` end", Fails(TOO_LONG)),
        ("text_appended", "local s = '' while true do s ..= 'x' end", Fails("")),
        ("text_repeated", "string.rep('x', 1e9)", Fails(TOO_LONG)),
        ("text_repeated_by_a_method", "vars.s = ('x'):rep(5000)", Fails(TOO_LONG)),
        ("text_repeated_endlessly", "local s = ('x'):rep(math.huge)", Fails(TOO_LONG)),
        ("text_repeated_nan_times", "local s = ('x'):rep(0 / 0)", Fails("cannot be NaN")),
        (
            "text_of_a_list",
            "local t = {} for i = 1, 500 do t[i] = ('x'):rep(100) end table.concat(t)",
            Fails(TOO_LONG),
        ),
        ("text_of_a_far_list", "table.concat({}, ('x'):rep(4000), 1, 1e9)", Fails("")),
        ("text_replaced", "local s = ('a'):rep(4000) s:gsub('a', s)", Fails(STOPPED)),
        ("text_replaced_by_captures", "local s = ('a'):rep(4000) s:gsub('.*', ('%0'):rep(2000))", Fails(STOPPED)),
        ("text_replaced_a_little", "local s = ('a'):rep(2000):gsub('a', 'bbb')", Fails(TOO_LONG)),
        (
            "text_replaced_by_a_function",
            "local b = ('b'):rep(4000) local s = ('a'):rep(900):gsub('a', function() return b end)",
            Fails(TOO_LONG),
        ),
        ("text_replaced_by_a_table", "local s = ('a'):rep(900):gsub('a', { a = ('b'):rep(4000) })", Fails(TOO_LONG)),
        ("text_formatted", "('%99d'):rep(60):format(table.unpack(table.create(60, 1)))", Fails(TOO_LONG)),
        ("text_split", "local s = ('a,'):rep(2000) while true do s:split(',') end", Fails(STOPPED)),
        ("text_in_upper_case", "local s = ('a'):rep(4000) while true do s:upper() end", Fails(STOPPED)),
        ("text_in_lower_case", "local s = ('a'):rep(4000) while true do s:lower() end", Fails(STOPPED)),
        ("text_reversed", "local s = ('a'):rep(4000) while true do s:reverse() end", Fails(STOPPED)),
        ("text_cut", "local s = ('a'):rep(4000) while true do s:sub(2) end", Fails(STOPPED)),
        ("text_compared", "local s, t = ('a'):rep(4000), ('a'):rep(3999) while s > t do end", Fails(STOPPED)),
        ("text_as_bytes", "('x'):rep(4000):byte(1, -1)", Fails(TOO_MANY)),
        ("text_from_bytes", "while true do string.char(1, 2, 3) end", Fails(STOPPED)),
        ("text_of_wrong_bytes", "string.char(1e300)", Fails("")),
        ("text_of_numbers", "while true do tostring(0.1) end", Fails(STOPPED)),
        ("text_packed", "string.pack('i', 1)", Fails("scripts have no `string.pack`")),
        ("text_not_utf8", "me.hold('\\xff')", Fails("UTF-8")),
        ("text_printed_not_utf8", "print('\\xff')", Anything),
        ("text_with_its_methods_changed", "('x').rep = nil", Fails("")),
        ("text_with_another_metatable", "setmetatable('x', {})", Fails("")),
        ("text_metatable_changed", "getmetatable('x').__index = nil", Fails("")),
        ("text_minus_text", "local x = 'a' - 'b'", Fails("")),
        ("text_plus_nil", "local x = 'a' .. nil", Fails("concatenate")),
        ("text_plus_table", "local x = 'a' .. {}", Fails("concatenate")),
        ("text_with_parts_of_tables", "local s = 'a' .. 1 .. {} .. 'b'", Fails("concatenate")),
        ("text_assigned_with_or", "local s = 'a' s ..= nil or 'b' vars.said = s .. #s .. -1 .. 2", Runs),
        // Patterns.
        ("pattern_backtracking", "('a'):rep(4000):find(('a*'):rep(10) .. 'b')", Fails(STOPPED)),
        ("pattern_lazy", "('a'):rep(4000):find('.-.-.-.-b')", Fails(STOPPED)),
        ("pattern_balanced", "('('):rep(4000):find('%b()')", Fails(STOPPED)),
        ("pattern_with_a_large_set", "('a'):rep(4000):find('[' .. ('b'):rep(1000) .. ']')", Fails(STOPPED)),
        ("pattern_with_captures", "('a'):rep(4000):match('(.-)%1%1%1b')", Fails(STOPPED)),
        ("pattern_of_frontiers", "('a b'):rep(1000):gsub('%f[%w]', 'x')", Anything),
        ("pattern_deep", "('a'):rep(300):find(('a?'):rep(300) .. 'b')", Fails("")),
        ("pattern_unfinished", "('a'):find('[')", Fails("malformed pattern")),
        ("pattern_with_too_many_captures", "('a'):rep(99):find(('(a)'):rep(40))", Fails("too many captures")),
        ("pattern_matched_again_and_again", "while true do for w in ('a b c'):gmatch('%a') do end end", Fails(STOPPED)),
        ("pattern_plain", "local s = ('a'):rep(4000) while true do s:find(s .. 'b', 1, true) end", Fails("")),
        // Lists.
        ("list_growing", "local t = {} while true do t[#t + 1] = 1 end", Fails(STOPPED)),
        ("list_inserted", "local t = {} while true do table.insert(t, 1) end", Fails(STOPPED)),
        ("list_inserted_at_the_front", "local t = {} while true do table.insert(t, 1, 1) end", Fails(STOPPED)),
        ("list_removed_at_the_front", "local t = table.create(1000, 1) while true do table.remove(t, 1) t[1000] = 1 end", Fails(STOPPED)),
        ("list_created", "table.create(1e9)", Fails(TOO_LARGE)),
        ("list_created_with_values", "table.create(2000, 1)", Fails(TOO_LARGE)),
        ("list_created_wrong", "table.create(-1e300)", Fails("")),
        ("list_moved", "table.move({}, 1, 1e9, 1)", Fails(TOO_LARGE)),
        ("list_moved_beyond", "table.move({ 1 }, 1, 1, 1e300)", Anything),
        ("list_unpacked", "table.unpack(table.create(1000, 1))", Fails(TOO_MANY)),
        ("list_unpacked_far", "unpack({}, 1, 1e300)", Fails(TOO_MANY)),
        (
            "values_passed_and_added",
            "local function f(n, ...) if n > 20 then return 0 end \
             return f(n + 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, ...) end vars.n = f(1)",
            Runs,
        ),
        ("values_selected", "local function f(...) while true do select('#', ...) end end f(1, 2, 3)", Fails(STOPPED)),
        ("values_selected_far", "vars.n = select('#', select(1e300, 1, 2))", Runs),
        ("list_sorted", "local t = {} for i = 1, 900 do t[i] = -i end while true do table.sort(t) end", Fails(STOPPED)),
        ("list_sorted_by_yes", "table.sort({ 5, 3, 9, 1, 7, 2, 8 }, function() return true end)", Anything),
        (
            "list_sorted_by_chance",
            "local t = {} for i = 1, 50 do t[i] = i end table.sort(t, function() return math.random() < 0.5 end) \
             vars.said = table.concat(t, ' ')",
            Anything,
        ),
        ("list_sorted_and_changed", "local t = { 3, 1, 2 } table.sort(t, function() t[#t + 1] = 1 return true end)", Anything),
        ("list_of_kinds_sorted", "table.sort({ 1, 'a', {} })", Fails("compare")),
        ("list_sorted_with_nan", "local t = { 3, 0 / 0, 1, 0 / 0, 2 } table.sort(t) vars.said = `{t[1]}{t[3]}`", Anything),
        ("list_of_tables_joined", "table.concat({ {}, 1 })", Fails("invalid value")),
        ("list_cloned", "local t = table.create(1000, 1) while true do t = table.clone(t) end", Fails(STOPPED)),
        ("list_searched", "local t = table.create(1000, 1) while true do table.find(t, 2) end", Fails(STOPPED)),
        ("list_packed", "while true do table.pack(1, 2, 3) end", Fails(STOPPED)),
        ("list_cleared", "local t = table.create(1000, 1) while true do table.clear(t) end", Fails(STOPPED)),
        ("list_frozen", "local t = table.freeze({ 1 }) t[1] = 2", Fails(FROZEN)),
        ("list_frozen_twice", "table.freeze(table.freeze({}))", Fails("frozen")),
        ("vars_frozen", "table.freeze(vars) vars.n = 1", Fails(FROZEN)),
        ("list_visited_by_hand", "table.foreach({}, print)", Fails("")),
        // Memory.
        ("memory_nested", "local t = {} while true do t = { t } end", Fails(STOPPED)),
        ("memory_kept", "local all = {} while true do all[#all + 1] = { {}, {}, {}, {} } end", Fails(STOPPED)),
        ("memory_of_closures", "local f = function() end while true do local g = f f = function() return g end end", Fails(STOPPED)),
        ("memory_of_texts", "local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1000) .. i end", Fails(STOPPED)),
        ("memory_of_keys", "local t = {} for i = 1, 1e9 do t['k' .. i] = i end", Fails(STOPPED)),
        ("memory_of_numbers", "local t = {} for i = 1, 1e9 do t[i * 1.5] = i end", Fails(STOPPED)),
        ("memory_of_entities", "local t = {} while true do t[#t + 1] = world.entity('neighbor') end", Fails(STOPPED)),
        (
            "memory_of_weak_tables",
            "local t = setmetatable({}, { __mode = 'kv' }) for i = 1, 500 do t[i] = {} end \
             local n = 0 for i = 1, 500 do if t[i] then n += 1 end end vars.n = n",
            Runs,
        ),
        // Keys.
        ("keys_that_are_tables", "for k in pairs({ [{}] = 1, [print] = 2 }) do end", Fails(NO_ORDER)),
        ("keys_that_are_tables_without_pairs", "for k in { [{}] = 1 } do end", Fails(NO_ORDER)),
        ("keys_that_are_entities", "for k in { [world.entity('neighbor')] = 1 } do end", Fails(NO_ORDER)),
        ("keys_that_are_vecs", "for k in next, { [vec(1, 2)] = 1 } do end", Fails(NO_ORDER)),
        ("keys_that_are_tables_by_hand", "next({ [{}] = 1 })", Fails(NO_ORDER)),
        ("keys_that_are_tables_in_a_value_in_text", "local s = `{(function() for k in { [{}] = 1 } do end end)()}`", Fails(NO_ORDER)),
        ("key_that_is_nan", "local t = {} t[0 / 0] = 1", Fails("NaN")),
        ("key_that_is_nil", "local t = {} t[nil] = 1", Fails("nil")),
        (
            "keys_in_order",
            "local t = { 9, 8 } for i = 1, 30 do t['k' .. i * 7 % 31] = i t[i * 3.5] = i end t[true] = 1 t[false] = 2 \
             local s = '' for k in t do s ..= tostring(k) .. ' ' end vars.said = s",
            Runs,
        ),
        (
            "keys_after_tables",
            "local t, keys = {}, {} for i = 1, 40 do keys[i] = {} t[keys[i]] = i t['n' .. i] = i end \
             for _, key in keys do t[key] = nil end for i = 41, 90 do t['n' .. i] = i end \
             local s = '' for k in table.clone(t) do s ..= k end vars.said = s .. next(t)",
            Runs,
        ),
        ("keys_of_a_list", "local s = '' for k, v in { 1, 2, nil, 4, x = 5 } do s ..= k .. v end vars.said = s", Runs),
        ("keys_removed", "local t = { a = 1, b = 2, c = 3 } for k in t do t[k] = nil end vars.n = if next(t) then 1 else 0", Runs),
        ("keys_by_hand", "local t, k, s = { b = 1, a = 2, 3 }, nil, '' repeat k = next(t, k) s ..= tostring(k) until not k vars.said = s", Runs),
        ("key_that_is_gone", "next({ a = 1 }, 'b')", Fails("")),
        ("keys_of_me", "for k in me do end", Anything),
        ("keys_of_nothing", "for k in nil do end", Fails("iterate")),
        ("keys_of_many", "local t = {} for i = 1, 500 do t['k' .. i] = i end while true do for k in t do break end end", Fails(STOPPED)),
        // Addresses.
        ("address_of_a_table", "vars.said = tostring({}) print({}, print, me, world, vec(1, 2), setmetatable({}, {}))", Runs),
        ("address_in_a_text", "vars.said = `{ {} } {print} {world} {hud}`", Runs),
        ("address_formatted", "vars.said = string.format('%* %* %*', {}, print, setmetatable({}, {}))", Runs),
        ("address_by_format", "string.format('%p', {})", Fails("invalid option")),
        ("address_as_text", "string.format('%s', world)", Anything),
        ("address_in_an_error", "error({})", Fails("a table")),
        ("address_of_a_function_in_an_error", "error(print)", Fails("a function")),
        ("address_of_an_entity", "error(world.entity('neighbor'))", Fails("neighbor")),
        ("address_compared", "local x = {} < {}", Fails("compare")),
        ("address_of_this", "vars.said = tostring(me) .. tostring(vars)", Runs),
        // Errors.
        ("error_of_nil", "error(nil)", Fails("nil")),
        ("error_of_nothing", "error()", Fails("nil")),
        ("error_of_true", "error(true)", Fails("true")),
        ("error_of_a_number", "error(5)", Fails("5")),
        ("error_with_text", "error(setmetatable({}, { __tostring = function() return 'custom' end }))", Fails("custom")),
        ("error_with_wrong_text", "error(setmetatable({}, { __tostring = function() return {} end }))", Fails("__tostring")),
        ("error_with_failing_text", "error(setmetatable({}, { __tostring = function() error('inner') end }))", Fails("inner")),
        ("error_without_level", "error('x', 0)", Fails("x")),
        ("error_of_a_far_level", "error('x', 1e300)", Fails("x")),
        ("error_of_a_long_text", "error(('x'):rep(4000))", Fails("xxx")),
        ("error_with_lines", "error('scripts/other.luau:1: wrong\\nstack traceback:\\nscripts/other.luau:2')", Fails("")),
        ("assertion", "assert(false)", Fails("assertion failed")),
        ("assertion_with_a_table", "assert(false, {})", Fails("")),
        // Metatables.
        ("metatable_of_me", "setmetatable(me, {})", Fails("protected")),
        ("metatable_of_world", "setmetatable(world, {})", Fails("protected")),
        ("metatable_of_math", "setmetatable(math, {})", Fails("")),
        ("metatable_of_a_vec", "getmetatable(vec(1, 2)).__add = nil", Fails("")),
        ("metatable_of_vars", "setmetatable(vars, { __index = function() return 1 end })", Anything),
        ("metatable_of_a_frozen_table", "setmetatable(table.freeze({}), {})", Fails(FROZEN)),
        ("metatable_of_itself", "local t = {} setmetatable(t, t) t.__index = t local x = t.a", Fails("loop")),
        (
            "metatable_chain",
            "local t = {} for i = 1, 200 do t = setmetatable({}, { __index = t }) end local x = t.a",
            Fails("loop"),
        ),
        (
            "metatable_chain_of_writes",
            "local t = {} for i = 1, 200 do t = setmetatable({}, { __newindex = t }) end t.a = 1",
            Fails("loop"),
        ),
        ("metatable_that_fails", "local t = setmetatable({}, { __index = function() error('inner') end }) local x = t.a", Fails("inner")),
        ("me_written_raw", "rawset(me, 'x', 5)", Fails(FROZEN)),
        ("me_method_replaced", "me.push = print", Fails("push")),
        ("vec_written_raw", "local v = me.vel rawset(v, 4, 'nothing') v.x = 1", Fails("")),
        ("vec_without_parts", "local v = vec(1, 2) rawset(v, 'x', nil) me.vel = v", Fails("")),
        ("vec_of_text", "vec('a', 1)", Fails("must be a number")),
        ("library_replaced", "string.rep = nil", Fails(FROZEN)),
        ("library_written_raw", "rawset(table, 'insert', print)", Fails(FROZEN)),
        ("global_written", "math = nil", Fails("")),
        ("vars_replaced", "vars = {}", Fails("")),
        ("hook_replaced", "on_tick = nil", Fails("")),
        // Numbers.
        ("number_formatted_nan", "string.format('%d', 0 / 0)", Fails("below 2^53")),
        ("number_formatted_large", "string.format('%x', 1e300)", Fails("below 2^53")),
        ("number_formatted_as_a_letter", "string.format('%c', 1e15)", Fails("below 2^53")),
        (
            "number_formatted_floating",
            "local nan = 0 / 0 vars.said = string.format('%f %g %e %.17g %*', nan, -nan, 1 / 0, 0.1, nan) .. nan .. -nan",
            Runs,
        ),
        ("number_places", "vars.said = ('abc'):sub(-math.huge, math.huge) .. ('abc'):sub(2, 1e300)", Runs),
        ("number_place_nan", "('abc'):sub(0 / 0)", Fails("cannot be NaN")),
        ("number_bits", "bit32.band(1e300, 1)", Fails("below 2^53")),
        ("number_bits_of_text", "bit32.lshift('1e300', 1)", Fails("below 2^53")),
        ("number_random_of_nothing", "math.random(0)", Fails("needs a range")),
        ("number_random_far", "math.random(1, 1e300)", Fails("needs a range")),
        ("number_of_words", "local x = tonumber('nan') vars.said = `{tonumber('0x10')} {tonumber('1e')} {tonumber('7', 8)}`", Runs),
        ("number_in_base_nan", "tonumber('1', 0 / 0)", Fails("")),
        ("number_divided", "vars.said = `{1 // 0} {-1 // 0} {5 % math.huge} {-5 % 3}`", Anything),
        ("number_largest", "vars.n = 1e308 vars.m = -9223372036854775808 vars.k = 9007199254740993", Runs),
        ("number_negative_zero", "vars.n = -0 vars.m = 0", Runs),
        ("number_passed_smallest", "me.push(-9223372036854775808, 0)", Anything),
        // What variables cannot hold.
        ("kept_function", "vars.f = print", Fails("cannot hold a function")),
        ("kept_me", "vars.me = me", Fails("cannot hold")),
        ("kept_entity", "vars.e = world.entity('neighbor')", Fails("cannot hold an entity")),
        ("kept_nan", "vars.n = 0 / 0", Fails("cannot hold NaN")),
        ("kept_infinity", "vars.n = -1 / 0", Fails("cannot hold")),
        ("kept_circle", "local t = {} t.t = t vars.t = t", Fails("nested more than 32 levels")),
        ("kept_too_deep", "local t = {} for i = 1, 40 do t = { t } end vars.t = t", Fails("nested more than 32 levels")),
        ("kept_shared", "local t = { 1 } vars.a, vars.b = t, t", Runs),
        ("kept_shared_very_often", "local t = { 1 } for i = 1, 30 do t = { t, t } end vars.t = t", Fails("kept_values")),
        ("kept_wrong_text", "vars.said = '\\xff'", Fails("UTF-8")),
        ("kept_under_wrong_text", "vars['\\xff'] = 1", Fails("UTF-8")),
        ("kept_under_a_number", "vars[1] = 1", Fails("whose name is")),
        ("kept_under_tables", "vars[{}] = 1 vars[print] = 2 vars[1] = 3", Fails("whose name is")),
        ("kept_with_tables_as_keys", "vars.t = { [{}] = 1, [print] = 2, [2.5] = 3 }", Fails("as a key")),
        ("kept_metatable", "vars.t = setmetatable({}, {})", Fails("with a metatable")),
        ("kept_gaps", "vars.t = { 1, nil, 3 }", Fails("cannot hold")),
        ("kept_positions_and_names", "vars.t = { 1, x = 2 }", Fails("both positions and names")),
        ("kept_list", "local t = {} for i = 1, 800 do t[i] = i end vars.t = t", Fails("kept_values")),
        ("kept_many", "for i = 1, 600 do vars['v' .. i] = i end", Fails("kept_values")),
        ("kept_text", "local t = {} for i = 1, 9 do t[i] = ('x'):rep(1000) end vars.t = t", Fails("kept_text")),
        ("kept_odd_names", "vars['a \"b\\n] = 1'] = 1 vars['\\0' .. '1'] = 2 vars['end'] = 3 vars[''] = 4", Runs),
        ("kept_other_names_every_tick", "for i = 1, 20 do vars[`a{i}t{world.tick()}`] = 1 end for i = 1, 20 do vars[`a{i}t{world.tick() - 1}`] = nil end", Runs),
        ("kept_nothing", "for name in vars do vars[name] = nil end", Runs),
        // Calls.
        ("call_with_too_many", "me.push(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)", Fails("takes 2 arguments")),
        ("call_with_a_function", "world.emit('alarm', { f = print })", Fails("cannot contain")),
        ("call_with_a_circle", "local t = {} t.t = t world.emit('alarm', t)", Fails("")),
        ("call_with_shared_tables", "local t = { 1 } for i = 1, 30 do t = { t, t } end world.emit('alarm', t)", Fails("")),
        ("call_with_nan", "me.push(0 / 0, 1)", Fails("")),
        ("call_with_a_long_name", "me.hold(('x'):rep(4000))", Fails("")),
        ("call_that_emits_endlessly", "while true do world.emit('alarm') end", Fails("at most 64 events")),
        ("call_that_waits_endlessly", "while true do me.after(1, 'ring') end", Anything),
        ("call_of_a_number", "(5)()", Fails("cannot be called")),
        ("call_of_nothing", "local f f()", Fails("cannot be called")),
        ("call_of_what_is_missing", "nonsense()", Fails("there is no `nonsense`")),
        ("removed_and_failing", "me.remove() nonsense()", Fails("there is no `nonsense`")),
        ("own_name", "local x = _join", Fails("there is no `_join`")),
    ]
    .into_iter()
    .map(|(name, body, expected)| Case::new(name, body, expected))
    .collect()
}

/// Whole files: above all, what could keep something from one call to the next.
fn files() -> Vec<Case> {
    use Expected::{Fails, Refused, Runs};
    let made = "may remember something that is not saved";
    [
        (
            "hidden_in_a_closure",
            "local function make() local n = 0 return function() n += 1 return n end end local count = make()\n\
             function on_tick(me) vars.n = count() end",
            Refused(made),
        ),
        (
            "hidden_in_a_closure_in_a_table",
            "local function make()\n local t = {}\n return { add = function() t[#t + 1] = 1 return #t end }\nend\n\
             list = { make() }\nfunction on_tick(me) vars.n = list[1].add() end",
            Refused(made),
        ),
        ("hidden_in_a_hook", "on_tick = (function() local n = 0 return function() n += 1 vars.n = n end end)()", Refused(made)),
        (
            "hidden_in_a_metatable",
            "local function make() local n = 0 return function() n += 1 return n end end\n\
             local t = setmetatable({}, { __index = make() })\nfunction on_tick(me) vars.n = t.x end",
            Refused(made),
        ),
        (
            "hidden_in_an_iterator",
            "local it = string.gmatch('a b', '%a')\nfunction on_tick(me) vars.said = it() or 'nil' end",
            Refused(made),
        ),
        ("hidden_in_a_block", "if true then local t = {} function on_tick(me) t[1] = 1 end end", Refused(made)),
        ("hidden_in_a_loop", "for i = 1, 2 do local t = {} function on_tick(me) t[i] = 1 end end", Refused(made)),
        (
            "hidden_by_returning_early",
            "local t = {}\nfunction on_tick(me) t[1] = (t[1] or 0) + 1 vars.n = t[1] end\nif true then return end",
            Fails(FROZEN),
        ),
        (
            "hidden_by_another_variable",
            "local t = {}\nlocal function add() t[1] = (t[1] or 0) + 1 return t[1] end\nlocal t = 5\n\
             function on_tick(me) vars.n = add() end",
            Refused("has a variable `t` already"),
        ),
        ("hidden_in_a_frozen_table", "local t = table.freeze({ {} })\nfunction on_tick(me) t[1].n = 1 end", Fails(FROZEN)),
        (
            "hidden_in_a_key",
            "local key = {}\nlocal t = { [key] = 1 }\ndo local key = 1 end\nfunction on_tick(me) key.n = 1 end",
            Fails(FROZEN),
        ),
        ("hidden_in_a_metatable_of_a_table", "local t = setmetatable({}, { x = {} })\nfunction on_tick(me) getmetatable(t).x.n = 1 end", Fails(FROZEN)),
        ("hidden_in_a_deep_table", "local t = {}\nlocal last = t\nfor i = 1, 3000 do last.t = {} last = last.t end\nfunction on_tick(me) last.n = 1 end", Fails(FROZEN)),
        ("hidden_in_me", "function on_tick(me) me.secret = 1 end", Fails("`me` has no `secret`")),
        ("written_by_a_function", "local n = 0\nfunction on_tick(me) n += 1 end", Refused("`n` belongs to the file")),
        ("written_in_a_value_in_text", "local n = 0\nfunction on_tick(me) local s = `{(function() n += 1 return n end)()}` end", Refused("`n` belongs to the file")),
        ("functions_of_the_file", "local floor = math.floor\nlocal t = { f = function(x) return floor(x) end }\nlocal v = vec(1, 2)\nfunction t.g(x) return t.f(x) + v.x end\nfunction on_tick(me) vars.n = t.g(1.5) end", Runs),
        ("loop_at_the_top", "while true do end", Refused(STOPPED)),
        ("recursion_at_the_top", "local function f() f() end f()", Refused(DEEP)),
        ("memory_at_the_top", "t = {} while true do t[#t + 1] = { {}, {} } end", Refused(STOPPED)),
        ("error_at_the_top", "error('no')", Refused("no")),
        ("vars_at_the_top", "vars.n = 1", Refused("in hooks only")),
        ("world_at_the_top", "world.emit('x')", Refused("")),
        ("random_at_the_top", "local x = math.random()\nfunction on_tick(me) vars.n = x end", Refused("")),
        ("own_names", "local __join = 1", Refused("hangtime's own")),
        ("power_of_numbers", "local x = 1.1 ^ 3\nfunction on_tick(me) x ^= 2 end", Refused("`x` belongs to the file")),
        ("power_of_any_number", "function on_tick(me) vars.n = math.abs(me.x) ^ 0.7 vars.n ^= -2 ^ 2 end", Runs),
        ("power_of_nothing", "function on_tick(me) local x = me.x ^ nil end", Fails("`^` needs two numbers")),
        ("power_of_a_kind", "local m = {}\nm.__pow = function(a, b) return a.n ^ b end\nfunction on_tick(me) vars.n = setmetatable({ n = 3 }, m) ^ 2 end", Runs),
        ("hook_that_is_a_library_function", "on_tick = print", Runs),
        ("fails_on_birth", "function on_birth(me) while true do end end", Expected::Anything),
        ("many_texts", "local t = {} for i = 1, 900 do t[i] = 'text' .. i end\nfunction on_tick(me) vars.n = #t end", Runs),
    ]
    .into_iter()
    .map(|(name, text, expected)| Case::file(name, text, expected))
    .collect()
}

/// Every operator that a metatable gives a meaning: one that never ends, and one that uses itself.
fn operators() -> Vec<Case> {
    [
        ("eq", "local x = a == b"),
        ("lt", "local x = a < b"),
        ("le", "local x = a <= b"),
        ("add", "local x = a + b"),
        ("sub", "local x = a - b"),
        ("mul", "local x = a * b"),
        ("div", "local x = a / b"),
        ("idiv", "local x = a // b"),
        ("mod", "local x = a % b"),
        ("concat", "local x = a .. b"),
        ("len", "local x = #a"),
        ("unm", "local x = -a"),
        ("call", "local x = a(b)"),
        ("index", "local x = a.x"),
        ("newindex", "a.x = 1"),
    ]
    .into_iter()
    .flat_map(|(operator, used)| {
        let case = |name: &str, does: &str, expected| {
            let body = format!(
                "local m = {{}} m.__{operator} = function(a, b) {does} end \
                 local a, b = setmetatable({{}}, m), setmetatable({{}}, m) {used}"
            );
            Case::new(&format!("{name}_of_{operator}"), &body, expected)
        };
        [
            case("loop", "while true do end", Expected::Fails(STOPPED)),
            case("recursion", &format!("{used} return x"), Expected::Fails(DEEP)),
            case("error", "error('inner')", Expected::Fails("inner")),
        ]
    })
    .collect()
}

/// What scripts do not have is answered with what they have instead.
fn absent() -> Vec<Case> {
    [
        "os",
        "io",
        "debug",
        "coroutine",
        "pcall",
        "xpcall",
        "load",
        "loadstring",
        "dofile",
        "getfenv",
        "setfenv",
        "collectgarbage",
        "gcinfo",
        "newproxy",
        "buffer",
        "utf8",
        "vector",
        "_G",
        "shared",
        "_VERSION",
        "task",
        "delay",
        "script",
        "game",
        "workspace",
        "self",
        "require",
    ]
    .into_iter()
    .map(|name| Case::new(&format!("absent_{name}"), &format!("local x = {name}"), Expected::Fails("")))
    .collect()
}

/// Files that require others.
fn required() -> Vec<Case> {
    let with = |name: &str, module: &str, expected| {
        let text = "local m = require('m')\nfunction on_tick(me) vars.n = m.f() end";
        Case::file(name, text, expected).with("m.luau", module)
    };
    let mut chain = Case::file(
        "require_a_chain",
        "local m = require('m0')\nfunction on_tick(me) end",
        Expected::Refused("in a row"),
    );
    for n in 0..40 {
        chain = chain.with(&format!("m{n}.luau"), &format!("local m = require('m{}')\nreturn {{}}", n + 1));
    }
    use Expected::{Fails, Refused, Runs};
    vec![
        with("require", "local M = {} function M.f() return 3 end return M", Runs),
        with("require_itself", "local m = require('m') return {}", Refused("a circle")),
        with("require_in_a_circle", "local m = require('hostile') return {}", Refused("a circle")),
        with("require_nothing", "local x = 1", Refused("returns no table")),
        with("require_a_loop", "while true do end return {}", Refused(STOPPED)),
        with("require_an_error", "error('inner')", Refused("inner")),
        with("require_broken", "return {", Refused("")),
        with(
            "require_that_fails_when_called",
            "local M = {} function M.f() nonsense() end return M",
            Fails("nonsense"),
        ),
        with("require_that_remembers", "local M = {} local n = {} function M.f() n[1] = 1 end return M", Fails(FROZEN)),
        with(
            "require_that_counts",
            "local function make() local n = 0 return function() n += 1 return n end end return { f = make() }",
            Refused("not saved"),
        ),
        with("require_written", "local M = {} function M.f() M.x = 1 end return M", Fails(FROZEN)),
        Case::file("require_what_is_missing", "local m = require('none')", Refused("there is no `none.luau`")),
        Case::file("require_above", "local m = require('../../secret')", Refused("")),
        Case::file("require_a_number", "local m = require(5)", Refused("")),
        Case::new("require_in_a_hook", "local m = require('m')", Fails("")).with("m.luau", "return {}"),
        chain,
    ]
}

/// Texts that are not scripts.
fn broken() -> Vec<Case> {
    let texts = [
        "function on_tick(me",
        "end",
        "local x = ",
        "if",
        "for k in",
        "for k in do end",
        "local s = `{",
        "local s = `{`{`{",
        "s ..=",
        "s ..= (",
        "...",
        "local function f(... return ... end",
        "function on_tick(me) x = = 1 end",
        "<html></html>",
        "def on_tick(me): pass",
        "fn on_tick(me) { }",
        "return return",
        "local x = 'half",
        "--[[ half",
        "local x = 0x",
        "goto there",
        "break",
        "}",
        ")",
        "``",
        "local x: = 1",
    ];
    let mut cases: Vec<Case> = texts
        .iter()
        .enumerate()
        .map(|(n, text)| Case::file(&format!("broken_{n}"), text, Expected::Refused("")))
        .filter(|case| !["...", "--[[ half"].contains(&case.files[0].1.as_str()))
        .collect();
    let long = [
        ("brackets", format!("local x = {}", "(".repeat(3000))),
        ("closed_brackets", format!("local x = {}1{}", "(".repeat(3000), ")".repeat(3000))),
        ("blocks", format!("{}{}", "do ".repeat(4000), "end ".repeat(4000))),
        ("functions", format!("local f = {}", "function() return ".repeat(2000))),
        ("ifs", format!("local x = {}c", "if a then b else ".repeat(2000))),
        ("locals", "local x = 1 ".repeat(5000)),
        ("loops", "for k in ".repeat(5000)),
        ("too_long", format!("-- {}", "x".repeat(70_000))),
    ];
    let long = long.into_iter();
    cases.extend(long.map(|(name, text)| Case::file(&format!("broken_by_{name}"), &text, Expected::Refused(""))));
    let line = "vars.n = 1 ".repeat(5000);
    cases.push(Case::new("one_long_line", &line, Expected::Runs));
    cases.push(Case::new(
        "doubled_without_a_loop",
        &format!("local s = 'x' {}", "s = s .. s ".repeat(40)),
        Expected::Fails(TOO_LONG),
    ));
    cases.push(Case::new("joined_at_once", &format!("local s = {}", vec!["'x'"; 100].join(" .. ")), Expected::Runs));
    cases
}
