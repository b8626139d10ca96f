//! Who decides: the questions that a tick asks, and the answers.

use super::why::Answer;
use super::{
    Ask, EntityId, Event, Leap, ScriptId, SharedView, Stage, Value, Vars, World, digest::Digest,
};
use crate::models::{Action, Actions, Grasp, Intent, ModelName, Strain, Windows};
use crate::tuning::Setting;
use glam::DVec2;
use std::sync::Arc;

/// What a script orders for its entity. Orders take effect in entity order when the phase ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Sets the model's own velocity, px/s, and in a top view that in height.
    SetVelocity(DVec2, f64),
    /// Sets how far it is turned, radians.
    Turn(f64),
    /// Sets how fast it turns, rad/s.
    Spin(f64),
    /// Sets the external velocity, px/s.
    SetExternal(DVec2),
    /// Adds to the external velocity, px/s.
    Push(DVec2),
    /// Sets the facing, 1 or −1.
    Face(f64),
    /// Holds an action during this tick.
    Hold(Action),
    /// Lets an action go during this tick, whatever the player holds.
    Release(Action),
    /// Moves the stick during this tick.
    Steer(DVec2),
    /// Aims at a point during this tick.
    Aim(DVec2),
    /// Starts a jump, on ground or not.
    Jump,
    /// Fires the hook at a point; it holds until it is released.
    FireHook(DVec2),
    /// Lets the hook go.
    ReleaseHook,
    /// Jumps to a destination.
    JumpTo(Box<Leap>),
    /// Puts the center somewhere, out of solids, and in a top view the feet at a height if one is
    /// given.
    Place(DVec2, Option<f64>),
    /// Sets the model, over the rule `model`.
    SetModel(ModelName),
    /// Gives the choice of the model back to the rule.
    ClearModel,
    /// Sets a tunable of a model for this entity alone. Name and value have been checked.
    Tune(ModelName, &'static str, Setting),
    /// Gives a tunable back to the files; all of them when none is named.
    Untune(Option<(ModelName, &'static str)>),
    /// Tells the entity of an event by this name, so many seconds from now.
    After(f64, Arc<str>),
    /// Forgets what `After` has set by this name.
    Cancel(Arc<str>),
    /// Tells everybody of an event by this name.
    Emit(Arc<str>, Value),
    /// Brings an entity into the world when the tick is over.
    Create(Box<Creation>),
    /// Takes the entity out of the world.
    Remove,
    /// Switches a solid on or off; an index into the level's solids.
    Switch(u32, bool),
    /// Shows a text in traces.
    Note(Arc<str>),
}

/// An entity that a script brings into the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Creation {
    /// Its number, which no other entity has had.
    pub id: EntityId,
    /// Its name, which no other entity has.
    pub name: Arc<str>,
    /// Its profile, an index into [`Stage::profiles`].
    pub profile: usize,
    /// Its center, px.
    pub at: DVec2,
    /// How high its feet are in a top view, px.
    pub z: f64,
}

/// One entity's turn in the decide phase: what its script is told and asked, and what it answers.
#[derive(Debug)]
pub struct Turn {
    /// Whose turn it is.
    pub entity: EntityId,
    /// Where in the world's list it was when the turn was dealt.
    pub(super) place: usize,
    /// The script that decides.
    pub script: ScriptId,
    /// The entity as it stood when the phase began.
    pub view: SharedView,
    /// Its profile, an index into the profiles of the scene's stage.
    pub profile: usize,
    /// Whether it is on its way to where a jump was aimed: then it has the model that flies, and the
    /// rules wait.
    pub jumping: bool,
    /// Whether it has left the level and is taken out of the world, unless it is placed elsewhere.
    pub leaves: bool,
    /// What it wants so far: its player's input.
    pub intent: Intent,
    /// What it held in the tick before, its script's wishes included.
    pub before: Actions,
    /// Which of the scene's events are its own; those that it has been told are taken off.
    pub events: std::ops::Range<usize>,
    /// Its variables, to be worked on.
    pub vars: Vars,
    /// What the rules were last asked about; none means that they have to be asked.
    pub asked: Option<u64>,
    /// Whether its answers are to be written down.
    pub watched: bool,
    /// What its rules have answered, if that is to be written down.
    pub answers: Vec<Answer>,
    /// How many numbers its random stream has given.
    pub random: u64,
    /// How many of its timers run.
    pub timers: usize,
    /// What it orders.
    pub commands: Vec<Command>,
    /// Whether a hook of its script was called in this turn.
    pub called: bool,
    /// Whether one has failed.
    pub failed: bool,
    /// Whether something was left out, as the scripts of this tick have used up what they have together.
    pub skipped: bool,
    /// The answer of the rule `model` if it was asked: none means that it has no say.
    pub model: Option<Option<ModelName>>,
    /// The answer of the rule `jump_windows` if it was asked.
    pub windows: Option<Windows>,
}

impl Turn {
    /// A digest of what the answers of rules may depend on: surface, ground, zones and variables. Rules
    /// are asked when it differs from [`Turn::asked`].
    #[must_use]
    pub fn conditions(&self) -> u64 {
        let mut digest = Digest::new();
        digest.text(&self.view.surface);
        digest.word(u64::from(self.view.grounded));
        digest.word(self.view.zones.len() as u64);
        self.view.zones.iter().for_each(|zone| digest.text(zone));
        self.vars.0.digest(&mut digest);
        digest.finish()
    }
}

/// What everybody sees in the decide phase.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// In the step from n to n+1 it is n.
    pub tick: u64,
    /// Seconds since the start.
    pub time: f64,
    /// What happened in the step before, by entity.
    pub events: &'a [Event],
    /// The stage, to look things up in.
    pub stage: &'a Stage,
    /// The world as it stands; variables are with the turns meanwhile.
    pub world: &'a World,
}

