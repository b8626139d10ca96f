//! What goes wrong in scripts while the game runs.

use super::Diagnostic;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Something that went wrong in a script while the game ran.
#[derive(Clone, Debug)]
pub struct Fault {
    /// What and where.
    pub diagnostic: Diagnostic,
    /// The entity whose script it was.
    pub entity: String,
    /// The hook that was called.
    pub hook: Arc<str>,
    /// The tick: in the step from n to n+1 it is n.
    pub tick: u64,
    /// The revision that ran.
    pub revision: u64,
}

impl Fault {
    /// The whole message: what, where, for whom and when.
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

/// Faults by the place in a script where they happen: of each the first, and how many there were.
/// What a message says beside its place may differ each time, and would fill a terminal.
#[derive(Clone, Debug, Default)]
pub struct Tally(BTreeMap<(String, usize), (Fault, u64)>);

impl Tally {
    /// Counts a fault; whether it is the first at its place.
    pub fn count(&mut self, fault: &Fault) -> bool {
        let at = fault.diagnostic.place.as_ref().map_or(0, |p| p.span.start);
        let place = (fault.diagnostic.file_name().to_string(), at);
        let (_, count) = self.0.entry(place).or_insert_with(|| (fault.clone(), 0));
        *count += 1;
        *count == 1
    }

    /// The first fault at each place and how many there were, by file and place.
    pub fn iter(&self) -> impl Iterator<Item = (&Fault, u64)> {
        self.0.values().map(|(fault, count)| (fault, *count))
    }

    /// Whether nothing has gone wrong.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
