//! What is tuned in `config/hangtime.toml`.

use super::{ACCEL, ANY, RATE, Setting, TunableValue, range, tunables};

tunables! {
    /// The table `[simulation]`: what holds for everything that moves.
    pub struct SimulationTuning {
        /// Ticks a second. A change takes a restart: timers count in ticks. Below 30 fast bodies
        /// take long straight steps; above 240 only time is spent.
        tick_hz: u32 = 60, "Hz", range(10.0, 1000.0);
        /// How hard things fall, unless a level says otherwise. The platformer's defaults are
        /// tuned for this value: halve it and jumps rise twice as far after the hold ends.
        gravity: f64 = 3672.0, "px/s²", ACCEL;
        /// How fast `external` velocity dies away, exponentially. 0 keeps a push for ever.
        external_damping: f64 = 4.0, "/s", RATE;
        /// Whether entities are told when they touch one another. Off, a crowd of thousands costs
        /// less, and `on_touch` is never called.
        touches: bool = true, "", ANY;
    }
}

tunables! {
    /// The table `[scripts]`: what scripts may use up. A script that needs more is stopped with an
    /// error that says where.
    pub struct ScriptTuning {
        /// Steps of evaluation in one call. Counted, not timed, so that the same tick stops on
        /// every machine; a step that handles a large array, map or text counts as more than one.
        /// Too low and honest loops fail; 20,000 take about a millisecond.
        operations: u32 = 20_000, "", range(100.0, 100e6);
        /// Steps of all calls of one tick together. When they are used up the remaining turns of
        /// the tick are skipped, with one error.
        tick_operations: u32 = 10_000_000, "", range(100.0, 4e9);
        /// How deep functions may call each other. Each level takes stack, of which there are
        /// 16 MiB.
        call_depth: u32 = 32, "", range(4.0, 64.0);
        /// Longest string, in bytes.
        string_length: u32 = 4096, "bytes", range(16.0, 1e6);
        /// Most elements of an array, nested ones included.
        array_length: u32 = 1024, "", range(16.0, 1e6);
        /// Most entries of a map, nested ones included.
        map_entries: u32 = 256, "", range(16.0, 1e6);
        /// Most values that an entity's variables may hold, all that lies in arrays and maps
        /// included. They are looked at after every call and copied into every snapshot.
        kept_values: u32 = 512, "", range(16.0, 1e6);
        /// Most text that an entity's variables may hold in all; no more than twice `string_length`.
        kept_text: u32 = 8_192, "bytes", range(16.0, 16e6);
        /// What the window does when a script fails: `"keep"` runs on with an error shown,
        /// `"pause"` stops time until the file is mended or P is pressed.
        on_error: ErrorMode = ErrorMode::Keep, "", ANY;
    }
}

tunables! {
    /// The table `[window]`: the picture that `play` shows.
    pub struct WindowTuning {
        /// Width of the picture before scaling. A change takes a restart.
        width: u32 = 640, "px", range(160.0, 3840.0);
        /// Height of the picture before scaling. A change takes a restart.
        height: u32 = 360, "px", range(90.0, 2160.0);
        /// Whole number by which the window is larger than the picture when it opens. The window
        /// can be resized; the picture always grows by whole numbers.
        scale: u32 = 2, "", range(1.0, 16.0);
    }
}

/// What the window does when a script fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorMode {
    /// Time goes on.
    Keep,
    /// Time stands still.
    Pause,
}

impl TunableValue for ErrorMode {
    fn from_setting(value: &Setting) -> Result<Self, String> {
        match value {
            Setting::Word(word) if word == "keep" => Ok(Self::Keep),
            Setting::Word(word) if word == "pause" => Ok(Self::Pause),
            _ => Err("\"keep\" or \"pause\"".into()),
        }
    }
    fn setting(&self) -> Setting {
        Setting::Word(match self {
            Self::Keep => "keep".into(),
            Self::Pause => "pause".into(),
        })
    }
}
