//! `wish`: which numbers bring a point of a run elsewhere.

use super::{
    level_run::{LevelRun, LevelRunArguments},
    *,
};
use hangtime_core::models::Action;
use hangtime_game::Revision;
use hangtime_play::{PathEntity, Wish, WishAnswer, WishAnswers, WishPath, WishPoint, WishSearch, aligned};
use hangtime_script::budget::interruptible;
use serde_json::json;

/// Arguments of `wish`.
#[derive(Args)]
pub struct WishArguments {
    /// Level to play
    level: String,
    /// Point to move: `apex` or `landing` of the highest flight, `letgo`, where the hook lets go, or `end`, where the input ends.
    /// `apex:2` and `landing:2` belong to the second flight. Can be repeated, each with a `--to`
    #[arg(long, value_name = "POINT", required = true, value_parser = wished_point)]
    at: Vec<WishedPoint>,
    /// Where it is wished, as `X,Y`. A coordinate that is left out may change, and `=` keeps it: `,208` is 208 px high
    /// anywhere, `=,208` exactly above where it is
    #[arg(long, value_name = "X,Y", required = true, allow_hyphen_values = true, value_parser = wished_place)]
    to: Vec<[WishedPlace; 2]>,
    #[command(flatten)]
    run: LevelRunArguments,
    /// Format of what is printed
    #[arg(long, value_enum, default_value_t = WishFormat::Table)]
    format: WishFormat,
    /// Number of threads [default: one for each processor]
    #[arg(short = 'j', long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u16>(1, 1024))]
    jobs: Option<u16>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum WishFormat {
    /// A table, the smallest change first
    Table,
    /// One JSON object
    Json,
}

/// A point as it is named on the command line; of the highest flight without a number.
#[derive(Clone, Copy)]
struct WishedPoint {
    point: fn(usize) -> WishPoint,
    /// Counted from 0.
    index: Option<usize>,
}

/// Where a coordinate is wished.
#[derive(Clone, Copy, PartialEq)]
enum WishedPlace {
    Anywhere,
    Same,
    At(f64),
}

fn wished_point(text: &str) -> Result<WishedPoint, String> {
    let (name, index) = text.split_once(':').map_or((text, None), |(name, index)| (name, Some(index)));
    let point: fn(usize) -> WishPoint = match name {
        "apex" => WishPoint::Apex,
        "landing" => WishPoint::Landing,
        "letgo" => WishPoint::LetGo,
        "end" if index.is_none() => |_| WishPoint::End,
        _ => return Err("write `apex`, `landing`, `letgo` or `end`, such as `apex` or `landing:2`".into()),
    };
    let wrong = || "after the `:` comes the number of a flight, from 1 on".to_string();
    let index = match index.map(str::parse::<usize>) {
        None => None,
        Some(Ok(number)) => Some(number.checked_sub(1).ok_or_else(wrong)?),
        Some(Err(_)) => return Err(wrong()),
    };
    Ok(WishedPoint { point, index })
}

fn wished_place(text: &str) -> Result<[WishedPlace; 2], String> {
    let wrong = || "write two coordinates in px, such as `420,208`, `,208` or `=,208`".to_string();
    let (x, y) = text.split_once(',').ok_or_else(wrong)?;
    let place = |text: &str| match text.trim() {
        "" => Ok(WishedPlace::Anywhere),
        "=" => Ok(WishedPlace::Same),
        number => match number.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(WishedPlace::At(number)),
            _ => Err(wrong()),
        },
    };
    Ok([place(x)?, place(y)?])
}

/// Runs the command and returns the exit code.
pub fn wish(folder: GameFolder, arguments: &WishArguments) -> Exit {
    let project = Project::load(folder)?;
    if arguments.at.len() != arguments.to.len() {
        return Err(refused("--to", "each `--at` needs one `--to`, in the same order"));
    }
    if arguments.to.iter().flatten().all(|place| *place == WishedPlace::Anywhere) {
        return Err(refused("--to", "nothing is wished: at least one coordinate is needed"));
    }
    let run = arguments.run.open(&project, &arguments.level)?;
    let LevelRun { revision, track, ticks, seed, entity: name, .. } = run;
    let start = revision.stage.starts.iter().find(|start| start.name == name);
    let (profile, player) = start.map_or((0, 1), |start| (start.profile, start.player.unwrap_or(1)));
    let interrupt = Interrupt::watch();
    let stopped = move || interrupt.arrived();
    let play = |revision: &Arc<Revision>, wanted: &[WishPoint]| {
        let entity = PathEntity {
            index_in: &|world| world.entities().iter().position(|entity| entity.name == name),
            holds_jump: &|inputs| inputs.player(player).held.has(Action::Jump),
        };
        let input = |tick| (tick < ticks).then(|| track.at(tick));
        let live = Live::new(revision.clone(), seed);
        let asked = stopped.clone();
        let (path, is_cut) = interruptible(asked, || WishPath::play(live, &entity, input, wanted, &stopped));
        path.filter(|_| !is_cut)
    };
    let missing = || refused(&arguments.level, format!("the run has no entity `{}`", printable_name(&name)));
    let Some(now) = play(&revision, &[]) else {
        return if stopped() { Ok(INTERRUPTED) } else { Err(missing()) };
    };
    let wishes = wishes(arguments, &now).map_err(|message| refused("--at", message))?;
    let threads = job_count(arguments.jobs);
    let search = WishSearch { revision: &revision, profile, wishes: &wishes, play, threads };
    let Some(found) = search.answers() else {
        tell("interrupted: the search has not ended");
        return Ok(INTERRUPTED);
    };
    let found = found.map_err(|message| refused("--at", message))?;
    match arguments.format {
        WishFormat::Table => say(table(&name, &wishes, &found)),
        WishFormat::Json => say_json(&as_json(&name, &wishes, &found)),
    }
    Ok(SUCCESS)
}

