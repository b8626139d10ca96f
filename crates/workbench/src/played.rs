//! The game at the shown position of the timeline, and what is watched of it.

use super::{
    panel::{LiveTuning, MotionTrace},
    timeline::restore,
    *,
};
use hangtime_game::WhyPanel;

/// Seconds of the stretch that is played again after an edit, if no marks are set, and of the path behind the
/// picked entity.
pub const STRETCH_SECONDS: u64 = 3;

/// Ticks before the shown one whose decisions the `why` panel lists.
const WHY_TICKS: u64 = 30;

/// Input that was recorded after the shown tick, before an edit changed what came after it.
struct InputAhead {
    /// The position of its first tick.
    start: u64,
    tape: InputTape,
}

/// The game that is played, with its past.
pub struct PlayedLine {
    /// The game at the shown position.
    pub live: Live,
    pub timeline: Timeline,
    /// The shown position of the timeline.
    at: u64,
    /// The newest revision that was accepted. Play continues under it.
    latest: Arc<Revision>,
    /// What the tuning panel changes about the files.
    pub tuning: LiveTuning,
    ahead: Option<InputAhead>,
    picked: Option<PickedEntity>,
    /// The motion of the picked entity, for plots.
    motion: MotionTrace,
    why: Option<WhyPanel>,
    /// Whether the shown world has changed since the last frame.
    pub moved: bool,
}

impl PlayedLine {
    pub fn new(live: Live) -> Self {
        let latest = live.revision().clone();
        let mut line = Self {
            timeline: Timeline::new(&live),
            at: 0,
            tuning: LiveTuning::new(latest.clone()),
            latest,
            ahead: None,
            picked: PickedEntity::first(live.world()),
            motion: MotionTrace::default(),
            why: None,
            moved: true,
            live,
        };
        line.record_motion();
        line
    }

    pub fn at(&self) -> u64 {
        self.at
    }

    pub fn latest(&self) -> &Arc<Revision> {
        &self.latest
    }

    pub fn picked(&self) -> Option<&PickedEntity> {
        self.picked.as_ref()
    }

    pub fn picked_entity(&self) -> Option<&Entity> {
        let world = self.live.world();
        Some(&world.entities()[self.picked.as_ref()?.index_in(world)?])
    }

    pub fn hz(&self) -> u32 {
        self.latest.stage.hz
    }

    /// A number of ticks in seconds.
    pub fn seconds(&self, ticks: u64) -> f64 {
        ticks as f64 / f64::from(self.hz())
    }

    /// The number of ticks that were played after the shown one.
    pub fn later(&self) -> u64 {
        self.timeline.end() - self.at
    }

    /// Whether the shown tick is under the newest revision.
    pub fn is_latest(&self) -> bool {
        Arc::ptr_eq(self.live.revision(), &self.latest)
    }

    pub fn shared_world(&self) -> Arc<World> {
        Arc::new(self.live.world().clone())
    }

    /// Continues the shown tick under the newest revision.
    pub fn adopt_latest(&mut self) {
        if !self.is_latest() {
            self.live.adopt(self.latest.clone());
        }
    }

    /// Continues the end of the timeline under a new revision. Returns the one before it.
    pub fn adopt(&mut self, revision: Arc<Revision>) -> Arc<Revision> {
        self.live.adopt(revision.clone());
        self.moved = true;
        let old = mem::replace(&mut self.latest, revision);
        self.timeline.open_chapter(self.latest.clone(), self.shared_world(), true);
        old
    }

    /// Makes a tick at the end of the timeline.
    pub fn advance(&mut self, inputs: &Inputs) {
        self.step(inputs);
        self.timeline.record(inputs, &self.live);
        self.at = self.timeline.end();
        self.record_motion();
        self.moved = true;
    }

    fn step(&mut self, inputs: &Inputs) {
        self.live.step(inputs);
        if let Some(panel) = &mut self.why {
            panel.record(&self.live);
        }
    }

