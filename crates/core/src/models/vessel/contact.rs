//! Contacts between a vessel and the terrain.

use crate::level::{Feature, SurfaceId};
use arrayvec::ArrayVec;
use glam::DVec2;

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
    /// The two ends of the intersection along the tangent, relative to the vessel's center, px.
    pub ends: [DVec2; 2],
    /// How much less deep each end is than the contact, px.
    pub(super) gaps: [f64; 2],
    /// The face or corner that is touched.
    pub feature: Feature,
    /// The surface of the touched solid.
    pub surface: SurfaceId,
    /// The platform that it belongs to.
    pub platform: Option<u16>,
    /// Index of the foot that touches; `None` for the hull.
    pub foot: Option<u8>,
    /// Index of the piece that touches.
    pub(super) piece: u8,
    pub(super) area: f64,
    /// Whether it is too slow to bounce.
    pub(super) slow: bool,
}

/// Maximum number of contacts at once. If there are more, the deepest ones count.
pub const MAX_CONTACTS: usize = 8;

/// All contacts of a vessel at one moment.
#[derive(Clone, Debug, Default)]
pub struct ContactSet {
    list: ArrayVec<Manifold, MAX_CONTACTS>,
}

/// Two ends are one if they are no farther apart than this, px.
const SAME_END: f64 = 1e-6;

/// Two normals are equal if their cosine is above this.
const SAME_NORMAL: f64 = 1.0 - 1e-9;

impl ContactSet {
    /// Iterates over the contacts.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &Manifold> {
        self.list.iter()
    }

    /// Iterates over the contacts, which can be changed.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Manifold> {
        self.list.iter_mut()
    }

    /// Removes all contacts.
    pub(super) fn clear(&mut self) {
        self.list.clear();
    }

    /// Whether there are no contacts.
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether any contact is fast enough to bounce.
    pub(super) fn any_hard(&self) -> bool {
        self.iter().any(|contact| !contact.slow)
    }

    /// Keeps the contacts that `keep` accepts.
    pub fn retain(&mut self, keep: impl Fn(&Manifold) -> bool) {
        self.list.retain(|contact| keep(contact));
    }

    /// Whether any contact has a penetration depth above 0.
    pub fn penetrate(&self) -> bool {
        self.iter().any(|contact| contact.depth > 0.0)
    }

    /// Adds a contact. It is merged with another contact of the same piece along the same normal.
    pub(super) fn add(&mut self, contact: Manifold) {
        for known in &mut self.list {
            let same = known.piece == contact.piece
                && known.platform == contact.platform
                && known.surface == contact.surface
                && known.normal.dot(contact.normal) > SAME_NORMAL;
            if same {
                known.merge(&contact);
                return;
            }
        }
        if self.list.try_push(contact).is_ok() {
            return;
        }
        let all = self.list.iter_mut();
        if let Some(shallowest) = all.min_by(|a, b| a.depth.total_cmp(&b.depth))
            && shallowest.depth < contact.depth
        {
            *shallowest = contact;
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
