//! Editing the level in the workbench: the key that begins it, drags, orders, and how edits reach the running game.

use super::{
    level_editor::{EditOrder, EditView, LevelEditor},
    *,
};
use hangtime_core::sim::Teleport;
use hangtime_draw::EditPicture;
use hangtime_game::{EditedLevel, LevelList, StartTest, save_start_test};

/// Seconds between two looks at the file while it has edits that are not saved.
const LOOKS: f64 = 1.0;

/// What can be edited of the level, and whether it is.
#[derive(Default)]
pub struct LevelEdits {
    editor: Option<LevelEditor>,
    /// Why the level cannot be edited.
    refused: String,
    open: bool,
    /// Whether the draft of the file has changed since that was last asked.
    changed: bool,
    /// When to look at the file, in seconds since the session started.
    look_at: f64,
    /// What was last said about the file.
    said: String,
}

impl Workbench {
    /// Lets the level be edited by hand, or says why it cannot be.
    pub fn edit_level(&mut self, level: Result<EditedLevel, String>) {
        let stage = &self.line.latest().stage;
        self.edits = match level {
            Ok(level) => LevelEdits { editor: Some(LevelEditor::new(level, stage)), ..LevelEdits::default() },
            Err(refused) => LevelEdits { refused, ..LevelEdits::default() },
        };
    }

    /// Takes the level that can be edited, to continue with it later.
    pub fn take_edited_level(&mut self) -> Option<EditedLevel> {
        mem::take(&mut self.edits).editor.map(|editor| editor.level)
    }

    /// Whether the level's file is open to be edited. If it could not be opened, that is tried again.
    pub fn has_level_file(&self) -> bool {
        self.edits.editor.is_some()
    }

    /// Whether the level is being edited, so that the mouse is for its things.
    pub fn is_editing(&self) -> bool {
        self.edits.open
    }

    /// Whether the mouse holds a thing of the level that is edited.
    pub fn holds_thing(&self) -> bool {
        self.edits.editor.as_ref().is_some_and(LevelEditor::holds_thing)
    }

    /// Whether the level has edits that are not in its file.
    pub fn has_unsaved_edits(&self) -> bool {
        self.edits.editor.as_ref().is_some_and(|editor| editor.level.is_unsaved())
    }

    /// Whether an edit has changed what the game's folder shows since the last call, so that it has to be read again.
    pub fn take_level_changed(&mut self) -> bool {
        mem::take(&mut self.edits.changed)
    }

    /// How the level is looked at while it is edited.
    pub fn set_edit_view(&mut self, view: EditView) {
        if let Some(editor) = &mut self.edits.editor {
            editor.view = view;
        }
    }

    /// Begins or ends editing the level.
    pub(super) fn toggle_editing(&mut self) {
        if mem::take(&mut self.edits.open) {
            return;
        }
        if self.plays_recording() {
            return self.note("a recording plays; the level can be edited after it");
        }
        match &self.edits.editor {
            None if self.edits.refused.is_empty() => self.note("this level has no file that can be edited"),
            None => self.note(self.edits.refused.clone()),
            Some(_) => {
                self.time.paused = true;
                self.edits.open = true;
                self.look_at_file(true);
                self.read_level_again();
            }
        }
    }

    /// A frame begins: while time runs, the level is not edited, and now and then its file is looked at.
    pub(super) fn follow_editing(&mut self) {
        if self.edits.open && !self.time.paused {
            self.edits.open = false;
            self.notices.changed = true;
        }
        if (self.edits.open || self.has_unsaved_edits()) && self.time.now() >= self.edits.look_at {
            self.look_at_file(false);
        }
    }

