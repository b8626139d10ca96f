//! How scripts want the level to be looked at. Like what they draw, it is for people who watch.

use crate::level::CameraSettings;

/// What a script changes about the camera.
#[derive(Clone, Debug, PartialEq)]
pub enum CameraOrder {
    /// Looks like this from now on. What the settings leave out stays as it is.
    Set(CameraSettings),
    /// Shakes the picture by this many px, less and less for this many seconds.
    Shake(f64, f64),
    /// Looks as the files say again, and does not shake.
    Reset,
}

/// Everything that scripts have changed about the camera.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScriptCamera {
    /// What they have set.
    pub settings: CameraSettings,
    shake: Option<CameraShake>,
}

/// A shake that a script has begun.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CameraShake {
    /// The first tick after which it is seen.
    from: u64,
    /// Its strength then, px.
    strength: f64,
    /// How long it lasts, s.
    seconds: f64,
}

impl ScriptCamera {
    /// How much the picture shakes after this many ticks, which last `dt` seconds each, px.
    pub fn shaking(&self, ticks: u64, dt: f64) -> f64 {
        let Some(CameraShake { from, strength, seconds }) = self.shake else {
            return 0.0;
        };
        let since = ticks.saturating_sub(from) as f64 * dt;
        strength * (1.0 - since / seconds).max(0.0)
    }

    /// Carries out an order of the step from this tick.
    pub(super) fn follow(&mut self, order: &CameraOrder, tick: u64) {
        match order {
            CameraOrder::Set(settings) => self.settings = settings.over(&self.settings),
            CameraOrder::Shake(strength, seconds) => {
                let shake = CameraShake { from: tick + 1, strength: *strength, seconds: *seconds };
                self.shake = (shake.seconds > 0.0).then_some(shake);
            }
            CameraOrder::Reset => *self = Self::default(),
        }
    }
}
