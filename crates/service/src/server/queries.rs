//! `query.*` and `plan.jump`: questions about the terrain as it is now.

use super::*;
use hangtime_core::{
    geometry::Collider,
    level::{Hit, Transit, View},
    models::ballistic::{Aim, CLEARANCE, PlanWork},
    sim::{OwnAim, Stage},
};
use std::borrow::Cow;

/// The most places in an answer.
const MOST_PLACES: u64 = 10_000;

/// The most work of planning a jump, as scripts count it.
const MOST_WORK: u64 = 1_000_000;

/// The level as it is now.
fn terrain(live: &Live) -> (Cow<'_, Stage>, Transit) {
    let stage = &live.revision().stage;
    (live.world().stage(stage), live.world().standing(stage))
}

/// The entity with the name in the parameter `entity`.
pub fn entity<'a>(live: &'a Live, name: &str) -> Result<&'a Entity, RpcError> {
    entity_at(live, "entity", name)
}

/// The entity with the name in this parameter.
pub fn entity_at<'a>(live: &'a Live, place: &str, name: &str) -> Result<&'a Entity, RpcError> {
    live.world().entity(name).ok_or_else(|| {
        let known = live.world().entities().iter().map(|e| &*e.name);
        RpcError::unknown(place, ("entity", name), known)
    })
}

/// Half of the largest shape, px.
const LARGEST: f64 = 10_000.0;

/// The collider of a kind, or an ellipse: exactly one of the two is given.
fn shape_of(stage: &Stage, kind: &Option<String>, half: Option<[f64; 2]>) -> Result<Collider, RpcError> {
    match (kind, half) {
        (Some(kind), None) => {
            let profile = &stage.profiles[profile_of(stage, kind)?];
            Ok(profile.loadouts.shape(profile.model))
        }
        (None, Some([x, y])) if (0.01..=LARGEST).contains(&x) && (0.01..=LARGEST).contains(&y) => {
            Ok(Collider::ellipse(x, y))
        }
        (None, Some([x, y])) => {
            let message = format!("is ({x}, {y}); each is between 0.01 and {LARGEST} px");
            Err(RpcError::parameter("half", message))
        }
        _ => {
            let message = "or `half` is needed, one of the two";
            Err(RpcError::parameter("kind", message))
        }
    }
}

fn profile_of(stage: &Stage, kind: &str) -> Result<usize, RpcError> {
    let known = || stage.kinds.keys().map(|kind| &**kind);
    stage
        .kinds
        .get(kind)
        .copied()
        .ok_or_else(|| RpcError::unknown("kind", ("kind", kind), known()))
}

/// The first hit. `places` are the center of the shape then and the point that is hit.
fn hit_result(stage: &Stage, hit: Option<Hit>, places: impl FnOnce(&Hit) -> (DVec2, DVec2)) -> HitResult {
    let line = |hit: Hit| {
        let solid = stage.level.terrain.solid_of(hit.feature);
        let (at, point) = places(&hit);
        HitLine {
            share: hit.time,
            at: at.into(),
            point: point.into(),
            normal: hit.normal.into(),
            solid: solid.name.to_string(),
            surface: stage.level.surface_name(solid.surface).to_string(),
        }
    };
    HitResult { hit: hit.map(line) }
}

/// `query.sweep`
pub fn sweep(live: &Live, params: &SweepParams) -> Result<HitResult, RpcError> {
    let (stage, standing) = &terrain(live);
    let shape = shape_of(stage, &params.kind, params.half)?;
    let (from, to) = (point("from", params.from)?, point("to", params.to)?);
    let hit = stage.level.terrain.moved(standing).sweep(shape, from, to - from);
    Ok(hit_result(stage, hit, |hit| {
        let at = from + (to - from) * hit.time;
        (at, hit.point(shape, at))
    }))
}

/// `query.cast`
pub fn cast(live: &Live, params: &CastParams) -> Result<HitResult, RpcError> {
    let (stage, standing) = &terrain(live);
    let (from, to) = (point("from", params.from)?, point("to", params.to)?);
    let hit = stage.level.terrain.moved(standing).cast(from, to - from);
    Ok(hit_result(stage, hit, |hit| [hit.cast_point(from, to - from); 2].into()))
}

