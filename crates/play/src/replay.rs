//! Playing a recording again, and comparing every tick with it.

use super::difference::first_value_difference;
use super::heavy::{Divergence, HeavyTwin};
use hangtime_game::recording::{
    EntityRow, ROW_FIELDS, RecordedFiles, RecordedRevision, RecordedTicks, RecordingLine, RecordingReader,
    RevisionStart, rows_of,
};
use hangtime_game::{Error, Live};
use hangtime_script::{CallDifference, Diagnostic, Execution};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A recording that is played again.
pub struct Replay {
    reader: RecordingReader,
    files: RecordedFiles,
    live: Option<Live>,
    /// Whether there is a twin that is saved and loaded before every tick.
    is_heavy: bool,
    twin: Option<HeavyTwin>,
    /// The number of ticks after which it ends, if not at the end of the recording.
    until: Option<u64>,
    ticks: u64,
    revisions: u64,
    /// The recorded numbers of the entities in the last tick.
    rows: BTreeMap<u32, EntityRow>,
    complete: bool,
}

/// How a replay went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayOutcome {
    /// Every compared tick was the same.
    Same {
        /// Whether everything was compared: the recording has its end, and was played up to there.
        complete: bool,
    },
    /// Something differs.
    Differs(ReplayDifference),
    /// A script call did something else when it was compiled. Only if scripts are executed
    /// [both ways](Execution::BothWays).
    CallDiffers(CallDifference),
    /// Saving and loading made a difference in heavy mode.
    Diverges(Divergence),
}

/// The first difference between a recording and its replay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ReplayDifference {
    /// The first tick that differs, counted from the start of the recording.
    pub tick: u64,
    /// The tick whose recorded state shows the difference: the same one, or a later one if it is in
    /// something of which the recording has not the state of every tick.
    pub shown_at: u64,
    /// What differs: the entity's name and the field, or the path in the saved world.
    pub field: String,
    /// What was recorded.
    pub expected: String,
    /// What the replay has.
    pub got: String,
}

impl std::fmt::Display for ReplayDifference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { tick, shown_at, field, expected, got } = self;
        write!(f, "tick {tick}: `{field}`")?;
        if shown_at != tick {
            write!(f, " at tick {shown_at}")?;
        }
        write!(f, ": expected {expected}, got {got}")
    }
}

impl Replay {
    /// Prepares to play a recording, up to a tick if `until` is given, counted from its start.
    pub fn new(reader: RecordingReader, until: Option<u64>) -> Self {
        Self {
            reader,
            files: RecordedFiles::default(),
            live: None,
            is_heavy: false,
            twin: None,
            until,
            ticks: 0,
            revisions: 0,
            rows: BTreeMap::new(),
            complete: false,
        }
    }

    /// The same with scripts that are executed like this. Whatever it is, the recording plays the same.
    pub fn run_scripts(self, execution: Execution) -> Self {
        Self { files: self.files.run_scripts(execution), ..self }
    }

    /// The same in heavy mode: a twin of the game is saved and loaded before every tick.
    pub fn heavy(self) -> Self {
        Self { is_heavy: true, ..self }
    }

    /// The number of ticks that were played.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The number of revisions that were played.
    pub fn revisions(&self) -> u64 {
        self.revisions
    }

    /// The game, once the first revision was read.
    pub fn live(&self) -> Option<&Live> {
        self.live.as_ref()
    }

    /// Plays the recording and compares the worlds. `observe` is called at its start and after each tick.
    ///
    /// # Errors
    /// If the recording is damaged, or its files cannot be built.
    pub fn play(&mut self, observe: &mut dyn FnMut(&mut Live)) -> Result<ReplayOutcome, Error> {
        while !self.is_over() {
            let Some(line) = self.reader.next_line()? else {
                break;
            };
            let difference = match line {
                RecordingLine::Revision(revision) => self.begin(*revision, observe)?,
                RecordingLine::Ticks(ticks) => self.step_all(&ticks, observe)?,
                RecordingLine::End { ticks, hash } if ticks == self.ticks => {
                    let played = self.live.as_ref().map(|live| live.world().hash());
                    if played.is_some_and(|played| played != hash) {
                        return Err(self.wrong("the hash at its end is not that of its last tick"));
                    }
                    // Nothing may follow.
                    self.reader.next_line()?;
                    self.complete = true;
                    None
                }
                RecordingLine::End { ticks, .. } => {
                    let message = format!("the recording ends after {ticks} ticks, but holds {}", self.ticks);
                    return Err(self.wrong(message));
                }
            };
            if let Some(outcome) = difference {
                return Ok(outcome);
            }
        }
        if self.live.is_none() {
            return Err(self.wrong("the recording ends before its first revision"));
        }
        Ok(ReplayOutcome::Same { complete: self.complete })
    }

    fn is_over(&self) -> bool {
        self.complete || self.until.is_some_and(|until| self.ticks >= until && self.live.is_some())
    }

    fn wrong(&self, message: impl Into<String>) -> Error {
        Diagnostic::about_file(self.reader.name(), message).into()
    }

