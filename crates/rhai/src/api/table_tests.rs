//! The calls of test scripts as Rhai's functions and properties.

use super::arguments::Fallible;
use super::convert::{HeldArg, to_value};
use super::native::native;
use super::registry::Registry;
use super::table::{accept_unchanged, type_id};
use crate::engine::halt::{IN_USE, refused, stop};
use hangtime_core::sim::Value;
use hangtime_script::api::{EntryKind, Owner, Type};
use hangtime_script::calls::{Arg, Call, ForeignValue, HeldSnapshot, LiveEntity, NotPlain, TestLevel, TestSession};
use hangtime_script::{CallRefusal, PlayedLevel};
use rhai::{Dynamic, DynamicReadLock, FnPtr, Map, NativeCallContext, RhaiFunc, Scope};
use std::any::{TypeId, type_name};
use std::array::from_fn;

/// Registers calls, which work with this session.
pub(super) fn register(registry: &mut Registry<'_>, calls: &'static [Call], session: &TestSession) {
    registry.value::<TestLevel>(Owner::Test);
    registry.value::<LiveEntity>(Owner::Live);
    registry.value::<HeldSnapshot>(Owner::Snapshot);
    for call in calls {
        registry.topic(call.entry.topic);
        registry.push(call.entry);
        match (call.entry.kind, call.entry.owner) {
            (EntryKind::Property(_), Owner::Test) => register_of_level(registry, call),
            (EntryKind::Property(_), _) => register_of_live(registry, call),
            _ => register_function(registry, call, session),
        }
    }
}

/// Registers a property of `t`.
fn register_of_level(registry: &mut Registry<'_>, call: &'static Call) {
    let read = |level: &mut TestLevel| -> Fallible<Dynamic> { call.ask(level, &[]).map(to_value).map_err(refused) };
    let write = |level: &mut TestLevel, value: Dynamic| {
        let now = call.ask_again(level, &[]).map(to_value).map_err(refused)?;
        accept_unchanged(call, &value, &now)
    };
    registry.accessors(call.entry.name, read, write);
}

/// Registers a property of entities in tests.
fn register_of_live(registry: &mut Registry<'_>, call: &'static Call) {
    let read = |live: &mut LiveEntity| -> Fallible<Dynamic> { call.look(live, to_value).map_err(refused) };
    let write = |live: &mut LiveEntity, value: Dynamic| {
        let now = call.look_again(live, to_value).map_err(refused)?;
        accept_unchanged(call, &value, &now)
    };
    registry.accessors(call.entry.name, read, write);
}

/// Registers a function or a method.
fn register_function(registry: &mut Registry<'_>, call: &'static Call, session: &TestSession) {
    let entry = &call.entry;
    let owner = match entry.owner {
        Owner::Test => Some((TypeId::of::<TestLevel>(), type_name::<TestLevel>())),
        Owner::Live => Some((TypeId::of::<LiveEntity>(), type_name::<LiveEntity>())),
        _ => None,
    };
    let takes = entry.parameters.iter().map(|p| match p.takes {
        Type::Function => TypeId::of::<FnPtr>(),
        Type::Snapshot => TypeId::of::<HeldSnapshot>(),
        Type::Live => TypeId::of::<LiveEntity>(),
        // Settings.
        Type::Data if entry.owner == Owner::Free => TypeId::of::<Map>(),
        other => type_id(other),
    });
    let types: Vec<TypeId> = owner.map(|(id, _)| id).into_iter().chain(takes).collect();
    let names = types.iter().skip(1).map(|_| "_");
    let names = owner.map(|(_, name)| name).into_iter().chain(names);
    let function = match entry.parameters.len() {
        0 => function::<0>(call, session),
        1 => function::<1>(call, session),
        2 => function::<2>(call, session),
        _ => function::<3>(call, session),
    };
    registry.function(entry, (&types, names), function);
}

