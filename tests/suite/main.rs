//! Tests of the library, one file for each thing that is promised.

mod bad_files;
mod checks;
mod cli;
mod comfort;
mod determinism;
mod docs;
mod flicker;
mod folder;
mod geometry;
mod geometry_convex;
mod grabs;
mod limits;
mod platformer;
mod platforms;
mod playtests;
mod program;
mod pushes;
mod reload;
mod rest;
mod runs;
mod script_errors;
mod scripts;
mod stress;
mod support;
mod terrain;
mod two_velocity;
