//! Recording how questions within a tick were answered.

use super::causes::{cause_of_model, tunable};
use super::log::WhyLog;
use super::refusals::cannot_jump;
use super::report::{Cause, Origin, WhyDetail};
use crate::models::Strain;
use crate::sim::entity::Entity;
use crate::sim::invocation::{Question, RuleLayer};
use crate::sim::stage::Stage;

impl WhyLog {
    /// Records that a script has ordered a jump from a model that cannot jump.
    pub fn no_jump(&mut self, entity: &Entity, stage: &Stage) {
        self.add(entity, || WhyDetail::Refused {
            what: "jump",
            why: cannot_jump(entity.model, stage),
            causes: vec![cause_of_model(entity, entity.model)],
        });
    }

    /// Records how a question within the tick was answered, by a rule or by tuning.
    pub fn question(
        &mut self,
        entity: &Entity,
        stage: &Stage,
        question: &Question,
        answer: bool,
        by_rule: Option<&RuleLayer>,
    ) {
        let (rule, about, tunables) = match question {
            Question::Snaps(strain) => {
                let about = format!("pulls away at {} px/s", brief(strain.pull_away));
                ("grapple_snaps", about, limits(strain))
            }
            Question::Grabs(grasp) => {
                let solid = &stage.level.terrain.solid_of(grasp.feature).name;
                ("can_grab", format!("{solid}"), &[][..])
            }
        };
        let refusal = match question {
            Question::Snaps(_) if answer => Some(("rope", format!("the body {about}"))),
            Question::Grabs(_) if !answer => Some(("grab", "`can_grab` returned false".into())),
            _ => None,
        };
        let by_tuning = tunables.iter().filter_map(|key| tunable(stage, entity, key));
        let by_tuning: Vec<Cause> = by_tuning.collect();
        let (origin, causes, reasons) = if let Some(RuleLayer(layer)) = by_rule {
            let origin = Origin::RuleOf(rule, layer.clone());
            let cause = Cause { name: rule, value: answer.to_string(), origin: origin.clone() };
            (origin, Vec::new(), vec![cause])
        } else {
            (Origin::Engine, by_tuning.clone(), by_tuning)
        };
        self.add(entity, || WhyDetail::Answered { rule, answer: answer.to_string(), about, causes, origin });
        if let Some((what, why)) = refusal {
            self.add(entity, || WhyDetail::Refused { what, why, causes: reasons });
        }
    }
}

/// The tunables that decide whether a rope under this strain snaps.
fn limits(strain: &Strain) -> &'static [&'static str] {
    if strain.away_held {
        &["hook_snap_speed"]
    } else {
        &["hook_snap_speed", "hook_snap_needs_key"]
    }
}

/// Rounds a number to two decimals.
fn brief(x: f64) -> f64 {
    (x * 100.0).round() / 100.0
}
