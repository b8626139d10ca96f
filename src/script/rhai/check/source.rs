//! A script as it is looked at: its functions, constants and imports by their names.

use super::hooks::uses;
use crate::script::host::api::Type;
use crate::script::host::{MOST_SOURCE, SourceFile};
use rhai::Stmt;
use rhai::{AST, ASTFlags, ASTNode, Engine, Expr, FnAccess, Position};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A function by its name and how many parameters it has.
pub(super) type Key = (String, usize);

/// A function as it is written.
pub(super) struct Function {
    pub name: String,
    pub parameters: Vec<String>,
    pub body: Vec<Stmt>,
    private: bool,
}

impl Function {
    /// What tells it from others of its file.
    pub fn key(&self) -> Key {
        (self.name.clone(), self.parameters.len())
    }
}

/// A constant at the top level of a file.
#[derive(Clone, Debug)]
pub(super) struct Constant {
    /// What is known of it.
    pub holds: Type,
    /// Its text, if it is one.
    pub text: Option<String>,
    /// Its number, if it is a whole one.
    pub whole: Option<i64>,
}

/// A file that could be parsed.
pub(super) struct Source {
    pub file: Arc<SourceFile>,
    pub ast: AST,
    pub functions: BTreeMap<Key, Function>,
    /// Those without a name that anybody wrote.
    pub closures: BTreeMap<String, Function>,
    pub constants: BTreeMap<String, Constant>,
    /// What imports are called here, and the paths of their files below `scripts/`.
    pub imports: BTreeMap<String, Option<String>>,
    /// Functions that use `this`.
    pub uses_this: BTreeSet<Key>,
    /// Names of functions that are called.
    pub called: BTreeSet<String>,
    /// Texts and bare names, by which functions may be pointed to.
    pub pointed: BTreeSet<String>,
    /// Names of functions that are called on something else than `this`, which they then see as `this`.
    pub called_on_others: BTreeSet<String>,
}

impl Source {
    /// Reads a file; none if it is too long or cannot be parsed, which others tell.
    pub fn read(engine: &Engine, file: &Arc<SourceFile>) -> Option<Self> {
        if file.text.len() > MOST_SOURCE {
            return None;
        }
        let ast = engine.compile(&file.text).ok()?;
        let mut source = Self {
            file: file.clone(),
            functions: BTreeMap::new(),
            closures: BTreeMap::new(),
            constants: BTreeMap::new(),
            imports: BTreeMap::new(),
            uses_this: BTreeSet::new(),
            called: BTreeSet::new(),
            pointed: BTreeSet::new(),
            called_on_others: BTreeSet::new(),
            ast,
        };
        source.note_functions();
        source.note_top_level();
        source.note_uses();
        Some(source)
    }

    fn note_functions(&mut self) {
        for written in self.ast.iter_fn_def() {
            let function = Function {
                name: written.name.to_string(),
                parameters: written.params.iter().map(|p| p.to_string()).collect(),
                body: body_of(&self.ast, &written.name, written.params.len()),
                private: written.access == FnAccess::Private,
            };
            if function.name.starts_with("anon$") {
                self.closures.insert(function.name.clone(), function);
                continue;
            }
            let this = |node: &ASTNode<'_>| matches!(node, ASTNode::Expr(Expr::ThisPtr(_)));
            if any_node(&function.body, this) {
                self.uses_this.insert(function.key());
            }
            self.functions.insert(function.key(), function);
        }
    }

    fn note_top_level(&mut self) {
        for statement in self.ast.statements() {
            match statement {
                Stmt::Var(var, flags, _) if flags.intersects(ASTFlags::CONSTANT) => {
                    let text = match &var.1 {
                        Expr::StringConstant(text, _) => Some(text.to_string()),
                        _ => None,
                    };
                    let whole = match &var.1 {
                        Expr::IntegerConstant(number, _) => Some(*number),
                        _ => None,
                    };
                    let holds = Type::Any;
                    let constant = Constant { holds, text, whole };
                    self.constants.insert(var.0.name.to_string(), constant);
                }
                Stmt::Import(import, _) => {
                    let path = match &import.0 {
                        Expr::StringConstant(path, _) if path.ends_with(".rhai") => {
                            Some(path.to_string())
                        }
                        Expr::StringConstant(path, _) => Some(format!("{path}.rhai")),
                        _ => None,
                    };
                    self.imports.insert(import.1.name.to_string(), path);
                }
                _ => {}
            }
        }
    }

