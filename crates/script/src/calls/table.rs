//! A call, and the tables that calls are added to.

use super::*;

/// What calls are made on. The calls of one type of owner cannot be made on another.
pub trait CallOwner: 'static {
    /// What a call gets to read or change.
    type Lent<'a>;

    /// The same for a shorter time.
    fn shorter<'long: 'short, 'short>(lent: Self::Lent<'long>) -> Self::Lent<'short>;
}

/// `me` and the modules.
impl CallOwner for CallMoment {
    type Lent<'a> = &'a mut Self;

    fn shorter<'long: 'short, 'short>(lent: &'long mut Self) -> &'short mut Self {
        lent
    }
}

/// Another entity.
impl CallOwner for EntityView {
    type Lent<'a> = &'a Self;

    fn shorter<'long: 'short, 'short>(lent: &'long Self) -> &'short Self {
        lent
    }
}

/// A value of a crate above.
impl CallOwner for Object {
    type Lent<'a> = &'a Self;

    fn shorter<'long: 'short, 'short>(lent: &'long Self) -> &'short Self {
        lent
    }
}

type CallBody<O> = Box<dyn for<'a> Fn(<O as CallOwner>::Lent<'a>, Args<'a>) -> Answered<'a> + Send + Sync>;

/// What writing a property does.
pub type WriteFn = fn(&mut CallMoment, Arg<'_>) -> Allowed;

/// A call or a property that scripts can use on an owner.
pub struct Call<O: CallOwner> {
    /// Its entry in the reference.
    pub entry: ApiEntry,
    /// Operations charged for each use, in addition to what its work costs.
    pub price: u64,
    body: CallBody<O>,
    write: Option<WriteFn>,
}

impl<O: CallOwner> fmt::Debug for Call<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Call").field(&self.entry.signature()).finish()
    }
}

impl<O: CallOwner> Call<O> {
    fn new(
        entry: ApiEntry,
        body: impl for<'a> Fn(O::Lent<'a>, Args<'a>) -> Answered<'a> + Send + Sync + 'static,
    ) -> Self {
        Self { price: price_of(&entry), entry, body: Box::new(body), write: None }
    }

    /// Charges for the call and makes it, or reads the property.
    ///
    /// # Errors
    /// Why it is refused.
    #[inline]
    pub fn answer<'o: 'a, 'a>(&'a self, owner: O::Lent<'o>, args: &'a [Arg<'a>]) -> Answered<'a> {
        charge(self.price)?;
        self.unpriced(owner, args)
    }

    /// The same without the price, for a language that reads a property itself, to compare it with a value that is
    /// written back.
    ///
    /// # Errors
    /// Why it is refused.
    #[inline]
    pub fn unpriced<'o: 'a, 'a>(&'a self, owner: O::Lent<'o>, args: &'a [Arg<'a>]) -> Answered<'a> {
        (self.body)(O::shorter(owner), Args::of(&self.entry, args)?)
    }
}

impl Call<CallMoment> {
    /// Charges for a property of `me` and writes it.
    ///
    /// # Errors
    /// Why the value is refused, or that the property is read-only.
    pub fn write(&self, moment: &mut CallMoment, value: Arg<'_>) -> Allowed {
        match self.write {
            Some(write) => {
                charge(self.price)?;
                write(moment, value)
            }
            None => refuse_write(&self.entry),
        }
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
pub fn refuse_write(entry: &ApiEntry) -> Allowed {
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

/// The calls of behaviors and level scripts.
#[derive(Debug)]
pub struct CallTable {
    topic: Topic,
    /// All entries, in the order in which they were added.
    pub entries: Vec<ApiEntry>,
    /// The calls of `me` and of modules.
    pub of_moment: Vec<Call<CallMoment>>,
    /// The members of other entities.
    pub of_entity: Vec<Call<EntityView>>,
}

impl CallTable {
    pub(super) fn new() -> Self {
        Self { topic: Topic::State, entries: Vec::new(), of_moment: Vec::new(), of_entity: Vec::new() }
    }

    /// Sets the section that the following calls belong to.
    pub(super) fn topic(&mut self, topic: Topic) {
        self.topic = topic;
    }

    fn enter(&mut self, entry: ApiEntry) -> ApiEntry {
        let entry = ApiEntry { topic: self.topic, ..entry };
        self.entries.push(entry);
        entry
    }

    /// Adds a call of `me` or of a module.
    pub(super) fn add(
        &mut self,
        entry: ApiEntry,
        body: impl for<'a> Fn(&'a mut CallMoment, Args<'a>) -> Answered<'a> + Send + Sync + 'static,
    ) {
        let entry = self.enter(entry);
        self.of_moment.push(Call::<CallMoment>::new(entry, body));
    }

    /// Adds a call that compiled scripts make, which is in no reference.
    pub(super) fn add_hidden(
        &mut self,
        entry: ApiEntry,
        body: impl for<'a> Fn(&'a mut CallMoment, Args<'a>) -> Answered<'a> + Send + Sync + 'static,
    ) {
        let entry = ApiEntry { topic: self.topic, ..entry };
        self.of_moment.push(Call::<CallMoment>::new(entry, body));
    }

    /// Adds a property of `me`; `write` if it can be written.
    pub(super) fn add_property(
        &mut self,
        entry: ApiEntry,
        read: impl for<'a> Fn(&'a mut CallMoment) -> Answered<'a> + Send + Sync + 'static,
        write: Option<WriteFn>,
    ) {
        let entry = self.enter(entry);
        self.of_moment
            .push(Call { write, ..Call::<CallMoment>::new(entry, move |moment, _| read(moment)) });
    }

    /// Adds a member of other entities.
    pub(super) fn add_seen(&mut self, entry: ApiEntry, seen: fn(&EntityView) -> CallAnswer<'_>) {
        let entry = self.enter(entry);
        self.of_entity.push(Call::<EntityView>::new(entry, move |view, _| Ok(seen(view))));
    }
}

/// The calls of objects, which a crate above adds.
#[derive(Debug)]
pub struct ObjectCalls {
    topic: Topic,
    /// The calls so far.
    pub calls: Vec<Call<Object>>,
}

impl ObjectCalls {
    /// No calls yet; those that are added first belong to this section.
    pub fn new(topic: Topic) -> Self {
        Self { topic, calls: Vec::new() }
    }

    /// Sets the section that the following calls belong to.
    pub fn topic(&mut self, topic: Topic) {
        self.topic = topic;
    }

    /// Adds a call or a property of a type of objects; its entry gets the owner of this type.
    pub fn add<T: ObjectType>(
        &mut self,
        entry: ApiEntry,
        body: impl for<'a> Fn(&'a T, Args<'a>) -> Answered<'a> + Send + Sync + 'static,
    ) {
        let entry = ApiEntry { owner: T::OWNER, topic: self.topic, ..entry };
        self.calls.push(Call::<Object>::new(entry, move |object, args| match object.get::<T>() {
            Some(value) => body(value, args),
            // A language binds the calls of an owner to its objects.
            None => refuse(format!("`{}` cannot be used on {object:?}", entry.name)),
        }));
    }
}

/// The calls that a script has of a crate above.
#[derive(Clone, Debug)]
pub struct ForeignCalls {
    /// The calls.
    pub calls: &'static [Call<Object>],
    /// What the functions among them are called on, which scripts call by their bare names.
    pub session: Object,
}

impl ForeignCalls {
    /// No calls at all.
    pub fn none() -> Self {
        Self { calls: &[], session: Object::new(()) }
    }
}
