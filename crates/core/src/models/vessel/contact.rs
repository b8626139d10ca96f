//! Contacts between a vessel and the terrain.

use super::{hull::PlacedPiece, *};
use crate::{
    geometry::{convex::Clip, grid::CellRange},
    level::{ABREAST, Block, MOST_WALLS, Wall, WallLines},
};
use std::slice;

/// How near a piece has to be for a contact, px. With this margin, a vessel stays in contact with
/// what it rests on although it has been moved out of it.
pub const CONTACT_MARGIN: f64 = 0.05;

/// The contact of one piece with one block, or with several along the same normal.
#[derive(Clone, Copy, Debug)]
pub struct Manifold {
    /// Unit normal, out of the terrain.
    pub normal: DVec2,
    /// Penetration depth, px; below 0 if there is still a gap.
    pub depth: f64,
    /// Contact point relative to the vessel's center, px: the barycenter of the intersection.
    pub at: DVec2,
    /// The vessel's center, px.
    pub center: DVec2,
    /// The two ends of the intersection along the tangent, relative to the vessel's center, px.
    pub ends: [DVec2; 2],
    /// How much less deep each end is than the contact, px.
    pub gaps: [f64; 2],
    /// The face or corner that is touched.
    pub feature: Feature,
    /// The surface of the touched solid.
    pub surface: SurfaceId,
    /// The platform that it belongs to.
    pub platform: Option<u16>,
    /// Index of the foot that touches; `None` for the hull.
    pub foot: Option<u8>,
    /// Index of the piece that touches.
    pub piece: u8,
    pub area: f64,
    /// Whether it is too slow to bounce.
    pub slow: bool,
}

/// Maximum number of contacts at once. If there are more, the deepest ones count.
pub const MAX_CONTACTS: usize = 8;

/// All contacts of a vessel at one moment.
#[derive(Clone, Debug, Default)]
pub struct ContactSet {
    /// The contacts, each with another piece or along another normal.
    pub list: ArrayVec<Manifold, MAX_CONTACTS>,
}

/// Two ends are one if they are no farther apart than this, px.
const SAME_END: f64 = 1e-6;

/// Two normals are equal if their cosine is above this.
const SAME_NORMAL: f64 = 1.0 - 1e-9;

impl ContactSet {
    /// Whether any contact is fast enough to bounce.
    pub fn any_hard(&self) -> bool {
        self.list.iter().any(|contact| !contact.slow)
    }

    /// Adds a contact. It is merged with another contact of the same piece along the same normal.
    pub fn add(&mut self, contact: &Manifold) {
        for known in &mut self.list {
            let same = known.piece == contact.piece
                && known.platform == contact.platform
                && known.surface == contact.surface
                && known.normal.dot(contact.normal) > SAME_NORMAL;
            if same {
                known.merge(contact);
                return;
            }
        }
        // As a slice, it is copied once.
        if self.list.try_extend_from_slice(slice::from_ref(contact)).is_ok() {
            return;
        }
        let all = self.list.iter_mut();
        if let Some(shallowest) = all.min_by(|a, b| a.depth.total_cmp(&b.depth))
            && shallowest.depth < contact.depth
        {
            *shallowest = *contact;
        }
    }
}

impl Manifold {
    /// Unit vector along the touched surface.
    pub fn tangent(&self) -> DVec2 {
        DVec2::new(self.normal.y, -self.normal.x)
    }

    /// Merges with another contact along the same normal.
    fn merge(&mut self, other: &Self) {
        let tangent = self.tangent();
        let area = self.area + other.area;
        self.at = (self.at * self.area + other.at * other.area) / area;
        self.area = area;
        let along = |v: DVec2| v.dot(tangent);
        let depths = [0, 1].map(|i| {
            let (own, its) = (self.depth - self.gaps[i], other.depth - other.gaps[i]);
            let farther = along(other.ends[i]) - along(self.ends[i]);
            match (i, farther > SAME_END, farther < -SAME_END) {
                (0, _, true) | (1, true, _) => its,
                (_, false, false) => own.max(its),
                _ => own,
            }
        });
        let low = along(self.ends[0]).min(along(other.ends[0]));
        let high = along(self.ends[1]).max(along(other.ends[1]));
        let middle = along(self.at);
        self.ends = [self.at + tangent * (low - middle), self.at + tangent * (high - middle)];
        if other.depth > self.depth {
            self.depth = other.depth;
            self.feature = other.feature;
        }
        self.gaps = [0, 1].map(|i| self.depth - depths[i]);
    }
}

