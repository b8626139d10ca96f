//! What to try first: lines over the game until something has been edited.

use super::bench::Workbench;
use crate::models::Action;
use crate::project::WindowKey;

/// Seconds for which the hints are shown.
const SHOWN_FOR: f64 = 40.0;

/// The tunable to edit first. It is in every model that jumps.
const FIRST: &str = "jump_speed";

impl Workbench {
    /// The keys to play with, and a line of a file whose edit shows at once. Empty after the first edit and
    /// after a while.
    pub(super) fn hints(&self) -> Vec<String> {
        let old = self.now > SHOWN_FOR && !self.paused;
        if old || self.last_edit.is_some() || self.log_open {
            return Vec::new();
        }
        let mut lines = vec![self.hint_of_keys()];
        lines.extend(self.hint_of_file());
        lines
    }

    fn hint_of_keys(&self) -> String {
        let keys = &self.latest.config.keys;
        let play = |action| keys.labels(WindowKey::Play(1, action));
        let run = [play(Action::Left), play(Action::Right)];
        let run: Vec<_> = run.into_iter().filter(|keys| !keys.is_empty()).collect();
        let parts = [
            (run.join(" and "), "run"),
            (play(Action::Jump), "jump"),
            (play(Action::Hook), "hook"),
            (keys.labels(WindowKey::Help), "all keys"),
        ];
        let parts = parts.iter().filter(|(keys, _)| !keys.is_empty());
        let parts: Vec<String> = parts
            .map(|(keys, words)| format!("{keys}: {words}"))
            .collect();
        parts.join("   ")
    }

    /// Where the picked entity's jump is set, if its model has one.
    fn hint_of_file(&self) -> Option<String> {
        let picked = self.picked.as_ref()?;
        let world = self.live.world();
        let entity = world.entities().iter().find(|e| e.id == picked.id)?;
        let profile = world.profile_of(entity);
        let loadouts = &self.latest.stage.profiles.get(profile)?.loadouts;
        loadouts.setting(entity.model, FIRST)?;
        let place = self
            .latest
            .provenance
            .get(profile)?
            .of_tunable(entity.model, FIRST);
        Some(match place.split_once(':') {
            Some(_) => format!("edit {place} ({FIRST}) and save to compare two jumps"),
            None => format!(
                "add `{FIRST} = 600` to config/models/{}.toml to compare two jumps",
                entity.model.as_str()
            ),
        })
    }
}
