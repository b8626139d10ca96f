//! Ticks in real time.

use hangtime_game::Pace;
use std::time::Duration;

/// The longest time whose ticks are made at once.
const CATCH_UP: Duration = Duration::from_millis(200);

#[test]
fn catches_up_after_a_short_stall_and_drops_what_is_older() {
    for hz in [30, 60, 144, 240, 1000] {
        let mut pace = Pace::new(hz);
        assert!(pace.wait() >= 1);
        std::thread::sleep(CATCH_UP + Duration::from_millis(100));
        // Ticks of the last moments are made, and no others.
        let made = f64::from(pace.wait()) / f64::from(hz);
        assert!((made - CATCH_UP.as_secs_f64()).abs() <= 1.0 / f64::from(hz), "{hz}: {made}");
        let lost = pace.lost();
        assert!(lost as f64 >= 0.1 * f64::from(hz) - 2.0, "{hz}: {lost}");
        // Another rate does not forget them.
        pace.set_rate(500);
        assert_eq!(pace.lost(), lost);
    }
}

#[test]
fn a_stall_of_a_tenth_of_a_second_loses_no_tick() {
    for hz in [60, 240] {
        let mut pace = Pace::new(hz);
        pace.wait();
        std::thread::sleep(Duration::from_millis(100));
        let made = pace.wait();
        // A busy machine may stall for longer.
        if f64::from(made) < 0.19 * f64::from(hz) {
            assert!(f64::from(made) >= 0.1 * f64::from(hz) - 1.0, "{made} at {hz} Hz");
            assert_eq!(pace.lost(), 0);
        }
    }
}
