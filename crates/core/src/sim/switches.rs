//! Solids and zones that are switched on and off, and platforms that are called. The effect on bodies follows when
//! platforms move.

use super::*;
use crate::level::{BrokenTile, CreatedSolid, MOST_ANGLE, MOST_CREATED, MOST_MOVED, Path, RotationLaw, Solid};

/// What scripts have changed about the level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Switches {
    #[serde(flatten)]
    pub level: LevelChanges,
    /// The contribution of the solids that are off to the world's hash.
    pub key: u64,
    /// The solids switched since platforms moved last. Between ticks, those that a rule has switched
    /// within the last one.
    pub changed: Vec<u32>,
    /// The contribution of `changed` to the world's hash.
    pub changed_key: u64,
    /// The contribution of zones that are off and of called platforms that have left their start; 0 if there are none.
    #[serde(default)]
    pub level_key: u64,
    /// Whether the level has to be built again, because scripts have created or removed solids; never between ticks.
    #[serde(skip)]
    pub stale: bool,
}

impl Switches {
    /// The switches as the level begins.
    pub fn at_start(stage: &Stage, began: u64) -> Self {
        let solids = stage.level.terrain.solids();
        let zones_off = Absent::of_zones(stage.level.zones.list());
        Self::of(stage, LevelChanges { zones_off, ..LevelChanges::at_start(solids, began) })
    }

    /// A level that scripts have changed like this.
    pub fn of(stage: &Stage, level: LevelChanges) -> Self {
        Self {
            key: hash_key(stage, &level, level.absent.iter()),
            level_key: level_key(stage, &level),
            level,
            changed: Vec::new(),
            changed_key: 0,
            stale: false,
        }
    }

    /// The contributions to the world's hash that follow from which solids are off, which have changed, and the other
    /// changes of the level.
    pub fn keys(&self, stage: &Stage) -> [u64; 3] {
        let (changed, level) = (self.changed.iter().copied(), &self.level);
        [hash_key(stage, level, level.absent.iter()), hash_key(stage, level, changed), level_key(stage, level)]
    }

    /// Switches a solid on or off, if its file says that it can be.
    pub fn set(&mut self, stage: &Stage, solid: u32, there: bool) {
        let of_level = stage.level.terrain.solids().get(solid as usize);
        let can_be = of_level.is_some_and(|s| s.present.is_some());
        let removed = self
            .level
            .created_at(stage.level.own_solids, solid)
            .is_some_and(|created| created.removed);
        if can_be && !removed && self.switch(solid, there) {
            [self.key, self.changed_key, _] = self.keys(stage);
        }
    }

    /// Switches a solid on or off as platforms move next. Returns whether it was not so before.
    fn switch(&mut self, solid: u32, there: bool) -> bool {
        if !self.level.absent.set(solid, there) {
            return false;
        }
        match self.changed.iter().position(|s| *s == solid) {
            // Switched back within one step.
            Some(place) => {
                self.changed.remove(place);
            }
            None => self.changed.push(solid),
        }
        true
    }

    /// Creates a solid, unless there are too many or one has its name. Bodies meet it as platforms move next.
    pub fn create(&mut self, stage: &Stage, created: &CreatedSolid) {
        let own = &stage.level.terrain.solids()[..stage.level.own_solids];
        let mut others = self.level.created.iter().flatten();
        let taken = own.iter().any(|solid| solid.name == created.name)
            || others.any(|other| !other.removed && other.name == created.name);
        if taken || self.level.created_count() >= MOST_CREATED {
            return;
        }
        let place = self.level.created.iter().position(Option::is_none).unwrap_or(self.level.created.len());
        if place == self.level.created.len() {
            self.level.created.push(None);
        }
        self.level.created[place] = Some(created.clone());
        self.changed.push((own.len() + place) as u32);
        // Then its contributions to the hash follow, too.
        self.stale = true;
    }

