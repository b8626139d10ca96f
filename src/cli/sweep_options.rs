//! The arguments of `sweep`.

use super::output::{setting, whole};
use clap::{Args, ValueEnum};
use hangtime_play::{Partition, SweepGoal, VariedKey};
use std::path::PathBuf;

/// Arguments of `sweep`.
#[derive(Args)]
pub struct SweepArguments {
    /// Level to play
    pub(super) level: String,
    /// Input file with the players' actions [default: the level's demo]
    #[arg(long, value_name = "FILE")]
    pub(super) input: Option<String>,
    /// Setting to vary, with its values: from, to and step, or a list such as
    /// simulation.tick_hz=30,60,120; repeat it to vary several together. `seed` is the random seed
    #[arg(long, required = true, value_name = "KEY=FROM..TO:STEP", value_parser = VariedKey::parse)]
    pub(super) vary: Vec<VariedKey>,
    /// Expression to measure at the end of each run, such as hero.x or highest(hero); can be repeated
    /// [default: where the players are]
    #[arg(long, value_name = "[NAME=]EXPR", allow_hyphen_values = true)]
    pub(super) measure: Vec<String>,
    /// Condition that a run must meet to pass, such as 'hero.x > 300'; finds the values at which runs
    /// begin to pass
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(super) pass: Option<String>,
    /// Find the run with the largest value of this expression
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true, conflicts_with = "minimize")]
    pub(super) maximize: Option<String>,
    /// Find the run with the smallest value of this expression
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(super) minimize: Option<String>,
    /// Print only what was found, without the table
    #[arg(long)]
    pub(super) find: bool,
    /// Number of threads [default: one for each processor]
    #[arg(short = 'j', long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole::<u16>(1, 1024))]
    pub(super) jobs: Option<u16>,
    /// Number of ticks of each run [default: the length of the input or demo, else 600]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    pub(super) ticks: Option<u64>,
    /// Random seed of all runs [default: the seed of the input file, else 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    pub(super) seed: Option<u64>,
    /// Override a setting in all runs, such as platformer.jump_speed=600; can be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    pub(super) set: Vec<(String, String)>,
    /// Write the table as CSV
    #[arg(long, value_name = "FILE")]
    pub(super) csv: Option<PathBuf>,
    /// Draw the measures over one or two varied settings, with the values that pass
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,
    /// Format of what is printed
    #[arg(long, value_enum, default_value_t = SweepFormat::Table)]
    pub(super) format: SweepFormat,
    /// Write each run to FILE as a line of JSON as soon as it has ended; `merge` joins the files of
    /// several machines
    #[arg(long, value_name = "FILE")]
    pub(super) results: Option<PathBuf>,
    /// Play only one part of the runs, such as slice:2/7 for the second of seven parts
    #[arg(long, value_name = "slice:K/N", value_parser = Partition::parse)]
    pub(super) partition: Option<Partition>,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum SweepFormat {
    /// A table, then what was found
    Table,
    /// One JSON object
    Json,
}

impl SweepArguments {
    /// What to maximize or minimize.
    pub(super) fn best(&self) -> Option<(SweepGoal, String)> {
        let goal = |goal, text: &Option<String>| text.clone().map(|text| (goal, text));
        let most = goal(SweepGoal::Maximize, &self.maximize);
        most.or_else(|| goal(SweepGoal::Minimize, &self.minimize))
    }

    /// The number of threads to play on.
    pub(super) fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(all, usize::from)
    }
}
