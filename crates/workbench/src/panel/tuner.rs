//! Edits of tunables that are not saved yet.

use super::*;
use hangtime_game::{TuningEdit, TuningScope};

/// The most edits that can be undone.
const MOST_UNDONE: usize = 500;

/// The most values that these edits keep together: each keeps all that are not saved.
const MOST_VALUES_UNDONE: usize = 20_000;

/// Which tunable is edited: where it is written, its group and its name.
pub type TuningKey = (TuningHome, TuningGroup, &'static str);

/// An edited value.
#[derive(Clone)]
pub struct TunedValue {
    /// The new value.
    pub value: Setting,
    /// The value in the files when it was edited.
    pub was: Setting,
    /// Whether a file sets that value.
    pub written: bool,
    /// The value that the files have now, if someone has edited it there since.
    pub conflict: Option<Setting>,
}

pub type EditSet = BTreeMap<TuningKey, TunedValue>;

/// Two sets of edits, A and B. One of them takes effect.
#[derive(Clone, Default)]
pub struct Presets {
    pub sets: [EditSet; 2],
    /// Whether B takes effect.
    second: bool,
}

impl Presets {
    /// The number of edits of both sets.
    fn values(&self) -> usize {
        self.sets.iter().map(EditSet::len).sum()
    }

    /// The files have an edit of a set by now. Where the set has no edit of the number, it had the value that the edit
    /// replaced; other values are edits of the saved one.
    fn rest_on(&mut self, set: usize, key: &TuningKey, saved: &TunedValue) {
        let before = || TunedValue { value: saved.was.clone(), ..saved.clone() };
        self.sets[set].entry(key.clone()).or_insert_with(before);
        for tuned in self.sets.iter_mut().filter_map(|set| set.get_mut(key)) {
            tuned.was = saved.value.clone();
            tuned.written = true;
            tuned.conflict = None;
        }
    }
}

/// Edits of tunables that are not saved yet, and their history.
#[derive(Clone)]
pub struct Tuner {
    pub(super) base: Arc<Revision>,
    pub(super) now: Presets,
    undo: Vec<Presets>,
    redo: Vec<Presets>,
    /// The edits of files of levels that do not run now, by the level.
    pub(super) elsewhere: BTreeMap<Arc<str>, [EditSet; 2]>,
    /// The edits that are being saved, and the set that they are of.
    saving: Option<(usize, EditSet)>,
    /// Which entities changed numbers of models are for; `None` until the user has chosen.
    scope: Option<TuningScope>,
}

impl Tuner {
    /// No edits. `base` is what the files say.
    pub fn new(base: Arc<Revision>) -> Self {
        Self {
            base,
            now: Presets::default(),
            undo: Vec::new(),
            redo: Vec::new(),
            elsewhere: BTreeMap::new(),
            saving: None,
            scope: None,
        }
    }

    /// What the files say.
    pub fn base(&self) -> &Arc<Revision> {
        &self.base
    }

    /// The edit of a tunable in the set that takes effect.
    pub fn edit(&self, key: &TuningKey) -> Option<&TunedValue> {
        self.active().get(key)
    }

    pub(super) fn active(&self) -> &EditSet {
        &self.now.sets[usize::from(self.now.second)]
    }

    fn active_mut(&mut self) -> &mut EditSet {
        &mut self.now.sets[usize::from(self.now.second)]
    }

    /// The number of edits that take effect.
    pub fn count(&self) -> usize {
        self.active().len()
    }

    /// The number of edits that are not in the files: of both sets, and of other levels.
    pub fn unsaved_count(&self) -> usize {
        let sets = self.now.sets.iter().chain(self.elsewhere.values().flatten());
        sets.map(EditSet::len).sum()
    }

    /// Whether the second set, B, takes effect.
    pub fn is_second(&self) -> bool {
        self.now.second
    }

    /// Whether there is something to undo, and to redo.
    pub fn can_undo_and_redo(&self) -> (bool, bool) {
        (!self.undo.is_empty(), !self.redo.is_empty())
    }

    /// The changes that take effect.
    pub fn changes(&self) -> Vec<TuningChange> {
        let all = self.active().iter();
        all.map(|(key, tuned)| change(key, tuned)).collect()
    }

    /// The edits to save. Those in conflict with the files are left out until the user has chosen.
    pub fn unsaved(&self) -> Vec<TuningEdit> {
        let edit = |(key, tuned): (&TuningKey, &TunedValue)| TuningEdit {
            change: change(key, tuned),
            was: tuned.was.clone(),
            written: tuned.written,
        };
        self.settled().map(edit).collect()
    }

    fn settled(&self) -> impl Iterator<Item = (&TuningKey, &TunedValue)> {
        self.active().iter().filter(|(_, tuned)| tuned.conflict.is_none())
    }

    /// The edits of the set that takes effect whose values someone has changed in the files as well. They
    /// are not saved until [`Tuner::keep_mine`] or [`Tuner::reset`] has decided.
    pub fn conflicts(&self) -> impl Iterator<Item = (&TuningKey, &TunedValue)> {
        self.active().iter().filter(|(_, tuned)| tuned.conflict.is_some())
    }

    /// Which entities changed numbers of models are for; `None` until the user has chosen. Until then, numbers stay where
    /// they are, and those that no file sets are for the kind.
    pub fn scope(&self) -> Option<TuningScope> {
        self.scope
    }

    /// Whether there are edits that can be for one kind or for all of a model, and the user has not chosen yet.
    pub fn asks_scope(&self) -> bool {
        self.scope.is_none() && self.active().keys().any(has_scope)
    }

    /// Decides which entities changed numbers of models are for from now on, and moves the edits there. `profile` is
    /// the picked entity's profile; an edit for a kind is for that entity's kind.
    pub fn choose_scope(&mut self, scope: TuningScope, profile: usize) {
        self.scope = Some(scope);
        if self.now.sets.iter().flat_map(EditSet::keys).any(has_scope) {
            self.remember();
        }
        let base = &self.base;
        let profiles = 0..base.stage.profiles.len();
        let owner = |home: &TuningHome, group: &TuningGroup, name: &str| match home.in_game() {
            TuningHome::Kind(_) => profiles
                .clone()
                .find(|profile| base.tuning_home_in(*profile, group, name, TuningScope::Kind) == *home),
            _ => None,
        };
        for set in &mut self.now.sets {
            let moved = mem::take(set).into_iter().map(|(key, tuned)| {
                let (home, group, name) = &key;
                let profile = owner(home, group, name).unwrap_or(profile);
                let goes = base.tuning_home_in(profile, group, name, scope);
                match base.setting_at(&goes, group, name) {
                    Some((was, written)) if has_scope(&key) && goes != *home => {
                        ((goes, group.clone(), *name), TunedValue { value: tuned.value, was, written, conflict: None })
                    }
                    _ => (key, tuned),
                }
            });
            *set = moved.collect();
        }
    }

    /// Which tunable an edit for an entity with this profile is about: the one that is edited already, or the one at
    /// the chosen place.
    pub(super) fn key(&self, profile: usize, group: &TuningGroup, name: &'static str) -> TuningKey {
        let key = |home| (home, group.clone(), name);
        let place = |scope| key(self.base.tuning_home_in(profile, group, name, scope));
        let mut edited = [TuningScope::Kind, TuningScope::Model].map(place).into_iter();
        let edited = edited.find(|key| self.active().contains_key(key));
        edited.unwrap_or_else(|| match self.scope {
            Some(scope) => place(scope),
            None => key(self.base.tuning_home(profile, group, name)),
        })
    }

    /// Begins to save. Returns the edits to write. As soon as the files have them, undo goes back to the
    /// numbers before, as edits of the saved ones.
    pub fn save(&mut self) -> Vec<TuningEdit> {
        let settled = self.settled().map(|(key, tuned)| (key.clone(), tuned.clone())).collect();
        self.saving = Some((usize::from(self.now.second), settled));
        self.unsaved()
    }

    /// Finds out which of the edits that are being saved the files have by now.
    fn note_saved(&mut self) {
        let Some((set, saving)) = self.saving.take() else {
            return;
        };
        let is_there = |((home, group, name), tuned): &(TuningKey, TunedValue)| {
            let now = self.base.setting_at(home, group, name);
            now.is_some_and(|(now, _)| now == tuned.value)
        };
        let (there, missing): (EditSet, EditSet) = saving.into_iter().partition(is_there);
        for (key, saved) in &there {
            let history = self.undo.iter_mut().chain(&mut self.redo).chain([&mut self.now]);
            history.for_each(|presets| presets.rest_on(set, key, saved));
        }
        self.saving = (!missing.is_empty()).then_some((set, missing));
    }

    /// The value that a tunable gets: rounded if it takes whole numbers only, and kept in its range. `None`
    /// if it has another type.
    fn fitting(&self, key: &TuningKey, value: Setting) -> Option<Setting> {
        let (_, group, name) = key;
        let tunables = group.tunables();
        let range = tunables.iter().find(|t| t.name == *name)?.range;
        let value = match value {
            Setting::Number(x) if x.is_nan() => return None,
            Setting::Number(x) => Setting::Number(x.clamp(range.min, range.max)),
            other => other,
        };
        if group.check(name, &value).is_ok() {
            return Some(value);
        }
        let Setting::Number(x) = value else {
            return None;
        };
        let whole = Setting::Number(x.round());
        group.check(name, &whole).ok().map(|()| whole)
    }

    /// Forgets what could be undone.
    pub(super) fn forget_history(&mut self) {
        self.undo.clear();
        self.redo.clear();
        self.saving = None;
    }

    /// Edits a tunable. While a slider is dragged, `continues` is set after the first change, so that undo
    /// takes all of it back. The value of the files ends the edit. Ignored if nothing in the level has the tunable, or if it is
    /// [fixed](super::TuningRow::fixed).
    pub fn set(&mut self, key: &TuningKey, value: Setting, continues: bool) {
        let (home, group, name) = key;
        let Some((now, written)) = self.base.setting_at(home, group, name) else {
            return;
        };
        if fixed(group, name).is_some() {
            return;
        }
        let Some(value) = self.fitting(key, value) else {
            return;
        };
        if self.active().get(key).map_or(&now, |tuned| &tuned.value) == &value {
            return;
        }
        if !continues || self.undo.is_empty() {
            self.remember();
        }
        if value == now {
            self.active_mut().remove(key);
            return;
        }
        let edit = TunedValue { value: value.clone(), was: now, written, conflict: None };
        self.active_mut().entry(key.clone()).or_insert(edit).value = value;
    }

    /// Edits several tunables of an entity with this profile, which undo takes back together.
    pub fn set_together(&mut self, profile: usize, numbers: &[(TuningGroup, &'static str, f64)]) {
        let before = self.undo.len();
        for (group, name, value) in numbers {
            let key = self.key(profile, group, name);
            let continues = self.undo.len() > before;
            self.set(&key, Setting::Number(*value), continues);
        }
    }

    /// Drops the edit of a tunable: the value of the files takes effect.
    pub fn reset(&mut self, key: &TuningKey) {
        if self.active().contains_key(key) {
            self.remember();
            self.active_mut().remove(key);
        }
    }

    /// Drops all edits of the set that takes effect.
    pub fn reset_all(&mut self) {
        if !self.active().is_empty() {
            self.remember();
            self.active_mut().clear();
        }
    }

    /// Keeps an edit although the files have another value by now: saving replaces that.
    pub fn keep_mine(&mut self, key: &TuningKey) {
        let (home, group, name) = key;
        let now = self.base.setting_at(home, group, name);
        if let (Some(tuned), Some((value, written))) = (self.active_mut().get_mut(key), now) {
            tuned.was = value;
            tuned.written = written;
            tuned.conflict = None;
        }
    }

    /// Exchanges the two sets.
    pub fn swap(&mut self) {
        self.now.second = !self.now.second;
    }

    /// Copies the set that takes effect over the other one.
    pub fn copy_to_other(&mut self) {
        self.remember();
        self.now.sets[usize::from(!self.now.second)] = self.active().clone();
    }

    /// Takes the last edit back.
    pub fn undo(&mut self) {
        if let Some(before) = self.undo.pop() {
            self.redo.push(mem::replace(&mut self.now, before));
            self.compare();
        }
    }

    /// Makes the last edit again that was taken back.
    pub fn redo(&mut self) {
        if let Some(after) = self.redo.pop() {
            self.undo.push(mem::replace(&mut self.now, after));
            self.compare();
        }
    }

    fn remember(&mut self) {
        self.redo.clear();
        self.undo.push(self.now.clone());
        let mut values: usize = self.undo.iter().map(Presets::values).sum();
        while self.undo.len() > MOST_UNDONE || values > MOST_VALUES_UNDONE && self.undo.len() > 1 {
            values -= self.undo.remove(0).values();
        }
    }

    /// The files say something else now. Edits that they contain are saved; edits of values that someone has
    /// changed there are in conflict.
    pub fn rebase(&mut self, base: Arc<Revision>) {
        if !Arc::ptr_eq(&self.base, &base) {
            self.base = base;
            self.note_saved();
            self.compare();
        }
    }

    /// Compares all edits with the files.
    pub(super) fn compare(&mut self) {
        let base = &self.base;
        for set in &mut self.now.sets {
            set.retain(|(home, group, name), tuned| {
                let Some((now, _)) = base.setting_at(home, group, name) else {
                    // The entity or the surface may come back.
                    return true;
                };
                tuned.conflict = (now != tuned.was).then(|| now.clone());
                now != tuned.value
            });
        }
    }
}

/// Whether an edit can be for one kind or for all of a model.
fn has_scope((home, group, _): &TuningKey) -> bool {
    matches!(group, TuningGroup::Model(_)) && matches!(home.in_game(), TuningHome::Kind(_) | TuningHome::Model)
}

fn change(key: &TuningKey, tuned: &TunedValue) -> TuningChange {
    TuningChange { home: key.0.clone(), group: key.1.clone(), name: key.2, value: tuned.value.clone() }
}

/// Why the panel shows a tunable, but cannot change it while the game runs; `None` if it can.
pub fn fixed(group: &TuningGroup, name: &str) -> Option<&'static str> {
    match (group, name) {
        (TuningGroup::Simulation, "tick_hz") => Some("edit the file, then start hangtime again: timers count ticks"),
        (TuningGroup::Simulation, "max_entities") => Some("edit the file: it is checked when files are read"),
        _ => None,
    }
}

/// A number of a slider, rounded to four significant digits, so that files get numbers that people write.
pub fn rounded(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return 0.0;
    }
    let text = format!("{x:.3e}");
    text.parse().unwrap_or(x)
}
