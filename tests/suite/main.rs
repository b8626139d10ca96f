//! Tests of the library, one file for each thing that is promised.

mod bad_files;
mod cli;
mod determinism;
mod docs;
mod folder;
mod geometry;
mod platformer;
mod pushes;
mod reload;
mod scripts;
mod stress;
mod support;
mod two_velocity;
