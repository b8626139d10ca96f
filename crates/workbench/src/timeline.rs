//! Everything since the start: inputs, revisions, and worlds from which every recent tick can be played again.

use super::{
    keyframes::{Keyframe, thin},
    session_recording::SessionRecording,
    *,
};

/// Everything since the start of a session.
///
/// A *position* counts the ticks since then; unlike the world's tick it continues over restarts. The inputs
/// of all positions that can be shown are kept. The line consists of chapters: each begins with a world and runs under one
/// revision. Keyframes within a chapter make every position reachable; they are dense in the last minute
/// and sparse before. When chapters or inputs take too much memory, the oldest are dropped, and positions before
/// them can no longer be shown.
pub struct Timeline {
    tape: InputTape,
    chapters: VecDeque<Chapter>,
    hz: u32,
    /// How often the line was cut, to distinguish stretches with the same positions.
    cuts: u64,
    /// Where everything is written as it happens.
    recording: Option<SessionRecording>,
}

/// A part of the line that runs under one revision.
struct Chapter {
    start: u64,
    revision: Arc<Revision>,
    /// Whether it continues the world of the chapter before it, under another revision. Otherwise the level was
    /// restarted there, or a marked world was restored.
    continues: bool,
    /// The first one is at the start, after the revision was adopted.
    keyframes: Vec<Keyframe>,
}

impl Timeline {
    /// A line that begins with this game.
    pub fn new(live: &Live) -> Self {
        let mut line = Self {
            tape: InputTape::default(),
            chapters: VecDeque::new(),
            hz: live.revision().stage.hz,
            cuts: 0,
            recording: None,
        };
        line.open_chapter(live.revision().clone(), Arc::new(live.world().clone()), false);
        line
    }

    /// The newest position: the number of ticks since the start.
    pub fn end(&self) -> u64 {
        self.tape.len()
    }

    /// The oldest position that can be shown.
    pub fn begin(&self) -> u64 {
        self.chapters.front().map_or(0, |chapter| chapter.start)
    }

    /// How often later parts were dropped.
    pub fn cuts(&self) -> u64 {
        self.cuts
    }

    /// The input of the step from a position to the next.
    pub fn input(&self, position: u64) -> Option<&Inputs> {
        self.tape.at(position)
    }

    /// The actions of the game that the inputs of some positions mean, from each of these ticks on, counted from the first
    /// position: a reload may have changed them.
    pub fn actions(&self, positions: Range<u64>) -> Vec<(u64, OwnActions)> {
        let chapters = self.chapters.iter().filter(|c| c.start < positions.end);
        let of = |chapter: &Chapter| {
            let from = chapter.start.saturating_sub(positions.start);
            (from, chapter.revision.stage.actions.clone())
        };
        chapters.map(of).collect()
    }

    /// The inputs of the steps from `positions.start` to `positions.end`.
    pub fn inputs(&self, positions: Range<u64>) -> InputTape {
        self.tape.slice(positions)
    }

    /// About how many bytes the inputs take.
    pub fn input_bytes(&self) -> u64 {
        self.tape.bytes()
    }

    /// About how many bytes keyframes and revisions take.
    pub fn weight(&self) -> u64 {
        let keyframes = self.chapters.iter().flat_map(|c| &c.keyframes);
        keyframes.map(|k| k.bytes).sum::<u64>() + self.revisions_weight()
    }

    /// The number of keyframes.
    pub fn keyframes(&self) -> usize {
        self.chapters.iter().map(|c| c.keyframes.len()).sum()
    }

    fn revisions_weight(&self) -> u64 {
        let mut last: Option<&Arc<Revision>> = None;
        let mut sum = 0;
        for chapter in &self.chapters {
            if last.is_none_or(|last| !Arc::ptr_eq(last, &chapter.revision)) {
                sum += revision_weight(&chapter.revision, last.map(|last| &**last));
            }
            last = Some(&chapter.revision);
        }
        sum
    }

