//! Tests of `src/budget.rs`.

use super::*;
use std::rc::Rc;

fn limits(operations: u64) -> Limits {
    Limits { operations, ..Limits::of_tests() }
}

#[test]
fn a_call_has_its_operations_however_many_they_are() {
    for operations in [10, SHARE - 1, SHARE, SHARE + 1, 3 * SHARE + 7] {
        let allowance = Allowance::begin(&limits(operations));
        for _ in 0..operations {
            assert!(!is_spent() && spend());
        }
        assert_eq!((allowance.used(), charged()), (operations, operations));
        for _ in 0..TO_STOP_BY_FORCE {
            assert!(spend());
        }
        assert!(is_spent() && !spend() && charge(1).is_err());
    }
    let allowance = Allowance::begin(&limits(5 * SHARE));
    assert!(charge(4 * SHARE).is_ok() && charge(SHARE).is_ok() && charge(1).is_err());
    drop(allowance);
}

#[test]
fn an_interruption_ends_calls_at_their_next_share() {
    let (asked, at) = (Rc::new(Cell::new(0)), 3);
    let count = asked.clone();
    let ask = move || {
        count.set(count.get() + 1);
        count.get() > at
    };
    let (used, interrupted) = interruptible(ask, || {
        let allowance = Allowance::begin(&limits(100 * SHARE));
        while charge(1).is_ok() {}
        allowance.used()
    });
    assert!(interrupted && used < 5 * SHARE, "{used}");
    let (used, interrupted) = interruptible(
        || false,
        || {
            let allowance = Allowance::begin(&limits(3 * SHARE));
            while charge(1).is_ok() {}
            allowance.used()
        },
    );
    assert!(!interrupted && used >= 3 * SHARE, "{used}");
}
