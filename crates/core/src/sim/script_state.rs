//! The state that the world stores for scripts: for entities that have one, and for the level.

use super::*;

/// The state that the world stores for an entity's script, besides its variables. Boxed, so that
/// entities without a script stay small.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScriptState {
    /// The conditions under which the rules `model` and `jump_windows` were last asked.
    pub last_asked: LastAsked,
    /// The ground at that time. As long as it is the same and `stale` is not set, the conditions
    /// need no comparison.
    pub footing: StandingOn,
    /// Whether zones or variables may have changed since then.
    pub stale: bool,
    /// How many numbers have been drawn from its random stream.
    pub random: u64,
    /// Center and height where a script spawned it; `None` if it is part of the level.
    pub spawned_at: Option<(DVec2, f64)>,
    /// Tuning overrides set by its script, by model and name: `platformer.jump_speed`.
    pub overrides: BTreeMap<String, Setting>,
    /// In how many ticks in a row its script has failed.
    #[serde(flatten)]
    pub failures: FailureCount,
    /// What it has because of scripts above the lowest one, the lowest of these first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<LayerState>,
    /// Its running sequences. A saved world has those of all entities in one list.
    #[serde(skip)]
    pub frames: Vec<SequenceFrame>,
}

/// Whether an entity is grounded, and on which surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StandingOn {
    pub stands: bool,
    pub surface: Option<SurfaceId>,
}

/// The largest count of numbers drawn from one stream. Then the stream begins again.
pub const MOST_DRAWN: u64 = 1 << 53;

impl ScriptState {
    /// Whether all its scripts are disabled until the next reload.
    pub fn is_disabled(&self) -> bool {
        self.failures.quarantined && self.layers.iter().all(LayerState::is_disabled)
    }

    /// Enables the script again and makes its rules due, because files have changed.
    pub fn forgive(&mut self) {
        self.failures.forgive();
        self.last_asked = LastAsked::Never;
    }

    /// Lets a sequence wait in this frame, instead of where it waited before.
    pub fn set_frame(&mut self, frame: SequenceFrame) {
        match self.frames.iter_mut().find(|other| other.is_of(&frame.layer, &frame.at.sequence)) {
            Some(other) => *other = frame,
            None => self.frames.push(frame),
        }
    }

    /// Feeds the script state, without its sequences, into a hash. `last_asked` and `footing` are not part of it: they only
    /// decide when rules are asked.
    pub fn digest(&self, digest: &mut Digest) {
        if self.random > 0 || self.failures.failures > 0 {
            digest.word(self.random);
            self.failures.digest(digest);
        }
        if let Some((at, z)) = self.spawned_at {
            digest.vector(at);
            digest.number(z);
        }
        for (key, value) in &self.overrides {
            digest.text(key);
            digest.text(&value.to_string());
        }
        self.layers.iter().for_each(|layer| layer.digest(digest));
    }
}

/// The state that the world stores for the level's own script.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LevelState {
    /// Whether the level has a script.
    pub has_script: bool,
    /// Its variables.
    pub vars: Vars,
    /// The state other than its variables.
    pub script_state: ScriptState,
}

/// A script that fails in this many consecutive ticks is disabled until the next reload.
pub const MOST_FAILURES: u8 = 10;

// `FailureCount::failures` is a u8.
const _: () = assert!(MOST_FAILURES < u8::MAX);

/// In how many ticks in a row a script has failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FailureCount {
    /// Consecutive ticks in which it failed.
    pub failures: u8,
    /// The tick of the last failure plus 1, or 0 if there was none: first in the decide phase, then
    /// of a rule asked within a tick.
    pub failed_at: [u64; 2],
    /// Whether it is disabled until the next reload.
    pub quarantined: bool,
}

impl FailureCount {
    /// Records whether a script call in the tick `now` has failed, and returns whether that
    /// disables the script. Several failures in one tick count once. A successful decide phase
    /// resets the count, unless a rule asked within the same tick failed.
    pub fn count(&mut self, failed: bool, decided: bool, now: u64) -> bool {
        let [decided_at, asked_at] = self.failed_at;
        if failed {
            let counted = decided_at == now + 1 || asked_at == now + 1;
            self.failures += u8::from(!counted);
            self.failed_at[usize::from(!decided)] = now + 1;
        } else if decided && asked_at < now {
            self.failures = 0;
        }
        let over = self.failures >= MOST_FAILURES && !self.quarantined;
        self.quarantined |= over;
        over
    }

    /// Enables the script again.
    pub fn forgive(&mut self) {
        self.failures = 0;
        self.quarantined = false;
    }

