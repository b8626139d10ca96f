//! Sweeps: one run of a level for each combination of some settings, measured and compared.
//!
//! [`ParameterSweep`] opens a level and plays runs of a [`SweepPlan`], on any thread and in any order. Each
//! run's measurements are a [`SweepRow`]. All rows together give the edges between passing and failing values
//! ([`pass_edges`]), the best values ([`sweep_best`]), and the table and plot of a [`SweepReport`].

mod edges;
mod json;
mod pass_test;
mod plan;
mod plot;
mod questions;
mod record;
mod report;
mod row;
mod session;
mod table;
mod unaffected;
mod varied;

pub use edges::{PassEdge, PassEdges, pass_edges};
pub use json::sweep_json;
pub(crate) use pass_test::named_cases;
pub use plan::SweepPlan;
pub use plot::{plot_refusal, sweep_svg};
pub use questions::{SweepAsks, SweepColumn, SweepGoal};
pub use record::{sweep_header, sweep_record};
pub use report::{SweepBest, SweepReport, play_sweep, sweep_best};
pub use row::{RunFailure, SweepRow};
pub use session::{ParameterSweep, SweepRequest};
pub use table::SweepTable;
pub use varied::{MOST_RUNS, VariedKey, VariedValue};

use super::*;
use crate::{game::TestGame, numbers::with_places};
use hangtime_script::ExpressionError;
use questions::{SweepAnswers, SweepQuestions};
use row::{MOST_TEXT, on_plot, short_text, whole_text};
use serde_json::Value;
use table::{BEST, MEASURES};
use unaffected::{unaffected as unaffected_keys, unit_of_key};
use varied::is_seed;