    /// Records a step that was made at the end of the line.
    pub fn record(&mut self, inputs: &Inputs, live: &Live) {
        self.tape.push(inputs);
        if let Some(recording) = &mut self.recording {
            recording.step(inputs, live.world());
        }
        let end = self.end();
        let Some(chapter) = self.chapters.back_mut() else {
            return;
        };
        let last = chapter.keyframes.last().map_or(chapter.start, |k| k.position);
        if end - last >= KEYFRAME_TICKS {
            let world = Arc::new(live.world().clone());
            chapter.keyframes.push(Keyframe::new(end, world));
            self.thin();
            if self.tape.bytes() > INPUT_BYTES {
                self.drop_inputs();
            }
        }
    }

    /// Drops the oldest inputs, with what was played with them up to a keyframe.
    fn drop_inputs(&mut self) {
        let until = self.tape.end_of_run(self.tape.runs() / 8).unwrap_or(0);
        while self.chapters.get(1).is_some_and(|second| second.start <= until) {
            self.chapters.pop_front();
        }
        if let Some(first) = self.chapters.front_mut() {
            let before = first.keyframes.partition_point(|keyframe| keyframe.position <= until);
            first.keyframes.drain(..before.saturating_sub(1));
            first.start = first.keyframes.first().map_or(first.start, |keyframe| keyframe.position);
        }
        self.tape.forget_before(self.begin());
    }

    /// Continues the line with another world or another revision. At the start of a chapter it replaces that
    /// chapter: no tick was made under its revision.
    pub fn open_chapter(&mut self, revision: Arc<Revision>, world: Arc<World>, continues: bool) {
        if let Some(recording) = &mut self.recording {
            if continues {
                recording.adopt(&revision, &world)
            } else {
                recording.resume(&revision, &world)
            }
        }
        let start = self.end();
        let mut continues = continues && !self.chapters.is_empty();
        if self.chapters.back().is_some_and(|last| last.start == start) {
            let replaced = self.chapters.pop_back();
            continues &= replaced.is_some_and(|c| c.continues);
        }
        let mut opening = Keyframe::new(start, world);
        // A loop begins every time with the same world.
        let shared = self.chapters.back().and_then(|c| c.keyframes.first());
        if shared.is_some_and(|other| Arc::ptr_eq(&other.world, &opening.world)) {
            opening.bytes = 0;
        }
        self.chapters.push_back(Chapter { start, revision, continues, keyframes: vec![opening] });
        self.thin();
    }

    /// Drops everything after a position. `live` is the game there.
    pub fn cut(&mut self, position: u64, live: &Live) {
        if position >= self.end() {
            return;
        }
        if let Some(recording) = &mut self.recording {
            recording.resume(live.revision(), live.world());
        }
        self.cuts += 1;
        self.tape.truncate(position);
        while self.chapters.len() > 1 && self.chapters.back().is_some_and(|c| c.start > position) {
            self.chapters.pop_back();
        }
        if let Some(chapter) = self.chapters.back_mut() {
            chapter.keyframes.retain(|k| k.position <= position);
        }
    }

    /// Writes everything that happens from now on into a file, until [`end_recording`](Self::end_recording).
    pub fn record_into(&mut self, output: RecordingOutput, live: &Live) {
        self.recording = Some(SessionRecording::start(output, live));
    }

    /// Completes the recording: its path and the number of its ticks, or why it could not be written.
    pub fn end_recording(&mut self, world: &World) -> Option<Result<(PathBuf, u64), String>> {
        Some(self.recording.take()?.finish(world))
    }

    /// Why nothing more is recorded, once.
    pub fn take_recording_failure(&mut self) -> Option<String> {
        self.recording.as_mut()?.take_failure()
    }

    /// The chapters that begin within some positions: where, under which revision, and whether they continue the world before
    /// them.
    pub fn chapters(&self, positions: Range<u64>) -> impl Iterator<Item = (u64, &Arc<Revision>, bool)> {
        let first = self.chapters.partition_point(|c| c.start < positions.start);
        let within = self.chapters.range(first..).take_while(move |c| c.start < positions.end);
        within.map(|c| (c.start, &c.revision, c.continues))
    }

