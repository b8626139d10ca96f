//! What the keys of the window do.

use super::bench::{InputAhead, STRETCH_SECONDS, Workbench};
use super::excerpt::{Excerpt, PickedEntity};
use super::keys::WindowKey;
use super::marks::MarkedWorld;
use super::panel::MotionSample;
use super::timeline::restore;
use super::times::ScriptTimes;
use hangtime_core::sim::World;
use hangtime_game::Live;
use std::ops::Range;
use std::sync::Arc;

/// Seconds after which a held key repeats.
const REPEAT_AFTER: f64 = 0.3;

/// Seconds after which a held key repeats faster.
const FASTER_AFTER: f64 = 2.0;

impl Workbench {
    /// A key of the window went down. Playing keys and keys of the window itself have no effect here.
    pub fn press(&mut self, key: WindowKey) {
        self.changed = true;
        match key {
            WindowKey::Restart => self.restart(),
            WindowKey::Pause => {
                self.paused = !self.paused;
                self.held.clear();
            }
            WindowKey::Why => match self.why.take() {
                Some(panel) => panel.close(&mut self.live),
                None => self.open_why(),
            },
            WindowKey::Times => self.toggle_times(),
            WindowKey::StepBack | WindowKey::StepForward | WindowKey::ScrubBack | WindowKey::ScrubForward => {
                self.press_time_key(key)
            }
            WindowKey::Slower => self.speed.slower(),
            WindowKey::Faster => self.speed.faster(),
            WindowKey::NormalSpeed => self.speed.reset(),
            WindowKey::MarkA => self.mark_a(),
            WindowKey::MarkB => self.mark_b(),
            WindowKey::Loop => self.toggle_loop(),
            WindowKey::RestartAtMark => self.restart_at_mark(),
            WindowKey::Ghosts => self.ghosts_hidden = !self.ghosts_hidden,
            WindowKey::PickNext => self.pick_next(),
            WindowKey::Log => self.log_open = !self.log_open,
            WindowKey::SaveGif => self.save_film(),
            WindowKey::SaveRun => self.save_run(),
            WindowKey::Mute => self.toggle_sounds(),
            // The window's own picture.
            _ => {}
        }
    }

    /// The keys of the window that are down now: time keys repeat while they are held.
    pub fn hold(&mut self, down: &[WindowKey]) {
        self.held.retain(|(key, _)| down.contains(key));
    }

    fn press_time_key(&mut self, key: WindowKey) {
        self.paused = true;
        self.held.retain(|(other, _)| *other != key);
        self.held.push((key, self.now));
        let quarter = i64::from(self.latest.stage.hz / 4).max(1);
        match key {
            WindowKey::StepBack => self.steps -= 1,
            WindowKey::StepForward => self.steps += 1,
            WindowKey::ScrubBack => self.scrub -= quarter,
            _ => self.scrub += quarter,
        }
    }

    /// Continues what held time keys do.
    pub(super) fn repeat_held_keys(&mut self) {
        for index in 0..self.held.len() {
            let (key, since) = self.held[index];
            let held = self.now - since;
            if held < REPEAT_AFTER {
                continue;
            }
            let fast = held >= FASTER_AFTER;
            match key {
                WindowKey::StepBack => self.steps -= 1,
                WindowKey::StepForward => self.steps += 1,
                WindowKey::ScrubBack => self.scrub -= if fast { 16 } else { 4 },
                _ => self.scrub += if fast { 16 } else { 4 },
            }
        }
    }

    /// Shows or hides how long scripts take.
    fn toggle_times(&mut self) {
        self.times = match self.times {
            Some(_) => None,
            None => Some(ScriptTimes::default()),
        };
        self.live.measure(self.times.is_some());
    }

    /// Restarts the level. The past before it stays.
    fn restart(&mut self) {
        self.marks.looping = None;
        if !Arc::ptr_eq(self.live.revision(), &self.latest) {
            self.live.adopt(self.latest.clone());
        }
        self.live.restart();
        self.troubles.clear_faults();
        self.ghosts.clear();
        let world = Arc::new(self.live.world().clone());
        self.begin_chapter(world);
        self.hear();
    }

    fn mark_a(&mut self) {
        self.marks.set_a(MarkedWorld {
            position: Some(self.at),
            world: Arc::new(self.live.world().clone()),
            revision: self.live.revision().clone(),
        });
        self.note("mark A");
    }

