//! The tools to judge an edit, frame by frame.

#[expect(dead_code, reason = "shared with the tests of other crates")]
#[path = "../../../../tests/support/folder.rs"]
mod folder;
mod frame;
mod keys;
mod latch;
mod level_menu;
mod measures;
mod memory;
mod moment;
mod motion;
mod pads;
mod recordings_sessions;
mod tape;
mod workbench_blame;
#[path = "../../../../tests/support/workbench_case.rs"]
mod workbench_case;
mod workbench_compare;
mod workbench_contracts;
mod workbench_drawing;
mod workbench_edits;
mod workbench_fan;
mod workbench_film;
mod workbench_fit;
mod workbench_ghosts;
mod workbench_level;
mod workbench_mouse;
mod workbench_plots;
mod workbench_reachable;
mod workbench_sections;
mod workbench_strip;
mod workbench_strip_files;
mod workbench_time;
mod workbench_times;
mod workbench_tuning;
