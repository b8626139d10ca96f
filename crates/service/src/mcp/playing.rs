//! `run_level`.

use super::*;
use hangtime_core::sim::why::Watch;
use hangtime_draw::Overlays;
use hangtime_play::{Film, FilmOptions, SharedBytes, WhyTarget, WhyWriter, run, write_png};
use hangtime_script::Tally;

/// Arguments of `run_level`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunLevelParams {
    /// The level, by its name or its path below the game folder.
    level: String,
    /// What the players hold, as the text of an input file. Each line is a number of ticks, or of seconds as in `0.5s`, and
    /// the actions held during them: `30 right`, then `10 right jump`, then `60`. `20 p2.left` is the second player.
    #[serde(default)]
    inputs: String,
    /// Settings that override the files, such as `{"platformer.jump_speed": 600}`.
    #[serde(default)]
    settings: BTreeMap<String, Json>,
    /// How many ticks to play, at most 36000. Without it, as many as `inputs` has, or 120.
    #[serde(default, deserialize_with = "whole_if_any")]
    ticks: Option<u64>,
    /// The seed of all random numbers.
    #[serde(default, deserialize_with = "whole")]
    seed: u64,
    /// Show only the entities with these names, and their events.
    entities: Option<Vec<String>>,
    /// Show only these members of each entity: id, name, kind, model, mode, pos, vel, external, angle, spin, grounded,
    /// facing, surface, hook, feet, vars, layers, size, stance.
    fields: Option<Vec<String>>,
    /// Trace every nth tick: 1 is every tick. Choose `entities` and `fields`, or it will be cut.
    #[serde(default, deserialize_with = "whole_if_any")]
    every: Option<u64>,
    /// Explain why these entities moved, and why a jump or a hook was refused: `hero` for each tick with more than plain
    /// motion, `hero@62` for one tick.
    #[serde(default)]
    why: Vec<String>,
    /// Show pictures of these ticks, at most 4. Tick 0 is the start.
    #[serde(default, deserialize_with = "whole_list")]
    pictures: Vec<u64>,
    /// Show the run as a GIF, of at most 1200 ticks.
    #[serde(default)]
    film: bool,
}

/// The most ticks of a run, and of one that is filmed.
const MOST_RUN: u64 = 36_000;
const MOST_FILMED: u64 = 1_200;

/// The length of a run without ticks and inputs.
const USUAL_RUN: u64 = 120;

/// The most pictures of a run.
const MOST_PICTURES: usize = 4;

/// How a film looks: small, because assistants see only a few of its frames.
const FILM: FilmOptions = FilmOptions { fps: 10, size: (320, 180), overlays: Overlays::NONE };

/// Notes what an answer shows of a run.
struct RunNotes<'a> {
    end: &'a CallEnd,
    filter: ObservationFilter,
    every: Option<u64>,
    trace: BoundedLines,
    events: BoundedLines,
    printed: BoundedLines,
    faults: Tally,
    /// The ticks to show pictures of.
    wanted: Vec<u64>,
    pictures: Vec<ToolContent>,
}

impl Observer for RunNotes<'_> {
    fn observe(&mut self, live: &mut Live) -> io::Result<()> {
        if self.end.is_here() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let report = live.report();
        report.printed.lines.iter().for_each(|line| self.printed.push(line));
        self.printed.left_out += report.printed.left_out;
        for fault in &report.faults.first {
            self.faults.count(fault);
        }
        self.faults.leave_out(report.faults.left_out);
        report.disabled.iter().chain(&report.unshown).for_each(|line| self.printed.push(line));
        for event in self.filter.events(live) {
            // An event is plain data.
            self.events.push(&serde_json::to_string(&EventLine(event)).unwrap_or_default());
        }
        let tick = live.world().ticks();
        if self.every.is_some_and(|every| tick.is_multiple_of(every)) {
            let line = if self.trace.is_full() {
                String::new()
            } else {
                state(live, &self.filter).to_string()
            };
            self.trace.push(&line);
        }
        if self.wanted.contains(&tick) {
            let mut bytes = Vec::new();
            write_png(live, &mut bytes)?;
            self.pictures.push(ToolContent::Image("image/png", bytes));
        }
        Ok(())
    }
}

