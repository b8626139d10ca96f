//! A moment of a run that is looked at: a tick, the apex, or the landing.

use hangtime_core::{level::View, models::Mode, sim::EntityView};

/// A moment of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunMoment {
    /// The end of this tick.
    Tick(u64),
    /// The tick in which a body is highest in the air.
    Apex,
    /// The tick in which it lands after that.
    Landing,
}

impl RunMoment {
    /// Reads `apex`, `landing`, or a tick.
    ///
    /// # Errors
    /// If it is none of these.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text {
            "apex" => Ok(Self::Apex),
            "landing" => Ok(Self::Landing),
            _ => match text.parse() {
                Ok(tick) => Ok(Self::Tick(tick)),
                Err(_) => Err("write `apex`, `landing`, or the number of a tick".into()),
            },
        }
    }

    /// Why a run that has ended at a tick never came to it.
    pub fn missed(self, end: u64) -> String {
        match self {
            Self::Tick(tick) => format!("the run ends at tick {end}, before tick {tick}; add --ticks {tick}"),
            Self::Apex => format!("the body is never in the air until tick {end}, where the run ends"),
            Self::Landing => format!("the body does not land until tick {end}, where the run ends"),
        }
    }
}

/// Finds a moment while a run is played.
#[derive(Clone, Debug)]
pub struct MomentFinder {
    moment: RunMoment,
    highest: f64,
    /// Whether the highest point so far belongs to the current flight.
    flies: bool,
}

impl MomentFinder {
    /// Looks for a moment from the start of a run on.
    pub const fn new(moment: RunMoment) -> Self {
        Self { moment, highest: f64::NEG_INFINITY, flies: false }
    }

    /// The body has left the level in the tick that is seen next: where it is put back, it does not land.
    pub const fn falls_out(&mut self) {
        self.flies = false;
    }

    /// Sees the body at the end of a tick. Returns whether this is the moment; a later tick that also is takes its
    /// place.
    pub fn sees(&mut self, tick: u64, view: View, body: &EntityView) -> bool {
        let held = matches!(body.mode, Mode::Wall | Mode::Roof);
        let lands = self.flies && (body.grounded || held);
        let height = match view {
            View::Top => body.z,
            View::Side if body.inverted => -body.pos.y,
            View::Side => body.pos.y,
        };
        let rises = !body.grounded && !held && height > self.highest;
        if rises {
            self.highest = height;
        }
        self.flies = (self.flies || rises) && !lands;
        match self.moment {
            RunMoment::Tick(wanted) => tick == wanted,
            RunMoment::Apex => rises,
            RunMoment::Landing => lands,
        }
    }
}

/// The body that pictures follow: the first player's, else the first one.
pub fn followed(bodies: &[EntityView]) -> Option<&EntityView> {
    bodies.iter().find(|body| body.player == 1).or(bodies.first())
}
