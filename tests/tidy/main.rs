//! Checks the architecture: which file may use which, what must not appear where, how long things
//! may be, and how they are named. A violation is reported with its rule, file and line.

mod cycles;
mod graph;
mod layers;
mod lines;
mod models;
mod module;
mod names;
mod places;
mod sizes;
mod source;
mod words;
