//! Results files: one line of JSON for each case of `test` or `sweep`, so that parts of a run on
//! several machines can be joined.
//!
//! The first line is a header, the last one says that the run was complete. A line is written whole
//! as soon as its case is finished, so a process that was killed leaves a readable beginning.

use super::*;
use hangtime_game::recording::from_hex;
pub use hangtime_game::recording::hex;
use hangtime_script::names::nearest;
use serde::{
    Deserialize,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::Value;
use xxhash_rust::xxh3::Xxh3;

/// The version of the format that this hangtime writes and reads.
pub const RESULTS_VERSION: u32 = 1;

/// The command that wrote a results file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultsCommand {
    /// `hangtime test`
    Test,
    /// `hangtime sweep`
    Sweep,
}

impl ResultsCommand {
    /// The name of the command, as it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Sweep => "sweep",
        }
    }
}

/// The first line of a results file. Parts of one run differ only in `partition`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultsHeader {
    /// The version of the format, [`RESULTS_VERSION`].
    pub results: u32,
    /// The command that ran.
    pub command: ResultsCommand,
    /// The version of hangtime.
    pub hangtime: String,
    /// A hash over the names and contents of the game's files, from
    /// [`game_hash`](hangtime_game::files::game_hash).
    pub game: String,
    /// The number of all cases after filters and before partition.
    pub cases: u64,
    /// A hash of the names of all these cases in order, from [`plan_hash`].
    pub plan: String,
    /// The part that ran, such as `slice:2/7`; `None` for all.
    pub partition: Option<String>,
    /// The options that change how the cases run, as on the command line.
    pub options: String,
}

/// How a case ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CaseOutcome {
    /// Every expectation was met.
    Passed,
    /// An expectation was not met, or a script failed.
    Failed,
    /// The test failed as its `known_failure` says. Counts as passed.
    KnownFailure,
    /// The file does not compile. Counts as failed.
    NotCompiled,
    /// A sweep without `--pass` measured a value. Counts as passed.
    Measured,
}

impl CaseOutcome {
    /// Whether the case counts as passed.
    pub const fn passed(self) -> bool {
        matches!(self, Self::Passed | Self::KnownFailure | Self::Measured)
    }

    /// The outcome in words, such as `passed` or `did not compile`.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::KnownFailure => "failed as known",
            Self::NotCompiled => "did not compile",
            Self::Measured => "was measured",
        }
    }
}

/// The line of a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseRecord {
    /// The case's name, unique in its run.
    pub case: String,
    /// Its place among all cases of the run, from 0.
    pub index: u64,
    /// How it ended.
    pub outcome: CaseOutcome,
    /// The time it took, in milliseconds. Finite and not negative.
    pub ms: f64,
    /// [`fold_hashes`] of the worlds at the end of all levels that the case played, as 16
    /// hexadecimal digits.
    pub hash: String,
    /// What went wrong.
    #[serde(default)]
    pub message: Option<String>,
    /// The file in which it went wrong.
    #[serde(default)]
    pub file: Option<String>,
    /// The line in this file, from 1.
    #[serde(default)]
    pub line: Option<u64>,
    /// The expected value, as text.
    #[serde(default)]
    pub expected: Option<String>,
    /// The actual value, as text.
    #[serde(default)]
    pub got: Option<String>,
    /// The tick of the failure.
    #[serde(default)]
    pub tick: Option<u64>,
    /// The measure of a sweep.
    #[serde(default)]
    pub value: Option<f64>,
    /// The command line that runs the case again.
    #[serde(default)]
    pub replay: Option<String>,
    /// Further fields, which later versions or other commands add. They are kept when files are
    /// joined.
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

impl CaseRecord {
    /// What went wrong, in lines: place and message, expected and actual value, tick, and the command line
    /// that runs the case again.
    pub fn details(&self) -> String {
        let place = match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}: "),
            (Some(file), None) => format!("{file}: "),
            (None, _) => String::new(),
        };
        let message = self.message.as_deref().unwrap_or(self.outcome.words());
        let mut text = format!("{place}error: {message}");
        let values = [
            ("expected: ", self.expected.clone()),
            ("got:      ", self.got.clone()),
            ("tick:     ", self.tick.map(|tick| tick.to_string())),
            ("a rerun differs: ", self.more.get("rerun_differs").and_then(Value::as_str).map(String::from)),
            ("rerun: ", self.replay.clone()),
        ];
        for (title, value) in values {
            if let Some(value) = value {
                text += &format!("\n  {title}{value}");
            }
        }
        text
    }
}

