//! Static types: the type that an expression is certain to have, or `Type::Any`.

use super::*;

/// A map literal, which may have any fields.
pub const ANY_MAP: Type = Type::Map(&Shape { name: "map", common: &[], own: &[] });

/// An array with elements of unknown type.
pub const ANY_ARRAY: Type = Type::Array(&Type::Any);

/// The owner of a value's methods and properties.
pub fn owner(of: Type) -> Option<Owner> {
    let mut owners = Owner::ALL.into_iter().filter(|_| of != Type::Any);
    owners.find(|owner| owner.of_type() == Some(of))
}

/// Whether only the language itself defines methods and properties of such a value.
pub fn is_plain(of: Type) -> bool {
    use Type as T;
    matches!(of, T::Text | T::Name(_) | T::Whole | T::Number | T::Flag | T::Array(_))
}

/// The general type that messages name: integers are numbers, names are text.
pub fn general(of: Type) -> Type {
    match of {
        Type::Whole => Type::Number,
        Type::Name(_) => Type::Text,
        Type::Live => Type::Entity,
        Type::Array(_) => ANY_ARRAY,
        Type::Map(_) => ANY_MAP,
        other => other,
    }
}

/// A type as messages name it, such as "a number".
pub fn spoken(of: Type) -> String {
    match general(of) {
        Type::Array(_) => "an array".into(),
        general => general.spoken(),
    }
}

/// Whether a value may be accepted where `wanted` is required.
pub fn fits(given: Type, wanted: Type) -> bool {
    use Type as T;
    match (given, wanted) {
        (T::Any | T::Data, _) | (_, T::Any) => true,
        (T::Either(types), _) => types.iter().any(|given| fits(*given, wanted)),
        (_, T::Either(types)) => types.iter().any(|wanted| fits(given, *wanted)),
        (_, T::Data) => owner(given).is_none_or(|o| o == Owner::Vec) && given != T::Function,
        (T::Entity | T::Live, _) => given == wanted,
        _ => general(given) == general(wanted),
    }
}

/// The type of a value that has one of two types.
pub fn join(a: Type, b: Type) -> Type {
    use Type as T;
    match (a, b) {
        _ if a == b => a,
        (T::Whole | T::Number, T::Whole | T::Number) => T::Number,
        (T::Text | T::Name(_), T::Text | T::Name(_)) => T::Text,
        (T::Either(types), other) if types.contains(&other) => a,
        (other, T::Either(types)) if types.contains(&other) => b,
        _ => T::Any,
    }
}

pub fn is_number(of: Type) -> bool {
    matches!(of, Type::Whole | Type::Number)
}

/// The type of a binary operation.
fn computed(sign: &str, a: Type, b: Type) -> Type {
    match sign {
        "==" | "!=" | "<" | ">" | "<=" | ">=" | "contains" | "&&" | "||" | "!" => Type::Flag,
        "+" if a == Type::Text || b == Type::Text => Type::Text,
        "+" | "-" | "*" | "/" | "%" => match (a, b) {
            (Type::Whole, Type::Whole) => Type::Whole,
            _ if is_number(a) && is_number(b) => Type::Number,
            (Type::Vec, Type::Vec) if matches!(sign, "+" | "-") => Type::Vec,
            (Type::Vec, k) if is_number(k) && matches!(sign, "*" | "/") => Type::Vec,
            (k, Type::Vec) if is_number(k) && sign == "*" => Type::Vec,
            _ => Type::Any,
        },
        _ => Type::Any,
    }
}

