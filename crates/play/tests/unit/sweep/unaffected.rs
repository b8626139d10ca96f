//! Tests of `src/sweep/unaffected.rs`.

use super::unit_of_key;

#[test]
fn tunables_have_units() {
    for (key, unit) in [
        ("platformer.coyote_time", "s"),
        ("entities.hero.platformer.jump_speed", "px/s"),
        ("surfaces.ice.grip", ""),
        ("simulation.gravity", "px/s²"),
        ("level.gravity", "px/s²"),
        ("entities.hero.vars.n", ""),
        ("seed", ""),
        ("platformer.nothing", ""),
    ] {
        assert_eq!(unit_of_key(key), unit, "{key}");
    }
}
