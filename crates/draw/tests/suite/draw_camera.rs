//! The camera: what it shows while bodies move.

use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::grid::Bounds,
    level::{CameraSettings, View},
};
use hangtime_draw::{Camera, Focus, Frame};

const SIZE: (u32, u32) = (640, 360);

fn frame(view: View) -> Frame {
    Frame {
        size: dvec2(640.0, 360.0),
        bounds: Bounds::of(DVec2::splat(-1e5), DVec2::splat(1e5)),
        view,
        settings: CameraSettings::default(),
    }
}

fn standing(pos: DVec2) -> Focus {
    Focus { pos, vel: DVec2::ZERO, rests: true }
}

/// Follows a body whose position is a function of time for some seconds; returns the camera and where
/// the body is at the end.
fn followed(view: View, hz: u32, seconds: f64, rests: bool, at: impl Fn(f64) -> DVec2) -> (Camera, DVec2) {
    let dt = 1.0 / f64::from(hz);
    let frame = frame(view);
    let mut camera = Camera::settled(&[standing(at(0.0))], &frame);
    let ticks = (seconds * f64::from(hz)).round() as u32;
    let mut last = at(0.0);
    for tick in 1..=ticks {
        let pos = at(f64::from(tick) * dt);
        let vel = (pos - last) / dt;
        camera.advance(&[Focus { pos, vel, rests }], &frame, dt);
        last = pos;
    }
    (camera, last)
}

#[test]
fn small_steps_do_not_move_the_camera() {
    for view in [View::Side, View::Top] {
        let frame = frame(view);
        let start = Camera::settled(&[standing(DVec2::ZERO)], &frame);
        let mut camera = start.clone();
        for tick in 0..240 {
            let x = if tick % 20 < 10 { 8.0 } else { -8.0 };
            camera.advance(&[standing(dvec2(x, 0.0))], &frame, 1.0 / 60.0);
        }
        assert_eq!(camera.center(), start.center(), "{view:?}");
    }
}

#[test]
fn a_low_jump_on_the_spot_does_not_move_the_camera() {
    // A body that leaves its ground by less than a tenth of the picture and returns.
    let hop = |t: f64| dvec2(0.0, 36.0 * (t * std::f64::consts::PI).sin().max(0.0));
    for hz in [30, 60, 120, 240] {
        let (camera, _) = followed(View::Side, hz, 1.0, false, hop);
        let still = Camera::settled(&[standing(DVec2::ZERO)], &frame(View::Side));
        assert!(camera.center().distance(still.center()) < 1e-9, "{hz} Hz");
    }
}

#[test]
fn the_camera_follows_a_climb_and_looks_ahead_of_a_run() {
    for side in [1.0, -1.0] {
        let run = move |t: f64| dvec2(side * 500.0 * t, 0.0);
        let (camera, at) = followed(View::Side, 60, 2.0, true, run);
        let ahead = (camera.center().x - at.x) * side;
        assert!((30.0..=0.4 * 640.0).contains(&ahead), "{ahead}");
    }
    let climb = |t: f64| dvec2(0.0, 200.0 * t);
    let (camera, at) = followed(View::Side, 60, 3.0, false, climb);
    assert!(camera.shows(SIZE).holds(at));
    let settled = Camera::settled(&[standing(at)], &frame(View::Side));
    assert!(camera.center().distance(settled.center()) < 0.3 * 360.0);
}

#[test]
fn the_camera_comes_to_rest_where_the_body_does() {
    let (camera, at) = followed(View::Top, 60, 6.0, true, |t| dvec2(300.0, 220.0) * t.min(2.0));
    let away = (camera.center() - at).abs();
    assert!(away.max_element() < 25.0, "{away}");
    // On the ground of a side view, the height of a settled camera exactly.
    let (camera, at) = followed(View::Side, 60, 8.0, true, |t| dvec2(0.0, 90.0 * t.min(1.0)));
    let settled = Camera::settled(&[standing(at)], &frame(View::Side));
    assert!((camera.center().y - settled.center().y).abs() < 0.5);
}

#[test]
fn a_fast_fall_stays_in_the_picture_and_shows_what_comes() {
    let fall = |t: f64| dvec2(0.0, -700.0 * t);
    for hz in [30, 60, 144] {
        let (camera, at) = followed(View::Side, hz, 2.0, false, fall);
        let shows = camera.shows(SIZE);
        assert!(shows.holds(at), "{hz} Hz");
        let (below, above) = (at.y - shows.min.y, shows.max.y - at.y);
        assert!(below > above, "{hz} Hz: {below} px below, {above} above");
    }
    // However fast.
    let (camera, at) = followed(View::Side, 60, 2.0, false, |t| dvec2(5000.0, -9000.0) * t);
    assert!(camera.shows(SIZE).holds(at));
}

#[test]
fn the_way_of_the_camera_hardly_depends_on_the_tick_rate() {
    let way = |t: f64| {
        let x = 400.0 * (t - 0.5).clamp(0.0, 1.5);
        dvec2(x, 120.0 * (t * 3.0).sin().max(0.0))
    };
    for seconds in [0.6, 1.0, 1.7, 3.0] {
        let (fine, _) = followed(View::Side, 240, seconds, false, way);
        for hz in [30, 60, 120] {
            let (camera, _) = followed(View::Side, hz, seconds, false, way);
            // A tick at 400 px/s: the body itself is seen that much later or earlier.
            let tick = 400.0 / f64::from(hz);
            let off = camera.center().distance(fine.center());
            assert!(off < tick, "{seconds} s at {hz} Hz: {off} px");
        }
    }
}

