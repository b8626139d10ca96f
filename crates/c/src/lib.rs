//! hangtime for C, and for engines that call C: `hangtime.h` declares what is here, and the page `docs/engines.md` shows how
//! to use it.
//!
//! A C program opens a level of a game folder, steps it, and reads what it needs: numbers of entities as structs, all
//! else as JSON. Worlds are numbers that are never given out twice, and pointers are checked before anything is
//! done. So a world that is freed or was never there, a null pointer, a buffer that is too small and a text that is not
//! UTF-8 are errors, after which everything is as before. Panics do not leave this crate.

mod answer;
mod memory;
mod worlds;

pub use answer::HangtimeStatus;
pub use worlds::{HangtimeInput, HangtimeView, HangtimeWorld};

use answer::{Problem, answer};
use hangtime_core::{
    glam::DVec2,
    models::{Action, Actions},
    sim::{Event, Inputs, MOST_PLAYERS, PlayerInput},
};
use hangtime_play::{EntityLine, EventLine, TickLine};
use hangtime_script::{FaultQueue, RecordedPrints, STACK, names::suggestion, render_all};
use hangtime_service::{ServedGame, ServedWorld, ServiceError, WorldStart, scene_of};
use memory::{fill, fill_text, list, place, text};
use std::{
    any::Any,
    cell::{Cell, RefCell},
    collections::BTreeMap,
    ffi::{CStr, CString, c_char},
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    ptr::NonNull,
    sync::Arc,
};
use worlds::{PlayedWorld, add, change, remove};

/// The version of this header: what is passed to `hangtime_open`. It changes whenever a program that was built with an
/// earlier header would no longer work.
pub const HANGTIME_ABI: u32 = 1;

/// The most ticks of one step: four hours of play at 60 ticks a second.
pub const HANGTIME_MOST_TICKS: u64 = 1_000_000;

/// The version of the library's header: `HANGTIME_ABI` of the header that it was built with.
#[unsafe(no_mangle)]
pub extern "C" fn hangtime_abi() -> u32 {
    HANGTIME_ABI
}

/// What the last error on this thread was, as UTF-8: empty if there was none. The text stays until the next error on this
/// thread. Never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn hangtime_last_error() -> *const c_char {
    answer::last_error()
}

/// Opens a level, by its name or path, of the game in a folder, at tick 0. `abi` is `HANGTIME_ABI`; `seed` determines all
/// random numbers.
///
/// # Safety
/// Each pointer is NULL or what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hangtime_open(
    abi: u32,
    folder: *const c_char,
    level: *const c_char,
    seed: u64,
    world: *mut HangtimeWorld,
) -> HangtimeStatus {
    answer(|| {
        if abi != HANGTIME_ABI {
            let message = format!("the program was built for ABI {abi}; this library has ABI {HANGTIME_ABI}");
            return Err(Problem::argument(message));
        }
        // SAFETY: the caller's, as for every function here.
        let (folder, level, at) = unsafe { (text("folder", folder)?, text("level", level)?, place("world", world)?) };
        let game = Arc::new(ServedGame::load(folder).map_err(ServiceError::Files)?);
        let start = WorldStart { level: level.into(), seed, ..WorldStart::default() };
        let opened = PlayedWorld::new(ServedWorld::create(&game, &start)?);
        // SAFETY: `place` has checked it.
        unsafe { at.write(add(opened)) };
        Ok(())
    })
}

/// Frees a world. Its number is never used again.
#[unsafe(no_mangle)]
pub extern "C" fn hangtime_free(world: HangtimeWorld) -> HangtimeStatus {
    answer(|| remove(world))
}

/// The same world again, for example to return to it: from here on, both go their own ways. The fastest way to save a world.
///
/// # Safety
/// Each pointer is NULL or what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hangtime_fork(world: HangtimeWorld, copy: *mut HangtimeWorld) -> HangtimeStatus {
    // SAFETY: the caller's.
    unsafe { number(world, ("copy", copy), |played| Ok(add(PlayedWorld::new(played.world.fork())))) }
}

