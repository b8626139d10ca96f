//! Expressions about a finished run: what a sweep measures.

use super::*;
use crate::{
    api::{entries, value_of as object_value},
    engine::{budget::CallBudget, tree::walk},
    messages::errors::place,
};
use hangtime_script::{
    ExpressionError, ExpressionValue, Expressions, FinishedRun,
    api::{ApiEntry, EntryKind, Owner, Type},
    calls::Object,
};
use rhai::FnCallExpr;
use std::collections::BTreeSet;

/// Expressions, compiled once for all runs.
pub(crate) struct RhaiExpressions {
    engine: Engine,
    limits: Limits,
    sources: Arc<Sources>,
    foreign: ForeignCalls,
    all: Vec<CompiledExpression>,
}

struct CompiledExpression {
    file: Arc<SourceFile>,
    ast: AST,
}

/// A finished run.
struct RhaiRun<'e> {
    expressions: &'e RhaiExpressions,
    scope: Scope<'static>,
    /// The names of all variables that expressions could use.
    names: Vec<String>,
}

impl RhaiExpressions {
    /// Compiles expressions. `sources` are the scripts of the game, whose events they can ask for.
    ///
    /// # Errors
    /// Every expression that does not parse, or changes what it is about.
    pub fn compile(
        files: &[Arc<SourceFile>],
        sources: Arc<Sources>,
        foreign: &ForeignCalls,
    ) -> Result<Self, Diagnostics> {
        let limits = Limits::of_tests();
        let mut engine = new_engine(&limits);
        register_tests(&mut engine, foreign, &Unchecked::default());
        let foreign = foreign.clone();
        let (mut all, mut wrong) = (Vec::new(), Vec::new());
        for file in files {
            match compile(&engine, file, &foreign) {
                Ok(ast) => all.push(CompiledExpression { file: file.clone(), ast }),
                Err(diagnostic) => wrong.push(diagnostic),
            }
        }
        match wrong.is_empty() {
            true => Ok(Self { engine, limits, sources, foreign, all }),
            false => Err(Diagnostics(wrong)),
        }
    }

    fn explain(&self, file: &Arc<SourceFile>, error: &EvalAltResult, names: &[String]) -> ExpressionError {
        let explainer = Explainer {
            file,
            sources: &self.sources,
            limits: &self.limits,
            api_set: ApiSet::Test,
            catalog: Box::new(|| test_catalog(&self.foreign)),
        };
        let whole = Place::new(file, 0..file.text.len());
        let mut diagnostic = explainer.explain(error, whole);
        let cause = error.unwrap_inner();
        if let EvalAltResult::ErrorVariableNotFound(name, _) = cause {
            let known = names.iter().map(String::as_str).collect::<Vec<_>>();
            diagnostic.message = format!("there is no variable `{name}`{}", suggestion(name, known));
        }
        let of_run = depends_on_run(cause, &diagnostic.message);
        ExpressionError { diagnostic, of_run }
    }
}

impl Expressions for RhaiExpressions {
    fn finished<'e>(&'e self, names: Vec<String>, value: &dyn Fn(&str) -> Object) -> Box<dyn FinishedRun + 'e> {
        let words = |expression: &'e CompiledExpression| words_of(&expression.file.text);
        let words: BTreeSet<&str> = self.all.iter().flat_map(words).collect();
        let mut scope = Scope::new();
        for name in names.iter().filter(|name| words.contains(name.as_str())) {
            scope.push(name.clone(), object_value(value(name)));
        }
        Box::new(RhaiRun { expressions: self, scope, names })
    }
}

impl FinishedRun for RhaiRun<'_> {
    fn evaluate(&self, index: usize, passed: Option<bool>) -> Result<ExpressionValue, Box<ExpressionError>> {
        let RhaiExpressions { engine, limits, all, .. } = self.expressions;
        let expression = &all[index];
        let mut scope = self.scope.clone();
        if let Some(passed) = passed {
            scope.push("passed", passed);
        }
        let _count: CallBudget = call_budget(limits);
        match engine.eval_ast_with_scope::<Dynamic>(&mut scope, &expression.ast) {
            Ok(value) => Ok(value_of(&value.flatten())),
            Err(error) => Err(Box::new(self.expressions.explain(&expression.file, &error, &self.names))),
        }
    }
}

fn compile(engine: &Engine, file: &Arc<SourceFile>, foreign: &ForeignCalls) -> Result<AST, Diagnostic> {
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
    match refused_call(&ast, entries(foreign)) {
        Some((why, at)) => Err(Diagnostic::error(place(file, at), why)),
        None => Ok(priced(&ast)),
    }
}

/// The first call that changes the run, or that only a test has a use for.
fn refused_call(ast: &AST, entries: &[ApiEntry]) -> Option<(String, Position)> {
    let mut refused = None;
    walk(ast, &mut |path| {
        let why = match path.last() {
            Some(ASTNode::Expr(Expr::MethodCall(call, at))) => changes(call, entries).map(|why| (why, *at)),
            Some(ASTNode::Expr(Expr::FnCall(call, at))) => of_tests(call, entries).map(|why| (why, *at)),
            _ => None,
        };
        if refused.is_none() {
            refused = why;
        }
        refused.is_none()
    });
    refused
}

fn tests_have(call: &FnCallExpr, entries: &[ApiEntry], is_it: impl Fn(&ApiEntry) -> bool) -> bool {
    let named = |e: &&ApiEntry| e.name == call.name.as_str() && e.kind == EntryKind::Function;
    entries.iter().filter(named).any(is_it)
}

/// Why a method of `t` cannot be called: it returns nothing, so it changes the level.
fn changes(call: &FnCallExpr, entries: &[ApiEntry]) -> Option<String> {
    let is_order = |e: &ApiEntry| e.owner == Owner::Test && e.returns == Type::Nothing;
    tests_have(call, entries, is_order)
        .then(|| format!("`t.{}` changes the level, but the run has ended; an expression can only read it", call.name))
}

/// Why a function cannot be called: it is for tests, and not about an entity of the run.
fn of_tests(call: &FnCallExpr, entries: &[ApiEntry]) -> Option<String> {
    let of_entity = |e: &ApiEntry| e.parameters.iter().any(|parameter| parameter.takes == Type::Live);
    let is_of_tests = |e: &ApiEntry| e.owner == Owner::Free && e.api_set == ApiSet::Test && !of_entity(e);
    tests_have(call, entries, is_of_tests)
        .then(|| format!("`{}` is for tests; an expression reads the finished run, as in `hero.x > 100`", call.name))
}

/// The words of a text that can be names.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let within = |c: char| c.is_alphanumeric() || c == '_';
    text.split(move |c| !within(c)).filter(|word| !word.is_empty())
}

/// A value as the summary of a run shows it.
fn value_of(value: &Dynamic) -> ExpressionValue {
    match HeldArg::of(value).arg() {
        Arg::Nothing => ExpressionValue::Nothing,
        Arg::Flag(flag) => ExpressionValue::Flag(flag),
        Arg::Whole(whole) => ExpressionValue::Whole(whole),
        Arg::Number(number) => ExpressionValue::Number(number),
        Arg::Text(text) => ExpressionValue::Text(text.into()),
        _ => ExpressionValue::Other(type_name(value)),
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
