//! The decisions of hot reload: when files are read, built, adopted, reported or left alone.
//!
//! The machine has neither a thread nor a clock. It reads and builds with a [`CandidateBuilder`], so a
//! test can step it through any order of events.

use super::{
    calm::{CalmFiles, ContentHashes, changed_files},
    half::{Files, gone_numbers, half_saved, kept_numbers, lost_files},
};
use crate::{
    Error, Revision,
    files::{GameFolder, SourceSet},
};
use hangtime_script::Diagnostic;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

/// How often all files are read again without any notification, for file systems that send none.
pub const RESCAN: Duration = Duration::from_secs(2);

/// A file that is gone, empty or cut, and one that lost hooks or entities, counts as half-saved for this
/// long.
pub const HALF_SAVED: Duration = Duration::from_secs(1);

/// How soon files that did not stay the same are read again.
const RETRY: Duration = Duration::from_millis(100);

/// Files that change for this long without a pause are reported.
const RESTLESS: Duration = Duration::from_secs(5);

/// The hooks of each script, by the script's path.
pub type ScriptHooks = BTreeMap<String, Vec<String>>;

/// The files once two readings in a row were equal, or the names of those that change too often for
/// that.
pub type Readout = Result<SourceSet, Vec<String>>;

/// Reads the files of a level, and builds candidates from them.
pub trait CandidateBuilder {
    /// A reading in progress.
    type Reading;
    /// A finished candidate.
    type Candidate;
    /// A build in progress.
    type Pending;

    /// Starts to read the files.
    fn read(&self) -> Self::Reading;

    /// Waits for a reading. There is no result if it was given up.
    ///
    /// # Errors
    /// If it takes too long. It can be waited for again: `again` is set then, and an unfinished
    /// reading is an error at once.
    fn wait_for_reading(&self, reading: &Self::Reading, again: bool) -> Result<Option<Readout>, Error>;

    /// Starts to build revision `number`.
    fn start(&self, sources: SourceSet, number: u64) -> Self::Pending;

    /// Waits for a build, whose result is the candidate or what is wrong with the files.
    ///
    /// # Errors
    /// If it takes too long. It can be waited for again: `again` is set then, and an unfinished
    /// build is an error at once.
    fn wait(&self, pending: &Self::Pending, again: bool) -> Result<Result<Self::Candidate, Error>, Error>;

    /// The hooks of a candidate's scripts.
    fn hooks(&self, candidate: &Self::Candidate) -> ScriptHooks;

    /// Notes that a candidate runs from now on.
    fn accepted(&mut self, _candidate: &Self::Candidate) {}

    /// Adds warnings to a candidate.
    fn warn(&self, candidate: &mut Self::Candidate, warnings: Vec<Diagnostic>);
}

/// What a change on disk led to.
#[derive(Debug)]
pub enum Notice<T = Arc<Revision>> {
    /// A new revision is ready for [`Live::adopt`](crate::Live::adopt).
    Ready {
        /// The new revision; its number is one higher.
        revision: T,
        /// The files that changed, by their paths below the game folder.
        changed: Vec<String>,
        /// The time from reading the files to the finished revision.
        took: Duration,
        /// What is said about files that are gone and whose numbers stay in effect: an error for each of them.
        kept: Vec<Diagnostic>,
    },
    /// The files have errors. The running revision stays.
    Broken(Vec<Diagnostic>),
    /// The files are back to what the running revision was built from.
    Reverted,
}

impl<T> Notice<T> {
    /// The same about a revision that can be shared.
    #[cfg(feature = "disk")]
    pub(crate) fn shared(self) -> Notice<Arc<T>> {
        match self {
            Self::Ready { revision, changed, took, kept } => {
                Notice::Ready { revision: Arc::new(revision), changed, took, kept }
            }
            Self::Broken(wrong) => Notice::Broken(wrong),
            Self::Reverted => Notice::Reverted,
        }
    }
}

/// The revision that runs when the machine starts.
pub struct RunningRevision {
    /// Its number.
    pub number: u64,
    /// The hashes of all files that were read.
    pub hashes: ContentHashes,
    /// The files.
    pub files: Files,
    /// The hooks of its scripts.
    pub hooks: ScriptHooks,
}

/// The files of one reading.
struct ReadFiles {
    hashes: ContentHashes,
    files: Files,
    /// Files that are gone and whose numbers stay in effect, as they were.
    kept: Files,
}

/// A finished build that is accepted if its files stay as they are.
struct Waiting<T> {
    read: ReadFiles,
    built: Result<T, Error>,
    /// The time from reading the files to the finished build.
    took: Duration,
}