    /// Removes the solids with this name.
    pub fn remove(&mut self, stage: &Stage, name: &str) {
        let own = stage.level.own_solids;
        let solids = &stage.level.terrain.solids()[..own];
        let mut switched = false;
        for (index, solid) in (0..).zip(solids).filter(|(_, solid)| &*solid.name == name) {
            if solid.is_apart() {
                switched |= self.switch(index, false);
            } else {
                self.stale |= self.level.absent.set(index, false);
            }
        }
        if switched {
            [self.key, self.changed_key, _] = self.keys(stage);
        }
        for place in 0..self.level.created.len() {
            let index = (own + place) as u32;
            match &mut self.level.created[place] {
                Some(created) if &*created.name == name && !created.removed => created.removed = true,
                _ => continue,
            }
            // Nothing has met it yet, if it was created since platforms moved last.
            let (new, there) = (self.changed.contains(&index), !self.level.absent.holds(index));
            if new && there {
                self.changed.retain(|solid| *solid != index);
                self.forget(index, place);
            } else {
                self.switch(index, false);
            }
        }
    }

    /// Forgets the solid in a place for created ones.
    fn forget(&mut self, index: u32, place: usize) {
        self.level.created[place] = None;
        self.level.absent.set(index, true);
        self.stale = true;
    }

    /// Breaks the solid tiles at a point.
    pub fn break_tiles(&mut self, stage: &Stage, at: DVec2) {
        for tile in stage.level.tiles_at(at) {
            if let Err(place) = self.level.broken.binary_search(&tile) {
                self.level.broken.insert(place, tile);
                self.stale = true;
            }
        }
    }

    /// Forgets created solids that scripts have removed, once platforms have moved without them.
    pub fn forget_removed(&mut self, stage: &Stage) {
        let own = stage.level.own_solids;
        for place in 0..self.level.created.len() {
            let index = (own + place) as u32;
            if self.level.created[place].as_ref().is_some_and(|created| created.removed) {
                self.forget(index, place);
            }
        }
    }

    /// Builds the level as scripts have changed it, on that of the file. Returns whether its ground has changed.
    pub fn build(&mut self, base: &Stage) -> bool {
        self.stale = false;
        let changed = self.level.build(&base.level);
        [self.key, self.changed_key, self.level_key] = self.keys(base);
        changed
    }

    /// Switches a zone on or off, and returns whether that changed anything.
    pub fn set_zone(&mut self, stage: &Stage, zone: u32, there: bool) -> bool {
        let known = (zone as usize) < stage.level.zones.list().len();
        let changed = known && self.level.zones_off.set(zone, there);
        if changed {
            self.level_key = level_key(stage, &self.level);
        }
        changed
    }

    /// Sends a called platform to a point of its path in tick `now`, or stops it. Returns whether it rested until then.
    pub fn call(&mut self, stage: &Stage, solid: u32, point: Option<u32>, now: u64) -> bool {
        let seconds = self.level.seconds(now, f64::from(stage.hz));
        let (Some(path), Some(called)) = (path_of(stage, solid), self.level.called_mut(solid)) else {
            return false;
        };
        let from = called.place(path, seconds);
        let to = match point {
            Some(point) => path.mark(point),
            None => Some(from),
        };
        let Some(to) = to else { return false };
        let rested = !called.travels;
        let travels = point.is_some();
        // A platform that is stopped where it rests is still at its point.
        let point = point.or(called.point.filter(|_| !called.travels));
        *called = CalledPlatform { from, to, since: seconds, point, travels, ..*called };
        self.level_key = level_key(stage, &self.level);
        rested
    }

    /// Sends a free platform in tick `now` on a straight line to an offset from where it is drawn, px. Returns whether it
    /// rested until then.
    pub fn move_to(&mut self, stage: &Stage, solid: u32, to: DVec2, now: u64) -> bool {
        let seconds = self.level.seconds(now, f64::from(stage.hz));
        let path = path_of(stage, solid).filter(|path| path.is_free());
        let (Some(path), Some(called)) = (path, self.level.called_mut(solid)) else {
            return false;
        };
        let rested = !called.travels;
        let at = called.offset(path, seconds);
        let to = to.clamp(DVec2::splat(-MOST_MOVED), DVec2::splat(MOST_MOVED));
        *called = CalledPlatform {
            from: 0.0,
            to: at.distance(to),
            since: seconds,
            point: Some(0),
            travels: true,
            line: Some([at, to]),
            ..*called
        };
        self.level_key = level_key(stage, &self.level);
        rested
    }

