//! What each model is off by at four tick rates, from closed forms: the table of the page on conventions.

use crate::ground::Ground;
use glam::dvec2;
use hangtime_core::models::{Action, ModelName};
use std::{fmt::Write as _, path::Path};

const RATES: [u32; 4] = [30, 60, 120, 240];

/// A model may be off by this much and still count as exact, px.
///
/// The tip of a hook is swept as a dot with a radius of 0.001 px.
const EXACT: f64 = 1e-3;

/// One line of the table.
struct Line {
    model: ModelName,
    /// What the body does.
    what: &'static str,
    /// How far it comes, px, from its formula.
    formula: f64,
    /// Whether the model's velocity is computed once a tick, so that positions depend on the tick rate.
    once: bool,
    /// How far it comes, px, at a tick rate.
    measure: fn(u32) -> f64,
}

fn runs(mut ground: Ground, model: ModelName, time: f64) -> f64 {
    ground = ground.model(model);
    let mut play = ground.play();
    play.hold(Action::Right);
    play.run(time);
    play.hero().pos.x
}

/// A top view, in which a body stands in the plane.
fn plane(hz: u32) -> Ground {
    Ground::none(hz).top_view().at(0.0, 0.0)
}

fn glides(ground: Ground, model: ModelName) -> f64 {
    let mut play = ground.model(model).moving(300.0, 0.0).play();
    play.run(0.5);
    play.hero().pos.x
}

fn thrown(hz: u32, model: ModelName) -> f64 {
    let mut play = Ground::none(hz).model(model).at(0.0, 0.0).moving(100.0, 600.0).play();
    play.run(0.3);
    play.hero().pos.y
}

/// The default gravity, px/s².
const GRAVITY: f64 = 3672.0;

/// How far a speed of 300 px/s leads if in each 60th of a second this share of it is lost, until a body stops, px.
fn faded(lost: f64, stops_below: f64) -> f64 {
    (300.0 - stops_below) / (-60.0 * (1.0 - lost).ln())
}

fn lines() -> Vec<Line> {
    use ModelName::{ballistic, platformer, topdown, two_velocity, vessel};
    let fall = (2.0 * 60.0 / GRAVITY).sqrt();
    vec![
        Line {
            model: platformer,
            what: "runs for 0.4 s from rest",
            formula: 360.0 * 0.4 + 0.5 * 650.0 * 0.16,
            once: false,
            measure: |hz| runs(Ground::floor(hz), platformer, 0.4),
        },
        Line {
            model: platformer,
            what: "is 0.4 s into a held jump",
            formula: 540.0 * 0.4 - 0.5 * GRAVITY * (0.4_f64 - 0.278).powi(2),
            once: false,
            measure: |hz| {
                let mut play = Ground::floor(hz).play();
                play.hold(Action::Jump);
                play.run(0.4);
                play.hero().pos.y - 19.0
            },
        },
        Line {
            model: platformer,
            what: "falls 60 px onto a belt of 200 px/s, at 0.5 s",
            formula: 200.0 * (0.5 - fall),
            once: false,
            measure: |hz| {
                let ground = Ground::floor(hz).at(0.0, 79.0);
                let belt = |zone: &mut hangtime_core::level::Zone| zone.conveyor = dvec2(200.0, 0.0);
                let mut play = ground.zone_with("belt", (-900.0, -50.0), (900.0, 500.0), belt).play();
                play.run(0.5);
                play.hero().pos.x
            },
        },
        Line {
            model: platformer,
            what: "fires its hook 240 px up, at 0.3 s",
            formula: 600.0 * (0.3 - 240.0 / 3000.0),
            once: false,
            measure: |hz| {
                let roof = [(-50.0, 259.0), (50.0, 259.0), (50.0, 300.0), (-50.0, 300.0)];
                let mut play = Ground::floor(hz).solid(&roof).play();
                play.input.aim = Some(dvec2(0.0, 900.0));
                play.hold(Action::Hook);
                play.run(0.3);
                play.hero().pos.y - 19.0
            },
        },
        Line {
            model: two_velocity,
            what: "runs for 0.5 s from rest",
            formula: 300.0 * (0.5 - 0.1),
            once: true,
            measure: |hz| runs(Ground::floor(hz), two_velocity, 0.5),
        },
        Line {
            model: two_velocity,
            what: "brakes from 300 px/s",
            formula: faded(10.0 / 60.0, 5.0),
            once: true,
            measure: |hz| glides(Ground::floor(hz), two_velocity),
        },
        Line {
            model: two_velocity,
            what: "falls for 0.1 s",
            formula: -0.5 * GRAVITY * 0.1 * 0.1,
            once: false,
            measure: |hz| {
                let mut play = Ground::none(hz).model(two_velocity).at(0.0, 0.0).play();
                play.run(0.1);
                play.hero().pos.y
            },
        },
        Line {
            model: topdown,
            what: "walks for 0.5 s from rest",
            formula: 300.0 * (0.5 - 0.05),
            once: true,
            measure: |hz| runs(plane(hz), topdown, 0.5),
        },
        Line {
            model: topdown,
            what: "comes to rest from 300 px/s",
            formula: faded(0.2, 0.5),
            once: true,
            measure: |hz| glides(plane(hz), topdown),
        },
        Line {
            model: vessel,
            what: "is thrown up at 600 px/s, at 0.3 s",
            formula: 600.0 * 0.3 - 0.5 * GRAVITY * 0.09,
            once: false,
            measure: |hz| thrown(hz, vessel),
        },
        Line {
            model: ballistic,
            what: "is thrown up at 600 px/s, at 0.3 s",
            formula: 600.0 * 0.3 - 0.5 * GRAVITY * 0.09,
            once: false,
            measure: |hz| thrown(hz, ballistic),
        },
    ]
}

