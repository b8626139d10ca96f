//! Pictures of a level, as a pure function of its state: pixels, an SVG, or data for programs that paint themselves.
//!
//! The window, a PNG of a headless run and a GIF all show exactly what [`paint`] paints. It knows no window, no file and no
//! clock: a [`Picture`] is what it is given, and a [`Spectator`] keeps what pictures need from earlier ticks, such as the
//! camera and the effects.
//!
//! ```
//! use hangtime_core::level::{Level, LevelChanges, Solid, SurfaceId, View};
//! use hangtime_core::sim::EntityView;
//! use hangtime_draw::{DEFAULT_SIZE, Picture, Show, paint};
//!
//! let corners = [[-200.0, -40.0], [200.0, -40.0], [200.0, 0.0], [-200.0, 0.0]];
//! let ground = Solid::new("ground".into(), SurfaceId(0), corners.map(Into::into).to_vec());
//! let level = Level::new("level", View::Side, vec![ground], vec!["stone".into()]);
//! let body = EntityView { pos: [0.0, 14.0].into(), half: [9.0, 14.0].into(), player: 1, ..EntityView::empty() };
//! let picture = Picture {
//!     level: &level,
//!     time: 0.0,
//!     changes: &LevelChanges::default(),
//!     bodies: &[body],
//!     hud: "a body",
//!     banner: "",
//!     why: "",
//!     show: Show::default(),
//! };
//! let mut canvas = tiny_skia::Pixmap::new(DEFAULT_SIZE.0, DEFAULT_SIZE.1).expect("a size above 0");
//! paint(&mut canvas, &picture);
//! assert!(canvas.pixels().iter().all(|pixel| pixel.is_opaque()));
//! ```
//!
//! Start with [`paint`]. Side views are made of `art`, `zones`, `terrain` and `body`, top views are in `above`; `scripted`
//! paints what scripts have drawn, `overlays` what is invisible in the game, and `panels` and `pages` are texts over it. All
//! of them paint with a `Brush`: a canvas with the lens through which it shows a level. `scene` is a picture as data.

mod above;
mod art;
mod between;
mod body;
mod brush;
mod camera;
mod color;
mod disc;
mod edited;
mod effects;
mod fan;
mod font;
mod frames;
mod ghosts;
mod joints;
mod known_colors;
mod lens;
mod looks;
mod map;
mod map_tiles;
mod markers;
mod moment;
mod overlay;
mod overlays;
mod pages;
mod paint_budget;
mod palette;
mod panels;
mod pen;
mod picture;
mod scene;
mod scripted;
mod show;
mod solids;
mod spectator;
mod sprites;
mod stamp;
mod svg;
mod terrain;
mod text;
mod tiles;
mod trail;
mod whole;
mod wishes;
mod zones;

pub use between::between;
pub use camera::{Camera, Focus, Frame, Shot};
pub use color::Color;
pub use edited::{EditPicture, EditShape, EditTone};
pub use fan::FanPicture;
pub use ghosts::{GhostOutline, GhostPicture, GhostShape};
pub use map::{LevelMap, MapMark, MarkTone, paint_map};
pub use markers::Markers;
pub use moment::Moment;
pub use overlay::{Overlay, Overlays};
pub use pages::{key_pages, menu_row_at, paint_keys, paint_menu};
pub use panels::{NoteRoom, NoteRow, NoteTone, paint_notes};
pub use picture::Picture;
pub use scene::{
    SceneBody, SceneDrawing, SceneForm, SceneHook, SceneMoment, ScenePiece, ScenePlatform, SceneSolid, SceneSpace,
    SceneStage, SceneZone,
};
pub use show::{Show, TickCount};
pub use spectator::Spectator;
pub use svg::{level_svg, xml_text};
pub use wishes::{WishHandle, WishPicture};

