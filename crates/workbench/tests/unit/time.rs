//! Tests of `src/time.rs`.

use super::GameSpeed;

#[test]
fn every_speed_makes_its_share_of_ticks() {
    let mut speed = GameSpeed::default();
    (0..9).for_each(|_| speed.change(-1));
    for expected in [1.0 / 16.0, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 4.0] {
        assert_eq!(speed.factor(), expected);
        let ticks: u32 = (0..160).map(|_| speed.ticks()).sum();
        assert_eq!(f64::from(ticks), 160.0 * expected);
        speed.change(1);
    }
}
