//! Worlds as something to paint.

use super::*;
use hangtime_core::level::{Level, LevelChanges};
use hangtime_draw::{Picture, SceneMoment, SceneStage, Show};

/// How many digits of a hash name a stage.
const ID_DIGITS: usize = 16;

/// A tick of a world, ready to be shown.
pub struct SceneTick {
    /// The number of ticks made.
    pub tick: u64,
    time: f64,
    revision: Arc<Revision>,
    /// The level as scripts have changed it, and what of that decides about its solids.
    level: Arc<Level>,
    solids: String,
    moment: SceneMoment,
}

/// The present tick of a world.
pub fn scene_of(live: &Live) -> SceneTick {
    let bodies: Vec<EntityView> = live.views().collect();
    let level = live.world().level(&live.revision().stage);
    let picture = Picture {
        level,
        time: live.time(),
        changes: live.world().changes(),
        bodies: &bodies,
        hud: "",
        banner: "",
        why: "",
        show: Show { drawing: Some(live.world().drawing()), ..Show::default() },
    };
    SceneTick {
        tick: live.world().ticks(),
        time: live.time(),
        revision: live.revision().clone(),
        level: level.clone(),
        solids: solids_of(live),
        moment: SceneMoment::of(&picture),
    }
}

impl SceneTick {
    /// The answer to a client that knows the stage with this id.
    pub fn answer(&self, known: Option<&str>) -> SceneResult {
        let stage = &self.revision.stage;
        let stage_id = stage_id(&self.revision, &self.solids);
        let is_known = known == Some(&stage_id);
        SceneResult {
            tick: self.tick,
            time: self.time,
            stage_id,
            stage: (!is_known).then(|| SceneStage::of(&self.level, stage.hz)),
            moment: self.moment.clone(),
        }
    }
}

/// What scripts have created, removed and broken, as text; empty if the solids are those of the file.
fn solids_of(live: &Live) -> String {
    let (world, base) = (live.world(), &live.revision().stage);
    if Arc::ptr_eq(world.level(base), &base.level) {
        return String::new();
    }
    let LevelChanges { created, broken, absent, .. } = world.changes();
    format!("{created:?}{broken:?}{absent:?}")
}

/// Names the stage of a revision with what scripts have changed about its solids: what is painted of it depends on nothing
/// else.
fn stage_id(revision: &Revision, solids: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(revision.stage.level.name.as_bytes());
    hasher.update(&revision.stage.hz.to_le_bytes());
    for hash in revision.hashes.values() {
        hasher.update(hash);
    }
    hasher.update(solids.as_bytes());
    hasher.finalize().to_hex()[..ID_DIGITS].into()
}
