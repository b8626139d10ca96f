//! The path of a body through a stretch, and the points of it that a wish can be about.

use super::*;

/// For how long a flight that the input leaves in the air is played on, s. The last input is held meanwhile.
const FLIES_ON: u64 = 1;

/// A point of a path that can be wished elsewhere. Flights, and the times that a hook lets go, are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WishPoint {
    /// The highest point of a flight, between two ticks: the body's center.
    Apex(usize),
    /// Where a flight ends: the point that the body touches.
    Landing(usize),
    /// Where the body's hook lets go: its center.
    LetGo(usize),
    /// Where the input ends: the body's center.
    End,
}

impl WishPoint {
    /// Its name, with the number of its flight from the second one on: `apex`, `landing 2`.
    pub fn words(self) -> String {
        let counted = |name: &str, index: usize| match index {
            0 => name.to_string(),
            _ => format!("{name} {}", index + 1),
        };
        match self {
            Self::Apex(flight) => counted("apex", flight),
            Self::Landing(flight) => counted("landing", flight),
            Self::LetGo(time) => counted("let go", time),
            Self::End => "end".into(),
        }
    }
}

/// A point of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathSpot {
    /// Which one it is.
    pub point: WishPoint,
    /// Where it is, px. In a top view, what is high is further up, as it is painted.
    pub at: DVec2,
    /// Seconds since the start of the path.
    pub time: f64,
}

/// The path of a body under one revision.
#[derive(Clone, Debug, PartialEq)]
pub struct WishPath {
    /// The body's centers at the start and after each tick, px. In a top view, what is high is further up.
    pub places: Vec<DVec2>,
    /// Its points, in the order of time.
    pub spots: Vec<PathSpot>,
    /// Where each flight began: its time, s, and the body's center, px.
    pub takeoffs: Vec<(f64, DVec2)>,
    /// The models under which it has moved.
    pub models: BTreeSet<ModelName>,
    /// The surfaces that it was on.
    pub surfaces: BTreeSet<Arc<str>>,
    /// Whether it stands still at the end of the input.
    pub rests: bool,
    /// Half the height of its collider, px.
    pub half_height: f64,
}

/// How the body of a path is found in its world.
pub struct PathEntity<'a> {
    /// Its index among the entities of a world.
    pub index_in: &'a dyn Fn(&World) -> Option<usize>,
    /// Whether its jump key is down in an input.
    pub holds_jump: &'a dyn Fn(&Inputs) -> bool,
}

impl WishPath {
    /// Plays a stretch. `input` has the input of each tick, counted from 0. If `wanted` is not empty, the path may end once all
    /// of its points are known. `None` if it was stopped, or the body does not exist at the start. Must run on a thread with a
    /// stack for scripts.
    pub fn play(
        mut live: Live,
        entity: &PathEntity<'_>,
        input: impl Fn(u64) -> Option<Inputs>,
        wanted: &[WishPoint],
        stopped: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let stage = live.revision().stage.clone();
        let see = |live: &Live| {
            let world = live.world();
            let body = world.view(&live.revision().stage, &world.entities()[(entity.index_in)(world)?]);
            let mut landed = None;
            let mut falls_out = false;
            for event in world.events().iter().filter(|event| event.entity == body.id) {
                match &event.kind {
                    EventKind::Land { speed, at, .. } => landed = Some((*speed, *at)),
                    EventKind::FallOut => falls_out = true,
                    _ => {}
                }
            }
            Some((body, landed, falls_out))
        };
        let (hz, view) = (stage.hz, stage.level.view);
        let (body, ..) = see(&live)?;
        let mut path = PathRecorder::new(&body, hz, view);
        let mut tick = 0;
        let mut last = Inputs::none();
        let mut left = FLIES_ON * u64::from(hz);
        loop {
            if stopped() {
                return None;
            }
            let inputs = match input(tick) {
                Some(inputs) => inputs,
                None => {
                    path.end_input();
                    if left == 0 || path.flight.is_none() {
                        break;
                    }
                    left -= 1;
                    last
                }
            };
            if !wanted.is_empty() && wanted.iter().all(|point| path.is_known(*point)) {
                break;
            }
            live.step(&inputs);
            tick += 1;
            let Some((body, landed, falls_out)) = see(&live) else {
                path.is_gone = true;
                break;
            };
            if falls_out {
                path.lose_flight();
            }
            path.see(&body, landed, (entity.holds_jump)(&inputs));
            last = inputs;
        }
        Some(path.finish())
    }

    /// A point of it.
    pub fn spot(&self, point: WishPoint) -> Option<&PathSpot> {
        self.spots.iter().find(|spot| spot.point == point)
    }

    /// The flight that rises highest; `None` if the body never rises.
    pub fn highest_flight(&self) -> Option<usize> {
        let apexes = self.spots.iter().filter_map(|spot| match spot.point {
            WishPoint::Apex(flight) => Some((flight, spot.at.y)),
            _ => None,
        });
        let highest = apexes.max_by(|(_, a), (_, b)| a.total_cmp(b));
        highest.map(|(flight, _)| flight)
    }
}

/// A flight that has not ended.
struct PathFlight {
    arc: FeelArc,
    /// 1, or −1 for a body whose gravity is inverted.
    up: f64,
    /// The body's center at the takeoff, px.
    from: DVec2,
    /// The tick of the takeoff.
    begun: usize,
    /// The highest center after a tick, px.
    highest: (usize, DVec2),
}

/// Records a path while it is played.
struct PathRecorder {
    hz: u32,
    view: View,
    path: WishPath,
    flight: Option<PathFlight>,
    flights: usize,
    lets_go: usize,
    hooked: bool,
    last: FeelSample,
    is_gone: bool,
    has_ended: bool,
}

