//! The platformer's grappling hook, as a capability.

use super::{Platformer, PlatformerState, PlatformerTuning};
use crate::level::{Scenery, Terrain};
use crate::models::{Body, HookOrder, HookView, Hooked, Intent, Loadout, Motion, Report, Step, Strain};

impl Hooked<PlatformerState, PlatformerTuning> for Platformer {
    fn is_attached(&self, state: &PlatformerState) -> bool {
        state.hook.is_attached()
    }

    fn strain(
        &self,
        state: &PlatformerState,
        body: &Body,
        intent: &Intent,
        motion: &Motion,
        loadout: &Loadout<PlatformerTuning>,
    ) -> Option<Strain> {
        state.hook.strain(body, intent, motion, &loadout.tuning)
    }

    fn pull(
        &self,
        state: &mut PlatformerState,
        body: &mut Body,
        motion: &mut Motion,
        step: &Step<'_, PlatformerTuning>,
        report: &Report,
    ) {
        state.hook.pull(body, motion, report.details().hook.since, step);
    }

    fn snap(&self, state: &mut PlatformerState, report: &mut Report) {
        state.hook.snap(&mut report.details_mut().hook);
    }

    fn order(&self, state: &mut PlatformerState, body: &Body, order: HookOrder, report: &mut Report) {
        match order {
            HookOrder::Fire(at) => {
                state.hook.release(&mut report.details_mut().hook);
                state.hook.fire(body.pos, at, true);
            }
            HookOrder::Release => state.hook.release(&mut report.details_mut().hook),
        }
    }

    fn adopt(&self, state: &mut PlatformerState, old: &Terrain, new: &Scenery<'_>) -> bool {
        state.hook.adopt(old, new)
    }

    fn view(&self, state: &PlatformerState) -> HookView {
        HookView { state: state.hook.state, tip: state.hook.tip, length: state.hook.length }
    }
}
