//! Rhai as a script language of hangtime: it compiles, checks, describes and runs the files that end with `.rhai`.
//! It does not know files on disk, windows or games; crates above it know only the trait
//! [`Language`], which [`Rhai`] implements.
//!
//! ```
//! use hangtime_core::level::{Level, View};
//! use hangtime_core::sim::{Inputs, ScriptId, Stage, World};
//! use hangtime_core::tuning::{ScriptTuning, SimulationTuning, SurfaceTuning};
//! use hangtime_rhai::Rhai;
//! use hangtime_script::{Behavior, Execution, Languages, Limits, Scripts, SourceFile, Sources, recording_prints};
//! use std::sync::Arc;
//!
//! let text = "fn on_tick(me) { print(`tick ${world::tick()}`); }";
//! let file = SourceFile { name: "scripts/clock.rhai".into(), text: text.into() };
//! let sources = Sources::from([("clock.rhai".to_string(), Arc::new(file))]);
//! let (limits, mut wrong) = (Limits::of(&ScriptTuning::default()), Vec::new());
//! let behaviors = [Behavior::alone("clock.rhai")];
//! let languages = Languages(&[&Rhai]);
//! let scripts = Scripts::compile(languages, sources.into(), &behaviors, limits, Execution::default(), &mut wrong);
//! assert!(wrong.is_empty());
//! assert!(scripts.get(ScriptId(0)).has_hook("on_tick"));
//!
//! // An empty level, whose script this is.
//! let level = Level::new("empty", View::Side, Vec::new(), vec!["stone".into()]);
//! let surfaces = vec![SurfaceTuning::default()];
//! let mut stage = Stage::new(level, &SimulationTuning::default(), None, surfaces, Vec::new(), Vec::new());
//! stage.script = Some(ScriptId(0));
//! let (mut world, mut rules) = (World::new(&stage, 0), Arc::new(scripts).rules());
//! let (_, printed) = recording_prints(|| world.tick(&stage, &Inputs::none(), &mut rules));
//! assert_eq!(printed.lines, ["tick 0"]);
//! ```
//!
//! Scripts need a thread with a stack of [`STACK`](hangtime_script::STACK) bytes.
//!
//! # Where to start reading
//!
//! From the bottom up:
//!
//! * `engine`: a Rhai engine with the language and its limits, without anything of the game.
//! * `messages`: from Rhai's errors to messages that name a place and a fix.
//! * `api`: the functions and properties that scripts call.
//! * `bytecode`: functions compiled to steps on plain values.
//! * `sequences`: cuts functions that wait.
//! * `check`: finds mistakes in scripts without running them.
//! * `calls`: compiles scripts, calls their hooks and runs test functions.
//! * [`mod@reference`]: the pages of `hangtime api`.

mod api;
mod bytecode;
mod calls;
mod changes;
mod check;
mod engine;
mod messages;
pub mod reference;
mod sequences;

pub use api::{NameUse, RegisteredName, entries as api_entries, registered_names};

use calls::{
    compile::RhaiProgram,
    expressions::RhaiExpressions,
    testing::{RhaiTests, may_emit},
};
use changes::{changed_functions, ends_in_comment};
use check::Inspector;
use engine::resolver::with_ending;
use hangtime_script::{
    CompileRequest, Compiled, Diagnostic, Diagnostics, Expressions, GameNames, Language, MayEmit, ReferenceFormat,
    ReferenceItem, ScriptInspector, SourceFile, Sources, Spelling, TestScript, TextFunction, api::ApiEntry,
    calls::ForeignCalls,
};
use std::sync::Arc;

/// The language Rhai: files that end with `.rhai`.
#[derive(Clone, Copy, Debug)]
pub struct Rhai;

