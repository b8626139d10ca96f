//! The only way into an engine: whatever is registered comes with its reference entry.

use super::arguments::Fallible;
use crate::engine::budget::charge;
use crate::engine::halt::refused;
use crate::engine::values::same;
use hangtime_script::api::{Access, ApiEntry, EntryKind, Owner, Topic};
use hangtime_script::calls::{price_of, refuse_write};
use rhai::{
    Dynamic, Engine, EvalAltResult, FuncRegistration, Module, NativeCallContext, Position, RhaiFunc, RhaiNativeFunc,
};
use std::any::TypeId;

/// Registers native functions, each with its entry.
pub(crate) struct Registry<'e> {
    engine: &'e mut Engine,
    /// Those of modules, in the order of [`Owner::MODULES`].
    modules: [Module; Owner::MODULES.len()],
    /// All other functions.
    others: Module,
    topic: Topic,
    entries: Vec<ApiEntry>,
}

impl<'e> Registry<'e> {
    pub fn new(engine: &'e mut Engine) -> Self {
        Self { engine, modules: Default::default(), others: Module::new(), topic: Topic::State, entries: Vec::new() }
    }

    /// Sets the section that the following entries belong to.
    pub fn topic(&mut self, topic: Topic) {
        self.topic = topic;
    }

    /// Registers the type of an owner's values.
    pub fn value<T: Clone + Send + Sync + 'static>(&mut self, owner: Owner) {
        self.engine.register_type_with_name::<T>(owner.name());
    }

    /// Registers a function or an operator.
    pub fn add<A: 'static, const N: usize, const X: bool, R, const F: bool>(
        &mut self,
        entry: ApiEntry,
        f: impl RhaiNativeFunc<A, N, X, R, F> + Send + Sync + 'static,
    ) where
        R: Clone + Send + Sync + 'static,
    {
        self.push(entry);
        self.overload(f);
    }

    /// Registers the function of the last entry for arguments of other types.
    pub fn overload<A: 'static, const N: usize, const X: bool, R, const F: bool>(
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
        let parameters = parameter_types::<A, N, X, R, F, _>(&f);
        let names = parameter_names::<A, N, X, R, F, _>(&f);
        let (entry, priced) = (*entry, priced(price_of(entry), f));
        self.function(&entry, (&parameters, names), priced);
    }

    /// Registers the function of an entry with the types of its parameters and their names. The first type of a method
    /// is that of its owner.
    pub fn function<'n>(
        &mut self,
        entry: &ApiEntry,
        (parameters, types): (&[TypeId], impl IntoIterator<Item = &'n str>),
        function: RhaiFunc,
    ) {
        let registration = FuncRegistration::new(entry.name);
        let module = Owner::MODULES.iter().position(|of| *of == entry.owner);
        if let Some(module) = module {
            registration.set_into_module_raw(&mut self.modules[module], parameters, function);
        } else {
            // Whose method it is.
            let types = types.into_iter().map(|name| format!("_: {name}"));
            let registration = registration.in_global_namespace().with_params_info(types);
            registration.set_into_module_raw(&mut self.others, parameters, function);
        }
    }

    /// Registers a property with what reads and writes it.
    pub fn accessors<T: Clone + Send + Sync + 'static>(
        &mut self,
        name: &'static str,
        read: impl Fn(&mut T) -> Fallible<Dynamic> + Send + Sync + 'static,
        write: impl Fn(&mut T, Dynamic) -> Fallible<()> + Send + Sync + 'static,
    ) {
        self.engine.register_get(name, read);
        self.engine.register_set(name, write);
    }

    /// Registers a property with its getter. If the entry says that it is writable, `write` is its setter.
    pub fn property<T: Clone + Send + Sync + 'static>(
        &mut self,
        entry: ApiEntry,
        read: impl Fn(&mut T) -> Fallible<Dynamic> + Copy + Send + Sync + 'static,
        write: fn(&mut T, Dynamic) -> Fallible<()>,
    ) {
        self.push(entry);
        let price = price_of(&entry);
        let getter = move |it: &mut T| {
            charge(price)?;
            read(it)
        };
        let setter = move |it: &mut T, value: Dynamic| match entry.kind {
            EntryKind::Property(Access::Write) => {
                charge(price)?;
                write(it, value)
            }
            // A method call on the property, as in `hero.zones.len()`, writes the unchanged value back.
            _ if same(&value, &read(it)?) => Ok(()),
            _ => refuse_write(&entry).map_err(refused),
        };
        self.accessors(entry.name, getter, setter);
    }

    /// Adds an entry.
    pub fn push(&mut self, entry: ApiEntry) {
        let topic = self.topic;
        self.entries.push(ApiEntry { topic, ..entry });
    }

    /// Completes the modules and returns all entries.
    pub fn finish(self) -> Vec<ApiEntry> {
        self.engine.register_global_module(self.others.into());
        for (owner, module) in Owner::MODULES.iter().zip(self.modules) {
            if self.entries.iter().any(|e| e.owner == *owner) {
                self.engine.register_static_module(owner.name(), module.into());
            }
        }
        self.entries
    }
}

/// A function that charges for its call. Its errors get the position of the call, which Rhai only does for
/// functions outside modules.
fn priced<A: 'static, const N: usize, const X: bool, R, const F: bool>(
    price: u64,
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
    let call = move |context: Option<NativeCallContext<'_>>, arguments: &mut [&mut Dynamic]| {
        let position = context.as_ref().map(NativeCallContext::call_position);
        let charged = charge(price);
        let result = charged.and_then(|()| call(context.filter(|_| takes_context), arguments));
        result.map_err(|error| placed(error, position))
    };
    let func = rhai::Shared::new(call);
    match inner {
        RhaiFunc::Method { .. } => RhaiFunc::Method { func, has_context: true, is_pure: true, is_volatile: false },
        _ => RhaiFunc::Pure { func, has_context: true, is_pure: true, is_volatile: false },
    }
}

/// An error with the position of the call, unless it has one.
#[cold]
pub(super) fn placed(mut error: Box<EvalAltResult>, position: Option<Position>) -> Box<EvalAltResult> {
    if error.position().is_none() {
        error.set_position(position.unwrap_or(Position::NONE));
    }
    error
}

/// The names of the types of a function's parameters.
fn parameter_names<A: 'static, const N: usize, const X: bool, R, const F: bool, T>(_: &T) -> [&'static str; N]
where
    T: RhaiNativeFunc<A, N, X, R, F>,
    R: Clone + Send + Sync + 'static,
{
    T::param_names()
}

/// The types of a function's parameters.
fn parameter_types<A: 'static, const N: usize, const X: bool, R, const F: bool, T>(_: &T) -> [TypeId; N]
where
    T: RhaiNativeFunc<A, N, X, R, F>,
    R: Clone + Send + Sync + 'static,
{
    T::param_types()
}
