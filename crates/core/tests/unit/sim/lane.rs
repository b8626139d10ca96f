//! Tests of `src/sim/lane.rs`.

use super::*;
use crate::models::platformer::PlatformerState;
use std::mem::offset_of;

#[test]
fn an_entity_takes_at_most_512_bytes_of_state() {
    // The rate is not state, and what follows it fills up a cache line.
    let sizes = each_model!(|M| offset_of!(Mover<<M as Model>::State>, rate));
    let largest = sizes.into_iter().max().unwrap_or(0);
    let rest = size_of::<Entity>();
    assert!(largest + rest <= 512, "{largest} and {rest} bytes");
}

/// A tick of a platformer that stands, walks or flies in a side view, without zones and scripts, reads the bytes between
/// these of its mover, and not all of them. This counts neither what all bodies share, such as tuning and terrain, nor ticks
/// in which a body jumps, lands, clings or hangs on a rope.
#[test]
fn a_tick_reads_a_walking_body_from_four_cache_lines() {
    type Walker = Mover<PlatformerState>;
    let first = offset_of!(Walker, body.floor);
    let end = offset_of!(Walker, state.hook.state) + size_of::<HookState>();
    assert!((align_of::<Walker>(), first % 64) == (64, 0), "it begins at byte {first}, within a cache line");
    assert!(end - first <= 256, "{} bytes", end - first);
}