use art::Style;
use brush::Brush;
use color::{Ink, rgb};
use effects::Effects;
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{Collider, ColliderForm, grid::Bounds},
    level::{Level, Solid, View, Zone},
    models::{HookState, ModelName},
    sim::{Artwork, Drawing, DrawnColor, EntityId, EntityView, Event, Joints, Sheet, Stage, World},
};
use lens::{Lens, size_of};
use looks::{chosen, shown};
use palette::{HINT, ShapeColors, TINT};
use solids::{placed_edge, present, rotated, solid_offset, solid_tilt};
use stamp::Stamp;
use std::{collections::BTreeMap, mem, ops::Range};
use tiny_skia::{Paint, Pixmap, PremultipliedColorU8, Transform};
use whole::{ceil, floor, wide_floor};

/// Default size of a picture, px.
pub const DEFAULT_SIZE: (u32, u32) = (640, 360);

/// Paints a picture over the whole `canvas`.
pub fn paint(canvas: &mut Pixmap, picture: &Picture<'_>) {
    let mut brush = brush_of(canvas, picture);
    let brush = &mut brush;
    match picture.level.view {
        View::Side => paint_side(brush, picture),
        View::Top => above::paint(brush, picture),
    }
    if let Some(effects) = effects_of(picture) {
        for (at, size, color) in effects.specks(picture.show.share) {
            brush.oval(at, DVec2::splat(size), color);
        }
    }
    let mut left_out = scripted::paint_in_level(brush, picture);
    mark_disabled(brush, picture);
    overlays::paint(brush, picture);
    let canvas = &mut *brush.canvas;
    let below = panels::below_hud(canvas, picture.hud);
    left_out += scripted::paint_on_screen(canvas, picture, below);
    scripted::paint_left_out(canvas, left_out);
    panels::paint_hud(canvas, picture.hud);
    panels::paint_why(canvas, picture.why);
    panels::paint_banner(canvas, picture.banner, below);
}

/// Paints ghosts over a picture that [`paint`] has painted on `canvas`.
pub fn paint_ghosts(canvas: &mut Pixmap, picture: &Picture<'_>, ghosts: &GhostPicture) {
    ghosts::paint(&mut brush_of(canvas, picture), picture, ghosts);
}

/// Paints a fan over a picture that [`paint`] has painted on `canvas`.
pub fn paint_fan(canvas: &mut Pixmap, picture: &Picture<'_>, paths: &FanPicture) {
    fan::paint(&mut brush_of(canvas, picture), paths);
}

/// Paints what can be edited in a level over a picture that [`paint`] has painted on `canvas`.
pub fn paint_edited(canvas: &mut Pixmap, picture: &Picture<'_>, edited: &EditPicture) {
    edited::paint(&mut brush_of(canvas, picture), edited);
}

/// Paints a drawn jump over a picture that [`paint`] has painted on `canvas`.
pub fn paint_wishes(canvas: &mut Pixmap, picture: &Picture<'_>, wishes: &WishPicture) {
    wishes::paint(&mut brush_of(canvas, picture), picture, wishes);
}

/// Paints what can be reached over a picture that [`paint`] has painted on `canvas`.
pub fn paint_reach(canvas: &mut Pixmap, picture: &Picture<'_>, map: &LevelMap) {
    map::paint(&mut brush_of(canvas, picture), map);
}

/// Paints brackets around an entity over a picture that [`paint`] has painted on `canvas`.
pub fn paint_picked(canvas: &mut Pixmap, picture: &Picture<'_>, entity: EntityId) {
    overlays::mark(&mut brush_of(canvas, picture), picture, entity);
}

/// Paints the frame graph again if it is switched on, over lines that cover it.
pub fn paint_frames(canvas: &mut Pixmap, picture: &Picture<'_>) {
    overlays::paint_frames(&mut brush_of(canvas, picture), &picture.show);
}

