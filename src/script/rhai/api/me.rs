//! `me`: the entity whose script runs.
//!
//! Reading shows the entity as it stood when the phase began, with what the script wrote itself.
//! Writing notes a command; commands take effect when the phase ends.

use super::arguments::{Fallible, wrong};
use crate::level::View;
use crate::models::{Actions, Intent};
use crate::sim::{Command, EntityView, SharedView};
use std::sync::{Arc, Mutex, MutexGuard};

pub(in crate::script::rhai) use super::arguments::model;

/// Most orders of one turn: a script that gives them without end would fill the memory.
const MOST_ORDERS: usize = 4096;

/// What `me` shows and notes during one call.
pub(in crate::script::rhai) struct Moment {
    /// Whose moment it is: an index into the stage's profiles.
    pub profile: usize,
    /// From where one looks at the level.
    pub seen_from: View,
    pub view: SharedView,
    pub intent: Intent,
    /// What it held in the tick before.
    pub before: Actions,
    /// How many numbers the entity's random stream has given.
    pub random: u64,
    /// How many of its timers run.
    pub timers: usize,
    /// Whether it is the level's own script, which has no body.
    pub level: bool,
    pub commands: Vec<Command>,
}

/// What a hook that fails has not done: orders, and what it saw of them.
#[derive(Clone)]
pub(in crate::script::rhai) struct Mark {
    orders: usize,
    timers: usize,
    view: SharedView,
    intent: Intent,
}

impl Mark {
    /// How many orders there were.
    pub fn orders(&self) -> usize {
        self.orders
    }
}

impl Moment {
    /// Where a hook begins.
    pub fn mark(&self) -> Mark {
        Mark {
            orders: self.commands.len(),
            timers: self.timers,
            view: self.view.clone(),
            intent: self.intent,
        }
    }

    /// Forgets what was ordered since. Random numbers that were taken stay taken.
    pub fn go_back(&mut self, mark: &Mark) {
        self.commands.truncate(mark.orders);
        self.timers = mark.timers;
        self.view.clone_from(&mark.view);
        self.intent = mark.intent;
    }

    /// Notes a command.
    pub fn order(&mut self, command: Command) -> Fallible<()> {
        if self.commands.len() >= MOST_ORDERS {
            return wrong(format!("a turn gives at most {MOST_ORDERS} orders"));
        }
        self.commands.push(command);
        Ok(())
    }
}

/// The handle that scripts hold. It is the same for every entity; what it shows is exchanged
/// before each turn.
#[derive(Clone)]
pub(in crate::script::rhai) struct Me(Arc<Mutex<Moment>>);

impl Default for Me {
    /// A handle that nobody has been given yet.
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Moment {
            profile: 0,
            seen_from: View::Side,
            view: EntityView::empty().into(),
            intent: Intent::default(),
            before: Actions::NONE,
            random: 0,
            timers: 0,
            level: false,
            commands: Vec::new(),
        })))
    }
}

impl Me {
    pub fn lock(&self) -> MutexGuard<'_, Moment> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// For `what` needs a body.
    pub fn with_body(&self, what: &str) -> Fallible<MutexGuard<'_, Moment>> {
        let moment = self.lock();
        if moment.level {
            return wrong(format!("the level itself has no `{what}`"));
        }
        Ok(moment)
    }
}