/// What a script has to do in the decide phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subscriptions {
    /// Something in every tick.
    pub ticks: bool,
    /// Rules that are asked when what they depend on has changed.
    pub rules: bool,
    /// Events that it is told, by the bits of [`EventKind::bit`](super::EventKind::bit).
    pub told: u32,
}

impl Subscriptions {
    /// All there is.
    pub const ALL: Self = Self {
        ticks: true,
        rules: true,
        told: u32::MAX,
    };
    /// Nothing.
    pub const NOTHING: Self = Self {
        ticks: false,
        rules: false,
        told: 0,
    };
}

/// Who decides.
///
/// The world hands out a slice of turns and takes the answers from it, so that an answer may come
/// from a script today and from somewhere else tomorrow. Physics never waits for a rule and never
/// fails because of one: what is not answered is decided by tuning.
pub trait Rules {
    /// What a script has to do in the decide phases: who has nothing to do gets no turn.
    fn heeds(&self, _script: ScriptId) -> Subscriptions {
        Subscriptions::ALL
    }

    /// Whether a script has a hook for an event by this name, which scripts have set or emitted.
    fn hears(&self, _script: ScriptId, _name: &str) -> bool {
        false
    }

    /// A tick begins, whether or not anybody has something to do in it.
    fn begin_tick(&mut self) {}

    /// Plays the turns of this tick, in entity order.
    fn decide(&mut self, scene: &Scene<'_>, turns: &mut [Turn]);

    /// Whether a script has an answer to a question of this kind.
    fn answers(&self, _script: ScriptId, _question: &Question) -> bool {
        false
    }

    /// Answers what is asked inside the tick, in entity order.
    fn answer(&mut self, _scene: &Scene<'_>, _asks: &mut [Ask]) {}
}

/// What is asked inside a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Question {
    /// Whether a rope that is strained so snaps.
    Snaps(Strain),
    /// Whether what a motion has stopped at is grabbed.
    Grabs(Grasp),
}

/// Nobody decides: tuning holds.
#[derive(Clone, Copy, Debug, Default)]
pub struct NativeRules;

impl Rules for NativeRules {
    fn heeds(&self, _script: ScriptId) -> Subscriptions {
        Subscriptions::NOTHING
    }

    fn decide(&mut self, _scene: &Scene<'_>, _turns: &mut [Turn]) {}
}
