//! Convex shapes: splitting, clipping and mass properties.
//!
//! A body may have any simple outline, but contacts with terrain are computed on convex parts:
//! [`parts`] makes them when the body is loaded, [`Clip`] cuts them at every contact, and
//! [`mass_center`] finds the body's center of mass.
//!
//! Straight angles count as convex, and so does a corner that bends inward by no more than rounding
//! error. All areas are summed over triangles whose corners are relative to a point of the shape,
//! so they are as exact far from the origin as near it.

use super::*;

/// Angles with a sine below this are straight up to rounding.
const STRAIGHT: f64 = 1e-9;

/// The index of the first corner of a counterclockwise outline that bends inward by more than
/// rounding error; `None` if the outline is convex.
pub fn first_inward_corner(points: &[DVec2]) -> Option<usize> {
    let count = points.len();
    (0..count).find(|&i| {
        let before = points[(i + count - 1) % count];
        bends_in(before, points[i], points[(i + 1) % count])
    })
}

/// Whether a path that turns at `corner` turns right by more than rounding error.
fn bends_in(before: DVec2, corner: DVec2, after: DVec2) -> bool {
    let (come, go) = (corner - before, after - corner);
    come.perp_dot(go) < -STRAIGHT * (come.length_squared() * go.length_squared()).sqrt()
}

/// Area in px², center of mass, and second moment of area about it divided by the area, px², of
/// non-overlapping pieces of one density.
///
/// The last number times a body's mass is its moment of inertia; for a box of `w` by `h` px it is
/// `(w² + h²) / 12`. The pieces are simple polygons wound counterclockwise. Pieces without area
/// have their first point as the center and a moment of 0.
pub fn mass_center(pieces: &[Vec<DVec2>]) -> (f64, DVec2, f64) {
    let Some(&origin) = pieces.iter().find_map(|piece| piece.first()) else {
        return (0.0, DVec2::ZERO, 0.0);
    };
    let (mut doubled, mut weighted) = (0.0, DVec2::ZERO);
    for_each_triangle(pieces, origin, |u, v, cross| {
        doubled += cross;
        weighted += (u + v) * cross;
    });
    if doubled <= 0.0 {
        return (0.0, origin, 0.0);
    }
    let center = origin + weighted / (3.0 * doubled);
    let mut moment = 0.0;
    for_each_triangle(pieces, center, |u, v, cross| {
        moment += (u.dot(u) + u.dot(v) + v.dot(v)) * cross;
    });
    (doubled / 2.0, center, moment / (6.0 * doubled))
}

/// Calls `visit` with the ends of every edge relative to `origin` and their cross product: twice
/// the signed area of the triangle between the edge and the origin.
fn for_each_triangle(pieces: &[Vec<DVec2>], origin: DVec2, mut visit: impl FnMut(DVec2, DVec2, f64)) {
    for (start, end) in pieces.iter().flat_map(|piece| polygon::sides(piece)) {
        let (u, v) = (start - origin, end - origin);
        visit(u, v, cross(u, v));
    }
}

/// A cross product smaller than this fraction of its two terms has lost too many digits to
/// cancellation.
const CANCELED: f64 = 1e-4;

/// The cross product of two vectors, exact to its last digits even where they are almost parallel,
/// as in a slanted sliver.
#[inline]
fn cross(u: DVec2, v: DVec2) -> f64 {
    let (plus, minus) = (u.x * v.y, u.y * v.x);
    let difference = plus - minus;
    if difference.abs() >= CANCELED * (plus.abs() + minus.abs()) {
        difference
    } else {
        difference + (product_error(u.x, v.y, plus) - product_error(u.y, v.x, minus))
    }
}

/// The rounding error of a product of two numbers, after Dekker: halves of 26 bits multiply without
/// rounding.
#[inline]
fn product_error(a: f64, b: f64, product: f64) -> f64 {
    let ((a_high, a_low), (b_high, b_low)) = (halves(a), halves(b));
    ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
}

/// The upper and lower half of a number's mantissa.
#[inline]
fn halves(a: f64) -> (f64, f64) {
    let scaled = a * 134_217_729.0;
    let high = scaled - (scaled - a);
    (high, a - high)
}

/// A convex part of an outline, wound counterclockwise.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPart {
    /// Its corners, px, each a point of the outline.
    pub points: Vec<DVec2>,
    /// For each edge of the part, the index of the outline's point where that edge starts, or
    /// `None` where the edge is a cut through the inside, which nothing outside can touch.
    pub edges: Vec<Option<u32>>,
}

