//! A state of Luau in which the scripts of a revision are loaded, with its limits.

use crate::{
    binding::{Bound, OWN_CHUNK, bind},
    carry::{CarriedFunction, NamedVars},
    expectations::{IdleExpectations, expect},
    globals::{LIBRARIES, fill_base, forgotten},
    messages::{failed, place_in_line, placed, refused},
    objects::session_function,
    reach::{Reach, each_reach},
    scopes::{FileVariables, OWN_NAMES},
    sequences::{CutText, cut, imported_wait},
    syntax::{LuaWord, longest_stretches, required, with_ending, words},
    values::{map_of, of_about, of_plain},
    vars::{named_members, take_all},
};
use hangtime_core::sim::{Value, Vars};
use hangtime_script::{
    About, BaseArgument, Diagnostic, Limits, LineCosts, MOST_SOURCE, Place, SourceFile, Sources,
    api::Owner,
    budget::{charge, charged},
    calls::{Call, ForeignCalls, NotPlain, Object},
    import_keys,
    names::suggestion,
};
use mlua::{
    Error, Function, Lua, LuaOptions, MultiValue, Result, StdLib, Table, Value as LuaValue, VmState, chunk::Compiler,
};
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The most bytes that a machine may use, in addition to what the operations of a call can make. So a call is out of
/// operations before it is out of memory, whatever earlier calls have left behind.
const MOST_MEMORY: usize = 64 << 20;
const MEMORY_OF_OPERATION: u64 = 1 << 10;
const MOST_MEMORY_OF_CALL: u64 = 1 << 30;

/// How many bytes calls leave behind before they are collected.
const COLLECT_AT: usize = 16 << 20;

/// How many words of a script run in the time of one operation.
const WORDS_IN_ONE: usize = 16;

/// After how many steps of a call it is looked at how deep its functions are nested, and memory is collected.
const DEPTH_AT: u64 = 16;
const COLLECT_AFTER: u64 = 1 << 17;

/// How many files may require each other in a row.
const MOST_OPEN: usize = 32;

thread_local! {
    /// What is charged at each point at which the running script is counted: at each turn of a loop, each call and each
    /// return.
    static STEP: Cell<u64> = const { Cell::new(1) };
    /// How many such points the call has passed.
    static PASSED: Cell<u64> = const { Cell::new(0) };
    /// What the lines of a file use in the call.
    static LINES: RefCell<Option<SampledLines>> = const { RefCell::new(None) };
}

/// At each of how many points it is looked at in which line a call is: a prime, so that loops do not keep step with it.
const SAMPLE_EACH: u64 = 31;

struct SampledLines {
    costs: LineCosts,
    file: String,
}

/// Looks in which line a call is at this point, for what it uses up to the next one.
#[cold]
fn sample(lua: &Lua, passed: u64) {
    LINES.with_borrow_mut(|lines| match (lines, passed % SAMPLE_EACH) {
        (Some(lines), 1) => lines.costs.pass(0, charged()),
        (lines, 0) => {
            if let Some((file, line)) = line_here(lua) {
                let lines =
                    lines.get_or_insert_with(|| SampledLines { costs: LineCosts::default(), file: file.clone() });
                lines.costs.skip(charged());
                lines.costs.pass(if lines.file == file { line } else { 0 }, charged());
            }
        }
        _ => {}
    });
}

/// Adds to the message about the last call, if it was stopped, which of its lines have used most.
pub(crate) fn explain_lines(wrong: Diagnostic) -> Diagnostic {
    let lines = LINES
        .take()
        .filter(|lines| wrong.place.as_ref().is_some_and(|place| place.file.name == lines.file));
    match lines {
        Some(lines) => lines.costs.explain(wrong),
        None => wrong,
    }
}

/// Counts the steps of a call, until it is dropped. Then the count of the outer call continues.
struct Steps {
    outside: (u64, u64),
}

