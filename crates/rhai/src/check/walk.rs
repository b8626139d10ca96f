//! The walk through a function: keeps the scope, and applies the checks to every node.

use super::findings::Findings;
use super::numbers::is_floating;
use super::scope::{FileContext, FunctionFacts, Scope};
use super::source::{FnKey, ScriptFunction};
use super::states::unknown_states;
use super::syntax::{ChainStep, ClosureLiteral, chain, closure};
use super::types::{join, present, step_type, type_of, types_of, writable_type};
use super::{calls, flow, members, names, values};
use hangtime_script::api::Type;
use rhai::{ASTFlags, BinaryExpr, Expr, FlowControl, FnCallExpr, Ident, Position, Stmt};
use std::collections::BTreeMap;

/// Methods of arrays whose closures receive an element first.
const WITH_ELEMENTS: [&str; 7] = ["all", "filter", "find", "find_map", "index_of", "map", "some"];

/// The argument types of all calls to functions of the file.
pub(super) type PassedTypes = BTreeMap<FnKey, Vec<Type>>;

/// Checks a function whose parameters have the types `given`. Adds the types that it passes to
/// other functions of the file to `passed`.
pub(super) fn check_function(
    function: &ScriptFunction,
    given: &[Type],
    file: &FileContext<'_>,
    findings: &Findings,
    passed: &mut PassedTypes,
) {
    let facts = FunctionFacts::of(function, file);
    let mut scope = Scope::new(file, &facts, findings);
    for (name, holds) in function.parameters.iter().zip(given) {
        scope.bind(name, *holds, None);
    }
    let mut walker = AstWalker { scope, passed };
    walker.block(function.body());
    let scope = walker.scope;
    flow::level_rule(function, &scope);
    members::unused_copies(function.body(), &scope);
    flow::called_closures(function.body(), &scope);
    flow::last_value(function.body(), &scope);
    flow::dropped_answer(function, &scope);
    unknown_states(function, &scope);
    if facts.is_test {
        flow::unfinished_expectation(function.body().last(), &scope);
    }
}

struct AstWalker<'a> {
    scope: Scope<'a>,
    passed: &'a mut PassedTypes,
}