/// A call with this many parameters.
fn function<const N: usize>(call: &'static Call, session: &TestSession) -> RhaiFunc {
    let entry = &call.entry;
    let calls_back = entry.parameters.iter().any(|p| p.takes == Type::Function);
    match entry.owner {
        // A function that it is given may use `t`, which must not be locked then.
        Owner::Test if calls_back => native(false, move |context, values| {
            let (level, values) = split::<TestLevel>(values)?;
            let level = level.clone();
            with_args::<N, _>(context, values, |args| call.ask(&level, args).map(to_value).map_err(refused))
        }),
        Owner::Test => native(true, move |context, values| {
            let (level, values) = split::<TestLevel>(values)?;
            with_args::<N, _>(context, values, |args| call.ask(&level, args).map(to_value).map_err(refused))
        }),
        Owner::Live => native(true, move |_, values| {
            let (live, _) = split::<LiveEntity>(values)?;
            call.look(&live, to_value).map_err(refused)
        }),
        _ if entry.parameters.iter().any(|p| p.takes == Type::Live) => native(false, move |_, values| {
            let (live, _) = split::<LiveEntity>(values)?;
            call.look(&live, to_value).map_err(refused)
        }),
        _ => {
            let session = session.clone();
            native(false, move |context, values| {
                with_args::<N, _>(context, values, |args| call.open(&session, args).map(to_value).map_err(refused))
            })
        }
    }
}

/// The first value, and the others.
fn split<'v, T: Clone + Send + Sync + 'static>(
    values: &'v [&mut Dynamic],
) -> Fallible<(DynamicReadLock<'v, T>, &'v [&'v mut Dynamic])> {
    let first = values.first().and_then(|first| first.read_lock::<T>());
    match first {
        Some(first) => Ok((first, &values[1..])),
        None => Err(stop(IN_USE.into())),
    }
}

/// Converts values to arguments.
fn with_args<const N: usize, T>(
    context: Option<&NativeCallContext<'_>>,
    values: &[&mut Dynamic],
    run: impl FnOnce(&[Arg<'_>]) -> Fallible<T>,
) -> Fallible<T> {
    let held: [HeldValue<'_>; N] = from_fn(|i| match values.get(i) {
        Some(value) => HeldValue::of(value, context),
        None => HeldValue::Plain(HeldArg::of(&Dynamic::UNIT)),
    });
    let args: [Arg<'_>; N] = from_fn(|i| held[i].arg());
    run(&args)
}

/// A value that is read while a call runs.
enum HeldValue<'d> {
    Plain(HeldArg<'d>),
    Snapshot(DynamicReadLock<'d, HeldSnapshot>),
    Condition(Condition<'d>),
}

impl<'d> HeldValue<'d> {
    fn of(value: &'d Dynamic, context: Option<&'d NativeCallContext<'d>>) -> Self {
        if let Some(snapshot) = value.read_lock::<HeldSnapshot>() {
            return Self::Snapshot(snapshot);
        }
        match (value.read_lock::<FnPtr>(), context) {
            (Some(function), Some(context)) => Self::Condition(Condition { context, function: function.clone() }),
            _ => Self::Plain(HeldArg::of(value)),
        }
    }

    fn arg(&self) -> Arg<'_> {
        match self {
            Self::Snapshot(snapshot) => Arg::Snapshot(snapshot),
            Self::Condition(condition) => Arg::Foreign(condition),
            Self::Plain(held) => held.arg(),
        }
    }
}

/// A function that a call is given, which it asks about a level.
struct Condition<'c> {
    context: &'c NativeCallContext<'c>,
    function: FnPtr,
}

impl ForeignValue for Condition<'_> {
    fn type_name(&self) -> &'static str {
        "a function"
    }

    fn take_size(&self, values: &mut usize, _: &mut usize) -> Option<()> {
        *values = values.checked_sub(1)?;
        Some(())
    }

    fn to_plain(&self) -> Result<Value, NotPlain> {
        Err(NotPlain::itself(self.type_name()))
    }

    fn holds(&self, level: &TestLevel) -> Result<bool, CallRefusal> {
        let arguments = (level.clone(),);
        let answer = self.function.call_within_context(self.context, arguments);
        answer.map_err(|error| CallRefusal::Foreign(Box::new(error)))
    }
}

/// The variables of expressions about a run: `t`, and each of these entities under its name.
pub(crate) fn finished_run(
    level: Box<dyn PlayedLevel>,
    entities: &[String],
    session: &TestSession,
) -> Fallible<Scope<'static>> {
    let (record, may_emit) = (Default::default(), session.may_emit.clone());
    let t = TestLevel::new(level, record, may_emit).map_err(refused)?;
    let mut scope = Scope::new();
    for name in entities {
        scope.push(name.clone(), t.live(name.clone()));
    }
    scope.push("t", t);
    Ok(scope)
}
