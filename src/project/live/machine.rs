//! The decisions of hot reload: when files are read, built, adopted, reported or left alone.
//!
//! The machine has neither a thread nor a clock. It reads and builds with a [`CandidateBuilder`], so a
//! test can step it through any order of events.

use crate::project::Error;
use crate::project::files::SourceSet;
use crate::project::files::file_system::FileSystem;
use crate::script::host::Diagnostic;
use std::collections::BTreeMap;
use std::time::Duration;

/// How often all files are read again without any notification, for file systems that send none.
pub(super) const RESCAN: Duration = Duration::from_secs(2);

/// A script that lost hooks counts as half-saved for this long.
pub(super) const HALF_SAVED: Duration = Duration::from_secs(1);

/// How soon files that did not stay the same are read again.
const RETRY: Duration = Duration::from_millis(100);

/// Files that change for this long without a pause are reported.
const RESTLESS: Duration = Duration::from_secs(5);

/// The content hash of each file.
pub(super) type ContentHashes = BTreeMap<String, [u8; 32]>;

/// The hooks of each script, by the script's path.
pub(super) type ScriptHooks = BTreeMap<String, Vec<String>>;

/// The files once two readings in a row were equal, or the names of those that change too often for
/// that.
pub(super) type Readout = Result<SourceSet, Vec<String>>;

/// Reads the files of a level, and builds candidates from them.
pub(super) trait CandidateBuilder {
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
    fn wait_for_reading(
        &self,
        reading: &Self::Reading,
        again: bool,
    ) -> Result<Option<Readout>, Error>;

    /// Starts to build revision `number`.
    fn start(&self, sources: SourceSet, number: u64) -> Self::Pending;

    /// Waits for a build, whose result is the candidate or what is wrong with the files.
    ///
    /// # Errors
    /// If it takes too long. It can be waited for again: `again` is set then, and an unfinished
    /// build is an error at once.
    fn wait(
        &self,
        pending: &Self::Pending,
        again: bool,
    ) -> Result<Result<Self::Candidate, Error>, Error>;

    /// The hooks of a candidate's scripts.
    fn hooks(&self, candidate: &Self::Candidate) -> ScriptHooks;
}

/// What a look at the files led to.
#[derive(Debug)]
pub(super) enum Finding<T> {
    /// A candidate to adopt.
    Ready {
        candidate: T,
        /// The files that changed.
        changed: Vec<String>,
        /// The time from reading the files to the finished candidate.
        took: Duration,
    },
    /// The files have errors.
    Broken(Vec<Diagnostic>),
    /// The files are those of the running revision again.
    Reverted,
}

/// The revision that runs when the machine starts.
pub(super) struct RunningRevision {
    pub number: u64,
    pub hashes: ContentHashes,
    pub hooks: ScriptHooks,
}

/// A finished build that is accepted if its files stay as they are.
struct HalfSaved<T> {
    hashes: ContentHashes,
    since: Duration,
    built: Result<T, Error>,
}

/// Turns the state of a folder into findings, one look at a time.
pub(super) struct ReloadMachine<'a, B: CandidateBuilder> {
    /// Where the time comes from.
    clock: &'a dyn FileSystem,
    builder: B,
    number: u64,
    /// The files that the running revision was built from.
    live: ContentHashes,
    /// The hooks of each script of the running revision.
    hooks: ScriptHooks,
    /// The files of the last build, whether it succeeded or not.
    seen: ContentHashes,
    /// A finished build whose files look half-saved.
    half_saved: Option<HalfSaved<B::Candidate>>,
    /// Since when the files have not stayed the same for two readings.
    restless: Option<Duration>,
    /// A reading that exceeded the deadline. There is never a second one: a folder on a disk that does
    /// not answer would leave one more thread behind with every look.
    reading: Option<B::Reading>,
    /// Whether the last reading may be older than the last event.
    outdated: bool,
    /// A build that exceeded the deadline, and the files it was made from.
    slow: Option<(B::Pending, ContentHashes)>,
}

impl<'a, B: CandidateBuilder> ReloadMachine<'a, B> {
    pub fn new(clock: &'a dyn FileSystem, builder: B, running: RunningRevision) -> Self {
        Self {
            clock,
            builder,
            number: running.number,
            seen: running.hashes.clone(),
            live: running.hashes,
            hooks: running.hooks,
            half_saved: None,
            restless: None,
            reading: None,
            outdated: false,
            slow: None,
        }
    }

    /// The longest time until the next look if no change is reported.
    pub fn patience(&self) -> Duration {
        if self.restless.is_some() || self.reading.is_some() || self.outdated {
            return RETRY;
        }
        self.half_saved.as_ref().map_or(RESCAN, |waiting| {
            HALF_SAVED.saturating_sub(self.since(waiting.since))
        })
    }

    /// The time that has passed since a moment.
    fn since(&self, moment: Duration) -> Duration {
        self.clock.now().saturating_sub(moment)
    }

