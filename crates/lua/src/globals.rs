//! What all scripts can use of Luau's libraries, and what they get instead of the rest.

use crate::{
    binding::{Bound, OWN_CHUNK, calls, in_lua, unknown},
    machine::too_deep,
    messages::{failed, refused, refused_name},
    scopes::OWN_NAMES,
    sequences::WAIT_CALLS,
    values::{printed, shown},
};
use hangtime_script::{
    Limits,
    api::{ApiSet, EntryKind, Owner},
    budget::charge,
    calls::{CallAnswer, find_call, with_moment},
    elsewhere::{self, LENGTHS, VECS, found, is_among},
    find_hook,
    names::{did_you_mean, nearest},
    print_line,
};
use mlua::{Lua, LuaString, MultiValue, Result, Table, Value as LuaValue};

/// What it costs to make a text of a value, in operations.
const TO_TEXT: u64 = 8;

/// How many bytes of text are handled for one operation.
const BYTES_IN_ONE: usize = 64;

/// What the names of Luau, of other hosts and of other languages are answered with, which scripts do not have.
const ABSENT: &[(&str, &str)] = &[
    ("os", "scripts have no clock and no files; `world.time()` is the time of the level"),
    ("io", "scripts have no files; what outlives a run is kept with `world.keep`"),
    ("debug", "scripts have no `debug`; `print` shows values"),
    (
        "coroutine",
        "scripts have no coroutines, which cannot be saved; write a sequence, a function that waits, as in `wait(0.5)`, and \
         start it with `me.start(name)`",
    ),
    ("pcall xpcall", "scripts have no `pcall`: an error ends the hook and is reported"),
    ("load loadstring", "scripts cannot compile text; write a function"),
    ("dofile", "scripts have no files; take functions of other scripts with `require`"),
    ("getfenv setfenv", "all functions of a file share its environment; pass what they need"),
    ("collectgarbage gcinfo", "memory is collected between calls"),
    ("newproxy", "scripts cannot make new kinds of values; use a table with a metatable"),
    ("buffer", "scripts have no buffers; use a table of numbers"),
    ("utf8", "scripts have no `utf8`; text is bytes"),
    ("_G", "scripts share nothing; what an entity keeps is in `vars`, what others may know is sent with `world.emit`"),
    ("shared", "scripts share nothing; what an entity keeps is in `vars`"),
    ("_VERSION", "scripts are in Luau"),
    // Behaviors have them.
    (
        "wait wait_ticks wait_until wait_for",
        "a test does not wait; time passes with `t.run(seconds)` and `t.ticks(count)`",
    ),
    (
        "task await delay sleep set_timeout setTimeout",
        "write `wait(seconds)` in a hook or in a function that `me.start(name)` starts, or `me.after(seconds, name)`, which \
         calls `on_name` later",
    ),
    ("script", "there is no `script`; the entity is `me`, and its variables are in `vars`"),
    ("game", "there is no `game`; `world` has the level and `me` is the entity"),
    ("workspace", "there is no `workspace`; `world` has the level"),
    ("self", "there is no `self`; the entity is `me`, and its variables are in `vars`"),
    ("this", "there is no `this`; the entity's variables are in `vars`"),
    (VECS, "vecs are made with `vec(x, y)`"),
    ("Input", "what is held and pressed is asked for with `me.held(action)` and `me.pressed(action)`"),
    ("dt delta delta_time Time", "the time of a tick is `world.dt()`"),
    ("Math Mathf", "mathematics is in `math`, as in `math.sin(x)`"),
    ("console warn", "use `print(…)`"),
    ("btn btnp", "what is held and pressed is asked for with `me:held(action)` and `me:pressed(action)`"),
    ("spr sspr", "a kind's `sprite` is drawn by itself; `me:sprite(name, x, y, picture)` draws one more"),
    ("sfx music", "sounds are played with `world.sound(name)`, music with `world.music(name)`"),
    ("spawn", "entities are made with `world.create(kind, x, y)`; `me:start(name)` starts a sequence"),
    ("True TRUE", "write `true`"),
    ("False FALSE", "write `false`"),
    ("null NULL None undefined Nil", "write `nil`"),
    ("const let var", "variables are declared with `local`"),
    ("len", "the length of a list is `#list`"),
    ("PI pi", "write `math.pi`"),
    ("lerp", "write `a + (b - a) * share`"),
    ("love", "there is no `love`; the game calls hooks such as `on_tick(me)`, and `world`, `hud` and `me` draw"),
];

/// The message about a function that writes to a global.
pub(crate) fn forgotten(name: &str) -> String {
    if find_hook(name).is_some() {
        return format!("`{name}` is in another function; hooks are declared outside of all others");
    }
    if name == "vars" {
        return "`vars` cannot be replaced; set its entries, as in `vars.n = 1`".into();
    }
    format!(
        "`{name}` would be forgotten after this call; write `local {name}`, or `vars.{name}` for what the entity keeps"
    )
}

