//! An entity after a tick, as plots show it.

use super::*;

/// The actions whose presses are shown.
const BUTTONS: [Action; 2] = [Action::Jump, Action::Hook];

/// Something that lasts for some ticks, shown behind the curves.
#[derive(Clone, Copy)]
pub enum MotionBand {
    /// It is on the ground.
    Ground,
    /// A late jump is possible.
    Coyote,
    /// A press waits for the ground.
    Buffer,
    /// Holding the key keeps it rising.
    Hold,
    /// Jump or hook was pressed, by its player or its script.
    Press,
}

impl MotionBand {
    /// All bands, in the order in which they are painted.
    pub const ALL: [Self; 5] = [Self::Ground, Self::Coyote, Self::Buffer, Self::Hold, Self::Press];

    /// Its name in the legend. A window has the same name among the countdowns of an entity.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ground => "ground",
            Self::Coyote => "coyote",
            Self::Buffer => "buffer",
            Self::Hold => "hold",
            Self::Press => "press",
        }
    }
}

/// A quantity that is drawn as a curve.
#[derive(Clone, Copy, PartialEq)]
pub enum MotionCurve {
    /// Height of the feet, px.
    Height,
    /// Velocity along x, px/s.
    VelX,
    /// Velocity along y, px/s.
    VelY,
    /// Upward velocity in a top view, px/s.
    VelZ,
    /// Speed, px/s.
    Speed,
}

impl MotionCurve {
    /// All curves.
    pub const ALL: [Self; 5] = [Self::Height, Self::VelX, Self::VelY, Self::VelZ, Self::Speed];

    /// Its name and unit.
    pub fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Height => ("height", "px"),
            Self::VelX => ("vx", "px/s"),
            Self::VelY => ("vy", "px/s"),
            Self::VelZ => ("vz", "px/s"),
            Self::Speed => ("speed", "px/s"),
        }
    }

    /// Its value in a sample.
    pub fn of(self, sample: &MotionSample) -> f64 {
        match self {
            Self::Height => sample.height,
            Self::VelX => sample.vel[0],
            Self::VelY => sample.vel[1],
            Self::VelZ => sample.vel[2],
            Self::Speed => sample.speed(),
        }
    }
}

/// An entity after a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionSample {
    /// Ticks since the session or the stretch began. Unlike `tick`, this continues over restarts.
    pub position: u64,
    /// The tick of the world.
    pub tick: u64,
    /// Height of its feet, px: y in a side view, z in a top view.
    pub height: f64,
    /// Velocity along x, y and z, px/s.
    pub vel: [f64; 3],
    /// The bands that the tick is part of, in the order of [`MotionBand::ALL`].
    pub bands: [bool; 5],
    /// The actions that were pressed in the tick.
    pub pressed: Actions,
}

impl MotionSample {
    /// An entity of a running game in its current tick.
    pub fn of(live: &Live, entity: &Entity, position: u64) -> Self {
        let (world, stage) = (live.world(), &live.revision().stage);
        let view = world.view(stage, entity);
        let mut sample = Self::of_view(&view, position, world.pressed(entity));
        sample.tick = world.ticks();
        for window in world.countdowns(stage, entity) {
            // Timers of scripts have totals that are not known.
            let open = |band: &MotionBand| window.total.is_some() && band.name() == &*window.name;
            if let Some(index) = MotionBand::ALL.iter().position(open) {
                sample.bands[index] = true;
            }
        }
        sample
    }

    pub(super) fn of_view(view: &EntityView, position: u64, pressed: Actions) -> Self {
        let vel = view.vel + view.external;
        let mut bands = [false; 5];
        bands[MotionBand::Ground as usize] = view.grounded;
        bands[MotionBand::Press as usize] = BUTTONS.iter().any(|b| pressed.has(*b));
        Self {
            position,
            tick: position,
            height: view.pos.y - view.depth + view.z,
            vel: [vel.x, vel.y, view.vel_z + view.external_z],
            bands,
            pressed,
        }
    }

    /// Speed, px/s.
    pub fn speed(&self) -> f64 {
        let [x, y, z] = self.vel;
        x.hypot(y).hypot(z)
    }

    /// Whether the tick is part of a band.
    pub fn has(&self, band: MotionBand) -> bool {
        self.bands[band as usize]
    }

    /// The bands that the tick is part of, by name; a press with its actions.
    pub fn active(&self) -> String {
        let bands = MotionBand::ALL.into_iter().filter(|band| self.has(*band));
        let names: Vec<String> = bands
            .map(|band| match band {
                MotionBand::Press => {
                    let pressed = BUTTONS.iter().filter(|b| self.pressed.has(**b));
                    let pressed: Vec<&str> = pressed.map(|b| b.name()).collect();
                    format!("press of {}", pressed.join(" and "))
                }
                other => other.name().to_string(),
            })
            .collect();
        names.join(", ")
    }
}

#[cfg(test)]
#[path = "../../tests/unit/panel/sample.rs"]
mod tests;
