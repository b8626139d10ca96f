//! The moves that are tried from a place of rest.
//!
//! * **Walks** to both sides, to where the ground ends, something is in the way, or another walk has been before, with
//!   a stop every few px.
//! * **Jumps** from standing, from a run every few px, and from the last tick on the ground: the key held to the top or
//!   for parts of that time; to both sides, straight up, and straight up and then to a side; from a run also with the
//!   key released, or held against the flight, from the top on.
//! * **Late jumps**, every two ticks after the ground has ended, as long as they have an effect.
//! * **Second presses** at the top of a full jump: of jump, and of what the order names, as long as they have an
//!   effect.
//! * **Falls** off the end of the ground, with the key held, released and reversed; and through one-way platforms.
//! * **Waits** of half a second.
//! * **Swings**, once all else is tried: the hook fired at several angles, from rest and from the top of a jump; from
//!   where it holds, with each side key, none, and those of the motion, released every now and then, and with a jump.
//!
//! Each ends by letting go of all keys until the body rests. A body on a wall or under a roof rests, too, and so does one
//! that hovers in water. In water and in a top view, walks and jumps go in eight directions.

use super::*;
use hangtime_core::{
    geometry::{turn, turned},
    models::{HookState, HookView, Mode},
};

/// The distance between two places on the ground from which moves are tried, px.
pub const STRIDE: f64 = 32.0;

/// Runs at the same place count as one if their speeds are in the same range, px/s.
const SPEED_STEP: f64 = 100.0;

/// How long a walk, a fall or a flight, coming to rest, a wait and the fall through a platform last at most, s.
const LONGEST_WALK: f64 = 5.0;
const LONGEST_FLIGHT: f64 = 4.0;
const LONGEST_REST: f64 = 4.0;
const WAIT: f64 = 0.5;
const DROP: f64 = 0.25;

/// How long after the end of the ground late jumps are tried, s, and the time between two of them.
const LATEST: f64 = 0.3;
const LATE_STEP: f64 = 1.0 / 30.0;

/// A body that moves at most this fast rests, px/s. On ice it takes long to come to rest entirely.
const SLOW: f64 = 1.0;

/// For how many ticks in a row.
const STILL_TICKS: u32 = 2;

/// For which parts of the time to the top the jump key is held, in quarters.
const HOLDS: [u64; 3] = [3, 2, 1];

/// After how many ticks a press must have made a difference.
const EFFECT: u32 = 3;

/// The most ticks that are played from one place.
const MOST_TICKS: u64 = 100_000;

/// The angles at which the hook is fired: steps from straight up, and their size, radians.
const SHOTS: std::ops::RangeInclusive<i32> = -6..=6;
const SHOT_STEP: f64 = std::f64::consts::PI / 12.0;

/// How far away the aim is, px: with it in whole px, angles are exact enough.
const AIM_DISTANCE: f64 = 1000.0;

/// How long a shot and a swing last at most, and the time between two releases, s.
const LONGEST_SHOT: f64 = 2.0;
const LONGEST_SWING: f64 = 2.5;
const RELEASE_STEP: f64 = 0.15;

/// Swings count as one if they begin and hold in the same squares of this size, px.
const SWING_CELL: f64 = 64.0;

/// Ticks between two points of a path that a picture shows.
const PATH_STEP: u64 = 3;

/// What was tried, so that it need not be tried again from a place near it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Takeoff {
    /// Jumps from a run.
    Run {
        /// Where.
        cell: (i64, i64),
        /// The direction keys.
        way: WayKeys,
        /// How fast, in steps.
        speed: i64,
        /// Whether it is the last tick on the ground.
        edge: bool,
        /// The state of the game.
        state: u64,
    },
    /// Swings on the hook.
    Swing {
        /// Where the body is.
        from: (i64, i64),
        /// Where the hook holds.
        hold: (i64, i64),
        /// The state of the game.
        state: u64,
    },
}

/// Direction keys: -1, 0 or 1 for each axis.
pub type WayKeys = [i8; 2];

/// No direction key.
const NO_WAY: WayKeys = [0, 0];