/// Turns the state of a folder into notices, one look at a time.
pub struct ReloadMachine<B: CandidateBuilder> {
    /// Where the time comes from.
    folder: GameFolder,
    builder: B,
    number: u64,
    /// The files that the running revision was built from.
    live: ReadFiles,
    /// The hooks of each script of the running revision.
    hooks: ScriptHooks,
    /// The files of the last build, whether it succeeded or not.
    seen: ContentHashes,
    /// A finished build whose files may still change.
    waiting: Option<Waiting<B::Candidate>>,
    /// The files of that build that look half-saved: their content and when it was first read.
    doubts: BTreeMap<String, (Option<[u8; 32]>, Duration)>,
    /// Whether files have stopped changing.
    calm: CalmFiles,
    /// Since when the files have not stayed the same for two readings.
    restless: Option<Duration>,
    /// A reading that exceeded the deadline. There is never a second one: a folder on a disk that does
    /// not answer would leave one more thread behind with every look.
    reading: Option<B::Reading>,
    /// Whether the last reading may be older than the last event.
    outdated: bool,
    /// A build that exceeded the deadline, and the files it was made from.
    slow: Option<(B::Pending, ReadFiles)>,
    /// The files that were reported as gone, and those among them without which the level was started again.
    gone: BTreeSet<String>,
    given_up: BTreeSet<String>,
}

impl<B: CandidateBuilder> ReloadMachine<B> {
    /// A machine for a folder, whose file system is also its clock.
    pub fn new(folder: GameFolder, builder: B, running: RunningRevision) -> Self {
        Self {
            folder,
            builder,
            number: running.number,
            seen: running.hashes.clone(),
            calm: CalmFiles::new(running.hashes.clone()),
            live: ReadFiles { hashes: running.hashes, files: running.files, kept: Files::new() },
            hooks: running.hooks,
            waiting: None,
            doubts: BTreeMap::new(),
            restless: None,
            reading: None,
            outdated: false,
            slow: None,
            gone: BTreeSet::new(),
            given_up: BTreeSet::new(),
        }
    }

    /// The longest time until the next look if no change is reported.
    pub fn patience(&self) -> Duration {
        if self.restless.is_some() || self.reading.is_some() || self.outdated {
            return RETRY;
        }
        if self.waiting.is_none() {
            return RESCAN;
        }
        self.left_to_wait(self.now()).min(RESCAN)
    }

    /// The level was started again: files that were reported as gone are given up, and the defaults apply with the next
    /// look.
    pub fn restarted(&mut self) {
        if !self.gone.is_empty() {
            self.given_up.append(&mut self.gone);
            self.seen.clear();
        }
    }

    /// How long the files still have to stay the same.
    fn left_to_wait(&self, now: Duration) -> Duration {
        let half = self.doubts.values().map(|(_, since)| *since + HALF_SAVED);
        let half = half.max().unwrap_or_default().saturating_sub(now);
        half.max(self.calm.left(now))
    }

    fn now(&self) -> Duration {
        self.folder.files().now()
    }

    /// The time that has passed since a moment.
    fn since(&self, moment: Duration) -> Duration {
        self.now().saturating_sub(moment)
    }

    /// Reads the files, and builds a candidate if they have changed.
    pub fn look(&mut self) -> Option<Notice<B::Candidate>> {
        let started = self.now();
        let first = self.reading.is_none();
        let mut sources = match self.read() {
            Ok(Ok(sources)) => sources,
            Ok(Err(changing)) => return self.wait_for_rest(changing, started),
            Err(slow) if first => return self.report(slow.diagnostics()),
            Err(_) => return None,
        };
        self.restless = None;
        let mut read = ReadFiles { hashes: sources.hashes(), files: sources.files.clone(), kept: Files::new() };
        self.calm.note(&read.hashes, self.now());
        // What was waited for is dropped if its files have changed since.
        if let Some(waiting) = self.waiting.take()
            && waiting.read.hashes == read.hashes
        {
            return self.decide(waiting, started);
        }
        // So is a slow build. Should its files come back, they are built again.
        if let Some((build, of)) = self.slow.take() {
            if of.hashes == read.hashes {
                return self.wait_for(build, of, true, started);
            }
            self.seen.clear();
        }
        if read.hashes == self.seen {
            self.doubts.clear();
            return None;
        }
        if read.hashes == self.live.hashes {
            self.doubts.clear();
            self.gone.clear();
            self.seen = read.hashes;
            return Some(Notice::Reverted);
        }
        for missing in [&mut self.gone, &mut self.given_up] {
            missing.retain(|name| !read.files.contains_key(name));
        }
        // What could not be read is reported anyway.
        if sources.unreadable.is_empty() {
            read.kept = gone_numbers(&self.live.files, &read.files);
            read.kept.retain(|name, _| !self.given_up.contains(name));
            sources.files.extend(read.kept.clone());
        }
        let build = self.builder.start(sources, self.number + 1);
        self.wait_for(build, read, false, started)
    }

    /// Reads the files, or waits for the reading that is in progress.
    fn read(&mut self) -> Result<Readout, Error> {
        loop {
            let late = self.reading.take();
            self.outdated = late.is_some();
            let reading = late.unwrap_or_else(|| self.builder.read());
            match self.builder.wait_for_reading(&reading, self.outdated) {
                Ok(Some(readout)) => return Ok(readout),
                Ok(None) => {}
                Err(failed @ Error::Internal { .. }) => return Err(failed),
                Err(slow) => {
                    self.reading = Some(reading);
                    return Err(slow);
                }
            }
        }
    }

