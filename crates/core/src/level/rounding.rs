//! The way of a round body around a corner.
//!
//! In the space in which the body is a unit circle, its center moves on one around the corner. A point on that follows
//! from the tangent of half the angle that is behind it, without the functions of angles.

use super::*;

/// The way of the center around a corner, from one direction in the unit space to another.
#[derive(Clone, Copy, Debug)]
pub struct Rounding {
    corner: DVec2,
    half: DVec2,
    /// From the corner to where the way begins, in the unit space, and the direction in which it begins.
    from: DVec2,
    ahead: DVec2,
    /// The tangent of half its angle.
    whole: f64,
}

/// Nodes and weights of the Gauss quadrature from 0 to 1.
const NODES: [(f64, f64); 4] = [
    (0.069_431_844_202_973_71, 0.173_927_422_568_726_92),
    (0.330_009_478_207_571_9, 0.326_072_577_431_273_05),
    (0.669_990_521_792_428_1, 0.326_072_577_431_273_05),
    (0.930_568_155_797_026_3, 0.173_927_422_568_726_92),
];

/// How often the place at a given length is refined.
const REFINED: u32 = 4;

/// How far from the corner a body is on its way around it, as a share of its size, apart from rounding.
const CLOSE: f64 = 1e-6;

impl Rounding {
    /// The way of a body at `at`, which touches a corner, to where it touches a face with this unit normal there; `turn`
    /// is 1 for one around the corner counterclockwise and −1 for the other. `None` if it is not at the corner, or the
    /// way is a quarter turn or more.
    pub fn to(half: DVec2, corner: DVec2, at: DVec2, normal: DVec2, turn: f64) -> Option<Self> {
        let from = (at - corner) / half;
        let distance = from.length();
        let (from, to) = (from / distance, (normal * half).normalize());
        let (cos, sin) = (from.dot(to), from.perp_dot(to) * turn);
        ((distance - 1.0).abs() < CLOSE && cos > 0.0).then(|| Self {
            corner,
            half,
            from,
            ahead: from.perp() * turn,
            whole: sin / (1.0 + cos),
        })
    }

    /// The tangent of half of all of its angle; below 0 if the body is past its end.
    pub fn whole(&self) -> f64 {
        self.whole
    }

    /// From the corner to a place on the way, in the unit space.
    fn toward(&self, place: f64) -> DVec2 {
        let squared = place * place;
        (self.from * (1.0 - squared) + self.ahead * (2.0 * place)) / (1.0 + squared)
    }

    /// The center at a place on the way, px.
    pub fn at(&self, place: f64) -> DVec2 {
        self.corner + self.half * self.toward(place)
    }

    /// The unit normal with which the body touches the corner there.
    pub fn normal(&self, place: f64) -> DVec2 {
        (self.toward(place) / self.half).normalize()
    }

    /// Where the tangents at the start and at a place on the way meet, px. From the start to there and on to that place, the
    /// body does not come closer to the corner than on the way.
    pub fn bend(&self, place: f64) -> DVec2 {
        self.corner + self.half * (self.from + self.ahead * place)
    }

    /// How fast the length of the way grows with the place, px.
    fn pace(&self, place: f64) -> f64 {
        let squared = place * place;
        let along = self.ahead * (1.0 - squared) - self.from * (2.0 * place);
        let per = 1.0 + squared;
        (self.half * along).length() * 2.0 / (per * per)
    }

    /// The length of the way up to a place, px.
    pub fn length(&self, place: f64) -> f64 {
        place * NODES.iter().map(|(node, weight)| self.pace(place * node) * weight).sum::<f64>()
    }

    /// The place at this length, px, on a way that is `whole` px long.
    pub fn place_after(&self, length: f64, whole: f64) -> f64 {
        let mut place = self.whole * (length / whole);
        for _ in 0..REFINED {
            place -= (self.length(place) - length) / self.pace(place);
        }
        place.clamp(0.0, self.whole)
    }
}
