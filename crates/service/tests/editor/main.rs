//! Sessions of an editor with the language server, without pipes.

#[path = "../../../../tests/suite/check_table.rs"]
mod check_table;
mod client;
mod cost;
mod edges;
mod fixes;
#[expect(dead_code, reason = "shared with the tests of other crates")]
#[path = "../../../../tests/support/folder.rs"]
mod folder;
mod formatting;
mod inlay;
#[path = "../../../../tests/support/named_game.rs"]
mod named_game;
mod names;
mod words;
