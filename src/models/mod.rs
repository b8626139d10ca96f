//! Floor 2: the movement models, one room each, and what several of them share.
//!
//! A model is a lane: all entities that it moves lie in one array of its state. It answers two
//! questions a tick. *Drive*: from state, intent, tuning and ground, which velocity and motion?
//! *Travel*: where does that motion end in this terrain? It reads no other entity, no clock and
//! no script, and never learns of another model.
//!
//! * [`topdown`]: a plane with a height axis; friction that never fights the player.
//! * [`platformer`]: run, walk, jump; momentum in the air.
//! * [`vessel`]: a rigid body that turns, bounces and lands on feet.
//! * [`two_velocity`]: an intended velocity, blended by the ground's grip, beside an external one.
//! * [`ballistic`]: jumps to a destination, and projectiles.
//! * [`Jump`]: holding, grace and buffer, shared so that a jump survives a change of model.
//! * [`footing`]: standing, walking, falling and landing, shared by those who walk in side view.
//! * [`plane`]: the same for those who walk in a top view.
//! * [`travel`](mod@self::travel): along the ground, or freely until it lands; [`riding`]: on and before
//!   moving platforms.
//! * [`motion`]: exact motion under constant acceleration with limits.

pub mod ballistic;
pub mod footing;
pub mod jump;
pub mod motion;
pub mod plane;
pub mod platformer;
pub mod riding;
pub mod topdown;
pub mod travel;
pub mod two_velocity;
pub mod vessel;

mod body;
mod body_shape;
mod flight;
mod intent;
mod names;
mod rope;
mod surroundings;

pub use body::{
    Body, Cling, Grasp, HookNews, Impact, Landing, Miss, Motion, ROOF, Refusal, Report, Support,
};
pub use body_shape::{BodyShape, Piece};
pub use flight::Flight;
pub use footing::{Footing, FootingTuning, MoveContext};
pub use intent::{Action, Actions, Intent};
pub use jump::{Jump, JumpTuning, Windows, window_ticks};
pub use rope::{HookOrder, HookView, Strain};
pub use surroundings::Surroundings;

use crate::geometry::Ellipse;
use crate::level::{Scenery, Terrain, View};
use crate::tuning::Tunables;
use glam::DVec2;
use serde::{Serialize, de::DeserializeOwned};
use std::sync::Arc;

/// What an entity brings into a model: tuning, collider and what follows from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Loadout<T: ModelTuning> {
    /// The model's tunables for this entity.
    pub tuning: T,
    /// The collider; of a body that turns, the ellipse around it.
    pub shape: Ellipse,
    /// How it stands on ground.
    pub footing: Footing,
    /// What else the model makes of tuning and figure.
    pub kit: T::Kit,
    /// The body's shape, from which all of it can be made anew.
    figure: Arc<BodyShape>,
}

impl<T: ModelTuning> Loadout<T> {
    /// An loadout for a body of this figure.
    #[must_use]
    pub fn new(tuning: T, figure: &BodyShape) -> Self {
        Self {
            footing: Footing::new(&tuning.footing()),
            kit: tuning.kit(figure),
            shape: figure.ellipse,
            figure: Arc::new(figure.clone()),
            tuning,
        }
    }

    /// Sets one tunable, and makes anew what follows from it.
    ///
    /// # Errors
    /// As [`Tunables::set`].
    pub fn set(
        &mut self,
        name: &str,
        value: &crate::tuning::Setting,
    ) -> Result<(), crate::tuning::SetError> {
        let mut tuning = self.tuning.clone();
        tuning.set(name, value)?;
        *self = Self::new(tuning, &self.figure);
        Ok(())
    }
}

/// The tunables of a model.
pub trait ModelTuning: Tunables {
    /// What a model computes once from tuning and figure, beside [`Loadout::footing`].
    type Kit: Clone + PartialEq + std::fmt::Debug + Send + Sync;
    /// Those of standing and falling; of a model that does neither, the defaults.
    fn footing(&self) -> FootingTuning;
    /// Computes the kit.
    fn kit(&self, figure: &BodyShape) -> Self::Kit;
}

