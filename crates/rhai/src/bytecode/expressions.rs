//! Compiling expressions. Each adds what Rhai counts for it.

use super::*;

impl Lowering<'_> {
    /// The value of an expression. It is in `to`, if that is given.
    pub fn value(&mut self, expression: &Expr, to: Option<Reg>) -> Lowered<Got> {
        self.value_of(expression, to).map_err(|refused| refused.at(expression.position()))
    }

    fn value_of(&mut self, expression: &Expr, to: Option<Reg>) -> Lowered<Got> {
        self.spend(1);
        let got = match expression {
            Expr::IntegerConstant(x, _) => light(self.constant(Datum::Whole(*x))?),
            Expr::FloatConstant(x, _) => light(self.constant(Datum::Number(**x))?),
            Expr::BoolConstant(x, _) => light(self.constant(Datum::Flag(*x))?),
            Expr::Unit(_) => light(self.constant(Datum::Nothing)?),
            Expr::StringConstant(text, _) => unknown(self.text_constant(text)?),
            Expr::DynamicConstant(value, _) => unknown(self.data_constant(value)?),
            Expr::Variable(variable, ..) if variable.2.is_empty() => self.variable(plain_name(&variable.1))?,
            Expr::ThisPtr(_) => return Err(WhyNot::WholeThis.into()),
            computed => {
                let to = self.target(to)?;
                let next = self.next;
                let got = self.computed(computed, to)?;
                self.next = next;
                return Ok(self.moved(got, Some(to)));
            }
        };
        Ok(self.moved(got, to))
    }

    /// The value of an expression that is neither a constant nor a variable.
    fn computed(&mut self, expression: &Expr, to: Reg) -> Lowered<Got> {
        match expression {
            Expr::Dot(..) | Expr::Index(..) => self.chain(expression, to),
            Expr::FnCall(call, _) => self.function_call(call, to),
            Expr::Custom(node, _) => self.node(node, to),
            Expr::And(parts, _) => self.decided(parts, false, to),
            Expr::Or(parts, _) => self.decided(parts, true, to),
            Expr::Coalesce(parts, _) => self.first_of(parts, to),
            Expr::Stmt(block) => self.block_value(block.statements(), to),
            Expr::InterpolatedString(parts, _) => {
                let args = self.values(parts)?;
                self.emit(Op::Join { to, args });
                Ok(unknown(to))
            }
            Expr::Map(map, _) => {
                let keys = map.0.iter().map(|(key, _)| self.text(&key.name)).collect();
                let args = self.values(map.0.iter().map(|(_, value)| value))?;
                self.code.records.push(keys);
                let record = self.code.records.len() as u16 - 1;
                self.emit(Op::MakeRecord { to, record, args });
                Ok(unknown(to))
            }
            Expr::Array(items, _) => {
                let args = self.values(items)?;
                self.emit(Op::MakeList { to, args });
                Ok(unknown(to))
            }
            _ => Err(WhyNot::UnknownVariable.into()),
        }
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
    pub fn target(&mut self, to: Option<Reg>) -> Lowered<Reg> {
        to.map_or_else(|| self.fresh(), Ok)
    }

    /// Charges for handling a value.
    pub fn weighed(&mut self, got: Got) -> Got {
        if got.heavy {
            self.emit(Op::Weigh { a: got.reg });
        }
        got
    }

    /// A local variable or a constant of the file, which is charged for as it is copied.
    fn variable(&mut self, name: &str) -> Lowered<Got> {
        match self.local(name).map(|local| local.got) {
            Some(got) => Ok(self.weighed(got)),
            None => self.file_constant(name),
        }
    }

    /// A constant of the file.
    pub fn file_constant(&mut self, name: &str) -> Lowered<Got> {
        let value = self.frame().unit.constant(name).ok_or(WhyNot::UnknownVariable)?;
        let heavy = is_heavy(value);
        if heavy {
            let weight = weight(value).map_err(|_| WhyNot::Constant)?;
            self.spend((weight / IN_ONE_OPERATION) as u32);
        }
        Ok(Got { heavy, ..light(self.data_constant(value)?) })
    }

    /// A node that charges for what is inside it.
    fn node(&mut self, node: &CustomExpr, to: Reg) -> Lowered<Got> {
        // A script can use the name that is reserved for the nodes of bodies anywhere.
        let inside = node.inputs.first().ok_or(WhyNot::UnknownVariable)?;
        match node.tokens.first().map(|token| token.as_str()) {
            Some(READ) => {
                self.spend(PER_NODE as u32);
                let got = self.inside(inside, Some(to))?;
                Ok(self.weighed(got))
            }
            Some(SEARCH) => {
                self.spend(PER_INDEX as u32);
                let known = self.known_search(inside)?;
                self.searches = true;
                let got = self.inside(inside, Some(to))?;
                match self.code.ops.last() {
                    Some(Op::Walk { .. }) => self.emit(Op::WeighPart { a: got.reg, unknown: !known }),
                    _ if !known => self.emit(Op::WeighPart { a: got.reg, unknown: true }),
                    _ => drop(self.weighed(got)),
                }
                Ok(got)
            }
            Some(JOIN) => self.inside(inside, Some(to)),
            Some(MAKE) => {
                let entries = match inside {
                    Expr::Map(map, _) => map.0.len(),
                    _ => 1,
                };
                self.spend(PER_NODE as u32 + 2 * entries as u32);
                self.inside(inside, Some(to))
            }
            _ => Err(WhyNot::RareStatement.into()),
        }
    }

    /// What is inside a node. Rhai does not count a block there as an expression.
    pub fn inside(&mut self, expression: &Expr, to: Option<Reg>) -> Lowered<Got> {
        match expression {
            Expr::Stmt(block) => {
                let to = self.target(to)?;
                self.block_value(block.statements(), to)
            }
            other => self.value(other, to),
        }
    }

    /// The flag of `&&` or `||`, which the first part decides that is `decisive`.
    fn decided(&mut self, parts: &[Expr], decisive: bool, to: Reg) -> Lowered<Got> {
        let next = self.next;
        let mut decided = Vec::new();
        for part in parts {
            decided.extend(self.condition(part, decisive)?);
            self.next = next;
        }
        let from = self.constant(Datum::Flag(!decisive))?;
        let other = self.constant(Datum::Flag(decisive))?;
        self.emit(Op::Copy { to, from });
        let end = self.jump();
        self.bind(&decided);
        self.emit(Op::Copy { to, from: other });
        self.bind(&[end]);
        Ok(light(to))
    }

    fn first_of(&mut self, parts: &[Expr], to: Reg) -> Lowered<Got> {
        let next = self.next;
        let mut found = Vec::new();
        let last = parts.len().saturating_sub(1);
        for (place, part) in parts.iter().enumerate() {
            self.value(part, Some(to))?;
            self.next = next;
            if place < last {
                found.push(self.jump_if(|cost| Op::WhenSomething { a: to, to: 0, cost }));
            }
        }
        self.bind(&found);
        Ok(unknown(to))
    }

    /// Jumps if an expression is `wanted`; continues if it is not. Returns the jumps.
    pub fn condition(&mut self, expression: &Expr, wanted: bool) -> Lowered<Vec<usize>> {
        match expression {
            Expr::And(parts, _) => return self.chained(parts, wanted, false),
            Expr::Or(parts, _) => return self.chained(parts, wanted, true),
            Expr::FnCall(call, _) if call.is_operator_call() && call.namespace.is_empty() => {
                match (call.name.as_str(), &call.args[..]) {
                    ("!", [value]) => {
                        self.spend(1);
                        return self.condition(value, !wanted);
                    }
                    (sign, [left, right]) if let Some(by) = ComparedBy::named(sign) => {
                        self.spend(1);
                        let (a, b) = self.operands(left, right)?;
                        return Ok(vec![self.jump_if(|cost| match wanted {
                            true => Op::WhenCompared { by, a, b, to: 0, cost },
                            false => Op::UnlessCompared { by, a, b, to: 0, cost },
                        })]);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        let a = self.value(expression, None)?.reg;
        Ok(vec![self.jump_if(|cost| Op::When { a, wanted, to: 0, cost })])
    }

    /// The parts of `&&` and `||`. The first one that is `decisive` decides.
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

    /// Both sides of an operator.
    fn operands(&mut self, left: &Expr, right: &Expr) -> Lowered<(Reg, Reg)> {
        if assigns(left) || assigns(right) {
            return Err(Refused { why: WhyNot::AssignmentInside, at: right.position() });
        }
        let a = self.value(left, None)?.reg;
        let b = self.value(right, None)?.reg;
        Ok((a, b))
    }

    /// An operator on one or two values.
    pub fn operator(&mut self, call: &FnCallExpr, to: Reg) -> Lowered<Got> {
        match (call.name.as_str(), &call.args[..]) {
            ("!", [value]) => {
                let a = self.value(value, None)?.reg;
                self.emit(Op::Not { to, a });
            }
            ("-", [value]) => {
                let a = self.value(value, None)?.reg;
                self.emit(Op::Negate { to, a });
            }
            (sign, [left, right]) => {
                let (a, b) = self.operands(left, right)?;
                if let Some(by) = Arithmetic::named(sign) {
                    self.emit(Op::Compute { by, to, a, b });
                    return Ok(Got { heavy: by == Arithmetic::Add, ..light(to) });
                }
                let by = ComparedBy::named(sign).ok_or(WhyNot::Operator)?;
                self.emit(Op::Compare { by, to, a, b });
            }
            _ => return Err(WhyNot::Operator.into()),
        }
        Ok(light(to))
    }

    /// The place of arguments that are computed one after the other.
    fn values<'e>(&mut self, all: impl IntoIterator<Item = &'e Expr>) -> Lowered<u16> {
        let regs = self.registers(all)?;
        self.args(&regs)
    }

    /// The registers of values that are computed one after the other.
    pub fn registers<'e>(&mut self, all: impl IntoIterator<Item = &'e Expr>) -> Lowered<Vec<Reg>> {
        let all: Vec<&Expr> = all.into_iter().collect();
        if all.iter().any(|value| assigns(value)) {
            return Err(WhyNot::AssignmentInside.into());
        }
        all.into_iter().map(|value| Ok(self.value(value, None)?.reg)).collect()
    }
}

/// A value of any type in this register.
pub fn unknown(reg: Reg) -> Got {
    Got { reg, heavy: true, known: Known::Unknown }
}

/// A value in this register that costs nothing to handle.
pub fn light(reg: Reg) -> Got {
    Got { reg, heavy: false, known: Known::Unknown }
}

/// Whether an expression assigns to a variable.
pub fn assigns(expression: &Expr) -> bool {
    let mut found = false;
    let on_node: OnNode<'_> = &mut |path| {
        found |= matches!(path.last(), Some(ASTNode::Stmt(Stmt::Assignment(..) | Stmt::Return(..))));
        !found
    };
    expression.walk(&mut Vec::new(), on_node);
    found
}
