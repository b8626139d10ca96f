//! The contract of a movement model.

use super::*;
use serde::de::DeserializeOwned;

/// A way to move. The methods are the phases of a tick, in their order; the constants at the end
/// name the capabilities that only some models have.
///
/// The default phases suit a body that walks: it rides platforms, stands on ground and falls.
pub trait Model: Sized + 'static {
    /// Every mode that [`mode`](Self::mode) can return.
    const MODES: &'static [Mode];
    /// The views in which the model works.
    const VIEWS: &'static [View];
    /// The views in which the jump key starts a jump.
    const JUMP_VIEWS: &'static [View] = Self::VIEWS;
    /// How players move a body, other than by jumping: the actions, and a word for hints on the screen.
    const MOVES: &'static [(&'static [Action], &'static str)] = &[(&[Action::Left, Action::Right], "run")];
    /// Whether bodies keep their angle; in other models they are upright.
    const TURNS: bool = false;
    /// Outline color of its bodies in pictures: red, green, blue.
    const OUTLINE: [u8; 3];
    /// State that the model keeps between ticks, besides the [`Body`] of every entity.
    type State: Clone + Default + PartialEq + Send + fmt::Debug + Serialize + DeserializeOwned;
    /// Tuning parameters.
    type Tuning: ModelTuning;

    /// Carries the body along with moving platforms, and out of their way.
    fn carry(_state: &mut Self::State, body: &mut Body, step: &Step<Self::Tuning>, report: &mut Report) {
        riding::carry(body, true, step.context, report);
    }

    /// Finds out what the body stands on, unless that is known already. `pushed` says whether
    /// anything other than the model has changed its velocities.
    #[inline(always)]
    fn sense(_state: &mut Self::State, body: &mut Body, step: &Step<Self::Tuning>, pushed: bool, report: &mut Report) {
        step.context.sense(body, pushed, report);
    }

    /// Returns this tick's velocity and motion, as if nothing were in the way.
    fn drive(
        state: &mut Self::State,
        body: &mut Body,
        intent: &Intent,
        loadout: &Loadout<Self::Tuning>,
        around: &Surroundings,
        report: &mut Report,
    ) -> Motion;

    /// Moves the body by that motion. Terrain stops or deflects it.
    fn travel(
        _state: &mut Self::State,
        body: &mut Body,
        motion: &Motion,
        step: &Step<Self::Tuning>,
        report: &mut Report,
    ) {
        match step.context.around.level.view {
            View::Side => travel::travel(body, motion, step.context, report, &Unsteered),
            View::Top => plane::travel(body, motion, step.context, report),
        }
    }

    /// Looks for ground under a body in the air, and reports landings and take-offs.
    #[inline(always)]
    fn settle(_state: &mut Self::State, body: &mut Body, step: &Step<Self::Tuning>, report: &mut Report) {
        step.context.settle(body, report);
    }

    /// How its tick is divided where it crosses the border of a zone.
    fn division(_state: &Self::State, body: &Body, context: &MoveContext) -> Division {
        Division::of_walker(body, context)
    }

    /// Whether the tick of a body may be divided where a platform near it turns. If not, platforms have moved straight in
    /// that tick.
    fn sees_turns(_state: &Self::State, _intent: &Intent) -> bool {
        true
    }

    /// The motion for the rest of a tick, which lasts `around.dt`, of a body that has come into other conditions. A jump keeps
    /// its speed for the first `held` seconds. `None` if keys and the surface count once per tick.
    fn resume(
        _state: &Self::State,
        _body: &Body,
        _step: &Step<Self::Tuning>,
        _around: &Surroundings,
        _held: f64,
    ) -> Option<Motion> {
        None
    }

    /// What the feet of a body on the ground do while something else pulls on it as well; `None` if it has none.
    fn tread(
        _body: &Body,
        _contact: Contact,
        _intent: &Intent,
        _loadout: &Loadout<Self::Tuning>,
        _around: &Surroundings,
    ) -> Option<Tread> {
        None
    }

    /// What the body is doing.
    fn mode(state: &Self::State, body: &Body) -> Mode;

    /// For which body to look for places to rest, if its bodies move to such places and `up` (1 or −1)
    /// is the direction against gravity.
    fn rest_query(_loadout: &Loadout<Self::Tuning>, _up: f64) -> Option<RestQuery<'_>> {
        None
    }

    /// Checks a saved state.
    ///
    /// # Errors
    /// Its first field that is wrong.
    fn check(_state: &Self::State, _loadout: &Loadout<Self::Tuning>, _saved: &SavedContext) -> Checked {
        Ok(())
    }

    /// Feeds the state into a hash.
    fn digest(_state: &Self::State, _digest: &mut Digest) {}

    /// Set if bodies have a grappling hook.
    const HOOKED: Option<&'static dyn Hooked<Self::State, Self::Tuning>> = None;
    /// Set if bodies grab walls and roofs.
    const CLIMBING: Option<&'static dyn Climbing<Self::State, Self::Tuning>> = None;
    /// Set if bodies turn and collide as pieces.
    const RIGID: Option<&'static dyn Rigid<Self::State, Self::Tuning>> = None;
    /// Set if bodies follow a planned flight.
    const FLYING: Option<&'static dyn Flying<Self::State>> = None;
}

