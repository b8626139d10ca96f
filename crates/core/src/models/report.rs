//! What happened to a body in one tick. Models write it; the simulation turns it into events.

use super::*;

/// What happened to a body in one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Report {
    /// Whether `details` may differ from the default. If not, they are neither read nor written, so that
    /// they take no time in the many ticks in which nothing of the kind happens.
    detailed: bool,
    /// It stood when the tick began.
    pub stood: bool,
    /// A jump started.
    pub jumped: bool,
    /// Gravity changed its sign, so that what was ground is now a ceiling or the other way around.
    pub turned: bool,
    /// Its model has changed, so its support is looked for again, but that still carries it.
    pub refitted: bool,
    /// Moving platforms have not pushed it yet; it meets them in its own motion.
    pub meets: bool,
    /// Its tick is divided where a platform near it turns.
    pub divided: bool,
    /// Joints have set its motion for the whole tick, so that its model does not continue it after a hit.
    pub bound: bool,
    /// Platforms left it no room for the first time.
    pub crushed: bool,
    /// It grabbed a wall or roof.
    pub grabbed: bool,
    /// It let go of a wall or roof.
    pub dropped: bool,
    /// Its flight to a destination ended; true if it arrived.
    pub flight_over: Option<bool>,
    /// It stood when the tick began and no longer does.
    pub left_ground: bool,
    /// It stepped onto another surface.
    pub new_surface: Option<SurfaceChange>,
    /// Velocity of the platform that carried it, px/s.
    pub carried: DVec2,
    /// How far its platform has moved it, px; 0 if something was in the way.
    pub ridden: DVec2,
    /// How a platform has moved into it because something else was in its way, along the platform's normal, px.
    pub pressed: DVec2,
    details: ReportDetails,
}

/// What happens to a body in few of its ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReportDetails {
    /// Its motion stopped at something to grab, and a rule has yet to decide whether it grabs.
    pub grasp: Option<Grasp>,
    /// What happened to its hook.
    pub hook: HookNews,
    /// Its hardest impact.
    pub hit: Option<Impact>,
    /// Index of the solid that it hit, in a top view. There the impact's feature does not identify
    /// the solid, because features are numbered separately for each height.
    pub struck: Option<u32>,
    /// It landed.
    pub landed: Option<Landing>,
    /// Where it touched down in the air part of its motion, before it went on along the ground.
    pub bend: Option<DVec2>,
}

impl ReportDetails {
    const NONE: Self = Self {
        grasp: None,
        hook: HookNews { attached: None, since: 0.0, held: (0.0, 0.0), lost: None, missed: None },
        hit: None,
        struck: None,
        landed: None,
        bend: None,
    };

    /// Whether they lead to any event. Where a body touched down decides which zones it has crossed.
    const fn are_eventful(&self) -> bool {
        let hook = self.hook.attached.is_some() || self.hook.lost.is_some();
        hook || self.hit.is_some() || self.landed.is_some() || self.bend.is_some()
    }
}

impl Report {
    /// What happens in few ticks.
    #[inline(always)]
    pub const fn details(&self) -> &ReportDetails {
        if self.detailed { &self.details } else { &ReportDetails::NONE }
    }

    /// What happens in few ticks, to change it.
    pub const fn details_mut(&mut self) -> &mut ReportDetails {
        self.detailed = true;
        &mut self.details
    }

    /// Where its motion stopped at something to grab, to change it.
    #[inline(always)]
    pub const fn grasp_mut(&mut self) -> Option<&mut Grasp> {
        if self.detailed { self.details.grasp.as_mut() } else { None }
    }

    /// Whether the report leads to any event.
    pub const fn is_eventful(&self) -> bool {
        // Without branches: most reports lead to none.
        let any = self.grabbed
            | self.dropped
            | self.crushed
            | self.jumped
            | self.left_ground
            | self.flight_over.is_some()
            | self.new_surface.is_some();
        any || self.detailed && self.details.are_eventful()
    }

    /// Records the surface that a body stands on, if it has stood on another one before.
    pub fn note_surface(&mut self, body: &mut Body, to: SurfaceId) {
        if body.surface != Some(to) {
            self.new_surface = Some(SurfaceChange { from: body.surface, to });
            body.surface = Some(to);
        }
    }

