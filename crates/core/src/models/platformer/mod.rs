//! `platformer`: running, walking, slowing down and jumping, with momentum in the air, walls and
//! roofs to grab, and a grappling hook.
//!
//! After "Platformer Physics and Trosnoth". On the ground, speed along the slope goes through three
//! gaits: *running* while the key points where the body faces, *walking* while it points the other
//! way, and *slowing* without a key. In the air a key adds speed up to a soft limit, and higher
//! speeds are never cut. Gravity does not act on the ground, so bodies do not slide down slopes,
//! unless the hook is attached.

mod climbing;
mod grapple;
mod model;
mod rest;
mod rope;
mod tuning;

pub use grapple::GrapplingHook;
pub use model::{Platformer, PlatformerState};
pub use tuning::{HookHolds, PlatformerTuning};

use super::*;
