//! The inputs that a served world has yet to play.

use super::*;
use hangtime_core::sim::MOST_PLAYERS;
use hangtime_game::{InputScript, Track};

/// The longest text of inputs, in bytes.
pub const MOST_INPUT_TEXT: usize = 1 << 20;

/// The inputs of the ticks to come. After the last, nothing is held.
#[derive(Clone, Debug, Default)]
pub struct InputQueue {
    track: Arc<Track>,
    /// The tick in which the track begins.
    from: u64,
    /// Whether it is what is held during one step.
    held: bool,
}

impl InputQueue {
    /// The lines of an input file, from the present tick of a level on. Also returns warnings about lines that say something
    /// else than how it was begun, with these settings.
    ///
    /// # Errors
    /// The mistakes in the text.
    pub(super) fn read(text: &str, live: &Live, settings: &Settings) -> Result<(Self, Vec<Diagnostic>), ServiceError> {
        if text.len() > MOST_INPUT_TEXT {
            let message = format!(
                "has {} bytes; a text of inputs can have at most {MOST_INPUT_TEXT}, and a later step can queue more",
                text.len()
            );
            return Err(ServiceError::parameter("inputs", message));
        }
        let file = Arc::new(SourceFile { name: "inputs".into(), text: text.into() });
        let stage = &live.revision().stage;
        let script = InputScript::parse_with(&file, &stage.actions)?;
        let begun = (&*stage.level.name, live.world().seed(), settings);
        let warnings = script.unlike(&file, begun);
        let queue = Self { track: Arc::new(script.track(stage.hz)), from: live.world().ticks(), held: false };
        Ok((queue, warnings))
    }

    /// These inputs for `ticks` ticks from tick `now` on. Presses happen in the first of them.
    pub fn hold(inputs: Inputs, ticks: u64, now: u64) -> Self {
        let mut rest = inputs.clone();
        for player in 1..=MOST_PLAYERS {
            if inputs.player(player).pressed != Default::default() {
                rest.player_mut(player).pressed = Default::default();
            }
        }
        let stretches = match (ticks, rest == inputs) {
            (0, _) => Vec::new(),
            (ticks, true) => vec![(ticks, inputs)],
            (ticks, false) => vec![(1, inputs), (ticks - 1, rest)],
        };
        Self { track: Arc::new(Track::of(stretches)), from: now, held: true }
    }

    /// The input of the step from tick `now` to the next; `None` after the last.
    pub fn at(&self, now: u64) -> Option<&Inputs> {
        self.track.get(now.checked_sub(self.from)?)
    }

    /// The inputs of all its ticks.
    pub(super) fn track(&self) -> &Track {
        &self.track
    }

    /// How many ticks from `now` on have inputs.
    pub fn left(&self, now: u64) -> u64 {
        (self.from.saturating_add(self.track.length())).saturating_sub(now)
    }

    /// Whether it is what is held during one step.
    pub(super) fn is_held(&self) -> bool {
        self.held
    }

    /// What is left from tick `now` on: numbers of ticks and their inputs.
    pub(super) fn rest(&self, now: u64) -> impl Iterator<Item = (u64, &Inputs)> {
        self.track.rest(now.saturating_sub(self.from))
    }

    /// The same inputs, from tick `now` on.
    pub(super) fn moved_to(self, now: u64) -> Self {
        Self { from: now, ..self }
    }

    /// What was left when a world was saved, from tick 0 on.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn restored(stretches: Vec<(u64, Vec<PlayerInput>)>) -> Result<Self, String> {
        // A text has no more.
        let most = MOST_INPUT_TEXT / 2;
        if stretches.len() > most {
            return Err(format!("has {} stretches of inputs; there can be at most {most}", stretches.len()));
        }
        let mut read = Vec::with_capacity(stretches.len());
        for (ticks, players) in stretches {
            if players.len() > usize::from(MOST_PLAYERS) {
                return Err(format!("has inputs of more than {MOST_PLAYERS} players"));
            }
            let mut inputs = Inputs::none();
            for (player, input) in (1..).zip(players) {
                let sets = [("held", input.held), ("pressed", input.pressed)];
                let checked = sets.iter().try_for_each(|(field, set)| set.check(field));
                let checked = checked.and_then(|()| input.check());
                checked.map_err(|error| error.to_string())?;
                *inputs.player_mut(player) = input;
            }
            read.push((ticks, inputs));
        }
        Ok(Self { track: Arc::new(Track::of(read)), from: 0, held: false })
    }
}
