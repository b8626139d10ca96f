//! Playing a recording again, and comparing every tick with it.

use super::{run::check_whole, *};
use hangtime_game::recording::{EntityRow, ROW_FIELDS, RecordedRevision, RecordedTicks, rows_of};

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
    /// The difference with which the first revision begins.
    opening: Option<Divergence>,
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
    /// The replay differs from the recording. Or saving and loading made a difference in heavy mode, or compiling a call,
    /// if scripts are executed [both ways](Execution::BothWays).
    Differs(Divergence),
}

/// Why a recording is not played to its end.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The recording is damaged, or its files cannot be built.
    #[error(transparent)]
    Recording(#[from] Error),
    /// An observer could not write its output, or has ended the replay.
    #[error(transparent)]
    Output(#[from] io::Error),
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
            opening: None,
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

    /// Builds the first revision, and returns the game that begins under it. What is watched there is watched until the end.
    ///
    /// # Errors
    /// If the recording is damaged, or its files cannot be built.
    pub fn open(&mut self) -> Result<&mut Live, Error> {
        if self.live.is_none() {
            match self.reader.next_line()? {
                Some(RecordingLine::Revision(revision)) => self.opening = self.begin(*revision)?,
                Some(RecordingLine::Ticks(_)) => return Err(self.wrong("there are ticks before the first revision")),
                Some(RecordingLine::End { .. }) | None => {
                    return Err(self.wrong("the recording ends before its first revision"));
                }
            }
        }
        // `begin` has made one.
        match self.live {
            Some(ref mut live) => Ok(live),
            None => Err(Diagnostic::about_file(self.reader.name(), "nothing was played").into()),
        }
    }

    /// Plays the recording and compares the worlds. Observers see the start and every tick.
    ///
    /// # Errors
    /// If the recording is damaged or its files cannot be built; the first error of an observer; and
    /// [`Interrupted`](io::ErrorKind::Interrupted) if scripts were stopped in a tick, which no observer sees.
    pub fn play(&mut self, observers: &mut [&mut dyn Observer]) -> Result<ReplayOutcome, ReplayError> {
        let live = self.open()?;
        observers.iter_mut().try_for_each(|observer| observer.observe(live))?;
        if let Some(difference) = self.opening.take() {
            return Ok(ReplayOutcome::Differs(difference));
        }
        while !self.is_over() {
            let Some(line) = self.reader.next_line()? else {
                break;
            };
            let difference = match line {
                RecordingLine::Revision(revision) => {
                    let is_other_world = revision.start == RevisionStart::World;
                    let difference = self.begin(*revision)?;
                    if let Some(live) = self.live.as_ref().filter(|_| is_other_world) {
                        observers.iter_mut().try_for_each(|observer| observer.change_level(live))?;
                    }
                    difference
                }
                RecordingLine::Ticks(ticks) => self.step_all(&ticks, observers)?,
                RecordingLine::End { ticks, hash } if ticks == self.ticks => {
                    let played = self.live.as_ref().map(|live| live.world().hash());
                    if played.is_some_and(|played| played != hash) {
                        return Err(self.wrong("the hash at its end is not the hash of its last tick").into());
                    }
                    // Nothing may follow.
                    self.reader.next_line()?;
                    self.complete = true;
                    None
                }
                RecordingLine::End { ticks, .. } => {
                    let message = format!("the recording ends after {ticks} ticks, but holds {}", self.ticks);
                    return Err(self.wrong(message).into());
                }
            };
            if let Some(difference) = difference {
                return Ok(ReplayOutcome::Differs(difference));
            }
        }
        Ok(ReplayOutcome::Same { complete: self.complete })
    }

    fn is_over(&self) -> bool {
        self.complete || self.until.is_some_and(|until| self.ticks >= until)
    }

    fn wrong(&self, message: impl Into<String>) -> Error {
        Diagnostic::about_file(self.reader.name(), message).into()
    }

    /// Continues under a revision.
    fn begin(&mut self, mut recorded: RecordedRevision) -> Result<Option<Divergence>, Error> {
        if recorded.tick != self.ticks {
            return Err(self.wrong(format!(
                "revision {} is recorded at tick {}, but comes after {} ticks",
                recorded.revision, recorded.tick, self.ticks
            )));
        }
        let revision = Arc::new(self.files.build(self.reader.header(), &mut recorded)?);
        let watched = self.live.as_ref().map(|live| live.world().watched());
        let world = first_world(&self.reader, &mut recorded, &revision)?;
        let mut live = match (world, self.live.take()) {
            (Some(world), None) => Live::resume(revision, world),
            (Some(world), Some(_)) if recorded.start == RevisionStart::World => Live::resume(revision, world),
            (None, Some(mut live)) => {
                live.adopt(revision);
                live
            }
            _ => return Err(self.wrong("only the first revision begins at the level's start, and it adopts no world")),
        };
        if let Some(watched) = watched.filter(|watched| live.world().watched() != *watched) {
            live.watch(watched);
        }
        self.twin = self.is_heavy.then(|| HeavyTwin::new(&live));
        self.revisions += 1;
        self.rows.clear();
        let live = self.live.insert(live);
        let got = live.world().hash();
        if got != recorded.hash() {
            let field = format!("hash under revision {}", recorded.revision);
            return Ok(Some(differs(self.ticks, self.ticks, hashes(field, recorded.hash(), got))));
        }
        Ok(None)
    }

    /// Makes recorded ticks.
    fn step_all(
        &mut self,
        recorded: &RecordedTicks,
        observers: &mut [&mut dyn Observer],
    ) -> Result<Option<Divergence>, ReplayError> {
        if recorded.from != self.ticks {
            return Err(self
                .wrong(format!("ticks from {} on come after {} ticks", recorded.from, self.ticks))
                .into());
        }
        let Some(live) = &mut self.live else {
            return Err(self.wrong("nothing was played").into());
        };
        for (index, inputs) in recorded.inputs().iter().enumerate() {
            if self.until.is_some_and(|until| self.ticks >= until) {
                break;
            }
            let stepped = step(live, &mut self.twin, inputs);
            check_whole()?;
            if let Err(divergence) = stepped {
                return Ok(Some(divergence));
            }
            self.ticks += 1;
            observers.iter_mut().try_for_each(|observer| observer.observe(live))?;
            if let Some(difference) = live.take_call_difference() {
                return Ok(Some(difference.into()));
            }
            self.rows.extend(recorded.moved(index));
            if live.world().hash() != recorded.hash(index) {
                return Ok(Some(self.explain(recorded, index)?));
            }
        }
        Ok(None)
    }

    /// Names what differs after a tick of a stretch.
    fn explain(&mut self, recorded: &RecordedTicks, index: usize) -> Result<Divergence, Error> {
        let tick = self.ticks;
        let Some(live) = &mut self.live else {
            return Err(self.wrong("nothing was played"));
        };
        if let Some(found) = first_row_difference(live, &self.rows) {
            return Ok(differs(tick, tick, found));
        }
        let by_hash = hashes("hash".into(), recorded.hash(index), live.world().hash());
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
                if let Some(found) = world_difference(&expected, live.world()) {
                    return Ok(differs(tick, shown_at, found));
                }
                break;
            }
            rest = match self.reader.next_line() {
                Ok(Some(RecordingLine::Ticks(next))) => Some(next),
                _ => None,
            };
        }
        Ok(differs(tick, tick, by_hash))
    }
}

