//! `me`: the entity whose script runs.
//!
//! Reads return the entity's state as of the start of the phase, plus what the script has written since. Writes
//! queue commands, which take effect when the phase ends.

use crate::level::View;
use crate::models::{Actions, Intent};
use crate::script::host::budget::charge;
use crate::script::host::{CallRefusal, refuse};
use crate::sim::{Command, EntityId, EntityView, Invocation, SharedView};

/// The largest number of commands of one entity in a tick. Without a limit, a script could fill the memory.
const MAX_COMMANDS: usize = 4096;

/// Operations charged for using a member of `me`.
const PER_MEMBER: u64 = 2;

/// Operations charged for an order, which is applied after the call.
const PER_ORDER: u64 = 7;

/// The message for members of `me` that need a body, in a level's own script.
#[must_use]
pub fn no_level_member(member: &str) -> String {
    format!("the level itself has no `{member}`")
}

/// State behind `me` while the calls of one entity run.
#[derive(Debug)]
pub struct MeState {
    /// Index of its profile in the stage.
    pub profile: usize,
    /// The view of the level.
    pub level_view: View,
    /// What the script reads of itself.
    pub view: SharedView,
    /// Its input: its player's, and what the script has added.
    pub intent: Intent,
    /// Actions it held in the previous tick.
    pub before: Actions,
    /// How many numbers its random stream has produced.
    pub random: u64,
    /// How many of its timers are running.
    pub timers: usize,
    /// Whether this is the level's own script, which has no body.
    pub level: bool,
    /// The orders that the script has given.
    pub commands: Vec<Command>,
}

/// A point to roll back to when a hook fails: how many commands were queued, and what the script could read.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    commands: usize,
    timers: usize,
    view: SharedView,
    intent: Intent,
}

impl Checkpoint {
    /// How many commands were queued at this point.
    #[must_use]
    pub fn commands(&self) -> usize {
        self.commands
    }
}

impl MeState {
    /// The state of no entity yet.
    pub(super) fn of_no_entity() -> Self {
        Self {
            profile: 0,
            level_view: View::Side,
            view: EntityView::empty().into(),
            intent: Intent::default(),
            before: Actions::NONE,
            random: 0,
            timers: 0,
            level: false,
            commands: Vec::new(),
        }
    }

    /// Points it at the entity that is called. `random` is how many numbers its random stream has produced.
    pub fn point_at(&mut self, level_view: View, invocation: &Invocation, random: u64) {
        self.profile = invocation.profile;
        self.level_view = level_view;
        self.view.clone_from(&invocation.view);
        self.intent = invocation.intent;
        self.before = invocation.before;
        self.random = random;
        self.timers = invocation.timers;
        self.level = invocation.entity == EntityId::LEVEL;
        self.commands.clear();
    }

    /// The point that [`roll_back`](Self::roll_back) returns to.
    #[must_use]
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            commands: self.commands.len(),
            timers: self.timers,
            view: self.view.clone(),
            intent: self.intent,
        }
    }

    /// Drops the commands queued since. Random numbers that were drawn stay drawn.
    pub fn roll_back(&mut self, to: &Checkpoint) {
        self.commands.truncate(to.commands);
        self.timers = to.timers;
        self.view.clone_from(&to.view);
        self.intent = to.intent;
    }

    /// Queues a command.
    ///
    /// # Errors
    /// When there are too many.
    pub(super) fn queue(&mut self, command: Command) -> Result<(), CallRefusal> {
        if self.commands.len() >= MAX_COMMANDS {
            return refuse(format!(
                "a script can give at most {MAX_COMMANDS} orders (`me.…`, `world::…`) per tick"
            ));
        }
        charge(PER_ORDER)?;
        self.commands.push(command);
        Ok(())
    }

    /// The state, for a `member` that needs a body.
    ///
    /// # Errors
    /// In a level's own script.
    #[inline]
    pub(super) fn with_body(&mut self, member: &str) -> Result<&mut Self, CallRefusal> {
        charge(PER_MEMBER)?;
        if self.level {
            return refuse(no_level_member(member));
        }
        Ok(self)
    }
}
