//! Ropes as lines, springs as zigzags.

use super::*;
use hangtime_core::sim::{Anchor, Joint};

/// How many corners a spring has, and how far they are from its middle, px.
const CORNERS: u32 = 12;
const WIDE: f64 = 4.0;

/// Paints all ropes and springs, the redder the closer they are to snapping.
pub fn paint(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    // A body paints the rope of its hook itself.
    let shown = picture.show.joints.iter().flat_map(|joints| joints.iter().filter(|joint| !joint.hook));
    for joint in shown {
        let Some([a, b]) = ends_of(joint, picture) else { continue };
        let strain = joint.strength.map_or(0.0, |strength| (joint.tension / strength).abs());
        let color = palette::rope(strain);
        if joint.spring.is_none() {
            brush.stroke([a, b], 1.5, color);
            continue;
        }
        let aside = (b - a).normalize_or_zero().perp() * WIDE;
        let corner = |i: u32| {
            let side = match i {
                0 | CORNERS => 0.0,
                i if i % 2 == 0 => 1.0,
                _ => -1.0,
            };
            a.lerp(b, f64::from(i) / f64::from(CORNERS)) + aside * side
        };
        brush.stroke((0..=CORNERS).map(corner), 1.5, color);
    }
}

/// Where the ends of a joint are in a picture; `None` if it does not show the body at one of them.
fn ends_of(joint: &Joint, picture: &Picture<'_>) -> Option<[DVec2; 2]> {
    let place = |i: usize| {
        let end = &joint.ends[i];
        Some(match end.on {
            Anchor::Level => end.at,
            Anchor::Solid(solid) => {
                let at = solid_tilt(picture, solid).map_or(end.at, |tilt| tilt.point(end.at));
                at + solid_offset(picture, solid)
            }
            Anchor::Entity(id) => {
                let body = picture.bodies.iter().find(|body| body.id == id)?;
                body.pos + dvec2(0.0, body.z) + end.at
            }
        })
    };
    Some([place(0)?, place(1)?])
}
