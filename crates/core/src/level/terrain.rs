//! The terrain: solids joined into outlines whose edges know their neighbors.

use super::{
    join::{Joined, OutlinePiece},
    rejoin::{join_all, rejoin},
    *,
};
use crate::geometry::{Rim, separation::separation};

/// A solid polygon or a one-way line.
#[derive(Clone, Debug)]
pub struct Solid {
    /// Its name, from the file or derived from its position in it.
    pub name: Arc<str>,
    /// Index of its surface.
    pub surface: SurfaceId,
    /// Its outline, px, wound counterclockwise; for a one-way platform its line, from right to
    /// left.
    pub points: Vec<DVec2>,
    /// Bounding box, px.
    pub bounds: Bounds,
    /// Whether it is a one-way line, solid from above only.
    pub one_way: bool,
    /// Its path, if it moves.
    pub path: Option<Path>,
    /// How it rotates, if it does.
    pub rotation: Option<Rotation>,
    /// Whether it is on when the level begins; `None` if it cannot be switched.
    pub present: Option<bool>,
    /// Height of its top in a top view, px; infinite if it has no top.
    pub top: f64,
    /// The solid of the level's file of which it is a part, because scripts have broken tiles of that.
    pub part_of: Option<u32>,
    /// The edges of its outline by place, if there are many. [`Self::new`] sorts them.
    pub inside: Option<Arc<Inside>>,
    /// The same for the way out of it, if bodies are compared with it alone.
    /// [`Terrain::new`](super::Terrain::new) sorts them.
    pub rim: Option<Arc<Rim>>,
}

impl Solid {
    /// A solid with a validated outline, as returned by [`crate::geometry::polygon::outline`].
    pub fn new(name: Arc<str>, surface: SurfaceId, points: Vec<DVec2>) -> Self {
        let bounds = Bounds::around(&points);
        let inside = Inside::of(&points).map(Arc::new);
        Self {
            inside,
            rim: None,
            name,
            surface,
            points,
            bounds,
            one_way: false,
            path: None,
            rotation: None,
            present: None,
            top: f64::INFINITY,
            part_of: None,
        }
    }

    /// The same solid without an outline: it keeps its place in the list of solids, and nothing of it is there.
    #[must_use]
    pub(super) fn without_outline(self) -> Self {
        Self { points: Vec::new(), bounds: Bounds::NONE, inside: None, rim: None, ..self }
    }

    /// Whether it has no outline, because scripts have removed it.
    pub fn is_gone(&self) -> bool {
        self.points.is_empty()
    }

    /// Prepares it for bodies that are compared with its outline alone.
    pub(super) fn prepare(&mut self) {
        let alone = self.is_apart() || self.top.is_finite();
        if alone && !self.one_way && self.rim.is_none() {
            self.rim = Rim::of(&self.points).map(Arc::new);
        }
    }

