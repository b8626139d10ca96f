//! What the marked stretch depends on: where the picked entity has its apex, lands and ends, and which numbers move that.

use super::{panel::rounded, *};
use hangtime_play::{EditableNumber, PlaceSlope, PlaceTracker, RunMoment, UsedTuning, place_slopes};

/// The most ticks of bodies that are played for one answer.
const MOST_BODY_TICKS: u64 = 6_000_000;

/// How many threads play.
const THREADS: usize = 2;

/// The most numbers that are listed for a moment.
const MOST_LISTED: usize = 8;

/// What the panel shows of a stretch.
#[derive(Clone, Debug, PartialEq)]
pub enum BlameFacts {
    /// It is being played.
    Playing,
    /// It is too long to be played with each number changed.
    TooLong,
    /// What each moment depends on: the landing, the apex and the end, without those that the stretch does not have.
    Moments(Vec<MomentBlame>),
}

/// What a moment depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct MomentBlame {
    /// `landing`, `apex` or `end`.
    pub name: &'static str,
    /// Where the entity is then, px.
    pub at: [f64; 2],
    /// The numbers, the strongest first, and last those near whose values the place jumps.
    pub rows: Vec<BlameRow>,
}

/// A number that moves a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct BlameRow {
    /// The number with its group, for the search: `platformer.jump_speed`.
    pub path: String,
    /// Its name.
    pub name: String,
    /// How much it moves the moment: `x 0.31 px per px/s`.
    pub text: String,
    /// What a change of 1 % does, and where the number is set.
    pub about: String,
}

/// The moments that are looked at.
const MOMENTS: [(&str, RunMoment); 2] = [("landing", RunMoment::Landing), ("apex", RunMoment::Apex)];

/// What is played: a stretch under a revision, and whose path is looked at.
#[derive(Clone)]
struct BlamedStretch {
    excerpt: Arc<Excerpt>,
    revision: Arc<Revision>,
    picked: PickedEntity,
}

impl BlamedStretch {
    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.excerpt, &other.excerpt)
            && Arc::ptr_eq(&self.revision, &other.revision)
            && self.picked == other.picked
    }

    fn ticks(&self) -> u64 {
        self.excerpt.ticks().min(MOST_GHOST_TICKS)
    }

    /// Where the entity lands, has its apex and ends under a revision, and what it uses; `None` for places that the stretch
    /// does not have.
    fn play(&self, revision: &Arc<Revision>, used: &mut Option<UsedTuning>) -> Vec<Option<DVec2>> {
        let mut live = self.excerpt.start_under(revision);
        let name = &self.picked.name;
        let player = live.world().entity(name).and_then(|entity| entity.player);
        let moments = MOMENTS.map(|(_, moment)| moment).into_iter().chain([RunMoment::Tick(self.ticks())]);
        let mut trackers: Vec<PlaceTracker> = moments.map(|moment| PlaceTracker::new(moment, &live)).collect();
        for tick in 0..=self.ticks() {
            let mut holds = false;
            if tick > 0 {
                let Some(inputs) = self.excerpt.input_under(tick - 1, revision) else { break };
                holds = player.is_some_and(|player| inputs.player(player).held.has(Action::Jump));
                live.step(&inputs);
            }
            if hangtime_script::budget::is_interrupted() {
                break;
            }
            trackers.iter_mut().for_each(|tracker| tracker.see(tick, &live, name, holds));
            if let Some(used) = used {
                used.note(&live, Some(name));
            }
        }
        trackers.into_iter().map(|tracker| tracker.finish().map(|place| place.at)).collect()
    }

    /// What its moments depend on; `None` if it was canceled. Must run on a thread with a stack for scripts.
    fn blame(&self, canceled: &Arc<AtomicBool>) -> Option<BlameFacts> {
        let mut used = Some(UsedTuning::default());
        let at = self.play(&self.revision, &mut used);
        let mut numbers: Vec<EditableNumber> = used.unwrap_or_default().numbers(&self.revision);
        numbers.retain(|number| number.size() > 0.0);
        let bodies = self.excerpt.start_under(&self.revision).world().entities().len().max(1) as u64;
        if self.ticks() * bodies * 2 * numbers.len() as u64 > MOST_BODY_TICKS {
            return Some(BlameFacts::TooLong);
        }
        let places: Vec<DVec2> = at.iter().map(|at| at.unwrap_or(DVec2::NAN)).collect();
        let canceled = canceled.clone();
        let stopped = move || canceled.load(Ordering::Relaxed);
        let play = |revision: Arc<Revision>| self.play(&revision, &mut None);
        let slopes = place_slopes(&self.revision, &numbers, &places, THREADS, &stopped, play)?;
        let names = MOMENTS.map(|(name, _)| name).into_iter().chain(["end"]);
        let moments = names.zip(places).zip(slopes).filter(|((_, at), _)| at.is_finite());
        let moments = moments.map(|((name, at), slopes)| MomentBlame {
            name,
            at: at.to_array(),
            rows: {
                // Where a place jumps, the slope says little.
                let (abrupt, smooth): (Vec<_>, Vec<_>) = slopes.iter().partition(|slope| slope.abrupt);
                smooth.into_iter().chain(abrupt).take(MOST_LISTED).map(row).collect()
            },
        });
        Some(BlameFacts::Moments(moments.collect()))
    }
}

