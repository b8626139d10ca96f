//! The feel of a kind in numbers: how high, how far, how fast. Each number is measured by playing the
//! kind alone on ground that is made for it.

mod arc;
mod between_ticks;
mod blame;
mod contracts;
mod dash;
mod dash_plot;
mod expected;
mod ground;
mod kind_measure;
mod lab;
mod plot;
mod spelling;
mod subject;
mod tuned_contracts;

pub use arc::{ArcPoint, FeelArc};
pub use contracts::{BrokenKind, FeelContract, FoundContract, contracts_at};
pub use dash::FeelDash;
pub use dash_plot::{DashPlot, plot_dashes};
pub use expected::contracts_for;
pub use kind_measure::{FeelPlace, ModelMeasure, feel_sheet, measure_kind};
pub use lab::{FeelSheet, Measured};
pub use plot::{ArcPlot, plot_arcs};
pub use spelling::{spell_list, spell_measure, spell_number, spell_place, spell_sheet};
pub use subject::{FeelSample, Unmeasured};
pub use tuned_contracts::{ContractNumber, TunedContracts, TunedKind};

use super::*;
use arc::{FeelSprint, LONGEST, NEVER_RESTS, RESTING, STEADY, jump, settle, sprint, stop};
use between_ticks::TickOfArc;
use blame::Suspects;
use contracts::{at_rates, holds, verdict};
use dash::dash;
use ground::{FARTHEST_GROUND, FeelGround, START, way_up};
use hangtime_core::{
    level::View,
    models::{Action, ModelName, ballistic::PlanError},
    sim::PlannedJump,
};
use hangtime_game::{
    KindBench, KindFile,
    files::{FeelBound, FeelMemory, FeelQuantity, RememberedModel},
};
use hangtime_script::budget::is_interrupted;
use kind_measure::{MeasureOrder, contract_rates, measure_model, tap};
use lab::{measure, measure_each};
use subject::{FeelRun, FeelSubject, LEAVES};
