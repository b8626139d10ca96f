//! Painting overlays: what is invisible in the game and decides how it feels.

use super::{markers::Marker, *};

/// Length of a velocity's arrow, s: how far the body moves in that time; the longest, px.
const ARROW: (f64, f64) = (0.12, 160.0);

/// The distance of brackets from a body, and the length of their legs, px.
const BRACKET: (f64, f64) = (5.0, 6.0);

/// Length of a normal's arrow, px.
const NORMAL: f64 = 12.0;

/// Size of a bar, pixels, and the distance from one to the next without and with a text.
const BAR: (i32, i32) = (24, 3);
const BAR_STEP: i32 = 6;
const LINE: i32 = 13;

/// The distance between two dots on the way to the hook's reach, px.
const REACH_STEP: f64 = 100.0;

/// Without a first value, a timer's bar is full at this many seconds.
const TIMER: f64 = 1.0;

/// Paints the overlays that are switched on.
pub fn paint(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    let show = &picture.show;
    if show.overlays.is_empty() {
        return;
    }
    let has = |overlay| show.overlays.has(overlay);
    if has(Overlay::Zones) {
        zones(brush, picture);
    }
    if has(Overlay::Outlines) {
        edges(brush, picture);
    }
    if has(Overlay::Trail)
        && let Some(spectator) = show.spectator
    {
        spectator.trails.paint(brush);
    }
    let shown = brush.lens.shows();
    for one in picture.bodies {
        if body::reach_of(one).meets(&shown) {
            entity(brush, picture, one);
        }
    }
    paint_frames(brush, show);
}

/// Paints brackets around an entity.
pub fn mark(brush: &mut Brush<'_>, picture: &Picture<'_>, entity: EntityId) {
    let Some(body) = picture.bodies.iter().find(|body| body.id == entity) else {
        return;
    };
    let at = body.pos + dvec2(0.0, body.z);
    let half = body.half + BRACKET.0;
    for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
        let corner = at + half * dvec2(x, y);
        let legs = [corner - dvec2(x * BRACKET.1, 0.0), corner, corner - dvec2(0.0, y * BRACKET.1)];
        brush.stroke(legs, 2.0, palette::PICKED);
    }
}

/// Paints the frame graph if it is switched on.
pub fn paint_frames(brush: &mut Brush<'_>, show: &Show<'_>) {
    if show.overlays.has(Overlay::Frames) && !show.frames.is_empty() {
        frames::paint(brush, show.frames, show.ticks);
    }
}

/// Paints what is shown about one entity.
fn entity(brush: &mut Brush<'_>, picture: &Picture<'_>, body: &EntityView) {
    let show = &picture.show;
    let has = |overlay| show.overlays.has(overlay);
    // Where it is painted, which may be between two ticks.
    let at = body.pos + dvec2(0.0, body.z);
    if has(Overlay::Outlines) {
        collider(brush, body, at);
    }
    if has(Overlay::Velocity) {
        let arrow = |velocity: DVec2| (velocity * ARROW.0).clamp_length_max(ARROW.1);
        let [rise, external_rise] = [body.vel_z, body.external_z].map(|z| dvec2(0.0, z));
        brush.arrow(at, arrow(body.vel + rise), palette::VELOCITY);
        brush.arrow(at, arrow(body.external + external_rise), palette::EXTERNAL);
    }
    let Some(marker) = show.markers.and_then(|markers| markers.of(body.id)) else {
        return;
    };
    if has(Overlay::Sweeps) {
        sweep(brush, picture.level, body, marker);
    }
    for touching in &marker.touching {
        brush.dot(touching.at, 2, palette::CONTACT);
        brush.arrow(touching.at, touching.normal * NORMAL, palette::CONTACT);
    }
    for rest in &marker.rests {
        brush.dot(*rest, 1, palette::REST);
    }
    if has(Overlay::Hook) {
        hook(brush, body, marker, at);
    }
    if has(Overlay::Windows) {
        bars(brush, body, marker, at);
    }
}

/// The outline of a body: the collider itself, not the squashed body.
fn collider(brush: &mut Brush<'_>, body: &EntityView, at: DVec2) {
    match &body.pieces {
        Some(pieces) => {
            for (corners, _) in body::placed(body, pieces) {
                brush.closed_line(corners, palette::OUTLINE);
            }
        }
        None => brush.rim(at, body.collider(), palette::OUTLINE),
    }
    brush.dot(at, 0, palette::OUTLINE);
}

/// The edges of solids as bodies meet them, each with its normal.
fn edges(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    let terrain = &picture.level.terrain;
    let shown = brush.lens.shows().grown(DVec2::splat(NORMAL));
    for edge in terrain.edges() {
        let (face, end) = placed_edge(picture, edge);
        let start = face.start;
        if picture.changes.absent.holds(edge.solid) || !Bounds::of(start, end).meets(&shown) {
            continue;
        }
        if edge.side == hangtime_core::level::Side::Under {
            continue;
        }
        brush.line(start, end, palette::OUTLINE);
        let middle = (start + end) * 0.5;
        brush.arrow(middle, face.normal * NORMAL, palette::NORMAL);
    }
}

