//! Why: what each phase of a tick did to an entity, which rule answered what, and why something
//! that was wanted was refused.
//!
//! The log is no state: it is neither saved nor hashed nor compared, and a run with it goes as one
//! without. While nobody watches it costs a branch in each phase. A floor without files names the
//! tunables that decided; those above find the lines where these are set.

mod because;
mod memory;
mod order;
mod refuse;
mod witness;

use super::{Entity, EntityId};
use crate::models::{Body, ModelName, Motion};
use glam::{DVec2, DVec3};
use memory::Memory;
use std::fmt;
use std::sync::Arc;

pub(super) use because::by_choice_of;
pub use witness::spelled_windows;

/// A phase of a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// What scripts were told and asked, and what they ordered.
    #[default]
    Orders,
    /// Moving platforms carry and push.
    Platforms,
    /// What the body stands on is looked for.
    Sense,
    /// Which velocity its model wants.
    Drive,
    /// What the rope makes of that.
    Ropes,
    /// Where that leads.
    Travel,
    /// What is grabbed.
    Grab,
    /// Those who push one another.
    PushApart,
    /// Ground under a body in the air.
    Settle,
    /// Zones that it is in.
    Zones,
}

impl Phase {
    /// The name in traces and tests.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Orders => "orders",
            Self::Platforms => "platforms",
            Self::Sense => "sense",
            Self::Drive => "drive",
            Self::Ropes => "ropes",
            Self::Travel => "travel",
            Self::Grab => "grab",
            Self::PushApart => "push apart",
            Self::Settle => "settle",
            Self::Zones => "zones",
        }
    }
}

/// How an entity moves, and where it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Kinetics {
    /// Center, and the height of its feet, px.
    pub pos: DVec3,
    /// The model's own velocity, px/s.
    pub vel: DVec3,
    /// Velocity from outside, px/s.
    pub external: DVec2,
    /// How fast it turns, rad/s.
    pub spin: f64,
}

impl Kinetics {
    fn of(body: &Body) -> Self {
        Self {
            pos: body.pos.extend(body.z),
            vel: body.vel.extend(body.vel_z),
            external: body.external,
            spin: body.spin,
        }
    }

    /// What a model wants, before anything stands in its way.
    fn wanted(body: &Body, motion: &Motion) -> Self {
        Self {
            vel: motion.velocity.extend(motion.vel_z),
            ..Self::of(body)
        }
    }
}

/// Who decided something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A tunable of a model, where a file sets it, or its default.
    Tunable(ModelName, &'static str),
    /// A key of the entity's kind.
    Kind(&'static str),
    /// A rule of the entity's script, by its name.
    Rule(&'static str),
    /// The entity's script, in no rule.
    Script,
    /// The entity's script, which has tuned it.
    Tuned,
    /// Nobody: so it is where neither files nor scripts have a say.
    Nobody,
}

/// Something that decided, with the value that it had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Because {
    /// What it is called.
    pub name: &'static str,
    /// Its value with its unit.
    pub value: String,
    /// Who has set it.
    pub source: Source,
}

/// What a script's rule answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The rule.
    pub rule: &'static str,
    /// What it answered, as a script would write it; `()` left it to tuning.
    pub text: String,
}

/// What happened in a phase.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// Its motion changed, or is to be changed.
    Changed {
        /// What it was.
        before: Kinetics,
        /// What it is, or after drive and ropes what is wanted.
        after: Kinetics,
    },
    /// Its script ordered something.
    Ordered(String),
    /// A rule was asked.
    Answered {
        /// Its name.
        rule: &'static str,
        /// The answer, as a script would write it.
        answer: String,
        /// What it was about; may be empty.
        about: String,
        /// Who answered.
        because: Vec<Because>,
        /// By whom.
        source: Source,
    },
    /// Something that was wanted did not come about.
    Refused {
        /// What: `jump`, `grab`, `hook`, `rope`, `model` or `place`.
        what: &'static str,
        /// Why not.
        why: String,
        /// What has decided that.
        because: Vec<Because>,
    },
    /// Something else that explains a motion.
    Noted(String),
}

/// One line of an account.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// When in the tick.
    pub phase: Phase,
    /// What.
    pub what: What,
    /// Whether it was just so in the step before: a key that a script holds on, a wall that is refused
    /// for as long as it is touched.
    pub again: bool,
}

impl Entry {
    /// Whether it is nothing but motion, as in every other tick, or was so before.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.again
            || match &self.what {
                What::Changed { .. } => matches!(self.phase, Phase::Drive | Phase::Travel),
                What::Answered { answer, source, .. } => {
                    *source == Source::Nobody && answer == "false"
                }
                What::Noted(_) => self.phase == Phase::Zones,
                What::Ordered(_) | What::Refused { .. } => false,
            }
    }
}

/// All that is known of what moved an entity in one step.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    /// Whose it is.
    pub entity: EntityId,
    /// Its name.
    pub name: Arc<str>,
    /// Its profile, an index into the stage's profiles.
    pub profile: usize,
    /// The tick at whose end it shows: the step led there from the one before.
    pub tick: u64,
    /// Its model in this step.
    pub model: ModelName,
    /// What happened, in the order in which it did.
    pub entries: Vec<Entry>,
}

/// Who is watched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Watch {
    /// Nobody.
    #[default]
    Nobody,
    /// Everybody.
    All,
    /// Those with these names, as soon as they are there.
    Named(Vec<Arc<str>>),
}

impl Watch {
    /// One entity.
    #[must_use]
    pub fn one(name: &str) -> Self {
        Self::Named(vec![name.into()])
    }

    fn takes(&self, entity: &Entity) -> bool {
        match self {
            Self::Nobody => false,
            Self::All => true,
            Self::Named(names) => names.contains(&entity.name),
        }
    }
}

/// One who is watched.
#[derive(Clone)]
struct Witness {
    account: Account,
    /// What was told of the step before.
    before: Vec<Entry>,
    /// After the last phase.
    last: Kinetics,
    memory: Memory,
}

/// The log, while somebody is watched.
#[derive(Clone, Default)]
pub(super) struct Log {
    watch: Watch,
    /// By id.
    witnesses: Vec<Witness>,
    /// The phase that is going on.
    phase: Phase,
}

/// The log of a world; none while nobody is watched.
#[derive(Clone, Default)]
pub(super) struct WhyLog(Option<Box<Log>>);

impl WhyLog {
    /// Whether nobody is watched.
    #[inline]
    pub fn is_off(&self) -> bool {
        self.0.is_none()
    }
}

impl PartialEq for WhyLog {
    /// What is watched is no state.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for WhyLog {
    /// Worlds are compared as text, too.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WhyLog")
    }
}

impl Log {
    fn of(&mut self, id: EntityId) -> Option<&mut Witness> {
        let at = self
            .witnesses
            .binary_search_by_key(&id, |witness| witness.account.entity);
        at.ok().map(|at| &mut self.witnesses[at])
    }
}
