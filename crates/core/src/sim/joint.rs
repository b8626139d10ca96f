//! A rope or a spring between two bodies, or between a body and a place.

use super::*;

/// The fastest that a spring may swing, Hz. A faster one could not be followed in the steps of a joint.
pub const MOST_HERTZ: f64 = 60.0;

/// The largest damping ratio of a spring.
pub const MOST_DAMPING: f64 = 10.0;

/// A rope or a spring.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    /// Its id: counted from 1 in the order of creation, never used again.
    pub id: u32,
    /// What it connects.
    pub ends: [JointEnd; 2],
    /// How far apart the ends of a rope get, or at which distance a spring rests, px.
    pub length: f64,
    /// Set for a spring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spring: Option<Spring>,
    /// The tension at which it snaps; `None` if it never does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<f64>,
    /// How its length changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reel: Option<Reel>,
    /// The force with which it pulled its ends together at the end of the last tick, mass · px/s²; below 0 for a spring
    /// that pushes them apart.
    pub tension: f64,
    /// Whether it is the rope of a hook, whose owner is its first end: it shortens when the ends come closer, and scripts do
    /// not change it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hook: bool,
}

/// An end of a joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointEnd {
    /// What it is fixed to.
    pub on: Anchor,
    /// The name of that; empty for the level.
    pub name: Arc<str>,
    /// Where: the point of the level, or of the solid as it is drawn, or the offset from the center of the entity, px.
    pub at: DVec2,
}

/// What an end of a joint is fixed to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Anchor {
    /// A point that never moves.
    Level,
    /// A moving platform, an index into the level's solids.
    Solid(u32),
    /// An entity.
    Entity(EntityId),
}

/// How a spring swings, whatever the masses at its ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spring {
    /// Swings per second without damping, up to [`MOST_HERTZ`].
    pub hertz: f64,
    /// 0 swings forever, 1 comes to rest without swinging; up to [`MOST_DAMPING`].
    pub damping: f64,
}

/// How the length of a joint changes until it is reached.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reel {
    /// The final length, px.
    pub to: f64,
    /// How fast, px/s.
    pub speed: f64,
}

impl JointEnd {
    /// The end as it is compared, hashed and sorted: by name and place, which do not depend on the order of creation.
    pub(super) fn key(&self) -> (&str, [u64; 2]) {
        (&self.name, self.at.to_array().map(f64::to_bits))
    }
}

impl Joint {
    /// The order in which joints act. It follows from what never changes of them.
    pub(super) fn order(&self, other: &Self) -> std::cmp::Ordering {
        let spring = |joint: &Self| joint.spring.map(|spring| [spring.hertz, spring.damping].map(f64::to_bits));
        let key = |joint: &Self| (spring(joint), joint.strength.map(f64::to_bits), joint.id);
        let ends = |joint: &Self| joint.ends.each_ref().map(|end| (end.name.clone(), end.key().1));
        ends(self).cmp(&ends(other)).then_with(|| key(self).cmp(&key(other)))
    }
}
