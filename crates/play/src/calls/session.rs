//! What a test plays levels with, and what the runner learns from it.

use super::*;
use hangtime_script::{budget::is_interrupted, reads_tables};

/// The largest number of ticks that one test can play: more than four hours at 60 Hz.
pub const MAX_TICKS: u64 = 1_000_000;

/// The most memory that the levels and snapshots of one test can hold, in bytes, as they estimate it.
const MAX_MEMORY: u64 = 192 << 20;

/// What the functions of a test script work with. Copies share it.
#[derive(Clone)]
pub struct TestSession(Arc<Session>);

struct Session {
    levels: Option<TestLevels>,
    may_emit: MayEmit,
    record: Mutex<TestRecord>,
}

/// Record of the running test.
#[derive(Default)]
pub struct TestRecord {
    /// The tick of the level that was played last; none before the first `play`.
    pub tick: Option<u64>,
    pub(super) played: u64,
    held: u64,
    /// The reason given to `known_failure`; the first one counts.
    pub known_failure: Option<String>,
    /// Warnings for the author of the test.
    pub warnings: Mistakes,
}

impl ObjectType for TestSession {
    const OWNER: Owner = Owner::Free;
}

impl TestSession {
    /// A session that plays these levels, or none; `may_emit` says whether some script of the game emits an event.
    pub fn new(levels: Option<TestLevels>, may_emit: MayEmit) -> Self {
        Self(Arc::new(Session { levels, may_emit, record: Mutex::default() }))
    }

    /// The record of the running test.
    pub(crate) fn record(&self) -> MutexGuard<'_, TestRecord> {
        self.0.record.lock()
    }

    /// Clears the record: a test begins.
    pub fn begin(&self) {
        let mut record = self.record();
        // What the last test still holds counts until it is dropped.
        *record = TestRecord { held: record.held, ..TestRecord::default() };
    }

    /// Whether some script of the game may emit an event.
    pub(super) fn may_emit(&self, name: &str) -> bool {
        (self.0.may_emit)(name)
    }

    /// The levels that can be played now.
    pub(super) fn levels(&self) -> Result<&TestLevels, CallRefusal> {
        match &self.0.levels {
            Some(levels) if !reads_tables() => Ok(levels),
            _ => refuse("a table of cases is read before tests run, and cannot play levels"),
        }
    }

    /// Checks that the test is not interrupted: a call of a test may take much longer than its operations.
    pub(super) fn check_wanted(&self) -> Result<(), CallRefusal> {
        if is_interrupted() { refuse("the test was interrupted") } else { Ok(()) }
    }

    /// Checks that the test can play this many more ticks.
    pub(super) fn check_ticks(&self, ticks: u64) -> Result<(), CallRefusal> {
        let all = self.record().played.saturating_add(ticks);
        if all > MAX_TICKS {
            return refuse(format!("a test can play at most {MAX_TICKS} ticks; with this call they would be {all}"));
        }
        Ok(())
    }

    /// Counts a tick.
    pub(super) fn count_tick(&self) -> Result<(), CallRefusal> {
        self.check_wanted()?;
        let mut record = self.record();
        record.played += 1;
        if record.played > MAX_TICKS {
            return refuse(format!("a test can play at most {MAX_TICKS} ticks"));
        }
        Ok(())
    }

    /// Begins to count memory that a level or a snapshot holds.
    pub(super) fn hold(&self, bytes: u64) -> Result<HeldMemory, CallRefusal> {
        let mut memory = HeldMemory { session: self.clone(), bytes: 0 };
        memory.set(bytes)?;
        Ok(memory)
    }

    /// Adds warnings for the author of the test.
    pub(super) fn warn(&self, warnings: Vec<Diagnostic>) {
        self.record().warnings.extend(warnings);
    }
}

/// Memory that a level or a snapshot holds, until it is dropped.
pub struct HeldMemory {
    session: TestSession,
    bytes: u64,
}

impl HeldMemory {
    /// Sets how much it is.
    ///
    /// # Errors
    /// If the test holds too much.
    pub fn set(&mut self, bytes: u64) -> Result<(), CallRefusal> {
        let mut record = self.session.record();
        record.held = record.held.saturating_sub(self.bytes) + bytes;
        self.bytes = bytes;
        if record.held <= MAX_MEMORY {
            return Ok(());
        }
        refuse(format!(
            "the levels and snapshots that this test holds need more than {} MiB; keep fewer of them \
             in variables, or play for a shorter time",
            MAX_MEMORY >> 20
        ))
    }
}

impl Drop for HeldMemory {
    fn drop(&mut self) {
        let mut record = self.session.record();
        record.held = record.held.saturating_sub(self.bytes);
    }
}

/// Operations charged for opening a level, whose files are read and built.
const PER_LEVEL: u64 = 20_000;

const LEVEL: Param = param("level", Type::Name(Names::Level), "");

/// Adds `known_failure` and `play`.
pub fn add(table: &mut ObjectCalls) {
    table.topic(Topic::Expectations);
    add_calls! { table;
        /// Marks this test as expected to fail. It counts as passed while it fails, and as failed once it passes.
        call known_failure(param("why", Type::Text, ""));
        "known_failure(\"the jump is not high enough yet\");\nexpect(hero.y).above(100000);";
        |session: &TestSession, args| {
            let why = args.text(0)?;
            if why.trim().is_empty() {
                return refuse("`known_failure` needs the reason why the test fails");
            }
            session.record().known_failure.get_or_insert_with(|| why.to_string());
            Ok(CallAnswer::Nothing)
        };
    }
    table.topic(Topic::Play);
    add_calls! { table;
        /// Opens a level at tick 0: a file next to the test or in `levels/`.
        call play(LEVEL) -> Type::Test;
        "let t = play(\"playground.toml\");";
        play;

        /// With settings that override the files, as `--set` does, and with the random `seed` of the level, 0 without
        /// one. Limits of scripts can only be lowered.
        call play(LEVEL, param("settings", Type::Data, "")) -> Type::Test;
        "let t = play(\"playground.toml\", #{ \"simulation.tick_hz\": 120, seed: 7 });";
        play;
    }
}

fn play<'a>(session: &'a TestSession, args: Args<'a>) -> Answered<'a> {
    let level = args.text(0)?;
    let mut settings = Settings::new();
    match args.get(1) {
        Arg::Foreign(map) => map.each_entry(&mut |key, value| {
            settings.push((key.to_string(), setting_text(value)?));
            Ok(())
        })?,
        Arg::Nothing => {}
        other => return refuse(format!("{} must be a map, not {}", args.parameter(1), other.type_name())),
    }
    charge(PER_LEVEL)?;
    session.check_wanted()?;
    let game = session.levels()?.play(level, settings)?;
    Ok(CallAnswer::object(TestLevel::new(game, session)?))
}

/// The value of a setting as TOML.
pub fn setting_text(value: Arg<'_>) -> Result<String, CallRefusal> {
    match value {
        Arg::Text(text) => Ok(format!("{text:?}")),
        Arg::Flag(x) => Ok(x.to_string()),
        other => match other.written() {
            Some(number) => Ok(number),
            None => refuse(format!("a setting must be a number, text, or true or false, not {}", other.type_name())),
        },
    }
}