/// What is wished, in px.
fn wishes(arguments: &WishArguments, now: &WishPath) -> Result<Vec<Wish>, String> {
    let pairs = arguments.at.iter().zip(&arguments.to);
    let wish = |(at, to): (&WishedPoint, &[WishedPlace; 2])| {
        let point = (at.point)(
            at.index
                .or_else(|| match (at.point)(0) {
                    WishPoint::Apex(_) | WishPoint::Landing(_) => now.highest_flight(),
                    WishPoint::LetGo(_) | WishPoint::End => None,
                })
                .unwrap_or(0),
        );
        let spot = now.spot(point).ok_or_else(|| {
            let known: Vec<String> = now.spots.iter().map(|spot| spot.point.words()).collect();
            format!("the path has no {}; it has: {}", point.words(), known.join(", "))
        })?;
        let place = |to: WishedPlace, at: f64| match to {
            WishedPlace::Anywhere => None,
            WishedPlace::Same => Some(at),
            WishedPlace::At(to) => Some(to),
        };
        Ok(Wish { point, to: [place(to[0], spot.at.x), place(to[1], spot.at.y)] })
    };
    pairs.map(wish).collect()
}

/// Where an answer brings the wished points: `apex at (10, 208)`.
fn places(wishes: &[Wish], path: &WishPath) -> String {
    let spots = wishes.iter().filter_map(|wish| path.spot(wish.point));
    let spots = spots.map(|spot| format!("{} at ({}, {})", spot.point.words(), brief(spot.at.x), brief(spot.at.y)));
    spots.collect::<Vec<_>>().join(", ")
}

fn table(name: &str, wishes: &[Wish], found: &WishAnswers) -> String {
    let (moving, plays) = found.tried;
    let mut text = format!("`{}`: {}", printable_name(name), places(wishes, &found.now));
    let all = match (&*found.answers, &found.nearest) {
        ([], None) if plays <= 1 => return text + ", as wished",
        ([], None) => {
            return format!("{text}\nno number brings it nearer; {moving} of them move it, in {plays} runs");
        }
        ([], Some(nearest)) => {
            text +=
                &format!("\nno change of up to 10 times brings it there; the nearest is {} px off", brief(nearest.off));
            std::slice::from_ref(nearest)
        }
        (answers, _) => answers,
    };
    let mut rows = Vec::new();
    for (index, answer) in all.iter().enumerate() {
        for (row, change) in answer.changes.iter().enumerate() {
            let (number, first) = (&change.number, row == 0);
            rows.push(vec![
                if first { format!("{}", index + 1) } else { String::new() },
                number.path(),
                format!("{} → {} {}", number.value, change.value, number.unit).trim_end().into(),
                format!("{:+.1} %", percent(answer, row)),
                if first { places(wishes, &answer.path) } else { String::new() },
            ]);
        }
    }
    format!("{text}\n{}", aligned(&["", "", "", "", ""], rows, |_| true).join("\n"))
}

/// By how much a number changes, %; in points for one that is 0.
fn percent(answer: &WishAnswer, row: usize) -> f64 {
    let change = &answer.changes[row];
    let size = if change.number.value == 0.0 { 1.0 } else { change.number.value };
    (change.value - change.number.value) / size * 100.0
}

fn as_json(name: &str, wishes: &[Wish], found: &WishAnswers) -> serde_json::Value {
    let spots = |path: &WishPath| -> Vec<serde_json::Value> {
        let spots = wishes.iter().filter_map(|wish| path.spot(wish.point));
        spots
            .map(|spot| json!({ "point": spot.point.words(), "at": [spot.at.x, spot.at.y], "time": spot.time }))
            .collect()
    };
    let answer = |answer: &WishAnswer| {
        let changes = answer.changes.iter().map(|change| {
            let number = &change.number;
            json!({ "key": number.path(), "from": number.value, "to": change.value, "unit": number.unit })
        });
        let changes: Vec<_> = changes.collect();
        json!({ "changes": changes, "off": answer.off, "size": answer.size, "points": spots(&answer.path) })
    };
    let answers: Vec<_> = found.answers.iter().map(answer).collect();
    json!({
        "entity": name, "points": spots(&found.now), "answers": answers, "nearest": found.nearest.as_ref().map(answer),
        "numbers": found.tried.0, "runs": found.tried.1,
    })
}

/// A number with three digits after the point at most.
fn brief(number: f64) -> String {
    ((number * 1e3).round() / 1e3 + 0.0).to_string()
}
