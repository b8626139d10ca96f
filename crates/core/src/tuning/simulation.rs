//! The tunables in `config/hangtime.toml`.

use super::*;
use crate::named::named;

tunables! {
    /// The table `[simulation]`: settings for everything that moves.
    pub struct SimulationTuning {
        /// Ticks per second. A change takes effect when you start hangtime again, because timers
        /// count ticks. Below 30, fast bodies move in long straight steps; above 240, ticks only
        /// cost more time.
        tick_hz: u32 = 60, "Hz", range(10.0, 1000.0);
        /// Gravity, unless the level sets its own. The platformer's defaults are tuned for this
        /// value: with half of it, jumps rise twice as far after the hold ends.
        gravity: f64 = 3672.0, "px/s²", ACCEL;
        /// Exponential decay rate of `external` velocity. 0 keeps a push forever.
        external_damping: f64 = 4.0, "/s", RATE;
        /// Whether entities detect contact with each other. Turning it off makes crowds of
        /// thousands cheaper, but `on_touch` is never called.
        touches: bool = true, "", ANY;
        /// Maximum number of entities in a level file. A level with more is an error. Each takes its
        /// share of every tick, wherever it is. Entities that scripts spawn are not counted.
        max_entities: u32 = 4_000, "", range(1.0, 1e6);
    }
}

tunables! {
    /// The table `[scripts]`: limits for scripts. A script that exceeds one is stopped with an
    /// error that says where.
    pub struct ScriptTuning {
        /// Operations per call. They are counted, not timed, so that the same tick stops at the
        /// same point on every machine. A step that handles something large counts as several. If it
        /// is too low, legitimate loops fail; 20,000 operations take about a millisecond.
        operations: u32 = 20_000, "", range(100.0, 100e6);
        /// Operations of all calls in one tick. When they are used up, the remaining calls of the
        /// tick are skipped, and one error names the script that used the most. Events of an entity
        /// that misses a call arrive in the next tick; events that scripts emitted are lost to it.
        tick_operations: u32 = 1_000_000, "", range(100.0, 4e9);
        /// Maximum depth of nested function calls. Each level uses part of a 16 MiB stack.
        call_depth: u32 = 32, "", range(4.0, 64.0);
        /// Maximum length of a string.
        string_length: u32 = 4096, "bytes", range(16.0, 1e6);
        /// Maximum number of elements in an array, including nested ones.
        array_length: u32 = 1024, "", range(16.0, 1e6);
        /// Maximum number of entries in a map, including nested ones.
        map_entries: u32 = 256, "", range(16.0, 1e6);
        /// Maximum number of values in an entity's variables, including everything in arrays and
        /// maps. What takes more memory counts as more: a vec as 3, an array as 2, a map that is not
        /// empty as 8, and each of its entries as 1 in addition to its value. They are checked after
        /// every call and copied into every snapshot.
        kept_values: u32 = 512, "", range(16.0, 1e6);
        /// Maximum total length of the strings in an entity's variables. Values above twice
        /// `string_length` have no effect.
        kept_text: u32 = 8_192, "bytes", range(16.0, 16e6);
        /// Whether scripts are compiled, which makes them faster and changes nothing else. Turn it off to find out
        /// whether the compiler is to blame for something; `--interpret` does so for one run.
        compile: bool = true, "", ANY;
        /// What the window does when a script fails: `"keep"` shows the error and keeps running;
        /// `"pause"` stops time until you fix the file or press P.
        on_error: ErrorMode = ErrorMode::Keep, "", ANY;
    }
}

tunables! {
    /// The table `[window]`: the picture that `play` shows.
    pub struct WindowTuning {
        /// Width of the picture before scaling. A change takes effect when you start hangtime
        /// again.
        width: u32 = 640, "px", range(160.0, 3840.0);
        /// Height of the picture before scaling. A change takes effect when you start hangtime
        /// again.
        height: u32 = 360, "px", range(90.0, 2160.0);
        /// Initial scale of the picture, times the scale factor of the screen. You can resize the
        /// window; the picture always scales by whole numbers.
        scale: u32 = 2, "", range(1.0, 16.0);
        /// How far a gamepad's stick has to be pushed to count, as a share of its reach. From there
        /// to its full reach it counts from 0 to 1, in every direction alike.
        stick_dead_zone: f64 = 0.2, "", range(0.0, 0.9);
        /// How loud sounds are. They need a hangtime that was built with the feature `sound`.
        volume: f64 = 1.0, "", range(0.0, 1.0);
    }
}

named! {
    /// What the window does when a script fails.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ErrorMode, as_str {
        /// Shows the error and keeps running.
        Keep = "keep",
        /// Stops time.
        Pause = "pause",
    }
}

words!(ErrorMode);