/// The path of a body in the tick, and below it how far it looks for ground.
fn sweep(brush: &mut Brush<'_>, level: &Level, body: &EntityView, marker: &Marker) {
    let color = palette::SWEEP;
    for pair in marker.path.windows(2) {
        brush.line(pair[0], pair[1], color);
    }
    if let [first, .., last] = marker.path.as_slice()
        && first != last
    {
        brush.rim(*first, body.collider(), color);
        brush.dot(*last, 1, color);
        for bend in &marker.path[1..marker.path.len() - 1] {
            brush.dot(*bend, 2, color);
        }
    }
    if level.view == View::Side && marker.probe > 0.0 {
        let down = if body.inverted { 1.0 } else { -1.0 };
        let foot = body.pos + DVec2::Y * (down * body.depth);
        let end = foot + DVec2::Y * (down * marker.probe);
        // At least a pixel wide and high, so that short probes are visible.
        let side = dvec2(5.0, 0.0);
        brush.line(end - side, end + side, color);
        brush.line(foot, end, color);
    }
}

/// The reach of the hook, and how close its rope is to snapping.
fn hook(brush: &mut Brush<'_>, body: &EntityView, marker: &Marker, at: DVec2) {
    let Some(gauge) = marker.hook else { return };
    if body.player > 0 {
        brush.rim(at, DVec2::splat(gauge.reach), palette::REACH);
        reach_beyond(brush, body, gauge.reach, at);
    }
    let Some(strain) = gauge.strain else { return };
    let (x, y) = brush.lens.at((at + body.hook.tip) * 0.5);
    let color = palette::rope(strain);
    brush.bar(x as i32 + 6, y as i32, (40, 4), strain, color);
    brush.fill_pixels(x as i32 + 46, y as i32 - 2, 1, 8, palette::CONTACT);
}

/// Says how far the hook reaches if its rim is outside of the picture, with a dot for each step of the way.
fn reach_beyond(brush: &mut Brush<'_>, body: &EntityView, reach: f64, at: DVec2) {
    let shown = brush.lens.shows();
    let corners = [shown.min, dvec2(shown.min.x, shown.max.y), shown.max, dvec2(shown.max.x, shown.min.y)];
    let crosses = corners.iter().any(|corner| corner.distance(at) >= reach);
    if crosses || reach <= 0.0 {
        return;
    }
    for step in 1..=(reach / REACH_STEP) as u32 {
        for way in [DVec2::X, -DVec2::X, DVec2::Y, -DVec2::Y] {
            brush.dot(at + way * f64::from(step) * REACH_STEP, 1, palette::REACH);
        }
    }
    let (x, y) = brush.lens.at(at - dvec2(0.0, body.half.y));
    let text = format!("reach {reach:.0} px, a dot every {REACH_STEP:.0}");
    let width = text.chars().count() as i32 * super::text::WIDTH as i32;
    brush.text(&text, (x as i32 - width / 2).max(4), y as i32 + 6, palette::REACH);
}

/// Jump windows and timers, as bars that run out, above the body.
fn bars(brush: &mut Brush<'_>, body: &EntityView, marker: &Marker, at: DVec2) {
    let (x, y) = brush.lens.at(at + dvec2(0.0, body.half.y));
    let left = x as i32 - BAR.0 / 2;
    // A player's bars have a text next to them, which is higher than a bar.
    let named = body.player > 0;
    let step = if named { LINE } else { BAR_STEP };
    for (line, countdown) in (1..).zip(&marker.countdowns) {
        let top = y as i32 - line * step - 2;
        let share = countdown.left / countdown.total.unwrap_or(TIMER);
        let color = match &*countdown.name {
            "coyote" => palette::WARN,
            "buffer" => palette::SWEEP,
            "hold" => palette::VELOCITY,
            _ => palette::REST,
        };
        brush.bar(left, top, BAR, share, color);
        if named {
            let text = format!("{} {:.2} s", countdown.name, countdown.left);
            brush.text(&text, left + BAR.0 + 5, top - 5, color);
        }
    }
}

/// The outlines of zones with their names.
fn zones(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    let shown = brush.lens.shows();
    for (index, zone) in (0..).zip(picture.level.zones.list()) {
        if picture.changes.zones_off.holds(index) {
            continue;
        }
        let around = Bounds::around(&zone.points);
        if !around.meets(&shown) {
            continue;
        }
        let color = palette::light(palette::zone(zone));
        brush.closed_line(zone.points.iter().copied(), color);
        let (x, y) = brush.lens.at(dvec2(around.min.x, around.max.y));
        let (x, y) = (x.max(2.0) as i32, y.max(18.0) as i32);
        brush.text(&zone.name, x + 3, y + 2, color);
    }
}
