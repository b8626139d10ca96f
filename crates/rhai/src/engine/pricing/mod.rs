//! Prices of steps for which Rhai counts a single operation, however much they handle.
//!
//! Rhai reports how many steps it has taken, not what they handle. So the syntax tree of a script is
//! changed before it runs: an expression that may copy, search or rebuild something large is put
//! inside a node that charges for its size ([`nodes`]). Everything else stays as it is. Positions
//! and results are the same as before. A node counts as a step of the script, since evaluating it takes time, too.

mod nodes;
mod path;
mod rewrite;
mod template;

pub(crate) use nodes::{JOIN, MAKE, PER_INDEX, PER_NODE, READ, SEARCH, WRITE};
pub(super) use path::{is_changed, is_root};
pub(crate) use path::{places_of, plain_name};
pub(crate) use template::{CutFunction, PER_CALL, PricedFunction, priced_functions, start_of};

use crate::engine::{
    budget::charge,
    halt::{Fallible, stop},
    tree::{ChainStep, body_of, chain, each_node, function_alone},
    weight::{PARTS_IN_ONE, charge_for, charge_for_change, charge_weight, is_heavy, parts, place_of, weight},
};
use nodes::*;
use path::*;
use rhai::{
    AST, ASTFlags, ASTNode, CustomExpr, Dynamic, Engine, EvalContext, Expr, Expression, FnAccess, FnCallExpr,
    ImmutableString, Map, Module, ScriptFuncDef, Shared, Stmt, StmtBlock,
};
use std::{cell::RefCell, collections::BTreeMap};

/// Registers what the nodes of priced programs do.
pub(super) fn register(engine: &mut Engine) {
    nodes::register(engine);
    template::register(engine);
}

/// The same program with prices.
pub(crate) fn priced(ast: &AST) -> AST {
    priced_cut(ast, &[])
}

/// The same with these functions, some of which are in place of those of the program.
pub(crate) fn priced_cut(ast: &AST, cut: &[CutFunction]) -> AST {
    let mut statements = ast.statements().to_vec();
    rewrite::block(&mut statements);
    let mut functions = Module::new();
    for function in ast.iter_fn_def() {
        functions.set_script_fn(template::with_prices(ast, function));
    }
    for function in cut.iter().filter_map(template::cut_with_prices) {
        functions.set_script_fn(function);
    }
    let mut copy = AST::new(statements, functions);
    if let Some(source) = ast.source() {
        copy.set_source(source);
    }
    copy
}
