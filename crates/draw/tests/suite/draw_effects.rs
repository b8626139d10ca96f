//! Effects, compared pixel by pixel.

use crate::draw::{Scene, differing};
use glam::{DVec2, dvec2};
use hangtime_core::{
    models::HookState,
    sim::{EntityId, EntityView, Event, EventKind, Inputs},
};
use hangtime_draw::{Moment, Show, Spectator};
use tiny_skia::Pixmap;

const HZ: f64 = 60.0;
const BODY: &str = "body = { ellipse = [20.0, 30.0] }\n";

/// A body whose script hides it in its first tick.
const HIDDEN: &str = "script = \"hidden.rhai\"\nbody = { ellipse = [20.0, 30.0] }\n";

/// A viewer of a scene. The test says what happens in it.
struct Watcher {
    scene: Scene,
    spectator: Spectator,
    tick: u64,
}

impl Watcher {
    /// A body in the air, seen in one tick.
    fn new(player: u8) -> Self {
        Self::of(BODY, player)
    }

    /// The same with a kind.
    fn of(kind: &str, player: u8) -> Self {
        let mut scene = Scene::of("bounds = [-5000.0, -5000.0, 5000.0, 5000.0]\n", kind);
        scene.live.step(&Inputs::none());
        scene.bodies[0].player = player;
        let mut watcher = Self { scene, spectator: Spectator::default(), tick: 0 };
        watcher.see(&[], &[]);
        watcher
    }

    fn see(&mut self, events: &[EventKind], refused: &[EntityId]) {
        self.tick += 1;
        let bodies = &self.scene.bodies;
        let event = |kind: &EventKind| Event {
            tick: self.tick,
            entity: bodies[0].id,
            name: bodies[0].name.clone(),
            kind: kind.clone(),
        };
        let events: Vec<Event> = events.iter().map(event).collect();
        self.spectator.advance(&Moment {
            tick: self.tick,
            dt: 1.0 / HZ,
            level: &self.scene.live.revision().stage.level,
            bodies,
            events: &events,
            drawing: self.scene.live.world().drawing(),
            refused,
            size: (200, 200),
        });
    }

    fn painted(&self, bodies: &[EntityView], effects: bool) -> Pixmap {
        let show = Show { spectator: Some(&self.spectator), effects, ..Show::default() };
        self.scene.painted(bodies, show)
    }

    /// The number of pixels that effects change in a picture without bodies.
    fn dust(&self) -> usize {
        differing(&self.painted(&[], true), &self.painted(&[], false))
    }

    fn shown(&self) -> Pixmap {
        self.painted(&self.scene.bodies, true)
    }

    /// The rows and columns of the picture in which the body is seen: first and last.
    fn extent(&self) -> [usize; 4] {
        let (with, without) = (self.shown(), self.painted(&[], true));
        let pairs = with.pixels().iter().zip(without.pixels()).enumerate();
        let places: Vec<usize> = pairs.filter(|(_, (a, b))| a != b).map(|(i, _)| i).collect();
        let least = |of: fn(usize) -> usize| places.iter().map(|i| of(*i)).min().expect("a body");
        let most = |of: fn(usize) -> usize| places.iter().map(|i| of(*i)).max().expect("a body");
        [least(|i| i / 200), most(|i| i / 200), least(|i| i % 200), most(|i| i % 200)]
    }
}

fn landing(speed: f64) -> EventKind {
    EventKind::Land { solid: "".into(), surface: "stone".into(), normal: DVec2::Y, speed, at: DVec2::ZERO }
}

#[test]
fn a_landing_squashes_the_body_and_keeps_its_foot_on_the_ground() {
    let mut watcher = Watcher::new(0);
    let [top, bottom, left, right] = watcher.extent();
    watcher.see(&[landing(600.0)], &[]);
    let [low, foot, wide, end] = watcher.extent();
    // Dust may hide the lowest row.
    assert!((bottom - 1..=bottom).contains(&foot), "the foot");
    assert!(low >= top + 8, "{low} below {top}");
    assert!(wide < left && end > right);
    // A harder landing squashes more.
    let mut softer = Watcher::new(0);
    softer.see(&[landing(300.0)], &[]);
    assert!((top..low).contains(&softer.extent()[0]));
}

