//! The seam between hangtime and script languages.
//!
//! A [`Language`] compiles, checks, completes and describes scripts and runs their hooks. The files of a game choose
//! theirs by their endings, from a list: [`Languages`]. Whatever is above the languages knows only what is here.
//!
//! [`Scripts`] are the compiled scripts of a revision, of any languages; each is plain data to read ([`ListedScript`]).
//! [`ScriptRules`] play them. They open each phase of a tick once for all languages, so that the operations of a tick,
//! its ids and its limits are shared, go through its calls in entity order, and hand each to the language of its script.

mod base_functions;
mod behavior;
mod expressions;
mod imports;
mod lexer;
mod printed;
mod reference;
mod rules;
mod scripts;
mod spelling;
mod test_script;

pub use base_functions::{BaseFunction, BaseFunctions};
pub use behavior::{Behavior, BelowScript};
pub use expressions::{ExpressionError, ExpressionValue, Expressions, FinishedRun};
pub use imports::import_keys;
pub use lexer::{Lexeme, LexemeKind, lexemes};
pub use printed::{RecordedPrints, cost_of_line, print_line, record_line, recording_prints};
pub use reference::{ReferenceFormat, ReferenceItem, find_item, search_items};
pub use rules::ScriptRules;
pub use scripts::{CompileRequest, Compiled, Scripts};
pub use spelling::Spelling;
pub use test_script::{Failure, TestFunction, TestScript, reading_tables, reads_tables};

use crate::{
    Diagnostic, Diagnostics, GameNames, MayEmit, SourceFile,
    api::{ApiEntry, ApiSet},
    calls::ForeignCalls,
};
use hangtime_core::{
    models::OwnActions,
    sim::{Command, why::RuleAnswer},
};
use std::{collections::BTreeMap, sync::Arc};

/// The scripts of a revision, by their keys: the path below `scripts/`, such as `lib/patrol.rhai`. The key of a script
/// in a mod is its whole name: `mods/angry/scripts/angry.rhai`.
pub type Sources = BTreeMap<String, Arc<SourceFile>>;

/// A script language. It compiles and runs scripts; the rest may come later.
pub trait Language: Sync {
    /// Its name, such as `Rhai`.
    fn name(&self) -> &'static str;

    /// How the names of its files end, without the dot.
    fn ending(&self) -> &'static str;

    /// How else they may end.
    fn other_endings(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether this program was built without it, so that it only refuses its files.
    fn is_missing(&self) -> bool {
        false
    }

    /// Compiles the scripts of a revision that are written in it.
    fn compile(&self, request: &CompileRequest<'_>, found: &mut Vec<Diagnostic>) -> Compiled;

    /// Reads all scripts of a game, to check them without running them. Tests have the calls of `_tests`.
    fn inspector(&self, _sources: &Sources, _known: GameNames, _tests: &ForeignCalls) -> Box<dyn ScriptInspector> {
        Box::new(NoInspector)
    }

    /// Compiles a test script, which has these calls and may import from `sources`.
    ///
    /// # Errors
    /// The errors in the script.
    fn compile_test(
        &self,
        file: &Arc<SourceFile>,
        _sources: Arc<Sources>,
        _calls: &ForeignCalls,
    ) -> Result<Box<dyn TestScript>, Diagnostics> {
        let message = format!("tests cannot be written in {}", self.name());
        Err(Diagnostics(vec![Diagnostic::about_file(&file.name, message)]))
    }

    /// Compiles expressions about finished runs, which have these calls.
    ///
    /// # Errors
    /// Every expression that does not parse, or changes what it is about.
    fn compile_expressions(
        &self,
        files: &[Arc<SourceFile>],
        _sources: Arc<Sources>,
        _calls: &ForeignCalls,
    ) -> Result<Box<dyn Expressions>, Diagnostics> {
        let message = format!("expressions cannot be written in {}", self.name());
        Err(Diagnostics(files.iter().map(|file| Diagnostic::about_file(&file.name, &*message)).collect()))
    }

    /// Finds out which events its scripts emit.
    fn emitted(&self, _sources: Arc<Sources>) -> MayEmit {
        Arc::new(|_| true)
    }

    /// The paths of the files that a script imports, as it writes them but with their ending. It need not be valid.
    fn imports(&self, _text: &str) -> Vec<String> {
        Vec::new()
    }

    /// The path of the file that a script imports as a module of this name. It need not be valid.
    fn imported_as<'t>(&self, _text: &'t str, _module: &str) -> Option<&'t str> {
        None
    }

    /// The functions that a script declares, in their order. It need not be valid.
    fn functions<'t>(&self, _text: &'t str) -> Vec<TextFunction<'t>> {
        Vec::new()
    }

    /// The functions that a file which others import gives them. It need not be valid.
    fn module_functions<'t>(&self, text: &'t str) -> Vec<TextFunction<'t>> {
        self.functions(text)
    }

    /// Whether a script may read members of an entity whose names it computes.
    fn computes_names(&self, _text: &str) -> bool {
        false
    }

    /// A script that only imports the file at a path, which has its ending.
    fn importer(&self, _path: &str) -> String {
        String::new()
    }

    /// What differs between two texts of a script, such as `fn on_jump changed`. Comments and spaces do not count.
    fn changes(&self, _old: &str, _new: &str) -> Vec<String> {
        vec!["changed".into()]
    }

    /// Whether the last thing in a text is a comment, or a part of one. It need not be valid.
    fn ends_in_comment(&self, _text: &str) -> bool {
        false
    }

    /// How it writes what differs between languages.
    fn spelling(&self) -> Spelling {
        Spelling::default()
    }

    /// The call that gives a command, in a game with these actions. Empty for one that moves nothing.
    fn spell_command(&self, command: &Command, actions: &OwnActions) -> String {
        spelling::call(command, actions, self.spelling())
    }

    /// The value that a rule returns to answer this.
    fn spell_answer(&self, answer: &RuleAnswer) -> String {
        spelling::answer(answer, self.spelling())
    }

    /// All calls and properties that scripts have, in the order of the reference. Tests have the calls of `_tests`.
    fn entries(&self, _tests: &ForeignCalls) -> Vec<&'static ApiEntry> {
        Vec::new()
    }

    /// The reference, name by name.
    fn reference(&self, _tests: &ForeignCalls) -> &'static [ReferenceItem] {
        &[]
    }

    /// The whole reference.
    fn describe(&self, _format: ReferenceFormat, _tests: &ForeignCalls) -> String {
        String::new()
    }
}

