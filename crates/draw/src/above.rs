//! Top views: a tiled floor, blocks by height, and bodies among them with their shadows.
//!
//! A point z px high is painted z px further up the picture. If two things are at the same spot in
//! the picture, the southern one is nearer to the viewer, so the plane is painted in strips from north
//! to south, each up to the southern end of the next body. Within a strip higher layers cover lower
//! ones.

use super::{palette::BlockColors, *};
use hangtime_core::level::{Scenery, Transit};

/// Painted height of infinitely high solids, px: low, so that they hide little.
const ENDLESS: f64 = 18.0;

/// Width of a tile of the plain ground, px.
const TILE: f64 = 40.0;

/// How far above its feet a body's head is painted, as a fraction of its half-width.
const HEAD: f64 = 0.6;

/// A solid in the form that is painted.
struct PaintedBlock {
    /// Its outline at its current position, px.
    points: Vec<DVec2>,
    height: f64,
    ground: BlockColors,
}

pub fn paint(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    paint_floor(brush, picture);
    let blocks = blocks(picture, &brush.lens);
    for flat in blocks.iter().filter(|b| b.height == 0.0) {
        let ink = Ink::sharp(flat.ground.top);
        brush.fill(flat.points.iter().copied(), ink);
        brush.outline(flat.points.iter().copied(), 1.0, flat.ground.edge);
    }
    zones::paint(brush, picture);
    terrain::paint_ghosts(brush, picture);
    let terrain = &picture.level.terrain;
    let standing = Transit::at(terrain.platforms(), picture.changes, picture.time);
    let scenery = terrain.moved(&standing);
    let mut bodies: Vec<&EntityView> = shown(picture.bodies, picture.show.drawing).collect();
    bodies.sort_by(|a, b| south_of(b).total_cmp(&south_of(a)));
    let mut north = f64::INFINITY;
    for one in bodies {
        let south = south_of(one);
        paint_strip(brush, &blocks, [south, north]);
        paint_shadow(brush, &scenery, one);
        if !sprites::paint(brush, picture, (one, raised(one, 0.0))) {
            let colors = chosen(one, picture.show.drawing);
            paint_body(brush, one, colors);
        }
        north = south;
    }
    paint_strip(brush, &blocks, [f64::NEG_INFINITY, north]);
    joints::paint(brush, picture);
    // Players see where they are even behind a block. A ring would hide parts of a sprite.
    let plain = |body: &&EntityView| body.player > 0 && !sprites::has(picture, body);
    for one in shown(picture.bodies, picture.show.drawing).filter(plain) {
        let ink = Ink::faint(palette::body(one).edge, 0.35);
        brush.ring(raised(one, head(one)), one.collider(), 1.0, ink);
    }
}

/// The southern end of a body.
fn south_of(body: &EntityView) -> f64 {
    body.pos.y - body.half.y
}

fn paint_floor(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    let tiles = palette::floor(picture.level.surface_name(picture.level.plain));
    brush.canvas.pixels_mut().fill(tiles[0].pixel());
    let Bounds { min, max } = brush.lens.shows();
    let first = (min / TILE).floor();
    let count = (max / TILE).ceil() - first;
    for row in 0..count.y as i64 {
        for column in 0..count.x as i64 {
            let corner = first + dvec2(column as f64, row as f64);
            if (corner.x + corner.y).rem_euclid(2.0) < 0.5 {
                continue;
            }
            let corner = corner * TILE;
            let side = [DVec2::ZERO, DVec2::X, DVec2::ONE, DVec2::Y].map(|c| corner + c * TILE);
            brush.fill(side, Ink::sharp(tiles[1]));
        }
    }
}

/// The visible blocks.
fn blocks(picture: &Picture<'_>, lens: &Lens) -> Vec<PaintedBlock> {
    let level = picture.level;
    let block = |(index, solid): (u32, std::borrow::Cow<'_, Solid>)| {
        let offset = solid_offset(picture, index);
        let height = if solid.top.is_finite() { solid.top } else { ENDLESS };
        let mut seen = solid.bounds.moved(offset);
        seen.max.y += height;
        let name = level.surface_name(solid.surface);
        seen.meets(&lens.shows()).then(|| PaintedBlock {
            points: solid.points.iter().map(|p| *p + offset).collect(),
            height,
            ground: palette::block(name, solid.top),
        })
    };
    solids::present(picture).filter_map(block).collect()
}

