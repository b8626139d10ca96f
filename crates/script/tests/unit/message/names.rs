//! Tests of `src/message/names.rs`.

use super::{MOST_CELLS, Search, nearest, suggestion};

/// Like `nearest`, from the distances to all candidates.
fn nearest_of_all<'a>(wrong: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let distance = |name: &&&str| strsim::damerau_levenshtein(wrong, name);
    let near = |name: &&&str| distance(name) <= 2 && distance(name) * 2 <= name.len().max(wrong.len());
    candidates.iter().filter(near).min_by_key(distance).copied()
}

#[test]
fn ruling_out_names_changes_no_suggestion() {
    let names = [
        "on_tick",
        "on_land",
        "jump",
        "pump",
        "ca",
        "abc",
        "acb",
        "größe",
        "grösse",
        "a",
        "",
        "run_accel",
        "run_speed",
        "jump_speed",
        "jupm",
    ];
    for wrong in names {
        for at in 0..=wrong.chars().count() {
            for insert in ["", "x", "xy", "ß"] {
                let (before, after): (Vec<_>, Vec<_>) = wrong.chars().enumerate().partition(|(i, _)| *i < at);
                let part = |part: Vec<(usize, char)>| part.into_iter().map(|(_, c)| c);
                let changed: String = part(before)
                    .chain(insert.chars())
                    .chain(part(after).skip(usize::from(insert.len() != 2)))
                    .collect();
                assert_eq!(nearest(&changed, names), nearest_of_all(&changed, &names), "{changed}");
            }
        }
    }
}

#[test]
fn a_name_of_31_kilobytes_is_compared_with_no_other() {
    let long = "x".repeat(31_000);
    let nearly = format!("{long}y");
    let mut search = Search::new(&long);
    assert_eq!(search.distance(&nearly), None);
    assert_eq!(search.cells, MOST_CELLS);
    // Nor is a short name with a long one.
    let mut search = Search::new("jump");
    assert_eq!(search.distance(&long), None);
    assert_eq!(search.cells, MOST_CELLS);
}

#[test]
fn names_made_to_be_alike_do_not_take_unlimited_work() {
    let wrong = "ab".repeat(40);
    let alike: Vec<String> = (0..20_000)
        .map(|i| format!("{}ba{}{i}", "ba".repeat(i % 39), "ab".repeat(39 - i % 39)))
        .collect();
    let mut search = Search::new(&wrong);
    let compared = alike.iter().filter(|name| search.distance(name).is_some());
    assert!(compared.count() <= MOST_CELLS / (80 * 80));
    let hint = suggestion(&"b".repeat(9), alike.iter().map(String::as_str));
    assert!(hint.contains("or one of 19940 others"), "{}", &hint[..200]);
}
