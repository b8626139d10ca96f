//! What scripts can call, read and write: an entry for each.

use super::{Param, Topic, Type};

/// Whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// Nobody's: a function that is called by its bare name, or an operator.
    Free,
    /// `world::`.
    World,
    /// The entity whose script runs.
    Me,
    /// Another entity, as `world` shows it.
    Entity,
    /// A vec.
    Vec,
    /// A level that a test plays.
    Test,
    /// An entity of a level that a test plays.
    Live,
    /// A moment of a level that a test plays.
    Snapshot,
    /// What `expect` answers.
    Expectation,
    /// An expectation that was not met, as `catch` has it.
    Missed,
}

impl Owner {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Free,
        Self::World,
        Self::Me,
        Self::Entity,
        Self::Vec,
        Self::Test,
        Self::Live,
        Self::Snapshot,
        Self::Expectation,
        Self::Missed,
    ];

    /// The name of the type as scripts and messages have it; of `world` that of the module.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Free => "",
            Self::World => "world",
            Self::Me => "me",
            Self::Entity | Self::Live => "entity",
            Self::Vec => "vec",
            Self::Test => "test",
            Self::Snapshot => "snapshot",
            Self::Expectation => "expectation",
            Self::Missed => "missed expectation",
        }
    }

    /// What stands before a name of its in an example: `me.`, `world::`.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Free => "",
            Self::World => "world::",
            Self::Me => "me.",
            Self::Entity => "other.",
            Self::Vec => "v.",
            Self::Test => "t.",
            Self::Live => "hero.",
            Self::Snapshot => "moment.",
            Self::Expectation => "expect(x).",
            Self::Missed => "missed.",
        }
    }

    /// The type of its values; none for `world` and what is nobody's.
    #[must_use]
    pub const fn of_type(self) -> Option<Type> {
        match self {
            Self::Free | Self::World => None,
            Self::Me => Some(Type::Me),
            Self::Entity => Some(Type::Entity),
            Self::Vec => Some(Type::Vec),
            Self::Test => Some(Type::Test),
            Self::Live => Some(Type::Live),
            Self::Snapshot => Some(Type::Snapshot),
            Self::Expectation => Some(Type::Expectation),
            Self::Missed => Some(Type::Any),
        }
    }
}

/// Whether a property can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It can.
    Write,
    /// It cannot; why, or what to use instead.
    ReadOnly(&'static str),
}

/// What something is to who writes a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It is called. What has an owner with a type is called on a value of it.
    Function,
    /// It is read, and perhaps written, without parentheses.
    Property(Access),
    /// It stands between its parameters, or before its only one.
    Operator,
}

/// Where it can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// In behaviors and level scripts.
    Behavior,
    /// In test scripts.
    Test,
    /// In both.
    Both,
}

impl Room {
    /// Whether what has this room is there in `other`.
    #[must_use]
    pub fn is_in(self, other: Self) -> bool {
        self == Self::Both || other == Self::Both || self == other
    }
}

/// Something that scripts can call, read, write or compute with. Of a function that can be called
/// with other numbers of parameters there is an entry for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Whose it is.
    pub owner: Owner,
    /// Its name; of an operator its sign.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
    /// What it takes, the owner not counted.
    pub parameters: &'static [Param],
    /// What it answers or holds.
    pub returns: Type,
    /// The unit of that; empty for what has none.
    pub unit: &'static str,
    /// What it does or says.
    pub doc: &'static str,
    /// Statements that use it. `me` is the entity; in tests `t` is a level being played and `hero`
    /// an entity of it.
    pub example: &'static str,
    /// Where it can be used.
    pub room: Room,
    /// The section of the reference that it belongs to.
    pub topic: Topic,
}

impl Entry {
    const fn new(
        owner: Owner,
        name: &'static str,
        kind: Kind,
        doc: &'static str,
        example: &'static str,
    ) -> Self {
        let room = match owner {
            Owner::Me | Owner::World | Owner::Entity => Room::Behavior,
            Owner::Test | Owner::Live | Owner::Snapshot | Owner::Expectation | Owner::Missed => {
                Room::Test
            }
            Owner::Free | Owner::Vec => Room::Both,
        };
        Self {
            owner,
            name,
            kind,
            parameters: &[],
            returns: Type::Nothing,
            unit: "",
            doc,
            example,
            room,
            topic: Topic::Reading,
        }
    }

    /// Something that is called.
    #[must_use]
    pub const fn call(
        owner: Owner,
        name: &'static str,
        doc: &'static str,
        example: &'static str,
    ) -> Self {
        Self::new(owner, name, Kind::Function, doc, example)
    }

    /// Something that is read, and perhaps written.
    #[must_use]
    pub const fn property(
        owner: Owner,
        name: &'static str,
        access: Access,
        doc: &'static str,
        example: &'static str,
    ) -> Self {
        Self::new(owner, name, Kind::Property(access), doc, example)
    }

    /// An operator.
    #[must_use]
    pub const fn operator(name: &'static str, doc: &'static str, example: &'static str) -> Self {
        Self::new(Owner::Free, name, Kind::Operator, doc, example)
    }

    /// With these parameters.
    #[must_use]
    pub const fn takes(mut self, parameters: &'static [Param]) -> Self {
        self.parameters = parameters;
        self
    }

    /// With this answer, which has this unit.
    #[must_use]
    pub const fn answers(mut self, returns: Type, unit: &'static str) -> Self {
        self.returns = returns;
        self.unit = unit;
        self
    }

    /// Where it can be used, if its owner does not say.
    #[must_use]
    pub const fn only_in(mut self, room: Room) -> Self {
        self.room = room;
        self
    }

    /// How it is written: `me.jump_to(x, y, clearance)`, `me.vel`, `a + b`.
    #[must_use]
    pub fn signature(&self) -> String {
        let names: Vec<&str> = self.parameters.iter().map(|p| p.name).collect();
        let name = self.name;
        match (self.kind, names.as_slice()) {
            (Kind::Property(_), _) => format!("{}{name}", self.owner.prefix()),
            (Kind::Operator, [only]) => format!("{name}{only}"),
            (Kind::Operator, [left, right]) => format!("{left} {name} {right}"),
            _ => format!("{}{name}({})", self.owner.prefix(), names.join(", ")),
        }
    }
}
