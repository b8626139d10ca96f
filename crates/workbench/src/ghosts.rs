//! Ghosts: the paths of one stretch under several revisions, computed in the background.

use super::*;

/// The most revisions whose paths are kept.
pub const MOST_GHOSTS: usize = 8;

/// The most ticks of a path: eight minutes at 60 ticks per second, two at 240. In longer stretches, ghosts end there.
pub const MOST_GHOST_TICKS: u64 = 28_800;

/// The most memory that the revisions of ghosts take, bytes. Beyond it, only the newest two and the oldest ones that fit
/// are compared.
const GHOST_REVISION_BYTES: u64 = 32 << 20;

/// Two paths part where their positions differ by more than this, px.
pub const PARTED: f64 = 0.5;

/// The path of the picked entity through a stretch under one revision.
pub struct Ghost {
    /// The number of the revision.
    pub revision: u64,
    /// The positions of the entity at the start and after each tick, px. It ends early where the entity
    /// does not exist.
    pub path: Vec<DVec2>,
    /// What happened, in numbers.
    pub measures: Vec<Measure>,
    /// The outline of the entity's body at the start and about ten times a second, px from its center.
    pub outlines: Vec<BodyOutline>,
    /// What the plots show: a sample for each position of the path.
    pub motion: MotionRun,
}

impl Ghost {
    /// Plays a stretch under a revision; `None` if it was canceled. Must run on a thread with a stack for
    /// scripts.
    pub fn run(
        excerpt: &Excerpt,
        revision: &Arc<Revision>,
        picked: &PickedEntity,
        canceled: &AtomicBool,
    ) -> Option<Self> {
        let mut live = excerpt.start_under(revision);
        let hz = revision.stage.hz;
        let mut outlines = Vec::new();
        let mut point = |live: &Live, index: u64| {
            let entity = &live.world().entities()[picked.index_in(live.world())?];
            if cfg!(feature = "disk") && index.is_multiple_of(outline_ticks(hz)) {
                outlines.push(BodyOutline::of(&live.world().view(&live.revision().stage, entity)));
            }
            Some((MotionPoint::of(live, entity), MotionSample::of(live, entity, index)))
        };
        let (mut points, mut samples): (Vec<MotionPoint>, Vec<MotionSample>) = point(&live, 0).into_iter().unzip();
        for index in 0..excerpt.ticks().min(MOST_GHOST_TICKS) {
            if canceled.load(Ordering::Relaxed) {
                return None;
            }
            live.step(&excerpt.input_under(index, revision)?);
            match point(&live, index + 1) {
                Some((point, sample)) if points.len() as u64 == index + 1 => {
                    points.push(point);
                    samples.push(sample);
                }
                _ => break,
            }
        }
        Some(Self {
            revision: revision.number,
            path: points.iter().map(|p| p.pos).collect(),
            measures: measures(&points, hz, revision.stage.level.view),
            outlines,
            motion: MotionRun { hz, origin: 0, samples },
        })
    }

    /// A number of something that happened, by its name, such as `apex`; `None` if it did not happen or not end.
    pub fn measure(&self, name: &str) -> Option<f64> {
        self.measures.iter().find(|measure| measure.name == name)?.value.ok()
    }

    /// The tick in which the positions of two paths differ most, and by how much, px: the first one of several. The ticks in
    /// which only one of them exists do not count.
    pub fn farthest_from(&self, other: &Self) -> (usize, f64) {
        let apart = self.path.iter().zip(&other.path).map(|(a, b)| a.distance(*b));
        apart.enumerate().fold((0, 0.0), |most, tick| if tick.1 > most.1 { tick } else { most })
    }

    /// The first tick of the stretch in which the positions of two paths differ by more than [`PARTED`], or
    /// in which only one of them still exists.
    pub fn parts_from(&self, other: &Self) -> Option<usize> {
        let apart = |(a, b): (&DVec2, &DVec2)| a.distance(*b) > PARTED;
        let shorter = self.path.len().min(other.path.len());
        self.path
            .iter()
            .zip(&other.path)
            .position(apart)
            .or_else(|| (self.path.len() != other.path.len()).then_some(shorter))
    }
}

/// The ghosts of one stretch, and the thread that computes them.
#[derive(Default)]
pub struct GhostRace {
    excerpt: Option<Arc<Excerpt>>,
    picked: Option<PickedEntity>,
    /// The revisions that are shown, the newest last.
    revisions: Vec<Arc<Revision>>,
    /// Those that are ready, by ascending number of their revision.
    ready: Vec<Ghost>,
    /// What the newest one is compared with.
    reference: ReferenceRevision,
    /// The ghost of a reference that is none of the revisions.
    of_reference: Option<Ghost>,
    /// Those as they are drawn.
    picture: Arc<GhostPicture>,
    /// The motion of the newest one and of the reference.
    compared: Option<Arc<MotionPair>>,
    /// The number of a revision that was only passed through.
    skipped: Option<u64>,
    /// What computes the missing ones. Whether each is the reference's.
    job: Option<BackgroundJob<(bool, Ghost)>>,
}

