//! Functions with prices.
//!
//! Rhai hides the body of a function in a type that other crates cannot name. So the priced body is
//! put into a node, and the function takes its body from a template, which is parsed from source and
//! consists of the node.

use super::*;

/// The node's name. Scripts must not use it.
const BODY: &str = "__body__";

/// Operations charged for a call of a closure. Rhai also counts three for the node itself, as for any function; all
/// together they are what a call takes.
const PER_CLOSURE: u64 = 22;
/// The same for a call of any other function.
pub const PER_CALL: u64 = 2;

thread_local! {
    /// The body for the next node that is parsed.
    static NEXT: RefCell<Dynamic> = const { RefCell::new(Dynamic::UNIT) };
    /// Parses templates.
    static PARSER: Engine = parser();
}

/// The body of a function.
#[derive(Clone)]
struct PricedBody {
    name: ImmutableString,
    parameters: usize,
    block: Shared<Expr>,
    closure: bool,
}

/// A function of a priced program.
#[derive(Clone, Debug)]
pub struct PricedFunction {
    pub name: ImmutableString,
    pub parameters: Vec<ImmutableString>,
    /// Its body, a block; none if it is empty.
    block: Option<Shared<Expr>>,
    /// Whether files that import it can call it.
    pub public: bool,
    /// Whether it is a method of values of one type.
    pub typed: bool,
}

impl PricedFunction {
    /// The statements of its body.
    pub fn statements(&self) -> &[Stmt] {
        match self.block.as_deref() {
            Some(Expr::Stmt(block)) => block.statements(),
            _ => &[],
        }
    }
}

/// The functions of a priced program, except closures.
pub fn priced_functions(ast: &AST) -> Vec<PricedFunction> {
    let mut bodies = BTreeMap::new();
    each_node(ast, |node| {
        if let ASTNode::Expr(Expr::Custom(node, _)) = node
            && let Some(body) = node.state.read_lock::<PricedBody>()
        {
            bodies.insert((body.name.clone(), body.parameters), body.block.clone());
        }
    });
    let named = ast.iter_fn_def().filter(|function| !function.name.starts_with("anon$"));
    let described = named.map(|function| PricedFunction {
        name: function.name.clone(),
        parameters: function.params.to_vec(),
        block: bodies.remove(&(function.name.clone(), function.params.len())),
        public: function.access == FnAccess::Public,
        typed: function.this_type.is_some(),
    });
    described.collect()
}

/// Where the body of a function of a priced program begins.
pub fn start_of(ast: &AST, name: &str) -> Option<rhai::Position> {
    let mut start = None;
    each_node(ast, |node| {
        if let ASTNode::Expr(Expr::Custom(node, _)) = node
            && let Some(body) = node.state.read_lock::<PricedBody>()
            && *body.name == *name
            && let Expr::Stmt(block) = &*body.block
        {
            start = Some(block.position());
        }
    });
    start.filter(|start| !start.is_none())
}

/// A part of a function that waits, which was cut at its waits.
pub struct CutFunction {
    pub name: ImmutableString,
    pub parameters: Vec<ImmutableString>,
    pub statements: Vec<Stmt>,
    /// Where the function that was cut begins and ends.
    pub span: (rhai::Position, rhai::Position),
}

/// A function of a cut with prices.
pub fn cut_with_prices(cut: &CutFunction) -> Option<Shared<ScriptFuncDef>> {
    let mut statements = cut.statements.clone();
    let empty = statements.is_empty();
    rewrite::block(&mut statements);
    let block = Expr::Stmt(Box::new(StmtBlock::new(statements, cut.span.0, cut.span.1)));
    let parameters = cut.parameters.len();
    let body = PricedBody { name: cut.name.clone(), parameters, block: Shared::new(block), closure: false };
    let mut priced = if empty { function_of("") } else { node(body) }.map(|function| (*function).clone())?;
    priced.name = cut.name.clone();
    priced.params = cut.parameters.iter().cloned().collect();
    Some(priced.into())
}

/// The function with prices; the same function if it is empty.
pub fn with_prices(ast: &AST, function: &Shared<ScriptFuncDef>) -> Shared<ScriptFuncDef> {
    let mut statements = body_of(&function_alone(ast, &function.name, function.params.len()));
    let closure = function.name.starts_with("anon$");
    if statements.is_empty() {
        return function.clone();
    }
    // A call takes longer than its steps: the node of the body counts, too.
    rewrite::block(&mut statements);
    let (start, end) = (function.body.start_position(), function.body.end_position());
    let block = Expr::Stmt(Box::new(StmtBlock::new(statements, start, end)));
    let body = PricedBody {
        name: function.name.clone(),
        parameters: function.params.len(),
        block: Shared::new(block),
        closure,
    };
    let Some(body) = node(body) else {
        return function.clone();
    };
    let mut priced = (**function).clone();
    priced.body = (*body).clone().body;
    priced.into()
}

/// A function whose body is a node with this one.
fn node(body: PricedBody) -> Option<Shared<ScriptFuncDef>> {
    NEXT.set(Dynamic::from(body));
    function_of(BODY)
}

/// A function with this body.
fn function_of(body: &str) -> Option<Shared<ScriptFuncDef>> {
    let template = PARSER.with(|parser| parser.compile(format!("fn f() {{ {body} }}"))).ok()?;
    template.iter_fn_def().next().cloned()
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
pub fn register(engine: &mut Engine) {
    let run = |context: &mut rhai::EvalContext, _: &[Expression], state: &Dynamic| {
        let Some(body) = state.read_lock::<PricedBody>() else {
            return Err(stop(format!("`{BODY}` is reserved")));
        };
        charge(if body.closure { PER_CLOSURE } else { PER_CALL })?;
        context.eval_expression_tree(&Expression::from(&*body.block))
    };
    // It fails only without an interpreter for syntax trees.
    let _ = engine.register_custom_syntax_handler(BODY, false, run);
}
