//! Input files: recorded key presses, line by line.
//!
//! Each line has a duration (`30` ticks or `0.5s`) and the actions and axes that are held for it.
//! `level`, `seed`, `set` and `tolerance` lines may come before the first one.

use super::tolerance::Tolerances;
use crate::Error;
use glam::DVec2;
use hangtime_core::{
    models::OwnActions,
    sim::{Inputs, MOST_PLAYERS, PlayerInput, Stage},
};
use hangtime_script::{
    BuildProgress, Diagnostic, Mistakes, Place, Settings, SourceFile, did_you_mean, nearest, suggestion,
};
use std::{ops::Range, sync::Arc};

/// A parsed input file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputScript {
    /// The level to play, from a `level` line.
    pub level: Option<String>,
    /// The random seed, from a `seed` line.
    pub seed: Option<u64>,
    /// Settings that override the game's files, from `set` lines.
    pub settings: Settings,
    /// How far a run may be from its golden trace, from `tolerance` lines.
    pub tolerance: Tolerances,
    /// The place of the level.
    pub(crate) level_at: Option<Range<usize>>,
    /// The places of the settings in the file.
    pub(crate) set_at: Vec<Range<usize>>,
    /// The place of the seed.
    pub(crate) seed_at: Option<Range<usize>>,
    /// The game's own actions, as its lines have them.
    actions: OwnActions,
    /// How long each line lasts, its inputs, and its place.
    lines: Vec<(Span, Inputs, Range<usize>)>,
}

/// The duration of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Span {
    Ticks(u64),
    Seconds(f64),
}

/// The input of every tick of a run, at a fixed tick rate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// The tick at which each line of the file ends, and its input.
    stretches: Vec<(u64, Inputs)>,
}

impl Track {
    /// The length in ticks.
    pub fn length(&self) -> u64 {
        self.stretches.last().map_or(0, |(end, _)| *end)
    }

    /// A track of stretches: how many ticks each lasts, and its input.
    pub fn of(stretches: impl IntoIterator<Item = (u64, Inputs)>) -> Self {
        let mut end = 0_u64;
        let stretches = stretches.into_iter().map(|(ticks, inputs)| {
            end = end.saturating_add(ticks);
            (end, inputs)
        });
        Self { stretches: stretches.collect() }
    }

    /// The stretches from tick `tick` on, as [`of`](Self::of) takes them.
    pub fn rest(&self, tick: u64) -> impl Iterator<Item = (u64, &Inputs)> {
        let first = self.stretches.partition_point(|(end, _)| *end <= tick);
        let mut from = tick;
        self.stretches[first..].iter().map(move |(end, inputs)| {
            let ticks = end - from;
            from = *end;
            (ticks, inputs)
        })
    }

    /// The input of the step from tick `tick` to the next. After the end nothing is held.
    pub fn at(&self, tick: u64) -> Inputs {
        self.get(tick).cloned().unwrap_or_default()
    }

    /// Like [`at`](Self::at), without a copy; `None` after the end.
    pub fn get(&self, tick: u64) -> Option<&Inputs> {
        let index = self.stretches.partition_point(|(end, _)| *end <= tick);
        self.stretches.get(index).map(|(_, inputs)| inputs)
    }
}

/// The longest duration of a line, in ticks or seconds: more than a day.
const MAX_SPAN: f64 = 100_000_000.0;

impl InputScript {
    /// Parses an input file.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every mistake in the file, or with the first ones of very many.
    pub fn parse(file: &Arc<SourceFile>) -> Result<Self, Error> {
        Self::parse_with(file, &OwnActions::default())
    }