    /// A rectangle between its lower left and upper right corner, px.
    pub fn rectangle(name: &str, surface: SurfaceId, min: impl Into<DVec2>, max: impl Into<DVec2>) -> Self {
        let (min, max) = (min.into(), max.into());
        let points = vec![min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
        Self::new(name.into(), surface, points)
    }

    /// A one-way platform with a validated line, as returned by
    /// [`crate::geometry::polygon::one_way`].
    pub fn one_way(name: Arc<str>, surface: SurfaceId, points: Vec<DVec2>) -> Self {
        Self { one_way: true, ..Self::new(name, surface, points) }
    }

    /// Whether a point lies inside its outline.
    pub fn contains(&self, point: DVec2) -> bool {
        self.bounds.holds(point) && lies_in(&self.points, self.inside.as_deref(), point)
    }

    /// How a body overlaps its outline; `None` if it does not.
    pub fn overlap(&self, shape: Collider, at: DVec2) -> Option<Separation> {
        if let Some(rim) = &self.rim {
            return rim.overlap(shape, at, &self.points);
        }
        Some(separation(shape, at, &self.points)).filter(Separation::overlaps)
    }

    /// The box around it wherever it moves, with room for rounding, px.
    pub(super) fn range(&self) -> Bounds {
        if !self.moves() {
            return self.bounds;
        }
        let Bounds { min, max } = self.rotation.map_or(self.bounds, |rotation| {
            Bounds::of(rotation.pivot, rotation.pivot).grown(DVec2::splat(self.reach_from(rotation.pivot)))
        });
        let reach = self.path.as_ref().map_or(Bounds::of(DVec2::ZERO, DVec2::ZERO), Path::reach);
        Bounds { min: min + reach.min, max: max + reach.max }.grown(DVec2::ONE)
    }

    /// How far its outline reaches from a point, px.
    pub fn reach_from(&self, pivot: DVec2) -> f64 {
        self.points.iter().map(|point| point.distance(pivot)).fold(0.0, f64::max)
    }

    /// Whether it has a path or rotates.
    pub fn moves(&self) -> bool {
        self.path.is_some() || self.rotation.is_some()
    }

    /// Whether it is kept separate rather than joined with others, because it moves or can be
    /// switched off.
    pub fn is_apart(&self) -> bool {
        self.moves() || self.present.is_some()
    }
}

/// All solids of a level, ready for queries.
#[derive(Clone, Debug)]
pub struct Terrain {
    pub(super) solids: Arc<[Solid]>,
    pub(super) edges: Vec<Edge>,
    pub(super) grid: Grid<GridEdge>,
    pub(super) solid_grid: Grid<u32>,
    /// Static solids with a top to stand on, whether or not they are obstacles in this terrain.
    pub(super) tops: Grid<u32>,
    pub(super) platforms: Vec<Platform>,
    /// The platforms that move.
    pub(super) movers: Vec<u16>,
    /// Where they are at any time, if there are many.
    pub(super) ranges: Option<Grid<u16>>,
    /// The platforms that stay in place, if there are any.
    pub(super) fixtures: Option<Grid<u16>>,
    /// Where the platforms are at tick 0.
    pub(super) starts: Transit,
    /// The surfaces of its solids, each once, and the box around all solids of that surface, wherever they move.
    pub(super) used_surfaces: Vec<(SurfaceId, Bounds)>,
    /// Whether all of it is always solid from outside: it has no platforms and no one-way platforms.
    pub(super) plain: bool,
    /// Where each edge lies on its straight line.
    pub(super) spans: Vec<EdgeSpan>,
    /// The solid at which joining the outlines was given up.
    tangled: Option<u32>,
    /// What bodies of the shapes that move in it can touch.
    pub(super) touchables: Arc<Touchables>,
    /// The solids split into convex parts, computed when the first body with corners needs them.
    pub(super) blocks: OnceLock<Blocks>,
}

/// Up to this many moving platforms are looked through one by one.
const FEW_MOVERS: usize = 32;

/// Width of a grid cell, px: about one character.
const CELL: f64 = 40.0;

/// Cell width of the grid of whole solids, px.
const SOLID_CELL: f64 = 160.0;

impl Terrain {
    /// Builds the terrain from solids. Outlines that touch or overlap are joined.
    pub fn new(mut solids: Vec<Solid>) -> Self {
        solids.iter_mut().for_each(Solid::prepare);
        Self::of(&solids.into(), |_| true)
    }

    /// The terrain of the solids for which `is_there` returns true. Indices of solids and platforms
    /// do not depend on that choice.
    pub(super) fn of(solids: &Arc<[Solid]>, is_there: impl Fn(&Solid) -> bool) -> Self {
        Self::joined_by(solids, is_there, |still| join_all(solids, still))
    }

