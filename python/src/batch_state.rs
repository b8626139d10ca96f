//! The worlds of a batch, and a step of all of them.

use crate::action::NamedPart;
use crate::episode::{Episode, EpisodeRules, GivenAction, StepOutcome};
use crate::errors::GameError;
use hangtime::service::{ServedWorld, ServiceError};
use hangtime::sim::Inputs;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// The least number of worlds that a thread steps before others may take some of them.
const WORLDS_AT_ONCE: usize = 8;

/// The worlds of a batch.
pub struct BatchState {
    /// What they have in common.
    pub rules: EpisodeRules,
    /// The worlds.
    pub episodes: Vec<Episode>,
    /// Whether every episode has begun at least once.
    begun: bool,
    /// The parts of an action of all players.
    parts: Vec<NamedPart>,
    /// What the players of a single world see, while it is written.
    seen: Vec<f32>,
}

/// What came out of a step of the only world with one player.
pub struct SingleStep<'a> {
    /// What the player sees.
    pub observation: &'a [f32],
    /// Its reward.
    pub reward: f64,
    /// Whether its episode has ended.
    pub terminated: bool,
    /// Whether the episode was cut.
    pub truncated: bool,
    /// The ticks since the episode began.
    pub tick: i64,
    /// What scripts have complained about.
    pub messages: Vec<String>,
}

/// The arrays of a step: one row for each world.
pub struct StepArrays<'a> {
    /// What the players see.
    pub observations: &'a mut [f32],
    /// Their rewards.
    pub rewards: &'a mut [f64],
    /// Whether their episodes have ended.
    pub terminated: &'a mut [bool],
    /// Whether the episode was cut: one place for each world.
    pub truncated: &'a mut [bool],
    /// The ticks since the episode began: one place for each world.
    pub ticks: &'a mut [i64],
}

impl BatchState {
    /// This many worlds that have yet to begin.
    pub fn new(rules: EpisodeRules, count: usize) -> Self {
        let episodes = (0..count).map(|_| Episode::new(&rules.first));
        let parts = rules.players.iter().flat_map(|player| player.actions.names()).collect();
        Self { episodes: episodes.collect(), rules, begun: false, parts, seen: Vec::new() }
    }

    /// How many numbers the actions of all players of a world have.
    pub fn action_width(&self) -> usize {
        self.parts.len()
    }

    /// Whether there are so few worlds that one thread steps them all.
    pub fn is_small(&self) -> bool {
        self.episodes.len() <= WORLDS_AT_ONCE
    }

    /// One of the worlds.
    pub fn world(&self, place: usize) -> PyResult<&ServedWorld> {
        let episode = self.episodes.get(place);
        let episode = episode.ok_or_else(|| PyValueError::new_err("no such world"))?;
        let world = episode.world.as_ref();
        world.ok_or_else(|| GameError::new_err("this world has failed; reset it"))
    }

