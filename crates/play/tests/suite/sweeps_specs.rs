//! What `--vary` takes: any text gives values or a message, and ranges have the values that they say. What follows from
//! them: the runs, and sentences about the values that pass.

use crate::ground::tried;
use hangtime_play::{MOST_RUNS, PassEdge, PassEdges, SweepPlan, VariedKey};
use proptest::prelude::*;

/// A number with some decimal places, as text.
fn decimal(units: i64, places: u32) -> String {
    let (sign, digits) = (if units < 0 { "-" } else { "" }, units.unsigned_abs());
    let scale = 10_u64.pow(places);
    let (whole, rest) = (digits / scale, digits % scale);
    match places {
        0 => format!("{sign}{whole}"),
        n => format!("{sign}{whole}.{rest:0n$}", n = n as usize),
    }
}

proptest! {
    #![proptest_config(tried(20_000))]

    #[test]
    fn any_text_gives_values_or_a_message(text in "[a-z.]{0,4}=?[-0-9.:,e\"' \\[\\]x\u{0}-\u{7}ö]{0,24}") {
        match VariedKey::parse(&text) {
            Ok(key) => {
                prop_assert!((1..=MOST_RUNS).contains(&key.len()));
                for i in [0, key.len() / 2, key.len() - 1, usize::MAX] {
                    prop_assert!(!key.value(i).label.is_empty(), "{text}");
                }
                let plan = SweepPlan::new(vec![key]).expect("one key");
                prop_assert!(plan.corners().iter().all(|run| *run < plan.runs()));
            }
            Err(message) => prop_assert!(!message.is_empty()),
        }
    }

    #[test]
    fn ranges_have_their_values(
        from in -100_000_i64..100_000,
        step in 1_i64..5_000,
        steps in 0_i64..60,
        more in 0.0..1.0_f64,
        places in 0_u32..5,
        down in any::<bool>(),
    ) {
        let step = if down { -step } else { step };
        // The end is beyond the last value by less than a step.
        let beyond = (more * step.abs() as f64) as i64 * step.signum();
        let to = from + steps * step + beyond;
        let texts = [from, to, step].map(|n| decimal(n, places));
        let text = format!("a.b={}..{}:{}", texts[0], texts[1], texts[2]);
        let key = VariedKey::parse(&text).expect("a good range");
        prop_assert_eq!(key.len() as i64, steps + 1, "{}", text);
        for i in 0..key.len() {
            let right: f64 = decimal(from + i as i64 * step, places).parse().expect("a number");
            prop_assert_eq!(key.value(i).number, Some(right), "{}", text);
            let number: f64 = key.value(i).setting.parse().expect("a number");
            prop_assert_eq!(Some(number), key.value(i).number);
        }
    }
}

fn labels(text: &str) -> Vec<String> {
    let key = VariedKey::parse(text).expect("a good key");
    (0..key.len()).map(|i| key.value(i).label).collect()
}

fn settings(text: &str) -> Vec<String> {
    let key = VariedKey::parse(text).expect("a good key");
    (0..key.len()).map(|i| key.value(i).setting).collect()
}

#[test]
fn a_range_includes_its_end_where_a_step_hits_it() {
    assert_eq!(labels("a.b=0..0.3:0.1"), ["0", "0.1", "0.2", "0.3"]);
    assert_eq!(labels("a.b=0..1:0.4"), ["0", "0.4", "0.8"]);
    assert_eq!(labels("a.b=1..1:5"), ["1"]);
    assert_eq!(labels("a.b=0..2e-3:1e-3"), ["0", "0.001", "0.002"]);
    assert_eq!(labels("a.b = -1 .. 1 : 1"), ["-1", "0", "1"]);
    let all = labels("a.b=0..100:0.1");
    assert_eq!(all.len(), 1001);
    assert_eq!((&*all[333], &*all[1000]), ("33.3", "100"));
}

#[test]
fn a_range_can_descend_and_be_negative() {
    assert_eq!(labels("a.b=0.2..-0.1:-0.1"), ["0.2", "0.1", "0", "-0.1"]);
    assert_eq!(labels("a.b=-0.3..-0.1:0.1"), ["-0.3", "-0.2", "-0.1"]);
}

