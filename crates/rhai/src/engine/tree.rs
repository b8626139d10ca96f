//! Reading Rhai's syntax tree: its nodes, its functions, and chains such as `me.vel.x`.

use rhai::{AST, ASTFlags, ASTNode, Expr, FnCallExpr, Position, Stmt};

/// A step of a chain such as `me.vel.x`, `event["speed"]` or `t.entity("hero").x`.
#[derive(Clone, Copy)]
pub(crate) enum ChainStep<'e> {
    Property(&'e str, Position),
    Method(&'e FnCallExpr, Position),
    Index(&'e Expr),
}

impl<'e> ChainStep<'e> {
    /// The name after the dot, unless it is called.
    pub fn property(self) -> Option<&'e str> {
        match self {
            Self::Property(name, _) => Some(name),
            _ => None,
        }
    }
}

/// Flattens a chain, which Rhai nests to the right: the expression it starts with, and its steps.
pub(crate) fn chain(expression: &Expr) -> (&Expr, Vec<ChainStep<'_>>) {
    let (root, mut rest, mut index, mut flags) = match expression {
        Expr::Dot(pair, flags, _) => (&pair.lhs, &pair.rhs, false, *flags),
        Expr::Index(pair, flags, _) => (&pair.lhs, &pair.rhs, true, *flags),
        other => return (other, Vec::new()),
    };
    let mut steps = Vec::new();
    loop {
        // An index may be a chain too, which is not part of this one.
        let open = !(index && flags.intersects(ASTFlags::BREAK));
        let (here, next) = match rest {
            Expr::Dot(pair, flags, _) if open => (&pair.lhs, Some((&pair.rhs, false, *flags))),
            Expr::Index(pair, flags, _) if open => (&pair.lhs, Some((&pair.rhs, true, *flags))),
            only => (only, None),
        };
        steps.push(match here {
            Expr::Property(property, at) if !index => ChainStep::Property(&property.2, *at),
            Expr::MethodCall(call, at) if !index => ChainStep::Method(call, *at),
            other => ChainStep::Index(other),
        });
        match next {
            Some(next) => (rest, index, flags) = next,
            None => return (root, steps),
        }
    }
}

/// The first step of a chain that begins with `this`, and the position of `this`.
pub(crate) fn first_of_this(expression: &Expr) -> Option<(ChainStep<'_>, Position)> {
    match chain(expression) {
        (Expr::ThisPtr(at), steps) => Some((*steps.first()?, *at)),
        _ => None,
    }
}

/// Whether a chain stops at `()`: it has a step such as `?.`.
pub(crate) fn is_optional(chain: &Expr) -> bool {
    let (Expr::Dot(pair, flags, _) | Expr::Index(pair, flags, _)) = chain else {
        return false;
    };
    flags.intersects(ASTFlags::NEGATED) || (!flags.intersects(ASTFlags::BREAK) && is_optional(&pair.rhs))
}

/// Is handed each node with those around it, the outermost first. False ends the walk.
pub(crate) type OnNode<'a> = &'a mut dyn FnMut(&[ASTNode]) -> bool;

/// Walks through a program. Rhai's own walk is compiled for each function that it calls; this one is there once.
pub(crate) fn walk(ast: &AST, on_node: OnNode<'_>) {
    ast.walk(on_node);
}

/// Walks through some statements.
pub(crate) fn walk_all(statements: &[Stmt], on_node: OnNode<'_>) {
    for statement in statements {
        statement.walk(&mut Vec::new(), on_node);
    }
}

/// Visits all nodes of a program, outer ones first.
pub(crate) fn each_node(ast: &AST, mut seen: impl FnMut(&ASTNode)) {
    walk(ast, &mut |path| {
        path.last().map(&mut seen);
        true
    });
}

/// Visits all nodes of some statements, outer ones first, until `found` returns true; returns
/// whether it did.
pub(crate) fn any_node(statements: &[Stmt], mut found: impl FnMut(&ASTNode) -> bool) -> bool {
    let mut stopped = false;
    walk_all(statements, &mut |path| {
        stopped = stopped || path.last().is_some_and(&mut found);
        !stopped
    });
    stopped
}

/// Visits the left sides of all assignments in some statements.
pub(crate) fn each_target(statements: &[Stmt], mut seen: impl FnMut(&Expr)) {
    any_node(statements, |node| {
        if let ASTNode::Stmt(Stmt::Assignment(set)) = node {
            seen(&set.1.lhs);
        }
        false
    });
}

/// The call that a node is, whether it is a statement, an expression or a method call.
pub(crate) fn call_of<'n>(node: &ASTNode<'n>) -> Option<&'n FnCallExpr> {
    match node {
        ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)) => {
            Some(call)
        }
        _ => None,
    }
}

/// A tree of one function only, which shares it with the tree of the file.
pub(crate) fn function_alone(ast: &AST, name: &str, parameters: usize) -> AST {
    let mut alone = ast.clone_functions_only();
    alone.retain_functions(|_, _, n, p| n == name && p == parameters);
    alone
}

/// The statements of the only function of a tree, which gives access to them only by walking.
pub(crate) fn body_of(alone: &AST) -> Vec<Stmt> {
    let mut statements = Vec::new();
    walk(alone, &mut |path| {
        if let [ASTNode::Stmt(statement)] = path {
            statements.push((*statement).clone());
        }
        true
    });
    statements
}