    /// Continues under a revision.
    fn begin(
        &mut self,
        mut recorded: RecordedRevision,
        observe: &mut dyn FnMut(&mut Live),
    ) -> Result<Option<ReplayOutcome>, Error> {
        if recorded.tick != self.ticks {
            return Err(self.wrong(format!(
                "revision {} is recorded at tick {}, but comes after {} ticks",
                recorded.revision, recorded.tick, self.ticks
            )));
        }
        let header = self.reader.header().clone();
        let revision = Arc::new(self.files.build(&header, &mut recorded)?);
        let live = match (recorded.start, self.live.take()) {
            (RevisionStart::Level, None) => Live::new(revision, header.seed),
            (RevisionStart::Adopt, Some(mut live)) => {
                live.adopt(revision);
                live
            }
            (RevisionStart::World, _) => {
                let Some(saved) = recorded.world.take() else {
                    return Err(self.wrong("a revision that begins with a world has none"));
                };
                let world = saved
                    .read()
                    .map_err(|error| self.wrong(format!("a recorded world is damaged: {error}")))?
                    .check(&revision.stage)
                    .map_err(|error| self.wrong(error.to_string()))?;
                Live::resume(revision, world)
            }
            (RevisionStart::Level, Some(_)) => {
                return Err(self.wrong("a revision in the middle begins at the level's start"));
            }
            (RevisionStart::Adopt, None) => {
                return Err(self.wrong("the first revision adopts a world, but there is none"));
            }
        };
        self.twin = self.is_heavy.then(|| HeavyTwin::new(&live));
        self.revisions += 1;
        self.rows.clear();
        let live = self.live.insert(live);
        if live.world().hash() != recorded.hash() {
            let difference = ReplayDifference {
                tick: self.ticks,
                shown_at: self.ticks,
                field: format!("hash under revision {}", recorded.revision),
                expected: recorded.hash.clone(),
                got: format!("{:016x}", live.world().hash()),
            };
            return Ok(Some(ReplayOutcome::Differs(difference)));
        }
        if self.ticks == 0 {
            observe(live);
        }
        Ok(None)
    }

    /// Makes recorded ticks.
    fn step_all(
        &mut self,
        recorded: &RecordedTicks,
        observe: &mut dyn FnMut(&mut Live),
    ) -> Result<Option<ReplayOutcome>, Error> {
        if recorded.from != self.ticks {
            return Err(self.wrong(format!("ticks from {} on come after {} ticks", recorded.from, self.ticks)));
        }
        let Some(live) = &mut self.live else {
            return Err(self.wrong("there are ticks before the first revision"));
        };
        for (index, inputs) in recorded.inputs().iter().enumerate() {
            if self.until.is_some_and(|until| self.ticks >= until) {
                break;
            }
            match &mut self.twin {
                None => {
                    live.step(inputs);
                }
                Some(twin) => {
                    if let Err(divergence) = twin.step(live, inputs) {
                        return Ok(Some(ReplayOutcome::Diverges(divergence)));
                    }
                }
            }
            self.ticks += 1;
            observe(live);
            if let Some(difference) = live.take_call_difference() {
                return Ok(Some(ReplayOutcome::CallDiffers(difference)));
            }
            self.rows.extend(recorded.moved(index));
            if live.world().hash() != recorded.hash(index) {
                return self.explain(recorded, index).map(Some);
            }
        }
        Ok(None)
    }

    /// Names what differs after a tick of a stretch.
    fn explain(&mut self, recorded: &RecordedTicks, index: usize) -> Result<ReplayOutcome, Error> {
        let tick = self.ticks;
        let Some(live) = &mut self.live else {
            return Err(self.wrong("nothing was played"));
        };
        let mut difference = ReplayDifference {
            tick,
            shown_at: tick,
            field: "hash".into(),
            expected: format!("{:016x}", recorded.hash(index)),
            got: format!("{:016x}", live.world().hash()),
        };
        if let Some((field, expected, got)) = first_row_difference(live, &self.rows) {
            (difference.field, difference.expected, difference.got) = (field, expected, got);
            return Ok(ReplayOutcome::Differs(difference));
        }
        // Something else differs. The next recorded world shows what.
        let mut rest: Option<RecordedTicks> = Some(recorded.clone());
        let mut from = index + 1;
        let mut shown_at = tick;
        while let Some(stretch) = rest {
            for inputs in stretch.inputs().iter().skip(from) {
                live.step(inputs);
                shown_at += 1;
            }
            from = 0;
            if let Some(expected) = &stretch.world {
                let expected = expected.value().unwrap_or_default();
                if let Some((field, [expected, got])) = world_difference(&expected, live) {
                    (difference.field, difference.expected, difference.got) = (field, expected, got);
                    difference.shown_at = shown_at;
                }
                break;
            }
            rest = match self.reader.next_line() {
                Ok(Some(RecordingLine::Ticks(next))) => Some(next),
                _ => None,
            };
        }
        Ok(ReplayOutcome::Differs(difference))
    }
}

/// The first number of an entity that differs from the recorded ones: its name, and both values.
fn first_row_difference(live: &Live, expected: &BTreeMap<u32, EntityRow>) -> Option<(String, String, String)> {
    let world = live.world();
    let name = |id: u32| {
        let entity = world.entities().iter().find(|e| e.id.0 == id);
        entity.map_or_else(|| format!("entity {id}"), |e| e.name.to_string())
    };
    let got = rows_of(world);
    for (id, row) in &got {
        let Some(recorded) = expected.get(id) else {
            return Some((name(*id), "no such entity".into(), "an entity".into()));
        };
        for ((field, expected), got) in ROW_FIELDS.iter().zip(recorded).zip(row) {
            if expected.to_bits() != got.to_bits() {
                let field = format!("{}.{field}", name(*id));
                return Some((field, expected.to_string(), got.to_string()));
            }
        }
    }
    None
}

/// The first field of a recorded world that differs from the running one.
fn world_difference(expected: &Value, live: &Live) -> Option<(String, [String; 2])> {
    let got = serde_json::to_value(live.world()).ok()?;
    first_value_difference(expected, &got)
}
