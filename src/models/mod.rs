//! Floor 2: the movement models, one room each, and what several of them share.
//!
//! A model is a lane: all entities that it moves lie in one array of its state. It answers two
//! questions a tick. *Drive*: from state, intent, tuning and ground, which velocity and motion?
//! *Travel*: where does that motion end in this terrain? It reads no other entity, no clock and
//! no script, and never learns of another model.
//!
//! * [`platformer`]: run, walk, jump; momentum in the air.
//! * [`two_velocity`]: an intended velocity, blended by the ground's grip, beside an external one.
//! * [`Jump`]: holding, grace and buffer, shared so that a jump survives a change of model.
//! * [`footing`]: standing, walking, falling and landing, shared by those who walk in side view.
//! * [`travel`](mod@self::travel): along the ground, or freely until it lands; [`riding`]: on and before
//!   moving platforms.
//! * [`motion`]: exact motion under constant acceleration with limits.

pub mod footing;
pub mod jump;
pub mod motion;
pub mod platformer;
pub mod riding;
pub mod travel;
pub mod two_velocity;

mod body;
mod intent;
mod rope;

pub use body::{Body, Grasp, Hold, HookNews, Landing, Motion, ROOF, Report};
pub use footing::{Footing, FootingTuning, Locale};
pub use intent::{Action, Actions, Intent};
pub use jump::{Jump, JumpTuning, Windows};
pub use rope::{HookOrder, HookView, Strain};

use crate::geometry::Ellipse;
use crate::level::{Feature, Level, Scenery, Terrain, Transit};
use crate::tuning::{SurfaceTuning, Tunables};
use glam::DVec2;
use serde::{Serialize, de::DeserializeOwned};

/// What holds for everybody during one tick.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// The number of the tick that is being made: in the step from n to n+1 it is n.
    pub now: u64,
    /// Ticks a second.
    pub hz: f64,
    /// Length of a tick, s.
    pub dt: f64,
    /// How hard things fall, px/s².
    pub gravity: f64,
    /// For how many seconds of this tick external velocity acts at its full value: the integral
    /// of its decay.
    pub external_seconds: f64,
    /// The share of external velocity that is left after this tick.
    pub external_kept: f64,
    /// The level.
    pub level: &'a Level,
    /// What each surface does; indexed by [`crate::level::SurfaceId`].
    pub surfaces: &'a [SurfaceTuning],
    /// Where the platforms are, and how far they have gone in this tick.
    pub transit: &'a Transit,
}

impl Surroundings<'_> {
    /// Seconds since the tick `began`: counted from there, not summed.
    #[must_use]
    pub fn since(&self, began: u64) -> f64 {
        (self.now - began) as f64 / self.hz
    }

    /// The terrain with its platforms where they are.
    #[must_use]
    pub fn scenery(&self) -> Scenery<'_> {
        self.level.terrain.moved(&self.transit.offsets)
    }

    /// The velocity of the platform that a feature is part of, px/s; 0 for what stands still.
    #[must_use]
    pub fn carrier_velocity(&self, feature: Feature) -> DVec2 {
        let platform = self.level.terrain.edge_of(feature).platform;
        platform.map_or(DVec2::ZERO, |p| self.transit.steps[p as usize] * self.hz)
    }
}

/// What an entity brings into a model: tuning, collider and what follows from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Outfit<T> {
    /// The model's tunables for this entity.
    pub tuning: T,
    /// The collider.
    pub shape: Ellipse,
    /// How it stands on ground.
    pub footing: Footing,
}

impl<T: ModelTuning> Outfit<T> {
    /// An outfit for a body of this shape.
    #[must_use]
    pub fn new(tuning: T, shape: Ellipse) -> Self {
        let footing = Footing::new(tuning.footing());
        Self {
            tuning,
            shape,
            footing,
        }
    }
}

/// The tunables of a model that walks and jumps.
pub trait ModelTuning: Tunables {
    /// Those of standing and walking.
    fn footing(&self) -> &FootingTuning;
    /// Those of jumping.
    fn jump(&self) -> &JumpTuning;
}

