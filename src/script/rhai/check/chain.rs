//! What stands behind dots and in brackets: `me.vel.x`, `event["speed"]`, `t.entity("hero").x`.

use super::inspect::Role;
use super::types::{closed, owner, present};
use super::walk::Walker;
use crate::script::host::api::{Access, Entry, Kind, Owner, Shape, Type};
use crate::script::host::names::{nearest, suggestion};
use crate::script::rhai::api::bodiless;
use crate::script::rhai::messages::elsewhere;
use rhai::{ASTFlags, Expr, FnCallExpr, Position};

/// A step from a value to what it has.
pub(super) enum Link<'e> {
    Property(&'e str, Position),
    Method(&'e FnCallExpr, Position),
    Index(&'e Expr),
}

impl Link<'_> {
    /// The name behind the dot.
    pub fn property(&self) -> Option<&str> {
        match self {
            Self::Property(name, _) => Some(name),
            _ => None,
        }
    }
}

/// A chain as Rhai nests it, taken apart: where it begins, and its steps.
pub(super) fn links(expression: &Expr) -> (&Expr, Vec<Link<'_>>) {
    let (root, mut rest, mut index, mut ends) = match expression {
        Expr::Dot(pair, flags, _) => (&pair.lhs, &pair.rhs, false, *flags),
        Expr::Index(pair, flags, _) => (&pair.lhs, &pair.rhs, true, *flags),
        other => return (other, Vec::new()),
    };
    let mut links = Vec::new();
    loop {
        let step = |e: &Expr| matches!(e, Expr::Dot(..) | Expr::Index(..));
        // What stands in brackets may be a chain itself, which has nothing to do with this one.
        let goes_on = step(rest) && !(index && ends.intersects(ASTFlags::BREAK));
        let (here, next) = match rest {
            Expr::Dot(pair, flags, _) if goes_on => (&pair.lhs, Some((&pair.rhs, false, *flags))),
            Expr::Index(pair, flags, _) if goes_on => (&pair.lhs, Some((&pair.rhs, true, *flags))),
            only => (only, None),
        };
        links.push(match here {
            _ if index => Link::Index(here),
            Expr::Property(property, pos) => Link::Property(&property.2, *pos),
            Expr::MethodCall(call, pos) => Link::Method(call, *pos),
            other => Link::Index(other),
        });
        match next {
            Some(next) => (rest, index, ends) = next,
            None => return (root, links),
        }
    }
}

/// The property that a chain ends with.
pub(super) fn last_property(expression: &Expr) -> Option<&str> {
    match links(expression).1.last()? {
        Link::Property(name, _) => Some(name),
        _ => None,
    }
}

impl Walker<'_> {
    /// Walks along a chain; with `writes` its end is assigned to.
    pub fn chain(&mut self, expression: &Expr, mut writes: bool) -> Type {
        let (root, links) = links(expression);
        let before = self.count();
        if let (Expr::Variable(variable, _, at), Some(Link::Method(call, _))) =
            (root, links.first())
            && self.is_world(&variable.1, variable.0.is_some())
        {
            let what = format!("`world` is a module: write `world::{}(…)`", call.name);
            self.error(*at, what);
            return Type::Any;
        }
        let mut holds = self.expression(root);
        if writes && let Expr::Variable(variable, ..) = root {
            self.copy_written(&variable.1, &links[0], holds);
        }
        if let Expr::Variable(variable, _, at) = root
            && variable.0.is_none()
            && variable.2.is_empty()
        {
            self.constant_changed(&variable.1, &links, writes, *at);
        }
        if let (Expr::ThisPtr(_), Some(Link::Method(call, at))) = (root, links.first()) {
            self.called_on_variables(call, *at);
        }
        for (number, link) in links.iter().enumerate() {
            holds = match link {
                Link::Property(name, at)
                    if self.plain_property(present(holds), name, (root, &links[..number]), *at) =>
                {
                    Type::Any
                }
                Link::Property(name, at) => {
                    let next = self.property(holds, name, writes, *at);
                    // One complaint is enough.
                    writes = writes && next != Type::Any;
                    next
                }
                Link::Method(call, at) => {
                    writes = false;
                    self.added(expression, call);
                    let list = Some(root).filter(|_| number == 0);
                    self.this_in_closures(present(holds), list, call);
                    // What is called on something wrong is a consequence of that.
                    if self.count() > before {
                        self.quietly(|walker| walker.method_call(holds, call, *at))
                    } else {
                        self.method_call(holds, call, *at)
                    }
                }
                Link::Index(index) => self.index(holds, index),
            };
        }
        holds
    }

    fn index(&mut self, of: Type, index: &Expr) -> Type {
        self.expression(index);
        match (of, index) {
            (Type::Array(each), _) => *each,
            (_, Expr::StringConstant(name, at)) => match closed(present(of)) {
                Some(shape) => self.field(shape, name, *at),
                None => Type::Any,
            },
            _ => Type::Any,
        }
    }

    /// What a hook is told is its own copy: what is written into it nobody sees.
    fn copy_written(&mut self, name: &str, link: &Link<'_>, holds: Type) {
        if self.about.as_deref() == Some(name)
            && let (Some(shape), Link::Property(field, at)) = (closed(holds), link)
            && shape.field(field).is_some()
        {
            let what = format!("`{name}` only tells: what is written into it changes nothing else");
            self.warn(*at, what);
        }
    }

    /// A property of a value.
    fn property(&mut self, of: Type, name: &str, writes: bool, at: Position) -> Type {
        let of = present(of);
        if let Some(shape) = closed(of) {
            return if writes {
                Type::Any
            } else {
                self.field(shape, name, at)
            };
        }
        let Some(owner) = owner(of) else {
            return Type::Any;
        };
        let is_property = |e: &&Entry| matches!(e.kind, Kind::Property(_)) && e.owner == owner;
        let Some(entry) = self.vocabulary.entries(name).find(is_property) else {
            self.missing_property(owner, name, at);
            return Type::Any;
        };
        if owner == Owner::Me && self.role == Role::Level && !bodiless(name) {
            self.error(at, format!("the level itself has no `{name}`"));
            return Type::Any;
        }
        match entry.kind {
            Kind::Property(Access::ReadOnly(why)) if writes => {
                let what = match owner {
                    Owner::Me => format!("`me.{name}` cannot be written: {why}"),
                    Owner::Entity => {
                        format!("`{name}` of another entity cannot be written: {why}")
                    }
                    _ => format!("`{name}` cannot be written: {why}"),
                };
                self.error(at, what);
                Type::Any
            }
            _ => entry.returns,
        }
    }

    fn missing_property(&mut self, owner: Owner, name: &str, at: Position) {
        let called = self.vocabulary.entries(name).find(|e| e.owner == owner);
        let whose = match owner {
            Owner::Me => "`me`".into(),
            _ => owner.of_type().map_or_else(String::new, |t| t.spoken()),
        };
        let moves = matches!(owner, Owner::Me | Owner::Entity | Owner::Live);
        let hint = match called {
            Some(entry) => format!("; it is called: `{}`", entry.signature()),
            None if moves && let Some(right) = elsewhere::property(name) => {
                format!("; it is {right}")
            }
            None => {
                let names = self.vocabulary.names_of(owner);
                let right = nearest(name, names.iter().copied());
                right.map_or_else(String::new, |right| format!("; did you mean `{right}`?"))
            }
        };
        self.error(at, format!("{whose} has no `{name}`{hint}"));
    }

    /// A field of a map whose fields are known.
    fn field(&mut self, shape: &'static Shape, name: &str, at: Position) -> Type {
        if let Some(field) = shape.field(name) {
            // Some of these maps are without it, and somebody may have put it in.
            return if field.always { field.holds } else { Type::Any };
        }
        if self.written_fields.contains(name) {
            return Type::Any;
        }
        let names: Vec<&str> = shape.fields().map(|f| f.name).collect();
        let what = format!(
            "the {} has no `{name}`, which reads as (){}",
            shape.name,
            suggestion(name, names)
        );
        self.error(at, what);
        Type::Any
    }
}
