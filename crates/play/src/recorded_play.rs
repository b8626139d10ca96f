//! A recording step by step, for a window in which it is watched before the player takes over.

use super::{replay::first_world, *};
use std::collections::VecDeque;

/// A recording that is played step by step and compared with nothing: the game may change meanwhile.
pub struct RecordedPlay {
    reader: RecordingReader,
    files: RecordedFiles,
    /// The revision and the world with which it begins.
    revision: Arc<Revision>,
    world: World,
    /// The inputs of the next ticks.
    inputs: VecDeque<Inputs>,
}

/// What happens next in a recording.
#[derive(Debug)]
pub enum RecordedStep {
    /// A tick with these inputs.
    Tick(Inputs),
    /// The running world continues under another revision.
    Adopt(Arc<Revision>),
    /// The game continues with another world: it was restarted, turned back, or an entity was moved.
    Resume(Arc<Revision>, Box<World>),
}

impl RecordedPlay {
    /// Reads the beginning of a recording. Its scripts are executed like this.
    ///
    /// # Errors
    /// If the recording is damaged, or its files cannot be built.
    pub fn open(mut reader: RecordingReader, execution: Execution) -> Result<Self, Error> {
        let mut files = RecordedFiles::default().run_scripts(execution);
        if let Some(RecordingLine::Revision(mut recorded)) = reader.next_line()? {
            let revision = Arc::new(files.build(reader.header(), &mut recorded)?);
            if let Some(world) = first_world(&reader, &mut recorded, &revision)? {
                return Ok(Self { reader, files, revision, world, inputs: VecDeque::new() });
            }
        }
        let message = "the recording does not begin with a revision and its world";
        Err(Diagnostic::about_file(reader.name(), message).into())
    }

    /// The recording's name in messages.
    pub fn name(&self) -> &str {
        self.reader.name()
    }

    /// The revision with which it begins.
    pub fn revision(&self) -> &Arc<Revision> {
        &self.revision
    }

    /// The game with which it begins.
    pub fn live(&self) -> Live {
        Live::resume(self.revision.clone(), self.world.clone())
    }

    /// What happens next. `None` at the end, and where a script plays another level.
    ///
    /// # Errors
    /// If the recording is damaged, or its files cannot be built.
    pub fn next_step(&mut self) -> Result<Option<RecordedStep>, Error> {
        while self.inputs.is_empty() {
            match self.reader.next_line()? {
                Some(RecordingLine::Ticks(ticks)) => self.inputs.extend(ticks.inputs()),
                Some(RecordingLine::Revision(mut recorded)) => {
                    if recorded.level.as_ref().is_some_and(|level| *level != self.reader.header().level) {
                        return Ok(None);
                    }
                    let revision = Arc::new(self.files.build(self.reader.header(), &mut recorded)?);
                    return Ok(Some(match first_world(&self.reader, &mut recorded, &revision)? {
                        Some(world) => RecordedStep::Resume(revision, Box::new(world)),
                        None => RecordedStep::Adopt(revision),
                    }));
                }
                Some(RecordingLine::End { .. }) | None => return Ok(None),
            }
        }
        Ok(self.inputs.pop_front().map(RecordedStep::Tick))
    }
}