#[test]
fn under_inverted_gravity_the_foot_is_at_the_top() {
    let mut watcher = Watcher::new(0);
    watcher.scene.bodies[0].inverted = true;
    let [top, bottom, ..] = watcher.extent();
    watcher.see(&[landing(600.0)], &[]);
    let [foot, high, ..] = watcher.extent();
    assert!((top..=top + 1).contains(&foot));
    assert!(high + 8 <= bottom);
}

#[test]
fn a_jump_stretches_the_body_upward() {
    let mut watcher = Watcher::new(0);
    let [top, bottom, left, right] = watcher.extent();
    watcher.see(&[EventKind::Jump], &[]);
    let [high, foot, thin, end] = watcher.extent();
    assert!((bottom - 1..=bottom).contains(&foot));
    assert!(high + 6 <= top && thin > left && end < right);
}

#[test]
fn the_switch_turns_all_effects_off() {
    let mut watcher = Watcher::new(1);
    let plain = watcher.scene.shown();
    let fast = |normal| EventKind::Hit {
        solid: "".into(),
        surface: "".into(),
        normal,
        speed: 900.0,
        foot: false,
        at: DVec2::ZERO,
        part: 0,
    };
    let own = watcher.scene.bodies[0].id;
    watcher.see(&[landing(700.0), EventKind::Jump, fast(DVec2::X)], &[own]);
    for _ in 0..3 {
        assert!(differing(&plain, &watcher.shown()) > 100);
        assert_eq!(differing(&plain, &watcher.painted(&watcher.scene.bodies, false)), 0);
        watcher.see(&[], &[]);
    }
}

#[test]
fn effects_end() {
    let mut watcher = Watcher::new(1);
    let plain = watcher.scene.shown();
    let own = watcher.scene.bodies[0].id;
    watcher.see(&[landing(900.0), EventKind::Jump], &[own]);
    for _ in 0..120 {
        watcher.see(&[], &[]);
    }
    assert_eq!(differing(&plain, &watcher.shown()), 0, "after two seconds");
}

#[test]
fn a_hard_landing_raises_more_dust_than_a_soft_one_and_a_step_none() {
    let dust = |speed: f64| {
        let mut watcher = Watcher::new(0);
        watcher.see(&[landing(speed)], &[]);
        watcher.see(&[], &[]);
        watcher.dust()
    };
    assert_eq!(dust(50.0), 0);
    assert!(dust(250.0) > 0);
    assert!(dust(800.0) > dust(250.0));
}

#[test]
fn a_hidden_body_raises_no_dust() {
    let dust = |kind: &str| {
        let mut watcher = Watcher::of(kind, 0);
        let body = &mut watcher.scene.bodies[0];
        (body.vel, body.facing, body.grounded) = (dvec2(500.0, 0.0), 1.0, true);
        watcher.see(&[landing(800.0), EventKind::Jump], &[]);
        watcher.scene.bodies[0].facing = -1.0;
        watcher.see(&[], &[]);
        watcher.see(&[], &[]);
        watcher.dust()
    };
    assert!(dust(BODY) > 0);
    assert_eq!(dust(HIDDEN), 0);
}

#[test]
fn turning_at_speed_raises_dust_and_turning_on_the_spot_does_not() {
    let dust = |speed: f64, grounded: bool| {
        let mut watcher = Watcher::new(0);
        let body = &mut watcher.scene.bodies[0];
        (body.vel, body.facing, body.grounded) = (dvec2(speed, 0.0), 1.0, grounded);
        watcher.see(&[], &[]);
        watcher.scene.bodies[0].facing = -1.0;
        watcher.see(&[], &[]);
        watcher.see(&[], &[]);
        watcher.dust()
    };
    assert!(dust(500.0, true) > 0);
    assert_eq!(dust(0.0, true), 0);
    assert_eq!(dust(500.0, false), 0, "in the air");
}

#[test]
fn only_a_hard_hit_of_a_player_shakes_the_picture_and_only_a_little() {
    // The level's own edge shows how far the picture moves.
    let moved = |player: u8, speed: f64| {
        let mut watcher = Watcher::new(player);
        let before = watcher.painted(&[], false);
        watcher.see(&[landing(speed)], &[]);
        let mut most = 0;
        for _ in 0..30 {
            let now = watcher.painted(&[], true);
            // The dust of the landing is below.
            let rows = 200 * 150;
            let pairs = now.pixels()[..rows].iter().zip(&before.pixels()[..rows]);
            most = most.max(pairs.filter(|(a, b)| a != b).count());
            watcher.see(&[], &[]);
        }
        most
    };
    assert_eq!(moved(0, 2000.0), 0, "not a player");
    assert_eq!(moved(1, 500.0), 0, "an ordinary landing");
    let hard = moved(1, 2000.0);
    // A few dots and stars, not the whole sky.
    assert!(hard > 0 && hard < 200 * 150 / 4, "{hard}");
}

