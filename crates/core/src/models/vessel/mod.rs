//! `vessel`: a rigid body of convex pieces that turns, bounces and lands on feet.
//!
//! After "Implementing a small physics engine for a platformer game" (MoonLanding). The vessel
//! moves freely for a tick and then looks for overlaps: each piece and each block that intersect
//! make a contact at the barycenter of their intersection. Impulses there change velocity and spin,
//! and the vessel is moved out along the normals. Feet are pieces on damped springs that absorb a
//! share of each impulse.
//!
//! The published text leaves open how vessels come to rest. Here, slow contacts do not bounce, and
//! they hold by friction at both ends of the intersection. A vessel that is calm for a quarter of a
//! second rests until something wakes it.

mod contact;
mod foot;
mod hull;
mod model;
mod room;
mod solve;
mod step;
mod tuning;
mod zones;

pub use foot::{Foot, SpringStep};
pub use hull::{Hull, MOST_CORNERS, Pose};
pub use model::{Vessel, VesselState};
pub use tuning::{Solver, VesselTuning};

use super::*;
use contact::{CONTACT_MARGIN, ContactQuery, ContactSet, Manifold};
use solve::{ImpulseResult, ImpulseSolver, RigidVelocity, SolverContact};
use std::cell::RefCell;
use step::{MotionState, VesselStep};