pub fn run_level(game: &McpGame, params: RunLevelParams, end: &CallEnd) -> ToolResult {
    let start = WorldStart { level: params.level, seed: params.seed, settings: settings(params.settings)? };
    let mut world = ServedWorld::create(&game.game, &start)?;
    let (queue, mut warnings) = world.read_inputs(&params.inputs)?;
    warnings.splice(0..0, world.live().revision().warnings.iter().cloned());
    let length = queue.left(0);
    let ticks = params.ticks.unwrap_or(if length > 0 { length } else { USUAL_RUN });
    check_sizes(ticks, &params.pictures, params.film)?;
    let (entities, fields, every) = (params.entities, params.fields, params.every);
    let filter =
        ObservationFilter::new(&ObserveParams { entities, fields, every, ..ObserveParams::default() }, world.live())?;
    let targets = params
        .why
        .iter()
        .map(|text| WhyTarget::parse(text).map_err(|why| ToolError::about("`why`", &why)));
    let targets = targets.collect::<Result<Vec<_>, _>>()?;
    let mut notes = RunNotes {
        end,
        filter: filter.clone(),
        every,
        trace: BoundedLines::default(),
        events: BoundedLines::default(),
        printed: BoundedLines::default(),
        faults: Tally::default(),
        wanted: params.pictures,
        pictures: Vec::new(),
    };
    let live = world.live_mut();
    if !targets.is_empty() {
        live.watch(Watch::Named(targets.iter().map(|target| (*target.name).into()).collect()));
    }
    let (reasons, frames) = (SharedBytes::up_to(2 * MOST_PART), SharedBytes::up_to(LARGEST_IMAGE + 1));
    let mut why = WhyWriter::new(Box::new(reasons.clone()), targets);
    let failed = |error: io::Error| ToolError(error.to_string());
    let mut film = params
        .film
        .then(|| Film::new(Box::new(frames.clone()), live, FILM))
        .transpose()
        .map_err(failed)?;
    let mut observers: Vec<&mut dyn Observer> = vec![&mut notes, &mut why];
    observers.extend(film.as_mut().map(|film| film as &mut dyn Observer));
    let ended = run(live, queue.track(), ticks, &mut observers);
    if let Err(error) = ended
        && error.kind() != io::ErrorKind::Interrupted
    {
        return Err(failed(error));
    }
    why.finish().and_then(|()| film.map_or(Ok(()), Film::finish)).map_err(failed)?;
    let mut text = summary(live, ticks);
    if !warnings.is_empty() {
        text += &format!("\nwarnings:\n{}", shown_messages(&warnings));
    }
    let faults = notes
        .faults
        .iter()
        .map(|(fault, count)| format!("{} ({count} times)", fault.render(false)));
    let faults = BoundedLines::of(faults.chain(notes.faults.left_out_text()));
    text += &faults.part("errors of scripts", "fix these first");
    let fewer = "play fewer ticks, or choose `entities`";
    text += &notes.printed.part("printed", fewer);
    text += &last_state(live, &filter).part("state at the end", "choose `entities` and `fields`");
    text += &notes.events.part("events", fewer);
    let reasons = reasons.take();
    let reasons = BoundedLines::of(String::from_utf8_lossy(&reasons).lines());
    text += &reasons.part("why", "name single ticks, as in `hero@62`");
    text += &notes.trace.part("trace", "choose `entities` and `fields`, or a larger `every`");
    let mut content = notes.pictures;
    match frames.take() {
        frames if frames.is_empty() => {}
        frames if frames.len() > LARGEST_IMAGE => text += "\nthe film is too large to show; play fewer ticks\n",
        frames => content.push(ToolContent::Image("image/gif", frames)),
    }
    content.insert(0, ToolContent::Text(text));
    Ok(content)
}

fn check_sizes(ticks: u64, pictures: &[u64], film: bool) -> Result<(), ToolError> {
    let late = pictures.iter().find(|tick| **tick > ticks);
    let wrong = match late {
        _ if ticks > MOST_RUN => format!("a run can have at most {MOST_RUN} ticks"),
        _ if film && ticks > MOST_FILMED => format!("a film can have at most {MOST_FILMED} ticks"),
        _ if pictures.len() > MOST_PICTURES => format!("a run can have at most {MOST_PICTURES} pictures"),
        Some(tick) => format!("there is no picture of tick {tick}, because the run ends at tick {ticks}"),
        None => return Ok(()),
    };
    Err(ToolError(wrong))
}

/// What was played, in a line.
fn summary(live: &Live, ticks: u64) -> String {
    let (world, stage) = (live.world(), &live.revision().stage);
    let (level, made) = (printable_name(&stage.level.name), world.ticks());
    let mut text =
        format!("{level}: {made} ticks at {} ticks/s, seed {}, hash {:016x}\n", stage.hz, world.seed(), world.hash());
    if made < ticks {
        text += &format!("the run has ended early, after {} s; play fewer ticks\n", LONGEST_CALL.as_secs());
    }
    text
}

/// The tick, the variables of the level's script, and the entities.
fn state(live: &Live, filter: &ObservationFilter) -> Json {
    let line = filter.line(live, std::iter::empty());
    // It has been JSON a moment ago.
    let mut line: Json = serde_json::from_str(line.get()).unwrap_or_default();
    if let Some(members) = line.as_object_mut() {
        members.retain(|key, _| ["tick", "level", "entities"].contains(&key.as_str()));
    }
    line
}

/// The state of the level and of each entity, a line each.
fn last_state(live: &Live, filter: &ObservationFilter) -> BoundedLines {
    let state = state(live, filter);
    let level = state.get("level").map(|level| format!("level {level}"));
    let entities = state["entities"].as_array().into_iter().flatten();
    BoundedLines::of(level.into_iter().chain(entities.map(Json::to_string)))
}
