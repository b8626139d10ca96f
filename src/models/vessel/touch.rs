//! What a vessel touches: the convex intersections of its pieces with the blocks of the terrain.

use super::foot::Foot;
use super::hull::{Hull, Placed, Pose};
use super::intersect::intersect;
use crate::geometry::grid::Bounds;
use crate::level::{Feature, Scenery, SurfaceId, Wall};
use glam::DVec2;

/// How near a piece has to be for a touch, px. What a vessel rests on it goes on touching, although
/// it has been moved out of it.
pub const NEAR: f64 = 0.05;

/// A touch: one intersection of a piece and a block, or several along one normal.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// Unit normal, out of the terrain.
    pub normal: DVec2,
    /// How deep it is, px; below 0 where the two do not meet yet.
    pub depth: f64,
    /// Where it acts, from the vessel's center, px: the barycenter of the intersection.
    pub at: DVec2,
    /// The two ends of the intersection along the tangent, from the vessel's center, px.
    pub ends: [DVec2; 2],
    /// What is touched.
    pub feature: Feature,
    /// What that is made of.
    pub surface: SurfaceId,
    /// The platform that it is part of.
    pub platform: Option<u16>,
    /// Which foot touches; none for the hull.
    pub foot: Option<u8>,
    /// Which piece touches.
    pub(super) piece: u8,
    pub(super) area: f64,
}

/// Most touches at once. Of more the deepest count.
pub const MOST: usize = 8;

/// All touches of a vessel in one moment.
#[derive(Clone, Copy, Debug)]
pub struct Touches {
    list: [Option<Touch>; MOST],
    count: usize,
}

impl Default for Touches {
    fn default() -> Self {
        Self {
            list: [None; MOST],
            count: 0,
        }
    }
}

/// Normals whose cosine is above this are the same.
const SAME_NORMAL: f64 = 1.0 - 1e-9;

impl Touches {
    /// The touches.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &Touch> {
        self.list[..self.count].iter().flatten()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Keeps those for which `keep` says so.
    pub fn retain(&mut self, keep: impl Fn(&Touch) -> bool) {
        let before = *self;
        self.count = 0;
        for touch in before.iter().filter(|touch| keep(touch)) {
            self.list[self.count] = Some(*touch);
            self.count += 1;
        }
    }

    /// Whether anything is met, not only near.
    #[must_use]
    pub fn meet(&self) -> bool {
        self.iter().any(|touch| touch.depth > 0.0)
    }

    /// Adds a touch; along the normal of another of the same piece it becomes part of that.
    fn add(&mut self, touch: Touch) {
        for known in self.list[..self.count].iter_mut().flatten() {
            let same = known.piece == touch.piece
                && known.platform == touch.platform
                && known.surface == touch.surface
                && known.normal.dot(touch.normal) > SAME_NORMAL;
            if same {
                known.join(&touch);
                return;
            }
        }
        if self.count < MOST {
            self.list[self.count] = Some(touch);
            self.count += 1;
            return;
        }
        let depth = |t: &Option<Touch>| t.map_or(0.0, |t| t.depth);
        let shallowest =
            (0..MOST).min_by(|a, b| depth(&self.list[*a]).total_cmp(&depth(&self.list[*b])));
        if let Some(place) = shallowest
            && depth(&self.list[place]) < touch.depth
        {
            self.list[place] = Some(touch);
        }
    }
}

impl Touch {
    /// Unit vector along what is touched.
    #[must_use]
    pub fn tangent(&self) -> DVec2 {
        DVec2::new(self.normal.y, -self.normal.x)
    }

    /// Takes in another touch along the same normal.
    fn join(&mut self, other: &Self) {
        let tangent = self.tangent();
        let area = self.area + other.area;
        self.at = (self.at * self.area + other.at * other.area) / area;
        self.area = area;
        let along = |v: DVec2| v.dot(tangent);
        let low = along(self.ends[0]).min(along(other.ends[0]));
        let high = along(self.ends[1]).max(along(other.ends[1]));
        let middle = along(self.at);
        self.ends = [
            self.at + tangent * (low - middle),
            self.at + tangent * (high - middle),
        ];
        if other.depth > self.depth {
            self.depth = other.depth;
            self.feature = other.feature;
        }
    }
}

/// Where a vessel looks for touches.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    /// The terrain.
    pub scenery: Scenery<'a>,
    /// How far its platforms still have to go in this tick, as a share of their step, and their steps.
    pub ahead: (f64, &'a [DVec2]),
    /// The vessel.
    pub hull: &'a Hull,
    /// How far its feet can be pressed in, px.
    pub foot_travel: f64,
    /// Where it was before, which says from where it comes to one-way platforms.
    pub before: Pose,
}

/// Most blocks that a vessel is near to at once; beyond that, in a heap of tiny tiles, some are left
/// out.
const MOST_NEAR: usize = 192;