    fn joined_by(
        solids: &Arc<[Solid]>,
        is_there: impl Fn(&Solid) -> bool,
        join: impl FnOnce(&[u32]) -> Joined,
    ) -> Self {
        let is_there = |s: &Solid| !s.is_gone() && is_there(s);
        let mut edges = Vec::new();
        let is_still = |s: &Solid| !s.is_apart();
        let mut still = indices(solids, |s| is_still(s) && !s.one_way && is_there(s));
        let Joined { pieces, tangled } = join(&still);
        add_pieces(&mut edges, solids, &pieces);
        if tangled.is_some() {
            // It is not used, and a grid of what made it fail would take long.
            still.clear();
        }
        for line in indices(solids, |s| is_still(s) && s.one_way && is_there(s)) {
            add_line(&mut edges, solids, line);
        }
        let grid = {
            let near: Vec<(Bounds, GridEdge)> = edges.iter().enumerate().map(grid_edge).collect();
            Grid::shaped(&near, CELL, |edge| Extent::Line([edge.start, edge.end]))
        };
        let boxes = |which: &[u32]| -> Vec<(Bounds, u32)> {
            let bounds = |i: &u32| (solids[*i as usize].bounds, *i);
            which.iter().map(bounds).collect()
        };
        let outline = |i: &u32| Extent::Outline(&solids[*i as usize].points);
        let tops = indices(solids, |s| is_still(s) && s.top.is_finite() && !s.is_gone());
        let mut terrain = Self {
            grid,
            solid_grid: Grid::shaped(&boxes(&still), SOLID_CELL, outline),
            tops: Grid::shaped(&boxes(&tops), SOLID_CELL, outline),
            fixtures: None,
            ranges: None,
            starts: Transit::default(),
            used_surfaces: Vec::new(),
            plain: false,
            solids: Arc::clone(solids),
            spans: EdgeSpan::of_all(&edges, 0),
            edges,
            platforms: Vec::new(),
            movers: Vec::new(),
            tangled,
            touchables: Arc::default(),
            blocks: OnceLock::new(),
        };
        terrain.add_platforms(is_there);
        terrain
    }

    /// The terrain of other solids, of which all but a few are those of `other`, for the same bodies.
    pub(super) fn like(other: &Self, solids: &Arc<[Solid]>) -> Self {
        let terrain = Self::joined_by(solids, |_| true, |still| rejoin(other, solids, still));
        other.touchables.shapes().for_each(|shape| terrain.expect(shape));
        terrain
    }

    /// The same ground with other platforms: solids that are apart.
    pub(super) fn with_platforms(&self, solids: &Arc<[Solid]>) -> Self {
        let ground = self.ground_edges();
        let mut terrain = Self {
            solids: Arc::clone(solids),
            edges: self.edges[..ground].to_vec(),
            spans: self.spans[..ground].to_vec(),
            grid: self.grid.clone(),
            solid_grid: self.solid_grid.clone(),
            tops: self.tops.clone(),
            platforms: Vec::new(),
            movers: Vec::new(),
            ranges: None,
            fixtures: None,
            starts: Transit::default(),
            used_surfaces: Vec::new(),
            plain: false,
            tangled: self.tangled,
            touchables: Arc::clone(&self.touchables),
            blocks: OnceLock::new(),
        };
        terrain.add_platforms(|solid| !solid.is_gone());
        terrain
    }

    /// The number of edges of solids that are joined; those of platforms come after them.
    pub(super) fn ground_edges(&self) -> usize {
        self.edges.partition_point(|edge| edge.platform.is_none())
    }

    /// Adds the platforms behind the ground.
    fn add_platforms(&mut self, is_there: impl Fn(&Solid) -> bool) {
        let solids = Arc::clone(&self.solids);
        let ground = self.edges.len();
        self.platforms = platforms_of(&mut self.edges, &solids, &is_there);
        self.spans.extend(EdgeSpan::of_all(&self.edges, ground));
        let solid_of = |p: u16| &solids[self.platforms[p as usize].solid as usize];
        let all = 0..self.platforms.len() as u16;
        let (movers, fixed): (Vec<u16>, Vec<u16>) =
            all.filter(|p| !solid_of(*p).is_gone()).partition(|p| solid_of(*p).moves());
        let fixed: Vec<(Bounds, u16)> = fixed.into_iter().map(|p| (solid_of(p).bounds, p)).collect();
        let ranges: Vec<(Bounds, u16)> = movers.iter().map(|p| (solid_of(*p).range(), *p)).collect();
        self.fixtures = (!fixed.is_empty()).then(|| Grid::new(&fixed, SOLID_CELL));
        self.ranges = (movers.len() > FEW_MOVERS).then(|| Grid::new(&ranges, SOLID_CELL));
        self.movers = movers;
        self.used_surfaces = used_surfaces(&solids);
        self.plain = self.platforms.is_empty() && self.edges.iter().all(|edge| edge.side == Side::Solid);
        self.starts = Transit::at(&self.platforms, &LevelChanges::at_start(&solids, 0), 0.0);
    }

    /// The solids, in the order of the level file.
    pub fn solids(&self) -> &[Solid] {
        &self.solids
    }

