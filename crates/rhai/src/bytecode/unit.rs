//! What the functions of a file can refer to when they are compiled.

use crate::engine::pricing::{PricedFunction, plain_name, priced_functions};
use rhai::{AST, ASTNode, Dynamic, Expr, Identifier, ImmutableString, Stmt};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A function with what its compilation needs to know of it.
#[derive(Debug)]
pub(crate) struct UnitFunction {
    pub priced: PricedFunction,
    /// The names of the local variables that it assigns to.
    pub(super) assigned: BTreeSet<ImmutableString>,
    /// The names of those of which it assigns to a part.
    pub(super) changed: BTreeSet<ImmutableString>,
}

/// The functions of a file, its constants and its imports.
#[derive(Debug, Default)]
pub(crate) struct ScriptUnit {
    functions: BTreeMap<(ImmutableString, usize), UnitFunction>,
    constants: BTreeMap<ImmutableString, Dynamic>,
    imports: BTreeMap<ImmutableString, Arc<ScriptUnit>>,
    /// Methods of values of one type, which hide functions of the same name.
    typed: bool,
}

impl ScriptUnit {
    /// The unit of a priced program.
    pub fn new(
        ast: &AST,
        constants: BTreeMap<ImmutableString, Dynamic>,
        imports: BTreeMap<ImmutableString, Arc<Self>>,
    ) -> Self {
        let mut unit = Self { constants, imports, ..Self::default() };
        for priced in priced_functions(ast) {
            unit.typed |= priced.typed;
            let (mut assigned, mut changed) = (BTreeSet::new(), BTreeSet::new());
            if let Some(Expr::Stmt(block)) = priced.block.as_deref() {
                find_assigned(block.statements(), &mut assigned, &mut changed);
            }
            let key = (priced.name.clone(), priced.parameters.len());
            let function = UnitFunction { priced, assigned, changed };
            unit.functions.insert(key, function);
        }
        unit
    }

    /// All functions, by name and number of parameters.
    pub fn functions(&self) -> impl Iterator<Item = &UnitFunction> {
        self.functions.values()
    }

    pub(super) fn function(&self, name: &str, parameters: usize) -> Option<&UnitFunction> {
        self.functions.get(&(name.into(), parameters))
    }

    pub(super) fn constant(&self, name: &str) -> Option<&Dynamic> {
        self.constants.get(name)
    }

    pub(super) fn import(&self, name: &str) -> Option<&Arc<Self>> {
        self.imports.get(name)
    }

    /// Collects the names of the variables that the functions use, those of imports included.
    pub(super) fn find_variables(&self, names: &mut BTreeSet<Identifier>) {
        for function in self.functions() {
            if let Some(block) = &function.priced.block {
                find_variables(block, names);
            }
        }
        for import in self.imports.values() {
            import.find_variables(names);
        }
    }

    /// Whether calls of methods may find functions that this unit does not list by name alone.
    pub(super) fn has_typed(&self) -> bool {
        self.typed
    }
}

/// Collects the names of the variables that an expression uses: `NAME` in `this.NAME`.
fn find_variables(block: &Expr, names: &mut BTreeSet<Identifier>) {
    block.walk(&mut Vec::new(), &mut |path| {
        if let Some(ASTNode::Expr(Expr::Dot(pair, ..))) = path.last()
            && matches!(pair.lhs, Expr::ThisPtr(_))
        {
            let first = match &pair.rhs {
                Expr::Dot(rest, ..) | Expr::Index(rest, ..) => &rest.lhs,
                only => only,
            };
            if let Expr::Property(property, _) = first {
                names.insert(property.2.as_str().into());
            }
        }
        true
    });
}

/// Collects the names of the local variables that statements assign to, and of those of which they assign to a part.
fn find_assigned(
    statements: &[Stmt],
    assigned: &mut BTreeSet<ImmutableString>,
    changed: &mut BTreeSet<ImmutableString>,
) {
    for statement in statements {
        statement.walk(&mut Vec::new(), &mut |path| {
            if let Some(ASTNode::Stmt(Stmt::Assignment(set))) = path.last() {
                let target = &set.1.lhs;
                let names = match target {
                    Expr::Variable(..) => &mut *assigned,
                    _ => &mut *changed,
                };
                names.extend(root_name(target).map(|name| plain_name(name).into()));
            }
            true
        });
    }
}

/// The name of the variable that the left side of an assignment begins with.
fn root_name(target: &Expr) -> Option<&ImmutableString> {
    match target {
        Expr::Variable(variable, ..) => Some(&variable.1),
        Expr::Dot(pair, ..) | Expr::Index(pair, ..) => root_name(&pair.lhs),
        _ => None,
    }
}
