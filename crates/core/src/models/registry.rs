//! The list of all models, and the types with one entry for each of them.

use super::{Action, BodyShape, Loadout, Mode, Model, Piece};
use crate::{
    geometry::Collider,
    level::{RestQuery, Scenery, View},
    tuning::{SetError, Setting, Tunable, Tunables},
};
use glam::DVec2;
use std::sync::{Arc, OnceLock};

/// A model that can find its loadout among those for all models.
pub trait LoadoutOf: Model {
    /// The loadout for this model.
    fn loadout(loadouts: &Loadouts) -> &Loadout<Self::Tuning>;
}

/// Applies a macro to the list of all models. A new model gets one line here: its name, which is
/// also its field in the types below, and its type.
macro_rules! for_every_model {
    ($apply:ident $($first:tt)*) => {
        $apply! {
            $($first)*
            topdown: $crate::models::topdown::Topdown,
            platformer: $crate::models::platformer::Platformer,
            vessel: $crate::models::vessel::Vessel,
            two_velocity: $crate::models::two_velocity::TwoVelocity,
            ballistic: $crate::models::ballistic::Ballistic,
        }
    };
}

pub(crate) use for_every_model;

macro_rules! define_registry {
    ($($field:ident: $Model:ty,)*) => {
        /// Which model moves an entity.
        #[allow(non_camel_case_types, reason = "spelled as in scripts and files")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[derive(serde::Serialize, serde::Deserialize)]
        pub enum ModelName {
            $( #[doc = concat!("[`", stringify!($field), "`](crate::models::", stringify!($field), ")")] $field, )*
        }

        impl ModelName {
            /// All models.
            pub const ALL: &'static [Self] = &[$( Self::$field, )*];

            /// The name in scripts, files and traces.
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$field => stringify!($field), )* }
            }
        }

        /// The tuning of every model, for one entity kind.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct ModelTunings {
            $( #[doc = concat!("Tuning of `", stringify!($field), "`.")] pub $field: <$Model as Model>::Tuning, )*
        }

        impl ModelTunings {
            /// Sets one tunable of one model.
            ///
            /// # Errors
            /// As [`Tunables::set`].
            pub fn set(&mut self, model: ModelName, name: &str, value: &Setting) -> Result<(), SetError> {
                match model { $( ModelName::$field => self.$field.set(name, value), )* }
            }
        }

        /// The loadouts of an entity kind, one for each model.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Loadouts {
            $( #[doc = concat!("Loadout for `", stringify!($field), "`.")] pub $field: Loadout<<$Model as Model>::Tuning>, )*
        }

        $(
            impl LoadoutOf for $Model {
                #[inline]
                fn loadout(loadouts: &Loadouts) -> &Loadout<Self::Tuning> {
                    &loadouts.$field
                }
            }
        )*

        impl Loadouts {
            /// Combines tunings with the body shape that the kind has in each model.
            pub fn new(tunings: ModelTunings, shape: impl Fn(ModelName) -> BodyShape) -> Self {
                Self { $( $field: Loadout::new(tunings.$field, &shape(ModelName::$field)), )* }
            }

            /// Sets one tunable of one model.
            ///
            /// # Errors
            /// As [`Tunables::set`].
            pub fn set(&mut self, model: ModelName, name: &str, value: &Setting) -> Result<(), SetError> {
                match model { $( ModelName::$field => self.$field.set(name, value), )* }
            }

            /// Sets the full widths of the collider, px, for all models without rigid bodies.
            pub fn resize(&mut self, size: DVec2) {
                $( if <$Model as Model>::RIGID.is_none() {
                    self.$field.resize(size);
                } )*
            }
        }
    };
}

for_every_model!(define_registry);

macro_rules! define_model_macros {
    (($d:tt) $($field:ident: $Model:ty,)*) => {
        /// Evaluates an expression in which `M` is the type of the model with a name.
        macro_rules! match_model {
            ($d name:expr, |$d M:ident| $d value:expr) => {
                match $d name {
                    $( $crate::models::ModelName::$field => {
                        type $d M = $Model;
                        $d value
                    } )*
                }
            };
        }

        /// Evaluates an expression for each model, in which `M` is its type, to an array.
        macro_rules! each_model {
            (|$d M:ident| $d value:expr) => {
                [$( {
                    type $d M = $Model;
                    $d value
                }, )*]
            };
        }
    };
}

for_every_model!(define_model_macros ($));

pub(crate) use each_model;
pub(crate) use match_model;