    /// Rotates a solid in tick `now` to an angle, °. Returns whether it rested until then.
    pub fn turn_solid(&mut self, stage: &Stage, solid: u32, to: f64, now: u64) -> bool {
        let seconds = self.level.seconds(now, f64::from(stage.hz));
        let rotation = stage.level.terrain.solids().get(solid as usize).and_then(|solid| solid.rotation);
        let Some(rotation) = rotation.filter(|rotation| matches!(rotation.law, RotationLaw::Called(_))) else {
            return false;
        };
        if !to.is_finite() {
            return false;
        }
        let to = to.clamp(-MOST_ANGLE, MOST_ANGLE);
        let rested = self.level.turn_solid(solid, &rotation, to, seconds);
        self.level_key = level_key(stage, &self.level);
        rested
    }

    /// Sets the speed of a platform in tick `now`, px/s.
    pub fn set_speed(&mut self, stage: &Stage, solid: u32, speed: f64, now: u64) {
        let seconds = self.level.seconds(now, f64::from(stage.hz));
        if let Some(path) = path_of(stage, solid) {
            self.level.set_speed(solid, path, speed, seconds);
            self.level_key = level_key(stage, &self.level);
        }
    }

    /// Sets the factor for the rate of time from tick `now` on.
    pub fn set_time_scale(&mut self, stage: &Stage, scale: f64, now: u64) {
        self.level.set_time_scale(scale, now);
        self.level_key = level_key(stage, &self.level);
    }

    /// Takes note that time may not run at full rate everywhere from tick `now` on.
    pub fn expect_rates(&mut self, stage: &Stage, now: u64) {
        self.level.expect_rates(now);
        self.level_key = level_key(stage, &self.level);
    }

    /// Whether a platform that rested until now leaves for a point of its path; the point.
    pub fn departs_to(&self, solid: u32) -> Option<u32> {
        let leaves = |called: &&CalledPlatform| called.travels && called.to != called.from;
        let called = self.level.called(solid).filter(leaves).and_then(|called| called.point);
        let mut rotated = self.level.rotated.iter();
        called.or_else(|| rotated.find(|r| r.solid == solid && r.travels && r.to != r.from).map(|_| 0))
    }

    /// Lets the platforms rest that have arrived at the end of tick `now`, and calls `arrived` with the name and the point
    /// of each.
    pub fn arrive(&mut self, stage: &Stage, now: u64, mut arrived: impl FnMut(&Arc<str>, u32)) {
        if !self.level.called.iter().any(|c| c.travels) && !self.level.rotated.iter().any(|r| r.travels) {
            return;
        }
        let seconds = self.level.seconds(now, f64::from(stage.hz));
        for called in self.level.called.iter_mut().filter(|c| c.travels) {
            let solid = &stage.level.terrain.solids()[called.solid as usize];
            let (Some(path), Some(point)) = (&solid.path, called.point) else {
                continue;
            };
            if called.place(path, seconds) == called.to {
                called.from = called.to;
                called.travels = false;
                arrived(&solid.name, point);
            }
        }
        for place in 0..self.level.rotated.len() {
            let CalledRotation { solid, to, travels, .. } = self.level.rotated[place];
            let solid_of = &stage.level.terrain.solids()[solid as usize];
            let angle = solid_of.rotation.map(|rotation| self.level.angle(solid, &rotation, seconds));
            if travels && angle == Some(to) {
                let called = &mut self.level.rotated[place];
                (called.from, called.travels) = (to, false);
                arrived(&solid_of.name, 0);
            }
        }
        self.level_key = level_key(stage, &self.level);
    }

    /// Lets the platforms take the step from tick `now`, with the solids switched before it. The platforms of bodies come
    /// behind the level's `own` ones, and are where they are drawn.
    pub fn step_platforms(&mut self, transit: &mut Transit, stage: &Stage, own: usize, now: u64) {
        let platforms = stage.level.terrain.platforms();
        if platforms.is_empty() && self.level.is_plain() && self.changed.is_empty() {
            transit.changes.began = self.level.began;
            return;
        }
        transit.step(&platforms[..own], &self.level, now, f64::from(stage.hz));
        transit.switch(&platforms[..own], &self.changed);
        transit.add(platforms.len() - own);
        self.changed.clear();
        self.changed_key = 0;
    }