    /// Parses an input file of a game that defines these actions.
    ///
    /// # Errors
    /// The same as [`parse`](Self::parse).
    pub fn parse_with(file: &Arc<SourceFile>, actions: &OwnActions) -> Result<Self, Error> {
        let mut script = Self { actions: actions.clone(), ..Self::default() };
        let mut wrong = Mistakes::new();
        let mut offset = 0;
        for (count, line) in file.text.split_inclusive('\n').enumerate() {
            if count.is_multiple_of(1024) && BuildProgress::is_cancelled() {
                break;
            }
            let words = words_of(line, offset);
            offset += line.len();
            if words.is_empty() {
                continue;
            }
            if let Err((span, explain)) = script.read_line(&words, &file.text, actions) {
                wrong.push_error(|| Diagnostic::error(Place::new(file, span), explain()));
            }
        }
        if wrong.has_errors() { Err(wrong.finish().into()) } else { Ok(script) }
    }

    /// Drops the settings that raise the limits of scripts, for a file that content names. Returns a
    /// warning for each.
    pub(crate) fn drop_limits(&mut self, file: &Arc<SourceFile>) -> Vec<Diagnostic> {
        let is_limit = |key: &str| key.split('.').next() == Some("scripts");
        let mut warnings = Vec::new();
        let settings = std::mem::take(&mut self.settings);
        let places = std::mem::take(&mut self.set_at);
        for ((key, value), span) in settings.into_iter().zip(places) {
            if is_limit(&key) {
                let message = format!(
                    "`{key}` has no effect in a demo: a level cannot change the limits of scripts; \
                     set it in config/hangtime.toml or with --set"
                );
                warnings.push(Diagnostic::warning(Place::new(file, span), message));
            } else {
                self.settings.push((key, value));
                self.set_at.push(span);
            }
        }
        warnings
    }

    /// The place of the line that drives the step to this tick, at a tick rate of `hz`; of the level's
    /// name for tick 0 and after the end.
    pub fn place_at(&self, file: &Arc<SourceFile>, hz: u32, tick: u64) -> Place {
        let stretches = self.track(hz).stretches;
        let index = stretches.partition_point(|(end, _)| *end < tick);
        let line = self.lines.get(index).filter(|_| tick > 0).map(|(.., at)| at);
        let span = line.or(self.level_at.as_ref());
        Place::new(file, span.cloned().unwrap_or_default())
    }

    /// The input of every tick of a level. The game's own actions have the same names there, and perhaps other places:
    /// which mods are left out is only known when the level is open.
    pub fn track_in(&self, stage: &Stage) -> Track {
        let mut track = self.track(stage.hz);
        if self.actions != stage.actions {
            for (_, inputs) in &mut track.stretches {
                inputs.translate(&self.actions, &stage.actions);
            }
        }
        track
    }

    /// The input of every tick at a tick rate of `hz`. Durations are rounded to whole ticks.
    pub fn track(&self, hz: u32) -> Track {
        let mut end = 0;
        let stretch = |(length, inputs, _): &(Span, Inputs, _)| {
            end += match *length {
                Span::Ticks(ticks) => ticks,
                Span::Seconds(seconds) => (seconds * f64::from(hz)).round() as u64,
            };
            (end, inputs.clone())
        };
        Track { stretches: self.lines.iter().map(stretch).collect() }
    }

