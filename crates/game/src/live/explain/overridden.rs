//! Numbers that have no effect because a rule of a script answers them.

use crate::{files::location, live::build::revision::Revision};
use hangtime_script::{AnsweredTunable, Diagnostic, Place};
use std::{collections::BTreeSet, fmt};

/// A rule of a script that answers a tunable instead of its number. Displays as
/// `set by scripts/hero.rhai:19`, or as `may be set by …`.
#[derive(Clone, Debug, PartialEq)]
pub struct SetByScript {
    /// The name of the rule's function in the script.
    pub place: Place,
    /// Whether the rule always answers the tunable. Otherwise its number applies in some cases.
    pub always: bool,
}

impl fmt::Display for SetByScript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let maybe = if self.always { "" } else { "may be " };
        write!(f, "{maybe}set by {}", location(&self.place))
    }
}

impl Revision {
    /// The rule that answers a tunable of one of the stage's profiles, such as `platformer.coyote_time`,
    /// instead of its number. None if the number applies.
    pub fn set_by_script(&self, profile: usize, key: &str) -> Option<SetByScript> {
        let (_, tunable) = key.split_once('.')?;
        let mut answers = self.rule_answers(profile);
        let answer = answers.find(|answer| answer.key == tunable)?;
        Some(SetByScript { place: answer.place.clone(), always: answer.always })
    }

    fn rule_answers(&self, profile: usize) -> impl Iterator<Item = &AnsweredTunable> {
        let script = self.stage.profiles.get(profile).and_then(|p| p.script);
        let script = script.map(|id| self.scripts.get(id));
        let layers = script.into_iter().flat_map(|top| self.scripts.layers_of(top));
        layers.flat_map(|script| &script.answers)
    }

    /// Warnings about numbers that never have an effect on a kind, at their places: numbers of a kind or
    /// entity that its script always answers, and numbers of a model that a player's script always answers
    /// with constants. A number of a model may serve other kinds, so that a computed answer is a choice.
    pub fn overridden_numbers(&self) -> Vec<Diagnostic> {
        let players = self.stage.starts.iter().filter(|it| it.player.is_some());
        let players: BTreeSet<usize> = players.map(|start| start.profile).collect();
        let mut found = Vec::new();
        for (number, profile) in self.stage.profiles.iter().enumerate() {
            for answer in self.rule_answers(number).filter(|answer| answer.always) {
                let key = format!("{}.{}", profile.model.as_str(), answer.key);
                let Some(place) = self.provenance[number].place(&key) else {
                    continue;
                };
                let of_model = self.mods.local(&place.file.name);
                let of_model = of_model.starts_with("config/models/");
                if of_model && !(players.contains(&number) && answer.constant) {
                    continue;
                }
                let message = format!(
                    "`{}` has no effect on `{}`: it is set by {}, where `jump_windows` always answers it; leave \
                     it out of the answer to use this number",
                    answer.key,
                    profile.kind,
                    location(&answer.place)
                );
                found.push(Diagnostic::warning(place.clone(), message));
            }
        }
        found
    }
}
