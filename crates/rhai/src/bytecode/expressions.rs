//! Compiling expressions. Each adds what Rhai counts for it.

use super::code::{Op, Reg};
use super::datum::Datum;
use super::lower::{Got, Known, Lowered, Lowering};
use super::operators::{Arithmetic, ComparedBy};
use super::why::WhyNot;
use crate::engine::pricing::{JOIN, MAKE, PER_INDEX, PER_NODE, READ, SEARCH, plain_name};
use crate::engine::weight::{IN_ONE_OPERATION, is_heavy, weight};
use rhai::{ASTNode, CustomExpr, Expr, FnCallExpr, Position, Stmt};

impl Lowering<'_> {
    /// The value of an expression. It is in `to`, if that is given.
    pub fn value(&mut self, expression: &Expr, to: Option<Reg>) -> Lowered<Got> {
        let at = expression.position();
        self.spend(1);
        let got = match expression {
            Expr::IntegerConstant(x, _) => self.plain(Datum::Whole(*x), at)?,
            Expr::FloatConstant(x, _) => self.plain(Datum::Number(**x), at)?,
            Expr::BoolConstant(x, _) => self.plain(Datum::Flag(*x), at)?,
            Expr::Unit(_) => self.plain(Datum::Nothing, at)?,
            Expr::StringConstant(text, _) => {
                Got { reg: self.text_constant(text, at)?, heavy: true, known: Known::Unknown }
            }
            Expr::DynamicConstant(value, _) => {
                Got { reg: self.data_constant(value, at)?, heavy: true, known: Known::Unknown }
            }
            Expr::Variable(variable, ..) if variable.2.is_empty() => self.variable(plain_name(&variable.1), at)?,
            Expr::Dot(..) | Expr::Index(..) => return self.chain(expression, to),
            Expr::FnCall(call, at) => return self.function_call(call, *at, to),
            Expr::Custom(node, at) => return self.node((node, *at), to),
            Expr::And(parts, _) => return self.all_of(parts, to, at),
            Expr::Or(parts, _) => return self.any_of(parts, to, at),
            Expr::Coalesce(parts, _) => return self.first_of(parts, to, at),
            Expr::Stmt(block) => {
                let to = self.target(to, at)?;
                self.block_value(block, to)?;
                return Ok(unknown(to));
            }
            Expr::InterpolatedString(parts, _) => return self.join_parts(parts, to, at),
            Expr::Map(map, _) => {
                let values = map.0.iter().map(|(_, value)| value);
                let keys = map.0.iter().map(|(key, _)| key.as_str());
                return self.map_literal(keys, values, (to, at));
            }
            Expr::Array(items, _) => return self.array_literal(items, to, at),
            Expr::ThisPtr(_) => return self.refuse(WhyNot::WholeThis, at),
            _ => return self.refuse(WhyNot::UnknownVariable, at),
        };
        Ok(self.moved(got, to))
    }

    fn plain(&mut self, value: Datum, at: Position) -> Lowered<Got> {
        Ok(Got { reg: self.constant(value, at)?, heavy: false, known: Known::Unknown })
    }

    /// The value, in `to` if that is given.
    pub fn moved(&mut self, got: Got, to: Option<Reg>) -> Got {
        match to {
            Some(to) if to != got.reg => {
                self.emit(Op::Copy { to, from: got.reg });
                Got { reg: to, ..got }
            }
            _ => got,
        }
    }

    /// A register for a result.
    pub fn target(&mut self, to: Option<Reg>, at: Position) -> Lowered<Reg> {
        match to {
            Some(to) => Ok(to),
            None => self.fresh(at),
        }
    }

    /// A local variable or a constant of the file, which is charged for as it is copied.
    fn variable(&mut self, name: &str, at: Position) -> Lowered<Got> {
        if let Some(local) = self.local(name) {
            let got = local.got;
            if got.heavy {
                self.emit(Op::Weigh { a: got.reg });
            }
            return Ok(got);
        }
        self.file_constant(name, at)
    }

    /// A constant of the file.
    pub fn file_constant(&mut self, name: &str, at: Position) -> Lowered<Got> {
        let unit = self.frame().unit;
        let Some(value) = unit.constant(name) else {
            return self.refuse(WhyNot::UnknownVariable, at);
        };
        let heavy = is_heavy(value);
        if heavy {
            let Ok(weight) = weight(value) else {
                return self.refuse(WhyNot::Constant, at);
            };
            self.spend((weight / IN_ONE_OPERATION) as u32);
        }
        let reg = self.data_constant(value, at)?;
        Ok(Got { reg, heavy, known: Known::Unknown })
    }

    /// A node that charges for what is inside it.
    fn node(&mut self, (node, at): (&CustomExpr, Position), to: Option<Reg>) -> Lowered<Got> {
        // A script can use the name that is reserved for the nodes of bodies anywhere.
        let Some(inside) = node.inputs.first() else {
            return self.refuse(WhyNot::UnknownVariable, at);
        };
        let at = inside.position();
        match node.tokens.first().map(|token| token.as_str()) {
            Some(READ) => {
                self.spend(PER_NODE as u32);
                let got = self.inside(inside, to)?;
                self.weighed(got);
                Ok(got)
            }
            Some(SEARCH) => {
                self.spend(PER_INDEX as u32);
                if !self.searches_nothing(inside) {
                    return self.refuse(WhyNot::Index, at);
                }
                let got = self.inside(inside, to)?;
                self.weighed(got);
                Ok(got)
            }
            Some(JOIN) => self.inside(inside, to),
            Some(MAKE) => {
                let entries = match inside {
                    Expr::Map(map, _) => map.0.len(),
                    _ => 1,
                };
                self.spend(PER_NODE as u32 + 2 * entries as u32);
                self.inside(inside, to)
            }
            _ => self.refuse(WhyNot::RareStatement, at),
        }
    }

    /// What is inside a node. Rhai does not count a block there as an expression.
    pub fn inside(&mut self, expression: &Expr, to: Option<Reg>) -> Lowered<Got> {
        let Expr::Stmt(block) = expression else {
            return self.value(expression, to);
        };
        let to = self.target(to, expression.position())?;
        self.block_value(block, to)?;
        Ok(unknown(to))
    }

    fn weighed(&mut self, got: Got) {
        if got.heavy {
            self.emit(Op::Weigh { a: got.reg });
        }
    }

    fn all_of(&mut self, parts: &[Expr], to: Option<Reg>, at: Position) -> Lowered<Got> {
        let to = self.target(to, at)?;
        let next = self.next;
        let mut fails = Vec::new();
        for part in parts {
            fails.extend(self.condition(part, false)?);
            self.next = next;
        }
        self.flag_by_jumps(to, &fails, (true, at))
    }

    fn any_of(&mut self, parts: &[Expr], to: Option<Reg>, at: Position) -> Lowered<Got> {
        let to = self.target(to, at)?;
        let next = self.next;
        let mut holds = Vec::new();
        for part in parts {
            holds.extend(self.condition(part, true)?);
            self.next = next;
        }
        self.flag_by_jumps(to, &holds, (false, at))
    }

    /// The flag `straight`, or the other one after one of the jumps.
    fn flag_by_jumps(&mut self, to: Reg, jumps: &[usize], (straight, at): (bool, Position)) -> Lowered<Got> {
        let from = self.constant(Datum::Flag(straight), at)?;
        let other = self.constant(Datum::Flag(!straight), at)?;
        self.emit(Op::Copy { to, from });
        let end = self.jump();
        self.bind(jumps);
        self.emit(Op::Copy { to, from: other });
        self.bind(&[end]);
        Ok(light(to))
    }

    fn first_of(&mut self, parts: &[Expr], to: Option<Reg>, at: Position) -> Lowered<Got> {
        let to = self.target(to, at)?;
        let next = self.next;
        let mut found = Vec::new();
        let last = parts.len().saturating_sub(1);
        for (place, part) in parts.iter().enumerate() {
            self.value(part, Some(to))?;
            self.next = next;
            if place < last {
                let cost = self.take_cost();
                found.push(self.code.ops.len());
                self.emit(Op::WhenSomething { a: to, to: 0, cost });
            }
        }
        self.bind(&found);
        Ok(unknown(to))
    }

    /// Jumps if an expression is `wanted`; continues if it is not. Returns the jumps.
    pub fn condition(&mut self, expression: &Expr, wanted: bool) -> Lowered<Vec<usize>> {
        match expression {
            Expr::And(parts, _) => self.chained(parts, wanted, false),
            Expr::Or(parts, _) => self.chained(parts, wanted, true),
            Expr::FnCall(call, _) if call.is_operator_call() && call.namespace.is_empty() => {
                match (call.name.as_str(), &call.args[..]) {
                    ("!", [value]) => {
                        self.spend(1);
                        self.condition(value, !wanted)
                    }
                    (sign, [left, right]) => match ComparedBy::named(sign) {
                        Some(by) => {
                            self.spend(1);
                            self.compared(by, (left, right), wanted)
                        }
                        None => self.condition_of_value(expression, wanted),
                    },
                    _ => self.condition_of_value(expression, wanted),
                }
            }
            _ => self.condition_of_value(expression, wanted),
        }
    }

    fn condition_of_value(&mut self, expression: &Expr, wanted: bool) -> Lowered<Vec<usize>> {
        let got = self.value(expression, None)?;
        let cost = self.take_cost();
        let jump = self.code.ops.len();
        self.emit(Op::When { a: got.reg, wanted, to: 0, cost });
        Ok(vec![jump])
    }

    /// The parts of `&&` and `||`, of which the first that is `decisive` decides.
    fn chained(&mut self, parts: &[Expr], wanted: bool, decisive: bool) -> Lowered<Vec<usize>> {
        self.spend(1);
        let next = self.next;
        let mut decided = Vec::new();
        let Some((last, before)) = parts.split_last() else {
            return Ok(decided);
        };
        for part in before {
            decided.extend(self.condition(part, decisive)?);
            self.next = next;
        }
        if wanted == decisive {
            decided.extend(self.condition(last, wanted)?);
            return Ok(decided);
        }
        let jumps = self.condition(last, wanted)?;
        self.bind(&decided);
        Ok(jumps)
    }

    fn compared(&mut self, by: ComparedBy, (left, right): (&Expr, &Expr), wanted: bool) -> Lowered<Vec<usize>> {
        let (a, b) = self.operands(left, right)?;
        let cost = self.take_cost();
        let jump = self.code.ops.len();
        self.emit(if wanted {
            Op::WhenCompared { by, a, b, to: 0, cost }
        } else {
            Op::UnlessCompared { by, a, b, to: 0, cost }
        });
        Ok(vec![jump])
    }

    /// Both sides of an operator.
    fn operands(&mut self, left: &Expr, right: &Expr) -> Lowered<(Reg, Reg)> {
        if assigns(left) || assigns(right) {
            return self.refuse(WhyNot::AssignmentInside, right.position());
        }
        let a = self.value(left, None)?.reg;
        let b = self.value(right, None)?.reg;
        Ok((a, b))
    }

    /// An operator on one or two values.
    pub fn operator(&mut self, call: &FnCallExpr, at: Position, to: Option<Reg>) -> Lowered<Got> {
        let to = self.target(to, at)?;
        let next = self.next;
        let got = match (call.name.as_str(), &call.args[..]) {
            ("!", [value]) => {
                let a = self.value(value, None)?.reg;
                self.emit(Op::Not { to, a });
                light(to)
            }
            ("-", [value]) => {
                let a = self.value(value, None)?.reg;
                self.emit(Op::Negate { to, a });
                light(to)
            }
            (sign, [left, right]) => {
                let (a, b) = self.operands(left, right)?;
                if let Some(by) = Arithmetic::named(sign) {
                    self.emit(Op::Compute { by, to, a, b });
                    Got { heavy: by == Arithmetic::Add, ..light(to) }
                } else if let Some(by) = ComparedBy::named(sign) {
                    self.emit(Op::Compare { by, to, a, b });
                    light(to)
                } else {
                    return self.refuse(WhyNot::Operator, at);
                }
            }
            _ => return self.refuse(WhyNot::Operator, at),
        };
        self.next = next;
        Ok(got)
    }

    /// The registers of values that are computed one after the other.
    pub fn values<'e>(&mut self, all: impl Iterator<Item = &'e Expr> + Clone, at: Position) -> Lowered<Vec<Reg>> {
        if all.clone().any(assigns) {
            return self.refuse(WhyNot::AssignmentInside, at);
        }
        all.map(|value| Ok(self.value(value, None)?.reg)).collect()
    }

    fn join_parts(&mut self, parts: &[Expr], to: Option<Reg>, at: Position) -> Lowered<Got> {
        let to = self.target(to, at)?;
        let next = self.next;
        let regs = self.values(parts.iter(), at)?;
        let (args, count) = (self.args(&regs), regs.len() as u8);
        self.next = next;
        self.emit(Op::Join { to, args, count });
        Ok(unknown(to))
    }

    fn map_literal<'e>(
        &mut self,
        keys: impl Iterator<Item = &'e str>,
        values: impl Iterator<Item = &'e Expr> + Clone,
        (to, at): (Option<Reg>, Position),
    ) -> Lowered<Got> {
        let to = self.target(to, at)?;
        let next = self.next;
        let keys: Vec<u16> = keys.map(|key| self.text(key)).collect();
        let regs = self.values(values, at)?;
        self.code.records.push(keys);
        let record = self.code.records.len() as u16 - 1;
        let (args, count) = (self.args(&regs), regs.len() as u8);
        self.next = next;
        self.emit(Op::MakeRecord { to, record, args, count });
        Ok(unknown(to))
    }

    fn array_literal(&mut self, items: &[Expr], to: Option<Reg>, at: Position) -> Lowered<Got> {
        let to = self.target(to, at)?;
        let next = self.next;
        if items.len() > usize::from(u8::MAX) {
            return self.refuse(WhyNot::TooLarge, at);
        }
        let regs = self.values(items.iter(), at)?;
        let (args, count) = (self.args(&regs), regs.len() as u8);
        self.next = next;
        self.emit(Op::MakeList { to, args, count });
        Ok(unknown(to))
    }
}

/// A value of any type in this register.
pub(super) fn unknown(reg: Reg) -> Got {
    Got { reg, heavy: true, known: Known::Unknown }
}

/// A value in this register that costs nothing to handle.
pub(super) fn light(reg: Reg) -> Got {
    Got { reg, heavy: false, known: Known::Unknown }
}

/// Whether an expression assigns to a variable.
pub(super) fn assigns(expression: &Expr) -> bool {
    let mut found = false;
    if matches!(expression, Expr::Variable(..) | Expr::IntegerConstant(..) | Expr::FloatConstant(..)) {
        return false;
    }
    expression.walk(&mut Vec::new(), &mut |path| {
        let last = path.last();
        found |= matches!(last, Some(ASTNode::Stmt(Stmt::Assignment(..) | Stmt::Return(..))));
        !found
    });
    found
}
