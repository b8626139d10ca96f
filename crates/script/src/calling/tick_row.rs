//! Entities in a row that have the same script, and for which only its `on_tick` is due: most calls are of this kind. What
//! does not differ between them is looked up once.

use super::*;
use hangtime_core::sim::EntityId;

/// The calls of `on_tick` for entities in a row.
pub struct TickRow<'c> {
    /// The call.
    pub call: HookCall<'c>,
    invocations: &'c [Invocation],
    decisions: &'c mut [Decision],
    /// The place of the entity that is called now or next.
    at: &'c mut usize,
    /// Whether it has been called already.
    called: bool,
}

impl<'c> TickRow<'c> {
    /// The call for the next entity, with its decision; none if something else is due for it, or for the one before.
    #[inline(always)]
    pub fn advance(&mut self) -> Option<(&mut HookCall<'c>, &mut Decision)> {
        let scene = self.call.scene;
        let me = &mut self.call.shared.moment.me;
        if self.called {
            if me.is_removed() {
                return None;
            }
            me.finish(&mut self.decisions[*self.at]);
            *self.at += 1;
            self.called = false;
        }
        let (invocation, decision) = (self.invocations.get(*self.at)?, self.decisions.get_mut(*self.at)?);
        let alike = invocation.script == self.call.script
            && invocation.entity != EntityId::LEVEL
            && invocation.events.is_empty()
            && !invocation.leaves
            && scene.frames_of(invocation.called()).is_empty();
        let unasked = !invocation.jumping && decision.last_asked.is_never();
        if !alike || unasked || tick_is_spent() {
            return None;
        }
        me.point_at(scene, (invocation, &[]), decision);
        me.checkpoint();
        decision.called = true;
        self.called = true;
        Some((&mut self.call, decision))
    }
}

impl Caller<'_> {
    /// Calls the hooks of the entity at a place, and `on_tick` of those that follow in a row with it. Moves the place on.
    pub(super) fn decide_from(&mut self, (invocations, decisions): (&[Invocation], &mut [Decision]), at: &mut usize) {
        self.decide(&invocations[*at], &mut decisions[*at]);
        *at += 1;
        let next = invocations.get(*at);
        if let Some(hook) = self.hook_of_row().filter(|_| next.is_some_and(|next| next.script == self.script)) {
            self.call_row(hook, (invocations, decisions), at);
        }
    }

    /// The hook `on_tick` of the script, if all else that may be due depends on the entity.
    fn hook_of_row(&self) -> Option<usize> {
        let script = self.listed;
        let alone = !script.subscriptions.rules
            && script.points.is_none()
            && !self.place.is_stacked()
            && self.signals[self.script.0 as usize].is_empty()
            && self.shared.probing.probe.is_none();
        script.on_tick.filter(|hook| alone && script.hooks[*hook].parameters != 2)
    }

    fn call_row(&mut self, hook: usize, (invocations, decisions): (&[Invocation], &mut [Decision]), at: &mut usize) {
        let before = left_in_tick();
        self.shared.moment.me.set_points(&self.listed.points);
        self.running = Some(hook);
        let (part, call) = self.hook_call(hook, &About::Nothing, Wanted::Nothing);
        let mut row = TickRow { call, invocations, decisions: &mut *decisions, at: &mut *at, called: false };
        part.call_row(&mut row);
        let called = row.called;
        self.running = None;
        if called {
            self.leave(&invocations[*at], &mut decisions[*at]);
            self.shared.moment.me.finish(&mut decisions[*at]);
            *at += 1;
        }
        self.count_used(before);
    }
}
