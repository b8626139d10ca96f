//! The run of a level that `blame` and `wish` look at: its input, its settings and the entity in question.

use super::*;
use hangtime_game::{Revision, Variants};
use hangtime_play::MomentRun;

/// The length of a run without `--ticks`, input or demo.
const DEFAULT_TICKS: u64 = 600;

/// Arguments that choose a run of a level.
#[derive(Args)]
pub struct LevelRunArguments {
    /// Input file with the players' actions [default: the level's demo]
    #[arg(long, value_name = "FILE")]
    input: Option<String>,
    /// Entity that is looked at [default: the first player's]
    #[arg(long, value_name = "NAME")]
    entity: Option<String>,
    /// Number of ticks [default: the length of the input or demo, else 600]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    ticks: Option<u64>,
    /// Override a setting, such as platformer.jump_speed=600; can be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
    /// Random seed [default: the seed of the input file, else 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    seed: Option<u64>,
}

/// A run of a level, ready to be played as often as needed.
pub struct LevelRun {
    /// The files, to be built with other settings.
    pub variants: Variants,
    pub revision: Arc<Revision>,
    pub track: Track,
    pub ticks: u64,
    pub seed: u64,
    pub entity: Arc<str>,
}

impl LevelRunArguments {
    /// Opens the run. Where the input file and the command line set the same number, the command line wins.
    pub fn open(&self, project: &Project, name: &str) -> Result<LevelRun, Error> {
        let input = input_of(project, self.input.as_ref())?;
        let level = project.find_level(name)?;
        let variants = Variants::read(project.folder(), &level)?;
        let with_input = |input: &Option<InputScript>| {
            let of_input = input.as_ref().map_or(&[][..], |input| input.settings.as_slice());
            [of_input, self.set.as_slice()].concat()
        };
        let mut revision = variants.build(&with_input(&input))?;
        let input = input.or_else(|| revision.demo.clone());
        if input.as_ref().is_some_and(|input| !input.settings.is_empty()) {
            revision = variants.build(&with_input(&input))?;
        }
        warn(&revision.warnings);
        let entity =
            MomentRun::entity_of(&revision.stage, self.entity.as_deref()).map_err(|message| refused(name, message))?;
        let track = input.as_ref().map(|input| input.track_in(&revision.stage));
        Ok(LevelRun {
            variants,
            ticks: self.ticks.unwrap_or(track.as_ref().map_or(DEFAULT_TICKS, Track::length)),
            track: track.unwrap_or_default(),
            seed: self.seed.or(input.and_then(|input| input.seed)).unwrap_or(0),
            entity,
            revision: Arc::new(revision),
        })
    }
}
