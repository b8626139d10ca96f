//! Expressions about a finished run: what a sweep measures.

use super::testing::may_emit;
use crate::api::{self, expression_catalog, finished_run, new_engine, register_finished};
use crate::engine::budget::{CallBudget, call_budget};
use crate::engine::halt::source_too_large;
use crate::engine::nesting::parse;
use crate::engine::pricing::priced;
use crate::engine::resolver::Sources;
use crate::engine::values::type_name;
use crate::messages::errors::{Explainer, parse_error, place};
use hangtime_script::api::{ApiEntry, ApiSet, EntryKind, Owner, Type};
use hangtime_script::calls::{TestRecord, TestSession};
use hangtime_script::names::suggestion;
use hangtime_script::{Diagnostic, Diagnostics, Limits, MOST_SOURCE, Place, PlayedLevel, SourceFile};
use rhai::{AST, ASTNode, Dynamic, Engine, EvalAltResult, Expr, FnCallExpr, Position, Scope};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Expressions, compiled once for all runs. Threads can evaluate them at the same time.
pub struct Expressions {
    engine: Engine,
    limits: Limits,
    sources: Arc<Sources>,
    session: TestSession,
    all: Vec<CompiledExpression>,
    /// All words in them, which are the only names that they can use.
    words: BTreeSet<String>,
}

struct CompiledExpression {
    file: Arc<SourceFile>,
    ast: AST,
}

/// A finished run, about which expressions can be evaluated.
pub struct FinishedRun {
    scope: Scope<'static>,
    /// The names of all variables that expressions could use.
    names: Vec<String>,
}

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionValue {
    /// `()`.
    Nothing,
    /// True or false.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A floating-point number.
    Number(f64),
    /// Text.
    Text(String),
    /// Anything else: how messages name its type.
    Other(&'static str),
}

/// Why an expression has no value for a run.
#[derive(Clone, Debug)]
pub struct ExpressionError {
    /// The message and its place in the expression.
    pub diagnostic: Diagnostic,
    /// Whether it depends on the run, as an index that is too large does. A wrong name does not.
    pub of_run: bool,
}

impl Expressions {
    /// Compiles expressions. `sources` are the scripts of the game, whose events they can ask for.
    ///
    /// # Errors
    /// Every expression that does not parse, or changes what it is about.
    pub fn compile(
        files: &[Arc<SourceFile>],
        sources: Arc<Sources>,
        playtest: Arc<dyn hangtime_script::Playtest>,
    ) -> Result<Self, Diagnostics> {
        let limits = Limits::of_tests();
        let mut engine = new_engine(&limits);
        let session = TestSession { playtest, record: TestRecord::default(), may_emit: may_emit(sources.clone()) };
        api::register_tests(&mut engine, &session);
        register_finished(&mut engine, &session);
        let (mut all, mut wrong) = (Vec::new(), Vec::new());
        for file in files {
            match compile(&engine, file) {
                Ok(ast) => all.push(CompiledExpression { file: file.clone(), ast }),
                Err(diagnostic) => wrong.push(diagnostic),
            }
        }
        if !wrong.is_empty() {
            return Err(Diagnostics(wrong));
        }
        let words = files.iter().flat_map(|file| words_of(&file.text));
        Ok(Self { engine, limits, sources, session, all, words: words.map(String::from).collect() })
    }

    /// Whether any of them has this word.
    #[must_use]
    pub fn mention(&self, word: &str) -> bool {
        self.words.contains(word)
    }

    /// Makes the variables of a finished run: `t`, and those of these entities that are mentioned.
    ///
    /// # Errors
    /// If the run holds too much memory.
    pub fn finished(&self, level: Box<dyn PlayedLevel>, entities: &[String]) -> Result<FinishedRun, String> {
        let mentioned = entities.iter().filter(|name| self.mention(name));
        let mentioned: Vec<String> = mentioned.cloned().collect();
        let _count = call_budget(&self.limits);
        let scope = finished_run(level, &mentioned, &self.session);
        let mut names = vec!["t".to_string()];
        names.extend(entities.iter().cloned());
        match scope {
            Ok(scope) => Ok(FinishedRun { scope, names }),
            Err(error) => Err(error.to_string()),
        }
    }

    /// The value of an expression, by its index. `passed` is the variable of this name, if there is one.
    ///
    /// # Errors
    /// Why it has none.
    pub fn evaluate(
        &self,
        index: usize,
        run: &FinishedRun,
        passed: Option<bool>,
    ) -> Result<ExpressionValue, Box<ExpressionError>> {
        let expression = &self.all[index];
        let mut scope = run.scope.clone();
        if let Some(passed) = passed {
            scope.push("passed", passed);
        }
        let _count: CallBudget = call_budget(&self.limits);
        let value = self.engine.eval_ast_with_scope::<Dynamic>(&mut scope, &expression.ast);
        match value {
            Ok(value) => Ok(value_of(&value.flatten())),
            Err(error) => Err(Box::new(self.explain(&expression.file, &error, &run.names))),
        }
    }

    fn explain(&self, file: &Arc<SourceFile>, error: &EvalAltResult, names: &[String]) -> ExpressionError {
        let explainer = Explainer {
            file,
            sources: &self.sources,
            limits: &self.limits,
            api_set: ApiSet::Test,
            catalog: expression_catalog,
        };
        let whole = Place::new(file, 0..file.text.len());
        let mut diagnostic = explainer.explain(error, whole);
        let cause = innermost(error);
        if let EvalAltResult::ErrorVariableNotFound(name, _) = cause {
            let known = names.iter().map(String::as_str).collect::<Vec<_>>();
            diagnostic.message = format!("there is no variable `{name}`{}", suggestion(name, known));
        }
        let of_run = depends_on_run(cause, &diagnostic.message);
        ExpressionError { diagnostic, of_run }
    }

    /// An error about a whole expression.
    #[must_use]
    pub fn wrong(&self, index: usize, message: &str) -> Diagnostic {
        let file = &self.all[index].file;
        Diagnostic::error(Place::new(file, 0..file.text.len()), message)
    }
}

fn compile(engine: &Engine, file: &Arc<SourceFile>) -> Result<AST, Diagnostic> {
    let whole = || Place::new(file, 0..file.text.len());
    if file.text.len() > MOST_SOURCE {
        let why = source_too_large(file.text.len());
        return Err(Diagnostic::error(Place::new(file, 0..0), why));
    }
    if file.text.trim().is_empty() {
        return Err(Diagnostic::error(whole(), "this expression is empty"));
    }
    let mut ast = parse(engine, &file.text).map_err(|e| parse_error(file, &e))?;
    ast.set_source(file.name.as_str());
    match refused_call(&ast) {
        Some((why, at)) => Err(Diagnostic::error(place(file, at), why)),
        None => Ok(priced(&ast)),
    }
}

/// The first call that changes the run, or that only a test has a use for.
fn refused_call(ast: &AST) -> Option<(String, Position)> {
    let mut refused = None;
    ast.walk(&mut |path| {
        let why = match path.last() {
            Some(ASTNode::Expr(Expr::MethodCall(call, at))) => changes(call).map(|why| (why, *at)),
            Some(ASTNode::Expr(Expr::FnCall(call, at))) => of_tests(call).map(|why| (why, *at)),
            _ => None,
        };
        if refused.is_none() {
            refused = why;
        }
        refused.is_none()
    });
    refused
}

fn tests_have(call: &FnCallExpr, is_it: impl Fn(&ApiEntry) -> bool) -> bool {
    let named = |e: &&ApiEntry| e.name == call.name.as_str() && e.kind == EntryKind::Function;
    api::entries().iter().filter(named).any(is_it)
}

/// Why a method of `t` cannot be called: it returns nothing, so it changes the level.
fn changes(call: &FnCallExpr) -> Option<String> {
    let is_order = |e: &ApiEntry| e.owner == Owner::Test && e.returns == Type::Nothing;
    tests_have(call, is_order)
        .then(|| format!("`t.{}` changes the level, but the run has ended; an expression can only read it", call.name))
}

/// Why a function cannot be called: it is for tests.
fn of_tests(call: &FnCallExpr) -> Option<String> {
    let is_of_tests = |e: &ApiEntry| e.owner == Owner::Free && e.api_set == ApiSet::Test;
    tests_have(call, is_of_tests)
        .then(|| format!("`{}` is for tests; an expression reads the finished run, as in `hero.x > 100`", call.name))
}

/// The words of a text that can be names.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let within = |c: char| c.is_alphanumeric() || c == '_';
    text.split(move |c| !within(c)).filter(|word| !word.is_empty())
}

