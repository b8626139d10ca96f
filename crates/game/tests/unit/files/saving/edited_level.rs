//! Tests of `src/files/saving/edited_level.rs`.

use super::{TextChange, merged};

#[test]
fn a_change_can_be_made_and_reversed() {
    let texts = ["", "a", "at = [1, 2]", "at = [11, 2]", "at = [1, 22]", "ä = 1", "ö = 1", "at = [1, 2]\nat = [1, 2]"];
    for old in texts {
        for new in texts {
            let change = TextChange::between(old, new);
            assert_eq!(change.made(old), new);
            assert_eq!(change.reversed().made(new), old);
        }
    }
}

/// Lines with these numbers.
fn lines(numbers: impl IntoIterator<Item = i32>) -> String {
    numbers.into_iter().map(|number| format!("{number}\n")).collect()
}

#[test]
fn changes_of_different_lines_are_merged() {
    let base = lines(0..8);
    for mine in 0..8 {
        let ours = base.replace(&format!("{mine}\n"), "mine\n");
        for other in 0..8 {
            let name = format!("{other}\n");
            for theirs in [base.replace(&name, "theirs\n"), base.replace(&name, ""), base.replace(&name, "x\ny\nz\n")] {
                let wanted = theirs.replace(&format!("{mine}\n"), "mine\n");
                let both = merged(&base, &theirs, &ours);
                assert_eq!(both, (mine != other).then_some(wanted), "{mine} {other}");
            }
            let theirs = base.replace(&name, &format!("new\n{other}\n"));
            assert_eq!(merged(&base, &theirs, &ours), Some(theirs.replace(&format!("{mine}\n"), "mine\n")));
        }
    }
}

#[test]
fn added_and_removed_lines_are_merged_with_those_before_and_after() {
    let base = lines(0..8);
    let added = base.replace("3\n", "3\nours\n");
    let removed = base.replace("3\n", "");
    for other in [0, 1, 2, 5, 6, 7] {
        let theirs = base.replace(&format!("{other}\n"), "theirs\nand more\n");
        for ours in [&added, &removed] {
            let wanted = ours.replace(&format!("{other}\n"), "theirs\nand more\n");
            assert_eq!(merged(&base, &theirs, ours), Some(wanted), "{other}");
        }
    }
    assert_eq!(merged(&base, &base.replace("3\n", "other\n"), &removed), None);
}

#[test]
fn the_same_change_on_both_sides_is_one() {
    let (base, both) = (lines(0..4), lines([0, 9, 2, 3]));
    assert_eq!(merged(&base, &both, &both), Some(both.clone()));
    assert_eq!(merged(&base, &both, &base), Some(both.clone()));
    assert_eq!(merged(&base, &base, &both), Some(both));
}
