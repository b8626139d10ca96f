//! The ground of each measurement.

use glam::DVec2;
use hangtime_core::level::{Solid, SurfaceId, View};

/// Where bodies start, px. To the right of it is room for a long run.
pub const START: f64 = -15_000.0;

/// How far the ground reaches to both sides, px.
pub const FARTHEST_GROUND: f64 = 16_000.0;

/// How deep gaps are in a side view, and how wide the ground is in a top view, px.
const DEPTH: f64 = 2_000.0;

/// Height of the ground in a top view, px: what is lower is a gap.
const PLATEAU: f64 = 1_000.0;

/// What a body is measured on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FeelGround {
    /// Level ground.
    Flat,
    /// Ground that ends at `edge` and begins again `width` px later.
    Gap {
        /// x of its end.
        edge: f64,
        /// Width of the gap.
        width: f64,
    },
    /// Ground with a step up at `edge`.
    Step {
        /// x of the step.
        edge: f64,
        /// Its height.
        height: f64,
    },
    /// A middle part with a higher one to the right and a lower one to the left, as in
    /// [`FeelGround::terraces`].
    Terraces {
        /// Half the width of the middle.
        half: f64,
        /// How much higher the right part is.
        up: f64,
        /// How much lower the left part is.
        down: f64,
    },
}

impl FeelGround {
    /// The solids that it is made of.
    pub fn solids(&self, view: View) -> Vec<Solid> {
        let far = FARTHEST_GROUND;
        let part = |from: f64, to: f64, height: f64| block(view, from, to, height);
        match *self {
            Self::Flat => vec![part(-far, far, 0.0)],
            Self::Gap { edge, width } => {
                let mut solids = vec![part(-far, edge, 0.0)];
                if edge + width < far {
                    solids.push(part(edge + width, far, 0.0));
                }
                solids
            }
            Self::Step { edge, height } if height > 0.0 && edge < far => {
                vec![part(-far, edge, 0.0), part(edge, far, height)]
            }
            Self::Step { .. } => vec![part(-far, far, 0.0)],
            Self::Terraces { half, up, down } => {
                vec![part(-far, -half, -down), part(-half, half, 0.0), part(half, far, up)]
            }
        }
    }

    /// Where the body's center starts, and the height of its feet in a top view. `depth` is the
    /// distance from the center to the feet.
    pub fn start(&self, view: View, depth: f64) -> (DVec2, f64) {
        let x = match self {
            Self::Terraces { .. } => 0.0,
            _ => START,
        };
        match view {
            View::Side => (DVec2::new(x, depth), 0.0),
            View::Top => (DVec2::new(x, 0.0), PLATEAU),
        }
    }

    /// The height of the ground that the body starts on.
    pub fn zero(&self, view: View) -> f64 {
        match view {
            View::Side => 0.0,
            View::Top => PLATEAU,
        }
    }
}

/// A part of the ground, from one x to another.
fn block(view: View, from: f64, to: f64, height: f64) -> Solid {
    let (bottom, top) = match view {
        View::Side => (-DEPTH, height),
        View::Top => (-DEPTH, DEPTH),
    };
    let points = [(from, bottom), (to, bottom), (to, top), (from, top)];
    let points = points.map(DVec2::from).to_vec();
    let solid = Solid::new(format!("ground at {from}").into(), SurfaceId(0), points);
    match view {
        View::Side => solid,
        View::Top => Solid { top: PLATEAU + height, ..solid },
    }
}
