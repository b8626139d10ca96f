//! The state that every entity has, whichever model moves it, and the motion of one tick.

use super::*;

/// The part of an entity's state that survives a change of model.
///
/// What a tick of a walking body reads comes last, so that it is in few cache lines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[repr(C)]
pub struct Body {
    /// The part of `external` that points up in a top view, px/s; 0 in a side view and on a floor.
    #[serde(default, skip_serializing_if = "is_none")]
    pub external_z: f64,
    /// Height of the feet above the ground plane of a top view, px; 0 in a side view.
    pub z: f64,
    /// Upward speed of the feet in a top view, px/s.
    pub vel_z: f64,
    /// Angle, radians counterclockwise. Only rigid bodies turn.
    pub angle: f64,
    /// Angular velocity, rad/s.
    pub spin: f64,
    /// Jump times set by a script's rule.
    pub windows: Windows,
    /// The floor it stands on in a top view; `None` in the air.
    pub floor: Option<Floor>,
    /// The wall or roof it clings to; `None` if it does not.
    pub cling: Option<Cling>,
    /// Center, px.
    pub pos: DVec2,
    /// The model's own velocity, px/s, without external velocity.
    pub vel: DVec2,
    /// Velocity from pushes and wind, px/s; decays by `external_damping`.
    pub external: DVec2,
    /// The ground it stands on in a side view; `None` in the air.
    pub ground: Option<Contact>,
    /// 1 toward +x, −1 toward −x.
    pub facing: f64,
    /// Progress of its jump.
    pub jump: Jump,
    /// The surface it stood on most recently.
    pub surface: Option<SurfaceId>,
    /// Whether `ground` and `cling` are right for `pos` and the terrain. Teleporting a body or
    /// changing the level clears this, and the next sense phase looks again.
    pub sensed: bool,
    /// Whether platforms leave it no room.
    pub crushed: bool,
    /// Whether gravity is inverted for it, so that it falls up and stands on ceilings.
    pub inverted: bool,
    /// Whether another body has pushed it aside. A model with rest positions clears this in the next
    /// tick, in which the body does not move to one; the others do not use it.
    pub pushed_aside: bool,
}

/// Whether a saved velocity is left out, as in worlds saved before there was one.
fn is_none(speed: &f64) -> bool {
    *speed == 0.0
}

impl Body {
    /// A body at rest, facing +x, not yet sensed.
    pub fn at(pos: DVec2) -> Self {
        Self { pos, facing: 1.0, ..Self::default() }
    }

    /// Takes note of the direction against gravity along y, 1 or −1. When it changes, a jump and
    /// the coyote time end: they belonged to the other ground.
    #[inline]
    pub fn turn_to(&mut self, up: f64) {
        if self.inverted != (up < 0.0) {
            self.turn_over();
        }
    }

    #[cold]
    fn turn_over(&mut self) {
        self.inverted = !self.inverted;
        self.jump.land();
    }

    /// The direction against gravity along y: 1, or −1 where gravity is inverted.
    pub fn up(&self) -> f64 {
        if self.inverted { -1.0 } else { 1.0 }
    }

    /// Whether it stands on ground or on a floor.
    pub fn stands(&self) -> bool {
        self.ground.is_some() || self.floor.is_some()
    }

    /// Takes the body off its ground if its velocity or external velocity throws it up faster
    /// than `least` (px/s). Any other velocity away from the ground is removed: small upward pushes
    /// have no effect, and a push over falling ground follows the ground down.
    pub fn lift_off(&mut self, least: f64, now: u64) {
        let Some(contact) = self.ground else { return };
        let off = |v: DVec2| v.dot(contact.normal);
        let rises = |v: DVec2| v.y * contact.normal.y > 0.0;
        let thrown = |v: DVec2| rises(v) && off(v) > least.max(1e-6);
        if thrown(self.vel) || thrown(self.external) {
            self.ground = None;
            self.jump.leave_ground(now);
            return;
        }
        if off(self.vel) > 0.0 {
            self.vel -= contact.normal * off(self.vel);
        }
        if rises(self.external) && off(self.external) > 0.0 {
            self.external -= contact.normal * off(self.external);
        }
    }
}

/// A wall or roof that a body clings to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cling {
    /// The face or corner that it holds.
    pub feature: Feature,
    /// Unit normal there.
    pub normal: DVec2,
}

/// A surface is a ceiling, which ends a jump's hold, if its unit normal points down by more than
/// this: it leans more than 5.73° over the body. What can be grabbed does not matter here.
pub const CEILING: f64 = 0.1;