impl ModelName {
    /// Every mode that its bodies can be in.
    pub const fn modes(self) -> &'static [Mode] {
        match_model!(self, |M| M::MODES)
    }

    /// The views in which it works.
    pub const fn views(self) -> &'static [View] {
        match_model!(self, |M| M::VIEWS)
    }

    /// The views in which the jump key starts a jump.
    pub const fn jump_views(self) -> &'static [View] {
        match_model!(self, |M| M::JUMP_VIEWS)
    }

    /// How players move its bodies, other than by jumping: the actions, and a word.
    pub const fn moves(self) -> &'static [(&'static [Action], &'static str)] {
        match_model!(self, |M| M::MOVES)
    }

    /// Whether its bodies have a grappling hook.
    pub const fn hooks(self) -> bool {
        match_model!(self, |M| M::HOOKED.is_some())
    }

    /// Whether its bodies keep their angle.
    pub const fn turns(self) -> bool {
        match_model!(self, |M| M::TURNS)
    }

    /// Whether its bodies collide as pieces.
    pub const fn is_rigid(self) -> bool {
        match_model!(self, |M| M::RIGID.is_some())
    }

    /// Whether its bodies can be thrown: they follow planned flights.
    pub const fn flies(self) -> bool {
        match_model!(self, |M| M::FLYING.is_some())
    }

    /// Outline color of its bodies in pictures: red, green, blue.
    pub const fn outline(self) -> [u8; 3] {
        match_model!(self, |M| M::OUTLINE)
    }

    /// Its tuning parameters, for checks and docs.
    pub fn tunables(self) -> &'static [Tunable] {
        match_model!(self, |M| {
            static LIST: OnceLock<Vec<Tunable>> = OnceLock::new();
            LIST.get_or_init(<M as Model>::Tuning::list)
        })
    }

    /// The models with a tuning parameter of this name.
    pub fn with_tunable(name: &str) -> Vec<Self> {
        let has = |model: &Self| model.tunables().iter().any(|t| t.name == name);
        Self::ALL.iter().copied().filter(has).collect()
    }

    /// The model with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|m| m.as_str() == name)
    }

    /// Whether a script's `jump()` has any effect in this model.
    pub const fn jumps(self) -> bool {
        !self.jump_views().is_empty()
    }

    /// Whether the jump key starts a jump in this view.
    pub fn jumps_in(self, view: View) -> bool {
        self.jump_views().contains(&view)
    }
}

impl Loadouts {
    /// The collider in this model; for a rigid body, the box around it.
    pub fn shape(&self, model: ModelName) -> Collider {
        match_model!(model, |M| M::loadout(self).shape)
    }

    /// The collider that the kind defines for this model.
    pub fn kind_shape(&self, model: ModelName) -> Collider {
        match_model!(model, |M| M::loadout(self).kind_shape())
    }

    /// The value of a tunable of this model; `None` if it has no tunable of that name.
    pub fn setting(&self, model: ModelName, name: &str) -> Option<Setting> {
        match_model!(model, |M| M::loadout(self).tuning.get(name))
    }

    /// For which body in this model to look for places to rest; see [`Model::rest_query`].
    pub fn rest_query(&self, model: ModelName, up: f64) -> Option<RestQuery<'_>> {
        match_model!(model, |M| M::rest_query(M::loadout(self), up))
    }

    /// A place near `at` where a body of this model, turned by `angle` (radians), overlaps
    /// nothing; `None` if there is no such place.
    pub fn fit(&self, model: ModelName, scenery: &Scenery, at: DVec2, angle: f64) -> Option<DVec2> {
        match_model!(model, |M| match M::RIGID {
            Some(rigid) => rigid.fit(M::loadout(self), scenery, at, angle),
            None => scenery.push_out(M::loadout(self).shape, at),
        })
    }

    /// The pieces that the body consists of in this model; `None` for an upright body.
    pub fn pieces(&self, model: ModelName) -> Option<&Arc<[Piece]>> {
        match_model!(model, |M| M::RIGID.map(|rigid| rigid.pieces(M::loadout(self))))
    }

    /// Distance from the center down to the lowest point at this angle, px.
    pub fn depth(&self, model: ModelName, angle: f64) -> f64 {
        match_model!(model, |M| match M::RIGID {
            Some(rigid) => rigid.depth(M::loadout(self), angle),
            None => M::loadout(self).shape.half.y,
        })
    }
}

impl std::fmt::Display for ModelName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Compares by the name in scripts and files.
impl PartialEq<&str> for ModelName {
    fn eq(&self, name: &&str) -> bool {
        self.as_str() == *name
    }
}
