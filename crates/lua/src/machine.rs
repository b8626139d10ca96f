//! A state of Luau in which the scripts of a revision are loaded, with its limits and what scripts cannot use.

use crate::binding::{Bound, bind};
use crate::expectations::{Unchecked, expect};
use crate::messages::{refused, refused_name};
use crate::objects::session_function;
use crate::rewrite::{FREEZE, OWN_NAMES, inserted, insertions, prefix};
use crate::scopes::{FileVariables, FunctionInText};
use crate::syntax::{longest_stretches, with_ending, words};
use crate::values::{of_about, of_plain, type_name};
use crate::vars::{LeftVars, LuaVars};
use hangtime_core::sim::Value;
use hangtime_script::api::Owner;
use hangtime_script::budget::charge;
use hangtime_script::calls::{Call, ForeignCalls, NotPlain, Object, find_call};
use hangtime_script::names::suggestion;
use hangtime_script::{About, BaseArgument, CallRefusal, Limits, SourceFile, Sources, import_keys, print_line};
use mlua::chunk::Compiler;
use mlua::{
    Error, Function, Lua, LuaOptions, LuaString, MultiValue, Result, StdLib, Table, Value as LuaValue, VmState,
};
use parking_lot::Mutex;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// The most bytes that a machine may use, in addition to what the operations of a call can make. So a call is out of
/// operations before it is out of memory, whatever earlier calls have left behind.
const MOST_MEMORY: usize = 64 << 20;
const MEMORY_OF_OPERATION: u64 = 1 << 10;
const MOST_MEMORY_OF_CALL: u64 = 1 << 30;

/// How many bytes calls leave behind before they are collected.
const COLLECT_AT: usize = 16 << 20;

/// How many words of a script run in the time of one operation.
const WORDS_IN_ONE: usize = 16;

/// What it costs to make a text of a value, in operations.
const TO_TEXT: u64 = 8;

/// How many bytes of text are handled for one operation.
const BYTES_IN_ONE: usize = 64;

/// After how many steps of a call it is looked at how deep its functions are nested, and memory is collected.
const DEPTH_AT: u64 = 16;
const COLLECT_AFTER: u64 = 1 << 17;

/// How many files may require each other in a row.
const MOST_OPEN: usize = 32;

/// The name of the chunks that are not of scripts.
pub(crate) const OWN_CHUNK: &str = "prelude";

thread_local! {
    /// What is charged at each point at which the running script is counted: at each turn of a loop, each call and each
    /// return.
    static STEP: Cell<u64> = const { Cell::new(1) };
    /// How many such points the call has passed.
    static PASSED: Cell<u64> = const { Cell::new(0) };
}

/// Counts the steps of a call, until it is dropped. Then the count of the outer call continues.
struct Steps {
    outside: (u64, u64),
}

impl Steps {
    fn begin(step: u64) -> Self {
        Self { outside: (STEP.replace(step), PASSED.replace(0)) }
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        STEP.set(self.outside.0);
        PASSED.set(self.outside.1);
    }
}

/// A script that was loaded.
pub(crate) struct LoadedScript {
    /// What it declares, read-only.
    env: Table,
    /// Whether it says `vars`.
    uses_vars: bool,
    /// What each point costs at which it is counted.
    step: u64,
    /// The names of the variables of the last call, and what hands over variables with these names.
    handover: RefCell<Option<(Vec<String>, Function)>>,
}

/// A state with all scripts of a revision.
pub(crate) struct Machine {
    lua: Lua,
    pub bound: Bound,
    base: Table,
    loaded: BTreeMap<String, Table>,
    known: Arc<Mutex<Known>>,
    /// How many bytes are in use when they are collected next.
    collect_at: Cell<usize>,
}

/// What may be held by what a script declares.
#[derive(Default)]
struct Known {
    /// The addresses of functions and tables that all scripts share.
    shared: BTreeSet<usize>,
    /// The functions in the texts of files.
    functions: BTreeMap<String, Vec<FunctionInText>>,
}

