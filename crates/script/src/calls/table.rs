//! A call, and the table that calls are added to.

use super::answer::{Answered, CallAnswer};
use super::arg::Arg;
use super::moment::CallMoment;
use super::play::{LiveEntity, TestLevel, TestSession};
use super::prices::price_of;
use crate::api::{Access, ApiEntry, EntryKind, Owner, Topic};
use crate::budget::charge;
use crate::{CallRefusal, refuse};
use hangtime_core::sim::EntityView;

/// What a member of `me` or a function of `world` does with the arguments of its entry.
pub(super) type RunFn = for<'a> fn(&'a mut CallMoment, &'a [Arg<'a>]) -> Answered<'a>;

/// What a member of another entity answers.
pub(super) type SeenFn = fn(&EntityView) -> CallAnswer<'_>;

/// What a member of `t` does.
pub(super) type LevelFn = for<'a> fn(&TestLevel, &'a [Arg<'a>]) -> Answered<'a>;

/// What a member of an entity in a test answers.
pub(super) type LiveFn = fn(&LiveEntity) -> Answered<'static>;

/// What a function of test scripts that needs no level does.
pub(super) type SessionFn = for<'a> fn(&TestSession, &'a [Arg<'a>]) -> Answered<'a>;

/// What writing a property does.
pub(super) type WriteFn = fn(&mut CallMoment, Arg<'_>) -> Result<(), CallRefusal>;

/// A call or a property that scripts can use.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Its entry in the reference.
    pub entry: ApiEntry,
    /// Operations charged for each use, in addition to what its work costs.
    pub price: u64,
    body: CallBody,
    write: Option<WriteFn>,
}

#[derive(Clone, Copy, Debug)]
enum CallBody {
    InMoment(RunFn),
    Seen(SeenFn),
    OfLevel(LevelFn),
    OfLive(LiveFn),
    SeenLive(SeenFn),
    InSession(SessionFn),
}

impl Call {
    /// Charges for the call and runs it; reads a property of `me`.
    ///
    /// # Errors
    /// Why it is refused.
    #[inline]
    pub fn answer<'a>(&self, moment: &'a mut CallMoment, args: &'a [Arg<'a>]) -> Answered<'a> {
        charge(self.price)?;
        self.answer_again(moment, args)
    }

    /// The same without a charge, for a language that reads a property itself, to compare it with a value that is
    /// written back.
    ///
    /// # Errors
    /// Why it is refused.
    #[inline]
    pub fn answer_again<'a>(&self, moment: &'a mut CallMoment, args: &'a [Arg<'a>]) -> Answered<'a> {
        match self.body {
            CallBody::InMoment(run) => run(moment, args),
            _ => self.misplaced(),
        }
    }

    /// Charges for a member of another entity and reads it.
    ///
    /// # Errors
    /// Why it is refused.
    #[inline]
    pub fn see<'a>(&self, view: &'a EntityView) -> Answered<'a> {
        charge(self.price)?;
        self.see_again(view)
    }

    /// The same without a charge.
    ///
    /// # Errors
    /// If it is not a member of other entities.
    #[inline]
    pub fn see_again<'a>(&self, view: &'a EntityView) -> Answered<'a> {
        match self.body {
            CallBody::Seen(seen) => Ok(seen(view)),
            _ => self.misplaced(),
        }
    }

    /// Charges for a property of `me` and writes it.
    ///
    /// # Errors
    /// Why the value is refused, or that the property is read-only.
    pub fn write(&self, moment: &mut CallMoment, value: Arg<'_>) -> Result<(), CallRefusal> {
        match self.write {
            Some(write) => {
                charge(self.price)?;
                write(moment, value)
            }
            None => refuse_write(&self.entry),
        }
    }

    /// Charges for a member of `t` and runs it.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn ask<'a>(&self, level: &TestLevel, args: &'a [Arg<'a>]) -> Answered<'a> {
        charge(self.price)?;
        self.ask_again(level, args)
    }

    /// The same without a charge.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn ask_again<'a>(&self, level: &TestLevel, args: &'a [Arg<'a>]) -> Answered<'a> {
        match self.body {
            CallBody::OfLevel(run) => run(level, args),
            _ => self.misplaced(),
        }
    }

    /// Charges for a member of an entity in a test, or a function of one, and reads it.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn look<T>(&self, live: &LiveEntity, read: impl FnOnce(CallAnswer<'_>) -> T) -> Result<T, CallRefusal> {
        charge(self.price)?;
        self.look_again(live, read)
    }

    /// The same without a charge.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn look_again<T>(&self, live: &LiveEntity, read: impl FnOnce(CallAnswer<'_>) -> T) -> Result<T, CallRefusal> {
        match self.body {
            CallBody::SeenLive(seen) => Ok(read(seen(&live.view()?))),
            CallBody::OfLive(run) => Ok(read(run(live)?)),
            _ => self.misplaced(),
        }
    }

    /// Charges for a function of test scripts that needs no level, and runs it.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn open<'a>(&self, session: &TestSession, args: &'a [Arg<'a>]) -> Answered<'a> {
        charge(self.price)?;
        match self.body {
            CallBody::InSession(run) => run(session, args),
            _ => self.misplaced(),
        }
    }

    /// The refusal of a call that a language makes on what it does not belong to.
    #[cold]
    fn misplaced<T>(&self) -> Result<T, CallRefusal> {
        let name = self.entry.name;
        refuse(format!("`{name}` does not belong to what it is used on"))
    }

    /// Whether it is a property that scripts can write.
    pub fn is_writable(&self) -> bool {
        self.write.is_some()
    }
}