/// The world with which a revision of a recording begins. `None` if the running one continues.
pub fn first_world(
    reader: &RecordingReader,
    recorded: &mut RecordedRevision,
    revision: &Revision,
) -> Result<Option<World>, Error> {
    let wrong = |message: String| Err(Diagnostic::about_file(reader.name(), message).into());
    match (recorded.start, recorded.world.take()) {
        (RevisionStart::Level, _) => Ok(Some(World::new(&revision.stage, reader.header().seed))),
        (RevisionStart::World, Some(saved)) => match saved.read().map(|saved| saved.check(&revision.stage)) {
            Ok(Ok(world)) => Ok(Some(world)),
            Ok(Err(error)) => wrong(error.to_string()),
            Err(error) => wrong(format!("a recorded world is damaged: {error}")),
        },
        (RevisionStart::Adopt | RevisionStart::World, _) => Ok(None),
    }
}

/// A difference from the recording that begins in a tick and shows in the same one or later.
fn differs(tick: u64, shown_at: u64, found: FieldDifference) -> Divergence {
    let at = if shown_at == tick { String::new() } else { format!(" at tick {shown_at}") };
    let FieldDifference { field, expected, got, .. } = &found;
    let message = format!("different at tick {tick}: `{field}`{at}: expected {expected}, got {got}");
    Divergence { shown_at, ..Divergence::new(tick, found, message) }
}

fn hashes(field: String, expected: u64, got: u64) -> FieldDifference {
    FieldDifference { field, expected: hex(expected), got: hex(got), note: String::new() }
}

/// The first number of an entity that differs from the recorded ones.
fn first_row_difference(live: &Live, expected: &BTreeMap<u32, EntityRow>) -> Option<FieldDifference> {
    let world = live.world();
    let name = |id: u32| {
        let entity = world.entities().iter().find(|e| e.id.0 == id);
        entity.map_or_else(|| format!("entity {id}"), |e| e.name.to_string())
    };
    let differs = |field, expected, got| Some(FieldDifference { field, expected, got, note: String::new() });
    rows_of(world).iter().find_map(|(id, row)| match expected.get(id) {
        None => differs(name(*id), "no such entity".into(), "an entity".into()),
        Some(recorded) => {
            let mut fields = ROW_FIELDS.iter().zip(recorded).zip(row);
            let ((field, expected), got) = fields.find(|((_, a), b)| a.to_bits() != b.to_bits())?;
            differs(format!("{}.{field}", name(*id)), expected.to_string(), got.to_string())
        }
    })
}