/// What the names of Luau that scripts do not have are answered with.
const ABSENT: [(&str, &str); 28] = [
    ("os", "scripts have no clock and no files; `world.time()` is the time of the level"),
    ("io", "scripts have no files; what outlives a run is kept with `world.keep`"),
    ("debug", "scripts have no `debug`; `print` shows values"),
    ("coroutine", "scripts have no coroutines, which cannot be saved; use `me.after(seconds, name)` and `on_…` hooks"),
    ("pcall", "scripts have no `pcall`: an error ends the hook and is reported"),
    ("xpcall", "scripts have no `xpcall`: an error ends the hook and is reported"),
    ("load", "scripts cannot compile text; write a function"),
    ("loadstring", "scripts cannot compile text; write a function"),
    ("dofile", "scripts have no files; take functions of other scripts with `require`"),
    ("getfenv", "functions have no environment of their own; pass what they need"),
    ("setfenv", "functions have no environment of their own; pass what they need"),
    ("collectgarbage", "memory is collected between calls"),
    ("gcinfo", "memory is collected between calls"),
    ("newproxy", "scripts make no values of their own kind; use a table with a metatable"),
    ("buffer", "scripts have no buffers; use a table of numbers"),
    ("utf8", "scripts have no `utf8`; text is bytes"),
    ("vector", "vecs are made with `vec(x, y)`"),
    ("_G", "scripts share nothing; what an entity keeps is in `vars`, what others may know is sent with `world.emit`"),
    ("shared", "scripts share nothing; what an entity keeps is in `vars`"),
    ("_VERSION", "scripts are in Luau"),
    ("wait", "a hook ends in its tick; use `me.after(seconds, name)`, which calls `on_name` later"),
    ("task", "a hook ends in its tick; use `me.after(seconds, name)`, which calls `on_name` later"),
    ("delay", "use `me.after(seconds, name)`, which calls `on_name` later"),
    ("script", "there is no `script`; the entity is `me`, and its variables are in `vars`"),
    ("game", "there is no `game`; `world` has the level and `me` is the entity"),
    ("workspace", "there is no `workspace`; `world` has the level"),
    ("self", "there is no `self`; the entity is `me`, and its variables are in `vars`"),
    ("Vector2", "vecs are made with `vec(x, y)`"),
];

/// The message about a function that writes to a global.
pub(crate) fn forgotten(name: &str) -> String {
    format!(
        "`{name}` would be forgotten after this call; write `local {name}`, or `vars.{name}` for what the entity keeps"
    )
}

/// What to use instead of a name of Luau, or of another host, that scripts do not have.
pub(crate) fn instead_of(name: &str) -> Option<&'static str> {
    ABSENT.iter().find(|(absent, _)| *absent == name).map(|(_, instead)| *instead)
}

impl Machine {
    /// A machine for behaviors, without scripts.
    pub fn new(limits: &Limits) -> Result<Self> {
        Self::with((&[], limits), |_, base, bound| {
            base.raw_set("world", &bound.world)?;
            base.raw_set("hud", &bound.hud)
        })
    }

    /// A machine for a test script, with these calls. Expectations that compare nothing are recorded.
    pub fn for_tests(foreign: &ForeignCalls, unchecked: &Unchecked) -> Result<Self> {
        Self::with((foreign.calls, &Limits::of_tests()), |lua, base, bound| {
            base.raw_set("expect", expect(lua, &bound.kinds, unchecked)?)?;
            let mut named: BTreeMap<&str, Vec<&'static Call<Object>>> = BTreeMap::new();
            for call in foreign.calls.iter().filter(|call| call.entry.owner == Owner::Free) {
                named.entry(call.entry.name).or_default().push(call);
            }
            for (name, calls) in named {
                base.raw_set(name, session_function(lua, calls, foreign.session.clone(), &bound.kinds)?)?;
            }
            Ok(())
        })
    }

