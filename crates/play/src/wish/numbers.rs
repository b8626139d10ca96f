//! The numbers that may change to grant a wish, and how far.

use super::*;

/// Numbers change by this factor at most.
const MOST_FACTOR: f64 = 10.0;

/// A number that moves where bodies come to rest, and not how they get there.
const REST_SPACING: &str = "rest_spacing";

/// The numbers that can move a body with this profile on this path: of the simulation, of its models, and of the surfaces that it
/// was on. Where only some are tried, gravity is one of them.
pub(super) fn wish_numbers(revision: &Revision, profile: usize, path: &WishPath) -> Vec<EditableNumber> {
    let mut numbers = UsedTuning::of(profile, &path.models, &path.surfaces).numbers(revision);
    numbers.retain(|number| number.is_free() && number.name() != REST_SPACING);
    numbers.sort_by_key(|number| *number.group() != TuningGroup::Simulation);
    numbers
}

impl EditableNumber {
    /// Whether it can have values near the present one, and is not a whole number.
    fn is_free(&self) -> bool {
        let (low, high) = self.bounds();
        low < high && self.changed(self.at(low + (high - low) * 0.377)).is_some()
    }

    /// The value that lies `shift` from the present one: the logarithm of a factor, or of a share that is 0, a share of 1.
    pub(super) fn at(&self, shift: f64) -> f64 {
        let value = if self.value == 0.0 { shift } else { self.value * libm::exp(shift) };
        let [least, most] = self.ends();
        value.clamp(least, most)
    }

    /// How far a value lies from the present one.
    pub(super) fn shift_of(&self, value: f64) -> f64 {
        if self.value == 0.0 { value } else { libm::log(value / self.value) }
    }

    /// The least and the largest shift.
    pub(super) fn bounds(&self) -> (f64, f64) {
        let (most, [first, last]) = (libm::log(MOST_FACTOR), self.ends());
        if self.value == 0.0 {
            // Without a value or a range there is no size to vary it by.
            return if last <= 1.0 { (first.max(-1.0), last) } else { (0.0, 0.0) };
        }
        let ends = [first, last].map(|end| libm::log(end / self.value));
        let (low, high) = if self.value > 0.0 { (ends[0], ends[1]) } else { (ends[1], ends[0]) };
        let clamp = |end: f64, usual: f64| if end.is_nan() { usual } else { end.clamp(-most, most) };
        (clamp(low, -most).min(0.0), clamp(high, most).max(0.0))
    }
}

/// A value with this number of significant digits.
pub(super) fn number_text(value: f64, digits: usize) -> f64 {
    let text = format!("{value:.*e}", digits.saturating_sub(1));
    text.parse().unwrap_or(value)
}