    /// The runs of equal inputs within some positions, in their order.
    pub fn runs_in(&self, positions: Range<u64>) -> impl Iterator<Item = (Range<u64>, &Inputs)> {
        self.tape.runs_in(positions)
    }

    /// The number of chapters that have begun at a position; the one it belongs to is the last of them.
    fn begun(&self, position: u64) -> usize {
        self.chapters.partition_point(|c| c.start <= position)
    }

    fn chapter_of(&self, position: u64) -> Option<&Chapter> {
        self.chapters.get(self.begun(position).checked_sub(1)?)
    }

    /// The revision under which the state at a position is.
    pub fn revision_at(&self, position: u64) -> Option<&Arc<Revision>> {
        self.chapter_of(position).map(|c| &c.revision)
    }

    /// The oldest position from which play continued without a restart up to `position`.
    pub fn continuous_from(&self, position: u64) -> u64 {
        let mut earlier = self.chapters.iter().take(self.begun(position)).rev();
        earlier.find(|c| !c.continues).map_or(self.begin(), |c| c.start)
    }

    /// The last position up to which play continued without a restart and under the same revision.
    pub fn chapter_end(&self, position: u64) -> u64 {
        self.chapters.get(self.begun(position)).map_or(self.end(), |c| c.start)
    }

    /// The last position up to which play continued without a restart, under any revision.
    pub fn continuous_until(&self, position: u64) -> u64 {
        let mut later = self.chapters.iter().skip(self.begun(position));
        later.find(|c| !c.continues).map_or(self.end(), |c| c.start)
    }

    /// Whether a position can be reached from an earlier one by ticks alone.
    pub fn is_same_chapter(&self, earlier: u64, later: u64) -> bool {
        self.begun(earlier) == self.begun(later)
    }

    /// The latest keyframe at least `lead` ticks before a position, or else the start of its chapter; with
    /// the revision of both.
    pub fn keyframe_before(&self, position: u64, lead: u64) -> Option<(u64, &Arc<World>, &Arc<Revision>)> {
        let chapter = self.chapter_of(position)?;
        let latest = position.saturating_sub(lead);
        let after = chapter.keyframes.partition_point(|k| k.position <= latest);
        let keyframe = &chapter.keyframes[after.saturating_sub(1)];
        Some((keyframe.position, &keyframe.world, &chapter.revision))
    }

    /// Plays a game again up to a position, from at least `lead` ticks before it if its chapter is that long,
    /// and calls `observe` after each tick. What scripts print and their errors were reported the first
    /// time. Returns whether the position can be reached.
    pub fn seek(&self, live: &mut Live, position: u64, lead: u64, mut observe: impl FnMut(&Live)) -> bool {
        let Some((from, world, revision)) = self.keyframe_before(position, lead) else {
            return false;
        };
        if position > self.end() {
            return false;
        }
        let watched = live.world().watched();
        restore(live, revision, World::clone(world), watched);
        for index in from..position {
            let Some(inputs) = self.tape.at(index) else {
                return false;
            };
            live.step(inputs);
            observe(live);
        }
        true
    }

    fn thin(&mut self) {
        let end = self.end();
        let mut lists: Vec<&mut Vec<Keyframe>> = self.chapters.iter_mut().map(|c| &mut c.keyframes).collect();
        let fits = thin(&mut lists, end, self.hz);
        if !fits {
            self.drop_chapter();
        }
        let too_many = |line: &Self| line.chapters.len() > MOST_CHAPTERS || line.revisions_weight() > REVISION_BYTES;
        while too_many(self) && self.chapters.len() > 1 {
            self.drop_chapter();
        }
    }

    fn drop_chapter(&mut self) {
        if self.chapters.len() > 1 {
            self.chapters.pop_front();
            self.tape.forget_before(self.begin());
        }
    }
}

/// Puts a world into a game, under its revision.
pub fn restore(live: &mut Live, revision: &Arc<Revision>, world: World, watched: Watch) {
    if Arc::ptr_eq(live.revision(), revision) {
        live.restore(world);
    } else {
        live.resume_with(revision.clone(), world);
        if live.world().watched() != watched {
            live.watch(watched);
        }
    }
}
