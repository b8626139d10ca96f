//! Trails: where the followed entities have been.

use super::*;
use std::collections::VecDeque;

/// The number of ticks that a trail remembers.
const LENGTH: usize = 180;

/// A trail has a dot each time this number of ticks has passed.
const BEAT: u64 = 6;

/// A longer distance between two ticks is a teleport, px.
const TELEPORT: f64 = 200.0;

/// Where the followed entities have been.
#[derive(Clone, Debug, Default)]
pub struct Trails {
    list: BTreeMap<EntityId, VecDeque<DVec2>>,
    ticks: u64,
}

impl Trails {
    /// Remembers where the players are, or the first body without one.
    pub fn advance(&mut self, bodies: &[EntityView]) {
        self.ticks += 1;
        let any = bodies.iter().any(|b| b.player > 0);
        let followed = bodies.iter().filter(|b| b.player > 0 || !any);
        let followed: Vec<&EntityView> = followed.take(if any { 8 } else { 1 }).collect();
        self.list.retain(|entity, _| followed.iter().any(|b| b.id == *entity));
        for body in followed {
            let places = self.list.entry(body.id).or_default();
            if places.len() == LENGTH {
                places.pop_front();
            }
            places.push_back(body.pos + DVec2::new(0.0, body.z));
        }
    }

    pub fn paint(&self, brush: &mut Brush<'_>) {
        for places in self.list.values() {
            // In pieces between teleports.
            let mut piece: Vec<DVec2> = Vec::with_capacity(places.len());
            for at in places {
                if piece.last().is_some_and(|last| last.distance(*at) > TELEPORT) {
                    brush.stroke(piece.drain(..), 1.5, palette::TRAIL);
                }
                piece.push(*at);
            }
            brush.stroke(piece.drain(..), 1.5, palette::TRAIL);
            // Dots at equal times show the speed.
            let first = self.ticks - places.len() as u64;
            for (tick, at) in (first..).zip(places) {
                if tick.is_multiple_of(BEAT) {
                    brush.oval(*at, DVec2::splat(2.0), palette::TRAIL);
                }
            }
        }
    }
}