    /// A machine with the calls of `foreign`, and what `add` adds to the globals.
    fn with(
        (foreign, limits): (&'static [Call<Object>], &Limits),
        add: impl FnOnce(&Lua, &Table, &Bound) -> Result<()>,
    ) -> Result<Self> {
        let lua = Lua::new_with(StdLib::TABLE | StdLib::STRING | StdLib::MATH | StdLib::BIT, LuaOptions::new())?;
        let bound = bind(&lua, foreign)?;
        let base = lua.create_table()?;
        fill_base(&lua, &base, (&bound, limits))?;
        add(&lua, &base, &bound)?;
        let mut known = Known::default();
        known.shared.extend(bound.kinds.metatables);
        each_inside(LuaValue::Table(base.clone()), |value| Ok(known.shared.insert(value.to_pointer() as usize)))?;
        base.set_readonly(true);
        let operations = (limits.operations * MEMORY_OF_OPERATION).min(MOST_MEMORY_OF_CALL);
        lua.set_memory_limit(MOST_MEMORY + operations as usize)?;
        let calls = limits.calls;
        lua.set_interrupt(move |lua| {
            let passed = PASSED.get() + 1;
            PASSED.set(passed);
            if passed.is_multiple_of(DEPTH_AT) {
                // The hook itself and what hands over its variables are not counted.
                if lua.inspect_stack(calls + 2, |_| ()).is_some() {
                    return Err(refused_here(lua, &too_deep(calls)));
                }
                if passed.is_multiple_of(COLLECT_AFTER) {
                    collect(lua)?;
                }
            }
            charge(STEP.get()).map_err(|refusal| refused_here(lua, &refusal.to_string()))?;
            Ok(VmState::Continue)
        });
        // What is collected in a call must not depend on the calls before it: weak tables show it.
        lua.gc_stop();
        Ok(Self {
            lua,
            bound,
            base,
            loaded: BTreeMap::new(),
            known: Arc::new(Mutex::new(known)),
            collect_at: Cell::new(COLLECT_AT),
        })
    }

    /// Frees what calls have left behind, if it is much.
    pub fn collect(&self) -> Result<()> {
        if self.lua.used_memory() < self.collect_at.get() {
            return Ok(());
        }
        collect(&self.lua)?;
        self.collect_at.set(COLLECT_AT.max(self.lua.used_memory() * 2));
        Ok(())
    }

    /// Runs the top level of a file, and of those that it requires. If it `lasts`, what it declares is frozen.
    pub fn load(&mut self, (file, sources): (&Arc<SourceFile>, &Arc<Sources>), lasts: bool) -> Result<LoadedScript> {
        let words = words(&file.text);
        let env = self.environment()?;
        let open = Rc::new(RefCell::new(vec![file.name.clone()]));
        self.run_file((file, sources, lasts), &env, &open)?;
        env.set_readonly(true);
        let step = step_of(longest_stretches(&words)[1]);
        let uses_vars = words.iter().any(|word| word.is_name("vars"));
        Ok(LoadedScript { env, uses_vars, step, handover: RefCell::default() })
    }

    /// The names that all scripts can use.
    pub fn globals(&self) -> impl Iterator<Item = String> {
        self.base.pairs::<String, LuaValue>().filter_map(|entry| Some(entry.ok()?.0))
    }

    /// The globals of a file.
    fn environment(&self) -> Result<Table> {
        let env = self.lua.create_table()?;
        let meta = self.lua.create_table()?;
        meta.raw_set("__index", &self.base)?;
        env.set_metatable(Some(meta))?;
        Ok(env)
    }

    fn run_file(
        &mut self,
        (file, sources, lasts): (&Arc<SourceFile>, &Arc<Sources>, bool),
        env: &Table,
        open: &Rc<RefCell<Vec<String>>>,
    ) -> Result<LuaValue> {
        for path in crate::syntax::required(&file.text) {
            let found = import_keys(&file.name, &with_ending(&path)).find_map(|key| Some((sources.get(&key)?, key)));
            let Some((required, key)) = found else {
                let near = suggestion(&path, sources.keys().map(String::as_str));
                return Err(refused(CallRefusal::Message(format!("there is no `{path}` to require{near}").into())));
            };
            if open.borrow().contains(&required.name) {
                let circle = [open.borrow().as_slice(), std::slice::from_ref(&required.name)]
                    .concat()
                    .join(" requires ");
                return Err(refused(CallRefusal::Message(format!("a circle: {circle}").into())));
            }
            if self.loaded.contains_key(&key) {
                continue;
            }
            if open.borrow().len() >= MOST_OPEN {
                let why = format!("more than {MOST_OPEN} files require each other in a row");
                return Err(refused(CallRefusal::Message(why.into())));
            }
            open.borrow_mut().push(required.name.clone());
            let own = self.environment()?;
            let value = self.run_file((required, sources, true), &own, open)?;
            open.borrow_mut().pop();
            own.set_readonly(true);
            let LuaValue::Table(module) = value else {
                let why = format!("{} returns no table; end it with `return` and a table of functions", required.name);
                return Err(refused(CallRefusal::Message(why.into())));
            };
            self.loaded.insert(key, module);
        }
        let modules: BTreeMap<String, Table> = self.loaded.clone();
        let name = file.name.clone();
        let require = self.lua.create_function(move |_, path: String| {
            let mut keys = import_keys(&name, &with_ending(&path));
            match keys.find_map(|key| modules.get(&key)) {
                Some(module) => Ok(module.clone()),
                None => {
                    let why =
                        format!("`require({path:?})` is not found; write the path as text, at the top of the file");
                    Err(refused(CallRefusal::Message(why.into())))
                }
            }
        })?;
        env.raw_set("require", require)?;
        let compiler = Compiler::new()
            .set_optimization_level(1)
            .set_debug_level(1)
            .set_disabled_builtins(DISABLED_BUILTINS.map(|name| format!("math.{name}")));
        let words = words(&file.text);
        let mut changes = insertions(&words);
        changes.push(prefix());
        if lasts {
            let variables = FileVariables::of(&file.text);
            changes.extend(variables.freezing(&file.text, FREEZE));
            self.known.lock().functions.insert(file.name.clone(), variables.functions);
        }
        let text = inserted(&file.text, changes);
        let chunk = self.lua.load(text).set_name(format!("={}", file.name)).set_compiler(compiler);
        let known = self.known.clone();
        env.raw_set(
            FREEZE,
            self.lua.create_function(move |_, values: MultiValue| {
                values.into_iter().try_for_each(|value| freeze(value, &known.lock()))
            })?,
        )?;
        let value: LuaValue = {
            let _steps = Steps::begin(step_of(longest_stretches(&words)[0]));
            charge((words.len() / WORDS_IN_ONE) as u64).map_err(refused)?;
            chunk.set_environment(env.clone()).call(())?
        };
        for name in ["require", FREEZE] {
            env.raw_set(name, LuaValue::Nil)?;
        }
        let refuse_globals =
            self.lua.create_function(|_, (_, name, _): (Table, LuaValue, LuaValue)| -> Result<()> {
                let name = name.to_string()?;
                let why = forgotten(&name);
                Err(refused(CallRefusal::Message(why.into())))
            })?;
        if let Some(meta) = env.metatable() {
            meta.raw_set("__newindex", refuse_globals)?;
        }
        if lasts {
            freeze(value.clone(), &self.known.lock())?;
            for entry in env.pairs::<LuaValue, LuaValue>() {
                freeze(entry?.1, &self.known.lock())?;
            }
        }
        Ok(value)
    }

    /// Adds a global to a script.
    pub fn declare(script: &LoadedScript, name: &str, value: Table) -> Result<()> {
        script.env.set_readonly(false);
        script.env.raw_set(name, value)?;
        script.env.set_readonly(true);
        Ok(())
    }

    /// A table for scripts.
    pub fn table(&self) -> Result<Table> {
        self.lua.create_table()
    }

    /// A function for scripts.
    pub fn native(
        &self,
        run: impl Fn(&Lua, MultiValue) -> Result<LuaValue> + mlua::MaybeSend + 'static,
    ) -> Result<Function> {
        self.lua.create_function(run)
    }

    /// The function of a script with this name.
    pub fn function(&self, script: &LoadedScript, name: &str) -> Option<Function> {
        script.env.raw_get::<Option<Function>>(name).ok().flatten()
    }

    /// The functions that a script declares, by name.
    pub fn functions(&self, script: &LoadedScript) -> Result<BTreeMap<String, Function>> {
        let mut found = BTreeMap::new();
        for entry in script.env.pairs::<LuaValue, LuaValue>() {
            if let (LuaValue::String(name), LuaValue::Function(function)) = entry? {
                found.insert(name.to_str()?.to_string(), function);
            }
        }
        Ok(found)
    }

    /// Calls a function of a script with `me`, what else it receives, and the variables of an entity, which take what the
    /// call leaves. Returns its value, and whether the variables could be taken.
    pub fn call(
        &self,
        (script, function): (&LoadedScript, &Function),
        about: Option<&About<'_>>,
        (vars, limits): (&mut LuaVars, &Limits),
    ) -> Result<(LuaValue, std::result::Result<(), NotPlain>)> {
        let _steps = Steps::begin(script.step);
        let (lua, kinds) = (&self.lua, &self.bound.kinds);
        let about = about.map_or(Ok(LuaValue::Nil), |about| of_about(lua, kinds, about))?;
        if !script.uses_vars {
            let value = if about.is_nil() {
                function.call(&self.bound.me)?
            } else {
                function.call((&self.bound.me, about))?
            };
            return Ok((value, Ok(())));
        }
        let handover = self.handover(script, &vars.0)?;
        let mut arguments = MultiValue::with_capacity(3 + vars.0.len());
        arguments.push_back(LuaValue::Function(function.clone()));
        arguments.push_back(LuaValue::Table(self.bound.me.clone()));
        arguments.push_back(about);
        if vars.0.len() > MOST_SEPARATE {
            arguments.push_back(of_plain(lua, kinds, &Value::Map(vars.0.clone()))?);
        } else {
            for value in vars.0.values() {
                arguments.push_back(of_plain(lua, kinds, value)?);
            }
        }
        // What hands the variables over makes it read-only again.
        script.env.set_readonly(false);
        let results = handover.call::<MultiValue>(arguments);
        script.env.set_readonly(true);
        let results: Vec<LuaValue> = results?.into_vec();
        let [value, count, LuaValue::Table(table), same @ ..] = &results[..] else {
            return Ok((LuaValue::Nil, Ok(())));
        };
        let there = vars.0.values().filter(|value| !value.is_unit()).count();
        let counts_match = count.as_usize() == Some(there) && same.len() == vars.0.len();
        let all_there = vars.0.values().zip(same).all(|(before, now)| before.is_unit() == now.is_nil());
        let left = match counts_match && all_there {
            true => LeftVars::Same(same),
            false => LeftVars::Table(table.clone()),
        };
        let kept = vars.take(left, (kinds, limits));
        Ok((value.clone(), kept))
    }

    /// Arguments from another language, or from a script above in this one.
    pub fn arguments(&self, arguments: &[BaseArgument]) -> Result<MultiValue> {
        let value = |argument: &BaseArgument| match argument {
            BaseArgument::Me => Ok(LuaValue::Table(self.bound.me.clone())),
            BaseArgument::Data(data) => of_plain(&self.lua, &self.bound.kinds, data),
        };
        arguments.iter().map(value).collect()
    }

    /// Calls a function of a test script.
    pub fn call_function(&self, (script, name): (&LoadedScript, &str), arguments: &[Value]) -> Result<LuaValue> {
        let _steps = Steps::begin(script.step);
        let arguments = arguments.iter().map(|value| of_plain(&self.lua, &self.bound.kinds, value));
        let arguments: MultiValue = arguments.collect::<Result<_>>()?;
        script.env.raw_get::<Function>(name)?.call(arguments)
    }

    /// The function that makes the table of variables with these names, calls a hook and answers what it leaves: its value,
    /// the number of variables, their table, and the value of each. One call of Luau takes the place of one for each
    /// variable.
    fn handover(&self, script: &LoadedScript, vars: &BTreeMap<String, Value>) -> Result<Function> {
        let mut known = script.handover.borrow_mut();
        if let Some((names, function)) = &*known
            && names.iter().eq(vars.keys())
        {
            return Ok(function.clone());
        }
        let names: Vec<String> = vars.keys().cloned().collect();
        // Whether a machine has made it already must not be seen.
        let _steps = Steps::begin(0);
        let text = handover_text(&names);
        let natives = self.lua.globals();
        let (freeze, rawset) = (natives.raw_get::<Table>("table")?.raw_get("freeze")?, natives.raw_get("rawset")?);
        let (freeze, rawset): (Function, Function) = (freeze, rawset);
        let chunk = self.lua.load(text).set_name(format!("={OWN_CHUNK}"));
        let function: Function = chunk.call((&script.env, freeze, rawset))?;
        *known = Some((names, function.clone()));
        Ok(function)
    }
}

/// The most variables that are handed over one by one: Luau's functions have at most 200 locals.
const MOST_SEPARATE: usize = 100;

/// The text of what hands over variables with these names.
fn handover_text(names: &[String]) -> String {
    let separate = names.len() <= MOST_SEPARATE;
    let names = if separate { names } else { &[] };
    let each = |write: &dyn Fn(usize, &String) -> String| {
        names.iter().enumerate().map(|(place, name)| write(place, name)).collect::<String>()
    };
    let parameters = each(&|place, _| format!(", v{place}"));
    let fields = each(&|place, name| format!("[{}] = v{place}, ", quoted(name)));
    let values = each(&|_, name| format!(", vars[{}]", quoted(name)));
    let (parameters, vars) = match separate {
        true => (parameters, format!("{{ {fields} }}")),
        false => (", given".into(), "given".into()),
    };
    format!(
        "local env, freeze, rawset = ...
         return function(hook, me, about{parameters})
             local vars = {vars}
             rawset(env, 'vars', vars)
             freeze(env)
             local value
             if about == nil then value = hook(me) else value = hook(me, about) end
             local left = 0
             for _ in vars do left += 1 end
             return value, left, vars{values}
         end"
    )
}

/// A text as a constant of Luau.
fn quoted(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b' ' => char::from(byte).to_string(),
        other => format!("\\{other:03}"),
    };
    format!("\"{}\"", text.bytes().map(byte).collect::<String>())
}

