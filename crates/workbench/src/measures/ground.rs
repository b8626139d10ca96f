//! Runs, stops, turns and slides: what a body does on the ground without a jump, or where it needs no ground.

use super::*;

/// The share of the top speed at which a run has reached it.
const REACHED: f64 = 0.99;

/// Runs, stops and turns count from this share of the highest speed in the stretch: a tap of a key is none of them.
const FAST: f64 = 0.5;

/// Keys that push less along a direction push across it.
const LEAST_PUSH: f64 = 1e-6;

/// A slide that is shorter is not worth a line, px, and neither is one on yet another surface.
const SHORTEST_SLIDE: f64 = 1.0;
const MOST_SURFACES: usize = 6;

impl MeasuredPath<'_> {
    /// The speed of a body that runs along a direction, px/s. On a slope in a side view, the whole speed counts.
    fn along(&self, index: usize, way: DVec2) -> f64 {
        self.in_way(&self.points[index], self.points[index].vel, way)
    }

    /// How far a tick that begins at a point moves it along a direction, px.
    fn moved(&self, index: usize, way: DVec2) -> f64 {
        let (from, to) = (&self.points[index], &self.points[index + 1]);
        self.in_way(from, to.pos - from.pos, way)
    }

    fn in_way(&self, point: &MotionPoint, vector: DVec2, way: DVec2) -> f64 {
        if self.view == View::Side && point.grounded {
            vector.length() * (vector.x * way.x).signum()
        } else {
            vector.dot(way)
        }
    }

    /// The tick that begins at a point, along a direction.
    fn span(&self, index: usize, way: DVec2) -> SpeedSpan {
        let [from, to] = [index, index + 1].map(|index| self.along(index, way));
        SpeedSpan { from, to, moved: self.moved(index, way), dt: self.dt }
    }

    /// The time from the start of a tick to a moment of a later one, s, and the distance, px.
    fn until(&self, from: usize, tick: usize, way: DVec2, (time, moved): (f64, f64)) -> (f64, f64) {
        let before: f64 = (from..tick).map(|index| self.moved(index, way)).sum();
        (self.seconds(tick - from) + time, before + moved)
    }

    /// The speed from which on runs, stops and turns count, px/s.
    fn fast(&self) -> f64 {
        let speeds = self.points.iter().filter(|point| point.runs).map(|point| point.vel.length());
        (FAST * speeds.fold(0.0, f64::max)).max(REST)
    }

    /// The ticks, by the points that they begin at, at whose ends the body runs.
    fn ticks(&self) -> impl Iterator<Item = usize> {
        let points = self.points;
        (0..points.len().saturating_sub(1)).filter(|index| points[*index].runs && points[index + 1].runs)
    }

    /// How far the keys push along a direction in the tick that ends at a point: in a side view, only to the sides.
    fn push(&self, index: usize, way: DVec2) -> f64 {
        let point = &self.points[index];
        let is_level = self.view == View::Side && point.grounded;
        let push = if is_level { point.push.x * way.x } else { point.push.dot(way) };
        if push.abs() < LEAST_PUSH { 0.0 } else { push }
    }
}

/// The first run from rest: its top speed, and what it takes to 99 % of it.
pub fn run(path: MeasuredPath<'_>) -> Vec<Measure> {
    let (points, fast) = (path.points, path.fast());
    for from in path.ticks().filter(|from| points[*from].vel.length() <= REST) {
        let way = points[from + 1].push.normalize_or_zero();
        let holds = |index: &usize| points[*index].runs && path.push(*index, way) > 0.0;
        let held = (from + 1..points.len()).take_while(holds);
        let top = held.clone().map(|index| path.along(index, way)).fold(0.0, f64::max);
        if top < fast {
            continue;
        }
        let Some(end) = { held }.find(|index| path.along(*index, way) >= REACHED * top) else { continue };
        let (time, distance) = path.until(from, end - 1, way, path.span(end - 1, way).reach(REACHED * top));
        let measure = |name: &str, value, unit| Measure { event: "run", name: name.into(), value: Ok(value), unit };
        return vec![
            measure("top speed", top, "px/s"),
            measure("time to top speed", time, "s"),
            measure("run-up", distance, "px"),
        ];
    }
    Vec::new()
}