impl Wall {
    /// How far its plane is along its normal, px, when it is moved out by [`CONTACT_MARGIN`].
    #[inline]
    fn level(&self, offset: DVec2) -> f64 {
        self.face.normal.dot(self.face.start + offset) + CONTACT_MARGIN
    }
}

/// The piece's edges decide only if the intersection is this much shallower along them than along
/// the block's walls: as a share, and in px. Otherwise the two would alternate.
const EDGE_SHARE: f64 = 0.98;
const EDGE_LESS: f64 = 1e-3;

/// How far outside the open part of a wall an intersection may lie, px.
const OPEN_SLACK: f64 = 0.5;

/// The position of a piece relative to the walls of a block.
struct WallDepths {
    /// Its depth behind each wall, px.
    depths: [f64; MOST_WALLS],
    /// One bit for each wall that cuts it.
    cuts: u32,
}

impl WallDepths {
    /// The greatest depth that an intersection can turn out to have.
    fn deepest(&self) -> f64 {
        let least = self.depths.iter().fold(f64::INFINITY, |least, depth| lower(least, *depth));
        let cut = self.depths.iter().enumerate().filter(|(j, _)| self.cuts & (1 << j) != 0);
        cut.fold(least, |most, (_, depth)| if *depth > most { *depth } else { most })
    }
}

