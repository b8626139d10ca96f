//! Reading Rhai's syntax tree: chains, closures, names, and the text of short expressions.

use rhai::{AST, ASTFlags, ASTNode, Expr, FnCallExpr, FnPtr, Ident, Position, Stmt};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;

/// A step of a chain such as `me.vel.x`, `event["speed"]` or `t.entity("hero").x`.
pub(super) enum ChainStep<'e> {
    Property(&'e str, Position),
    Method(&'e FnCallExpr, Position),
    Index(&'e Expr),
}

impl<'e> ChainStep<'e> {
    /// The name after the dot, unless it is called.
    pub fn property(&self) -> Option<&'e str> {
        match self {
            Self::Property(name, _) => Some(name),
            _ => None,
        }
    }
}

/// Flattens a chain, which Rhai nests to the right: the expression it starts with, and its steps.
pub(super) fn chain(expression: &Expr) -> (&Expr, Vec<ChainStep<'_>>) {
    let (root, mut rest, mut index, mut ends) = match expression {
        Expr::Dot(pair, flags, _) => (&pair.lhs, &pair.rhs, false, *flags),
        Expr::Index(pair, flags, _) => (&pair.lhs, &pair.rhs, true, *flags),
        other => return (other, Vec::new()),
    };
    let mut steps = Vec::new();
    loop {
        // An index may be a chain too, which is not part of this one.
        let open = !(index && ends.intersects(ASTFlags::BREAK));
        let (here, next) = match rest {
            Expr::Dot(pair, flags, _) if open => (&pair.lhs, Some((&pair.rhs, false, *flags))),
            Expr::Index(pair, flags, _) if open => (&pair.lhs, Some((&pair.rhs, true, *flags))),
            only => (only, None),
        };
        steps.push(match here {
            _ if index => ChainStep::Index(here),
            Expr::Property(property, at) => ChainStep::Property(&property.2, *at),
            Expr::MethodCall(call, at) => ChainStep::Method(call, *at),
            other => ChainStep::Index(other),
        });
        match next {
            Some(next) => (rest, index, ends) = next,
            None => return (root, steps),
        }
    }
}

/// The variable that an expression such as `this.x` or `this.list[0].x` begins with, and the
/// position of `this`.
pub(super) fn variable_of_this(expression: &Expr) -> Option<(&str, Position)> {
    match chain(expression) {
        (Expr::ThisPtr(at), steps) => Some((steps.first()?.property()?, *at)),
        _ => None,
    }
}

/// The variable that is read by exactly `this.name`.
pub(super) fn only_variable_of_this(expression: &Expr) -> Option<&str> {
    match chain(expression) {
        (Expr::ThisPtr(_), steps) if steps.len() == 1 => steps[0].property(),
        _ => None,
    }
}

/// All property names and literal keys on the left side of an assignment.
pub(super) fn assigned_names(target: &Expr, names: &mut BTreeSet<String>) {
    match target {
        Expr::Dot(pair, ..) | Expr::Index(pair, ..) => {
            assigned_names(&pair.lhs, names);
            assigned_names(&pair.rhs, names);
        }
        Expr::Property(property, _) => {
            names.insert(property.2.to_string());
        }
        Expr::StringConstant(text, _) => {
            names.insert(text.to_string());
        }
        _ => {}
    }
}

/// A closure as it appears in an expression.
pub(super) struct ClosureLiteral<'e> {
    /// The variables it captures, which become its first parameters.
    pub captured: &'e [(Ident, Option<NonZeroUsize>)],
    pub function: FnPtr,
}

/// The closure that an expression is, if it is one.
pub(super) fn closure(value: &Expr) -> Option<ClosureLiteral<'_>> {
    let pointer = |value: &Expr| match value {
        Expr::DynamicConstant(value, _) => Some(value.read_lock::<FnPtr>()?.clone()),
        _ => None,
    };
    let Expr::Stmt(block) = value else {
        let function = pointer(value)?;
        return Some(ClosureLiteral { captured: &[], function });
    };
    let [Stmt::Share(captured), Stmt::Expr(curry)] = block.statements() else {
        return None;
    };
    let Expr::FnCall(call, _) = &**curry else {
        return None;
    };
    let function = pointer(call.args.first()?)?;
    Some(ClosureLiteral { captured, function })
}

/// Visits all nodes of some statements, outer ones first, until `found` returns true; returns
/// whether it did.
pub(super) fn any_node(statements: &[Stmt], mut found: impl FnMut(&ASTNode<'_>) -> bool) -> bool {
    let mut stopped = false;
    for statement in statements {
        statement.walk(&mut Vec::new(), &mut |path| {
            stopped = stopped || path.last().is_some_and(&mut found);
            !stopped
        });
    }
    stopped
}

/// The call that a node is, whether it is a statement, an expression or a method call.
pub(super) fn call_of<'n>(node: &ASTNode<'n>) -> Option<&'n FnCallExpr> {
    match node {
        ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)) => {
            Some(call)
        }
        _ => None,
    }
}

/// The names that a file uses.
#[derive(Default)]
pub(super) struct NamesUsed {
    /// Functions that it calls.
    pub called: BTreeSet<String>,
    /// Text and bare names, any of which may become a function pointer.
    pub mentioned: BTreeSet<String>,
    /// Properties, and keys of map literals.
    pub keys: BTreeSet<String>,
}

/// All names that a file uses.
pub(super) fn names_used(ast: &AST) -> NamesUsed {
    let mut used = NamesUsed::default();
    ast.walk(&mut |path| {
        match path.last() {
            Some(ASTNode::Expr(Expr::StringConstant(text, _))) => {
                used.mentioned.insert(text.to_string());
            }
            Some(ASTNode::Expr(Expr::Variable(variable, ..))) => {
                used.mentioned.insert(variable.1.to_string());
            }
            Some(ASTNode::Expr(Expr::Property(property, _))) => {
                used.keys.insert(property.2.to_string());
            }
            Some(ASTNode::Expr(Expr::Map(map, _))) => {
                let keys = map.0.iter().map(|(key, _)| key.name.to_string());
                used.keys.extend(keys);
            }
            Some(node) => used.called.extend(call_of(node).map(|call| call.name.to_string())),
            None => {}
        }
        true
    });
    used
}

/// Whether an expression is a literal.
pub(super) fn is_literal(expression: &Expr) -> bool {
    expression.get_literal_value(None).is_some()
}

/// The source text of a short expression: a literal, or a variable with properties.
pub(super) fn source_text(expression: &Expr) -> Option<String> {
    match expression {
        Expr::IntegerConstant(n, _) => Some(n.to_string()),
        Expr::FloatConstant(n, _) => Some(n.to_string()),
        Expr::StringConstant(text, _) => Some(format!("{text:?}")),
        Expr::BoolConstant(flag, _) => Some(flag.to_string()),
        Expr::ThisPtr(_) => Some("this".into()),
        Expr::Variable(variable, ..) if variable.2.is_empty() => Some(variable.1.to_string()),
        Expr::Dot(..) => {
            let (root, steps) = chain(expression);
            chain_text(root, &steps)
        }
        _ => None,
    }
}

/// The source text of a chain that consists of names only.
pub(super) fn chain_text(root: &Expr, steps: &[ChainStep<'_>]) -> Option<String> {
    let mut text = source_text(root)?;
    for step in steps {
        text += &format!(".{}", step.property()?);
    }
    Some(text)
}
