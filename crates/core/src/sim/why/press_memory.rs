//! The why log's memory of a watched entity, which explains refused jumps.

/// How an entity got into the air, and which presses of the jump key have had no effect yet.
#[derive(Clone, Debug)]
pub(super) struct PressMemory {
    /// The tick in which watching began.
    pub since: u64,
    /// The last press of the jump key that has not started a jump.
    pub press: Option<JumpPress>,
    /// The tick of the last press that was refused, until a landing shows how early it was.
    pub refused: Option<u64>,
    /// The tick in which its jump began, if it is in the air because it jumped.
    pub jumped: Option<u64>,
    /// The last tick in which it was grounded or clung to something.
    pub grounded: Option<u64>,
    /// The effects of zones in this tick.
    pub zone_effects: Option<String>,
    /// Why the wall it touched in the last tick was not grabbed, so that it is reported once.
    pub wall: Option<String>,
}

/// A press of the jump key.
#[derive(Clone, Debug)]
pub(super) struct JumpPress {
    /// The tick in which the key was pressed.
    pub tick: u64,
    /// Why it could not start a jump at once; `None` until that is known.
    pub airborne: Option<Airborne>,
}

/// Why there is no ground to jump from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Airborne {
    /// It left the ground this many ticks ago without jumping.
    LeftGround(u64),
    /// It jumped this many ticks ago.
    Jumped(u64),
    /// It has not been grounded since this tick.
    Since(u64),
}

impl PressMemory {
    /// The memory of an entity that is watched from the tick `now` on.
    pub fn new(now: u64) -> Self {
        Self { since: now, press: None, refused: None, jumped: None, grounded: None, zone_effects: None, wall: None }
    }

    /// Why there is no ground to jump from in the tick `now`; `left` is the tick in which it left
    /// the ground without jumping.
    pub fn airborne(&self, now: u64, left: Option<u64>) -> Airborne {
        if let Some(left) = left {
            return Airborne::LeftGround(now - left.min(now));
        }
        match self.jumped {
            Some(jumped) => Airborne::Jumped(now - jumped.min(now)),
            None => Airborne::Since(self.grounded.unwrap_or(self.since)),
        }
    }
}
