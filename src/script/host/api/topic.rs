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

    /// What stands below that.
    #[must_use]
    pub const fn intro(self) -> &'static str {
        match self {
            Self::Reading => {
                "`me` shows the entity as it stood when the tick began, with what its script has written \
                 since. What `world::entity` and `t.entity` answer shows the same, to be read only. Of `me` a \
                 level's own script has `id`, `name`, `kind` and `age`."
            }
            Self::Writing => {
                "What is written takes effect when all scripts have had their turn. `me.vel.x = 300` works, \
                 too. Others cannot be written."
            }
            Self::Input => {
                "What a script holds or steers is merged with what the player does, for this tick."
            }
            Self::Deeds => "Deeds take effect when all scripts have had their turn.",
            Self::Jumps => {
                "How they are found is told in [models.md](models.md#ballistic). They are there in events, \
                 not in the rules that are asked inside a tick."
            }
            Self::Timers => {
                "An entity has at most 64 timers that run. They are part of the state: a snapshot \
                 keeps them, and so does a reload."
            }
            Self::Tuning => "A reload keeps what was tuned so.",
            Self::Entities => {
                "Others are seen as they stood when the tick began, whoever has had its turn since. They \
                 are no plain data: keep names in `this`, not entities."
            }
            Self::Places => "The terrain, its zones and the time.",
            Self::Chance => "Runs with the same seed and input are equal to the last bit.",
            Self::Signals => {
                "Scripts share no variables; they tell each other. At most 1,024 events a tick."
            }
            Self::Vectors => {
                "A place, a way or a velocity: three numbers. In a side view z is 0. A vec is a value: \
                 `let v = me.vel` is a copy."
            }
            Self::Mathematics => "The same on every machine, to the last bit.",
            Self::Play => "Only in tests, `fn test_…()` in a file below `levels/tests/`.",
            Self::Sight => {
                "Only in tests. An entity shows [what `me` shows](#what-an-entity-shows) in behaviors, \
                 always as it is now."
            }
            Self::Expectations => {
                "Only in tests. What is not met ends the test and is reported with its line."
            }
        }
    }
}
