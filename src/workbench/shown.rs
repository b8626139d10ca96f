//! What the window draws, as plain data.

use super::bench::{STRETCH_SECONDS, TerminalLine, Workbench};
use super::ghosts::Ghost;
use super::log::LogLine;
use super::timeline::Timeline;
use crate::draw::GhostPicture;
use crate::project::{Live, Revision};
use crate::sim::EntityId;
use std::sync::Arc;

/// The most lines of the log over the game, and in the open log.
const LOG_LINES: [usize; 2] = [5, 16];

/// Seconds for which an edit is shown in the status lines.
const EDIT_SHOWN_FOR: f64 = 5.0;

/// The texts and paths that the workbench adds to a picture of the game.
#[derive(Clone, Debug, Default)]
pub struct BenchPicture {
    /// The paths of the last stretch under several revisions, and the trail of the picked entity.
    pub ghosts: Arc<GhostPicture>,
    /// The picked entity.
    pub picked: Option<EntityId>,
    /// What the workbench is doing: paused, speed, loop, the last edit. One fact per line.
    pub status: Vec<String>,
    /// The log, oldest line first.
    pub log: Vec<LogLine>,
    /// Ticks per frame: 1 at normal speed.
    pub speed: f64,
}

impl Workbench {
    /// The game at the shown tick.
    #[must_use]
    pub fn live(&self) -> &Live {
        &self.live
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

    /// The paths of the last stretch that are ready, by ascending number of their revision.
    #[must_use]
    pub fn ghosts(&self) -> &[Ghost] {
        self.ghosts.ghosts()
    }

    /// Whether ghosts or a film are being made in the background.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.ghosts.is_running() || self.film.is_some()
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
    pub fn banner(&self) -> String {
        self.troubles.banner(&self.live)
    }

    /// Why the picked entity moved as it did in the shown tick; empty if the panel is closed.
    #[must_use]
    pub fn why(&self) -> String {
        let text = self.why.as_ref().map(|panel| panel.text(&self.live));
        text.unwrap_or_default()
    }

    /// What the window draws over the game.
    #[must_use]
    pub fn picture(&self) -> BenchPicture {
        let length = STRETCH_SECONDS * u64::from(self.latest.stage.hz);
        let earliest = self.line.continuous_from(self.at);
        let first = self.at.saturating_sub(length).max(earliest);
        let mut ghosts = if self.ghosts_hidden {
            GhostPicture::default()
        } else {
            self.ghosts.picture(self.latest.stage.hz)
        };
        ghosts.trail = self.recent.within(first..self.at + 1);
        let most = LOG_LINES[usize::from(self.log_open)];
        BenchPicture {
            ghosts: Arc::new(ghosts),
            picked: self.picked.as_ref().map(|picked| picked.id),
            status: self.status(),
            log: self.log.shown(self.now, most, self.log_open),
            speed: self.speed.factor(),
        }
    }

    fn status(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut time = Vec::new();
        if self.paused {
            let later = self.line.end() - self.at;
            let tick = self.live.world().ticks();
            time.push(match later {
                0 => format!("paused at tick {tick}"),
                later => format!("tick {tick}, {:.2} s back", self.seconds(later)),
            });
        }
        time.extend(self.speed.shown().map(|speed| format!("speed {speed}")));
        if let Some(looping) = &self.marks.looping {
            let seconds = self.seconds(looping.excerpt.ticks());
            time.push(format!(
                "loop of {seconds:.2} s, round {}",
                looping.rounds.max(1)
            ));
        } else if self.marks.a.is_some() {
            time.push("mark A set".into());
        }
        if self.film.is_some() {
            time.push("saving a GIF".into());
        }
        if !time.is_empty() {
            lines.push(time.join("   "));
        }
        let edit = self.last_edit.as_ref();
        let edit = edit.filter(|(_, at)| self.paused || self.now - at < EDIT_SHOWN_FOR);
        lines.extend(edit.map(|(text, _)| text.clone()));
        lines
    }
}
