//! Compiling the scripts of a revision, and calling them in games.

use crate::base::{bind_base, check_base};
use crate::check::misnamed_hooks;
use crate::machine::{LoadedScript, Machine};
use crate::messages::{explain, is_out_of_memory};
use crate::rewrite::OWN_NAMES;
use crate::scopes::FileVariables;
use crate::syntax::{self, Word, WordKind};
use crate::values::{HeldArg, to_plain};
use crate::vars::LuaVars;
use hangtime_core::sim::{Decision, ScriptId, Value, Vars};
use hangtime_script::budget::{Allowance, charge_tick};
use hangtime_script::calls::{NotPlain, with_lent};
use hangtime_script::{
    About, BaseArgument, BaseFunctions, CallCounts, CallPath, CallRefusal, CompileRequest, Diagnostic, FunctionCode,
    HookAnswer, HookCall, LanguageRules, LentLayers, Limits, ListedFunction, ListedHook, ListedScript, MOST_NESTING,
    MOST_SOURCE, Place, Program, RULES, SourceFile, Sources, Unanswered, refuse,
};
use mlua::{Function, Value as LuaValue};
use parking_lot::Mutex;
use std::ops::Range;
use std::sync::Arc;

/// What it costs that a call fails, in operations.
const FAILURE: u64 = 32;

/// The compiled scripts of a revision.
pub(crate) struct LuaProgram {
    /// Where the scripts are, those in other languages, too.
    files: Vec<Option<Arc<SourceFile>>>,
    /// The names of each script's hooks.
    hooks: Vec<Vec<ListedHook>>,
    /// What each script can call of those below it.
    base: Vec<Arc<BaseFunctions>>,
    sources: Arc<Sources>,
    limits: Limits,
    /// Machines that no call uses now.
    idle: Mutex<Vec<Loaded>>,
}

/// A machine with the scripts of a program, each with the functions of its hooks.
struct Loaded {
    machine: Machine,
    scripts: Vec<Option<(LoadedScript, Vec<Function>)>>,
}

impl LuaProgram {
    /// Compiles the behaviors of a request that are in Lua. Errors are added to `found`; a file with errors has no hooks.
    pub fn compile(request: &CompileRequest<'_>, found: &mut Vec<Diagnostic>) -> (Self, Vec<ListedScript>) {
        let CompileRequest { sources, behaviors, limits, .. } = request;
        let mut program = Self {
            files: Vec::new(),
            hooks: Vec::new(),
            base: Vec::new(),
            sources: sources.clone(),
            limits: *limits,
            idle: Mutex::default(),
        };
        let mut listed = Vec::new();
        let mut machine = None;
        for behavior in *behaviors {
            let Some(file) = sources.get(&behavior.key) else {
                continue;
            };
            let is_own = file.name.ends_with(".luau") || file.name.ends_with(".lua");
            let base = Arc::new(BaseFunctions::of(request, behavior, |_| None));
            let hooks = is_own.then(|| {
                check_base(file, &base)?;
                let mut wrong = misnamed_hooks(file, sources);
                if let Some(at) = wrong.iter().position(Diagnostic::is_error) {
                    return Err(wrong.swap_remove(at));
                }
                found.extend(wrong);
                program.compile_file(&mut machine, file)
            });
            let hooks = hooks.and_then(|hooks| hooks.map_err(|wrong| found.push(wrong)).ok());
            program.files.push(hooks.as_ref().map(|_| file.clone()));
            let hooks = hooks.unwrap_or_default();
            let mut script = ListedScript::without_hooks(file).with_hooks(hooks.clone());
            if is_own {
                script.functions = listed_functions(file);
            }
            listed.push(script);
            program.hooks.push(hooks);
            program.base.push(base);
        }
        (program, listed)
    }

    /// Loads a file to find its hooks.
    fn compile_file(
        &self,
        machine: &mut Option<Machine>,
        file: &Arc<SourceFile>,
    ) -> Result<Vec<ListedHook>, Diagnostic> {
        let start = || Place::new(file, 0..0);
        check_text(file)?;
        check_variables(file)?;
        let wrong = |error: &mlua::Error| explain(error, &self.sources, start());
        let machine = match machine {
            Some(machine) => machine,
            None => machine.insert(Machine::new(&self.limits).map_err(|error| wrong(&error))?),
        };
        let _count = Allowance::begin(&self.limits);
        let script = machine.load((file, &self.sources), true).map_err(|error| wrong(&error))?;
        let functions = machine.functions(&script).map_err(|error| wrong(&error))?;
        let mut hooks = Vec::new();
        for rule in RULES {
            if let Some(function) = functions.get(rule.name) {
                hooks.push(listed_hook(rule.name, function));
            }
        }
        hooks.extend(
            functions
                .iter()
                .filter(|(name, _)| name.starts_with("on_"))
                .map(|(name, f)| listed_hook(name, f)),
        );
        Ok(hooks)
    }

