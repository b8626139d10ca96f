//! The names of the actions that a game defines for itself.

use super::intent::{Action, Actions};
use super::own_action::OwnAction;
use std::sync::Arc;

/// The names of the actions that a game defines, in alphabetical order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnActions(Option<Arc<[Arc<str>]>>);

impl OwnActions {
    /// Actions with these names, in any order; those beyond the largest number of them are left out.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut names: Vec<&str> = names.into_iter().collect();
        names.sort_unstable();
        names.dedup();
        names.truncate(OwnAction::ALL.len());
        if names.is_empty() {
            return Self::default();
        }
        Self(Some(names.into_iter().map(Arc::from).collect()))
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().flat_map(|names| names.iter()).map(|name| &**name)
    }

    /// The names of all actions: those that every game has, and these.
    pub fn all_names(&self) -> impl Iterator<Item = &str> + Clone {
        let common = Action::ALL.into_iter().map(|action| -> &str { action.name() });
        common.chain(self.names())
    }

    /// The action with this name: one that every game has, or one of these.
    pub fn parse(&self, name: &str) -> Option<Action> {
        Action::parse(name).or_else(|| self.own(name))
    }

    /// The action of the game with this name.
    pub fn own(&self, name: &str) -> Option<Action> {
        let place = self.names().position(|known| known == name)?;
        OwnAction::ALL.get(place).copied().map(Action::Own)
    }

    /// The name of an action.
    pub fn name_of(&self, action: Action) -> &str {
        match action {
            Action::Own(own) => {
                let mut names = self.names().skip(own.place().into());
                names.next().unwrap_or(own.name())
            }
            action => action.name(),
        }
    }

    /// The same actions where they have other places: those that do not exist there are left out.
    pub fn translated(&self, actions: Actions, to: &Self) -> Actions {
        let mut result = Actions::NONE;
        for action in Action::every().filter(|action| actions.has(*action)) {
            let same = match action {
                Action::Own(_) => to.own(self.name_of(action)),
                action => Some(action),
            };
            same.into_iter().for_each(|action| result.insert(action));
        }
        result
    }
}
