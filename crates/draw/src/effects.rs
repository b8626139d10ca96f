//! Effects: squash and stretch, dust, afterimages, blinking and shaking, from what a tick reports.
//!
//! They are not part of the simulation and take no time from it. They advance once per tick from plain
//! data, so the same run has the same effects.

use super::{art::scatter, looks::is_hidden, *};
use hangtime_core::sim::EventKind;
use std::borrow::Cow;

/// The largest number of particles and of afterimages.
const MOST_DUST: usize = 240;
const MOST_GHOSTS: usize = 64;

/// The squash of a landing per px/s, and the largest; the stretch of a jump.
const SQUASH: (f64, f64) = (1.0 / 2600.0, 0.3);
const STRETCH: f64 = 0.2;

/// Stiffness and damping of a body's shape, 1/s² and 1/s, and the steps per second that they need.
const SPRING: (f64, f64) = (900.0, 26.0);
const STEPS: f64 = 240.0;

/// A landing or turn slower than this raises no dust, px/s.
const SOFT: f64 = 140.0;

/// A body leaves afterimages when it is pushed or runs faster than this, or swings faster, px/s. Jumps
/// and falls are as fast without being a dash.
const PUSHED: f64 = 250.0;
const DASH: f64 = 700.0;
const SWING: f64 = 260.0;

/// Time between afterimages, and how long one lasts, s.
const GHOST: (f64, f64) = (1.0 / 30.0, 0.22);

/// How long a body blinks, and the length of one blink, s.
const BLINK: (f64, f64) = (0.36, 0.12);

/// The speed of an impact that begins to shake the picture, px/s; the shake per px/s beyond, and the
/// largest, px; how fast it fades, 1/s, and how fast it swings, rad/s.
const SHAKE: (f64, f64, f64) = (560.0, 0.016, 3.5);
const FADING: f64 = 9.0;
const SWINGING: f64 = 70.0;

/// A bit of dust.
#[derive(Clone, Debug)]
struct Dust {
    pos: DVec2,
    vel: DVec2,
    age: f64,
    life: f64,
    size: f64,
    color: Color,
}

/// Downward acceleration of dust, px/s², and how fast it slows down, 1/s.
const FLOATING: (f64, f64) = (160.0, 4.5);

/// What a body looked like a moment ago.
#[derive(Clone, Debug)]
pub struct Afterimage {
    pub pos: DVec2,
    pub shape: Collider,
    pub color: Color,
    age: f64,
}

impl Afterimage {
    /// Opacity, 0..=1.
    pub fn cover(&self) -> f32 {
        0.4 * (1.0 - self.age / GHOST.1).max(0.0) as f32
    }
}

/// What is remembered of a body.
#[derive(Clone, Debug, Default)]
struct SeenBody {
    /// `None` before the end of its first tick.
    last: Option<LastTick>,
    /// How much it is stretched, and how fast that changes, 1/s.
    stretch: f64,
    speed: f64,
    /// Seconds for which it still blinks.
    blink: f64,
}

impl SeenBody {
    fn is_plain(&self) -> bool {
        self.stretch == 0.0 && self.speed == 0.0
    }
}

/// What a body did in the last tick.
#[derive(Clone, Copy, Debug)]
struct LastTick {
    facing: f64,
    vel: DVec2,
    hook: HookState,
}

/// A particle as it is painted: center, radius, color.
pub type Speck = (DVec2, f64, Color);

/// All effects at the end of a tick.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    time: f64,
    dt: f64,
    tick: u64,
    dust: Vec<Dust>,
    ghosts: Vec<Afterimage>,
    next_ghost: f64,
    bodies: BTreeMap<EntityId, SeenBody>,
    /// Amplitudes, px: of impacts, and as scripts want it.
    shaking: f64,
    scripted: f64,
}

impl Effects {
    /// Advances by one tick.
    pub fn advance(&mut self, moment: &Moment<'_>) {
        (self.dt, self.tick) = (moment.dt, moment.tick);
        self.scripted = moment.drawing.camera.shaking(moment.tick, moment.dt);
        self.time += moment.dt;
        self.age();
        for event in moment.events {
            let body = moment.bodies.binary_search_by_key(&event.entity, |b| b.id);
            let body = body.map(|place| &moment.bodies[place]);
            if let Ok(body) = body
                && !is_hidden(body, Some(moment.drawing))
            {
                self.answer(event, body);
            }
        }
        for entity in moment.refused {
            self.blink(*entity);
        }
        self.compare(moment);
        self.leave_ghosts(moment);
        self.remember(moment.bodies);
    }