    /// All edges of the joined outlines.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The solids that are not joined with others because they move or can be switched off.
    pub fn platforms(&self) -> &[Platform] {
        &self.platforms
    }

    /// Indices of the platforms that move.
    pub fn movers(&self) -> &[u16] {
        &self.movers
    }

    /// The platform made of this solid, if it is one.
    pub fn platform_of(&self, solid: u32) -> Option<u16> {
        platform::platform_of(&self.platforms, solid)
    }

    /// The index of the solid at which joining the outlines was given up because they meet in too many places. The
    /// rest of the terrain is not solid then.
    pub fn tangled(&self) -> Option<u32> {
        self.tangled
    }

    /// The index of the solid with this name.
    pub fn solid_named(&self, name: &str) -> Option<u32> {
        let place = self.solids.iter().position(|s| &*s.name == name);
        place.map(|p| p as u32)
    }

    /// The edge with this index.
    pub fn edge(&self, index: u32) -> &Edge {
        &self.edges[index as usize]
    }

    /// Where the edge with this index lies on its straight line.
    pub fn span(&self, index: u32) -> &EdgeSpan {
        &self.spans[index as usize]
    }

    /// The surface of a feature. Where there is only one, its edge is not looked up.
    #[inline]
    pub(crate) fn surface_of(&self, feature: Feature) -> SurfaceId {
        match self.used_surfaces[..] {
            [(only, _)] => only,
            _ => self.edge_of(feature).surface,
        }
    }

    /// Whether all of it is always solid from outside: it has no platforms and no one-way platforms.
    #[inline(always)]
    pub(crate) fn is_plain(&self) -> bool {
        self.plain
    }

    /// Whether its solids have more than one surface.
    #[inline]
    pub(crate) fn is_mixed(&self) -> bool {
        self.used_surfaces.len() > 1
    }

    /// Lets sweeps of bodies of this shape, which are to move in the terrain, take less time and some memory: for the
    /// first few shapes, up to a few hundred bytes for each edge. Results are the same.
    pub fn expect(&self, shape: Collider) {
        self.touchables.admit(shape);
    }

    /// What bodies of this shape can touch, if that is known.
    #[inline]
    pub(super) fn touchable(&self, shape: Collider) -> Option<&Touchable> {
        let touchables = &self.touchables;
        touchables.known(shape).or_else(|| touchables.of(shape, &self.edges))
    }

    /// The same if it has been computed and is all that a body can touch.
    #[inline(always)]
    pub(super) fn clear(&self, shape: Collider) -> Option<&Touchable> {
        self.touchables.known(shape).filter(|_| self.platforms.is_empty())
    }

    /// The solids split into convex parts. The first call computes them.
    pub fn blocks(&self) -> &Blocks {
        self.blocks
            .get_or_init(|| Blocks::new(&self.solids, &self.edges, &self.platforms, &self.movers))
    }

    /// The edge that a feature belongs to.
    pub fn edge_of(&self, feature: Feature) -> &Edge {
        self.edge(feature.edge())
    }