fn row(of: &PlaceSlope) -> BlameRow {
    let PlaceSlope { number, slope, abrupt } = of;
    let path = number.path();
    let (axis, by) = if slope.x.abs() >= slope.y.abs() { ("x", slope.x) } else { ("y", slope.y) };
    let per = if number.unit.is_empty() { "1" } else { number.unit };
    // Surfaces have numbers of the same names.
    let name = path.strip_prefix("surfaces.").or(path.rsplit('.').next());
    BlameRow {
        name: name.unwrap_or(&path).into(),
        text: match abrupt {
            true => "it jumps near this value".into(),
            false => format!("{axis} {} px per {per}", rounded(by)),
        },
        about: format!(
            "{} = {} {}\n1 % of it moves this by {} px\n{}",
            number.key(),
            number.value,
            number.unit,
            rounded(of.effect()),
            number.origin
        ),
        path,
    }
}

/// Finds out what the marked stretch, or the stretch of the ghosts, depends on, whenever it or the numbers change.
#[derive(Default)]
pub struct StretchBlame {
    started: Option<BlamedStretch>,
    job: Option<BackgroundJob<BlameFacts>>,
    facts: Option<Arc<BlameFacts>>,
}

impl StretchBlame {
    /// What the panel shows; `None` while it is closed, or without a stretch.
    pub fn facts(&self) -> Option<&Arc<BlameFacts>> {
        self.facts.as_ref()
    }

    /// Whether a thread still plays.
    pub fn is_running(&self) -> bool {
        self.job.is_some()
    }

    /// Follows a workbench while the panel is `open`: call it once per frame.
    pub fn follow(&mut self, bench: &Workbench, open: bool) {
        let stretch = bench.comparison.known_stretch().zip(bench.line.picked()).filter(|_| open);
        let Some((excerpt, picked)) = stretch else {
            *self = Self::default();
            return;
        };
        let wanted =
            BlamedStretch { excerpt: excerpt.clone(), revision: bench.line.latest().clone(), picked: picked.clone() };
        if !self.started.as_ref().is_some_and(|started| started.is(&wanted)) {
            self.started = Some(wanted.clone());
            let job = BackgroundJob::start("blame", move |post, canceled| {
                // The window may have been closed.
                let _ = wanted.blame(canceled).map(|facts| post.send(facts));
            });
            // Without a thread nothing is said, and the game runs on.
            self.job = job.ok();
            self.facts = Some(Arc::new(BlameFacts::Playing));
        }
        match self.job.as_ref().map(BackgroundJob::poll) {
            None | Some(Err(TryRecvError::Empty)) => {}
            Some(Err(TryRecvError::Disconnected)) => (self.job, self.facts) = (None, None),
            Some(Ok(facts)) => (self.job, self.facts) = (None, Some(Arc::new(facts))),
        }
    }
}
