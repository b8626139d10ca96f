//! The answers of calls.

use super::*;
use glam::DVec2;
use hangtime_core::models::HookView;

/// The answer of a call. Texts and entities are borrowed from the moment or the arguments, so that an answer costs
/// nothing until a language makes its own value of it.
#[derive(Clone, Debug)]
pub enum CallAnswer<'a> {
    /// Nothing: `()`.
    Nothing,
    /// True or false.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A floating-point number.
    Number(f64),
    /// Text.
    Text(&'a str),
    /// Text that the call has made.
    Made(Arc<str>),
    /// A vec.
    Vec(Vector),
    /// Another entity, as of the start of the phase.
    Entity(&'a Arc<EntityView>),
    /// Some of all entities, with their places among these.
    Entities(&'a [Arc<EntityView>], &'a [u32]),
    /// A list.
    List(Vec<CallAnswer<'a>>),
    /// A map with these fields.
    Fields(Vec<(&'static str, CallAnswer<'a>)>),
    /// A map with [the fields of a hook](fields_of_hook).
    Hook(&'a HookView),
    /// Plain data.
    Data(Value),
    /// A value of a crate above.
    Object(Object),
}

/// The result of a call.
pub type Answered<'a> = Accepted<CallAnswer<'a>>;

impl<'a> CallAnswer<'a> {
    /// Text that the call has made.
    pub fn made(text: impl Into<Arc<str>>) -> Self {
        Self::Made(text.into())
    }

    /// A value of a crate above.
    pub fn object(value: impl ObjectType) -> Self {
        Self::Object(Object::new(value))
    }

    /// The entities of a list of them, in its order.
    pub fn entities(&self) -> impl ExactSizeIterator<Item = &'a Arc<EntityView>> + use<'a> {
        let (all, places) = match *self {
            Self::Entities(all, places) => (all, places),
            _ => (&[][..], &[][..]),
        };
        places.iter().map(|place| &all[*place as usize])
    }

    /// The same answer without anything borrowed.
    pub fn into_owned(self) -> CallAnswer<'static> {
        match self {
            Self::Nothing => CallAnswer::Nothing,
            Self::Flag(x) => CallAnswer::Flag(x),
            Self::Whole(x) => CallAnswer::Whole(x),
            Self::Number(x) => CallAnswer::Number(x),
            Self::Text(text) => CallAnswer::made(text),
            Self::Made(text) => CallAnswer::Made(text),
            Self::Vec(v) => CallAnswer::Vec(v),
            Self::Entity(view) => CallAnswer::made(&*view.name),
            Self::Entities(..) => CallAnswer::List(self.entities().map(|it| Self::Entity(it).into_owned()).collect()),
            Self::List(list) => CallAnswer::List(list.into_iter().map(Self::into_owned).collect()),
            Self::Fields(fields) => {
                CallAnswer::Fields(fields.into_iter().map(|(key, it)| (key, it.into_owned())).collect())
            }
            Self::Hook(hook) => CallAnswer::Fields(fields_of_hook(hook).into()),
            Self::Data(data) => CallAnswer::Data(data),
            Self::Object(object) => CallAnswer::Object(object),
        }
    }
}

impl From<DVec2> for CallAnswer<'_> {
    fn from(v: DVec2) -> Self {
        Self::Vec(v.into())
    }
}

impl<'a, T: Into<CallAnswer<'a>>> From<Option<T>> for CallAnswer<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, Into::into)
    }
}

// Every property that a script reads is answered by value.
const _: () = assert!(size_of::<Answered<'_>>() <= 40);

/// The fields of the property `hook`.
pub fn fields_of_hook(hook: &HookView) -> [(&'static str, CallAnswer<'static>); 3] {
    [
        ("state", CallAnswer::Text(hook.state.as_str())),
        ("tip", hook.tip.into()),
        ("length", CallAnswer::Number(hook.length)),
    ]
}