    /// Continues what has begun, and ends what is over.
    fn age(&mut self) {
        let dt = self.dt;
        let slower = libm::exp(-FLOATING.1 * dt);
        for dust in &mut self.dust {
            dust.age += dt;
            dust.vel = dust.vel * slower - dvec2(0.0, FLOATING.0 * dt);
            dust.pos += dust.vel * dt;
        }
        self.dust.retain(|dust| dust.age < dust.life);
        self.ghosts.iter_mut().for_each(|ghost| ghost.age += dt);
        self.ghosts.retain(|ghost| ghost.age < GHOST.1);
        self.shaking *= libm::exp(-FADING * dt);
        let count = (dt * STEPS).ceil().clamp(1.0, 60.0);
        let step = dt / count;
        for body in self.bodies.values_mut() {
            body.blink = (body.blink - dt).max(0.0);
            if body.is_plain() {
                continue;
            }
            for _ in 0..count as u32 {
                body.speed -= (SPRING.0 * body.stretch + SPRING.1 * body.speed) * step;
                body.stretch += body.speed * step;
            }
            if body.stretch.abs() <= 0.004 && body.speed.abs() <= 0.05 {
                (body.stretch, body.speed) = (0.0, 0.0);
            }
        }
    }

    /// Begins the effects of an event.
    fn answer(&mut self, event: &Event, body: &EntityView) {
        match &event.kind {
            EventKind::Land { speed, surface, .. } if *speed > SOFT => {
                self.stretch(body.id, -(speed * SQUASH.0).min(SQUASH.1));
                let count = (speed / 90.0).clamp(3.0, 9.0) as i64;
                self.puff(body, foot(body), count, dvec2(110.0, 40.0), color_of(surface));
                self.shake(body, *speed);
            }
            EventKind::Jump => {
                self.stretch(body.id, STRETCH);
                self.puff(body, foot(body), 3, dvec2(60.0, 20.0), palette::SWIRL);
            }
            EventKind::Hit { speed, normal, surface, .. } if *speed > SOFT => {
                let at = body.pos - *normal * body.half.dot(normal.abs());
                let count = (speed / 120.0).clamp(2.0, 7.0) as i64;
                self.puff(body, at, count, dvec2(80.0, 60.0), color_of(surface));
                self.shake(body, *speed);
            }
            EventKind::Grab { normal, surface, .. } => {
                let at = body.pos - *normal * body.half.dot(normal.abs());
                self.puff(body, at, 3, dvec2(30.0, 50.0), color_of(surface));
            }
            EventKind::Hook { at, surface, .. } => {
                self.puff(body, *at, 5, dvec2(70.0, 70.0), color_of(surface));
            }
            EventKind::ModelRefused { .. } => self.blink(body.id),
            _ => {}
        }
    }

    /// Begins the effects of what changed since the last tick.
    fn compare(&mut self, moment: &Moment<'_>) {
        for body in shown(moment.bodies, Some(moment.drawing)) {
            let Some(was) = self.bodies.get(&body.id).and_then(|seen| seen.last) else {
                continue;
            };
            let missed = was.hook == HookState::Firing && body.hook.state == HookState::Returning;
            if missed {
                self.blink(body.id);
            }
            let turned = body.facing != was.facing && body.grounded;
            let slid = was.vel.x * was.facing;
            if turned && slid > SOFT {
                let away = dvec2(was.facing * 90.0, 40.0);
                let color = color_of(&body.surface);
                self.puff(body, foot(body) + dvec2(was.facing * body.half.x, 0.0), 4, away, color);
            }
        }
    }

    /// Leaves images behind fast bodies.
    fn leave_ghosts(&mut self, moment: &Moment<'_>) {
        self.next_ghost -= self.dt;
        if self.next_ghost <= 0.0 {
            self.next_ghost = (self.next_ghost + GHOST.0).max(0.0);
            for body in shown(moment.bodies, Some(moment.drawing)).filter(|body| leaves_ghosts(body)) {
                if self.ghosts.len() < MOST_GHOSTS {
                    self.ghosts.push(Afterimage {
                        pos: body.pos + dvec2(0.0, body.z),
                        shape: body.collider(),
                        color: chosen(body, Some(moment.drawing)).fill,
                        age: 0.0,
                    });
                }
            }
        }
    }

    fn remember(&mut self, bodies: &[EntityView]) {
        self.bodies.retain(|id, _| bodies.binary_search_by_key(id, |body| body.id).is_ok());
        for body in bodies {
            let last = LastTick { facing: body.facing, vel: body.vel, hook: body.hook.state };
            self.bodies.entry(body.id).or_default().last = Some(last);
        }
    }

