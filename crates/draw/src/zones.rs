//! Zones: a faint tint with a hint of their effect.

use super::*;
use hangtime_core::geometry::polygon;

/// Distance between hints, px.
const SPACING: f64 = 32.0;

/// Drift of hints: fraction of the zone's speed, and maximum, px/s.
const DRIFT: (f64, f64) = (0.12, 60.0);

pub fn paint(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    let shown = brush.lens.shows();
    for (index, zone) in (0..).zip(picture.level.zones.list()) {
        if picture.changes.zones_off.holds(index) {
            continue;
        }
        let bounds = Bounds::around(&zone.points);
        if !bounds.meets(&shown) {
            continue;
        }
        let color = palette::zone(zone);
        let tint = Ink::faint(color, TINT);
        brush.fill(zone.points.iter().copied(), tint);
        let mut hints =
            Hints { brush, zone, ink: Ink::faint(palette::light(color), HINT), area: bounds, time: picture.time };
        if zone.name.contains("ladder") {
            hints.rungs();
        }
        if zone.external_accel != DVec2::ZERO {
            hints.streaks();
        }
        if zone.conveyor != DVec2::ZERO {
            hints.chevrons();
        }
        if zone.gravity_scale != 1.0 {
            hints.dots();
        }
        if picture.level.view == View::Side && palette::is_wet(zone) {
            hints.waterline();
        }
    }
}

/// State for painting a zone's hints.
struct Hints<'a, 'b> {
    brush: &'a mut Brush<'b>,
    zone: &'a Zone,
    ink: Ink,
    area: Bounds,
    time: f64,
}

impl Hints<'_, '_> {
    /// Draws a line if it lies inside the zone.
    fn line(&mut self, points: &[DVec2], width: f64) {
        let inside = |p: &DVec2| polygon::contains(&self.zone.points, *p);
        if points.iter().all(inside) {
            let points = points.iter().copied();
            self.brush.stroke(points, width, self.ink);
        }
    }

    /// Points all over the zone that drift along `direction` at `speed` px/s; every other row is
    /// offset.
    fn places(&self, direction: DVec2, speed: f64) -> Vec<DVec2> {
        let across = direction.perp();
        let middle = (self.area.min + self.area.max) * 0.5;
        let reach = (self.area.max - middle).length();
        let count = (reach / SPACING).ceil() as i32 + 1;
        let drifted = (speed * self.time).rem_euclid(SPACING * 2.0);
        let place = |row: i32, column: i32| {
            let shift = if row.rem_euclid(2) == 0 { 0.0 } else { 1.0 };
            let along = (f64::from(column) * 2.0 + shift) * SPACING + drifted;
            middle + across * (f64::from(row) * SPACING * 0.75) + direction * along
        };
        (-count..=count)
            .flat_map(|row| (-count..=count).map(move |column| (row, column)))
            .map(|(row, column)| place(row, column))
            .filter(|at| self.area.holds(*at))
            .collect()
    }

    /// Wind: streaks that drift with it.
    fn streaks(&mut self) {
        let accel = self.zone.external_accel;
        let direction = accel.normalize_or_zero();
        let speed = (accel.length() * DRIFT.0).min(DRIFT.1);
        for at in self.places(direction, speed) {
            let long = direction * 9.0;
            self.line(&[at - long, at + long], 1.5);
            let barb = |side: f64| at + long - direction * 4.0 + direction.perp() * (3.0 * side);
            self.line(&[barb(1.0), at + long, barb(-1.0)], 1.5);
        }
    }

    /// A conveyor: chevrons that move with it.
    fn chevrons(&mut self) {
        let direction = self.zone.conveyor.normalize_or_zero();
        let speed = self.zone.conveyor.length().min(DRIFT.1 * 2.0);
        for at in self.places(direction, speed) {
            let barb = |side: f64| at - direction * 5.0 + direction.perp() * (6.0 * side);
            self.line(&[barb(1.0), at, barb(-1.0)], 2.5);
        }
    }

    /// Modified gravity: dots.
    fn dots(&mut self) {
        for at in self.places(DVec2::Y, 0.0) {
            self.line(&[at - dvec2(1.0, 0.0), at + dvec2(1.0, 0.0)], 2.0);
        }
    }

    /// A ladder: two rails with rungs.
    fn rungs(&mut self) {
        let Bounds { min, max } = self.area;
        let inset = 2.0;
        for x in [min.x + inset, max.x - inset] {
            self.line(&[dvec2(x, min.y + inset), dvec2(x, max.y - inset)], 3.0);
        }
        let mut y = min.y + 8.0;
        while y < max.y - inset {
            self.line(&[dvec2(min.x + inset, y), dvec2(max.x - inset, y)], 2.0);
            y += 14.0;
        }
    }

    /// The surface of water.
    fn waterline(&mut self) {
        let points = &self.zone.points;
        for (i, start) in points.iter().enumerate() {
            let end = points[(i + 1) % points.len()];
            // The outline is wound counterclockwise, so edges that point left are at the top.
            let along = (end - *start).normalize_or_zero();
            if along.x < -0.9 {
                self.brush.stroke([*start, end], 2.0, self.ink);
            }
        }
    }
}
