//! A player of a level whose entity an agent controls.

use crate::action::ActionLayout;
use crate::observation::{ObservationChoice, ObservationLayout, find};
use hangtime::project::Live;
use hangtime::sim::{Entity, EntityId};
use std::sync::Arc;

/// A player, what it can do and what it sees.
#[derive(Clone, Debug)]
pub struct Player {
    /// Its number, from 1.
    pub number: u8,
    /// Its entity when the level begins.
    pub entity: (EntityId, Arc<str>),
    /// What it can do.
    pub actions: ActionLayout,
    /// What it sees.
    pub observation: ObservationLayout,
    /// How many numbers its action has.
    pub action_width: usize,
    /// How many numbers its observation has.
    pub observation_width: usize,
}

/// What the user can choose about players.
#[derive(Clone, Debug)]
pub struct PlayerChoice {
    /// What they see.
    pub observation: ObservationChoice,
    /// Whether their actions are numbers instead of choices.
    pub continuous: bool,
    /// The parts of their actions; `None` for all.
    pub parts: Option<Vec<String>>,
}

impl Player {
    /// A player of a level at tick 0.
    ///
    /// # Errors
    /// If the level has no such player, or a choice names something that does not exist.
    pub fn new(live: &Live, number: u8, choice: &PlayerChoice) -> Result<Self, String> {
        let entities = live.world().entities();
        let me = entities.iter().find(|e| e.player == Some(number));
        let Some(me) = me else {
            let level = &live.revision().stage.level.name;
            let known: Vec<String> = entities.iter().filter_map(|e| e.player).map(|p| p.to_string()).collect();
            let known = match known.is_empty() {
                true => "no entity in it has a `player`".to_string(),
                false => format!("it has {}", known.join(", ")),
            };
            return Err(format!("`{level}` has no player {number}; {known}"));
        };
        let profile = live.world().profile_of(me);
        let actions = ActionLayout::new(live, profile, choice.continuous, choice.parts.as_deref())?;
        let observation = ObservationLayout::new(live, me, &choice.observation)?;
        Ok(Self {
            number,
            entity: (me.id, me.name.clone()),
            action_width: actions.names().len(),
            observation_width: observation.names().len(),
            actions,
            observation,
        })
    }

    /// Its entity, if it exists.
    pub fn find<'a>(&self, live: &'a Live) -> Option<&'a Entity> {
        find(live, self.entity.0, &self.entity.1)
    }
}