impl GhostRace {
    /// Plays a stretch under a new revision and, where that has not been done yet, under `old`, the reference and the
    /// revisions shown so far. Earlier runs that are not ready are canceled.
    pub fn run(
        &mut self,
        excerpt: &Arc<Excerpt>,
        picked: &PickedEntity,
        [old, new]: [&Arc<Revision>; 2],
        reference: ReferenceRevision,
    ) {
        let same_stretch = self.excerpt.as_ref().is_some_and(|e| Arc::ptr_eq(e, excerpt));
        if !same_stretch || self.picked.as_ref() != Some(picked) {
            self.ready.clear();
            self.of_reference = None;
        }
        self.excerpt = Some(excerpt.clone());
        self.picked = Some(picked.clone());
        for revision in [old, new] {
            self.revisions.retain(|other| !Arc::ptr_eq(other, revision));
            self.revisions.push(revision.clone());
        }
        // The oldest one stays: what the game was like before the edits.
        let surplus = self.revisions.len().saturating_sub(MOST_GHOSTS);
        self.revisions.drain(1..1 + surplus);
        while self.revisions.len() > 2 && self.revisions_weight() > GHOST_REVISION_BYTES {
            self.revisions.remove(usize::from(self.revisions.len() > 3));
        }
        let kept: Vec<u64> = self.revisions.iter().map(|r| r.number).collect();
        self.ready.retain(|ghost| kept.contains(&ghost.revision));
        self.refer_to(reference);
    }

    /// Compares with something else from now on, on the same stretch.
    pub fn refer_to(&mut self, reference: ReferenceRevision) {
        if !self.reference.is_same_revision(&reference) {
            self.of_reference = None;
        }
        self.reference = reference;
        self.draw();
        self.start();
    }

    /// Whether there is a stretch to compare.
    pub fn has_stretch(&self) -> bool {
        self.excerpt.is_some()
    }

    /// Leaves out a revision: the next one is compared with the one before it.
    pub fn skip(&mut self, number: u64) {
        self.revisions.retain(|revision| revision.number != number);
        self.ready.retain(|ghost| ghost.revision != number);
        self.skipped = Some(number);
    }

    /// The revision with which the next one is compared: `running`, or the one before it if that was left
    /// out.
    pub fn before_skipped(&self, running: &Arc<Revision>) -> Arc<Revision> {
        let before = self.revisions.last();
        let before = before.filter(|_| self.skipped == Some(running.number));
        before.unwrap_or(running).clone()
    }

    fn revisions_weight(&self) -> u64 {
        let before = std::iter::once(None).chain(self.revisions.iter().map(Some));
        let pairs = self.revisions.iter().zip(before);
        pairs
            .map(|(revision, before)| revision_weight(revision, before.map(|before| &**before)))
            .sum()
    }

    /// The reference's revision, if it is none of those that are shown anyway.
    fn other_reference(&self) -> Option<&Arc<Revision>> {
        let revision = self.reference.revision.as_ref()?;
        (!self.revisions.iter().any(|shown| Arc::ptr_eq(shown, revision))).then_some(revision)
    }

    /// Starts a thread for the ghosts that are missing: the newest, the reference's, and the others.
    fn start(&mut self) {
        let (Some(excerpt), Some(picked)) = (self.excerpt.clone(), self.picked.clone()) else {
            return;
        };
        let ready = |revision: &Arc<Revision>| self.ready.iter().any(|ghost| ghost.revision == revision.number);
        let missing = self.revisions.iter().rev().filter(|revision| !ready(revision)).cloned();
        let mut missing: Vec<_> = missing.map(|revision| (false, revision)).collect();
        if let Some(reference) = self.other_reference().filter(|_| self.of_reference.is_none()) {
            missing.insert(missing.len().min(1), (true, reference.clone()));
        }
        let job = BackgroundJob::start("ghosts", move |post, canceled| {
            for (is_reference, revision) in &missing {
                let ghost = Ghost::run(&excerpt, revision, &picked, canceled);
                if ghost.is_none_or(|ghost| post.send((*is_reference, ghost)).is_err()) {
                    return;
                }
            }
        });
        // Without a thread there are no ghosts, and the game runs on.
        self.job = job.ok();
    }

