//! Input files: recorded key presses, line by line.
//!
//! Each line has a duration (`30` ticks or `0.5s`) and the actions and axes that are held for it.
//! `level`, `seed` and `set` lines may come before the first one.

use crate::models::Action;
use crate::project::Error;
use crate::script::host::names::{nearest, suggestion};
use crate::script::host::{Diagnostic, Place, Settings, SourceFile};
use crate::sim::{Inputs, MOST_PLAYERS, PlayerInput};
use glam::DVec2;
use std::sync::Arc;

/// A parsed input file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputScript {
    /// The level to play, from a `level` line.
    pub level: Option<String>,
    /// The random seed, from a `seed` line.
    pub seed: Option<u64>,
    /// Settings that override the game's files, from `set` lines.
    pub settings: Settings,
    lines: Vec<(Span, Inputs)>,
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
    #[must_use]
    pub fn length(&self) -> u64 {
        self.stretches.last().map_or(0, |(end, _)| *end)
    }

    /// The input of the step from tick `tick` to the next. After the end nothing is held.
    #[must_use]
    pub fn at(&self, tick: u64) -> Inputs {
        let index = self.stretches.partition_point(|(end, _)| *end <= tick);
        self.stretches
            .get(index)
            .map_or_else(Inputs::none, |(_, inputs)| inputs.clone())
    }
}

/// The longest duration of a line, in ticks or seconds: more than a day.
const MAX_SPAN: f64 = 100_000_000.0;

impl InputScript {
    /// Parses an input file.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every mistake in the file.
    pub fn parse(file: &Arc<SourceFile>) -> Result<Self, Error> {
        let mut script = Self::default();
        let mut wrong = Vec::new();
        let mut offset = 0;
        for line in file.text.split_inclusive('\n') {
            let words = words_of(line, offset);
            offset += line.len();
            if words.is_empty() {
                continue;
            }
            if let Err((span, message)) = script.read_line(&words, &file.text) {
                wrong.push(Diagnostic::error(Place::new(file, span), message));
            }
        }
        if wrong.is_empty() {
            Ok(script)
        } else {
            Err(wrong.into())
        }
    }

    /// The input of every tick at a tick rate of `hz`. Durations are rounded to whole ticks.
    #[must_use]
    pub fn track(&self, hz: u32) -> Track {
        let mut end = 0;
        let stretch = |(length, inputs): &(Span, Inputs)| {
            end += match *length {
                Span::Ticks(ticks) => ticks,
                Span::Seconds(seconds) => (seconds * f64::from(hz)).round() as u64,
            };
            (end, inputs.clone())
        };
        Track {
            stretches: self.lines.iter().map(stretch).collect(),
        }
    }

    fn read_line(&mut self, words: &[Word<'_>], text: &str) -> Result<(), LineError> {
        let first = &words[0];
        let header = |script: &Self| {
            if script.lines.is_empty() {
                return Ok(());
            }
            let message = format!("`{}` must come before the first line of input", first.text);
            Err((first.span.clone(), message))
        };
        match first.text {
            "level" => {
                header(self)?;
                self.level = Some(only_value(words, "the name of a level")?.text.to_string());
            }
            "seed" => {
                header(self)?;
                let word = only_value(words, "a whole number of at least 0")?;
                let number = word.text.parse().map_err(|_| {
                    (
                        word.span.clone(),
                        format!(
                            "`seed` takes a whole number of at least 0, not `{}`",
                            word.text
                        ),
                    )
                })?;
                self.seed = Some(number);
            }
            "set" => {
                header(self)?;
                let expected = "`set` takes KEY=VALUE";
                let (Some(from), Some(to)) = (words.get(1), words.last()) else {
                    return Err((first.span.clone(), expected.into()));
                };
                let setting = &text[from.span.start..to.span.end];
                let Some((key, value)) = setting.split_once('=') else {
                    return Err((from.span.clone(), format!("{expected}, not `{setting}`")));
                };
                self.settings.push((key.trim().into(), value.trim().into()));
            }
            _ => {
                let span = read_span(first)?;
                let mut inputs = Inputs::none();
                words[1..]
                    .iter()
                    .try_for_each(|word| read_item(word, &mut inputs))?;
                self.lines.push((span, inputs));
            }
        }
        Ok(())
    }
}

/// A word of a line and its place in the file.
struct Word<'a> {
    text: &'a str,
    span: std::ops::Range<usize>,
}

