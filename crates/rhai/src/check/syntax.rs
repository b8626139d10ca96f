//! Reading Rhai's syntax tree: chains, closures, names, and the text of short expressions.

use super::*;
pub(super) use crate::engine::tree::{
    ChainStep, any_node, body_of, call_of, chain, each_node, each_target, first_of_this, function_alone,
};

/// The variable that an expression such as `this.x` or `this.list[0].x` begins with, and the
/// position of `this`.
pub fn variable_of_this(expression: &Expr) -> Option<(&str, Position)> {
    let (first, at) = first_of_this(expression)?;
    Some((first.property()?, at))
}

/// The variable that is read by exactly `this.name`.
pub fn only_variable_of_this(expression: &Expr) -> Option<&str> {
    match chain(expression) {
        (Expr::ThisPtr(_), steps) if steps.len() == 1 => steps[0].property(),
        _ => None,
    }
}

/// All property names and literal keys on the left side of an assignment.
pub fn assigned_names(target: &Expr, names: &mut BTreeSet<String>) {
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
pub struct ClosureLiteral<'e> {
    /// The variables it captures, which become its first parameters.
    pub captured: &'e [(Ident, Option<NonZeroUsize>)],
    pub function: FnPtr,
}

/// The closure that an expression is, if it is one.
pub fn closure(value: &Expr) -> Option<ClosureLiteral<'_>> {
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

/// The names that a file uses.
#[derive(Default)]
pub struct NamesUsed {
    /// Functions that it calls.
    pub called: BTreeSet<String>,
    /// Functions that it calls more often as methods than on `this`.
    pub called_on_others: BTreeSet<String>,
    /// Text and bare names. Any of them may become a function pointer.
    pub mentioned: BTreeSet<String>,
    /// Properties, and keys of map literals. A map may hold a function under any of them.
    pub keys: BTreeSet<String>,
}

/// The text or the bare name that a node is.
pub fn mentioned_by<'n>(node: &ASTNode<'n>) -> Option<&'n str> {
    match node {
        ASTNode::Expr(Expr::StringConstant(text, _)) => Some(text),
        ASTNode::Expr(Expr::Variable(variable, ..)) => Some(&variable.1),
        _ => None,
    }
}

impl NamesUsed {
    /// All names that a file uses.
    pub fn of(ast: &AST) -> Self {
        let mut used = Self::default();
        let mut on_others: BTreeMap<String, isize> = BTreeMap::new();
        each_node(ast, |node| {
            match node {
                ASTNode::Expr(Expr::Property(property, _)) => drop(used.keys.insert(property.2.to_string())),
                ASTNode::Expr(Expr::Map(map, _)) => used.keys.extend(map.0.iter().map(|(key, _)| key.name.to_string())),
                ASTNode::Expr(Expr::MethodCall(call, _)) => *on_others.entry(call.name.to_string()).or_default() += 1,
                ASTNode::Expr(dot @ Expr::Dot(..)) => {
                    if let Some((ChainStep::Method(call, _), _)) = first_of_this(dot) {
                        *on_others.entry(call.name.to_string()).or_default() -= 1;
                    }
                }
                _ => {}
            }
            used.called.extend(call_of(node).map(|call| call.name.to_string()));
            used.mentioned.extend(mentioned_by(node).map(String::from));
        });
        on_others.retain(|_, count| *count > 0);
        used.called_on_others = on_others.into_keys().collect();
        used
    }

    /// Whether the file calls a function, or may have a pointer to it.
    pub fn uses(&self, name: &str) -> bool {
        self.called.contains(name) || self.mentioned.contains(name)
    }
}

/// Visits the values that a block may have: its last statement's value, in all branches. None means `()` or a value
/// that is not known; branches that end with `return` have none.
pub fn each_result<'e>(statements: &'e [Stmt], seen: &mut impl FnMut(Option<&'e Expr>)) {
    match statements.last() {
        Some(Stmt::Expr(value)) => each_result_of(value, seen),
        Some(Stmt::Block(block)) => each_result(block.statements(), seen),
        Some(Stmt::If(flow, _)) => {
            each_result(flow.body.statements(), seen);
            each_result(flow.branch.statements(), seen);
        }
        Some(Stmt::Switch(switch, _)) => {
            switch.1.expressions.iter().for_each(|case| each_result_of(&case.rhs, seen));
            if switch.1.def_case.is_none() {
                seen(None);
            }
        }
        // `return` and `throw`.
        Some(Stmt::Return(..)) => {}
        _ => seen(None),
    }
}

/// The same for an expression, which may be a block.
pub fn each_result_of<'e>(value: &'e Expr, seen: &mut impl FnMut(Option<&'e Expr>)) {
    match value {
        Expr::Stmt(block) => each_result(block.statements(), seen),
        value => seen(Some(value)),
    }
}

/// The number that an expression is literally.
pub fn literal_number(expression: &Expr) -> Option<f64> {
    match expression {
        Expr::IntegerConstant(number, _) => Some(*number as f64),
        Expr::FloatConstant(number, _) => Some(**number),
        _ => None,
    }
}

/// The source text of a short expression: a literal, or a variable with properties.
pub fn source_text(expression: &Expr) -> Option<String> {
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
pub fn chain_text(root: &Expr, steps: &[ChainStep]) -> Option<String> {
    let mut text = source_text(root)?;
    for step in steps {
        text += &format!(".{}", step.property()?);
    }
    Some(text)
}