    /// Reads the files, and builds a candidate if they have changed.
    pub fn look(&mut self) -> Option<Finding<B::Candidate>> {
        let started = self.clock.now();
        let first = self.reading.is_none();
        let sources = match self.read() {
            Ok(Ok(sources)) => sources,
            Ok(Err(changing)) => return self.wait_for_rest(changing, started),
            Err(slow) if first => return self.report(slow.diagnostics()),
            Err(_) => return None,
        };
        self.restless = None;
        let mut hashes = sources.hashes();
        // A file that cannot be read counts as a change.
        for wrong in &sources.unreadable {
            hashes.insert(wrong.headline(), [0; 32]);
        }
        // What looked half-saved is dropped if its files have changed since.
        if let Some(waiting) = self.half_saved.take()
            && waiting.hashes == hashes
        {
            if self.since(waiting.since) >= HALF_SAVED {
                return Some(self.accept(waiting.built, hashes, started));
            }
            self.half_saved = Some(waiting);
            return None;
        }
        // So is a slow build. Should its files come back, they are built again.
        if let Some((build, of)) = self.slow.take() {
            if of == hashes {
                return self.wait_for(build, hashes, true, started);
            }
            self.seen.clear();
        }
        if hashes == self.seen {
            return None;
        }
        if hashes == self.live {
            self.seen = hashes;
            return Some(Finding::Reverted);
        }
        let build = self.builder.start(sources, self.number + 1);
        self.wait_for(build, hashes, false, started)
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
    fn report(&mut self, wrong: Vec<Diagnostic>) -> Option<Finding<B::Candidate>> {
        let hashes: ContentHashes = wrong.iter().map(|d| (d.headline(), [0; 32])).collect();
        if self.seen == hashes {
            return None;
        }
        // Whatever is read next is another finding.
        self.seen = hashes;
        Some(Finding::Broken(wrong))
    }

    /// Reports files that keep changing, once they have done so for a while.
    fn wait_for_rest(
        &mut self,
        changing: Vec<String>,
        now: Duration,
    ) -> Option<Finding<B::Candidate>> {
        self.half_saved = None;
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
        hashes: ContentHashes,
        again: bool,
        started: Duration,
    ) -> Option<Finding<B::Candidate>> {
        match self.builder.wait(&build, again) {
            Ok(built) => self.finish(built, hashes, started),
            Err(slow) => {
                let reported = self.seen == hashes;
                self.seen = hashes.clone();
                self.slow = Some((build, hashes));
                (!reported).then(|| Finding::Broken(slow.diagnostics()))
            }
        }
    }

    /// Accepts a finished build, or waits for a second if its files look half-saved: scripts have
    /// lost hooks, or files are gone or empty, as some programs save by removing them first.
    fn finish(
        &mut self,
        built: Result<B::Candidate, Error>,
        hashes: ContentHashes,
        started: Duration,
    ) -> Option<Finding<B::Candidate>> {
        let lost_hooks = |candidate| lost_hooks(&self.hooks, &self.builder.hooks(candidate));
        let lost = lost_files(&self.live, &hashes) || built.as_ref().is_ok_and(lost_hooks);
        if !lost {
            return Some(self.accept(built, hashes, started));
        }
        self.half_saved = Some(HalfSaved {
            hashes,
            since: self.clock.now(),
            built,
        });
        None
    }

    /// Makes a finished build the running revision, or reports its errors.
    fn accept(
        &mut self,
        built: Result<B::Candidate, Error>,
        hashes: ContentHashes,
        started: Duration,
    ) -> Finding<B::Candidate> {
        self.seen = hashes.clone();
        let candidate = match built {
            Ok(candidate) => candidate,
            Err(wrong) => return Finding::Broken(wrong.diagnostics()),
        };
        let changed = changed_files(&self.live, &hashes);
        self.number += 1;
        self.hooks = self.builder.hooks(&candidate);
        self.live = hashes;
        Finding::Ready {
            candidate,
            changed,
            took: self.since(started),
        }
    }
}

/// Whether a file of the running revision is missing or has become empty.
fn lost_files(running: &ContentHashes, candidate: &ContentHashes) -> bool {
    let empty = *blake3::hash(b"").as_bytes();
    running.iter().any(|(name, before)| {
        let now = candidate.get(name);
        now.is_none_or(|now| *now == empty && *before != empty)
    })
}

/// Whether a script has fewer hooks than in the running revision.
fn lost_hooks(running: &ScriptHooks, candidate: &ScriptHooks) -> bool {
    running.iter().any(|(script, hooks)| {
        candidate
            .get(script)
            .is_some_and(|left| hooks.iter().any(|hook| !left.contains(hook)))
    })
}

/// The files whose content differs, and those that are gone.
fn changed_files(old: &ContentHashes, new: &ContentHashes) -> Vec<String> {
    let changed = new
        .iter()
        .filter(|(name, hash)| old.get(*name) != Some(*hash));
    let removed = old.iter().filter(|(name, _)| !new.contains_key(*name));
    changed
        .chain(removed)
        .map(|(name, _)| name.clone())
        .collect()
}