#[test]
fn all_values_of_a_range_have_one_type() {
    assert_eq!(settings("a.b=0..1:0.5"), ["0.0", "0.5", "1.0"]);
    assert_eq!(settings("a.b=0..2:1"), ["0", "1", "2"]);
    assert_eq!(settings("a.b=0.0..2:1"), ["0.0", "1.0", "2.0"]);
}

#[test]
fn a_list_keeps_its_texts_in_order() {
    assert_eq!(labels("a.b=60, 30,120"), ["60", "30", "120"]);
    assert_eq!(labels("a.b=true,false"), ["true", "false"]);
    assert_eq!(labels("a.b=[1, 2],[3, 4]"), ["[1, 2]", "[3, 4]"]);
    assert_eq!(labels("a.b=\"x, y\",z"), ["\"x, y\"", "z"]);
    assert_eq!(labels("a.b=5"), ["5"]);
}

#[test]
fn wrong_ranges_say_what_is_wrong() {
    for (text, what) in [
        ("a.b", "write KEY=FROM..TO:STEP"),
        ("=1..2:1", "write KEY=FROM..TO:STEP"),
        ("a.b=", "write KEY=FROM..TO:STEP"),
        ("a.b=0..1", "the step is missing"),
        ("a.b=0..1:0", "the step cannot be 0"),
        ("a.b=0..1:-0.1", "from 0 to 1 the step must be above 0, not -0.1"),
        ("a.b=1..0:0.1", "from 1 to 0 the step must be below 0, not 0.1"),
        ("a.b=0..x:1", "`x` is not a number"),
        ("a.b=..1:1", "`` is not a number"),
        ("a.b=0..1e300:1", "`1e300` is not a number"),
        ("a.b=0..1:0.0000001", "at most 1000000 values"),
        ("a.b=1,,2", "a value of the list is missing"),
        ("a.b=1,2,1", "`1` is in the list twice"),
        ("seed=-1..3:1", "a seed is a whole number of at least 0, not `-1`"),
        ("seed=0..1:0.5", "a seed is a whole number of at least 0"),
    ] {
        let wrong = VariedKey::parse(text).expect_err(text);
        assert!(wrong.contains(what), "{text}: {wrong}");
    }
    let most = format!("a.b=1..{MOST_RUNS}:1");
    assert_eq!(VariedKey::parse(&most).map(|key| key.len()), Ok(MOST_RUNS));
}

fn plan(keys: &[&str]) -> Result<SweepPlan, String> {
    SweepPlan::new(keys.iter().map(|k| VariedKey::parse(k).expect("a key")).collect())
}

#[test]
fn the_last_key_changes_fastest() {
    let plan = plan(&["a.x=1,2", "a.y=0..0.2:0.1"]).expect("a plan");
    let names: Vec<String> = (0..plan.runs()).map(|run| plan.name(run)).collect();
    assert_eq!(
        names,
        ["a.x=1, a.y=0", "a.x=1, a.y=0.1", "a.x=1, a.y=0.2", "a.x=2, a.y=0", "a.x=2, a.y=0.1", "a.x=2, a.y=0.2"]
    );
    let mut corners = plan.corners();
    corners.sort_unstable();
    assert_eq!(corners, [0, 2, 3, 5]);
}

#[test]
fn every_value_of_a_list_is_checked() {
    let plan = plan(&["a.x=1,2,3", "a.y=0..1:0.1", "a.z=x,y"]).expect("a plan");
    let mut corners = plan.corners();
    corners.sort_unstable();
    let middle = 11 * 2;
    assert_eq!(corners, [0, 1, 20, 21, middle, 2 * middle, 2 * middle + 1, 2 * middle + 20, 2 * middle + 21]);
}

#[test]
fn the_seed_is_not_a_setting() {
    let plan = plan(&["seed=7,8", "a.x=1"]).expect("a plan");
    assert_eq!(plan.settings(1), (vec![("a.x".into(), "1".into())], Some(8)));
}

