//! Reading a recording, line by line.

use super::{
    bounded::RecordedFile,
    input_runs::read_runs,
    limits::{LONGEST_START, longest_line},
    line::{
        RecordedEnd, RecordedRevision, RecordedTicks, RecordingHeader, RecordingLine, RevisionStart, VERSION, from_hex,
    },
    rows::{EntityRow, read_row},
};
use crate::{
    Error, Revision,
    files::{LARGEST_SET, MOST_FILES_OF_A_SET, SourceSet, level_file},
    within_deadline,
};
use hangtime_core::sim::Inputs;
use hangtime_script::{Diagnostic, Execution, Place, SourceFile, text::cut};
use serde::de::DeserializeOwned;
use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufRead, BufReader, Read as _},
    path::Path,
    sync::Arc,
};

/// The largest number of characters of a message about a line.
const MOST_PROBLEM: usize = 400;

/// The largest number of characters of a line that a message shows.
const MOST_SHOWN_LINE: usize = 200;

/// Reads a recording. Lines come one at a time, so a long recording takes little memory.
pub struct RecordingReader {
    name: String,
    input: Box<dyn BufRead + Send>,
    header: RecordingHeader,
    line: usize,
    /// The beginning of the line that was read last.
    last: String,
    /// Whether the last line was read.
    ended: bool,
}

