//! What a moment of a run depends on: every number of a body is varied a little, and the run is played again.

use super::{in_order::in_order, *};
use crate::feel::{FeelArc, FeelSample};
use hangtime_core::{
    level::View,
    models::{Action, ModelName},
    sim::{EventKind, Stage},
};
use hangtime_game::Variants;
use hangtime_script::{
    budget::{interruptible, is_interrupted},
    names::suggestion,
};

/// By which share of its value a number is varied, up and down.
const STEP: f64 = 0.002;

/// Slopes up and down that differ by more than this share of the larger one are no slope.
const ABRUPT: f64 = 0.5;

/// A moment that moves by less than this, px, has not moved.
const MOVED: f64 = 1e-7;

/// A run, and the moment in it that is looked at.
pub struct MomentRun {
    /// The files, to be built with other settings.
    pub variants: Arc<Variants>,
    /// The revision that is played.
    pub revision: Arc<Revision>,
    /// The input of all players.
    pub track: Track,
    /// The random seed.
    pub seed: u64,
    /// The length of the run.
    pub ticks: u64,
    /// The entity that is looked at.
    pub entity: Arc<str>,
    /// The moment.
    pub moment: RunMoment,
}

/// Where a body is at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct MomentPlace {
    /// The end of the tick in which it is there.
    pub tick: u64,
    /// Its center, px; of a landing, the point that it touches.
    pub at: DVec2,
    /// The models under which it has moved until the end of the run.
    pub models: BTreeSet<ModelName>,
}

/// How a moment depends on a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependence {
    /// The number.
    pub number: TunedNumber,
    /// By how much the place moves for each unit of the number, px.
    pub slope: DVec2,
    /// Whether the place jumps near the value, so that the slope says little.
    pub abrupt: bool,
}

impl Dependence {
    /// How far the place moves if the number changes by 1 %, px.
    pub fn effect(&self) -> f64 {
        self.slope.length() * self.number.value.abs() * 0.01
    }
}

impl MomentRun {
    /// The entity that is meant by a name or, without one, the first player's, else the first one.
    ///
    /// # Errors
    /// If the level has none with this name.
    pub fn entity_of(stage: &Stage, name: Option<&str>) -> Result<Arc<str>, String> {
        let starts = &stage.starts;
        let found = match name {
            Some(name) => starts.iter().find(|start| &*start.name == name),
            None => starts.iter().find(|start| start.player == Some(1)).or(starts.first()),
        };
        found.map(|start| start.name.clone()).ok_or_else(|| match name {
            Some(name) => {
                let hint = suggestion(name, starts.iter().map(|start| &*start.name));
                format!("there is no entity `{name}` when the level starts{hint}")
            }
            None => "this level has no entities".into(),
        })
    }

    /// Where the body is at the moment.
    ///
    /// # Errors
    /// If the run does not come to the moment.
    pub fn place(&self) -> Result<MomentPlace, String> {
        self.place_under(self.revision.clone())
    }

    fn place_under(&self, revision: Arc<Revision>) -> Result<MomentPlace, String> {
        let mut live = Live::new(revision, self.seed);
        let player = self.revision.stage.starts.iter().find(|start| start.name == self.entity);
        let player = player.and_then(|start| start.player).unwrap_or(1);
        let mut tracker = PlaceTracker::new(self.moment, &live);
        for tick in 0..=self.ticks {
            let mut holds = false;
            if tick > 0 {
                let inputs = self.track.at(tick - 1);
                holds = inputs.player(player).held.has(Action::Jump);
                live.step(&inputs);
            }
            if is_interrupted() {
                break;
            }
            tracker.see(tick, &live, &self.entity, holds);
        }
        tracker.finish().ok_or_else(|| self.moment.missed(self.ticks))
    }

