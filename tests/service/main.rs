//! Worlds that other programs drive: in the same process, and with messages.

mod assistant;
mod assistants;
mod clients;
#[expect(dead_code, reason = "shared with the fuzz targets")]
#[path = "../../fuzz/bodies/dice.rs"]
mod dice;
mod earlier;
mod endings;
mod errors;
mod filters;
#[expect(dead_code, reason = "shared with the suite")]
#[path = "../support/folder.rs"]
mod folder;
mod judging;
mod many_worlds;
mod messages;
mod mutated;
mod openrpc;
mod outside;
mod page;
mod playing;
mod protocol;
mod requests;
mod saved;
mod saved_files;
mod schema;
mod session;
mod sockets;
mod strangers;
mod threads;
mod watching;
mod web;
mod worlds;
