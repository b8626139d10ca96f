//! Tiles over the solids of a level.

use super::{art::for_each_column, stamp::over, *};
use hangtime_core::{geometry::polygon::contains, sim::SurfaceTiles};
use std::borrow::Cow;

/// How far outside of a tile there must be a solid for its edge to be inside, px.
const BEYOND: f64 = 0.5;

/// The tiles of a level with their picture, and the solids that are seen.
pub struct TilePainter<'a> {
    sheet: &'a Sheet,
    tiles: &'a SurfaceTiles,
    /// The solids in sight, each with its index and its offset.
    seen: Vec<(u32, Cow<'a, Solid>, DVec2)>,
}

impl<'a> TilePainter<'a> {
    /// The tiles of a level; `None` if it has none, or their picture could not be read.
    pub fn of(picture: &'a Picture<'_>, shown: &Bounds) -> Option<Self> {
        let art = picture.show.art?;
        let tiles = art.tiles.as_ref()?;
        let sheet = art.sheets.get(&tiles.sheet)?;
        let solids = present(picture).map(|(index, solid)| (index, solid, solid_offset(picture, index)));
        let side = DVec2::splat(f64::from(tiles.side));
        let near = shown.grown(side);
        let seen = solids.filter(|(_, solid, offset)| !solid.one_way && solid.bounds.moved(*offset).meets(&near));
        Some(Self { sheet, tiles, seen: seen.collect() })
    }

    /// The tiles of a surface, if it has some.
    pub fn of_surface(&self, name: &str) -> Option<&[u32]> {
        self.tiles.surfaces.get(name).map(Vec::as_slice)
    }

    /// Fills a solid.
    pub fn fill(&self, brush: &mut Brush<'_>, (index, solid, offset): (u32, &Solid, DVec2), numbers: &[u32]) {
        let side = f64::from(self.tiles.side);
        let size = self.sheet.frame_size([Some(self.tiles.side); 2]);
        // The tile that was painted last: most pixels of a column are in the same one.
        let mut last: Option<([i64; 2], [u32; 2])> = None;
        let lens = brush.lens;
        let top = lens.corner - offset;
        let width = brush.canvas.width() as usize;
        for_each_column(brush, &solid.points, offset, |canvas, column, _, rows| {
            let x = top.x + (column as f64 + 0.5) / lens.scale;
            for row in rows {
                let y = top.y - (row as f64 + 0.5) / lens.scale;
                let cell = [x, y].map(|along| (along / side).floor());
                let key = cell.map(|along| along as i64);
                let corner = match last {
                    Some((known, corner)) if known == key => corner,
                    _ => {
                        let low = dvec2(cell[0], cell[1]) * side + offset;
                        let number = self.tile((index, solid), low, numbers);
                        let corner = self.sheet.corner(size, number);
                        last = Some((key, corner));
                        corner
                    }
                };
                let inside = |along: f64, cell: f64, most: u32| ((along - cell * side) as u32).min(most - 1);
                let right = inside(x, cell[0], size[0]);
                let up = ((side - (y - cell[1] * side)) as u32).min(size[1] - 1);
                let pixel = self.sheet.pixel(corner[0] + right, corner[1] + up);
                let place = &mut canvas.pixels_mut()[row * width + column];
                *place = over(pixel, *place);
            }
        });
    }

    /// The tile of the cell whose lower left corner is at a point of the level.
    fn tile(&self, solid: (u32, &Solid), low: DVec2, numbers: &[u32]) -> u32 {
        let side = f64::from(self.tiles.side);
        let (middle, far) = (low + side * 0.5, low + side + BEYOND);
        let above = self.is_inside(solid, dvec2(middle.x, far.y));
        match *numbers {
            [top, rest] => {
                if above {
                    rest
                } else {
                    top
                }
            }
            [..] if numbers.len() == 9 => {
                let below = self.is_inside(solid, dvec2(middle.x, low.y - BEYOND));
                let left = self.is_inside(solid, dvec2(low.x - BEYOND, middle.y));
                let right = self.is_inside(solid, dvec2(far.x, middle.y));
                let place = |before: bool, after: bool| match (before, after) {
                    (false, true) => 0,
                    (true, false) => 2,
                    _ => 1,
                };
                numbers[place(above, below) * 3 + place(left, right)]
            }
            _ => numbers.first().copied().unwrap_or(0),
        }
    }

    /// Whether a point is in a solid that looks as one with this one: a platform is alone.
    fn is_inside(&self, (index, of): (u32, &Solid), at: DVec2) -> bool {
        let mut seen = self.seen.iter();
        seen.any(|(other, solid, offset)| {
            let joins = *other == index || (!of.moves() && !solid.moves());
            let at = at - *offset;
            joins && solid.bounds.holds(at) && contains(&solid.points, at)
        })
    }
}