    /// A machine with all scripts.
    fn load(&self) -> Result<Loaded, mlua::Error> {
        let mut machine = Machine::new(&self.limits)?;
        let mut scripts = Vec::new();
        for ((file, hooks), base) in self.files.iter().zip(&self.hooks).zip(&self.base) {
            let Some(file) = file else {
                scripts.push(None);
                continue;
            };
            // As when the file was compiled.
            let _count = Allowance::begin(&self.limits);
            let script = machine.load((file, &self.sources), true)?;
            bind_base(&machine, &script, base)?;
            let functions = hooks.iter().filter_map(|hook| machine.function(&script, &hook.name)).collect();
            scripts.push(Some((script, functions)));
        }
        Ok(Loaded { machine, scripts })
    }
}

fn listed_hook(name: &str, function: &Function) -> ListedHook {
    ListedHook { name: name.into(), parameters: usize::from(function.info().num_params).clamp(1, 2) }
}

fn listed_functions(file: &Arc<SourceFile>) -> Vec<ListedFunction> {
    let functions = syntax::functions(&file.text).into_iter();
    let listed = |function: hangtime_script::TextFunction<'_>| ListedFunction {
        name: function.name.into(),
        parameters: function.each_parameter().count(),
        place: Place::new(file, function.at..function.at + function.name.len()),
        code: FunctionCode::Compiled(None),
    };
    functions.map(listed).collect()
}

/// Checks what must not be in any script.
///
/// # Errors
/// The first mistake.
pub(crate) fn check_text(file: &Arc<SourceFile>) -> Result<(), Diagnostic> {
    if file.text.len() > MOST_SOURCE {
        let why = format!("a script can have at most {MOST_SOURCE} bytes; this one has {}", file.text.len());
        return Err(Diagnostic::error(Place::new(file, 0..0), why));
    }
    let words = syntax::words(&file.text);
    if let Some(word) = words.iter().find(|word| word.kind == WordKind::Name && OWN_NAMES.contains(&word.text)) {
        let at = Place::new(file, word.at..word.at + word.text.len());
        return Err(Diagnostic::error(at, format!("`{}` is a name of hangtime's own; take another one", word.text)));
    }
    check_powers(file, &words)
}

