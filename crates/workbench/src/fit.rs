//! The whole stretch in view: a camera that stands still over the paths of the picked entity.

use super::*;
use hangtime_core::geometry::grid::Bounds;

/// The part of the level around a stretch, and the thread that looks for it.
#[derive(Default)]
pub struct StretchFit {
    part: Option<Bounds>,
    job: Option<BackgroundJob<Vec<DVec2>>>,
}

impl StretchFit {
    /// The part that is shown whole; `None` while the camera follows the players.
    pub fn part(&self) -> Option<Bounds> {
        self.part
    }

    /// Whether the part is being looked for.
    pub fn is_running(&self) -> bool {
        self.job.is_some()
    }

    /// The camera follows the players again. Returns whether it did not.
    pub fn close(&mut self) -> bool {
        let was_open = self.part.is_some() || self.job.is_some();
        *self = Self::default();
        was_open
    }

    /// Plays a stretch to find the part that its paths are in, with the paths that are known already.
    fn start(&mut self, excerpt: Arc<Excerpt>, revision: Arc<Revision>, picked: PickedEntity, known: Vec<DVec2>) {
        let job = BackgroundJob::start("fit", move |post, canceled| {
            let ghost = Ghost::run(&excerpt, &revision, &picked, canceled);
            // The window may have been closed.
            let _ = ghost.map(|ghost| post.send([known, ghost.path].concat()));
        });
        // Without a thread the camera follows the players.
        self.job = job.ok();
    }

    /// Takes the part once it is known. Returns whether it is now.
    fn poll(&mut self) -> bool {
        let found = match self.job.as_ref().map(BackgroundJob::poll) {
            None | Some(Err(TryRecvError::Empty)) => return false,
            Some(Err(TryRecvError::Disconnected)) => None,
            Some(Ok(path)) => {
                let points = path.into_iter().filter(|point| point.is_finite());
                points
                    .map(|point| (point, point))
                    .reduce(|(min, max), (point, _)| (min.min(point), max.max(point)))
            }
        };
        self.job = None;
        self.part = found.map(|(min, max)| Bounds { min, max });
        true
    }
}

impl Workbench {
    /// Shows the whole stretch that is marked, that ghosts are of, or else the last seconds; or follows the players again.
    pub(super) fn toggle_fit(&mut self) {
        if self.fit.close() {
            return;
        }
        let (Some(stretch), Some(picked)) = (self.comparison.stretch(&self.line), self.line.picked()) else {
            return self.note("there is no path yet to show whole");
        };
        let ghosts = self.comparison.picture();
        let known = ghosts.paths.iter().flat_map(|(path, _)| path.iter().copied()).collect();
        self.fit.start(stretch, self.line.latest().clone(), picked.clone(), known);
    }

    /// Shows the stretch once the part that it is in is known.
    pub(super) fn poll_fit(&mut self) {
        self.notices.changed |= self.fit.poll();
    }
}