    fn mark_b(&mut self) {
        let Some(mark) = &self.marks.a else {
            return self.note("mark A first");
        };
        let stretch = match mark.position {
            None => Err("mark A is in a part that was dropped; set it again, or restart at it"),
            Some(a) if a >= self.at => Err("mark B must be after mark A"),
            Some(a) => Excerpt::of(&self.line, a..self.at)
                .ok_or("the level was restarted after mark A; set it again, or restart at it"),
        };
        match stretch {
            Ok(stretch) => {
                let seconds = self.seconds(stretch.ticks());
                self.marks.stretch = Some(Arc::new(stretch));
                self.ghosts.clear();
                self.note(format!("mark B: looping {seconds:.2} s"));
                self.start_loop();
            }
            Err(why) => self.note(why),
        }
    }

    fn start_loop(&mut self) {
        if self.marks.start_loop() {
            self.paused = false;
        } else {
            self.note("mark A and B first");
        }
    }

    fn toggle_loop(&mut self) {
        if self.marks.looping.take().is_none() {
            self.start_loop();
        }
    }

    /// Continues from mark A under the newest revision.
    fn restart_at_mark(&mut self) {
        let Some(mark) = &self.marks.a else {
            return self.note("mark A first");
        };
        let (world, revision) = (mark.world.clone(), mark.revision.clone());
        self.marks.looping = None;
        let watched = self.live.world().watched();
        restore(&mut self.live, &revision, World::clone(&world), watched);
        if !Arc::ptr_eq(&revision, &self.latest) {
            self.live.adopt(self.latest.clone());
        }
        let world = Arc::new(self.live.world().clone());
        self.begin_chapter(world);
        if let Some(mark) = &mut self.marks.a {
            mark.position = Some(self.at);
        }
    }

    fn pick_next(&mut self) {
        let world = self.live.world();
        let entities = world.entities();
        let current = self.picked.as_ref().and_then(|p| p.index_in(world));
        let next = current.map_or(0, |index| index + 1);
        let Some(entity) = entities.get(next).or(entities.first()) else {
            return;
        };
        let picked = PickedEntity { id: entity.id, name: entity.name.clone() };
        self.pick_by_hand(picked);
    }

    /// Picks an entity because the user says so.
    pub(super) fn pick_by_hand(&mut self, picked: PickedEntity) {
        if self.picked.as_ref() == Some(&picked) {
            return;
        }
        let name = picked.name.clone();
        self.ghosts.clear();
        self.pick(Some(picked));
        self.rebuild_motion();
        self.note(format!("picked {name}"));
    }

    /// Plays the last seconds again to find the motion of an entity that has just been picked.
    fn rebuild_motion(&mut self) {
        let Some(picked) = self.picked.clone() else {
            return;
        };
        let lead = STRETCH_SECONDS * u64::from(self.latest.stage.hz);
        let Some((from, ..)) = self.line.keyframe_before(self.at, lead) else {
            return;
        };
        let revision = self.live.revision().clone();
        let mut live = Live::resume(revision, self.live.world().clone());
        let (line, motion) = (&self.line, &mut self.motion);
        let mut position = from;
        motion.clear();
        line.seek(&mut live, self.at, lead, |live| {
            position += 1;
            let world = live.world();
            let entity = picked.index_in(world).map(|index| &world.entities()[index]);
            if let Some(entity) = entity {
                motion.put(MotionSample::of(live, entity, position));
            }
        });
        self.record_motion();
    }

    /// The stretch that an edit is judged by: between the marks, or the last seconds.
    pub(super) fn stretch(&mut self) -> Option<Arc<Excerpt>> {
        if let Some(marked) = &self.marks.stretch {
            return Some(marked.clone());
        }
        let positions = self.last_positions();
        if positions.is_empty() {
            return None;
        }
        let last = self.last_stretch.take();
        self.last_stretch = last
            .filter(|excerpt| excerpt.is_still(&self.line, &positions))
            .or_else(|| Excerpt::of(&self.line, positions).map(Arc::new));
        self.last_stretch.clone()
    }

    /// The last seconds before the shown position, without a restart in them.
    pub(super) fn last_positions(&self) -> Range<u64> {
        let length = STRETCH_SECONDS * u64::from(self.latest.stage.hz);
        let earliest = self.line.continuous_from(self.at).max(self.line.begin());
        self.at.saturating_sub(length).max(earliest)..self.at
    }

    /// Before an edit in the past drops what came after it: its input is kept, to be played again.
    pub(super) fn keep_input_ahead(&mut self) {
        let until = self.line.continuous_until(self.at);
        let mut tape = self.line.inputs(self.at..until);
        if let Some(old) = &self.ahead
            && until == self.line.end()
            && until >= old.start
        {
            tape.append(&old.tape.slice(until - old.start..old.tape.len()));
        }
        if !tape.is_empty() {
            let start = self.at;
            self.ahead = Some(InputAhead { start, tape });
        }
    }
}
