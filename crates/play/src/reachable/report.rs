//! What a search has found, as text, as JSON and as a picture.

use super::*;
use crate::{numbers::rounded, screen::picture_of_level};
use hangtime_draw::{LevelMap, MapMark, MarkTone};
use serde_json::{Value, json};

/// The fixes of each goal.
type Fixes = BTreeMap<ReachGoal, Vec<NumberFix>>;

/// Digits of distances and numbers.
const DIGITS: usize = 4;

/// The most paths that a picture shows.
const MOST_PATHS: usize = 4_000;

/// A table of all goals, and what was tried.
pub fn reach_text(search: &ReachSearch, fixes: &Fixes) -> String {
    let hz = f64::from(search.subject.revision.stage.hz);
    let mut counts = [0; 3];
    let rows = search.answers().map(|(goal, answer, miss)| {
        let (place, word) = word_of(&answer);
        counts[place] += 1;
        let how = match &answer {
            ReachAnswer::Yes { ticks, from } => {
                format!("in {} s, from {}", rounded(*ticks as f64 / hz, DIGITS), place_text(*from))
            }
            _ => missed_text(miss, fixes.get(goal)),
        };
        vec![goal.kind.name().into(), printable_name(&goal.name).into_owned(), word.into(), how]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let mut lines = aligned(&["", "name", "reachable", ""], rows, |_| true);
    let [yes, no, unknown] = counts;
    let (places, open) = search.places();
    lines.push(format!(
        "`{}` reaches {yes}, does not reach {no}, and {unknown} are unknown; {places} places of rest, {} ticks",
        printable_name(&search.subject.name),
        search.ticks()
    ));
    if open > 0 && unknown > 0 {
        lines.push(format!("{open} places were not explored; a higher --budget, or --resume, continues there"));
    }
    if search.is_cut() {
        lines.push("some places had no room or too many moves, so what is not reached is unknown".into());
    }
    if search.restless() > 0 {
        lines.push(format!(
            "{} moves did not come to rest within some seconds, and were not continued",
            search.restless()
        ));
    }
    lines.push(format!("not tried: {}", untried(search).join(", ")));
    lines.join("\n")
}

/// The order of an answer in counts, and its word.
const fn word_of(answer: &ReachAnswer) -> (usize, &'static str) {
    match answer {
        ReachAnswer::Yes { .. } => (0, "yes"),
        ReachAnswer::No => (1, "no"),
        ReachAnswer::Unknown => (2, "unknown"),
    }
}

fn place_text(at: DVec2) -> String {
    format!("({}, {})", rounded(at.x, DIGITS), rounded(at.y, DIGITS))
}

fn missed_text(miss: Option<&NearMiss>, fixes: Option<&Vec<NumberFix>>) -> String {
    let Some(NearMiss { distance, at, .. }) = miss else { return "never near it".into() };
    let mut text = format!("missed by {} px at {}", rounded(*distance, DIGITS), place_text(*at));
    let fixes = fixes.into_iter().flatten();
    let fixes: Vec<String> = fixes
        .map(|NumberFix { number, to }| {
            let unit = if number.unit.is_empty() { String::new() } else { format!(" {}", number.unit) };
            let (from, to) = (rounded(number.value, DIGITS), rounded(*to, DIGITS));
            format!("{} {from} → {to}{unit}", number.key)
        })
        .collect();
    match fixes.as_slice() {
        [] => text += "; no number alone leads there with these keys",
        all => text += &format!("; would do: {}", all.join(", or ")),
    }
    text
}

/// What the moves leave out.
fn untried(search: &ReachSearch) -> Vec<String> {
    let actions = &search.subject.revision.stage.actions;
    let AbilitiesSeen { swims, swings, turns } = search.seen();
    let mut used = vec![Action::Left, Action::Right, Action::Down, Action::Jump];
    used.extend((swims || search.subject.is_top()).then_some(Action::Up));
    used.extend(swings.then_some(Action::Hook));
    let left_out = actions.all_names().filter(|name| {
        let action = actions.parse(name);
        action.is_none_or(|action| !used.contains(&action) && !search.subject.presses.contains(&action))
    });
    let mut left_out: Vec<String> = left_out.map(|name| format!("`{name}`")).collect();
    left_out.extend(swings.then(|| "the hook from a run or at entities that move".to_string()));
    left_out.extend(turns.then(|| "flying a body that turns".to_string()));
    left_out.extend(["the stick", "other players", "a second turn in the air"].map(String::from));
    left_out
}

/// The same as JSON.
pub fn reach_json(search: &ReachSearch, fixes: &Fixes) -> Value {
    let point = |at: DVec2| json!([at.x, at.y]);
    let goals: Vec<Value> = search
        .answers()
        .map(|(goal, answer, miss)| {
            let mut row = json!({ "kind": goal.kind.name(), "name": &*goal.name, "reachable": word_of(&answer).1 });
            if let ReachAnswer::Yes { ticks, from } = answer {
                (row["ticks"], row["from"]) = (json!(ticks), point(from));
            }
            if let Some(miss) = miss {
                let fixes = fixes.get(goal).into_iter().flatten().map(|NumberFix { number, to }| {
                    json!({ "key": number.key, "from": number.value, "to": to, "unit": number.unit })
                });
                row["miss"] =
                    json!({ "distance": miss.distance, "at": point(miss.at), "would_do": fixes.collect::<Vec<_>>() });
            }
            row
        })
        .collect();
    let (places, open) = search.places();
    json!({
        "level": &*search.subject.revision.stage.level.name,
        "entity": &*search.subject.name,
        "goals": goals,
        "places": places,
        "unexplored": open,
        "cut": search.is_cut(),
        "restless": search.restless(),
        "ticks": search.ticks(),
        "not_tried": untried(search),
    })
}

/// The level with its map of what is reachable.
pub fn reach_map(search: &ReachSearch, live: &Live) -> Pixmap {
    picture_of_level(live, &map_of(search, live.world()))
}

/// The places of rest, the paths between them, and the goals of a world: green at the goals that are reached, red where
/// the others are missed, gray at those that are not known.
pub fn map_of(search: &ReachSearch, world: &World) -> LevelMap {
    let mut map = LevelMap::default();
    for (at, path) in search.paths() {
        map.dots.push(at);
        if path.len() > 1 && map.paths.len() < MOST_PATHS {
            map.paths.push(path.iter().copied().chain([at]).collect());
        }
    }
    let stage = &search.subject.revision.stage;
    for (shape, (goal, answer, miss)) in search.subject.goals.iter().zip(search.answers()) {
        let place = shape.place(stage, world);
        let name = printable_name(&goal.name).into_owned();
        let (at, tone, text) = match (answer, miss) {
            (ReachAnswer::Yes { from, .. }, _) => (Some(place.unwrap_or(from)), MarkTone::Reached, name),
            (ReachAnswer::No, Some(miss)) => {
                let text = format!("{name}, missed by {} px", rounded(miss.distance, DIGITS));
                (Some(miss.at), MarkTone::Missed, text)
            }
            (ReachAnswer::No, None) => (place, MarkTone::Missed, name),
            (ReachAnswer::Unknown, _) => (place, MarkTone::Unknown, name),
        };
        map.marks.extend(at.map(|at| MapMark { at, text, tone }));
    }
    map
}
