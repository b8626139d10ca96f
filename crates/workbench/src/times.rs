//! How long scripts take, over the game.

use super::*;
use hangtime_game::LANGUAGES;
use hangtime_play::{aligned, hook_cells, nanoseconds, tick_shares};

/// The most hooks that are listed.
const MOST_HOOKS: usize = 8;

/// The times of scripts while they are shown: they are measured over a second of the game, and then shown while the next
/// one is measured.
#[derive(Default)]
pub struct ScriptTimes {
    /// What was measured last.
    shown: Option<TickProfile>,
}

impl ScriptTimes {
    /// The game has made a tick.
    pub fn tick(&mut self, live: &mut Live) {
        let second = u64::from(live.revision().stage.hz);
        match live.measured_ticks() {
            Some(ticks) if ticks < second => {}
            _ => {
                // Another game may have taken the place of the one that was measured.
                self.shown = live.profile().or(self.shown.take());
                live.measure(true);
            }
        }
    }

    /// What was measured last.
    pub fn shown(&self) -> Option<&TickProfile> {
        self.shown.as_ref()
    }

    /// The rows over the game.
    pub fn rows(&self) -> Vec<NoteRow> {
        let text = match &self.shown {
            None => "measuring scripts for a second of the game".into(),
            Some(profile) => text_of(profile),
        };
        let row = |line: &str| NoteRow { text: line.into(), tone: NoteTone::Plain };
        text.lines().map(row).collect()
    }
}

fn text_of(profile: &TickProfile) -> String {
    let rows = profile.hooks.iter().take(MOST_HOOKS).map(|hook| {
        let [script, name, calls, _, ns, share, _, bails] = hook_cells(profile, hook);
        vec![LANGUAGES.stem(&script).into(), name, calls, ns, share, bails]
    });
    let titles = ["script", "hook", "calls", "ns", "share", "bails"];
    let mut text = aligned(&titles, rows, |column| column < 2).join("\n") + "\n";
    if let Some(more) = profile.hooks.len().checked_sub(MOST_HOOKS + 1) {
        text += &format!("and {} more\n", more + 1);
    }
    text += &format!("tick {}: {}\n", nanoseconds(profile.median_tick), tick_shares(profile));
    text
}
