//! Measures the numbers of a kind's feel.

use super::*;
use std::cell::OnceCell;

/// A number, or why it cannot be measured.
pub type Measured = Result<f64, Unmeasured>;

/// The numbers of a kind under one model at one tick rate.
#[derive(Clone, Debug)]
pub struct FeelSheet {
    /// Ticks per second.
    pub hz: u32,
    /// The numbers that were asked for.
    pub values: BTreeMap<FeelQuantity, Measured>,
    /// A full jump and a hop from a run, for a plot; from standing if the body does not run. None on a slope.
    pub arcs: Option<[FeelArc; 2]>,
    /// A run to full speed and the stop after it, for a plot.
    pub dash: Option<FeelDash>,
}

/// Why bodies that turn have no numbers.
const RIGID: Unmeasured = "is a rigid body that turns";

/// Why a number does not exist on a slope.
const NOT_LEVEL: Unmeasured = "has this number on level ground only";

/// How close a search comes to the limit that it looks for, px.
const PRECISION: f64 = 0.01;

/// How far before the end of the ground a jump starts, px.
const EDGE: f64 = 0.01;

/// A body at most this far below a height is at it, px.
const LEVEL: f64 = 1e-3;

/// The widest body whose planned jumps are measured, px: lower ground must not be below the lowest.
const LARGEST: f64 = 500.0;

/// How much longer a jump over a gap or onto a step may take than on flat ground, s.
const EXTRA: f64 = 0.5;

/// Measures these numbers; without any, all of them and the arcs of a plot. The shortest press lasts `tap` ticks; without
/// it, there is none.
pub fn measure(subject: &FeelSubject, wanted: &[FeelQuantity], tap: Option<u64>) -> FeelSheet {
    let lab = FeelLab::new(subject, tap);
    let is_all = wanted.is_empty();
    let wanted = if is_all { &FeelQuantity::ALL[..] } else { wanted };
    let values = wanted.iter().map(|q| (*q, lab.measure(*q))).collect();
    let arcs = is_all.then(|| lab.arcs()).flatten();
    FeelSheet { hz: subject.revision().stage.hz, values, arcs, dash: is_all.then(|| lab.dash()).flatten() }
}

/// Measures these numbers and hands each over as soon as it is known, until `each` returns false.
pub fn measure_each(
    subject: &FeelSubject,
    wanted: impl IntoIterator<Item = FeelQuantity>,
    tap: Option<u64>,
    mut each: impl FnMut(FeelQuantity, Measured) -> bool,
) {
    let lab = FeelLab::new(subject, tap);
    let _ = wanted.into_iter().all(|quantity| each(quantity, lab.measure(quantity)));
}

/// A measurement that is made at most once.
type Once<T> = OnceCell<Result<T, Unmeasured>>;

fn once<T>(cell: &Once<T>, make: impl FnOnce() -> Result<T, Unmeasured>) -> Result<&T, Unmeasured> {
    cell.get_or_init(make).as_ref().map_err(|why| *why)
}

/// The measurements of one kind.
struct FeelLab<'s> {
    subject: &'s FeelSubject,
    hz: f64,
    tap: Option<u64>,
    rest: Once<World>,
    standing: Once<FeelArc>,
    forward: Once<FeelArc>,
    sprint: Once<(FeelSprint, World)>,
    running: Once<FeelArc>,
}

impl<'s> FeelLab<'s> {
    fn new(subject: &'s FeelSubject, tap: Option<u64>) -> Self {
        Self {
            subject,
            hz: subject.hz(),
            tap,
            rest: Once::new(),
            standing: Once::new(),
            forward: Once::new(),
            sprint: Once::new(),
            running: Once::new(),
        }
    }

