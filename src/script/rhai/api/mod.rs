//! What scripts call: `me`, `world`, vecs, mathematics, and what test scripts play with.

pub(super) mod expect;
pub(super) mod leap;
pub(super) mod math;
pub(super) mod me;
pub(super) mod outlook;
pub(super) mod play;
pub(super) mod vector;
mod why;
pub(super) mod world;
