//! The first swing on a hook: its period, its height, and the speed after it.

use super::*;

/// A body that hangs and moves up and down by less does not swing, px.
const LOWEST_SWING: f64 = 1.0;

/// Measures the first time on a hook in which the body swings.
pub fn swing(path: MeasuredPath<'_>) -> Vec<Measure> {
    let points = path.points;
    let mut from = 0;
    while let Some(begin) = (from..points.len()).find(|index| points[*index].hangs_on.is_some()) {
        let end = (begin..points.len()).find(|index| points[*index].hangs_on.is_none());
        from = end.unwrap_or(points.len());
        let hanging = &points[begin..from];
        let height = height(path, hanging);
        if height < LOWEST_SWING {
            continue;
        }
        let let_go = end.map(|end| points[end - 1].vel.length());
        let measure = |name: &str, value, unit| Measure { event: "swing", name: name.into(), value, unit };
        return vec![
            measure("swing period", period(path, hanging).ok_or("no full swing"), "s"),
            measure("swing height", Ok(height), "px"),
            measure("let-go speed", let_go.ok_or("still hangs"), "px/s"),
        ];
    }
    Vec::new()
}

/// The highest point above the lowest one, px.
fn height(path: MeasuredPath<'_>, hanging: &[MotionPoint]) -> f64 {
    let mut range = (f64::INFINITY, f64::NEG_INFINITY);
    let mut note = |height: f64| range = (range.0.min(height), range.1.max(height));
    for pair in hanging.windows(2) {
        let (a, b) = (&pair[0], &pair[1]);
        if a.rising * b.rising < 0.0 {
            let span = SpeedSpan { from: a.rising, to: b.rising, moved: b.height - a.height, dt: path.dt };
            note(a.height + span.reach(0.0).1);
        }
    }
    hanging.iter().for_each(|point| note(point.height));
    range.1 - range.0
}

/// Twice the mean time between two turning points, s.
fn period(path: MeasuredPath<'_>, hanging: &[MotionPoint]) -> Option<f64> {
    let around = |point: &MotionPoint| Some((point.pos - point.hangs_on?).perp_dot(point.vel));
    let mut turns = Vec::new();
    for (index, pair) in hanging.windows(2).enumerate() {
        let (a, b) = (around(&pair[0])?, around(&pair[1])?);
        if a * b < 0.0 || b == 0.0 && a != 0.0 {
            turns.push(path.seconds(index) + path.dt * a / (a - b));
        }
    }
    let (first, last) = (turns.first()?, turns.last()?);
    (turns.len() > 1).then(|| 2.0 * (last - first) / (turns.len() - 1) as f64)
}
