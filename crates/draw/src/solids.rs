//! The solids of a level as they are in a picture.

use super::*;
use hangtime_core::{
    geometry::sweep::Face,
    level::{Edge, Tilt},
};
use std::borrow::Cow;

/// Offset of a solid from where its file draws it, px.
pub fn solid_offset(picture: &Picture<'_>, index: u32) -> DVec2 {
    let path = picture.level.terrain.solids()[index as usize].path.as_ref();
    path.map_or(DVec2::ZERO, |path| picture.changes.offset(index, path, picture.time))
}

/// How a solid is rotated; `None` for one that never is.
pub fn solid_tilt(picture: &Picture<'_>, index: u32) -> Option<Tilt> {
    let solid = &picture.level.terrain.solids()[index as usize];
    picture.changes.tilt(index, solid, picture.time)
}

/// A solid as it is rotated, apart from its offset.
pub fn rotated<'a>(picture: &Picture<'a>, index: u32) -> Cow<'a, Solid> {
    let solid = &picture.level.terrain.solids()[index as usize];
    solid_tilt(picture, index).map_or(Cow::Borrowed(solid), |tilt| Cow::Owned(tilt.solid(solid)))
}

/// The solids that are switched on, as they are rotated, with their indices.
pub fn present<'a>(picture: &'a Picture<'_>) -> impl Iterator<Item = (u32, Cow<'a, Solid>)> {
    let solids = 0..picture.level.terrain.solids().len() as u32;
    let there = solids.filter(|index| !picture.changes.absent.holds(*index));
    let there = there.filter(|index| !picture.level.terrain.solids()[*index as usize].is_gone());
    there.map(|index| (index, rotated(picture, index)))
}

/// An edge where it is, and its end.
pub fn placed_edge(picture: &Picture<'_>, edge: &Edge) -> (Face, DVec2) {
    let offset = solid_offset(picture, edge.solid);
    let tilt = solid_tilt(picture, edge.solid);
    let (face, end) = tilt.map_or((edge.face, edge.end), |tilt| (tilt.face(&edge.face), tilt.point(edge.end)));
    (Face { start: face.start + offset, ..face }, end + offset)
}