impl Language for Rhai {
    fn name(&self) -> &'static str {
        "Rhai"
    }

    fn ending(&self) -> &'static str {
        "rhai"
    }

    fn compile(&self, request: &CompileRequest<'_>, found: &mut Vec<Diagnostic>) -> Compiled {
        RhaiProgram::compile(request, found).compiled()
    }

    fn inspector(&self, sources: &Sources, known: GameNames, tests: &ForeignCalls) -> Box<dyn ScriptInspector> {
        Box::new(Inspector::new(sources, known, tests.clone()))
    }

    fn compile_test(
        &self,
        file: &Arc<SourceFile>,
        sources: Arc<Sources>,
        calls: &ForeignCalls,
    ) -> Result<Box<dyn TestScript>, Diagnostics> {
        Ok(Box::new(RhaiTests::compile(file, sources, calls)?))
    }

    fn compile_expressions(
        &self,
        files: &[Arc<SourceFile>],
        sources: Arc<Sources>,
        calls: &ForeignCalls,
    ) -> Result<Box<dyn Expressions>, Diagnostics> {
        Ok(Box::new(RhaiExpressions::compile(files, sources, calls)?))
    }

    fn emitted(&self, sources: Arc<Sources>) -> MayEmit {
        may_emit(sources)
    }

    fn imports(&self, text: &str) -> Vec<String> {
        let paths = text.split("import").skip(1).filter_map(|rest| {
            let path = rest.trim_start().strip_prefix('"')?.split('"').next()?;
            Some(with_ending(path))
        });
        paths.collect()
    }

    fn imported_as<'t>(&self, text: &'t str, module: &str) -> Option<&'t str> {
        text.lines().rev().find_map(|line| {
            let (path, rest) = line.trim().strip_prefix("import \"")?.split_once('"')?;
            let name = rest.trim().strip_prefix("as ")?.trim_end_matches(';');
            (name.trim() == module).then_some(path)
        })
    }

    fn functions<'t>(&self, text: &'t str) -> Vec<TextFunction<'t>> {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        // A word in a text or a comment is most often in the middle of a line.
        let declares = |(at, _): &(usize, &str)| {
            let before = text[..*at].trim_end_matches([' ', '\t']);
            before.is_empty() || before.ends_with(['\n', '}', ';']) || before.ends_with("private")
        };
        let function = |(at, word): (usize, &str)| {
            let rest = text[at + word.len()..].trim_start();
            let name = &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())];
            let parameters = rest[name.len()..].strip_prefix('(').and_then(|rest| rest.split_once(')'));
            let parameters = parameters.map_or("", |(parameters, _)| parameters);
            (!name.is_empty()).then_some(TextFunction { name, parameters, at: text.len() - rest.len() })
        };
        text.match_indices("fn ").filter(declares).filter_map(function).collect()
    }

    fn importer(&self, path: &str) -> String {
        format!("import {path:?} as it;")
    }

    fn changes(&self, old: &str, new: &str) -> Vec<String> {
        changed_functions(old, new)
    }

    fn ends_in_comment(&self, text: &str) -> bool {
        ends_in_comment(text)
    }

    fn spelling(&self) -> Spelling {
        Spelling {
            scope: "::",
            nothing: "()",
            map: "#{",
            entry: ": ",
            variables: "this",
            own_methods: true,
            method: ".",
            function: "fn",
            body: [" {", "}"],
            variable: "let",
            constant: "const",
            comment: "//",
            quotes: &['"'],
        }
    }

    fn entries(&self, tests: &ForeignCalls) -> Vec<&'static ApiEntry> {
        api_entries(tests).iter().collect()
    }

    fn reference(&self, tests: &ForeignCalls) -> &'static [ReferenceItem] {
        reference::items(tests)
    }

    fn describe(&self, format: ReferenceFormat, tests: &ForeignCalls) -> String {
        let entries = api_entries(tests);
        match format {
            ReferenceFormat::Markdown => reference::markdown(entries),
            ReferenceFormat::Definitions => reference::definitions(entries),
            ReferenceFormat::Json => reference::json(entries),
        }
    }
}