    /// Collects the ghosts that have become ready. Returns whether there are new ones.
    pub fn poll(&mut self) -> bool {
        let mut found = false;
        while let Some(job) = &self.job {
            match job.poll() {
                Ok((true, ghost)) => {
                    self.of_reference = Some(ghost);
                    found = true;
                }
                Ok((false, ghost)) => {
                    let place = self.ready.partition_point(|g| g.revision < ghost.revision);
                    self.ready.insert(place, ghost);
                    found = true;
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => self.job = None,
            }
        }
        if found {
            self.draw();
        }
        found
    }

    /// The stretch that is played; `None` before there is one.
    pub fn excerpt(&self) -> Option<&Arc<Excerpt>> {
        self.excerpt.as_ref()
    }

    /// Whether a thread is still computing ghosts.
    pub fn is_running(&self) -> bool {
        self.job.is_some()
    }

    /// The ghosts that are ready, by ascending number of their revision.
    pub fn ghosts(&self) -> &[Ghost] {
        &self.ready
    }

    /// Forgets all ghosts.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The ghosts as they are drawn.
    pub fn picture(&self) -> &Arc<GhostPicture> {
        &self.picture
    }

    /// The motion of the newest ghost and of the one that it is compared with; `None` until both are ready.
    pub fn compared(&self) -> Option<&Arc<MotionPair>> {
        self.compared.as_ref()
    }

    /// The ghost that the newest one is compared with, and the newest one; `None` until both are ready.
    fn pair(&self) -> Option<(&Ghost, &Ghost)> {
        let new = self.ready.last()?;
        let Some(revision) = &self.reference.revision else {
            let old = self.ready.len().checked_sub(2)?;
            return Some((&self.ready[old], new));
        };
        let old = match self.other_reference() {
            Some(_) => self.of_reference.as_ref(),
            None => self.ready.iter().find(|ghost| ghost.revision == revision.number),
        };
        Some((old?, new))
    }

    fn draw(&mut self) {
        let pair = self.pair();
        let picture = self.drawn(pair);
        let compared = pair.and_then(|(old, new)| {
            let hz = f64::from(new.motion.hz.max(1));
            Some(MotionPair {
                name: self.picked.as_ref()?.name.to_string(),
                revisions: [old.revision, new.revision],
                old: old.motion.clone(),
                new: new.motion.clone(),
                parts_at: new.parts_from(old).map(|tick| tick as f64 / hz),
            })
        });
        self.picture = Arc::new(picture);
        self.compared = compared.map(Arc::new);
    }

    fn drawn(&self, pair: Option<(&Ghost, &Ghost)>) -> GhostPicture {
        let count = self.ready.len();
        let fade = |index: usize| (index + 1) as f64 / count as f64;
        let paths = self.ready.iter().enumerate();
        let mut paths: Vec<_> = paths.map(|(i, g)| (g.path.clone(), fade(i))).collect();
        let Some((old, new)) = pair else {
            return GhostPicture { paths, ..GhostPicture::default() };
        };
        if self.reference.revision.is_some() {
            // Edits in between are summed.
            paths = [old, new].map(|ghost| (ghost.path.clone(), 1.0)).into();
        }
        let parts_at = new.parts_from(old).and_then(|tick| new.path.get(tick).or(old.path.get(tick)).copied());
        let outlines = if cfg!(feature = "disk") { outlines_apart(old, new) } else { Vec::new() };
        GhostPicture { paths, parts_at, lines: self.reference.lines(old, new), outlines }
    }
}

/// The most changes that are remembered, and the most points of their paths: a marked stretch can be long.
const MOST_CHANGES: usize = 64;
const MOST_POINTS: usize = 400_000;

/// The ghosts that were shown at each position of the timeline.
#[derive(Clone, Default)]
pub struct GhostRecord {
    /// The positions from which other ghosts were shown, ascending; `None` for none.
    changes: VecDeque<(u64, Option<Arc<GhostPicture>>)>,
}

impl GhostRecord {
    /// Notes what is shown from a position on.
    pub fn note(&mut self, position: u64, ghosts: Option<&Arc<GhostPicture>>) {
        let ghosts = ghosts.filter(|ghosts| !ghosts.paths.is_empty());
        // Time may have been turned back: what was shown later was dropped.
        while self.changes.back().is_some_and(|(at, _)| *at >= position) {
            self.changes.pop_back();
        }
        let last = self.changes.back().and_then(|(_, last)| last.as_ref());
        if last.map(Arc::as_ptr) == ghosts.map(Arc::as_ptr) {
            return;
        }
        self.changes.push_back((position, ghosts.cloned()));
        let points = |(_, ghosts): &(u64, Option<Arc<GhostPicture>>)| {
            let paths = ghosts.iter().flat_map(|ghosts| &ghosts.paths);
            paths.map(|(path, _)| path.len()).sum::<usize>()
        };
        let mut kept: usize = self.changes.iter().map(points).sum();
        while self.changes.len() > MOST_CHANGES || kept > MOST_POINTS && self.changes.len() > 1 {
            kept -= self.changes.pop_front().as_ref().map_or(0, points);
        }
    }

    /// What was shown at a position.
    pub fn at(&self, position: u64) -> Option<&GhostPicture> {
        let after = self.changes.partition_point(|(at, _)| *at <= position);
        let (_, ghosts) = self.changes.get(after.checked_sub(1)?)?;
        ghosts.as_deref()
    }
}

#[cfg(test)]
#[path = "../tests/unit/ghosts.rs"]
mod tests;