/// `x ^ y` computes as the platform does, whose last bits differ between machines, except for some exponents.
fn check_powers(file: &Arc<SourceFile>, words: &[Word<'_>]) -> Result<(), Diagnostic> {
    for (place, word) in words.iter().enumerate().filter(|(_, word)| word.is_sign("^") || word.is_sign("^=")) {
        let exact = words.get(place + 1).is_some_and(|next| ["2", "3", "0.5"].contains(&next.text));
        // Luau computes powers of numbers in the text when it compiles it, as the platform does.
        let is_constant = place.checked_sub(1).is_some_and(|before| words[before].kind == WordKind::Number);
        if !exact || is_constant {
            let at = Place::new(file, word.at..word.at + word.text.len());
            let why = match exact {
                false => "`^` is only there for the exponents 2, 3 and 0.5; write `math.pow(x, y)`",
                true => "`^` is only there for variables, not for numbers in the text; write `math.pow(x, y)`",
            };
            return Err(Diagnostic::error(at, why));
        }
    }
    Ok(())
}

/// A variable of the file is not saved, so that a function must not write to it.
fn check_variables(file: &Arc<SourceFile>) -> Result<(), Diagnostic> {
    let found = FileVariables::of(&file.text);
    let refused = |span: Range<usize>, why: String| Err(Diagnostic::error(Place::new(file, span), why));
    if let Some((span, name)) = found.written.into_iter().next() {
        let why = format!(
            "`{name}` belongs to the file, and what it holds would be lost when a world is saved, loaded or played on \
             another thread; write `vars.{name}`"
        );
        return refused(span, why);
    }
    if let Some((span, name)) = found.of_blocks.into_iter().next() {
        let why = format!(
            "a function cannot use `{name}`, which belongs to a loop or an `if` at the top of the file; declare it before"
        );
        return refused(span, why);
    }
    match found.early_returns.into_iter().next() {
        None => Ok(()),
        Some(span) => refused(span, "a file returns at its end only".into()),
    }
}

/// Calls the scripts of a program in one game.
struct LuaRules {
    program: Arc<LuaProgram>,
    counts: CallCounts,
}

impl Program for LuaProgram {
    fn rules(self: Arc<Self>) -> Box<dyn LanguageRules> {
        Box::new(LuaRules { program: self, counts: CallCounts::default() })
    }

    fn call_function(
        &self,
        (script, name): (ScriptId, &str),
        arguments: &[BaseArgument],
        vars: &mut Vars,
    ) -> Result<Value, CallRefusal> {
        let Some(file) = &self.files[script.0 as usize] else {
            return Ok(Value::Unit);
        };
        let failed = |error: &mlua::Error| {
            let wrong = explain(error, &self.sources, Place::new(file, 0..0));
            CallRefusal::Message(wrong.headline().into())
        };
        let loaded = self.idle.lock().pop().map_or_else(|| self.load(), Ok).map_err(|error| failed(&error))?;
        let answer = call_plain(&loaded, (script, name), arguments, (LuaVars::of(vars), &self.limits));
        if loaded.machine.collect().is_ok() {
            self.idle.lock().push(loaded);
        }
        let (value, kept) = answer.map_err(|error| failed(&error))?;
        kept.or_else(|wrong| refuse(rejected(&wrong)))?;
        value.or_else(|NotPlain { what, .. }| refuse(format!("`{name}` returns {what}, not plain data")))
    }
}

impl LanguageRules for LuaRules {
    fn call(&mut self, mut call: HookCall<'_>, decision: &mut Decision) -> Result<HookAnswer, Unanswered> {
        let program = &*self.program;
        self.counts.compiled += 1;
        call.observe_me();
        let idle = program.idle.lock().pop();
        let loaded = match idle.map_or_else(|| program.load(), Ok) {
            Ok(loaded) => loaded,
            Err(error) => return Err(call.fail(decision, |place| explain(&error, &program.sources, place))),
        };
        let (answer, is_sound) = make(&loaded, (&mut call, decision), program);
        // One that is out of memory is dropped.
        if is_sound && loaded.machine.collect().is_ok() {
            program.idle.lock().push(loaded);
        }
        answer
    }

    // A machine that has panicked is dropped with the call that used it.
    fn abandon(&mut self, _: ScriptId, _: &mut Vars) {}

    fn adopt(&self, vars: &mut Vars) {
        LuaVars::of(vars);
    }

    fn call_counts(&self) -> CallCounts {
        self.counts
    }
}

/// The value of a function, and whether the variables that it has left could be taken.
type CalledPlain = (Result<Value, NotPlain>, Result<(), NotPlain>);

/// Calls a function of a script with plain data and `me`.
fn call_plain(
    loaded: &Loaded,
    (script, name): (ScriptId, &str),
    arguments: &[BaseArgument],
    vars: (&mut LuaVars, &Limits),
) -> Result<CalledPlain, mlua::Error> {
    let machine = &loaded.machine;
    let Some((script, _)) = &loaded.scripts[script.0 as usize] else {
        return Ok((Ok(Value::Unit), Ok(())));
    };
    let values = machine.arguments(arguments)?;
    let function = machine.function(script, name);
    // What hands over variables passes `me` alone.
    let call = machine.native(move |_, _| match &function {
        Some(function) => function.call(values.clone()),
        None => Ok(LuaValue::Nil),
    })?;
    let (value, kept) = machine.call((script, &call), None, vars)?;
    Ok((to_plain(&value, None, (&machine.bound.kinds, MOST_NESTING)), kept))
}

/// Makes a call on a machine. Returns its answer, and whether the machine can be used again.
fn make(
    loaded: &Loaded,
    (call, decision): (&mut HookCall<'_>, &mut Decision),
    program: &LuaProgram,
) -> (Result<HookAnswer, Unanswered>, bool) {
    let Some((script, functions)) = &loaded.scripts[call.script.0 as usize] else {
        return (Ok(HookAnswer::Nothing), true);
    };
    let kinds = &loaded.machine.bound.kinds;
    let about = call.about;
    let about = (!matches!(about, About::Nothing)).then_some(&about);
    let below = LentLayers::below(call, &mut decision.layers);
    let vars = LuaVars::of(&mut decision.vars);
    let count = Allowance::begin(&program.limits);
    let function = &functions[call.hook];
    let made =
        with_lent(&mut call.shared.moment, || loaded.machine.call((script, function), about, (vars, &program.limits)));
    drop(below);
    count.charge_to_tick();
    drop(count);
    call.end(CallPath::Compiled);
    match made {
        Ok((value, kept)) => {
            if let Err(wrong) = kept {
                call.reject(decision, rejected(&wrong));
            }
            let answer = match HeldArg::of(&value, kinds) {
                Ok(held) => call.accept(decision, &held.arg()),
                Err(refusal) => {
                    call.reject(decision, refusal.to_string());
                    Err(Unanswered::Invalid)
                }
            };
            (answer, true)
        }
        Err(error) => {
            charge_tick(FAILURE);
            let failed = call.fail(decision, |place| explain(&error, &program.sources, place));
            (Err(failed), !is_out_of_memory(&error))
        }
    }
}

fn rejected(wrong: &NotPlain) -> String {
    format!(
        "`vars{}` cannot hold {}; all variables keep their previous values. Variables hold numbers, text, true or false, \
         nil, vecs, and lists and maps of them",
        wrong.path, wrong.what
    )
}
