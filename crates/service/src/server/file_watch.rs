//! Watching the files of the game for the worlds that follow them.

use super::*;
use hangtime_game::GameWatch;

/// How long the thread waits for a change before it looks whether any world still follows the files.
const LOOK: Duration = Duration::from_secs(2);

/// The worlds that read files again when these are saved, with one thread for all of them. It runs while there are any.
#[derive(Default)]
pub struct FileWatch(Mutex<Followers>);

#[derive(Default)]
struct Followers {
    worlds: Vec<Weak<WorldSlot>>,
    is_watching: bool,
}

impl FileWatch {
    /// Notifies the world of a slot of every change of the game's files from now on.
    ///
    /// # Errors
    /// If the system starts no more threads.
    pub fn follow(service: &Arc<ServiceShared>, slot: &Arc<WorldSlot>) -> Result<(), RpcError> {
        let mut followers = service.files.0.lock();
        if !followers.is_watching {
            // It watches before the world is built, so that no change is missed.
            let watch = GameWatch::new(service.game.project().folder().clone(), Vec::new());
            let of_service = Arc::downgrade(service);
            let thread = Builder::new().name("files".into());
            thread.spawn(move || run(watch, &of_service)).map_err(|error| no_thread(&error))?;
            followers.is_watching = true;
        }
        followers.worlds.push(Arc::downgrade(slot));
        Ok(())
    }

    /// The worlds that are still there. Without any, watching ends.
    fn worlds(&self) -> Vec<Arc<WorldSlot>> {
        let mut followers = self.0.lock();
        followers.worlds.retain(|slot| slot.strong_count() > 0);
        followers.is_watching = !followers.worlds.is_empty();
        followers.worlds.iter().filter_map(Weak::upgrade).collect()
    }
}

fn run(mut watch: GameWatch, service: &Weak<ServiceShared>) {
    loop {
        let changed = watch.wait(LOOK);
        let Some(service) = service.upgrade() else { return };
        let worlds = service.files.worlds();
        if worlds.is_empty() {
            return;
        }
        if !changed.is_empty() {
            worlds.iter().for_each(WorldSlot::note_saved_files);
        }
    }
}