#[test]
fn the_camera_moves_without_jerks() {
    // Between two ticks its speed changes by no more than a body's at full acceleration would.
    let way = |t: f64| dvec2(650.0 * (t - 0.3).clamp(0.0, 1.0), 0.0);
    let (hz, frame) = (60.0, frame(View::Side));
    let mut camera = Camera::settled(&[standing(DVec2::ZERO)], &frame);
    let (mut last, mut speed) = (camera.center(), DVec2::ZERO);
    for tick in 1..150 {
        let t = f64::from(tick) / hz;
        let vel = (way(t) - way(t - 1.0 / hz)) * hz;
        let focus = Focus { pos: way(t), vel, rests: true };
        camera.advance(&[focus], &frame, 1.0 / hz);
        let now = (camera.center() - last) * hz;
        // A body that starts at 650 px/s jerks by all of it.
        assert!((now - speed).length() < 650.0 / 4.0, "tick {tick}");
        (last, speed) = (camera.center(), now);
    }
}

#[test]
fn a_teleport_is_followed_at_once() {
    let frame = frame(View::Side);
    let mut camera = Camera::settled(&[standing(DVec2::ZERO)], &frame);
    let far = [standing(dvec2(3000.0, -800.0))];
    camera.advance(&far, &frame, 1.0 / 60.0);
    assert_eq!(camera.center(), Camera::settled(&far, &frame).center());
    assert_eq!(camera.shows(SIZE), Camera::settled(&far, &frame).shows(SIZE));
}

#[test]
fn several_players_are_shown_together() {
    let frame = frame(View::Side);
    let pair = |apart: f64| [standing(dvec2(-apart / 2.0, 0.0)), standing(dvec2(apart / 2.0, 60.0))];
    let mut camera = Camera::settled(&pair(100.0), &frame);
    assert_eq!(camera.zoom(), 1.0);
    let mut apart = 100.0;
    while apart < 1000.0 {
        apart += 5.0;
        camera.advance(&pair(apart), &frame, 1.0 / 60.0);
        for player in pair(apart) {
            assert!(camera.shows(SIZE).holds(player.pos), "{apart} px apart");
        }
    }
    assert!(camera.zoom() < 0.75);
    for _ in 0..300 {
        camera.advance(&pair(apart), &frame, 1.0 / 60.0);
    }
    // With room around them: a fifth of the picture on either side.
    let shown = camera.shows(SIZE);
    let room = (-apart / 2.0 - shown.min.x) / (shown.max.x - shown.min.x);
    assert!((room - 0.4 / 2.0 * 640.0 / (1000.0 + 0.4 * 640.0)).abs() < 0.02, "{room}");
    for _ in 0..600 {
        camera.advance(&pair(80.0), &frame, 1.0 / 60.0);
    }
    assert!((camera.zoom() - 1.0).abs() < 1e-3);
}

#[test]
fn the_camera_shows_nothing_outside_the_level() {
    let mut frame = frame(View::Side);
    frame.bounds = Bounds::of(DVec2::ZERO, dvec2(2000.0, 900.0));
    let places = [dvec2(5.0, 5.0), dvec2(1995.0, 10.0), dvec2(1000.0, 890.0)];
    let mut camera = Camera::settled(&[standing(places[0])], &frame);
    let inside = |camera: &Camera| {
        let shown = camera.shows(SIZE);
        let slack = DVec2::splat(0.51);
        let bounds = frame.bounds.grown(slack);
        assert!(bounds.holds(shown.min) && bounds.holds(shown.max), "{shown:?}");
    };
    inside(&camera);
    for pair in places.windows(2) {
        for step in 0..120 {
            let pos = pair[0].lerp(pair[1], f64::from(step) / 120.0);
            let vel = (pair[1] - pair[0]) / 2.0;
            let focus = Focus { pos, vel, rests: false };
            camera.advance(&[focus], &frame, 1.0 / 60.0);
            inside(&camera);
        }
    }
    // A level smaller than the picture: no jitter.
    frame.bounds = Bounds::of(DVec2::ZERO, dvec2(300.0, 200.0));
    let first = Camera::settled(&[standing(dvec2(10.0, 10.0))], &frame).center();
    let other = Camera::settled(&[standing(dvec2(290.0, 190.0))], &frame).center();
    assert_eq!(first, other);
}

#[test]
fn zooming_keeps_the_body_in_the_picture() {
    let frame = frame(View::Side);
    let body = [standing(dvec2(40.0, 20.0))];
    let mut camera = Camera::settled(&body, &frame);
    for _ in 0..20 {
        camera.zoom_by(1.3);
        camera.advance(&body, &frame, 1.0 / 60.0);
    }
    assert!(camera.zoom() <= 4.0 + 1e-9);
    assert!(camera.shows(SIZE).holds(body[0].pos));
    // The point under a pixel is where that pixel shows the level.
    let corner = camera.level_at(SIZE, 0.0, 0.0);
    let shown = camera.shows(SIZE);
    assert_eq!(corner, dvec2(shown.min.x, shown.max.y));
    let far = camera.level_at(SIZE, 640.0, 360.0);
    assert!(far.distance(dvec2(shown.max.x, shown.min.y)) < 1e-9);
}
