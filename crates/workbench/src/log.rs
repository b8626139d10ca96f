//! The log: what scripts print, warnings, reloads and errors, limited in rate.

use super::*;

/// The most lines that are kept.
const MOST_LINES: usize = 200;

/// The most new lines in one second; more are only counted.
const MOST_PER_SECOND: u32 = 20;

/// A line that equals one of this many last lines is counted there.
const COMPARED: usize = 8;

/// Seconds for which a line is shown over the game.
const SHOWN_FOR: f64 = 6.0;

/// The most characters of a line.
const MOST_CHARACTERS: usize = 400;

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LogKind {
    /// A script printed it.
    Print,
    /// Something that does not keep the game from running.
    Warning,
    /// A script failed, or an edit was refused.
    Error,
    /// Changed files took effect.
    Reload,
    /// The workbench did what a key asked for.
    Note,
}

/// A line of the log.
pub struct LogLine {
    /// Its kind.
    pub kind: LogKind,
    /// The level's tick when it was written last.
    pub tick: u64,
    /// Its text, one line.
    pub text: String,
    /// How often it was written.
    pub count: u64,
    /// When it was written last, in seconds since the session started.
    at: f64,
}

impl LogLine {
    /// The line as it is shown: tick, text, and how often it was written.
    pub fn shown(&self) -> String {
        let Self { tick, text, count, .. } = self;
        match count {
            1 => format!("{tick:>6}  {text}"),
            count => format!("{tick:>6}  {text} ({count} times)"),
        }
    }

    /// The line over the game.
    pub(super) fn row(&self) -> NoteRow {
        let tone = match self.kind {
            LogKind::Print => NoteTone::Plain,
            LogKind::Warning => NoteTone::Warning,
            LogKind::Error => NoteTone::Bad,
            LogKind::Reload | LogKind::Note => NoteTone::Good,
        };
        NoteRow { text: self.shown(), tone }
    }
}

/// The last lines.
#[derive(Default)]
pub struct SessionLog {
    lines: VecDeque<LogLine>,
    /// The second of the last lines, and how many new lines it has.
    second: (u64, u32),
    /// The tick and time of the last line that was left out.
    last_left_out: (u64, f64),
}

impl SessionLog {
    /// Adds a line at a time in seconds. Lines of several rows are added row by row.
    pub fn add(&mut self, kind: LogKind, tick: u64, text: &str, at: f64) {
        for row in text.lines().filter(|row| !row.trim().is_empty()) {
            self.add_row(kind, tick, row, at);
        }
    }

    fn add_row(&mut self, kind: LogKind, tick: u64, row: &str, at: f64) {
        let text: String = row.chars().take(MOST_CHARACTERS).collect();
        let mut last = self.lines.iter_mut().rev().take(COMPARED);
        if let Some(line) = last.find(|line| line.kind == kind && line.text == text) {
            line.count += 1;
            (line.tick, line.at) = (tick, at);
            return;
        }
        let second = at as u64;
        if second != self.second.0 {
            self.count_left_out();
            self.second = (second, 0);
        }
        // What the workbench itself says is rare and must not be lost in what scripts print.
        let limited = matches!(kind, LogKind::Print | LogKind::Error | LogKind::Warning);
        if limited {
            self.second.1 += 1;
            if self.second.1 > MOST_PER_SECOND {
                self.last_left_out = (tick, at);
                return;
            }
        }
        self.push(LogLine { kind, tick, text, count: 1, at });
    }

    fn push(&mut self, line: LogLine) {
        if self.lines.len() == MOST_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }

    /// Says how many lines of the last second were left out.
    fn count_left_out(&mut self) {
        let left_out = self.second.1.saturating_sub(MOST_PER_SECOND);
        let (tick, at) = self.last_left_out;
        if left_out > 0 {
            self.push(LogLine {
                kind: LogKind::Warning,
                tick,
                text: format!("and {left_out} more lines within a second"),
                count: 1,
                at,
            });
        }
    }

    /// All lines that are kept, oldest first.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &LogLine> + ExactSizeIterator {
        self.lines.iter()
    }

    /// The newest lines, at most `most`, oldest first: only lines of the last seconds, or all if the log is `open`.
    pub fn shown(&self, now: f64, most: usize, open: bool) -> impl Iterator<Item = &LogLine> {
        let recent = self.lines.iter().filter(move |line| open || now - line.at < SHOWN_FOR);
        let count = recent.clone().count();
        recent.skip(count.saturating_sub(most))
    }
}

#[cfg(test)]
#[path = "../tests/unit/log.rs"]
mod tests;