/// The message about a name that is declared nowhere.
pub(crate) fn unknown_global<'n>(name: &str, known: impl IntoIterator<Item = &'n str> + Clone) -> String {
    let elsewhere = || elsewhere::call(name, "", ApiSet::Behavior).filter(|_| nearest(name, known.clone()).is_none());
    let of_me = (Owner::Me, name, EntryKind::Function);
    match (found(name, ABSENT), elsewhere()) {
        (Some(instead), _) => instead.into(),
        (None, Some(right)) => format!("there is no `{name}`; use {}", in_lua(&right)),
        (None, None) if calls().map(|call| &call.entry).any(|it| (it.owner, it.name, it.kind) == of_me) => {
            format!("there is no `{name}`; write `me:{name}`")
        }
        (None, None) => {
            let in_module = calls().map(|call| &call.entry).find(|it| it.owner.is_module() && it.name == name);
            match (nearest(name, known), in_module) {
                (None, Some(entry)) => format!("there is no `{name}`; did you mean `{}.{name}()`?", entry.owner.name()),
                (right, _) => format!("there is no `{name}`{}", did_you_mean(right)),
            }
        }
    }
}

/// The libraries that scripts have.
pub(crate) const LIBRARIES: [&str; 4] = ["string", "table", "bit32", "math"];

/// The message about a name that a library does not have.
pub(crate) fn unknown_in_library<'n>(
    library: &str,
    name: &str,
    known: impl IntoIterator<Item = &'n str> + Clone,
) -> String {
    match library == "string" && is_among(name, LENGTHS) {
        true => format!("`string` has no `{name}`; the length of a text is `#text`"),
        false => unknown(&format!("`{library}`"), name, known),
    }
}

/// What all scripts can use.
pub(crate) fn fill_base(lua: &Lua, base: &Table, (bound, limits): (&Bound, &Limits)) -> Result<()> {
    let globals = lua.globals();
    for entry in limit_libraries(lua, &bound.host, limits)?.pairs::<LuaValue, LuaValue>() {
        let (name, value) = entry?;
        base.raw_set(name, value)?;
    }
    let kept = "assert getmetatable ipairs rawequal rawget rawlen rawset setmetatable tonumber type typeof";
    for name in kept.split(' ').chain(["bit32", "string", "table"]) {
        base.raw_set(name, globals.raw_get::<LuaValue>(name)?)?;
    }
    base.raw_set("math", &bound.math)?;
    for name in WAIT_CALLS {
        base.raw_set(name, bound.host.raw_get::<LuaValue>(name)?)?;
    }
    for name in LIBRARIES {
        let library = base.raw_get::<Table>(name)?;
        let meta = lua.create_table()?;
        let refuse = lua.create_function(move |_, (library, key): (Table, LuaValue)| {
            let known: Vec<String> =
                library.pairs::<String, LuaValue>().map(|entry| Ok(entry?.0)).collect::<Result<_>>()?;
            let key = key.to_string()?;
            Err::<(), _>(failed(unknown_in_library(name, &key, known.iter().map(String::as_str))))
        })?;
        meta.raw_set("__index", refuse)?;
        meta.raw_set("__metatable", name)?;
        library.set_metatable(Some(meta))?;
        library.set_readonly(true);
    }
    if let Some(texts) = lua.type_metatable::<LuaString>() {
        texts.raw_set("__metatable", "text")?;
        texts.set_readonly(true);
    }
    base.raw_set("vec", &bound.vec)?;
    let calls = limits.calls;
    let tostring = move |lua: &Lua, value: LuaValue| {
        // A text that is made by this function itself passes no point at which its depth is looked at.
        if lua.inspect_stack(calls + 1, |_| ()).is_some() {
            return Err(failed(too_deep(calls)));
        }
        let text = shown(&value)?;
        charge(TO_TEXT + (text.len() / BYTES_IN_ONE) as u64).map_err(refused)?;
        Ok(text)
    };
    base.raw_set("tostring", lua.create_function(tostring)?)?;
    let kinds = bound.kinds.clone();
    let print = lua.create_function(move |_, values: MultiValue| {
        let texts: Vec<String> = values.iter().map(|value| printed(value, &kinds)).collect::<Result<_>>()?;
        print_line(&texts.join(" "));
        Ok(())
    })?;
    base.raw_set("print", print)?;
    let meta = lua.create_table()?;
    let unknown_name = lua.create_function(|_, (base, name): (Table, LuaValue)| -> Result<LuaValue> {
        let name = name.to_string()?;
        // Before the first call there are no variables.
        if name == "vars" {
            return Err(failed("`vars` is there in hooks only, not at the top of a file"));
        }
        let known = base.pairs::<String, LuaValue>().filter_map(|entry| Some(entry.ok()?.0));
        let known: Vec<String> = known.filter(|name| !OWN_NAMES.contains(&name.as_str())).collect();
        Err(refused_name(&name, unknown_global(&name, known.iter().map(String::as_str))))
    })?;
    meta.raw_set("__index", unknown_name)?;
    base.set_metatable(Some(meta))
}

