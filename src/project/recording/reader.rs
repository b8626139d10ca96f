//! Reading a recording, line by line.

use super::inputs::parse;
use super::line::{
    RecordedEnd, RecordedFile, RecordedRevision, RecordedTicks, RecordingHeader, RecordingLine,
    RevisionStart, VERSION, from_hex,
};
use super::rows::{EntityRow, read_row};
use crate::project::files::SourceSet;
use crate::project::{Error, Revision, within_deadline};
use crate::script::host::text::cut;
use crate::script::host::{Diagnostic, Place, SourceFile};
use crate::sim::Inputs;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::Path;
use std::sync::Arc;

/// The longest line that is read, bytes. The texts of all files of a game are on one line, and a game may have
/// 64 MiB of them.
const LONGEST_LINE: u64 = 128 << 20;

/// The largest number of characters of a message about a line.
const MOST_PROBLEM: usize = 400;

/// The largest number of characters of a line that a message shows.
const MOST_SHOWN_LINE: usize = 200;

/// The most ticks of a line.
const MOST_TICKS: usize = 1 << 20;

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
    /// If the file cannot be read, or is no recording of a known version.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        match path.metadata() {
            Ok(metadata) if metadata.is_file() => {}
            Ok(_) => return Err(Error::NotAFile { file: name }),
            Err(source) => return Err(Error::Read { file: name, source }),
        }
        match File::open(path) {
            Ok(file) => Self::new(&name, Box::new(BufReader::new(file))),
            Err(source) => Err(Error::Read { file: name, source }),
        }
    }

    /// Reads a recording from anywhere; `name` is what messages call it.
    ///
    /// # Errors
    /// If it cannot be read, or is no recording of a known version.
    pub fn new(name: &str, input: Box<dyn BufRead + Send>) -> Result<Self, Error> {
        let mut reader = Self {
            name: name.into(),
            input,
            header: RecordingHeader {
                run: VERSION,
                hangtime: String::new(),
                level: String::new(),
                tick_hz: 0,
                seed: 0,
            },
            line: 0,
            last: String::new(),
            ended: false,
        };
        let Some(line) = reader.raw_line()? else {
            return Err(reader.wrong("this file is empty, so it is not a recording"));
        };
        if !line.starts_with("{\"run\":") {
            let message = "this is not a recording; recordings begin with `{\"run\":`";
            return Err(reader.wrong(message));
        }
        #[derive(serde::Deserialize)]
        struct FormatVersion {
            run: u64,
        }
        let version: FormatVersion = reader.read(&line)?;
        if version.run != u64::from(VERSION) {
            return Err(reader.wrong(format!(
                "this recording has version {}; this hangtime reads version {VERSION}",
                version.run
            )));
        }
        reader.header = reader.read(&line)?;
        if !(1..=1000).contains(&reader.header.tick_hz) {
            let hz = reader.header.tick_hz;
            let message = format!("`tick_hz` is {hz}; it must be from 1 to 1000");
            return Err(reader.wrong(message));
        }
        Ok(reader)
    }

    /// What was played.
    #[must_use]
    pub fn header(&self) -> &RecordingHeader {
        &self.header
    }

    /// The name of the recording in messages.
    #[must_use]
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
            let hash = from_hex(&end.hash);
            let hash = hash.ok_or_else(|| self.wrong("`hash` is not 16 hexadecimal digits"))?;
            RecordingLine::End {
                ticks: end.end,
                hash,
            }
        } else {
            return Err(self.wrong("this line is not a revision, ticks or an end"));
        };
        Ok(Some(read))
    }

    /// A line without its line break. `None` at the end, also for a last line without a line break: the
    /// program that wrote it was interrupted.
    fn raw_line(&mut self) -> Result<Option<String>, Error> {
        let mut bytes = Vec::new();
        let read = (&mut self.input)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut bytes);
        let length = read.map_err(|source| Error::Read {
            file: self.name.clone(),
            source,
        })?;
        if length as u64 == LONGEST_LINE {
            self.line += 1;
            self.last.clear();
            return Err(self.wrong(format!("this line is longer than {LONGEST_LINE} bytes")));
        }
        if bytes.pop() != Some(b'\n') {
            return Ok(None);
        }
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
    pub(super) fn wrong(&self, problem: impl std::fmt::Display) -> Error {
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
        if from_hex(&revision.hash).is_none() {
            return Err(self.wrong("`hash` is not 16 hexadecimal digits"));
        }
        if (revision.start == RevisionStart::World) != revision.world.is_some() {
            return Err(self.wrong("`start` is `world` if, and only if, there is a `world`"));
        }
        for (name, file) in &revision.files {
            let Some(RecordedFile { blake3, text }) = file else {
                continue;
            };
            if blake3::hash(text.as_bytes()).to_hex().as_str() != blake3 {
                return Err(self.wrong(format!(
                    "the text of `{name}` does not have the hash of the recorded file"
                )));
            }
        }
        Ok(())
    }

    fn check_ticks(&self, ticks: &RecordedTicks) -> Result<(), Error> {
        let count = ticks.moved.len();
        let lasts = ticks.inputs.iter().map(|(count, _)| *count);
        let sum = lasts.fold(0_u64, u64::saturating_add);
        if sum != count as u64 || ticks.hashes.len() != 16 * count || count > MOST_TICKS {
            return Err(self.wrong(format!(
                "{count} ticks of `moved`, {sum} of `inputs` and {} digits of `hashes` do not match",
                ticks.hashes.len()
            )));
        }
        if !ticks.hashes.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(self.wrong("`hashes` are not hexadecimal digits"));
        }
        for (_, text) in &ticks.inputs {
            parse(text).map_err(|item| self.wrong(format!("`{item}` is not an input")))?;
        }
        for row in ticks.moved.iter().flatten() {
            if read_row(row).is_none() {
                return Err(self.wrong("`moved` has a row that is not an entity"));
            }
        }
        Ok(())
    }
}