    /// Feeds the count into a hash.
    pub fn digest(&self, digest: &mut Digest) {
        digest.word(u64::from(self.failures));
        digest.words(&self.failed_at);
    }
}

/// A script above the lowest one of a kind.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptLayer {
    /// The layer's name, which is its mod's.
    pub name: Arc<str>,
    /// Initial values of its variables.
    pub vars: BTreeMap<String, Value>,
}

/// The state that an entity has because of a script above the lowest one. During a call it is in the
/// [`Decision`](super::Decision).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LayerState {
    /// The layer's name.
    pub name: Arc<str>,
    /// Its variables.
    pub vars: Vars,
    /// How many numbers have been drawn from its random stream.
    #[serde(default)]
    pub random: u64,
    /// In how many ticks in a row it has failed.
    #[serde(default)]
    pub(super) failures: FailureCount,
    /// What the running call has done with this layer.
    #[serde(skip)]
    pub outcome: LayerOutcome,
}

/// Whether a hook of a script was called, and whether one failed. It means nothing between two calls, so it is not part of the state.
#[derive(Clone, Copy, Debug, Default)]
pub struct LayerOutcome {
    /// Whether a hook was called.
    pub called: bool,
    /// Whether a hook failed.
    pub failed: bool,
}

impl PartialEq for LayerOutcome {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl LayerState {
    pub(super) fn new(layer: &ScriptLayer) -> Self {
        Self {
            name: layer.name.clone(),
            vars: Vars::plain(layer.vars.clone()),
            random: 0,
            failures: FailureCount::default(),
            outcome: LayerOutcome::default(),
        }
    }

    /// Whether its script is disabled until the next reload because it failed too often.
    pub fn is_disabled(&self) -> bool {
        self.failures.quarantined
    }

    /// The layer as tests read it: a map with its `vars`.
    pub(super) fn to_value(&self) -> Value {
        let vars = Value::Map(self.vars.0.to_plain());
        Value::Map(BTreeMap::from([("vars".to_string(), vars)]))
    }

    /// Feeds the layer into a hash.
    pub(super) fn digest(&self, digest: &mut Digest) {
        digest.text(&self.name);
        self.vars.0.digest(digest);
        digest.word(self.random);
        self.failures.digest(digest);
    }
}

/// Continues with the layers of a changed kind: each keeps its state by its name, and those that failed are tried again.
pub fn adopt_layers(states: &mut Vec<LayerState>, layers: &[ScriptLayer]) {
    let mut known = mem::take(states);
    for layer in layers {
        let place = known.iter().position(|state| state.name == layer.name);
        let mut state = place.map_or_else(|| LayerState::new(layer), |at| known.swap_remove(at));
        state.vars.0.fill(&layer.vars);
        state.failures.forgive();
        states.push(state);
    }
}

/// Everything that the answers of `model` and `jump_windows` may depend on. The values themselves
/// are stored, not a digest: two different states must never pass for the same one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    surface: Arc<str>,
    grounded: bool,
    zones: Arc<[Arc<str>]>,
    /// The script variables.
    pub vars: Vars,
    /// The variables of the scripts above the lowest one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<Vars>,
}

impl Conditions {
    /// Whether an entity with this view, these variables and these layers is still under these conditions.
    pub fn hold(&self, view: &EntityView, vars: &Vars, layers: &[LayerState]) -> bool {
        let mut pairs = self.layers.iter().zip(layers);
        self.grounded == view.grounded
            && self.surface == view.surface
            && self.zones == view.zones
            && self.vars.0.same_as(&*vars.0)
            && self.layers.len() == layers.len()
            && pairs.all(|(known, layer)| known.0.same_as(&*layer.vars.0))
    }

    /// Makes these the conditions of an entity with this view, these variables and these layers. Only the
    /// variables that differ are copied.
    pub fn record(&mut self, view: &EntityView, vars: &Vars, layers: &[LayerState]) {
        self.grounded = view.grounded;
        self.surface.clone_from(&view.surface);
        self.zones.clone_from(&view.zones);
        vars.0.snapshot_into(&mut self.vars.0);
        self.layers.resize_with(layers.len(), Vars::default);
        for (known, layer) in self.layers.iter_mut().zip(layers) {
            layer.vars.0.snapshot_into(&mut known.0);
        }
    }
}

/// The conditions under which an entity's rules were last asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum LastAsked {
    /// Not since the entity spawned or its files changed: they are due.
    #[default]
    Never,
    /// Its script has no such rules.
    WithoutRules,
    /// Under these conditions. The rules are due when they no longer hold.
    Under(Box<Conditions>),
}

impl LastAsked {
    /// Whether the rules are due in any case.
    pub const fn is_never(&self) -> bool {
        matches!(self, Self::Never)
    }
}
