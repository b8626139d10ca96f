//! The solids of a level as they are in a picture.

use super::*;

/// Offset of a solid from where its file draws it, px.
pub fn solid_offset(picture: &Picture<'_>, index: u32) -> DVec2 {
    let path = picture.level.terrain.solids()[index as usize].path.as_ref();
    path.map_or(DVec2::ZERO, |path| picture.changes.offset(index, path, picture.time))
}

/// The solids that are switched on, with their indices.
pub fn present<'a>(picture: &'a Picture<'_>) -> impl Iterator<Item = (u32, &'a Solid)> {
    let solids = (0..).zip(picture.level.terrain.solids());
    solids.filter(|(index, _)| !picture.changes.absent.holds(*index))
}
