//! From Rhai's values to the arguments of the table, and from its answers to Rhai's values.

use super::{handles::object_of, *};
use crate::engine::values::{take_size, to_dynamic, type_name};
use hangtime_script::{
    CallRefusal,
    calls::{CallAnswer, ForeignValue, NotPlain, VisitEntry, VisitItem, fields_of_hook},
    refuse,
};
use rhai::{Array, DynamicReadLock};

/// A value of Rhai, and the call that it is an argument of.
struct RhaiValue<'d> {
    value: &'d Dynamic,
    context: Option<&'d NativeCallContext<'d>>,
}

impl ForeignValue for RhaiValue<'_> {
    fn type_name(&self) -> &'static str {
        type_name(self.value)
    }

    fn take_size(&self, values: &mut usize, text: &mut usize) -> Option<()> {
        take_size(self.value, values, text)
    }

    fn to_plain(&self) -> Result<Value, NotPlain> {
        to_plain(self.value)
    }

    fn each_entry(&self, visit: VisitEntry<'_>) -> Result<(), CallRefusal> {
        let Ok(map) = self.value.as_map_ref() else {
            return refuse(format!("this must be a map, not {}", type_name(self.value)));
        };
        let mut entries = map.iter();
        entries.try_for_each(|(key, value)| visit(key, HeldArg::of(value).arg()))
    }

    fn each_item(&self, visit: VisitItem<'_>) -> Result<(), CallRefusal> {
        let Ok(list) = self.value.as_array_ref() else {
            return refuse(format!("this must be an array, not {}", type_name(self.value)));
        };
        list.iter().try_for_each(|value| visit(HeldArg::of(value).arg()))
    }

    fn object(&self) -> Option<Object> {
        object_of(self.value)
    }

    fn holds(&self, of: &Object) -> Result<bool, CallRefusal> {
        let function = self.value.read_lock::<FnPtr>().map(|function| function.clone());
        let (Some(function), Some(context)) = (function, self.context) else {
            return refuse(format!("this must be a function, not {}", self.type_name()));
        };
        let answer = function.call_within_context(context, (value_of(of.clone()),));
        answer.map_err(|error| CallRefusal::Foreign(Box::new(error)))
    }

    /// Fails like a function that failed, whose line the runner of the test knows.
    fn unmet(&self, message: String) -> CallRefusal {
        let Some(function) = self.value.read_lock::<FnPtr>() else {
            return CallRefusal::Message(message.into());
        };
        let name = function.fn_name().to_string();
        let failed = EvalAltResult::ErrorRuntime(message.into(), Position::NONE).into();
        let failed = EvalAltResult::ErrorInFunctionCall(name, String::new(), failed, Position::NONE);
        CallRefusal::Foreign(Box::new(Box::new(failed)))
    }
}

/// A value that is an argument while a call runs.
pub struct HeldArg<'d> {
    value: RhaiValue<'d>,
    text: Option<DynamicReadLock<'d, ImmutableString>>,
}

impl<'d> HeldArg<'d> {
    #[inline]
    pub(crate) fn of(value: &'d Dynamic) -> Self {
        Self::within(value, None)
    }

    /// The same in a call that may call functions which it is given.
    #[inline]
    pub(super) fn within(value: &'d Dynamic, context: Option<&'d NativeCallContext<'d>>) -> Self {
        let text = if value.is_string() { value.read_lock() } else { None };
        Self { value: RhaiValue { value, context }, text }
    }

    #[inline]
    pub(crate) fn arg(&self) -> Arg<'_> {
        let value = self.value.value;
        if let Some(text) = &self.text {
            Arg::Text(text)
        } else if let Ok(x) = value.as_float() {
            Arg::Number(x)
        } else if let Ok(x) = value.as_int() {
            Arg::Whole(x)
        } else if let Ok(x) = value.as_bool() {
            Arg::Flag(x)
        } else if value.is_unit() {
            Arg::Nothing
        } else if let Some(v) = value.read_lock::<Vector>() {
            Arg::Vec(*v)
        } else {
            Arg::Foreign(&self.value)
        }
    }
}

/// An answer as a value.
#[inline]
pub fn to_value(answer: CallAnswer<'_>) -> Dynamic {
    match answer {
        CallAnswer::Nothing => Dynamic::UNIT,
        CallAnswer::Flag(x) => x.into(),
        CallAnswer::Whole(x) => x.into(),
        CallAnswer::Number(x) => x.into(),
        CallAnswer::Text(text) => ImmutableString::from(text).into(),
        CallAnswer::Made(text) => ImmutableString::from(&*text).into(),
        CallAnswer::Vec(v) => Dynamic::from(v),
        CallAnswer::Entity(view) => Dynamic::from(OtherEntity(view.clone())),
        CallAnswer::Entities(..) => answer.entities().map(CallAnswer::Entity).map(to_value).collect::<Array>().into(),
        CallAnswer::List(list) => list.into_iter().map(to_value).collect::<Array>().into(),
        CallAnswer::Fields(fields) => map_of(fields),
        CallAnswer::Hook(hook) => map_of(fields_of_hook(hook)),
        CallAnswer::Data(data) => to_dynamic(&data),
        CallAnswer::Object(object) => value_of(object),
    }
}

fn map_of<'a>(fields: impl IntoIterator<Item = (&'static str, CallAnswer<'a>)>) -> Dynamic {
    let mut map = Map::new();
    // One by one: collecting them would allocate a list first.
    for (key, value) in fields {
        map.insert(key.into(), to_value(value));
    }
    map.into()
}
