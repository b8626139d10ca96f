//! Checks of properties and fields that are read, and of everything that is assigned to.

use super::*;

impl Scope<'_> {
    /// A property of a value with the type `of`; `path` is the chain up to and including it.
    pub fn check_property(&self, of: Type, path: (&Expr, &[ChainStep]), writes: bool) {
        let (root, [before @ .., ChainStep::Property(name, at)]) = path else {
            return;
        };
        let of = of.present();
        if is_plain(of) && !self.file.vocabulary.properties.contains(*name) {
            let hint = self.plain_hint(of, name, (root, before));
            return self.error(*at, format!("{} has no `{name}`{hint}", spoken(of)));
        }
        if let Some(shape) = of.closed() {
            if !writes {
                self.check_field(shape, name, *at);
            }
            return;
        }
        let Some(owner) = owner(of) else {
            return;
        };
        let entry = self.file.vocabulary.property(owner, name);
        let message = match entry.map(|entry| entry.kind) {
            None => self.missing_property(owner, name),
            Some(_) if owner == Owner::Me && self.file.role == ScriptRole::Level && !is_level_member(name) => {
                no_level_member(name)
            }
            Some(EntryKind::Property(Access::ReadOnly(why))) if writes => match owner {
                Owner::Me => format!("`me.{name}` is read-only; {why}"),
                Owner::Entity => format!("`{name}` of another entity is read-only; {why}"),
                _ => format!("`{name}` is read-only; {why}"),
            },
            Some(EntryKind::Property(Access::WriteOnly(why))) if !writes => {
                format!("`me.{name}` can only be written; {why}")
            }
            Some(_) => return,
        };
        self.error(*at, message);
    }

    /// `event["speed"]` or `list[0]`.
    pub fn check_index(&self, of: Type, index: &Expr) {
        if !matches!(of.present(), Type::Map(_)) && self.is_float(index) {
            self.error(index.start_position(), NOT_WHOLE);
        }
        if let (Some(shape), Expr::StringConstant(name, at)) = (of.present().closed(), index) {
            self.check_field(shape, name, *at);
        }
    }

    /// A field of a map whose fields are known. The function may have added it itself.
    fn check_field(&self, shape: &'static Shape, name: &str, at: Position) {
        if shape.field(name).is_some() || self.function.written_fields.contains(name) {
            return;
        }
        let names: Vec<&str> = shape.fields().map(|f| f.name).collect();
        let (whose, hint) = match name {
            "data" => (shape.name, "; only timers and events that scripts emit have `data`".into()),
            _ => (shape.name, suggestion(name, names)),
        };
        self.error(at, format!("the {whose} has no field `{name}`, so this is `()`{hint}"));
    }

    fn missing_property(&self, owner: Owner, name: &str) -> String {
        let vocabulary = self.file.vocabulary;
        let whose = match owner {
            Owner::Me => "`me`".into(),
            _ => owner.of_type().map_or_else(String::new, |t| t.spoken()),
        };
        let near = nearest(name, vocabulary.names_of(owner));
        let method = vocabulary.calls(name).find(|e| e.owner == owner);
        let hint = match method {
            Some(entry) => format!("; call it as `{}`", entry.signature()),
            None => match elsewhere::property(name, owner, near.is_some()) {
                Some(right) => format!("; use {right}"),
                None => did_you_mean(near),
            },
        };
        format!("{whose} has no `{name}`{hint}")
    }

    /// The hint about a property that a number, text or array does not have.
    fn plain_hint(&self, of: Type, name: &str, (root, before): (&Expr, &[ChainStep])) -> String {
        let vocabulary = self.file.vocabulary;
        if is_among(name, LENGTHS) && matches!(of, Type::Text | Type::Name(_) | Type::Array(_)) {
            return "; write `.len()`".into();
        }
        let (owner, look_up) = match vocabulary.api_set {
            ApiSet::Test => (Owner::Live, "t.entity"),
            _ => (Owner::Entity, "world::entity"),
        };
        if of == Type::Name(Names::Entity) && vocabulary.names_of(owner).contains(&name) {
            let path = chain_text(root, before).unwrap_or_else(|| "…".into());
            return format!("; this is the name of an entity, so write `{look_up}({path}).{name}`");
        }
        let mut calls = vocabulary.calls(name);
        let entry = calls.find(|e| e.owner == Owner::Free);
        entry.map_or_else(String::new, |e| format!("; write `{}`", e.signature()))
    }

    /// A method of `me` that is called on `this`.
    pub fn check_call_on_this(&self, root: &Expr, steps: &[ChainStep]) {
        let (Expr::ThisPtr(_), Some(ChainStep::Method(call, at))) = (root, steps.first()) else {
            return;
        };
        let (file, name, count) = (self.file, call.name.as_str(), call.args.len());
        let variables = self.function.this_is_variables && self.closures == 0;
        let ours = file.vocabulary.only_ours(name, count + 1);
        if !variables || !ours || file.may_be_own_method(name) {
            return;
        }
        let of_me = |e: &&ApiEntry| e.owner == Owner::Me && e.parameters.len() == count;
        if let Some(entry) = file.vocabulary.calls(name).find(of_me) {
            let right = entry.signature();
            self.error(*at, format!("`this` holds variables and has no `{name}`; write `{right}`"));
        }
    }

    /// An assignment to a variable.
    pub fn check_assigned_variable(&self, name: &str, at: Position) {
        if self.is_local(name) {
            return;
        }
        if self.is_constant(name) {
            self.error(at, is_constant(name));
        } else {
            self.check_declared(name, at);
        }
    }

    /// An assignment to `this`, unless it may be a map with the new variables.
    pub fn check_whole_this(&self, value: &Expr, at: Position) {
        use Type as T;
        let given = self.type_of(value);
        let may_be_map = matches!(given, T::Any | T::Data | T::Either(_) | T::Map(_));
        if self.function.this_is_variables && self.closures == 0 && !may_be_map {
            self.error(at, "this replaces all variables; write `this.name = …`");
        }
    }

    /// An assignment to a property, which takes values of the type `wanted`.
    pub fn check_assigned(&self, target: &Expr, value: &Expr, wanted: Type) {
        let given = self.type_of(value);
        let (root, steps) = chain(target);
        if let [ChainStep::Property("facing", _)] = steps.as_slice()
            && wanted != Type::Any
            && self.type_of(root) == Type::Me
            && literal_number(value) == Some(0.0)
        {
            self.error(value.start_position(), "`me.facing` must be 1 or -1, not 0");
        }
        if let [ChainStep::Property("color", _)] = steps.as_slice()
            && self.type_of(root) == Type::Me
        {
            self.check_color_of_me(value);
        }
        if let [ChainStep::Property("angle", _)] = steps.as_slice()
            && self.type_of(root) == Type::Me
        {
            self.check_unit((Owner::Me, "angle"), Some(value));
        }
        if let Some(name) = steps.last().and_then(|step| step.property())
            && !fits(given, wanted)
        {
            let (wanted, given) = (spoken(wanted), spoken(given));
            self.error(value.start_position(), format!("`{name}` must be {wanted}, not {given}"));
        }
        if let Some((name, _)) = variable_of_this(target) {
            self.check_stored(name, value);
        }
    }

    /// An assignment to a field of the event, which is a copy.
    pub fn check_event_copy(&self, root: &Expr, steps: &[ChainStep]) {
        let (Expr::Variable(variable, ..), Some(ChainStep::Property(field, at))) = (root, steps.first()) else {
            return;
        };
        let name = variable.1.as_str();
        let shape = self.type_of(root).closed();
        let (Some(shape), true) = (shape, self.function.event.as_deref() == Some(name)) else {
            return;
        };
        if shape.field(field).is_some() {
            self.warn(*at, format!("`{name}` is a copy; writing to it changes nothing else"));
        } else if self.file.vocabulary.property(Owner::Me, field).is_some() {
            let message = format!(
                "`{name}` is the event, not an entity, so this changes nothing; a script writes only to its own entity, \
                 as in `me.{field} = …`"
            );
            self.warn(*at, message);
        }
    }

    /// A change of a constant, or of a part of it.
    pub fn check_constant(&self, root: &Expr, steps: &[ChainStep], writes: bool) {
        let Expr::Variable(variable, _, at) = root else {
            return;
        };
        let name = variable.1.as_str();
        let declared = variable.0.is_some() || !variable.2.is_empty() || self.is_local(name);
        if declared || !self.is_constant(name) {
            return;
        }
        if writes {
            return self.error(*at, is_constant(name));
        }
        let first_call = steps.iter().find_map(|step| match step {
            ChainStep::Method(call, at) => Some((call.name.as_str(), *at)),
            _ => None,
        });
        let Some((method, at)) = first_call else {
            return;
        };
        let holds_parts = matches!(self.look_up(name), Type::Array(_) | Type::Map(_));
        if holds_parts && is_among(method, CHANGING) && !self.file.may_be_own_method(method) {
            self.error(at, format!("`{method}` cannot change the constant `{name}`; copy it with `let` first"));
        }
    }

    /// A value that a method adds to a list in `this`.
    pub fn check_added(&self, list: &Expr, call: &FnCallExpr) {
        if ADDING.contains(&call.name.as_str())
            && let (Some((name, _)), Some(value)) = (variable_of_this(list), call.args.last())
        {
            self.check_stored(name, value);
        }
    }

    /// A value that is stored in a variable of `this`, unless another assignment replaces it.
    fn check_stored(&self, name: &str, value: &Expr) {
        if self.function.rewritten.contains(name) {
            return;
        }
        if let Some((what, hint, at)) = self.not_storable(value) {
            self.error(at, format!("`this.{name}` cannot hold {what}; {hint}"));
        }
    }

    /// The part of a value that cannot be stored, what to store instead, and its position.
    fn not_storable(&self, value: &Expr) -> Option<(String, &'static str, Position)> {
        match value {
            Expr::Array(parts, _) => parts.iter().find_map(|part| self.not_storable(part)),
            Expr::Map(map, _) => map.0.iter().find_map(|(_, part)| self.not_storable(part)),
            Expr::FnCall(call, _) if matches!(call.name.as_str(), ".." | "..=") => {
                let at = call.args.first().unwrap_or(value).start_position();
                Some(("a range".into(), "store its two ends", at))
            }
            _ => {
                let what = not_storable_type(self.type_of(value))?;
                let hint = match what {
                    Type::Entity => "store its name",
                    Type::Me => "every hook receives `me`",
                    _ => "variables hold numbers, text, true or false, `()`, vecs, and arrays and maps of these",
                };
                Some((what.spoken(), hint, value.start_position()))
            }
        }
    }

    /// Copies that are changed and never read: `let v = me.vel; v.y = 300;` has no effect. So are parameters, what `let` reads
    /// from a variable of `this`, and what a `for` visits there.
    pub fn check_unused_copies(&self, function: &ScriptFunction) {
        let body = function.body();
        let event = self.function.event.as_ref();
        let own = function.parameters.iter().filter(|name| *name != "me" && Some(*name) != event);
        let mut copies: Vec<(String, CopyOf)> = own.map(|name| (name.clone(), CopyOf::Argument)).collect();
        let of_this = |value: &Expr| source_text(value).filter(|source| source.starts_with("this."));
        // A closure may read what it captures.
        let captures = any_node(body, |node| {
            match node {
                ASTNode::Stmt(Stmt::Var(var, ..)) => {
                    let value = match &var.1 {
                        Expr::Coalesce(parts, _) => parts.first().unwrap_or(&var.1),
                        value => value,
                    };
                    let source = source_text(value).filter(|source| self.is_writable_vec(source));
                    let source = source.map(CopyOf::Vec).or_else(|| of_this(value).map(CopyOf::Variable));
                    copies.extend(source.map(|source| (var.0.name.to_string(), source)));
                }
                ASTNode::Stmt(Stmt::For(parts, _)) => {
                    let visited = of_this(&parts.2.expr).map(CopyOf::Element);
                    copies.extend(visited.map(|source| (parts.0.name.to_string(), source)));
                }
                _ => {}
            }
            matches!(node, ASTNode::Stmt(Stmt::Share(..)))
        });
        if captures {
            return;
        }
        for (name, of) in &copies {
            let Some((part, at)) = only_changed(body, name) else {
                continue;
            };
            // It may be `me` under another name.
            let of_me = self.file.vocabulary.property(Owner::Me, &part);
            let may_be_me =
                of_me.is_some_and(|it| matches!(it.kind, EntryKind::Property(Access::Write | Access::WriteOnly(_))));
            if matches!(of, CopyOf::Argument) && may_be_me {
                continue;
            }
            let message = match of {
                CopyOf::Vec(source) => format!(
                    "`{name}` is a copy of `{source}` that is never read; write `{source}.{part} = …`, or add \
                     `{source} = {name};`"
                ),
                CopyOf::Variable(source) => {
                    format!("`{name}` is a copy of `{source}` that is never read; add `{source} = {name};`")
                }
                CopyOf::Element(source) => format!(
                    "`{name}` is a copy of an element, so this changes nothing; write `{source}[i]` in \
                     `for i in 0..{source}.len()`"
                ),
                CopyOf::Argument => format!(
                    "`{name}` is a copy of what is passed, and never read; return it, as in `this.list = {}(…)`",
                    function.name
                ),
            };
            self.warn(at, message);
        }
    }

    /// Whether it is the path of a vec that scripts can assign to, such as `me.vel`.
    fn is_writable_vec(&self, path: &str) -> bool {
        let property = |name| self.file.vocabulary.property(Owner::Me, name);
        let entry = path.strip_prefix("me.").and_then(property);
        entry.is_some_and(|e| e.returns == Type::Vec && e.kind == EntryKind::Property(Access::Write))
    }
}