impl AstWalker<'_> {
    fn block(&mut self, statements: &[Stmt]) {
        let depth = self.scope.depth();
        flow::unreachable(statements, &self.scope);
        for (number, statement) in statements.iter().enumerate() {
            if number + 1 < statements.len() {
                flow::unfinished_expectation(Some(statement), &self.scope);
            }
            self.statement(statement);
        }
        self.scope.leave(depth);
    }

    /// A block whose value is dropped.
    fn loop_body(&mut self, statements: &[Stmt]) {
        self.block(statements);
        flow::unfinished_expectation(statements.last(), &self.scope);
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
            Stmt::Switch(switch, _) => {
                self.expression(&switch.0);
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
                let (holds, whole) = (type_of(&var.1, &self.scope), self.scope.whole(&var.1));
                let floating = is_floating(&var.1, &self.scope);
                self.scope.bind(&var.0.name, holds, whole);
                if floating {
                    self.scope.note_floating();
                }
            }
            Stmt::Assignment(set) => self.assignment(&set.1, set.0.is_op_assignment()),
            Stmt::TryCatch(flow, _) => {
                self.block(flow.body.statements());
                let depth = self.scope.depth();
                if let Expr::Variable(caught, ..) = &flow.expr {
                    self.scope.bind(&caught.1, Type::Any, None);
                }
                self.block(flow.branch.statements());
                self.scope.leave(depth);
            }
            Stmt::Return(Some(value), flags, _) => {
                self.expression(value);
                // The same statement is `throw`, with this flag.
                if !flags.intersects(ASTFlags::BREAK) {
                    flow::returned(value, &self.scope);
                }
            }
            Stmt::BreakLoop(Some(value), ..) => self.expression(value),
            _ => {}
        }
    }

    fn for_loop(&mut self, (each, counter, flow): &(Ident, Option<Ident>, FlowControl)) {
        self.expression(&flow.expr);
        let holds = values::elements(&flow.expr, &self.scope);
        let depth = self.scope.depth();
        self.scope.bind(&each.name, holds, None);
        if let Some(counter) = counter {
            self.scope.bind(&counter.name, Type::Whole, None);
        }
        self.loop_body(flow.body.statements());
        self.scope.leave(depth);
    }

    fn assignment(&mut self, sides: &BinaryExpr, computes: bool) {
        let (target, value) = (&sides.lhs, &sides.rhs);
        self.expression(value);
        match target {
            Expr::Variable(variable, _, at) if variable.2.is_empty() => {
                let resolved = variable.0.is_some();
                members::assigned_variable(&variable.1, resolved, *at, &self.scope);
            }
            Expr::ThisPtr(at) => members::whole_this(value, *at, &self.scope),
            _ => {
                let wanted = self.chain(target, true);
                // The result of an operator may have another type than its right side.
                let wanted = if computes { Type::Any } else { wanted };
                members::assigned(target, value, wanted, &self.scope);
            }
        }
    }

    /// An expression that must be true or false.
    fn condition(&mut self, asked: &Expr) {
        let before = self.scope.findings.count();
        self.expression(asked);
        if self.scope.findings.count() == before {
            values::condition(asked, &self.scope);
        }
    }

    fn expression(&mut self, expression: &Expr) {
        if let Some(closure) = closure(expression) {
            return self.closure(&closure, &[]);
        }
        match expression {
            Expr::StringConstant(text, at) => {
                names::dollar_text(text, *at, &self.scope);
            }
            Expr::InterpolatedString(parts, _) => {
                let computed = |part: &&Expr| !matches!(part, Expr::StringConstant(..));
                for part in parts.iter().filter(computed) {
                    self.expression(part);
                }
            }
            Expr::Array(parts, _) => self.each(parts),
            Expr::Coalesce(parts, _) => self.each(parts.as_ref()),
            Expr::Map(map, _) => {
                for (_, value) in &map.0 {
                    self.expression(value);
                }
            }
            Expr::Variable(variable, _, at) if variable.2.is_empty() => {
                let resolved = variable.0.is_some();
                names::variable(&variable.1, resolved, *at, &self.scope);
            }
            Expr::Variable(variable, _, at) => {
                calls::module_variable(&variable.2, &variable.1, *at, &self.scope);
            }
            Expr::ThisPtr(at) => flow::this_in_test(*at, &self.scope),
            Expr::FnCall(call, at) => self.call(call, *at),
            Expr::Dot(..) | Expr::Index(..) => {
                self.chain(expression, false);
            }
            Expr::And(parts, _) | Expr::Or(parts, _) => {
                for part in parts.iter() {
                    self.condition(part);
                }
            }
            Expr::Stmt(block) => self.block(block.statements()),
            _ => {}
        }
    }

    fn each(&mut self, parts: &[Expr]) {
        for part in parts {
            self.expression(part);
        }
    }

    /// A closure whose own parameters begin with these types.
    fn closure(&mut self, closure: &ClosureLiteral<'_>, own: &[Type]) {
        for (name, resolved) in closure.captured {
            let resolved = resolved.is_some();
            names::variable(&name.name, resolved, name.pos, &self.scope);
        }
        let file = self.scope.file;
        let Some(function) = file.script.closures.get(closure.function.fn_name()) else {
            return;
        };
        let mut inner = self.scope.of_closure();
        for (number, name) in function.parameters.iter().enumerate() {
            let holds = match number.checked_sub(closure.captured.len()) {
                None => self.scope.look_up(name),
                Some(number) => own.get(number).copied().unwrap_or(Type::Any),
            };
            inner.bind(name, holds, None);
        }
        let outer = std::mem::replace(&mut self.scope, inner);
        self.block(function.body());
        flow::called_closures(function.body(), &self.scope);
        self.scope = outer;
    }

    /// A call of a function, a module's function or an operator.
    fn call(&mut self, call: &FnCallExpr, at: Position) {
        self.each(&call.args);
        if !call.namespace.is_empty() {
            return calls::module_call(call, at, &self.scope);
        }
        values::comparison(call, at, &self.scope);
        if call.is_operator_call() {
            return values::operation(call, at, &self.scope);
        }
        values::whole_steps(call, &self.scope);
        calls::function_call(call, at, &self.scope);
        self.remember_passed(call);
    }

    /// The arguments of a method; closures are checked with the types that the method passes.
    fn arguments(&mut self, on: Type, call: &FnCallExpr) {
        let name = call.name.as_str();
        let own = match on {
            Type::Test if name == "run_until" => vec![Type::Test],
            Type::Array(each) if WITH_ELEMENTS.contains(&name) => vec![*each],
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
        let key = (call.name.to_string(), call.args.len());
        if !self.scope.file.script.functions.contains_key(&key) {
            return;
        }
        let types = types_of(&call.args, &self.scope);
        let known = self.passed.entry(key).or_insert_with(|| types.clone());
        for (a, b) in known.iter_mut().zip(types) {
            *a = join(*a, b);
        }
    }

    /// What a chain begins with.
    fn root(&mut self, root: &Expr, steps: &[ChainStep<'_>]) {
        match root {
            Expr::Variable(variable, _, at) if variable.2.is_empty() => {
                let member = match steps.first() {
                    Some(ChainStep::Property(name, _)) => name,
                    Some(ChainStep::Method(call, _)) => call.name.as_str(),
                    _ => "",
                };
                let resolved = variable.0.is_some();
                names::variable_with_member(&variable.1, member, resolved, *at, &self.scope);
            }
            _ => self.expression(root),
        }
    }

    /// A chain, whose last step is assigned to if `writes` is set; returns the type of that step.
    fn chain(&mut self, expression: &Expr, mut writes: bool) -> Type {
        let (root, steps) = chain(expression);
        let before = self.scope.findings.count();
        if calls::module_as_value(root, &steps, &self.scope) {
            return Type::Any;
        }
        self.root(root, &steps);
        if writes {
            members::event_copy(root, &steps, &self.scope);
        }
        members::constant(root, &steps, writes, &self.scope);
        members::call_on_this(root, &steps, &self.scope);
        let mut holds = type_of(root, &self.scope);
        for (number, step) in steps.iter().enumerate() {
            let mut next = step_type(holds, step, &self.scope);
            match step {
                ChainStep::Property(name, _) => {
                    let path = (root, &steps[..=number]);
                    members::property(holds, path, writes, &self.scope);
                    if writes {
                        next = writable_type(holds, name, &self.scope);
                        writes = next != Type::Any;
                    }
                }
                ChainStep::Method(call, at) => {
                    writes = false;
                    members::added(expression, call, &self.scope);
                    let on = present(holds);
                    flow::passed_closures(on, call, &self.scope);
                    // After a mistake in the chain, further findings would only follow from it.
                    let found = self.scope.findings.count();
                    self.arguments(on, call);
                    calls::method_call(on, call, *at, &self.scope);
                    if found > before {
                        self.scope.findings.truncate(found);
                    }
                }
                ChainStep::Index(index) => {
                    self.expression(index);
                    members::index(holds, index, &self.scope);
                }
            }
            holds = next;
        }
        holds
    }
}