    /// Adopts what someone else has changed in the file. `again` says once more why that is not possible.
    fn look_at_file(&mut self, again: bool) {
        self.edits.look_at = self.time.now() + LOOKS;
        let Some(editor) = &mut self.edits.editor else {
            return;
        };
        match editor.level.refresh() {
            Ok(changed) => {
                self.edits.said.clear();
                if changed {
                    let name = editor.level.name().to_string();
                    self.edits.changed = true;
                    self.read_level_again();
                    if self.has_unsaved_edits() {
                        self.note(format!(
                            "{name} was changed on disk; your edits of it stay, and earlier ones cannot be undone"
                        ));
                    }
                }
            }
            Err(why) if again || why != self.edits.said => {
                self.warn(&why);
                self.edits.said = why;
            }
            Err(_) => {}
        }
    }

    /// The running game has read its files again.
    pub(super) fn level_was_read(&mut self) {
        if !self.edits.open {
            return;
        }
        self.look_at_file(false);
        if !self.holds_thing() {
            self.read_level_again();
        }
    }

    /// The text of the level, or the sizes of entities, may be others.
    pub(super) fn read_level_again(&mut self) {
        if let Some(editor) = &mut self.edits.editor {
            editor.read(&self.line.latest().stage);
            self.notices.changed = true;
        }
    }

    /// Selects the thing at a point of the level, px, and holds it. Returns whether there is one.
    pub(super) fn grab_thing(&mut self, point: DVec2) -> bool {
        self.notices.changed = true;
        let Some(editor) = &mut self.edits.editor else {
            return false;
        };
        let found = editor.grab(point);
        let name = editor.selected().filter(|item| item.list == LevelList::Entities).map(|it| it.index);
        // The running entity of this start is picked, too.
        let start = name.and_then(|index| self.line.latest().stage.starts.get(index).map(|start| start.name.clone()));
        let entity = start
            .and_then(|name| self.line.live.world().entities().iter().find(|it| it.name == name).map(PickedEntity::of));
        if let Some(entity) = entity {
            self.pick_by_hand(entity);
        }
        found
    }

    /// The mouse, which holds a thing, is at a point of the level, px.
    pub(super) fn drag_thing_to(&mut self, point: DVec2) {
        if let Some(editor) = &mut self.edits.editor {
            self.notices.changed |= editor.drag_to(point);
        }
    }

    /// Lets go of a thing: it is an edit if it was dragged.
    pub(super) fn drop_thing(&mut self) {
        let Some(editor) = self.edits.editor.as_mut().filter(|editor| editor.holds_thing()) else {
            return;
        };
        self.notices.changed = true;
        if let Some(text) = editor.drop_held() {
            let selected = editor.selected_number();
            self.edit_text(text, selected, "moved");
        }
    }

    /// Edits the text of the level, selects a thing, and says what was done.
    fn edit_text(&mut self, text: String, selected: Option<usize>, done: &str) {
        let Some(editor) = &mut self.edits.editor else {
            return;
        };
        if let Err(why) = editor.level.edit(text) {
            return self.warn(&why);
        }
        self.edits.changed = true;
        self.read_level_again();
        let Some(editor) = &mut self.edits.editor else {
            return;
        };
        editor.select(selected);
        let starts = editor.selected().is_some_and(|item| item.list == LevelList::Entities);
        if let Some([name, place]) = editor.described() {
            let then = if starts { "; it starts there after a restart" } else { "" };
            self.note(format!("{done} {name} to {place}{then}"));
        }
    }

