//! The plan of the house, checked: which file may use which, what must not appear where, how long
//! things may be, and how they are named. A violation is reported with its rule, file and line.

mod circles;
mod floors;
mod graph;
mod lines;
mod models;
mod names;
mod places;
mod sizes;
mod source;
mod words;
