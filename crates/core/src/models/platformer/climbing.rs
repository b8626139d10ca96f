//! Grabbing walls and roofs.

use super::grab::GrabRule;
use super::{Platformer, PlatformerState, PlatformerTuning};
use crate::models::{Body, CEILING, Climbing, Intent, Motion, Refusal, Report, Step, travel};
use glam::DVec2;

impl Climbing<PlatformerState, PlatformerTuning> for Platformer {
    fn grab(
        &self,
        state: &mut PlatformerState,
        body: &mut Body,
        step: &Step<'_, PlatformerTuning>,
        report: &mut Report,
    ) {
        let Some(grasp) = report.details_mut().grasp.take() else {
            return;
        };
        travel::grab(body, &grasp, report);
        state.roof = grasp.roof;
        state.hook.hold_back(body, step.context);
        state.consumed = step.intent.directions();
    }

    fn pass(
        &self,
        state: &mut PlatformerState,
        body: &mut Body,
        motion: &Motion,
        step: &Step<'_, PlatformerTuning>,
        report: &mut Report,
    ) {
        let Some(grasp) = report.details_mut().grasp.take() else {
            return;
        };
        travel::pass(body, motion, &grasp, step.context, report);
        state.hook.hold_back(body, step.context);
    }

    fn let_go(&self, state: &mut PlatformerState, intent: &Intent) {
        state.consumed = intent.directions();
    }

    fn refusal(
        &self,
        state: &PlatformerState,
        body: &Body,
        motion: &Motion,
        step: &Step<'_, PlatformerTuning>,
    ) -> Option<Refusal> {
        let Step { intent, loadout, context } = step;
        if body.ground.is_some() || body.cling.is_some() {
            return None;
        }
        let motion_x = motion.displacement.x + body.external.x * context.around.dt;
        let ahead = if motion_x == 0.0 { intent.side() } else { motion_x };
        if ahead == 0.0 {
            return None;
        }
        let ground = context.rule();
        let reach = DVec2::new(ahead.signum() * ground.probe, 0.0);
        let hit = context.scenery().sweep(context.shape, body.pos, reach)?;
        let rule = GrabRule { state, intent, loadout };
        let up = ground.up;
        let is_roof = hit.normal.y * up < -CEILING && loadout.is_roof(hit.normal, up);
        if ground.walkable(hit.normal) || is_roof || rule.may_grab(&hit, body.pos, context) {
            return None;
        }
        Some(rule.refusal(&hit, intent, context))
    }
}