/// The last line of a complete results file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultsEnd {
    /// Always true.
    pub end: bool,
    /// The number of cases in this file that passed.
    pub passed: u64,
    /// The number of cases in this file that failed.
    pub failed: u64,
}

/// The hash of a plan: of the names of all cases in order, as 16 hexadecimal digits.
pub fn plan_hash<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = Xxh3::new();
    for name in names {
        hasher.update(&(name.len() as u64).to_le_bytes());
        hasher.update(name.as_bytes());
    }
    hex(hasher.digest())
}

/// The hashes of several worlds as one.
pub fn fold_hashes(hashes: impl IntoIterator<Item = u64>) -> u64 {
    let mut hasher = Xxh3::new();
    for hash in hashes {
        hasher.update(&hash.to_le_bytes());
    }
    hasher.digest()
}

/// Writes a results file line by line.
pub struct ResultsWriter {
    out: Box<dyn Write + Send>,
    passed: u64,
    failed: u64,
}

impl ResultsWriter {
    /// Starts a file with its header.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn new(out: Box<dyn Write + Send>, header: &ResultsHeader) -> io::Result<Self> {
        let mut writer = Self { out, passed: 0, failed: 0 };
        writer.line(header)?;
        Ok(writer)
    }

    /// Adds the line of a case that has ended. When this returns, the line is in the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn case(&mut self, case: &CaseRecord) -> io::Result<()> {
        let count = if case.outcome.passed() { &mut self.passed } else { &mut self.failed };
        *count += 1;
        self.line(case)
    }

    /// Adds the line that says that all cases have run.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn end(mut self) -> io::Result<()> {
        let (passed, failed) = (self.passed, self.failed);
        self.line(&ResultsEnd { end: true, passed, failed })
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        let json = serde_json::to_string(line)?;
        // One write for the whole line: a killed process leaves whole lines.
        let line = format!("{}\n", printable_json(&json));
        self.out.write_all(line.as_bytes())?;
        self.out.flush()
    }
}

/// A results file that was read.
#[derive(Clone, Debug)]
pub struct ResultsFile {
    /// The text, for messages about it.
    pub file: Arc<SourceFile>,
    /// The header.
    pub header: ResultsHeader,
    /// The part of the run that this file holds; `None` for all.
    pub partition: Option<Partition>,
    /// The cases in the order of the file, each with its line.
    pub cases: Vec<(CaseRecord, Place)>,
    /// The last line; `None` if the run did not end.
    pub end: Option<ResultsEnd>,
}

/// A line, and its bytes in the file.
pub type Line<'a> = (&'a str, Range<usize>);

/// The keys of a line, which say what it is.
type LineKeys = BTreeMap<String, IgnoredAny>;

impl ResultsFile {
    /// Reads a results file. If its end is missing, or its last line is cut, the whole lines before that
    /// are read.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every mistake, or with the first ones of very many.
    pub fn parse(file: &Arc<SourceFile>) -> Result<Self, Error> {
        let mut lines = lines_of(&file.text).peekable();
        let Some(first) = lines.next() else {
            let message = "this results file is empty: the run wrote no header";
            return Err(Diagnostic::about_file(file.name.clone(), message).into());
        };
        let header = read_header(file, &first)?;
        let partition = match &header.partition {
            Some(text) => Some(Partition::parse(text).map_err(|message| {
                let message = format!("`partition`: {message}");
                Diagnostic::error(Place::new(file, first.1.clone()), message)
            })?),
            None => None,
        };
        let mut read = Self { file: file.clone(), header, partition, cases: Vec::new(), end: None };
        let mut wrong = Mistakes::new();
        while let Some(line) = lines.next() {
            let is_torn = lines.peek().is_none() && !file.text.ends_with('\n');
            if let Err(error) = read.add(&line)
                && !(is_torn && serde_json::from_str::<IgnoredAny>(line.0).is_err())
            {
                wrong.push(error);
            }
        }
        if wrong.has_errors() {
            return Err(wrong.finish().into());
        }
        Ok(read)
    }

