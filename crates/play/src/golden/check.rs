//! A golden trace, and the observer that compares a run with it.

use super::{
    changes::{apply, changes, entities, place_of},
    header::GOLDEN_VERSION,
    lines::{TraceLines, text_of},
    *,
};
use crate::{
    divergence::{Comparer, NOTHING},
    results::{json_message, lines_of},
};
use hangtime_game::files::{TOLERANCE_KEYS, Tolerances};
use hangtime_script::budget::is_interrupted;

/// The text of a golden trace, with its lines.
pub struct GoldenTrace {
    file: Arc<SourceFile>,
    /// The bytes of each line that is not blank.
    lines: Vec<Range<usize>>,
}

impl GoldenTrace {
    /// A trace that was read from a file. Nothing is parsed yet.
    pub fn new(file: Arc<SourceFile>) -> Self {
        let lines = lines_of(&file.text).map(|(_, span)| span).collect();
        Self { file, lines }
    }

    /// What its first line says, if that is a header.
    pub fn header(&self) -> Option<GoldenHeader> {
        let first = &self.file.text[self.lines.first()?.clone()];
        serde_json::from_str(first).ok()
    }

    /// The start of a line, or of the missing line after the last one.
    fn place(&self, index: usize) -> Place {
        let end = self.file.text.trim_end().len();
        let start = self.lines.get(index).map_or(end, |line| line.start);
        Place::new(&self.file, start..(start + 1).min(end.max(start)))
    }

    /// `FILE:LINE`
    fn location(&self, index: usize) -> String {
        format!("{}:{}", self.file.name, self.place(index).position().0)
    }
}

/// The first difference of a run from its golden trace.
pub struct GoldenDifference {
    pub divergence: Divergence,
    /// The place in the golden trace, if that is not a trace of this run.
    pub place: Option<Place>,
}

/// Compares every tick of a run, and ends it at the first difference.
pub struct GoldenCheck<'g> {
    golden: &'g GoldenTrace,
    tolerances: &'g Tolerances,
    run: TraceLines,
    /// Whether the golden trace has only changes after its second line.
    has_changes: bool,
    /// The line of the run before the next one.
    before: TraceLine,
    /// The line of the golden trace before the next one, once it is not the run's.
    expected: Option<TraceLine>,
    /// The number of lines compared so far, with the header.
    compared: usize,
    found: Option<GoldenDifference>,
}

impl<'g> GoldenCheck<'g> {
    pub fn new(golden: &'g GoldenTrace, tolerances: &'g Tolerances) -> Self {
        let has_changes = golden.header().is_some_and(|header| header.has_changes());
        Self {
            golden,
            tolerances,
            run: TraceLines::default(),
            has_changes,
            before: TraceLine::new(),
            expected: None,
            compared: 0,
            found: None,
        }
    }

    /// The first difference, after a run to the tick `end`.
    pub fn finish(self, end: u64) -> Option<GoldenDifference> {
        let more = self.golden.lines.len().saturating_sub(self.compared);
        self.found.or_else(|| {
            let message = format!(
                "the run ends at tick {end}, but the golden trace has {more} more lines from {} on; `--update` writes it \
                 again",
                self.golden.location(self.compared)
            );
            let divergence = Divergence::new(end, FieldDifference::default(), message);
            (more > 0).then_some(GoldenDifference { divergence, place: None })
        })
    }

    /// Compares the next line.
    fn compare(&mut self, run: &str) -> Option<GoldenDifference> {
        let index = self.compared;
        self.compared += 1;
        let tick = index.saturating_sub(1) as u64;
        let golden = self.golden;
        let wrong = |message: String| {
            let divergence = Divergence::new(tick, FieldDifference::default(), message);
            Some(GoldenDifference { divergence, place: Some(golden.place(index)) })
        };
        let Some(line) = golden.lines.get(index).map(|span| &golden.file.text[span.clone()]) else {
            return wrong(match index {
                0 => "this golden trace is empty; `--update` writes it again".into(),
                _ => format!(
                    "the golden trace ends before tick {tick}, but the run does not; `--update` writes it again"
                ),
            });
        };
        if line == run {
            return None;
        }
        let parsed = |line: &str| serde_json::from_str::<TraceLine>(line);
        let got = parsed(run).unwrap_or_default();
        if self.has_changes && index > 0 {
            let before = mem::replace(&mut self.before, got.clone());
            let is_same = self.expected.is_none() && line == text_of(&changes(&before, &got));
            if is_same {
                return None;
            }
            self.expected.get_or_insert(before);
        }
        let mut expected = match parsed(line) {
            Ok(line) => line,
            Err(error) => {
                return wrong(format!(
                    "this is not a line of a trace: {}; `--update` writes the file again, once it begins with \
                     `{{\"trace\":` or is gone",
                    json_message(&error)
                ));
            }
        };
        if index == 0 {
            return wrong(header_difference(&expected, &got)?);
        }
        if expected.get("tick") != got.get("tick") {
            return wrong(format!(
                "this line of the golden trace must be of tick {tick}: a golden trace has all ticks"
            ));
        }
        if let Some(line) = &mut self.expected {
            apply(line, mem::take(&mut expected));
        }
        let expected = self.expected.as_ref().unwrap_or(&expected);
        let found = tick_difference(expected, &got, self.tolerances)?;
        let message = format!("tick {tick}: {} differs from {}{}", found.field, golden.location(index), found.note);
        Some(GoldenDifference { divergence: Divergence::new(tick, found, message), place: None })
    }
}

