//! One call of a hook, as the language sees it that makes it.

use super::*;
use crate::{CallPath, Diagnostic, Fault, Place};
use hangtime_core::sim::Command;

/// One call of a hook. `me` is the entity's already; it shows the entity once it is [observed](Self::observe_me).
pub struct HookCall<'c> {
    /// What it is made for.
    pub scene: &'c Scene<'c>,
    /// What the calls of all languages share.
    pub shared: &'c mut SharedCalls,
    /// The script.
    pub script: ScriptId,
    /// What is known of the script without running it.
    pub listed: &'c ListedScript,
    /// The hook, by its place among the script's hooks.
    pub hook: usize,
    /// What the hook receives in addition to `me`.
    pub about: &'c About<'c>,
    /// What the hook is called for.
    pub wanted: Wanted,
    /// How many scripts of the entity are below this one.
    pub layer: usize,
}

/// Why a call has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// It failed or was skipped.
    Failed,
    /// It returned something else than is wanted.
    Invalid,
}

impl<'c> HookCall<'c> {
    /// The hook.
    pub fn hook(&self) -> &'c ListedHook {
        &self.listed.hooks[self.hook]
    }

    /// Lets `me` show the entity that is called, if it does not yet: many hooks look at events and variables alone.
    #[inline]
    pub fn observe_me(&mut self) {
        self.shared.moment.me.observe(self.scene);
    }

    /// The name of the entity that is called.
    pub fn entity(&self) -> &'c str {
        name_of(self.scene, self.shared)
    }

    /// Reports the end of the call to the probe, with the way in which it was made.
    pub fn end(&mut self, path: CallPath) {
        self.shared.probing.end(self.script, &self.hook().name, path);
    }

    /// Reads what the hook has returned; a fault if it is not what is wanted.
    ///
    /// # Errors
    /// If it is not.
    pub fn accept(&mut self, decision: &mut Decision, value: &Arg<'_>) -> Result<HookAnswer, Unanswered> {
        self.wanted.read(value).map_err(|why| {
            self.reject(decision, why);
            Unanswered::Invalid
        })
    }

    /// Records that the hook has left an invalid answer or variable. Its commands stay.
    pub fn reject(&mut self, decision: &mut Decision, why: String) {
        decision.failed = true;
        let place = self.listed.start_of(&self.hook().name);
        self.fault(Diagnostic::error(place, why));
    }

    /// Records that the hook has failed, and drops the commands that it gave. `explain` gets the place of the hook's name;
    /// it is not called where further faults are only counted: explaining a name takes time, and thousands of entities may
    /// fail in one tick.
    pub fn fail(&mut self, decision: &mut Decision, explain: impl FnOnce(Place) -> Diagnostic) -> Unanswered {
        decision.failed = true;
        roll_back(self.shared);
        if self.shared.faults.is_full() {
            self.shared.faults.leave_out();
        } else {
            let place = self.listed.start_of(&self.hook().name);
            self.fault(explain(place));
        }
        Unanswered::Failed
    }

    fn fault(&mut self, diagnostic: Diagnostic) {
        let hook = self.hook().name.clone();
        record_fault(self.scene, self.shared, (hook, diagnostic));
    }
}

/// The name of the entity that is called.
pub fn name_of<'s>(scene: &'s Scene<'_>, shared: &SharedCalls) -> &'s str {
    let called = shared.moment.me.called();
    scene.name_of(called).map_or("level", |name| &**name)
}

/// Records a fault of a hook.
pub fn record_fault(scene: &Scene<'_>, shared: &mut SharedCalls, (hook, diagnostic): (Arc<str>, Diagnostic)) {
    let entity = name_of(scene, shared).to_string();
    shared.faults.push(Fault { diagnostic, entity, hook, tick: scene.tick, revision: 0 });
}

/// Returns to the state before a hook that has failed, and gives back what it has used of the limits that all scripts
/// share.
pub fn roll_back(shared: &mut SharedCalls) {
    let failed = shared.moment.me.commands_since();
    let count = |wanted: fn(&Command) -> bool| failed.iter().filter(|c| wanted(c)).count();
    let emitted = count(|c| matches!(c, Command::Emit(..)));
    let created = count(|c| matches!(c, Command::Create(_)));
    let timers = count(|c| matches!(c, Command::After(..)));
    let keeps = count(|c| matches!(c, Command::Keep(..)));
    let solids = count(|c| matches!(c, Command::CreateSolid(_) | Command::RemoveSolid(_)));
    shared.moment.world.refund(emitted, created, timers, keeps, solids);
    shared.moment.me.roll_back();
}
