//! `blame`: which numbers a moment of a run depends on.

use super::{
    level_run::{LevelRun, LevelRunArguments},
    test_blame::blame_test,
    *,
};
use hangtime_play::{Dependence, MomentPlace, MomentRun, RunMoment, aligned};
use serde_json::json;

/// Arguments of `blame`.
#[derive(Args)]
pub struct BlameArguments {
    /// Level to play
    #[arg(required_unless_present = "test", conflicts_with = "test")]
    level: Option<String>,
    /// Test that fails, as in `levels/tests/gap.rhai::test_gap`: shows what the failure depends on, and which change of one
    /// number would make the test pass
    #[arg(long, value_name = "NAME", conflicts_with_all = ["at", "input", "entity", "ticks", "set", "seed"])]
    test: Option<String>,
    /// What is looked at: `apex`, where the body is highest in the air, `landing`, where it lands after that, or the
    /// number of a tick
    #[arg(long, visible_alias = "tick", value_name = "MOMENT", value_parser = RunMoment::parse,
          required_unless_present = "test")]
    at: Option<RunMoment>,
    #[command(flatten)]
    run: LevelRunArguments,
    /// Format of what is printed
    #[arg(long, value_enum, default_value_t = BlameFormat::Table)]
    format: BlameFormat,
    /// Number of threads [default: one for each processor]
    #[arg(short = 'j', long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u16>(1, 1024))]
    jobs: Option<u16>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum BlameFormat {
    /// A table, the strongest number first
    Table,
    /// One JSON object
    Json,
}

/// Runs the command and returns the exit code.
pub fn blame(folder: GameFolder, arguments: &BlameArguments) -> Exit {
    let project = Project::load(folder)?;
    if let Some(test) = &arguments.test {
        return blame_test(&project, test, arguments.jobs, arguments.format == BlameFormat::Json);
    }
    let (Some(level), Some(moment)) = (&arguments.level, arguments.at) else {
        return Err(refused("--at", "name a level and a moment in it, or a test with --test"));
    };
    let run = open(&project, arguments, level, moment)?;
    let place = run.place().map_err(|message| refused("--at", message))?;
    let interrupt = Interrupt::watch();
    let stopped = move || interrupt.arrived();
    let found = run.dependences(&place, job_count(arguments.jobs), &stopped);
    match arguments.format {
        BlameFormat::Table => say(table(&run, &place, &found)),
        BlameFormat::Json => {
            let numbers = found.iter().map(|one| {
                let (number, slope) = (&one.number, one.slope);
                json!({
                    "key": number.key, "value": number.value, "unit": number.unit, "x": slope.x, "y": slope.y,
                    "per_percent": one.effect(), "abrupt": one.abrupt,
                })
            });
            let numbers: Vec<_> = numbers.collect();
            let at = [place.at.x, place.at.y];
            say_json(&json!({ "entity": &*run.entity, "tick": place.tick, "at": at, "numbers": numbers }));
        }
    }
    if stopped() {
        tell("interrupted: not all numbers were varied");
        return Ok(INTERRUPTED);
    }
    Ok(SUCCESS)
}

fn open(
    project: &Project,
    arguments: &BlameArguments,
    level_name: &str,
    moment: RunMoment,
) -> Result<MomentRun, Error> {
    let LevelRun { variants, revision, track, ticks, seed, entity } = arguments.run.open(project, level_name)?;
    Ok(MomentRun { variants: Arc::new(variants), revision, track, seed, ticks, entity, moment })
}

fn table(run: &MomentRun, place: &MomentPlace, found: &[Dependence]) -> String {
    let what = match run.moment {
        RunMoment::Apex => "the apex".into(),
        RunMoment::Landing => "the landing".into(),
        RunMoment::Tick(tick) => format!("tick {tick}"),
    };
    let (x, y) = (brief(place.at.x), brief(place.at.y));
    let name = printable_name(&run.entity);
    let mut text = format!("{what} of `{name}`, at ({x}, {y}) in tick {}", place.tick);
    if found.is_empty() {
        return text + ", depends on no number of it";
    }
    text += ", depends on\n";
    let rows = found.iter().map(|one| {
        let Dependence { number, slope, abrupt } = one;
        let unit = if number.unit.is_empty() {
            "px".into()
        } else {
            format!("px per {}", number.unit)
        };
        vec![
            format!("  {}", number.key),
            format!("{} {}", number.value, number.unit).trim_end().into(),
            brief(slope.x),
            brief(slope.y),
            unit,
            brief(one.effect()),
            if *abrupt { "abruptly".into() } else { String::new() },
        ]
    });
    let titles = ["", "", "x", "y", "", "px for 1 %", ""];
    text + aligned(&titles, rows, |column| [0, 4, 6].contains(&column)).join("\n").as_str()
}

/// A number with four digits after the point at most.
fn brief(number: f64) -> String {
    ((number * 1e4).round() / 1e4 + 0.0).to_string()
}
