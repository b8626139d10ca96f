//! When which ghosts were shown, for films.

use hangtime_draw::GhostPicture;
use std::collections::VecDeque;
use std::sync::Arc;

/// The most changes that are remembered.
const MOST_CHANGES: usize = 64;

/// The ghosts that were shown at each position of the timeline.
#[derive(Clone, Debug, Default)]
pub struct GhostRecord {
    /// The positions from which other ghosts were shown, ascending; `None` for none.
    changes: VecDeque<(u64, Option<Arc<GhostPicture>>)>,
}

impl GhostRecord {
    /// Notes what is shown from a position on.
    pub fn note(&mut self, position: u64, ghosts: Option<&Arc<GhostPicture>>) {
        let ghosts = ghosts.filter(|ghosts| !ghosts.paths.is_empty());
        // Time may have been turned back: what was shown later was dropped.
        while self.changes.back().is_some_and(|(at, _)| *at >= position) {
            self.changes.pop_back();
        }
        let last = self.changes.back().and_then(|(_, last)| last.as_ref());
        if last.map(Arc::as_ptr) == ghosts.map(Arc::as_ptr) {
            return;
        }
        self.changes.push_back((position, ghosts.cloned()));
        if self.changes.len() > MOST_CHANGES {
            self.changes.pop_front();
        }
    }

    /// What was shown at a position.
    #[must_use]
    pub fn at(&self, position: u64) -> Option<&GhostPicture> {
        let after = self.changes.partition_point(|(at, _)| *at <= position);
        let (_, ghosts) = self.changes.get(after.checked_sub(1)?)?;
        ghosts.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::{GhostRecord, MOST_CHANGES};
    use hangtime_draw::GhostPicture;
    use std::sync::Arc;

    fn ghosts() -> Arc<GhostPicture> {
        Arc::new(GhostPicture { paths: vec![(Vec::new(), 1.0)], ..GhostPicture::default() })
    }

    #[test]
    fn each_position_has_the_ghosts_that_were_shown_there_last() {
        let (one, two) = (ghosts(), ghosts());
        let mut record = GhostRecord::default();
        record.note(3, None);
        record.note(5, Some(&one));
        record.note(7, Some(&one));
        record.note(9, Some(&two));
        record.note(12, Some(&Arc::default()));
        let pointers = [4, 5, 8, 9, 11, 12, 99].map(|p| record.at(p).map(std::ptr::from_ref));
        let (one, two) = (Some(Arc::as_ptr(&one)), Some(Arc::as_ptr(&two)));
        assert_eq!(pointers, [None, one, one, two, two, None, None]);
        // Time was turned back, and other ghosts are shown from there on.
        let three = ghosts();
        record.note(6, Some(&three));
        assert_eq!(record.at(99).map(std::ptr::from_ref), Some(Arc::as_ptr(&three)));
        assert_eq!(record.at(5).map(std::ptr::from_ref), one);
    }

    #[test]
    fn a_record_takes_bounded_memory() {
        let mut record = GhostRecord::default();
        (0..1000).for_each(|position| record.note(position, Some(&ghosts())));
        assert_eq!(record.changes.len(), MOST_CHANGES);
        assert!(record.at(999).is_some() && record.at(10).is_none());
    }
}
