//! Writing a recording while a game runs.

use super::{
    bounded::RecordedFile,
    input_runs::write_runs,
    limits::{MOST_CHANGES, MOST_SETTINGS, MOST_STRETCH_WORLD, REVISION, TICKS, longest_line},
    line::{RecordedEnd, RecordedRevision, RecordedTicks, RecordedWorld, RecordingHeader, RevisionStart, VERSION, hex},
    rows::{EntityRow, moved},
};
use crate::{Live, Revision};
use hangtime_core::sim::{Inputs, World};
use hangtime_script::SourceFile;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::{self, Write},
    sync::Arc,
};

/// A stretch with the world at its end follows after this many without one.
const STRETCHES_PER_WORLD: u32 = 10;

/// Worlds with more entities than this are not kept: writing them would be noticed.
const MOST_ENTITIES: usize = 256;

/// Writes a recording, line by line: each line is complete when the call that wrote it returns. What is
/// not written yet is at most one second of the game.
///
/// After an error nothing more should be recorded; what was written can be read up to its last whole line.
pub struct Recorder<W> {
    out: W,
    /// The level of the header.
    level: String,
    /// The files of the last revision.
    files: BTreeMap<String, Arc<SourceFile>>,
    revision: Arc<Revision>,
    /// The ticks since the last line.
    stretch: RecordedTicks,
    /// Their inputs.
    inputs: Vec<Inputs>,
    /// The numbers of the entities in the last tick.
    rows: BTreeMap<u32, EntityRow>,
    /// Stretches since the last one with a world.
    stretches: u32,
    ticks: u64,
    hash: u64,
    /// Another world with which the game continues, until a tick is made from there: an entity that is
    /// dragged makes one for every move of the mouse.
    pending: Option<Box<World>>,
}