    /// Shows another position.
    pub fn seek(&mut self, position: u64) {
        let is_near = position > self.at && position - self.at < WHY_TICKS;
        if is_near && self.timeline.is_same_chapter(self.at, position) {
            for index in self.at..position {
                let Some(inputs) = self.timeline.input(index).cloned() else {
                    break;
                };
                self.step(&inputs);
            }
        } else {
            // The panel lists what was decided shortly before the shown tick.
            self.reopen_why();
            let mut panel = self.why.take();
            let lead = if panel.is_some() { WHY_TICKS } else { 0 };
            let record = |live: &Live| panel.iter_mut().for_each(|panel| panel.record(live));
            self.timeline.seek(&mut self.live, position, lead, record);
            self.why = panel;
        }
        self.at = position;
        self.moved = true;
    }

    /// Drops everything after the shown position.
    pub fn cut(&mut self) {
        self.timeline.cut(self.at, &self.live);
        self.motion.cut(self.at);
    }

    /// Puts another world into the game.
    pub fn restore(&mut self, revision: &Arc<Revision>, world: &World) {
        let watched = self.live.world().watched();
        restore(&mut self.live, revision, world.clone(), watched);
    }

    /// Puts another world into the game, under a revision that replaces the newest one.
    pub fn resume(&mut self, revision: Arc<Revision>, world: &World) {
        self.tuning = LiveTuning::new(revision.clone());
        self.restore(&revision, world);
        self.latest = revision;
    }

    /// The game was restarted, or another world was put into it: the timeline continues with it.
    pub fn begin_chapter(&mut self, world: Arc<World>) {
        self.at = self.timeline.end();
        self.ahead = None;
        self.timeline.open_chapter(self.latest.clone(), world, false);
        self.moved = true;
    }

    /// The game begins with another world, so nothing was played before.
    pub fn begin_again(&mut self) {
        self.timeline = Timeline::new(&self.live);
    }

    /// Before an edit in the past drops what came after it: its input is kept, to be played again.
    pub fn keep_input_ahead(&mut self) {
        let until = self.timeline.continuous_until(self.at);
        let mut tape = self.timeline.inputs(self.at..until);
        if let Some(old) = &self.ahead
            && until == self.timeline.end()
            && until >= old.start
        {
            tape.append(&old.tape.slice(until - old.start..old.tape.len()));
        }
        if !tape.is_empty() {
            self.ahead = Some(InputAhead { start: self.at, tape });
        }
    }

    /// The kept input of the next tick.
    pub fn input_ahead(&self) -> Option<Inputs> {
        let ahead = self.ahead.as_ref()?;
        ahead.tape.at(self.at.checked_sub(ahead.start)?).cloned()
    }

    /// Forgets the kept input: the players have gone another way.
    pub fn drop_input_ahead(&mut self) {
        self.ahead = None;
    }

    /// The last seconds before the shown position, without a restart in them. If the picked entity has not moved in them,
    /// they are earlier, and end when it had just come to rest: there is something to compare then.
    pub fn last_positions(&self) -> Range<u64> {
        let hz = u64::from(self.hz());
        let length = STRETCH_SECONDS * hz;
        let earliest = self.timeline.continuous_from(self.at).max(self.timeline.begin());
        let moved = self.motion.last_moved(self.at).filter(|moved| *moved > earliest);
        let end = moved.map_or(self.at, |moved| moved + hz / 2);
        let end = if end + length > self.at + hz / 2 { self.at } else { end };
        end.saturating_sub(length).max(earliest)..end
    }

    /// The last seconds as something that can be played again; `last` if it is still the same.
    pub fn last_stretch(&self, last: Option<Arc<Excerpt>>) -> Option<Arc<Excerpt>> {
        let positions = self.last_positions();
        if positions.is_empty() {
            return None;
        }
        last.filter(|excerpt| excerpt.is_still(&self.timeline, &positions))
            .or_else(|| Excerpt::of(&self.timeline, positions).map(Arc::new))
    }

    /// The picked entity with its current id, or the first one if it is gone.
    pub fn found_again(&self) -> Option<PickedEntity> {
        let same = self.picked_entity().map(PickedEntity::of);
        same.or_else(|| PickedEntity::first(self.live.world()))
    }

    /// The entity after the picked one.
    pub fn next_entity(&self) -> Option<PickedEntity> {
        let world = self.live.world();
        let current = self.picked.as_ref().and_then(|picked| picked.index_in(world));
        let next = current.map_or(0, |index| index + 1);
        world.entities().get(next).or(world.entities().first()).map(PickedEntity::of)
    }

    /// Picks an entity, whose path is drawn and whose motion is explained.
    pub fn pick(&mut self, picked: Option<PickedEntity>) {
        self.picked = picked;
        self.motion.clear();
        self.record_motion();
    }

