//! Why something that was wanted did not come about.

use super::because::{by_model, tuned, window};
use super::memory::{Off, Press};
use super::{Because, Phase, Source, What, Witness};
use crate::level::Air;
use crate::models::{
    Action, Body, HookLoss, HookMiss, HookState, ModelName, Refusal, Strain, Surroundings,
    window_ticks,
};
use crate::sim::lane::Scratch;
use crate::sim::{Entity, Question, Stage, World};

/// A press this much older than the window that would have caught it is still told of when the body
/// lands, s.
const NEARLY: f64 = 0.5;

impl World {
    /// What is refused in a phase to one who is watched.
    pub(super) fn look_for_refusals(
        &self,
        witness: &mut Witness,
        phase: Phase,
        entity: &Entity,
        stage: &Stage,
        around: &Surroundings<'_>,
    ) {
        match phase {
            Phase::Orders => self.look_at_keys(witness, entity, stage),
            Phase::Sense => self.look_at_air(witness, entity, stage, around),
            Phase::Drive => self.look_at_drive(witness, entity, stage, around),
            Phase::Travel => self.look_at_walls(witness, entity, stage, around),
            Phase::Settle => {
                self.look_at_landing(witness, entity, stage, around);
                if let Some(air) = witness.memory.air.take() {
                    witness.add(Phase::Zones, What::Noted(air));
                }
            }
            _ => {}
        }
    }

    /// Keys that mean nothing to who has pressed them.
    fn look_at_keys(&self, witness: &mut Witness, entity: &Entity, stage: &Stage) {
        let intent = self.lanes.intent(entity);
        let model = entity.model;
        if intent.pressed.has(Action::Hook) {
            let state = self.lanes.hook(entity).state;
            if !model.hooks() {
                let why = format!("`{}` has no hook", model.as_str());
                witness.refuse(Phase::Orders, "hook", why, vec![by_model(entity)]);
            } else if matches!(state, HookState::Firing | HookState::Attached) {
                let why = format!("it is already {}", state.as_str());
                witness.refuse(Phase::Orders, "hook", why, vec![]);
            }
        }
        if !intent.pressed.has(Action::Jump) {
            return;
        }
        if model.jumps_in(stage.level.view) {
            // A press before it is forgotten, as the jump itself forgets it.
            witness.memory.press = Some(Press {
                tick: self.tick,
                off: None,
            });
        } else {
            let why = cannot_jump(model, stage);
            witness.refuse(Phase::Orders, "jump", why, vec![by_model(entity)]);
        }
    }

    /// What zones do to it.
    fn look_at_air(
        &self,
        witness: &mut Witness,
        entity: &Entity,
        stage: &Stage,
        around: &Surroundings<'_>,
    ) {
        let Some(here) = around.within(self.lanes.body(entity).pos) else {
            return;
        };
        let zones = stage.level.zones.list();
        let names: Vec<&str> = entity
            .zones
            .iter()
            .map(|z| &*zones[*z as usize].name)
            .collect();
        if let Some(does) = effects(&here.air) {
            let text = format!("in {}: {does}", names.join(", "));
            witness.memory.air = Some(text);
        }
    }

