//! What an edit is judged by: the marks A and B, the loop between them, and the ghosts of the last edits.

use super::{ghosts::GhostRace, *};

/// A marked moment, which can be restored whatever happens to the timeline.
#[derive(Clone)]
pub struct MarkedWorld {
    /// Its position; `None` once that part of the timeline was dropped.
    pub position: Option<u64>,
    pub world: Arc<World>,
    pub revision: Arc<Revision>,
}

/// A stretch that is played again and again.
pub struct Looping {
    pub excerpt: Arc<Excerpt>,
    /// Its first world under the newest revision that it was played under.
    opening: Option<(Arc<Revision>, Arc<World>)>,
    /// The position at which the current round began; none is as late before the first.
    pub began: u64,
    /// The number of rounds that have begun.
    pub rounds: u64,
}

impl Looping {
    /// The place of a position in the current round.
    pub fn place(&self, position: u64) -> Option<u64> {
        position.checked_sub(self.began).filter(|place| *place < self.excerpt.ticks())
    }

    /// The input of the tick after a position of the current round.
    pub fn input(&self, position: u64, revision: &Revision) -> Option<Inputs> {
        self.excerpt.input_under(position.checked_sub(self.began)?, revision)
    }
}

/// The stretch that is compared, and how it goes under several revisions.
#[derive(Default)]
pub struct EditComparison {
    /// Mark A.
    mark: Option<MarkedWorld>,
    /// The stretch from mark A to mark B.
    marked: Option<Arc<Excerpt>>,
    /// Where the timeline has that stretch, unless it was dropped there.
    marked_at: Option<Range<u64>>,
    /// The loop, if it runs.
    looping: Option<Looping>,
    /// The stretch of the last edit without marks.
    last: Option<Arc<Excerpt>>,
    pub race: GhostRace,
    pub hidden: bool,
    /// What the newest version is compared with.
    with: CompareWith,
    /// The pinned version, and the number of edits before it.
    pinned: Option<(Arc<Revision>, u64)>,
    /// The number of edits so far; a drag of a slider is one.
    edits: u64,
    /// When which ghosts were shown.
    record: GhostRecord,
}

impl EditComparison {
    pub fn mark(&self) -> Option<&MarkedWorld> {
        self.mark.as_ref()
    }

    /// Sets mark A at the shown tick. The stretch marked before is forgotten, and its loop ends.
    pub fn mark_a(&mut self, line: &PlayedLine) {
        let revision = line.live.revision().clone();
        self.mark = Some(MarkedWorld { position: Some(line.at()), world: line.shared_world(), revision });
        (self.marked, self.looping) = (None, None);
        self.marked_at = None;
    }

    /// Where the timeline has the marked stretch.
    #[cfg(feature = "disk")]
    pub fn marked_at(&self) -> Option<&Range<u64>> {
        self.marked_at.as_ref()
    }

