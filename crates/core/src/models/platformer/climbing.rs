//! Grabbing walls and roofs.

use super::*;

/// Sine of the tolerance 0: rounding tilts vertical walls and level roofs by less.
const EXACT: f64 = 1e-9;

impl Loadout<PlatformerTuning> {
    /// Sine of the largest angle from vertical at which a wall can be grabbed.
    pub(super) fn steepest_grab(&self) -> f64 {
        libm::sin(self.tuning.wall_tolerance_deg.to_radians()).max(EXACT)
    }

    /// Whether a surface with this unit normal is a roof: it overhangs by more than a wall may lean.
    /// `up` is 1, or −1 under inverted gravity.
    pub(super) fn is_roof(&self, normal: DVec2, up: f64) -> bool {
        normal.y * up < -self.steepest_grab()
    }
}

/// Whether a body with its center `at` can grab what it hit, with the hook that pulls it in, if any.
pub fn may_grab(
    (state, hook): (&PlatformerState, Option<&GrapplingHook>),
    step: &Step<PlatformerTuning>,
    hit: &Hit,
    at: DVec2,
    context: &MoveContext,
) -> bool {
    if context.scenery().edge(hit.feature.edge()).side != Side::Solid {
        return false;
    }
    let loadout = step.loadout;
    let touch = hit.point(context.shape, at);
    let most = loadout.tuning.hook_grab_distance;
    let pulled_in = hook.is_some_and(|hook| hook.is_attached() && touch.distance(hook.tip) <= most);
    let face = matches!(hit.feature, Feature::Face(_));
    let into = face && state.fresh(step.intent).side() * hit.normal.x < 0.0;
    pulled_in || into && hit.normal.y.abs() <= loadout.steepest_grab()
}

impl Climbing<PlatformerState, PlatformerTuning> for Platformer {
    fn grab(&self, state: &mut PlatformerState, body: &mut Body, step: &Step<PlatformerTuning>, report: &mut Report) {
        let Some(grasp) = report.details_mut().grasp.take() else {
            return;
        };
        travel::grab(body, &grasp, step.context, report);
        state.roof = grasp.roof;
        state.consumed = step.intent.directions();
    }

    fn pass(
        &self,
        state: &mut PlatformerState,
        body: &mut Body,
        motion: &Motion,
        step: &Step<PlatformerTuning>,
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
        step: &Step<PlatformerTuning>,
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
        let up = ground.up;
        let is_roof = hit.normal.y * up < -CEILING && loadout.is_roof(hit.normal, up);
        if ground.walkable(hit.normal) || is_roof || may_grab((state, Some(&state.hook)), step, &hit, body.pos, context)
        {
            return None;
        }
        let because = |text: &str, keys| Some(Refusal { text: text.into(), keys });
        if context.scenery().edge(hit.feature.edge()).side != Side::Solid {
            return because("one-way platforms cannot be grabbed", &[]);
        }
        if hit.normal.y.abs() > loadout.steepest_grab() {
            let leans = libm::asin(hit.normal.y.abs()).to_degrees();
            return because(&format!("the wall leans {leans:.2}° from vertical"), &["wall_tolerance_deg"]);
        }
        if !matches!(hit.feature, Feature::Face(_)) {
            return because("it hit a corner, and only faces can be grabbed", &[]);
        }
        if intent.side() * hit.normal.x < 0.0 {
            let text = "the key toward the wall is still held from the last grab or wall jump; \
                        release it and press it again";
            return because(text, &[]);
        }
        because("the key toward the wall is not held", &[])
    }
}