    /// Whether a press has started a jump, and what became of the hook.
    fn look_at_drive(
        &self,
        witness: &mut Witness,
        entity: &Entity,
        stage: &Stage,
        around: &Surroundings<'_>,
    ) {
        let body = self.lanes.body(entity);
        let report = &self.lanes.scratch(entity).report;
        let because = |key| tuned(stage, entity, key);
        match report.hook.missed {
            Some(HookMiss::NothingInReach) => {
                let why = "there is nothing on its way, as far as it reaches".into();
                witness.refuse(Phase::Drive, "hook", why, because("hook_length"));
            }
            Some(HookMiss::RopeTooShort) => {
                let why = "who fired it has flown too far away from what it hit".into();
                witness.refuse(Phase::Drive, "hook", why, because("hook_length"));
            }
            None => {}
        }
        if report.hook.lost == Some(HookLoss::Snapped) {
            let why = "what it clings to has carried it farther than its rope is long".into();
            witness.refuse(Phase::Drive, "rope", why, vec![]);
        }
        let now = around.now;
        if report.jumped {
            let memory = &mut witness.memory;
            (memory.press, memory.spent) = (None, None);
            memory.jumped = Some(now);
            return;
        }
        let Some(press) = &mut witness.memory.press else {
            return;
        };
        let (tick, known) = (press.tick, press.off);
        let off = known.unwrap_or_else(|| witness.memory.off(now, body.jump.left_at()));
        if let Some(press) = &mut witness.memory.press {
            press.off = Some(off);
        }
        let (buffer, _) = window(stage, entity, body, "jump_buffer");
        if now - tick < window_ticks(buffer, around.hz) {
            return;
        }
        witness.memory.press = None;
        witness.memory.spent = Some(tick);
        let (why, because) = self.no_jump(entity, stage, body, around, off);
        witness.refuse(Phase::Drive, "jump", why, because);
    }

    /// Why a press has started no jump, which was remembered for as long as it is.
    fn no_jump(
        &self,
        entity: &Entity,
        stage: &Stage,
        body: &Body,
        around: &Surroundings<'_>,
        off: Off,
    ) -> (String, Vec<Because>) {
        if !entity.model.jumps_in(stage.level.view) {
            return (cannot_jump(entity.model, stage), vec![by_model(entity)]);
        }
        match off {
            Off::Left(ago) => {
                let (coyote, because) = window(stage, entity, body, "coyote_time");
                let open = window_ticks(coyote, around.hz);
                let ago = ticks(ago);
                (
                    format!("{ago} after leaving the ground, window {open}"),
                    vec![because],
                )
            }
            Off::Jumped(ago) => {
                let ago = ticks(ago);
                (
                    format!("{ago} into its own jump, with nothing to jump from"),
                    vec![],
                )
            }
            Off::Never(tick) => (format!("it has not stood since tick {tick}"), vec![]),
        }
    }

    /// Why a wall that it has run into is not grabbed.
    fn look_at_walls(
        &self,
        witness: &mut Witness,
        entity: &Entity,
        stage: &Stage,
        around: &Surroundings<'_>,
    ) {
        let asks = self.lanes.scratch(entity).report.grasp.is_some();
        if asks {
            return;
        }
        let refusal = self.lanes.grab_refusal(entity, stage, around);
        let Some(Refusal { text, keys }) = refusal else {
            witness.memory.bump = None;
            return;
        };
        if witness.memory.bump.as_deref() == Some(&*text) {
            return;
        }
        let because = keys.iter().flat_map(|key| tuned(stage, entity, key));
        witness.refuse(Phase::Travel, "grab", text.clone(), because.collect());
        witness.memory.bump = Some(text);
    }

    /// A press that came a little too early for this landing.
    fn look_at_landing(
        &self,
        witness: &mut Witness,
        entity: &Entity,
        stage: &Stage,
        around: &Surroundings<'_>,
    ) {
        let body = self.lanes.body(entity);
        let Scratch { report, .. } = self.lanes.scratch(entity);
        let next = around.now + 1;
        if body.stands() || body.cling.is_some() {
            witness.memory.stood = Some(next);
            witness.memory.jumped = None;
        } else if report.jumped && witness.memory.jumped.is_none() {
            // It hops by itself, which uses a press up.
            witness.memory.jumped = Some(next);
            witness.memory.press = None;
        }
        if report.landed.is_none() {
            return;
        }
        let Some(pressed) = witness.memory.spent.take() else {
            return;
        };
        let (buffer, because) = window(stage, entity, body, "jump_buffer");
        let open = window_ticks(buffer, around.hz);
        let ago = next - pressed;
        if ago > open && ago <= open + window_ticks(NEARLY, around.hz) {
            let ago = ticks(ago);
            let why = format!("pressed {ago} before landing, buffer {open}");
            witness.refuse(Phase::Settle, "jump", why, vec![because]);
        }
    }