impl Observer for GoldenCheck<'_> {
    fn observe(&mut self, live: &mut Live) -> io::Result<()> {
        if is_interrupted() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let written = self.run.next(live)?;
        self.found = written.lines().find_map(|line| self.compare(line));
        match self.found {
            None => Ok(()),
            // Ends the run.
            Some(_) => Err(io::Error::other("the run differs from its golden trace")),
        }
    }
}

/// What is wrong with the header of a golden trace. The revision counts reloads and says nothing about
/// the run.
fn header_difference(golden: &TraceLine, run: &TraceLine) -> Option<String> {
    if !golden
        .get("trace")
        .and_then(Value::as_u64)
        .is_some_and(|version| (1..=GOLDEN_VERSION).contains(&version))
    {
        return Some("this is not a golden trace: it begins with `{\"trace\":2,…}`, or with 1 for an older one".into());
    }
    ["level", "tick_hz", "seed"].into_iter().find_map(|key| {
        let (expected, got) = (golden.get(key)?, run.get(key)?);
        (expected != got).then(|| {
            format!("the golden trace has `{key}` {expected}, but the run has {got}; `--update` writes it again")
        })
    })
}

/// The first field in which two lines of a trace differ. Times, and fields that the golden does not have because an
/// earlier version wrote it, are not compared; the hash only if everything must be equal.
fn tick_difference(golden: &TraceLine, run: &TraceLine, tolerances: &Tolerances) -> Option<FieldDifference> {
    let field = |key: &str, group: &str, of: &str, golden: Option<&Value>, run: Option<&Value>| {
        let tolerance = tolerances.of(group).filter(|_| TOLERANCE_KEYS.contains(&group));
        let comparer = Comparer { tolerance, is_angle: group == "angle" };
        let found = comparer.difference(key, golden, run)?;
        Some(FieldDifference { field: format!("`{}` of {of}", found.field), ..found })
    };
    let of_entity = |golden: &Value, run: &Value, of: &str| {
        let (golden, run) = (golden.as_object()?, run.as_object()?);
        // Where a body is says more than its angle; `why` only explains the others.
        let first = ["pos", "vel", "mode"];
        let others = golden.keys().map(String::as_str).filter(|key| !first.contains(key) && *key != "why");
        let mut keys = first.into_iter().filter(|key| golden.contains_key(*key)).chain(others);
        keys.find_map(|key| field(key, key, of, golden.get(key), run.get(key)))
    };
    let (expected, got) = (entities(golden), entities(run));
    let name = |entity: &Value| format!("`{}`", entity.get("name").and_then(Value::as_str).unwrap_or("?"));
    let found = expected.iter().find_map(|entity| match place_of(got, entity) {
        Some(at) => of_entity(entity, &got[at], &name(entity)),
        None => Some(missing_entity(name(entity), true)),
    });
    let new = || got.iter().find(|entity| place_of(expected, entity).is_none());
    let found = found.or_else(|| Some(missing_entity(name(new()?), false)));
    let found = found.or_else(|| field("level", "vars", "the level", golden.get("level"), run.get("level")));
    let found = found.or_else(|| field("events", "events", "the tick", golden.get("events"), run.get("events")));
    found.or_else(|| {
        let hash = golden.get("hash").filter(|_| tolerances.is_exact())?;
        let found = Comparer::default().difference("`hash`", Some(hash), run.get("hash"))?;
        let note = "; all other fields are equal, so it is in state that traces do not show";
        Some(FieldDifference { note: note.into(), ..found })
    })
}

/// An entity that only the golden trace has, or only the run.
fn missing_entity(name: String, in_golden: bool) -> FieldDifference {
    let field = format!("the entity {name}");
    let (expected, got) = if in_golden { (name, NOTHING.into()) } else { (NOTHING.into(), name) };
    FieldDifference { field, expected, got, note: String::new() }
}
