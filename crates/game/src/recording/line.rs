//! The lines of a recording.

use super::{
    bounded::{self, RecordedFile},
    limits::{MOST_CHANGES, MOST_SETTINGS, MOST_TICKS, MOST_WORLD},
    rows::TickRows,
};
use crate::files::TuningChange;
use hangtime_core::sim::{SavedWorld, World};
use serde::{Deserialize, Serialize};
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};
use std::{collections::BTreeMap, io};

/// The version of the format.
pub const VERSION: u32 = 1;

/// What was played. The first line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordingHeader {
    /// The version of the format.
    pub run: u32,
    /// The version of hangtime that wrote it.
    pub hangtime: String,
    /// The level, by its path below the game folder.
    pub level: String,
    /// Ticks per second.
    pub tick_hz: u32,
    /// The seed of all random numbers.
    pub seed: u64,
}

/// How a revision begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RevisionStart {
    /// At the start of the level.
    Level,
    /// With the world that runs.
    Adopt,
    /// With another world, which the line holds: after a restart, a step back in time or a moved entity.
    World,
}

/// A saved world, as JSON text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RecordedWorld(Box<RawValue>);

impl PartialEq for RecordedWorld {
    fn eq(&self, other: &Self) -> bool {
        self.0.get() == other.0.get()
    }
}

impl RecordedWorld {
    /// Saves a world.
    pub(crate) fn of(world: &World) -> io::Result<Self> {
        let saved = Self(to_raw_value(world)?);
        let length = saved.length();
        if length > MOST_WORLD {
            let message = format!("the saved world takes {length} bytes, and a recording holds at most {MOST_WORLD}");
            return Err(io::Error::other(message));
        }
        Ok(saved)
    }

    /// The length of the text, bytes.
    pub(crate) fn length(&self) -> usize {
        self.0.get().len()
    }

    /// The world that was saved.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn read(&self) -> serde_json::Result<SavedWorld> {
        serde_json::from_str(self.0.get())
    }

    /// The values of the world, to compare them one by one.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn value(&self) -> serde_json::Result<Value> {
        serde_json::from_str(self.0.get())
    }
}

/// A revision that was accepted, or a world that was restored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedRevision {
    /// The number of the revision.
    pub revision: u64,
    /// The level, if it is not the header's: a script has begun to play another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// The number of ticks of the session before it.
    pub tick: u64,
    /// The hash of the world with which it begins, hexadecimal.
    pub hash: String,
    /// How it begins.
    pub start: RevisionStart,
    /// The settings of the command line.
    #[serde(deserialize_with = "bounded::list::<_, _, MOST_SETTINGS>")]
    pub settings: Vec<(String, String)>,
    /// The numbers of the tuning panel, which are in no file.
    #[serde(deserialize_with = "bounded::list::<_, _, MOST_CHANGES>")]
    pub changes: Vec<TuningChange>,
    /// The files that differ from the revision before; `None` for those that are gone.
    #[serde(deserialize_with = "bounded::files")]
    pub(crate) files: BTreeMap<String, Option<RecordedFile>>,
    /// The world with which it begins, if [`RevisionStart::World`] says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub world: Option<RecordedWorld>,
}

/// Some ticks in a row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RecordedTicks {
    /// The number of ticks of the session before them.
    pub from: u64,
    /// The inputs, each with the number of ticks that it lasts.
    #[serde(deserialize_with = "bounded::list::<_, _, MOST_TICKS>")]
    pub(crate) inputs: Vec<(u64, String)>,
    /// The hash of the world after each tick, 16 hexadecimal digits each.
    pub(crate) hashes: String,
    /// For each tick, the numbers of the entities that have moved.
    #[serde(deserialize_with = "bounded::moved")]
    pub(crate) moved: Vec<TickRows>,
    /// The world at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub world: Option<RecordedWorld>,
}

/// That the recording is complete. The last line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedEnd {
    /// The number of all ticks.
    pub end: u64,
    /// The hash of the world at the end, hexadecimal.
    pub hash: String,
}

/// A line after the header.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordingLine {
    /// A revision was accepted, or a world was restored.
    Revision(Box<RecordedRevision>),
    /// Ticks were made.
    Ticks(RecordedTicks),
    /// The recording is complete.
    End {
        /// The number of its ticks.
        ticks: u64,
        /// The hash of the world at its end.
        hash: u64,
    },
}

/// A hash as 16 hexadecimal digits.
pub fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

/// The hash that [`hex`] has written as this text.
pub fn from_hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text, 16).ok().filter(|hash| hex(*hash) == text)
}
