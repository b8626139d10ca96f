//! What the workbench shows over the game.

use super::{sentence::sentence, *};
use hangtime_core::geometry::grid::Bounds;
use hangtime_draw::LevelMap;

/// The texts and paths that the workbench adds to a picture of the game.
#[derive(Clone, Default, PartialEq)]
pub struct BenchPicture {
    /// The paths of the last stretch under several revisions.
    pub ghosts: Arc<GhostPicture>,
    /// What could happen from the shown tick.
    pub fan: Arc<FanPicture>,
    /// What can be edited of the level, while it is edited.
    #[cfg(feature = "disk")]
    pub edited: Option<Arc<hangtime_draw::EditPicture>>,
    /// The jump that is drawn.
    pub drawing: Arc<WishPicture>,
    /// What can be reached.
    pub reach: Arc<LevelMap>,
    /// What the workbench is doing: paused, speed, loop; empty if it just plays.
    pub status: String,
    /// The newest lines of the log, and the last edit that took effect, for some seconds and while time stands
    /// still; oldest first.
    pub notes: Vec<NoteRow>,
    /// Errors to show until they are fixed; empty if there are none.
    pub banner: String,
    /// Why the picked entity moves as it does; empty if the panel is closed.
    pub why: String,
    /// The entity that the user has picked; `None` while it is the first one without a choice.
    pub picked: Option<EntityId>,
    /// The part of the level that is shown whole, px; `None` while the camera follows the players.
    pub fit: Option<Bounds>,
    /// Ticks per frame: 1 at normal speed.
    pub speed: f64,
    /// Whether time stands still.
    pub paused: bool,
}

impl BenchPicture {
    /// Whether a jump is being drawn, so that some keys are for that.
    pub fn is_drawing(&self) -> bool {
        !self.drawing.rows.is_empty()
    }
}

impl Workbench {
    /// What the window draws over the game.
    pub fn picture(&self) -> BenchPicture {
        BenchPicture {
            ghosts: if self.hides_ghosts() { Arc::default() } else { self.comparison.picture() },
            fan: self.fan.picture().clone(),
            #[cfg(feature = "disk")]
            edited: self.edit_picture(),
            drawing: self.drawing.picture().clone(),
            reach: self.reach.picture().clone(),
            status: self.status(),
            notes: self.notes(),
            banner: self.banner().into(),
            why: self.why(),
            picked: self.chosen.then(|| self.line.picked_entity()).flatten().map(|entity| entity.id),
            fit: self.fit.part(),
            speed: self.time.speed.factor(),
            paused: self.time.paused,
        }
    }

    /// Whether paths of versions would only cover a drawn jump or the edited level.
    fn hides_ghosts(&self) -> bool {
        #[cfg(feature = "disk")]
        if self.is_editing() {
            return true;
        }
        self.drawing.is_open()
    }

    /// Errors to show until they are fixed; empty if there are none.
    pub fn banner(&self) -> &str {
        self.notices.banner()
    }

    /// Why the picked entity moved as it did in the shown tick; empty if the panel is closed.
    pub fn why(&self) -> String {
        let Some(panel) = self.line.why() else {
            return String::new();
        };
        let text = panel.text(&self.line.live);
        let (title, reasons) = text.split_once('\n').unwrap_or((&text, ""));
        let plain = self
            .line
            .picked_entity()
            .map_or_else(|| "it does not exist in this tick".to_string(), |entity| sentence(&self.line.live, entity));
        format!("{title}\n{plain}\n{reasons}")
    }

    fn notes(&self) -> Vec<NoteRow> {
        let mut rows: Vec<NoteRow> = self.times.iter().flat_map(ScriptTimes::rows).collect();
        // After the first edit, and with the log open, the player needs no hints.
        if self.time.shows_hints() && !self.is_editing_level() && !self.notices.has_edit() && !self.notices.log_open {
            let hints = self.line.hints(!self.has_no_keys, !self.has_no_editor);
            rows.extend(hints.map(|text| NoteRow { text, tone: NoteTone::Plain }));
        }
        #[cfg(feature = "disk")]
        rows.extend(self.edit_hints().map(|text| NoteRow { text: text.into(), tone: NoteTone::Plain }));
        rows.extend(self.notices.rows(self.time.now(), self.time.paused));
        rows
    }

    /// Whether the mouse is for the level's things, which have hints themselves.
    fn is_editing_level(&self) -> bool {
        #[cfg(feature = "disk")]
        return self.is_editing();
        #[cfg(not(feature = "disk"))]
        false
    }

    fn status(&self) -> String {
        let line = &self.line;
        let mut parts = Vec::new();
        if self.time.paused {
            let tick = line.live.world().ticks();
            parts.push(match line.later() {
                0 => format!("paused at tick {tick}"),
                later => format!("tick {tick}, {:.2} s back", line.seconds(later)),
            });
        }
        #[cfg(feature = "disk")]
        parts.extend(self.edit_status());
        parts.extend(self.time.speed.shown().map(|speed| format!("speed {speed}")));
        let scale = line.live.world().time_scale();
        if scale != 1.0 {
            parts.push(format!("time × {scale}"));
        }
        if let Some(looping) = self.comparison.looping() {
            let seconds = line.seconds(looping.excerpt.ticks());
            parts.push(format!("loop of {seconds:.2} s, round {}", looping.rounds.max(1)));
        } else if self.comparison.mark().is_some() {
            parts.push("mark A set".into());
        }
        if self.fan.is_open() {
            parts.push(match self.fan.paths().len() {
                0 if self.fan.is_running() => "fan".into(),
                0 => "no fan: no player moves the picked entity, or there are too many others".into(),
                count => format!("fan of {count} paths"),
            });
        }
        if cfg!(feature = "disk") && self.fit.part().is_some() {
            parts.push("whole stretch in view".into());
        }
        if self.drawing.is_open() {
            parts.push("drawing a jump".into());
        }
        parts.extend(self.reach.status());
        if self.outputs.is_filming() {
            parts.push("saving a GIF".into());
        }
        parts.join("   ")
    }
}
