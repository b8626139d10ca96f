//! The interface to scripts: the questions of a tick, and the trait that answers them.

use super::*;

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

impl<'a> Scene<'a> {
    /// Writes what the script of a call sees of its entity over `view`: the state when the phase began. `view` shows either
    /// entities or the level. `intent` becomes the entity's input so far, which is its player's. Returns the actions that it
    /// held in the previous tick, including those that its script held.
    #[inline]
    pub fn observe(&self, called: Called, parts: ViewParts, (view, intent): (&mut EntityView, &mut Intent)) -> Actions {
        if called.entity == EntityId::LEVEL {
            *intent = Intent::default();
            self.observe_level(view);
            return Actions::NONE;
        }
        let population = &self.world.population;
        let time = (self.stage, self.world.changes(), self.tick);
        let (input, before) = observe(view, &population.entities[called.index], population, time, parts);
        *intent = *input;
        before
    }

    /// Writes what the level's script sees. Apart, so that observing an entity needs little of the stack.
    #[cold]
    #[inline(never)]
    fn observe_level(&self, view: &mut EntityView) {
        if view.name.is_empty() {
            *view = EntityView::of_level(self.time);
        }
        view.age = self.time;
        view.rate = self.world.changes().rate();
    }

    /// The running sequences of the entity that is called, or of the level.
    pub fn frames_of(&self, called: Called) -> &'a [SequenceFrame] {
        let world: &'a World = self.world;
        match called.entity {
            EntityId::LEVEL => &world.level.script_state.frames,
            _ => world.population.entities[called.index].frames(),
        }
    }

    /// The name of the entity that is called; none for the level.
    pub fn name_of(&self, called: Called) -> Option<&'a Arc<str>> {
        let world: &'a World = self.world;
        let entity = called.entity != EntityId::LEVEL;
        entity.then(|| &world.population.entities[called.index].name)
    }
}

/// The entity that is called, or the level.
#[derive(Clone, Copy, Debug, Default)]
pub struct Called {
    /// The entity, or [`EntityId::LEVEL`].
    pub entity: EntityId,
    /// Index into the world's entities when the phase began.
    index: usize,
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
    fn decide(&mut self, scene: &Scene, invocations: &mut [Invocation], decisions: &mut [Decision]);

    /// Whether a script has a rule for questions of this kind.
    fn has_rule(&self, _script: ScriptId, _question: &Question) -> bool {
        false
    }

    /// Whether a script may read the input of players, whatever entities they have.
    fn hears_players(&self) -> bool {
        false
    }

    /// Whether a rule that is asked within a tick may read other entities than its own. Then every entity is in the same
    /// phase when a rule is asked.
    fn reads_others_within_ticks(&self) -> bool {
        true
    }

    /// Answers the questions of the tick in entity order. Each call has its reply at the same
    /// index.
    fn answer(&mut self, _scene: &Scene, _calls: &mut [RuleCall], _replies: &mut [RuleReply]) {}

    /// Whether a script judges how well its entities do.
    fn judges(&self, _script: ScriptId) -> bool {
        false
    }

    /// Asks a script, between two ticks, how well its entity does.
    fn judge(&mut self, _scene: &Scene, _invocation: &mut Invocation, _decision: &mut Decision) -> Judgement {
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

    fn decide(&mut self, _scene: &Scene, _invocations: &mut [Invocation], _decisions: &mut [Decision]) {}

    fn reads_others_within_ticks(&self) -> bool {
        false
    }
}

/// The input of a script call, for an entity or for the level.
#[derive(Clone, Debug, Default)]
pub struct Invocation {
    /// The entity, or [`EntityId::LEVEL`].
    pub entity: EntityId,
    /// Index into the world's entities when the phase began.
    pub(super) index: usize,
    /// The script.
    pub script: ScriptId,
    /// Its profile, an index into the profiles of the scene's stage.
    pub profile: usize,
    /// Whether it is flying to the destination of a planned jump. It then keeps the model
    /// `ballistic`, and the rules are not asked.
    pub jumping: bool,
    /// Whether it was spawned by a script and has left the level's bounds: it despawns unless this
    /// call teleports it.
    pub leaves: bool,
    /// Its own events among the scene's events.
    pub events: Range<usize>,
    /// The number of its timers.
    pub timers: usize,
    /// Whether the why log watches it, so that answers of rules have to be recorded.
    pub watched: bool,
}

impl Invocation {
    /// The entity that is called, or the level.
    pub fn called(&self) -> Called {
        Called { entity: self.entity, index: self.index }
    }

