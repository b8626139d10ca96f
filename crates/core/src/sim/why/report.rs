//! The reports of the why log.

use super::*;
use glam::DVec3;
use std::mem::discriminant;

named! {
    /// A phase of a tick.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum TickPhase, name {
        /// Scripts are called and their commands take effect.
        #[default]
        Orders = "orders",
        /// Moving platforms carry and push bodies.
        Platforms = "platforms",
        /// Bodies look for the ground they are on.
        Sense = "sense",
        /// The model computes a velocity.
        Drive = "drive",
        /// Ropes limit that velocity.
        Ropes = "ropes",
        /// Bodies move.
        Travel = "travel",
        /// Bodies grab what they ran into.
        Grab = "grab",
        /// Entities push each other apart.
        PushApart = "push apart",
        /// Bodies in the air look for ground.
        Settle = "settle",
        /// Zones affect bodies.
        Zones = "zones",
    }
}

impl TickPhase {
    /// The phase that follows.
    pub(super) fn next(self) -> Self {
        Self::ALL.into_iter().find(|phase| *phase > self).unwrap_or(Self::Zones)
    }
}

/// An entity's position and velocities.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Kinetics {
    /// Center, and the height of its feet, px.
    pub pos: DVec3,
    /// The model's velocity, px/s.
    pub vel: DVec3,
    /// External velocity, px/s.
    pub external: DVec3,
    /// Angular velocity, rad/s.
    pub spin: f64,
}

impl Kinetics {
    pub(super) fn of(body: &Body) -> Self {
        Self {
            pos: body.pos.extend(body.z),
            vel: body.vel.extend(body.vel_z),
            external: body.external.extend(body.external_z),
            spin: body.spin,
        }
    }

