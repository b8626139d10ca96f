//! Checks of a single entity, without its motion.

use super::super::entity::Entity;
use super::super::script_state::ScriptState;
use super::super::stage::Stage;
use super::script::{check_layers, check_script_state, check_vars};
use crate::models::saved::{Checked, SavedContext, ensure, index};
use crate::models::{Loadouts, ModelName};
use crate::tuning::SetError;

/// Checks what all entities have in common.
pub(super) fn check_entity(entity: &Entity, stage: &Stage, saved: &SavedContext<'_>) -> Checked {
    index("profile", entity.profile as usize, stage.profiles.len())?;
    let profile = &stage.profiles[entity.profile as usize];
    ensure(entity.kind == profile.kind, "kind", || {
        format!("is `{}`; its profile is of `{}`", entity.kind, profile.kind)
    })?;
    let works = entity.model.views().contains(&stage.level.view);
    ensure(works || entity.model == profile.model, "model", || {
        format!("is `{}`, which does not work in this view", entity.model)
    })?;
    // A planned jump has a model for itself.
    let flies = !entity.jumping || entity.model == entity.wanted_model(entity.model);
    ensure(flies, "jumping", || format!("must be false in the model `{}`", entity.model))?;
    saved.past("born", entity.born)?;
    let zones = stage.level.zones.list().len();
    for zone in &entity.zones {
        index("zones", usize::from(*zone), zones)?;
    }
    let sorted = entity.zones.is_sorted_by(|a, b| a < b);
    ensure(sorted, "zones", || "is not sorted".into())?;
    check_vars("vars", &entity.vars)?;
    check_layers(entity.layers(), &profile.layers)?;
    let Some(state) = &entity.script_state else {
        return Ok(());
    };
    check_script_state(state, saved)
        .and_then(|()| check_overrides(state, &profile.loadouts))
        .map_err(|error| error.within("script_state"))
}

/// Checks that a spawned entity is of a kind that can be spawned.
pub(super) fn check_created(entity: &Entity, stage: &Stage) -> Checked {
    let profile = stage.kinds.get(&entity.kind);
    ensure(profile == Some(&(entity.profile as usize)), "profile", || {
        format!("is not that of the kind `{}`", entity.kind)
    })?;
    ensure(entity.player.is_none(), "player", || "must be missing: a script has spawned the entity".into())
}

/// Checks that an entity of the level is the one at its start.
pub(super) fn check_start(entity: &Entity, stage: &Stage) -> Checked {
    index("start", entity.start as usize, stage.starts.len())?;
    let start = &stage.starts[entity.start as usize];
    ensure(entity.name == start.name, "name", || {
        format!("is `{}`; its start is that of `{}`", entity.name, start.name)
    })?;
    let profile = entity.profile as usize;
    ensure(profile == start.profile, "profile", || format!("is {profile}; that of its start is {}", start.profile))?;
    ensure(entity.player == start.player, "player", || {
        format!("is {:?}; that of its start is {:?}", entity.player, start.player)
    })
}

/// Checks that tunables accept their overrides. Those that no longer exist have no effect.
fn check_overrides(state: &ScriptState, loadouts: &Loadouts) -> Checked {
    if state.overrides.is_empty() {
        return Ok(());
    }
    let mut loadouts = loadouts.clone();
    for (key, value) in &state.overrides {
        let Some((model, name)) = key.split_once('.') else {
            continue;
        };
        let Some(model) = ModelName::parse(model) else {
            continue;
        };
        let error = loadouts.set(model, name, value).err();
        let error = error.filter(|error| *error != SetError::Unknown);
        ensure(error.is_none(), "overrides", || {
            let why = error.map_or_else(String::new, |error| error.to_string());
            format!("sets `{key}` to {value}: {why}")
        })?;
    }
    Ok(())
}