    /// Makes it an empty report.
    #[inline]
    pub fn clear(&mut self) {
        let Self {
            stood,
            jumped,
            turned,
            carried,
            ridden,
            pressed,
            refitted,
            meets,
            divided,
            bound,
            crushed,
            grabbed,
            dropped,
            flight_over,
            left_ground,
            new_surface,
            detailed,
            details,
        } = self;
        if *detailed {
            *details = ReportDetails::NONE;
        }
        // One by one, so that they become a few wide stores.
        *stood = false;
        *jumped = false;
        *turned = false;
        *refitted = false;
        *divided = false;
        *bound = false;
        *meets = false;
        *crushed = false;
        *grabbed = false;
        *dropped = false;
        *left_ground = false;
        *detailed = false;
        (*carried, *ridden, *pressed, *flight_over, *new_surface) = Default::default();
    }
}

/// A change of the surface that a body stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceChange {
    /// The surface it stood on before; `None` if it has never stood.
    pub from: Option<SurfaceId>,
    /// The surface it stands on now.
    pub to: SurfaceId,
}

/// A motion that stopped at something to grab, and the remainder of that motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grasp {
    /// The face or corner that was hit.
    pub feature: Feature,
    /// Unit normal there.
    pub normal: DVec2,
    /// Whether it counts as a roof; the model decides.
    pub roof: bool,
    /// Remaining displacement of the tick, px.
    pub rest: DVec2,
    /// Remaining share of the tick.
    pub left: f64,
    /// How far what was hit moves until the end of the tick, px.
    pub carry: DVec2,
}

/// What happened to a hook in one tick; it may attach and come loose in the same one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HookNews {
    /// The feature that it attached to.
    pub attached: Option<Feature>,
    /// The time in this tick at which it attached, s; 0 if it was attached before.
    pub since: f64,
    /// The vertical speed that a jump holds for its hooked body, px/s, and the time in this tick until which it does, s.
    pub held: (f64, f64),
    /// It was attached and came loose.
    pub lost: Option<HookLoss>,
    /// It was fired and returns without having attached.
    pub missed: Option<HookMiss>,
}

/// How an attached hook came loose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookLoss {
    /// It was released, or its platform disappeared.
    Released,
    /// Its rope snapped.
    Snapped,
}

/// Why a fired hook did not attach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookMiss {
    /// Nothing was within reach.
    NothingInReach,
    /// Its owner moved so far away from the hit point that the rope is too short.
    RopeTooShort,
}

/// What holds a body up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Support {
    /// A face or corner of the terrain, in a side view.
    Feature(Feature),
    /// A floor, in a top view.
    Floor(Floor),
}

impl Support {
    /// The names of the solid and of its surface. The ground of a level has no solid, so its name is empty.
    pub fn names(self, level: &Level) -> (Arc<str>, Arc<str>) {
        let solids = level.terrain.solids();
        match self {
            Self::Feature(feature) => {
                let solid = level.terrain.solid_of(feature);
                (solid.name.clone(), level.surface_name(solid.surface).clone())
            }
            Self::Floor(floor) => {
                let name = |solid| solids[solid as usize].name.clone();
                let surface = level.surface_name(level.floor_surface(floor)).clone();
                (floor.solid.map_or_else(Arc::default, name), surface)
            }
        }
    }
}

/// A contact that is not a landing but hard enough to report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// The face or corner that was hit.
    pub feature: Feature,
    /// Unit normal there.
    pub normal: DVec2,
    /// Approach speed along the normal, px/s.
    pub speed: f64,
    /// Whether a foot took the impact.
    pub foot: bool,
    /// The point that was hit, px.
    pub at: DVec2,
    /// Index of the piece of the body that hit it; 0 for a body of one piece.
    pub piece: u8,
}

/// How a body landed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landing {
    /// What it landed on.
    pub on: Support,
    /// Unit normal there, as a walking body experiences it; 0 on a floor of a top view, whose
    /// normal points out of the plane.
    pub normal: DVec2,
    /// Approach speed along the normal, px/s.
    pub speed: f64,
    /// The point that it touched, px.
    pub at: DVec2,
}
