//! Checks what Cargo cannot see: cycles between the files of a crate, what must not appear where, and how things are
//! named. A violation is reported with its rule, file and line.

mod cycles;
mod graph;
mod lines;
mod models;
mod module;
mod names;
mod places;
mod source;
mod top;
mod words;
