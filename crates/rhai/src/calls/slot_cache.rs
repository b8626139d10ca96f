//! The variables of an entity in slots, next to the map that the interpreter works on.

use super::plain_vars::{checked_values, same, sizes_of};
use super::*;

/// Slots for the variables that the functions of a script use.
#[derive(Clone, Debug, Default)]
pub(super) struct SlotCache {
    names: Arc<SlotNames>,
    slots: Vec<VarSlot>,
    sizes: SlotSizes,
    /// Whether the map is newer.
    stale: bool,
    /// Whether the slots are newer than the map.
    ahead: bool,
    /// Whether there is a slot for each entry of the map.
    complete: bool,
}

impl SlotCache {
    /// The slots of these names, as new as the map. None if the variables exceed a limit.
    pub fn open<'a>(&'a mut self, names: &Arc<SlotNames>, map: &mut Map, limits: &Limits) -> Option<SlotsOfCall<'a>> {
        let known = Arc::ptr_eq(&self.names, names);
        if self.stale || !known {
            if !known {
                self.write_to(map);
                self.names = names.clone();
                self.slots.clear();
                self.slots.resize(names.0.len(), VarSlot::Missing);
            }
            self.stale = true;
            self.sizes = sizes_of(map, limits)?;
            self.read_from(map);
            self.stale = false;
        }
        Some(SlotsOfCall {
            slots: &mut self.slots,
            names: &self.names,
            sizes: &mut self.sizes,
            written: &mut self.ahead,
        })
    }

    /// How many values checking all variables counts as.
    pub fn values(&self) -> u64 {
        checked_values(self.sizes.values, self.sizes.texts)
    }

    /// Whether the slots are newer than the map.
    pub fn is_ahead(&self) -> bool {
        self.ahead
    }

    /// Says that the map is about to change.
    pub fn outdate(&mut self) {
        self.stale = true;
    }

    /// Brings a map up to date.
    pub fn write_to(&mut self, map: &mut Map) {
        if std::mem::take(&mut self.ahead) {
            self.apply_to(map);
        }
    }

    /// Writes the slots to a map, where they differ.
    pub fn apply_to(&self, map: &mut Map) {
        for (name, slot) in self.names.0.iter().zip(&self.slots) {
            if slot.is_missing() {
                continue;
            }
            match map.get_mut(name) {
                Some(value) if slot.is_same(value, same) => {}
                Some(value) => *value = slot.to_dynamic(),
                None => _ = map.insert(name.clone(), slot.to_dynamic()),
            }
        }
    }

    fn read_from(&mut self, map: &Map) {
        let mut others = map.len();
        let mut entries = map.iter().peekable();
        for (name, slot) in self.names.0.iter().zip(&mut self.slots) {
            while entries.next_if(|(key, _)| *key < name).is_some() {}
            let entry = entries.next_if(|(key, _)| *key == name);
            others -= usize::from(entry.is_some());
            match entry {
                Some((_, value)) if slot.is_same(value, same) => {}
                Some((_, value)) => *slot = VarSlot::of(value),
                None => *slot = VarSlot::Missing,
            }
        }
        self.complete = others == 0;
    }

    /// Calls `seen` with each variable, in the order of their names: those of the slots where they have it, else those
    /// of the map.
    pub fn each<'a>(&'a self, map: &'a Map, mut seen: impl FnMut(&str, VarRef<'a>)) {
        let mut entries = map.iter().peekable();
        for (name, slot) in self.names.0.iter().zip(&self.slots) {
            while let Some((key, value)) = entries.next_if(|(key, _)| *key < name) {
                seen(key, VarRef::OfMap(value));
            }
            let in_map = entries.next_if(|(key, _)| *key == name);
            match (slot, in_map) {
                (VarSlot::Missing, Some((key, value))) => seen(key, VarRef::OfMap(value)),
                (VarSlot::Missing, None) => {}
                (slot, _) => seen(name, VarRef::OfSlot(slot)),
            }
        }
        entries.for_each(|(key, value)| seen(key, VarRef::OfMap(value)));
    }

    /// Whether the slots are all that there is.
    fn is_alone(&self) -> bool {
        self.complete && !self.stale
    }

    /// Whether these slots and those of a snapshot hold the same; none if the maps have to be compared.
    pub fn same_as(&self, other: &Self) -> Option<bool> {
        let comparable = Arc::ptr_eq(&self.names, &other.names);
        let mut pairs = self.slots.iter().zip(&other.slots);
        (comparable && self.is_alone() && other.is_alone()).then(|| pairs.all(|(a, b)| a.equals(b, same)))
    }

    /// Makes the slots of a snapshot equal to these. False if the map has to be copied.
    pub fn copy_to(&self, snapshot: &mut Self) -> bool {
        let alike = Arc::ptr_eq(&self.names, &snapshot.names);
        if !alike || !self.is_alone() || !snapshot.is_alone() {
            return false;
        }
        for (copy, slot) in snapshot.slots.iter_mut().zip(&self.slots) {
            if copy.equals(slot, same) {
                continue;
            }
            if slot.is_missing() {
                return false;
            }
            copy.clone_from(slot);
            snapshot.ahead = true;
        }
        snapshot.sizes = self.sizes;
        true
    }
}

/// A variable where it is.
pub(super) enum VarRef<'a> {
    OfMap(&'a Dynamic),
    OfSlot(&'a VarSlot),
}