    fn note_uses(&mut self) {
        [self.called, self.pointed] = uses(&self.ast);
        // How often each is called as a method, less those calls that are on `this`.
        let mut others: BTreeMap<String, isize> = BTreeMap::new();
        self.ast.walk(&mut |path| {
            match path.last() {
                Some(ASTNode::Expr(Expr::MethodCall(call, _))) => {
                    *others.entry(call.name.to_string()).or_default() += 1;
                }
                Some(ASTNode::Expr(Expr::Dot(pair, ..)))
                    if matches!(pair.lhs, Expr::ThisPtr(_)) =>
                {
                    let first = match &pair.rhs {
                        Expr::Dot(rest, ..) | Expr::Index(rest, ..) => &rest.lhs,
                        only => only,
                    };
                    if let Expr::MethodCall(call, _) = first {
                        *others.entry(call.name.to_string()).or_default() -= 1;
                    }
                }
                _ => {}
            }
            true
        });
        others.retain(|_, count| *count > 0);
        self.called_on_others = others.into_keys().collect();
    }

    /// The variables of `this` that it writes.
    pub fn own_variables(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        self.ast.walk(&mut |path| {
            if let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last()
                && let Expr::Dot(pair, ..) = &assignment.1.lhs
                && let (Expr::ThisPtr(_), Expr::Property(property, _)) = (&pair.lhs, &pair.rhs)
            {
                names.insert(property.2.to_string());
            }
            true
        });
        names
    }

    /// How many parameters the functions of this name have.
    pub fn parameters_of(&self, name: &str) -> Vec<usize> {
        let named = self.functions.keys().filter(|(n, _)| n == name);
        named.map(|(_, parameters)| *parameters).collect()
    }

    /// Whether those who import the file may see variables of it.
    pub fn gives_variables(&self) -> bool {
        let mut statements = self.ast.statements().iter();
        statements.any(|statement| matches!(statement, Stmt::Export(..)))
    }

    /// Whether those who import the file can call a function of it.
    pub fn exports(&self, key: &Key) -> bool {
        let function = self.functions.get(key);
        function.is_some_and(|f| !f.private)
    }

    /// The variables that a function, or a closure that may see them, assigns to: of those nothing is
    /// known.
    pub fn assigned_in(&self, function: &Function) -> BTreeSet<String> {
        self.targets_in(function, |target| match target {
            Expr::Variable(variable, ..) => Some(variable.1.to_string()),
            _ => None,
        })
    }

    /// The fields that it writes.
    pub fn fields_written_in(&self, function: &Function) -> BTreeSet<String> {
        self.targets_in(function, |target| {
            let (Expr::Dot(pair, ..) | Expr::Index(pair, ..)) = target else {
                return None;
            };
            match &pair.rhs {
                Expr::Property(property, _) => Some(property.2.to_string()),
                Expr::StringConstant(text, _) => Some(text.to_string()),
                _ => None,
            }
        })
    }

    fn targets_in(
        &self,
        function: &Function,
        name: impl Fn(&Expr) -> Option<String>,
    ) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let closures = self.closures.values();
        for function in closures.chain([function]) {
            any_node(&function.body, |node| {
                if let ASTNode::Stmt(Stmt::Assignment(assignment)) = node {
                    names.extend(name(&assignment.1.lhs));
                }
                false
            });
        }
        names
    }
}

/// The statements of a function. The tree shows them only to who walks through it.
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

/// Whether a node of these statements is as wanted; all are looked at until one is.
pub(super) fn any_node(statements: &[Stmt], mut wanted: impl FnMut(&ASTNode<'_>) -> bool) -> bool {
    let mut found = false;
    for statement in statements {
        statement.walk(&mut Vec::new(), &mut |path| {
            found = found || path.last().is_some_and(&mut wanted);
            !found
        });
    }
    found
}

/// Where an expression begins.
pub(super) fn start(expression: &Expr) -> Position {
    expression.start_position()
}
