//! The input file that plays what a recording holds.

use super::{golden::MOST_TICKS, *};
use hangtime_game::recording::text_of;
use std::fmt::Write as _;

/// The inputs of a recording that plays one level from its start, without edits.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedInput {
    /// The text of the input file.
    pub text: String,
    /// The hash of the world after each tick.
    pub hashes: Vec<u64>,
    /// Whether the recording has its end.
    pub complete: bool,
}

impl RecordedInput {
    /// Reads the inputs of a recording.
    ///
    /// # Errors
    /// If the recording is damaged, begins in the middle of a game, or has edits, restarts or steps back in
    /// time: an input file has none of them.
    pub fn read(mut reader: RecordingReader) -> Result<Self, Error> {
        let header = reader.header().clone();
        let plain = |text: &str| !text.contains(['#', '\n', '\r']);
        if !plain(&header.level) || header.level.contains(char::is_whitespace) {
            let message = "the name of its level has a space or a `#`, which input files cannot have";
            return Err(Diagnostic::about_file(reader.name(), message).into());
        }
        let mut text = format!("level {}\n", header.level);
        if header.seed != 0 {
            let _ = writeln!(text, "seed {}", header.seed);
        }
        let (mut hashes, mut begun, mut complete) = (Vec::new(), false, false);
        let mut run: Option<(u64, String)> = None;
        while let Some(line) = reader.next_line()? {
            match line {
                RecordingLine::Revision(revision) if !begun && revision.start == RevisionStart::Level => {
                    begun = true;
                    for (key, value) in &revision.settings {
                        if !plain(key) || !plain(value) {
                            let message = format!("input files cannot have the setting `{key}`");
                            return Err(Diagnostic::about_file(reader.name(), message).into());
                        }
                        let _ = writeln!(text, "set {key}={value}");
                    }
                }
                RecordingLine::Revision(revision) => {
                    let message = format!(
                        "tick {}: only a recording that begins at the start of its level, without edits, \
                         restarts and steps back in time, becomes a test; `hangtime replay` plays this one",
                        revision.tick
                    );
                    return Err(Diagnostic::about_file(reader.name(), message).into());
                }
                RecordingLine::Ticks(ticks) => {
                    for (index, inputs) in ticks.inputs().iter().enumerate() {
                        let items = text_of(inputs);
                        match &mut run {
                            Some((count, last)) if *last == items => *count += 1,
                            _ => {
                                end_run(&mut text, run.take());
                                run = Some((1, items));
                            }
                        }
                        hashes.push(ticks.hash(index));
                    }
                    if hashes.len() as u64 > MOST_TICKS {
                        let message = format!(
                            "the recording has more than {MOST_TICKS} ticks, which is the limit for a golden \
                             trace"
                        );
                        return Err(Diagnostic::about_file(reader.name(), message).into());
                    }
                }
                RecordingLine::End { .. } => complete = true,
            }
        }
        if hashes.is_empty() {
            let message = "the recording has no ticks, so there is nothing to test";
            return Err(Diagnostic::about_file(reader.name(), message).into());
        }
        end_run(&mut text, run);
        Ok(Self { text, hashes, complete })
    }

    /// The first tick, counted from 1, after which a level plays otherwise than it was recorded; `None` if
    /// all are the same.
    pub fn first_tick_that_differs(&self, live: &mut Live, track: &Track) -> Option<u64> {
        (1..).zip(&self.hashes).find_map(|(tick, hash)| {
            live.step(&track.at(tick - 1));
            (live.world().hash() != *hash).then_some(tick)
        })
    }

    /// The parsed input file; `name` is what messages call it.
    ///
    /// # Errors
    /// The mistakes in it: none, unless the recording has numbers that input files cannot have.
    pub fn script(&self, name: &str) -> Result<InputScript, Error> {
        let file = SourceFile { name: name.into(), text: self.text.clone() };
        InputScript::parse(&Arc::new(file))
    }
}

fn end_run(text: &mut String, run: Option<(u64, String)>) {
    if let Some((count, items)) = run {
        let space = if items.is_empty() { "" } else { " " };
        let _ = writeln!(text, "{count}{space}{items}");
    }
}