/// The place of a mistake and its message.
type LineError = (std::ops::Range<usize>, String);

/// The words of a line, without its comment.
fn words_of(line: &str, offset: usize) -> Vec<Word<'_>> {
    let line = line.split('#').next().unwrap_or("");
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        match (c.is_whitespace(), start) {
            (false, None) => start = Some(at),
            (true, Some(from)) => {
                words.push(Word {
                    text: &line[from..at],
                    span: offset + from..offset + at,
                });
                start = None;
            }
            _ => {}
        }
    }
    words
}

/// The only word after the first; `expected` describes it in messages.
fn only_value<'a, 'w>(words: &'a [Word<'w>], expected: &str) -> Result<&'a Word<'w>, LineError> {
    match words {
        [_, value] => Ok(value),
        [first] => Err((
            first.span.clone(),
            format!("`{}` takes {expected}", first.text),
        )),
        [first, .., last] => Err((
            last.span.clone(),
            format!("`{}` takes {expected} and nothing else", first.text),
        )),
        [] => Err((0..0, expected.into())),
    }
}

/// A finite number as in JSON.
fn json_number(text: &str) -> Option<f64> {
    serde_json::from_str::<f64>(text)
        .ok()
        .filter(|x| x.is_finite())
}

fn read_span(word: &Word<'_>) -> Result<Span, LineError> {
    let wrong = |message: String| Err((word.span.clone(), message));
    let (number, seconds) = match word.text.strip_suffix('s') {
        Some(number) => (json_number(number), true),
        None => (json_number(word.text), false),
    };
    let Some(number) = number else {
        let words = ["level", "seed", "set"];
        let hint = nearest(word.text, words)
            .map_or_else(String::new, |right| format!("; did you mean `{right}`?"));
        return wrong(format!(
            "a line begins with its duration, such as `30` ticks or `0.5s`, not `{}`{hint}",
            word.text
        ));
    };
    if !(0.0..=MAX_SPAN).contains(&number) {
        return wrong(format!(
            "a duration must be between 0 and {MAX_SPAN}, not {number}"
        ));
    }
    if seconds {
        return Ok(Span::Seconds(number));
    }
    if number.trunc() != number {
        return wrong(format!(
            "a number of ticks must be whole; for seconds write `{number}s`"
        ));
    }
    Ok(Span::Ticks(number as u64))
}

fn read_item(word: &Word<'_>, inputs: &mut Inputs) -> Result<(), LineError> {
    let wrong = |message: String| Err((word.span.clone(), message));
    let (player, item) = match word.text.split_once('.') {
        Some((player, rest)) if player.starts_with('p') => match player[1..].parse::<u32>() {
            Ok(number @ 1..) => (number, rest),
            _ => {
                return wrong(format!(
                    "`{player}` is not a player; players are `p1`, `p2`, …"
                ));
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
        let point = value
            .split_once(':')
            .and_then(|(x, y)| Some(DVec2::new(json_number(x)?, json_number(y)?)));
        let Some(point) = point else {
            return wrong(format!(
                "`{axis}` takes two numbers, as in `{axis}=0.5:0`, not `{value}`"
            ));
        };
        return match axis {
            "move" if point.abs().max_element() <= 1.0 => {
                input.stick = point;
                Ok(())
            }
            "move" => wrong(format!("`move` takes numbers from -1 to 1, not `{value}`")),
            "aim" => {
                input.aim = Some(point);
                Ok(())
            }
            _ => wrong(format!(
                "there is no axis `{axis}`{}",
                suggestion(axis, ["move", "aim"])
            )),
        };
    }
    match Action::parse(item) {
        Some(action) => {
            input.held.insert(action);
            Ok(())
        }
        None => {
            let hint = suggestion(item, Action::ALL.map(Action::name));
            wrong(format!("there is no action `{item}`{hint}"))
        }
    }
}
