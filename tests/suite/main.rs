//! Tests of the library, one file for each thing that is promised.

mod platformer;
mod support;
mod two_velocity;