    fn measure(&self, quantity: FeelQuantity) -> Measured {
        match quantity {
            FeelQuantity::Apex => Ok(self.standing()?.apex()?.height),
            FeelQuantity::TimeToApex => Ok(self.standing()?.apex()?.time),
            FeelQuantity::AirTime => self.air_time(),
            FeelQuantity::Hop => Ok(self.hop(self.rest()?, &[])?.apex()?.height),
            FeelQuantity::StopDistance => {
                let (sprint, fast) = self.sprint()?;
                let mut run = self.straight(fast);
                stop(&mut run, self.hz, sprint.top)
            }
            FeelQuantity::RunUp => Ok(self.sprint()?.0.run_up),
            FeelQuantity::Gap | FeelQuantity::Climb | FeelQuantity::LandingError if self.subject.slope() != 0.0 => {
                Err(NOT_LEVEL)
            }
            FeelQuantity::Gap => self.gap(),
            FeelQuantity::Climb => self.climb(),
            FeelQuantity::LandingError => self.landing_error(),
        }
    }

    /// The world once the body has come to rest.
    fn rest(&self) -> Result<&World, Unmeasured> {
        once(&self.rest, || {
            if self.subject.is_rigid() {
                return Err(RIGID);
            }
            let mut run = self.subject.on_straight_ground();
            match settle(&mut run, self.hz) {
                Ok(_) => Ok(run.world),
                Err(NEVER_RESTS | LEAVES) if self.subject.slope() != 0.0 => {
                    Err("slides down this slope; see `max_slope_deg` of its model")
                }
                Err(why) => Err(why),
            }
        })
    }

