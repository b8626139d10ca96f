//! The joints of a world. How they act is in [`joint_forces`](super::joint_forces).

use super::*;
use crate::{
    models::saved::{between, number, vector},
    tuning::MOST,
};

/// The most joints of a world.
pub const MOST_JOINTS: usize = 1_000;

/// All joints of a world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Joints {
    /// In the order in which they act.
    list: Vec<Joint>,
    /// How many there have been.
    made: u32,
}

impl Joints {
    /// Whether there has never been a joint.
    pub fn is_default(&self) -> bool {
        self.made == 0
    }

    /// Whether there is no joint.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// All joints, in the order in which they act.
    pub fn iter(&self) -> impl Iterator<Item = &Joint> {
        self.list.iter()
    }

    /// The joint with this id, if it exists.
    pub fn get(&self, id: u32) -> Option<&Joint> {
        self.list.iter().find(|joint| joint.id == id)
    }

    /// The id that the next joint gets.
    pub const fn next_id(&self) -> u32 {
        self.made + 1
    }

    pub(super) fn list_mut(&mut self) -> &mut Vec<Joint> {
        &mut self.list
    }

    /// Adds a joint. An end on an entity needs its name only; that entity may spawn in this tick. Does nothing if there is no
    /// such entity, or if there are [`MOST_JOINTS`].
    pub(super) fn add(&mut self, joint: &Joint, population: &Population) {
        let mut joint = joint.clone();
        self.made = self.made.max(joint.id);
        let Population { entities, spawning, .. } = population;
        for end in joint.ends.iter_mut().filter(|end| matches!(end.on, Anchor::Entity(_))) {
            let alive = entities.iter().find(|entity| entity.name == end.name).map(|entity| entity.id);
            let spawns = || spawning.iter().find(|new| new.name == end.name).map(|new| new.id);
            let Some(id) = alive.or_else(spawns) else { return };
            end.on = Anchor::Entity(id);
        }
        self.insert(joint);
    }

    /// Adds the rope of a hook. Returns whether there is room.
    pub(super) fn hook(&mut self, [owner, held]: [&Entity; 2], at: DVec2, length: f64, near: f64) -> bool {
        self.made += 1;
        let end = |entity: &Entity, at| JointEnd { on: Anchor::Entity(entity.id), name: entity.name.clone(), at };
        self.insert(Joint {
            id: self.made,
            ends: [end(owner, DVec2::ZERO), end(held, at)],
            length,
            spring: None,
            strength: None,
            reel: Some(Reel { to: near.min(length), speed: 0.0 }),
            tension: 0.0,
            hook: true,
        })
    }

    /// Lets the rope of this owner's hook wind in at a speed, px/s.
    pub(super) fn wind(&mut self, owner: EntityId, speed: f64) {
        let of_owner = |joint: &&mut Joint| joint.hook && joint.ends[0].on == Anchor::Entity(owner);
        if let Some(reel) = self.list.iter_mut().find(of_owner).and_then(|joint| joint.reel.as_mut()) {
            reel.speed = speed;
        }
    }

    fn insert(&mut self, joint: Joint) -> bool {
        let fits = self.len() < MOST_JOINTS;
        if fits {
            let place = self.list.partition_point(|other| other.order(&joint).is_lt());
            self.list.insert(place, joint);
        }
        fits
    }

    /// Removes the joint with this id.
    pub(super) fn cut(&mut self, id: u32) {
        self.list.retain(|joint| joint.id != id || joint.hook);
    }

    /// Lets the length of a joint change at a speed, px/s.
    pub(super) fn reel(&mut self, id: u32, reel: Reel) {
        if let Some(joint) = self.list.iter_mut().find(|joint| joint.id == id && !joint.hook) {
            joint.reel = Some(reel);
        }
    }

    /// Removes the joints that have lost an end, and passes them to `lost`.
    fn keep(&mut self, mut holds: impl FnMut(&mut JointEnd) -> bool, mut lost: impl FnMut(&Joint)) {
        self.list.retain_mut(|joint| {
            let keeps = joint.ends.iter_mut().all(&mut holds);
            if !keeps {
                lost(joint);
            }
            keeps
        });
    }

    /// Drops the joints with an end that is `gone` at the end of a tick.
    pub(super) fn drop_ends(
        &mut self,
        gone: impl Fn(&JointEnd) -> bool,
        population: &mut Population,
        journal: &mut Journal,
        tick: u64,
    ) {
        let Population { entities, lanes, .. } = population;
        self.keep(|end| !gone(end), |joint| lose(joint, entities, lanes, journal, tick));
    }

    /// Feeds all joints into a hash.
    pub(super) fn digest(&self, digest: &mut Digest) {
        for joint in &self.list {
            for end in &joint.ends {
                digest.text(&end.name);
                digest.vector(end.at);
            }
            let Joint { length, spring, strength, reel, tension, .. } = joint;
            if joint.hook {
                digest.word(1);
            }
            let of_spring = spring.map_or([-1.0; 2], |s| [s.hertz, s.damping]);
            let of_reel = reel.map_or([-1.0; 2], |reel| [reel.to, reel.speed]);
            [*length, strength.unwrap_or(-1.0), *tension]
                .into_iter()
                .chain(of_spring)
                .chain(of_reel)
                .for_each(|x| digest.number(x));
        }
    }

