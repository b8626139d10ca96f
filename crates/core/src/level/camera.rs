//! How a level is looked at. Nothing in a tick reads it.

use super::*;
use std::{collections::BTreeMap, ops::RangeInclusive};

/// The least and the most that a camera enlarges.
pub const CAMERA_ZOOM: RangeInclusive<f64> = 0.1..=16.0;

/// The farthest that a camera looks ahead of a body, as seconds of its velocity.
pub const LOOK_AHEAD: RangeInclusive<f64> = 0.0..=10.0;

/// The most targets that a camera follows at once.
pub const MOST_TARGETS: usize = 16;

/// Something that a camera follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CameraTarget {
    /// The entity with this name; without one, all entities of this kind.
    Named(Arc<str>),
    /// The entities of this player, counted from 1.
    Player(u8),
}

/// What a camera looks at.
#[derive(Clone, Debug, PartialEq)]
pub enum CameraAim {
    /// All of these: it shows more of the level where they are far apart.
    Follow(Arc<[CameraTarget]>),
    /// A point, px.
    At(DVec2),
}

/// How a camera looks at a level. What is `None` is left to whatever lies below; see [`over`](Self::over).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CameraSettings {
    /// What it looks at: by default the players or, without any, the first entity.
    pub aim: Option<CameraAim>,
    /// Width and height of the area in which what it follows moves without moving it, px.
    pub dead_zone: Option<DVec2>,
    /// How far ahead of what it follows it looks, as seconds of its velocity.
    pub look_ahead: Option<f64>,
    /// The part of the level that it shows, px: by default the level's bounds.
    pub bounds: Option<Bounds>,
    /// How many times as large as usual the level is shown.
    pub zoom: Option<f64>,
}

impl CameraSettings {
    /// These settings; what they leave out is as `below` has it.
    #[must_use]
    pub fn over(&self, below: &Self) -> Self {
        Self {
            aim: self.aim.clone().or_else(|| below.aim.clone()),
            dead_zone: self.dead_zone.or(below.dead_zone),
            look_ahead: self.look_ahead.or(below.look_ahead),
            bounds: self.bounds.or(below.bounds),
            zoom: self.zoom.or(below.zoom),
        }
    }
}

/// How the files of a game want a level to be looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelCamera {
    /// The level's own settings.
    pub own: CameraSettings,
    /// Those of kinds, for what these leave out while an entity of the kind is followed.
    pub kinds: BTreeMap<Arc<str>, CameraSettings>,
}
