//! Gamepads: what buttons and sticks do, without a device. The window passes events on, and reads keys and
//! sticks.

use super::*;
use hangtime_game::PAD_KEYS;

/// The most gamepads that are used. The first one is the first player's.
pub const MOST_PADS: usize = PAD_KEYS.len();

/// Positions of a stick are rounded to this part of its reach: finer ones do not matter, and equal inputs in a
/// row are stored once. A position stays until the stick is a whole step away from it: a stick that is held
/// still is reported with some noise.
const STEPS: f64 = 128.0;

/// A button, by its position. `South` is A on some gamepads and a cross on others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PadButton {
    /// The lower one of the four at the right.
    South,
    /// The right one.
    East,
    /// The upper one.
    North,
    /// The left one.
    West,
    /// The left shoulder button.
    L1,
    /// The left trigger.
    L2,
    /// The right shoulder button.
    R1,
    /// The right trigger.
    R2,
    /// The left one in the middle.
    Select,
    /// The right one in the middle.
    Start,
    /// The left stick, pressed.
    LeftStick,
    /// The right stick, pressed.
    RightStick,
    /// Up on the directional pad.
    Up,
    /// Down on it.
    Down,
    /// Left on it.
    Left,
    /// Right on it.
    Right,
}

/// One of the two sticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PadStick {
    /// Moves the player.
    Left,
    /// Aims.
    Right,
}

/// Something that a device has reported. Any number can identify a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PadEvent {
    /// A device was plugged in.
    Connected(usize),
    /// A device was unplugged, or its battery is empty.
    Disconnected(usize),
    /// A button went down (`true`) or up.
    Button(usize, PadButton, bool),
    /// A stick has moved: −1..=1 on each axis, y up.
    Stick(usize, PadStick, DVec2),
}

/// What an event means for keys, by their names in `[keys]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PadChange {
    /// A key went down.
    Press(&'static str),
    /// Keys came up.
    Release(Vec<&'static str>),
}

/// A gamepad and what is held on it.
#[derive(Clone, Debug, Default)]
struct Pad {
    /// Its device; none while it is unplugged.
    device: Option<usize>,
    down: Vec<PadButton>,
    /// The left and the right stick, as the device reports them.
    sticks: [DVec2; 2],
    /// Where they count as being, in steps.
    steps: [DVec2; 2],
}

/// All gamepads. The first one that is plugged in is the first player's, the second one the second player's.
/// One that is plugged in again takes the first place that is free.
#[derive(Clone, Debug, Default)]
pub struct Pads([Pad; MOST_PADS]);

impl Pads {
    /// Handles an event.
    pub fn handle(&mut self, event: PadEvent) -> Option<PadChange> {
        match event {
            PadEvent::Connected(device) => {
                self.connect(device);
                None
            }
            PadEvent::Disconnected(device) => {
                let index = self.find(device)?;
                let pad = mem::take(&mut self.0[index]);
                let keys = pad.down.iter().map(|button| key(index, *button));
                Some(PadChange::Release(keys.collect()))
            }
            PadEvent::Button(device, button, true) => {
                let index = self.connect(device)?;
                if self.0[index].down.contains(&button) {
                    return None;
                }
                self.0[index].down.push(button);
                Some(PadChange::Press(key(index, button)))
            }
            PadEvent::Button(device, button, false) => {
                let index = self.find(device)?;
                self.0[index].down.retain(|b| *b != button);
                Some(PadChange::Release(vec![key(index, button)]))
            }
            PadEvent::Stick(device, stick, at) => {
                let index = self.connect(device)?;
                self.0[index].sticks[stick as usize] = at;
                None
            }
        }
    }

    /// Where the sticks of each gamepad are, the left one first, at most 1 from the middle. A stick that is
    /// pushed less than `dead_zone` is in the middle.
    pub fn sticks(&mut self, dead_zone: f64) -> [[DVec2; 2]; MOST_PADS] {
        for pad in &mut self.0 {
            for (at, steps) in pad.sticks.iter().zip(&mut pad.steps) {
                *steps = settled(beyond(*at, dead_zone) * STEPS, *steps);
            }
        }
        std::array::from_fn(|index| self.0[index].steps.map(|steps| steps / STEPS))
    }

    fn find(&self, device: usize) -> Option<usize> {
        self.0.iter().position(|pad| pad.device == Some(device))
    }

    /// The place of a device; a new one takes the first that is free. None if there is none.
    fn connect(&mut self, device: usize) -> Option<usize> {
        let free = |pad: &Pad| pad.device.is_none();
        let index = self.find(device).or_else(|| self.0.iter().position(free))?;
        self.0[index].device = Some(device);
        Some(index)
    }
}

/// The nearest whole step on each axis, or the last one if that is less than a step away. The full reach is not
/// missed by a part of a step.
fn settled(at: DVec2, last: DVec2) -> DVec2 {
    let full = at.abs().cmpge(DVec2::splat(STEPS - 0.5));
    let stays = (at - last).abs().cmplt(DVec2::ONE) & !full;
    // Adding 0 turns −0, which would be another input, into 0.
    DVec2::select(stays, last, at.round() + DVec2::ZERO)
}

/// The name of a button in `[keys]`.
fn key(pad: usize, button: PadButton) -> &'static str {
    PAD_KEYS[pad].split(' ').nth(button as usize).unwrap_or_default()
}

/// A stick's position as a share of what lies beyond its dead zone: 0 inside, 1 at its full reach, in the same
/// direction. Sticks that reach into the corners of a square count as fully pushed there.
fn beyond(at: DVec2, dead_zone: f64) -> DVec2 {
    let pushed = at.length();
    // Also where a device reports something that is not a number.
    if pushed.is_nan() || pushed <= dead_zone || dead_zone >= 1.0 {
        return DVec2::ZERO;
    }
    let share = (pushed.min(1.0) - dead_zone) / (1.0 - dead_zone);
    at / pushed * share
}