/// The directions in which bodies walk that stand in a side view, and those of all others.
const SIDES: [WayKeys; 2] = [[-1, 0], [1, 0]];
const ALL_WAYS: [WayKeys; 8] = [[-1, 0], [1, 0], [0, -1], [0, 1], [-1, -1], [1, -1], [-1, 1], [1, 1]];

/// The other way.
const fn reversed([x, y]: WayKeys) -> WayKeys {
    [-x, -y]
}

/// The keys of a direction, with others.
fn keys_of([x, y]: WayKeys, more: &[Action]) -> PlayerInput {
    let axis = |way: i8, back, forth| match way {
        0 => None,
        _ => Some(if way < 0 { back } else { forth }),
    };
    let ways = [axis(x, Action::Left, Action::Right), axis(y, Action::Down, Action::Up)];
    let held = ways.into_iter().flatten().chain(more.iter().copied()).collect();
    PlayerInput { held, ..PlayerInput::default() }
}

/// The cell of a place.
pub fn cell_of(at: DVec2) -> (i64, i64) {
    cell_in(at, STRIDE)
}

/// The cell of a place in a grid of squares of this size, px.
fn cell_in(at: DVec2, size: f64) -> (i64, i64) {
    let cell = (at / size).floor();
    (cell.x as i64, cell.y as i64)
}

/// A world that is played ahead, with the keys since the place of rest.
#[derive(Clone)]
pub struct Ahead {
    pub world: World,
    pub keys: Vec<KeyStretch>,
    /// Where the body was, every few ticks.
    pub path: Vec<DVec2>,
    ticks: u64,
}

impl Ahead {
    pub fn new(world: World, at: DVec2) -> Self {
        Self { world, keys: Vec::new(), path: vec![at], ticks: 0 }
    }
}

/// What was found from one place.
#[derive(Default)]
pub struct Explored {
    /// Where the body came to rest.
    pub arrivals: Vec<Ahead>,
    /// Keys that lead to a goal.
    pub reached: Vec<(usize, Vec<KeyStretch>)>,
    /// Keys that lead to another level.
    pub levels: Vec<(Arc<str>, Vec<KeyStretch>)>,
    /// The nearest that the body came to goals, px, with where it was and the keys.
    pub misses: BTreeMap<usize, (f64, DVec2, Vec<KeyStretch>)>,
    pub takeoffs: BTreeSet<Takeoff>,
    pub ticks: u64,
    /// How many moves did not end at rest.
    pub restless: u64,
    /// Whether the body began in water, or where else it needs no ground.
    pub swims: bool,
    /// Whether it began as a rigid body that turns.
    pub turns: bool,
    /// Whether it began with a hook.
    pub has_hook: bool,
    /// Whether more ticks would have been needed.
    pub cut: bool,
    pub fault: Option<Fault>,
}

/// What a body does after a tick.
struct BodySeen {
    at: DVec2,
    /// How fast it moves along the ground, px/s.
    speed: f64,
    /// Whether it moves against gravity.
    rises: bool,
    /// Whether something holds it: it stands, clings, or needs no ground.
    held: bool,
    /// Whether it can walk or swim.
    walks: bool,
    clings: bool,
    rests: bool,
}

/// What a jump does with the keys.
#[derive(Clone, Copy)]
struct Leap {
    /// The direction keys until the top, and after it.
    ways: [WayKeys; 2],
    /// How long the jump key is held, ticks; to the top without a number.
    hold: Option<u64>,
}

/// Plays the moves from one place.
pub struct Explorer<'a> {
    pub subject: &'a ReachSubject,
    pub rules: ScriptRules,
    /// What was tried from earlier places.
    pub tried: &'a BTreeSet<Takeoff>,
    /// The goals that are looked for, each with how near the body came so far, px.
    pub wanted: &'a [(usize, f64)],
    pub found: Explored,
}