/// The first stop: from the tick in which the keys are released to rest.
pub fn stop(path: MeasuredPath<'_>) -> Vec<Measure> {
    let (points, fast) = (path.points, path.fast());
    let releases = |from: &usize| {
        let way = points[*from].vel.normalize_or_zero();
        path.along(*from, way) >= fast && path.push(*from, way) > 0.0 && path.push(from + 1, way) == 0.0
    };
    let Some(from) = path.ticks().find(releases) else { return Vec::new() };
    let way = points[from].vel.normalize_or_zero();
    let coasts = |index: &usize| points[*index].runs && path.push(*index, way) == 0.0;
    let coasting: Vec<usize> = (from + 1..points.len()).take_while(coasts).collect();
    let slow = coasting.iter().position(|index| path.along(*index, way) <= REST);
    // One that is as slow as at rest may still come to rest in the next tick.
    let stands = slow.and_then(|slow| coasting[slow..].iter().take(2).find(|index| path.along(**index, way) <= 0.0));
    let rest = stands.copied().or(slow.map(|slow| coasting[slow])).map(|end| {
        let span = path.span(end - 1, way);
        // Some models brake to 0, others by a share of the speed.
        let rest = if span.to <= 0.0 { 0.0 } else { REST };
        path.until(from, end - 1, way, span.reach(rest))
    });
    let rest = rest.ok_or("not at rest");
    let measure = |name: &str, value, unit| Measure { event: "stop", name: name.into(), value, unit };
    vec![
        measure("stop distance", rest.map(|(_, distance)| distance), "px"),
        measure("stop time", rest.map(|(time, _)| time), "s"),
    ]
}

/// The first turn: from the tick in which the keys point against the motion to the moment in which it reverses.
pub fn turn(path: MeasuredPath<'_>) -> Vec<Measure> {
    let (points, fast) = (path.points, path.fast());
    let turns = |from: &usize| {
        let way = points[*from].vel.normalize_or_zero();
        path.along(*from, way) >= fast && path.push(*from, way) >= 0.0 && path.push(from + 1, way) < 0.0
    };
    let Some(from) = path.ticks().find(turns) else { return Vec::new() };
    let way = points[from].vel.normalize_or_zero();
    let mut turning = (from + 1..points.len()).take_while(|index| points[*index].runs && path.push(*index, way) < 0.0);
    let turned = turning.find(|index| path.along(*index, way) <= 0.0).map(|end| {
        let tick = end - 1;
        let speed = path.along(tick, way);
        // A body may be fast again in the tick in which it turns, so what counts is how it slows down before.
        let slows = (tick > from).then(|| path.along(tick - 1, way) - speed).filter(|slows| *slows > 0.0);
        let moment = match slows {
            Some(slows) => {
                let time = (speed / slows * path.dt).clamp(0.0, path.dt);
                (time, 0.5 * speed * time)
            }
            None => path.span(tick, way).reach(0.0),
        };
        path.until(from, tick, way, moment)
    });
    let turned = turned.ok_or("not turned");
    let measure = |name: &str, value, unit| Measure { event: "turn", name: name.into(), value, unit };
    vec![
        measure("turnaround", turned.map(|(time, _)| time), "s"),
        measure("overshoot", turned.map(|(_, distance)| distance), "px"),
    ]
}

/// How far the body slides on each surface in all of the stretch: moves without keys, or against them.
pub fn slides(path: MeasuredPath<'_>) -> Vec<Measure> {
    let points = path.points;
    let mut slid: Vec<(&Arc<str>, f64)> = Vec::new();
    for from in path.ticks() {
        let (a, b) = (&points[from], &points[from + 1]);
        let fastest = if a.vel.length() > b.vel.length() { a.vel } else { b.vel };
        let is_pushed = path.push(from + 1, fastest.normalize_or_zero()) > 0.0;
        if is_pushed || fastest.length() <= REST {
            continue;
        }
        // Where in the tick one surface ends is not known.
        let half = 0.5 * a.pos.distance(b.pos);
        for surface in [&a.surface, &b.surface] {
            match slid.iter().position(|(known, _)| *known == surface) {
                Some(index) => slid[index].1 += half,
                None if slid.len() < MOST_SURFACES && !surface.is_empty() => slid.push((surface, half)),
                None => {}
            }
        }
    }
    let slid = slid.into_iter().filter(|(_, length)| *length >= SHORTEST_SLIDE);
    let measure = |(surface, length): (&Arc<str>, f64)| Measure {
        event: "slide",
        name: format!("slide on {}", cut_name(surface)),
        value: Ok(length),
        unit: "px",
    };
    slid.map(measure).collect()
}
