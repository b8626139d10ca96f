//! Recording why requests of watched entities were refused.

use super::{log::WatchedEntity, *};
use crate::{
    models::{HookMiss, window_ticks},
    sim::overrides::key as override_key,
};

/// How an entity got into the air, and which presses of the jump key have had no effect yet.
#[derive(Clone, Default)]
pub struct PressMemory {
    /// The tick in which watching began.
    pub since: u64,
    /// The last press of the jump key that has not started a jump.
    pub press: Option<JumpPress>,
    /// The tick of the last press that was refused, until a landing shows how early it was.
    pub refused: Option<u64>,
    /// The tick in which its jump began, if it is in the air because it jumped.
    pub jumped: Option<u64>,
    /// The last tick in which it was grounded or clung to something.
    pub grounded: Option<u64>,
    /// The effects of zones in this tick.
    pub zone_effects: Option<String>,
    /// Why the wall it touched in the last tick was not grabbed, so that it is reported once.
    pub wall: Option<String>,
}

/// A press of the jump key.
#[derive(Clone, Copy)]
pub struct JumpPress {
    /// The tick in which the key was pressed.
    pub tick: u64,
    /// Why it could not start a jump at once; `None` until that is known.
    pub airborne: Option<Airborne>,
}

/// Why there is no ground to jump from.
#[derive(Clone, Copy)]
pub enum Airborne {
    /// It left the ground this many ticks ago without jumping.
    LeftGround(u64),
    /// It jumped this many ticks ago.
    Jumped(u64),
    /// It has not been grounded since this tick.
    Since(u64),
}

impl PressMemory {
    /// Why there is no ground to jump from in the tick `now`; `left` is the tick in which it left
    /// the ground without jumping.
    pub fn airborne(&self, now: u64, left: Option<u64>) -> Airborne {
        match (left, self.jumped) {
            (Some(left), _) => Airborne::LeftGround(now - left.min(now)),
            (None, Some(jumped)) => Airborne::Jumped(now - jumped.min(now)),
            (None, None) => Airborne::Since(self.grounded.unwrap_or(self.since)),
        }
    }
}

/// Where the choice of `model` for an entity comes from.
pub fn cause_of_model(entity: &Entity, model: ModelName) -> Cause {
    let origin = if entity.jumping || entity.set_model.is_some() {
        Origin::Script(None)
    } else if entity.ruled_model.is_some() {
        Origin::Rule("model")
    } else {
        Origin::Kind("model")
    };
    Cause { name: "model", value: model.as_str().into(), origin }
}

/// A tunable of an entity's model; `None` if the model does not have it.
pub fn tunable(stage: &Stage, entity: &Entity, key: &'static str) -> Option<Cause> {
    let loadouts = &stage.profiles[entity.slot.index()].loadouts;
    let value = loadouts.setting(entity.model, key)?;
    Some(Cause { name: key, value: with_unit(entity.model, key, &value), origin: origin(entity, key) })
}

/// Where the value of a tunable of an entity's model comes from.
fn origin(entity: &Entity, key: &'static str) -> Origin {
    let state = entity.script_state.as_ref();
    let overridden = override_key(entity.model, key);
    if state.is_some_and(|state| state.overrides.contains_key(&overridden)) {
        Origin::Override
    } else {
        Origin::Tunable(entity.model, key)
    }
}

/// The seconds of `coyote_time` or `jump_buffer`: the answer of the rule `jump_windows`, else the
/// tunable.
pub fn window(stage: &Stage, entity: &Entity, body: &Body, key: &'static str) -> (f64, Cause) {
    let ruled = match key {
        "coyote_time" => body.windows.coyote_time.get(),
        _ => body.windows.jump_buffer.get(),
    };
    let loadouts = &stage.profiles[entity.slot.index()].loadouts;
    let tuned = match loadouts.setting(entity.model, key) {
        Some(Setting::Number(seconds)) => seconds,
        _ => 0.0,
    };
    let origin = match ruled {
        Some(_) => Origin::Rule("jump_windows"),
        None => origin(entity, key),
    };
    let seconds = ruled.unwrap_or(tuned);
    let cause = Cause { name: key, value: with_unit(entity.model, key, &Setting::Number(seconds)), origin };
    (seconds, cause)
}

fn with_unit(model: ModelName, key: &str, value: &Setting) -> String {
    let tunables = model.tunables();
    match tunables.iter().find(|t| t.name == key).map(|t| t.unit) {
        None | Some("") => value.to_string(),
        Some("°") => format!("{value}°"),
        Some(unit) => format!("{value} {unit}"),
    }
}

/// A press that expires at most this long before the landing is reported as too early, s.
const NEAR_MISS: f64 = 0.5;

