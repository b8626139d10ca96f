//! Serving worlds to other processes: clients, their worlds, and the wires between them.
//!
//! # What runs where
//!
//! Every client has a thread that reads its messages ([`client`]). It carries out a request itself if that is short and
//! the client waits for the answer: a step over stdin and stdout changes no thread. Everything else about a world goes to
//! the [`pool`], a thread for each processor that the worlds of all clients share.
//!
//! A [`WorldSlot`](world_slot::WorldSlot) is a world and the requests that wait for it, in order. It is carried out in
//! *turns*: one request, or one slice of a step. A slice ends between two ticks; then the slot goes to the end of the
//! pool's queue, so a long step keeps no other world from moving, and a cancellation is heard after every tick.
//!
//! | request | is carried out |
//! |---|---|
//! | `ClientRequest` | on the thread that reads it |
//! | `worlds.step` | in the pool, by all its threads, and by the thread that reads it if the client waits: see [`joint_step`] |
//! | `WorldRequest` | there as well if it is short and the client waits, otherwise in the pool |
//! | `DeskRequest`: `check`, `tests.*` | on the client's thread for the game, started with the first of them |
//! | `world.watch` | on the client's thread for pictures, started with the first of them |
//! | binary messages of the [`page`] | on the client's thread for the page, which has its engine |
//!
//! Worlds that follow the files share a thread that [watches](file_watch) them. It only leaves a note in the slot; the world
//! reads the files in its next turn.
//!
//! No thread of the pool ever waits for a client. Answers that a client does not read yet wait in its [`outbox`] and are
//! written by the client's sender thread. While too much waits there, the slots of that client are parked in the outbox
//! and its messages are not read.
//!
//! A `ClientLink` owns everything that belongs to one connection and drops it when the connection closes.

mod admission;
mod client;
mod condition;
mod describe;
mod desk;
mod file_watch;
mod filter;
mod inputs;
mod joint_step;
mod joint_view;
mod limits;
mod link;
mod listen;
mod outbox;
mod page;
mod pool;
mod queries;
mod reply;
mod requests;
mod running_world;
mod scene;
mod shared;
mod showcase;
mod side_thread;
mod sink;
mod step_view;
mod stepping;
mod subscription;
mod web;
mod websocket;
mod wire;
mod world_slot;

use super::*;
use crate::protocol::*;
use admission::*;
use base64::engine::general_purpose::STANDARD;
use client::*;
use condition::*;
use describe::*;
use file_watch::*;
use filter::*;
use hangtime_core::{
    geometry::grid::Bounds,
    sim::{Event, why::Watch},
};
use hangtime_game::{PageFiles, StepReport, ending_scripts};
use hangtime_page::PageEngine;
use inputs::*;
use joint_step::*;
use joint_view::*;
use jsonrpsee_types::Notification;
use limits::*;
use link::*;
use outbox::*;
use page::*;
use parking_lot::Condvar;
use pool::*;
use reply::*;
use running_world::*;
use shared::*;
use showcase::*;
use side_thread::*;
use sink::*;
use std::{
    collections::VecDeque,
    io::{Read, Write},
    net::{Shutdown, TcpStream},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        OnceLock, Weak,
        atomic::{AtomicBool, Ordering},
    },
    thread::Builder,
    time::Instant,
};
use step_view::*;
use stepping::*;
use subscription::*;
use tungstenite::{handshake::server::write_response, http::StatusCode, protocol::frame::coding::CloseCode};
use web::*;
use websocket::*;
use wire::*;
use world_slot::*;

pub use desk::{LONGEST_CHECK, check_paths, cores, paths_inside, plan_tests};
pub use filter::ObservationFilter;
pub use inputs::settings;
pub use limits::ServiceLimits;
pub use listen::Service;
pub use requests::OpenRequests;
pub use scene::*;
pub use shared::ServiceOptions;
pub use wire::{LineRead, LineReader};
