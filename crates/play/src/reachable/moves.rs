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
//!
//! Each ends by letting go of all keys until the body rests. A body on a wall or under a roof rests, too.

use super::*;

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

/// Ticks between two points of a path that a picture shows.
const PATH_STEP: u64 = 3;

/// Where and how a body runs, for jumps that need not be tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Takeoff {
    cell: (i64, i64),
    side: i8,
    speed: i64,
    /// Whether it is the last tick on the ground.
    edge: bool,
    state: u64,
}

/// The cell of a place.
pub fn cell_of(at: DVec2) -> (i64, i64) {
    let cell = (at / STRIDE).floor();
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
    /// Whether more ticks would have been needed.
    pub cut: bool,
    pub fault: Option<Fault>,
}

/// What a body does after a tick.
struct BodySeen {
    at: DVec2,
    vel: DVec2,
    stands: bool,
    clings: bool,
    rests: bool,
}

/// What a jump does with the keys.
#[derive(Clone, Copy)]
struct Leap {
    /// The direction key until the top, and after it.
    sides: [f64; 2],
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
    /// Tries all moves.
    pub fn explore(mut self, from: &Ahead) -> Explored {
        let Some(entity) = self.subject.entity(&from.world) else { return self.found };
        let clings = from.world.body(entity).cling.is_some();
        let (stage, body) = (&self.subject.revision.stage, from.world.body(entity));
        let drops = goals::solid_under(stage, &from.world, body).is_some_and(|solid| solid.one_way);
        self.wait(from.clone());
        for side in [-1.0, 1.0] {
            self.stand_leaps(from, side);
            if clings {
                // Away from the wall, it lets go.
                self.fly(from.clone(), side, side);
            } else {
                self.walk(from.clone(), side);
            }
        }
        self.leaps(from, &[[0.0; 2]]);
        if clings || drops {
            self.drop(from.clone(), &[Action::Down]);
            self.drop(from.clone(), &[Action::Down, Action::Jump]);
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
    fn tick(&mut self, ahead: &mut Ahead, side: f64, more: &[Action]) -> Option<BodySeen> {
        self.found.cut |= self.found.ticks >= MOST_TICKS;
        if self.found.cut || is_interrupted() {
            self.found.cut = true;
            return None;
        }
        let mut input = PlayerInput { held: more.iter().copied().collect(), ..PlayerInput::default() };
        match side {
            0.0 => {}
            side if side < 0.0 => input.held.insert(Action::Left),
            _ => input.held.insert(Action::Right),
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
        let (stands, clings) = (body.stands(), body.cling.is_some());
        let rests = (stands || clings) && body.vel.length() <= SLOW && body.external.length() <= SLOW;
        Some(BodySeen { at: body.pos, vel: body.vel * body.up(), stands, clings, rests })
    }

    /// Lets go of all keys until the body rests.
    fn rest(&mut self, mut ahead: Ahead) {
        let mut still = 0;
        for _ in 0..self.ticks_in(LONGEST_REST) {
            let Some(seen) = self.tick(&mut ahead, 0.0, &[]) else { return };
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
            if self.tick(&mut ahead, 0.0, &[]).is_none() {
                return;
            }
        }
        self.rest(ahead);
    }

    /// Falls through what the body stands on, or lets go of what it clings to.
    fn drop(&mut self, mut ahead: Ahead, keys: &[Action]) {
        for _ in 0..self.ticks_in(DROP) {
            if self.tick(&mut ahead, 0.0, keys).is_none() {
                return;
            }
        }
        self.rest(ahead);
    }

    /// Flies until the body lands or clings to something, with one direction key until the top and another one after
    /// it.
    fn fly(&mut self, mut ahead: Ahead, rising: f64, falling: f64) {
        let mut flies = false;
        for _ in 0..self.ticks_in(LONGEST_FLIGHT) {
            let up = self.subject.entity(&ahead.world).is_some_and(|entity| {
                let body = ahead.world.body(entity);
                body.vel.y * body.up() > 0.0
            });
            let side = if up { rising } else { falling };
            let Some(seen) = self.tick(&mut ahead, side, &[]) else { return };
            let holds = seen.stands || seen.clings;
            if holds && flies {
                return self.rest(ahead);
            }
            flies |= !holds;
        }
        self.found.restless += 1;
    }

    /// Walks to one side.
    fn walk(&mut self, mut ahead: Ahead, side: f64) {
        let mut last_stop = f64::NAN;
        for tick in 0..self.ticks_in(LONGEST_WALK) {
            let before = ahead.clone();
            let Some(seen) = self.tick(&mut ahead, side, &[]) else { return };
            if !seen.stands {
                if self.is_new(&before, side, true) {
                    self.run_leaps(&before, side);
                    self.run_off(&ahead, side);
                }
                return;
            }
            if tick == 0 {
                last_stop = seen.at.x;
            } else if seen.vel.x == 0.0 {
                // Something is in the way.
                return self.rest(ahead);
            }
            if (seen.at.x - last_stop).abs() >= STRIDE {
                last_stop = seen.at.x;
                if !self.is_new(&ahead, side, false) {
                    // An earlier walk has come this way.
                    return;
                }
                self.rest(ahead.clone());
                self.run_leaps(&ahead, side);
            }
        }
        self.rest(ahead);
    }

    /// Whether jumps from here were not tried yet; from now on they were.
    fn is_new(&mut self, ahead: &Ahead, side: f64, edge: bool) -> bool {
        let world = &ahead.world;
        let Some(entity) = self.subject.entity(world) else { return false };
        let body = world.body(entity);
        let speed = (body.vel.x.abs() / SPEED_STEP).floor() as i64;
        let state = state_of(&self.subject.revision.stage, world, entity);
        let takeoff = Takeoff { cell: cell_of(body.pos), side: side as i8, speed, edge, state };
        !self.tried.contains(&takeoff) && self.found.takeoffs.insert(takeoff)
    }

    /// What can be done once the ground has ended.
    fn run_off(&mut self, ahead: &Ahead, side: f64) {
        for falling in [side, 0.0, -side] {
            self.fly(ahead.clone(), falling, falling);
        }
        let mut late = ahead.clone();
        let step = self.ticks_in(LATE_STEP);
        for _ in 0..self.ticks_in(LATEST) / step {
            if !self.press(&late, side, Action::Jump) {
                return;
            }
            for _ in 0..step {
                if self.tick(&mut late, side, &[]).is_none_or(|seen| seen.stands || seen.clings) {
                    return;
                }
            }
        }
    }

    fn run_leaps(&mut self, from: &Ahead, side: f64) {
        self.leaps(from, &[[side; 2], [side, 0.0], [side, -side]]);
    }

    fn stand_leaps(&mut self, from: &Ahead, side: f64) {
        self.leaps(from, &[[side; 2], [0.0, side], [side, -side]]);
    }

    /// Jumps with the first pair of direction keys, the jump key held to the top and for parts of that time, and full
    /// jumps with the others.
    fn leaps(&mut self, from: &Ahead, sides: &[[f64; 2]]) {
        let Some(top) = self.leap(from, Leap { sides: sides[0], hold: None }) else { return };
        for quarters in HOLDS {
            let hold = (top * quarters).div_ceil(4);
            if hold < top {
                self.leap(from, Leap { sides: sides[0], hold: Some(hold) });
            }
        }
        for sides in &sides[1..] {
            self.leap(from, Leap { sides: *sides, hold: None });
        }
    }

    /// Jumps. Returns after how many ticks the body was at the top; `None` if it did not leave the ground.
    fn leap(&mut self, from: &Ahead, leap: Leap) -> Option<u64> {
        let mut ahead = from.clone();
        let [rising, falling] = leap.sides;
        let mut flies = false;
        for tick in 0..self.ticks_in(LONGEST_FLIGHT) {
            let holds = leap.hold.is_none_or(|hold| tick < hold);
            let keys: &[Action] = if holds { &[Action::Jump] } else { &[] };
            let seen = self.tick(&mut ahead, rising, keys)?;
            let held = seen.stands || seen.clings;
            if held && flies {
                self.rest(ahead);
                return Some(tick);
            }
            if held && tick >= self.ticks_in(LATEST) {
                return None;
            }
            flies |= !held;
            if flies && seen.vel.y <= 0.0 {
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

    /// The same a tick later, with the direction key alone.
    fn released(&mut self, ahead: &Ahead, side: f64) -> Option<Ahead> {
        let mut released = ahead.clone();
        let seen = self.tick(&mut released, side, &[])?;
        (!seen.stands && !seen.clings).then_some(released)
    }

    /// Presses a key in the air and holds it to the top. Returns whether that made a difference.
    fn press(&mut self, from: &Ahead, side: f64, action: Action) -> bool {
        let (mut plain, mut pressed) = (from.clone(), from.clone());
        for _ in 0..EFFECT {
            if self.tick(&mut plain, side, &[]).is_none() || self.tick(&mut pressed, side, &[action]).is_none() {
                return false;
            }
        }
        let body = |ahead: &Ahead| {
            let entity = self.subject.entity(&ahead.world)?;
            let body = ahead.world.body(entity);
            Some((body.pos, body.vel))
        };
        if body(&plain) == body(&pressed) {
            return false;
        }
        for _ in 0..self.ticks_in(LONGEST_FLIGHT) {
            let Some(seen) = self.tick(&mut pressed, side, &[action]) else { return true };
            if seen.stands || seen.clings {
                self.rest(pressed);
                return true;
            }
            if seen.vel.y <= 0.0 {
                break;
            }
        }
        self.fly(pressed, side, side);
        true
    }
}
