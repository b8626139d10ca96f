//! Lua as a script language of hangtime: it compiles and runs the files that end with `.luau` or `.lua`, in Luau. It does
//! not know files on disk, windows or games, nor Rhai; crates above it know only the trait [`Language`], which [`Lua`]
//! implements.
//!
//! ```
//! use hangtime_core::level::{Level, View};
//! use hangtime_core::sim::{Inputs, ScriptId, Stage, World};
//! use hangtime_core::tuning::{ScriptTuning, SimulationTuning, SurfaceTuning};
//! use hangtime_lua::Lua;
//! use hangtime_script::{Behavior, Execution, Languages, Limits, Scripts, SourceFile, Sources, recording_prints};
//! use std::sync::Arc;
//!
//! let text = "function on_tick(me) vars.n = (vars.n or 0) + 1; print('tick', world.tick(), vars.n) end";
//! let file = SourceFile { name: "scripts/clock.luau".into(), text: text.into() };
//! let sources = Sources::from([("clock.luau".to_string(), Arc::new(file))]);
//! let (limits, mut wrong) = (Limits::of(&ScriptTuning::default()), Vec::new());
//! let behaviors = [Behavior::alone("clock.luau")];
//! let languages = Languages(&[&Lua]);
//! let scripts = Scripts::compile(languages, sources.into(), &behaviors, limits, Execution::default(), &mut wrong);
//! assert!(wrong.is_empty(), "{wrong:?}");
//!
//! // An empty level, whose script this is.
//! let level = Level::new("empty", View::Side, Vec::new(), vec!["stone".into()]);
//! let surfaces = vec![SurfaceTuning::default()];
//! let mut stage = Stage::new(level, &SimulationTuning::default(), None, surfaces, Vec::new(), Vec::new());
//! stage.script = Some(ScriptId(0));
//! let (mut world, mut rules) = (World::new(&stage, 0), Arc::new(scripts).rules());
//! let (_, printed) = recording_prints(|| {
//!     world.tick(&stage, &Inputs::none(), &mut rules);
//!     world.tick(&stage, &Inputs::none(), &mut rules);
//! });
//! assert_eq!(printed.lines, ["tick 0 1", "tick 1 2"]);
//! ```
//!
//! # How a call is made
//!
//! A machine (`machine`) is a Luau state in which all scripts of a revision are loaded. It keeps nothing from one call to
//! the next: what scripts declare is frozen once they are loaded, and variables are plain data (`vars`), which a call
//! gets as the table `vars` and gives back. So any machine can make any call, and a program has as many as there are
//! threads that play it at once.
//!
//! # What bounds a call
//!
//! Everything is counted in operations, never in time or memory, so that a call ends at the same place on every machine:
//!
//! * Each turn of a loop, each call and each return costs as many operations as the words of the file's longest stretch
//!   without one of them need. Steps of a pattern that is searched for count, too.
//! * Library functions are charged by the bytes and values that they handle, before they do; so is `..`. A text has at most
//!   `string_length` bytes, a list that a library function makes at most `array_length` elements, and calls are nested at
//!   most `call_depth` deep, give or take the steps after which that is looked at.
//! * A machine may use more memory than the operations of a call can make; garbage is collected between calls only. So no
//!   call depends on what others have left behind. One that has used more nevertheless fails when its steps are next
//!   looked at, and its machine is dropped.
//!
//! # What makes it the same everywhere
//!
//! * Keys are visited in the order of their values. Tables, functions and entities as keys have none, and are refused.
//! * No text has an address in it, and no number is converted as the machine does.
//! * No call finds what another one has left: tables and functions that a file declares are checked and read-only.
//!
//! # Where to start reading
//!
//! From the bottom up:
//!
//! * `syntax`, `scopes`: the words of a text, for what must be known without running it, and how it is changed.
//! * `statements`, `sequences`: functions that wait, changed so that they can continue.
//! * `values`, `vars`: from Lua's values to plain data and back.
//! * `binding`: the table of calls as Lua's functions and properties, with `prelude.luau`.
//! * `seen`, `reach`: the properties of `me` that are read without a call, and which functions read them.
//! * `carry`: a call of a function, with what is handed over and taken back.
//! * `globals`, `limits.luau`: what scripts use of Luau's libraries, bounded and the same in every process.
//! * `machine`: a state with its limits, in which scripts are loaded and called.
//! * `messages`: from Luau's errors to messages with a place.
//! * `program`: compiling and calling.
//! * `base`: calls of the scripts below one.
//! * `objects`: other entities, and what tests play.
//! * `testing`, `expectations`: test scripts.
//! * `definitions`: types for editors.
//! * `check`: what can be said of a script without running it; `chains` knows what its values are, as far as that is certain.