/// Splits a simple outline, wound counterclockwise, into convex parts with at most `most` corners
/// each (three, if `most` is less). They cover the outline and do not overlap.
pub fn parts(outline: &[DVec2], most: usize) -> Vec<ConvexPart> {
    let pieces = if outline.len() <= most.max(3) && first_inward_corner(outline).is_none() {
        vec![(0..outline.len()).collect()]
    } else {
        merged(outline, triangles(outline), most)
    };
    let part = |piece: Vec<usize>| ConvexPart {
        points: piece.iter().map(|&i| outline[i]).collect(),
        edges: sides(&piece)
            .map(|(from, to)| is_edge(outline, from, to).then_some(from as u32))
            .collect(),
    };
    pieces.into_iter().map(part).collect()
}

/// The sides of a piece, as pairs of corners.
fn sides(piece: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    let next = piece.iter().cycle().skip(1);
    piece.iter().copied().zip(next.copied())
}

/// Whether the side from one point to another is an edge of the outline rather than a cut.
fn is_edge(outline: &[DVec2], from: usize, to: usize) -> bool {
    (from + 1) % outline.len() == to
}

/// Outlines with more points take any ears instead of the best ones, which would take too long.
const MANY: usize = 256;

/// Splits the outline into triangles, each given by the indices of its corners.
fn triangles(outline: &[DVec2]) -> Vec<Vec<usize>> {
    if outline.len() > MANY {
        return Ears::new(outline).cut();
    }
    let mut left: Vec<usize> = (0..outline.len()).collect();
    let mut found = vec![];
    while left.len() > 3 {
        let at = ear(outline, &left);
        found.push(corner(&left, at).to_vec());
        left.remove(at);
    }
    found.push(left);
    found
}

/// The point at a position in the remaining outline, between its neighbors.
fn corner(left: &[usize], at: usize) -> [usize; 3] {
    let count = left.len();
    [left[(at + count - 1) % count], left[at], left[(at + 1) % count]]
}

/// The position of the best ear of the remaining outline.
fn ear(outline: &[DVec2], left: &[usize]) -> usize {
    // A simple outline always has an ear; an ear from which every other point keeps clear by more
    // than rounding error is better. The last resort handles outlines that are not simple.
    let clear = |margin: f64| best(outline, left, |points| is_clear(outline, left, points, margin));
    clear(STRAIGHT)
        .or_else(|| clear(0.0))
        .or_else(|| best(outline, left, |_| true))
        .unwrap_or(0)
}

/// The position of the thickest triangle that is `good`.
fn best(outline: &[DVec2], left: &[usize], good: impl Fn([usize; 3]) -> bool) -> Option<usize> {
    let mut best = (0.0, None);
    for at in 0..left.len() {
        let points = corner(left, at);
        let thickness = thickness(points.map(|i| outline[i]));
        if thickness > best.0 && good(points) {
            best = (thickness, Some(at));
        }
    }
    best.1
}

/// The thickness of a triangle as a fraction of its longest side; negative if it is wound
/// clockwise.
fn thickness([a, b, c]: [DVec2; 3]) -> f64 {
    (b - a).perp_dot(c - a) / longest_squared([a, b, c])
}

/// The squared length of a triangle's longest side.
fn longest_squared([a, b, c]: [DVec2; 3]) -> f64 {
    [b - a, c - b, a - c].map(DVec2::length_squared).into_iter().fold(0.0, f64::max)
}

/// Whether no other remaining point lies in a triangle or, within a margin, on its boundary.
fn is_clear(outline: &[DVec2], left: &[usize], corners: [usize; 3], margin: f64) -> bool {
    !left.iter().any(|i| blocks(outline, corners, *i, margin))
}

/// Whether a point that is not a corner of a triangle lies in it or, within a margin, on its boundary.
fn blocks(outline: &[DVec2], corners: [usize; 3], i: usize, margin: f64) -> bool {
    let [a, b, c] = corners.map(|i| outline[i]);
    let within = |from: DVec2, to: DVec2| {
        let side = to - from;
        side.perp_dot(outline[i] - from) >= -margin * side.length_squared()
    };
    within(c, a) && within(a, b) && within(b, c) && !corners.contains(&i)
}

