//! Entries of the script API: one for each call, property, and operator.

use super::{Param, Topic, Type};

/// The value or module that a script uses an entry on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// None: a function called by its bare name, or an operator.
    Free,
    /// The module `world`.
    World,
    /// The module `hud`: the screen.
    Hud,
    /// The module `camera`: how the level is looked at.
    Camera,
    /// The entity whose script runs.
    Me,
    /// Another entity, from `world::entity` or `world::all`.
    Entity,
    /// A vec.
    Vec,
    /// `t`, a level that a test plays.
    Test,
    /// An entity of a level that a test plays.
    Live,
    /// A snapshot of a level that a test plays.
    Snapshot,
    /// The result of `expect`.
    Expectation,
    /// A failed expectation that a script has caught.
    Missed,
}

impl Owner {
    /// All owners.
    pub const ALL: [Self; 12] = [
        Self::Free,
        Self::World,
        Self::Hud,
        Self::Camera,
        Self::Me,
        Self::Entity,
        Self::Vec,
        Self::Test,
        Self::Live,
        Self::Snapshot,
        Self::Expectation,
        Self::Missed,
    ];

    /// The modules, which behaviors and level scripts have.
    pub const MODULES: [Self; 3] = [Self::World, Self::Hud, Self::Camera];

    /// Whether it is a module.
    pub const fn is_module(self) -> bool {
        matches!(self, Self::World | Self::Hud | Self::Camera)
    }

    /// The module with this name.
    pub fn module(name: &str) -> Option<Self> {
        Self::MODULES.into_iter().find(|owner| owner.name() == name)
    }

    /// Its name in scripts and messages, what precedes an entry's name in signatures, and the type of its values.
    const fn about(self) -> (&'static str, &'static str, Option<Type>) {
        match self {
            Self::Free => ("", "", None),
            Self::World => ("world", "world::", None),
            Self::Hud => ("hud", "hud::", None),
            Self::Camera => ("camera", "camera::", None),
            Self::Me => ("me", "me.", Some(Type::Me)),
            Self::Entity => ("entity", "other.", Some(Type::Entity)),
            Self::Vec => ("vec", "v.", Some(Type::Vec)),
            Self::Test => ("test", "t.", Some(Type::Test)),
            Self::Live => ("entity", "hero.", Some(Type::Live)),
            Self::Snapshot => ("snapshot", "moment.", Some(Type::Snapshot)),
            Self::Expectation => ("expectation", "expect(x).", Some(Type::Expectation)),
            Self::Missed => ("missed expectation", "missed.", Some(Type::Any)),
        }
    }

    /// The name of the type or module in scripts and messages.
    pub const fn name(self) -> &'static str {
        self.about().0
    }

    /// What precedes an entry's name in signatures: `me.`, `world::`.
    pub const fn prefix(self) -> &'static str {
        self.about().1
    }

    /// The type of its values; none for modules and free functions.
    pub const fn of_type(self) -> Option<Type> {
        self.about().2
    }
}

/// Whether a property can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Scripts can write it.
    Write,
    /// Scripts can only read it. Holds the reason, or what to use instead.
    ReadOnly(&'static str),
    /// Scripts can only write it. Holds the reason.
    WriteOnly(&'static str),
}

/// How scripts use an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// As a call. If its owner has a type, it is a method of that type.
    Function,
    /// As a property, read and perhaps written without parentheses.
    Property(Access),
    /// As an operator: between its two parameters, or before its only one.
    Operator,
}

/// The kinds of scripts that can use an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApiSet {
    /// Behaviors and level scripts.
    Behavior,
    /// Test scripts.
    Test,
    /// All scripts.
    Both,
}

impl ApiSet {
    /// Whether an entry of this set is available in `other`.
    pub fn is_in(self, other: Self) -> bool {
        self == Self::Both || other == Self::Both || self == other
    }
}

/// A call, property, or operator. A function with several numbers of parameters has an entry for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ApiEntry {
    /// The value or module it is used on.
    pub owner: Owner,
    /// Its name, or the sign of an operator.
    pub name: &'static str,
    /// How it is used.
    pub kind: EntryKind,
    /// Its parameters, not including the owner.
    pub parameters: &'static [Param],
    /// Type of its result, or of the property.
    pub returns: Type,
    /// Unit of the result or property; empty for none.
    pub unit: &'static str,
    /// One or more sentences of documentation.
    pub doc: &'static str,
    /// Statements that use it. In behaviors `me` is the entity; in tests `t` is a level being played and `hero` an
    /// entity in it.
    pub example: &'static str,
    /// Which scripts can use it.
    pub api_set: ApiSet,
    /// Its section in the reference.
    pub topic: Topic,
}

impl ApiEntry {
    const fn new(owner: Owner, name: &'static str, kind: EntryKind, doc: &'static str, example: &'static str) -> Self {
        let api_set = match owner {
            Owner::Me | Owner::World | Owner::Hud | Owner::Camera | Owner::Entity => ApiSet::Behavior,
            Owner::Test | Owner::Live | Owner::Snapshot | Owner::Expectation | Owner::Missed => ApiSet::Test,
            Owner::Free | Owner::Vec => ApiSet::Both,
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
            api_set,
            topic: Topic::State,
        }
    }

    /// A function or method without parameters or result.
    pub const fn call(owner: Owner, name: &'static str, doc: &'static str, example: &'static str) -> Self {
        Self::new(owner, name, EntryKind::Function, doc, example)
    }

    /// A property.
    pub const fn property(
        owner: Owner,
        name: &'static str,
        access: Access,
        doc: &'static str,
        example: &'static str,
    ) -> Self {
        Self::new(owner, name, EntryKind::Property(access), doc, example)
    }

    /// An operator.
    pub const fn operator(name: &'static str, doc: &'static str, example: &'static str) -> Self {
        Self::new(Owner::Free, name, EntryKind::Operator, doc, example)
    }

    /// With these parameters.
    pub const fn takes(mut self, parameters: &'static [Param]) -> Self {
        self.parameters = parameters;
        self
    }

    /// With a result, or the type of a property, and its unit.
    pub const fn returns(mut self, returns: Type, unit: &'static str) -> Self {
        self.returns = returns;
        self.unit = unit;
        self
    }

    /// Only for some scripts, where the owner does not decide that.
    pub const fn only_in(mut self, api_set: ApiSet) -> Self {
        self.api_set = api_set;
        self
    }

    /// Its form in a script: `me.jump_to(x, y, clearance)`, `me.vel`, `a + b`.
    pub fn signature(&self) -> String {
        let names: Vec<&str> = self.parameters.iter().map(|p| p.name).collect();
        let name = self.name;
        match (self.kind, names.as_slice()) {
            (EntryKind::Property(_), _) => format!("{}{name}", self.owner.prefix()),
            (EntryKind::Operator, [only]) => format!("{name}{only}"),
            (EntryKind::Operator, [left, right]) => format!("{left} {name} {right}"),
            _ => format!("{}{name}({})", self.owner.prefix(), names.join(", ")),
        }
    }
}
