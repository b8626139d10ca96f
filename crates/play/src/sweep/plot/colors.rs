//! The colors of plots.

/// Texts and axes.
pub(super) const INK: &str = "#24292f";
/// Less important texts.
pub(super) const PALE_INK: &str = "#57606a";
/// The lines of a grid.
pub(super) const GRID: &str = "#d0d7de";
/// Measured values.
pub(super) const CURVE: &str = "#0b57a4";
/// Behind values that pass, and behind those that fail.
pub(super) const PASSES: &str = "#dff3e4";
/// Behind values that fail.
pub(super) const FAILS: &str = "#fbe3e0";
/// The line of an edge between the two.
pub(super) const EDGE: &str = "#9a3412";
/// What has no value.
pub(super) const MISSING: &str = "#c9cdd2";

/// The colors of a map, from its smallest to its largest value. They differ in brightness, so that they
/// differ in gray, too.
const RAMP: [[f64; 3]; 6] = [
    [68.0, 1.0, 84.0],
    [65.0, 68.0, 135.0],
    [42.0, 120.0, 142.0],
    [34.0, 168.0, 132.0],
    [122.0, 209.0, 81.0],
    [253.0, 231.0, 37.0],
];

/// The color of a share from 0 to 1.
pub(super) fn ramp(share: f64) -> String {
    let at = share.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let below = (at as usize).min(RAMP.len() - 2);
    let part = at - below as f64;
    let [r, g, b] = [0, 1, 2].map(|i| {
        let (a, b) = (RAMP[below][i], RAMP[below + 1][i]);
        (a + (b - a) * part).round() as u8
    });
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::ramp;

    #[test]
    fn the_ramp_has_all_shares() {
        assert_eq!(ramp(0.0), "#440154");
        assert_eq!(ramp(1.0), "#fde725");
        assert_eq!(ramp(f64::INFINITY), ramp(1.0));
        assert_eq!(ramp(-1.0), ramp(0.0));
        assert_eq!(ramp(0.2), "#414487");
    }
}
