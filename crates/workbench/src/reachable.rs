//! What can be reached: `hangtime reachable` in the background, over the running game.
//!
//! A search begins in the shown world, under the newest revision. It does not begin again in each tick of a running game, only when
//! a number, a file or the picked entity has changed or time has jumped. Its answer grows while it is shown.

use super::*;
use hangtime_draw::LevelMap;
use hangtime_play::{ReachAnswer, ReachOrder, ReachSearch, map_of};

/// The most ticks that a search plays, and the most ticks of single bodies.
const MOST_TICKS: u64 = 2_000_000;
const MOST_BODY_TICKS: u64 = 20_000_000;

/// How long a search runs before another one may replace it, s: while a slider moves, each search has time to find
/// something.
const LEAST_TIME: f64 = 0.5;

/// How long an answer stays that reaches more than the newest one, s.
const PATIENCE: f64 = 1.5;

/// What a search begins with.
#[derive(Clone)]
pub struct ReachStart {
    /// The revision of the world.
    pub before: Arc<Revision>,
    /// The world.
    pub world: Arc<World>,
    /// The revision under which it is played.
    pub revision: Arc<Revision>,
    /// The picked entity. If no player controls it, the first player's entity moves.
    pub picked: Option<PickedEntity>,
}

/// How far a search has come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReachProgress {
    /// How many goals are reached.
    pub reached: usize,
    /// How many goals none of the moves leads to.
    pub missed: usize,
    /// How many goals are not known.
    pub unknown: usize,
    /// How many ticks were played.
    pub ticks: u64,
    /// Whether the search has ended.
    pub done: bool,
    /// Why nothing can be searched; empty if it can.
    pub refusal: String,
    /// The places of rest, the paths and the goals.
    pub map: Arc<LevelMap>,
}

impl ReachStart {
    /// Searches until it has tried all or is canceled, and posts how far it is after each step, until `post` returns false.
    /// Must run on a thread with a stack for scripts.
    pub fn search(&self, canceled: &Arc<AtomicBool>, mut post: impl FnMut(ReachProgress) -> bool) {
        let mut live = Live::resume(self.before.clone(), World::clone(&self.world));
        live.watch(Watch::Off);
        if !Arc::ptr_eq(&self.before, &self.revision) {
            live.adopt(self.revision.clone());
        }
        let world = live.world();
        let picked = self.picked.as_ref().and_then(|picked| Some(&world.entities()[picked.index_in(world)?]));
        let entity = picked.filter(|entity| entity.player.is_some()).map(|entity| entity.name.to_string());
        let order = ReachOrder { entity, ..ReachOrder::default() };
        let mut search = match ReachSearch::new(self.revision.clone(), world, &order) {
            Ok(search) => search,
            Err(refusal) => {
                post(ReachProgress { refusal, done: true, ..ReachProgress::default() });
                return;
            }
        };
        let most = MOST_TICKS.min(MOST_BODY_TICKS / world.entities().len().max(1) as u64);
        let stopped = {
            let canceled = canceled.clone();
            move || canceled.load(Ordering::Relaxed)
        };
        loop {
            search.advance(1, 1, &stopped);
            let done = search.is_done() || search.ticks() >= most;
            if stopped() || !post(ReachProgress::of(&search, world, done)) || done {
                return;
            }
        }
    }
}

impl ReachProgress {
    fn of(search: &ReachSearch, world: &World, done: bool) -> Self {
        let map = Arc::new(map_of(search, world));
        let mut progress = Self { ticks: search.ticks(), done, map, ..Self::default() };
        for (_, answer, _) in search.answers() {
            *match answer {
                ReachAnswer::Yes { .. } => &mut progress.reached,
                ReachAnswer::No => &mut progress.missed,
                ReachAnswer::Unknown => &mut progress.unknown,
            } += 1;
        }
        progress
    }

    /// What the status line says about it.
    fn status(&self, searching: bool) -> String {
        if !self.refusal.is_empty() {
            return format!("reaches nothing: {}", self.refusal);
        }
        let Self { reached, missed, unknown, .. } = self;
        let text = format!("reaches {reached} of {}", reached + missed + unknown);
        match unknown {
            _ if searching => format!("{text}, searching"),
            0 => text,
            _ => format!("{text}, {unknown} unknown"),
        }
    }
}

