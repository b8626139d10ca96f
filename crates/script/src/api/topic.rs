//! Sections of the reference.

/// Declares the sections in the order of the reference: the paragraph below the heading, name and heading.
macro_rules! topics {
    ($($(#[doc = $line:literal])+ $topic:ident, $title:literal;)+) => {
        /// A section of the reference.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Topic {
            $($(#[doc = $line])+ $topic,)+
        }

        impl Topic {
            /// All topics, in the order of the reference.
            pub const ALL: [Self; [$($title),+].len()] = [$(Self::$topic),+];

            /// Its heading.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$topic => $title),+ }
            }

            /// The paragraph below the heading.
            pub const fn intro(self) -> &'static str {
                match self { $(Self::$topic => $crate::prose!($(#[doc = $line])+)),+ }
            }
        }
    };
}

topics! {
    /// Properties of an entity. On `me` they show the state at the start of the tick plus what the script has written
    /// since; on other entities they are read-only. Writes take effect once all scripts have run. You can write a
    /// single component, as in `me.vel.x = 300`. In a level's own script `me` has only `id`, `name`, `kind`, and `age`.
    State, "State";
    /// Input of the entity's player, contacts, and jumps planned ahead.
    Queries, "Queries";
    /// Actions take effect once all scripts have run. Rules run in the middle of a tick and cannot call `me.jump_to` or
    /// `me.remove`.
    Actions, "Actions";
    /// A script can control its entity as a player would. Its input is merged with the player's and lasts for the
    /// current tick.
    VirtualInput, "Virtual input";
    /// An entity can have 64 running timers. Snapshots and reloads keep them.
    Timers, "Timers and notes";
    /// An event hook, and a function that `me.start` starts, can wait between its statements and continue in a later
    /// tick. An entity can have 8 running sequences. Snapshots and reloads keep them. More in
    /// [scripts](scripts.md#sequences).
    Sequences, "Sequences";
    /// Overrides change the tuning of one entity. Snapshots and reloads keep them.
    Tuning, "Tuning overrides";
    /// Other entities show their state at the start of the tick. They are not plain data: store their names in `this`,
    /// not the entities.
    Entities, "World: entities";
    /// The clock of the level, its zones, its solids, and platforms that are called.
    Places, "World: time and terrain";
    /// Joints tie two entities, or an entity and a point: a rope lets its ends get no farther apart, a spring draws them to
    /// its length. They pull on the lighter body more. A joint is gone with an entity or a platform that it holds, which
    /// `on_joint_lost` reports. Reloads keep joints; a restart does not. A level can have 1,000.
    Joints, "World: ropes and springs";
    /// What players hold, whether or not they have an entity: a menu, a title screen or a choice of levels is a level
    /// with a script. `me.held` and its like are what an entity is to do, with what its script adds.
    Players, "World: players";
    /// Each entity has its own stream of random numbers, which other scripts do not affect. Runs with the same seed and
    /// input are identical.
    Random, "World: random numbers";
    /// Scripts share no variables; they emit events instead. An entity can emit 64 events per tick, and all scripts
    /// together 1,024.
    CustomEvents, "World: custom events";
    /// Starting this level again or playing another one: only what is handed over passes from one to the next.
    Levels, "World: levels";
    /// `hangtime play` saves what scripts keep in `saves/` of the game folder, one file for each `--player`. Runs and
    /// tests begin with nothing kept, unless you name a player or the test keeps something. A game can keep 256 values,
    /// each with at most 64 values in it and 4 KiB of text.
    Kept, "World: what lasts";
    /// What scripts draw stays until they draw the same name again or erase it. It is gone with the entity that drew
    /// it, and with any change of a script, unless a sequence of that entity waits: draw again in `on_reload` what `on_birth` has drawn. Names belong to one
    /// script's entity and to one of `world::`, `me.` and `hud::`. An entity can draw 1,000 things at once, and all
    /// together 20,000. Nothing on the screen changes the game, so scripts cannot read it.
    Screen, "On the screen";
    /// The camera follows the players, unless `[camera]` of the level, of a kind or a script says otherwise. What a
    /// script says lasts until it says something else, until the level ends, and until any script changes. It does not
    /// change the game, so scripts cannot read it.
    Camera, "The camera";
    /// Sounds have names in the table `[sounds]` of a kind or of `config/hangtime.toml`. Those that are names of events
    /// play by themselves; these calls play any of them. Scripts can play 64 sounds in a tick. Sounds do not change the
    /// game; a test can ask for them with `t.heard`.
    Sounds, "World: sounds";
    /// Only in tests: functions `fn test_…()` in the files of `levels/tests/`.
    Play, "Tests: playing a level";
    /// Only in tests. Entities have the [properties of `me`](#state) and always show their current state.
    TestQueries, "Tests: queries";
    /// Only in tests. A failed expectation ends the test and is reported with its line.
    Expectations, "Tests: expectations";
    /// A vec is a position, a direction, or a velocity with three components; in a side view z is 0. Vecs are values:
    /// `let v = me.vel` copies.
    Vectors, "Vectors";
    /// These functions return exactly the same result on every machine. They accept whole and floating-point numbers.
    Math, "Math";
}
