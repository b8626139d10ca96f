//! Compiling the scripts of a revision, and calling them in games.

use crate::{
    Lua,
    base::{bind_base, check_base},
    check::misnamed_hooks,
    machine::{LoadedHook, LoadedScript, LuaMachine, explain_lines},
    messages::{explain, is_out_of_memory},
    sequences::cut,
    syntax,
    values::{LuaArg, to_plain},
};
use hangtime_core::sim::{Decision, ScriptId, Value, Vars};
use hangtime_script::{
    BaseArgument, BaseFunctions, CallCounts, CallPath, CallRefusal, CompileRequest, Diagnostic, FunctionCode,
    HookAnswer, HookCall, Language as _, LanguageRules, LentLayers, Limits, ListedFunction, ListedHook, ListedScript,
    MOST_NESTING, Place, Program, RULES, SourceFile, Sources, Unanswered,
    budget::{Allowance, charge_tick},
    calls::{NotPlain, with_lent},
    refuse,
    waits::called_sequence,
};
use mlua::Function;
use parking_lot::Mutex;
use std::sync::Arc;

/// What it costs that a call fails, in operations.
const FAILURE: u64 = 32;

/// The compiled scripts of a revision.
pub(crate) struct LuaProgram {
    /// Where the scripts are, those in other languages, too.
    files: Vec<Option<Arc<SourceFile>>>,
    /// The names of each script's hooks; its sequences are the last of them.
    hooks: Vec<Vec<ListedHook>>,
    /// What each script can call of those below it.
    base: Vec<Arc<BaseFunctions>>,
    sources: Arc<Sources>,
    limits: Limits,
    /// Machines that no call uses now.
    #[expect(
        clippy::vec_box,
        reason = "each call takes a machine and gives it back, and moving one costs more than the box"
    )]
    idle: Mutex<Vec<Box<Loaded>>>,
}

/// A machine with the scripts of a program, each with its hooks.
struct Loaded {
    machine: LuaMachine,
    scripts: Vec<Option<(LoadedScript, Vec<LoadedHook>)>>,
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
                let cut = cut(file).map_err(|mut wrong| {
                    found.extend(wrong.drain(..wrong.len() - 1));
                    wrong.remove(0)
                })?;
                let hooks = program.hooks_of(&mut machine, file);
                let hooks = hooks.map_err(|error| explain(&error, sources, Place::new(file, 0..0)))?;
                Ok((hooks, cut.steps))
            });
            let hooks = hooks.and_then(|hooks| hooks.map_err(|wrong| found.push(wrong)).ok());
            program.files.push(hooks.as_ref().map(|_| file.clone()));
            let (hooks, steps) = hooks.unwrap_or_default();
            let mut script = ListedScript::without_hooks(file).with_hooks(hooks).with_steps(steps);
            if is_own {
                script.functions = listed_functions(file);
            }
            program.hooks.push(script.hooks.clone());
            listed.push(script);
            program.base.push(base);
        }
        (program, listed)
    }

    /// Loads a file to find its hooks.
    fn hooks_of(
        &self,
        machine: &mut Option<LuaMachine>,
        file: &Arc<SourceFile>,
    ) -> Result<Vec<ListedHook>, mlua::Error> {
        let machine = match machine {
            Some(machine) => machine,
            None => machine.insert(LuaMachine::new(&self.limits)?),
        };
        let _count = Allowance::begin(&self.limits);
        let functions = machine.load((file, &self.sources), true)?.functions()?;
        let rules = RULES.iter().filter_map(|rule| functions.get_key_value(rule.name));
        let events = functions.iter().filter(|(name, _)| name.starts_with("on_"));
        let listed = |(name, function): (&String, &Function)| ListedHook {
            name: name.as_str().into(),
            parameters: usize::from(function.info().num_params).clamp(1, 2),
        };
        Ok(rules.chain(events).map(listed).collect())
    }

    /// A machine with all scripts.
    fn load(&self) -> Result<Box<Loaded>, mlua::Error> {
        let mut machine = LuaMachine::new(&self.limits)?;
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
            let hooks = hooks.iter().map(|hook| machine.hook(&script, &hook.name)).collect::<Result<_, _>>()?;
            scripts.push(Some((script, hooks)));
        }
        Ok(Box::new(Loaded { machine, scripts }))
    }

    /// Uses a machine, which is dropped if it is out of memory.
    fn with_machine<R>(&self, work: impl FnOnce(&mut Loaded) -> Result<R, mlua::Error>) -> Result<R, mlua::Error> {
        let idle = self.idle.lock().pop();
        let mut loaded = idle.map_or_else(|| self.load(), Ok)?;
        let made = work(&mut loaded);
        if !made.as_ref().is_err_and(is_out_of_memory) && loaded.machine.collect().is_ok() {
            self.idle.lock().push(loaded);
        }
        made
    }
}

