//! What is remembered from tick to tick of one who is watched, so that a refusal can be told with
//! its reason.

/// How a body that is watched came into the air, and what it has wanted since.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    /// Since which tick it is watched.
    pub since: u64,
    /// The press of the jump key that has started no jump yet.
    pub press: Option<Press>,
    /// The last press that was refused, while a landing may show how little was missing.
    pub spent: Option<u64>,
    /// When its own jump began, if that is why it is in the air.
    pub jumped: Option<u64>,
    /// When it last stood or clung to something, while it was watched.
    pub stood: Option<u64>,
    /// What zones do to it in this tick.
    pub air: Option<String>,
    /// Why the wall that it ran into in the last tick was not grabbed, so that it is told once.
    pub bump: Option<String>,
}

/// A press of the jump key.
#[derive(Clone, Debug)]
pub(super) struct Press {
    /// In which tick.
    pub tick: u64,
    /// What it could have started from; none while that is not known yet.
    pub off: Option<Off>,
}

/// Why there was nothing to jump from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Off {
    /// The ground was left so many ticks before by anything but a jump.
    Left(u64),
    /// Its own jump began so many ticks before.
    Jumped(u64),
    /// It has not stood since this tick.
    Never(u64),
}

impl Memory {
    /// Of one who is watched from the tick `now` on.
    pub fn new(now: u64) -> Self {
        Self {
            since: now,
            press: None,
            spent: None,
            jumped: None,
            stood: None,
            air: None,
            bump: None,
        }
    }

    /// Why there is nothing to jump from at the tick `now`; `left` is when the ground was left.
    pub fn off(&self, now: u64, left: Option<u64>) -> Off {
        if let Some(left) = left {
            return Off::Left(now - left.min(now));
        }
        match self.jumped {
            Some(jumped) => Off::Jumped(now - jumped.min(now)),
            None => Off::Never(self.stood.unwrap_or(self.since)),
        }
    }
}