/// A function as the text of a script declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextFunction<'t> {
    /// Its name.
    pub name: &'t str,
    /// What is between its parentheses.
    pub parameters: &'t str,
    /// Where its name begins, in bytes.
    pub at: usize,
}

impl<'t> TextFunction<'t> {
    /// The texts of its parameters.
    pub fn each_parameter(&self) -> impl Iterator<Item = &'t str> + use<'t> {
        self.parameters.split(',').map(str::trim).filter(|name| !name.is_empty())
    }

    /// Whether it is a test.
    pub fn is_test(&self) -> bool {
        self.name.starts_with("test_")
    }
}

/// Checks the scripts of one game without running them.
pub trait ScriptInspector: Send + Sync {
    /// Errors and warnings about the functions of a script, which need not be one of the game's.
    /// There are none if it does not parse; compiling reports that.
    fn inspect(&self, file: &Arc<SourceFile>, role: ScriptRole) -> Vec<Diagnostic>;

    /// The states of a script of the game, if it is a state machine; `path` is below `scripts/`.
    fn states(&self, path: &str) -> Vec<&str>;
}

/// Checks the scripts of one game, whatever their languages.
pub struct Inspectors(Vec<(&'static str, Box<dyn ScriptInspector>)>, Languages);

impl Inspectors {
    /// Reads all scripts of a game; `known` has the names that its other files define.
    pub fn new(languages: Languages, sources: &Sources, known: &GameNames, tests: &ForeignCalls) -> Self {
        let all = languages.0.iter();
        Self(
            all.map(|language| (language.ending(), language.inspector(sources, known.clone(), tests)))
                .collect(),
            languages,
        )
    }

    /// What checks a file with this name.
    pub fn of(&self, name: &str) -> &dyn ScriptInspector {
        let ending = self.1.of(name).map(|language| language.ending());
        let own = self.0.iter().find(|(known, _)| Some(*known) == ending);
        own.map_or(&NoInspector, |(_, inspector)| &**inspector)
    }
}

/// What checks the scripts of a language without a checker.
struct NoInspector;

impl ScriptInspector for NoInspector {
    fn inspect(&self, _: &Arc<SourceFile>, _: ScriptRole) -> Vec<Diagnostic> {
        Vec::new()
    }

    fn states(&self, _: &str) -> Vec<&str> {
        Vec::new()
    }
}

/// How a script file is used, which decides what it can call and which of its functions are hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptRole {
    /// A script of entities, and perhaps of levels too.
    Behavior,
    /// A script of levels only.
    Level,
    /// A script that behaviors import.
    Library,
    /// A script that tests import.
    TestLibrary,
    /// A test script.
    Test,
}

impl ScriptRole {
    /// Whether it can use what behaviors use, or what tests use.
    pub fn api_set(self) -> ApiSet {
        match self {
            Self::Test | Self::TestLibrary => ApiSet::Test,
            _ => ApiSet::Behavior,
        }
    }

    /// Whether hangtime calls the hooks of such a script.
    pub fn has_hooks(self) -> bool {
        matches!(self, Self::Behavior | Self::Level)
    }
}

/// The languages that the scripts of a game may be written in. Expressions on the command line are in the first
/// one.
#[derive(Clone, Copy)]
pub struct Languages(pub &'static [&'static dyn Language]);

impl Languages {
    /// The language of a file, by the ending of its name; none if it is not a script.
    pub fn of(self, name: &str) -> Option<&'static dyn Language> {
        let (_, ending) = name.rsplit_once('.')?;
        let ends = |language: &&dyn Language| language.ending() == ending || language.other_endings().contains(&ending);
        self.0.iter().copied().find(ends)
    }

    /// The name of a file without the ending of a script.
    pub fn stem(self, name: &str) -> &str {
        let stem = name.rsplit_once('.').map(|(stem, _)| stem);
        stem.filter(|_| self.of(name).is_some()).unwrap_or(name)
    }

    /// The scripts that a file imports, by their keys: the first of its choices for each path that is `known`, or else
    /// the last.
    pub fn imports(self, file: &SourceFile, known: impl Fn(&str) -> bool) -> Vec<String> {
        let paths = self.of(&file.name).map_or_else(Vec::new, |language| language.imports(&file.text));
        let key = |path: String| import_keys(&file.name, &path).find(|key| known(key)).unwrap_or(path);
        paths.into_iter().map(key).collect()
    }

    /// The first one.
    pub fn first(self) -> &'static dyn Language {
        self.0[0]
    }

    /// How the names of scripts end, without the dot.
    pub fn endings(self) -> impl Iterator<Item = &'static str> {
        let endings = |language: &&'static dyn Language| {
            [language.ending()].into_iter().chain(language.other_endings().iter().copied())
        };
        self.0.iter().flat_map(endings)
    }
}

impl std::fmt::Debug for Languages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|language| language.name())).finish()
    }
}

impl PartialEq for Languages {
    fn eq(&self, other: &Self) -> bool {
        self.endings().eq(other.endings())
    }
}
