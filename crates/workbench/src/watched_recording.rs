//! A recording that plays in the workbench until its end, where the player takes over.

use super::*;
use hangtime_play::RecordedStep;

impl Workbench {
    /// Plays a recording before the player does, in a workbench of [`RecordedPlay::live`]. Call it before the first frame.
    pub fn play_recording(&mut self, recording: RecordedPlay) {
        self.note(format!("playing {}; you play from its end on", recording.name()));
        self.recorded = Some(recording);
    }

    /// Whether a recording plays.
    pub fn plays_recording(&self) -> bool {
        self.recorded.is_some()
    }

    /// The input of the next new tick: the recording's or, after its end, the players'.
    pub(super) fn next_input(&mut self, input: &mut dyn FnMut(&KeyMap) -> Inputs) -> Inputs {
        // Keys that are pressed while the recording plays have no effect later.
        let pressed = input(&self.line.latest().config.keys);
        if self.line.later() > 0 {
            self.take_over();
        }
        self.recorded_input().unwrap_or(pressed)
    }

    /// The recorded input of the next tick, after what happened before it. `None` without a recording and at its end.
    fn recorded_input(&mut self) -> Option<Inputs> {
        loop {
            // Changes that the recording itself causes do not end it.
            let mut recording = self.recorded.take()?;
            match recording.next_step() {
                Ok(Some(RecordedStep::Tick(inputs))) => {
                    self.recorded = Some(recording);
                    return Some(inputs);
                }
                Ok(Some(RecordedStep::Adopt(revision))) => {
                    let running = self.line.latest().number;
                    let revision = self.line.tuning.rebase(revision, running);
                    self.adopt(revision);
                }
                Ok(Some(RecordedStep::Resume(revision, world))) => {
                    self.line.resume(revision, &world);
                    self.begin_chapter(world.into());
                }
                Ok(None) => {
                    self.note("the recording is over: you play from here");
                    return None;
                }
                Err(error) => {
                    self.warn(&format!(
                        "the recording ends here, you play on: {}",
                        render_all(&error.diagnostics(), false)
                    ));
                    return None;
                }
            }
            self.recorded = Some(recording);
        }
    }

    /// Leaves out the rest of a recording: the player has gone another way.
    pub(super) fn take_over(&mut self) {
        if self.recorded.take().is_some() {
            self.note("you play from here; the rest of the recording is left out");
        }
    }
}