impl Explorer<'_> {
    /// Tries all moves on foot and in the water.
    pub fn explore(mut self, from: &Ahead) -> Explored {
        let Some(entity) = self.subject.entity(&from.world) else { return self.found };
        let (stage, body) = (&self.subject.revision.stage, from.world.body(entity));
        let clings = body.cling.is_some();
        let drops = goals::solid_under(stage, &from.world, body).is_some_and(|solid| solid.one_way);
        let swims = floats(stage, &from.world, entity);
        self.found.swims |= swims;
        self.found.turns |= entity.model.turns();
        self.found.has_hook = self.subject.has_hook(&from.world);
        let ways: &[WayKeys] = if swims || self.subject.is_top() { &ALL_WAYS } else { &SIDES };
        self.wait(from.clone());
        for way in ways {
            self.stand_leaps(from, *way);
            if clings {
                // Away from the wall, it lets go.
                self.fly(from.clone(), *way, *way);
            } else {
                self.walk(from.clone(), *way);
            }
        }
        self.leaps(from, &[[NO_WAY; 2]]);
        if clings || drops {
            self.drop(from.clone(), &[Action::Down]);
            self.drop(from.clone(), &[Action::Down, Action::Jump]);
        }
        self.found
    }

    /// Tries all swings on the hook: fired from rest, and from the top of a jump.
    pub fn swing(mut self, from: &Ahead) -> Explored {
        self.shots(from);
        if let Some(top) = self.top(from) {
            self.shots(&top);
        }
        self.found
    }

    fn hz(&self) -> f64 {
        f64::from(self.subject.revision.stage.hz)
    }

    fn ticks_in(&self, seconds: f64) -> u64 {
        (seconds * self.hz()).round().max(1.0) as u64
    }

    /// Plays a tick. `None` if the body is gone, has left the level, or there is no time left.
    fn tick(&mut self, ahead: &mut Ahead, way: WayKeys, more: &[Action]) -> Option<BodySeen> {
        self.play(ahead, keys_of(way, more))
    }

    /// Plays a tick with this input.
    fn play(&mut self, ahead: &mut Ahead, input: PlayerInput) -> Option<BodySeen> {
        self.found.cut |= self.found.ticks >= MOST_TICKS;
        if self.found.cut || is_interrupted() {
            self.found.cut = true;
            return None;
        }
        self.found.ticks += 1;
        ahead.ticks += 1;
        push_tick(&mut ahead.keys, input);
        self.subject.tick(&mut self.rules, &mut ahead.world, input);
        let fault = self.rules.take_faults().first.into_iter().next();
        self.found.fault = self.found.fault.take().or(fault);
        self.look(ahead)
    }

    /// Looks for goals.
    fn look(&mut self, ahead: &mut Ahead) -> Option<BodySeen> {
        let (subject, world) = (self.subject, &ahead.world);
        let stage = &subject.revision.stage;
        if let Some(level) = world.level_order().and_then(|order| order.level.clone()) {
            self.found.levels.push((level, ahead.keys.clone()));
            return None;
        }
        let entity = subject.entity(world)?;
        let body = world.body(entity);
        if ahead.ticks.is_multiple_of(PATH_STEP) {
            ahead.path.push(body.pos);
        }
        for (goal, nearest) in self.wanted {
            let missed = self.found.misses.get(goal).map_or(*nearest, |(miss, ..)| *miss);
            if missed == 0.0 {
                continue;
            }
            if let Some(miss) = subject.goals[*goal].distance(stage, world, entity, missed) {
                if miss == 0.0 {
                    self.found.reached.push((*goal, ahead.keys.clone()));
                }
                self.found.misses.insert(*goal, (miss, body.pos, ahead.keys.clone()));
            }
        }
        let outside = |event: &Event| event.entity == entity.id && event.kind == EventKind::FallOut;
        if world.events().iter().any(outside) {
            return None;
        }
        let (clings, walks) = (body.cling.is_some(), body.stands() || floats(stage, world, entity));
        let (speed, rise) = match stage.level.view {
            View::Side if body.stands() => (body.vel.x.abs(), body.vel.y * body.up()),
            View::Side => (body.vel.length(), body.vel.y * body.up()),
            View::Top => (body.vel.length(), body.vel_z),
        };
        let held = walks || clings;
        let rests = held && body.vel.length() <= SLOW && body.external.length() <= SLOW;
        Some(BodySeen { at: body.pos, speed, rises: rise > 0.0, held, walks, clings, rests })
    }

    /// Lets go of all keys until the body rests.
    fn rest(&mut self, mut ahead: Ahead) {
        let mut still = 0;
        for _ in 0..self.ticks_in(LONGEST_REST) {
            let Some(seen) = self.tick(&mut ahead, NO_WAY, &[]) else { return };
            still = if seen.rests { still + 1 } else { 0 };
            if still == STILL_TICKS {
                self.found.arrivals.push(ahead);
                return;
            }
        }
        self.found.restless += 1;
    }

    fn wait(&mut self, mut ahead: Ahead) {
        for _ in 0..self.ticks_in(WAIT) {
            if self.tick(&mut ahead, NO_WAY, &[]).is_none() {
                return;
            }
        }
        self.rest(ahead);
    }

    /// Falls through what the body stands on, or lets go of what it clings to.
    fn drop(&mut self, mut ahead: Ahead, keys: &[Action]) {
        for _ in 0..self.ticks_in(DROP) {
            if self.tick(&mut ahead, NO_WAY, keys).is_none() {
                return;
            }
        }
        self.rest(ahead);
    }

    /// Flies until something holds the body, with some direction keys until the top and others after it.
    fn fly(&mut self, mut ahead: Ahead, rising: WayKeys, falling: WayKeys) {
        let mut flies = !self.is_held(&ahead);
        for _ in 0..self.ticks_in(LONGEST_FLIGHT) {
            let up = self.subject.entity(&ahead.world).is_some_and(|entity| {
                let body = ahead.world.body(entity);
                if self.subject.is_top() {
                    body.vel_z > 0.0
                } else {
                    body.vel.y * body.up() > 0.0
                }
            });
            let way = if up { rising } else { falling };
            let Some(seen) = self.tick(&mut ahead, way, &[]) else { return };
            if seen.held && flies {
                return self.rest(ahead);
            }
            flies |= !seen.held;
        }
        self.found.restless += 1;
    }

    /// Whether the body stands, clings, or needs no ground.
    fn is_held(&self, ahead: &Ahead) -> bool {
        let (stage, world) = (&self.subject.revision.stage, &ahead.world);
        self.subject.entity(world).is_some_and(|entity| {
            let body = world.body(entity);
            body.stands() || body.cling.is_some() || floats(stage, world, entity)
        })
    }

    /// Walks or swims.
    fn walk(&mut self, mut ahead: Ahead, way: WayKeys) {
        let mut last_stop = DVec2::NAN;
        for tick in 0..self.ticks_in(LONGEST_WALK) {
            let before = ahead.clone();
            let Some(seen) = self.tick(&mut ahead, way, &[]) else { return };
            if !seen.walks {
                if self.is_new(&before, way, true) {
                    self.run_leaps(&before, way);
                    self.run_off(&ahead, way);
                }
                return;
            }
            if tick == 0 {
                last_stop = seen.at;
            } else if seen.speed == 0.0 {
                // Something is in the way.
                return self.rest(ahead);
            }
            if self.far(last_stop, seen.at) {
                last_stop = seen.at;
                if !self.is_new(&ahead, way, false) {
                    // An earlier walk has come this way.
                    return;
                }
                self.rest(ahead.clone());
                self.run_leaps(&ahead, way);
            }
        }
        self.rest(ahead);
    }

    /// Whether a walk has come far enough for another stop. Up and down hills, the way along x counts.
    fn far(&self, from: DVec2, to: DVec2) -> bool {
        let moved = (to - from).abs();
        moved.x >= STRIDE || moved.y >= STRIDE && (self.subject.is_top() || self.found.swims)
    }

    /// Whether jumps from here were not tried yet; from now on they were.
    fn is_new(&mut self, ahead: &Ahead, way: WayKeys, edge: bool) -> bool {
        let (stage, world) = (&self.subject.revision.stage, &ahead.world);
        let Some(entity) = self.subject.entity(world) else { return false };
        let body = world.body(entity);
        let speed = if self.subject.is_top() { body.vel.length() } else { body.vel.x.abs() };
        let (cell, speed) = (cell_of(body.pos), (speed / SPEED_STEP).floor() as i64);
        let run = Takeoff::Run { cell, way, speed, edge, state: state_of(stage, world, entity) };
        !self.tried.contains(&run) && self.found.takeoffs.insert(run)
    }

    /// What can be done once the ground has ended.
    fn run_off(&mut self, ahead: &Ahead, way: WayKeys) {
        for falling in [way, NO_WAY, reversed(way)] {
            self.fly(ahead.clone(), falling, falling);
        }
        let mut late = ahead.clone();
        let step = self.ticks_in(LATE_STEP);
        for _ in 0..self.ticks_in(LATEST) / step {
            if !self.press(&late, way, Action::Jump) {
                return;
            }
            for _ in 0..step {
                if self.tick(&mut late, way, &[]).is_none_or(|seen| seen.held) {
                    return;
                }
            }
        }
    }

    fn run_leaps(&mut self, from: &Ahead, way: WayKeys) {
        self.leaps(from, &[[way; 2], [way, NO_WAY], [way, reversed(way)]]);
    }

    fn stand_leaps(&mut self, from: &Ahead, way: WayKeys) {
        self.leaps(from, &[[way; 2], [NO_WAY, way], [way, reversed(way)]]);
    }

    /// Jumps with the first pair of direction keys, the jump key held to the top and for parts of that time, and full
    /// jumps with the others.
    fn leaps(&mut self, from: &Ahead, ways: &[[WayKeys; 2]]) {
        let Some(top) = self.leap(from, Leap { ways: ways[0], hold: None }) else { return };
        for quarters in HOLDS {
            let hold = (top * quarters).div_ceil(4);
            if hold < top {
                self.leap(from, Leap { ways: ways[0], hold: Some(hold) });
            }
        }
        for ways in &ways[1..] {
            self.leap(from, Leap { ways: *ways, hold: None });
        }
    }

    /// Jumps. Returns after how many ticks the body was at the top; `None` if it did not leave the ground.
    fn leap(&mut self, from: &Ahead, leap: Leap) -> Option<u64> {
        let mut ahead = from.clone();
        let [rising, falling] = leap.ways;
        let mut flies = false;
        for tick in 0..self.ticks_in(LONGEST_FLIGHT) {
            let holds = leap.hold.is_none_or(|hold| tick < hold);
            let keys: &[Action] = if holds { &[Action::Jump] } else { &[] };
            let seen = self.tick(&mut ahead, rising, keys)?;
            if seen.held && flies {
                self.rest(ahead);
                return Some(tick);
            }
            if seen.held && tick >= self.ticks_in(LATEST) {
                return None;
            }
            flies |= !seen.held;
            if flies && !seen.rises {
                if leap.hold.is_none() && rising == falling {
                    let subject = self.subject;
                    if let Some(released) = self.released(&ahead, rising) {
                        for action in &subject.presses {
                            self.press(&released, rising, *action);
                        }
                    }
                }
                self.fly(ahead, falling, falling);
                return Some(tick);
            }
        }
        None
    }

    /// The same a tick later, with the direction keys alone.
    fn released(&mut self, ahead: &Ahead, way: WayKeys) -> Option<Ahead> {
        let mut released = ahead.clone();
        let seen = self.tick(&mut released, way, &[])?;
        (!seen.held).then_some(released)
    }

    /// Presses a key in the air and holds it to the top. Returns whether that made a difference.
    fn press(&mut self, from: &Ahead, way: WayKeys, action: Action) -> bool {
        let (mut plain, mut pressed) = (from.clone(), from.clone());
        for _ in 0..EFFECT {
            if self.tick(&mut plain, way, &[]).is_none() || self.tick(&mut pressed, way, &[action]).is_none() {
                return false;
            }
        }
        let body = |ahead: &Ahead| {
            let entity = self.subject.entity(&ahead.world)?;
            let body = ahead.world.body(entity);
            Some((body.pos, body.vel, body.z))
        };
        if body(&plain) == body(&pressed) {
            return false;
        }
        for _ in 0..self.ticks_in(LONGEST_FLIGHT) {
            let Some(seen) = self.tick(&mut pressed, way, &[action]) else { return true };
            if seen.held {
                self.rest(pressed);
                return true;
            }
            if !seen.rises {
                break;
            }
        }
        self.fly(pressed, way, way);
        true
    }

    /// The top of a jump straight up, with the key still down; `None` if the body does not leave the ground.
    fn top(&mut self, from: &Ahead) -> Option<Ahead> {
        let mut ahead = from.clone();
        let mut flies = false;
        for tick in 0..self.ticks_in(LONGEST_FLIGHT) {
            let seen = self.tick(&mut ahead, NO_WAY, &[Action::Jump])?;
            if seen.held && (flies || tick >= self.ticks_in(LATEST)) {
                return None;
            }
            flies |= !seen.held;
            if flies && !seen.rises {
                return Some(ahead);
            }
        }
        None
    }

    /// Fires the hook in all directions that are tried.
    fn shots(&mut self, from: &Ahead) {
        for step in SHOTS {
            self.shoot(from, f64::from(step) * SHOT_STEP);
        }
    }

    /// Fires the hook at an angle counterclockwise from straight up, radians, and swings on it if it holds somewhere new.
    fn shoot(&mut self, from: &Ahead, angle: f64) {
        let subject = self.subject;
        let Some(entity) = subject.entity(&from.world) else { return };
        let body = from.world.body(entity);
        let aim = body.pos + turned(turn(angle), DVec2::Y * body.up()) * AIM_DISTANCE;
        let (at, mut input) = (body.pos, keys_of(NO_WAY, &[Action::Hook]));
        // A mouse aims at whole px.
        input.aim = Some(aim.round());
        let mut ahead = from.clone();
        for _ in 0..self.ticks_in(LONGEST_SHOT) {
            if self.play(&mut ahead, input).is_none() {
                return;
            }
            input.aim = None;
            let Some(hook) = self.hook(&ahead) else { return };
            match hook.state {
                HookState::Firing => {}
                HookState::Idle | HookState::Returning => return,
                HookState::Attached => {
                    let Some(entity) = subject.entity(&ahead.world) else { return };
                    let state = state_of(&subject.revision.stage, &ahead.world, entity);
                    let [from, hold] = [at, hook.tip].map(|at| cell_in(at, SWING_CELL));
                    let swing = Takeoff::Swing { from, hold, state };
                    if !self.tried.contains(&swing) && self.found.takeoffs.insert(swing) {
                        for swing in [Some(NO_WAY), Some(SIDES[0]), Some(SIDES[1]), None] {
                            self.hang(ahead.clone(), swing);
                        }
                    }
                    return;
                }
            }
        }
    }

    fn hook(&self, ahead: &Ahead) -> Option<HookView> {
        Some(ahead.world.hook(self.subject.entity(&ahead.world)?))
    }

    /// Hangs on the hook with some direction keys, or with those of the motion to swing higher, and lets go every now and
    /// then.
    fn hang(&mut self, mut ahead: Ahead, way: Option<WayKeys>) {
        let step = self.ticks_in(RELEASE_STEP);
        let (mut flies, mut still) = (!self.is_held(&ahead), 0);
        for tick in 1..=self.ticks_in(LONGEST_SWING) {
            let along = self.subject.entity(&ahead.world).map(|entity| ahead.world.body(entity).vel.x);
            let way = way.unwrap_or(match along {
                Some(along) if along < 0.0 => SIDES[0],
                _ => SIDES[1],
            });
            let Some(seen) = self.tick(&mut ahead, way, &[Action::Hook]) else { return };
            let hangs = self.hook(&ahead).is_some_and(|hook| hook.state == HookState::Attached);
            if seen.clings || seen.held && flies {
                return self.rest(ahead);
            }
            flies |= !seen.held;
            still = if seen.speed <= SLOW { still + 1 } else { 0 };
            let ends = !hangs || still > step;
            if flies && (tick % step == 0 || ends) {
                self.fly(ahead.clone(), way, way);
                self.press(&ahead, way, Action::Jump);
            }
            if ends {
                return;
            }
        }
    }
}

/// Whether a body needs no ground in a side view: it swims, climbs or hovers.
fn floats(stage: &Stage, world: &World, entity: &Entity) -> bool {
    stage.level.view == View::Side && world.mode(entity) == Mode::Free
}
