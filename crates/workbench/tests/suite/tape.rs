//! Tapes of input.

use hangtime_core::{
    models::Action,
    sim::{Inputs, PlayerInput},
};
use hangtime_workbench::InputTape;

fn holding(action: Action) -> Inputs {
    Inputs::of_first(PlayerInput { held: [action].into_iter().collect(), ..PlayerInput::default() })
}

/// 5 ticks of left, 3 of right, 4 of left.
fn tape() -> (InputTape, Vec<Inputs>) {
    let [left, right] = [Action::Left, Action::Right].map(holding);
    let all: Vec<Inputs> = [(&left, 5), (&right, 3), (&left, 4)]
        .iter()
        .flat_map(|(inputs, count)| vec![(*inputs).clone(); *count])
        .collect();
    let mut tape = InputTape::default();
    all.iter().for_each(|inputs| tape.push(inputs));
    (tape, all)
}

fn unrolled(tape: &InputTape) -> Vec<Inputs> {
    (0..tape.len()).filter_map(|i| tape.at(i).cloned()).collect()
}

#[test]
fn equal_inputs_in_a_row_are_stored_once() {
    let (tape, all) = tape();
    assert_eq!((tape.runs(), unrolled(&tape)), (3, all));
    assert_eq!(tape.at(tape.len()), None);
}

#[test]
fn every_part_of_a_tape_has_the_inputs_of_its_ticks() {
    let (tape, all) = tape();
    for start in 0..=all.len() {
        for end in start..=all.len() {
            let mut part = tape.slice(start as u64..end as u64);
            assert_eq!(unrolled(&part), all[start..end], "{start}..{end}");
            part.append(&tape.slice(end as u64..all.len() as u64));
            assert_eq!(unrolled(&part), all[start..], "{start}..{end}..");
        }
        let mut cut = tape.clone();
        cut.truncate(start as u64);
        assert_eq!(unrolled(&cut), all[..start], "..{start}");
    }
}

#[test]
fn a_tape_that_has_forgotten_its_start_has_the_rest_at_the_same_ticks() {
    let held = |number: u64| {
        let action = Action::ALL[(number / 3 % 6) as usize];
        Inputs::of_first(PlayerInput { held: [action].into_iter().collect(), ..PlayerInput::default() })
    };
    let mut whole = InputTape::default();
    (0..100).for_each(|tick| whole.push(&held(tick)));
    for start in [0, 1, 30, 31, 99, 100] {
        let mut tape = whole.clone();
        tape.forget_before(start);
        assert_eq!(tape.len(), 100);
        for tick in 0..110 {
            let expected = whole.at(tick).filter(|_| tick >= start);
            assert_eq!(tape.at(tick), expected, "{start} {tick}");
        }
        assert_eq!(tape.slice(start..100), whole.slice(start..100), "{start}");
        assert_eq!(tape.slice(0..100), whole.slice(start..100), "{start}");
        tape.push(&held(100));
        assert_eq!((tape.len(), tape.at(100)), (101, Some(&held(100))));
    }
}
