//! Bodies as the pictures of their kinds.

use super::*;
use hangtime_core::{
    geometry::{turn, turned},
    sim::BodySprite,
};

/// Paints the sprite of a body whose center is seen at `center`. Returns whether it has one.
pub fn paint(brush: &mut Brush<'_>, picture: &Picture<'_>, (one, center): (&EntityView, DVec2)) -> bool {
    let Some((sprite, sheet)) = picture.show.art.and_then(|art| find(art, one)) else {
        return false;
    };
    let by = picture.show.drawing.and_then(|drawing| drawing.of(one.id));
    let frame = by.and_then(|by| by.frame);
    let frame = frame.unwrap_or_else(|| sprite.frame_of(one, picture.time));
    let size = sprite.frame_size.map_or([None; 2], |size| size.map(Some));
    let mut stamp = Stamp::new(sheet, sheet.frame_size(size), frame);
    stamp.flip = [one.facing < 0.0, one.inverted];
    stamp.tint = by.and_then(|by| by.color);
    body::paint_hook(brush, one);
    let extent = stamp.extent() * sprite.scale;
    // The lower edge of the frame is at the feet.
    let up = sprite.offset.y + (extent.y * 0.5 - one.half.y);
    let aside = dvec2(sprite.offset.x * one.facing, if one.inverted { -up } else { up });
    let lens = brush.lens;
    let seen = (extent * lens.scale).round().max(DVec2::ONE);
    if one.angle == 0.0 {
        let corner = (lens.pixel(center + aside) - seen * 0.5).round();
        stamp.paint(brush.canvas, corner, seen);
    } else {
        let turn = turn(one.angle);
        stamp.paint_turned(brush.canvas, lens.pixel(center + turned(turn, aside)), seen, turn);
    }
    true
}

/// Whether a body has a sprite.
pub fn has(picture: &Picture<'_>, body: &EntityView) -> bool {
    picture.show.art.is_some_and(|art| find(art, body).is_some())
}

/// The sprite of a body's kind, if its picture could be read.
fn find<'a>(art: &'a Artwork, body: &EntityView) -> Option<(&'a BodySprite, &'a Sheet)> {
    let sprite = art.sprites.get(&*body.kind)?;
    Some((sprite, art.sheets.get(&sprite.sheet)?))
}