/// What is charged at each point at which a script is counted between which this many words run.
fn step_of(stretch: usize) -> u64 {
    1 + (stretch / WORDS_IN_ONE) as u64
}

fn too_deep(calls: usize) -> String {
    format!("calls are nested more than {calls} deep; is there an infinite recursion?")
}

/// Frees what is not used.
fn collect(lua: &Lua) -> Result<()> {
    lua.gc_collect()?;
    lua.gc_stop();
    Ok(())
}

/// A refusal that says in which line of a script it was made: from where scripts are counted, Luau does not.
fn refused_here(lua: &Lua, why: &str) -> Error {
    let place = (0..8).find_map(|level| {
        let line = lua.inspect_stack(level, |frame| {
            let source = frame.source();
            let name = source.short_src.filter(|name| *name != OWN_CHUNK && *name != "[C]")?;
            Some(format!("{name}:{}: {why}", frame.current_line()?))
        });
        line.flatten()
    });
    refused(CallRefusal::Message(place.unwrap_or_else(|| why.to_string()).into()))
}

/// Functions of mathematics whose last bits depend on the platform, which ours replace.
const DISABLED_BUILTINS: [&str; 13] =
    ["sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log", "log10", "pow", "sinh", "cosh"];

/// What all scripts can use.
fn fill_base(lua: &Lua, base: &Table, (bound, limits): (&Bound, &Limits)) -> Result<()> {
    let globals = lua.globals();
    for entry in limit_libraries(lua, limits)?.pairs::<LuaValue, LuaValue>() {
        let (name, value) = entry?;
        base.raw_set(name, value)?;
    }
    let kept = [
        "assert",
        "getmetatable",
        "ipairs",
        "rawequal",
        "rawget",
        "rawlen",
        "rawset",
        "setmetatable",
        "tonumber",
        "type",
        "typeof",
        "bit32",
        "string",
        "table",
    ];
    for name in kept {
        base.raw_set(name, globals.raw_get::<LuaValue>(name)?)?;
    }
    base.raw_set("math", mathematics(lua, &globals.raw_get::<Table>("math")?)?)?;
    for name in ["string", "table", "bit32", "math"] {
        base.raw_get::<Table>(name)?.set_readonly(true);
    }
    if let Some(texts) = lua.type_metatable::<LuaString>() {
        texts.raw_set("__metatable", "text")?;
        texts.set_readonly(true);
    }
    base.raw_set("vec", &bound.vec)?;
    let calls = limits.calls;
    let tostring = move |lua: &Lua, value: LuaValue| {
        // A text that is made by this function itself passes no point at which its depth is looked at.
        if lua.inspect_stack(calls + 2, |_| ()).is_some() {
            return Err(refused(CallRefusal::Message(too_deep(calls).into())));
        }
        let text = shown(&value)?;
        charge(TO_TEXT + (text.len() / BYTES_IN_ONE) as u64).map_err(refused)?;
        Ok(text)
    };
    base.raw_set("tostring", lua.create_function(tostring)?)?;
    let print = lua.create_function(|_, values: MultiValue| {
        let texts: Vec<String> = values.iter().map(shown).collect::<Result<_>>()?;
        print_line(&texts.join(" "));
        Ok(())
    })?;
    base.raw_set("print", print)?;
    let meta = lua.create_table()?;
    let unknown = lua.create_function(|_, (base, name): (Table, LuaValue)| -> Result<LuaValue> {
        let name = name.to_string()?;
        if let Some(instead) = instead_of(&name) {
            return Err(refused_name(&name, instead));
        }
        // Before the first call there are no variables.
        if name == "vars" {
            return Err(refused(CallRefusal::Message(
                "`vars` is there in hooks only, not at the top of a file".into(),
            )));
        }
        let known = base.pairs::<String, LuaValue>().filter_map(|entry| Some(entry.ok()?.0));
        let known: Vec<String> = known.filter(|name| !OWN_NAMES.contains(&name.as_str())).collect();
        let near = suggestion(&name, known.iter().map(String::as_str));
        Err(refused(CallRefusal::Message(format!("there is no `{name}`{near}").into())))
    })?;
    meta.raw_set("__index", unknown)?;
    base.set_metatable(Some(meta))
}

