//! Compiling assignments to chains, such as `me.vel.x = 5` and `this.list[i] += 1`.

use super::*;

impl Lowering<'_> {
    /// Writes the value of an assignment through a chain. It computes `by` an operator, as `+=` does, or not.
    pub fn write_chain(&mut self, target: &Expr, value: Reg, by: Option<Arithmetic>) -> Lowered<()> {
        let (root, steps) = chain(target);
        if is_optional(target) {
            return Err(WhyNot::Optional.into());
        }
        let next = self.next;
        let indexed = matches!(steps.last(), Some(ChainStep::Index(_)));
        let known = self.indices_are_known(&steps);
        if indexed {
            self.spend(PER_INDEX as u32);
            if !known {
                return Err(WhyNot::Index.into());
            }
        } else if let (Expr::ThisPtr(_), true) = (root, steps.len() == 1 || !known) {
            self.emit(Op::WeighVars);
        }
        let args = self.chain_arguments(&steps)?;
        let (root, rest) = match (self.chain_root(root)?, &steps[..]) {
            (Base::Me, [ChainStep::Property(name, _)]) => {
                self.write_me(name, value, by)?;
                self.next = next;
                return Ok(());
            }
            (Base::Me, [ChainStep::Property(name, _), ChainStep::Property(part, _)]) => {
                self.write_part_of_me(name, axis_named(part).ok_or(WhyNot::Assignment)?, (value, by))?;
                self.next = next;
                return Ok(());
            }
            (Base::This, [ChainStep::Property(name, _), rest @ ..]) => {
                self.spend(1);
                (DataRoot::Var(self.slot(name).ok_or(WhyNot::UnknownVariable)?), rest)
            }
            (Base::Value(of), rest) if self.is_variable(root) => (DataRoot::Local(of), rest),
            _ => return Err(WhyNot::Assignment.into()),
        };
        if let (DataRoot::Var(slot), []) = (root, rest) {
            let mut from = value;
            if let Some(by) = by {
                from = self.fresh()?;
                self.emit(Op::ReadVar { to: from, slot });
                self.emit(Op::Assign { by, to: from, a: from, b: value });
            }
            self.emit(Op::WriteVar { slot, from });
            self.next = next;
            return Ok(());
        }
        self.spend(rest.len() as u32);
        let mut path_steps = Vec::new();
        for (step, args) in rest.iter().zip(&args[steps.len() - rest.len()..]) {
            path_steps.push(match step {
                ChainStep::Property(name, _) => DataStep::Entry(self.member_place(name)),
                ChainStep::Index(_) => DataStep::At(args[0]),
                ChainStep::Method(..) => return Err(WhyNot::Assignment.into()),
            });
        }
        let path = |steps| DataPath { root, steps, of_method: false, searches: false };
        let before = path_steps[..path_steps.len() - 1].to_vec();
        if indexed && by.is_some() && !steps.last().is_some_and(|last| self.is_known_step(last)) {
            let path = self.path_place(path(before))?;
            self.emit(Op::WeighPlaces { path });
        } else if !indexed && (known || matches!(root, DataRoot::Local(_))) {
            let path = self.path_place(path(if known { before } else { Vec::new() }))?;
            self.emit(Op::WeighChange { path });
        }
        let path = self.path_place(path(path_steps))?;
        self.emit(Op::WritePart { path, from: value, by });
        self.next = next;
        Ok(())
    }

    fn write_me(&mut self, name: &str, value: Reg, by: Option<Arithmetic>) -> Lowered<()> {
        let mut from = value;
        if let Some(by) = by {
            from = self.fresh()?;
            self.read_me(name, from)?;
            self.emit(Op::Assign { by, to: from, a: from, b: value });
        }
        let call = find_call(Owner::Me, name, 0).filter(|call| call.is_writable());
        self.spend(1);
        let call = self.call_place(call.ok_or(WhyNot::Assignment)?);
        self.emit(Op::WriteMe { call, from });
        Ok(())
    }

    fn read_me(&mut self, name: &str, to: Reg) -> Lowered<()> {
        let (property, call) = property_of_me(name).ok_or(WhyNot::Assignment)?;
        self.spend(1 + cost_of(call, name));
        self.emit(Op::ReadMe { to, property, body: true });
        Ok(())
    }

    /// Writes a component of a property of `me` that is a vec.
    fn write_part_of_me(&mut self, name: &str, axis: Axis, (value, by): (Reg, Option<Arithmetic>)) -> Lowered<()> {
        let of = self.fresh()?;
        self.read_me(name, of)?;
        let mut from = value;
        if let Some(by) = by {
            from = self.fresh()?;
            self.spend(PER_PART);
            self.emit(Op::Part { to: from, of, axis });
            self.emit(Op::Assign { by, to: from, a: from, b: value });
        }
        self.spend(PER_PART);
        self.emit(Op::SetPart { of, from, axis });
        self.write_me(name, of, None)
    }

    /// Whether a chain begins with a local variable that may change.
    pub fn is_variable(&self, root: &Expr) -> bool {
        match root {
            Expr::Variable(variable, ..) => self.local(plain_name(&variable.1)).is_some_and(|local| !local.constant),
            _ => false,
        }
    }
}
