//! What overlays show about the entities, read from a world between two ticks.

use super::*;
use hangtime_core::sim::{Countdown, Entity, HookGauge, Touching};

/// How far from a player rest positions are shown, px, and the largest number of them.
const REST_REACH: f64 = 70.0;
const MOST_RESTS: usize = 80;

/// What overlays show about one entity.
#[derive(Clone, Debug)]
pub struct Marker {
    pub entity: EntityId,
    pub touching: Vec<Touching>,
    pub countdowns: Vec<Countdown>,
    pub hook: Option<HookGauge>,
    /// How far it looks for ground, px.
    pub probe: f64,
    /// The path of its center in the tick, px.
    pub path: Vec<DVec2>,
    pub rests: Vec<DVec2>,
}

/// What overlays show about the entities. It reads only what the overlays need that are switched on.
#[derive(Clone, Debug, Default)]
pub struct Markers {
    list: Vec<Marker>,
    /// The tick that was read last.
    tick: u64,
    /// Where each entity was then, and in the tick that was read before, in the order of ids.
    last: Vec<(EntityId, DVec2)>,
    before: Vec<(EntityId, DVec2)>,
}

impl Markers {
    /// Reads a world at the end of a tick, for the overlays that are switched on and the entities with
    /// their centers in `area`, such as [`Camera::shows`](super::Camera::shows); all without one.
    ///
    /// Paths come from the why log for the entities that it watches. For others, they lead straight from where
    /// the entities were at the last reading.
    pub fn read(&mut self, world: &World, stage: &Stage, overlays: Overlays, area: Option<&Bounds>) {
        self.list.clear();
        if overlays.is_empty() {
            *self = Self::default();
            return;
        }
        // The same tick can be read again, for other overlays.
        if world.ticks() != self.tick {
            mem::swap(&mut self.last, &mut self.before);
            self.tick = world.ticks();
        }
        self.last.clear();
        let mut last = self.before.iter().peekable();
        for entity in world.entities() {
            while last.next_if(|(id, _)| *id < entity.id).is_some() {}
            let was = last.next_if(|(id, _)| *id == entity.id);
            let at = world.body(entity).pos;
            self.last.push((entity.id, at));
            if area.is_none_or(|area| area.holds(at)) {
                let from = was.map_or(at, |(_, from)| *from);
                self.list.push(marker(world, stage, entity, overlays, from));
            }
        }
        if overlays.has(Overlay::Sweeps) {
            for report in world.why() {
                let place = self.list.binary_search_by_key(&report.entity, |m| m.entity);
                if let Ok(place) = place {
                    self.list[place].path.clone_from(&report.path);
                }
            }
        }
    }

    /// Whether nothing has been read, because no overlay was on.
    pub fn is_empty(&self) -> bool {
        self.last.is_empty()
    }

    /// The marker of an entity.
    pub(super) fn of(&self, entity: EntityId) -> Option<&Marker> {
        let place = self.list.binary_search_by_key(&entity, |m| m.entity);
        place.ok().map(|place| &self.list[place])
    }
}

fn marker(world: &World, stage: &Stage, entity: &Entity, overlays: Overlays, from: DVec2) -> Marker {
    let mut marker = Marker {
        entity: entity.id,
        touching: Vec::new(),
        countdowns: Vec::new(),
        hook: None,
        probe: 0.0,
        path: Vec::new(),
        rests: Vec::new(),
    };
    if overlays.has(Overlay::Contacts) {
        marker.touching.extend(world.touching(stage, entity));
    }
    if overlays.has(Overlay::Windows) {
        marker.countdowns = world.countdowns(stage, entity);
    }
    if overlays.has(Overlay::Hook) {
        marker.hook = world.hook_gauge(stage, entity);
    }
    if overlays.has(Overlay::Sweeps) {
        marker.probe = world.ground_probe(stage, entity).unwrap_or(0.0);
        marker.path = vec![from, world.body(entity).pos];
    }
    if overlays.has(Overlay::Rests) && entity.player.is_some() {
        marker.rests = world.rests_near(stage, entity, REST_REACH);
        let at = world.body(entity).pos;
        let near = |a: &DVec2, b: &DVec2| a.distance_squared(at).total_cmp(&b.distance_squared(at));
        if marker.rests.len() > MOST_RESTS {
            marker.rests.sort_by(near);
            marker.rests.truncate(MOST_RESTS);
        }
    }
    marker
}