/// Makes library functions cost what they do, by `limits.luau`, and returns what scripts use in addition.
fn limit_libraries(lua: &Lua, limits: &Limits) -> Result<Table> {
    let host = lua.create_table()?;
    host.raw_set("charge", lua.create_function(|_, work: f64| charge(work as u64).map_err(refused))?)?;
    host.raw_set(
        "refuse",
        lua.create_function(|_, why: String| -> Result<()> { Err(refused(CallRefusal::Message(why.into()))) })?,
    )?;
    host.raw_set("show", lua.create_function(|_, value: LuaValue| Ok(type_name(&value)))?)?;
    host.raw_set("shown", lua.create_function(|_, value: LuaValue| shown(&value))?)?;
    host.raw_set("bytes_in_one", BYTES_IN_ONE)?;
    host.raw_set("most_text", limits.string)?;
    host.raw_set("most_list", limits.array)?;
    host.raw_set("not_a_number", f64::NAN)?;
    let more: Table = lua.load(include_str!("limits.luau")).set_name(format!("={OWN_CHUNK}")).call(host)?;
    // Luau freezes no table with a protected metatable.
    for side in ["__join", "__waiting"] {
        more.raw_get::<Table>(side)?.set_readonly(true);
    }
    more.raw_set("__waiting", LuaValue::Nil)?;
    Ok(more)
}

