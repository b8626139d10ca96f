//! Errors of scripts while the game runs.

use super::Diagnostic;
use std::collections::BTreeMap;
use std::sync::Arc;

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
    #[must_use]
    pub fn render(&self, color: bool) -> String {
        let Self {
            entity,
            hook,
            tick,
            revision,
            ..
        } = self;
        let text = self.diagnostic.render(color);
        format!("{text}\n  in `{hook}` of `{entity}` at tick {tick}, revision {revision}")
    }
}

/// Faults by their place in a script: the first one at each place and how many there were. Messages from one place can
/// differ each time, and would fill a terminal.
#[derive(Clone, Debug, Default)]
pub struct Tally(BTreeMap<(String, usize), (Fault, u64)>);

impl Tally {
    /// Counts a fault. Returns whether it is the first at its place.
    pub fn count(&mut self, fault: &Fault) -> bool {
        let at = fault.diagnostic.place.as_ref().map_or(0, |p| p.span.start);
        let place = (fault.diagnostic.file_name().to_string(), at);
        let (_, count) = self.0.entry(place).or_insert_with(|| (fault.clone(), 0));
        *count += 1;
        *count == 1
    }

    /// The first fault at each place and how many there were, sorted by file and place.
    pub fn iter(&self) -> impl Iterator<Item = (&Fault, u64)> {
        self.0.values().map(|(fault, count)| (fault, *count))
    }

    /// Whether no fault has been counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets all faults.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
