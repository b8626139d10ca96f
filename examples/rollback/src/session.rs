//! A game as ggrs sees it: save, load and advance.

use crate::Failure;
use ggrs::{Config, GgrsRequest, PredictRepeatLast, SessionBuilder};
use hangtime_core::{
    models::{Action, Actions},
    sim::{Inputs, PlayerInput, World},
};
use hangtime_game::{Live, Project};
use std::{collections::BTreeMap, net::SocketAddr, sync::Arc};

/// What ggrs has to know about the game. What a player holds is the input; the world itself knows what was held before.
pub struct Hangtime;

impl Config for Hangtime {
    type Input = Actions;
    type InputPredictor = PredictRepeatLast;
    type State = Arc<World>;
    type Address = SocketAddr;
}

/// How many of the last states are kept for a report.
const KEPT: i32 = 240;

/// A level that is played by several players.
pub struct RolledGame {
    pub live: Live,
    /// The states of the last ticks: the first tick that two peers disagree on is among them.
    pub history: BTreeMap<i32, Arc<World>>,
    /// The tick in which the friend moves by a hundredth of a pixel, which no other peer knows.
    pub desync: Option<u64>,
    /// How many ticks were played, with those played again.
    pub played: u64,
}

impl RolledGame {
    pub fn open(folder: &str, level: &str) -> Result<Self, Failure> {
        let project = Project::load(folder)?;
        let revision = project.open(&project.find_level(level)?, &[])?;
        let live = Live::new(Arc::new(revision), 0);
        Ok(Self { live, history: BTreeMap::new(), desync: None, played: 0 })
    }

    /// Does what a session asks for.
    pub fn follow(&mut self, requests: Vec<GgrsRequest<Hangtime>>) {
        for request in requests {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => {
                    let world = Arc::new(self.live.world().clone());
                    cell.save(frame, Some(world.clone()), Some(world.hash().into()));
                    self.history.insert(frame, world);
                    self.history.retain(|saved, _| *saved > frame - KEPT);
                }
                GgrsRequest::LoadGameState { cell, .. } => {
                    let saved = cell.data().expect("a state was saved").clone();
                    self.live.restore((*saved).clone());
                }
                GgrsRequest::AdvanceFrame { inputs } => self.advance(inputs.into_iter().map(|(held, _)| held)),
            }
        }
    }

    fn advance(&mut self, held: impl Iterator<Item = Actions>) {
        let mut inputs = Inputs::none();
        for (player, held) in (1..).zip(held) {
            *inputs.player_mut(player) = PlayerInput { held, ..PlayerInput::default() };
        }
        if self.desync == Some(self.live.world().ticks()) {
            let world = self.live.world();
            let friend = world.entity("friend").expect("a friend").clone();
            let at = world.body(&friend).pos;
            self.live.place(friend.id, at + hangtime_core::glam::DVec2::new(0.01, 0.0));
        }
        self.live.step(&inputs);
        self.played += 1;
    }
}

/// What a player holds in a tick: something else every few ticks, so that guesses about it are often wrong.
pub fn pressed_keys(player: usize, tick: u64) -> Actions {
    let turn = (tick / 7)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(player as u64 * 0x1234_5678_9abc_def1);
    let random = turn ^ (turn >> 29);
    let keys = [Action::Left, Action::Right, Action::Jump, Action::Jump];
    let held = (0..).zip(keys).filter(|(bit, _)| random >> bit & 1 == 1);
    held.map(|(_, action)| action).collect()
}

/// Plays a level and goes back in each tick, to see that what is played again is the same to the last bit.
pub fn sync_test(folder: &str, level: &str, ticks: u64) -> Result<(), Failure> {
    let mut game = RolledGame::open(folder, level)?;
    let builder = SessionBuilder::<Hangtime>::new().with_num_players(2)?.with_check_distance(7);
    let mut session = builder.start_synctest_session()?;
    for tick in 0..ticks {
        for player in 0..2 {
            session.add_local_input(player, pressed_keys(player, tick))?;
        }
        game.follow(session.advance_frame()?);
    }
    let hash = game.live.world().hash();
    println!("{ticks} ticks, {} with those played again, hash {hash:016x}", game.played);
    Ok(())
}
