//! Lua in a program that was built without it.

use crate::languages::{LANGUAGES, WITHOUT_LUA};
use hangtime_core::sim::{Decision, ScriptId, Value, Vars};
use hangtime_script::{
    BaseArgument, CallCounts, CallRefusal, CompileRequest, Compiled, Diagnostic, Diagnostics, HookAnswer, HookCall,
    Language, LanguageRules, ListedScript, Place, Program, SourceFile, Sources, TestScript, Unanswered,
    calls::ForeignCalls, refuse,
};
use std::sync::Arc;

/// Lua in a program without it: its files are found, and refused with the way out.
pub struct WithoutLua;

fn refused(file: &Arc<SourceFile>) -> Diagnostic {
    Diagnostic::error(Place::new(file, 0..0), WITHOUT_LUA)
}

impl Language for WithoutLua {
    fn name(&self) -> &'static str {
        "Lua"
    }

    fn ending(&self) -> &'static str {
        "luau"
    }

    fn other_endings(&self) -> &'static [&'static str] {
        &["lua"]
    }

    fn is_missing(&self) -> bool {
        true
    }

    fn compile(&self, request: &CompileRequest<'_>, found: &mut Vec<Diagnostic>) -> Compiled {
        let files = request.behaviors.iter().filter_map(|behavior| request.sources.get(&behavior.key));
        let own = |file: &&Arc<SourceFile>| LANGUAGES.of(&file.name).is_some_and(Language::is_missing);
        let mut refusals: Vec<Diagnostic> = files.clone().filter(own).map(refused).collect();
        refusals.dedup();
        found.extend(refusals);
        let scripts = files.map(ListedScript::without_hooks).collect();
        Compiled { scripts, is_plain: true, program: Arc::new(NoProgram) }
    }

    fn compile_test(
        &self,
        file: &Arc<SourceFile>,
        _: Arc<Sources>,
        _: &ForeignCalls,
    ) -> Result<Box<dyn TestScript>, Diagnostics> {
        Err(Diagnostics(vec![refused(file)]))
    }
}

/// Scripts that cannot be called.
struct NoProgram;

impl Program for NoProgram {
    fn rules(self: Arc<Self>) -> Box<dyn LanguageRules> {
        Box::new(Self)
    }

    fn call_function(&self, _: (ScriptId, &str), _: &[BaseArgument], _: &mut Vars) -> Result<Value, CallRefusal> {
        refuse(WITHOUT_LUA)
    }
}

impl LanguageRules for NoProgram {
    fn call(&mut self, _: &mut HookCall<'_>, _: &mut Decision) -> Result<HookAnswer, Unanswered> {
        Ok(HookAnswer::Nothing)
    }

    fn abandon(&mut self, _: ScriptId, _: &mut Vars) {}

    fn adopt(&self, _: &mut Vars) {}

    fn call_counts(&self) -> CallCounts {
        CallCounts::default()
    }
}