impl RecordedTicks {
    /// The number of ticks.
    #[must_use]
    pub fn count(&self) -> usize {
        self.moved.len()
    }

    /// The inputs of each tick.
    pub fn inputs(&self) -> impl Iterator<Item = Inputs> + '_ {
        self.inputs.iter().flat_map(|(count, text)| {
            let inputs = parse(text).unwrap_or_default();
            std::iter::repeat_n(inputs, *count as usize)
        })
    }

    /// The hash of the world after a tick, counted from 0.
    #[must_use]
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
    #[must_use]
    pub fn hash(&self) -> u64 {
        from_hex(&self.hash).unwrap_or(0)
    }
}

/// The files of a recording, as they were in its last revision.
#[derive(Clone, Debug, Default)]
pub struct RecordedFiles(BTreeMap<String, Arc<SourceFile>>);

impl RecordedFiles {
    /// Takes what a revision changes, and builds it.
    ///
    /// # Errors
    /// What is wrong with the files: they may come from another version of hangtime.
    pub fn build(
        &mut self,
        header: &RecordingHeader,
        revision: &RecordedRevision,
    ) -> Result<Revision, Error> {
        for (name, file) in &revision.files {
            match file {
                None => _ = self.0.remove(name),
                Some(RecordedFile { text, .. }) => {
                    let file = SourceFile {
                        name: name.clone(),
                        text: text.clone(),
                    };
                    self.0.insert(name.clone(), Arc::new(file));
                }
            }
        }
        if !self.0.contains_key(&header.level) {
            let message = "this recording does not hold the file of its level";
            return Err(Diagnostic::about_file(header.level.as_str(), message).into());
        }
        let sources = SourceSet::of_files(&header.level, self.0.clone());
        let (number, settings) = (revision.revision, revision.settings.clone());
        let hz = header.tick_hz;
        let built =
            within_deadline(move || Revision::build(&sources, &settings, number, Some(hz)))??;
        if revision.changes.is_empty() {
            return Ok(built);
        }
        built.retuned(number, &revision.changes).map_err(|error| {
            let message = format!("a number of the tuning panel cannot be set: {error}");
            Diagnostic::about_file(&header.level, message).into()
        })
    }
}