    /// Reports why the files cannot be read, once.
    fn report(&mut self, wrong: Vec<Diagnostic>) -> Option<Notice<B::Candidate>> {
        let hashes: ContentHashes = wrong.iter().map(|d| (d.headline(), [0; 32])).collect();
        if self.seen == hashes {
            return None;
        }
        // Whatever is read next is reported again.
        self.seen = hashes;
        Some(Notice::Broken(wrong))
    }

    /// Reports files that keep changing, once they have done so for a while.
    fn wait_for_rest(&mut self, changing: Vec<String>, now: Duration) -> Option<Notice<B::Candidate>> {
        self.waiting = None;
        let since = *self.restless.get_or_insert(now);
        let message = "this file keeps changing; it is read again when it stays the same";
        let about = |name: &String| Diagnostic::about_file(name, message);
        if now.saturating_sub(since) < RESTLESS {
            return None;
        }
        self.report(changing.iter().map(about).collect())
    }

    /// Waits for a candidate. One that exceeds the deadline is reported once and asked again later.
    fn wait_for(
        &mut self,
        build: B::Pending,
        read: ReadFiles,
        again: bool,
        started: Duration,
    ) -> Option<Notice<B::Candidate>> {
        match self.builder.wait(&build, again) {
            Ok(built) => {
                let took = self.since(started);
                self.doubt(&read, &built);
                let waiting = Waiting { read, built, took };
                self.decide(waiting, started)
            }
            Err(slow) => {
                let reported = self.seen == read.hashes;
                self.seen = read.hashes.clone();
                self.slow = Some((build, read));
                (!reported).then(|| Notice::Broken(slow.diagnostics()))
            }
        }
    }

    /// Notes which files of a finished build look half-saved, and since when: those that are gone, as
    /// some programs save by removing them first, or empty or cut, and scripts that have lost hooks.
    fn doubt(&mut self, read: &ReadFiles, built: &Result<B::Candidate, Error>) {
        let mut half = half_saved(&self.live.files, &read.files);
        // What was reported as gone has been gone for long enough.
        half.retain(|name| !self.gone.contains(name) && !self.given_up.contains(name));
        if let Ok(candidate) = built {
            half.extend(lost_hooks(&self.hooks, &self.builder.hooks(candidate)));
        }
        let now = self.now();
        let before = std::mem::take(&mut self.doubts);
        for name in half {
            let content = read.hashes.get(&name).copied();
            let known = before.get(&name).filter(|(known, _)| *known == content);
            self.doubts.insert(name, (content, known.map_or(now, |(_, since)| *since)));
        }
    }

    /// Accepts a finished build once its files have stayed the same for long enough.
    fn decide(&mut self, waiting: Waiting<B::Candidate>, started: Duration) -> Option<Notice<B::Candidate>> {
        if self.left_to_wait(started).is_zero() {
            return Some(self.accept(waiting, started));
        }
        self.waiting = Some(waiting);
        None
    }

    /// Makes a finished build the running revision, or reports its errors.
    fn accept(&mut self, waiting: Waiting<B::Candidate>, started: Duration) -> Notice<B::Candidate> {
        let Waiting { read, built, took } = waiting;
        self.calm.accepted(started);
        self.seen = read.hashes.clone();
        let kept = kept_numbers(&read.kept);
        self.gone = read.kept.keys().cloned().collect();
        let mut candidate = match built {
            Ok(candidate) => candidate,
            Err(wrong) => return Notice::Broken([wrong.diagnostics(), kept].concat()),
        };
        let changed = changed_files(&self.live.hashes, &read.hashes);
        if !kept.is_empty() && changed.iter().all(|name| read.kept.contains_key(name)) {
            return Notice::Broken(kept);
        }
        let read = self.with_kept(read);
        let lost = lost_files(&self.live.files, &read.files);
        if !lost.is_empty() {
            self.builder.warn(&mut candidate, lost);
        }
        self.number += 1;
        self.hooks = self.builder.hooks(&candidate);
        self.builder.accepted(&candidate);
        self.live = read;
        self.doubts.clear();
        Notice::Ready { revision: candidate, changed, took, kept }
    }

    /// The files that a candidate was built from: those that were read, and those that are gone and stay in effect.
    fn with_kept(&self, mut read: ReadFiles) -> ReadFiles {
        for name in read.kept.keys() {
            read.hashes.extend(self.live.hashes.get(name).map(|hash| (name.clone(), *hash)));
        }
        read.files.append(&mut read.kept);
        read
    }
}

/// The scripts that have fewer hooks than in the running revision, by their paths below the game folder.
fn lost_hooks(running: &ScriptHooks, candidate: &ScriptHooks) -> Vec<String> {
    let lost = running.iter().filter(|(script, hooks)| {
        candidate.get(*script).is_some_and(|left| hooks.iter().any(|hook| !left.contains(hook)))
    });
    lost.map(|(script, _)| script.clone()).collect()
}
