//! What a body in the air can grab, and why it does not.

use super::{Hook, PlatformerState, PlatformerTuning, fresh};
use crate::level::{Feature, Hit, Side};
use crate::models::{Body, Intent, Loadout, Motion, MoveContext, ROOF, Refusal};
use glam::DVec2;

impl Loadout<PlatformerTuning> {
    /// Sine of how far from vertical a wall may be that can be grabbed.
    pub(super) fn steepest_grab(&self) -> f64 {
        libm::sin(self.tuning.wall_tolerance_deg.to_radians())
    }
}

/// What a body in the air can grab in this tick.
pub(super) struct Hands<'a> {
    hook: Hook,
    /// The direction key that may grab.
    side: f64,
    loadout: &'a Loadout<PlatformerTuning>,
    /// How near the tip of the hook a touch has to be, px.
    reach: f64,
}

impl<'a> Hands<'a> {
    /// Those of a body that wants this.
    pub fn new(
        state: &PlatformerState,
        intent: &Intent,
        loadout: &'a Loadout<PlatformerTuning>,
    ) -> Self {
        Self {
            hook: state.hook,
            side: fresh(state, intent).side(),
            loadout,
            reach: loadout.tuning.hook_grab_distance,
        }
    }

    /// Whether what was run into can be grabbed, with the center `at` this place.
    pub fn may_grab(&self, hit: &Hit, at: DVec2, context: &MoveContext<'_>) -> bool {
        if context.scenery.edge(hit.feature.edge()).side != Side::Solid {
            return false;
        }
        let touch = hit.point(context.shape, at);
        let pulled_in = self.hook.is_attached() && touch.distance(self.hook.tip) <= self.reach;
        let face = matches!(hit.feature, Feature::Face(_));
        let into = face && self.side * hit.normal.x < 0.0;
        pulled_in || into && hit.normal.y.abs() <= self.loadout.steepest_grab()
    }
}

/// Why the wall that a body has run into with this motion is not grabbed.
pub(super) fn ungrabbed(
    state: &PlatformerState,
    body: &Body,
    intent: &Intent,
    motion: &Motion,
    loadout: &Loadout<PlatformerTuning>,
    context: &MoveContext<'_>,
) -> Option<Refusal> {
    if body.ground.is_some() || body.cling.is_some() {
        return None;
    }
    let way = motion.displacement.x + body.external.x * context.around.dt;
    let ahead = if way == 0.0 { intent.side() } else { way };
    if ahead == 0.0 {
        return None;
    }
    let rule = &loadout.footing.rule;
    let reach = DVec2::new(ahead.signum() * rule.probe, 0.0);
    let hit = context.scenery.sweep(context.shape, body.pos, reach)?;
    let hands = Hands::new(state, intent, loadout);
    let is_roof = hit.normal.y < -ROOF && hit.normal.y < -loadout.steepest_grab();
    if rule.walkable(hit.normal) || is_roof || hands.may_grab(&hit, body.pos, context) {
        return None;
    }
    refusal(&hands, &hit, intent, context)
}

fn refusal(
    hands: &Hands<'_>,
    hit: &Hit,
    intent: &Intent,
    context: &MoveContext<'_>,
) -> Option<Refusal> {
    let because = |text: String, keys| Some(Refusal { text, keys });
    if context.scenery.edge(hit.feature.edge()).side != Side::Solid {
        return because("one-way platforms are not grabbed".into(), &[]);
    }
    let leans = libm::asin(hit.normal.y.abs()).to_degrees();
    if hit.normal.y.abs() > hands.loadout.steepest_grab() {
        let text = format!("the wall leans {leans:.2}° from vertical");
        return because(text, &["wall_tolerance_deg"]);
    }
    if !matches!(hit.feature, Feature::Face(_)) {
        return because(
            "it has run into a corner, and only faces are grabbed".into(),
            &[],
        );
    }
    if intent.side() * hit.normal.x < 0.0 {
        let text = "the key towards the wall has been held since a wall was grabbed or jumped off; \
                    it grabs when it is pressed anew";
        return because(text.into(), &[]);
    }
    because("the key towards the wall is not held".into(), &[])
}
