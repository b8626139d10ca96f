//! The conditions around a body during one tick.

use super::*;
use crate::level::{Air, Leg, Others, TurnPart, Zones, rate_of};

/// External velocity below this becomes 0, px/s; it would otherwise decay forever.
const FAINT: f64 = 1e-6;

/// The conditions of one tick: time, gravity, zones, and the level with its platforms.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// The current tick: n during the step from n to n+1.
    pub tick: u64,
    /// The moment at which the tick begins, on the clock of the level or, for a body, on the body's: `tick` if time has always
    /// run at full rate.
    pub now: ClockTick,
    /// How much of a tick at full rate passes in this one; 1 by default.
    pub rate: f64,
    /// The same outside all zones, before limits.
    pub open_rate: f64,
    /// How much of the body's time passes in a second of the level; 1 by default, and for a body that stands still.
    pub lapse: f64,
    /// Whether any rate in this world may differ from 1, or has differed.
    pub scaled: bool,
    /// Ticks per second at full rate.
    pub hz: f64,
    /// Length of a tick, s: that of the time that passes in it.
    pub dt: f64,
    /// How much is left after this part of what [`transit`](Self::transit) covers, s; 0 for a whole tick.
    pub after: f64,
    /// Gravity here, px/s².
    pub gravity: f64,
    /// Gravity outside all zones, px/s².
    pub open_gravity: f64,
    /// The other effects of zones here.
    pub air: Air,
    /// How external velocity decays in a whole tick.
    pub tick_decay: Decay,
    /// The level.
    pub level: &'a Level,
    /// Its zones that are switched on.
    pub zones: &'a Zones,
    /// Tuning of each surface; indexed by [`crate::level::SurfaceId`].
    pub surfaces: &'a [SurfaceTuning],
    /// Platform positions, and how far each platform has moved in this tick, or in a part of it.
    pub transit: &'a Transit,
    /// How many of those displacements take a second: their velocities are the displacements times this.
    pub pace: f64,
    /// The bodies that may be in the way, if any carries.
    pub others: Option<Others<'a>>,
}

/// How external velocity decays over some time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decay {
    /// The rate of the decay, 1/s.
    pub damping: f64,
    /// The time, s.
    dt: f64,
    /// The integral of the decay, s: the displacement is the initial velocity times this.
    pub seconds: f64,
    /// The share that remains.
    pub kept: f64,
    /// Displacement per unit of steady acceleration, px per px/s².
    pub drift: f64,
}

/// Up to this product of damping and time, series are more exact than closed forms.
const LITTLE_DECAY: f64 = 1e-4;

impl Decay {
    /// The decay over `dt` seconds at a rate of `damping`, 1/s.
    pub fn over(dt: f64, damping: f64) -> Self {
        let decayed = damping * dt;
        let kept = libm::exp(-decayed);
        let (seconds, drift) = if decayed > LITTLE_DECAY {
            let seconds = (1.0 - kept) / damping;
            (seconds, (dt - seconds) / damping)
        } else {
            // The first terms of the same as series: the differences would be lost in rounding.
            let seconds = 1.0 - decayed * (1.0 / 2.0 - decayed * (1.0 / 6.0 - decayed / 24.0));
            let drift = 1.0 / 2.0 - decayed * (1.0 / 6.0 - decayed * (1.0 / 24.0 - decayed / 120.0));
            (dt * seconds, dt * dt * drift)
        };
        Self { damping, dt, seconds, kept, drift }
    }
}

impl<'a> Surroundings<'a> {
    /// Seconds since the moment `began`. Computed from the clock, so that no error accumulates.
    pub fn since(&self, began: ClockTick) -> f64 {
        (self.now.0 - began.0) / self.hz
    }

    /// The moment at which the tick ends.
    pub fn next(&self) -> ClockTick {
        ClockTick(self.now.0 + self.rate)
    }

    /// Length of the whole tick, s, even of a part of it.
    pub fn tick_seconds(&self) -> f64 {
        self.rate / self.hz
    }

    /// The same conditions for a body with this clock, at this rate.
    pub fn paced(&self, clock: &BodyClock, rate: f64) -> Self {
        let own = Self { now: clock.at(self.now), open_rate: self.rate * clock.scale, ..*self };
        if rate == 0.0 || self.rate == 0.0 {
            // What moves or pushes the body does so in the time of the level.
            return Self { rate: 0.0, dt: 0.0, ..own };
        }
        own.at_rate(rate)
    }

    /// The same conditions for the body of an entity with this id, which meets other bodies.
    #[cold]
    pub fn of_body(&self, id: u32) -> Self {
        Self { others: self.others.map(|others| others.of(id)), ..*self }
    }

    /// The same conditions in another part of a body's turn.
    #[cold]
    pub fn in_part(&self, part: TurnPart) -> Self {
        Self { others: self.others.map(|others| Others { part, ..others }), ..*self }
    }

    /// The same conditions at another rate above 0.
    pub fn at_rate(&self, rate: f64) -> Self {
        if rate == self.rate {
            return *self;
        }
        let more = rate / self.rate;
        Self { rate, lapse: self.lapse * more, dt: rate / self.hz, pace: self.pace / more, ..*self }
    }