impl RecordingReader {
    /// Opens a recording.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a recording of a known version.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let failed = |source| Error::Read { file: name.clone(), source };
        if !path.metadata().map_err(failed)?.is_file() {
            return Err(Error::NotAFile { file: name });
        }
        let file = File::open(path).map_err(failed)?;
        Self::new(&name, Box::new(BufReader::new(file)))
    }

    /// Reads a recording from anywhere; `name` is what messages call it.
    ///
    /// # Errors
    /// If it cannot be read, or is not a recording of a known version.
    pub fn new(name: &str, input: Box<dyn BufRead + Send>) -> Result<Self, Error> {
        let header = RecordingHeader::default();
        let mut reader = Self { name: name.into(), input, header, line: 0, last: String::new(), ended: false };
        let Some(line) = reader.raw_line()? else {
            return Err(reader.wrong("this file is empty, so it is not a recording"));
        };
        if !line.starts_with("{\"run\":") {
            return Err(reader.wrong("this is not a recording; recordings begin with `{\"run\":`"));
        }
        #[derive(serde::Deserialize)]
        struct FormatVersion {
            run: u64,
        }
        let version: FormatVersion = reader.read(&line)?;
        if version.run != u64::from(VERSION) {
            return Err(reader
                .wrong(format!("this recording has version {}; this hangtime reads version {VERSION}", version.run)));
        }
        reader.header = reader.read(&line)?;
        if !(1..=1000).contains(&reader.header.tick_hz) {
            return Err(reader.wrong(format!("`tick_hz` is {}; it must be from 1 to 1000", reader.header.tick_hz)));
        }
        Ok(reader)
    }

    /// What was played.
    pub fn header(&self) -> &RecordingHeader {
        &self.header
    }

    /// The name of the recording in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads the next line. `None` at the end of the file; a complete recording has had its
    /// [`RecordingLine::End`] then. A last line that was cut in the middle is left out.
    ///
    /// # Errors
    /// If the line is damaged.
    pub fn next_line(&mut self) -> Result<Option<RecordingLine>, Error> {
        let Some(line) = self.raw_line()? else {
            return Ok(None);
        };
        if self.ended {
            return Err(self.wrong("there is something after the end of the recording"));
        }
        let read = if line.starts_with("{\"revision\":") {
            let revision: RecordedRevision = self.read(&line)?;
            self.check_revision(&revision)?;
            RecordingLine::Revision(Box::new(revision))
        } else if line.starts_with("{\"from\":") {
            let ticks: RecordedTicks = self.read(&line)?;
            self.check_ticks(&ticks)?;
            RecordingLine::Ticks(ticks)
        } else if line.starts_with("{\"end\":") {
            let end: RecordedEnd = self.read(&line)?;
            self.ended = true;
            RecordingLine::End { ticks: end.end, hash: self.hash(&end.hash)? }
        } else {
            return Err(self.wrong("this line is not a revision, ticks or an end"));
        };
        Ok(Some(read))
    }

    /// A line without its line break. `None` at the end, also for a last line without a line break: the
    /// program that wrote it was interrupted.
    fn raw_line(&mut self) -> Result<Option<String>, Error> {
        let mut bytes = Vec::new();
        self.read_up_to(LONGEST_START, &mut bytes)?;
        let longest = longest_line(&bytes);
        if bytes.len() as u64 == LONGEST_START && bytes.last() != Some(&b'\n') {
            self.read_up_to(longest - LONGEST_START, &mut bytes)?;
        }
        let is_whole = bytes.last() == Some(&b'\n');
        if !is_whole && bytes.len() as u64 >= longest {
            self.line += 1;
            self.last.clear();
            return Err(self.wrong(format!("this line is longer than {longest} bytes")));
        }
        if !is_whole {
            return Ok(None);
        }
        bytes.pop();
        self.line += 1;
        self.last.clear();
        match String::from_utf8(bytes) {
            Ok(text) => {
                self.last += &cut(&text, MOST_SHOWN_LINE);
                Ok(Some(text))
            }
            Err(_) => Err(self.wrong("this line is not UTF-8 text")),
        }
    }

    /// Reads up to the end of the line, but no more than `most` bytes.
    fn read_up_to(&mut self, most: u64, bytes: &mut Vec<u8>) -> Result<(), Error> {
        let read = (&mut self.input).take(most).read_until(b'\n', bytes);
        read.map(drop).map_err(|source| Error::Read { file: self.name.clone(), source })
    }

    fn hash(&self, text: &str) -> Result<u64, Error> {
        from_hex(text).ok_or_else(|| self.wrong("`hash` is not 16 hexadecimal digits"))
    }

    fn read<T: DeserializeOwned>(&self, line: &str) -> Result<T, Error> {
        serde_json::from_str(line).map_err(|error| {
            let text = error.to_string();
            let problem = text.split(" at line ").next().unwrap_or_default();
            // Columns count bytes, from 1; 0 is before the first.
            let at = error.column().saturating_sub(1);
            self.wrong_at(line, at, cut(problem, MOST_PROBLEM))
        })
    }

    /// An error in the last line.
    pub(crate) fn wrong(&self, problem: impl std::fmt::Display) -> Error {
        self.wrong_at(&self.last, 0, cut(&problem.to_string(), MOST_PROBLEM))
    }

    fn wrong_at(&self, line: &str, at: usize, problem: impl Into<String>) -> Error {
        let Some(before) = self.line.checked_sub(1) else {
            return Diagnostic::about_file(self.name.clone(), problem).into();
        };
        // Only this line is in memory; the message needs its number.
        let text = "\n".repeat(before) + line;
        let (start, end) = (before + at.min(line.len()), text.len());
        let name = self.name.clone();
        let file = Arc::new(SourceFile { name, text });
        let end = if at == 0 { end } else { (start + 1).min(end) };
        Diagnostic::error(Place::new(&file, start..end), problem).into()
    }

    fn check_revision(&self, revision: &RecordedRevision) -> Result<(), Error> {
        self.hash(&revision.hash)?;
        if (revision.start == RevisionStart::World) != revision.world.is_some() {
            return Err(self.wrong("`start` is `world` if, and only if, there is a `world`"));
        }
        let is_damaged = |file: &RecordedFile| *blake3::hash(file.text.as_bytes()).to_hex() != *file.blake3;
        match revision.files.iter().find(|(_, file)| file.as_ref().is_some_and(is_damaged)) {
            Some((name, _)) => {
                Err(self.wrong(format!("the text of `{name}` does not have the hash of the recorded file")))
            }
            None => Ok(()),
        }
    }

    fn check_ticks(&self, ticks: &RecordedTicks) -> Result<(), Error> {
        let count = ticks.moved.len();
        let lasts = ticks.inputs.iter().map(|(count, _)| *count);
        let sum = lasts.fold(0_u64, u64::saturating_add);
        if sum != count as u64 || ticks.hashes.len() != 16 * count {
            return Err(self.wrong(format!(
                "{count} ticks of `moved`, {sum} of `inputs` and {} digits of `hashes` do not match",
                ticks.hashes.len()
            )));
        }
        if !ticks.hashes.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(self.wrong("`hashes` are not hexadecimal digits"));
        }
        read_runs(&ticks.inputs).map_err(|item| self.wrong(format!("`{item}` is not an input")))?;
        if ticks.moved.iter().flatten().any(|row| read_row(row).is_none()) {
            return Err(self.wrong("`moved` has a row that is not an entity"));
        }
        Ok(())
    }
}

