//! Tests of `src/ghosts.rs`.

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
    // Two minutes at 240 ticks per second, under eight revisions.
    let path = || (vec![glam::DVec2::ZERO; 28_800], 1.0);
    let long = || Arc::new(GhostPicture { paths: (0..8).map(|_| path()).collect(), ..GhostPicture::default() });
    (1000..1020).for_each(|position| record.note(position, Some(&long())));
    assert_eq!(record.changes.len(), 1);
    assert!(record.at(1019).is_some());
}
