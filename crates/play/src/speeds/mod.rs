//! How fast the functions of a game's scripts are: whether they are compiled, and what their calls take in its levels.

mod measure;
mod report;
mod table;

use super::*;
use hangtime_script::ListedFunction;

pub use measure::measure_functions;
pub use report::{FunctionSpeed, MeasuredCalls, ScriptSpeeds, SpeedReport};
pub use table::speed_table;
