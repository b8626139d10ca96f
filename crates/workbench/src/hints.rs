//! What to try first: lines over the game until something has been edited.

use super::*;

/// The most of the game's own actions that are shown; the list of all keys has the others.
const MOST_OWN: usize = 3;

/// The tunable to edit first. It is in every model that jumps.
const FIRST: &str = "jump_speed";

/// The labels of an action's keys. Buttons of gamepads are listed only where there is nothing else: the lines are short.
fn hinted_keys(keys: &KeyMap, action: Action) -> String {
    let (pads, others): (Vec<_>, Vec<_>) =
        keys.keys_for(KeyUse::Play(1, action)).partition(|key| key.starts_with("Pad"));
    let shown = if others.is_empty() { pads } else { others };
    shown.into_iter().map(key_label).collect::<Vec<_>>().join(", ")
}

impl PlayedLine {
    /// The keys to play with if there are `keys`, and a line of a file whose edit shows at once if there is an `editor`.
    pub fn hints(&self, keys: bool, editor: bool) -> impl Iterator<Item = String> {
        let of_file = editor.then(|| self.hint_of_file()).flatten();
        keys.then(|| self.hint_of_keys()).into_iter().chain(of_file)
    }

    fn hint_of_keys(&self) -> String {
        let keys = &self.latest().config.keys;
        let play = |actions: &[Action]| {
            let labels = actions.iter().map(|action| hinted_keys(keys, *action));
            let bound: Vec<_> = labels.filter(|keys| !keys.is_empty()).collect();
            let between = if bound.len() > 2 { ", " } else { " and " };
            bound.join(between)
        };
        let view = self.latest().stage.level.view;
        let mut parts = Vec::new();
        if let Some(model) = self.picked_entity().map(|entity| entity.model) {
            let moves = model.moves().iter();
            parts.extend(moves.map(|(actions, word)| (play(actions), *word)));
            let jumps = model.jump_views().contains(&view);
            parts.extend(jumps.then(|| (play(&[Action::Jump]), "jump")));
            parts.extend(model.hooks().then(|| (play(&[Action::Hook]), "hook")));
        }
        let own = keys.own_actions();
        let actions = own.names().filter(|name| self.names_action(name));
        let actions = actions.filter_map(|name| Some((own.own(name)?, name)));
        parts.extend(actions.take(MOST_OWN).map(|(action, name)| (play(&[action]), name)));
        parts.push((key_labels(keys, WindowKey::Help), "all keys"));
        let parts = parts.iter().filter(|(keys, _)| !keys.is_empty());
        let parts: Vec<String> = parts.map(|(keys, words)| format!("{keys}: {words}")).collect();
        parts.join("   ")
    }

    /// Whether a script of the level names an action of the game: without one, its key does nothing here.
    fn names_action(&self, action: &str) -> bool {
        let quoted = format!("\"{action}\"");
        let revision = self.latest();
        let texts = revision.scripts.all().iter().filter_map(|script| revision.files.get(script.name()));
        texts.into_iter().any(|file| file.text.contains(&quoted))
    }

    /// Where the picked entity's jump is set, if its model has one.
    fn hint_of_file(&self) -> Option<String> {
        let entity = self.picked_entity()?;
        let profile = self.live.world().profile_of(entity);
        let loadouts = &self.latest().stage.profiles.get(profile)?.loadouts;
        loadouts.setting(entity.model, FIRST)?;
        let place = self.latest().provenance.get(profile)?.of_tunable(entity.model, FIRST);
        Some(match place.split_once(':') {
            Some(_) => format!("edit {place} ({FIRST}) and save to compare two jumps"),
            None => format!("add `{FIRST} = 600` to config/models/{}.toml to compare two jumps", entity.model.as_str()),
        })
    }
}
