//! What a picture shows of a tick.

use super::*;

/// What moves: platforms, switches, bodies, and what scripts draw.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SceneMoment {
    /// Where the platforms are.
    pub platforms: Vec<ScenePlatform>,
    /// The solids that are switched off, by their places in `stage.solids`.
    pub solids_off: Vec<u32>,
    /// The zones that are switched off, by their places in `stage.zones`.
    pub zones_off: Vec<u32>,
    /// The bodies that are shown, by id.
    pub bodies: Vec<SceneBody>,
    /// Texts, bars and shapes that scripts draw; the level's script comes first.
    pub drawn: Vec<SceneDrawing>,
}

/// Where a platform is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ScenePlatform {
    /// Its place in `stage.solids`.
    pub solid: u32,
    /// How far it is from where the file draws it, px.
    pub offset: [f64; 2],
    /// For one that rotates: by how much, radians counterclockwise about its `pivot`. Left out for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angle: Option<f64>,
}

/// A body.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SceneBody {
    /// Its id.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// The player who controls it, from 1; 0 for none.
    pub player: u8,
    /// Its center and, in a top view, the height of its feet, px.
    pub pos: [f64; 3],
    /// Its velocity with the external one, px/s.
    pub vel: [f64; 2],
    /// Half of its width and height, px; for pieces, at angle 0.
    pub half: [f64; 2],
    /// `box` or `capsule`; left out for an ellipse and for pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<&'static str>,
    /// Its angle, radians counterclockwise.
    pub angle: f64,
    /// 1 toward +x, -1 toward -x.
    pub facing: f64,
    /// Whether its feet are at the top.
    pub inverted: bool,
    /// What it is doing: a mode.
    pub mode: &'static str,
    /// Its color, `#rrggbb`.
    pub fill: String,
    /// The color of its outline, `#rrggbb`.
    pub edge: String,
    /// Its shape if it turns. Left out otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<ScenePiece>,
    /// Its thrust, 0 to 1.
    pub thrust: f64,
    /// Its hook; null while that is with the body.
    pub hook: Option<SceneHook>,
    /// Whether its script is disabled because it failed too often.
    pub disabled: bool,
}

/// A piece of a body that turns.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ScenePiece {
    /// Its corners in the level, px.
    pub points: Vec<[f64; 2]>,
    /// Whether it is a sprung foot.
    pub foot: bool,
}

/// A hook that is out.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SceneHook {
    /// Its tip, px.
    pub tip: [f64; 2],
    /// The color of the rope, which shows how tense it is, `#rrggbb`.
    pub color: String,
}

impl SceneMoment {
    /// What moves in a picture.
    pub fn of(picture: &Picture<'_>) -> Self {
        let solids = (0..).zip(picture.level.terrain.solids());
        let platforms = solids.filter(|(_, solid)| solid.moves());
        let platforms = platforms.map(|(solid, _)| ScenePlatform {
            solid,
            offset: solid_offset(picture, solid).into(),
            angle: solid_tilt(picture, solid).map(|tilt| tilt.angle().to_radians()),
        });
        let bodies = shown(picture.bodies, picture.show.drawing);
        let bodies = bodies.filter(|body| body.model.is_some());
        Self {
            platforms: platforms.collect(),
            solids_off: picture.changes.absent.iter().collect(),
            zones_off: picture.changes.zones_off.iter().collect(),
            bodies: bodies.map(|body| SceneBody::of(picture, body)).collect(),
            drawn: SceneDrawing::all(picture),
        }
    }
}

/// What a body without pieces is called that is not an ellipse.
fn form_of(body: &EntityView) -> Option<&'static str> {
    match body.form {
        _ if body.pieces.is_some() => None,
        ColliderForm::Ellipse => None,
        ColliderForm::Box => Some("box"),
        ColliderForm::Capsule => Some("capsule"),
    }
}

impl SceneBody {
    fn of(picture: &Picture<'_>, body: &EntityView) -> Self {
        let colors = chosen(body, picture.show.drawing);
        let placed = body.pieces.iter().flat_map(|all| body::placed(body, all));
        let pieces = placed.map(|(points, foot)| ScenePiece { points: corners(points), foot });
        let hook = (body.hook.state != HookState::Idle)
            .then(|| SceneHook { tip: body.hook.tip.into(), color: palette::rope(body::tension(body)).hex() });
        Self {
            id: body.id.0,
            name: body.name.to_string(),
            player: body.player,
            pos: [body.pos.x, body.pos.y, body.z],
            vel: (body.vel + body.external).into(),
            half: body.half.into(),
            form: form_of(body),
            angle: body.angle,
            facing: body.facing,
            inverted: body.inverted,
            mode: body.mode.as_str(),
            fill: colors.fill.hex(),
            edge: colors.edge.hex(),
            pieces: pieces.collect(),
            thrust: body.thrust,
            hook,
            disabled: body.quarantined,
        }
    }
}