/// Paints the part of the blocks between `south` and `north`.
fn paint_strip(brush: &mut Brush<'_>, blocks: &[PaintedBlock], between: [f64; 2]) {
    let parts: Vec<(Vec<DVec2>, &PaintedBlock)> = blocks
        .iter()
        .filter(|block| block.height > 0.0)
        .map(|block| (part_between(&block.points, between), block))
        .filter(|(points, _)| points.len() >= 3)
        .collect();
    let mut heights: Vec<f64> = parts.iter().map(|(_, block)| block.height).collect();
    heights.sort_by(f64::total_cmp);
    heights.dedup();
    let mut low = 0.0;
    for high in heights {
        let reaching = || parts.iter().filter(|(_, block)| block.height >= high);
        for (points, block) in reaching() {
            paint_sides(brush, points, [low, high], block);
        }
        for (points, block) in reaching().filter(|(_, block)| block.height <= high) {
            paint_top(brush, points, block, between);
        }
        low = high;
    }
}

/// Paints the sides of a block that face south, between two heights.
fn paint_sides(brush: &mut Brush<'_>, points: &[DVec2], [low, high]: [f64; 2], block: &PaintedBlock) {
    for (start, end) in edges(points).filter(|(start, end)| end.x > start.x) {
        let (low, high) = (dvec2(0.0, low), dvec2(0.0, high));
        let side = [start + low, end + low, end + high, start + high];
        // Sides that face southeast or southwest are darker.
        let slope = ((end - start).normalize_or_zero().y).abs() as f32;
        let color = block.ground.side.towards(palette::DARK, slope * 0.35);
        brush.fill(side, Ink::sharp(color));
    }
}

fn paint_top(brush: &mut Brush<'_>, points: &[DVec2], block: &PaintedBlock, between: [f64; 2]) {
    let up = dvec2(0.0, block.height);
    let top = points.iter().map(|p| *p + up);
    brush.fill(top, Ink::sharp(block.ground.top));
    // The cut at the end of a strip is not an edge.
    let cut = |start: DVec2, end: DVec2| start.y == end.y && between.contains(&start.y);
    for (start, end) in edges(points).filter(|(start, end)| !cut(*start, *end)) {
        brush.stroke([start + up, end + up], 1.0, block.ground.edge);
    }
}

fn edges(points: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> {
    (0..points.len()).map(|i| (points[i], points[(i + 1) % points.len()]))
}

/// The part of an outline between `south` and `north`.
fn part_between(points: &[DVec2], [south, north]: [f64; 2]) -> Vec<DVec2> {
    let lower = clipped(points, north, 1.0);
    clipped(&lower, south, -1.0)
}

/// The part of an outline below `y`, or above it when `side` is −1.
fn clipped(points: &[DVec2], y: f64, side: f64) -> Vec<DVec2> {
    let inside = |p: DVec2| (p.y - y) * side <= 0.0;
    let mut part = Vec::with_capacity(points.len() + 2);
    for (start, end) in edges(points) {
        if inside(start) {
            part.push(start);
        }
        if inside(start) != inside(end) {
            let share = (y - start.y) / (end.y - start.y);
            part.push(dvec2(start.x + (end.x - start.x) * share, y));
        }
    }
    part
}

/// A body's position in the picture, `up` px above its feet.
fn raised(body: &EntityView, up: f64) -> DVec2 {
    body.pos + dvec2(0.0, body.z + up)
}

pub fn head(body: &EntityView) -> f64 {
    body.half.min_element() * HEAD
}

/// Paints the shadow on the floor under the body: the higher the body, the farther away and the
/// smaller.
fn paint_shadow(brush: &mut Brush<'_>, scenery: &Scenery<'_>, body: &EntityView) {
    let floor = scenery.floor_below(body.collider(), body.pos, body.z);
    let at = body.pos + dvec2(0.0, floor.height);
    let above = body.z - floor.height;
    let size = 1.15 - 0.35 * (above / 200.0).min(1.0);
    brush.oval(at, Collider { half: body.half * size, form: body.form }, palette::SHADOW);
}

fn paint_body(brush: &mut Brush<'_>, body: &EntityView, colors: ShapeColors) {
    let head = head(body);
    let dark = colors.fill.towards(palette::DARK, 0.4);
    brush.oval(raised(body, 0.0), body.collider(), dark);
    let top = raised(body, head);
    brush.oval(top, body.collider(), colors.fill);
    brush.ring(top, body.collider(), 1.5, colors.edge);
    let eye = dvec2(body.facing * 0.4, 0.15) * body.half;
    body::paint_eye(brush, top + eye, body.half.x);
}
