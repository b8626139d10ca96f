//! What the window draws, as plain data.

use super::bench::{TerminalLine, Workbench};
use super::ghosts::Ghost;
use super::log::{LogKind, LogLine};
use super::panel::{MotionPair, MotionRun};
use super::timeline::Timeline;
use super::times::ScriptTimes;
use hangtime_core::sim::why::Watch;
use hangtime_draw::{GhostPicture, NoteRow, NoteTone};
use hangtime_game::{Live, Revision, TickProfile};
use std::sync::Arc;

/// The most lines of the log over the game, and in the open log.
const LOG_LINES: [usize; 2] = [5, 16];

/// Seconds for which an edit is shown in the status lines.
const EDIT_SHOWN_FOR: f64 = 5.0;

/// The texts and paths that the workbench adds to a picture of the game.
#[derive(Clone, Debug, Default)]
pub struct BenchPicture {
    /// The paths of the last stretch under several revisions.
    pub ghosts: Arc<GhostPicture>,
    /// What the workbench is doing: paused, speed, loop; empty if it just plays.
    pub status: String,
    /// The newest lines of the log, and the last edit that took effect, for some seconds and while time stands
    /// still; oldest first.
    pub notes: Vec<NoteRow>,
    /// Ticks per frame: 1 at normal speed.
    pub speed: f64,
}

impl Workbench {
    /// The game at the shown tick.
    #[must_use]
    pub fn live(&self) -> &Live {
        &self.live
    }

    /// Chooses the entities of which the game records what moves them. While the panel that explains motion is
    /// open, it chooses.
    pub fn watch(&mut self, wanted: Watch) {
        if self.why.is_none() && self.live.world().watched() != wanted {
            self.live.watch(wanted);
        }
    }

    /// The newest revision that was accepted.
    #[must_use]
    pub fn revision(&self) -> &Arc<Revision> {
        &self.latest
    }

    /// Everything since the start.
    #[must_use]
    pub fn timeline(&self) -> &Timeline {
        &self.line
    }

    /// The shown position of the timeline.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.at
    }

    /// Whether time stands still.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// The name of the picked entity.
    #[must_use]
    pub fn picked(&self) -> Option<&Arc<str>> {
        self.picked.as_ref().map(|picked| &picked.name)
    }

    /// The last seconds of the picked entity's motion before the shown tick.
    #[must_use]
    pub fn motion(&self) -> MotionRun {
        self.motion.until(self.at, self.latest.stage.hz)
    }

    /// The motion of the last stretch under the newest revision and the one before it; `None` until both
    /// are ready.
    #[must_use]
    pub fn compared_motion(&self) -> Option<&Arc<MotionPair>> {
        self.ghosts.compared()
    }

    /// The paths of the last stretch that are ready, by ascending number of their revision.
    #[must_use]
    pub fn ghosts(&self) -> &[Ghost] {
        self.ghosts.ghosts()
    }

    /// Whether ghosts or a film are being made in the background.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        let outputs = &self.outputs;
        self.ghosts.is_running() || outputs.film.is_some() || outputs.recorded.is_some()
    }

    /// All lines of the log that are kept, oldest first.
    pub fn log(&self) -> impl DoubleEndedIterator<Item = &LogLine> {
        self.log.lines()
    }

    /// Takes the messages for the terminal since the last call.
    pub fn take_terminal(&mut self) -> Vec<TerminalLine> {
        std::mem::take(&mut self.terminal)
    }

    /// Errors to show until they are mended; empty if there are none.
    #[must_use]
    pub fn banner(&self) -> &str {
        &self.banner
    }

    /// Why the picked entity moved as it did in the shown tick; empty if the panel is closed.
    #[must_use]
    pub fn why(&self) -> String {
        let text = self.why.as_ref().map(|panel| panel.text(&self.live));
        text.unwrap_or_default()
    }

    /// What was measured over the last second of the game, while it is shown how long scripts take.
    #[must_use]
    pub fn script_times(&self) -> Option<&TickProfile> {
        self.times.as_ref()?.shown()
    }

    /// What the window draws over the game.
    #[must_use]
    pub fn picture(&self) -> BenchPicture {
        let ghosts = match self.ghosts_hidden {
            true => Arc::default(),
            false => self.ghosts.picture().clone(),
        };
        BenchPicture { ghosts, status: self.status(), notes: self.notes(), speed: self.speed.factor() }
    }

    fn edit(&self) -> Option<&String> {
        let edit = self.last_edit.as_ref();
        let recent = |at: &f64| self.paused || self.now - at < EDIT_SHOWN_FOR;
        edit.filter(|(_, at)| recent(at)).map(|(text, _)| text)
    }

    fn notes(&self) -> Vec<NoteRow> {
        let open = self.log_open;
        let lines = self.log.shown(self.now, LOG_LINES[usize::from(open)], open);
        // The last edit has its own row, which stays while time stands still.
        let shown = lines.iter().filter(|line| open || line.kind != LogKind::Reload);
        let hints = self.hints().into_iter().map(|text| NoteRow { text, tone: NoteTone::Plain });
        let times = self.times.iter().flat_map(ScriptTimes::rows);
        let mut rows: Vec<NoteRow> = times.chain(hints).chain(shown.map(row_of)).collect();
        if let Some(edit) = self.edit().filter(|_| !open) {
            rows.push(NoteRow { text: edit.clone(), tone: NoteTone::Good });
        }
        rows
    }

    fn status(&self) -> String {
        let mut parts = Vec::new();
        if self.paused {
            let later = self.line.end() - self.at;
            let tick = self.live.world().ticks();
            parts.push(match later {
                0 => format!("paused at tick {tick}"),
                later => format!("tick {tick}, {:.2} s back", self.seconds(later)),
            });
        }
        parts.extend(self.speed.shown().map(|speed| format!("speed {speed}")));
        if let Some(looping) = &self.marks.looping {
            let seconds = self.seconds(looping.excerpt.ticks());
            let round = looping.rounds.max(1);
            parts.push(format!("loop of {seconds:.2} s, round {round}"));
        } else if self.marks.a.is_some() {
            parts.push("mark A set".into());
        }
        if self.outputs.film.is_some() {
            parts.push("saving a GIF".into());
        }
        parts.join("   ")
    }
}

fn row_of(line: &LogLine) -> NoteRow {
    let tone = match line.kind {
        LogKind::Print => NoteTone::Plain,
        LogKind::Warning => NoteTone::Warning,
        LogKind::Error => NoteTone::Bad,
        LogKind::Reload | LogKind::Note => NoteTone::Good,
    };
    NoteRow { text: line.shown(), tone }
}