impl Steps {
    fn begin(step: u64) -> Self {
        LINES.take();
        Self { outside: (STEP.replace(step), PASSED.replace(0)) }
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        STEP.set(self.outside.0);
        PASSED.set(self.outside.1);
    }
}

/// The most variables that are passed one by one; a script that names more gets all.
const MOST_NAMED: usize = 64;

/// A script that was loaded.
pub(crate) struct LoadedScript {
    /// What it declares, read-only.
    env: Table,
    /// What it finds in addition, behind what it declares: `vars` and `base`.
    given: Table,
    /// The names that it declares with `local`, which are not seen from outside.
    own: BTreeSet<String>,
    /// The variables that it names, as in `vars.n`; none if it uses `vars` in another way.
    named: Option<NamedVars>,
    /// What each of its functions reaches; for others, what any may.
    reach: (BTreeMap<String, Reach>, Reach),
    /// Functions that scripts above it have called.
    called: BTreeMap<String, CarriedFunction>,
    /// What each point costs at which it is counted.
    step: u64,
}

/// A hook of a script.
pub(crate) struct LoadedHook {
    function: CarriedFunction,
    /// The fields that it reads of what it is called about; none if it may read all.
    fields: Option<BTreeSet<String>>,
    /// Whether it may look at `me`, or make a call that does.
    pub observes: bool,
}

/// What a call answers, and whether the variables could take what it has left.
type CallResult = (LuaValue, std::result::Result<(), NotPlain>);

impl LoadedScript {
    /// Gives it a global.
    pub fn give(&self, name: &str, value: &Table) -> Result<()> {
        self.given.raw_set(name, value)
    }

    fn reach_of(&self, name: &str) -> &Reach {
        self.reach.0.get(name).unwrap_or(&self.reach.1)
    }

    /// The functions that it declares for others, by name.
    pub fn functions(&self) -> Result<BTreeMap<String, Function>> {
        let mut found = BTreeMap::new();
        for entry in self.env.pairs::<LuaValue, LuaValue>() {
            if let (LuaValue::String(name), LuaValue::Function(function)) = entry? {
                found.insert(name.to_str()?.to_string(), function);
            }
        }
        found.retain(|name, _| !self.own.contains(name));
        Ok(found)
    }
}

/// A state with all scripts of a revision.
pub(crate) struct LuaMachine {
    pub lua: Lua,
    pub bound: Bound,
    base: Table,
    /// What is returned by the files that others require.
    modules: BTreeMap<String, Table>,
    /// The addresses of functions and tables that all scripts share.
    shared: BTreeSet<usize>,
    /// How many bytes are in use when they are collected next.
    collect_at: Cell<usize>,
}

impl LuaMachine {
    /// A machine for behaviors, without scripts.
    pub fn new(limits: &Limits) -> Result<Self> {
        Self::with((&[], limits), |_, base, bound| {
            let mut modules = Owner::MODULES.iter().zip(&bound.modules);
            modules.try_for_each(|(owner, module)| base.raw_set(owner.name(), module))
        })
    }