    /// What scripts have created, removed and broken, in a changed level: solids and layers are matched by name. A solid
    /// of the file replaces a created one of its name.
    fn adopt_solids(&self, old: &Level, new: &Level, changed: &mut LevelChanges) {
        let (was, own) = (&old.terrain.solids()[..old.own_solids], new.terrain.solids());
        let removed = self.level.absent.iter().filter_map(|index| was.get(index as usize));
        let removed: BTreeSet<&str> =
            removed.filter(|solid| solid.present.is_none()).map(|solid| &*solid.name).collect();
        for (index, solid) in (0..).zip(own) {
            if solid.present.is_none() && removed.contains(&*solid.name) {
                changed.absent.set(index, false);
            }
        }
        changed.created = self.level.created.clone();
        for place in &mut changed.created {
            let surface = place.as_ref().map(|created| old.surface_name(created.surface));
            let surface = surface.and_then(|name| new.surfaces.iter().position(|other| other == name));
            *place = place.take().filter(|created| own.iter().all(|solid| solid.name != created.name));
            if let Some(created) = place {
                created.surface = surface.map_or(new.plain, |index| SurfaceId(index as u16));
            }
        }
        for tile in &self.level.broken {
            let name = &old.tiles[tile.layer as usize].name;
            let layer = new.tiles.iter().position(|layer| layer.name == *name && layer.has(tile.cell));
            changed.broken.extend(layer.map(|layer| BrokenTile { layer: layer as u32, ..*tile }));
        }
        changed.broken.sort_unstable();
        changed.broken.dedup();
    }

    /// The same switches in a changed level: solids and zones are matched by name. Where the file has changed
    /// whether a solid is present, the file decides.
    pub fn adopted(&self, old: &Stage, new: &Stage, now: u64) -> Self {
        let mut level = LevelChanges::at_start(new.level.terrain.solids(), self.level.began);
        level.clock = self.level.clock;
        if old.level.view == new.level.view {
            self.adopt_solids(&old.level, &new.level, &mut level);
            level.build(&new.level);
        }
        let changed = level.level(&new.level).clone();
        let (was, terrain) = (&old.level.terrain, &changed.terrain);
        if new.level.zones.scale_time() {
            level.expect_rates(now);
        }
        if old.level.view != new.level.view {
            return Self::of(new, level);
        }
        for (index, solid) in (0_u32..).zip(terrain.solids()).filter(|(_, solid)| solid.present.is_some()) {
            let before = was.solid_named(&solid.name).filter(|_| !solid.is_gone());
            let kept = before.filter(|b| was.solids()[*b as usize].present == solid.present);
            if let Some(before) = kept {
                level.absent.set(index, !self.level.absent.holds(before));
            }
        }
        let zones = old.level.zones.list();
        for (index, zone) in (0..).zip(new.level.zones.list()) {
            let before = zones.iter().position(|z| z.name == zone.name);
            let kept = before.filter(|b| zones[*b].present == zone.present);
            let off = kept.map_or(!zone.present, |b| self.level.zones_off.holds(b as u32));
            level.zones_off.set(index, !off);
        }
        // Called platforms continue from where they are, if their paths still lead there.
        let seconds = level.seconds(now, f64::from(new.hz));
        for called in &mut level.called {
            let solid = &terrain.solids()[called.solid as usize];
            let known = was.solid_named(&solid.name).and_then(|before| self.level.called(before));
            let (Some(known), Some(path)) = (known, &solid.path) else {
                continue;
            };
            let old_path = was.solids()[known.solid as usize].path.as_ref();
            let place = old_path.map_or(0.0, |path| known.place(path, seconds));
            if path.is_free() {
                if known.line.is_some() {
                    *called = CalledPlatform { solid: called.solid, from: place, since: seconds, ..*known };
                }
                continue;
            }
            let place = place.clamp(0.0, path.length());
            let to = known.point.and_then(|point| path.mark(point));
            *called = CalledPlatform {
                solid: called.solid,
                from: if known.travels { place } else { to.unwrap_or(place) },
                to: to.unwrap_or(place),
                since: seconds,
                point: known.point.filter(|_| to.is_some()),
                travels: known.travels && to.is_some(),
                line: None,
                speed: known.speed,
            };
        }
        // Platforms that travel by themselves keep the speeds that scripts have set.
        for known in &self.level.called {
            let solid = &was.solids()[known.solid as usize];
            let by_itself = |path: &&Path| !path.is_called();
            let index = terrain.solid_named(&solid.name);
            let path = index.and_then(|index| terrain.solids()[index as usize].path.as_ref()).filter(by_itself);
            if let (Some(index), Some(_), Some(was)) = (index, path, solid.path.as_ref().filter(by_itself)) {
                let from = known.traveled(was, seconds);
                level.called.push(CalledPlatform { solid: index, from, since: seconds, ..*known });
            }
        }
        level.called.sort_by_key(|called| called.solid);
        // Solids whose rotation scripts have ordered continue from their angles.
        for known in &self.level.rotated {
            let solid = &was.solids()[known.solid as usize];
            let index = terrain.solid_named(&solid.name);
            let law = |solid: &Solid| solid.rotation.filter(|r| matches!(r.law, RotationLaw::Called(_)));
            if let (Some(index), Some(rotation)) = (index, law(solid))
                && law(&terrain.solids()[index as usize]).is_some()
            {
                let from = self.level.angle(known.solid, &rotation, seconds);
                level.rotated.push(CalledRotation { solid: index, from, since: seconds, ..*known });
            }
        }
        level.rotated.sort_by_key(|called| called.solid);
        Self::of(new, level)
    }
}

