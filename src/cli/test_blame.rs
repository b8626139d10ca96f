//! `blame --test`: which numbers a failed test depends on, and which change of one would do.

use super::*;
use hangtime_play::{BlamedNumber, TestBlame, TestMiss, aligned};
use serde_json::{Value, json};

/// Runs a test, varies what it depends on, and prints what was found.
pub fn blame_test(project: &Project, name: &str, jobs: Option<u16>, as_json: bool) -> Exit {
    let blame = TestBlame::find(project, "--test", name)?;
    let Some(miss) = blame.miss() else {
        match as_json {
            true => say_json(&json!({ "test": blame.name, "passed": true })),
            false => say(format!("`{}` passes: there is nothing to blame", printable_name(&blame.name))),
        }
        return Ok(SUCCESS);
    };
    let interrupt = Interrupt::watch();
    let stopped = move || interrupt.arrived();
    let progress = progress_bar(blame.numbers() as u64, 0, "{bar:40} {pos}/{len} numbers");
    let found = blame.blamed(job_count(jobs), &stopped, || progress.iter().for_each(|bar| bar.inc(1)));
    progress.iter().for_each(ProgressBar::finish_and_clear);
    match as_json {
        true => say_json(&json!({
            "test": blame.name, "passed": false, "message": miss.message, "place": miss.place,
            "expected": miss.expected, "got": miss.got,
            "value": miss.missed.map(|missed| missed.got),
            "numbers": found.iter().map(number_json).collect::<Vec<Value>>(),
        })),
        false => say(table(&blame, miss, &found)),
    }
    if stopped() {
        tell("interrupted: not all numbers were varied");
        return Ok(INTERRUPTED);
    }
    Ok(SUCCESS)
}

fn number_json(one: &BlamedNumber) -> Value {
    let number = &one.number;
    json!({
        "key": number.key(), "origin": number.origin, "value": number.value, "unit": number.unit,
        "slope": one.slope, "per_percent": one.slope.map(|_| one.effect()), "abrupt": one.abrupt,
        "would_do": one.would_do, "change": one.would_do.map(|to| to - number.value),
    })
}

fn table(blame: &TestBlame, miss: &TestMiss, found: &[BlamedNumber]) -> String {
    let place = if miss.place.is_empty() { String::new() } else { format!(" ({})", miss.place) };
    let mut text = format!("`{}` fails: {}{place}", printable_name(&blame.name), miss.message);
    if blame.numbers() == 0 {
        return text + "\nit fails before it plays a level, so no number is to blame";
    }
    if found.is_empty() {
        let tried = counted(blame.numbers(), "number");
        return text + format!("\nnone of the {tried} that it uses would change that alone").as_str();
    }
    text += "\nit depends on\n";
    let rows = found.iter().map(|one| {
        let number = &one.number;
        let per = [miss.unit, "per", if number.unit.is_empty() { "1" } else { number.unit }].join(" ");
        vec![
            format!("  {}", number.key()),
            format!("{} {}", number.value, number.unit).trim_end().into(),
            one.slope.map_or_else(String::new, brief),
            one.slope.map_or_else(String::new, |_| per.trim_start().into()),
            if one.abrupt { "abruptly".into() } else { String::new() },
            one.would_do
                .map_or_else(|| "no change of it alone was found".into(), |to| would_do(one, to)),
            number.origin.clone(),
        ]
    });
    let titles = ["", "", "slope", "", "", "smallest change of it alone", "set in"];
    text + aligned(&titles, rows, |column| ![1, 2].contains(&column)).join("\n").as_str()
}

/// `10 px/s more would do`.
fn would_do(one: &BlamedNumber, to: f64) -> String {
    let number = &one.number;
    let by = to - number.value;
    let way = if by < 0.0 { "less" } else { "more" };
    let amount = format!("{} {}", brief(by.abs()), number.unit);
    format!("{} {way} would do: {}", amount.trim_end(), brief(to))
}

/// A number with six digits after the point at most.
fn brief(number: f64) -> String {
    ((number * 1e6).round() / 1e6 + 0.0).to_string()
}
