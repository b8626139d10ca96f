//! Physics: numbers computed from formulas, at several tick rates, and geometry against slow, simple algorithms.

#[path = "../../../../tests/support/backward.rs"]
mod backward;
mod ballistic;
mod ballistic_landings;
mod broken_tiles;
mod carriers;
#[path = "../../../../tests/support/cast.rs"]
mod cast;
mod changes;
mod comfort;
#[path = "../../../../tests/support/common.rs"]
mod common;
mod crates;
mod created_solids;
mod crowds;
mod cuts;
#[path = "../../../../tests/support/doors.rs"]
mod doors;
mod flicker;
mod geometry;
mod geometry_convex;
#[path = "../../../../tests/support/ground.rs"]
mod ground;
mod hooks;
mod hops;
mod in_a_row;
mod inverted;
mod joints;
#[path = "../../../../tests/support/leaper.rs"]
mod leaper;
mod lifts;
mod mixed;
mod one_ways;
mod own_jumps;
mod plans;
mod platformer;
mod platforms;
mod presses;
mod pushes_up;
mod rate_errors;
mod rooms;
mod rotations;
mod routes;
mod saved_worlds;
mod sent_solids;
mod shapes;
mod slippery;
mod slopes;
mod stances;
mod stress;
mod surround;
mod sweep_edges;
mod switches;
mod terrain;
mod terrain_slivers;
mod throws;
mod time_scale;
mod topdown;
mod topdown_heights;
mod touches;
mod turns;
mod two_velocity;
mod two_velocity_top;
mod vessel;
mod vessel_contacts;
mod vessel_crushed;
mod vessel_drops;
mod vessel_external;
mod vessel_rates;
mod vessel_steering;
mod vessel_steps;
mod vessel_surfaces;
mod vessel_zones;
mod wall_slides;
mod wedged;
mod zone_borders;
mod zones;