    fn read_line<'a>(
        &mut self,
        words: &[Word<'a>],
        text: &'a str,
        actions: &'a OwnActions,
    ) -> Result<(), LineError<'a>> {
        let first = &words[0];
        let header = |script: &Self| {
            if script.lines.is_empty() {
                return Ok(());
            }
            let name = first.text;
            error(&first.span, move || format!("`{name}` must come before the first line of input"))
        };
        match first.text {
            "level" => {
                header(self)?;
                let word = only_value(words, "the name of a level")?;
                self.level = Some(word.text.to_string());
                self.level_at = Some(word.span.clone());
            }
            "seed" => {
                header(self)?;
                let word = only_value(words, "a whole number of at least 0")?;
                let text = word.text;
                let Ok(number) = text.parse() else {
                    return error(&word.span, move || {
                        format!("`seed` takes a whole number of at least 0, not `{text}`")
                    });
                };
                self.seed = Some(number);
                self.seed_at = Some(word.span.clone());
            }
            "set" => {
                header(self)?;
                let expected = "`set` takes KEY=VALUE";
                let (Some(from), Some(to)) = (words.get(1), words.last()) else {
                    return error(&first.span, move || expected.into());
                };
                let setting = &text[from.span.start..to.span.end];
                let Some((key, value)) = setting.split_once('=') else {
                    return error(&from.span, move || format!("{expected}, not `{setting}`"));
                };
                self.settings.push((key.trim().into(), value.trim().into()));
                self.set_at.push(from.span.start..to.span.end);
            }
            "tolerance" => {
                header(self)?;
                if words.len() < 2 {
                    return error(&first.span, || "`tolerance` takes KEY=NUMBER, as in `tolerance pos=0.01`".into());
                }
                for word in &words[1..] {
                    let read = self.tolerance.read(word.text);
                    read.or_else(|wrong| error(&word.span, || wrong))?;
                }
            }
            _ => {
                return self.read_held(words, actions);
            }
        }
        Ok(())
    }

    /// Reads a line of input.
    fn read_held<'a>(&mut self, words: &[Word<'a>], actions: &'a OwnActions) -> Result<(), LineError<'a>> {
        let first = &words[0];
        let span = read_span(first)?;
        let mut inputs = Inputs::none();
        words[1..].iter().try_for_each(|word| read_item(word, actions, &mut inputs))?;
        let last = words.last().map_or(0, |word| word.span.end);
        self.lines.push((span, inputs, first.span.start..last));
        Ok(())
    }
}

/// A word of a line and its place in the file.
struct Word<'a> {
    text: &'a str,
    span: Range<usize>,
}

/// The place of a mistake, and what makes its message. Only the first of many are made.
type LineError<'a> = (Range<usize>, Box<dyn FnOnce() -> String + 'a>);

fn error<'a, T>(place: &Range<usize>, explain: impl FnOnce() -> String + 'a) -> Result<T, LineError<'a>> {
    Err((place.clone(), Box::new(explain)))
}

/// The words of a line, without its comment.
fn words_of<'l>(line: &'l str, offset: usize) -> Vec<Word<'l>> {
    let mut signs = line.match_indices('#').map(|(at, _)| at);
    // `world.ldtk#Cave` is the name of a level.
    let end = signs.find(|at| !line[..*at].ends_with(".ldtk")).unwrap_or(line.len());
    let code = &line[..end];
    let word = |text: &'l str| {
        let start = offset + (text.as_ptr() as usize - line.as_ptr() as usize);
        Word { text, span: start..start + text.len() }
    };
    code.split_whitespace().map(word).collect()
}

/// The only word after the first; `expected` describes it in messages.
fn only_value<'a, 'w>(words: &'w [Word<'a>], expected: &'a str) -> Result<&'w Word<'a>, LineError<'a>> {
    let name = words.first().map_or("", |first| first.text);
    match words {
        [_, value] => Ok(value),
        [_, .., last] => error(&last.span, move || format!("`{name}` takes {expected} and nothing else")),
        [first] => error(&first.span, move || format!("`{name}` takes {expected}")),
        [] => error(&(0..0), move || expected.into()),
    }
}

/// A finite number as in JSON.
fn json_number(text: &str) -> Option<f64> {
    serde_json::from_str::<f64>(text).ok().filter(|x| x.is_finite())
}

fn read_span<'a>(word: &Word<'a>) -> Result<Span, LineError<'a>> {
    let (text, at) = (word.text, &word.span);
    let seconds = text.strip_suffix('s');
    let Some(number) = json_number(seconds.unwrap_or(text)) else {
        return error(at, move || {
            let hint = did_you_mean(nearest(text, ["level", "seed", "set", "tolerance"]));
            format!("a line begins with its duration, such as `30` ticks or `0.5s`, not `{text}`{hint}")
        });
    };
    if !(0.0..=MAX_SPAN).contains(&number) {
        return error(at, move || format!("a duration must be between 0 and {MAX_SPAN}, not {number}"));
    }
    if seconds.is_some() {
        return Ok(Span::Seconds(number));
    }
    if number.trunc() != number {
        return error(at, move || format!("a number of ticks must be whole; for seconds write `{number}s`"));
    }
    Ok(Span::Ticks(number as u64))
}

