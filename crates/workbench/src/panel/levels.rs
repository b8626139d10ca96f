//! Unsaved edits when another level opens.

use super::{tuner::EditSet, *};

/// The most edits that a line lists.
const MOST_LISTED: usize = 3;

impl Tuner {
    /// Continues with another level of the same game. Edits of files that all levels share stay, also those
    /// that have no effect in this level. Edits of the old level's own file are put aside until that level
    /// opens again. Returns lines that say what happened to the edits that were in effect.
    pub fn open_level(&mut self, base: Arc<Revision>) -> Vec<String> {
        let left = self.base.stage.level.name.clone();
        let was = self.active().clone();
        let own = self.now.sets.each_mut().map(take_own);
        // The history belongs to the level that is left.
        self.forget_history();
        if own.iter().any(|set| !set.is_empty()) {
            self.elsewhere.insert(left.clone(), own);
        }
        self.base = base;
        let back = self.elsewhere.remove(&self.base.stage.level.name);
        for (set, back) in self.now.sets.iter_mut().zip(back.into_iter().flatten()) {
            set.extend(back);
        }
        self.compare();
        self.told(&left, &was)
    }

    /// What happened to the edits that were in effect in the level `left`.
    fn told(&self, left: &str, was: &EditSet) -> Vec<String> {
        let here = |key: &TuningKey| self.base.setting_at(&key.0, &key.1, key.2).is_some();
        let (apply, idle): (Vec<_>, Vec<_>) = self.active().iter().partition(|(key, _)| here(key));
        // The same level was opened again.
        let stays = *left == *self.base.stage.level.name;
        let own = was.iter().filter(|(key, _)| key.0.is_of_level() && !stays);
        let own: Vec<_> = own.collect();
        let waiting = format!("unsaved numbers of {} wait for it", shown(left));
        let lists = [
            ("unsaved numbers stay in effect".to_string(), apply),
            ("unsaved, without effect in this level".into(), idle),
            (waiting, own),
        ];
        let lists = lists.into_iter().filter(|(_, edits)| !edits.is_empty());
        lists.map(|(what, edits)| format!("{what}: {}", listed(&edits))).collect()
    }
}

/// Takes the edits of the level's own file out of a set.
fn take_own(set: &mut EditSet) -> EditSet {
    let (own, shared) = mem::take(set).into_iter().partition(|(key, _)| key.0.is_of_level());
    *set = shared;
    own
}

/// The first edits, and the number of the others.
fn listed(edits: &[(&TuningKey, &TunedValue)]) -> String {
    let first = edits.iter().take(MOST_LISTED);
    let first: Vec<String> = first.map(|(key, tuned)| format!("{} = {}", tuning_path(key), tuned.value)).collect();
    let first = first.join(", ");
    match edits.len().saturating_sub(MOST_LISTED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// A key as in a setting, without `entities.`: `hero.platformer.jump_speed`, `surfaces.ice.grip`.
pub fn tuning_path((home, group, name): &TuningKey) -> String {
    match home.in_game() {
        TuningHome::Kind(owner) | TuningHome::Entity(owner) => {
            format!("{}.{group}.{name}", shown(owner))
        }
        _ => format!("{group}.{name}"),
    }
}

/// A name from a file as it can be shown.
fn shown(name: &str) -> String {
    printable_name(&cut_name(name)).into_owned()
}
