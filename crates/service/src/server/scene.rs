//! Worlds as something to paint.

use super::*;
use hangtime_draw::{Picture, SceneMoment, SceneStage, Show};

/// How many digits of a hash name a stage.
const ID_DIGITS: usize = 16;

/// A tick of a world, ready to be shown.
pub struct SceneTick {
    /// The number of ticks made.
    pub tick: u64,
    time: f64,
    revision: Arc<Revision>,
    moment: SceneMoment,
}

/// The present tick of a world.
pub fn scene_of(live: &Live) -> SceneTick {
    let bodies: Vec<EntityView> = live.views().collect();
    let picture = Picture {
        level: &live.revision().stage.level,
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
        moment: SceneMoment::of(&picture),
    }
}

impl SceneTick {
    /// The answer to a client that knows the stage with this id.
    pub fn answer(&self, known: Option<&str>) -> SceneResult {
        let stage = &self.revision.stage;
        let stage_id = stage_id(&self.revision);
        let is_known = known == Some(&stage_id);
        SceneResult {
            tick: self.tick,
            time: self.time,
            stage_id,
            stage: (!is_known).then(|| SceneStage::of(&stage.level, stage.hz)),
            moment: self.moment.clone(),
        }
    }
}

/// Names the stage of a revision: what is painted of it depends on nothing else.
fn stage_id(revision: &Revision) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(revision.stage.level.name.as_bytes());
    hasher.update(&revision.stage.hz.to_le_bytes());
    for hash in revision.hashes.values() {
        hasher.update(hash);
    }
    hasher.finalize().to_hex()[..ID_DIGITS].into()
}
