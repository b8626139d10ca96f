//! The interface to scripts: the questions of a tick, and the trait that answers them.

use super::event::Event;
use super::invocation::{Decision, Invocation, Question, RuleCall, RuleReply};
use super::judgement::Judgement;
use super::stage::{ScriptId, Stage};
use super::world::World;

/// What scripts can see of the world during a phase.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The current tick: n in the step from tick n to n+1.
    pub tick: u64,
    /// Seconds since the start.
    pub time: f64,
    /// The events of the previous step, sorted by entity.
    pub events: &'a [Event],
    /// The level and its tuning.
    pub stage: &'a Stage,
    /// The world when the phase began. Script variables of the entities that are called are moved
    /// to their [`Decision`]s.
    pub world: &'a World,
}

/// When a script is called in the decide phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subscriptions {
    /// In every tick: it has `on_tick`.
    pub ticks: bool,
    /// When the conditions of its rules have changed: it has `model` or `jump_windows`.
    pub rules: bool,
    /// For these engine events, by [`EventKind::bit`](super::EventKind::bit).
    pub events: u32,
}

impl Subscriptions {
    /// Called in every tick, for every rule and for every event.
    pub const ALL: Self = Self { ticks: true, rules: true, events: u32::MAX };
    /// Never called.
    pub const NONE: Self = Self { ticks: false, rules: false, events: 0 };
}

/// Decides what entities do.
///
/// The world passes a slice of questions and takes the answers from a second slice, so that an
/// answer may come from a script or from native code. Physics never waits for a rule and never
/// fails because of one: whatever remains unanswered is decided by tuning.
pub trait Rules {
    /// When a script is called. Entities whose script has nothing to do are skipped.
    fn subscriptions(&self, _script: ScriptId) -> Subscriptions {
        Subscriptions::ALL
    }

    /// Whether a script has a hook for the event with this name, which a timer or a script emits.
    fn has_hook(&self, _script: ScriptId, _event: &str) -> bool {
        false
    }

    /// Called at the beginning of each tick, even if no script is called in it.
    fn begin_tick(&mut self) {}

    /// Runs the calls of the decide phase in entity order. Each invocation has its decision at the
    /// same index.
    fn decide(&mut self, scene: &Scene<'_>, invocations: &mut [Invocation], decisions: &mut [Decision]);

    /// Whether a script has a rule for questions of this kind.
    fn has_rule(&self, _script: ScriptId, _question: &Question) -> bool {
        false
    }

    /// Answers the questions of the tick in entity order. Each call has its reply at the same
    /// index.
    fn answer(&mut self, _scene: &Scene<'_>, _calls: &mut [RuleCall], _replies: &mut [RuleReply]) {}

    /// Whether a script judges how well its entities do.
    fn judges(&self, _script: ScriptId) -> bool {
        false
    }

    /// Asks a script, between two ticks, how well its entity does.
    fn judge(&mut self, _scene: &Scene<'_>, _invocation: &mut Invocation, _decision: &mut Decision) -> Judgement {
        Judgement::default()
    }
}

/// Rules without scripts: tuning decides everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NativeRules;

impl Rules for NativeRules {
    fn subscriptions(&self, _script: ScriptId) -> Subscriptions {
        Subscriptions::NONE
    }

    fn decide(&mut self, _scene: &Scene<'_>, _invocations: &mut [Invocation], _decisions: &mut [Decision]) {}
}
