//! The first jump: height, times, distance and the speed of its landing.

use super::*;

/// What a jump that has not ended lacks.
const IN_THE_AIR: &str = "not landed";

/// Measures the first jump of a path: from the last tick on the ground to the landing. Leaving the ground without a jump
/// counts as well. A flight in which a hook pulls is no jump, and vessels do not jump.
pub fn jump(path: MeasuredPath<'_>) -> Vec<Measure> {
    let points = path.points;
    let leaves = |from: usize| points[from].grounded && !points[from + 1].grounded;
    let takeoffs = (0..points.len().saturating_sub(1)).filter(|from| leaves(*from));
    let flights = takeoffs.map(|from| {
        let air = &points[from + 1..];
        let landing = air.iter().position(|point| point.grounded);
        (from, landing.map(|length| from + 1 + length))
    });
    let jumps = |(from, landing): &(usize, Option<usize>)| {
        let flown = &points[*from..landing.unwrap_or(points.len())];
        flown.iter().all(|point| point.hangs_on.is_none() && point.rigid.is_none())
    };
    let Some((from, landing)) = { flights }.find(jumps) else { return Vec::new() };
    let (time_to_apex, apex) = apex(path, from, landing.unwrap_or(points.len()));
    let down = landing.map(|landing| touch(path, landing)).ok_or(IN_THE_AIR);
    let start = points[from].pos;
    let measure = |name: &str, value, unit| Measure { event: "jump", name: name.into(), value, unit };
    vec![
        measure("apex", Ok(apex), "px"),
        measure("time to apex", Ok(time_to_apex), "s"),
        measure("air time", down.map(|(ticks, time, ..)| path.seconds(ticks - from) + time), "s"),
        measure(
            "distance",
            down.map(|(_, _, at, _)| match path.view {
                View::Side => (at.x - start.x).abs(),
                View::Top => at.distance(start),
            }),
            "px",
        ),
        measure("landing speed", down.map(|(.., speed)| speed), "px/s"),
    ]
}

/// The time from the takeoff to the highest point of a flight that ends before the tick `end`, and its height above the
/// takeoff.
fn apex(path: MeasuredPath<'_>, from: usize, end: usize) -> (f64, f64) {
    let ground = path.points[from].height;
    let mut highest = (0.0, 0.0);
    let mut note = |time: f64, height: f64| {
        if height > highest.1 {
            highest = (time, height);
        }
    };
    for index in from..end - 1 {
        let (a, b) = (&path.points[index], &path.points[index + 1]);
        if a.rising > 0.0 && b.rising < 0.0 {
            let span = SpeedSpan { from: a.rising, to: b.rising, moved: b.height - a.height, dt: path.dt };
            let (time, risen) = span.reach(0.0);
            note(path.seconds(index - from) + time, a.height + risen - ground);
        }
        note(path.seconds(index + 1 - from), b.height - ground);
    }
    highest
}

/// The landing in the tick that ends at a point: the whole ticks before it, the time in it, the place, and the speed toward
/// the ground.
fn touch(path: MeasuredPath<'_>, landing: usize) -> (usize, f64, DVec2, f64) {
    let (last, down) = (&path.points[landing - 1], &path.points[landing]);
    let Some(speed) = down.landed else {
        return (landing - 1, path.dt, down.pos, -last.rising);
    };
    let (fallen, mean) = (last.height - down.height, 0.5 * (speed - last.rising));
    let time = if mean > 0.0 { (fallen / mean).clamp(0.0, path.dt) } else { path.dt };
    (landing - 1, time, last.pos + last.vel * time, speed)
}