/// The lower of two numbers, without the care for NaN that makes `f64::min` slow where walls are measured abreast.
fn lower(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// The lowest of a number for each of several walls.
fn lowest([a, b, c, d]: [f64; ABREAST]) -> f64 {
    lower(lower(a, b), lower(c, d))
}

/// A way out along a piece's edge, away from a corner of the block.
struct EdgeExit {
    depth: f64,
    normal: DVec2,
    corner: u32,
}

impl EdgeExit {
    const NONE: Self = Self { depth: f64::INFINITY, normal: DVec2::ZERO, corner: 0 };
}

/// Adds the intersection of a piece with a block, whose walls are moved out by [`CONTACT_MARGIN`], relative to
/// `center`: to the contacts if an open wall is near it, else it becomes the weak one if that is deeper or missing.
/// If there is none, returns by how much a wall separates the two, px, or 0 if it is not known.
fn intersect(
    piece: &PlacedPiece,
    (block, walls): (&Block, &[Wall]),
    (offset, center): (DVec2, DVec2),
    contacts: &mut ContactSet,
    weak: &mut Option<Manifold>,
) -> Result<(), f64> {
    let behind = behind_walls(piece, &block.lines, offset)?;
    let Some(mut clip) = Clip::of(piece.points()) else {
        return Err(0.0);
    };
    for (j, wall) in walls.iter().enumerate() {
        if behind.cuts & (1 << j) != 0 {
            let start = wall.face.start + offset + wall.face.normal * CONTACT_MARGIN;
            clip.keep_behind(start, wall.face.normal);
        }
    }
    let (area, barycenter) = clip.area_and_barycenter().ok_or(0.0)?;
    let exit = if is_blunt(piece, walls, offset, barycenter) {
        EdgeExit::NONE
    } else {
        edge_exit(piece, (walls, &block.lines), offset, behind.deepest()).ok_or(0.0)?
    };
    let (best, any) = entered(&clip, walls, offset, barycenter, &behind);
    let mut open = best.is_some();
    let wall = best.unwrap_or(any);
    let (mut depth, mut normal) = (behind.depths[wall], walls[wall].face.normal);
    let mut feature = walls[wall].feature();
    let by_edge = exit.depth < depth * EDGE_SHARE - EDGE_LESS;
    if by_edge {
        (depth, normal, feature) = (exit.depth, exit.normal, Feature::Corner(exit.corner));
        open = true;
    }
    let tangent = DVec2::new(normal.y, -normal.x);
    let (low, high) = clip.extent(tangent);
    let at = barycenter - center;
    let middle = barycenter.dot(tangent);
    let gaps = if by_edge { [0.0; 2] } else { end_gaps(&clip, normal, tangent, middle) };
    let contact = Manifold {
        normal,
        depth: depth - CONTACT_MARGIN,
        at,
        center,
        ends: [at + tangent * (low - middle), at + tangent * (high - middle)],
        gaps,
        feature,
        surface: block.surface,
        platform: block.platform,
        foot: piece.foot,
        piece: piece.index,
        area,
        slow: false,
    };
    if open {
        contacts.add(&contact);
    } else if weak.as_ref().is_none_or(|weak| contact.depth < weak.depth) {
        *weak = Some(contact);
    }
    Ok(())
}

/// Whether no edge of a piece separates it from a block or leads out of it: their intersection, around `inside`, is
/// at the middle of a wall, and no corner that can be touched is near the piece. Sometimes false although that is so.
fn is_blunt(piece: &PlacedPiece, walls: &[Wall], offset: DVec2, inside: DVec2) -> bool {
    let area = piece.bounds.moved(-offset).grown(DVec2::ONE);
    let inside = inside - offset;
    let mut near = 0;
    for Wall { face, corner, .. } in walls {
        near += u32::from(face.normal.dot(inside - face.start) > -CONTACT_MARGIN);
        if corner.is_some() && area.holds(face.start) {
            return false;
        }
    }
    near <= 1
}

/// The open wall through which the piece has entered, near `barycenter`, by the least depth, if any; and
/// the wall with the least depth of all.
fn entered(
    clip: &Clip,
    walls: &[Wall],
    offset: DVec2,
    barycenter: DVec2,
    WallDepths { depths, cuts }: &WallDepths,
) -> (Option<usize>, usize) {
    let mut best: Option<usize> = None;
    let mut any = 0;
    for (j, wall) in walls.iter().enumerate() {
        if depths[j] < depths[any] {
            any = j;
        }
        // The piece has to enter through this wall, near its open part.
        if cuts & (1 << j) == 0 {
            continue;
        }
        let along = wall.face.along.dot(barycenter - wall.face.start - offset);
        let open = wall.is_open()
            && along >= wall.open.0 - OPEN_SLACK
            && along <= wall.open.1 + OPEN_SLACK
            && clip
                .points()
                .iter()
                .any(|point| wall.face.normal.dot(*point) - wall.level(offset) > -TOUCH);
        if open && best.is_none_or(|b| depths[j] < depths[b]) {
            best = Some(j);
        }
    }
    (best, any)
}

/// The depth of a piece behind each wall, or by how much one of them separates the two, px.
fn behind_walls(piece: &PlacedPiece, lines: &[WallLines], offset: DVec2) -> Result<WallDepths, f64> {
    let mut found = WallDepths { depths: [f64::INFINITY; MOST_WALLS], cuts: 0 };
    for (place, lines) in lines.iter().enumerate() {
        let ([xs, ys], [across, up]) = (&lines.starts, &lines.normals);
        let levels: [f64; ABREAST] = std::array::from_fn(|j| {
            let start = DVec2::new(xs[j], ys[j]) + offset;
            across[j] * start.x + up[j] * start.y + CONTACT_MARGIN
        });
        let (mut low, mut high) = ([f64::INFINITY; ABREAST], [f64::NEG_INFINITY; ABREAST]);
        for point in piece.points() {
            for j in 0..ABREAST {
                let height = across[j] * point.x + up[j] * point.y - levels[j];
                low[j] = if height < low[j] { height } else { low[j] };
                high[j] = if height > high[j] { height } else { high[j] };
            }
        }
        // One of them separates the two: asked of all at once, as a branch for each wall costs more.
        let deepest = lowest(low.map(|low| -low));
        if deepest <= 0.0 {
            return Err(-deepest);
        }
        for j in 0..ABREAST {
            found.depths[place * ABREAST + j] = -low[j];
            found.cuts |= u32::from(high[j] > 0.0) << (place * ABREAST + j);
        }
    }
    Ok(found)
}

/// Finds the shortest way out along the piece's edges, among those that are shorter than `most` and whose deepest corner
/// of the block can be touched and is in the piece; infinitely long if there is none. `None` if an edge separates the two.
fn edge_exit(
    piece: &PlacedPiece,
    (walls, lines): (&[Wall], &[WallLines]),
    offset: DVec2,
    most: f64,
) -> Option<EdgeExit> {
    let mut shortest = EdgeExit::NONE;
    for (normal, start) in piece.normals().iter().zip(piece.points()) {
        let level = normal.dot(*start - offset) + CONTACT_MARGIN;
        let height = |x: f64, y: f64| normal.x * x + normal.y * y - level;
        let deepest = lines.iter().fold(f64::INFINITY, |deepest, lines| {
            let [xs, ys] = &lines.starts;
            lower(deepest, lowest(std::array::from_fn(|j| height(xs[j], ys[j]))))
        });
        let depth = -deepest;
        if depth <= 0.0 {
            return None;
        }
        if depth >= shortest.depth.min(most) {
            continue;
        }
        // Of a side parallel to the edge, the nearer end may be the touched one.
        let starts = |wall: &&Wall| {
            let start = wall.face.start;
            height(start.x, start.y) <= deepest + SAME_END && holds(piece, start + offset)
        };
        if let Some(corner) = walls.iter().filter(starts).find_map(|wall| wall.corner) {
            shortest = EdgeExit { depth, normal: -*normal, corner };
        }
    }
    Some(shortest)
}

/// Whether a point is in a piece, or as near as a contact.
fn holds(piece: &PlacedPiece, point: DVec2) -> bool {
    let mut edges = piece.normals().iter().zip(piece.points());
    edges.all(|(normal, start)| normal.dot(point - *start) <= CONTACT_MARGIN)
}

/// How much less deep the intersection is on either side of its middle than at its deepest point, px.
fn end_gaps(clip: &Clip, normal: DVec2, tangent: DVec2, middle: f64) -> [f64; 2] {
    let mut low = [f64::INFINITY; 2];
    for point in clip.points() {
        let side = usize::from(point.dot(tangent) > middle);
        low[side] = lower(low[side], point.dot(normal));
    }
    let deepest = lower(low[0], low[1]);
    low.map(|height| height - deepest)
}

/// Where to look for contacts.
#[derive(Clone, Copy)]
pub struct ContactQuery<'a> {
    /// The terrain.
    pub scenery: Scenery<'a>,
    /// The remaining share of each platform's step in this tick, and the steps, px; none if all stand still.
    pub ahead: (f64, &'a [DVec2]),
    /// The vessel's pieces.
    pub hull: &'a Hull,
    /// The blocks near it.
    pub near: &'a RefCell<Near>,
    /// How far its feet can be pressed in, px.
    pub foot_travel: f64,
    /// The vessel's previous pose, which decides whether a one-way platform blocks it.
    pub before: Pose,
}

/// Maximum number of blocks near a vessel. Only heaps of tiny tiles have more; the rest are
/// ignored.
const MOST_NEAR: usize = 192;

/// How far around a vessel blocks are gathered, px: for the way of a whole tick, so that its steps need not look again.
const AHEAD: f64 = 8.0;

/// Blocks that are farther away than this are not looked at again until a vessel has moved that far, px.
const CLOSE: f64 = 3.0;

/// The static blocks near a vessel, each once.
pub struct Near {
    list: ArrayVec<u32, MOST_NEAR>,
    /// Where all of them are listed.
    area: Bounds,
    /// The cells that they are from, which decide their order.
    cells: Option<CellRange>,
    /// Those of them that were close to the only piece of a vessel, in the same order.
    close: ArrayVec<u32, MOST_NEAR>,
    /// Its pose at that time, and the least distance to the others, px; 0 if it is not known.
    apart: (Pose, f64),
}

impl Default for Near {
    fn default() -> Self {
        Self {
            list: ArrayVec::new(),
            area: Bounds::NONE,
            cells: None,
            close: ArrayVec::new(),
            apart: (Pose { pos: DVec2::ZERO, turn: DVec2::X }, 0.0),
        }
    }
}

impl Near {
    /// Lists the blocks in an area, unless they are listed already.
    fn look(&mut self, area: &Bounds, scenery: &Scenery) {
        let blocks = scenery.terrain.blocks();
        let cells = blocks.cells_near(area);
        if self.cells == cells && self.area.holds(area.min) && self.area.holds(area.max) {
            return;
        }
        self.apart.1 = 0.0;
        let all_there = scenery.terrain.platforms().is_empty();
        let is_there = |index| {
            let platform = || blocks.block(index).platform;
            all_there || platform().is_none_or(|p| scenery.has_platform(p))
        };
        let wide = area.grown(DVec2::splat(AHEAD));
        for (listed, kept) in [(wide, wide), (*area, Bounds::NONE)] {
            self.list.clear();
            let list = &mut self.list;
            blocks.visit(if cells.is_some() { area } else { &listed }, &listed, |index| {
                if !list.contains(&index) && is_there(index) {
                    let _ = list.try_push(index);
                }
            });
            self.area = kept;
            if !self.list.is_full() {
                break;
            }
        }
        self.cells = cells;
    }
}

/// All blocks of a platform that rotates are looked at.
const ANYWHERE: Bounds = Bounds { min: DVec2::NEG_INFINITY, max: DVec2::INFINITY };

/// A vessel that was placed somewhere may overlap by this much, px: rounding.
pub const CLEAR: f64 = 1e-7;

/// A piece counts as above a one-way platform if it is at most this far below its top, px.
const ONE_WAY_SLACK: f64 = 1.0;

impl ContactQuery<'_> {
    /// All contacts of the vessel in this pose.
    pub fn contacts(&self, pose: &Pose, feet: &[Foot]) -> ContactSet {
        let mut contacts = ContactSet::default();
        self.fill(pose, feet, &mut contacts);
        contacts
    }

    /// Replaces `contacts` by all contacts of the vessel in this pose. Many bytes are not copied.
    pub fn fill(&self, pose: &Pose, feet: &[Foot], contacts: &mut ContactSet) {
        contacts.list.clear();
        let weak = self.find(pose, feet, contacts);
        if contacts.list.is_empty()
            && let Some(contact) = weak
        {
            // The vessel is so deep inside that no open wall is near; any way out will do.
            contacts.add(&contact);
        }
    }

    /// Like [`contacts`](Self::contacts) for a vessel that was placed there: it may be entirely
    /// inside one block while it touches another.
    pub fn contacts_when_placed(&self, pose: &Pose) -> ContactSet {
        let mut contacts = ContactSet::default();
        let weak = self.find(pose, &[], &mut contacts);
        let overlaps = contacts.list.iter().any(|contact| contact.depth > CLEAR);
        if !overlaps && let Some(contact) = weak.filter(|w| contacts.list.is_empty() || w.depth > CONTACT_MARGIN) {
            contacts.add(&contact);
        }
        contacts
    }

    /// Whether nothing is near a vessel that moves from one place to another.
    pub fn is_far(&self, from: DVec2, to: DVec2) -> bool {
        let reach = self.hull.radius + self.foot_travel + CONTACT_MARGIN;
        let platforms = self.scenery.widest_step();
        let area = Bounds::of(from, to).grown(DVec2::splat(reach) + platforms);
        let mut near = self.near.borrow_mut();
        near.look(&area, &self.scenery);
        let blocks = self.scenery.terrain.blocks();
        let mut listed = near.list.iter().map(|index| &blocks.block(*index).bounds);
        !listed.any(|bounds| bounds.meets(&area)) && self.movers(&area).is_empty()
    }

    /// Adds all contacts with open walls. Returns the shallowest of the others.
    pub fn find(&self, pose: &Pose, feet: &[Foot], contacts: &mut ContactSet) -> Option<Manifold> {
        let feet_out = if feet.is_empty() { 0.0 } else { self.foot_travel };
        let reach = self.hull.radius + feet_out + CONTACT_MARGIN;
        let area = Bounds::of(pose.pos, pose.pos).grown(DVec2::splat(reach));
        let mut near = self.near.borrow_mut();
        near.look(&area, &self.scenery);
        let movers = (!self.scenery.terrain.movers().is_empty()).then(|| self.movers(&area));
        let mut weak = None;
        let Near { list, close, apart: (from, apart), .. } = &mut *near;
        let moved = from.pos.distance(pose.pos) + self.hull.radius * from.turn.distance(pose.turn);
        let alone = self.hull.pieces.len() == 1 && self.hull.feet == 0;
        let known = alone && moved + CONTACT_MARGIN < *apart;
        if !known {
            (*from, *apart) = (*pose, f64::INFINITY);
            close.clear();
        }
        self.hull.place(pose, feet, self.foot_travel, |piece| {
            if known {
                close.iter().for_each(|index| _ = self.test(piece, *index, pose, contacts, &mut weak));
            } else {
                for index in &*list {
                    let distance = self.test(piece, *index, pose, contacts, &mut weak);
                    if distance >= CLOSE {
                        *apart = apart.min(distance);
                    } else if alone {
                        close.push(*index);
                    }
                }
            }
            movers
                .iter()
                .flatten()
                .for_each(|index| _ = self.test(piece, *index, pose, contacts, &mut weak));
        });
        weak
    }

    /// Offset of a platform from its drawn position after this part of the tick, px.
    fn offset(&self, platform: u16) -> DVec2 {
        self.scenery.offset(platform) - self.step(platform) * self.ahead.0
    }

    /// The blocks of moving platforms in an area, each once, in ascending order.
    fn movers(&self, area: &Bounds) -> ArrayVec<u32, MOST_NEAR> {
        let mut near = ArrayVec::new();
        let terrain = self.scenery.terrain;
        let mut last = None;
        while !near.is_full() {
            let movers = self.scenery.movers_after(last, area);
            if movers.is_empty() {
                break;
            }
            last = movers.last().copied();
            for platform in movers {
                if !self.scenery.has_platform(platform) {
                    continue;
                }
                let first = near.len();
                let turns = self.scenery.tilt(platform).is_some();
                let area = if turns { ANYWHERE } else { area.moved(-self.offset(platform)) };
                terrain.blocks().visit_mover(platform, &area, |index| {
                    if !near[first..].contains(&index) {
                        let _ = near.try_push(index);
                    }
                });
                near[first..].sort_unstable();
            }
        }
        near
    }

    /// The step of a platform in this tick, px.
    pub fn step(&self, platform: u16) -> DVec2 {
        self.ahead.1.get(platform as usize).copied().unwrap_or(DVec2::ZERO)
    }

    /// Tests a piece against a block. Returns a distance that is known to be between them, px.
    fn test(
        &self,
        piece: &PlacedPiece,
        index: u32,
        pose: &Pose,
        contacts: &mut ContactSet,
        weak: &mut Option<Manifold>,
    ) -> f64 {
        let blocks = self.scenery.terrain.blocks();
        let block = blocks.block(index);
        let tilt = block.platform.and_then(|platform| self.scenery.tilt(platform));
        let tilted = tilt.map(|tilt| block.tilted(blocks.walls(block), &tilt.rewound(self.ahead.0)));
        let (block, walls) = match &tilted {
            Some((block, walls)) => (block, &walls[..]),
            None => (block, blocks.walls(block)),
        };
        let offset = block.platform.map_or(DVec2::ZERO, |p| self.offset(p));
        let bounds = block.bounds.moved(offset).grown(DVec2::splat(CONTACT_MARGIN));
        if !piece.bounds.meets(&bounds) {
            return (bounds.min - piece.bounds.max).max(piece.bounds.min - bounds.max).max_element();
        }
        if block.one_way && self.comes_from_below(piece, walls, offset, pose) {
            return 0.0;
        }
        intersect(piece, (block, walls), (offset, pose.pos), contacts, weak).err().unwrap_or(0.0)
    }

    /// Whether a piece was below a one-way platform in the previous pose.
    fn comes_from_below(&self, piece: &PlacedPiece, walls: &[Wall], offset: DVec2, pose: &Pose) -> bool {
        let top = &walls[0].face;
        let unturned = DVec2::new(pose.turn.x, -pose.turn.y);
        piece.points().iter().any(|p| {
            let own = turned(unturned, *p - pose.pos);
            let was = self.before.pos + turned(self.before.turn, own);
            (was - top.start - offset).dot(top.normal) < -ONE_WAY_SLACK
        })
    }
}