/// Where a body moves: its collider and footing, and the terrain and conditions around it.
#[derive(Clone, Copy, Debug)]
pub struct MoveContext<'a> {
    /// The body's collider.
    pub shape: Collider,
    /// How the body stands and falls.
    pub footing: &'a Footing,
    /// Tick, gravity, zones and level.
    pub around: &'a Surroundings<'a>,
    /// The body's input.
    pub intent: &'a Intent,
    /// Height of the body's feet, px. It decides which part of a top view's terrain blocks the body.
    pub z: f64,
}

impl<'a> MoveContext<'a> {
    /// The context of a body with this collider and input, at its current position.
    #[inline(always)]
    pub fn new(
        shape: Collider,
        footing: &'a Footing,
        around: &'a Surroundings<'a>,
        intent: &'a Intent,
        body: &Body,
    ) -> Self {
        // A side view needs no height, which is not where a tick looks otherwise.
        let z = if around.level.view == View::Side { 0.0 } else { body.z };
        Self { shape, footing, around, intent, z }
    }

    /// The velocity with which a contact carries the body, px/s: see [`Surroundings::carrier_velocity`].
    pub(super) fn carrier_velocity(&self, body: &Body, contact: &Contact) -> DVec2 {
        self.around.carrier_velocity(contact.feature, contact.point(self.shape, body.pos))
    }

    /// Finds out what a walking body stands on: see [`Model::sense`].
    #[inline(always)]
    pub(super) fn sense(&self, body: &mut Body, pushed: bool, report: &mut Report) {
        match self.around.level.view {
            View::Side => footing::sense(body, self, pushed, report),
            View::Top => plane::sense(body, self, pushed, report),
        }
    }

    /// Looks for ground under a walking body: see [`Model::settle`].
    #[inline(always)]
    pub(super) fn settle(&self, body: &mut Body, report: &mut Report) {
        match self.around.level.view {
            View::Side => footing::settle(body, self, report),
            View::Top => plane::settle(body, self, report),
        }
    }

    /// The direction against gravity along y, 1 or −1.
    #[inline(always)]
    pub fn up(&self) -> f64 {
        self.footing.up(self.around.gravity)
    }