impl PathRecorder {
    fn new(body: &EntityView, hz: u32, view: View) -> Self {
        let mut new = Self {
            hz,
            view,
            path: WishPath {
                places: Vec::new(),
                spots: Vec::new(),
                takeoffs: Vec::new(),
                models: BTreeSet::new(),
                surfaces: BTreeSet::new(),
                rests: false,
                half_height: body.half.y,
            },
            flight: None,
            flights: 0,
            lets_go: 0,
            hooked: false,
            last: FeelSample {
                x: 0.0,
                height: 0.0,
                speed: 0.0,
                along: 0.0,
                pace: 0.0,
                rise: 0.0,
                stands: true,
                landed: None,
            },
            is_gone: false,
            has_ended: false,
        };
        new.see(body, None, false);
        new
    }

    /// Where the body is painted, px.
    fn painted(&self, body: &EntityView) -> DVec2 {
        match self.view {
            View::Side => body.pos,
            View::Top => body.pos + DVec2::new(0.0, body.z),
        }
    }

    fn see(&mut self, body: &EntityView, landed: Option<(f64, DVec2)>, holds_jump: bool) {
        let at = self.painted(body);
        let up = if body.inverted { -1.0 } else { 1.0 };
        let (height, rise) = match self.view {
            View::Side => (up * body.pos.y, up * body.vel.y),
            View::Top => (body.z, body.vel_z),
        };
        let (x, speed) = (body.pos.x, body.vel.x);
        let is_first = self.path.places.is_empty();
        let hangs = matches!(body.mode, Mode::Wall | Mode::Roof);
        let stands = body.grounded || hangs;
        let impact = landed.map(|(speed, _)| speed);
        let sample = FeelSample { x, height, speed, along: x, pace: speed, rise, stands, landed: impact };
        let hooked = body.hook.state == HookState::Attached;
        if self.hooked && !hooked {
            self.add(WishPoint::LetGo(self.lets_go), at, self.path.places.len() as f64);
            self.lets_go += 1;
        }
        self.hooked = hooked;
        if !stands {
            let start = if is_first { at } else { *self.path.places.last().unwrap_or(&at) };
            let begun = self.path.places.len().saturating_sub(1);
            let (first, dt) = (if is_first { sample } else { self.last }, 1.0 / f64::from(self.hz));
            if self.flight.is_none() {
                self.path.takeoffs.push((begun as f64 * dt, start));
            }
            let flight = self.flight.get_or_insert_with(|| PathFlight {
                arc: FeelArc { samples: vec![first], dt, released: None },
                up,
                from: start,
                begun,
                highest: (begun, start),
            });
            if !holds_jump && flight.arc.released.is_none() {
                flight.arc.released = Some(flight.arc.samples.len() - 1);
            }
            if !is_first {
                flight.arc.samples.push(sample);
            }
            if up * (at.y - flight.highest.1.y) > 0.0 {
                flight.highest = (self.path.places.len(), at);
            }
        } else if let Some(mut flight) = self.flight.take() {
            flight.arc.samples.push(sample);
            self.end_flight(&flight);
            let touched = landed.map(|(_, touched)| touched).filter(|_| self.view == View::Side);
            self.add(WishPoint::Landing(self.flights), touched.unwrap_or(at), self.path.places.len() as f64);
            self.flights += 1;
        }
        self.last = sample;
        self.path.places.push(at);
        self.path.models.extend(body.model);
        if !body.surface.is_empty() && !self.path.surfaces.contains(&body.surface) {
            self.path.surfaces.insert(body.surface.clone());
        }
        if !self.has_ended {
            self.path.rests = stands && body.vel == DVec2::ZERO && body.external == DVec2::ZERO;
        }
    }

    /// The body has left the level: its flight ends without a landing.
    fn lose_flight(&mut self) {
        if let Some(flight) = self.flight.take() {
            self.end_flight(&flight);
            self.flights += 1;
        }
    }

    /// Adds a point at a place between two ticks.
    fn add(&mut self, point: WishPoint, at: DVec2, ticks: f64) {
        self.path.spots.push(PathSpot { point, at, time: ticks / f64::from(self.hz) });
    }

    /// The apex of a flight that has ended. One that never rises has none.
    fn end_flight(&mut self, flight: &PathFlight) {
        let (tick, highest) = flight.highest;
        if tick == flight.begun {
            return;
        }
        let between = || {
            let apex = flight.arc.apex().ok().filter(|apex| apex.height > 0.0)?;
            let at = DVec2::new(apex.x, flight.from.y + flight.up * apex.height);
            Some((at, flight.begun as f64 + apex.time * f64::from(self.hz)))
        };
        let found = if self.view == View::Side { between() } else { None };
        let (at, ticks) = found.unwrap_or((highest, tick as f64));
        self.add(WishPoint::Apex(self.flights), at, ticks);
    }

    /// Whether a point is known, or cannot come any more.
    fn is_known(&self, point: WishPoint) -> bool {
        match point {
            WishPoint::Apex(flight) | WishPoint::Landing(flight) => self.flights > flight,
            WishPoint::LetGo(time) => self.lets_go > time,
            WishPoint::End => self.has_ended,
        }
    }

    /// The input ends here.
    fn end_input(&mut self) {
        if !mem::replace(&mut self.has_ended, true)
            && let Some(at) = self.path.places.last()
        {
            self.add(WishPoint::End, *at, (self.path.places.len() - 1) as f64);
        }
    }

    fn finish(mut self) -> WishPath {
        if let Some(flight) = self.flight.take().filter(|flight| flight.arc.samples.len() > 2) {
            self.end_flight(&flight);
        }
        self.path.spots.sort_by(|a, b| a.time.total_cmp(&b.time));
        self.path
    }
}
