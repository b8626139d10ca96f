//! Compiling assignments to chains, such as `me.vel.x = 5`.

use super::*;

/// What an assignment reads and writes.
#[derive(Clone, Copy)]
enum AssignedPlace<'e> {
    Var(u16),
    Me(&'e str, &'static Call<CallMoment>),
    /// A component of a vec in this register.
    Part(Reg, Axis),
}

impl Lowering<'_> {
    /// Writes the value of an assignment through a chain. It computes `by` an operator, as `+=` does, or not.
    pub fn write_chain(&mut self, target: &Expr, value: Reg, by: Option<Arithmetic>) -> Lowered<()> {
        let (root, steps) = chain(target);
        if is_optional(target) {
            return Err(WhyNot::Optional.into());
        }
        let next = self.next;
        match steps[..] {
            [ChainStep::Property(name, _)] => {
                let place = match self.chain_root(root)? {
                    Base::Value(of) if self.is_variable(root) => {
                        AssignedPlace::Part(of, axis_named(name).ok_or(WhyNot::Assignment)?)
                    }
                    base => self.place(base, name)?,
                };
                self.write(place, value, by)?;
            }
            [ChainStep::Property(name, _), ChainStep::Property(part, _)] => {
                let axis = axis_named(part).ok_or(WhyNot::Assignment)?;
                self.spend(2);
                let base = self.chain_root(root)?;
                let whole = self.place(base, name)?;
                let of = self.fresh()?;
                self.load(whole, of)?;
                self.write(AssignedPlace::Part(of, axis), value, by)?;
                self.write(whole, of, None)?;
            }
            _ => return Err(WhyNot::Assignment.into()),
        }
        self.next = next;
        Ok(())
    }

    fn place<'e>(&mut self, base: Base, name: &'e str) -> Lowered<AssignedPlace<'e>> {
        match base {
            Base::This => {
                self.spend(1);
                self.emit(Op::WeighVars);
                Ok(AssignedPlace::Var(self.slot(name).ok_or(WhyNot::UnknownVariable)?))
            }
            Base::Me => {
                let call = find_call(Owner::Me, name, 0).filter(|call| call.is_writable());
                Ok(AssignedPlace::Me(name, call.ok_or(WhyNot::Assignment)?))
            }
            _ => Err(WhyNot::Assignment.into()),
        }
    }

    fn load(&mut self, place: AssignedPlace, to: Reg) -> Lowered<()> {
        match place {
            AssignedPlace::Var(slot) => self.emit(Op::ReadVar { to, slot }),
            AssignedPlace::Me(name, call) => {
                let (property, _) = property_of_me(name).ok_or(WhyNot::Assignment)?;
                self.spend(1 + cost_of(call, name));
                self.emit(Op::ReadMe { to, property, body: true });
            }
            AssignedPlace::Part(of, axis) => {
                self.spend(PER_PART);
                self.emit(Op::Part { to, of, axis });
            }
        }
        Ok(())
    }

    fn write(&mut self, place: AssignedPlace, value: Reg, by: Option<Arithmetic>) -> Lowered<()> {
        let mut from = value;
        if let Some(by) = by {
            from = self.fresh()?;
            self.load(place, from)?;
            self.emit(Op::Assign { by, to: from, a: from, b: value });
        }
        match place {
            AssignedPlace::Var(slot) => self.emit(Op::WriteVar { slot, from }),
            AssignedPlace::Me(_, call) => {
                self.spend(1);
                let call = self.call_place(call);
                self.emit(Op::WriteMe { call, from });
            }
            AssignedPlace::Part(of, axis) => {
                self.spend(PER_PART);
                self.emit(Op::SetPart { of, from, axis });
            }
        }
        Ok(())
    }

    /// Whether a chain begins with a local variable that may change.
    fn is_variable(&self, root: &Expr) -> bool {
        match root {
            Expr::Variable(variable, ..) => self.local(plain_name(&variable.1)).is_some_and(|local| !local.constant),
            _ => false,
        }
    }
}