    /// The solid that a feature belongs to.
    pub fn solid_of(&self, feature: Feature) -> &Solid {
        &self.solids[self.edge_of(feature).solid as usize]
    }
}

/// The surfaces of solids, each once, and the box around all solids of that surface, wherever they move.
fn used_surfaces(solids: &[Solid]) -> Vec<(SurfaceId, Bounds)> {
    let mut used: BTreeMap<SurfaceId, Bounds> = BTreeMap::new();
    for solid in solids.iter().filter(|solid| !solid.is_gone()) {
        let range = solid.range();
        used.entry(solid.surface)
            .and_modify(|bounds| *bounds = bounds.joined(&range))
            .or_insert(range);
    }
    used.into_iter().collect()
}

fn indices(solids: &[Solid], which: impl Fn(&Solid) -> bool) -> Vec<u32> {
    let all = solids.iter().enumerate();
    all.filter(|(_, s)| which(s)).map(|(i, _)| i as u32).collect()
}

/// Sines of angles below this count as straight.
const STRAIGHT: f64 = 1e-9;

/// The sine of the angle below which an outline that turns back has a tip rather than a crack: the end of a
/// sliver whose last side is too short to count. No body reaches the bottom of a crack as narrow as that.
const SPIKE: f64 = 1e-6;

/// A gap between two edges that is shorter than this is a rounding error, px.
const NO_GAP: f64 = 1e-9;

/// How an outline bends between two edges; the first one ends at `end`.
fn bend(face: &Face, end: DVec2, next: &Face) -> Bend {
    let turn = face.along.perp_dot(next.along);
    let back = face.along.dot(next.along) < 0.0;
    // Between them there was a side that is too short to keep. A sliver that sticks out may be so short itself
    // that only that side tells its tip from the bottom of a crack.
    let gap = next.start - end;
    let around = face.along.perp_dot(gap) > 0.0 && gap.perp_dot(next.along) > 0.0;
    let tip = turn > -SPIKE || around && gap.length() > NO_GAP;
    if turn.abs() < STRAIGHT && !back {
        Bend::Straight
    } else if turn > 0.0 || back && tip {
        Bend::Out
    } else {
        Bend::In
    }
}

/// Adds joined outlines.
fn add_pieces(edges: &mut Vec<Edge>, solids: &[Solid], pieces: &[OutlinePiece]) {
    let first = edges.len() as u32;
    for (i, piece) in pieces.iter().enumerate() {
        // Rounding can leave a piece without a successor. It then follows itself, and its end is a
        // plain corner.
        edges.push(Edge {
            face: Face::new(piece.start, piece.end),
            end: piece.end,
            solid: piece.solid,
            before: first + i as u32,
            after: first + piece.after.unwrap_or(i as u32),
            bend: Bend::Out,
            tip: false,
            side: Side::Solid,
            surface: solids[piece.solid as usize].surface,
            platform: None,
        });
    }
    for i in first..first + pieces.len() as u32 {
        let after = edges[i as usize].after;
        if after != i {
            edges[after as usize].before = i;
            let Edge { face, end, .. } = edges[i as usize];
            edges[i as usize].bend = bend(&face, end, &edges[after as usize].face);
        }
    }
}

/// Adds a one-way platform: its line, and the way back along its underside.
pub(super) fn add_line(edges: &mut Vec<Edge>, solids: &[Solid], index: u32) {
    let points = &solids[index as usize].points;
    let back = points.iter().rev().skip(1);
    let round: Vec<DVec2> = points.iter().chain(back).copied().collect();
    let count = (round.len() - 1) as u32;
    let first = edges.len() as u32;
    let face = |i: u32| Face::new(round[i as usize], round[i as usize + 1]);
    for i in 0..count {
        edges.push(Edge {
            face: face(i),
            end: round[i as usize + 1],
            solid: index,
            before: first + (i + count - 1) % count,
            after: first + (i + 1) % count,
            bend: bend(&face(i), round[i as usize + 1], &face((i + 1) % count)),
            tip: i + 1 == count / 2 || i + 1 == count,
            side: if i < count / 2 { Side::OneWay } else { Side::Under },
            surface: solids[index as usize].surface,
            platform: None,
        });
    }
}

fn platforms_of(edges: &mut Vec<Edge>, solids: &[Solid], is_there: &impl Fn(&Solid) -> bool) -> Vec<Platform> {
    let mut platforms = Vec::new();
    for index in indices(solids, Solid::is_apart) {
        let solid = &solids[index as usize];
        let first = edges.len() as u32;
        if !is_there(solid) {
            // It keeps its index in the list, without edges.
        } else if solid.one_way {
            add_line(edges, solids, index);
        } else {
            add_pieces(edges, solids, &join_all(solids, &[index]).pieces);
        }
        for edge in &mut edges[first as usize..] {
            edge.platform = Some(platforms.len() as u16);
        }
        let rotation = solid.rotation.map(|rotation| (rotation, solid.reach_from(rotation.pivot)));
        platforms.push(Platform {
            solid: index,
            edges: first..edges.len() as u32,
            grid: Platform::grid_of(&edges[first as usize..]).filter(|_| solid.rotation.is_none()),
            path: solid.path.clone().unwrap_or_default(),
            rotation,
            bounds: rotation.map_or(solid.bounds, |(rotation, reach)| {
                Bounds::of(rotation.pivot, rotation.pivot).grown(DVec2::splat(reach))
            }),
        });
    }
    platforms
}