    /// Notes that a script has ordered a jump from a model that has none.
    pub(in crate::sim) fn why_no_jump(&mut self, stage: &Stage, index: usize) {
        self.add_why(index, |entity| What::Refused {
            what: "jump",
            why: cannot_jump(entity.model, stage),
            because: vec![by_model(entity)],
        });
    }

    /// How a question that is asked inside the tick was answered.
    pub(super) fn decided(
        &mut self,
        stage: &Stage,
        index: usize,
        question: &Question,
        answer: bool,
        ruled: bool,
    ) {
        let entity = &self.entities[index];
        let (rule, about, because) = match question {
            Question::Snaps(strain) => {
                let keys = limits(strain);
                let because = keys.iter().flat_map(|key| tuned(stage, entity, key));
                let about = format!("pulls away with {} px/s", brief(strain.pull_away));
                ("grapple_snaps", about, because.collect())
            }
            Question::Grabs(grasp) => {
                let solid = &stage.level.terrain.solid_of(grasp.feature).name;
                ("can_grab", format!("of {solid}"), Vec::new())
            }
        };
        let (source, because) = if ruled {
            (Source::Rule(rule), Vec::new())
        } else {
            (Source::Nobody, because)
        };
        let refused = match question {
            Question::Snaps(_) if answer => Some(("rope", format!("it {about}"))),
            Question::Grabs(_) if !answer => Some(("grab", "`can_grab` says no".to_string())),
            _ => None,
        };
        let by_rule = |source: &Source| Because {
            name: rule,
            value: answer.to_string(),
            source: source.clone(),
        };
        let reasons = if ruled {
            vec![by_rule(&source)]
        } else {
            because.clone()
        };
        self.add_why(index, |_| What::Answered {
            rule,
            answer: answer.to_string(),
            about,
            because,
            source,
        });
        if let Some((what, why)) = refused {
            self.add_why(index, |_| What::Refused {
                what,
                why,
                because: reasons,
            });
        }
    }
}

impl Witness {
    fn refuse(&mut self, phase: Phase, what: &'static str, why: String, because: Vec<Because>) {
        self.add(phase, What::Refused { what, why, because });
    }
}

/// The tunables that decide whether a rope that is strained so snaps.
fn limits(strain: &Strain) -> &'static [&'static str] {
    if strain.away_held {
        &["hook_snap_speed"]
    } else {
        &["hook_snap_speed", "hook_snap_needs_key"]
    }
}

fn cannot_jump(model: ModelName, stage: &Stage) -> String {
    let view = stage.level.view.name();
    if model.jumps() {
        format!("`{}` does not jump in a {view} view", model.as_str())
    } else {
        format!("`{}` does not jump", model.as_str())
    }
}

fn ticks(count: u64) -> String {
    match count {
        1 => "1 tick".into(),
        n => format!("{n} ticks"),
    }
}

/// A number with no more digits than one reads.
fn brief(x: f64) -> f64 {
    (x * 100.0).round() / 100.0
}

/// What the air of zones does, where it does anything.
fn effects(air: &Air) -> Option<String> {
    let mut all = Vec::new();
    let plain = Air::default();
    if air.external_accel != plain.external_accel {
        all.push(format!("external_accel {} px/s²", air.external_accel));
    }
    if air.gravity_scale != plain.gravity_scale {
        all.push(format!("gravity_scale {}", air.gravity_scale));
    }
    if air.conveyor != plain.conveyor {
        all.push(format!("conveyor {} px/s", air.conveyor));
    }
    if air.surface.is_some() {
        all.push("its surface".into());
    }
    (!all.is_empty()).then(|| all.join(", "))
}
