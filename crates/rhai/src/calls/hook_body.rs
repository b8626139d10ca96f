//! The bodies of hooks, found once when a script is compiled.

use super::*;
use crate::engine::pricing::CutFunction;

/// The body of a hook, as the runtime evaluates it.
#[derive(Clone, Debug)]
pub(crate) struct HookBody {
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
        let node = node_of(priced, |name, parameters| cut.name == name && cut.parameters.len() == parameters)?.pop();
        let parameters = cut.parameters.iter().map(|name| name.to_string()).collect();
        Some(Self { index, name: sequence.clone(), parameters, node, only_reads: false })
    }

    /// The body of the function with this name and these parameters; none if there are several such functions, for
    /// different types of `this`: then Rhai chooses one. `priced` is the program `ast` with prices.
    pub fn find((ast, priced): (&AST, &AST), index: usize, name: &str, parameters: &[&str]) -> Option<Self> {
        let count = parameters.len();
        let of_name = |n: &str, p: usize| n == name && p == count;
        let mut found = ast.iter_functions().filter(|f| of_name(f.name, f.params.len()));
        let function = found.next()?;
        if function.this_type.is_some() || found.next().is_some() {
            return None;
        }
        let node = node_of(priced, of_name)?.pop();
        let mut only_reads = true;
        walk(ast, of_name, &mut |path| only_reads &= keeps_this(path));
        Some(Self {
            index,
            name: name.into(),
            parameters: parameters.iter().map(|&name| name.into()).collect(),
            node,
            only_reads,
        })
    }
}

/// The node of a priced function, none for an empty one; `None` if its body is not one node.
fn node_of(priced: &AST, of_name: impl Fn(&str, usize) -> bool) -> Option<Vec<Expr>> {
    let mut nodes = Vec::new();
    let mut statements = 0;
    walk(priced, of_name, &mut |path| {
        if let [ASTNode::Stmt(statement)] = path {
            statements += 1;
            if let Stmt::Expr(expression) = statement {
                nodes.push((**expression).clone());
            }
        }
    });
    (statements == nodes.len() && statements <= 1).then_some(nodes)
}

/// Walks through the functions that `chosen` selects by their names and numbers of parameters.
fn walk(ast: &AST, chosen: impl Fn(&str, usize) -> bool, seen: &mut dyn FnMut(&[ASTNode<'_>])) {
    let mut alone = ast.clone_functions_only();
    alone.retain_functions(|_, _, name, parameters| chosen(name, parameters));
    alone.walk(&mut |path: &[ASTNode<'_>]| {
        seen(path);
        true
    });
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