impl Scope<'_> {
    /// The type of an expression.
    pub fn type_of(&self, expression: &Expr) -> Type {
        match expression {
            Expr::BoolConstant(..) | Expr::And(..) | Expr::Or(..) => Type::Flag,
            Expr::IntegerConstant(..) => Type::Whole,
            Expr::FloatConstant(..) => Type::Number,
            Expr::StringConstant(..) | Expr::InterpolatedString(..) => Type::Text,
            Expr::Unit(_) => Type::Nothing,
            Expr::Array(..) => ANY_ARRAY,
            Expr::Map(..) => ANY_MAP,
            Expr::Variable(variable, ..) if variable.2.is_empty() => {
                let name = variable.1.as_str();
                let declared = self.is_local(name) || self.is_constant(name);
                if !declared && self.file.script.has_function(name) {
                    Type::Function
                } else {
                    self.look_up(name)
                }
            }
            Expr::FnCall(call, _) => self.call_type(call),
            Expr::Dot(..) | Expr::Index(..) => {
                let (root, steps) = chain(expression);
                let root = self.type_of(root);
                steps.iter().fold(root, |of, step| self.step_type(of, step))
            }
            _ if closure(expression).is_some() => Type::Function,
            Expr::Stmt(block) => self.block_type(block.statements()),
            _ => Type::Any,
        }
    }

    /// The types of some expressions.
    pub fn types_of(&self, expressions: &[Expr]) -> Vec<Type> {
        expressions.iter().map(|e| self.type_of(e)).collect()
    }

    /// The type of a block's value, which is its last statement's value.
    fn block_type(&self, statements: &[Stmt]) -> Type {
        let Some((last, before)) = statements.split_last() else {
            return Type::Nothing;
        };
        let mut inner = self.clone();
        for statement in before {
            if let Stmt::Var(var, ..) = statement {
                let holds = inner.type_of(&var.1);
                inner.bind(&var.0.name, holds);
            }
        }
        match last {
            Stmt::Expr(expression) => inner.type_of(expression),
            Stmt::FnCall(call, _) => inner.call_type(call),
            Stmt::Block(block) => inner.block_type(block.statements()),
            Stmt::If(flow, _) => {
                join(inner.block_type(flow.body.statements()), inner.block_type(flow.branch.statements()))
            }
            _ => Type::Any,
        }
    }

    /// The type that a step of a chain leads to.
    pub fn step_type(&self, of: Type, step: &ChainStep) -> Type {
        match step {
            ChainStep::Property(name, _) => self.property_type(of.present(), name),
            ChainStep::Method(call, _) => self.method_type(of, call),
            ChainStep::Index(index) => match (of, index) {
                (Type::Array(each), _) => *each,
                (_, Expr::StringConstant(name, _)) => {
                    of.present().closed().map_or(Type::Any, |shape| field_type(shape, name))
                }
                _ => Type::Any,
            },
        }
    }

    fn property_type(&self, of: Type, name: &str) -> Type {
        if let Some(shape) = of.closed() {
            return field_type(shape, name);
        }
        match owner(of) {
            Some(Owner::Me) if self.file.role == ScriptRole::Level && !is_level_member(name) => Type::Any,
            owner => {
                let entry = owner.and_then(|owner| self.file.vocabulary.property(owner, name));
                entry.map_or(Type::Any, |entry| entry.returns)
            }
        }
    }

    /// The type that can be assigned to a property; `Any` if it is read-only.
    pub fn writable_type(&self, of: Type, name: &str) -> Type {
        let of = of.present();
        let entry = owner(of).and_then(|owner| self.file.vocabulary.property(owner, name));
        match entry.map(|entry| entry.kind) {
            Some(EntryKind::Property(Access::Write | Access::WriteOnly(_))) => self.property_type(of, name),
            _ => Type::Any,
        }
    }

    fn method_type(&self, on: Type, call: &FnCallExpr) -> Type {
        let on = on.present();
        let mut types = self.types_of(&call.args);
        types.insert(0, on);
        match (self.resolve(&call.name, &types, Some(on)), call.args.as_slice()) {
            (CallTarget::Script, _) => Type::Any,
            (_, [Expr::StringConstant(event, _)]) if on == Type::Test && call.name == "events" => events_type(event),
            (CallTarget::ApiEntry(_, returns), _) => returns,
            _ => Type::Any,
        }
    }

    fn call_type(&self, call: &FnCallExpr) -> Type {
        let types = self.types_of(&call.args);
        if let [module] = call.namespace.path.as_slice() {
            let module = self.own_module(&module.name);
            let found = module.and_then(|of| self.resolve_in(of, &call.name, &types).ok());
            return found.map_or(Type::Any, |entry| entry.returns);
        }
        if call.is_operator_call() {
            return match types.as_slice() {
                [a, b] => computed(&call.name, *a, *b),
                [Type::Whole | Type::Number | Type::Vec] if call.name == "-" => types[0],
                [_] if call.name == "!" => Type::Flag,
                _ => Type::Any,
            };
        }
        match call.args.first() {
            Some(_) if call.name == "Fn" && types.len() == 1 => return Type::Function,
            // Without an event in time it is `()`.
            Some(Expr::StringConstant(event, _)) if call.name == "wait_for" => return Type::Map(event_shape(event)),
            _ => {}
        }
        match self.resolve(&call.name, &types, None) {
            CallTarget::ApiEntry(_, returns) => returns,
            _ => Type::Any,
        }
    }

    /// Finds the function that a call refers to. `types` has the type of the receiver, if there is
    /// one, and of each argument.
    pub fn resolve(&self, name: &str, types: &[Type], on: Option<Type>) -> CallTarget {
        let vocabulary = self.file.vocabulary;
        let count = types.len();
        if self.file.script.function(name, count - usize::from(on.is_some())).is_some() {
            return CallTarget::Script;
        }
        if on.is_none() && (self.is_local(name) || self.is_constant(name)) {
            return CallTarget::Variable;
        }
        if !vocabulary.takes(name, count, |_| true) {
            return CallTarget::Unknown;
        }
        let receiver = on.and_then(owner);
        let fits = |first| match (first, receiver) {
            (Receiver::Anything, _) => true,
            (Receiver::Plain, receiver) => receiver.is_none(),
            // Entities have the same type in behaviors and tests.
            (Receiver::Of(owner), Some(receiver)) => owner.name() == receiver.name(),
            (Receiver::Of(_), None) => !on.is_some_and(is_plain),
        };
        if !vocabulary.takes(name, count, fits) {
            return CallTarget::NotOn(receiver);
        }
        let same_count = |e: &&ApiEntry| !e.owner.is_module() && parameter_types(e).len() == count;
        let named: Vec<&'static ApiEntry> = vocabulary.calls(name).filter(same_count).collect();
        let ours = receiver.is_some() || vocabulary.only_ours(name, count);
        if named.is_empty() || !ours {
            return CallTarget::Language;
        }
        let mut fitting = named.iter().copied().filter(|e| accepts(e, types));
        let Some(first) = fitting.next() else {
            return CallTarget::Mismatch(named);
        };
        let known = first.returns != Type::Data && fitting.all(|e| e.returns == first.returns);
        CallTarget::ApiEntry(first, if known { first.returns } else { Type::Any })
    }

    /// The module of hangtime with this name, unless the file imports another one under it.
    pub fn own_module(&self, name: &str) -> Option<Owner> {
        let file = self.file;
        Owner::module(name).filter(|_| file.in_behavior() && !file.script.imports.contains_key(name))
    }

    /// Finds a function of a module, or else all that have this name.
    pub fn resolve_in(
        &self,
        module: Owner,
        name: &str,
        types: &[Type],
    ) -> Result<&'static ApiEntry, Vec<&'static ApiEntry>> {
        let named = || self.file.vocabulary.calls(name).filter(|e| e.owner == module);
        named().find(|e| accepts(e, types)).ok_or_else(|| named().collect())
    }
}

