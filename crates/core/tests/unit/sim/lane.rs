//! Tests of `src/sim/lane.rs`.

use super::*;

#[test]
fn an_entity_takes_at_most_512_bytes_of_state() {
    let sizes = each_model!(|M| size_of::<Mover<<M as Model>::State>>());
    let largest = sizes.into_iter().max().unwrap_or(0) - size_of::<Scratch>();
    let rest = size_of::<Entity>();
    assert!(largest + rest <= 512, "{largest} and {rest} bytes");
}
