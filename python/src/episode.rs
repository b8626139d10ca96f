//! One world of many, and its episodes: a level from its start to its end, again and again.

use crate::action::words;
use crate::errors::panic_text;
use crate::player::Player;
use glam::DVec2;
use hangtime::project::{Live, Revision};
use hangtime::script::host::FaultQueue;
use hangtime::service::ServedWorld;
use hangtime::sim::{Inputs, PlayerInput, World};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// What all worlds have in common.
pub struct EpisodeRules {
    /// The level as it begins; it is never stepped.
    pub first: ServedWorld,
    /// The players that agents control.
    pub players: Vec<Player>,
    /// The ticks of a step.
    pub frame_skip: u64,
    /// The ticks after which an episode is cut; 0 for never.
    pub max_ticks: u64,
    /// Whether to write down what was held.
    pub records: bool,
    /// Whether a reward is how much the number of the rule has grown since the last step.
    pub differences: bool,
}

/// An action, in one of two forms.
#[derive(Clone, Copy, Debug)]
pub enum GivenAction<'a> {
    /// Choices.
    Choices(&'a [i64]),
    /// Numbers from −1 to 1.
    Numbers(&'a [f32]),
}

impl GivenAction<'_> {
    /// How many numbers it has.
    pub fn len(&self) -> usize {
        match self {
            Self::Choices(choices) => choices.len(),
            Self::Numbers(numbers) => numbers.len(),
        }
    }
}

/// Where a step writes what came out, one place for each player.
pub struct StepOutcome<'a> {
    /// What the players see, one after another.
    pub observation: &'a mut [f32],
    /// Their rewards.
    pub rewards: &'a mut [f64],
    /// Whether their episodes have ended.
    pub terminated: &'a mut [bool],
    /// Whether the episode was cut.
    pub truncated: &'a mut bool,
    /// The ticks since the episode began; 0 if its world has failed.
    pub tick: &'a mut i64,
}

/// A world and the state of its episode.
pub struct Episode {
    /// The world; `None` after it has failed.
    pub world: Option<ServedWorld>,
    /// The seed of the first episode, and how many have begun since.
    seed: (u64, u64),
    /// Whether the next step begins an episode.
    pub over: bool,
    /// What scripts have complained about, and failures.
    pub messages: Vec<String>,
    /// What was held in this episode, as an input file.
    pub record: String,
    /// The numbers of the rule `reward` after the last step, one for each player, if rewards are differences.
    numbers: Vec<f64>,
}

impl Episode {
    /// A world that has yet to begin.
    pub fn new(first: &ServedWorld) -> Self {
        Self {
            world: Some(first.fork()),
            seed: (0, 0),
            over: true,
            messages: Vec::new(),
            record: String::new(),
            numbers: Vec::new(),
        }
    }

    /// Begins an episode: with a seed, or, without one, with the next seed that follows from the last one given. Writes
    /// what the players see.
    pub fn begin(&mut self, rules: &EpisodeRules, seed: Option<u64>, observation: &mut [f32]) {
        self.seed = match seed {
            Some(seed) => (seed, 0),
            None => (self.seed.0, self.seed.1 + 1),
        };
        let seed = episode_seed(self.seed);
        let world = self.world.get_or_insert_with(|| rules.first.fork());
        let start = rules.first.live().revision();
        let begun = World::new(&start.stage, seed);
        world.hold(Inputs::none(), 0);
        resume(world.live_mut(), start, begun);
        self.record.clear();
        if rules.records {
            let level = &start.stage.level.name;
            self.record = format!("level {level}\nseed {seed}\n");
            for (key, value) in rules.first.settings() {
                self.record.push_str(&format!("set {key}={value}\n"));
            }
        }
        self.over = false;
        self.note_numbers(rules);
        self.observe(rules, observation);
    }

    /// Makes a step, or begins the next episode if the last one is over. A world that fails ends its episode and no other.
    /// `inputs` is memory that the steps of worlds with the same rules use in turns.
    pub fn step(
        &mut self,
        rules: &EpisodeRules,
        action: GivenAction<'_>,
        inputs: &mut Inputs,
        mut outcome: StepOutcome<'_>,
    ) {
        outcome.rewards.fill(0.0);
        outcome.terminated.fill(false);
        *outcome.truncated = false;
        *outcome.tick = 0;
        if self.over {
            self.begin(rules, None, outcome.observation);
            return;
        }
        let made = catch_unwind(AssertUnwindSafe(|| self.advance(rules, action, inputs, &mut outcome)));
        if let Err(panic) = made {
            self.messages.push(panic_text(&*panic));
            self.world = None;
            outcome.rewards.fill(0.0);
            *outcome.truncated = true;
            *outcome.tick = 0;
        }
        self.over = *outcome.truncated || outcome.terminated.iter().all(|ended| *ended);
    }