#[test]
fn a_refusal_makes_the_body_blink_for_a_moment() {
    let mut watcher = Watcher::new(0);
    let own = watcher.scene.bodies[0].id;
    watcher.see(&[], &[own]);
    let (mut lit, mut dark) = (0, 0);
    for _ in 0..20 {
        let effects = watcher.shown();
        let none = watcher.painted(&watcher.scene.bodies, false);
        if differing(&effects, &none) > 0 {
            lit += 1;
        } else {
            dark += 1;
        }
        watcher.see(&[], &[]);
    }
    assert!(lit >= 5 && dark >= 5, "{lit} lit, {dark} dark");
    for _ in 0..20 {
        watcher.see(&[], &[]);
    }
    let none = watcher.painted(&watcher.scene.bodies, false);
    assert_eq!(differing(&watcher.shown(), &none), 0);
}

#[test]
fn a_dash_leaves_a_trail_behind_it_and_a_run_does_not() {
    let trail = |speed: f64| {
        let mut watcher = Watcher::new(0);
        for _ in 0..12 {
            let body = &mut watcher.scene.bodies[0];
            body.vel = dvec2(speed, 0.0);
            body.pos.x += speed / HZ;
            watcher.see(&[], &[]);
        }
        let at = watcher.scene.bodies[0].pos;
        let with = watcher.painted(&[], true);
        let without = watcher.painted(&[], false);
        let shown = watcher.spectator.camera().expect("a camera").shows((200, 200));
        let column = |x: f64| (x - shown.min.x).round() as usize;
        let pairs = with.pixels().iter().zip(without.pixels()).enumerate();
        let columns = pairs.filter(|(_, (a, b))| a != b).map(|(i, _)| i % 200);
        (columns.collect::<Vec<_>>(), column(at.x))
    };
    assert!(trail(400.0).0.is_empty());
    let (columns, body) = trail(1200.0);
    assert!(!columns.is_empty());
    let behind = columns.iter().filter(|column| **column < body).count();
    assert!(behind * 2 > columns.len(), "{behind} of {}", columns.len());
}

#[test]
fn a_rope_turns_red_under_tension() {
    let mut watcher = Watcher::new(0);
    let redness = |watcher: &Watcher| {
        let picture = watcher.shown();
        // Halfway between the body and the tip, straight above it.
        let (x, y) = (100, 100 + 36 - 60);
        let pixel = picture.pixel(x, y).expect("within the picture");
        i32::from(pixel.red()) - i32::from(pixel.green())
    };
    let body = &mut watcher.scene.bodies[0];
    body.hook.state = HookState::Attached;
    body.hook.tip = body.pos + dvec2(0.0, 100.0);
    body.hook.length = 100.0;
    let slack = redness(&watcher);
    watcher.scene.bodies[0].vel = dvec2(600.0, 0.0);
    let swinging = redness(&watcher);
    watcher.scene.bodies[0].vel = dvec2(900.0, 0.0);
    let tense = redness(&watcher);
    assert!(slack < swinging && swinging < tense, "{slack} {swinging} {tense}");
}

#[test]
fn the_same_run_has_the_same_effects_and_a_jump_in_time_has_none() {
    let run = || {
        let mut watcher = Watcher::new(1);
        watcher.see(&[landing(800.0)], &[]);
        watcher.see(&[EventKind::Jump], &[]);
        watcher
    };
    let (mut one, other) = (run(), run());
    assert_eq!(differing(&one.shown(), &other.shown()), 0);
    // Seeing a tick twice changes nothing.
    one.tick -= 1;
    one.see(&[landing(800.0)], &[]);
    assert_eq!(differing(&one.shown(), &other.shown()), 0);
    // Back to an earlier tick, for example while scrubbing.
    one.tick = 0;
    one.see(&[], &[]);
    let plain = one.painted(&one.scene.bodies, false);
    assert_eq!(differing(&one.shown(), &plain), 0);
}
