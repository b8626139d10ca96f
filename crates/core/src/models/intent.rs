//! An entity's input for one tick.

use super::*;

/// An action that a game defines: the n-th of them by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct OwnAction(u8);

impl OwnAction {
    /// All of them.
    pub const ALL: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// Which one it is, from 0.
    pub const fn place(self) -> u8 {
        self.0
    }

    /// Its name in recordings, which do not depend on how a game calls it.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; OwnAction::ALL.len()] = ["own1", "own2", "own3", "own4", "own5", "own6", "own7", "own8"];
        NAMES[self.0 as usize % NAMES.len()]
    }
}

/// An input that can be held down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Action {
    /// Toward −x.
    Left,
    /// Toward +x.
    Right,
    /// Up.
    Up,
    /// Down.
    Down,
    /// Jump.
    Jump,
    /// The grappling hook.
    Hook,
    /// An action that the game defines.
    Own(OwnAction),
}

impl Action {
    /// The actions that every game has.
    pub const ALL: [Self; 6] = [Self::Left, Self::Right, Self::Up, Self::Down, Self::Jump, Self::Hook];

    /// All actions, with those that a game can define.
    pub fn every() -> impl Iterator<Item = Self> + Clone {
        let own = OwnAction::ALL.into_iter().map(Self::Own);
        Self::ALL.into_iter().chain(own)
    }

    /// Its bit in a set.
    const fn bit(self) -> u16 {
        let place = match self {
            Self::Left => 0,
            Self::Right => 1,
            Self::Up => 2,
            Self::Down => 3,
            Self::Jump => 4,
            Self::Hook => 5,
            Self::Own(own) => Self::ALL.len() as u8 + own.place(),
        };
        1 << place
    }

    /// The name in input files, scripts and `[keys]`; of an action that a game defines, the name that does not depend on
    /// the game.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Up => "up",
            Self::Down => "down",
            Self::Jump => "jump",
            Self::Hook => "hook",
            Self::Own(own) => own.name(),
        }
    }

    /// The action with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::every().find(|a| a.name() == name)
    }
}

/// A set of actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actions(u16);

impl Actions {
    /// No action.
    pub const NONE: Self = Self(0);
    /// Every action.
    const ALL: Self = Self((1 << (Action::ALL.len() + OwnAction::ALL.len())) - 1);

    /// A jump that a script orders. Players have no such action.
    const ORDERED_JUMP: Self = Self(1 << 15);

    /// Down is the action of a stance. Players have no such action.
    const DUCKS: Self = Self(1 << 14);

    /// Whether `action` is in the set.
    pub const fn has(self, action: Action) -> bool {
        self.0 & action.bit() != 0
    }

    /// Puts `action` in the set.
    pub const fn insert(&mut self, action: Action) {
        self.0 |= action.bit();
    }

    /// Takes `action` out of the set.
    pub const fn remove(&mut self, action: Action) {
        self.0 &= !action.bit();
    }

    /// The union of both sets.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The intersection of both sets.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The actions in this set that are not in the other.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The set as bits, for hashes.
    pub const fn bits(self) -> u16 {
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

/// An entity's input for one tick: its player's, merged with its script's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Intent {
    /// Actions that are held.
    pub held: Actions,
    /// Actions that were pressed since the last tick.
    pub pressed: Actions,
    /// Actions that were released since the last tick.
    pub released: Actions,
    /// Stick position, −1..=1 on each axis.
    pub stick: DVec2,
    /// The point aimed at, px.
    pub aim: Option<DVec2>,
    /// Actions that the player holds, before a script changes them. The next tick's presses and
    /// releases are found by comparing with this.
    pub keys: Actions,
}

impl Intent {
    /// Moves the actions that a game defines from their places in one set to the places of the same names in another,
    /// and drops those that the other set lacks.
    pub fn translate(&mut self, from: &OwnActions, to: &OwnActions) {
        let Self { held, pressed, released, keys, .. } = self;
        for actions in [held, pressed, released, keys] {
            *actions = from.translated(*actions, to);
        }
    }

    /// Checks a saved input.
    ///
    /// # Errors
    /// Its first field that is wrong.
    pub fn check(&self) -> Checked {
        self.held.check("held")?;
        self.pressed.without(Actions::DUCKS).check("pressed")?;
        self.released.check("released")?;
        self.keys.check("keys")?;
        vector("stick", self.stick, FARTHEST_SAVED)?;
        let aim = self.aim;
        aim.map_or(Ok(()), |aim| vector("aim", aim, FARTHEST_SAVED))
    }
}

impl Actions {
    /// Checks that a saved set contains only actions.
    ///
    /// # Errors
    /// If it contains anything else; `field` names the set.
    pub fn check(self, field: &str) -> Checked {
        ensure!(self.without(Self::ALL) == Self::NONE, field, "is {}, which is not a set of actions", self.0);
        Ok(())
    }
}

/// A stick pushed farther than this counts as a direction key.
const STICK_AS_KEY: f64 = 0.5;

impl Intent {
    /// The wanted horizontal direction, −1, 0 or 1. Keys win over the stick, and opposite keys
    /// cancel out; the stick counts beyond half of its range.
    pub fn side(&self) -> f64 {
        self.side_beyond(STICK_AS_KEY)
    }