    /// Carries out an order while the level is edited.
    pub fn edit(&mut self, order: EditOrder) {
        let Some(editor) = self.edits.editor.as_mut().filter(|_| self.edits.open) else {
            return;
        };
        self.notices.changed = true;
        match order {
            EditOrder::Undo | EditOrder::Redo => {
                let (done, nothing) = match order {
                    EditOrder::Undo => (editor.level.undo(), "there is nothing to undo"),
                    _ => (editor.level.redo(), "there is nothing to redo"),
                };
                match done {
                    true => {
                        self.edits.changed = true;
                        self.read_level_again();
                    }
                    false => self.note(nothing),
                }
            }
            EditOrder::Save => {
                let name = editor.level.name().to_string();
                match editor.level.save() {
                    Ok(true) => self.note(format!("saved {name}")),
                    Ok(false) => self.note(format!("{name} has no edits to save")),
                    Err(why) => self.warn(&format!("not saved: {why}")),
                }
                self.edits.changed = true;
                self.read_level_again();
            }
            EditOrder::Duplicate => match editor.copied() {
                Some(text) => {
                    let selected = editor.selected_number();
                    self.edit_text(text, selected, "copied");
                }
                None => self.note("select what to copy: click it"),
            },
            EditOrder::Delete => {
                let name = editor.described().map_or_else(String::new, |[name, _]| name);
                match editor.removed() {
                    Some(text) => {
                        self.edit_text(text, None, "");
                        self.note(format!("removed {name}"));
                    }
                    None => self.note("select what to remove: click it"),
                }
            }
            EditOrder::SaveTest => self.save_start_test(),
        }
    }

    /// Writes a test that starts with the picked entity as it is now.
    fn save_start_test(&mut self) {
        let Some(editor) = &self.edits.editor else {
            return;
        };
        let Some(view) = self.line.picked_entity().and_then(|entity| {
            let live = &self.line.live;
            live.world().view_of(&live.revision().stage, &entity.name)
        }) else {
            return self.note("pick an entity: the test starts with it where it is now");
        };
        // The test would fail at once if it could not place the entity.
        let revision = self.line.latest();
        let mut begun = Live::new(revision.clone(), 0);
        let there = begun
            .world()
            .entities()
            .iter()
            .find(|entity| entity.name == view.name)
            .map(|entity| entity.id);
        let place = Teleport { at: view.pos, z: None, velocity: Some((view.vel, 0.0)) };
        let name = printable_name(&view.name).into_owned();
        match there.map(|id| begun.place(id, place)) {
            None => {
                return self.note(format!("a test cannot start with {name}: it is not there when the level begins"));
            }
            Some(false) => {
                return self
                    .note(format!("a test cannot start here: when the level begins there is no room for {name}"));
            }
            Some(true) => {}
        }
        let test = StartTest { entity: view.name.to_string(), at: view.pos, velocity: view.vel };
        let unsaved = editor.level.is_unsaved();
        match save_start_test(editor.level.folder(), editor.level.name(), &test) {
            Ok(file) => {
                self.note(format!("wrote {file}; `hangtime test {file}` runs it"));
                if unsaved {
                    self.note("it plays the level as its file has it: Ctrl+S saves your edits");
                }
            }
            Err(why) => self.warn(&format!("no test was written: {why}")),
        }
    }

    /// What is shown while the level is edited.
    pub(super) fn edit_picture(&self) -> Option<Arc<EditPicture>> {
        let editor = self.edits.editor.as_ref().filter(|_| self.edits.open);
        editor.map(|editor| editor.picture().clone())
    }

    /// The status while the level is edited, or has edits that are not saved.
    pub(super) fn edit_status(&self) -> Option<String> {
        let editor = self.edits.editor.as_ref()?;
        let unsaved = if editor.level.is_unsaved() { ", not saved" } else { "" };
        let shown = self.edits.open || editor.level.is_unsaved();
        let doing = if self.edits.open { "editing" } else { "edited" };
        let thing = editor.described().filter(|_| self.edits.open);
        let thing = thing.map_or_else(String::new, |[name, place]| format!("   {name} at {place}"));
        shown.then(|| format!("{doing} {}{unsaved}{thing}", editor.level.name()))
    }

    /// What keys and the mouse do while the level is edited.
    pub(super) fn edit_hints(&self) -> impl Iterator<Item = &'static str> {
        const HINTS: [&str; 2] = [
            "drag things, corners, edges   Alt: no grid   Shift: one axis   Space, M click: pan   Home",
            "Ctrl+S: save   Ctrl+Z, Y: undo, redo   Ctrl+D: copy   Ctrl+T: test from here   Delete: remove",
        ];
        HINTS.into_iter().filter(|_| self.edits.open)
    }
}
