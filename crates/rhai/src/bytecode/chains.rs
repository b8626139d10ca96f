//! Compiling chains such as `me.vel.x` and `this.pos.length()`.

use super::chain_parts::{Base, ChainPart, PER_PART, cost_of, is_known_method, is_light, property_of_me, taken_apart};
use super::code::{Op, PartOfMe, Reg};
use super::expressions::{assigns, light, unknown};
use super::lower::{Got, Known, Lowered, Lowering};
use super::members::axis_named;
use super::why::WhyNot;
use crate::engine::pricing::plain_name;
use hangtime_script::api::{EntryKind, Owner, Type};
use hangtime_script::calls::{Call, find_call, is_level_member};
use rhai::{Expr, FnCallExpr, Position};

/// A property that was read on the way. A method at the end of the chain writes it back.
enum Getter {
    OfMe {
        call: &'static Call,
        value: Reg,
    },
    /// Of a value of any type, in this register.
    OfValue(Reg),
}

/// Methods of texts that leave them as they are even for Rhai, which then writes nothing back.
const PURE: [&str; 2] = ["starts_with", "ends_with"];

impl Lowering<'_> {
    /// The value of a chain.
    pub fn chain(&mut self, expression: &Expr, to: Option<Reg>) -> Lowered<Got> {
        let at = expression.position();
        let chain = taken_apart(expression);
        if chain.optional {
            return self.refuse(WhyNot::Optional, at);
        }
        let result = self.target(to, at)?;
        let next = self.next;
        let args = self.chain_arguments(&chain.steps, at)?;
        let mut base = self.chain_root(chain.root)?;
        let mut getters = Vec::new();
        let mut got = unknown(result);
        let places = chain.steps.iter().zip(&args).enumerate();
        let count = chain.steps.len();
        let mut fused = false;
        for (place, (step, args)) in places {
            if std::mem::take(&mut fused) {
                continue;
            }
            let last = place + 1 == count;
            // A value on the way is needed again only if it is written back.
            let to = if last { result } else { self.fresh(at)? };
            got = match *step {
                ChainPart::Property(name) => {
                    let after = chain.steps.get(place + 1);
                    match self.fused(base, (name, after), (result, place + 2 == count))? {
                        Some(got) => {
                            fused = true;
                            got
                        }
                        None => self.property(base, name, (to, at), &mut getters)?,
                    }
                }
                ChainPart::Index(_) => {
                    let Base::Value(list) = base else {
                        return self.refuse(WhyNot::Index, at);
                    };
                    self.spend(1);
                    self.emit(Op::Index { to, list, at: args[0] });
                    unknown(to)
                }
                ChainPart::Method(call) => self.method_call(base, call, (args, to, at))?,
            };
            base = match got.known {
                Known::Me => Base::Me,
                Known::About => Base::About,
                Known::Unknown => Base::Value(got.reg),
            };
        }
        if let Some(ChainPart::Method(call)) = chain.steps.last()
            && !PURE.contains(&call.name.as_str())
            && self.is_native_method(call)
        {
            self.write_back(&getters);
        }
        self.next = next;
        Ok(self.moved(got, Some(result)))
    }

    /// Whether a chain ends with a native method, which Rhai takes for one that changes its object.
    fn is_native_method(&self, call: &FnCallExpr) -> bool {
        self.frame().unit.function(&call.name, call.args.len()).is_none()
    }

    /// Computes the arguments of all steps, which comes before anything else.
    fn chain_arguments(&mut self, steps: &[ChainPart<'_>], at: Position) -> Lowered<Vec<Vec<Reg>>> {
        let simple = match steps {
            [ChainPart::Property(_)] => true,
            [ChainPart::Method(call)] => call.args.is_empty(),
            [ChainPart::Index(index)] => index.get_literal_value(None).is_some(),
            _ => false,
        };
        if !simple {
            self.spend(steps.len() as u32);
        }
        let mut all = Vec::new();
        for step in steps {
            all.push(match step {
                ChainPart::Property(_) => Vec::new(),
                ChainPart::Method(call) => self.values(call.args.iter(), at)?,
                ChainPart::Index(index) => {
                    if assigns(index) {
                        return self.refuse(WhyNot::AssignmentInside, at);
                    }
                    let reg = self.value(index, None)?.reg;
                    if simple {
                        self.unspend(1);
                    }
                    vec![reg]
                }
            });
        }
        Ok(all)
    }

    /// What a chain begins with.
    pub fn chain_root(&mut self, root: &Expr) -> Lowered<Base> {
        let at = root.position();
        match root {
            Expr::ThisPtr(_) => {
                if !self.frame().this {
                    return self.refuse(WhyNot::UnboundThis, at);
                }
                self.spend(1);
                Ok(Base::This)
            }
            Expr::Variable(variable, ..) if variable.2.is_empty() => {
                self.spend(1);
                let name = plain_name(&variable.1);
                if let Some(local) = self.local(name) {
                    return Ok(match local.got.known {
                        Known::Me => Base::Me,
                        Known::About => Base::About,
                        Known::Unknown => Base::Value(local.got.reg),
                    });
                }
                Ok(Base::Value(self.file_constant(name, at)?.reg))
            }
            other => Ok(Base::Value(self.value(other, None)?.reg)),
        }
    }

    /// Two steps at once: a component of a property of `me`, or a field of its hook.
    fn fused(
        &mut self,
        base: Base,
        (name, after): (&str, Option<&ChainPart<'_>>),
        (to, last): (Reg, bool),
    ) -> Lowered<Option<Got>> {
        let (Base::Me, Some(ChainPart::Property(part)), true) = (base, after, last) else {
            return Ok(None);
        };
        let Some((property, call)) = property_of_me(name) else {
            return Ok(None);
        };
        let body = !is_level_member(name);
        if let (Type::Vec, Some(axis)) = (call.entry.returns, axis_named(part)) {
            self.spend(1 + cost_of(call, name) + PER_PART);
            let part = PartOfMe { axis, body };
            self.emit(Op::ReadPart { to, property, part });
            return Ok(Some(light(to)));
        }
        let field = ["state", "tip", "length"].iter().position(|field| field == part);
        if let ("hook", Some(field)) = (name, field) {
            self.spend(1 + cost_of(call, name) + 1);
            self.emit(Op::ReadHook { to, field: field as u8 });
            return Ok(Some(Got { heavy: field == 0, ..light(to) }));
        }
        Ok(None)
    }

    fn property(
        &mut self,
        base: Base,
        name: &str,
        (to, at): (Reg, Position),
        getters: &mut Vec<Getter>,
    ) -> Lowered<Got> {
        self.spend(1);
        match base {
            Base::This => {
                let Some(slot) = self.slot(name) else {
                    return self.refuse(WhyNot::UnknownVariable, at);
                };
                self.emit(Op::ReadVar { to, slot });
                Ok(unknown(to))
            }
            Base::Me => {
                let Some((property, call)) = property_of_me(name) else {
                    return self.refuse(WhyNot::UnknownMethod, at);
                };
                getters.push(Getter::OfMe { call, value: to });
                let heavy = !is_light(call.entry.returns);
                if matches!(call.entry.returns, Type::Array(_) | Type::Map(_)) {
                    let (call, args) = (self.call_place(call), self.args(&[]));
                    self.flush();
                    self.emit(Op::Call { to, call, args });
                } else {
                    self.spend(cost_of(call, name));
                    let body = !is_level_member(name);
                    self.emit(Op::ReadMe { to, property, body });
                }
                Ok(Got { heavy, ..light(to) })
            }
            Base::About => {
                let name = self.text(name);
                self.emit(Op::ReadAbout { to, name });
                Ok(unknown(to))
            }
            Base::Value(from) => {
                getters.push(Getter::OfValue(from));
                let name = self.member_place(name);
                self.emit(Op::Member { to, from, name });
                Ok(unknown(to))
            }
        }
    }

    fn method_call(&mut self, base: Base, call: &FnCallExpr, (args, to, at): (&[Reg], Reg, Position)) -> Lowered<Got> {
        let name = call.name.as_str();
        let own = self.frame().unit.function(name, args.len()).is_some();
        if self.frame().unit.has_typed() {
            return self.refuse(WhyNot::UnknownMethod, at);
        }
        match base {
            Base::This if own => {
                let args: Vec<Got> = args.iter().map(|reg| self.known(*reg)).collect();
                self.call_own(name, &args, (true, to, at))
            }
            Base::Me if !own => {
                let Some(found) = find_call(Owner::Me, name, args.len()) else {
                    return self.refuse(WhyNot::UnknownMethod, at);
                };
                if !matches!(found.entry.kind, EntryKind::Function) {
                    return self.refuse(WhyNot::UnknownMethod, at);
                }
                self.spend(1);
                self.call_table(found, args, to)
            }
            Base::Value(of) if !own && args.len() <= 2 && is_known_method(name) => {
                self.spend(1);
                let (name, count) = (self.text(name), args.len() as u8);
                let args = self.args(args);
                self.emit(Op::Method { to, of, name, args, count });
                Ok(unknown(to))
            }
            _ => self.refuse(WhyNot::UnknownMethod, at),
        }
    }

    /// Writes back what was read on the way.
    fn write_back(&mut self, getters: &[Getter]) {
        for getter in getters.iter().rev() {
            match getter {
                Getter::OfMe { call, value } => {
                    self.spend(1);
                    let place = self.call_place(call);
                    self.emit(if call.is_writable() {
                        Op::WriteMe { call: place, from: *value }
                    } else {
                        Op::Unchanged { call: place }
                    });
                }
                Getter::OfValue(of) => self.emit(Op::WriteBack { of: *of }),
            }
        }
    }

    /// Whether a chain with an index surely searches no text before its end: Rhai charges for that by its size.
    pub fn searches_nothing(&self, expression: &Expr) -> bool {
        let chain = taken_apart(expression);
        let Some((ChainPart::Index(_), before)) = chain.steps.split_last() else {
            return false;
        };
        let of_this = matches!(chain.root, Expr::ThisPtr(_));
        let local = match chain.root {
            Expr::Variable(variable, ..) => self.local(plain_name(&variable.1)).is_some(),
            _ => false,
        };
        let named = before.iter().all(|step| matches!(step, ChainPart::Property(_)));
        named && ((of_this && !before.is_empty()) || (local && before.is_empty()))
    }
}
