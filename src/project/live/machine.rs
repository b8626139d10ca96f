//! The decisions of hot reload: when files are read, built, adopted, reported or left alone.
//!
//! The machine has neither a thread nor a clock. It reads through a [`FileSystem`] and builds
//! with a [`CandidateBuilder`], so a test can step it through any order of events.

use crate::project::Error;
use crate::project::files::SourceSet;
use crate::project::files::file_system::FileSystem;
use crate::script::host::Diagnostic;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// How often all files are read again without any notification, for file systems that send none.
pub(super) const RESCAN: Duration = Duration::from_secs(2);

/// A script that lost hooks counts as half-saved for this long.
pub(super) const HALF_SAVED: Duration = Duration::from_secs(1);

/// The content hash of each file.
pub(super) type ContentHashes = BTreeMap<String, [u8; 32]>;

/// The hooks of each script, by the script's path.
pub(super) type ScriptHooks = BTreeMap<String, Vec<String>>;

/// Builds candidates from files.
pub(super) trait CandidateBuilder {
    /// A finished candidate.
    type Candidate;
    /// A build in progress.
    type Pending;

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

/// The files of a game's level.
pub(super) struct WatchedFiles<'a> {
    pub fs: &'a dyn FileSystem,
    pub root: PathBuf,
    pub level: PathBuf,
}

/// Turns the state of a folder into findings, one look at a time.
pub(super) struct ReloadMachine<'a, B: CandidateBuilder> {
    files: WatchedFiles<'a>,
    builder: B,
    number: u64,
    /// The files that the running revision was built from.
    live: ContentHashes,
    /// The hooks of each script of the running revision.
    hooks: ScriptHooks,
    /// The files of the last build, whether it succeeded or not.
    seen: ContentHashes,
    /// Files that look half-saved, and since when they have been like that.
    half_saved: Option<(ContentHashes, Duration)>,
    /// A build that exceeded the deadline, and the files it was made from.
    slow: Option<(B::Pending, ContentHashes)>,
}

impl<'a, B: CandidateBuilder> ReloadMachine<'a, B> {
    pub fn new(files: WatchedFiles<'a>, builder: B, running: RunningRevision) -> Self {
        Self {
            files,
            builder,
            number: running.number,
            seen: running.hashes.clone(),
            live: running.hashes,
            hooks: running.hooks,
            half_saved: None,
            slow: None,
        }
    }

    /// The longest time until the next look if no change is reported.
    pub fn patience(&self) -> Duration {
        let since = |since: &Duration| self.files.fs.now().saturating_sub(*since);
        self.half_saved
            .as_ref()
            .map_or(RESCAN, |(_, began)| HALF_SAVED.saturating_sub(since(began)))
    }

    /// Reads the files, and builds a candidate if they have changed.
    pub fn look(&mut self) -> Option<Finding<B::Candidate>> {
        let started = self.files.fs.now();
        let WatchedFiles { fs, root, level } = &self.files;
        let sources = SourceSet::read_settled(*fs, root, level);
        let mut hashes = sources.hashes();
        // A file that cannot be read counts as a change.
        for wrong in &sources.unreadable {
            hashes.insert(wrong.headline(), [0; 32]);
        }
        let half_saved = self.half_saved.as_ref();
        let half_saved = half_saved.is_some_and(|(files, _)| *files == hashes);
        // A slow build is dropped if its files have changed since.
        if let Some((build, of)) = self.slow.take()
            && of == hashes
        {
            return self.wait_for(build, hashes, true, started);
        }
        if hashes == self.seen && !half_saved {
            self.half_saved = None;
            return None;
        }
        if hashes == self.live {
            self.seen = hashes;
            self.half_saved = None;
            return Some(Finding::Reverted);
        }
        let build = self.builder.start(sources, self.number + 1);
        self.wait_for(build, hashes, false, started)
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
                self.half_saved = None;
                self.slow = Some((build, hashes));
                (!reported).then(|| Finding::Broken(slow.diagnostics()))
            }
        }
    }

    /// Accepts or rejects a finished candidate, or waits longer if its files look half-saved.
    fn finish(
        &mut self,
        built: Result<B::Candidate, Error>,
        hashes: ContentHashes,
        started: Duration,
    ) -> Option<Finding<B::Candidate>> {
        let candidate = match built {
            Ok(candidate) => candidate,
            Err(wrong) => {
                // A missing file may come back: some programs save by removing and writing.
                let gone = self.live.keys().any(|name| !hashes.contains_key(name));
                if self.may_be_half_saved(gone, &hashes) {
                    return None;
                }
                self.seen = hashes;
                self.half_saved = None;
                return Some(Finding::Broken(wrong.diagnostics()));
            }
        };
        let hooks = self.builder.hooks(&candidate);
        if self.may_be_half_saved(lost_hooks(&self.hooks, &hooks), &hashes) {
            return None;
        }
        let changed = changed_files(&self.live, &hashes);
        self.number += 1;
        self.hooks = hooks;
        self.live = hashes.clone();
        self.seen = hashes;
        self.half_saved = None;
        Some(Finding::Ready {
            candidate,
            changed,
            took: self.files.fs.now().saturating_sub(started),
        })
    }

    /// Whether a save may still be in progress: something has been `lost` for less than a second.
    fn may_be_half_saved(&mut self, lost: bool, hashes: &ContentHashes) -> bool {
        let now = self.files.fs.now();
        match &self.half_saved {
            _ if !lost => false,
            Some((files, since)) if files == hashes => now.saturating_sub(*since) < HALF_SAVED,
            _ => {
                self.half_saved = Some((hashes.clone(), now));
                true
            }
        }
    }
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
