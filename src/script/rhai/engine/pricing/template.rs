//! Functions with prices.
//!
//! Rhai hides the body of a function in a type that other crates cannot name. So the priced body is
//! put into a node, and the body of the function is that of a template, which is parsed
//! from source and consists of the node.

use super::rewrite;
use crate::script::rhai::engine::budget::charge;
use crate::script::rhai::engine::halt::stop;
use rhai::{AST, ASTNode, Dynamic, Engine, Expr, Expression, ScriptFuncDef, Shared};
use rhai::{Stmt, StmtBlock};
use std::cell::RefCell;

/// The node's name. Scripts must not use it.
const BODY: &str = "__body__";

/// Operations charged for a call of a closure. Rhai also counts three for the node itself, as for any function; all
/// together they are what a call takes.
const PER_CLOSURE: u64 = 22;
/// The same for a call of any other function.
const PER_CALL: u64 = 2;

thread_local! {
    /// The body for the next node that is parsed.
    static NEXT: RefCell<Dynamic> = const { RefCell::new(Dynamic::UNIT) };
    /// Parses templates.
    static PARSER: Engine = parser();
}

/// The body of a function.
#[derive(Clone)]
struct PricedBody {
    block: Shared<Expr>,
    closure: bool,
}

/// The function with prices; the same function if it is empty.
pub(super) fn with_prices(ast: &AST, function: &Shared<ScriptFuncDef>) -> Shared<ScriptFuncDef> {
    let mut statements = body_of(ast, &function.name, function.params.len());
    let closure = function.name.starts_with("anon$");
    if statements.is_empty() {
        return function.clone();
    }
    // A call takes longer than its steps: the node of the body counts, too.
    rewrite::statements(&mut statements);
    let (start, end) = (function.body.start_position(), function.body.end_position());
    let block = Expr::Stmt(Box::new(StmtBlock::new(statements, start, end)));
    let Some(body) = node(block, closure) else {
        return function.clone();
    };
    let mut priced = (**function).clone();
    priced.body = (*body).clone().body;
    priced.into()
}

/// A function whose body is a node with this expression.
fn node(block: Expr, closure: bool) -> Option<Shared<ScriptFuncDef>> {
    NEXT.set(Dynamic::from(PricedBody {
        block: Shared::new(block),
        closure,
    }));
    let template = PARSER.with(|parser| parser.compile(format!("fn f() {{ {BODY} }}")));
    let template = template.ok()?;
    let mut functions = template.shared_lib().iter_script_fn_info();
    functions.next().map(|(.., function)| function.clone())
}

fn parser() -> Engine {
    let mut engine = Engine::new_raw();
    engine.set_optimization_level(rhai::OptimizationLevel::None);
    engine.register_custom_syntax_with_state_raw(
        BODY,
        |_, _, state| {
            *state = NEXT.replace(Dynamic::UNIT);
            Ok(None)
        },
        false,
        |_, _, _| Ok(Dynamic::UNIT),
    );
    engine
}

/// Registers what the node does.
pub(super) fn register(engine: &mut Engine) {
    let run = |context: &mut rhai::EvalContext<'_, '_, '_, '_, '_, '_>,
               _: &[Expression<'_>],
               state: &Dynamic| {
        let Some(body) = state.read_lock::<PricedBody>() else {
            return Err(stop(format!("`{BODY}` is reserved")));
        };
        charge(if body.closure { PER_CLOSURE } else { PER_CALL })?;
        context.eval_expression_tree(&Expression::from(&*body.block))
    };
    // It fails only without an interpreter for syntax trees.
    let _ = engine.register_custom_syntax_handler(BODY, false, run);
}

/// The statements of a function. The tree gives access to them only by walking.
fn body_of(ast: &AST, name: &str, parameters: usize) -> Vec<Stmt> {
    let mut alone = ast.clone_functions_only();
    alone.retain_functions(|_, _, n, p| n == name && p == parameters);
    let mut statements = Vec::new();
    alone.walk(&mut |path| {
        if let [ASTNode::Stmt(statement)] = path {
            statements.push((*statement).clone());
        }
        true
    });
    statements
}
