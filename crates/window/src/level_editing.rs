//! Editing the level in the window: its files, the keys for it, and the mouse that moves the view.

use super::*;
use hangtime_game::{Drafts, EditedLevel};
use hangtime_workbench::{EditOrder, EditView};
use std::{collections::BTreeMap, path::Path};

/// How near the mouse has to be to a corner, pixels.
const REACH: f64 = 6.0;

/// The levels that are edited in a session.
pub struct LevelEditing {
    /// The game as it is on the disk.
    disk: GameFolder,
    drafts: Drafts,
    level: PathBuf,
    /// Levels with edits that are not saved and that do not run now.
    elsewhere: BTreeMap<PathBuf, EditedLevel>,
    /// The point of the level that the mouse holds to move the view, px, and whether the middle button does.
    pan: Option<(DVec2, bool)>,
}

impl LevelEditing {
    pub fn new(disk: GameFolder, level: PathBuf) -> Self {
        Self { disk, drafts: Drafts::default(), level, elsewhere: BTreeMap::new(), pan: None }
    }

    /// The game with the edits that are not saved.
    pub fn folder(&self) -> GameFolder {
        self.disk.clone().with_drafts(&self.drafts)
    }

    /// Another level begins in place of the one that `bench` plays. Returns what the log says about edits that are kept.
    pub fn leave(&mut self, bench: &mut Workbench, next: &Path) -> Option<String> {
        let level = mem::replace(&mut self.level, next.to_path_buf());
        let edited = bench.take_edited_level().filter(EditedLevel::is_unsaved)?;
        let kept = format!("{} keeps the edits that are not saved", edited.name());
        self.elsewhere.insert(level, edited);
        Some(kept)
    }

    /// Opens the level's file before it is edited for the first time. Edits that it had when another level began are there
    /// again.
    pub fn open(&mut self, bench: &mut Workbench) {
        if bench.has_level_file() {
            return;
        }
        let known = self.elsewhere.remove(&self.level);
        let open = || EditedLevel::open(&self.disk, &self.level, &bench.revision().mods, &self.drafts);
        let edited = known.map_or_else(open, Ok);
        bench.edit_level(edited);
    }

    /// The number of levels with edits that are not saved.
    pub fn unsaved(&self, bench: &Workbench) -> usize {
        self.elsewhere.len() + usize::from(bench.has_unsaved_edits())
    }

    /// The mouse was pressed at a point of the level, px: it picks something, or holds the level.
    pub fn grab(&mut self, bench: &mut Workbench, shared: &SharedState, point: DVec2) {
        let pans = bench.is_editing() && shared.latch.lock().is_down(&["Space"]);
        let found = !pans && bench.grab(point);
        self.pan = (bench.is_editing() && !found).then_some((point, false));
    }

    /// Carries out orders, and moves the view with the mouse, which is at a point of the level, px. `picks` says whether the
    /// mouse is down to pick.
    pub fn follow(&mut self, bench: &mut Workbench, shared: &SharedState, mouse: Option<DVec2>, picks: bool) {
        let orders = mem::take(&mut *shared.orders.lock());
        let (middle, free, straight) = {
            let latch = shared.latch.lock();
            let is_down = |names: &[&str]| latch.is_down(names);
            // Some desktops take Alt and the mouse for themselves.
            let free = ["AltLeft", "AltRight", "ControlLeft", "ControlRight"];
            (is_down(&["MouseMiddle"]), is_down(&free), is_down(&["ShiftLeft", "ShiftRight"]))
        };
        if bench.is_editing() {
            let frame = shared.frame.lock();
            if let Some(shows) = frame.shows() {
                let reach = REACH / frame.scale();
                drop(frame);
                bench.set_edit_view(EditView { reach, shows, free, straight });
            }
            orders.into_iter().for_each(|order| bench.edit(order));
        }
        self.pan = match (self.pan, mouse) {
            (Some((held, by_middle)), Some(at)) if if by_middle { middle } else { picks } => {
                shared.frame.lock().pan_by(held - at);
                Some((held, by_middle))
            }
            (None, Some(at)) if middle && bench.is_paused() => Some((at, true)),
            _ => None,
        };
        shared.unsaved.store(self.unsaved(bench), Ordering::Relaxed);
    }
}

/// Handles a key for the level that is edited. Returns whether it is one.
pub fn take_key(shared: &SharedState, key: &str, repeats: bool) -> bool {
    if shared.frame.lock().bench.edited.is_none() {
        return false;
    }
    let (control, shift) = {
        let latch = shared.latch.lock();
        let control = latch.is_down(&["ControlLeft", "ControlRight", "SuperLeft", "SuperRight"]);
        (control, latch.is_down(&["ShiftLeft", "ShiftRight"]))
    };
    let order = match key {
        "Delete" => EditOrder::Delete,
        _ if !control => return false,
        "KeyZ" if shift => EditOrder::Redo,
        "KeyZ" => EditOrder::Undo,
        "KeyY" => EditOrder::Redo,
        "KeyS" => EditOrder::Save,
        "KeyD" => EditOrder::Duplicate,
        "KeyT" => EditOrder::SaveTest,
        _ => return false,
    };
    if !repeats || matches!(order, EditOrder::Undo | EditOrder::Redo) {
        shared.orders.lock().push(order);
    }
    true
}

/// Ends editing the level. Returns whether it was edited.
pub fn leave(shared: &SharedState) -> bool {
    let is_edited = shared.frame.lock().bench.edited.is_some();
    if is_edited {
        shared.press(WindowKey::Edit);
    }
    is_edited
}
