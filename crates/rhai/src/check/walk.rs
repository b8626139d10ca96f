//! The walk through a function: keeps the scope, and applies the checks to every node.

use super::*;

/// Methods of arrays whose closures receive an element first.
const WITH_ELEMENTS: &str = "all filter find find_map index_of map some";

impl FileContext<'_> {
    /// Checks a function whose parameters have the types `given`. Adds what it passes to other functions of
    /// the file to the findings.
    pub fn check_function(&self, function: &ScriptFunction, given: &[Type], findings: &Findings) {
        let facts = FunctionFacts::of(function, self);
        let mut scope = Scope::new(self, &facts, findings);
        for (name, holds) in function.parameters.iter().zip(given) {
            scope.bind(name, *holds);
        }
        let body = function.body();
        scope.block(body);
        scope.check_unused_copies(function);
        scope.check_called_closures(body);
        scope.check_last_value(body);
        scope.check_dropped_answer(function);
        scope.check_states(function);
        if function.name.starts_with("on_") {
            scope.check_idle(body.last());
        }
        if facts.is_test {
            scope.check_expectations(body.last());
        }
    }
}

impl Scope<'_> {
    fn block(&mut self, statements: &[Stmt]) {
        let depth = self.locals.len();
        self.check_unreachable(statements);
        if let Some((_, before)) = statements.split_last() {
            self.check_expectations(before);
            self.check_idle(before);
        }
        statements.iter().for_each(|statement| self.statement(statement));
        self.locals.truncate(depth);
    }

    /// A block whose value is dropped.
    fn loop_body(&mut self, statements: &[Stmt]) {
        self.block(statements);
        self.check_expectations(statements.last());
        self.check_idle(statements.last());
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Expr(expression) => self.expression(expression),
            Stmt::FnCall(call, at) => self.call(call, *at),
            Stmt::Block(block) => self.block(block.statements()),
            Stmt::If(flow, _) => {
                self.condition(&flow.expr);
                self.block(flow.body.statements());
                self.block(flow.branch.statements());
            }
            Stmt::Switch(switch, at) => {
                self.expression(&switch.0);
                self.check_cases(&switch.0, *at);
                for case in &switch.1.expressions {
                    self.expression(&case.lhs);
                    self.expression(&case.rhs);
                }
            }
            Stmt::While(flow, _) | Stmt::Do(flow, ..) => {
                self.condition(&flow.expr);
                self.loop_body(flow.body.statements());
            }
            Stmt::For(parts, _) => self.for_loop(parts),
            Stmt::Var(var, ..) => {
                self.expression(&var.1);
                self.bind_value(&var.0.name, &var.1);
            }
            Stmt::Assignment(set) => self.assignment(&set.1, set.0.is_op_assignment()),
            Stmt::TryCatch(flow, _) => {
                self.block(flow.body.statements());
                let depth = self.locals.len();
                if let Expr::Variable(caught, ..) = &flow.expr {
                    self.bind(&caught.1, Type::Any);
                }
                self.block(flow.branch.statements());
                self.locals.truncate(depth);
            }
            Stmt::Return(Some(value), flags, _) => {
                self.expression(value);
                // The same statement is `throw`, with this flag.
                if !flags.intersects(ASTFlags::BREAK) {
                    self.check_returned(value);
                }
            }
            Stmt::BreakLoop(Some(value), ..) => self.expression(value),
            _ => {}
        }
    }

    fn for_loop(&mut self, (each, counter, flow): &(Ident, Option<Ident>, FlowControl)) {
        self.expression(&flow.expr);
        let holds = self.elements_of(&flow.expr);
        let depth = self.locals.len();
        self.bind(&each.name, holds);
        if let Some(counter) = counter {
            self.bind(&counter.name, Type::Whole);
        }
        self.loop_body(flow.body.statements());
        self.locals.truncate(depth);
    }

    fn assignment(&mut self, sides: &BinaryExpr, computes: bool) {
        let (target, value) = (&sides.lhs, &sides.rhs);
        self.expression(value);
        match target {
            Expr::Variable(variable, _, at) if variable.2.is_empty() => {
                if variable.0.is_none() {
                    self.check_assigned_variable(&variable.1, *at);
                }
            }
            Expr::ThisPtr(at) => self.check_whole_this(value, *at),
            _ => {
                let wanted = self.chain(target, true);
                // The result of an operator may have another type than its right side.
                let wanted = if computes { Type::Any } else { wanted };
                self.check_assigned(target, value, wanted);
            }
        }
    }

    /// An expression that must be true or false.
    fn condition(&mut self, asked: &Expr) {
        let before = self.findings.count();
        self.expression(asked);
        if self.findings.count() == before {
            self.check_condition(asked);
        }
    }

    fn expression(&mut self, expression: &Expr) {
        if let Some(closure) = closure(expression) {
            return self.closure(&closure, &[]);
        }
        match expression {
            Expr::StringConstant(text, at) => self.check_dollar_text(text, *at),
            Expr::InterpolatedString(parts, _) => {
                self.each(parts.iter().filter(|part| !matches!(part, Expr::StringConstant(..))));
            }
            Expr::Array(parts, _) => self.each(parts),
            Expr::Coalesce(parts, _) => self.each(parts.iter()),
            Expr::Map(map, _) => self.each(map.0.iter().map(|(_, value)| value)),
            Expr::Variable(variable, _, at) if variable.2.is_empty() => {
                self.check_variable(&variable.1, "", variable.0.is_some(), *at);
            }
            Expr::Variable(variable, _, at) => self.check_module_variable(&variable.2, &variable.1, *at),
            Expr::ThisPtr(at) => self.check_this_in_test(*at),
            Expr::FnCall(call, at) => self.call(call, *at),
            Expr::Dot(..) | Expr::Index(..) => drop(self.chain(expression, false)),
            Expr::And(parts, _) | Expr::Or(parts, _) => parts.iter().for_each(|part| self.condition(part)),
            Expr::Stmt(block) => self.block(block.statements()),
            _ => {}
        }
    }

    fn each<'e>(&mut self, parts: impl IntoIterator<Item = &'e Expr>) {
        parts.into_iter().for_each(|part| self.expression(part));
    }

    /// A closure whose own parameters begin with these types.
    fn closure(&mut self, closure: &ClosureLiteral, own: &[Type]) {
        for (name, resolved) in closure.captured {
            self.check_variable(&name.name, "", resolved.is_some(), name.pos);
        }
        let Some(function) = self.function_of(closure) else {
            return;
        };
        // A closure sees only its parameters.
        let mut inner = Self { locals: Vec::new(), closures: self.closures + 1, ..*self };
        for (number, name) in function.parameters.iter().enumerate() {
            let holds = match number.checked_sub(closure.captured.len()) {
                None => self.look_up(name),
                Some(number) => own.get(number).copied().unwrap_or(Type::Any),
            };
            inner.bind(name, holds);
        }
        inner.block(function.body());
        inner.check_called_closures(function.body());
    }

    /// A call of a function, a module's function or an operator.
    fn call(&mut self, call: &FnCallExpr, at: Position) {
        self.each(&call.args);
        if !call.namespace.is_empty() {
            return self.check_module_call(call, at);
        }
        self.check_comparison(call, at);
        if call.is_operator_call() {
            return self.check_operation(call, at);
        }
        self.check_whole_steps(call);
        self.check_call(call, at);
        self.remember_passed(call);
    }

    /// The arguments of a method; closures are checked with the types that the method passes.
    fn arguments(&mut self, on: Type, call: &FnCallExpr) {
        let name = call.name.as_str();
        let own = match on {
            Type::Test if name == "run_until" => vec![Type::Test],
            Type::Array(each) if is_among(name, WITH_ELEMENTS) => vec![*each],
            _ => Vec::new(),
        };
        for argument in &call.args {
            match closure(argument) {
                Some(closure) => self.closure(&closure, &own),
                None => self.expression(argument),
            }
        }
        self.remember_passed(call);
    }

    /// Remembers the types of the arguments if a function of the file is called.
    fn remember_passed(&mut self, call: &FnCallExpr) {
        if let Some(function) = self.file.script.function(&call.name, call.args.len()) {
            self.findings.passed.borrow_mut().add(function.key(), self.types_of(&call.args));
        }
    }

    /// What a chain begins with.
    fn root(&mut self, root: &Expr, steps: &[ChainStep]) {
        match root {
            Expr::Variable(variable, _, at) if variable.2.is_empty() => {
                let member = match steps.first() {
                    Some(ChainStep::Property(name, _)) => name,
                    Some(ChainStep::Method(call, _)) => call.name.as_str(),
                    _ => "",
                };
                self.check_variable(&variable.1, member, variable.0.is_some(), *at);
            }
            _ => self.expression(root),
        }
    }

    /// A chain, whose last step is assigned to if `writes` is set; returns the type of that step.
    fn chain(&mut self, expression: &Expr, mut writes: bool) -> Type {
        let (root, steps) = chain(expression);
        let before = self.findings.count();
        if self.is_module_as_value(root, &steps) {
            return Type::Any;
        }
        self.root(root, &steps);
        if writes {
            self.check_event_copy(root, &steps);
        }
        self.check_constant(root, &steps, writes);
        self.check_call_on_this(root, &steps);
        let mut holds = self.type_of(root);
        for (number, step) in steps.iter().enumerate() {
            let mut next = self.step_type(holds, step);
            match step {
                ChainStep::Property(name, _) => {
                    let path = (root, &steps[..=number]);
                    self.check_property(holds, path, writes);
                    if writes {
                        next = self.writable_type(holds, name);
                        writes = next != Type::Any;
                    }
                }
                ChainStep::Method(call, at) => {
                    writes = false;
                    self.check_added(expression, call);
                    let on = holds.present();
                    self.check_passed_closures(on, call);
                    // After a mistake in the chain, further findings would only follow from it.
                    let found = self.findings.count();
                    self.arguments(on, call);
                    self.check_method(on, call, *at);
                    if found > before {
                        self.findings.truncate(found);
                    }
                }
                ChainStep::Index(index) => {
                    self.expression(index);
                    self.check_index(holds, index);
                }
            }
            holds = next;
        }
        holds
    }
}
