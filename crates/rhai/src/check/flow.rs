//! Checks of statements and closures: unreachable code, what rules return, and what `this` is.

use super::*;

impl Scope<'_> {
    /// Statements after one that always leaves the block.
    pub fn check_unreachable(&self, statements: &[Stmt]) {
        for pair in statements.windows(2) {
            if matches!(pair[0], Stmt::Return(..) | Stmt::BreakLoop(..)) {
                self.warn(pair[1].position(), "this code is never reached; the statement before it leaves the block");
            }
        }
    }

    /// Statements `expect(…)` without a comparison, which cannot fail.
    pub fn check_expectations<'s>(&self, statements: impl IntoIterator<Item = &'s Stmt>) {
        if self.file.in_behavior() || self.file.script.has_function("expect") {
            return;
        }
        for statement in statements {
            let call = called(statement);
            if call.is_some_and(|call| call.name == "expect" && call.args.len() == 1 && call.namespace.is_empty()) {
                self.error(statement.position(), "this checks nothing; add `.equals(…)`, `.above(…)` or `.below(…)`");
            }
        }
    }

    /// Comparisons as statements, which do nothing.
    pub fn check_idle<'s>(&self, statements: impl IntoIterator<Item = &'s Stmt>) {
        for statement in statements {
            if called(statement).is_some_and(|call| call.name == "==") {
                self.warn(statement.position(), "this compares and changes nothing; write `=` to set a value");
            }
        }
    }

    /// `this` in a test function.
    pub fn check_this_in_test(&self, at: Position) {
        let in_test = self.file.role == ScriptRole::Test && self.function.is_test;
        if in_test && self.closures == 0 {
            self.error(at, "tests have no `this`; read an entity's variables from its `vars`");
        }
    }

    /// The value of a function's last statement.
    pub fn check_last_value(&self, statements: &[Stmt]) {
        each_result(statements, &mut |value| self.check_answer(value));
    }

    /// A value that a function returns.
    pub fn check_returned(&self, value: &Expr) {
        each_result_of(value, &mut |value| self.check_answer(value));
    }

    /// A rule whose answer is followed by `;`. Rhai returns it all the same, unlike other languages.
    pub fn check_dropped_answer(&self, function: &ScriptFunction) {
        let (Some(rule), Some(Stmt::Expr(value))) = (self.function.rule, function.body().last()) else {
            return;
        };
        let answers = match self.type_of(value) {
            Type::Any | Type::Data | Type::Nothing => false,
            given => fits(given, rule.answers),
        };
        let file = &self.file.script.file;
        let before = &file.text[..place(file, function.end).span.start];
        if answers && before[..code_end(before)].ends_with(';') {
            let name = rule.name;
            let message = format!(
                "`{name}` returns this value, although a `;` follows it; remove the `;`, or add `()` after it to return nothing"
            );
            self.warn(value.start_position(), message);
        }
    }

    /// A literal that a rule returns.
    fn check_answer(&self, value: Option<&Expr>) {
        let (Some(value), Some(rule), 0) = (value, self.function.rule, self.closures) else {
            return;
        };
        let given = match value {
            Expr::BoolConstant(..) => Type::Flag,
            Expr::IntegerConstant(..) | Expr::FloatConstant(..) => Type::Number,
            Expr::StringConstant(..) => Type::Text,
            Expr::Array(..) => ANY_ARRAY,
            Expr::Map(..) => ANY_MAP,
            _ => return,
        };
        if !fits(given, rule.answers) {
            let given = spoken(given);
            let wanted = rule.answers.spoken();
            return self.error(value.start_position(), format!("`{}` must return {wanted}, not {given}", rule.name));
        }
        match value {
            Expr::StringConstant(name, at) => self.add_found(*at, check_named(Names::Model, name, "", self.file.known)),
            Expr::Map(map, _) => self.check_windows(&map.0),
            _ => {}
        }
    }

    /// The map that `jump_windows` returns.
    fn check_windows(&self, fields: &[(Ident, Expr)]) {
        for (key, value) in fields {
            if let Some(current) = renamed(&key.name) {
                let old = &key.name;
                self.error(key.pos, format!("`jump_windows` has no `{old}`; did you mean `{current}`?"));
                continue;
            }
            // A value that is not a literal is taken to be right.
            let literal = value.get_literal_value(None);
            let mut alone = rhai::Map::new();
            alone.insert(key.name.as_str().into(), literal.unwrap_or_else(|| 0.0.into()));
            if let Err(wrong) = read_windows(&HeldArg::of(&alone.into()).arg()) {
                let named = WINDOWS.field(&key.name).is_some();
                let at = if named { value.start_position() } else { key.pos };
                self.error(at, wrong);
            }
        }
    }

    /// A closure that receives the level being played. Compiling reports one that captures the level
    /// itself.
    pub fn check_level_closure(&self, closure: &ClosureLiteral) {
        let captured = closure.captured;
        let captures_level = captured.iter().any(|(name, _)| self.look_up(&name.name) == Type::Test);
        if let (Some((first, _)), Some(function)) = (captured.first(), self.function_of(closure))
            && function.parameters.len() == captured.len()
            && !captures_level
        {
            self.error(first.pos, "this closure receives the level; take it as a parameter, as in `|t| …`");
        }
    }

    /// The function of a closure.
    pub fn function_of(&self, closure: &ClosureLiteral) -> Option<&ScriptFunction> {
        self.file.script.closures.get(closure.function.fn_name())
    }

    /// `this` in the closures that are passed to a method of a value with the type `on`.
    pub fn check_passed_closures(&self, on: Type, call: &FnCallExpr) {
        let name = call.name.as_str();
        if self.file.may_be_own_method(name) {
            return;
        }
        for argument in &call.args {
            let Some((function, closure)) = closure(argument).and_then(|c| Some((self.function_of(&c)?, c))) else {
                continue;
            };
            if name == "for_each" {
                self.check_element(on, function);
                continue;
            }
            let own = function.parameters.len().saturating_sub(closure.captured.len());
            let may_be_map = OF_MAPS.contains(&name) && !matches!(on, Type::Array(_));
            let Some((_, from)) = WITHOUT_THIS.iter().find(|(method, _)| *method == name) else {
                continue;
            };
            let from = if may_be_map { 2 } else { *from };
            if own >= from {
                self.check_unbound_this(function);
            } else if may_be_map && own == 1 {
                self.check_element(on, function);
            }
        }
    }

    /// `this` in closures that a variable holds and that are only called with `call`, which binds no
    /// `this`.
    pub fn check_called_closures(&self, body: &[Stmt]) {
        let mut held = Vec::new();
        any_node(body, |node| {
            if let ASTNode::Stmt(Stmt::Var(var, ..)) = node
                && let Some(function) = closure(&var.1).and_then(|closure| self.function_of(&closure))
            {
                held.push((var.0.name.clone(), function));
            }
            false
        });
        for (name, function) in held {
            if is_only_called(body, &name) {
                self.check_unbound_this(function);
            }
        }
    }

    /// The first `this` in a closure that receives none.
    fn check_unbound_this(&self, closure: &ScriptFunction) {
        any_node(closure.body(), |node| match node {
            ASTNode::Expr(Expr::ThisPtr(at)) => {
                self.error(*at, THIS_IN_CLOSURE);
                true
            }
            _ => false,
        });
    }

    /// A variable of the entity or level that a closure looks for in an element that cannot have it.
    fn check_element(&self, on: Type, closure: &ScriptFunction) {
        use Type as T;
        let Some((name, at)) = first_variable(closure) else {
            return;
        };
        let has_none = match on {
            T::Array(T::Text | T::Name(_) | T::Whole | T::Number | T::Flag) => true,
            T::Array(T::Entity) => !self.file.vocabulary.names_of(Owner::Entity).contains(&&*name),
            _ => false,
        };
        if has_none {
            let message = format!(
                "in this closure `this` is the element; read `this.{name}` into a `let` before it, or write a `for` loop"
            );
            self.error(at, message);
        }
    }
}

