//! Worlds that other programs drive: in the same process, and with messages.

#[allow(dead_code)]
#[path = "../suite/folder.rs"]
mod folder;
mod worlds;