    fn stretch(&mut self, entity: EntityId, stretch: f64) {
        let body = self.bodies.entry(entity).or_default();
        (body.stretch, body.speed) = (stretch, 0.0);
    }

    fn blink(&mut self, entity: EntityId) {
        self.bodies.entry(entity).or_default().blink = BLINK.0;
    }

    /// Only what happens to a player shakes the picture.
    fn shake(&mut self, body: &EntityView, speed: f64) {
        if body.player > 0 {
            let by = ((speed - SHAKE.0) * SHAKE.1).clamp(0.0, SHAKE.2);
            self.shaking = self.shaking.max(by);
        }
    }

    /// Raises dust to both sides, at about this speed (px/s).
    fn puff(&mut self, body: &EntityView, at: DVec2, count: i64, speed: DVec2, color: Color) {
        let seed = self.tick as i64 * 64 + i64::from(body.id.0) * 7919;
        let part = |number: i64| f64::from(scatter(seed, number) % 1000) / 1000.0;
        for number in 0..count.min((MOST_DUST - self.dust.len()) as i64) {
            let side = if number % 2 == 0 { 1.0 } else { -1.0 };
            let (fast, high, old) = (part(number), part(number + 100), part(number + 200));
            self.dust.push(Dust {
                pos: at + dvec2(side * 2.0, 1.0),
                vel: dvec2(side * speed.x * (0.3 + fast), speed.y * (0.3 + high)),
                age: 0.0,
                life: 0.22 + 0.26 * old,
                size: 1.4 + 1.8 * part(number + 300),
                color,
            });
        }
    }

    /// A body as it looks: squashed or stretched with its foot where it was.
    pub fn shaped<'a>(&self, body: &'a EntityView, share: f64) -> Cow<'a, EntityView> {
        let own = self.bodies.get(&body.id).filter(|seen| !seen.is_plain());
        let Some(shape) = own.filter(|_| body.pieces.is_none()) else {
            return Cow::Borrowed(body);
        };
        let before = shape.stretch - shape.speed * self.dt * (1.0 - share);
        let high = 1.0 + before.clamp(-SQUASH.1, SQUASH.1);
        let mut body = body.clone();
        let up = if body.inverted { -1.0 } else { 1.0 };
        body.pos.y += up * body.half.y * (high - 1.0);
        body.half = dvec2(body.half.x / high, body.half.y * high);
        Cow::Owned(body)
    }

    /// Whether a body blinks now.
    pub fn blinks(&self, body: EntityId) -> bool {
        self.bodies.get(&body).is_some_and(|seen| seen.blink % BLINK.1 > BLINK.1 * 0.5)
    }

    /// How far the picture is shaken, px.
    pub fn shaken(&self) -> DVec2 {
        let shaking = self.shaking.max(self.scripted);
        if shaking < 0.3 {
            return DVec2::ZERO;
        }
        let (sine, cosine) = libm::sincos(self.time * SWINGING);
        dvec2(sine * 0.6, cosine) * shaking
    }

    pub fn ghosts(&self) -> &[Afterimage] {
        &self.ghosts
    }

    /// The dust, at this share of the way from the last tick to this one.
    pub fn specks(&self, share: f64) -> impl Iterator<Item = Speck> {
        let early = self.dt * (1.0 - share);
        self.dust.iter().map(move |dust| {
            let left = 1.0 - dust.age / dust.life;
            let size = dust.size * (0.35 + 0.65 * left);
            (dust.pos - dust.vel * early, size, dust.color)
        })
    }
}

/// Whether a body dashes or swings.
fn leaves_ghosts(body: &EntityView) -> bool {
    let velocity = body.vel + body.external;
    let dashes = body.external.length() > PUSHED || velocity.x.abs() > DASH;
    let swings = body.hook.state == HookState::Attached && !body.grounded;
    body.pieces.is_none() && (dashes || swings && velocity.length() > SWING)
}

/// The lowest point of a body; the highest under inverted gravity.
fn foot(body: &EntityView) -> DVec2 {
    let up = if body.inverted { -1.0 } else { 1.0 };
    body.pos + dvec2(0.0, body.z - up * body.depth)
}

/// The color of a surface's dust.
fn color_of(surface: &str) -> Color {
    match surface {
        "" | "plain" | "stone" | "brick" => palette::SWIRL,
        name => Style::of(name).dust(),
    }
}
