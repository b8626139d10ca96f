//! Tests of `src/sweep/questions.rs`.

use super::{named, unit_of};
use crate::calls::calls_of_tests;
use hangtime_game::LANGUAGES;

#[test]
fn a_measure_can_have_a_name() {
    assert_eq!(named("hero.x"), (None, "hero.x"));
    assert_eq!(named("width=hero.x"), (Some("width"), "hero.x"));
    assert_eq!(named("end x = hero.x"), (Some("end x "), " hero.x"));
    assert_eq!(named("hero.x == 3"), (None, "hero.x == 3"));
    assert_eq!(named("hero.x <= 3"), (None, "hero.x <= 3"));
    assert_eq!(named("f(|x| x == 3)"), (None, "f(|x| x == 3)"));
}

#[test]
fn simple_expressions_have_units() {
    let entries = LANGUAGES.first().entries(&calls_of_tests());
    for (text, unit) in [
        ("hero.x", "px"),
        ("hero.vel.x", "px/s"),
        ("t.time", "s"),
        ("t.tick", ""),
        (" highest(hero) ", "px"),
        ("highest(hero) - farthest(hero)", ""),
        ("hero.x * 2", ""),
        ("hero.vel.x.y", ""),
        ("", ""),
    ] {
        assert_eq!(unit_of(text, &entries), unit, "{text}");
    }
}
