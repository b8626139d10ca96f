//! The variables of an entity in slots, next to those that are kept between calls.

use super::{
    plain_vars::{same, sizes_of, sizes_of_value},
    *,
};

/// Slots for the variables that the functions of a script use.
#[derive(Clone, Debug, Default)]
pub struct SlotCache {
    names: Arc<SlotNames>,
    slots: Vec<VarSlot>,
    sizes: SlotSizes,
    /// Whether the kept variables are newer.
    stale: bool,
    /// Whether the slots are newer than the kept variables.
    ahead: bool,
    /// Whether there is a slot for each variable.
    complete: bool,
}

impl SlotCache {
    /// The slots of these names, as new as the kept variables. None if the variables exceed a limit.
    #[inline]
    pub fn open<'a>(
        &'a mut self,
        names: &Arc<SlotNames>,
        kept: &mut KeptVars,
        limits: &Limits,
    ) -> Option<SlotsOfCall<'a>> {
        if self.stale || !Arc::ptr_eq(&self.names, names) {
            self.renew(names, kept, limits)?;
        }
        Some(SlotsOfCall {
            slots: &mut self.slots,
            names: &self.names,
            sizes: &mut self.sizes,
            written: &mut self.ahead,
            sizes_of: sizes_of_value,
        })
    }

    /// Makes them the slots of these names, as new as the kept variables.
    #[cold]
    fn renew(&mut self, names: &Arc<SlotNames>, kept: &mut KeptVars, limits: &Limits) -> Option<()> {
        if !Arc::ptr_eq(&self.names, names) {
            self.write_to(kept);
            self.names = names.clone();
            self.slots.clear();
            self.slots.resize(names.0.len(), VarSlot::Missing);
        }
        self.stale = true;
        self.sizes = sizes_of(kept, limits)?;
        self.read_from(kept);
        self.stale = false;
        Some(())
    }

    /// Whether the slots are newer than the kept variables.
    pub fn is_ahead(&self) -> bool {
        self.ahead
    }

    /// Says that the kept variables are about to change.
    pub fn outdate(&mut self) {
        self.stale = true;
    }

    /// Brings the kept variables up to date.
    pub fn write_to(&mut self, kept: &mut KeptVars) {
        if std::mem::take(&mut self.ahead) {
            self.apply_to(kept);
        }
    }

    /// Writes the slots to kept variables, where they differ.
    pub fn apply_to(&self, kept: &mut KeptVars) {
        let slots = self.names.0.iter().zip(&self.slots);
        for (name, slot) in slots.filter(|(_, slot)| !slot.is_missing()) {
            kept.set(name, slot);
        }
    }

    fn read_from(&mut self, kept: &KeptVars) {
        let mut others = kept.len();
        let mut entries = kept.iter().peekable();
        for (name, slot) in self.names.0.iter().zip(&mut self.slots) {
            while entries.next_if(|(key, _)| *key < name).is_some() {}
            let entry = entries.next_if(|(key, _)| *key == name);
            others -= usize::from(entry.is_some());
            match entry {
                Some((_, value)) => slot.clone_from(value),
                None => *slot = VarSlot::Missing,
            }
        }
        self.complete = others == 0;
    }

    /// Calls `seen` with each variable, in the order of their names: its slot if the slots have it, else the kept
    /// value.
    pub fn each<'a>(&'a self, kept: &'a KeptVars, mut seen: impl FnMut(&str, &'a VarSlot)) {
        let mut entries = kept.iter().peekable();
        for (name, slot) in self.names.0.iter().zip(&self.slots) {
            while let Some((key, value)) = entries.next_if(|(key, _)| *key < name) {
                seen(key, value);
            }
            let kept = entries.next_if(|(key, _)| *key == name);
            match (slot, kept) {
                (VarSlot::Missing, Some((key, value))) => seen(key, value),
                (VarSlot::Missing, None) => {}
                (slot, _) => seen(name, slot),
            }
        }
        entries.for_each(|(key, value)| seen(key, value));
    }

    /// Whether the slots hold all variables, and are up to date.
    fn is_alone(&self) -> bool {
        self.complete && !self.stale
    }

    /// Whether these slots and the slots of a snapshot hold the same; none if the kept variables have to be compared.
    pub fn same_as(&self, other: &Self) -> Option<bool> {
        let comparable = Arc::ptr_eq(&self.names, &other.names);
        let mut pairs = self.slots.iter().zip(&other.slots);
        (comparable && self.is_alone() && other.is_alone()).then(|| pairs.all(|(a, b)| a.equals(b, same)))
    }

    /// Makes the slots of a snapshot equal to these. False if the kept variables have to be copied.
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