/// Methods of lists, with the number of parameters from which their closures receive no `this`.
/// With fewer parameters `this` is the element.
#[rustfmt::skip]
const WITHOUT_THIS: [(&str, usize); 13] = [
    ("all", 1), ("dedup", 0), ("drain", 1), ("filter", 1), ("find", 1), ("find_map", 1),
    ("index_of", 1), ("map", 1), ("reduce", 2), ("reduce_rev", 2), ("retain", 1), ("some", 1),
    ("sort", 0),
];

/// The ones that maps have, too. There a closure with one parameter receives the key, and the
/// value as `this`.
const OF_MAPS: [&str; 3] = ["drain", "filter", "retain"];

/// Whether a variable that is declared once is used for nothing except `name.call(…)` and
/// `call(name, …)`.
fn is_only_called(body: &[Stmt], name: &str) -> bool {
    let is_it = |e: &Expr| matches!(e, Expr::Variable(variable, ..) if variable.1 == name);
    let (mut declarations, mut uses, mut calls) = (0, 0, 0);
    let captured = any_node(body, |node| {
        match node {
            ASTNode::Stmt(Stmt::Share(names)) => {
                return names.iter().any(|(shared, _)| shared.name == name);
            }
            ASTNode::Stmt(Stmt::Var(var, ..)) if var.0.name == name => declarations += 1,
            ASTNode::Expr(dot @ Expr::Dot(pair, ..)) if is_it(&pair.lhs) => {
                let called = matches!(chain(dot).1[..], [ChainStep::Method(call, _), ..] if call.name == "call");
                calls += usize::from(called);
            }
            ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)) if call.name == "call" => {
                calls += usize::from(call.args.first().is_some_and(is_it));
            }
            ASTNode::Expr(expression) if is_it(expression) => uses += 1,
            _ => {}
        }
        false
    });
    !captured && declarations == 1 && calls > 0 && uses == calls
}

/// The first variable of `this` that a closure reads, and the position of `this`. One that it
/// sets first belongs to the element.
fn first_variable(closure: &ScriptFunction) -> Option<(String, Position)> {
    let mut found = None;
    let mut set: BTreeSet<String> = BTreeSet::new();
    any_node(closure.body(), |node| {
        match node {
            ASTNode::Stmt(Stmt::Assignment(assignment)) if !assignment.0.is_op_assignment() => {
                let variable = variable_of_this(&assignment.1.lhs);
                set.extend(variable.map(|(name, _)| name.to_string()));
            }
            ASTNode::Expr(expression) => {
                let variable = variable_of_this(expression);
                let read = variable.filter(|(name, _)| !set.contains(*name));
                found = read.map(|(name, at)| (name.to_string(), at));
            }
            _ => {}
        }
        found.is_some()
    });
    found
}

/// The call or operator that a statement consists of.
fn called(statement: &Stmt) -> Option<&FnCallExpr> {
    match statement {
        Stmt::FnCall(call, _) => Some(call),
        Stmt::Expr(expression) => match &**expression {
            Expr::FnCall(call, _) => Some(call),
            _ => None,
        },
        _ => None,
    }
}
