//! What the functions of a file can refer to when they are compiled.

use super::*;

/// A function with the facts that its compilation needs.
#[derive(Debug)]
pub struct UnitFunction {
    pub priced: PricedFunction,
    /// The names of the local variables that it assigns to.
    pub(super) assigned: BTreeSet<ImmutableString>,
    /// The names of the local variables that it changes a part of.
    pub(super) changed: BTreeSet<ImmutableString>,
}

/// Functions of the layers below a script, by name and number of parameters: the layer, and the unit of its script.
pub type FunctionsBelow = BTreeMap<(ImmutableString, usize), (usize, Arc<ScriptUnit>)>;

/// The functions of a file, its constants and its imports.
#[derive(Debug, Default)]
pub struct ScriptUnit {
    functions: BTreeMap<(ImmutableString, usize), UnitFunction>,
    constants: BTreeMap<ImmutableString, Dynamic>,
    imports: BTreeMap<ImmutableString, Arc<ScriptUnit>>,
    /// The variables that its functions use, if it is a behavior.
    pub slots: Arc<SlotNames>,
    /// What it can call in the layers below.
    pub(super) below: FunctionsBelow,
    /// Whether it has methods of values of one type, which hide functions of the same name.
    pub(super) typed: bool,
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
            let key = (priced.name.clone(), priced.parameters.len());
            let mut function = UnitFunction { priced, assigned: BTreeSet::new(), changed: BTreeSet::new() };
            each_target(function.priced.statements(), |target| {
                let names = match target {
                    Expr::Variable(..) => &mut function.assigned,
                    _ => &mut function.changed,
                };
                names.extend(root_name(target).map(|name| plain_name(name).into()));
            });
            let changed = &mut function.changed;
            any_node(function.priced.statements(), |node| {
                if let ASTNode::Expr(expression @ (Expr::Dot(..) | Expr::Index(..))) = node
                    && let Some(ChainStep::Method(call, _)) = chain(expression).1.last()
                    && PlaceMethod::named(&call.name, call.args.len()).is_some_and(|method| method != PlaceMethod::Len)
                {
                    changed.extend(root_name(expression).map(|name| plain_name(name).into()));
                }
                false
            });
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

    /// Collects the names of the variables that the functions and imports use: `NAME` in `this.NAME`.
    pub(super) fn find_variables(&self, names: &mut BTreeSet<Identifier>) {
        for function in self.functions() {
            any_node(function.priced.statements(), |node| {
                if let ASTNode::Expr(expression) = node {
                    let name = first_of_this(expression).and_then(|(first, _)| first.property());
                    names.extend(name.map(Identifier::from));
                }
                false
            });
        }
        for import in self.imports.values() {
            import.find_variables(names);
        }
    }
}

/// The name of the variable that a chain begins with, or that is assigned to.
fn root_name(target: &Expr) -> Option<&ImmutableString> {
    match target {
        Expr::Variable(variable, ..) => Some(&variable.1),
        Expr::Dot(pair, ..) | Expr::Index(pair, ..) => root_name(&pair.lhs),
        _ => None,
    }
}