/// Paints an error message over the upper part of a picture, below its status line; an empty one paints
/// nothing.
pub fn paint_banner(canvas: &mut Pixmap, picture: &Picture<'_>, message: &str) {
    let top = panels::below_hud(canvas, picture.hud);
    panels::paint_banner(canvas, message, top);
}

/// What the picture shows: what the spectator's camera sees, or a settled one without a spectator.
fn brush_of<'a>(canvas: &'a mut Pixmap, picture: &Picture<'_>) -> Brush<'a> {
    let size = size_of(canvas);
    let camera = picture.show.spectator.and_then(Spectator::camera);
    let mut lens = match camera {
        Some(camera) => camera.lens(size, picture.show.share),
        None => {
            let size_of_picture = (canvas.width(), canvas.height());
            let shot = Shot::of(picture.level, picture.bodies, picture.show.drawing, size_of_picture);
            Camera::settled(&shot.focus, &shot.frame).lens(size, 1.0)
        }
    };
    if let Some(effects) = effects_of(picture) {
        lens.corner += effects.shaken().round();
    }
    Brush { canvas, lens }
}

/// The effects, if there are any and they are switched on.
fn effects_of<'a>(picture: &Picture<'a>) -> Option<&'a Effects> {
    let spectator = picture.show.spectator.filter(|_| picture.show.effects);
    spectator.map(|spectator| &spectator.effects)
}

fn paint_side(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    art::paint_sky(brush, &picture.level.bounds, picture.time);
    // Zones are painted behind solids, like air and water.
    zones::paint(brush, picture);
    terrain::paint(brush, picture);
    let effects = effects_of(picture);
    for ghost in effects.iter().flat_map(|effects| effects.ghosts()) {
        let ink = color::Ink::faint(ghost.color, ghost.cover());
        brush.oval(ghost.pos, ghost.shape, ink);
    }
    joints::paint(brush, picture);
    let shown = brush.lens.shows();
    // Players are painted last, so that no other body covers them.
    for player in [false, true] {
        for one in looks::shown(picture.bodies, picture.show.drawing).filter(|b| (b.player > 0) == player) {
            if sprites::paint(brush, picture, (one, one.pos)) {
                continue;
            }
            if !body::reach_of(one).meets(&shown) {
                continue;
            }
            let colors = chosen(one, picture.show.drawing);
            let Some(effects) = effects else {
                body::paint(brush, one, colors, picture.time);
                continue;
            };
            let shaped = effects.shaped(one, picture.show.share);
            body::paint(brush, &shaped, colors, picture.time);
            if effects.blinks(one.id) {
                brush.ring(shaped.pos, shaped.collider().grown(1.5), 2.5, palette::WARN);
            }
        }
    }
}

/// Marks the entities whose script is disabled after repeated failures.
fn mark_disabled(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    for body in picture.bodies.iter().filter(|body| body.quarantined) {
        let head = match picture.level.view {
            View::Side => 0.0,
            View::Top => body.z + above::head(body),
        };
        let above = DVec2::new(0.0, body.half.y + head);
        let (x, y) = brush.lens.at(body.pos + above);
        let (left, top) = (x as i32 - 1, y as i32 - text::HEIGHT as i32 - 1);
        text::paint_line(brush.canvas, "!", left - 2, top, palette::WARN);
    }
}

/// All colors that pictures of a level can contain, and the most frequent ones of the game's own pictures.
pub fn colors(level: &Level, art: &Artwork) -> Vec<Color> {
    let mut all = known_colors::all(level);
    all.extend(known_colors::of_art(art));
    all
}

/// The status line for a body: model, mode, speed, and the active revision.
pub fn hud_line(body: Option<&EntityView>, revision: u64) -> String {
    match body {
        Some(body) => {
            let speed = (body.vel + body.external).length();
            format!("{}   {}   {speed:.0} px/s   revision {revision}", body.model_name(), body.mode.as_str())
        }
        None => format!("revision {revision}"),
    }
}
