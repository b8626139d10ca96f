//! An entity as scripts, traces, tests and drawing see it.

use super::id::EntityId;
use crate::models::{HookView, Mode, ModelName, Piece};
use glam::DVec2;
use std::sync::Arc;

/// A copy of the visible state of an entity.
#[derive(Clone, Debug, PartialEq)]
pub struct EntityView {
    /// Its id.
    pub id: EntityId,
    /// Its name.
    pub name: Arc<str>,
    /// Its kind.
    pub kind: Arc<str>,
    /// The player who controls it, counted from 1; 0 for none.
    pub player: u8,
    /// Its model; `None` for the level.
    pub model: Option<ModelName>,
    /// What it is doing. Meaningless for the level, which has no body.
    pub mode: Mode,
    /// Center, px.
    pub pos: DVec2,
    /// Height of its feet in a top view, px; 0 in a side view.
    pub z: f64,
    /// The model's velocity, px/s.
    pub vel: DVec2,
    /// Vertical velocity in a top view, px/s; 0 in a side view.
    pub vel_z: f64,
    /// External velocity, px/s.
    pub external: DVec2,
    /// Angle, radians counterclockwise.
    pub angle: f64,
    /// Angular velocity, rad/s.
    pub spin: f64,
    /// 1 toward +x, −1 toward −x.
    pub facing: f64,
    /// Whether it is on the ground.
    pub grounded: bool,
    /// Whether gravity is inverted for it, so that its feet are at the top.
    pub inverted: bool,
    /// The surface it is on; empty in the air.
    pub surface: Arc<str>,
    /// The solid it is on; empty in the air and on the plain ground of a top view.
    pub solid: Arc<str>,
    /// The names of the zones that contain its center.
    pub zones: Arc<[Arc<str>]>,
    /// Its hook.
    pub hook: HookView,
    /// Compression of each foot, −1..=1; empty for models without feet.
    pub feet: Vec<f64>,
    /// The distance of a fully compressed foot, px.
    pub foot_travel: f64,
    /// Thrust, 0..=1; 0 for models without an engine.
    pub thrust: f64,
    /// Half-extents of its collider, px; of the bounding box at angle 0 if the body turns.
    pub half: DVec2,
    /// Distance from its center down to its lowest point, px.
    pub depth: f64,
    /// The pieces of its collider, if the body turns.
    pub pieces: Option<Arc<[Piece]>>,
    /// Seconds since it spawned.
    pub age: f64,
    /// Whether its script is disabled because it failed too often.
    pub quarantined: bool,
}

impl EntityView {
    /// A view without an entity: a placeholder until there is one. Does not allocate.
    pub fn empty() -> Self {
        Self {
            id: EntityId::LEVEL,
            name: Arc::default(),
            kind: Arc::default(),
            player: 0,
            model: None,
            mode: Mode::Free,
            pos: DVec2::ZERO,
            z: 0.0,
            vel: DVec2::ZERO,
            vel_z: 0.0,
            external: DVec2::ZERO,
            angle: 0.0,
            spin: 0.0,
            facing: 1.0,
            grounded: false,
            surface: Arc::default(),
            solid: Arc::default(),
            zones: Arc::default(),
            hook: HookView::default(),
            feet: Vec::new(),
            foot_travel: 0.0,
            thrust: 0.0,
            half: DVec2::ZERO,
            inverted: false,
            depth: 0.0,
            pieces: None,
            age: 0.0,
            quarantined: false,
        }
    }

    /// The level as its own script sees it: a name and an age.
    pub(super) fn of_level(age: f64) -> Self {
        Self { name: "level".into(), kind: "level".into(), age, ..Self::empty() }
    }

    /// The name of its model; empty for the level.
    pub fn model_name(&self) -> &'static str {
        self.model.map_or("", ModelName::as_str)
    }
}
