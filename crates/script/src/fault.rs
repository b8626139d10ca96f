//! Errors of scripts while the game runs.

use super::message::{
    Diagnostic, MOST_SHOWN, grouped,
    text::{cut_name, printable_name},
};
use std::{collections::BTreeMap, sync::Arc};

/// An error of a script while the game runs.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The error and its place.
    pub diagnostic: Diagnostic,
    /// The name of the entity whose script failed.
    pub entity: String,
    /// The hook that failed.
    pub hook: Arc<str>,
    /// The tick: in the step from n to n+1 it is n.
    pub tick: u64,
    /// The revision that ran.
    pub revision: u64,
}

impl Fault {
    /// The whole message: the error with its source line, then hook, entity, tick and revision.
    pub fn render(&self, color: bool) -> String {
        let Self { entity, hook, tick, revision, .. } = self;
        let text = self.diagnostic.render(color);
        let (hook, entity) = (cut_name(hook), cut_name(entity));
        let (hook, entity) = (printable_name(&hook), printable_name(&entity));
        format!("{text}\n  in `{hook}` of `{entity}` at tick {tick}, revision {revision}")
    }
}

/// The first [`MOST_SHOWN`] of many faults, and how many others there were.
#[derive(Clone, Debug, Default)]
pub struct FaultQueue {
    /// The first faults.
    pub first: Vec<Fault>,
    /// The number of the others.
    pub left_out: u64,
}

impl FaultQueue {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty() && self.left_out == 0
    }

    /// Whether further faults are only counted.
    pub fn is_full(&self) -> bool {
        self.first.len() >= MOST_SHOWN
    }

    /// Adds a fault.
    pub fn push(&mut self, fault: Fault) {
        if self.is_full() {
            self.leave_out();
        } else {
            self.first.push(fault);
        }
    }

    /// Counts a fault without keeping it.
    pub fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// Adds later faults.
    pub fn append(&mut self, later: Self) {
        later.first.into_iter().for_each(|fault| self.push(fault));
        self.left_out += later.left_out;
    }
}

/// Faults by their place in a script: the first one at each place and how many there were. Messages from one place can
/// differ each time, and would fill a terminal. Only the first [`MOST_SHOWN`] places are kept.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    places: BTreeMap<(String, usize, String), (Fault, u64)>,
    left_out: u64,
}

impl Tally {
    /// Counts a fault. Returns whether to show it: whether it is the first at its place, and one of the first
    /// [`MOST_SHOWN`].
    pub fn count(&mut self, fault: &Fault) -> bool {
        let file = fault.diagnostic.file_name().to_string();
        // Without a place only the message distinguishes them.
        let place = match &fault.diagnostic.place {
            Some(place) => (file, place.span.start, String::new()),
            None => (file, 0, fault.diagnostic.message.clone()),
        };
        if let Some((_, count)) = self.places.get_mut(&place) {
            *count += 1;
            return false;
        }
        if self.places.len() >= MOST_SHOWN {
            self.left_out += 1;
            return false;
        }
        self.places.insert(place, (fault.clone(), 1));
        true
    }

    /// The first fault at each place and how many there were, sorted by file and place.
    pub fn iter(&self) -> impl Iterator<Item = (&Fault, u64)> {
        self.places.values().map(|(fault, count)| (fault, *count))
    }

    /// Counts faults that are known by their number only.
    pub fn leave_out(&mut self, count: u64) {
        self.left_out += count;
    }

    /// The number of faults that are only counted: faults at places beyond the first [`MOST_SHOWN`], and faults that
    /// were [left out](Tally::leave_out).
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// What to print after the faults, if some were only counted.
    pub fn left_out_text(&self) -> Option<String> {
        let plural = if self.left_out == 1 { "" } else { "s" };
        let count = grouped(self.left_out);
        (self.left_out > 0).then(|| format!("and {count} more script error{plural}"))
    }

    /// Whether no fault has been counted.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty() && self.left_out == 0
    }

    /// Forgets all faults.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