#[test]
fn too_many_runs_and_doubled_keys_are_refused() {
    let wrong = plan(&["a.x=1..1001:1", "a.y=1..1000:1"]).expect_err("too many");
    assert!(wrong.contains("1001 × 1000 runs are too many"), "{wrong}");
    let huge = ["a.x=1..1000000:1", "a.y=1..1000000:1", "a.z=1..1000000:1", "a.w=1..1000000:1"];
    assert!(plan(&huge).is_err());
    let wrong = plan(&["a.x=1", "a.x=2"]).expect_err("twice");
    assert!(wrong.contains("`a.x` is varied twice"), "{wrong}");
}

/// The edges of a range from 0 to 1 that passes in these stretches.
fn edges(passes_first: bool, at: &[(&str, &str)]) -> PassEdges {
    let mut passes = passes_first;
    let edge = |(below, above): &(&str, &str)| {
        passes = !passes;
        PassEdge {
            below: below.parse().expect("a number"),
            above: above.parse().expect("a number"),
            passes_above: passes,
        }
    };
    PassEdges { key: "a.b".into(), unit: "s", range: (0.0, 1.0), passes_first, edges: at.iter().map(edge).collect() }
}

#[test]
fn sentences_name_the_passing_values() {
    let (a, b, c) = (("0.2", "0.3"), ("0.5", "0.6"), ("0.8", "0.9"));
    for (passes_first, at, right) in [
        (false, &[][..], "never passable from 0 to 1 s"),
        (true, &[], "always passable from 0 to 1 s"),
        (false, &[a], "passable from 0.3 s on"),
        (true, &[a], "passable up to 0.2 s"),
        (false, &[a, b], "passable from 0.3 to 0.5 s"),
        (true, &[a, b], "passable up to 0.2 s and from 0.6 s on"),
        (false, &[a, b, c], "passable from 0.3 to 0.5 s and from 0.9 s on"),
        (true, &[a, b, c], "passable up to 0.2 s and from 0.6 to 0.8 s"),
        (false, &[("0.2", "0.3"), ("0.3", "0.4")], "passable at 0.3 s"),
    ] {
        assert_eq!(edges(passes_first, at).sentence(), right);
    }
    let details = edges(true, &[a, b]).details();
    assert_eq!(details, "  0.3 s fails, 0.2 s passes\n  0.5 s fails, 0.6 s passes\n");
}

#[test]
fn many_edges_are_counted() {
    let texts: Vec<(String, String)> = (0..80).map(|i| (format!("{}", i * 2), format!("{}", i * 2 + 1))).collect();
    let at: Vec<(&str, &str)> = texts.iter().map(|(a, b)| (&**a, &**b)).collect();
    let edges = edges(false, &at);
    assert_eq!(edges.passing().len(), 40);
    assert!(edges.sentence().ends_with(" and in 20 more stretches"), "{}", edges.sentence());
    assert_eq!(edges.details().lines().count(), 20);
}

/// The number that a value of a list is.
fn number(text: &str) -> Option<f64> {
    VariedKey::parse(&format!("a.b={text}")).ok()?.value(0).number
}

#[test]
fn reads_numbers_as_in_json_and_shows_the_shortest_text() {
    for (text, right) in [
        ("0", "0"),
        ("-0.0", "0"),
        ("0.10", "0.1"),
        ("-0.05", "-0.05"),
        ("12.5e1", "125"),
        ("5E-3", "0.005"),
        ("1200e-2", "12"),
        ("1e15", "1000000000000000"),
    ] {
        assert_eq!(number(text).map(|x| x.to_string()).as_deref(), Some(right), "{text}");
    }
}

#[test]
fn what_is_not_a_number_or_has_too_many_digits_is_a_text() {
    for text in [
        "",
        "x",
        "1.",
        ".5",
        "+1",
        "nan",
        "inf",
        "1e400",
        "1e30",
        "1e-30",
        "0x10",
        "1_000",
        "1 2",
        "0.12345678901234567890",
    ] {
        assert_eq!(number(text), None, "{text}");
    }
}

#[test]
fn multiples_of_a_step_are_exact() {
    let key = VariedKey::parse("a.b=0.1..0.4:0.1").expect("a good key");
    assert_eq!(key.value(2).number, Some(0.3));
    assert_eq!(key.value(2).label, "0.3");
}