/// The bit of an action, such as `jump`, in the sets of a `HangtimeInput`.
///
/// # Safety
/// Each pointer is NULL or what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hangtime_action(world: HangtimeWorld, name: *const c_char, bit: *mut u32) -> HangtimeStatus {
    // SAFETY: the caller's.
    unsafe { number(world, ("bit", bit), |played| played.action(text("name", name)?)) }
}

/// Makes `ticks` ticks in which the first `count` players hold these inputs; short presses happen in the first tick. With
/// players, it drops what `hangtime_inputs` has queued; with none, it plays that.
///
/// # Safety
/// Each pointer is NULL or what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hangtime_step(
    world: HangtimeWorld,
    players: *const HangtimeInput,
    count: usize,
    ticks: u64,
) -> HangtimeStatus {
    answer(|| {
        if ticks > HANGTIME_MOST_TICKS {
            return Err(Problem::argument(format!("`ticks` is {ticks}; it can be at most {HANGTIME_MOST_TICKS}")));
        }
        if count > MOST_PLAYERS.into() {
            let message = format!("`count` is {count}; a level has at most {MOST_PLAYERS} players");
            return Err(Problem::argument(message));
        }
        // SAFETY: the caller's.
        let players = unsafe { list("players", players, count)? };
        change(world, |played| played.step(players, ticks))
    })
}

/// Queues the lines of an input file, such as `30 right` and `1 right jump`, from the present tick on, instead of what was
/// queued. `hangtime_step` without players plays them.
///
/// # Safety
/// Each pointer is NULL or what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hangtime_inputs(world: HangtimeWorld, lines: *const c_char) -> HangtimeStatus {
    answer(|| {
        // SAFETY: the caller's.
        let lines = unsafe { text("lines", lines)? };
        change(world, |played| {
            played.world.queue(lines)?;
            Ok(())
        })
    })
}

/// How many ticks were made.
///
/// # Safety
/// Each pointer is NULL or what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hangtime_tick(world: HangtimeWorld, tick: *mut u64) -> HangtimeStatus {
    // SAFETY: the caller's.
    unsafe { number(world, ("tick", tick), |played| Ok(played.world.live().world().ticks())) }
}

/// Ticks per second.
///
/// # Safety
/// Each pointer is NULL or what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hangtime_hz(world: HangtimeWorld, hz: *mut u32) -> HangtimeStatus {
    // SAFETY: the caller's.
    unsafe { number(world, ("hz", hz), |played| Ok(played.world.live().revision().stage.hz)) }
}

/// The hash of the state: equal worlds have equal hashes on every machine. `hangtime run` prints it as 16 hexadecimal
/// digits.
///
/// # Safety
/// Each pointer is NULL or what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hangtime_hash(world: HangtimeWorld, hash: *mut u64) -> HangtimeStatus {
    // SAFETY: the caller's.
    unsafe { number(world, ("hash", hash), |played| Ok(played.world.live().world().hash())) }
}

/// Writes all entities, by ascending id, into an array of `capacity` views, and their number into `count`.
///
/// # Safety
/// Each pointer is NULL or what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hangtime_views(
    world: HangtimeWorld,
    views: *mut HangtimeView,
    capacity: usize,
    count: *mut usize,
) -> HangtimeStatus {
    answer(|| {
        let all = change(world, |played| Ok(played.views()))?;
        // SAFETY: the caller's.
        unsafe { fill("views", &all, views, capacity, ("count", count)) }
    })
}

/// The id of the entity with a name.
///
/// # Safety
/// Each pointer is NULL or what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hangtime_find(world: HangtimeWorld, name: *const c_char, id: *mut u32) -> HangtimeStatus {
    // SAFETY: the caller's.
    unsafe { number(world, ("id", id), |played| played.find(text("name", name)?)) }
}