mod base;
mod binding;
mod carry;
mod chains;
mod check;
mod definitions;
mod expectations;
mod globals;
mod machine;
mod messages;
mod objects;
mod program;
mod reach;
mod scopes;
mod seen;
mod sequences;
mod statements;
mod states;
mod syntax;
mod testing;
mod values;
mod vars;

use hangtime_script::{
    CompileRequest, Compiled, Diagnostic, Diagnostics, GameNames, Language, ReferenceFormat, ScriptInspector,
    SourceFile, Sources, Spelling, TestScript, TextFunction,
    api::ApiEntry,
    calls::{ForeignCalls, behavior_calls},
};
use std::sync::Arc;

/// The language Lua: files that end with `.luau` or `.lua`.
#[derive(Clone, Copy, Debug)]
pub struct Lua;

impl Language for Lua {
    fn name(&self) -> &'static str {
        "Lua"
    }

    fn ending(&self) -> &'static str {
        "luau"
    }

    fn other_endings(&self) -> &'static [&'static str] {
        &["lua"]
    }

    fn compile(&self, request: &CompileRequest<'_>, found: &mut Vec<Diagnostic>) -> Compiled {
        let (program, scripts) = program::LuaProgram::compile(request, found);
        // Constants are frozen tables, numbers and texts.
        Compiled { scripts, is_plain: true, program: Arc::new(program) }
    }

    fn inspector(&self, sources: &Sources, known: GameNames, tests: &ForeignCalls) -> Box<dyn ScriptInspector> {
        Box::new(check::LuaInspector::new(sources, known, tests))
    }

    fn compile_test(
        &self,
        file: &Arc<SourceFile>,
        sources: Arc<Sources>,
        calls: &ForeignCalls,
    ) -> Result<Box<dyn TestScript>, Diagnostics> {
        Ok(Box::new(testing::LuaTests::compile(file, &sources, calls)?))
    }

    fn imports(&self, text: &str) -> Vec<String> {
        syntax::required(text)
    }

    fn imported_as<'t>(&self, text: &'t str, module: &str) -> Option<&'t str> {
        syntax::required_as(text, module)
    }

    fn functions<'t>(&self, text: &'t str) -> Vec<TextFunction<'t>> {
        syntax::functions(text, syntax::FunctionScope::Global)
    }

    fn module_functions<'t>(&self, text: &'t str) -> Vec<TextFunction<'t>> {
        syntax::functions(text, syntax::FunctionScope::File)
    }

    fn computes_names(&self, text: &str) -> bool {
        syntax::computes_names(text)
    }

    fn importer(&self, path: &str) -> String {
        format!("local it = require({path:?})")
    }

    fn changes(&self, old: &str, new: &str) -> Vec<String> {
        syntax::changes(old, new)
    }

    fn spelling(&self) -> Spelling {
        Spelling {
            scope: ".",
            nothing: "nil",
            map: "{",
            entry: " = ",
            variables: "vars",
            own_methods: false,
            method: ":",
            function: "function",
            body: ["", "end"],
            variable: "local",
            constant: "local",
            comment: "--",
            quotes: &['"', '\''],
        }
    }

    fn entries(&self, tests: &ForeignCalls) -> Vec<&'static ApiEntry> {
        behavior_calls()
            .entries
            .iter()
            .chain(tests.calls.iter().map(|call| &call.entry))
            .collect()
    }

    fn describe(&self, format: ReferenceFormat, tests: &ForeignCalls) -> String {
        match format {
            ReferenceFormat::Definitions => definitions::definitions(tests),
            ReferenceFormat::Markdown | ReferenceFormat::Json => String::new(),
        }
    }

    fn ends_in_comment(&self, text: &str) -> bool {
        syntax::ends_in_comment(text)
    }
}
