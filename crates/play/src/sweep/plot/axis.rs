//! Axes: from values to positions, and round numbers along them.

use crate::sweep::row::without_zeros;

/// The largest number of decimal places of a tick's label.
const MOST_PLACES: usize = 12;

/// An axis over numbers, or over names at equal distances.
#[derive(Clone, Debug)]
pub(super) struct PlotAxis {
    /// The values at both ends.
    pub range: (f64, f64),
    /// The positions at both ends, px.
    pub pixels: (f64, f64),
}

impl PlotAxis {
    pub fn at(&self, value: f64) -> f64 {
        let ((a, b), (from, to)) = (self.range, self.pixels);
        if a == b {
            return f64::midpoint(from, to);
        }
        from + (to - from) * ((value - a) / (b - a))
    }

    /// Round numbers along the axis with their labels, at most about `most`.
    pub fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        let (a, b) = (self.range.0.min(self.range.1), self.range.0.max(self.range.1));
        if a == b || !(b - a).is_finite() {
            return vec![(a, tick_label(a, 6))];
        }
        let (step, places) = tick_step((b - a) / most.max(1) as f64);
        let first = (a / step - 1e-9).ceil();
        let ticks = (0..=most * 2).map(|i| (first + i as f64) * step);
        ticks
            .take_while(|tick| *tick <= b + step * 1e-9)
            .map(|tick| (tick, tick_label(tick, places)))
            .collect()
    }
}

/// The smallest of 1, 2, 5, 10, 20, … that is at least this long, and the decimal places of its multiples.
fn tick_step(least: f64) -> (f64, usize) {
    let (mut power, mut places) = (1.0, 0_usize);
    while power > least && places < 300 {
        power /= 10.0;
        places += 1;
    }
    while power * 10.0 <= least {
        power *= 10.0;
    }
    let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * power);
    let step = step.into_iter().find(|step| *step >= least * (1.0 - 1e-9));
    (step.unwrap_or(power), places)
}

/// The label of a tick: with an exponent if it would be very long.
fn tick_label(value: f64, places: usize) -> String {
    let value = value + 0.0;
    if places > MOST_PLACES || value.abs() >= 1e9 {
        return format!("{value:.3e}");
    }
    without_zeros(&format!("{value:.places$}"))
}

/// A range around all of these values, with some room. None if there are none.
pub(super) fn range_of(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let range = values.fold(None, |range: Option<(f64, f64)>, x| {
        let (a, b) = range.unwrap_or((x, x));
        Some((a.min(x), b.max(x)))
    });
    let (a, b) = range?;
    let room = if a == b { (a.abs() * 0.05).max(1.0) } else { (b - a) * 0.06 };
    Some((a - room, b + room))
}

/// About how wide a text is, px, in a usual font of this size.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let wide = |c: char| match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '|' | '\'' | '!' => 0.3,
        'f' | 't' | 'r' | ' ' | '(' | ')' | '-' | '/' => 0.36,
        'm' | 'w' | 'M' | 'W' | '…' | '@' => 0.9,
        c if c.is_uppercase() => 0.7,
        c if u32::from(c) >= 0x2e80 => 1.0,
        _ => 0.57,
    };
    text.chars().map(wide).sum::<f64>() * size
}

#[cfg(test)]
mod tests {
    use super::{PlotAxis, range_of};

    fn labels(a: f64, b: f64, most: usize) -> Vec<String> {
        let axis = PlotAxis { range: (a, b), pixels: (0.0, 100.0) };
        axis.ticks(most).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(labels(0.0, 0.2, 4), ["0", "0.05", "0.1", "0.15", "0.2"]);
        assert_eq!(labels(-1.0, 1.0, 4), ["-1", "-0.5", "0", "0.5", "1"]);
        assert_eq!(labels(30.0, 240.0, 5), ["50", "100", "150", "200"]);
        assert_eq!(labels(3.0, 3.0, 5), ["3"]);
        assert_eq!(labels(1.0, 0.0, 2), ["0", "0.5", "1"]);
        assert_eq!(labels(0.0, 3e-7, 3), ["0", "0.0000001", "0.0000002", "0.0000003"]);
        assert_eq!(labels(0.0, 2e10, 2), ["0", "1.000e10", "2.000e10"]);
        assert!(labels(-1e308, 1e308, 5).len() < 12);
        assert!(labels(0.0, 5e-324, 5).len() < 12);
    }

    #[test]
    fn a_range_has_room_and_is_never_empty() {
        assert_eq!(range_of([].into_iter()), None);
        assert_eq!(range_of([5.0].into_iter()), Some((4.0, 6.0)));
        let (a, b) = range_of([0.0, 10.0, 2.0].into_iter()).expect("a range");
        assert!(a < 0.0 && a > -1.0 && b > 10.0 && b < 11.0);
    }
}