/// A value as text. Tables and functions have no address in it, which differs from run to run.
fn shown(value: &LuaValue) -> Result<String> {
    Ok(match value {
        LuaValue::Table(table) => match table.metatable().map(|meta| meta.raw_get("__tostring")) {
            Some(Ok(LuaValue::Function(_))) => value.to_string()?,
            _ => "a table".into(),
        },
        LuaValue::Function(_) | LuaValue::Thread(_) => type_name(value).into(),
        LuaValue::UserData(_) if type_name(value) != "an entity" => type_name(value).into(),
        other => other.to_string()?,
    })
}

/// The library `math`, with functions that are the same on every machine, and the entity's random stream.
fn mathematics(lua: &Lua, of_luau: &Table) -> Result<Table> {
    let math = lua.create_table()?;
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
    let share = hangtime_script::calls::with_moment(|moment| match call.answer(moment, &[]) {
        Ok(hangtime_script::calls::CallAnswer::Number(share)) => Ok(share),
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
        return Err(refused(CallRefusal::Message(format!("`math.random` needs a range, not {low} to {high}").into())));
    }
    Ok(low + (share * (high - low + 1.0)).floor())
}

/// Makes all tables in a value read-only, and checks its functions. What functions made by another one remember, and
/// where an iterator is, would be hidden state, which is not saved.
fn freeze(value: LuaValue, known: &Known) -> Result<()> {
    let mut seen = BTreeSet::new();
    each_inside(value, |value| {
        let address = value.to_pointer() as usize;
        if known.shared.contains(&address) || !seen.insert(address) {
            return Ok(false);
        }
        match value {
            LuaValue::Table(table) => table.set_readonly(true),
            LuaValue::Function(function) => check_function(function, known)?,
            _ => {}
        }
        Ok(true)
    })
}

fn check_function(function: &Function, known: &Known) -> Result<()> {
    let info = function.info();
    let file = info.short_src.unwrap_or_default();
    let line = info.line_defined.unwrap_or(0);
    let is_it = |other: &&FunctionInText| other.line == line && other.name == info.name;
    let Some(functions) = known.functions.get(&file) else {
        let why =
            "a file cannot keep a function that another one has made, as it may remember something that is not saved";
        return Err(refused(CallRefusal::Message(why.into())));
    };
    let mut found = functions.iter().filter(is_it).peekable();
    if found.peek().is_some() && found.all(|function| !function.is_inner) {
        return Ok(());
    }
    let why = format!(
        "{file}:{line}: a function that was made by another one while the file was loaded may remember something that is \
         not saved; declare it at the top of the file"
    );
    Err(refused(CallRefusal::Message(why.into())))
}

/// Visits a value and what it holds, keys and metatables included, as long as `visit` answers yes: without recursion,
/// since scripts nest tables as deep as they like.
fn each_inside(value: LuaValue, mut visit: impl FnMut(&LuaValue) -> Result<bool>) -> Result<()> {
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        if !matches!(value, LuaValue::Table(_) | LuaValue::Function(_)) || !visit(&value)? {
            continue;
        }
        if let LuaValue::Table(table) = &value {
            for entry in table.pairs::<LuaValue, LuaValue>() {
                let (key, held) = entry?;
                left.extend([key, held]);
            }
            left.extend(table.metatable().map(LuaValue::Table));
        }
    }
    Ok(())
}
