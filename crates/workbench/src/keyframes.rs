//! Worlds that are kept to play from, and how many.

use super::*;

/// Ticks between two keyframes.
pub const KEYFRAME_TICKS: u64 = 30;

/// Seconds before the newest tick in which keyframes stay dense.
pub const DENSE_SECONDS: u64 = 75;

/// Farther back, the gap between two keyframes is at most this part of their age.
const GAP_OF_AGE: u64 = 8;

/// The most memory that keyframes take, bytes. Beyond it, they are thinned out even in the last minute.
pub const KEYFRAME_BYTES: u64 = 128 << 20;

/// The most memory that the revisions of a timeline take, bytes. Beyond it, its oldest part is dropped.
pub const REVISION_BYTES: u64 = 96 << 20;

/// The most chapters of a timeline. Beyond it, its oldest part is dropped.
pub const MOST_CHAPTERS: usize = 1024;

/// The most memory that the inputs of a timeline take, bytes: for one player, more than an hour of a stick that is never
/// still. Beyond it, the oldest eighth is dropped.
pub const INPUT_BYTES: u64 = 32 << 20;

/// About how much memory an entity takes, bytes.
const ENTITY_BYTES: u64 = 2048;

/// About how much memory a value in a script's variables takes, bytes.
const VALUE_BYTES: u64 = 96;

/// The most entities whose variables are counted; the others are taken to be like them.
const SAMPLED: usize = 32;

/// About how much memory a revision takes that shares its scripts and its terrain with another one, bytes: the tuning panel
/// has changed a number.
const RETUNED_BYTES: u64 = 256 << 10;

/// A world at a position of the timeline.
pub struct Keyframe {
    /// Ticks since the start of the session.
    pub position: u64,
    /// The world.
    pub world: Arc<World>,
    /// About how much memory it takes.
    pub bytes: u64,
}

impl Keyframe {
    /// Keeps a world.
    pub fn new(position: u64, world: Arc<World>) -> Self {
        let bytes = weight_of(&world);
        Self { position, world, bytes }
    }
}

/// About how much memory a world takes, bytes.
fn weight_of(world: &World) -> u64 {
    let entities = world.entities();
    let gap = entities.len().div_ceil(SAMPLED).max(1);
    let sampled = entities.iter().step_by(gap);
    let values: u64 = sampled
        .flat_map(|e| e.vars.0.to_plain().into_values())
        .map(|value| value.count() * VALUE_BYTES + value.text())
        .sum();
    let bodies = entities.len() as u64 * ENTITY_BYTES;
    bodies + values * gap as u64 + world.extra_memory() + ENTITY_BYTES
}

/// About how much memory a revision takes in addition to the one before it, bytes.
pub fn revision_weight(revision: &Revision, before: Option<&Revision>) -> u64 {
    if before.is_some_and(|before| Arc::ptr_eq(&before.scripts, &revision.scripts)) {
        RETUNED_BYTES
    } else {
        revision.memory()
    }
}

/// Thins out keyframes, one list per chapter, oldest first. The first of each list stays. Returns whether
/// what remains takes no more memory than it may.
pub fn thin(lists: &mut [&mut Vec<Keyframe>], end: u64, hz: u32) -> bool {
    let dense = DENSE_SECONDS * u64::from(hz);
    for list in lists.iter_mut() {
        let mut last = 0;
        let mut at = 1;
        while at + 1 < list.len() {
            let age = end - list[at].position;
            let gap = list[at + 1].position - list[last].position;
            if age > dense && gap <= (age / GAP_OF_AGE).max(KEYFRAME_TICKS) {
                list.remove(at);
            } else {
                last = at;
                at += 1;
            }
        }
    }
    loop {
        let bytes: u64 = lists.iter().flat_map(|l| l.iter()).map(|k| k.bytes).sum();
        if bytes <= KEYFRAME_BYTES {
            return true;
        }
        let Some((list, index)) = least_useful(lists, end) else {
            return false;
        };
        lists[list].remove(index);
    }
}

/// The keyframe whose removal leaves the smallest gap for its age.
fn least_useful(lists: &[&mut Vec<Keyframe>], end: u64) -> Option<(usize, usize)> {
    let mut found: Option<(u64, usize, usize)> = None;
    for (which, list) in lists.iter().enumerate() {
        for index in 1..list.len() {
            let next = list.get(index + 1).map_or(end, |k| k.position);
            let gap = next - list[index - 1].position;
            let age = end - list[index].position + KEYFRAME_TICKS;
            // Scaled, because integers compare the same everywhere.
            let cost = (gap << 20) / age;
            if found.is_none_or(|(least, _, _)| cost < least) {
                found = Some((cost, which, index));
            }
        }
    }
    found.map(|(_, list, index)| (list, index))
}
