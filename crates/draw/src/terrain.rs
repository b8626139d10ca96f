//! Terrain from the side: solids in the pattern of their surface with edges where bodies can stand,
//! one-way platforms as planks, and switched-off solids as dashed outlines.

use super::{
    art::{PLANK, Trim, fill_ground, paint_plank, paint_trim},
    tiles::TilePainter,
    *,
};
use hangtime_core::level::Side;

/// How far details of an edge reach from it, px.
const ROOM: f64 = PLANK + 8.0;

/// Paints the switched-off solids: a dashed outline with a faint fill.
pub fn paint_ghosts(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    for index in picture.changes.absent.iter() {
        let solid = &*rotated(picture, index);
        if solid.is_gone() {
            continue;
        }
        let offset = solid_offset(picture, index);
        let points = || solid.points.iter().map(|point| *point + offset);
        let color = palette::ghost(picture.level, solid);
        if !solid.one_way {
            brush.fill(points(), Ink::faint(color, palette::GHOST.0));
        }
        let ink = Ink::faint(color, palette::GHOST.1);
        brush.dashes(points(), !solid.one_way, ink);
    }
}

pub fn paint(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    let level = picture.level;
    let shown = brush.lens.shows().grown(DVec2::splat(ROOM));
    let styles: Vec<Style> = level.surfaces.iter().map(|name| Style::of(name)).collect();
    let style = |solid: &Solid| styles.get(solid.surface.0 as usize);
    let tiles = TilePainter::of(picture, &shown);
    let tiles_of = |solid: &Solid| {
        let surface = level.surface_name(solid.surface);
        tiles.as_ref()?.of_surface(surface)
    };
    paint_ghosts(brush, picture);
    for (index, solid) in present(picture) {
        let solid = &*solid;
        let offset = solid_offset(picture, index);
        let hidden = solid.one_way || map_tiles::shows(picture, index);
        if hidden || !solid.bounds.moved(offset).meets(&shown) {
            continue;
        }
        if let Some(numbers) = tiles_of(solid)
            && let Some(tiles) = &tiles
        {
            tiles.fill(brush, (index, solid, offset), numbers);
        } else if let Some(style) = style(solid) {
            fill_ground(brush, &solid.points, offset, style);
        }
    }
    let terrain = &level.terrain;
    for edge in terrain.edges() {
        let solid = &terrain.solids()[edge.solid as usize];
        let offset = solid_offset(picture, edge.solid);
        let (face, end) = placed_edge(picture, edge);
        let start = face.start;
        let absent = picture.changes.absent.holds(edge.solid);
        let hidden = absent || map_tiles::shows(picture, edge.solid);
        if hidden || !Bounds::of(start, end).meets(&shown) {
            continue;
        }
        if edge.side == Side::Solid && tiles_of(solid).is_some() {
            continue;
        }
        let Some(style) = style(solid) else { continue };
        let trim = Trim { start, end, normal: face.normal, offset };
        match edge.side {
            Side::Solid => paint_trim(brush, &trim, style),
            Side::OneWay => paint_plank(brush, &trim, style),
            Side::Under => {}
        }
    }
    map_tiles::paint(brush, picture);
}