/// What can be reached over the game, and the thread that searches.
#[derive(Default)]
pub struct ReachOverlay {
    open: bool,
    /// Whether what the answer is about has changed since the last search was started.
    stale: bool,
    /// Where searches begin.
    start: Option<ReachStart>,
    /// The tick of the last frame.
    tick: u64,
    /// For how many frames the search has been running, and for how many the same answer has been shown.
    age: u32,
    shown_for: u32,
    shown: ReachProgress,
    /// The newest answer of the running search, if it is not shown yet.
    next: Option<ReachProgress>,
    job: Option<BackgroundJob<ReachProgress>>,
}

impl ReachOverlay {
    /// Opens or closes it.
    pub fn toggle(&mut self) {
        *self = Self { open: !self.open, ..Self::default() };
    }

    pub fn is_running(&self) -> bool {
        self.open && (self.start.is_none() || self.stale || self.job.is_some())
    }

    /// What is shown.
    pub fn progress(&self) -> Option<&ReachProgress> {
        self.open.then_some(&self.shown)
    }

    /// What the status line says; `None` while it is closed.
    pub fn status(&self) -> Option<String> {
        Some(self.progress()?.status(self.is_running()))
    }

    pub fn picture(&self) -> &Arc<LevelMap> {
        &self.shown.map
    }

    /// Follows the shown tick, which may have `moved`; the game may be `paused` or in a `looping` stretch. Returns whether the picture
    /// is another one now.
    pub fn follow(&mut self, line: &PlayedLine, moved: bool, paused: bool, looping: bool) -> bool {
        if cfg!(not(feature = "disk")) || !self.open {
            return false;
        }
        let tick = line.live.world().ticks();
        let jumped = moved && (paused || !looping && tick < self.tick);
        self.tick = tick;
        let begin = |(before, world)| ReachStart {
            before,
            world,
            revision: line.latest().clone(),
            picked: line.picked().cloned(),
        };
        match &self.start {
            Some(start) if !jumped => {
                let same = Arc::ptr_eq(&start.revision, line.latest()) && start.picked.as_ref() == line.picked();
                if !same {
                    self.stale = true;
                    self.start = Some(begin((start.before.clone(), start.world.clone())));
                }
            }
            _ => {
                self.stale = true;
                self.start = Some(begin((line.live.revision().clone(), line.shared_world())));
            }
        }
        (self.age, self.shown_for) = (self.age.saturating_add(1), self.shown_for.saturating_add(1));
        // There is a frame for each tick of real time.
        let [least, patience] = [LEAST_TIME, PATIENCE].map(|seconds| (seconds * f64::from(line.hz())).ceil() as u32);
        let is_late = self.age >= least && self.shown_for >= patience;
        let shows_more = self.poll(is_late);
        if self.stale && (self.job.is_none() || self.age >= least) {
            self.begin();
        }
        shows_more
    }

    /// Starts a search, in place of the one that runs.
    fn begin(&mut self) {
        (self.stale, self.age, self.job) = (false, 0, None);
        self.next = None;
        let Some(start) = self.start.clone() else { return };
        let search = BackgroundJob::start("reachable", move |post, canceled| {
            // The window may have been closed.
            start.search(canceled, |progress| post.send(progress).is_ok());
        });
        // Without a thread there is no answer, and the game runs on.
        self.job = search.ok();
    }

    /// Takes the newest answer, and shows it once it is as good as the one that is shown, or is late. Returns whether there is
    /// anything new to show.
    fn poll(&mut self, is_late: bool) -> bool {
        let Some(job) = &self.job else { return false };
        let ended = loop {
            match job.poll() {
                Ok(progress) => self.next = Some(progress),
                Err(error) => break error == TryRecvError::Disconnected,
            }
        };
        if ended {
            self.job = None;
        }
        let ready = self
            .next
            .as_ref()
            .is_some_and(|next| next.done || next.reached >= self.shown.reached || is_late);
        if let Some(next) = self.next.take_if(|_| ready) {
            (self.shown, self.shown_for) = (next, 0);
        }
        ready || ended
    }
}