/// Methods that add their last argument to a list.
const ADDING: [&str; 3] = ["push", "insert", "append"];

/// Methods of arrays and maps that change them.
const CHANGING: &str = "append chop clear dedup drain fill_with for_each insert mixin pad pop push remove retain reverse set shift sort splice truncate";

fn is_constant(name: &str) -> String {
    format!("`{name}` is a constant; store values that change in `this`")
}

fn not_storable_type(of: Type) -> Option<Type> {
    match of {
        Type::Me | Type::Entity | Type::Function => Some(of),
        Type::Array(each) => not_storable_type(*each),
        Type::Either(types) => types.iter().find_map(|t| not_storable_type(*t)),
        _ => None,
    }
}

/// What a variable of a function is a copy of.
enum CopyOf {
    /// A vec of the entity, by its path.
    Vec(String),
    /// A variable of `this`, by its path.
    Variable(String),
    /// An element of such a variable.
    Element(String),
    /// What the function is called with.
    Argument,
}

/// Methods that change a list or a map and return nothing.
const ONLY_CHANGING: &str = "append clear dedup fill_with insert mixin pad push reverse set sort truncate";

/// The first part of a variable that is assigned to, or a method that changes it, if nothing else is done with the
/// variable.
fn only_changed(body: &[Stmt], name: &str) -> Option<(String, Position)> {
    let (mut declared, mut uses) = (0, 0);
    let mut changes: Vec<(String, Position)> = Vec::new();
    let part_of = |changed: &Expr, is_set: bool| match chain(changed) {
        (Expr::Variable(variable, _, at), steps) if variable.1 == name => match (steps.first()?, is_set) {
            (ChainStep::Property(part, _), true) => Some((part.to_string(), *at)),
            (ChainStep::Index(_), true) => Some((String::new(), *at)),
            (ChainStep::Method(call, _), false) if is_among(&call.name, ONLY_CHANGING) => {
                Some((call.name.to_string(), *at))
            }
            _ => None,
        },
        _ => None,
    };
    any_node(body, |node| {
        match node {
            ASTNode::Stmt(Stmt::Var(var, ..)) => declared += usize::from(var.0.name == name),
            ASTNode::Stmt(Stmt::For(parts, _)) => declared += usize::from(parts.0.name == name),
            ASTNode::Stmt(Stmt::Assignment(set)) => changes.extend(part_of(&set.1.lhs, true)),
            ASTNode::Expr(dot @ Expr::Dot(..)) => changes.extend(part_of(dot, false)),
            ASTNode::Expr(Expr::Variable(variable, ..)) => uses += usize::from(variable.1 == name),
            _ => {}
        }
        false
    });
    (declared <= 1 && uses == changes.len()).then(|| changes.into_iter().next()).flatten()
}