/// Records what was refused to a watched entity in a phase.
pub fn record_refusals(
    watched: &mut WatchedEntity,
    phase: TickPhase,
    entity: &Entity,
    lanes: &Lanes,
    stage: &Stage,
    around: &Surroundings,
) {
    match phase {
        TickPhase::Orders => record_keys(watched, entity, lanes, stage, around.tick),
        TickPhase::Sense => {
            let here = around.within(lanes.body(entity).pos);
            if let Some(effects) = here.and_then(|here| effects(&here.air)) {
                let zones = stage.level.zones.list();
                let names: Vec<&str> = entity.zones.iter().map(|z| &*zones[*z as usize].name).collect();
                watched.memory.zone_effects = Some(format!("in {}: {effects}", names.join(", ")));
            }
        }
        TickPhase::Drive => {
            let news = lanes.scratch(entity).report.details().hook;
            let missed = news.missed.map(|miss| match miss {
                HookMiss::NothingInReach => "nothing within reach",
                HookMiss::RopeTooShort => "the body moved too far away before the hook hit",
            });
            if let Some(why) = missed {
                let causes = tunable(stage, entity, "hook_length").into_iter().collect();
                watched.refuse(phase, "hook", why.into(), causes);
            }
            if news.lost == Some(HookLoss::Snapped) {
                let why = "a platform moved the body and the hook farther apart than the rope's length";
                watched.refuse(phase, "rope", why.into(), vec![]);
            }
            record_jump(watched, entity, lanes, stage, around);
        }
        // A wall that the body ran into and did not grab is reported once.
        TickPhase::Travel if lanes.scratch(entity).report.details().grasp.is_none() => {
            let refusal = lanes.grab_refusal(entity, stage, around);
            let text = refusal.as_ref().map(|refusal| refusal.text.clone());
            if let Some(Refusal { text, keys }) = refusal.filter(|_| watched.memory.wall != text) {
                let causes = keys.iter().filter_map(|key| tunable(stage, entity, key));
                watched.refuse(phase, "grab", text, causes.collect());
            }
            watched.memory.wall = text;
        }
        TickPhase::Settle => {
            record_landing(watched, entity, lanes, stage, around);
            if let Some(effects) = watched.memory.zone_effects.take() {
                watched.add(TickPhase::Zones, WhyDetail::Noted(effects));
            }
        }
        _ => {}
    }
}

/// Pressed keys that have no effect under the entity's model.
fn record_keys(watched: &mut WatchedEntity, entity: &Entity, lanes: &Lanes, stage: &Stage, now: u64) {
    let intent = lanes.intent(entity);
    let model = entity.model;
    let cause = || vec![cause_of_model(entity, model)];
    if intent.pressed.has(Action::Hook) {
        let state = lanes.hook(entity).state;
        if !model.hooks() {
            watched.refuse(TickPhase::Orders, "hook", format!("`{model}` has no hook"), cause());
        } else if matches!(state, HookState::Firing | HookState::Attached) {
            watched.refuse(TickPhase::Orders, "hook", format!("it is already {state}"), vec![]);
        }
    }
    if !intent.pressed.has(Action::Jump) {
        return;
    }
    if model.jumps_in(stage.level.view) {
        // Replaces an earlier press, as in the jump itself.
        watched.memory.press = Some(JumpPress { tick: now, airborne: None });
    } else {
        watched.refuse(TickPhase::Orders, "jump", cannot_jump(model, stage), cause());
    }
}

/// A press of the jump key that has not started a jump before its buffer ran out.
fn record_jump(watched: &mut WatchedEntity, entity: &Entity, lanes: &Lanes, stage: &Stage, around: &Surroundings) {
    let body = lanes.body(entity);
    let now = around.tick;
    if lanes.scratch(entity).report.jumped {
        let memory = &mut watched.memory;
        (memory.press, memory.refused) = (None, None);
        memory.jumped = Some(now);
        return;
    }
    let Some(JumpPress { tick, airborne }) = watched.memory.press else {
        return;
    };
    let own = around.paced(lanes.clock(entity), if around.scaled { lanes.rate(entity) } else { 1.0 });
    if own.rate == 0.0 {
        return;
    }
    // In ticks, as all of this is.
    let hz = own.hz / own.rate;
    let left_at = body
        .jump
        .left_at()
        .map(|left| now.saturating_sub(((own.now.0 - left.0) / own.rate).round() as u64));
    let airborne = airborne.unwrap_or_else(|| watched.memory.airborne(now, left_at));
    let (buffer, _) = window(stage, entity, body, "jump_buffer");
    if now - tick < window_ticks(buffer, hz) {
        watched.memory.press = Some(JumpPress { tick, airborne: Some(airborne) });
        return;
    }
    watched.memory.press = None;
    watched.memory.refused = Some(tick);
    let (why, causes) = no_jump(entity, stage, body, hz, airborne);
    watched.refuse(TickPhase::Drive, "jump", why, causes);
}

