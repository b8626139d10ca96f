//! Opening another level while the old one runs.

use super::*;
use hangtime_core::sim::{LevelOrder, World};
use hangtime_script::render_all;
use hangtime_workbench::BackgroundJob;
use std::sync::mpsc::TryRecvError;

/// A level that is being read and built on its own thread.
pub struct LevelOpening {
    built: BackgroundJob<Result<(PathBuf, Revision), Error>>,
    /// What a script wants, if it was one.
    order: Option<LevelOrder>,
}

impl LevelOpening {
    /// Opens the level in this file.
    pub fn start(folder: GameFolder, level: PathBuf) -> io::Result<Self> {
        Self::open(folder, None, move |_| Ok(level))
    }

    /// Opens the level that a script wants to play.
    pub fn ordered(folder: GameFolder, order: LevelOrder) -> io::Result<Self> {
        let name = order.level.clone().unwrap_or_default();
        Self::open(folder, Some(order), move |project| project.find_level_from(&project.root().join("levels"), &name))
    }

    fn open(
        folder: GameFolder,
        order: Option<LevelOrder>,
        find: impl FnOnce(&Project) -> Result<PathBuf, Error> + Send + 'static,
    ) -> io::Result<Self> {
        let built = BackgroundJob::start("level", move |post, _| {
            let opened = Project::load(folder).and_then(|project| {
                let level = find(&project)?;
                let revision = project.open(&level, &[])?;
                Ok((level, revision))
            });
            // It is not waited for if another level was chosen since.
            let _ = post.send(opened);
        })?;
        Ok(Self { built, order })
    }

    /// The level and its game, ready to be played after `live`, or its errors. `None` until then.
    pub fn poll(&self, live: &Live) -> Option<Result<(PathBuf, Live), RefusedLevel>> {
        let errors = match self.built.poll() {
            Ok(Ok((level, revision))) => return Some(Ok((level, self.begin(revision, live)))),
            Ok(Err(error)) => render_all(&error.diagnostics(), false),
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => "cannot open the level".into(),
        };
        let name = self.order.as_ref().and_then(|order| order.level.clone());
        Some(Err(RefusedLevel { name, errors }))
    }

    /// A level that the player has chosen begins at tick 0, one that a script plays continues the game.
    fn begin(&self, revision: Revision, live: &Live) -> Live {
        let Some(order) = &self.order else {
            return Live::new(Arc::new(revision), 0);
        };
        let handed = order.data.clone().unwrap_or_default();
        let world = live.world();
        let mut next = World::begin(&revision.stage, world.seed(), world.ticks(), handed);
        next.take_over(world, &live.revision().stage.actions, &revision.stage.actions);
        Live::resume(Arc::new(revision), next)
    }
}

/// A level that cannot be played.
pub struct RefusedLevel {
    /// Its name, if a script wants to play it.
    pub name: Option<Arc<str>>,
    pub errors: String,
}
