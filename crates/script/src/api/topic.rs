//! Sections of the reference.

/// A section of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Properties of an entity.
    State,
    /// Input of the player, and planned jumps.
    Queries,
    /// What an entity does: moving, teleporting, changing models, despawning.
    Actions,
    /// Input from the script, in place of a player.
    VirtualInput,
    /// Timers and notes.
    Timers,
    /// Functions that wait.
    Sequences,
    /// Tuning overrides of one entity.
    Tuning,
    /// Finding and spawning other entities.
    Entities,
    /// Time, zones, and terrain.
    Places,
    /// Random numbers.
    Random,
    /// Events between scripts.
    CustomEvents,
    /// Starting levels.
    Levels,
    /// What lasts beyond the level.
    Kept,
    /// Texts, bars and shapes on the screen.
    Screen,
    /// Playing sounds.
    Sounds,
    /// Playing levels in tests.
    Play,
    /// What a test can read.
    TestQueries,
    /// Assertions of a test.
    Expectations,
    /// The type `vec`.
    Vectors,
    /// Math functions.
    Math,
}

/// The paragraph about what is on the screen.
const SCREEN: &str = "What scripts draw stays until they draw the same name again or erase it. It is gone with the entity that \
                      drew it, and with any change of a script: draw again in `on_reload` what `on_birth` has drawn. Names \
                      belong to one script's entity and to one of `world::`, `me.` and `hud::`. An entity can draw 1,000 \
                      things at once, and all together 20,000. Nothing on the screen changes the game, so scripts cannot read \
                      it.";

/// The paragraph about sounds.
const SOUNDS: &str = "Sounds have names in the table `[sounds]` of a kind or of `config/hangtime.toml`. Those that are names \
                      of events play by themselves; this call plays any of them. Scripts can play 64 sounds in a tick. Sounds \
                      do not change the game; a test can ask for them with `t.heard`.";

impl Topic {
    /// All topics, in the order of the reference.
    pub const ALL: [Self; 20] = [
        Self::State,
        Self::Queries,
        Self::Actions,
        Self::VirtualInput,
        Self::Timers,
        Self::Sequences,
        Self::Tuning,
        Self::Entities,
        Self::Places,
        Self::Random,
        Self::CustomEvents,
        Self::Levels,
        Self::Kept,
        Self::Screen,
        Self::Sounds,
        Self::Play,
        Self::TestQueries,
        Self::Expectations,
        Self::Vectors,
        Self::Math,
    ];

    /// Its heading.
    pub const fn title(self) -> &'static str {
        self.texts().0
    }

    /// The paragraph below the heading.
    pub const fn intro(self) -> &'static str {
        self.texts().1
    }

    const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::State => (
                "State",
                "Properties of an entity. On `me` they show the state at the start of the tick plus what the script \
                 has written since; on other entities they are read-only. Writes take effect once all scripts have \
                 run. You can write a single component, as in `me.vel.x = 300`. In a level's own script `me` has only \
                 `id`, `name`, `kind`, and `age`.",
            ),
            Self::Queries => ("Queries", "Input of the entity's player, contacts, and jumps planned ahead."),
            Self::Actions => (
                "Actions",
                "Actions take effect once all scripts have run. Rules run in the middle of a tick and cannot call \
                 `me.jump_to` or `me.remove`.",
            ),
            Self::VirtualInput => (
                "Virtual input",
                "A script can control its entity as a player would. Its input is merged with the player's and lasts \
                 for the current tick.",
            ),
            Self::Timers => {
                ("Timers and notes", "An entity can have 64 running timers. Snapshots and reloads keep them.")
            }
            Self::Sequences => (
                "Sequences",
                "An event hook, and a function that `me.start` starts, can wait between its statements and continue in a later \
                 tick. An entity can have 8 running sequences. Snapshots and reloads keep them. More in \
                 [scripts](scripts.md#sequences).",
            ),
            Self::Tuning => {
                ("Tuning overrides", "Overrides change the tuning of one entity. Snapshots and reloads keep them.")
            }
            Self::Entities => (
                "World: entities",
                "Other entities show their state at the start of the tick. They are not plain data: store their names \
                 in `this`, not the entities.",
            ),
            Self::Places => (
                "World: time and terrain",
                "The clock of the level, its zones, its solids, and platforms that are called.",
            ),
            Self::Random => (
                "World: random numbers",
                "Each entity has its own stream of random numbers, which other scripts do not affect. Runs with the \
                 same seed and input are identical.",
            ),
            Self::CustomEvents => (
                "World: custom events",
                "Scripts share no variables; they emit events instead. An entity can emit 64 events per tick, and \
                 all scripts together 1,024.",
            ),
            Self::Levels => (
                "World: levels",
                "Starting this level again or playing another one: only what is handed over passes from one to the next.",
            ),
            Self::Kept => (
                "World: what lasts",
                "`hangtime play` saves what scripts keep in `saves/` of the game folder, one file for each `--player`. Runs \
                 and tests begin with nothing kept, unless you name a player or the test keeps something. A game can keep 256 values, each \
                 with at most 64 values in it and 4 KiB of text.",
            ),
            Self::Screen => ("On the screen", SCREEN),
            Self::Sounds => ("World: sounds", SOUNDS),
            Self::Play => {
                ("Tests: playing a level", "Only in tests: functions `fn test_…()` in the files of `levels/tests/`.")
            }
            Self::TestQueries => (
                "Tests: queries",
                "Only in tests. Entities have the [properties of `me`](#state) and always show their current state.",
            ),
            Self::Expectations => (
                "Tests: expectations",
                "Only in tests. A failed expectation ends the test and is reported with its line.",
            ),
            Self::Vectors => (
                "Vectors",
                "A vec is a position, a direction, or a velocity with three components; in a side view z is 0. Vecs \
                 are values: `let v = me.vel` copies.",
            ),
            Self::Math => (
                "Math",
                "These functions return exactly the same result on every machine. They accept whole and \
                 floating-point numbers.",
            ),
        }
    }
}
