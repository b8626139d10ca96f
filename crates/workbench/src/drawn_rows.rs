//! What is written while a jump is drawn: the answers, what the chosen one changes about the jump, and what it breaks.

use super::{drawing::DrawnBreaks, *};
use hangtime_play::{Wish, WishAnswer, WishPath, WishPoint, WishedChange};

/// The most broken tests that are listed.
const MOST_BROKEN: usize = 6;

/// Longer names of tests are cut.
const LONGEST_NAME: usize = 52;

/// What the rows are about.
pub struct DrawnRows<'a> {
    pub path: Option<&'a WishPath>,
    pub wishes: &'a [Wish],
    pub answers: &'a [WishAnswer],
    pub found: &'a str,
    pub chosen: usize,
    pub searches: bool,
    pub breaks: Option<&'a DrawnBreaks>,
}

impl DrawnRows<'_> {
    pub fn rows(&self) -> Vec<NoteRow> {
        let mut rows = Vec::new();
        let mut add = |text: String, tone| rows.push(NoteRow { text, tone });
        if self.wishes.is_empty() {
            add("drag the apex, landing or end; click one to keep it".into(), NoteTone::Plain);
        }
        if !self.found.is_empty() {
            add(self.found.into(), NoteTone::Warning);
        }
        if self.wishes.is_empty() {
            return rows;
        }
        if self.searches {
            add("searching ...".into(), NoteTone::Plain);
        }
        for (number, answer) in self.answers.iter().enumerate() {
            let tone = if number == self.chosen { NoteTone::Good } else { NoteTone::Plain };
            add(format!("{} {}", number + 1, answer_text(answer)), tone);
        }
        let Some(answer) = self.answers.get(self.chosen) else { return rows };
        if let Some(measures) = self.measures(answer) {
            add(measures, NoteTone::Good);
        }
        add("Enter takes the numbers, 1-5 choose, Escape leaves".into(), NoteTone::Plain);
        if let Some(breaks) = self.breaks {
            rows.extend(breaks_rows(breaks));
        }
        rows
    }

    /// How the flight that is wished changes.
    fn measures(&self, answer: &WishAnswer) -> Option<String> {
        let flight = self.wishes.iter().find_map(|wish| match wish.point {
            WishPoint::Apex(flight) | WishPoint::Landing(flight) => Some(flight),
            WishPoint::LetGo(_) | WishPoint::End => None,
        });
        let flight = flight.unwrap_or(0);
        let [old, new] = [self.path?, &answer.path].map(|path| flight_numbers(path, flight));
        let names = [("apex", 1, "px"), ("air", 2, "s"), ("lands", 1, "px on")];
        let parts = names.iter().enumerate().filter_map(|(index, (name, digits, unit))| {
            let (old, new) = (old[index]?, new[index]?);
            let [old, new] = [old, new].map(|x| format!("{:.*}", digits, x + 0.0));
            Some(if old == new {
                format!("{name} {old} {unit}")
            } else {
                format!("{name} {old} → {new} {unit}")
            })
        });
        let parts: Vec<String> = parts.collect();
        (!parts.is_empty()).then(|| format!("  {}", parts.join(", ")))
    }
}

/// Of a flight: its height, px, its time in the air, s, and how far from the takeoff it lands, px.
fn flight_numbers(path: &WishPath, flight: usize) -> [Option<f64>; 3] {
    let Some((time, from)) = path.takeoffs.get(flight) else { return [None; 3] };
    let (apex, landing) = (path.spot(WishPoint::Apex(flight)), path.spot(WishPoint::Landing(flight)));
    [
        apex.map(|apex| apex.at.y - from.y),
        landing.map(|landing| landing.time - time),
        landing.map(|landing| (landing.at.x - from.x).abs()),
    ]
}

/// The changes of an answer in words.
pub fn answer_text(answer: &WishAnswer) -> String {
    answer.changes.iter().map(change_text).collect::<Vec<_>>().join(", ")
}

fn change_text(change: &WishedChange) -> String {
    let number = &change.number;
    let by = if number.value == 0.0 {
        0.0
    } else {
        (change.value / number.value - 1.0) * 100.0
    };
    let unit = if number.unit.is_empty() { String::new() } else { format!(" {}", number.unit) };
    let share = if by == 0.0 { String::new() } else { format!(" ({by:+.0} %)") };
    format!("{} {} → {}{unit}{share}", number.path(), number.value, change.value)
}

fn breaks_rows(breaks: &DrawnBreaks) -> Vec<NoteRow> {
    let row = |text: String, tone| NoteRow { text, tone };
    let mut rows: Vec<NoteRow> = breaks.unsaved.iter().map(|why| row(why.clone(), NoteTone::Warning)).collect();
    let (done, all) = breaks.run;
    let broken = breaks.broken.len();
    rows.push(match (breaks.is_done, broken) {
        (false, 0) if all == 0 => row("looking for tests ...".into(), NoteTone::Plain),
        (false, 0) => row(format!("{done} of {all} tests and contracts: none broken so far"), NoteTone::Plain),
        (false, _) => row(format!("{done} of {all} tests and contracts: breaks {broken}"), NoteTone::Bad),
        (true, 0) => row(format!("breaks none of {all} tests and contracts"), NoteTone::Good),
        (true, _) => row(format!("breaks {broken} of {all} tests and contracts:"), NoteTone::Bad),
    });
    for name in breaks.broken.iter().take(MOST_BROKEN) {
        rows.push(row(format!("  {}", broken_name(name)), NoteTone::Bad));
    }
    if broken > MOST_BROKEN {
        rows.push(row(format!("  and {} more", broken - MOST_BROKEN), NoteTone::Bad));
    }
    rows
}

/// The name of a broken test in a few words: `contract apex of hero` for `config/entities/hero.toml::expect::apex`, and
/// `jump.rhai::test_hop` for one in `levels/tests/`.
fn broken_name(name: &str) -> String {
    let contract = name.split_once("::expect::").map(|(file, quantity)| {
        let kind = file.rsplit('/').next().and_then(|file| file.strip_suffix(".toml")).unwrap_or(file);
        format!("contract {} of {kind}", quantity.replace("::", " "))
    });
    let words = contract.unwrap_or_else(|| name.strip_prefix("levels/tests/").unwrap_or(name).into());
    hangtime_script::text::cut(&words, LONGEST_NAME).into_owned()
}
