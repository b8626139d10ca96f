//! The values of the script type `vec`.

use glam::DVec2;

/// A vector as scripts see it. In a side view z is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vector {
    /// To the right.
    pub x: f64,
    /// Up, or north in a top view.
    pub y: f64,
    /// Height in a top view.
    pub z: f64,
}

impl From<DVec2> for Vector {
    fn from(v: DVec2) -> Self {
        Self::new(v.x, v.y, 0.0)
    }
}

impl Vector {
    /// A vector with these components.
    pub const fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }

    /// All components times `k`.
    pub fn scaled(self, k: f64) -> Self {
        Self::new(self.x * k, self.y * k, self.z * k)
    }

    /// The sum.
    pub fn plus(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }

    /// The difference: from `other` to this one.
    pub fn minus(self, other: Self) -> Self {
        self.plus(other.scaled(-1.0))
    }

    /// The dot product.
    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// The length.
    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// The same direction with length 1; the zero vector stays zero.
    pub fn normalized(self) -> Self {
        let length = self.length();
        if length > 0.0 { self.scaled(1.0 / length) } else { Self::new(0.0, 0.0, 0.0) }
    }

    /// Rotated counterclockwise in the plane by an angle in radians; z is unchanged.
    pub fn rotated(self, angle: f64) -> Self {
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        let (x, y) = (self.x * cos - self.y * sin, self.x * sin + self.y * cos);
        Self::new(x, y, self.z)
    }

    /// As it is printed: `(3, 4)`, with z only where it is not 0.
    pub fn show(self) -> String {
        if self.z == 0.0 {
            format!("({}, {})", self.x, self.y)
        } else {
            format!("({}, {}, {})", self.x, self.y, self.z)
        }
    }
}
