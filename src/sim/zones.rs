//! Who is in which zone.

use super::{EventKind, Stage, World};

impl World {
    /// Notes which zones each entity has entered and left.
    pub(super) fn cross_zones(&mut self, stage: &Stage) {
        if stage.level.zones.list().is_empty() {
            return;
        }
        let mut now = std::mem::take(&mut self.zones_now);
        for index in 0..self.entities.len() {
            now.clear();
            let pos = self.lanes.body(&self.entities[index]).pos;
            stage.level.zones.visit(pos, |zone| now.push(zone));
            if *now == *self.entities[index].zones {
                continue;
            }
            let before = std::mem::replace(&mut self.entities[index].zones, now.as_slice().into());
            if let Some(own) = &mut self.entities[index].script_state {
                own.stale = true;
            }
            let name = |zone: &u16| stage.level.zones.list()[*zone as usize].name.clone();
            for zone in before.iter().filter(|z| !now.contains(z)) {
                let zone = name(zone);
                self.note(self.tick, index, EventKind::Leave { zone });
            }
            for zone in now.iter().filter(|z| !before.contains(z)) {
                let zone = name(zone);
                self.note(self.tick, index, EventKind::Enter { zone });
            }
        }
        now.clear();
        self.zones_now = now;
    }

    /// Takes an entity's zones from one level to another, by their names. One that is gone is left.
    pub(super) fn adopt_zones(&mut self, old: &Stage, new: &Stage, index: usize) {
        let zones = std::mem::take(&mut self.entities[index].zones);
        let mut kept = Vec::new();
        for &zone in &*zones {
            let name = &old.level.zones.list()[zone as usize].name;
            let place = new.level.zones.list().iter().position(|z| z.name == *name);
            match place {
                Some(place) => kept.push(place as u16),
                None => {
                    let zone = name.clone();
                    self.note(self.tick, index, EventKind::Leave { zone });
                }
            }
        }
        kept.sort_unstable();
        self.entities[index].zones = kept.into();
    }
}
