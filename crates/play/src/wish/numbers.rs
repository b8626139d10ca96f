//! The numbers that may change to grant a wish, and how far.

use super::*;

/// Numbers change by this factor at most.
const MOST_FACTOR: f64 = 10.0;

/// The tunables of the simulation that move a body.
const OF_SIMULATION: [&str; 2] = ["gravity", "external_damping"];

/// A number that may change.
#[derive(Clone, Debug, PartialEq)]
pub struct WishNumber {
    /// The change that sets it to its present value.
    now: TuningChange,
    /// Its present value.
    pub value: f64,
    /// Its unit; empty for shares.
    pub unit: &'static str,
    range: NumberRange,
}

impl WishNumber {
    /// The numbers that can move a body on this path: of the simulation, of its models, and of the surfaces that it
    /// was on.
    pub fn of(revision: &Revision, profile: usize, path: &WishPath) -> Vec<Self> {
        let models = path.models.iter().map(|model| TuningGroup::Model(*model));
        let surfaces = path.surfaces.iter().map(|surface| TuningGroup::Surface(surface.to_string()));
        let mut numbers = Vec::new();
        // Where only some are tried, gravity is one of them.
        for group in [TuningGroup::Simulation].into_iter().chain(models).chain(surfaces) {
            for tunable in group.tunables() {
                if group == TuningGroup::Simulation && !OF_SIMULATION.contains(&tunable.name) {
                    continue;
                }
                let Some(Setting::Number(value)) = revision.tuning_value(profile, &group, tunable.name) else {
                    continue;
                };
                let home = revision.tuning_home(profile, &group, tunable.name);
                let now =
                    TuningChange { home, group: group.clone(), name: tunable.name, value: Setting::Number(value) };
                let number = Self { now, value, unit: tunable.unit, range: tunable.range };
                if number.is_free() {
                    numbers.push(number);
                }
            }
        }
        numbers
    }

    /// Whether it can have values near the present one, and is not a whole number.
    fn is_free(&self) -> bool {
        let (low, high) = self.bounds();
        let between = self.at(low + (high - low) * 0.377);
        let fits = |value: f64| self.now.group.check(self.now.name, &Setting::Number(value)).is_ok();
        low < high && fits(between) && fits(self.value)
    }

    /// Its name in a setting, such as `platformer.jump_speed`.
    pub fn key(&self) -> String {
        format!("{}.{}", self.now.group, self.now.name)
    }

    /// The group that it is in.
    pub fn group(&self) -> &TuningGroup {
        &self.now.group
    }

    /// Its name in the group.
    pub fn name(&self) -> &'static str {
        self.now.name
    }

    /// The change that gives it another value.
    pub fn change(&self, value: f64) -> TuningChange {
        TuningChange { value: Setting::Number(value), ..self.now.clone() }
    }

    /// The value that lies `shift` from the present one: the logarithm of a factor, or of a share that is 0, a share of 1.
    pub(super) fn at(&self, shift: f64) -> f64 {
        let value = if self.value == 0.0 { shift } else { self.value * libm::exp(shift) };
        value.clamp(self.range.min, self.range.max)
    }

    /// How far a value lies from the present one.
    pub(super) fn shift_of(&self, value: f64) -> f64 {
        if self.value == 0.0 { value } else { libm::log(value / self.value) }
    }

    /// The least and the largest shift.
    pub(super) fn bounds(&self) -> (f64, f64) {
        let most = libm::log(MOST_FACTOR);
        if self.value == 0.0 {
            // Without a value or a range there is no size to vary it by.
            return if self.range.max <= 1.0 {
                (self.range.min.max(-1.0), self.range.max)
            } else {
                (0.0, 0.0)
            };
        }
        let ends = [self.range.min, self.range.max].map(|end| libm::log(end / self.value));
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