    /// An invocation of nothing, to be overwritten.
    pub(super) fn empty() -> Self {
        Self { index: usize::MAX, ..Self::default() }
    }
}

/// The result of a script call. It starts out with the entity's variables, its random stream and
/// the conditions under which its rules were last asked; the call updates them.
#[derive(Debug, Default)]
pub struct Decision {
    /// The script variables.
    pub vars: Vars,
    /// How many numbers have been drawn from the random stream.
    pub random: u64,
    /// The same for the scripts above the lowest one. Empty for an entity with one script.
    pub layers: Vec<LayerState>,
    /// Whether the lowest script is disabled because it failed too often, and only those above it are called.
    pub lowest_disabled: bool,
    /// When the rules `model` and `jump_windows` were last asked.
    pub last_asked: LastAsked,
    /// How many of the entity's own events have been delivered.
    pub delivered: usize,
    /// The commands, in the order in which they were given.
    pub commands: Vec<Command>,
    /// Whether a hook was called.
    pub called: bool,
    /// Whether a hook failed.
    pub failed: bool,
    /// Whether hooks were skipped because the operations of this tick were used up.
    pub skipped: bool,
    /// The answer of the rule `model`.
    pub model: ModelAnswer,
    /// The answer of the rule `jump_windows`; `None` if it was not asked or failed.
    pub windows: Option<Windows>,
    /// The answers of rules for the why log, with the layer of the script; `None` for the lowest one. Empty unless the
    /// entity is watched.
    pub answers: Vec<(RuleAnswer, Option<Arc<str>>)>,
}

impl Decision {
    /// Makes it the decision of a call that has not begun, and moves the variables to it. Its lists
    /// keep their memory.
    #[inline(always)]
    pub(super) fn begin(&mut self, vars: &mut Vars, random: u64) {
        mem::swap(&mut self.vars, vars);
        self.random = random;
        self.lowest_disabled = false;
        self.delivered = 0;
        // It is this already where no rule was asked.
        if !self.last_asked.is_never() {
            self.last_asked = LastAsked::Never;
        }
        if !self.layers.is_empty() {
            self.layers.clear();
        }
        self.commands.clear();
        self.answers.clear();
        (self.called, self.failed, self.skipped) = (false, false, false);
        self.model = ModelAnswer::Unchanged;
        self.windows = None;
    }
}

/// The answer of the rule `model`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModelAnswer {
    /// It was not asked or failed: its previous answer remains valid.
    #[default]
    Unchanged,
    /// It answered `()`: the kind's model applies.
    Default,
    /// It named a model.
    Model(ModelName),
}

/// A question to one entity's rule.
#[derive(Clone, Debug)]
pub struct RuleCall {
    /// The input of the call.
    pub invocation: Invocation,
    /// The question.
    pub question: Question,
}

/// The answer to a [`RuleCall`].
#[derive(Debug, Default)]
pub struct RuleReply {
    /// The other results of the call: variables and commands.
    pub decision: Decision,
    /// The answer; `None` leaves it to tuning.
    pub answer: Option<bool>,
    /// The layer whose script answered.
    pub layer: RuleLayer,
}

/// What the rules `reward` and `done` of an entity's script have answered.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Judgement {
    /// The reward; none if no rule gave one.
    pub reward: Option<f64>,
    /// Whether the entity's run has ended; none if no rule said so.
    pub done: Option<bool>,
}