    /// Begins episodes, in all worlds or in the worlds with a place in `which`, and writes what the players see.
    ///
    /// # Errors
    /// If a list or the array has another length than it must.
    pub fn reset(
        &mut self,
        seeds: &[Option<u64>],
        which: Option<&[bool]>,
        out: &mut [f32],
        ticks: &mut [i64],
    ) -> Result<(), &'static str> {
        let is_small = self.is_small();
        let Self { rules, episodes, begun, .. } = self;
        let count = episodes.len();
        if seeds.len() != count || ticks.len() != count || which.is_some_and(|which| which.len() != count) {
            return Err("one seed for each world");
        }
        if which.is_some() && !*begun {
            return Err("reset all worlds first");
        }
        let width = check_width(rules, count, out.len())?;
        let begin = |(place, (episode, out)): (usize, (&mut Episode, &mut [f32]))| {
            if which.is_none_or(|which| which[place]) {
                episode.begin(rules, seeds[place], out);
            }
        };
        match is_small {
            true => episodes.iter_mut().zip(out.chunks_mut(width)).enumerate().for_each(begin),
            false => episodes.par_iter_mut().zip(out.par_chunks_mut(width)).enumerate().for_each(begin),
        }
        for (place, tick) in ticks.iter_mut().enumerate() {
            if which.is_none_or(|which| which[place]) {
                *tick = 0;
            }
        }
        *begun = true;
        Ok(())
    }

    /// Writes what the players of all worlds see now.
    ///
    /// # Errors
    /// If the array has another length than it must.
    pub fn observe(&mut self, out: &mut [f32]) -> Result<(), &'static str> {
        let Self { rules, episodes, .. } = self;
        let width = check_width(rules, episodes.len(), out.len())?;
        let each = episodes.par_iter_mut().zip(out.par_chunks_mut(width));
        each.for_each(|(episode, out)| episode.observe(rules, out));
        Ok(())
    }

    /// Makes a step in every world; one whose episode is over begins the next one. Returns what scripts have complained
    /// about, with the places of the worlds.
    ///
    /// # Errors
    /// If actions are out of range, or an array has another length than it must. Nothing is stepped then.
    pub fn step(&mut self, actions: GivenAction<'_>, out: StepArrays<'_>) -> Result<Vec<(usize, String)>, String> {
        let is_small = self.is_small();
        let Self { rules, episodes, begun, parts, .. } = self;
        if !*begun {
            return Err("reset all worlds first".into());
        }
        let (count, players) = (episodes.len(), rules.players.len());
        let width = check_width(rules, count, out.observations.len())?;
        let fits = out.rewards.len() == count * players
            && out.terminated.len() == count * players
            && out.truncated.len() == count
            && out.ticks.len() == count;
        if !fits {
            return Err("one place for each world and player".into());
        }
        check_actions(parts, count, actions)?;
        let action_width = parts.len();
        let complained = AtomicBool::new(false);
        let step = |inputs: &mut Inputs, place: usize, episode: &mut Episode, outcome: StepOutcome<'_>| {
            let row = place * action_width..(place + 1) * action_width;
            let action = match actions {
                GivenAction::Choices(choices) => GivenAction::Choices(&choices[row]),
                GivenAction::Numbers(numbers) => GivenAction::Numbers(&numbers[row]),
            };
            episode.step(rules, action, inputs, outcome);
            if !episode.messages.is_empty() {
                complained.store(true, Ordering::Relaxed);
            }
        };
        if is_small {
            let mut inputs = Inputs::none();
            let each = episodes.iter_mut().zip(out.observations.chunks_mut(width));
            let each = each.zip(out.rewards.chunks_mut(players)).zip(out.terminated.chunks_mut(players));
            let each = each.zip(out.truncated.iter_mut().zip(out.ticks)).enumerate();
            for (place, ((((episode, observation), rewards), terminated), (truncated, tick))) in each {
                let outcome = StepOutcome { observation, rewards, terminated, truncated, tick };
                step(&mut inputs, place, episode, outcome);
            }
        } else {
            let each = episodes.par_iter_mut().with_min_len(WORLDS_AT_ONCE).enumerate();
            let each = each.zip(out.observations.par_chunks_mut(width));
            let each = each.zip(out.rewards.par_chunks_mut(players));
            let each = each.zip(out.terminated.par_chunks_mut(players));
            let each = each.zip(out.truncated.par_iter_mut().zip(out.ticks));
            each.for_each_init(
                Inputs::none,
                |inputs, (((((place, episode), observation), rewards), terminated), (truncated, tick))| {
                    let outcome = StepOutcome { observation, rewards, terminated, truncated, tick };
                    step(inputs, place, episode, outcome);
                },
            );
        }
        let mut messages = Vec::new();
        // Else nothing of the worlds is looked at again.
        if complained.into_inner() {
            for (place, episode) in episodes.iter_mut().enumerate() {
                messages.extend(episode.messages.drain(..).map(|message| (place, message)));
            }
        }
        Ok(messages)
    }

    /// Makes a step in the only world with its only player, or begins its next episode.
    ///
    /// # Errors
    /// If the action is out of range, or there are more worlds or players. Nothing is stepped then.
    pub fn step_one(&mut self, action: GivenAction<'_>) -> Result<SingleStep<'_>, String> {
        let mut seen = std::mem::take(&mut self.seen);
        seen.resize(self.rules.players.iter().map(|player| player.observation_width).sum(), 0.0);
        let (mut reward, mut terminated, mut truncated, mut tick) = ([0.0], [false], [false], [0]);
        let arrays = StepArrays {
            observations: &mut seen,
            rewards: &mut reward,
            terminated: &mut terminated,
            truncated: &mut truncated,
            ticks: &mut tick,
        };
        let made = self.step(action, arrays);
        self.seen = seen;
        let messages = made?.into_iter().map(|(_, message)| message).collect();
        let ([reward], [terminated], [truncated], [tick]) = (reward, terminated, truncated, tick);
        Ok(SingleStep { observation: &self.seen, reward, terminated, truncated, tick, messages })
    }

    /// Reads the files again. Returns those that have changed.
    ///
    /// # Errors
    /// The mistakes in them. All worlds continue as they were.
    pub fn reload(&mut self) -> Result<Vec<String>, ServiceError> {
        let Self { rules, episodes, parts, .. } = self;
        let before = rules.first.live().revision().clone();
        let changed = rules.first.reload()?;
        if !changed.is_empty() {
            let actions = &rules.first.live().revision().stage.actions;
            for player in &mut rules.players {
                player.actions.renamed(actions);
            }
            *parts = rules.players.iter().flat_map(|player| player.actions.names()).collect();
            let rules = &*rules;
            episodes.par_iter_mut().for_each(|episode| episode.adopt(rules, &before));
        }
        Ok(changed)
    }
}

/// The numbers that the players of a world see, if an array has room for them.
fn check_width(rules: &EpisodeRules, count: usize, length: usize) -> Result<usize, &'static str> {
    let width: usize = rules.players.iter().map(|player| player.observation_width).sum();
    match length == width * count {
        true => Ok(width),
        false => Err("one place for each world and number of an observation"),
    }
}

/// Checks that the actions of all worlds are in range.
fn check_actions(names: &[NamedPart], count: usize, actions: GivenAction<'_>) -> Result<(), String> {
    let width = names.len();
    let length = match actions {
        GivenAction::Choices(choices) => choices.len(),
        GivenAction::Numbers(numbers) => numbers.len(),
    };
    let continuous = names.iter().all(|(_, choices)| *choices == 0);
    if length != width * count || continuous != matches!(actions, GivenAction::Numbers(_)) {
        return Err(format!("an action has {width} parts"));
    }
    match actions {
        GivenAction::Choices(choices) => {
            for (place, row) in choices.chunks(width).enumerate() {
                for ((name, count), choice) in names.iter().zip(row) {
                    if !(0..*count).contains(choice) {
                        return Err(format!("action {place}: `{name}` must be 0 to {}, not {choice}", count - 1));
                    }
                }
            }
        }
        GivenAction::Numbers(numbers) => {
            for (place, row) in numbers.chunks(width).enumerate() {
                for ((name, _), number) in names.iter().zip(row) {
                    if !(-1.0..=1.0).contains(number) {
                        return Err(format!("action {place}: `{name}` must be -1 to 1, not {number}"));
                    }
                }
            }
        }
    }
    Ok(())
}