/// Refuses to write a property.
///
/// # Errors
/// Always.
pub fn refuse_write(entry: &ApiEntry) -> Result<(), CallRefusal> {
    let name = entry.name;
    let why = match entry.kind {
        EntryKind::Property(Access::ReadOnly(why)) => why,
        _ => "it is not a property that can be written",
    };
    match entry.owner {
        Owner::Me => refuse(format!("`me.{name}` is read-only; {why}")),
        Owner::Entity => refuse(format!("`{name}` of another entity is read-only; {why}")),
        _ => refuse(format!("`{name}` is read-only; {why}")),
    }
}

/// The calls so far, topic by topic.
pub(super) struct CallTable {
    topic: Topic,
    pub calls: Vec<Call>,
}

impl CallTable {
    pub fn new() -> Self {
        Self { topic: Topic::State, calls: Vec::new() }
    }

    /// Sets the section that the following calls belong to.
    pub fn topic(&mut self, topic: Topic) {
        self.topic = topic;
    }

    /// Adds a call.
    pub fn add(&mut self, entry: ApiEntry, run: RunFn) {
        self.push(entry, CallBody::InMoment(run), None);
    }

    /// Adds a property of `me`; `write` if it can be written.
    pub fn add_property(&mut self, entry: ApiEntry, run: RunFn, write: Option<WriteFn>) {
        self.push(entry, CallBody::InMoment(run), write);
    }

    /// Adds a member of other entities.
    pub fn add_seen(&mut self, entry: ApiEntry, seen: SeenFn) {
        self.push(entry, CallBody::Seen(seen), None);
    }

    /// Adds a member of `t`.
    pub fn add_of_level(&mut self, entry: ApiEntry, run: LevelFn) {
        self.push(entry, CallBody::OfLevel(run), None);
    }

    /// Adds a member of entities in tests, or a function of one.
    pub fn add_of_live(&mut self, entry: ApiEntry, run: LiveFn) {
        self.push(entry, CallBody::OfLive(run), None);
    }

    /// Adds a property of entities in tests.
    pub fn add_seen_live(&mut self, entry: ApiEntry, seen: SeenFn) {
        self.push(entry, CallBody::SeenLive(seen), None);
    }

    /// Adds a function of test scripts that needs no level.
    pub fn add_in_session(&mut self, entry: ApiEntry, run: SessionFn) {
        self.push(entry, CallBody::InSession(run), None);
    }

    fn push(&mut self, entry: ApiEntry, body: CallBody, write: Option<WriteFn>) {
        let entry = ApiEntry { topic: self.topic, ..entry };
        self.calls.push(Call { price: price_of(&entry), entry, body, write });
    }
}
