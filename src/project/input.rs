//! Input files: what players do, line by line.
//!
//! A line is a length (`30` ticks, or `0.5s`) and what is held during it. Before the first such
//! line may stand `level`, `seed` and `set` lines.

use crate::models::Action;
use crate::script::host::names::suggestion;
use crate::script::host::{Diagnostic, Place, Settings, SourceFile};
use crate::sim::{Inputs, MOST_PLAYERS, PlayerInput};
use glam::DVec2;
use std::sync::Arc;

/// A parsed input file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputScript {
    /// The level it is for.
    pub level: Option<String>,
    /// The seed it was made with.
    pub seed: Option<u64>,
    /// Settings it is to be played under.
    pub settings: Settings,
    lines: Vec<(Length, Inputs)>,
}

/// How long a line lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Length {
    Ticks(u64),
    Seconds(f64),
}

/// Input for every tick of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// The tick at which each stretch ends, and what is done during it.
    stretches: Vec<(u64, Inputs)>,
}

impl Track {
    /// How many ticks it lasts.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.stretches.last().map_or(0, |(end, _)| *end)
    }

    /// What is done in the step from tick `tick` to the next; after the last, nothing.
    #[must_use]
    pub fn at(&self, tick: u64) -> Inputs {
        let index = self.stretches.partition_point(|(end, _)| *end <= tick);
        self.stretches
            .get(index)
            .map_or_else(Inputs::none, |(_, inputs)| inputs.clone())
    }
}

/// Longest line, in ticks or seconds: a day and more.
const LONGEST: f64 = 100_000_000.0;

impl InputScript {
    /// Parses an input file.
    ///
    /// # Errors
    /// Every mistake in it, with its line.
    pub fn parse(file: &Arc<SourceFile>) -> Result<Self, Vec<Diagnostic>> {
        let mut script = Self::default();
        let mut wrong = Vec::new();
        let mut offset = 0;
        for line in file.text.split_inclusive('\n') {
            let words = words_of(line, offset);
            offset += line.len();
            if words.is_empty() {
                continue;
            }
            if let Err((span, why)) = script.read_line(&words, &file.text) {
                wrong.push(Diagnostic::error(Place::new(file, span), why));
            }
        }
        if wrong.is_empty() {
            Ok(script)
        } else {
            Err(wrong)
        }
    }

    /// The input of every tick, at this many ticks a second.
    #[must_use]
    pub fn track(&self, hz: u32) -> Track {
        let mut end = 0;
        let stretch = |(length, inputs): &(Length, Inputs)| {
            end += match *length {
                Length::Ticks(ticks) => ticks,
                Length::Seconds(seconds) => (seconds * f64::from(hz)).round() as u64,
            };
            (end, inputs.clone())
        };
        Track {
            stretches: self.lines.iter().map(stretch).collect(),
        }
    }

    fn read_line(&mut self, words: &[Word<'_>], text: &str) -> Result<(), Mistake> {
        let first = &words[0];
        let header = |script: &Self| {
            if script.lines.is_empty() {
                return Ok(());
            }
            let why = format!("`{}` stands before the first line of input", first.text);
            Err((first.span.clone(), why))
        };
        match first.text {
            "level" => {
                header(self)?;
                self.level = Some(only_value(words, "a level's file")?.text.to_string());
            }
            "seed" => {
                header(self)?;
                let word = only_value(words, "a whole number from 0")?;
                let number = word.text.parse().map_err(|_| {
                    (
                        word.span.clone(),
                        format!("`seed` takes a whole number from 0, not `{}`", word.text),
                    )
                })?;
                self.seed = Some(number);
            }
            "set" => {
                header(self)?;
                let right = "`set` takes KEY=VALUE";
                let (Some(from), Some(to)) = (words.get(1), words.last()) else {
                    return Err((first.span.clone(), right.into()));
                };
                let setting = &text[from.span.start..to.span.end];
                let Some((key, value)) = setting.split_once('=') else {
                    return Err((from.span.clone(), format!("{right}, not `{setting}`")));
                };
                self.settings.push((key.trim().into(), value.trim().into()));
            }
            _ => {
                let length = read_length(first)?;
                let mut inputs = Inputs::none();
                words[1..]
                    .iter()
                    .try_for_each(|word| read_item(word, &mut inputs))?;
                self.lines.push((length, inputs));
            }
        }
        Ok(())
    }
}

/// A word of a line and where it stands.
struct Word<'a> {
    text: &'a str,
    span: std::ops::Range<usize>,
}

type Mistake = (std::ops::Range<usize>, String);

/// The words of a line, up to a comment.
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

fn only_value<'a, 'w>(words: &'a [Word<'w>], right: &str) -> Result<&'a Word<'w>, Mistake> {
    match words {
        [_, value] => Ok(value),
        [first] => Err((
            first.span.clone(),
            format!("`{}` takes {right}", first.text),
        )),
        [first, .., last] => Err((
            last.span.clone(),
            format!("`{}` takes {right} and nothing more", first.text),
        )),
        [] => Err((0..0, right.into())),
    }
}

/// A number as in JSON, with exponents.
fn json_number(text: &str) -> Option<f64> {
    serde_json::from_str::<f64>(text)
        .ok()
        .filter(|x| x.is_finite())
}

fn read_length(word: &Word<'_>) -> Result<Length, Mistake> {
    let wrong = |why: String| Err((word.span.clone(), why));
    let (number, seconds) = match word.text.strip_suffix('s') {
        Some(number) => (json_number(number), true),
        None => (json_number(word.text), false),
    };
    let Some(number) = number else {
        let words = ["level", "seed", "set"];
        let hint = crate::script::host::names::nearest(word.text, words)
            .map_or_else(String::new, |right| format!("; did you mean `{right}`?"));
        return wrong(format!(
            "a line begins with its length, such as `30` ticks or `0.5s`, not `{}`{hint}",
            word.text
        ));
    };
    if !(0.0..=LONGEST).contains(&number) {
        return wrong(format!("a length is 0 to {LONGEST}, not {number}"));
    }
    if seconds {
        return Ok(Length::Seconds(number));
    }
    if number.trunc() != number {
        return wrong(format!("ticks are whole; for seconds write `{number}s`"));
    }
    Ok(Length::Ticks(number as u64))
}

fn read_item(word: &Word<'_>, inputs: &mut Inputs) -> Result<(), Mistake> {
    let wrong = |why: String| Err((word.span.clone(), why));
    let (player, item) = match word.text.split_once('.') {
        Some((player, rest)) if player.starts_with('p') => match player[1..].parse::<u32>() {
            Ok(number @ 1..) => (number, rest),
            _ => return wrong(format!("`{player}` is no player; they are `p1`, `p2`, …")),
        },
        _ => (1, word.text),
    };
    // No level has more players than it can number; those beyond are read and left out.
    let mut nobody = PlayerInput::default();
    let input = match u8::try_from(player) {
        Ok(player @ ..=MOST_PLAYERS) => inputs.player_mut(player),
        _ => &mut nobody,
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
            "move" => wrong(format!("`move` takes -1 to 1 on each axis, not `{value}`")),
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
