//! Tests of the program and of the game in this repository, one file per topic.

mod api;
mod api_reference;
#[path = "../support/backward.rs"]
mod backward;
mod bounded;
mod bounded_lists;
mod budgets;
mod chaos;
#[path = "../../fuzz/bodies/chaos.rs"]
mod chaos_game;
mod check_scripts;
mod check_table;
mod checks;
mod cli;
#[path = "../support/common.rs"]
mod common;
mod determinism;
#[path = "../../fuzz/bodies/dice.rs"]
mod dice;
mod docs;
mod editor;
mod editor_client;
mod editor_mods;
mod editor_session;
mod execution;
mod executors;
mod feel;
mod feel_contracts;
mod feel_edges;
#[path = "../support/folder.rs"]
mod folder;
mod golden_differences;
mod golden_game;
mod golden_traces;
mod goldens;
#[expect(dead_code, reason = "shared with the tests of other crates")]
#[path = "../support/ground.rs"]
mod ground;
mod guide;
mod habits;
mod heavy;
#[cfg(target_os = "linux")]
mod interruptions;
mod kept;
mod kept_files;
mod ldtk;
#[path = "../support/ledge.rs"]
mod ledge;
mod level_changes;
#[path = "../support/maps.rs"]
mod maps;
mod merges;
mod merges_mutated;
mod merges_refused;
mod merges_sweep;
mod mod_example;
mod mod_rates;
mod mod_script_mistakes;
mod mod_scripts;
mod mods;
mod mods_broken;
mod mods_edges;
mod mods_example;
mod mods_gone;
mod mods_live;
mod mods_order;
mod moments;
#[path = "../support/named_game.rs"]
mod named_game;
mod new;
mod outputs;
mod outside;
mod own_actions;
mod packages;
mod pictures;
mod playtest_idle;
mod playtest_moments;
mod playtest_sight;
mod playtests;
mod prices;
mod prices_rows;
mod profiles;
mod program;
#[path = "../support/projects.rs"]
mod projects;
mod reachable;
mod recipes;
mod recordings;
mod recordings_inputs;
mod recordings_links;
mod recordings_program;
mod recordings_sizes;
mod results_files;
mod runs;
mod set_by_script;
#[path = "../support/sheets.rs"]
mod sheets;
mod sound_files;
mod sounds;
mod speed_page;
#[path = "../../examples/speed/tables.rs"]
mod speed_tables;
mod speeds;
mod sweeps;
mod sweeps_case;
mod sweeps_files;
mod sweeps_wrong;
mod test_choices;
mod test_filters;
mod test_outside;
mod test_reports;
mod test_runs;
mod test_tables;
mod test_views;
mod test_watching;
mod tiled_exports;
mod tiled_pictures;
mod tiles;
mod torn;
mod upgrades;
#[expect(dead_code, reason = "shared with the tests of other crates")]
#[path = "../support/watched.rs"]
mod watched;
mod web;
mod why_once;
mod why_shown;
#[expect(dead_code, reason = "shared with the tests of other crates")]
#[path = "../support/workbench_case.rs"]
mod workbench_case;