    /// Checks saved joints.
    pub(super) fn check(&self, population: &Population, stage: &Stage) -> Checked {
        ensure!(self.len() <= MOST_JOINTS, "list", "has {} joints; it can have {MOST_JOINTS}", self.len());
        let mut ids = BTreeSet::new();
        ensure!(self.list.is_sorted_by(|a, b| a.order(b).is_lt()), "list", "is not sorted");
        each("list", &self.list, |joint| {
            let Joint { id, ends, length, spring, strength, reel, tension, hook } = joint;
            let counted = *id > 0 && *id <= self.made && ids.insert(*id);
            ensure!(counted, "id", "is {id}, which another joint has, or none");
            let bodies = ends.iter().filter(|end| matches!(end.on, Anchor::Entity(_))).count();
            ensure!(bodies > 0 && ends[0].on != ends[1].on, "ends", "must be two, and one of them an entity");
            each("ends", ends, |end| {
                let solids = stage.level.terrain.solids();
                let name = match end.on {
                    Anchor::Level => Some(""),
                    Anchor::Solid(solid) => {
                        let platform = stage.level.terrain.platform_of(solid);
                        platform.and_then(|_| solids.get(solid as usize)).map(|solid| &*solid.name)
                    }
                    Anchor::Entity(id) => population.index_of(id).map(|index| &*population.entities[index].name),
                };
                ensure!(name == Some(&*end.name), "on", "is not `{}`", end.name);
                vector("at", end.at, MOST)
            })?;
            let of_hook = bodies == 2 && spring.is_none() && strength.is_none() && reel.is_some();
            ensure!(!hook || of_hook, "hook", "must be false for this joint");
            between("length", *length, 0.0, MOST)?;
            if let Some(Spring { hertz, damping }) = *spring {
                between("hertz", hertz, 0.0, MOST_HERTZ)?;
                between("damping", damping, 0.0, MOST_DAMPING)?;
            }
            if let Some(Reel { to, speed }) = *reel {
                between("to", to, 0.0, MOST)?;
                between("speed", speed, 0.0, MOST)?;
            }
            between("strength", strength.unwrap_or(0.0), 0.0, f64::MAX)?;
            number("tension", *tension, f64::MAX)
        })
    }
}

impl World {
    /// The ropes and springs.
    pub fn joints(&self) -> &Joints {
        &self.joints
    }

    /// Where both ends of a joint are, px.
    pub fn joint_ends(&self, stage: &Stage, joint: &Joint) -> [DVec2; 2] {
        let standing = || self.standing(stage);
        joint.ends.each_ref().map(|end| match end.on {
            Anchor::Level => end.at,
            Anchor::Solid(solid) => {
                let platform = self.level(stage).terrain.platform_of(solid);
                platform.map_or(end.at, |platform| standing().point_of(platform, end.at))
            }
            Anchor::Entity(id) => {
                let index = self.population.index_of(id);
                let body = index.map(|index| self.body(&self.population.entities[index]).pos);
                body.unwrap_or_default() + end.at
            }
        })
    }

    /// Drops the joints whose ends are gone: entities that are dead, and platforms that are switched off; and those of hooks
    /// that have let go. The ropes of the others wind in.
    pub(super) fn tend_joints(&mut self, stage: &Stage, transit: &Transit) {
        let World { joints, population, journal, tick, .. } = self;
        let Population { entities, lanes, spawning, .. } = population;
        let terrain = &stage.level.terrain;
        let platform_holds = |solid| terrain.platform_of(solid).is_some_and(|platform| transit.is_there(platform));
        joints.keep(
            |end| match end.on {
                Anchor::Level => true,
                Anchor::Solid(solid) => platform_holds(solid),
                Anchor::Entity(id) => find(entities, id).is_some() || spawning.iter().any(|new| new.id == id),
            },
            |joint| lose(joint, entities, lanes, journal, *tick + 1),
        );
        joints.list.retain_mut(|joint| {
            let Joint { hook: true, ends: [JointEnd { on: Anchor::Entity(owner), .. }, _], reel: Some(reel), .. } =
                joint
            else {
                return true;
            };
            let winds = find(entities, *owner).and_then(|owner| lanes.winds(owner, stage));
            reel.speed = winds.unwrap_or_default();
            winds.is_some()
        });
    }

    /// Moves the joints to a reloaded stage. Points stay where they are; platforms are found by name.
    pub(super) fn adopt_joints(&mut self, new: &Stage) {
        let World { joints, population, journal, tick, .. } = self;
        let Population { entities, lanes, .. } = population;
        joints.keep(
            |end| match &mut end.on {
                Anchor::Level => true,
                Anchor::Solid(solid) => {
                    let terrain = &new.level.terrain;
                    let found = terrain.solid_named(&end.name).filter(|found| terrain.platform_of(*found).is_some());
                    *solid = found.unwrap_or(*solid);
                    found.is_some()
                }
                Anchor::Entity(id) => find(entities, *id).is_some(),
            },
            |joint| lose(joint, entities, lanes, journal, *tick),
        );
    }
}

fn find(entities: &[Entity], id: EntityId) -> Option<&Entity> {
    id.among(entities).map(|index| &entities[index])
}

/// Reports a joint that has lost an end. A hook lets go.
fn lose(joint: &Joint, entities: &[Entity], lanes: &mut Lanes, journal: &mut Journal, tick: u64) {
    if !joint.hook {
        journal.emit_for_level(tick, EventKind::JointLost { joint: joint.id, snapped: false });
    } else if let Anchor::Entity(owner) = joint.ends[0].on
        && let Some(owner) = find(entities, owner)
    {
        lanes.order(owner, HookOrder::Release);
    }
}