    /// Plays the last seconds again to find the motion of an entity that has just been picked.
    pub fn rebuild_motion(&mut self) {
        let Some(picked) = self.picked.clone() else {
            return;
        };
        let lead = STRETCH_SECONDS * u64::from(self.hz());
        let Some((from, ..)) = self.timeline.keyframe_before(self.at, lead) else {
            return;
        };
        let mut live = Live::resume(self.live.revision().clone(), self.live.world().clone());
        let motion = &mut self.motion;
        let mut position = from;
        motion.clear();
        self.timeline.seek(&mut live, self.at, lead, |live| {
            position += 1;
            let world = live.world();
            if let Some(index) = picked.index_in(world) {
                motion.put(MotionSample::of(live, &world.entities()[index], position));
            }
        });
        self.record_motion();
    }

    /// Records the motion of the picked entity.
    pub fn record_motion(&mut self) {
        match self.picked_entity().map(|entity| MotionSample::of(&self.live, entity, self.at)) {
            Some(sample) => self.motion.put(sample),
            None => self.motion.cut(self.at.saturating_sub(1)),
        }
    }

    /// The motion of the picked entity in the last seconds before the shown tick.
    pub fn motion(&self) -> MotionRun {
        self.motion.until(self.at, self.hz())
    }

    pub fn why(&self) -> Option<&WhyPanel> {
        self.why.as_ref()
    }

    /// Opens the panel that explains the motion of the picked entity.
    pub fn open_why(&mut self) {
        let name = self.picked.as_ref().map(|picked| picked.name.clone());
        self.why = Some(WhyPanel::open(&mut self.live, name.unwrap_or_default()));
    }

    /// Closes the panel that explains motion. Returns whether it was open.
    pub fn close_why(&mut self) -> bool {
        let open = self.why.take();
        open.map(|panel| panel.close(&mut self.live)).is_some()
    }

    /// Begins the panel that explains motion again, if it is open.
    pub fn reopen_why(&mut self) {
        if let Some(panel) = &mut self.why {
            *panel = WhyPanel::open(&mut self.live, panel.name().clone());
        }
    }
}

/// What is known of the input, for the timeline that one can grab.
#[cfg(feature = "disk")]
impl PlayedLine {
    /// The position at which the known input ends: what was played and, after it, the kept input.
    pub fn known_end(&self) -> u64 {
        let end = self.timeline.end();
        self.ahead.as_ref().map_or(end, |ahead| end.max(ahead.start + ahead.tape.len()))
    }

    /// The run of the level that a position belongs to, and whether known input after it would belong to it as well.
    pub fn run_at(&self, position: u64) -> (Range<u64>, bool) {
        let end = self.timeline.end();
        let start = self.timeline.continuous_from(position).max(self.timeline.begin());
        match self.timeline.continuous_until(position) {
            until if until < end => (start..until, false),
            _ => (start..self.known_end(), true),
        }
    }

    /// The known input of some positions, none of which is forgotten, with the actions of the newest revision.
    pub fn known_inputs(&self, positions: Range<u64>) -> InputTape {
        let end = self.timeline.end();
        let actions = &self.latest.stage.actions;
        let played = positions.start..positions.end.min(end);
        let made = self.timeline.actions(played.clone());
        let mut tape = self.timeline.inputs(played);
        if made.iter().any(|(_, made)| made != actions) {
            let mut translated = InputTape::default();
            for tick in 0..tape.len() {
                let mut inputs = tape.at(tick).cloned().unwrap_or_default();
                if let Some((_, made)) = made.iter().rev().find(|(from, _)| *from <= tick) {
                    inputs.translate(made, actions);
                }
                translated.push(&inputs);
            }
            tape = translated;
        }
        if let Some(ahead) = &self.ahead
            && positions.end > end
        {
            let place = |position: u64| position.saturating_sub(ahead.start);
            tape.append(&ahead.tape.slice(place(positions.start.max(end))..place(positions.end)));
        }
        tape
    }

    /// Keeps input from the end of the line on, which steps forward play.
    pub fn put_input_ahead(&mut self, tape: InputTape) {
        self.ahead = (!tape.is_empty()).then(|| InputAhead { start: self.timeline.end(), tape });
    }
}
