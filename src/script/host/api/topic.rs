//! The sections of the reference.

/// A section of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// What an entity shows.
    Reading,
    /// What its script may write.
    Writing,
    /// Keys and stick.
    Input,
    /// What it does.
    Deeds,
    /// Jumps to a destination.
    Jumps,
    /// Timers and notes.
    Timers,
    /// Tunables of its own.
    Tuning,
    /// Other entities, and new ones.
    Entities,
    /// Time, zones and terrain.
    Places,
    /// Chance.
    Chance,
    /// Events between scripts.
    Signals,
    /// Vecs.
    Vectors,
    /// Mathematics.
    Mathematics,
    /// Playing levels in tests.
    Play,
    /// What a test can see.
    Sight,
    /// What a test expects.
    Expectations,
}

impl Topic {
    /// All, in the order of the reference.
    pub const ALL: [Self; 16] = [
        Self::Reading,
        Self::Writing,
        Self::Input,
        Self::Deeds,
        Self::Jumps,
        Self::Timers,
        Self::Tuning,
        Self::Entities,
        Self::Places,
        Self::Chance,
        Self::Signals,
        Self::Vectors,
        Self::Mathematics,
        Self::Play,
        Self::Sight,
        Self::Expectations,
    ];

    /// Its heading.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Reading => "What an entity shows",
            Self::Writing => "What a script writes",
            Self::Input => "Keys and stick",
            Self::Deeds => "Deeds",
            Self::Jumps => "Jumps to a destination",
            Self::Timers => "Timers and notes",
            Self::Tuning => "Tunables of one's own",
            Self::Entities => "Other entities",
            Self::Places => "Time, zones and terrain",
            Self::Chance => "Chance",
            Self::Signals => "Events between scripts",
            Self::Vectors => "Vecs",
            Self::Mathematics => "Mathematics",
            Self::Play => "Playing a level in a test",
            Self::Sight => "What a test sees",
            Self::Expectations => "What a test expects",
        }
    }
}