    /// Sets mark B at the shown tick. Returns the ticks of the marked stretch.
    ///
    /// # Errors
    /// Why there is none between the marks.
    pub fn mark_b(&mut self, line: &PlayedLine) -> Result<u64, &'static str> {
        let mark = self.mark.as_ref().ok_or("mark A first")?;
        let stretch = match mark.position {
            None => Err("mark A is in a part that was dropped; set it again, or restart at it"),
            Some(a) if a >= line.at() => Err("mark B must be after mark A"),
            Some(a) => Excerpt::of(&line.timeline, a..line.at())
                .ok_or("the level was restarted after mark A; set it again, or restart at it"),
        };
        let stretch = stretch?;
        let ticks = stretch.ticks();
        self.marked_at = Some(stretch.positions());
        self.marked = Some(Arc::new(stretch));
        self.race.clear();
        self.refer(line);
        Ok(ticks)
    }

    /// The stretch between the marks.
    pub fn marked(&self) -> Option<&Arc<Excerpt>> {
        self.marked.as_ref()
    }

    /// The stretch that is looked at: between the marks, of the ghosts, or the last seconds.
    pub fn stretch(&self, line: &PlayedLine) -> Option<Arc<Excerpt>> {
        self.known_stretch().cloned().or_else(|| line.last_stretch(self.last.clone()))
    }

    /// The stretch between the marks, or of the ghosts.
    pub fn known_stretch(&self) -> Option<&Arc<Excerpt>> {
        self.marked.as_ref().or(self.race.excerpt())
    }

    /// A record in which the ghosts that are shown now are shown all the time.
    pub fn shown_always(&self) -> GhostRecord {
        let mut record = GhostRecord::default();
        record.note(0, (!self.hidden).then(|| self.race.picture()));
        record
    }

    /// The game continues from mark A, which is at this position now.
    pub fn move_mark(&mut self, position: u64) {
        if let Some(mark) = &mut self.mark {
            mark.position = Some(position);
        }
    }

    /// The timeline was cut at a position.
    pub fn cut(&mut self, position: u64) {
        if let Some(mark) = &mut self.mark {
            mark.position = mark.position.filter(|marked| *marked <= position);
        }
        self.marked_at = self.marked_at.take().filter(|marked| marked.end <= position);
    }

    pub fn looping(&self) -> Option<&Looping> {
        self.looping.as_ref()
    }

    /// Starts the loop of the marked stretch. Returns whether there is one.
    pub fn start_loop(&mut self) -> bool {
        let start = |excerpt| Looping { excerpt, opening: None, began: u64::MAX, rounds: 0 };
        self.looping = self.marked.clone().map(start);
        self.looping.is_some()
    }

    /// Ends the loop. Returns whether it ran.
    pub fn end_loop(&mut self) -> bool {
        self.looping.take().is_some()
    }

    /// The next round of the loop begins at the end of the timeline: its first world under the newest revision.
    pub fn begin_round(&mut self, line: &PlayedLine) -> Option<Arc<World>> {
        let (looping, latest) = (self.looping.as_mut()?, line.latest());
        let known = looping.opening.take().filter(|(revision, _)| Arc::ptr_eq(revision, latest));
        let start = || Arc::new(looping.excerpt.start_under(latest).world().clone());
        let world = known.map_or_else(start, |(_, world)| world);
        looping.opening = Some((latest.clone(), world.clone()));
        looping.rounds += 1;
        looping.began = line.timeline.end();
        Some(world)
    }

    /// The stretch that the next edit is judged by: between the marks, or the last seconds.
    pub fn next_stretch(&mut self, line: &PlayedLine) -> Option<Arc<Excerpt>> {
        self.marked.clone().or_else(|| {
            self.last = line.last_stretch(self.last.take());
            self.last.clone()
        })
    }

    /// An edit was made: plays the stretch that it is judged by under the old and the new revision, and the reference.
    pub fn run(&mut self, line: &PlayedLine, old: &Arc<Revision>) {
        self.edits += 1;
        let old = self.race.before_skipped(old);
        self.play(line, &old);
    }

    /// Leaves out a revision that was only passed through: what comes next continues the edit.
    pub fn skip(&mut self, number: u64) {
        self.edits = self.edits.saturating_sub(1);
        self.race.skip(number);
    }

    fn play(&mut self, line: &PlayedLine, old: &Arc<Revision>) {
        match (self.next_stretch(line), line.picked()) {
            (Some(stretch), Some(picked)) => {
                self.race.run(&stretch, picked, [old, line.latest()], self.reference(line));
            }
            _ => self.race.clear(),
        }
    }

    fn reference(&self, line: &PlayedLine) -> ReferenceRevision {
        let (revision, edits) = match self.with {
            CompareWith::LastEdit => (None, 1),
            CompareWith::SavedFiles => (Some(line.tuning.base().clone()), line.tuning.changes().len() as u64),
            CompareWith::Pinned => match &self.pinned {
                Some((pinned, before)) => (Some(pinned.clone()), self.edits.saturating_sub(*before)),
                None => (None, 1),
            },
        };
        ReferenceRevision { with: self.with, revision, edits }
    }

    /// What the newest version is compared with.
    pub fn compares_with(&self) -> CompareWith {
        self.with
    }

    /// Compares with the next reference. The version that is played now is pinned if none is.
    pub fn compare_with_next(&mut self, line: &PlayedLine) {
        self.with = self.with.next();
        if self.with == CompareWith::Pinned && self.pinned.is_none() {
            self.pinned = Some((line.latest().clone(), self.edits));
        }
        self.refer(line);
    }

    /// Pins the version that is played now, and compares with it.
    pub fn pin(&mut self, line: &PlayedLine) {
        self.with = CompareWith::Pinned;
        self.pinned = Some((line.latest().clone(), self.edits));
        self.refer(line);
    }

    /// The number of the pinned revision.
    pub fn pinned(&self) -> Option<u64> {
        self.pinned.as_ref().map(|(revision, _)| revision.number)
    }

    /// Brings the comparison with the reference up to date, without an edit.
    pub fn refer(&mut self, line: &PlayedLine) {
        if self.race.has_stretch() {
            self.race.refer_to(self.reference(line));
        } else if self.with != CompareWith::LastEdit {
            self.play(line, line.latest());
        }
    }

    /// The ghosts as they are drawn.
    pub fn picture(&self) -> Arc<GhostPicture> {
        if self.hidden { Arc::default() } else { self.race.picture().clone() }
    }

    /// Notes which ghosts are shown at a position, for films.
    pub fn note_shown(&mut self, position: u64) {
        let shown = (!self.hidden).then(|| self.race.picture());
        self.record.note(position, shown);
    }

    pub fn record(&self) -> &GhostRecord {
        &self.record
    }
}