/// The type of a field, if every map of this shape has it.
fn field_type(shape: &'static Shape, name: &str) -> Type {
    let field = shape.field(name).filter(|field| field.always);
    field.map_or(Type::Any, |field| field.holds)
}

/// What a call by name refers to.
pub enum CallTarget {
    /// A function of the same file.
    Script,
    /// A variable; a function in it needs `.call(…)`.
    Variable,
    /// Nothing takes this number of arguments.
    Unknown,
    /// The function exists, but not for a receiver with this owner; none for one that only the language knows.
    NotOn(Option<Owner>),
    /// Functions of the language may take these arguments.
    Language,
    /// These have the right number of parameters, and other types.
    Mismatch(Vec<&'static ApiEntry>),
    /// An entry of hangtime, and its return type if all candidates agree on it.
    ApiEntry(&'static ApiEntry, Type),
}

fn accepts(entry: &ApiEntry, types: &[Type]) -> bool {
    let wanted = parameter_types(entry);
    let mut pairs = types.iter().zip(&wanted);
    wanted.len() == types.len() && pairs.all(|(given, wanted)| fits(*given, *wanted))
}

/// The parameter types of an entry, starting with its receiver if it has one.
fn parameter_types(entry: &ApiEntry) -> Vec<Type> {
    let receiver = entry.owner.of_type().into_iter();
    receiver.chain(entry.parameters.iter().map(|p| p.takes)).collect()
}

/// The type of `t.events(name)` in a test.
fn events_type(event: &str) -> Type {
    static SIGNALS: Type = Type::Map(&SIGNAL_EVENT);
    static ALL: OnceLock<Vec<Type>> = OnceLock::new();
    let Some(hook) = find_hook(&format!("on_{event}")) else {
        return Type::Array(&SIGNALS);
    };
    // An array type needs an element type that lives for the whole program.
    let all = ALL.get_or_init(|| {
        let shapes = EVENTS.iter().filter_map(|hook| hook.about);
        shapes.map(Type::Map).collect()
    });
    let found = hook.about.and_then(|shape| all.iter().find(|t| **t == Type::Map(shape)));
    found.map_or(Type::Any, Type::Array)
}