impl<W: Write> Recorder<W> {
    /// Starts a recording of a game, from how it is now.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn start(out: W, live: &Live) -> io::Result<Self> {
        Self::start_with(out, live.revision(), live.world())
    }

    /// Starts a recording of a world that runs under a revision.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn start_with(out: W, revision: &Arc<Revision>, world: &World) -> io::Result<Self> {
        let stage = &revision.stage;
        let header = RecordingHeader {
            run: VERSION,
            hangtime: env!("CARGO_PKG_VERSION").into(),
            level: stage.level.name.to_string(),
            tick_hz: stage.hz,
            seed: world.seed(),
        };
        let mut recorder = Self {
            out,
            level: header.level.clone(),
            files: BTreeMap::new(),
            revision: revision.clone(),
            stretch: RecordedTicks::default(),
            inputs: Vec::new(),
            rows: BTreeMap::new(),
            stretches: 0,
            ticks: 0,
            hash: world.hash(),
            pending: None,
        };
        recorder.line(b"", &header)?;
        let fresh = World::new(stage, world.seed());
        let is_fresh = fresh.hash() == world.hash() && fresh == *world;
        let start = if is_fresh { RevisionStart::Level } else { RevisionStart::World };
        recorder.revision_line(revision, world, start)?;
        Ok(recorder)
    }

    /// Records a tick that the game has made with these inputs.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn step(&mut self, inputs: &Inputs, world: &World) -> io::Result<()> {
        self.write_pending()?;
        self.inputs.push(inputs.clone());
        self.hash = world.hash();
        self.ticks += 1;
        let _ = write!(self.stretch.hashes, "{:016x}", self.hash);
        self.stretch.moved.push(moved(world, &mut self.rows));
        let length = self.ticks - self.stretch.from;
        if length >= u64::from(self.revision.stage.hz) {
            self.stretches += 1;
            let whole = self.stretches >= STRETCHES_PER_WORLD;
            self.end_stretch(whole.then_some(world))?;
        }
        Ok(())
    }

    /// Records that the game has adopted a revision. `world` is the world right after that.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn adopt(&mut self, revision: &Arc<Revision>, world: &World) -> io::Result<()> {
        if self.pending.is_some() {
            // No tick was made from the world before.
            return self.resume(revision, world);
        }
        self.end_stretch(None)?;
        self.revision_line(revision, world, RevisionStart::Adopt)
    }

    /// Records that the game continues with another world, under this revision. It is written before the next
    /// tick, or at the end: of several in a row, only the last one matters.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn resume(&mut self, revision: &Arc<Revision>, world: &World) -> io::Result<()> {
        self.end_stretch(None)?;
        self.revision = revision.clone();
        self.pending = Some(Box::new(world.clone()));
        Ok(())
    }

    fn write_pending(&mut self) -> io::Result<()> {
        let revision = self.revision.clone();
        let world = self.pending.take();
        world.map_or(Ok(()), |world| self.revision_line(&revision, &world, RevisionStart::World))
    }

    /// The number of recorded ticks.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Completes the recording. `world` is the world at its end; another one, as after a tick that was stopped, is left out.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self, world: &World) -> io::Result<W> {
        self.write_pending()?;
        self.end_stretch(Some(world).filter(|world| world.hash() == self.hash))?;
        self.line(b"", &RecordedEnd { end: self.ticks, hash: hex(self.hash) })?;
        Ok(self.out)
    }

    fn end_stretch(&mut self, world: Option<&World>) -> io::Result<()> {
        if self.stretch.moved.is_empty() {
            return Ok(());
        }
        let next = RecordedTicks { from: self.ticks, ..RecordedTicks::default() };
        let mut stretch = std::mem::replace(&mut self.stretch, next);
        stretch.inputs = write_runs(&self.inputs);
        self.inputs.clear();
        if let Some(world) = world.filter(|world| world.entities().len() <= MOST_ENTITIES) {
            self.stretches = 0;
            let saved = RecordedWorld::of(world).ok();
            stretch.world = saved.filter(|saved| saved.length() <= MOST_STRETCH_WORLD);
        }
        self.line(TICKS, &stretch)
    }

    fn revision_line(&mut self, revision: &Arc<Revision>, world: &World, start: RevisionStart) -> io::Result<()> {
        self.hash = world.hash();
        // Worlds may hold other entities with the same ids.
        self.rows.clear();
        let name = &*revision.stage.level.name;
        let line = RecordedRevision {
            revision: revision.number,
            level: (name != self.level).then(|| name.to_string()),
            tick: self.ticks,
            hash: hex(self.hash),
            start,
            settings: revision.settings.clone(),
            changes: revision.changes.clone(),
            files: changed_files(&self.files, &revision.files),
            world: (start == RevisionStart::World).then(|| RecordedWorld::of(world)).transpose()?,
        };
        if line.settings.len() > MOST_SETTINGS || line.changes.len() > MOST_CHANGES {
            return Err(io::Error::other("there are too many settings to record"));
        }
        self.files.clone_from(&revision.files);
        self.revision = revision.clone();
        self.line(REVISION, &line)
    }

    /// Writes a line of the kind that begins like this.
    fn line(&mut self, start: &[u8], line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        // A reader refuses longer lines.
        if text.len() as u64 > longest_line(start) {
            return Err(io::Error::other("this game is too large for a recording: its files or its world"));
        }
        self.out.write_all(&text)?;
        self.out.flush()
    }
}

/// The files of a revision that differ from the files of another one.
fn changed_files(
    old: &BTreeMap<String, Arc<SourceFile>>,
    new: &BTreeMap<String, Arc<SourceFile>>,
) -> BTreeMap<String, Option<RecordedFile>> {
    let gone = old.keys().filter(|name| !new.contains_key(*name));
    let mut changed: BTreeMap<_, _> = gone.map(|name| (name.clone(), None)).collect();
    for (name, file) in new {
        if old.get(name).is_none_or(|known| !Arc::ptr_eq(known, file) && known.text != file.text) {
            let blake3 = blake3::hash(file.text.as_bytes()).to_hex().to_string();
            changed.insert(name.clone(), Some(RecordedFile { blake3, text: file.text.clone() }));
        }
    }
    changed
}
