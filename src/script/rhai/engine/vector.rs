//! The values of the script type `vec`.

use glam::DVec2;
use rhai::FLOAT;

/// A vector as scripts see it. In a side view z is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::script::rhai) struct Vector {
    pub x: FLOAT,
    pub y: FLOAT,
    pub z: FLOAT,
}

impl From<DVec2> for Vector {
    fn from(v: DVec2) -> Self {
        Self::new(v.x, v.y, 0.0)
    }
}

impl Vector {
    pub const fn new(x: FLOAT, y: FLOAT, z: FLOAT) -> Self {
        Self { x, y, z }
    }

    pub fn scaled(self, k: FLOAT) -> Self {
        Self::new(self.x * k, self.y * k, self.z * k)
    }

    pub fn plus(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }

    pub fn minus(self, other: Self) -> Self {
        self.plus(other.scaled(-1.0))
    }

    pub fn dot(self, other: Self) -> FLOAT {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    pub fn length(self) -> FLOAT {
        self.dot(self).sqrt()
    }

    /// The same direction, 1 long; the zero vector stays zero.
    pub fn normalized(self) -> Self {
        let length = self.length();
        if length > 0.0 {
            self.scaled(1.0 / length)
        } else {
            Self::new(0.0, 0.0, 0.0)
        }
    }

    /// Turned counterclockwise in the plane by an angle in radians; z stays.
    pub fn rotated(self, angle: FLOAT) -> Self {
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
