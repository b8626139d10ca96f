//! Serving worlds to other processes: clients, their worlds' threads, and the wires between them.
//!
//! Each client has a thread that reads its messages (`client`), and each of its worlds a thread that carries them out in
//! order (`job_thread`, `room_work`). The thread that has an answer writes it; another thread of the client sends what
//! has to wait (`outbox`).

mod admission;
mod client;
mod client_rooms;
mod describe;
mod desk;
mod duplex;
mod filter;
mod inputs;
mod job_thread;
mod limits;
mod lines;
mod listen;
mod outbox;
mod queries;
mod reply;
mod room;
mod room_work;
mod scene;
mod shared;
mod showcase;
mod sink;
mod step_view;
mod stepping;
mod subscription;
mod waiting;
mod watching;
mod web;
mod websocket;
mod wire;

pub use limits::ServiceLimits;
pub use listen::Service;
pub use shared::ServiceOptions;
