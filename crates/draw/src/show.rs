//! What a picture shows besides the state of one tick: a camera that moves, effects, overlays.

use super::*;

/// How many ticks a game has made in real time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TickCount {
    /// Those that were due.
    pub due: u64,
    /// Those that were made at least one tick after their time.
    pub late: u64,
    /// Those that were dropped after a stall.
    pub lost: u64,
}

/// What a picture shows besides the state of one tick. The default is a settled camera and nothing
/// else, as in a picture of a single tick.
#[derive(Clone, Copy, Debug)]
pub struct Show<'a> {
    /// The camera and the effects; `None` for a settled camera without effects.
    pub spectator: Option<&'a Spectator>,
    /// How much of the way from the last tick to this one is over, 0..=1.
    pub share: f64,
    /// Whether effects are painted.
    pub effects: bool,
    /// The overlays that are switched on.
    pub overlays: Overlays,
    /// What scripts have drawn; `None` for nothing.
    pub drawing: Option<&'a Drawing>,
    /// Ropes and springs; `None` for none.
    pub joints: Option<&'a Joints>,
    /// The pictures of the game; `None` paints bodies and solids without them.
    pub art: Option<&'a Artwork>,
    /// What overlays know about the entities; `None` leaves out what needs it.
    pub markers: Option<&'a Markers>,
    /// How long the last pictures took, ms, oldest first, for the frame graph.
    pub frames: &'a [f32],
    /// How well the game keeps its pace, for the frame graph; `None` leaves it out.
    pub ticks: Option<TickCount>,
}

impl Default for Show<'_> {
    fn default() -> Self {
        Self {
            spectator: None,
            share: 1.0,
            effects: true,
            overlays: Overlays::NONE,
            drawing: None,
            joints: None,
            art: None,
            markers: None,
            frames: &[],
            ticks: None,
        }
    }
}
