//! What the session says: the log, the terminal, the last edit, and the diagnostics and faults of the banner.

use super::{log::SessionLog, *};
use hangtime_game::StepReport;
use hangtime_script::Tally;

/// The largest number of disabled scripts that the banner lists.
const MAX_DISABLED: usize = 3;

/// The most lines of the log over the game, and in the open log.
const LOG_LINES: [usize; 2] = [5, 16];

/// Seconds for which an edit is shown.
const EDIT_SHOWN_FOR: f64 = 5.0;

/// A message for the terminal.
pub enum TerminalLine {
    /// Text whose control characters must be escaped.
    Plain(String),
    /// A rendered message with colors.
    Rendered(String),
}

/// When something is said: the level's tick, and the seconds since the session started.
#[derive(Clone, Copy)]
pub struct NoticeTime {
    pub tick: u64,
    pub now: f64,
}

/// Everything that the session says.
#[derive(Default)]
pub struct Notices {
    log: SessionLog,
    pub log_open: bool,
    /// The diagnostics of the files on disk, if the last edit was refused.
    refused: Option<String>,
    /// The script errors under the current revision.
    faults: Tally,
    /// What is wrong, as it is shown: rendering it in every frame would take too long.
    banner: String,
    /// The last edit, and when it was made.
    last_edit: Option<(String, f64)>,
    terminal: Vec<TerminalLine>,
    /// Whether messages for the terminal have colors.
    color: bool,
    /// Whether something has changed since the last frame.
    pub changed: bool,
}

impl Notices {
    pub fn new(color: bool) -> Self {
        Self { color, changed: true, ..Self::default() }
    }

    pub fn add(&mut self, kind: LogKind, text: &str, at: NoticeTime) {
        self.log.add(kind, at.tick, text, at.now);
        self.changed = true;
    }

    /// Adds a warning, also for the terminal.
    pub fn warn(&mut self, text: &str, at: NoticeTime) {
        self.add(LogKind::Warning, text, at);
        self.terminal.push(TerminalLine::Plain(format!("warning: {text}")));
    }

    /// Reports the last tick of a game: what scripts printed, and their faults. Returns whether a fault is the first at its
    /// place.
    pub fn report(&mut self, live: &Live, now: f64) -> bool {
        let at = NoticeTime { tick: live.world().ticks(), now };
        let StepReport { printed, faults, disabled, unshown } = live.report();
        for line in &printed.lines {
            self.add(LogKind::Print, line, at);
            self.terminal.push(TerminalLine::Plain(line.clone()));
        }
        self.faults.leave_out(faults.left_out);
        for line in disabled.iter().chain(unshown) {
            self.warn(line, at);
        }
        let mut is_new = false;
        for fault in &faults.first {
            if self.faults.count(fault) {
                self.terminal.push(TerminalLine::Rendered(fault.render(self.color)));
                self.add(LogKind::Error, &fault.diagnostic.headline(), at);
                is_new = true;
            }
        }
        if !faults.is_empty() || !disabled.is_empty() {
            self.update_banner(live);
        }
        is_new
    }

    /// A revision was accepted, after these changes. Files that are gone and whose numbers were `kept` stay in the
    /// banner.
    pub fn accept(&mut self, revision: &Revision, changes: String, kept: &[Diagnostic], at: NoticeTime) {
        self.tell_edit(changes, at);
        for warning in &revision.warnings {
            self.add(LogKind::Warning, &warning.headline(), at);
        }
        if !revision.warnings.is_empty() {
            self.terminal.push(TerminalLine::Rendered(render_all(&revision.warnings, self.color)));
        }
        self.refused = (!kept.is_empty()).then(|| render_all(kept, false));
    }

    /// The files have errors, which are shown until they are fixed, and this revision keeps running.
    pub fn refuse(&mut self, diagnostics: &[Diagnostic], running: u64, at: NoticeTime) {
        self.terminal.push(TerminalLine::Rendered(render_all(diagnostics, self.color)));
        self.terminal.push(TerminalLine::Plain(format!("revision {running} keeps running")));
        if let Some(first) = diagnostics.first() {
            self.add(LogKind::Error, &first.headline(), at);
        }
        self.refused = Some(render_all(diagnostics, false));
    }

    /// The files are as the running revision has them.
    pub fn revert(&mut self, running: u64, at: NoticeTime) {
        self.tell_edit(format!("files reverted: revision {running} keeps running"), at);
        self.refused = None;
    }

    fn tell_edit(&mut self, text: String, at: NoticeTime) {
        self.add(LogKind::Reload, &text, at);
        self.show_edit(text.clone(), at.now);
        self.terminal.push(TerminalLine::Plain(text));
    }

    /// Shows an edit without a line in the log.
    pub fn show_edit(&mut self, text: String, now: f64) {
        self.last_edit = Some((text, now));
        self.changed = true;
    }

    pub fn has_edit(&self) -> bool {
        self.last_edit.is_some()
    }

    /// Forgets the faults of scripts. Returns whether there were some.
    pub fn clear_faults(&mut self) -> bool {
        !mem::take(&mut self.faults).is_empty()
    }

    /// Brings the banner up to date: the diagnostics of the files, or else the faults of the running scripts.
    pub fn update_banner(&mut self, live: &Live) {
        self.changed = true;
        if let Some(refused) = &self.refused {
            self.banner.clone_from(refused);
            return;
        }
        let lines = self.faults.iter().map(|(fault, count)| {
            let text = fault.render(false);
            match count {
                1 => text,
                n => format!("{text}\n({n} times)"),
            }
        });
        let disabled = live.disabled().take(MAX_DISABLED);
        self.banner = lines.chain(self.faults.left_out_text()).chain(disabled).collect::<Vec<_>>().join("\n");
    }

    pub fn banner(&self) -> &str {
        &self.banner
    }

    pub fn take_terminal(&mut self) -> Vec<TerminalLine> {
        mem::take(&mut self.terminal)
    }

    pub fn log(&self) -> impl DoubleEndedIterator<Item = &LogLine> {
        self.log.lines()
    }

    /// The rows over the game: the newest lines of the log, and the last edit, which stays while time stands still.
    pub fn rows(&self, now: f64, paused: bool) -> Vec<NoteRow> {
        let open = self.log_open;
        let lines = self.log.shown(now, LOG_LINES[usize::from(open)], open);
        let shown = lines.filter(|line| open || line.kind != LogKind::Reload);
        let mut rows: Vec<NoteRow> = shown.map(LogLine::row).collect();
        let edit = self.last_edit.iter().filter(|(_, at)| !open && (paused || now - at < EDIT_SHOWN_FOR));
        rows.extend(edit.map(|(text, _)| NoteRow { text: text.clone(), tone: NoteTone::Good }));
        rows
    }
}