fn path_of(stage: &Stage, solid: u32) -> Option<&Path> {
    stage.level.terrain.solids().get(solid as usize)?.path.as_ref()
}

/// The name of a solid that may have been created by a script.
fn name_of<'a>(stage: &'a Stage, changes: &'a LevelChanges, solid: u32) -> &'a str {
    let own = stage.level.own_solids;
    match changes.created_at(own, solid) {
        Some(created) => &created.name,
        None => stage.level.terrain.solids().get(solid as usize).map_or("", |solid| &solid.name),
    }
}

/// The contribution of zones that are off, of called platforms, of created solids and of broken tiles to the world's hash.
fn level_key(stage: &Stage, level: &LevelChanges) -> u64 {
    let zones = level
        .zones_off
        .iter()
        .map(|zone| Digest::of(&stage.level.zones.list()[zone as usize].name));
    let called = level.called.iter().filter(|called| !called.is_at_start());
    let called = called.map(|called| {
        let mut digest = Digest::new();
        digest.text(name_of(stage, level, called.solid));
        [called.from, called.to, called.since]
            .into_iter()
            .for_each(|number| digest.number(number));
        digest.word(called.point.map_or(u64::MAX, u64::from));
        digest.word(u64::from(called.travels));
        let line = called.line.iter().flatten().flat_map(|at| at.to_array());
        line.chain(called.speed).for_each(|number| digest.number(number));
        digest.finish()
    });
    let rotated = level.rotated.iter().map(|called| {
        let mut digest = Digest::new();
        digest.text(name_of(stage, level, called.solid));
        [called.from, called.to, called.since]
            .into_iter()
            .for_each(|number| digest.number(number));
        digest.word(2 + u64::from(called.travels));
        digest.finish()
    });
    let clock = level.clock.filter(|clock| !clock.is_plain());
    let clock = clock.map(|LevelClock { since, at, scale }| {
        let mut digest = Digest::new();
        digest.word(since);
        digest.number(at);
        digest.number(scale);
        digest.finish()
    });
    let created = level.created.iter().flatten().map(|created| {
        let CreatedSolid { name, surface, points, one_way, top, speed, removed } = created;
        let mut digest = Digest::new();
        digest.text(name);
        digest.text(stage.level.surface_name(*surface));
        points.iter().for_each(|point| digest.vector(*point));
        [*top, *speed].into_iter().flatten().for_each(|number| digest.number(number));
        digest.flags(&[*one_way, top.is_some(), speed.is_some(), *removed]);
        digest.finish()
    });
    let broken = level.broken.iter().map(|tile| {
        let mut digest = Digest::new();
        digest.text(stage.level.tiles.get(tile.layer as usize).map_or("", |layer| &layer.name));
        digest.words(&tile.cell.map(|place| u64::from(place as u32)));
        digest.finish()
    });
    zones
        .chain(called)
        .chain(rotated)
        .chain(clock)
        .chain(created)
        .chain(broken)
        .fold(0, u64::wrapping_add)
}

/// The contribution of solids to the world's hash: a sum over their names, so that it does not
/// depend on their order in the file.
fn hash_key(stage: &Stage, changes: &LevelChanges, solids: impl Iterator<Item = u32>) -> u64 {
    let names = solids.map(|solid| name_of(stage, changes, solid));
    names.map(Digest::of).fold(0, u64::wrapping_add)
}