    fn advance(
        &mut self,
        rules: &EpisodeRules,
        action: GivenAction<'_>,
        inputs: &mut Inputs,
        outcome: &mut StepOutcome<'_>,
    ) {
        let Some(world) = &mut self.world else {
            return;
        };
        hold(inputs, world.live(), &rules.players, action);
        let left = match rules.max_ticks {
            0 => u64::MAX,
            most => most.saturating_sub(world.tick()),
        };
        let ticks = rules.frame_skip.min(left);
        let mut faults = FaultQueue::default();
        for _ in 0..ticks {
            world.step_with(inputs);
            faults.append(world.live().report().faults.clone());
        }
        if rules.records {
            write_line(&mut self.record, ticks, inputs, rules, world.live());
        }
        *outcome.truncated = rules.max_ticks > 0 && world.tick() >= rules.max_ticks;
        *outcome.tick = world.tick().cast_signed();
        let live = world.live_mut();
        for (place, player) in rules.players.iter().enumerate() {
            let Some(id) = player.find(live).map(|me| me.id) else {
                outcome.terminated[place] = true;
                continue;
            };
            let judgement = live.judge(id);
            faults.append(live.report().faults.clone());
            outcome.rewards[place] = match (judgement.reward, self.numbers.get_mut(place)) {
                (Some(number), Some(before)) => number - std::mem::replace(before, number),
                (reward, _) => reward.unwrap_or(0.0),
            };
            outcome.terminated[place] = judgement.done.unwrap_or(false);
        }
        self.messages.extend(faults.first.iter().map(|fault| fault.render(false)));
        self.observe(rules, outcome.observation);
    }

    /// Notes what the rule `reward` says now, if rewards are differences.
    fn note_numbers(&mut self, rules: &EpisodeRules) {
        let Some(world) = self.world.as_mut().filter(|_| rules.differences) else {
            return;
        };
        let live = world.live_mut();
        let number = |player: &Player| {
            let Some(me) = player.find(live).map(|me| me.id) else {
                return 0.0;
            };
            let reward = live.judge(me).reward;
            self.messages.extend(live.report().faults.first.iter().map(|fault| fault.render(false)));
            reward.unwrap_or(0.0)
        };
        self.numbers = rules.players.iter().map(number).collect();
    }

    /// Writes what the players see. For a player whose entity is gone, everything is 0.
    pub fn observe(&mut self, rules: &EpisodeRules, mut observation: &mut [f32]) {
        let Some(world) = &self.world else {
            return;
        };
        for player in &rules.players {
            let (own, rest) = observation.split_at_mut(player.observation_width);
            match player.find(world.live()) {
                Some(me) => player.observation.write(world.live(), me, own),
                None => own.fill(0.0),
            }
            observation = rest;
        }
    }

    /// Continues under another revision of the level, if it plays the one that was read before.
    pub fn adopt(&mut self, rules: &EpisodeRules, before: &Arc<Revision>) {
        let Some(world) = &mut self.world else {
            return;
        };
        let live = world.live_mut();
        live.use_levels(rules.first.live().levels().cloned());
        if Arc::ptr_eq(live.revision(), before) {
            live.adopt(rules.first.live().revision().clone());
        }
        // What another rule says can be far from what the last one has said.
        self.note_numbers(rules);
    }
}

/// Continues with another world of a revision.
fn resume(live: &mut Live, revision: &Arc<Revision>, world: World) {
    if Arc::ptr_eq(live.revision(), revision) {
        live.restore(world);
    } else {
        live.resume_with(revision.clone(), world);
    }
}

/// Lets the players hold what their actions say.
fn hold(inputs: &mut Inputs, live: &Live, players: &[Player], action: GivenAction<'_>) {
    let mut from = 0;
    for player in players {
        let to = from + player.action_width;
        let at = player.find(live).map_or(DVec2::ZERO, |me| live.world().body(me).pos);
        *inputs.player_mut(player.number) = match action {
            GivenAction::Choices(choices) => player.actions.choose(&choices[from..to], at),
            GivenAction::Numbers(numbers) => player.actions.push(&numbers[from..to], at),
        };
        from = to;
    }
}

fn write_line(record: &mut String, ticks: u64, inputs: &Inputs, rules: &EpisodeRules, live: &Live) {
    record.push_str(&ticks.to_string());
    for player in &rules.players {
        let input: PlayerInput = inputs.player(player.number);
        record.push_str(&words(player.number, &input, &live.revision().stage.actions));
    }
    record.push('\n');
}

/// The seed of an episode: the given seed for the first one, and numbers that look unrelated for later ones.
fn episode_seed((base, count): (u64, u64)) -> u64 {
    if count == 0 {
        return base;
    }
    // SplitMix64.
    let mut x = base.wrapping_add(count.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