/// All that is known about an entity, as JSON: its name, kind, model, mode, hook, the variables of its script and more, as
/// lines of traces have it.
///
/// # Safety
/// Each pointer is NULL or what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hangtime_entity(
    world: HangtimeWorld,
    id: u32,
    json: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> HangtimeStatus {
    // SAFETY: the caller's.
    unsafe { words(world, json, capacity, needed, |played| played.entity(id)) }
}

/// The present tick as a line of a trace, which is JSON: all entities, the variables of the level, and the events of the
/// tick.
///
/// # Safety
/// Each pointer is NULL or what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hangtime_line(
    world: HangtimeWorld,
    json: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> HangtimeStatus {
    // SAFETY: the caller's.
    unsafe { words(world, json, capacity, needed, |played| played.line()) }
}

/// The solids, where platforms are, and what scripts draw, as JSON: the result of `world.scene`.
///
/// # Safety
/// Each pointer is NULL or what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hangtime_scene(
    world: HangtimeWorld,
    json: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> HangtimeStatus {
    // SAFETY: the caller's.
    unsafe { words(world, json, capacity, needed, |played| played.scene()) }
}

/// The events of the last step, as a list in JSON: the first 100,000. Each has the fields that it has in traces.
///
/// # Safety
/// Each pointer is NULL or what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hangtime_events(
    world: HangtimeWorld,
    json: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> HangtimeStatus {
    // SAFETY: the caller's.
    unsafe { words(world, json, capacity, needed, |played| played.events()) }
}

/// What scripts have printed, and their errors, in the last step: a text for people.
///
/// # Safety
/// Each pointer is NULL or what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hangtime_messages(
    world: HangtimeWorld,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> HangtimeStatus {
    // SAFETY: the caller's.
    unsafe { words(world, text, capacity, needed, |played| Ok(played.messages())) }
}

/// Saves a world with the inputs that it has yet to play, as bytes for `hangtime_restore`.
///
/// # Safety
/// Each pointer is NULL or what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hangtime_snapshot(
    world: HangtimeWorld,
    bytes: *mut u8,
    capacity: usize,
    needed: *mut usize,
) -> HangtimeStatus {
    answer(|| {
        let saved = change(world, |played| Ok(played.world.snapshot()?))?;
        // SAFETY: the caller's.
        unsafe { fill("bytes", &saved, bytes, capacity, ("needed", needed)) }
    })
}

/// Continues with a snapshot of a world of the same level. If it is damaged or does not fit, the world stays as it was.
///
/// # Safety
/// Each pointer is NULL or what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hangtime_restore(world: HangtimeWorld, bytes: *const u8, size: usize) -> HangtimeStatus {
    answer(|| {
        // SAFETY: the caller's.
        let bytes = unsafe { list("bytes", bytes, size)? };
        change(world, |played| played.restore(bytes))
    })
}

/// Reads the files of the game again and continues under what they say now, with all state, and writes how many files have
/// changed. If files have mistakes, the world continues under the files as they were.
///
/// # Safety
/// Each pointer is NULL or what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hangtime_reload(world: HangtimeWorld, changed: *mut usize) -> HangtimeStatus {
    // SAFETY: the caller's.
    unsafe { number(world, ("changed", changed), |played| Ok(played.world.reload()?.len())) }
}

/// # Safety
/// The pointer is NULL or points to memory for the number.
unsafe fn number<T>(
    world: HangtimeWorld,
    (name, at): (&str, *mut T),
    work: impl FnOnce(&mut PlayedWorld) -> Result<T, Problem>,
) -> HangtimeStatus {
    // SAFETY: the caller's.
    answer(|| unsafe {
        let at = place(name, at)?;
        at.write(change(world, work)?);
        Ok(())
    })
}

/// # Safety
/// `text` is NULL or points to memory for `capacity` bytes, and `needed` is NULL or points to memory for their number.
unsafe fn words(
    world: HangtimeWorld,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
    write: impl FnOnce(&PlayedWorld) -> Result<String, Problem>,
) -> HangtimeStatus {
    answer(|| {
        let written = change(world, |played| write(played))?;
        // SAFETY: the caller's.
        unsafe { fill_text(&written, text, capacity, needed) }
    })
}