    /// What the place depends on, the strongest first. Without an effect, a number is left out.
    pub fn dependences(
        &self,
        place: &MomentPlace,
        threads: usize,
        stopped: &(impl Fn() -> bool + Clone + Sync + 'static),
    ) -> Vec<Dependence> {
        let numbers = TunedNumber::of(&self.revision, &self.entity, &place.models);
        let work = |index: usize| {
            let (varied, is_cut) = interruptible(stopped.clone(), || self.vary(&numbers[index], place.at));
            (!is_cut).then_some(varied)
        };
        let mut found: Vec<Dependence> = Vec::new();
        in_order(numbers.len(), threads, work, |varied| {
            found.extend(varied);
            true
        });
        found.sort_by(|a, b| b.effect().total_cmp(&a.effect()));
        found
    }

    fn vary(&self, number: &TunedNumber, at: DVec2) -> Option<Dependence> {
        let step = number.value.abs() * STEP;
        let slope = |by: f64| {
            let revision = number.with(&self.revision, &self.variants, number.value + by)?;
            let place = self.place_under(Arc::new(revision)).ok()?;
            Some((place.at - at) / by)
        };
        let (slope, abrupt) = joined_slope([slope(step), slope(-step)], step)?;
        Some(Dependence { number: number.clone(), slope, abrupt })
    }
}

/// The slope that follows from the slopes up and down, and whether the place jumps nearby; `None` if it does not move in a
/// step of this size.
pub fn joined_slope([up, down]: [Option<DVec2>; 2], step: f64) -> Option<(DVec2, bool)> {
    let both = up.is_none() == down.is_none();
    let (up, down) = (up.or(down)?, down.or(up)?);
    let largest = up.length().max(down.length());
    let abrupt = (up - down).length() > ABRUPT * largest || !both;
    (largest * step > MOVED).then(|| ((up + down) * 0.5, abrupt))
}

/// Finds the place of a body at a moment while a run is played.
pub struct PlaceTracker {
    moment: RunMoment,
    view: View,
    finder: MomentFinder,
    found: Option<(u64, DVec2)>,
    models: BTreeSet<ModelName>,
    arc: FeelArc,
    /// Whether the flight that is recorded has the moment in it.
    of_arc: bool,
}

impl PlaceTracker {
    /// Looks for a moment in a run that begins now.
    pub fn new(moment: RunMoment, live: &Live) -> Self {
        let stage = &live.revision().stage;
        Self {
            moment,
            view: stage.level.view,
            finder: MomentFinder::new(moment),
            found: None,
            models: BTreeSet::new(),
            arc: FeelArc { samples: Vec::new(), dt: 1.0 / f64::from(stage.hz), released: None },
            of_arc: false,
        }
    }

    /// Sees the end of a tick, in which the jump key of the body was held or not.
    pub fn see(&mut self, tick: u64, live: &Live, entity: &str, holds: bool) {
        let (world, stage) = (live.world(), &live.revision().stage);
        let Some(body) = world.view_of(stage, entity) else { return };
        self.models.extend(body.model);
        let mut landed = None;
        let mut touched = None;
        for event in world.events().iter().filter(|event| event.entity == body.id) {
            match &event.kind {
                EventKind::Land { speed, at, .. } => (landed, touched) = (Some(*speed), Some(*at)),
                EventKind::FallOut => self.finder.falls_out(),
                _ => {}
            }
        }
        let sample = FeelSample {
            x: body.pos.x,
            height: body.pos.y,
            speed: body.vel.x,
            along: body.pos.x,
            pace: body.vel.x,
            rise: body.vel.y,
            stands: body.grounded,
            landed,
        };
        if self.finder.sees(tick, self.view, &body) {
            let touched = touched.filter(|_| self.moment == RunMoment::Landing);
            self.found = Some((tick, touched.unwrap_or(body.pos)));
            self.of_arc = self.moment == RunMoment::Apex;
        }
        let arc = &mut self.arc;
        if !body.grounded && !holds && arc.released.is_none() && !arc.samples.is_empty() {
            arc.released = Some(arc.samples.len() - 1);
        }
        if body.grounded || body.inverted || self.view == View::Top {
            arc.samples.push(sample);
            if mem::take(&mut self.of_arc) {
                self.found = self.found.map(|(tick, at)| (tick, apex_of(arc).unwrap_or(at)));
            }
            arc.samples.clear();
            arc.released = None;
        }
        arc.samples.push(sample);
    }

    /// The place, if the run has come to the moment.
    pub fn finish(self) -> Option<MomentPlace> {
        let (tick, at) = self.found?;
        let of_arc = self.of_arc && self.arc.samples.len() > 2;
        let at = if of_arc { apex_of(&self.arc).unwrap_or(at) } else { at };
        Some(MomentPlace { tick, at, models: self.models })
    }
}

/// The center of the body at the top of a flight, between two ticks.
fn apex_of(arc: &FeelArc) -> Option<DVec2> {
    let apex = arc.apex().ok()?;
    Some(DVec2::new(apex.x, arc.samples[0].height + apex.height))
}
