//! Readings of an entity between two ticks, for people who watch: contacts, windows, timers, the hook
//! and rest positions. Nothing here is computed in a tick, and nothing changes the world.

use super::*;
use crate::level::RestQuery;

/// A place where a body touches what holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touching {
    /// The point on the body's outline, px.
    pub at: DVec2,
    /// Unit normal, toward the body.
    pub normal: DVec2,
    /// Whether it clings to it instead of standing on it.
    pub clings: bool,
}

/// A time that runs out.
#[derive(Clone, Debug, PartialEq)]
pub struct Countdown {
    /// Its name: `coyote`, `buffer`, `hold`, or a timer's.
    pub name: Arc<str>,
    /// The seconds that are left, at least 0.
    pub left: f64,
    /// The seconds that there were initially; `None` if that is not known.
    pub total: Option<f64>,
}

/// The limits of an entity's hook.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HookGauge {
    /// The reach of the hook, px.
    pub reach: f64,
    /// How close the rope is to snapping: 0 without strain, 1 where it snaps; `None` if it is not
    /// attached.
    pub strain: Option<f64>,
}

impl World {
    /// The profile that the files define for an entity, an index into the stage's profiles.
    pub fn profile_of(&self, entity: &Entity) -> usize {
        entity.profile as usize
    }

