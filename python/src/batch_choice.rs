//! What the user chooses about a batch.

use crate::episode::EpisodeRules;
use crate::observation::ObservationChoice;
use crate::player::{Player, PlayerChoice};
use crate::pool::Pool;
use hangtime::service::ServedWorld;
use pyo3::prelude::*;
use std::num::NonZeroUsize;

/// The most worlds of a batch.
const MOST_WORLDS: i64 = 1 << 16;

/// The most rays of an observation.
const MOST_RAYS: i64 = 360;

/// The most threads.
const MOST_THREADS: i64 = 1024;

/// The most ticks of a step.
const MOST_SKIPPED: i64 = 100_000;

/// What the user chooses about a batch, as keyword arguments.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct BatchChoice {
    /// The name of the level.
    pub level: String,
    count: i64,
    players: Vec<u8>,
    rays: i64,
    ray_length: f64,
    variables: Vec<String>,
    entities: Option<Vec<String>>,
    frame_skip: i64,
    max_ticks: Option<i64>,
    pub continuous: bool,
    parts: Option<Vec<String>>,
    threads: Option<i64>,
    records: bool,
    differences: bool,
    normalize: bool,
}

impl BatchChoice {
    /// Checks the numbers.
    ///
    /// # Errors
    /// The one that is out of range.
    pub fn check(&self) -> Result<(), String> {
        let Self { count, players, rays, ray_length, frame_skip, max_ticks, .. } = self;
        if !(1..=MOST_WORLDS).contains(count) {
            return Err(format!("num_envs must be 1 to {MOST_WORLDS}, not {count}"));
        }
        if !(0..=MOST_RAYS).contains(rays) {
            return Err(format!("rays must be 0 to {MOST_RAYS}, not {rays}"));
        }
        if !(*ray_length > 0.0 && *ray_length <= 100_000.0) {
            return Err(format!("ray_length must be above 0 and at most 100000 px, not {ray_length}"));
        }
        if !(1..=MOST_SKIPPED).contains(frame_skip) {
            return Err(format!("frame_skip must be 1 to {MOST_SKIPPED} ticks, not {frame_skip}"));
        }
        if let Some(ticks) = max_ticks.filter(|ticks| *ticks < 1) {
            return Err(format!("max_ticks must be at least 1 tick, or None for no end, not {ticks}"));
        }
        if let Some(threads) = self.threads
            && !(1..=MOST_THREADS).contains(&threads)
        {
            return Err(format!("threads must be 1 to {MOST_THREADS}, not {threads}"));
        }
        if players.is_empty() {
            return Err("players: name at least one".into());
        }
        for (place, player) in players.iter().enumerate() {
            if players[..place].contains(player) {
                return Err(format!("players: {player} is there twice"));
            }
        }
        Ok(())
    }

    /// The number of worlds.
    pub fn count(&self) -> usize {
        self.count.unsigned_abs() as usize
    }

    /// Threads for this batch alone; `None` if it uses those that all games share.
    pub fn pool(&self) -> Option<Pool> {
        let count = self.threads.and_then(|count| usize::try_from(count).ok());
        let count = count.and_then(NonZeroUsize::new);
        count.map(|count| Pool::new(Some(count)))
    }

    fn player_choice(&self) -> PlayerChoice {
        PlayerChoice {
            observation: ObservationChoice {
                rays: self.rays.unsigned_abs() as usize,
                reach: self.ray_length,
                variables: self.variables.clone(),
                entities: self.entities.clone(),
                normalize: self.normalize,
            },
            continuous: self.continuous,
            parts: self.parts.clone(),
        }
    }

    /// What the worlds have in common; `first` is the first of them.
    ///
    /// # Errors
    /// If the level has no such player, or something named does not exist.
    pub fn rules(&self, first: ServedWorld) -> Result<EpisodeRules, String> {
        let choice = self.player_choice();
        let players = self.players.iter();
        let players = players.map(|number| Player::new(first.live(), *number, &choice));
        Ok(EpisodeRules {
            players: players.collect::<Result<_, _>>()?,
            first,
            frame_skip: self.frame_skip.unsigned_abs(),
            max_ticks: self.max_ticks.map_or(0, i64::unsigned_abs),
            records: self.records,
            differences: self.differences,
        })
    }
}
