//! Worlds that other programs drive: in the same process, and with messages.

mod clients;
#[allow(dead_code)]
#[path = "../../fuzz/bodies/dice.rs"]
mod dice;
mod endings;
mod errors;
mod filters;
#[allow(dead_code)]
#[path = "../suite/folder.rs"]
mod folder;
mod judging;
mod lent;
mod messages;
mod mutated;
mod protocol;
mod requests;
mod saved;
mod schema;
mod session;
mod sockets;
mod watching;
mod web;
mod worlds;
