//! Hot reload without a thread or a clock: what [`Reloader`](super::Reloader) runs on its thread, for programs that step it
//! themselves.

pub use super::{
    build::deadline::DEADLINE,
    reload::{
        calm::{CALM, ContentHashes, LONGEST, SETTLE},
        half::Files,
        machine::*,
    },
};