fn value_of(value: &Dynamic) -> ExpressionValue {
    if value.is_unit() {
        return ExpressionValue::Nothing;
    }
    if let Ok(flag) = value.as_bool() {
        return ExpressionValue::Flag(flag);
    }
    if let Ok(whole) = value.as_int() {
        return ExpressionValue::Whole(whole);
    }
    if let Ok(number) = value.as_float() {
        return ExpressionValue::Number(number);
    }
    if let Ok(text) = value.as_immutable_string_ref() {
        return ExpressionValue::Text(text.to_string());
    }
    ExpressionValue::Other(type_name(value))
}

fn innermost(error: &EvalAltResult) -> &EvalAltResult {
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) | EvalAltResult::ErrorInModule(_, inner, _) => {
            innermost(inner)
        }
        other => other,
    }
}

/// Whether another run might not have an error: it is about what happened, not about a name.
fn depends_on_run(error: &EvalAltResult, message: &str) -> bool {
    use EvalAltResult as E;
    match error {
        E::ErrorArrayBounds(..)
        | E::ErrorStringBounds(..)
        | E::ErrorBitFieldBounds(..)
        | E::ErrorArithmetic(..)
        | E::ErrorIndexNotFound(..)
        | E::ErrorDataTooLarge(..) => true,
        // An entity that has despawned is gone in this run.
        E::ErrorRuntime(..) => message.contains("no longer in the level") || message.contains("was not in this level"),
        // A search that found nothing returned `()`.
        _ => message.contains("()`") || message.contains("(()"),
    }
}