/// One way to move.
pub trait Model: 'static {
    /// The name in scripts, files, traces and docs.
    const NAME: &'static str;
    /// What the model remembers between ticks, beside the [`Body`] that every entity has.
    type State: Clone + Default + PartialEq + std::fmt::Debug + Serialize + DeserializeOwned;
    /// What is tuned.
    type Tuning: ModelTuning;

    /// This tick's velocity and motion, before anything stands in the way.
    fn drive(
        state: &mut Self::State,
        body: &mut Body,
        intent: &Intent,
        outfit: &Outfit<Self::Tuning>,
        around: &Surroundings<'_>,
        report: &mut Report,
    ) -> Motion;

    /// Whether there is a rope to be strained.
    fn is_strained(_state: &Self::State) -> bool {
        false
    }

    /// How hard an attached hook's rope is strained by a motion; none without one.
    fn strain(
        _state: &Self::State,
        _body: &Body,
        _intent: &Intent,
        _motion: &Motion,
        _outfit: &Outfit<Self::Tuning>,
    ) -> Option<Strain> {
        None
    }

    /// Lets a strained rope act on the motion, or snap.
    fn haul(
        _state: &mut Self::State,
        _body: &Body,
        _motion: &mut Motion,
        _snaps: bool,
        _outfit: &Outfit<Self::Tuning>,
        _around: &Surroundings<'_>,
        _report: &mut Report,
    ) {
    }

    /// Moves the body. A motion that ends on something to grab is noted in the report.
    fn travel(
        _state: &mut Self::State,
        body: &mut Body,
        _intent: &Intent,
        motion: &Motion,
        _outfit: &Outfit<Self::Tuning>,
        locale: &Locale<'_>,
        report: &mut Report,
    ) {
        travel::travel(body, motion, locale, report, |_, _| false);
    }

    /// Ends a motion that has stopped at something to grab.
    #[allow(
        clippy::too_many_arguments,
        reason = "what flows in and out of a phase is named"
    )]
    fn finish(
        _state: &mut Self::State,
        body: &mut Body,
        _intent: &Intent,
        motion: &Motion,
        grasp: &Grasp,
        granted: bool,
        locale: &Locale<'_>,
        report: &mut Report,
    ) {
        travel::finish(body, motion, grasp, granted, locale, report);
    }

    /// Does with its hook what a script orders.
    fn order(_state: &mut Self::State, _body: &Body, _order: HookOrder, _report: &mut Report) {}

    /// Goes on in another terrain. Whether its hook has lost what it held on to.
    fn adopt(_state: &mut Self::State, _old: &Terrain, _new: &Scenery<'_>) -> bool {
        false
    }

    /// What can be seen of its hook.
    fn hook(_state: &Self::State) -> HookView {
        HookView::default()
    }

    /// The model's own word for what the body is doing, as traces and scripts show it.
    fn mode(state: &Self::State, body: &Body) -> &'static str;

    /// Feeds what the model remembers into a hash.
    fn digest(_state: &Self::State, _feed: &mut dyn FnMut(u64)) {}
}

/// A model that knows its own among all outfits.
pub trait OutfitOf: Model {
    /// The outfit for this model.
    fn outfit(outfits: &Outfits) -> &Outfit<Self::Tuning>;
}

/// Applies a macro to the list of all models: the one line to add a new one to. Each entry is the
/// model's field and its type.
macro_rules! for_every_model {
    ($apply:ident) => {
        $apply! {
            platformer: $crate::models::platformer::Platformer,
            two_velocity: $crate::models::two_velocity::TwoVelocity,
        }
    };
}

pub(crate) use for_every_model;

macro_rules! define_names {
    ($($field:ident: $Model:ty,)*) => {
        /// Which model moves an entity.
        #[allow(non_camel_case_types, reason = "spelled as scripts and files spell them")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[derive(serde::Serialize, serde::Deserialize)]
        pub enum ModelName {
            $( #[doc = concat!("[`", stringify!($field), "`](crate::models::", stringify!($field), ")")] $field, )*
        }

        impl ModelName {
            /// All models.
            pub const ALL: &'static [Self] = &[$( Self::$field, )*];

            /// The name in scripts, files and traces.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$field => <$Model as Model>::NAME, )* }
            }

            /// The tunables of this model, for checks and docs.
            #[must_use]
            pub fn tunables(self) -> Vec<crate::tuning::Tunable> {
                match self { $( Self::$field => <$Model as Model>::Tuning::list(), )* }
            }
        }

        /// The tunables of every model, for one entity kind.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct ModelTunings {
            $( #[doc = concat!("Those of `", stringify!($field), "`.")] pub $field: <$Model as Model>::Tuning, )*
        }

        impl ModelTunings {
            /// Sets one tunable of one model.
            ///
            /// # Errors
            /// As [`Tunables::set`].
            pub fn set(
                &mut self,
                model: ModelName,
                name: &str,
                value: &crate::tuning::Setting,
            ) -> Result<(), crate::tuning::SetError> {
                match model { $( ModelName::$field => self.$field.set(name, value), )* }
            }
        }

        /// What an entity kind brings into every model.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Outfits {
            $( #[doc = concat!("Into `", stringify!($field), "`.")] pub $field: Outfit<<$Model as Model>::Tuning>, )*
        }

        $(
            impl OutfitOf for $Model {
                fn outfit(outfits: &Outfits) -> &Outfit<Self::Tuning> {
                    &outfits.$field
                }
            }
        )*

        impl Outfits {
            /// The outfits that follow from tunings and from the shape in each model.
            #[must_use]
            pub fn new(tunings: ModelTunings, shape: impl Fn(ModelName) -> Ellipse) -> Self {
                Self { $( $field: Outfit::new(tunings.$field, shape(ModelName::$field)), )* }
            }

            /// The collider in this model.
            #[must_use]
            pub fn shape(&self, model: ModelName) -> Ellipse {
                match model { $( ModelName::$field => self.$field.shape, )* }
            }

            /// How it stands in this model.
            #[must_use]
            pub fn footing(&self, model: ModelName) -> &Footing {
                match model { $( ModelName::$field => &self.$field.footing, )* }
            }
        }
    };
}

for_every_model!(define_names);

impl ModelName {
    /// The model with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|m| m.as_str() == name)
    }
}