/// A number with a real minus sign.
fn signed(number: String) -> String {
    number.replace('-', "−")
}

/// The lines of the table, without its head.
fn table() -> String {
    let mut text = String::new();
    for line in lines() {
        let _ =
            write!(text, "| `{}` | {} | {} |", line.model.as_str(), line.what, signed(format!("{:.2}", line.formula)));
        for hz in RATES {
            let off = (line.measure)(hz) - line.formula;
            let shown = if off.abs() < EXACT { "0".to_string() } else { signed(format!("{off:+.2}")) };
            let _ = write!(text, " {shown} |");
        }
        text.push('\n');
    }
    text
}

#[test]
fn motion_is_exact_or_off_by_at_most_the_motion_of_a_tick() {
    for line in lines() {
        let offs = RATES.map(|hz| (line.measure)(hz) - line.formula);
        let case = format!("{} {}: {offs:?}", line.model.as_str(), line.what);
        if !line.once {
            assert!(offs.iter().all(|off| off.abs() < EXACT), "{case}");
            continue;
        }
        for (hz, off) in RATES.into_iter().zip(offs) {
            assert!(off.abs() <= 300.0 / f64::from(hz), "{case}");
        }
        // Twice the rate, half the error.
        assert!(offs.windows(2).all(|pair| (1.8..2.2).contains(&(pair[0] / pair[1]))), "{case}");
    }
}

#[test]
fn the_page_on_conventions_has_the_errors_as_they_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/conventions.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let head = "|---|---|---|---|---|---|---|\n";
    let (before, rest) = page.split_once(head).expect("the table");
    let after = rest.find("\n\n").map_or("", |end| &rest[end + 1..]);
    let written = format!("{before}{head}{}{after}", table());
    if std::env::var_os("HANGTIME_WRITE_DOCS").is_some() {
        std::fs::write(&path, &written).expect("the page can be written");
        return;
    }
    assert!(page == written, "stale: HANGTIME_WRITE_DOCS=1 cargo test -p hangtime-core --test physics rate_errors");
}