    /// Straight ground, from this moment on.
    fn straight(&self, from: &World) -> FeelRun<'s> {
        let mut run = self.subject.on_straight_ground();
        run.world.clone_from(from);
        run
    }

    /// A full jump from standing.
    fn standing(&self) -> Result<&FeelArc, Unmeasured> {
        once(&self.standing, || self.full_jump(self.rest()?, &[]))
    }

    /// The time of a full jump from standing. It ends where it has begun; on a slope, the body slides on in the tick of the landing.
    fn air_time(&self) -> Measured {
        let mut arc = self.standing()?.clone();
        let start = arc.samples[0].height;
        if self.subject.slope() != 0.0
            && let Some(last) = arc.samples.last_mut()
        {
            last.height = start;
        }
        Ok(arc.landing()?.time)
    }

    /// A full jump from standing, to the right.
    fn forward(&self) -> Result<&FeelArc, Unmeasured> {
        once(&self.forward, || self.full_jump(self.rest()?, &[Action::Right]))
    }

    /// A full jump at full speed.
    fn running(&self) -> Result<&FeelArc, Unmeasured> {
        once(&self.running, || self.full_jump(&self.sprint()?.1, &[Action::Right]))
    }

    fn full_jump(&self, from: &World, keys: &[Action]) -> Result<FeelArc, Unmeasured> {
        jump(&mut self.straight(from), self.hz, keys, u64::MAX)
    }

    /// A run to full speed, and the world there.
    fn sprint(&self) -> Result<&(FeelSprint, World), Unmeasured> {
        once(&self.sprint, || {
            let rest = self.rest()?;
            let mut run = self.straight(rest);
            let sprint = sprint(&mut run, self.hz, FARTHEST_GROUND)?;
            run.world.clone_from(rest);
            for _ in 0..sprint.ticks {
                run.step(&[Action::Right])?;
            }
            Ok((sprint, run.world))
        })
    }

    /// The shortest jump from a moment, with these keys.
    fn hop(&self, from: &World, keys: &[Action]) -> Result<FeelArc, Unmeasured> {
        let tap = self.tap.ok_or("has no press that short at this tick rate")?;
        jump(&mut self.straight(from), self.hz, keys, tap)
    }

    /// A full jump and a hop for a plot.
    fn arcs(&self) -> Option<[FeelArc; 2]> {
        if self.subject.slope() != 0.0 {
            return None;
        }
        let arcs = match (self.running(), self.sprint()) {
            (Ok(full), Ok((_, fast))) => [full.clone(), self.hop(fast, &[Action::Right]).ok()?],
            _ => [self.standing().ok()?.clone(), self.hop(self.rest().ok()?, &[]).ok()?],
        };
        let known = |arc: &FeelArc| arc.apex().and(arc.landing()).is_ok();
        arcs.iter().all(known).then_some(arcs)
    }

    /// A run to full speed and the stop after it, for a plot.
    fn dash(&self) -> Option<FeelDash> {
        let (sprint, _) = self.sprint().ok()?;
        dash(&mut self.straight(self.rest().ok()?), self.hz, sprint).ok()
    }

    /// Half the width of the collider where it stands on an edge with its side: in a top view.
    fn overhang(&self) -> f64 {
        match self.subject.view() {
            View::Side => 0.0,
            View::Top => self.subject.half().x,
        }
    }

    /// The widest gap. The ground ends where the jump on flat ground has begun.
    fn gap(&self) -> Measured {
        let arc = self.running()?;
        let ticks = self.sprint()?.0.ticks;
        let takeoff = arc.samples[0].x;
        let edge = takeoff - self.overhang() + EDGE;
        let reach = arc.landing().unwrap_or(arc.end()).x - takeoff + 2.0 * self.overhang();
        let crosses = |width: f64| {
            let ground = FeelGround::gap(edge, width);
            let there = edge + width - self.subject.half().x;
            self.reaches(&ground, ticks, arc, (there, 0.0))
        };
        search(reach, self.subject.half().element_sum() + 1.0, crosses)
    }

    /// The highest step, from standing or from a run. The step is where the jump on flat ground has
    /// its apex.
    fn climb(&self) -> Measured {
        let run = self.running().and_then(|arc| {
            let ticks = self.sprint()?.0.ticks;
            self.climb_with(arc, ticks)
        });
        let stand = self.forward().and_then(|arc| self.climb_with(arc, 0));
        match (run, stand) {
            (Ok(run), Ok(stand)) => Ok(run.max(stand)),
            (run, stand) => run.or(stand),
        }
    }

    fn climb_with(&self, arc: &FeelArc, ticks: u64) -> Measured {
        let (apex, half) = (arc.apex()?, self.subject.half());
        let edge = apex.x + self.overhang();
        if edge <= arc.samples[0].x + half.x {
            return Err("does not move forward in a jump");
        }
        let lands = |height: f64| {
            let ground = FeelGround::step(edge, height);
            self.reaches(&ground, ticks, arc, (edge - half.x, height))
        };
        search(apex.height, 2.0 * half.y + 1.0, lands)
    }

    /// Whether a jump like `arc`, after a run of this many ticks, ends on the ground right of a place
    /// and not below a height.
    fn reaches(
        &self,
        ground: &FeelGround,
        ticks: u64,
        arc: &FeelArc,
        (x, height): (f64, f64),
    ) -> Result<bool, Unmeasured> {
        let mut run = self.subject.on(ground);
        settle(&mut run, self.hz)?;
        for _ in 0..ticks {
            run.step(&[Action::Right])?;
        }
        let deep = -2.0 * self.subject.half().y - 2.0;
        let seconds = 1.5 * arc.end().time + EXTRA;
        for _ in 0..(seconds * self.hz).ceil() as u64 {
            let now = run.step(&[Action::Right, Action::Jump])?;
            if now.stands && now.x >= x && now.height >= height - LEVEL {
                return Ok(true);
            }
            if now.height < deep {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// The worst miss of planned jumps to targets on flat ground, on a higher part and on a lower one.
    fn landing_error(&self) -> Measured {
        if self.subject.is_rigid() {
            return Err(RIGID);
        }
        let unit = (2.0 * self.subject.half().x).max(40.0);
        if unit > LARGEST {
            return Err("is too large for planned jumps to be measured");
        }
        let (half, up, down) = (7.0 * unit, 1.2 * unit, 1.6 * unit);
        let mut run = self.subject.on(&FeelGround::terraces(half, up, down));
        if !settle(&mut run, self.hz)?.stands {
            return Err("does not stand on the ground");
        }
        let rest = run.world.clone();
        let start = run.sample()?.x;
        let level = [-6.0, -3.0, -1.0, 1.0, 3.0, 6.0].map(|x| (x, 0.0));
        let others = [(9.0, up), (12.0, up), (-9.0, -down), (-12.0, -down)];
        let targets = level.into_iter().chain(others);
        let mut worst: Option<f64> = None;
        let mut refused = None;
        let tries = targets.flat_map(|(x, height)| [0.2, 1.0].map(|high| (x, height, high)));
        for (x, height, high) in tries {
            run.world.clone_from(&rest);
            let (x, clearance) = (start + x * unit, high * unit);
            let time = match run.leap(x, height, clearance) {
                Ok(time) => time,
                Err(why) => {
                    refused = refused.or(Some(why));
                    continue;
                }
            };
            let miss = fly(&mut run, time, self.hz, (x, height))?;
            worst = Some(worst.map_or(miss, |worst| worst.max(miss)));
        }
        worst.ok_or_else(|| refused.as_ref().map_or("has no planned jumps", why_refused))
    }
}

/// Why a kind has no planned jumps, from the reason of the first refusal.
fn why_refused(why: &PlanError) -> Unmeasured {
    match why {
        PlanError::StandsStill => "is refused every planned jump: its time stands still; see `time_scale` of the kind",
        PlanError::NoGravity => {
            "is refused every planned jump: without gravity, or with one that points up, it would not \
             come down; see `ballistic.gravity_scale` and `simulation.gravity`"
        }
        PlanError::TooFast { .. } => {
            "is refused every planned jump: the launch would be too fast; raise \
             `ballistic.max_launch_speed`, 0 means no limit"
        }
        PlanError::TooLong { .. } => {
            "is refused every planned jump: the flight would take too long; raise \
             `ballistic.gravity_scale` or `simulation.gravity`"
        }
        PlanError::NoRoom => {
            "is refused every planned jump: there is no room for its body in flight; see \
             `ballistic.body`"
        }
        PlanError::Outside => "is refused every planned jump: the flight would leave the level; make the body smaller",
        PlanError::TooMuchWork { .. } => "is refused every planned jump: planning one takes too long",
        PlanError::Blocked { .. } => {
            "is refused every planned jump: something is in the way; raise `ballistic.clearance_max`"
        }
        PlanError::NotFinite { .. }
        | PlanError::ClearanceOutOfRange { .. }
        | PlanError::NoTime
        | PlanError::Unreachable => "is refused every planned jump",
    }
}

/// Follows a planned jump to its landing and returns how far that is from the target.
fn fly(run: &mut FeelRun<'_>, time: f64, hz: f64, (x, height): (f64, f64)) -> Measured {
    for _ in 0..(time * hz).ceil() as u64 + 2 {
        if run.step(&[])?.landed.is_some() {
            break;
        }
    }
    run.miss(x, height)
}

/// The largest number that passes, near a guess.
fn search(guess: f64, margin: f64, passes: impl Fn(f64) -> Result<bool, Unmeasured>) -> Measured {
    let mut least = (guess - 1.0).max(0.0);
    let mut most = guess + margin;
    if !passes(least)? {
        (most, least) = (least, 0.0);
    }
    let farthest = FARTHEST_GROUND - START;
    while passes(most)? {
        if most > farthest {
            return Err("has no limit");
        }
        (least, most) = (most, 2.0 * most);
    }
    while most - least > PRECISION {
        let middle = 0.5 * (least + most);
        if passes(middle)? {
            least = middle;
        } else {
            most = middle;
        }
    }
    Ok(least)
}