fn listed_functions(file: &Arc<SourceFile>) -> Vec<ListedFunction> {
    let functions = syntax::functions(&file.text, syntax::FunctionScope::Global).into_iter();
    let listed = |function: hangtime_script::TextFunction<'_>| ListedFunction {
        name: function.name.into(),
        parameters: function.each_parameter().count(),
        place: Place::new(file, function.at..function.at + function.name.len()),
        code: FunctionCode::Compiled(None),
    };
    functions.map(listed).collect()
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
        // Sequences run in their own layer. Hooks for events are called by no name.
        let is_rule = RULES.iter().any(|rule| rule.name == name);
        if !is_rule && self.hooks[script.0 as usize].iter().any(|hook| *hook.name == *name) {
            return refuse(called_sequence(name, Lua.spelling()));
        }
        let called = self.with_machine(|Loaded { machine, scripts }| {
            let Some((script, _)) = &mut scripts[script.0 as usize] else {
                return Ok((Ok(Value::Unit), Ok(())));
            };
            let (value, kept) = machine.call_named((script, name), arguments, (vars, &self.limits))?;
            Ok((to_plain(&value, None, (&machine.bound.kinds, MOST_NESTING)), kept))
        });
        let (value, kept) = called.or_else(|error| {
            let wrong = explain(&error, &self.sources, Place::new(file, 0..0));
            refuse(wrong.cited())
        })?;
        kept.or_else(|wrong| refuse(rejected(&wrong)))?;
        value.or_else(|NotPlain { what, .. }| refuse(format!("`{name}` returns {what}, not plain data")))
    }
}

impl LanguageRules for LuaRules {
    fn call(&mut self, call: &mut HookCall<'_>, decision: &mut Decision) -> Result<HookAnswer, Unanswered> {
        self.counts.compiled += 1;
        let program = &*self.program;
        let made = program.with_machine(|Loaded { machine, scripts }| {
            let Some((script, hooks)) = &mut scripts[call.script.0 as usize] else {
                return Ok(Ok(HookAnswer::Nothing));
            };
            let hook = &mut hooks[call.hook];
            if hook.observes {
                call.observe_me();
            }
            let vars = (&mut decision.vars, &program.limits);
            let below = LentLayers::below(call, &mut decision.layers);
            let (about, count) = (call.about, Allowance::begin(&program.limits));
            let made = with_lent(&mut call.shared.moment, || machine.call((script, hook), about, vars));
            drop(below);
            count.charge_to_tick();
            drop(count);
            call.end(CallPath::Compiled);
            let (value, kept) = made?;
            if let Err(wrong) = kept {
                call.reject(decision, rejected(&wrong));
            }
            Ok(match LuaArg::of(&value, &machine.bound.kinds) {
                Ok(held) => call.accept(decision, &held.arg()),
                Err(refusal) => {
                    call.reject(decision, refusal.to_string());
                    Err(Unanswered::Invalid)
                }
            })
        });
        made.unwrap_or_else(|error| {
            charge_tick(FAILURE);
            Err(call.fail(decision, |place| explain_lines(explain(&error, &program.sources, place))))
        })
    }

    // A machine that has panicked is dropped with the call that used it.
    fn abandon(&mut self, _: ScriptId, _: &mut Vars) {}

    fn adopt(&self, vars: &mut Vars) {
        vars.plain_mut();
    }

    fn call_counts(&self) -> CallCounts {
        self.counts
    }
}

fn rejected(wrong: &NotPlain) -> String {
    format!(
        "`vars{}` cannot hold {}; all variables keep their previous values. Variables hold numbers, text, true or false, \
         nil, vecs, and lists and maps of them",
        wrong.path, wrong.what
    )
}
