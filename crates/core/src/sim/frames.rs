//! Frames: where the running sequences of scripts wait, and what they remember. A sequence is a function that waits.

use super::*;

/// The largest number of running sequences of one entity.
pub const MOST_FRAMES: usize = 8;
/// The largest number of values that a sequence remembers over a wait, and of bytes of text.
pub const MOST_FRAME_DATA: (usize, usize) = (16, 512);
/// The longest wait in seconds: a day.
pub const LONGEST_WAIT: f64 = 86_400.0;

/// A place where a sequence waits. Scripts share those of their functions with the frames that wait there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitPoint {
    /// The sequence: the name of its function.
    pub sequence: Arc<str>,
    /// The place of the wait among those of the function, counted from 1; 0 where it begins.
    pub step: u32,
    /// The wait as it is written; empty where the function begins.
    pub label: Arc<str>,
    /// The hash of what is written from there to the next wait. After a reload, a frame continues where it is the same.
    pub text: u64,
    /// The names of the local variables that are remembered.
    pub names: Vec<Arc<str>>,
}

/// What a sequence waits for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Until {
    /// This tick.
    Tick(u64),
    /// This moment on the clock of the entity: the tick that comes closest.
    Time(ClockTick),
    /// An event with this name, and no longer than until this moment, if there is one.
    Event(Arc<str>, Option<ClockTick>),
}

/// A running sequence of an entity or of the level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SequenceFrame {
    /// The entity whose script runs it.
    pub entity: EntityId,
    /// The layer whose script has it; `None` for the lowest one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<Arc<str>>,
    /// Where it waits.
    pub at: Arc<WaitPoint>,
    /// What it waits for.
    pub until: Until,
    /// The values of the local variables that it remembers, in the order of their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locals: Vec<Value>,
}

impl Until {
    /// The same wait on a clock that is at `clock` in tick `now`: scripts count from that tick.
    pub(super) fn after(self, clock: impl Fn() -> ClockTick, now: u64) -> Self {
        let on_clock = |due: ClockTick| ClockTick(clock().0 + (due.0 - now as f64));
        match self {
            Self::Time(due) => Self::Time(on_clock(due)),
            Self::Event(name, deadline) => Self::Event(name, deadline.map(on_clock)),
            tick => tick,
        }
    }
}

impl SequenceFrame {
    /// Whether it continues in this tick even if nothing happens, where the clock of its entity has
    /// [reached](World::reached) a moment.
    pub fn is_due(&self, tick: u64, reached: impl FnOnce() -> ClockTick) -> bool {
        match self.until {
            Until::Tick(due) => due <= tick,
            Until::Time(due) => due <= reached(),
            Until::Event(_, deadline) => deadline.is_some_and(|due| due <= reached()),
        }
    }

    /// Whether it is the frame of a sequence.
    pub(super) fn is_of(&self, layer: &Option<Arc<str>>, sequence: &str) -> bool {
        *self.at.sequence == *sequence && self.layer == *layer
    }

    /// Feeds the frame into a hash.
    pub(super) fn digest(&self, digest: &mut Digest) {
        digest.text(&self.at.sequence);
        digest.text(self.layer.as_deref().unwrap_or_default());
        digest.word(self.at.step.into());
        match &self.until {
            Until::Tick(due) => digest.word(*due),
            Until::Time(due) => due.digest(digest),
            Until::Event(name, deadline) => {
                digest.text(name);
                match deadline {
                    Some(due) => due.digest(digest),
                    None => digest.word(u64::MAX),
                }
            }
        }
        self.locals.iter().for_each(|value| value.digest(digest));
    }
}
