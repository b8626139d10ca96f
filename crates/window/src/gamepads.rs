//! Gamepads, read with gilrs. The only file that knows it.

use super::*;
use gilrs::{
    Axis, Button, EventType, GamepadId, Gilrs, GilrsBuilder,
    ev::filter::{Filter as _, axis_dpad_to_button},
};
use glam::dvec2;
use hangtime_workbench::{MOST_PADS, PadButton, PadChange, PadEvent, PadStick, Pads};

/// The gamepads that are plugged in.
pub struct Gamepads {
    /// None if the system does not let them be read.
    devices: Option<Gilrs>,
    pads: Pads,
    /// Whether the window has the focus. Without it, gamepads are for other programs.
    focused: bool,
}

impl Gamepads {
    /// Starts to listen. Gamepads can be plugged in and out at any time.
    pub fn open() -> Self {
        // Dead zones are cut out where the settings are known.
        let built = GilrsBuilder::new().with_default_filters(false).build();
        let devices = match built {
            Ok(devices) => Some(devices),
            // It has no devices, but no error either.
            Err(gilrs::Error::NotImplemented(devices)) => Some(devices),
            Err(error) => {
                tell(format_args!("warning: gamepads cannot be used: {error}"));
                None
            }
        };
        Self { devices, pads: Pads::default(), focused: true }
    }

    /// The window has got or lost the focus.
    pub fn set_focus(&mut self, focused: bool) {
        self.focused = focused;
    }

    /// What has happened since the last call.
    pub fn poll(&mut self) -> Vec<PadChange> {
        let mut changes = Vec::new();
        let Some(devices) = &mut self.devices else {
            return changes;
        };
        while let Some(event) = devices.next_event().filter_ev(&axis_dpad_to_button, devices) {
            devices.update(&event);
            let change = pad_event(devices, event.id, event.event).map(|e| self.pads.handle(e));
            changes.extend(change.flatten());
        }
        if !self.focused {
            changes.retain(|change| matches!(change, PadChange::Release(_)));
        }
        changes
    }

    /// Where the sticks of each gamepad are.
    pub fn sticks(&mut self, dead_zone: f64) -> [[DVec2; 2]; MOST_PADS] {
        if self.focused { self.pads.sticks(dead_zone) } else { Default::default() }
    }
}

/// What an event of gilrs means.
fn pad_event(devices: &Gilrs, id: GamepadId, event: EventType) -> Option<PadEvent> {
    let device = usize::from(id);
    let button = |button, down| Some(PadEvent::Button(device, pad_button(button)?, down));
    match event {
        EventType::Connected => Some(PadEvent::Connected(device)),
        EventType::Disconnected => Some(PadEvent::Disconnected(device)),
        EventType::ButtonPressed(which, _) => button(which, true),
        EventType::ButtonReleased(which, _) => button(which, false),
        EventType::AxisChanged(axis, ..) => {
            let (stick, x, y) = match axis {
                Axis::LeftStickX | Axis::LeftStickY => (PadStick::Left, Axis::LeftStickX, Axis::LeftStickY),
                Axis::RightStickX | Axis::RightStickY => (PadStick::Right, Axis::RightStickX, Axis::RightStickY),
                _ => return None,
            };
            let pad = devices.gamepad(id);
            let at = dvec2(f64::from(pad.value(x)), f64::from(pad.value(y)));
            Some(PadEvent::Stick(device, stick, at))
        }
        _ => None,
    }
}

fn pad_button(button: Button) -> Option<PadButton> {
    Some(match button {
        Button::South => PadButton::South,
        Button::East => PadButton::East,
        Button::North => PadButton::North,
        Button::West => PadButton::West,
        Button::LeftTrigger => PadButton::L1,
        Button::LeftTrigger2 => PadButton::L2,
        Button::RightTrigger => PadButton::R1,
        Button::RightTrigger2 => PadButton::R2,
        Button::Select => PadButton::Select,
        Button::Start => PadButton::Start,
        Button::LeftThumb => PadButton::LeftStick,
        Button::RightThumb => PadButton::RightStick,
        Button::DPadUp => PadButton::Up,
        Button::DPadDown => PadButton::Down,
        Button::DPadLeft => PadButton::Left,
        Button::DPadRight => PadButton::Right,
        _ => return None,
    })
}