    /// The tunables that an entity's script has overridden, by model and name:
    /// `platformer.jump_speed`.
    pub fn overrides_of<'a>(&self, entity: &'a Entity) -> impl Iterator<Item = (&'a str, &'a Setting)> + use<'a> {
        let state = entity.script_state.iter();
        state.flat_map(|state| state.overrides.iter().map(|(k, v)| (k.as_str(), v)))
    }

    /// The running timers of an entity: the name of the event, and the ticks until it is emitted.
    pub fn timers_of(&self, stage: &Stage, entity: &Entity) -> impl Iterator<Item = (&str, u64)> {
        let timers = self.timers.of(entity.id).iter();
        let time = self.time_of(stage, entity.id);
        // How many ticks end before one comes closest.
        let ticks = move |due: ClockTick| ((due.0 - time.now.0) / time.rate - 0.5).ceil().max(0.0) as u64;
        timers.map(move |timer| (&*timer.name, ticks(timer.due) + 1))
    }

    /// What an entity stands on, and what it clings to.
    pub fn touching<'a>(&'a self, stage: &'a Stage, entity: &Entity) -> impl Iterator<Item = Touching> + use<'a> {
        let body = self.body(entity);
        let shape = entity.shape(&stage.profiles[entity.profile as usize]);
        let touching = move |normal: DVec2, clings| Touching { at: body.pos - shape.farthest(normal), normal, clings };
        // A wedged body touches nothing that it could stand on.
        let ground = body.ground.filter(|contact| !contact.is_wedged());
        let ground = ground.map(|contact| touching(contact.touch, false));
        let cling = body.cling.map(|cling| touching(cling.normal, true));
        ground.into_iter().chain(cling)
    }

    /// The actions that were pressed for an entity in the last tick, by its player or its script.
    pub fn pressed(&self, entity: &Entity) -> Actions {
        self.population.lanes.intent(entity).pressed
    }

    /// The actions that were held for an entity in the last tick, by its player or its script.
    pub fn held(&self, entity: &Entity) -> Actions {
        self.population.lanes.intent(entity).held
    }

    /// Where the direction keys or the stick of an entity pushed in the last tick: a vector of length 0 to 1.
    pub fn direction(&self, entity: &Entity) -> DVec2 {
        let (way, amount) = self.population.lanes.intent(entity).direction(0.0);
        way * amount
    }

    /// The jump windows of an entity that are open, and its timers.
    pub fn countdowns(&self, stage: &Stage, entity: &Entity) -> Vec<Countdown> {
        let (body, hz) = (self.body(entity), f64::from(stage.hz));
        let time = self.time_of(stage, entity.id);
        let loadouts = &profile_of(stage, entity).loadouts;
        let windows = [
            ("coyote", "coyote_time", body.windows.coyote_time, body.jump.left_at()),
            ("buffer", "jump_buffer", body.windows.jump_buffer, body.jump.pressed_at()),
            ("hold", "jump_hold_time", body.windows.jump_hold_time, body.jump.held_since()),
        ];
        let mut list = Vec::new();
        for (name, key, ruled, began) in windows {
            let Some(began) = began else { continue };
            let Some(total) = ruled.get().or_else(|| number(loadouts, entity.model, key)) else { continue };
            let left = total - (time.now.0 - began.0).max(0.0) / hz;
            if left > 0.0 {
                list.push(Countdown { name: name.into(), left, total: Some(total) });
            }
        }
        let timers = self.timers.of(entity.id).iter();
        list.extend(timers.map(|timer| {
            let left = (timer.due.0 - time.now.0).max(0.0) / hz;
            Countdown { name: timer.name.clone(), left, total: None }
        }));
        list
    }

    /// The limits of an entity's hook; `None` if its model has none.
    pub fn hook_gauge(&self, stage: &Stage, entity: &Entity) -> Option<HookGauge> {
        let loadouts = &profile_of(stage, entity).loadouts;
        let tuned = |key| number(loadouts, entity.model, key);
        let (reach, pull, most) = (tuned("hook_length")?, tuned("hook_pull_speed")?, tuned("hook_snap_speed")?);
        let (body, hook) = (self.body(entity), self.population.lanes.hook(entity));
        let strained = hook.state == HookState::Attached && body.cling.is_none();
        let strain = strained.then(|| {
            let rope = hook.tip - body.pos;
            let along = rope.normalize_or_zero();
            // As in the next tick: a body on a rope pulls by leaving the circle that it swings on.
            let step = body.vel * (self.time_of(stage, entity.id).rate / f64::from(stage.hz));
            let towards = (rope - (step - along * step.dot(along))).normalize_or_zero();
            (pull - body.vel.dot(towards)) / most.max(f64::MIN_POSITIVE)
        });
        Some(HookGauge { reach, strain: strain.map(|strain| strain.max(0.0)) })
    }

    /// How far below a standing entity its model looks for ground, px; `None` if it does not stand.
    pub fn ground_probe(&self, stage: &Stage, entity: &Entity) -> Option<f64> {
        let loadouts = &profile_of(stage, entity).loadouts;
        number(loadouts, entity.model, "ground_probe")
    }

    /// The rest positions of an entity within `reach` px: where its center comes to rest. None if its
    /// model has none.
    pub fn rests_near(&self, stage: &Stage, entity: &Entity, reach: f64) -> Vec<DVec2> {
        self.rests_around(stage, entity, self.body(entity).pos, reach)
    }

    /// The rest positions that an entity would have within `reach` px of another point: where its center would come to rest.
    pub fn rests_around(&self, stage: &Stage, entity: &Entity, at: DVec2, reach: f64) -> Vec<DVec2> {
        let body = self.body(entity);
        let Some(query) = profile_of(stage, entity).loadouts.rest_query(entity.model, body.up()) else {
            return Vec::new();
        };
        let shape = entity.shape(&stage.profiles[entity.profile as usize]);
        let query = RestQuery { shape, ..query };
        let area = Bounds::of(at - reach, at + reach);
        let transit = self.standing(stage);
        let scenery = self.level(stage).terrain.moved(&transit).upward(body.up());
        let found = scenery.rest_positions(&query, &area);
        found.iter().map(|rest| rest.at).collect()
    }
}

/// A number among the tunables of a model.
fn number(loadouts: &Loadouts, model: ModelName, key: &str) -> Option<f64> {
    match loadouts.setting(model, key)? {
        Setting::Number(value) => Some(value),
        _ => None,
    }
}
