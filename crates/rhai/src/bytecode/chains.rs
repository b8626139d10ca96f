//! Compiling chains such as `me.vel.x` and `this.pos.length()`.

use super::*;

/// A property that was read on the way. A method at the end of the chain writes it back.
enum Getter {
    OfMe {
        call: &'static Call<CallMoment>,
        value: Reg,
    },
    /// Of a value of any type, in this register.
    OfValue(Reg),
}

/// Methods of texts that leave them as they are even for Rhai, which then writes nothing back.
const PURE: [&str; 2] = ["starts_with", "ends_with"];

impl Lowering<'_> {
    /// The value of a chain.
    pub fn chain(&mut self, expression: &Expr, result: Reg) -> Lowered<Got> {
        let (root, steps) = chain(expression);
        if is_optional(expression) {
            return Err(WhyNot::Optional.into());
        }
        let args = self.chain_arguments(&steps)?;
        let mut base = self.chain_root(root)?;
        let mut getters = Vec::new();
        let mut got = unknown(result);
        let mut places = 0..steps.len();
        while let Some(place) = places.next() {
            // A value on the way is needed again only if it is written back.
            let to = if places.is_empty() { result } else { self.fresh()? };
            got = match steps[place] {
                ChainStep::Property(name, _) => match steps[place + 1..] {
                    [ChainStep::Property(part, _)] if let Some(got) = self.fused(base, name, part, result) => {
                        places.next();
                        got
                    }
                    _ => self.property(base, name, to, &mut getters)?,
                },
                ChainStep::Index(_) => {
                    let Base::Value(list) = base else {
                        return Err(WhyNot::Index.into());
                    };
                    self.spend(1);
                    self.emit(Op::Index { to, list, at: args[place][0] });
                    unknown(to)
                }
                ChainStep::Method(call, _) => self.method_call(base, call, &args[place], to)?,
            };
            base = got.base();
        }
        // Rhai takes a native method at the end for one that changes its object.
        if let Some(ChainStep::Method(call, _)) = steps.last()
            && !PURE.contains(&call.name.as_str())
            && self.frame().unit.function(&call.name, call.args.len()).is_none()
        {
            self.write_back(&getters);
        }
        Ok(got)
    }

    /// Computes the arguments of all steps, which comes before anything else.
    fn chain_arguments(&mut self, steps: &[ChainStep]) -> Lowered<Vec<Vec<Reg>>> {
        let simple = match steps {
            [ChainStep::Property(..)] => true,
            [ChainStep::Method(call, _)] => call.args.is_empty(),
            [ChainStep::Index(index)] => index.get_literal_value(None).is_some(),
            _ => false,
        };
        if !simple {
            self.spend(steps.len() as u32);
        }
        let arguments = |step: &ChainStep| match *step {
            ChainStep::Property(..) => Ok(Vec::new()),
            ChainStep::Method(call, _) => self.registers(&call.args),
            ChainStep::Index(index) => {
                let regs = self.registers([index])?;
                if simple {
                    self.unspend(1);
                }
                Ok(regs)
            }
        };
        steps.iter().map(arguments).collect()
    }

    /// What a chain begins with.
    pub fn chain_root(&mut self, root: &Expr) -> Lowered<Base> {
        match root {
            Expr::ThisPtr(at) => {
                if !self.frame().this {
                    return Err(Refused { why: WhyNot::UnboundThis, at: *at });
                }
                self.spend(1);
                Ok(Base::This)
            }
            Expr::Variable(variable, _, at) if variable.2.is_empty() => {
                self.spend(1);
                let name = plain_name(&variable.1);
                match self.local(name) {
                    Some(local) => Ok(local.got.base()),
                    None => self.file_constant(name).map(Got::base).map_err(|refused| refused.at(*at)),
                }
            }
            other => Ok(Base::Value(self.value(other, None)?.reg)),
        }
    }

    /// Two steps at once: a component of a property of `me`, or a field of its hook.
    fn fused(&mut self, base: Base, name: &str, part: &str, to: Reg) -> Option<Got> {
        let (Base::Me, Some((property, call))) = (base, property_of_me(name)) else {
            return None;
        };
        if let (Type::Vec, Some(axis)) = (call.entry.returns, axis_named(part)) {
            self.spend(1 + cost_of(call, name) + PER_PART);
            let part = PartOfMe { axis, body: !is_level_member(name) };
            self.emit(Op::ReadPart { to, property, part });
            return Some(light(to));
        }
        let field = ["state", "tip", "length"].iter().position(|field| *field == part && name == "hook")?;
        self.spend(1 + cost_of(call, name) + 1);
        self.emit(Op::ReadHook { to, field: field as u8 });
        Some(Got { heavy: field == 0, ..light(to) })
    }

    fn property(&mut self, base: Base, name: &str, to: Reg, getters: &mut Vec<Getter>) -> Lowered<Got> {
        self.spend(1);
        match base {
            Base::This => {
                let slot = self.slot(name).ok_or(WhyNot::UnknownVariable)?;
                self.emit(Op::ReadVar { to, slot });
            }
            Base::Me => {
                let (property, call) = property_of_me(name).ok_or(WhyNot::UnknownMethod)?;
                getters.push(Getter::OfMe { call, value: to });
                if matches!(call.entry.returns, Type::Array(_) | Type::Map(_)) {
                    self.flush();
                    return self.call_table(call, &[], to);
                }
                self.spend(cost_of(call, name));
                self.emit(Op::ReadMe { to, property, body: !is_level_member(name) });
                return Ok(Got { heavy: !is_light(call.entry.returns), ..light(to) });
            }
            Base::About => {
                let name = self.text(name);
                self.emit(Op::ReadAbout { to, name });
            }
            Base::Value(from) => {
                getters.push(Getter::OfValue(from));
                let name = self.member_place(name);
                self.emit(Op::Member { to, from, name });
            }
        }
        Ok(unknown(to))
    }

    fn method_call(&mut self, base: Base, call: &FnCallExpr, args: &[Reg], to: Reg) -> Lowered<Got> {
        let name = call.name.as_str();
        let unit = self.frame().unit;
        if unit.typed {
            return Err(WhyNot::UnknownMethod.into());
        }
        match (base, unit.function(name, args.len())) {
            (Base::This, Some(function)) => {
                let args: Vec<Got> = args.iter().map(|reg| self.known(*reg)).collect();
                self.call_own(unit, function, &args, true, to)
            }
            (Base::Me, None) => {
                let found = find_call(Owner::Me, name, args.len());
                let function = found.filter(|found| matches!(found.entry.kind, EntryKind::Function));
                self.spend(1);
                self.call_table(function.ok_or(WhyNot::UnknownMethod)?, args, to)
            }
            (Base::Value(of), None) if args.len() <= 2 && is_known_method(name) => {
                self.spend(1);
                let (name, args) = (self.text(name), self.args(args)?);
                self.emit(Op::Method { to, of, name, args });
                Ok(unknown(to))
            }
            _ => Err(WhyNot::UnknownMethod.into()),
        }
    }

    /// Writes back what was read on the way.
    fn write_back(&mut self, getters: &[Getter]) {
        for getter in getters.iter().rev() {
            match *getter {
                Getter::OfMe { call, value } => {
                    self.spend(1);
                    let place = self.call_place(call);
                    self.emit(match call.is_writable() {
                        true => Op::WriteMe { call: place, from: value },
                        false => Op::Unchanged { call: place },
                    });
                }
                Getter::OfValue(of) => self.emit(Op::WriteBack { of }),
            }
        }
    }

    /// Whether a chain with an index surely searches no text before its end: Rhai charges for that by its size.
    pub fn searches_nothing(&self, expression: &Expr) -> bool {
        let (root, steps) = chain(expression);
        let Some((ChainStep::Index(_), before)) = steps.split_last() else {
            return false;
        };
        match root {
            Expr::ThisPtr(_) => !before.is_empty() && before.iter().all(|step| step.property().is_some()),
            Expr::Variable(variable, ..) => before.is_empty() && self.local(plain_name(&variable.1)).is_some(),
            _ => false,
        }
    }
}