fn read_item<'a>(word: &Word<'a>, actions: &'a OwnActions, inputs: &mut Inputs) -> Result<(), LineError<'a>> {
    let at = &word.span;
    let (player, item) = match word.text.split_once('.') {
        Some((player, rest)) if player.starts_with('p') => match player[1..].parse::<u32>() {
            Ok(number @ 1..) => (number, rest),
            _ => {
                return error(at, move || format!("`{player}` is not a player; players are `p1`, `p2`, …"));
            }
        },
        _ => (1, word.text),
    };
    // Input for players that no level can have is checked and then ignored.
    let mut ignored = PlayerInput::default();
    let input = match u8::try_from(player) {
        Ok(player @ ..=MOST_PLAYERS) => inputs.player_mut(player),
        _ => &mut ignored,
    };
    if let Some((axis, value)) = item.split_once('=') {
        let numbers = value.split_once(':').map(|(x, y)| (json_number(x), json_number(y)));
        let Some((Some(x), Some(y))) = numbers else {
            return error(at, move || format!("`{axis}` takes two numbers, as in `{axis}=0.5:0`, not `{value}`"));
        };
        let point = DVec2::new(x, y);
        match axis {
            "move" if point.abs().max_element() <= 1.0 => input.stick = point,
            "move" => return error(at, move || format!("`move` takes numbers from -1 to 1, not `{value}`")),
            "aim" => input.aim = Some(point),
            _ => return error(at, move || format!("there is no axis `{axis}`{}", suggestion(axis, ["move", "aim"]))),
        }
        return Ok(());
    }
    let pressed = item.strip_prefix('!');
    let name = pressed.unwrap_or(item);
    let Some(action) = actions.parse(name) else {
        return error(at, move || format!("there is no action `{name}`{}", suggestion(name, actions.all_names())));
    };
    let keys = if pressed.is_some() { &mut input.pressed } else { &mut input.held };
    keys.insert(action);
    Ok(())
}

impl InputScript {
    /// Warnings about the lines that say something else than how a running level was begun: its path below the game folder,
    /// seed and settings. They have no effect.
    pub fn unlike(&self, file: &Arc<SourceFile>, (level, seed, settings): (&str, u64, &Settings)) -> Vec<Diagnostic> {
        let stem = |path: &str| {
            let name = path.rsplit('/').next().unwrap_or_default();
            name.trim_end_matches(".toml").to_string()
        };
        let warn = |span: &Range<usize>, message| Diagnostic::warning(Place::new(file, span.clone()), message);
        let mut warnings = Vec::new();
        if let (Some(name), Some(span)) = (&self.level, &self.level_at)
            && stem(name) != stem(level)
        {
            let why = format!("these inputs are for `{name}`, and the world plays `{level}`");
            warnings.push(warn(span, format!("has no effect: {why}")));
        }
        if let (Some(other), Some(span)) = (self.seed, &self.seed_at)
            && other != seed
        {
            warnings.push(warn(span, format!("`seed` has no effect: the world has begun with {seed}")));
        }
        let given = self.settings.iter().zip(&self.set_at).filter(|(setting, _)| !settings.contains(setting));
        warnings.extend(given.map(|((key, _), span)| {
            warn(span, format!("`{key}` has no effect: the world runs already, with other settings"))
        }));
        warnings
    }

    /// Warnings about the lines that have no effect if the file is played in a running level of a test.
    pub fn without_effect(&self, file: &Arc<SourceFile>) -> Vec<Diagnostic> {
        let warn = |span: &Range<usize>, message| Diagnostic::warning(Place::new(file, span.clone()), message);
        let seed = "`seed` has no effect in `t.input`: levels of tests have seed 0";
        let seed = self.seed_at.iter().map(|span| warn(span, seed.into()));
        let settings = self.settings.iter().zip(&self.set_at).map(|((key, _), span)| {
            let instead = "the level runs already; pass it to `play` or `t.tune`";
            warn(span, format!("`{key}` has no effect in `t.input`: {instead}"))
        });
        seed.chain(settings).collect()
    }
}
