//! What a picture shows of a level's files.

use super::*;

/// What stays while the files of a level stay the same: its terrain and its zones.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SceneStage {
    /// The level, by its path below the game folder.
    pub level: String,
    /// `side` or `top`.
    pub view: &'static str,
    /// The lower left and the upper right corner of the level, px.
    pub bounds: [[f64; 2]; 2],
    /// Ticks per second.
    pub tick_hz: u32,
    /// The color behind everything, `#rrggbb`.
    pub background: String,
    /// The solids.
    pub solids: Vec<SceneSolid>,
    /// The zones.
    pub zones: Vec<SceneZone>,
}

/// A solid.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SceneSolid {
    /// Its name.
    pub name: String,
    /// Its surface.
    pub surface: String,
    /// Its corners, counterclockwise, or the points of a one-way platform; px. Platforms are where the file draws them. None
    /// if scripts have removed it.
    pub points: Vec<[f64; 2]>,
    /// Whether bodies pass through it from below.
    pub one_way: bool,
    /// Top views: how high it is, px; null if it has no upper end.
    pub top: Option<f64>,
    /// The path of a platform, px from where the file draws it. Left out for other solids.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<[f64; 2]>,
    /// The point about which it rotates, px. Left out for other solids.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pivot: Option<[f64; 2]>,
    /// Its color, `#rrggbb`.
    pub fill: String,
    /// The color of its edges, and of its outline while it is switched off, `#rrggbb`.
    pub edge: String,
}

/// A zone.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SceneZone {
    /// Its name.
    pub name: String,
    /// Its corners, counterclockwise, px.
    pub points: Vec<[f64; 2]>,
    /// Its color, `#rrggbb`.
    pub color: String,
    /// Whether it looks like water.
    pub wet: bool,
    /// The acceleration of its wind, px/s².
    pub external_accel: [f64; 2],
    /// The velocity of its conveyor, px/s.
    pub conveyor: [f64; 2],
    /// Its gravity as a multiple of the level's.
    pub gravity_scale: f64,
}

impl SceneStage {
    /// The stage of a level that runs at this many ticks per second.
    pub fn of(level: &Level, tick_hz: u32) -> Self {
        let solids = level.terrain.solids().iter();
        Self {
            level: level.name.to_string(),
            view: level.view.name(),
            bounds: [level.bounds.min.into(), level.bounds.max.into()],
            tick_hz,
            background: palette::background(level).hex(),
            solids: solids.map(|solid| SceneSolid::of(level, solid)).collect(),
            zones: level.zones.list().iter().map(SceneZone::of).collect(),
        }
    }
}

impl SceneSolid {
    fn of(level: &Level, solid: &Solid) -> Self {
        let colors = palette::solid(level, solid);
        let path = solid.path.iter().flat_map(|path| path.points()).copied();
        Self {
            name: solid.name.to_string(),
            surface: level.surface_name(solid.surface).to_string(),
            points: corners(solid.points.iter().copied()),
            one_way: solid.one_way,
            top: (level.view == View::Top && solid.top.is_finite()).then_some(solid.top),
            path: corners(path),
            pivot: solid.rotation.map(|rotation| rotation.pivot.into()),
            fill: colors.fill.hex(),
            edge: colors.edge.hex(),
        }
    }
}

impl SceneZone {
    fn of(zone: &Zone) -> Self {
        Self {
            name: zone.name.to_string(),
            points: corners(zone.points.iter().copied()),
            color: palette::zone(zone).hex(),
            wet: palette::is_wet(zone),
            external_accel: zone.external_accel.into(),
            conveyor: zone.conveyor.into(),
            gravity_scale: zone.gravity_scale,
        }
    }
}