/// `query.overlap`
pub fn overlap(live: &Live, params: &OverlapParams) -> Result<OverlapResult, RpcError> {
    let (stage, standing) = &terrain(live);
    let shape = shape_of(stage, &params.kind, params.half)?;
    let at = point("at", params.at)?;
    let scenery = stage.level.terrain.moved(standing);
    let overlaps = scenery.overlap(shape, at).is_some();
    let free = if overlaps { scenery.push_out(shape, at) } else { Some(at) };
    Ok(OverlapResult { overlaps, free: free.map(Into::into) })
}

/// `query.rest_positions`
pub fn rest_positions(live: &Live, params: &RestParams) -> Result<RestResult, RpcError> {
    let (stage, standing) = &terrain(live);
    let profile = profile_of(stage, &params.kind)?;
    let area = Bounds::of(point("from", params.from)?, point("to", params.to)?);
    if stage.level.view == View::Top {
        return Ok(RestResult { places: Vec::new() });
    }
    let loadout = &stage.profiles[profile].loadouts.platformer;
    let query = loadout.rest_query();
    let scenery = stage.level.terrain.moved(standing);
    let ranges = scenery.rest_ranges(&query, &area);
    let count: u64 = ranges.iter().map(|range| range.count()).sum();
    if count > MOST_PLACES {
        let message = format!(
            "there are up to {count} rest positions in this area; an answer has at most {MOST_PLACES}: ask for a smaller area"
        );
        return Err(ErrorKind::Limit.error(message));
    }
    let found = scenery.rest_positions_of(&query, &area, &ranges);
    let places = found.iter().map(|rest| {
        let solid = &stage.level.terrain.solids()[scenery.edge(rest.edge).solid as usize];
        RestPlace {
            at: rest.at.into(),
            mode: loadout.rest_mode(scenery.face(rest.edge).normal).as_str(),
            solid: solid.name.to_string(),
            surface: stage.level.surface_name(solid.surface).to_string(),
        }
    });
    Ok(RestResult { places: places.collect() })
}

/// `plan.jump`
pub fn plan_jump(live: &Live, params: &PlanParams) -> Result<PlanResult, RpcError> {
    let (stage, standing) = &terrain(live);
    let world = live.world();
    let entity = entity(live, &params.entity)?;
    if !CLEARANCE.contains(&params.clearance) {
        let (least, most) = (CLEARANCE.start(), CLEARANCE.end());
        let message = format!("is {}; it must be between {least} and {most} px", params.clearance);
        return Err(RpcError::parameter("clearance", message));
    }
    let to = point("to", params.to)?;
    let velocity = params.velocity.map(|v| point("velocity", v)).transpose()?;
    let (profile, view) = (world.profile_of(entity), world.view(stage, entity));
    let mut work = PlanWork::up_to(MOST_WORK);
    let refused = |why: String| PlanResult { why: Some(why), ..PlanResult::default() };
    if params.own {
        let plan = stage.plan_own_jump(
            world.ticks(),
            world.changes(),
            profile,
            &view,
            OwnAim { at: to, run_up: false },
            &mut work,
        );
        return Ok(match plan {
            Err(why) => refused(why.to_string()),
            Ok(plan) => PlanResult {
                ok: true,
                time: Some(plan.time),
                side: Some(plan.side as i8),
                steer: Some(plan.steer),
                hold: Some(plan.hold),
                at: Some(plan.at.into()),
                ..PlanResult::default()
            },
        });
    }
    let aim = Aim { at: to, clearance: params.clearance, velocity };
    let plan = stage.plan_jump(world.ticks(), standing, profile, &view, &aim, &mut work);
    Ok(match plan {
        Err(why) => refused(why.to_string()),
        Ok(plan) => PlanResult {
            ok: true,
            time: Some(plan.flight.time),
            velocity: Some(plan.flight.velocity.into()),
            apex: Some(plan.apex),
            clearance: Some(plan.clearance),
            ..PlanResult::default()
        },
    })
}
