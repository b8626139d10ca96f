//! What an entity wants to do this tick.

use glam::DVec2;
use serde::{Deserialize, Serialize};

/// Something a player can hold down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Action {
    /// Towards −x.
    Left,
    /// Towards +x.
    Right,
    /// Up.
    Up,
    /// Down.
    Down,
    /// Jump.
    Jump,
    /// The grappling hook.
    Hook,
}

impl Action {
    /// All actions.
    pub const ALL: [Self; 6] = [
        Self::Left,
        Self::Right,
        Self::Up,
        Self::Down,
        Self::Jump,
        Self::Hook,
    ];

    /// The name in input files, scripts and `[keys]`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Up => "up",
            Self::Down => "down",
            Self::Jump => "jump",
            Self::Hook => "hook",
        }
    }

    /// The action with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|a| a.name() == name)
    }
}

/// A set of actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actions(u8);

impl Actions {
    /// No action.
    pub const NONE: Self = Self(0);

    /// Whether `action` is in the set.
    #[must_use]
    pub const fn has(self, action: Action) -> bool {
        self.0 & (1 << action as u8) != 0
    }

    /// Puts `action` in the set.
    pub const fn insert(&mut self, action: Action) {
        self.0 |= 1 << action as u8;
    }

    /// Takes `action` out of the set.
    pub const fn remove(&mut self, action: Action) {
        self.0 &= !(1 << action as u8);
    }

    /// Those in either set.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those in this set and not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The set as bits, for hashes.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }
}

impl FromIterator<Action> for Actions {
    fn from_iter<I: IntoIterator<Item = Action>>(actions: I) -> Self {
        let mut set = Self::NONE;
        actions.into_iter().for_each(|a| set.insert(a));
        set
    }
}

/// What an entity wants this tick: its player's input with its script's merged in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Intent {
    /// What is held down.
    pub held: Actions,
    /// What has gone down since the last tick.
    pub pressed: Actions,
    /// What has come up since the last tick.
    pub released: Actions,
    /// The stick, −1..=1 on each axis.
    pub stick: DVec2,
    /// The point aimed at, world px.
    pub aim: Option<DVec2>,
    /// What the player holds down, whatever a script makes of it: what is pressed and let go in the
    /// next tick is told from this.
    pub keys: Actions,
}

/// A stick farther out than this counts as a direction key.
const STICK_AS_KEY: f64 = 0.5;

impl Intent {
    /// Horizontal direction wanted, −1, 0 or 1: keys first, both at once cancel out, then the
    /// stick beyond half its way.
    #[must_use]
    pub fn side(&self) -> f64 {
        self.side_beyond(STICK_AS_KEY)
    }

    /// The same, with the stick counting beyond `dead_zone`.
    #[must_use]
    pub fn side_beyond(&self, dead_zone: f64) -> f64 {
        let (left, right) = (self.held.has(Action::Left), self.held.has(Action::Right));
        if left || right {
            return f64::from(i8::from(right) - i8::from(left));
        }
        if self.stick.x.abs() > dead_zone {
            self.stick.x.signum()
        } else {
            0.0
        }
    }

    /// The direction wanted in the plane, a unit vector or 0, and how strongly, 0..=1: keys first,
    /// two at once no stronger than one, then the stick beyond `dead_zone`.
    #[must_use]
    pub fn direction(&self, dead_zone: f64) -> (DVec2, f64) {
        let axis = |less: Action, more: Action| {
            f64::from(i8::from(self.held.has(more)) - i8::from(self.held.has(less)))
        };
        let keys = DVec2::new(
            axis(Action::Left, Action::Right),
            axis(Action::Down, Action::Up),
        );
        let any = [Action::Left, Action::Right, Action::Down, Action::Up];
        if any.into_iter().any(|action| self.held.has(action)) {
            let amount = f64::from(u8::from(keys != DVec2::ZERO));
            return (keys.normalize_or_zero(), amount);
        }
        let amount = self.stick.length();
        if amount <= dead_zone {
            return (DVec2::ZERO, 0.0);
        }
        (self.stick / amount, amount.min(1.0))
    }

    /// Holds an action during this tick, beside what a player holds; `before` is what was held in
    /// the tick before.
    pub fn hold(&mut self, action: Action, before: Actions) {
        if !before.has(action) && !self.held.has(action) {
            self.pressed.insert(action);
        }
        self.held.insert(action);
        self.released.remove(action);
    }

    /// Lets an action go during this tick, whatever a player holds.
    pub fn release(&mut self, action: Action, before: Actions) {
        self.held.remove(action);
        self.pressed.remove(action);
        if before.has(action) {
            self.released.insert(action);
        }
    }

    /// This tick's intent, from what the player holds now, what they held before, and presses so
    /// short or so quick that holding does not show them.
    #[must_use]
    pub fn latch(before: Actions, held: Actions, pressed_between: Actions) -> Self {
        let held = held.or(pressed_between);
        let again = pressed_between.and(before);
        Self {
            held,
            pressed: held.without(before).or(pressed_between),
            released: before.without(held).or(again),
            stick: DVec2::ZERO,
            aim: None,
            keys: held,
        }
    }
}