    /// Which contacts count as ground, and in which direction the ground is.
    #[inline(always)]
    pub fn rule(&self) -> &'a GroundRule {
        self.footing.rule_for(self.up())
    }

    /// The terrain of [`scenery`](Self::scenery), with everything in it.
    #[inline(always)]
    pub fn terrain(&self) -> &'a Terrain {
        match self.around.level.view {
            View::Side => &self.around.level.terrain,
            View::Top => self.around.level.terrain_at(self.z),
        }
    }

    /// The terrain that can block the body. While it [drops](Intent::drops) there are no one-way platforms, which only
    /// side views have.
    #[inline]
    pub fn scenery(&self) -> Scenery<'a> {
        match self.around.level.view {
            View::Side => {
                let scenery = self.around.scenery();
                scenery.dropping(self.intent.drops()).upward(self.up())
            }
            View::Top => self.around.scenery_at(self.z),
        }
    }
}

/// Everything that a model needs to move one body through a tick.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a, T: ModelTuning> {
    /// The body's input.
    pub intent: &'a Intent,
    /// Its tuning and collider.
    pub loadout: &'a Loadout<T>,
    /// The terrain and the other conditions where it is.
    pub context: &'a MoveContext<'a>,
}

/// How a body's tick may be divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Division {
    /// Not at all: it holds on to something, follows a planned path, or divides its tick itself.
    Whole,
    /// Gravity does not act on its motion.
    Supported,
    /// Gravity acts, up to this fall speed, px/s.
    Falling(f64),
}

impl Division {
    /// The division for models whose bodies walk and fall.
    pub fn of_walker(body: &Body, context: &MoveContext) -> Self {
        if body.cling.is_some() {
            Self::Whole
        } else if body.stands() {
            Self::Supported
        } else {
            Self::Falling(context.footing.max_fall_speed)
        }
    }
}

/// The tunables of a model.
pub trait ModelTuning: Tunables {
    /// Values that the model computes once from tuning and body shape, besides
    /// [`Loadout::footing`].
    type Derived: Clone + PartialEq + fmt::Debug + Send + Sync;

    /// How bodies stand and fall; the defaults for a model in which they do neither.
    fn footing(&self) -> FootingTuning;

    /// Computes [`Loadout::derived`].
    fn derived(&self, shape: &BodyShape) -> Self::Derived;
}

/// An entity kind's tuning and collider for one model, and the values that follow from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Loadout<T: ModelTuning> {
    /// The model's tunables.
    pub tuning: T,
    /// The collider; for a rigid body, the box around it.
    pub shape: Collider,
    /// How the body stands on ground.
    pub footing: Footing,
    /// Other values that the model computes from tuning and body shape.
    pub derived: T::Derived,
    /// The kind's shape, from which the other fields are computed again when a tunable or the size changes.
    body_shape: Arc<BodyShape>,
    /// The full widths, px, if they are not the kind's.
    size: Option<DVec2>,
}

impl<T: ModelTuning> Loadout<T> {
    /// Combines a tuning with a body shape.
    pub fn new(tuning: T, body_shape: &BodyShape) -> Self {
        Self::sized(tuning, Arc::new(body_shape.clone()), None)
    }

    fn sized(tuning: T, body_shape: Arc<BodyShape>, size: Option<DVec2>) -> Self {
        let sized = size.map(|size| body_shape.sized(size));
        let shape = sized.as_ref().unwrap_or(&body_shape);
        Self {
            footing: Footing::new(&tuning.footing()),
            derived: tuning.derived(shape),
            shape: shape.collider,
            body_shape,
            size,
            tuning,
        }
    }

    /// The collider that the kind defines.
    pub fn kind_shape(&self) -> Collider {
        self.body_shape.collider
    }

    /// Sets the full widths, px. The form stays.
    pub fn resize(&mut self, size: DVec2) {
        *self = Self::sized(self.tuning.clone(), self.body_shape.clone(), Some(size));
    }

    /// Sets one tunable and recomputes the values that follow from it.
    ///
    /// # Errors
    /// As [`Tunables::set`].
    pub fn set(&mut self, name: &str, value: &Setting) -> Result<(), SetError> {
        let mut tuning = self.tuning.clone();
        tuning.set(name, value)?;
        *self = Self::sized(tuning, self.body_shape.clone(), self.size);
        Ok(())
    }
}