/// Merges pieces: the two pieces on either side of each cut, longest cut first, become one if the
/// result is convex and has at most `most` corners. A cut that cannot be merged now cannot be
/// merged later either, because other merges only open angles and add corners.
fn merged(outline: &[DVec2], mut pieces: Vec<Vec<usize>>, most: usize) -> Vec<Vec<usize>> {
    let mut cuts: Vec<(usize, usize)> = pieces
        .iter()
        .flat_map(|piece| sides(piece))
        .filter(|&(from, to)| from < to && !is_edge(outline, from, to))
        .collect();
    let length = |&(from, to): &(usize, usize)| (outline[to] - outline[from]).length_squared();
    cuts.sort_by(|a, b| length(b).total_cmp(&length(a)).then(a.cmp(b)));
    let mut owners = BTreeMap::new();
    for (number, piece) in pieces.iter().enumerate() {
        owners.extend(sides(piece).map(|side| (side, number)));
    }
    for (from, to) in cuts {
        let place = |side| {
            let piece = *owners.get(&side)?;
            let at = sides(&pieces[piece]).position(|s| s == side)?;
            Some((piece, at))
        };
        let (Some(left), Some(right)) = (place((from, to)), place((to, from))) else {
            continue;
        };
        if let Some(union) = union(outline, &pieces, left, right, most) {
            owners.extend(sides(&union).map(|side| (side, left.0)));
            pieces[left.0] = union;
            pieces[right.0].clear();
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Two pieces merged across the side they share, if the result is allowed.
fn union(
    outline: &[DVec2],
    pieces: &[Vec<usize>],
    (left, left_at): (usize, usize),
    (right, right_at): (usize, usize),
    most: usize,
) -> Option<Vec<usize>> {
    // Each without its end at the shared side, from the side's other end on.
    let from_end = |piece: &[usize], at: usize| {
        let count = piece.len();
        (1..count).map(|step| piece[(at + step) % count]).collect::<Vec<usize>>()
    };
    let mut union = from_end(&pieces[left], left_at);
    let seam = union.len();
    union.extend(from_end(&pieces[right], right_at));
    let bends = |at: usize| {
        let [before, here, after] = corner(&union, at).map(|i| outline[i]);
        bends_in(before, here, after)
    };
    (union.len() <= most && !bends(0) && !bends(seam)).then_some(union)
}

/// An outline from which ears are cut.
pub(super) struct Ears<'a> {
    outline: &'a [DVec2],
    /// The neighbors of each remaining point.
    before: Vec<usize>,
    after: Vec<usize>,
    /// Whether a point remains that bent inward when it was last looked at.
    inward: Vec<bool>,
    /// The points that bend inward in the whole outline.
    grid: Grid<u32>,
    /// How many more points may be looked at.
    work: usize,
}

/// How strictly ears are chosen: clear of all other points by more than rounding error, clear of
/// them, and, for outlines that are not simple or too tangled, any.
#[derive(Clone, Copy)]
enum Care {
    Full,
    Some,
    Little,
}

/// How many points all ears of one outline may be compared with.
const MOST_WORK: usize = 30_000_000;

impl<'a> Ears<'a> {
    pub fn new(outline: &'a [DVec2]) -> Self {
        let count = outline.len();
        let before: Vec<usize> = (0..count).map(|i| (i + count - 1) % count).collect();
        let after: Vec<usize> = (0..count).map(|i| (i + 1) % count).collect();
        let inward: Vec<bool> =
            (0..count).map(|i| bends_in(outline[before[i]], outline[i], outline[after[i]])).collect();
        let points = (0..count).filter(|i| inward[*i]);
        let points: Vec<(Bounds, u32)> = points.map(|i| (Bounds::around(&outline[i..=i]), i as u32)).collect();
        let all = Bounds::around(outline);
        let cell = (all.max - all.min).max_element() / count as f64;
        Self { outline, before, after, inward, grid: Grid::new(&points, cell), work: MOST_WORK }
    }

    /// The triangles, as the indices of their corners.
    pub fn cut(mut self) -> Vec<Vec<usize>> {
        let mut triangles = Vec::with_capacity(self.outline.len() - 2);
        let mut left = self.outline.len();
        let (mut at, mut refused, mut care) = (0, 0, Care::Full);
        while left > 3 {
            if self.work == 0 {
                care = Care::Little;
            }
            if self.is_ear(at, care) {
                let (before, after) = (self.before[at], self.after[at]);
                triangles.push(vec![before, at, after]);
                self.after[before] = after;
                self.before[after] = before;
                self.inward[at] = false;
                for i in [before, after] {
                    self.inward[i] &= self.bends_in(i);
                }
                left -= 1;
                refused = 0;
                at = self.after[after];
                continue;
            }
            at = self.after[at];
            refused += 1;
            if refused > left {
                refused = 0;
                care = match care {
                    Care::Full => Care::Some,
                    _ => Care::Little,
                };
            }
        }
        triangles.push(vec![self.before[at], at, self.after[at]]);
        triangles
    }

    fn bends_in(&self, at: usize) -> bool {
        let point = |i: usize| self.outline[i];
        bends_in(point(self.before[at]), point(at), point(self.after[at]))
    }

    /// Whether a corner can be cut off.
    fn is_ear(&mut self, at: usize, care: Care) -> bool {
        let corners = [self.before[at], at, self.after[at]];
        let [a, b, c] = corners.map(|i| self.outline[i]);
        let margin = match care {
            Care::Full => STRAIGHT,
            Care::Some => 0.0,
            Care::Little => return true,
        };
        if (b - a).perp_dot(c - a) <= margin * longest_squared([a, b, c]) {
            return false;
        }
        let mut clear = true;
        let mut visited = 1;
        self.grid.visit(&Bounds::around(&[a, b, c]), |i| {
            let i = *i as usize;
            visited += 1;
            clear &= !(self.inward[i] && blocks(self.outline, corners, i, margin));
        });
        self.work = self.work.saturating_sub(visited);
        clear
    }
}

/// Maximum number of corners of a [`Clip`]. Each cut adds at most one.
pub const MOST_CLIP: usize = 32;

/// Maximum number of corners a [`Clip`] can start with, which leaves room for the same number of
/// cuts.
const MOST_START: usize = MOST_CLIP / 2;

/// The thickness that rounding alone can give a line, as a fraction of its coordinates.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// A convex outline, wound counterclockwise, that lines cut down. It lives on the stack because one
/// is made and cut for every contact in every tick.
#[derive(Clone, Copy, Debug)]
pub struct Clip {
    points: [DVec2; MOST_CLIP],
    count: usize,
}

impl Clip {
    /// The whole of a convex outline, px; `None` if it has more than 16 points.
    #[inline]
    pub fn of(points: &[DVec2]) -> Option<Self> {
        if points.len() > MOST_START {
            return None;
        }
        let mut clip = Self { points: [DVec2::ZERO; MOST_CLIP], count: points.len() };
        clip.points[..points.len()].copy_from_slice(points);
        Some(clip)
    }

    /// The corners that remain, px; empty if nothing does.
    #[inline]
    pub fn points(&self) -> &[DVec2] {
        &self.points[..self.count]
    }

    /// The part at or behind the line through `start` with the outward unit normal `normal`.
    ///
    /// A result with more than [`MOST_CLIP`] corners, which takes more than 16 cuts, drops the
    /// corners that make the least difference.
    #[inline]
    pub fn behind(mut self, start: DVec2, normal: DVec2) -> Self {
        self.keep_behind(start, normal);
        self
    }

    /// Cuts in place, like [`Self::behind`]. Several cuts in a row are several times faster without
    /// copies in between.
    #[inline]
    pub fn keep_behind(&mut self, start: DVec2, normal: DVec2) {
        let mut outside = 0_u32;
        for (i, point) in self.points().iter().enumerate() {
            outside |= u32::from(normal.dot(*point - start) > 0.0) << i;
        }
        if outside != 0 {
            if self.count == MOST_CLIP {
                self.make_room();
                self.keep_behind(start, normal);
                return;
            }
            self.cut(outside, start, normal);
        }
    }

    /// Drops the corner that makes the least difference.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        let points = self.points();
        let mut least = (f64::INFINITY, 0);
        for (i, point) in points.iter().enumerate() {
            let before = points[(i + points.len() - 1) % points.len()];
            let after = points[(i + 1) % points.len()];
            let area = (*point - before).perp_dot(after - *point);
            if area < least.0 {
                least = (area, i);
            }
        }
        self.points.copy_within(least.1 + 1..self.count, least.1);
        self.count -= 1;
    }

    /// Cuts off the corners whose bits are set in `outside`. At least one is set, and there is room
    /// for one more corner.
    #[inline]
    fn cut(&mut self, outside: u32, start: DVec2, normal: DVec2) {
        let inside = !outside & (u32::MAX >> (MOST_CLIP - self.count));
        if inside == 0 {
            self.count = 0;
            return;
        }
        // A line crosses a convex outline in one place, so the corners to cut form one run.
        if outside & 1 == 0 {
            let first = outside.trailing_zeros();
            let run = (outside >> first).trailing_ones();
            if (outside >> first) >> run == 0 {
                self.cut_middle(first as usize, run as usize, start, normal);
                return;
            }
        } else {
            let first = inside.trailing_zeros();
            let run = (inside >> first).trailing_ones();
            if (inside >> first) >> run == 0 {
                self.cut_ends(first as usize, run as usize, start, normal);
                return;
            }
        }
        self.cut_often(start, normal);
    }

    /// Replaces a run of corners, not including the first, with the two ends of the cut.
    #[inline]
    fn cut_middle(&mut self, first: usize, run: usize, start: DVec2, normal: DVec2) {
        let after = first + run;
        let next = if after == self.count { 0 } else { after };
        let leaves = self.crossing(first - 1, first, start, normal);
        let enters = self.crossing(next, after - 1, start, normal);
        self.points[first] = leaves;
        if run != 2 {
            self.points.copy_within(after..self.count, first + 2);
        }
        self.points[first + 1] = enters;
        self.count = self.count + 2 - run;
    }

    /// Keeps a run of corners, not including the first, and adds the two ends of the cut.
    #[inline]
    fn cut_ends(&mut self, first: usize, run: usize, start: DVec2, normal: DVec2) {
        let after = first + run;
        let next = if after == self.count { 0 } else { after };
        let leaves = self.crossing(after - 1, next, start, normal);
        let enters = self.crossing(first, first - 1, start, normal);
        self.points.copy_within(first..after, 0);
        self.points[run] = leaves;
        self.points[run + 1] = enters;
        self.count = run + 2;
    }

    /// Where the edge from a kept corner to a removed one crosses the line.
    #[inline]
    fn crossing(&self, kept: usize, removed: usize, start: DVec2, normal: DVec2) -> DVec2 {
        let (kept, removed) = (self.points[kept], self.points[removed]);
        let (behind, before) = (normal.dot(kept - start), normal.dot(removed - start));
        kept + (removed - kept) * (behind / (behind - before))
    }

    /// The cut of an outline that the line crosses more than once, which happens when it lies along
    /// an edge and rounding puts corners on both sides of it.
    #[cold]
    #[inline(never)]
    fn cut_often(&mut self, start: DVec2, normal: DVec2) {
        let whole = *self;
        let is_kept = |i: usize| normal.dot(whole.points[i] - start) <= 0.0;
        self.count = 0;
        for i in 0..whole.count {
            let next = (i + 1) % whole.count;
            match (is_kept(i), is_kept(next)) {
                (true, true) => self.add(whole.points[i]),
                (true, false) => {
                    self.add(whole.points[i]);
                    self.add(whole.crossing(i, next, start, normal));
                }
                (false, true) => self.add(whole.crossing(next, i, start, normal)),
                (false, false) => {}
            }
        }
    }

    fn add(&mut self, point: DVec2) {
        if self.count < MOST_CLIP {
            self.points[self.count] = point;
            self.count += 1;
        }
    }

    /// Area in px² and barycenter of the remaining shape; `None` if it is no thicker than rounding
    /// error.
    #[inline]
    pub fn area_and_barycenter(&self) -> Option<(f64, DVec2)> {
        let [first, second, rest @ ..] = self.points() else {
            return None;
        };
        let mut before = *second - *first;
        let mut reach = before.abs();
        let (mut doubled, mut weighted) = (0.0, DVec2::ZERO);
        for point in rest {
            let here = *point - *first;
            let part = cross(before, here);
            doubled += part;
            weighted += (before + here) * part;
            reach = reach.max(here.abs());
            before = here;
        }
        let size = reach.max_element();
        let thinnest = ROUNDING * (size + first.abs().max_element());
        (doubled > size * thinnest).then(|| (doubled / 2.0, *first + weighted / (3.0 * doubled)))
    }

    /// Minimum and maximum of the corners' distances along a unit vector, px from the origin;
    /// reversed and infinite if nothing remains.
    #[inline]
    pub fn extent(&self, along: DVec2) -> (f64, f64) {
        let nothing = (f64::INFINITY, f64::NEG_INFINITY);
        self.points().iter().fold(nothing, |(least, most), point| {
            let at = along.dot(*point);
            (if at < least { at } else { least }, if at > most { at } else { most })
        })
    }
}
