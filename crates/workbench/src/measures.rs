//! What a jump measures: height, times, distance and the speed of its landing.

use super::*;

/// The part of an entity's state after a tick that paths and measures need.
#[derive(Clone, Copy)]
pub struct JumpPoint {
    /// Center, px.
    pub pos: DVec2,
    /// Its height along its own up, px: y in a side view, z in a top view.
    pub height: f64,
    /// Velocity along its own up, px/s.
    pub rising: f64,
    /// Whether it is on the ground.
    pub grounded: bool,
}

impl JumpPoint {
    /// The point of a body.
    pub fn of(body: &EntityView, view: View) -> Self {
        let (height, rising) = match view {
            View::Side => (body.pos.y, body.vel.y + body.external.y),
            View::Top => (body.z, body.vel_z + body.external_z),
        };
        let up = if body.inverted { -1.0 } else { 1.0 };
        Self { pos: body.pos, height: up * height, rising: up * rising, grounded: body.grounded }
    }
}

/// The first jump of a path: from the last tick on the ground to the first on it again. Leaving the ground
/// without a jump counts as well.
#[derive(Clone, Copy, Debug)]
pub struct JumpMeasures {
    /// The highest point above the takeoff, px.
    pub apex: f64,
    /// Time from the takeoff to the highest point, s.
    pub time_to_apex: f64,
    /// Time from the takeoff to the landing, s; `None` if the path ends in the air.
    pub air_time: Option<f64>,
    /// Distance from the takeoff to the landing on the ground plane, px; along x in a side view.
    pub distance: Option<f64>,
    /// Speed toward the ground in the last tick in the air, px/s.
    pub landing_speed: Option<f64>,
}

impl JumpMeasures {
    /// Measures the first jump of a path with one point per tick; `None` if it never leaves the ground.
    pub fn of(path: &[JumpPoint], hz: u32, view: View) -> Option<Self> {
        let leaves = |pair: &[JumpPoint]| pair[0].grounded && !pair[1].grounded;
        let takeoff = path.windows(2).position(leaves)?;
        let air = &path[takeoff + 1..];
        let length = air.iter().position(|point| point.grounded);
        let flown = &air[..length.unwrap_or(air.len())];
        let from = path[takeoff];
        let mut apex = (0.0, 0);
        for (i, point) in flown.iter().enumerate() {
            let height = point.height - from.height;
            if height > apex.0 {
                apex = (height, i + 1);
            }
        }
        let seconds = |ticks: usize| ticks as f64 / f64::from(hz);
        let landing = length.map(|length| air[length]);
        Some(Self {
            apex: apex.0,
            time_to_apex: seconds(apex.1),
            air_time: length.map(|length| seconds(length + 1)),
            distance: landing.map(|to| match view {
                View::Side => (to.pos.x - from.pos.x).abs(),
                View::Top => to.pos.distance(from.pos),
            }),
            landing_speed: landing.and_then(|_| flown.last()).map(|last| -last.rising),
        })
    }
}

/// The measures of an old and a new jump, one per line, such as `apex 72.0 → 86.4 px`.
pub fn compared(old: Option<&JumpMeasures>, new: Option<&JumpMeasures>) -> Vec<String> {
    if old.is_none() && new.is_none() {
        return Vec::new();
    }
    type Measure = fn(&JumpMeasures) -> Option<f64>;
    let rows: [(&str, Measure, usize, &str); 5] = [
        ("apex", |m| Some(m.apex), 1, "px"),
        ("time to apex", |m| Some(m.time_to_apex), 3, "s"),
        ("air time", |m| m.air_time, 3, "s"),
        ("distance", |m| m.distance, 1, "px"),
        ("landing speed", |m| m.landing_speed, 0, "px/s"),
    ];
    rows.iter()
        .map(|(name, measure, digits, unit)| {
            let text = |jump: Option<&JumpMeasures>| match jump.map(measure) {
                // Without −0.
                Some(Some(x)) => format!("{:.*} {unit}", digits, x + 0.0),
                Some(None) => "not landed".into(),
                None => "no jump".into(),
            };
            let (old, new) = (text(old), text(new));
            match old.strip_suffix(&format!(" {unit}")) {
                _ if old == new => format!("{name} {new}"),
                Some(number) if new.ends_with(unit) => format!("{name} {number} → {new}"),
                _ => format!("{name} {old} → {new}"),
            }
        })
        .collect()
}
