//! Tests of the library, one file for each thing that is promised.

mod folder;
mod platformer;
mod scripts;
mod support;
mod two_velocity;
