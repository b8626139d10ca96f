//! What test scripts call: `play(level)`, `t`, and the entities of `t`. Any script language binds the table.
//!
//! A [`TestSession`] opens levels and records what the runner learns from the test. The other files cover a topic each.

mod input;
mod level;
mod outside;
mod queries;
mod reach;
mod seen;
mod session;
mod snapshots;
mod time;
mod why;

pub(crate) use level::TestLevel;
pub use session::TestSession;

use super::*;
use hangtime_script::{
    MayEmit, add_calls,
    api::{Access, ApiEntry, ApiSet, Names, Owner, Param, Shape, Topic, Type, param},
    budget::charge,
    calls::{Answered, Arg, Args, Call, CallAnswer, ForeignCalls, Object, ObjectCalls, ObjectType, READ_IN_TESTS},
    fields, prose,
};
use level::LiveEntity;
use parking_lot::MutexGuard;
use session::HeldMemory;
use std::sync::OnceLock;

/// A function or method of tests.
const fn call(name: &'static str, doc: &'static str, example: &'static str) -> ApiEntry {
    ApiEntry::call(Owner::Free, name, doc, example).only_in(ApiSet::Test)
}

/// A property in tests, which can only be read.
const fn property(name: &'static str, why: &'static str, doc: &'static str, example: &'static str) -> ApiEntry {
    ApiEntry::property(Owner::Free, name, Access::ReadOnly(why), doc, example).only_in(ApiSet::Test)
}

/// State of a level or an entity in tests.
const fn state(name: &'static str, doc: &'static str, example: &'static str) -> ApiEntry {
    property(name, READ_IN_TESTS, doc, example)
}

const ENTITY_NAME: Param = param("name", Type::Name(Names::Entity), "");
const TEXT_NAME: Param = param("name", Type::Text, "");

fn table() -> ObjectCalls {
    let mut table = ObjectCalls::new(Topic::Play);
    session::add(&mut table);
    input::add(&mut table);
    outside::add(&mut table);
    time::add(&mut table);
    snapshots::add(&mut table);
    table.topic(Topic::TestQueries);
    queries::add(&mut table);
    seen::add(&mut table);
    reach::add(&mut table);
    why::add(&mut table);
    table
}

/// Everything that test scripts can read and do, except their expectations.
pub fn test_calls() -> &'static [Call<Object>] {
    static CALLS: OnceLock<Vec<Call<Object>>> = OnceLock::new();
    CALLS.get_or_init(|| table().calls)
}

/// The same, with what only expressions about a finished run have.
fn run_calls() -> &'static [Call<Object>] {
    static CALLS: OnceLock<Vec<Call<Object>>> = OnceLock::new();
    CALLS.get_or_init(|| {
        let mut table = table();
        queries::add_finished(&mut table);
        table.calls
    })
}

impl TestSession {
    /// What the test scripts of this session can call.
    pub fn calls(&self) -> ForeignCalls {
        ForeignCalls { calls: test_calls(), session: Object::new(self.clone()) }
    }

    /// What expressions about a finished run can call.
    pub(crate) fn calls_of_runs(&self) -> ForeignCalls {
        ForeignCalls { calls: run_calls(), session: Object::new(self.clone()) }
    }
}

/// What test scripts can call, for a check that plays no levels.
pub fn calls_of_tests() -> ForeignCalls {
    TestSession::new(None, Arc::new(|_| true)).calls()
}
