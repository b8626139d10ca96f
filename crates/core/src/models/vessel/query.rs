//! Finds contacts: the convex intersections of a vessel's pieces with the blocks of the terrain.

use super::contact::{CONTACT_MARGIN, ContactSet, Manifold};
use super::foot::Foot;
use super::hull::{Hull, PlacedPiece, Pose};
use super::intersect::intersect;
use crate::geometry::grid::Bounds;
use crate::geometry::turned;
use crate::level::{Scenery, Wall};
use arrayvec::ArrayVec;
use glam::DVec2;

/// Where to look for contacts.
#[derive(Clone, Copy)]
pub struct ContactQuery<'a> {
    /// The terrain.
    pub scenery: Scenery<'a>,
    /// The remaining share of each platform's step in this tick, and the steps, px.
    pub ahead: (f64, &'a [DVec2]),
    /// The vessel's pieces.
    pub hull: &'a Hull,
    /// How far its feet can be pressed in, px.
    pub foot_travel: f64,
    /// The vessel's previous pose, which decides whether a one-way platform blocks it.
    pub before: Pose,
}

/// Maximum number of blocks near a vessel. Only heaps of tiny tiles have more; the rest are
/// ignored.
const MOST_NEAR: usize = 192;

/// A vessel that was placed somewhere may overlap by this much, px: rounding.
pub(super) const CLEAR: f64 = 1e-7;

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
    pub(super) fn fill(&self, pose: &Pose, feet: &[Foot], contacts: &mut ContactSet) {
        contacts.clear();
        let weak = self.find(pose, feet, contacts);
        if contacts.is_empty()
            && let Some(contact) = weak
        {
            // The vessel is so deep inside that no open wall is near; any way out will do.
            contacts.add(contact);
        }
    }

    /// Like [`contacts`](Self::contacts) for a vessel that was placed there: it may be entirely
    /// inside one block while it touches another.
    pub fn contacts_when_placed(&self, pose: &Pose) -> ContactSet {
        let mut contacts = ContactSet::default();
        let weak = self.find(pose, &[], &mut contacts);
        let overlaps = contacts.iter().any(|contact| contact.depth > CLEAR);
        if !overlaps && let Some(contact) = weak.filter(|w| contacts.is_empty() || w.depth > CONTACT_MARGIN) {
            contacts.add(contact);
        }
        contacts
    }

    /// Like [`contacts`](Self::contacts), with the shallowest of those that have no open wall near,
    /// such as that with a block which surrounds the vessel.
    pub(super) fn contacts_inside(&self, pose: &Pose, feet: &[Foot]) -> ContactSet {
        let mut contacts = ContactSet::default();
        if let Some(contact) = self.find(pose, feet, &mut contacts) {
            contacts.add(contact);
        }
        contacts
    }

    /// Whether nothing is near a vessel that moves from one place to another.
    pub fn is_far(&self, from: DVec2, to: DVec2) -> bool {
        let reach = self.hull.radius + self.foot_travel + CONTACT_MARGIN;
        let platforms = self.scenery.widest_step();
        let area = Bounds::of(from, to).grown(DVec2::splat(reach) + platforms);
        self.near(&area).is_empty()
    }

    /// Adds all contacts with open walls. Returns the shallowest of the others.
    fn find(&self, pose: &Pose, feet: &[Foot], contacts: &mut ContactSet) -> Option<Manifold> {
        let feet_out = if feet.is_empty() { 0.0 } else { self.foot_travel };
        let reach = self.hull.radius + feet_out + CONTACT_MARGIN;
        let area = Bounds::of(pose.pos, pose.pos).grown(DVec2::splat(reach));
        let near = self.near(&area);
        let mut weak = None;
        self.hull.place(pose, feet, self.foot_travel, |piece| {
            for index in &near {
                self.test(piece, *index, pose, contacts, &mut weak);
            }
        });
        weak
    }

    /// Offset of a platform from its drawn position after this part of the tick, px.
    fn offset(&self, platform: u16) -> DVec2 {
        self.scenery.offset(platform) - self.step(platform) * self.ahead.0
    }

    /// The blocks in an area, each once.
    fn near(&self, area: &Bounds) -> ArrayVec<u32, MOST_NEAR> {
        let terrain = self.scenery.terrain;
        let blocks = terrain.blocks();
        let all_there = terrain.platforms().is_empty();
        let is_there = |index| {
            let platform = || blocks.block(index).platform;
            all_there || platform().is_none_or(|p| self.scenery.has_platform(p))
        };
        let mut near = ArrayVec::new();
        blocks.visit(area, |index| {
            if !near.contains(&index) && is_there(index) {
                let _ = near.try_push(index);
            }
        });
        if !terrain.movers().is_empty() {
            self.add_movers(area, &mut near);
        }
        near
    }

    /// Adds the blocks of moving platforms in an area, each once, in ascending order.
    fn add_movers(&self, area: &Bounds, near: &mut ArrayVec<u32, MOST_NEAR>) {
        let blocks = self.scenery.terrain.blocks();
        let mut last = None;
        while !near.is_full() {
            let movers = self.scenery.movers_after(last, area);
            if movers.is_empty() {
                return;
            }
            last = movers.last().copied();
            for platform in movers {
                if !self.scenery.has_platform(platform) {
                    continue;
                }
                let first = near.len();
                blocks.visit_mover(platform, &area.moved(-self.offset(platform)), |index| {
                    if !near[first..].contains(&index) {
                        let _ = near.try_push(index);
                    }
                });
                near[first..].sort_unstable();
            }
        }
    }

    /// The step of a platform in this tick, px.
    pub fn step(&self, platform: u16) -> DVec2 {
        self.ahead.1[platform as usize]
    }

    /// Tests a piece against a block.
    fn test(
        &self,
        piece: &PlacedPiece,
        index: u32,
        pose: &Pose,
        contacts: &mut ContactSet,
        weak: &mut Option<Manifold>,
    ) {
        let blocks = self.scenery.terrain.blocks();
        let block = blocks.block(index);
        let offset = block.platform.map_or(DVec2::ZERO, |p| self.offset(p));
        let bounds = block.bounds.moved(offset).grown(DVec2::splat(CONTACT_MARGIN));
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
        let contact = Manifold {
            surface: block.surface,
            platform: block.platform,
            foot: piece.foot,
            piece: piece.index,
            ..found.contact
        };
        if found.open {
            contacts.add(contact);
        } else if weak.is_none_or(|w| contact.depth < w.depth) {
            *weak = Some(contact);
        }
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