/// The motion that a model wants for one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Velocity at the start of the tick, px/s; includes the speed of a jump that starts there.
    pub start: DVec2,
    /// Displacement by the model's own velocity, px.
    pub displacement: DVec2,
    /// Velocity at the end of the tick if nothing stands in the way, px/s.
    pub velocity: DVec2,
    /// Downward acceleration until the final fall speed is reached, px/s²; negative under inverted
    /// gravity.
    pub pull: f64,
    /// Change of height in a top view, px.
    pub rise: f64,
    /// Upward speed at the end of the tick in a top view, px/s.
    pub vel_z: f64,
}

impl Motion {
    /// Whether the velocity at the end leads back.
    #[inline(always)]
    pub(super) fn turns(&self) -> bool {
        self.start.dot(self.velocity) < 0.0
    }

    /// `seconds` at one velocity, px/s.
    pub fn steady(velocity: DVec2, seconds: f64) -> Self {
        Self { start: velocity, displacement: velocity * seconds, velocity, ..Self::default() }
    }

    /// When the motion passes its top, s from its start in a tick of `dt` seconds; `None` if it has none within it, or if
    /// it reaches the fastest fall, px/s.
    pub fn top(&self, fastest: f64, dt: f64) -> Option<f64> {
        let up = self.pull.signum();
        let turns = self.start.y * up > 0.0 && self.velocity.y * up < 0.0 && self.velocity.y.abs() < fastest;
        let rise = dt + self.velocity.y / self.pull;
        (turns && rise > 0.0 && rise < dt).then_some(rise)
    }

    /// Cuts the motion at its [top](Self::top), `rise` seconds from its start in a tick of `dt` seconds.
    pub fn cut(&self, rise: f64, dt: f64) -> (Self, Self) {
        let (risen, across) = self.across(rise, dt);
        let top = DVec2::new(across, 0.0);
        let falls = DVec2::new(self.displacement.x - risen, 0.5 * self.velocity.y * (dt - rise));
        let up = Self { displacement: self.displacement - falls, velocity: top, ..*self };
        (up, Self { start: top, displacement: falls, ..*self })
    }

    /// The time (s) after which this share of the displacement is done, in a tick of `dt` seconds,
    /// and the velocity at that time. Exact for a jump's hold, a fall and its speed limit:
    /// `v² = v₀² + 2·pull·drop`.
    pub fn at_share(&self, share: f64, dt: f64) -> (f64, DVec2) {
        if self.pull < 0.0 {
            let (seconds, velocity) = self.upside_down().at_share(share, dt);
            return (seconds, upside_down(velocity));
        }
        let (from, to) = (self.start, self.velocity);
        if share <= 0.0 {
            return (0.0, from);
        }
        let held = self.held(dt);
        let drop = held * from.y - share * self.displacement.y;
        let squared = from.y * from.y + 2.0 * self.pull * drop;
        let (y, seconds) = if self.pull == 0.0 {
            (to.y, share * dt)
        } else if drop >= 0.0 && held > 0.0 {
            (from.y, held - drop / from.y)
        } else if to.y < 0.0 && squared > to.y * to.y {
            let before = (from.y - to.y) / self.pull;
            let fallen = (to.y * to.y - from.y * from.y) / (2.0 * self.pull);
            (to.y, before + (drop - fallen) / -to.y)
        } else {
            let y = to.y.signum() * squared.max(0.0).sqrt();
            (y, held + (from.y - y) / self.pull)
        };
        let seconds = seconds.clamp(0.0, dt);
        (seconds, DVec2::new(self.across(seconds, dt).1, y))
    }

    /// Displacement, px, and velocity, px/s, after some seconds of a tick of `dt` seconds.
    pub fn at(&self, seconds: f64, dt: f64) -> (DVec2, DVec2) {
        if self.pull < 0.0 {
            let (moved, velocity) = self.upside_down().at(seconds, dt);
            return (upside_down(moved), upside_down(velocity));
        }
        let (from, to) = (self.start.y, self.velocity.y);
        let (y, vertical) = if self.pull == 0.0 {
            (self.displacement.y * (seconds / dt), to)
        } else {
            let held = self.held(dt);
            let free = (seconds - held).max(0.0);
            // A fall may reach its fastest speed.
            let falls = if from <= 0.0 { free.min((from - to) / self.pull) } else { free };
            let reached = from - self.pull * falls;
            (from * seconds.min(held) + 0.5 * (from + reached) * falls + to * (free - falls), reached)
        };
        let (x, across) = self.across(seconds, dt);
        (DVec2::new(x, y), DVec2::new(across, vertical))
    }

