//! Hooks on entities: a hook that can attach to them becomes a joint when its tip meets a body.

use super::{
    lane::{LaneOf, loadout_of},
    pairs::overlap,
    *,
};
use crate::geometry::Collider;

/// The tip as it meets bodies, and how far it flies between two looks, px.
const TIP: Collider = Collider::ellipse(0.5, 0.5);
const LOOK: f64 = 1.0;

impl World {
    /// Lets hooks that fly attach to the bodies that their tips meet in this tick. Bodies are where they were as it began.
    pub(super) fn catch_entities(&mut self, stage: &Stage, around: &Surroundings) {
        let World { population, joints, journal, aside, tick, .. } = self;
        let mut outlines = Default::default();
        for index in 0..population.entities.len() {
            let entity = &population.entities[index];
            let Some(Flown { way, times }) = population.lanes.flown(entity, stage, around) else { continue };
            let found = first_met(index, way, population, stage, &mut outlines);
            let Some((other, share)) = found else { continue };
            let tip = way[0].lerp(way[1], share);
            // The rope pulls for the rest of the tick.
            let left = times[1] + times[0] * (1.0 - share);
            let Population { entities, lanes, .. } = &mut *population;
            let [owner, other] = [&entities[index], &entities[other]];
            let [at, held] = [owner, other].map(|entity| lanes.body(entity).pos);
            let near = [owner, other].map(|entity| stage.profiles[entity.slot.index()].loadouts.shape(entity.model));
            let near = near.map(|shape| shape.half.min_element()).iter().sum();
            let length = at.distance(tip);
            if !joints.hook([owner, other], tip - held, length, near) {
                continue;
            }
            lanes.scratch_mut(owner).report.details_mut().hook = Default::default();
            lanes.hold_entity(owner, tip, length);
            joints.wind(owner.id, lanes.winds(owner, stage).unwrap_or_default());
            aside.buffers.joints.attached.push((owner.id, (around.dt - left).max(0.0)));
            let (solid, surface) = Default::default();
            let event = EventKind::Hook { solid, surface, at: tip, other: Some(other.name.clone()) };
            journal.emit(*tick + 1, owner, event);
        }
    }
}

/// The first body that the tip of a hook meets on this way, and after which share of it.
fn first_met(
    owner: usize,
    [from, to]: [DVec2; 2],
    population: &Population,
    stage: &Stage,
    outlines: &mut [Outlines; 2],
) -> Option<(usize, f64)> {
    let (way, length) = (to - from, from.distance(to));
    let mut first: Option<(f64, usize)> = None;
    for (index, entity) in population.entities.iter().enumerate().filter(|(index, _)| *index != owner) {
        let body = PlacedCollider::of(entity, population.lanes.body(entity), stage);
        let reach = body.shape.half.length() + TIP.half.x;
        let middle = (body.pos - from).dot(way) / length.max(f64::MIN_POSITIVE);
        let nearest = from + way * (middle / length).clamp(0.0, 1.0);
        if length == 0.0 || nearest.distance(body.pos) > reach {
            continue;
        }
        let mut place = (middle - reach).max(0.0);
        while place <= length.min(middle + reach) && first.is_none_or(|(before, _)| place < before) {
            let tip = body.at_point(from + way * (place / length), TIP);
            if overlap([&tip, &body], stage.level.view, 0.0, outlines).is_some() {
                first = Some((place, index));
                break;
            }
            place += LOOK;
        }
    }
    first.map(|(place, index)| (index, place / length))
}

impl Lanes {
    /// The way of the tip of an entity's hook in this tick, if it can attach to entities.
    fn flown(&self, entity: &Entity, stage: &Stage, around: &Surroundings) -> Option<Flown> {
        match_model!(entity.model, |M| {
            let hooked = M::HOOKED?;
            let mover = M::mover(self, entity);
            let dt = mover.paced(around).map_or(around.dt, |own| own.dt);
            let (loadout, report) = (loadout_of::<M>(mover, stage), &self.scratch(entity).report);
            hooked.flown(&mover.state, &mover.body, loadout, report, dt).filter(|_| dt > 0.0)
        })
    }

    /// Attaches an entity's hook to another entity, or moves it along with that.
    pub(super) fn hold_entity(&mut self, entity: &Entity, tip: DVec2, length: f64) {
        match_model!(entity.model, |M| if let Some(hooked) = M::HOOKED {
            hooked.hold(&mut M::mover_mut(self, entity).state, tip, length);
        })
    }

    /// How fast an entity's hook winds in its rope to another entity; `None` if it is not attached to one.
    pub(super) fn winds(&self, entity: &Entity, stage: &Stage) -> Option<f64> {
        match_model!(entity.model, |M| {
            let mover = M::mover(self, entity);
            M::HOOKED?.winds(&mover.state, loadout_of::<M>(mover, stage))
        })
    }
}