/// The blocks near a vessel.
struct Near {
    list: [u32; MOST_NEAR],
    count: usize,
}

impl Near {
    fn add(&mut self, index: u32) {
        if self.count < MOST_NEAR {
            self.list[self.count] = index;
            self.count += 1;
        }
    }
}

/// How far below a one-way platform a piece may be and still count as above, px.
const ONE_WAY_SLACK: f64 = 1.0;

impl Site<'_> {
    /// Everything that the vessel touches in this pose.
    #[must_use]
    pub fn touches(&self, pose: &Pose, feet: &[Foot]) -> Touches {
        let mut touches = Touches::default();
        let weak = self.find(pose, feet, &mut touches);
        if touches.is_empty()
            && let Some(touch) = weak
        {
            // So deep in that no open wall is near: any way out is better than none.
            touches.add(touch);
        }
        touches
    }

    /// The same for one who is put there and may be all inside of something, on whose other side it
    /// touches something else.
    #[must_use]
    pub fn touches_placed(&self, pose: &Pose) -> Touches {
        let mut touches = Touches::default();
        let weak = self.find(pose, &[], &mut touches);
        if !touches.meet()
            && let Some(touch) = weak.filter(|w| touches.is_empty() || w.depth > NEAR)
        {
            touches.add(touch);
        }
        touches
    }

    /// Adds what is touched at open walls; of the rest the shallowest is returned.
    fn find(&self, pose: &Pose, feet: &[Foot], touches: &mut Touches) -> Option<Touch> {
        let feet_out = if feet.is_empty() {
            0.0
        } else {
            self.foot_travel
        };
        let reach = self.hull.radius + feet_out + NEAR;
        let area = Bounds::of(pose.pos, pose.pos).grown(DVec2::splat(reach));
        let near = self.near(&area);
        let mut weak = None;
        self.hull.place(pose, feet, self.foot_travel, |piece| {
            for index in &near.list[..near.count] {
                self.meet(piece, *index, pose, touches, &mut weak);
            }
        });
        weak
    }

    /// How far a platform is from where it is drawn after this part of the tick.
    fn offset(&self, platform: u16) -> DVec2 {
        self.scenery.offset(platform) - self.step(platform) * self.ahead.0
    }

    /// The blocks in an area, each once.
    fn near(&self, area: &Bounds) -> Near {
        let terrain = self.scenery.terrain;
        let blocks = terrain.blocks();
        let all_there = terrain.platforms().is_empty();
        let is_there = |index| {
            let platform = || blocks.block(index).platform;
            all_there || platform().is_none_or(|p| self.scenery.has_platform(p))
        };
        let mut near = Near {
            list: [0; MOST_NEAR],
            count: 0,
        };
        blocks.visit(area, |index| {
            if !near.list[..near.count].contains(&index) && is_there(index) {
                near.add(index);
            }
        });
        for (platform, list) in blocks.of_movers() {
            let offset = self.offset(platform);
            for index in list.filter(|index| is_there(*index)) {
                if blocks.block(index).bounds.moved(offset).meets(area) {
                    near.add(index);
                }
            }
        }
        near
    }

    /// How far a platform goes in this tick, px.
    pub fn step(&self, platform: u16) -> DVec2 {
        self.ahead.1[platform as usize]
    }

    /// Lets a piece meet a block.
    fn meet(
        &self,
        piece: &Placed,
        index: u32,
        pose: &Pose,
        touches: &mut Touches,
        weak: &mut Option<Touch>,
    ) {
        let blocks = self.scenery.terrain.blocks();
        let block = blocks.block(index);
        let offset = block.platform.map_or(DVec2::ZERO, |p| self.offset(p));
        let bounds = block.bounds.moved(offset).grown(DVec2::splat(NEAR));
        if !piece.bounds.meets(&bounds) {
            return;
        }
        let walls = blocks.walls(block);
        let Some(found) = intersect(piece, walls, offset, pose.pos) else {
            return;
        };
        if block.one_way && self.comes_from_below(piece, walls, offset, pose) {
            return;
        }
        let touch = Touch {
            surface: block.surface,
            platform: block.platform,
            foot: piece.foot,
            piece: piece.index,
            ..found.touch
        };
        if found.open {
            touches.add(touch);
        } else if weak.is_none_or(|w| touch.depth < w.depth) {
            *weak = Some(touch);
        }
    }

    /// Whether a piece was not above a one-way platform before.
    fn comes_from_below(&self, piece: &Placed, walls: &[Wall], offset: DVec2, pose: &Pose) -> bool {
        let top = &walls[0].face;
        let unturned = DVec2::new(pose.turn.x, -pose.turn.y);
        piece.points().iter().any(|p| {
            let own = crate::geometry::turned(unturned, *p - pose.pos);
            let was = self.before.pos + crate::geometry::turned(self.before.turn, own);
            (was - top.start - offset).dot(top.normal) < -ONE_WAY_SLACK
        })
    }
}
