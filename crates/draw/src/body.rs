//! Bodies: upright ones with an eye, ropes, and vessels piece by piece.

use super::*;
use hangtime_core::{
    geometry::{turn, turned},
    models::Piece,
};

/// Line width of a body's outline, px.
const EDGE: f64 = 1.5;

/// Acceleration toward the tip, px/s², or speed away from it, px/s, at which a rope has its tensest color.
const TENSE: (f64, f64) = (6000.0, 400.0);

/// Length of a flame: minimum, and additional length while it flickers, px.
const FLAME: (f64, f64) = (13.0, 9.0);

/// Flicker frequency of a flame, 1/s.
const FLICKER: f64 = 11.0;

/// A box around everything that is painted of a body.
pub fn reach_of(body: &EntityView) -> Bounds {
    // A turned body fits into the circle around its box; feet and flames reach out of it.
    let round = body.half.length() + body.foot_travel + FLAME.0 + FLAME.1;
    let mut reach = Bounds::of(body.pos - round, body.pos + round);
    if body.hook.state != HookState::Idle {
        let rope = Bounds::of(body.pos, body.hook.tip).grown(DVec2::splat(4.0));
        reach.min = reach.min.min(rope.min);
        reach.max = reach.max.max(rope.max);
    }
    reach
}

/// Paints a body in a side view.
pub fn paint(brush: &mut Brush<'_>, body: &EntityView, colors: ShapeColors, time: f64) {
    paint_hook(brush, body);
    match &body.pieces {
        Some(pieces) => {
            paint_flame(brush, body, pieces, time);
            paint_vessel(brush, body, pieces, colors);
        }
        None => {
            paint_upright(brush, body, colors);
            // On the side that the body faces, away from its feet.
            let up = if body.inverted { -0.45 } else { 0.45 };
            let eye = dvec2(body.facing * 0.45, up) * body.half;
            paint_eye(brush, body.pos + eye, body.half.x);
        }
    }
}

/// Paints an upright body with its outline, and light from the upper left.
fn paint_upright(brush: &mut Brush<'_>, body: &EntityView, colors: ShapeColors) {
    let [light, dark] = palette::shaded(colors.fill);
    let rim = EDGE * 0.5;
    let inside = (body.half - rim).max(DVec2::ZERO);
    brush.oval(body.pos, body.collider().grown(rim), colors.edge);
    let parts = [
        (DVec2::ZERO, DVec2::ONE, dark),
        (dvec2(-0.08, 0.1), DVec2::splat(0.89), colors.fill),
        (dvec2(-0.38, 0.5), dvec2(0.3, 0.22), light),
    ];
    for (aside, share, color) in parts {
        let shape = Collider { half: inside * share, form: body.form };
        brush.oval(body.pos + aside * inside, shape, Ink::sharp(color));
    }
}

/// Paints the eye of a body with this half-width.
pub fn paint_eye(brush: &mut Brush<'_>, at: DVec2, half_width: f64) {
    let size = (half_width * 0.28).clamp(1.0, 6.0);
    brush.oval(at, DVec2::splat(size), palette::EYE);
    brush.oval(at, DVec2::splat(size * 0.5), palette::PUPIL);
}

/// Paints the rope from the body's center to the tip of its hook.
pub fn paint_hook(brush: &mut Brush<'_>, body: &EntityView) {
    if body.hook.state == HookState::Idle {
        return;
    }
    let tip = body.hook.tip;
    let color = palette::rope(tension(body));
    brush.stroke([body.pos, tip], 1.5, color);
    brush.oval(tip, DVec2::splat(3.0), color);
}

/// How hard a body pulls on its attached rope, 0 to 1: by its speed around the tip or away from it.
pub fn tension(body: &EntityView) -> f64 {
    if body.hook.state != HookState::Attached || body.grounded {
        return 0.0;
    }
    let away = body.pos - body.hook.tip;
    let velocity = body.vel + body.external;
    let out = velocity.dot(away.normalize_or_zero());
    let around = velocity.length_squared() - out * out;
    let pull = around / away.length().max(1.0);
    (pull / TENSE.0).max(out / TENSE.1)
}

/// A vessel's pieces at their current positions, each with whether it is a foot. Compressed feet
/// move along the vessel's up axis.
pub fn placed(body: &EntityView, pieces: &[Piece]) -> Vec<(Vec<DVec2>, bool)> {
    let turn = turn(body.angle);
    let up = dvec2(-turn.y, turn.x);
    let mut feet = body.feet.iter();
    let place = |piece: &Piece| {
        let mut at = body.pos;
        if piece.foot {
            at += up * (feet.next().copied().unwrap_or(0.0) * body.foot_travel);
        }
        let corners = piece.points.iter().map(|p| at + turned(turn, *p));
        (corners.collect(), piece.foot)
    };
    pieces.iter().map(place).collect()
}

fn paint_vessel(brush: &mut Brush<'_>, body: &EntityView, pieces: &[Piece], colors: ShapeColors) {
    let placed = placed(body, pieces);
    for (corners, _) in placed.iter().filter(|(_, foot)| *foot) {
        // A strut, so that an extended foot does not float.
        let middle = corners.iter().sum::<DVec2>() / corners.len() as f64;
        brush.stroke([body.pos, middle], 3.0, palette::LEG);
        brush.fill(corners.iter().copied(), palette::LEG);
        brush.outline(corners.iter().copied(), 1.0, colors.edge);
    }
    let hull = || placed.iter().filter(|(_, foot)| !foot);
    // All outlines are painted below all fills, so no line shows between two pieces.
    for (corners, _) in hull() {
        let around = corners.iter().copied();
        brush.outline(around, 2.0 * EDGE, colors.edge);
    }
    for (corners, _) in hull() {
        brush.fill(corners.iter().copied(), colors.fill);
    }
    let (low, high) = reach(pieces, |piece| !piece.foot);
    let size = (high - low) * 0.5;
    let eye = dvec2(body.facing * size * 0.35, low + size * 1.25);
    let at = body.pos + turned(turn(body.angle), eye);
    paint_eye(brush, at, size * 1.2);
}

/// Lowest and highest point of the selected pieces in the vessel's own frame, px.
fn reach(pieces: &[Piece], which: impl Fn(&Piece) -> bool) -> (f64, f64) {
    let corners = pieces.iter().filter(|p| which(p)).flat_map(|p| &p.points);
    let none = (f64::INFINITY, f64::NEG_INFINITY);
    corners.fold(none, |(low, high), p| (low.min(p.y), high.max(p.y)))
}

/// Paints the flame below the middle of a thrusting vessel's hull.
fn paint_flame(brush: &mut Brush<'_>, body: &EntityView, pieces: &[Piece], time: f64) {
    if body.thrust <= 0.0 {
        return;
    }
    let (low, _) = reach(pieces, |piece| !piece.foot);
    let flicker = libm::sin(time * FLICKER * std::f64::consts::TAU).abs();
    let long = (FLAME.0 + FLAME.1 * flicker) * body.thrust;
    let turn = turn(body.angle);
    for (share, color) in [(1.0, palette::FLAME), (0.55, palette::FLAME_HEART)] {
        let corners = [dvec2(-4.5 * share, low + 1.0), dvec2(4.5 * share, low + 1.0), dvec2(0.0, low - long * share)];
        let corners = corners.map(|p| body.pos + turned(turn, p));
        brush.fill(corners, color);
    }
}