    /// Reads a line after the header.
    fn add(&mut self, line: &Line) -> Result<(), Diagnostic> {
        let place = Place::new(&self.file, line.1.clone());
        let wrong = |message: String| Diagnostic::error(place.clone(), message);
        if self.end.is_some() {
            return Err(wrong("lines after the last one, which has `end`".into()));
        }
        let keys: LineKeys = parse_line(&self.file, line)?;
        if keys.contains_key("results") {
            let message = "a second header: pass the files one by one, not joined into one";
            return Err(wrong(message.into()));
        }
        if keys.contains_key("end") {
            let end: ResultsEnd = parse_line(&self.file, line)?;
            let passed = self.cases.iter().filter(|c| c.0.outcome.passed()).count() as u64;
            let failed = self.cases.len() as u64 - passed;
            if (end.passed, end.failed) != (passed, failed) {
                return Err(wrong(format!(
                    "the last line counts {} passed and {} failed cases, but the file has {passed} \
                     passed and {failed} failed",
                    end.passed, end.failed
                )));
            }
            self.end = Some(end);
            return Ok(());
        }
        if !keys.contains_key("case") {
            return Err(wrong("a line of a results file has `case` or `end`; this one has neither".into()));
        }
        let case: CaseRecord = parse_line(&self.file, line)?;
        check_case(&case, &self.header, self.partition).map_err(wrong)?;
        self.cases.push((case, place));
        Ok(())
    }
}

/// Checks the values of a case's line.
fn check_case(case: &CaseRecord, header: &ResultsHeader, partition: Option<Partition>) -> Result<(), String> {
    let (index, cases) = (case.index, header.cases);
    if index >= cases {
        return Err(format!("`index` is {index}, but the header says that the run has {cases} cases"));
    }
    if let Some(partition) = partition
        && !partition.keeps(index)
    {
        return Err(format!(
            "`index` is {index}, but {partition} does not have this case; {} does",
            partition.with(index)
        ));
    }
    if from_hex(&case.hash).is_none() {
        return Err(format!("`hash` must be 16 hexadecimal digits, not `{}`", case.hash));
    }
    if !(case.ms.is_finite() && case.ms >= 0.0) {
        return Err(format!("`ms` must be a time, not {}", case.ms));
    }
    Ok(())
}

fn read_header(file: &Arc<SourceFile>, line: &Line) -> Result<ResultsHeader, Diagnostic> {
    let version = serde_json::from_str(line.0)
        .ok()
        .and_then(|mut keys: BTreeMap<String, Value>| keys.remove("results"));
    let wrong = |message: String| Err(Diagnostic::error(Place::new(file, line.1.clone()), message));
    match version {
        Some(number) if number == RESULTS_VERSION => parse_line(file, line),
        Some(number) => wrong(format!(
            "this file has version {number} of the results format; this hangtime reads version \
             {RESULTS_VERSION}"
        )),
        _ => wrong(
            "this is not a results file: those begin with a line such as \
             `{\"results\":1,\"command\":\"test\",…}`; `--results FILE` writes one"
                .into(),
        ),
    }
}

/// The lines that are not blank.
pub fn lines_of(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut at = 0;
    text.split_inclusive('\n').filter_map(move |whole| {
        let start = at;
        at += whole.len();
        let line = whole.trim_end();
        (!line.is_empty()).then(|| (line, start..start + line.len()))
    })
}

/// What is wrong with a line of JSON, without the place.
pub fn json_message(error: &serde_json::Error) -> String {
    let full = error.to_string();
    full.split(" at line ").next().unwrap_or(&full).to_string()
}

/// Parses a line. Errors point at the place in it.
fn parse_line<T: DeserializeOwned>(file: &Arc<SourceFile>, (text, span): &Line) -> Result<T, Diagnostic> {
    serde_json::from_str(text).map_err(|error| {
        let message = json_message(&error);
        let hint = misspelled(text, &message);
        // Columns count bytes, from 1; 0 is before the first.
        let at = span.start + error.column().saturating_sub(1).min(text.len());
        let place = Place::new(file, at..(at + 1).min(span.end));
        Diagnostic::error(place, format!("{message}{hint}"))
    })
}

/// For the message about a missing field, the key that was probably meant.
fn misspelled(text: &str, message: &str) -> String {
    let field = message.strip_prefix("missing field `");
    let Some(field) = field.and_then(|rest| rest.strip_suffix('`')) else {
        return String::new();
    };
    let keys: LineKeys = serde_json::from_str(text).unwrap_or_default();
    let key = nearest(field, keys.keys().map(String::as_str).collect::<Vec<_>>());
    key.map_or_else(String::new, |key| format!("; `{key}` is not a field"))
}
