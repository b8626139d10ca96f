//! Compiling chains such as `me.vel.x` and `this.pos.length()`.

use super::*;

/// A property of `me` that was read on the way, and the register of its value. A method at the end of the chain writes
/// it back.
type Getter = (&'static Call<CallMoment>, Reg);

/// Methods of texts that leave them as they are even for Rhai, which then writes nothing back.
const PURE: [&str; 2] = ["starts_with", "ends_with"];

impl Lowering<'_> {
    /// The value of a chain.
    pub fn chain(&mut self, expression: &Expr, result: Reg) -> Lowered<Got> {
        let searches = std::mem::take(&mut self.searches);
        let (root, steps) = chain(expression);
        if is_optional(expression) {
            return Err(WhyNot::Optional.into());
        }
        let args = self.chain_arguments(&steps)?;
        // Rhai takes a native method at the end for one that changes its object.
        let changes = match steps.last() {
            Some(ChainStep::Method(call, _)) => {
                let own = self.frame().unit.function(&call.name, call.args.len());
                !PURE.contains(&call.name.as_str()) && own.is_none()
            }
            _ => false,
        };
        let may_change = !matches!(root, Expr::Variable(..)) || self.is_variable(root);
        let path = |root| DataPath { root, steps: Vec::new(), of_method: changes, searches };
        let mut open = None;
        let mut base = self.chain_root(root)?;
        let mut getters = Vec::new();
        let mut got = unknown(result);
        let mut places = 0..steps.len();
        while let Some(place) = places.next() {
            // A value on the way is needed again only if it is written back.
            let to = if places.is_empty() { result } else { self.fresh()? };
            match (base, steps[place]) {
                (Base::This, ChainStep::Property(name, _)) if open.is_none() => {
                    self.spend(1);
                    open = Some(path(DataRoot::Var(self.slot(name).ok_or(WhyNot::UnknownVariable)?)));
                }
                (Base::This | Base::Value(_), ChainStep::Property(..) | ChainStep::Index(_)) => {
                    let mut inside = match (open.take(), base) {
                        (Some(inside), _) => inside,
                        (None, Base::Value(of)) => path(DataRoot::Local(of)),
                        _ => return Err(WhyNot::Index.into()),
                    };
                    self.spend(1);
                    inside.steps.push(match steps[place] {
                        ChainStep::Property(name, _) => DataStep::Entry(self.member_place(name)),
                        _ => DataStep::At(args[place][0]),
                    });
                    open = Some(inside);
                }
                (_, ChainStep::Property(name, _)) => {
                    got = match steps[place + 1..] {
                        [ChainStep::Property(part, _)] if let Some(got) = self.fused(base, name, part, result) => {
                            places.next();
                            got
                        }
                        _ => self.property(base, name, to, &mut getters)?,
                    };
                    base = got.base();
                }
                (_, ChainStep::Index(_)) => return Err(WhyNot::Index.into()),
                (_, ChainStep::Method(call, _)) => {
                    let method = PlaceMethod::named(&call.name, call.args.len())
                        .filter(|method| changes && places.is_empty() && (*method == PlaceMethod::Len || may_change));
                    got = match (method, open.take(), base) {
                        (Some(method), Some(inside), _) => self.place_method(method, inside, &args[place], to)?,
                        (Some(method), None, Base::Value(of)) => {
                            self.place_method(method, path(DataRoot::Local(of)), &args[place], to)?
                        }
                        (_, Some(inside), _) => {
                            let of = self.fresh()?;
                            base = self.walk(inside, of)?.base();
                            self.method_call(base, call, &args[place], to)?
                        }
                        (_, None, _) => self.method_call(base, call, &args[place], to)?,
                    };
                    base = got.base();
                }
            }
        }
        if let Some(open) = open {
            got = self.walk(open, result)?;
        }
        if changes {
            self.write_back(&getters);
        }
        Ok(got)
    }

    /// The value at the end of a path.
    fn walk(&mut self, path: DataPath, to: Reg) -> Lowered<Got> {
        match (path.root, &path.steps[..]) {
            (DataRoot::Var(slot), []) => self.emit(Op::ReadVar { to, slot }),
            (DataRoot::Local(from), [DataStep::Entry(name)]) if !path.of_method => {
                self.emit(Op::Member { to, from, name: *name })
            }
            (DataRoot::Local(list), [DataStep::At(at)]) => self.emit(Op::Index { to, list, at: *at }),
            _ => {
                let path = self.path_place(path)?;
                self.emit(Op::Walk { to, path });
            }
        }
        Ok(unknown(to))
    }

    fn place_method(&mut self, method: PlaceMethod, path: DataPath, args: &[Reg], to: Reg) -> Lowered<Got> {
        if self.frame().unit.typed {
            return Err(WhyNot::UnknownMethod.into());
        }
        self.spend(1);
        let (path, args) = (self.path_place(path)?, self.args(args)?);
        self.emit(Op::PlaceMethod { to, path, method, args });
        Ok(unknown(to))
    }

    /// Computes the arguments of all steps, which comes before anything else.
    pub fn chain_arguments(&mut self, steps: &[ChainStep]) -> Lowered<Vec<Vec<Reg>>> {
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
            Base::Me => {
                let (property, call) = property_of_me(name).ok_or(WhyNot::UnknownMethod)?;
                getters.push((call, to));
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
            Base::This | Base::Value(_) => return Err(WhyNot::UnknownMethod.into()),
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
        for (call, from) in getters.iter().rev() {
            self.spend(1);
            let place = self.call_place(call);
            self.emit(match call.is_writable() {
                true => Op::WriteMe { call: place, from: *from },
                false => Op::Unchanged { call: place },
            });
        }
    }

    /// Whether Rhai knows in advance what a chain with an index searches, and charges for nothing that is on the way.
    /// Unless it begins with a variable or `this`, it is `Some(false)`: then text is charged for as if it was unknown.
    pub fn known_search(&self, expression: &Expr) -> Lowered<bool> {
        let (root, steps) = chain(expression);
        if !self.indices_are_known(&steps) {
            return Err(WhyNot::Index.into());
        }
        Ok(match root {
            Expr::ThisPtr(_) => true,
            Expr::Variable(variable, ..) => {
                self.local(plain_name(&variable.1)).is_some_and(|local| local.got.known != Known::Me)
            }
            _ => false,
        })
    }

    /// Whether all indices before the last step are known before they are evaluated.
    pub fn indices_are_known(&self, steps: &[ChainStep]) -> bool {
        let before = steps.split_last().map_or(&[][..], |(_, before)| before);
        before.iter().all(|step| self.is_known_step(step))
    }

    /// Whether a step is not an index that has to be evaluated.
    pub fn is_known_step(&self, step: &ChainStep) -> bool {
        match step {
            ChainStep::Index(Expr::IntegerConstant(..) | Expr::StringConstant(..)) | ChainStep::Property(..) => true,
            ChainStep::Index(Expr::Variable(variable, ..)) => {
                variable.2.is_empty() && self.local(plain_name(&variable.1)).is_some()
            }
            _ => false,
        }
    }
}
