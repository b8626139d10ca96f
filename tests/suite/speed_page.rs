//! The tables of `docs/speed.md`, from saved measurements.

use crate::speed_tables::{with_bench, with_peers};
use serde_json::{Value, json};
use std::path::Path;

/// A page with a place for each table.
const PAGE: &str = "# Speed\n\nBefore.\n\n<!-- peers characters -->\nold\n<!-- end of peers characters -->\n\nBetween.\n\n\
                    <!-- peers queries -->\n<!-- end of peers queries -->\n\n\
                    <!-- peers bodies -->\n<!-- end of peers bodies -->\n\n<!-- bench service -->\n<!-- end of bench service -->\n";

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("a file")
}

fn row(set: &str, (setting, count): (f64, u64), engine: &str, ns: f64, to_ours: f64) -> Value {
    let is_ours = to_ours == 1.0;
    json!({"set": set, "setting": setting, "count": count, "engine": engine, "is_ours": is_ours, "ns": ns, "to_ours": to_ours})
}

fn run() -> Value {
    let mut peer = row("characters", (992.0, 1000), "Box2D", 1600.0, 8.0);
    peer["released_to_ours"] = json!(6.75);
    json!({
        "date": "2026-01-31", "machine": "a machine", "hangtime": "9.9.9", "revision": "abc", "box2d": "3", "rapier": "0.36",
        "box2d_asserts": false,
        "rows": [
            row("characters", (992.0, 1000), "hangtime", 200.0, 1.0),
            peer,
            row("characters", (9984.0, 1000), "hangtime", 300.4, 1.0),
            row("characters", (9984.0, 1000), "Rapier", 3004.0, 10.0),
        ],
    })
}

#[test]
fn the_tables_of_the_peers_are_ratios_next_to_those_of_the_last_release() {
    let page = with_peers(PAGE, &run()).expect("a page");
    let table = "<!-- peers characters -->\n\n2026-01-31, a machine, hangtime 9.9.9 at abc, Box2D 3, Rapier 0.36.\n\n\
                 | edges | characters | ours, ns | Box2D / ours | Rapier / ours |\n|---|---|---|---|---|\n\
                 | 992 | 1,000 | 200 | 8.00 (last release 6.75) |  |\n| 9,984 | 1,000 | 300 |  | 10.00 |\n\n\
                 <!-- end of peers characters -->";
    assert_eq!(page, PAGE.replace("<!-- peers characters -->\nold\n<!-- end of peers characters -->", table));
    // Written again, it is the same.
    assert_eq!(with_peers(&page, &run()).as_ref(), Ok(&page));
}

#[test]
fn queries_have_a_row_for_each_question_about_a_level() {
    let of = |query: &str, engine: &str, ns: f64, to_ours: f64| {
        let mut row = row("queries", (992.0, 8000), engine, ns, to_ours);
        row["query"] = query.into();
        row
    };
    let mut run = run();
    run["rows"] = json!([
        of("sweep", "hangtime", 50.0, 1.0),
        of("sweep", "parry", 400.0, 8.0),
        of("slide", "hangtime", 80.0, 1.0),
        of("slide", "parry", 960.0, 12.0),
    ]);
    let page = with_peers(PAGE, &run).expect("a page");
    let table = "| edges | query | ours, ns | parry / ours |\n|---|---|---|---|\n\
                 | 992 | sweep | 50 | 8.00 |\n| 992 | slide | 80 | 12.00 |\n\n<!-- end of peers queries -->";
    assert!(page.contains(table), "{page}");
}

#[test]
fn what_a_bench_prints_is_a_table_of_its_bounds_or_stays_as_it_is() {
    let printed = "service: starts\nfork of 100 entities: median 12.0 µs (bound: 60)\n  steps: 7 (bound: 5)\n";
    let page = with_bench(PAGE, "service", printed, "today, here").expect("a page");
    let table = "today, here:\n\n| what | measured |\n|---|---|\n| fork of 100 entities | median 12.0 µs (bound: 60) |\n\
                 | steps | 7 (bound: 5) |\n\n<!-- end of bench service -->";
    assert!(page.contains(table), "{page}");
    let page = with_bench(&page, "service", "\n   a  b\nx  1  2\n", "today, here").expect("a page");
    assert!(page.contains("today, here:\n\n```text\n   a  b\nx  1  2\n```\n\n<!-- end of bench service -->"), "{page}");
}

#[test]
fn a_page_without_a_place_for_a_table_is_refused() {
    let error = with_bench(PAGE, "runs", "", "").expect_err("no place");
    assert_eq!(error, "the page has no `<!-- bench runs -->` with `<!-- end of bench runs -->` after it");
    assert!(with_peers("# Speed", &run()).is_err());
    assert!(with_peers(PAGE, &json!({"rows": 5})).is_err());
    assert!(with_peers(PAGE, &json!({"rows": [{"set": "characters"}]})).is_err());
}

#[test]
fn the_page_has_the_tables_of_the_last_released_run() {
    // What the last release has measured has the form of any run, and the page a place for it.
    let released: Value = serde_json::from_str(&read("benches/peers/released.json")).expect("JSON");
    let page = with_peers(&read("docs/speed.md"), &released).expect("a page");
    for row in released["rows"].as_array().expect("rows") {
        assert!(["characters", "bodies"].contains(&row["set"].as_str().unwrap_or_default()), "{row}");
        let ratio = row["to_ours"].as_f64().expect("a ratio");
        assert!(row["is_ours"] == true || page.contains(&format!("| {ratio:.2}")), "{row}");
    }
}