    /// The same along x.
    fn across(&self, seconds: f64, dt: f64) -> (f64, f64) {
        let (distance, to) = (self.displacement.x, self.velocity.x);
        let gained = to - self.start.x;
        // The speed changes evenly until it has reached its last value, which a key may reach within the tick.
        let changes = if gained == 0.0 { 0.0 } else { 2.0 * (to * dt - distance) / gained };
        if !(0.0..=dt * (1.0 + 1e-9)).contains(&changes) {
            let first = 2.0 * distance / dt - to;
            let then = first + (to - first) * (seconds / dt);
            return (0.5 * (first + then) * seconds, then);
        }
        if seconds >= changes {
            return (distance - to * (dt - seconds), to);
        }
        let then = self.start.x + gained * (seconds / changes);
        (0.5 * (self.start.x + then) * seconds, then)
    }

    /// For how long (s) a jump keeps its speed, in a tick of `dt` seconds.
    pub fn held(&self, dt: f64) -> f64 {
        if self.pull < 0.0 {
            return self.upside_down().held(dt);
        }
        if self.start.y <= 0.0 || self.pull == 0.0 {
            return 0.0;
        }
        (dt - (self.start.y - self.velocity.y) / self.pull).clamp(0.0, dt)
    }

    /// The same motion under inverted gravity.
    fn upside_down(&self) -> Self {
        Self {
            start: upside_down(self.start),
            displacement: upside_down(self.displacement),
            velocity: upside_down(self.velocity),
            pull: -self.pull,
            ..*self
        }
    }
}

fn upside_down(v: DVec2) -> DVec2 {
    DVec2::new(v.x, -v.y)
}

/// A convex piece of a rigid body.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Outline, px from the body's center, wound counterclockwise.
    pub points: Vec<DVec2>,
    /// Whether it is a sprung foot.
    pub foot: bool,
}

/// A body's shape, as its kind defines it.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyShape {
    /// The collider of upright models; for pieces, the ellipse that fills their bounding box.
    pub ellipse: Ellipse,
    /// The pieces of a rigid body; for an ellipse, one polygon inscribed in it.
    pub pieces: Vec<Piece>,
}

/// Corners of the polygon that replaces an ellipse.
const CORNERS: u32 = 12;

impl BodyShape {
    /// An ellipse; half-widths in px.
    pub fn ellipse(ellipse: Ellipse) -> Self {
        let corner = |i: u32| {
            let angle = std::f64::consts::TAU * f64::from(i) / f64::from(CORNERS);
            ellipse.half * DVec2::new(libm::cos(angle), libm::sin(angle))
        };
        Self { ellipse, pieces: vec![Piece { points: (0..CORNERS).map(corner).collect(), foot: false }] }
    }

    /// A box, full widths in px.
    pub fn of_box(width: f64, height: f64) -> Self {
        let (x, y) = (width * 0.5, height * 0.5);
        let corners = [(-x, -y), (x, -y), (x, y), (-x, y)];
        Self {
            ellipse: Ellipse::new(x, y),
            pieces: vec![Piece { points: corners.into_iter().map(DVec2::from).collect(), foot: false }],
        }
    }

    /// The same form with other full widths, px.
    pub fn sized(&self, size: DVec2) -> Self {
        let mut sized = self.clone();
        sized.ellipse = self.ellipse.sized(size);
        let scale = sized.ellipse.half / self.ellipse.half;
        sized
            .pieces
            .iter_mut()
            .flat_map(|piece| &mut piece.points)
            .for_each(|point| *point *= scale);
        sized
    }

    /// Pieces with valid convex outlines. They are shifted so that `center`, their center of mass,
    /// becomes the body's center.
    pub fn of_pieces(mut pieces: Vec<Piece>, center: DVec2) -> Self {
        let mut half = DVec2::splat(0.1);
        for point in pieces.iter_mut().flat_map(|piece| &mut piece.points) {
            *point -= center;
            half = half.max(point.abs());
        }
        Self { ellipse: Ellipse { half }, pieces }
    }
}

impl From<Ellipse> for BodyShape {
    fn from(ellipse: Ellipse) -> Self {
        Self::ellipse(ellipse)
    }
}

named! {
    /// What a body is doing. Each model uses some of these and lists them in `Model::MODES`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Mode, as_str {
        /// Standing on ground or on a floor.
        Ground = "ground",
        /// Above the ground.
        Air = "air",
        /// Clinging to a wall.
        Wall = "wall",
        /// Hanging from a roof.
        Roof = "roof",
        /// Touching nothing, in a model that needs no ground.
        #[default]
        Free = "free",
        /// A rigid body that touches something.
        Contact = "contact",
        /// In ballistic flight.
        Flying = "flying",
        /// Standing after a flight.
        Landed = "landed",
    }
}