/// Makes library functions cost what they do, by `limits.luau`, and returns what scripts use in addition.
fn limit_libraries(lua: &Lua, host: &Table, limits: &Limits) -> Result<Table> {
    host.raw_set("charge", lua.create_function(|_, work: f64| charge(work as u64).map_err(refused))?)?;
    host.raw_set("shown", lua.create_function(|_, value: LuaValue| shown(&value))?)?;
    host.raw_set("bytes_in_one", BYTES_IN_ONE)?;
    host.raw_set("most_text", limits.string)?;
    host.raw_set("most_list", limits.array)?;
    host.raw_set("not_a_number", f64::NAN)?;
    let more: Table = lua.load(include_str!("limits.luau")).set_name(format!("={OWN_CHUNK}")).call(host)?;
    // Luau freezes no table with a protected metatable.
    for name in ["__join", "__power"] {
        more.raw_get::<Table>(name)?.set_readonly(true);
    }
    Ok(more)
}

/// The library `math`, with functions that are the same on every machine, and the entity's random stream.
pub(crate) fn mathematics(lua: &Lua) -> Result<Table> {
    let (math, of_luau) = (lua.create_table()?, lua.globals().raw_get::<Table>("math")?);
    for name in ["abs", "ceil", "clamp", "floor", "fmod", "huge", "max", "min", "modf", "pi", "round", "sign", "sqrt"] {
        math.raw_set(name, of_luau.raw_get::<LuaValue>(name)?)?;
    }
    type OfNumber = fn(f64) -> f64;
    let functions: [(&str, OfNumber); 12] = [
        ("sin", libm::sin),
        ("cos", libm::cos),
        ("tan", libm::tan),
        ("asin", libm::asin),
        ("acos", libm::acos),
        ("exp", libm::exp),
        ("sinh", libm::sinh),
        ("cosh", libm::cosh),
        ("tanh", libm::tanh),
        ("log10", libm::log10),
        ("deg", f64::to_degrees),
        ("rad", f64::to_radians),
    ];
    for (name, f) in functions {
        math.raw_set(name, lua.create_function(move |_, x: f64| Ok(f(x)))?)?;
    }
    math.raw_set("pow", lua.create_function(|_, (x, y): (f64, f64)| Ok(libm::pow(x, y)))?)?;
    let atan = |_: &Lua, (y, x): (f64, Option<f64>)| Ok(x.map_or_else(|| libm::atan(y), |x| libm::atan2(y, x)));
    math.raw_set("atan", lua.create_function(atan)?)?;
    math.raw_set("hypot", lua.create_function(|_, (x, y): (f64, f64)| Ok((x * x + y * y).sqrt()))?)?;
    math.raw_set("atan2", lua.create_function(|_, (y, x): (f64, f64)| Ok(libm::atan2(y, x)))?)?;
    let log = |_: &Lua, (x, base): (f64, Option<f64>)| {
        Ok(base.map_or_else(|| libm::log(x), |base| libm::log(x) / libm::log(base)))
    };
    math.raw_set("log", lua.create_function(log)?)?;
    math.raw_set("random", lua.create_function(|_, (low, high): (Option<f64>, Option<f64>)| random(low, high))?)?;
    Ok(math)
}

/// `math.random`: a number from 0 to 1, or a whole number in a range, from the entity's stream.
fn random(low: Option<f64>, high: Option<f64>) -> Result<f64> {
    let call = find_call(Owner::World, "random", 0).expect("a call of the table");
    let share = with_moment(|moment| match call.answer(moment, &[]) {
        Ok(CallAnswer::Number(share)) => Ok(share),
        Ok(_) => Ok(0.0),
        Err(refusal) => Err(refused(refusal)),
    })?;
    let (low, high) = match (low, high) {
        (None, _) => return Ok(share),
        (Some(high), None) => (1.0, high),
        (Some(low), Some(high)) => (low, high),
    };
    let (low, high) = (low.trunc(), high.trunc());
    if !(low <= high && high - low < 1e15) {
        return Err(failed(format!("`math.random` needs a range, not {low} to {high}")));
    }
    Ok(low + (share * (high - low + 1.0)).floor())
}