impl RecordedTicks {
    /// The number of ticks.
    pub fn count(&self) -> usize {
        self.moved.len()
    }

    /// The inputs of each tick.
    pub fn inputs(&self) -> Vec<Inputs> {
        read_runs(&self.inputs).unwrap_or_default()
    }

    /// The hash of the world after a tick, counted from 0.
    pub fn hash(&self, index: usize) -> u64 {
        let digits = self.hashes.get(16 * index..16 * index + 16);
        digits.and_then(from_hex).unwrap_or(0)
    }

    /// The numbers of the entities that have moved in a tick, counted from 0, by their ids.
    pub fn moved(&self, index: usize) -> impl Iterator<Item = (u32, EntityRow)> + '_ {
        let rows = self.moved.get(index).into_iter().flatten();
        rows.filter_map(|row| read_row(row))
    }
}

impl RecordedRevision {
    /// The hash of the world with which it begins.
    pub fn hash(&self) -> u64 {
        from_hex(&self.hash).unwrap_or(0)
    }
}

/// The files of a recording, as they were in its last revision.
#[derive(Clone, Debug, Default)]
pub struct RecordedFiles {
    files: BTreeMap<String, Arc<SourceFile>>,
    execution: Execution,
}

impl RecordedFiles {
    /// The same files, with scripts that are executed like this. What was recorded does not depend on it.
    pub fn run_scripts(self, execution: Execution) -> Self {
        Self { execution, ..self }
    }

    /// Takes what a revision changes, and builds it. The texts of its files are moved.
    ///
    /// # Errors
    /// What is wrong with the files: they may come from another version of hangtime.
    pub fn build(&mut self, header: &RecordingHeader, revision: &mut RecordedRevision) -> Result<Revision, Error> {
        for (name, file) in std::mem::take(&mut revision.files) {
            match file {
                None => drop(self.files.remove(&name)),
                Some(RecordedFile { text, .. }) => {
                    let file = SourceFile { name: name.clone(), text };
                    self.files.insert(name, Arc::new(file));
                }
            }
        }
        let level = revision.level.as_ref().unwrap_or(&header.level).clone();
        let refuse = |message: String| Err(Diagnostic::about_file(level.as_str(), message).into());
        let bytes: u64 = self.files.values().map(|file| file.text.len() as u64).sum();
        if bytes > LARGEST_SET || self.files.len() > MOST_FILES_OF_A_SET {
            return refuse("this recording holds more files than a game can have".into());
        }
        if !self.files.contains_key(level_file(&level)) {
            return refuse("this recording does not hold the file of its level".into());
        }
        let mut sources = SourceSet::of_files(&level, self.files.clone());
        sources.execution = self.execution;
        let (number, settings) = (revision.revision, revision.settings.clone());
        let hz = header.tick_hz;
        let built = within_deadline(move || Revision::build(&sources, &settings, number, Some(hz)))??;
        if revision.changes.is_empty() {
            return Ok(built);
        }
        let retuned = built.retuned(number, &revision.changes);
        retuned.or_else(|error| refuse(format!("a number of the tuning panel cannot be set: {error}")))
    }
}