    /// Like [`side`](Self::side), with a stick that counts beyond `dead_zone`.
    pub fn side_beyond(&self, dead_zone: f64) -> f64 {
        let (left, right) = (self.held.has(Action::Left), self.held.has(Action::Right));
        if left || right {
            return f64::from(i8::from(right) - i8::from(left));
        }
        if self.stick.x.abs() > dead_zone { self.stick.x.signum() } else { 0.0 }
    }

    /// Whether Down is held: the key, or the stick beyond half of its range unless the Up key is
    /// held.
    #[inline(always)]
    pub fn down(&self) -> bool {
        let stick = self.stick.y < -STICK_AS_KEY && !self.held.has(Action::Up);
        self.held.has(Action::Down) || stick
    }

    /// Whether one-way platforms let the body through: while Down is held. If Down is the action of a stance, Jump has to be
    /// held with it.
    #[inline(always)]
    pub fn drops(&self) -> bool {
        let ducks = self.pressed.and(Actions::DUCKS) != Actions::NONE;
        self.down() && (!ducks || self.held.has(Action::Jump))
    }

    /// Takes note of whether Down is the action of a stance.
    pub(crate) fn set_ducks(&mut self, ducks: bool) {
        let others = self.pressed.without(Actions::DUCKS);
        self.pressed = if ducks { others.or(Actions::DUCKS) } else { others };
    }

    /// The held actions, with the direction keys that the stick acts as for [`side`](Self::side)
    /// and [`down`](Self::down).
    pub fn directions(&self) -> Actions {
        let mut held = self.held;
        match self.side() {
            1.0 => held.insert(Action::Right),
            -1.0 => held.insert(Action::Left),
            _ => {}
        }
        if self.down() {
            held.insert(Action::Down);
        }
        held
    }

    /// The wanted direction in the plane, a unit vector or 0, and its strength, 0..=1. Keys win over
    /// the stick, and two keys are no stronger than one; the stick counts beyond `dead_zone`.
    pub fn direction(&self, dead_zone: f64) -> (DVec2, f64) {
        let axis =
            |less: Action, more: Action| f64::from(i8::from(self.held.has(more)) - i8::from(self.held.has(less)));
        let keys = DVec2::new(axis(Action::Left, Action::Right), axis(Action::Down, Action::Up));
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

    /// Whether a script has ordered a jump in this tick. The body has left what it stood on; its model gives it the speed.
    #[inline]
    pub fn has_ordered_jump(&self) -> bool {
        self.pressed.and(Actions::ORDERED_JUMP) != Actions::NONE
    }

    /// Orders a jump until the tick ends.
    pub(crate) fn order_jump(&mut self) {
        self.pressed = self.pressed.or(Actions::ORDERED_JUMP);
    }

    /// Forgets the order to jump, which holds for one tick.
    #[inline]
    pub(crate) fn end_orders(&mut self) {
        self.pressed = self.pressed.without(Actions::ORDERED_JUMP);
    }

    /// Holds an action during this tick, as if the player held it too. `before` are the actions
    /// that were held in the previous tick.
    pub fn hold(&mut self, action: Action, before: Actions) {
        if !before.has(action) && !self.held.has(action) {
            self.pressed.insert(action);
        }
        self.held.insert(action);
        self.released.remove(action);
    }

    /// Releases an action during this tick, even if the player holds it.
    pub fn release(&mut self, action: Action, before: Actions) {
        self.held.remove(action);
        self.pressed.remove(action);
        if before.has(action) {
            self.released.insert(action);
        }
    }

    /// This tick's input, from the actions the player held in the previous tick, the actions held
    /// now, and presses in between that were too short to show up as held.
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

/// The names of the actions that a game defines, in alphabetical order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnActions(Option<Arc<[Arc<str>]>>);

impl OwnActions {
    /// Actions with these names, in any order; those beyond the largest number of them are left out.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut names: Vec<&str> = names.into_iter().collect();
        names.sort_unstable();
        names.dedup();
        names.truncate(OwnAction::ALL.len());
        if names.is_empty() {
            return Self::default();
        }
        Self(Some(names.into_iter().map(Arc::from).collect()))
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().flat_map(|names| names.iter()).map(|name| &**name)
    }

    /// The names of all actions: those that every game has, and these.
    pub fn all_names(&self) -> impl Iterator<Item = &str> + Clone {
        let common = Action::ALL.into_iter().map(|action| -> &str { action.name() });
        common.chain(self.names())
    }

    /// The action with this name: one that every game has, or one of these.
    pub fn parse(&self, name: &str) -> Option<Action> {
        Action::parse(name).or_else(|| self.own(name))
    }

    /// The action of the game with this name.
    pub fn own(&self, name: &str) -> Option<Action> {
        let place = self.names().position(|known| known == name)?;
        OwnAction::ALL.get(place).copied().map(Action::Own)
    }

    /// The name of an action.
    pub fn name_of(&self, action: Action) -> &str {
        match action {
            Action::Own(own) => {
                let mut names = self.names().skip(own.place().into());
                names.next().unwrap_or(own.name())
            }
            action => action.name(),
        }
    }

    /// The same actions where they have other places: those that do not exist there are left out.
    pub fn translated(&self, actions: Actions, to: &Self) -> Actions {
        let mut result = Actions::NONE;
        for action in Action::every().filter(|action| actions.has(*action)) {
            let same = match action {
                Action::Own(_) => to.own(self.name_of(action)),
                action => Some(action),
            };
            same.into_iter().for_each(|action| result.insert(action));
        }
        result
    }
}
