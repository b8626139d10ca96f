//! The answers of calls.

use super::play::{HeldSnapshot, LiveEntity, TestLevel};
use crate::{CallRefusal, Vector};
use glam::DVec2;
use hangtime_core::models::HookView;
use hangtime_core::sim::{EntityView, Value};
use std::sync::Arc;

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
    /// A list.
    List(Vec<CallAnswer<'a>>),
    /// A map with these fields.
    Fields(Vec<(&'static str, CallAnswer<'a>)>),
    /// A map with [the fields of a hook](fields_of_hook).
    Hook(&'a HookView),
    /// Plain data.
    Data(Value),
    /// A level that a test plays.
    Level(Box<TestLevel>),
    /// An entity of a level that a test plays.
    Live(Box<LiveEntity>),
    /// A snapshot of a level that a test plays.
    Snapshot(HeldSnapshot),
}

/// The result of a call.
pub type Answered<'a> = Result<CallAnswer<'a>, CallRefusal>;

impl From<DVec2> for CallAnswer<'_> {
    fn from(v: DVec2) -> Self {
        Self::Vec(v.into())
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
