//! The only way into an engine: whatever is registered comes with its reference entry.

use super::*;
use crate::engine::budget::charge;
use hangtime_script::calls::price_of;
use rhai::{FuncRegistration, Module, RhaiNativeFunc, Shared};
use std::any::type_name;

/// Registers native functions, each with its entry.
pub struct Registry<'e> {
    engine: &'e mut Engine,
    /// The functions of modules, in the order of [`Owner::MODULES`].
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
        let (types, owner) = parameters_of(&f);
        let (entry, priced) = (*entry, priced(price_of(entry), f));
        self.function(&entry, &types, owner, priced);
    }

    /// Registers the function of an entry with the types of its parameters. `owner` names the first one, whose method it
    /// is; messages tell types of hangtime by it.
    pub fn function(&mut self, entry: &ApiEntry, parameters: &[TypeId], owner: Option<&str>, function: RhaiFunc) {
        let registration = FuncRegistration::new(entry.name);
        match Owner::MODULES.iter().position(|of| *of == entry.owner) {
            Some(module) => {
                registration.set_into_module_raw(&mut self.modules[module], parameters, function);
            }
            None => {
                let names = parameters.iter().enumerate().map(|(i, _)| owner.filter(|_| i == 0).unwrap_or("_"));
                let registration = registration.in_global_namespace();
                let registration = registration.with_params_info(names.map(|name| format!("_: {name}")));
                registration.set_into_module_raw(&mut self.others, parameters, function);
            }
        }
    }

    /// Registers a method of a type of values.
    pub fn method<T: Clone + Send + Sync + 'static>(
        &mut self,
        entry: ApiEntry,
        run: impl Fn(&T, &[&mut Dynamic]) -> Fallible<Dynamic> + Send + Sync + 'static,
    ) {
        self.push(entry);
        let price = price_of(&entry);
        let types: Vec<TypeId> = [TypeId::of::<T>()].into_iter().chain(types_of(&entry)).collect();
        let run = native(true, move |_, values| {
            charge(price)?;
            let it = values[0].read_lock::<T>();
            it.map_or_else(|| Err(stop(IN_USE.into())), |it| run(&it, &values[1..]))
        });
        self.function(&entry, &types, Some(type_name::<&mut T>()), run);
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

    fn push(&mut self, entry: ApiEntry) {
        self.enter(ApiEntry { topic: self.topic, ..entry });
    }

    /// Adds an entry, whose function follows.
    pub fn enter(&mut self, entry: ApiEntry) {
        self.entries.push(entry);
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

/// A function that charges for its call.
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
    native(matches!(inner, RhaiFunc::Method { .. }), move |context, arguments| {
        charge(price)?;
        call(context.filter(|_| takes_context), arguments)
    })
}

/// A function, or a method: Rhai hands a method its object, and a function a copy of its first argument. Its errors get
/// the position of the call, which Rhai only does for functions outside modules.
pub fn native(
    is_method: bool,
    run: impl Fn(Option<NativeCallContext<'_>>, &mut [&mut Dynamic]) -> Fallible<Dynamic> + Send + Sync + 'static,
) -> RhaiFunc {
    let call = move |context: Option<NativeCallContext<'_>>, values: &mut [&mut Dynamic]| {
        let position = context.as_ref().map_or(Position::NONE, NativeCallContext::call_position);
        run(context, values).map_err(|mut error| {
            if error.position().is_none() {
                error.set_position(position);
            }
            error
        })
    };
    let func = Shared::new(call);
    if is_method {
        RhaiFunc::Method { func, has_context: true, is_pure: true, is_volatile: false }
    } else {
        RhaiFunc::Pure { func, has_context: true, is_pure: true, is_volatile: false }
    }
}

/// The types by which Rhai finds a function: it takes numbers of both types, so that is for the call to check.
pub fn types_of(entry: &ApiEntry) -> impl Iterator<Item = TypeId> {
    let free = entry.owner == Owner::Free;
    entry.parameters.iter().map(move |parameter| match parameter.takes {
        Type::Text | Type::Name(_) => TypeId::of::<&str>(),
        Type::Flag => TypeId::of::<bool>(),
        Type::Function => TypeId::of::<FnPtr>(),
        Type::Live => TypeId::of::<Handle<1>>(),
        Type::Snapshot => TypeId::of::<Handle<2>>(),
        // Settings.
        Type::Data if free => TypeId::of::<Map>(),
        _ => TypeId::of::<Dynamic>(),
    })
}

/// The types of a function's parameters, and the name of the first one.
fn parameters_of<A: 'static, const N: usize, const X: bool, R, const F: bool, T>(
    _: &T,
) -> ([TypeId; N], Option<&'static str>)
where
    T: RhaiNativeFunc<A, N, X, R, F>,
    R: Clone + Send + Sync + 'static,
{
    (T::param_types(), T::param_names().first().copied())
}
