//! The bodies of hooks, found once when a script is compiled.

use super::*;
use crate::engine::{
    pricing::CutFunction,
    tree::{body_of, function_alone, walk},
};

/// The body of a hook, as the runtime evaluates it.
#[derive(Clone, Debug)]
pub struct HookBody {
    /// Its index among the bodies of the script.
    pub index: usize,
    /// The function's name.
    pub name: Arc<str>,
    /// The names of its one or two parameters.
    pub parameters: Vec<String>,
    /// The node of a body with prices; none if the function is empty.
    pub node: Option<Expr>,
    /// Whether it only reads variables, as in `this.n`. Then they are the same after the call.
    pub only_reads: bool,
}

impl HookBody {
    /// The body of a function of a sequence.
    pub fn of_cut(priced: &AST, index: usize, sequence: &Arc<str>, cut: &CutFunction) -> Option<Self> {
        let node = nodes_of(&function_alone(priced, &cut.name, cut.parameters.len()))?.pop();
        let parameters = cut.parameters.iter().map(|name| name.to_string()).collect();
        Some(Self { index, name: sequence.clone(), parameters, node, only_reads: false })
    }

    /// The body of the function with this name and these parameters; none if there are several such functions, for
    /// different types of `this`: then Rhai chooses one. `priced` is the program `ast` with prices.
    pub fn find((ast, priced): (&AST, &AST), index: usize, name: &str, parameters: &[&str]) -> Option<Self> {
        let count = parameters.len();
        let mut found = ast.iter_functions().filter(|f| f.name == name && f.params.len() == count);
        let function = found.next()?;
        if function.this_type.is_some() || found.next().is_some() {
            return None;
        }
        let node = nodes_of(&function_alone(priced, name, count))?.pop();
        let mut only_reads = true;
        walk(&function_alone(ast, name, count), &mut |path| {
            only_reads &= keeps_this(path);
            true
        });
        Some(Self {
            index,
            name: name.into(),
            parameters: parameters.iter().map(|&name| name.into()).collect(),
            node,
            only_reads,
        })
    }
}

/// The expressions of a function that is alone in a tree, at most one; `None` if its body is more than an expression.
fn nodes_of(alone: &AST) -> Option<Vec<Expr>> {
    match body_of(alone).as_slice() {
        [] => Some(Vec::new()),
        [Stmt::Expr(expression)] => Some(vec![(**expression).clone()]),
        _ => None,
    }
}

/// Whether the last node of a path leaves `this` as it is: the node is not `this`, or it reads a copy, as in `this.n`.
fn keeps_this(path: &[ASTNode<'_>]) -> bool {
    // The value of a `break` is not walked through.
    if matches!(path.last(), Some(ASTNode::Stmt(Stmt::BreakLoop(Some(_), ..)))) {
        return false;
    }
    let [rest @ .., ASTNode::Expr(Expr::ThisPtr(_))] = path else {
        return true;
    };
    let [before @ .., ASTNode::Expr(chain @ Expr::Dot(pair, ..))] = rest else {
        return false;
    };
    let reads = matches!((&pair.lhs, &pair.rhs), (Expr::ThisPtr(_), Expr::Property(..)));
    let written = match before.last() {
        Some(ASTNode::Stmt(Stmt::Assignment(set))) => std::ptr::eq(&set.1.lhs, *chain),
        _ => false,
    };
    reads && !written
}
