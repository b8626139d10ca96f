//! A golden trace, and the observer that compares a run with it.

use super::compare::first_field_difference;
use crate::run::Observer;
use crate::shared_bytes::SharedBytes;
use crate::trace::{Trace, TraceOptions};
use hangtime_game::Live;
use hangtime_game::files::Tolerances;
use hangtime_script::{Place, SourceFile};
use serde_json::{Map, Value};
use std::io;
use std::sync::Arc;

/// The text of a golden trace, with its lines.
pub(super) struct GoldenTrace {
    file: Arc<SourceFile>,
    /// The bytes of each line that is not blank.
    lines: Vec<std::ops::Range<usize>>,
}

impl GoldenTrace {
    /// A trace that was read from a file. Nothing is parsed yet.
    pub fn new(file: Arc<SourceFile>) -> Self {
        let mut at = 0;
        let lines = file.text.split_inclusive('\n').filter_map(|whole| {
            let start = at;
            at += whole.len();
            let length = whole.trim_end().len();
            (length > 0).then_some(start..start + length)
        });
        let lines = lines.collect();
        Self { file, lines }
    }

    fn line(&self, index: usize) -> Option<&str> {
        let span = self.lines.get(index)?;
        Some(&self.file.text[span.clone()])
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
pub(super) struct GoldenDifference {
    /// The tick that differs.
    pub tick: u64,
    /// What differs.
    pub message: String,
    /// The golden's value.
    pub expected: Option<String>,
    /// The run's value.
    pub got: Option<String>,
    /// The place in the golden trace, if that is not a trace of this run.
    pub place: Option<Place>,
}

/// Compares every tick of a run, and ends it at the first difference.
pub(super) struct GoldenCheck<'g> {
    golden: &'g GoldenTrace,
    tolerances: &'g Tolerances,
    trace: Trace,
    written: SharedBytes,
    /// The number of lines compared so far, with the header.
    compared: usize,
    found: Option<GoldenDifference>,
}

impl<'g> GoldenCheck<'g> {
    pub fn new(golden: &'g GoldenTrace, tolerances: &'g Tolerances) -> Self {
        let written = SharedBytes::default();
        Self {
            golden,
            tolerances,
            trace: Trace::new(Box::new(written.clone()), TraceOptions::default()),
            written,
            compared: 0,
            found: None,
        }
    }

    /// The first difference, after a run to the tick `end`.
    pub fn finish(self, end: u64) -> Option<GoldenDifference> {
        let golden = self.golden;
        self.found.or_else(|| {
            let more = golden.lines.len().saturating_sub(self.compared);
            (more > 0).then(|| GoldenDifference {
                tick: end,
                message: format!(
                    "the run ends at tick {end}, but the golden trace has {more} more lines from {} on; \
                     `--update` writes it again",
                    golden.location(self.compared)
                ),
                expected: None,
                got: None,
                place: None,
            })
        })
    }

    /// Compares the next line.
    fn compare(&mut self, run: &str) -> Option<GoldenDifference> {
        let index = self.compared;
        self.compared += 1;
        let tick = index.saturating_sub(1) as u64;
        let golden = self.golden;
        let wrong = |message: String, place: Option<Place>| {
            Some(GoldenDifference { tick, message, expected: None, got: None, place })
        };
        let Some(line) = golden.line(index) else {
            let message = match index {
                0 => "this golden trace is empty; `--update` writes it again".into(),
                _ => format!(
                    "the golden trace ends before tick {tick}, but the run does not; `--update` writes \
                     it again"
                ),
            };
            return wrong(message, Some(golden.place(index)));
        };
        if line == run {
            return None;
        }
        let expected: Map<String, Value> = match serde_json::from_str(line) {
            Ok(line) => line,
            Err(error) => {
                let full = error.to_string();
                let message = full.split(" at line ").next().unwrap_or(&full);
                let message = format!(
                    "this is not a line of a trace: {message}; `--update` writes the file again, once it \
                     begins with `{{\"trace\":` or is gone"
                );
                return wrong(message, Some(golden.place(index)));
            }
        };
        let got: Map<String, Value> = serde_json::from_str(run).unwrap_or_default();
        if index == 0 {
            let message = header_difference(&expected, &got)?;
            return wrong(message, Some(golden.place(0)));
        }
        if expected.get("tick") != got.get("tick") {
            let message = format!("this line of the golden trace must be of tick {tick}: a golden trace has all ticks");
            return wrong(message, Some(golden.place(index)));
        }
        let difference = first_field_difference(&expected, &got, self.tolerances)?;
        Some(GoldenDifference {
            tick,
            message: format!(
                "tick {tick}: {} differs from {}{}",
                difference.field,
                golden.location(index),
                difference.note
            ),
            expected: Some(difference.expected),
            got: Some(difference.got),
            place: None,
        })
    }
}

impl Observer for GoldenCheck<'_> {
    fn observe(&mut self, live: &mut Live) -> io::Result<()> {
        self.trace.observe(live)?;
        let written = self.written.take();
        for line in String::from_utf8_lossy(&written).lines() {
            if let Some(found) = self.compare(line) {
                self.found = Some(found);
                // Ends the run.
                return Err(io::Error::other("the run differs from its golden trace"));
            }
        }
        Ok(())
    }
}