    /// The rate at which time passes here.
    pub fn rate_here(&self) -> f64 {
        rate_of(self.open_rate * self.air.time_scale)
    }

    /// The conditions at a place, if zones change them there.
    #[inline]
    pub fn within(&self, place: DVec2) -> Option<Self> {
        if self.zones.list().is_empty() {
            return None;
        }
        let air = self.zones.air_at(place)?;
        Some(Self { gravity: self.open_gravity * air.gravity_scale, air, ..*self })
    }

    /// The conditions at another place.
    pub fn at(&self, place: DVec2) -> Self {
        self.within(place)
            .unwrap_or(Self { gravity: self.open_gravity, air: Air::default(), ..*self })
    }

    /// The same conditions while the platforms make this leg, for a tick of the same length.
    pub fn during(&self, leg: &'a Leg) -> Self {
        Self { transit: &leg.transit, pace: 1.0 / self.own_seconds(leg), ..*self }
    }

    /// How long a leg is in the time of the body, s.
    pub fn own_seconds(&self, leg: &Leg) -> f64 {
        leg.seconds * self.lapse
    }

    /// The same conditions until the first platform turns, for a tick of the same length.
    pub fn during_first(&self) -> Self {
        self.transit.legs.first().map_or(*self, |leg| self.during(leg))
    }

    /// The same conditions for `dt` seconds, a part of the tick.
    pub fn lasting(&self, dt: f64) -> Self {
        Self { dt, ..*self }
    }

    /// How external velocity decays in this time.
    #[inline]
    pub fn decay(&self) -> Decay {
        if self.tick_decay.dt == self.dt {
            self.tick_decay
        } else {
            Decay::over(self.dt, self.tick_decay.damping)
        }
    }

    /// The terrain, with its existing platforms at their current positions.
    #[inline(always)]
    pub fn scenery(&self) -> Scenery<'a> {
        self.level.terrain.moved(self.transit).among(self.others)
    }

    /// The part of the terrain that blocks a body with its feet at height `z`; all of it in a side
    /// view.
    #[inline(always)]
    pub fn scenery_at(&self, z: f64) -> Scenery<'a> {
        self.level.terrain_at(z).moved(self.transit).among(self.others)
    }

    /// The velocity with which a feature carries a body that touches it at `at`, px/s: its platform's plus a
    /// conveyor's.
    pub fn carrier_velocity(&self, feature: Feature, at: DVec2) -> DVec2 {
        self.platform_velocity(self.level.terrain.edge_of(feature).platform, at) + self.air.conveyor
    }

    /// The velocity of the point of a platform that is at `at` when the tick ends, px/s; 0 for terrain that does not move.
    pub fn platform_velocity(&self, platform: Option<u16>, at: DVec2) -> DVec2 {
        platform.map_or(DVec2::ZERO, |platform| self.transit.step_at(platform, at) * self.pace)
    }

    /// The surface of a feature here: a zone's if it sets one, else its solid's.
    pub fn surface_of(&self, feature: Feature) -> SurfaceId {
        let solid = self.level.terrain.surface_of(feature);
        self.air.surface.unwrap_or(solid)
    }

    /// The surface of a floor here: a zone's if it sets one, else its solid's or the plain ground's.
    pub fn floor_surface(&self, floor: Floor) -> SurfaceId {
        self.air.surface.unwrap_or_else(|| self.level.floor_surface(floor))
    }

    /// The tuning of a surface.
    pub fn surface(&self, id: SurfaceId) -> &SurfaceTuning {
        &self.surfaces[id.0 as usize]
    }

    /// Displacement by external velocity in this tick, px, and its value afterward, px/s. Solves
    /// `v' = accel − damping·v` in closed form, where wind in zones is the acceleration. On the
    /// ground, only acceleration along its `tangent` counts.
    #[inline(always)]
    pub fn drift(&self, external: DVec2, tangent: Option<DVec2>) -> (DVec2, DVec2) {
        if external == DVec2::ZERO && self.air.external_accel == DVec2::ZERO {
            return (DVec2::ZERO, DVec2::ZERO);
        }
        self.push(external, tangent)
    }

    /// The same, where there is any.
    #[inline(never)]
    fn push(&self, external: DVec2, tangent: Option<DVec2>) -> (DVec2, DVec2) {
        let accel = self.air.external_accel;
        let decay = self.decay();
        let accel = tangent.map_or(accel, |t| t * accel.dot(t));
        let by = external * decay.seconds + accel * decay.drift;
        let mut then = external * decay.kept + accel * decay.seconds;
        if then.length_squared() < FAINT * FAINT {
            then = DVec2::ZERO;
        }
        (by, then)
    }

    /// The same for the part that points up in a top view, which no wind changes.
    pub fn drift_z(&self, external: f64) -> (f64, f64) {
        if external == 0.0 {
            return (0.0, 0.0);
        }
        let decay = self.decay();
        let then = external * decay.kept;
        (external * decay.seconds, if then.abs() < FAINT { 0.0 } else { then })
    }
}