/// Why a buffered press has not started a jump.
fn no_jump(entity: &Entity, stage: &Stage, body: &Body, hz: f64, airborne: Airborne) -> (String, Vec<Cause>) {
    if !entity.model.jumps_in(stage.level.view) {
        let cause = cause_of_model(entity, entity.model);
        return (cannot_jump(entity.model, stage), vec![cause]);
    }
    match airborne {
        Airborne::LeftGround(ago) => {
            let (coyote, cause) = window(stage, entity, body, "coyote_time");
            let open = window_ticks(coyote, hz);
            if ago <= open {
                return ("Down was held, so it drops through the one-way platform".into(), vec![]);
            }
            (format!("{} after leaving the ground, window {open}", ticks(ago)), vec![cause])
        }
        Airborne::Jumped(ago) => (format!("{} after its last jump, still in the air", ticks(ago)), vec![]),
        Airborne::Since(tick) => (format!("in the air since tick {tick}"), vec![]),
    }
}

/// What a body has landed on, and a press that was slightly too early for that.
fn record_landing(watched: &mut WatchedEntity, entity: &Entity, lanes: &Lanes, stage: &Stage, around: &Surroundings) {
    let body = lanes.body(entity);
    let report = &lanes.scratch(entity).report;
    let next = around.tick + 1;
    let memory = &mut watched.memory;
    if body.stands() || body.cling.is_some() {
        memory.grounded = Some(next);
        memory.jumped = None;
    } else if report.jumped && memory.jumped.is_none() {
        // An automatic hop uses up the press.
        memory.jumped = Some(next);
        memory.press = None;
    }
    let Some(landing) = &report.details().landed else {
        return;
    };
    let (solid, surface) = landing.on.names(&stage.level);
    let on = match (&*solid, &*surface) {
        ("", "") => "the ground".into(),
        ("", surface) => format!("the ground, surface `{surface}`"),
        (solid, surface) => format!("`{solid}`, surface `{surface}`"),
    };
    watched.add(TickPhase::Settle, WhyDetail::Noted(format!("landed on {on}")));
    let Some(pressed) = watched.memory.refused.take() else {
        return;
    };
    let (buffer, cause) = window(stage, entity, body, "jump_buffer");
    let hz = if around.scaled { around.hz / lanes.rate(entity) } else { around.hz };
    let open = window_ticks(buffer, hz);
    let ago = next - pressed;
    if ago > open && ago <= open + window_ticks(NEAR_MISS, hz) {
        let why = format!("pressed {} before landing, buffer {open}", ticks(ago));
        watched.refuse(TickPhase::Settle, "jump", why, vec![cause]);
    }
}

/// Why a model does not jump in this view.
pub fn cannot_jump(model: ModelName, stage: &Stage) -> String {
    if model.jumps() {
        format!("`{model}` does not jump in a {} view", stage.level.view)
    } else {
        format!("`{model}` does not jump")
    }
}

fn ticks(count: u64) -> String {
    match count {
        1 => "1 tick".into(),
        n => format!("{n} ticks"),
    }
}

/// The effects of the air in zones, if there are any.
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
        let (answered, about, tunables) = match question {
            Question::Snaps(strain) => {
                let about = format!("pulls away at {} px/s", (strain.pull_away * 100.0).round() / 100.0);
                let limits: &'static [&'static str] = &["hook_snap_speed", "hook_snap_needs_key"];
                (RuleAnswer::GrappleSnaps(answer), about, &limits[..if strain.away_held { 1 } else { 2 }])
            }
            Question::Grabs(grasp) => {
                let solid = &stage.level.terrain.solid_of(grasp.feature).name;
                (RuleAnswer::CanGrab(answer), solid.to_string(), &[][..])
            }
        };
        let refusal = match question {
            Question::Snaps(_) if answer => Some(("rope", format!("the body {about}"))),
            Question::Grabs(_) if !answer => Some(("grab", "`can_grab` returned false".into())),
            _ => None,
        };
        let by_tuning: Vec<Cause> = tunables.iter().filter_map(|key| tunable(stage, entity, key)).collect();
        let (origin, causes, reasons) = if let Some(RuleLayer(layer)) = by_rule {
            let rule = answered.rule();
            let origin = Origin::RuleOf(rule, layer.clone());
            let cause = Cause { name: rule, value: answer.to_string(), origin: origin.clone() };
            (origin, Vec::new(), vec![cause])
        } else {
            (Origin::Engine, by_tuning.clone(), by_tuning)
        };
        self.add(entity, || WhyDetail::Answered { answer: answered, about, causes, origin });
        if let Some((what, why)) = refusal {
            self.add(entity, || WhyDetail::Refused { what, why, causes: reasons });
        }
    }
}
