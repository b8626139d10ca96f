//! Compiling assignments to chains, such as `me.vel.x = 5`.

use super::chain_parts::{Base, ChainPart, PER_PART, cost_of, property_of_me, taken_apart, writable_of_me};
use super::code::{Axis, Op, Reg};
use super::lower::{Got, Lowered, Lowering};
use super::members::axis_named;
use super::operators::Arithmetic;
use super::why::WhyNot;
use crate::engine::pricing::plain_name;
use rhai::{Expr, Position};

impl Lowering<'_> {
    /// Writes the value of an assignment through a chain.
    pub fn write_chain(&mut self, target: &Expr, got: Got, by: Option<Arithmetic>) -> Lowered<()> {
        let at = target.position();
        let chain = taken_apart(target);
        if chain.optional {
            return self.refuse(WhyNot::Optional, at);
        }
        let next = self.next;
        match chain.steps[..] {
            [ChainPart::Property(name)] => self.write_one(chain.root, name, (got, by, at))?,
            [ChainPart::Property(name), ChainPart::Property(part)] => {
                let Some(axis) = axis_named(part) else {
                    return self.refuse(WhyNot::Assignment, at);
                };
                self.spend(2);
                self.write_part(chain.root, (name, axis), (got, by, at))?;
            }
            _ => return self.refuse(WhyNot::Assignment, at),
        }
        self.next = next;
        Ok(())
    }

    fn write_one(
        &mut self,
        root: &Expr,
        name: &str,
        (got, by, at): (Got, Option<Arithmetic>, Position),
    ) -> Lowered<()> {
        let base = self.chain_root(root)?;
        match base {
            Base::This => {
                self.spend(1);
                self.emit(Op::WeighVars);
                let Some(slot) = self.slot(name) else {
                    return self.refuse(WhyNot::UnknownVariable, at);
                };
                let from = match by {
                    None => got.reg,
                    Some(by) => {
                        let to = self.fresh(at)?;
                        self.emit(Op::ReadVar { to, slot });
                        self.emit(Op::Assign { by, to, a: to, b: got.reg });
                        to
                    }
                };
                self.emit(Op::WriteVar { slot, from });
                Ok(())
            }
            Base::Me => {
                let Some(call) = writable_of_me(name) else {
                    return self.refuse(WhyNot::Assignment, at);
                };
                let from = match by {
                    None => got.reg,
                    Some(by) => {
                        let property = self.readable_of_me(name, at)?;
                        self.spend(1 + cost_of(call, name));
                        let to = self.fresh(at)?;
                        self.emit(Op::ReadMe { to, property, body: true });
                        self.emit(Op::Assign { by, to, a: to, b: got.reg });
                        to
                    }
                };
                self.spend(1);
                let call = self.call_place(call);
                self.emit(Op::WriteMe { call, from });
                Ok(())
            }
            Base::Value(of) if self.is_variable(root) => {
                let Some(axis) = axis_named(name) else {
                    return self.refuse(WhyNot::Assignment, at);
                };
                self.set_part(of, axis, (got, by, at))
            }
            _ => self.refuse(WhyNot::Assignment, at),
        }
    }

    /// The place of a property of `me` that is read before it is written.
    fn readable_of_me(&mut self, name: &str, at: Position) -> Lowered<u16> {
        match property_of_me(name) {
            Some((property, _)) => Ok(property),
            None => self.refuse(WhyNot::Assignment, at),
        }
    }

    /// Whether a chain begins with a local variable that may change.
    fn is_variable(&self, root: &Expr) -> bool {
        match root {
            Expr::Variable(variable, ..) => {
                let local = self.local(plain_name(&variable.1));
                local.is_some_and(|local| !local.constant)
            }
            _ => false,
        }
    }

    fn set_part(&mut self, of: Reg, axis: Axis, (got, by, at): (Got, Option<Arithmetic>, Position)) -> Lowered<()> {
        let from = match by {
            None => got.reg,
            Some(by) => {
                self.spend(PER_PART);
                let to = self.fresh(at)?;
                self.emit(Op::Part { to, of, axis });
                self.emit(Op::Assign { by, to, a: to, b: got.reg });
                to
            }
        };
        self.spend(PER_PART);
        self.emit(Op::SetPart { of, from, axis });
        Ok(())
    }

    fn write_part(
        &mut self,
        root: &Expr,
        (name, axis): (&str, Axis),
        (got, by, at): (Got, Option<Arithmetic>, Position),
    ) -> Lowered<()> {
        let base = self.chain_root(root)?;
        let of = self.fresh(at)?;
        match base {
            Base::This => {
                self.spend(1);
                self.emit(Op::WeighVars);
                let Some(slot) = self.slot(name) else {
                    return self.refuse(WhyNot::UnknownVariable, at);
                };
                self.emit(Op::ReadVar { to: of, slot });
                self.set_part(of, axis, (got, by, at))?;
                self.emit(Op::WriteVar { slot, from: of });
                Ok(())
            }
            Base::Me => {
                let Some((property, call)) = property_of_me(name).filter(|p| p.1.is_writable()) else {
                    return self.refuse(WhyNot::Assignment, at);
                };
                self.spend(1 + cost_of(call, name));
                self.emit(Op::ReadMe { to: of, property, body: true });
                self.set_part(of, axis, (got, by, at))?;
                self.spend(1);
                let call = self.call_place(call);
                self.emit(Op::WriteMe { call, from: of });
                Ok(())
            }
            _ => self.refuse(WhyNot::Assignment, at),
        }
    }
}
