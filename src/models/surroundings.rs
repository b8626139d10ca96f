//! What holds around a body during one tick.

use crate::level::{Air, Feature, Level, Scenery, SurfaceId, Transit};
use crate::tuning::SurfaceTuning;
use glam::DVec2;

/// External velocity below this is none, px/s: it would die away for ever.
const FAINT: f64 = 1e-6;

/// What holds for everybody during one tick.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// The number of the tick that is being made: in the step from n to n+1 it is n.
    pub now: u64,
    /// Ticks a second.
    pub hz: f64,
    /// Length of a tick, s.
    pub dt: f64,
    /// How hard things fall here, px/s².
    pub gravity: f64,
    /// What else holds here, in zones.
    pub air: Air,
    /// For how many seconds of this tick external velocity acts at its full value: the integral
    /// of its decay.
    pub external_seconds: f64,
    /// The share of external velocity that is left after this tick.
    pub external_kept: f64,
    /// How far a steady acceleration of external velocity leads in this tick, px per px/s².
    pub external_drift: f64,
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

    /// What holds at a place, where that is not the same as everywhere.
    #[must_use]
    #[inline]
    pub fn within(&self, place: DVec2) -> Option<Self> {
        if self.level.zones.list().is_empty() {
            return None;
        }
        let air = self.level.zones.air_at(place)?;
        Some(Self {
            gravity: self.gravity * air.gravity_scale,
            air,
            ..*self
        })
    }

    /// The terrain with its platforms where they are, of those that are there.
    #[must_use]
    pub fn scenery(&self) -> Scenery<'_> {
        self.level.terrain.moved(self.transit)
    }

    /// What of the terrain is in the way of feet at height `z`; all of it in a side view.
    #[must_use]
    pub fn scenery_at(&self, z: f64) -> Scenery<'_> {
        self.level.terrain_at(z).moved(self.transit)
    }

    /// The velocity at which a feature carries what stands on it, px/s: that of the platform that it
    /// is part of, and that of a conveyor.
    #[must_use]
    pub fn carrier_velocity(&self, feature: Feature) -> DVec2 {
        let platform = self.level.terrain.edge_of(feature).platform;
        let moved = platform.map_or(DVec2::ZERO, |p| self.transit.steps[p as usize] * self.hz);
        moved + self.air.conveyor
    }

    /// What a feature is made of here: of what a zone says, else of what its solid is.
    #[must_use]
    pub fn surface_of(&self, feature: Feature) -> SurfaceId {
        let own = self.level.terrain.edge_of(feature).surface;
        self.air.surface.unwrap_or(own)
    }

    /// What a surface does.
    #[must_use]
    pub fn surface(&self, id: SurfaceId) -> &SurfaceTuning {
        &self.surfaces[id.0 as usize]
    }

    /// Where external velocity leads in this tick, with what the air here adds to it, and what it is
    /// then: `v' = accel − damping·v`, in closed form. Along the ground only what points along its
    /// `tangent` is added.
    #[must_use]
    pub fn blow(&self, external: DVec2, tangent: Option<DVec2>) -> (DVec2, DVec2) {
        let accel = self.air.external_accel;
        let accel = tangent.map_or(accel, |t| t * accel.dot(t));
        let by = external * self.external_seconds + accel * self.external_drift;
        let mut then = external * self.external_kept + accel * self.external_seconds;
        if then.length_squared() < FAINT * FAINT {
            then = DVec2::ZERO;
        }
        (by, then)
    }
}
