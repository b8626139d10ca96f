//! Game folders: files, scripts and maps read and played, reloads and messages.

mod api_calls;
mod api_language;
mod bad_files;
mod builds;
#[expect(dead_code, reason = "shared with the tests of other crates")]
#[path = "../../../../tests/support/cast.rs"]
mod cast;
#[path = "../../../../tests/support/common.rs"]
mod common;
mod compiled;
mod compiled_layers;
mod crowds;
#[path = "../../../../tests/support/doors.rs"]
mod doors;
mod edited_levels;
mod feel_files;
#[expect(dead_code, reason = "shared with the tests of other crates")]
#[path = "../../../../tests/support/folder.rs"]
mod folder;
#[cfg(unix)]
mod folder_links;
mod grabs;
#[expect(dead_code, reason = "shared with the tests of other crates")]
#[path = "../../../../tests/support/ground.rs"]
mod ground;
mod half_saves;
mod judgements;
mod jumps;
mod ldtk;
mod ldtk_errors;
mod ldtk_live;
#[expect(dead_code, reason = "shared with the tests of other crates")]
#[path = "../../../../tests/support/leaper.rs"]
mod leaper;
#[path = "../../../../tests/support/ledge.rs"]
mod ledge;
mod level_cache;
mod level_restarts;
mod limits;
mod lives;
#[path = "../../../../tests/support/maps.rs"]
mod maps;
mod memory_game;
mod messages;
mod messages_table;
mod model_refusals;
mod new_names;
mod numbered_files;
mod numerals;
mod orders;
mod overrides;
mod own_jumps;
mod pace;
mod players;
mod prices_sizes;
#[path = "../../../../tests/support/projects.rs"]
mod projects;
mod pushes;
mod quarantine;
mod rates;
mod rates_case;
mod rates_compare;
mod rates_room;
mod rates_run;
mod rates_shrink;
mod recorded_inputs;
mod recording_limits;
mod reload;
mod rest;
mod routes;
mod saved_tuning;
mod script_errors;
mod scripts;
mod second_language;
mod sizes;
mod slow_time;
mod space;
mod switches_held;
mod tiled;
mod tiled_errors;
mod tiled_live;
mod upgrades;
#[path = "../../../../tests/support/watched.rs"]
mod watched;
mod why;
mod why_refused;
#[cfg(not(feature = "lua"))]
mod without_lua;