/// One way to move.
pub trait Model: 'static {
    /// The name in scripts, files, traces and docs.
    const NAME: &'static str;
    /// Its words for what a body is doing: all that [`mode`](Self::mode) answers.
    const MODES: &'static [&'static str];
    /// The views in which it works.
    const VIEWS: &'static [View];
    /// Whether a script's `jump()` means something to it.
    const JUMPS: bool = true;
    /// Whether it has a hook.
    const HOOKS: bool = false;
    /// Whether it keeps how a body is turned; in the others bodies are upright.
    const TURNS: bool = false;
    /// What the model remembers between ticks, beside the [`Body`] that every entity has.
    type State: Clone + Default + PartialEq + std::fmt::Debug + Serialize + DeserializeOwned;
    /// What is tuned.
    type Tuning: ModelTuning;

    /// Goes along with moving platforms, and out of their way.
    fn carry(
        _state: &mut Self::State,
        body: &mut Body,
        _outfit: &Loadout<Self::Tuning>,
        context: &MoveContext<'_>,
        report: &mut Report,
    ) {
        riding::carry(body, context, report);
    }

    /// Looks for what the body stands on, where that is not known. `pushed` says that something
    /// beside the model has changed its velocities.
    fn sense(
        _state: &mut Self::State,
        body: &mut Body,
        _outfit: &Loadout<Self::Tuning>,
        context: &MoveContext<'_>,
        pushed: bool,
        report: &mut Report,
    ) {
        match context.around.level.view {
            View::Side => footing::feel(body, context, pushed, report),
            View::Top => plane::feel(body, context, pushed, report),
        }
    }

    /// This tick's velocity and motion, before anything stands in the way.
    fn drive(
        state: &mut Self::State,
        body: &mut Body,
        intent: &Intent,
        loadout: &Loadout<Self::Tuning>,
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
        _outfit: &Loadout<Self::Tuning>,
    ) -> Option<Strain> {
        None
    }

    /// Lets a strained rope act on the motion, or snap.
    fn haul(
        _state: &mut Self::State,
        _body: &Body,
        _motion: &mut Motion,
        _snaps: bool,
        _outfit: &Loadout<Self::Tuning>,
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
        _outfit: &Loadout<Self::Tuning>,
        context: &MoveContext<'_>,
        report: &mut Report,
    ) {
        match context.around.level.view {
            View::Side => travel::travel(body, motion, context, report, |_, _| false),
            View::Top => plane::travel(body, motion, context, report),
        }
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
        context: &MoveContext<'_>,
        report: &mut Report,
    ) {
        travel::finish(body, motion, grasp, granted, context, report);
    }

    /// Why a wall that the body has run into in this tick is not grabbed; none if it has run into
    /// none, or grabs it.
    fn ungrabbed(
        _state: &Self::State,
        _body: &Body,
        _intent: &Intent,
        _motion: &Motion,
        _outfit: &Loadout<Self::Tuning>,
        _locale: &MoveContext<'_>,
    ) -> Option<Refusal> {
        None
    }

    /// Looks for ground under a body in the air, and notes what became of one that stood.
    fn settle(
        _state: &mut Self::State,
        body: &mut Body,
        _intent: &Intent,
        _outfit: &Loadout<Self::Tuning>,
        context: &MoveContext<'_>,
        report: &mut Report,
    ) {
        match context.around.level.view {
            View::Side => footing::settle(body, context, report),
            View::Top => plane::settle(body, context, report),
        }
    }

    /// A place near `at` in which a body turned by `angle` overlaps nothing, or none.
    fn fit(
        loadout: &Loadout<Self::Tuning>,
        scenery: &Scenery<'_>,
        at: DVec2,
        _angle: f64,
    ) -> Option<DVec2> {
        scenery.push_out(loadout.shape, at)
    }

    /// How far its lowest point lies below its center when it is turned by `angle`, px.
    fn depth(loadout: &Loadout<Self::Tuning>, _angle: f64) -> f64 {
        loadout.shape.half.y
    }

    /// Does with its hook what a script orders.
    fn order(_state: &mut Self::State, _body: &Body, _order: HookOrder, _report: &mut Report) {}

    /// Sets out on a flight to a destination. Only `ballistic` flies.
    fn launch(_state: &mut Self::State, _flight: &Flight) {}

    /// Goes on in another terrain. Whether its hook has lost what it held on to.
    fn adopt(_state: &mut Self::State, _old: &Terrain, _new: &Scenery<'_>) -> bool {
        false
    }

    /// What can be seen of its hook.
    fn hook(_state: &Self::State) -> HookView {
        HookView::default()
    }

    /// How far each of its feet is pressed in, −1..=1.
    fn feet(_state: &Self::State) -> Vec<f64> {
        Vec::new()
    }

    /// How hard its drive pushes, 0..=1, for who draws a flame.
    fn thrust(_intent: &Intent) -> f64 {
        0.0
    }

    /// How far a foot can be pressed in, px.
    fn foot_travel(_outfit: &Loadout<Self::Tuning>) -> f64 {
        0.0
    }

    /// Whether the jump key starts jumps in this view.
    fn jumps_in(_view: View) -> bool {
        Self::JUMPS
    }

    /// The pieces that it moves, if it moves a body that turns.
    fn pieces(_outfit: &Loadout<Self::Tuning>) -> Option<Arc<[Piece]>> {
        None
    }

    /// The model's own word for what the body is doing, as traces and scripts show it.
    fn mode(state: &Self::State, body: &Body) -> &'static str;

    /// Feeds what the model remembers into a hash.
    fn digest(_state: &Self::State, _feed: &mut dyn FnMut(u64)) {}
}