/// What is wrong with the header of a golden trace. The revision counts reloads and says nothing about
/// the run.
fn header_difference(golden: &Map<String, Value>, run: &Map<String, Value>) -> Option<String> {
    if golden.get("trace") != run.get("trace") {
        return Some("this is not a golden trace: it begins with `{\"trace\":1,…}`".into());
    }
    ["level", "tick_hz", "seed"].into_iter().find_map(|key| {
        let (expected, got) = (golden.get(key)?, run.get(key)?);
        (expected != got).then(|| {
            format!(
                "the golden trace has `{key}` {expected}, but the run has {got}; `--update` writes it \
                 again"
            )
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{GoldenCheck, GoldenTrace};
    use hangtime_game::files::Tolerances;
    use hangtime_script::SourceFile;
    use std::sync::Arc;

    const TRACE: &str = r#"{"trace":1,"level":"levels/a.toml","tick_hz":60,"seed":0,"revision":1}
{"tick":0,"time":0.0,"hash":"00","entities":[{"id":1,"name":"hero","mode":"ground","pos":[60.0,19.0,0.0],"angle":0.5,"hook":{"state":"idle","tip":[0.0,0.0]},"feet":[],"vars":{"n":0}}],"events":[{"event":"birth","entity":"hero","tick":0}]}
{"tick":1,"time":0.5,"hash":"01","entities":[{"id":1,"name":"hero","mode":"air","pos":[61.5,20.25,0.0],"angle":-3.0,"hook":{"state":"idle","tip":[0.0,0.0]},"feet":[1.5],"vars":{"n":1}}],"events":[]}
"#;

    fn golden(text: &str) -> GoldenTrace {
        GoldenTrace::new(Arc::new(SourceFile { name: "a.trace".into(), text: text.into() }))
    }

    /// Whether a run with this trace passes.
    fn passes(golden: &GoldenTrace, run: &str) -> bool {
        let tolerances = Tolerances::default();
        let mut check = GoldenCheck::new(golden, &tolerances);
        let found = run.lines().find_map(|line| check.compare(line));
        let found = found.or_else(|| check.finish(1));
        if let Some(found) = &found {
            assert!(!found.message.is_empty());
            if let Some(place) = &found.place {
                assert!(place.position().0 <= 5);
            }
        }
        found.is_none()
    }

    #[test]
    fn a_trace_is_equal_to_itself() {
        assert!(passes(&golden(TRACE), TRACE));
    }

    #[test]
    fn no_change_of_a_golden_trace_panics() {
        let mut state: u64 = 0x2545_f491_4f6c_dd1d;
        let mut below = |most: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % most.max(1) as u64) as usize
        };
        let mut failures = 0;
        for _ in 0..10_000 {
            let mut bytes = TRACE.as_bytes().to_vec();
            let at = below(bytes.len());
            let end = (at + below(60)).min(bytes.len());
            match below(5) {
                0 => bytes[at] = below(256) as u8,
                1 => drop(bytes.drain(at..end)),
                2 => bytes.truncate(at),
                3 => drop(bytes.splice(at..at, *b"{[9e999")),
                _ => drop(bytes.splice(at..at, TRACE.bytes().skip(at / 2).take(40))),
            }
            let changed = String::from_utf8_lossy(&bytes).into_owned();
            failures += usize::from(!passes(&golden(&changed), TRACE));
        }
        assert!(failures > 7_000, "{failures}");
    }
}