    /// The motion of a body with the velocity that the model computed for this tick.
    pub(super) fn driven(body: &Body, motion: &Motion) -> Self {
        Self { vel: motion.velocity.extend(motion.vel_z), ..Self::of(body) }
    }
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A tunable of a model: a file that sets it, or its default.
    Tunable(ModelName, &'static str),
    /// A key of the entity's kind.
    Kind(&'static str),
    /// A rule of the entity's topmost script that has it, by name.
    Rule(&'static str),
    /// A rule of a script of the entity, by name: of that in this layer, or of the lowest one.
    RuleOf(&'static str, Option<Arc<str>>),
    /// The entity's script, outside of rules: that in this layer, or the lowest one.
    Script(Option<Arc<str>>),
    /// A tuning override set by the entity's script.
    Override,
    /// Neither a file nor a script: the engine's default.
    Engine,
}

/// A value that decided something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Its name.
    pub name: &'static str,
    /// The value with its unit.
    pub value: String,
    /// Where it comes from.
    pub origin: Origin,
}

/// A command of a script.
#[derive(Clone, Debug, PartialEq)]
pub struct WhyOrder {
    /// The command. A script language spells the call that gives it.
    pub command: Command,
    /// The layer of the script; `None` for the lowest one.
    pub layer: Option<Arc<str>>,
    /// The command with which another layer has set the same property in this step, and that layer. This command wins.
    pub instead_of: Option<(Command, Option<Arc<str>>)>,
}

impl Command {
    /// Whether both set the same property of an entity.
    pub(super) fn writes_as(&self, other: &Self) -> bool {
        let sets = matches!(
            self,
            Self::SetVelocity(..) | Self::Turn(_) | Self::Spin(_) | Self::SetExternal(..) | Self::Face(_)
        );
        sets && discriminant(self) == discriminant(other)
    }

    /// Whether both are the same call, with whatever numbers.
    fn lasts_as(&self, next: &Self) -> bool {
        let same = match (self, next) {
            (Self::SetVelocity(_, z), Self::SetVelocity(_, next))
            | (Self::SetExternal(_, z), Self::SetExternal(_, next)) => (*z == 0.0) == (*next == 0.0),
            (Self::Hold(action), Self::Hold(next)) | (Self::Release(action), Self::Release(next)) => action == next,
            (Self::Place(_, z), Self::Place(_, next)) => z.is_some() == next.is_some(),
            (Self::SetModel(model), Self::SetModel(next)) => model == next,
            (Self::Tune(model, key, value), Self::Tune(next, other, to)) => {
                (model, key) == (next, other) && equal_without_numbers(&value.to_string(), &to.to_string())
            }
            (Self::Untune(which), Self::Untune(next)) => which == next,
            (Self::SetStance(name), Self::SetStance(next)) => name == next,
            (Self::After(_, text, _), Self::After(_, next, _))
            | (Self::Cancel(text), Self::Cancel(next))
            | (Self::Emit(text, _), Self::Emit(next, _))
            | (Self::Note(text), Self::Note(next))
            | (Self::Keep(text, _), Self::Keep(next, _)) => equal_without_numbers(text, next),
            (Self::Create(new), Self::Create(next)) => equal_without_numbers(&new.name, &next.name),
            (Self::Switch(_, there), Self::Switch(_, next))
            | (Self::SwitchZone(_, there), Self::SwitchZone(_, next)) => there == next,
            (Self::Call(_, point), Self::Call(_, next)) => point.is_some() == next.is_some(),
            (Self::Level(order), Self::Level(next)) => order.level == next.level,
            _ => true,
        };
        same && discriminant(self) == discriminant(next)
    }
}

/// Something that happened in a phase.
#[derive(Clone, Debug, PartialEq)]
pub enum WhyDetail {
    /// The motion changed.
    Changed {
        /// Before the phase.
        before: Kinetics,
        /// After the phase; for drive and ropes with the velocity that the model wants.
        after: Kinetics,
    },
    /// A script gave a command.
    Ordered(WhyOrder),
    /// A rule was asked.
    Answered {
        /// The rule and its answer.
        answer: RuleAnswer,
        /// What the question was about; may be empty.
        about: String,
        /// The values that decided.
        causes: Vec<Cause>,
        /// Where the answer comes from.
        origin: Origin,
    },
    /// A request was refused.
    Refused {
        /// The request: `jump`, `grab`, `hook`, `rope`, `model` or `place`.
        what: &'static str,
        /// The reason.
        why: String,
        /// The values that decided.
        causes: Vec<Cause>,
    },
    /// A sequence waits there, in the script of this layer; `None` for the lowest one.
    Waits(Arc<WaitPoint>, Option<Arc<str>>),
    /// Something else that explains a motion.
    Noted(String),
}

impl WhyDetail {
    /// Whether this, in one step, and `next`, in the same phase of the next step, are one condition that lasts: a ride on
    /// a platform, a wall that is not grabbed, an order that is given in every tick, with whatever numbers.
    pub(super) fn lasts_as(&self, next: &Self) -> bool {
        match (self, next) {
            (Self::Changed { .. }, Self::Changed { .. }) => true,
            (Self::Ordered(a), Self::Ordered(b)) => a.layer == b.layer && a.command.lasts_as(&b.command),
            (Self::Waits(..), Self::Waits(..)) => self == next,
            (Self::Noted(a), Self::Noted(b)) => equal_without_numbers(a, b),
            (Self::Answered { answer: a, about: x, .. }, Self::Answered { answer: b, about: y, .. }) => {
                a == b && equal_without_numbers(x, y)
            }
            // Two presses are two events.
            (Self::Refused { what: "jump", .. }, _) => self == next,
            (Self::Refused { what: r, why: a, .. }, Self::Refused { what: s, why: b, .. }) => {
                r == s && equal_without_numbers(a, b)
            }
            _ => false,
        }
    }
}

/// Whether two texts differ only in their numbers.
fn equal_without_numbers(a: &str, b: &str) -> bool {
    let kept = |c: &char| !(c.is_ascii_digit() || matches!(c, '.' | '-'));
    a.chars().filter(kept).eq(b.chars().filter(kept))
}

/// One line of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct WhyEntry {
    /// The phase of the tick.
    pub phase: TickPhase,
    /// What happened.
    pub detail: WhyDetail,
    /// Whether the same happened in the previous step: a script keeps holding a key, a wall is
    /// still not grabbed, a platform still carries the body.
    pub repeated: bool,
}

impl WhyEntry {
    /// Whether it is ordinary motion or repeats the previous step.
    pub fn is_plain(&self) -> bool {
        self.repeated
            || match &self.detail {
                WhyDetail::Changed { .. } => {
                    matches!(self.phase, TickPhase::Drive | TickPhase::Travel)
                }
                WhyDetail::Answered { answer, origin, .. } => {
                    let no = matches!(answer, RuleAnswer::GrappleSnaps(false) | RuleAnswer::CanGrab(false));
                    no && *origin == Origin::Engine
                }
                WhyDetail::Noted(_) => self.phase == TickPhase::Zones,
                WhyDetail::Ordered(_) | WhyDetail::Waits(..) | WhyDetail::Refused { .. } => false,
            }
    }
}

/// What moved an entity in one step.
#[derive(Clone, Debug, PartialEq)]
pub struct WhyReport {
    /// The entity.
    pub entity: EntityId,
    /// Its name.
    pub name: Arc<str>,
    /// Its profile, an index into the stage's profiles.
    pub profile: usize,
    /// The tick at whose end the step is visible.
    pub tick: u64,
    /// Its model in this step.
    pub model: ModelName,
    /// What happened, in order.
    pub entries: Vec<WhyEntry>,
    /// The path of its center, px: where the step began, wherever a phase or a landing changed it, and
    /// where it ended.
    pub path: Vec<DVec2>,
}

/// Which entities the why log watches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Watch {
    /// None: the log is off.
    #[default]
    Off,
    /// All entities.
    All,
    /// The entities with these names, as soon as they exist.
    Named(Vec<Arc<str>>),
}

impl Watch {
    /// A single entity.
    pub fn one(name: &str) -> Self {
        Self::Named(vec![name.into()])
    }

    pub(super) fn includes(&self, entity: &Entity) -> bool {
        match self {
            Self::Off => false,
            Self::All => true,
            Self::Named(names) => names.contains(&entity.name),
        }
    }
}
