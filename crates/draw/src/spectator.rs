//! A spectator keeps what a picture needs from earlier ticks: the camera, the effects, the trails. It is not part of the
//! game, and the same run gives the same spectator.

use super::{trail::Trails, *};
use hangtime_core::sim::why::WhyDetail;

/// The camera, the effects and the trails for one viewer of a game. Copy it to look twice at the
/// same tick.
#[derive(Clone, Debug, Default)]
pub struct Spectator {
    camera: Option<Camera>,
    /// A camera that stands still, and is looked through instead.
    still: Option<Camera>,
    pub(super) effects: Effects,
    pub(super) trails: Trails,
    /// The tick that was seen last.
    seen: Option<u64>,
}

impl Spectator {
    /// Sees the end of a tick of a world, given the views of all of its entities.
    pub fn watch(&mut self, world: &World, stage: &Stage, bodies: &[EntityView], size: (u32, u32)) {
        let is_refused = |detail: &WhyDetail| matches!(detail, WhyDetail::Refused { .. });
        let refused: Vec<EntityId> = world
            .why()
            .filter(|report| {
                let mut entries = report.entries.iter();
                entries.any(|entry| !entry.repeated && is_refused(&entry.detail))
            })
            .map(|report| report.entity)
            .collect();
        self.advance(&Moment {
            tick: world.ticks(),
            dt: 1.0 / f64::from(stage.hz),
            level: &stage.level,
            bodies,
            events: world.events(),
            drawing: world.drawing(),
            refused: &refused,
            size,
        });
    }

    /// Sees the end of a tick. Seeing the same tick again changes nothing; after a jump in time, the
    /// effects of earlier ticks are gone.
    pub fn advance(&mut self, moment: &Moment<'_>) {
        if self.seen == Some(moment.tick) {
            return;
        }
        let next = self.seen.is_some_and(|seen| seen + 1 == moment.tick);
        self.seen = Some(moment.tick);
        let Shot { focus, frame } = Shot::of(moment.level, moment.bodies, Some(moment.drawing), moment.size);
        match &mut self.camera {
            Some(camera) => camera.advance(&focus, &frame, moment.dt),
            None => self.camera = Some(Camera::settled(&focus, &frame)),
        }
        if let Some(still) = &mut self.still {
            still.rest();
        }
        if !next {
            self.effects = Effects::default();
            self.trails = Trails::default();
        }
        self.effects.advance(moment);
        self.trails.advance(moment.bodies);
    }

    /// The camera; `None` before the first tick.
    pub fn camera(&self) -> Option<&Camera> {
        self.still.as_ref().or(self.camera.as_ref())
    }

    /// Looks through a camera that stands still, or through the usual one again.
    pub fn stand_still(&mut self, at: Option<Camera>) {
        self.still = at;
    }

    /// The camera, to zoom it.
    pub fn camera_mut(&mut self) -> Option<&mut Camera> {
        self.still.as_mut().or(self.camera.as_mut())
    }
}