/// A model that knows its own among all loadouts.
pub trait LoadoutOf: Model {
    /// The loadout for this model.
    fn loadout(loadouts: &Loadouts) -> &Loadout<Self::Tuning>;
}

/// Applies a macro to the list of all models: the one line to add a new one to. Each entry is the
/// model's field and its type.
macro_rules! for_every_model {
    ($apply:ident) => {
        $apply! {
            topdown: $crate::models::topdown::Topdown,
            platformer: $crate::models::platformer::Platformer,
            vessel: $crate::models::vessel::Vessel,
            two_velocity: $crate::models::two_velocity::TwoVelocity,
            ballistic: $crate::models::ballistic::Ballistic,
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

            /// The views in which it works.
            #[must_use]
            pub const fn views(self) -> &'static [View] {
                match self { $( Self::$field => <$Model as Model>::VIEWS, )* }
            }

            /// Whether a script's `jump()` means something to it.
            #[must_use]
            pub const fn jumps(self) -> bool {
                match self { $( Self::$field => <$Model as Model>::JUMPS, )* }
            }

            /// Whether the jump key starts jumps in this view.
            #[must_use]
            pub fn jumps_in(self, view: View) -> bool {
                match self { $( Self::$field => <$Model as Model>::jumps_in(view), )* }
            }

            /// Whether it has a hook.
            #[must_use]
            pub const fn hooks(self) -> bool {
                match self { $( Self::$field => <$Model as Model>::HOOKS, )* }
            }

            /// Whether it keeps how a body is turned.
            #[must_use]
            pub const fn turns(self) -> bool {
                match self { $( Self::$field => <$Model as Model>::TURNS, )* }
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
        pub struct Loadouts {
            $( #[doc = concat!("Into `", stringify!($field), "`.")] pub $field: Loadout<<$Model as Model>::Tuning>, )*
        }

        $(
            impl LoadoutOf for $Model {
                fn loadout(loadouts: &Loadouts) -> &Loadout<Self::Tuning> {
                    &loadouts.$field
                }
            }
        )*

        impl Loadouts {
            /// The loadouts that follow from tunings and from the figure in each model.
            #[must_use]
            pub fn new(tunings: ModelTunings, figure: impl Fn(ModelName) -> BodyShape) -> Self {
                Self { $( $field: Loadout::new(tunings.$field, &figure(ModelName::$field)), )* }
            }

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

            /// The collider in this model.
            #[must_use]
            pub fn shape(&self, model: ModelName) -> Ellipse {
                match model { $( ModelName::$field => self.$field.shape, )* }
            }

            /// The value of a tunable of this model.
            #[must_use]
            pub fn setting(&self, model: ModelName, name: &str) -> Option<crate::tuning::Setting> {
                match model { $( ModelName::$field => self.$field.tuning.get(name), )* }
            }

            /// A place near `at` in which it overlaps nothing in this model, turned by `angle`, or
            /// none.
            #[must_use]
            pub fn fit(&self, model: ModelName, scenery: &Scenery<'_>, at: DVec2, angle: f64) -> Option<DVec2> {
                match model { $( ModelName::$field => <$Model as Model>::fit(&self.$field, scenery, at, angle), )* }
            }

            /// The pieces that it consists of in this model, if that lets it turn.
            #[must_use]
            pub fn pieces(&self, model: ModelName) -> Option<Arc<[Piece]>> {
                match model { $( ModelName::$field => <$Model as Model>::pieces(&self.$field), )* }
            }

            /// How far a foot can be pressed in in this model, px.
            #[must_use]
            pub fn foot_travel(&self, model: ModelName) -> f64 {
                match model { $( ModelName::$field => <$Model as Model>::foot_travel(&self.$field), )* }
            }

            /// How far its lowest point lies below its center in this model, px.
            #[must_use]
            pub fn depth(&self, model: ModelName, angle: f64) -> f64 {
                match model { $( ModelName::$field => <$Model as Model>::depth(&self.$field, angle), )* }
            }
        }
    };
}

for_every_model!(define_names);
