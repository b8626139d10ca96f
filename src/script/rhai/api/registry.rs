//! The only way into an engine: whatever is registered brings what the reference says of it.

use super::arguments::{Fallible, wrong};
use crate::script::host::api::{Access, Entry, Kind, Owner, Topic};
use crate::script::rhai::engine::values::same;
use rhai::RhaiNativeFunc;
use rhai::{Dynamic, Engine, FuncRegistration, Module, NativeCallContext, Position, RhaiFunc};
use std::any::TypeId;

/// Registers native functions, each with its entry.
pub(in crate::script::rhai) struct Registry<'e> {
    engine: &'e mut Engine,
    world: Module,
    topic: Topic,
    entries: Vec<Entry>,
}

impl<'e> Registry<'e> {
    pub fn new(engine: &'e mut Engine) -> Self {
        Self {
            engine,
            world: Module::new(),
            topic: Topic::Reading,
            entries: Vec::new(),
        }
    }

    /// What follows belongs to this section.
    pub fn topic(&mut self, topic: Topic) {
        self.topic = topic;
    }

    /// Names the type of an owner's values.
    pub fn value<T: Clone + Send + Sync + 'static>(&mut self, owner: Owner) {
        self.engine.register_type_with_name::<T>(owner.name());
    }

    /// Something that is called, or an operator.
    pub fn add<A: 'static, const N: usize, const X: bool, R, const F: bool>(
        &mut self,
        entry: Entry,
        f: impl RhaiNativeFunc<A, N, X, R, F> + Send + Sync + 'static,
    ) where
        R: Clone + Send + Sync + 'static,
    {
        self.note(entry);
        self.again(f);
    }

    /// The last entry's function for values of other types.
    pub fn again<A: 'static, const N: usize, const X: bool, R, const F: bool>(
        &mut self,
        f: impl RhaiNativeFunc<A, N, X, R, F> + Send + Sync + 'static,
    ) where
        R: Clone + Send + Sync + 'static,
    {
        let Some(entry) = self.entries.last() else {
            return;
        };
        let owned = usize::from(entry.owner.of_type().is_some());
        debug_assert_eq!(
            N,
            entry.parameters.len() + owned,
            "the entry of `{}` has other parameters than its function",
            entry.name
        );
        if entry.owner == Owner::World {
            let registration = FuncRegistration::new(entry.name);
            let parameters = placed_types::<A, N, X, R, F, _>(&f);
            registration.set_into_module_raw(&mut self.world, parameters, placed(f));
        } else {
            self.engine.register_fn(entry.name, f);
        }
    }

    /// A property that can be read, and written if its entry says so: by `write`.
    pub fn property<T: Clone + Send + Sync + 'static>(
        &mut self,
        entry: Entry,
        read: impl Fn(&mut T) -> Fallible<Dynamic> + Copy + Send + Sync + 'static,
        write: fn(&mut T, Dynamic) -> Fallible<()>,
    ) {
        self.note(entry);
        self.engine.register_get(entry.name, read);
        let Kind::Property(access) = entry.kind else {
            return;
        };
        self.engine
            .register_set(entry.name, move |it: &mut T, value: Dynamic| match access {
                Access::Write => write(it, value),
                // A method of what was read, as in `me.zones.len()`, writes it back as it was.
                Access::ReadOnly(_) if same(&value, &read(it)?) => Ok(()),
                Access::ReadOnly(why) => refuse(entry, why),
            });
    }

    fn note(&mut self, entry: Entry) {
        let topic = self.topic;
        self.entries.push(Entry { topic, ..entry });
    }

    /// All that was registered. `world` is there from now on.
    pub fn finish(self) -> Vec<Entry> {
        if self.entries.iter().any(|e| e.owner == Owner::World) {
            self.engine
                .register_static_module(Owner::World.name(), self.world.into());
        }
        self.entries
    }
}

/// A function of a module whose errors are told where it was called; Rhai does so for others alone.
fn placed<A: 'static, const N: usize, const X: bool, R, const F: bool>(
    f: impl RhaiNativeFunc<A, N, X, R, F> + Send + Sync + 'static,
) -> RhaiFunc
where
    R: Clone + Send + Sync + 'static,
{
    let inner = f.into_rhai_function(true, false);
    let Some(call) = inner.get_native_fn().cloned() else {
        return inner;
    };
    let takes_context = inner.has_context();
    RhaiFunc::Pure {
        func: rhai::Shared::new(move |context: Option<NativeCallContext<'_>>, arguments| {
            let place = context.as_ref().map(NativeCallContext::call_position);
            let result = call(context.filter(|_| takes_context), arguments);
            result.map_err(|mut error| {
                if error.position().is_none() {
                    error.set_position(place.unwrap_or(Position::NONE));
                }
                error
            })
        }),
        has_context: true,
        is_pure: true,
        is_volatile: false,
    }
}

/// The types of a function's parameters.
fn placed_types<A: 'static, const N: usize, const X: bool, R, const F: bool, T>(
    _: &T,
) -> [TypeId; N]
where
    T: RhaiNativeFunc<A, N, X, R, F>,
    R: Clone + Send + Sync + 'static,
{
    T::param_types()
}

fn refuse(entry: Entry, why: &str) -> Fallible<()> {
    let name = entry.name;
    match entry.owner {
        Owner::Me => wrong(format!("`me.{name}` cannot be written: {why}")),
        Owner::Entity => wrong(format!(
            "`{name}` of another entity cannot be written: {why}"
        )),
        _ => wrong(format!("`{name}` cannot be written: {why}")),
    }
}

/// For properties whose entries say that they are not written.
pub(in crate::script::rhai) fn never<T>(_: &mut T, _: Dynamic) -> Fallible<()> {
    Ok(())
}