    /// A machine for a test script, with these calls. Expectations that compare nothing are recorded.
    pub fn for_tests(foreign: &ForeignCalls, unchecked: &IdleExpectations) -> Result<Self> {
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
        let lua = Lua::new_with(
            StdLib::TABLE | StdLib::STRING | StdLib::MATH | StdLib::BIT | StdLib::BUFFER,
            LuaOptions::new(),
        )?;
        let bound = bind(&lua, foreign)?;
        let base = lua.create_table()?;
        fill_base(&lua, &base, (&bound, limits))?;
        add(&lua, &base, &bound)?;
        let mut shared = BTreeSet::from(bound.kinds.metatables);
        each_inside(LuaValue::Table(base.clone()), |value| Ok(shared.insert(value.to_pointer() as usize)))?;
        base.set_readonly(true);
        let operations = (limits.operations * MEMORY_OF_OPERATION).min(MOST_MEMORY_OF_CALL);
        let (most_memory, calls) = (MOST_MEMORY + operations as usize, limits.calls);
        lua.set_interrupt(move |lua| {
            let passed = PASSED.get() + 1;
            PASSED.set(passed);
            if passed.is_multiple_of(DEPTH_AT) {
                // The hook itself is not counted.
                if lua.inspect_stack(calls + 1, |_| ()).is_some() {
                    return Err(failed_here(lua, &too_deep(calls)));
                }
                if passed.is_multiple_of(COLLECT_AFTER) {
                    collect(lua)?;
                }
                // A limit of Luau's own would make every access to a value a protected call.
                if lua.used_memory() > most_memory {
                    return Err(Error::MemoryError("this script uses too much memory".into()));
                }
            }
            if passed >= SAMPLE_EACH && passed % SAMPLE_EACH < 2 {
                sample(lua, passed);
            }
            charge(STEP.get()).map_err(|refusal| failed_here(lua, &refusal.to_string()))?;
            Ok(VmState::Continue)
        });
        // What is collected in a call must not depend on the calls before it: weak tables show it.
        lua.gc_stop();
        Ok(Self { lua, bound, base, modules: BTreeMap::new(), shared, collect_at: Cell::new(COLLECT_AT) })
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
    pub fn load(&mut self, (file, sources): (&Arc<SourceFile>, &Sources), lasts: bool) -> Result<LoadedScript> {
        let cut = if lasts { cut(file) } else { Ok(CutText::default()) };
        let cut = cut.map_err(|mut wrong| placed(wrong.swap_remove(0)))?.text;
        let words = words(cut.as_ref().unwrap_or(&file.text));
        let (env, variables, _) =
            self.run_file((file, cut.as_deref(), lasts), sources, &mut vec![file.name.clone()])?;
        let step = step_of(longest_stretches(&words)[1]);
        let named = named_members(&words, "vars").filter(|named| lasts && named.len() <= MOST_NAMED);
        let named = named
            .map(|names| self.lua.create_table().map(|table| NamedVars { names, table }))
            .transpose()?;
        // No hooks of a test are called.
        let reach = match lasts {
            true => each_reach(file, (&words, cut.as_ref().unwrap_or(&file.text)), (&env, &self.bound))?,
            false => Default::default(),
        };
        let meta = env.metatable().expect("a file has one");
        let given: Table = meta.raw_get("__index")?;
        if let Some(NamedVars { table, .. }) = &named {
            given.raw_set("vars", table)?;
        }
        Ok(LoadedScript { env, given, own: variables.own, named, reach, called: BTreeMap::new(), step })
    }

    /// The names that all scripts can use.
    pub fn globals(&self) -> impl Iterator<Item = String> {
        let names = self.base.pairs::<String, LuaValue>().filter_map(|entry| Some(entry.ok()?.0));
        names.filter(|name| !OWN_NAMES.contains(&name.as_str()))
    }

    /// What Luau's libraries have, as in `math.sin`.
    pub fn members(&self) -> impl Iterator<Item = String> {
        LIBRARIES.into_iter().flat_map(|name| {
            let library = self.base.raw_get::<Table>(name).ok();
            let keys = library.into_iter().flat_map(|it| it.pairs::<String, LuaValue>().collect::<Vec<_>>());
            keys.filter_map(move |entry| Some(format!("{name}.{}", entry.ok()?.0)))
        })
    }

    /// Runs a file, or its text after the cut. Returns its globals, what is known of its variables, and what it returns.
    fn run_file(
        &mut self,
        (file, cut, lasts): (&Arc<SourceFile>, Option<&str>, bool),
        sources: &Sources,
        open: &mut Vec<String>,
    ) -> Result<(Table, FileVariables, LuaValue)> {
        let words = &words(&file.text);
        let variables = FileVariables::of(words);
        check_file(file, (words, &variables), lasts)?;
        if let Some(wrong) = imported_wait(file, words, &variables).filter(|_| open.len() > 1) {
            return Err(placed(wrong));
        }
        for path in required(&file.text) {
            self.require(&path, (&file.name, sources), open)?;
        }
        let env = self.lua.create_table()?;
        for name in OWN_NAMES {
            env.raw_set(name, self.base.raw_get::<LuaValue>(name)?)?;
        }
        let (modules, name) = (self.modules.clone(), file.name.clone());
        let require = self.lua.create_function(move |_, path: String| {
            let mut keys = import_keys(&name, &with_ending(&path));
            keys.find_map(|key| modules.get(&key).cloned()).ok_or_else(|| {
                failed(format!("`require({path:?})` is not found; write the path as text, at the top of the file"))
            })
        })?;
        env.raw_set("require", require)?;
        let given = self.lua.create_table()?;
        given.set_metatable(Some(self.lua.create_table_from([("__index", &self.base)])?))?;
        let meta = self.lua.create_table_from([("__index", given)])?;
        env.set_metatable(Some(meta.clone()))?;
        // Otherwise Luau would look `vars.n` up as one name.
        let compiler = Compiler::new().set_optimization_level(1).set_debug_level(1).set_mutable_globals(["vars"]);
        let text = match cut {
            Some(text) => FileVariables::of(&self::words(text)).changed(text, lasts),
            None => variables.changed(&file.text, lasts),
        };
        let chunk = self.lua.load(text).set_name(format!("={}", file.name)).set_compiler(compiler);
        let value: LuaValue = {
            let _steps = Steps::begin(step_of(longest_stretches(words)[0]));
            charge((words.len() / WORDS_IN_ONE) as u64).map_err(refused)?;
            chunk.set_environment(env.clone()).call(())?
        };
        env.raw_set("require", LuaValue::Nil)?;
        let refuse_globals = self.lua.create_function(|_, (_, name, _): (Table, LuaValue, LuaValue)| {
            Err::<(), _>(failed(forgotten(&name.to_string()?)))
        })?;
        meta.raw_set("__newindex", refuse_globals)?;
        if lasts {
            self.freeze(file, &value)?;
            for entry in env.pairs::<LuaValue, LuaValue>() {
                self.freeze(file, &entry?.1)?;
            }
        }
        env.set_readonly(true);
        Ok((env, variables, value))
    }

    /// Runs a file that another one requires, unless it has been run.
    fn require(&mut self, path: &str, (by, sources): (&str, &Sources), open: &mut Vec<String>) -> Result<()> {
        let found = import_keys(by, &with_ending(path)).find_map(|key| Some((sources.get(&key)?, key)));
        let Some((file, key)) = found else {
            let near = suggestion(path, sources.keys().map(String::as_str));
            return Err(failed(format!("there is no `{path}` to require{near}")));
        };
        if open.contains(&file.name) {
            return Err(failed(format!("a circle: {} requires {}", open.join(" requires "), file.name)));
        }
        if self.modules.contains_key(&key) {
            return Ok(());
        }
        if open.len() >= MOST_OPEN {
            return Err(failed(format!("more than {MOST_OPEN} files require each other in a row")));
        }
        open.push(file.name.clone());
        let (_, _, value) = self.run_file((file, None, true), sources, open)?;
        open.pop();
        let LuaValue::Table(module) = value else {
            let why = format!("{} returns no table; end it with `return` and a table of functions", file.name);
            return Err(failed(why));
        };
        self.modules.insert(key, module);
        Ok(())
    }

    /// Makes all tables in a value read-only, and checks its functions: what they remember of their surroundings, and where
    /// an iterator is, would be hidden state, which is not saved.
    fn freeze(&self, file: &Arc<SourceFile>, value: &LuaValue) -> Result<()> {
        let mut seen = BTreeSet::new();
        each_inside(value.clone(), |value| {
            let address = value.to_pointer() as usize;
            if self.shared.contains(&address) || !seen.insert(address) {
                return Ok(false);
            }
            match value {
                LuaValue::Table(table) => table.set_readonly(true),
                LuaValue::Function(function) => {
                    let info = function.info();
                    if info.num_upvalues > 0 || info.what == "C" {
                        let place = match info.line_defined {
                            Some(line) => place_in_line(file, line, (Some("function"), "")),
                            None => Place::new(file, 0..0),
                        };
                        let why = "a function that uses variables of a block or of another function may remember \
                                   something that is not saved; declare them at the top of the file";
                        return Err(placed(Diagnostic::error(place, why)));
                    }
                }
                _ => {}
            }
            Ok(true)
        })
    }

    /// Passes on what a hook is called about, or what a sequence continues with.
    pub fn pass_about(
        &self,
        passed: &mut MultiValue,
        (about, read): (&About<'_>, Option<&BTreeSet<String>>),
    ) -> Result<()> {
        let (lua, kinds) = (&self.lua, &self.bound.kinds);
        match about {
            About::Nothing => {}
            About::Step { point, locals, event } => {
                let frame = lua.create_table()?;
                for (name, local) in point.names.iter().zip(*locals) {
                    frame.raw_set(&**name, of_plain(lua, kinds, local)?)?;
                }
                let step = LuaValue::Number(point.step.into());
                passed.extend([LuaValue::Nil, LuaValue::Table(frame), step, of_plain(lua, kinds, event)?]);
            }
            about => passed.push_back(of_about(lua, kinds, (about, read))?),
        }
        Ok(())
    }

    /// A hook of a script.
    pub fn hook(&self, script: &LoadedScript, name: &str) -> Result<LoadedHook> {
        let Reach { reads, observes, fields } = script.reach_of(name).clone();
        let function = (self.function(script, name)?, script.named.as_ref());
        let function = CarriedFunction::new((&self.lua, &self.bound), function, (reads, fields.clone(), true))?;
        Ok(LoadedHook { function, fields, observes })
    }

    /// Calls a hook of a script with the variables of an entity, which take what the call leaves. Returns its value, and
    /// whether the variables could be taken.
    pub fn call(
        &self,
        (script, hook): (&LoadedScript, &mut LoadedHook),
        about: &About<'_>,
        vars: (&mut Vars, &Limits),
    ) -> Result<CallResult> {
        let read = hook.fields.as_ref();
        let function = &mut hook.function;
        self.carry(script, (function, about), |passed| self.pass_about(passed, (about, read)), vars)
    }

    /// Calls a function of a script by its name, with arguments from another language or from a script above in this one.
    pub fn call_named(
        &self,
        (script, name): (&mut LoadedScript, &str),
        arguments: &[BaseArgument],
        vars: (&mut Vars, &Limits),
    ) -> Result<CallResult> {
        let mut function = match script.called.remove(name) {
            Some(function) => function,
            None => {
                let reads = script.reach_of(name).reads;
                let function = (self.function(script, name)?, script.named.as_ref());
                CarriedFunction::new((&self.lua, &self.bound), function, (reads, None, false))?
            }
        };
        let value = |argument: &BaseArgument| match argument {
            BaseArgument::Me => Ok(LuaValue::Table(self.bound.me.clone())),
            BaseArgument::Data(data) => of_plain(&self.lua, &self.bound.kinds, data),
        };
        let pass = |passed: &mut MultiValue| {
            for argument in arguments {
                passed.push_back(value(argument)?);
            }
            Ok(())
        };
        let called = self.carry(script, (&mut function, &About::Nothing), pass, vars);
        script.called.insert(name.into(), function);
        called
    }

    fn carry(
        &self,
        script: &LoadedScript,
        (function, about): (&mut CarriedFunction, &About<'_>),
        arguments: impl FnOnce(&mut MultiValue) -> Result<()>,
        (vars, limits): (&mut Vars, &Limits),
    ) -> Result<CallResult> {
        let _steps = Steps::begin(script.step);
        let here = (&self.lua, &self.bound);
        if script.named.is_some() {
            return function.call(here, about, arguments, (script.named.as_ref(), vars, limits));
        }
        let table = map_of(&self.lua, &self.bound.kinds, vars.plain_mut())?;
        script.give("vars", &table)?;
        let value = function.call(here, about, arguments, (None, vars, limits));
        // A call that fails has changed variables, too.
        let kept = take_all(vars.plain_mut(), &table, (&self.bound.kinds, limits));
        Ok((value?.0, kept))
    }

    /// The function of a script with this name.
    pub fn function(&self, script: &LoadedScript, name: &str) -> Result<Function> {
        script.env.raw_get(name)
    }

    /// Calls a function of a test script.
    pub fn call_function(&self, (script, name): (&LoadedScript, &str), arguments: &[Value]) -> Result<LuaValue> {
        let _steps = Steps::begin(script.step);
        let arguments = arguments.iter().map(|value| of_plain(&self.lua, &self.bound.kinds, value));
        let arguments: MultiValue = arguments.collect::<Result<_>>()?;
        self.function(script, name)?.call(arguments)
    }
}

/// Checks what must not be in any file. One that `lasts` must not hide anything in its variables.
fn check_file(file: &Arc<SourceFile>, (words, variables): (&[LuaWord<'_>], &FileVariables), lasts: bool) -> Result<()> {
    let wrong = |span, why: String| Err(placed(Diagnostic::error(Place::new(file, span), why)));
    if file.text.len() > MOST_SOURCE {
        let why = format!("a script can have at most {MOST_SOURCE} bytes; this one has {}", file.text.len());
        return wrong(0..0, why);
    }
    if let Some(word) = words.iter().find(|word| OWN_NAMES.contains(&word.text)) {
        let why = format!("`{}` is a name of hangtime's own; take another one", word.text);
        return wrong(word.at..word.at + word.text.len(), why);
    }
    if let Some((span, name)) = variables.forgotten.iter().find(|(_, name)| lasts && variables.own.contains(name)) {
        let why = format!(
            "`{name}` belongs to the file, and what it holds would be lost when a world is saved, loaded or played on \
             another thread; write `vars.{name}`"
        );
        return wrong(span.clone(), why);
    }
    let hides_vars = lasts && (variables.own.contains("vars") || variables.global.contains("vars"));
    if let Some(word) = words.iter().find(|word| hides_vars && word.is_name("vars")) {
        return wrong(
            word.at..word.at + word.text.len(),
            "`vars` has the entity's variables; take another name".into(),
        );
    }
    match variables.repeated.first().filter(|_| lasts) {
        Some((span, name)) => wrong(span.clone(), format!("this file has a variable `{name}` already")),
        None => Ok(()),
    }
}

/// What is charged at each point at which a script is counted between which this many words run.
fn step_of(stretch: usize) -> u64 {
    1 + (stretch / WORDS_IN_ONE) as u64
}

pub(crate) fn too_deep(calls: usize) -> String {
    format!("calls are nested more than {calls} deep; is there an infinite recursion?")
}

/// Frees what is not used.
fn collect(lua: &Lua) -> Result<()> {
    lua.gc_collect()?;
    lua.gc_stop();
    Ok(())
}

/// An error that says in which line of a script it was made: from where scripts are counted, Luau does not.
fn failed_here(lua: &Lua, why: &str) -> Error {
    Error::runtime(line_here(lua).map_or_else(|| why.to_string(), |(file, line)| format!("{file}:{line}: {why}")))
}

/// The file and line of a script that runs.
fn line_here(lua: &Lua) -> Option<(String, usize)> {
    (0..8).find_map(|level| {
        let line = lua.inspect_stack(level, |frame| {
            let source = frame.source();
            let name = source.short_src.filter(|name| *name != OWN_CHUNK && *name != "[C]")?;
            Some((name.to_string(), frame.current_line()?))
        });
        line.flatten()
    })
}

/// Visits a value and what it holds, keys and metatables included, as long as `visit` answers yes: without recursion,
/// since scripts nest tables as deep as they like.
pub(crate) fn each_inside(value: LuaValue, mut visit: impl FnMut(&LuaValue) -> Result<bool>) -> Result<()> {
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
