//! What is measured: a row for every entry of the script API, and rows for the language's own ways to
//! handle large values. The suite checks that every entry has a row that runs.

use super::level::Place;
use hangtime::{
    playtest::calls::calls_of_tests,
    script::{
        host::api::{ApiEntry, ApiSet, EntryKind, Owner, Topic},
        rhai::api_entries,
    },
};

/// Statements whose price is measured.
pub struct Row {
    /// How the row is called.
    pub name: String,
    pub place: Place,
    /// Runs once before the statements.
    pub setup: &'static str,
    /// The statements.
    pub body: String,
    /// Whether it passes time in a test. Such time has its own limit, in ticks.
    pub plays: bool,
    /// How often they run in one tick. Calls that leave orders may be made only some dozens of times.
    pub times: usize,
}

/// How often statements run that leave orders, or handle much.
const FEW: usize = 60;
/// How often quick statements run, so that the loop takes much longer than reading the clock.
const MANY: usize = 600;

/// A variable that examples of the reference use.
const OFTEN_USED: &str = "this.n = 0;";

/// Members in examples that work only for a vessel.
const OF_VESSELS: [&str; 2] = ["me.angle", "me.spin"];

/// All rows.
pub fn rows() -> Vec<Row> {
    let mut all = Vec::new();
    for crowded in [false, true] {
        let behavior = api_entries(&calls_of_tests()).iter();
        let behavior = behavior.filter(|entry| entry.api_set.is_in(ApiSet::Behavior) && has_price(entry));
        all.extend(behavior.map(|entry| of_entry(entry, crowded)));
    }
    let of_tests = api_entries(&calls_of_tests()).iter();
    let of_tests = of_tests.filter(|entry| entry.api_set == ApiSet::Test);
    all.extend(of_tests.map(of_test_entry));
    all.extend(CALLS.map(|body| row(body, Place::Side { crowded: true }, FEW)));
    all.extend(TOP_CALLS.map(|body| row(body, Place::Top { crowded: true }, FEW)));
    let empty = Place::Side { crowded: false };
    all.extend(STATEMENTS.map(|body| row(body, empty, times(body))));
    all.extend(FUNCTIONS.map(|body| row(body, empty, times(body))));
    all
}

/// Whether an entry can be called in a loop of a hook. Examples of sequences are functions that wait, and a wait ends the
/// call.
pub fn has_price(entry: &ApiEntry) -> bool {
    entry.topic != Topic::Sequences
}

/// Statements about single values are quick.
fn times(body: &str) -> usize {
    let quick = [
        "[i]",
        "[500]",
        "[7]",
        "[3]",
        "i % 400",
        "i % 900",
        "this.n ",
        ".len",
        "get(3)",
        ".is_empty",
        ".bytes",
        "text - ",
        "list.pop();",
        "list.set(3",
        "print(",
        "map.remove",
    ];
    let quick = quick.iter().any(|part| body.contains(part));
    if quick && !body.contains("insert") { MANY } else { FEW }
}

fn row(body: &'static str, place: Place, times: usize) -> Row {
    Row { name: body.into(), place, setup: LARGE, body: body.into(), plays: false, times }
}

fn of_entry(entry: &ApiEntry, crowded: bool) -> Row {
    let signature = entry.signature();
    let leaves_orders = entry.owner == Owner::Me || entry.owner.is_module();
    let with_height = leaves_orders && entry.parameters.iter().any(|p| p.name == "z") || entry.name == "push_z";
    let turns = OF_VESSELS.iter().any(|name| entry.example.contains(name));
    let place = if turns {
        Place::Vessel { crowded }
    } else if with_height {
        Place::Top { crowded }
    } else {
        Place::Side { crowded }
    };
    // Entities at the same place push each other apart, which is not what is measured.
    let body = entry
        .example
        .replace("me.x, me.y + 60", "me.x + 40 * i, me.y + 60")
        .replace("\"step\" + world::tick()", "\"step\" + i");
    let reads = matches!(entry.kind, EntryKind::Property(_));
    Row {
        name: signature,
        place,
        setup: OFTEN_USED,
        body,
        plays: false,
        times: if leaves_orders && !reads { FEW } else { MANY },
    }
}

fn of_test_entry(entry: &ApiEntry) -> Row {
    let name = entry.signature();
    let quiet = IN_TESTS.iter().find(|(signature, _)| *signature == name);
    let body = quiet.map_or(entry.example, |(_, body)| *body);
    Row { place: Place::Test, setup: OF_TESTS, body: body.into(), plays: PLAYING.contains(&&*name), name, times: FEW }
}

/// Calls that let time pass.
const PLAYING: [&str; 4] = ["t.run(seconds)", "t.ticks(count)", "t.run_until(condition, seconds)", "t.input(file)"];

/// A moment to return to, for tests.
const OF_TESTS: &str = "let moment = t.snapshot();";

/// Statements in place of examples that let time pass, which is paid for in ticks, or that need files.
const IN_TESTS: [(&str, &str); 26] = [
    ("t.hold(action)", "t.hold(\"right\");"),
    ("t.press(action)", "t.press(\"jump\");"),
    ("t.restore(moment)", "t.restore(moment);"),
    ("t.hash", "let x = t.hash;"),
    ("t.time", "let x = t.time;"),
    ("t.tick", "let x = t.tick;"),
    ("expect(value)", "expect(3).above(2);"),
    ("t.input(file)", "t.input(\"prices.input\");"),
    ("t.place(name, x, y)", "t.place(\"hero\", 0, 100);"),
    ("t.emit(name)", "t.restore(moment); t.emit(\"alarm\");"),
    ("t.emit(name, data)", "t.restore(moment); t.emit(\"alarm\", #{ x: 40 });"),
    ("t.events(name)", "let x = t.events(\"land\");"),
    ("t.entity(name)", "let x = t.entity(\"hero\");"),
    ("t.why(name)", "let x = t.why(\"hero\");"),
    ("t.why_text(name)", "let x = t.why_text(\"hero\");"),
    ("play(level)", "let x = play(\"prices.toml\");"),
    ("play(level, settings)", "let x = play(\"prices.toml\", #{ \"simulation.tick_hz\": 120 });"),
    ("known_failure(why)", "for j in 0..50 { if j > 99 { known_failure(\"it is not made yet\"); } }"),
    ("expect(x).above(value)", "expect(3).above(2);"),
    ("expect(x).above(value, note)", "expect(3).above(2, \"three\");"),
    ("expect(x).below(value)", "expect(2).below(3);"),
    ("expect(x).below(value, note)", "expect(2).below(3, \"two\");"),
    ("expect(x).equals(value)", "expect(3).equals(3);"),
    ("expect(x).contains(value)", "expect([1, 2, 3]).contains(3);"),
    ("hero.age", "let x = hero.age;"),
    ("hero.surface", "let x = hero.surface;"),
];

/// Values of the largest size, for the rows below.
const LARGE: &str = r#"
    let text = ""; text.pad(4096, "a");
    let list = []; list.pad(960, 1);
    let rows = []; rows.pad(30, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
    let map = #{}; for i in 0..200 { map[`${i}`] = i; }
    let long = #{}; let key = ""; key.pad(1000, "k"); for i in 0..8 { long[key + i] = i; }
    let n = 0;
    this.text = text; this.list = []; this.list.pad(400, 1); this.map = #{ a: 1, b: [1, 2, 3] };
"#;

/// Statements that handle large values, and a few that handle small ones.
const STATEMENTS: [&str; 90] = [
    "let x = this.text - \"b\";",
    "let x = this.text + this.text;",
    "let x = this.text < this.text;",
    "let x = `${this.text}${this.text}`;",
    "let x = i + 1;",
    "let x = 0.5 * i + 2.0;",
    "if i > 3 && i < 7 { n += 1; }",
    "n = kept(i);",
    "n = near(i);",
    "switch i { 1 => 2, 3..9 => 3, _ => 4 };",
    "let f = |v| v + 1; n = f.call(i);",
    "let x = #{ a: i, b: 2 };",
    "let x = [i, 2, 3];",
    "let x = text;",
    "let x = list;",
    "let x = rows;",
    "let x = map;",
    "let x = long;",
    "let x = this;",
    "let x = this.text;",
    "let x = this.list;",
    "let x = this.map.b;",
    "let x = [this.list, 1];",
    "let x = #{ a: this.list };",
    "let x = kept(this.list);",
    "let x = kept(list);",
    "if this.list == list { }",
    "if this.list == 1 { }",
    "if list == list { }",
    "if map == map { }",
    "if text == this.text { }",
    "if 7 in this.list { }",
    "if \"b\" in text { }",
    "if \"x\" in map { }",
    "switch this.list { 1 => 2, _ => 3 }",
    "let x = text[4094];",
    "let x = text[-1];",
    "let x = text[4000..4010];",
    "let x = this.text[4094];",
    "let x = this.text[i + 4000];",
    "let x = list[500];",
    "let x = list[i % 900];",
    "let x = rows[i % 30][i % 30];",
    "let x = map[\"7\"];",
    "let x = this.list[i % 400];",
    "this.text[4094] = 'x';",
    "this.text[i + 4000] = 'x';",
    "this.text[0..2] = \"ab\";",
    "text[4094] = 'x';",
    "list[7] = 8;",
    "list[i % 900] += 1;",
    "rows[3][4] = 5;",
    "rows[3] = 5;",
    "this.list[i % 400] = 7;",
    "this.list[i % 400] += 7;",
    "this.n = 7;",
    "this.n += 1;",
    "this.map.c = 7;",
    "this.map[\"d\"] = 7;",
    "map[`${i}`] = 7;",
    "long[key] = 7;",
    "let x = text + \"b\";",
    "let x = text + text;",
    "let x = `${text}`;",
    "let x = `${this.text} and ${i}`;",
    "let x = rows[0] + rows[1];",
    "let x = list.len();",
    "let x = list.len;",
    "let x = rows.len();",
    "let x = map.len();",
    "let x = this.list.len();",
    "let x = text.len();",
    "let x = this.text.len();",
    "if list.len() < 1020 { list.push(1); }",
    "this.list.push(1);",
    "list.pop();",
    "list.insert(0, 1); list.pop();",
    "list.remove(0);",
    "list.set(3, 4);",
    "let x = list.get(3);",
    "let x = map.get(\"3\");",
    "let x = list.contains(-1);",
    "let x = list.index_of(-1);",
    "let x = map.keys();",
    "let x = map.values();",
    "for x in list { }",
    "for x in this.list { }",
    "for x in text.chars() { }",
    "let x = list.map(|v| v + 1);",
    "let x = list.filter(|v| v > 1);",
];

/// More statements: functions of text and of lists that run in one step.
const FUNCTIONS: [&str; 44] = [
    "let x = text.to_upper();",
    "let x = text.to_lower();",
    "let x = text.contains(\"b\");",
    "let x = text.index_of(\"b\");",
    "let x = text.starts_with(text);",
    "let x = text.ends_with(text);",
    "let x = text.split();",
    "let x = text.split(\"b\");",
    "let x = text.sub_string(1);",
    "let x = text.chars();",
    "let x = text.bytes;",
    "let x = text.is_empty;",
    "text.replace(\"a\", \"b\");",
    "text.crop(0, 4090);",
    "text.truncate(4000);",
    "text.trim();",
    "text.make_upper();",
    "text.remove(\"b\");",
    "let x = text.get(4000);",
    "text.set(4000, 'b');",
    "let x = text + 1;",
    "let x = text - \"b\";",
    "let x = max(text, text);",
    "let x = text < text;",
    "print(text);",
    "let x = list.to_string();",
    "let x = map.to_string();",
    "let x = map.to_json();",
    "let x = list.extract(0, 900);",
    "let x = list.filter(|v| v == 1);",
    "let x = list.all(|v| v == 1);",
    "let x = list.some(|v| v == 2);",
    "let x = list.find(|v| v == 2);",
    "let x = list.reduce(|a, b| a);",
    "list.reverse();",
    "list.sort();",
    "list.sort(|a, b| a - b);",
    "list.dedup();",
    "list.truncate(900);",
    "list.truncate(900); list.append([1, 2]);",
    "list.drain(0..2);",
    "list.splice(0..2, [1, 2]);",
    "map.remove(\"3\");",
    "map.mixin(#{ a: 1 });",
];

/// Calls of the game with the largest arguments.
const CALLS: [&str; 23] = [
    "world::emit(\"x\", this.map);",
    "world::emit(\"x\", #{ text: text.sub_string(0, 4000) });",
    "world::emit(\"x\", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);",
    "me.note(\"0123456789012345678901234567890123456789012345678901234567890123456789\");",
    "me.after(5, \"some_event_with_a_long_name\");",
    "me.cancel(\"some_event_with_a_long_name\");",
    "let x = world::entity(\"missing\");",
    "let x = world::entity(\"last\");",
    "let x = world::all(\"stone\");",
    "let x = world::all(\"none\");",
    "let x = world::zones_at(0, 100);",
    "let x = world::cast(-4000, 500, 4000, -50);",
    "let x = world::cast(-20, 300, 20, 100);",
    "let x = world::solid(\"last\");",
    "world::set_solid(\"door\", true);",
    "let x = world::create(\"stone\", 3000 + 40 * i, 300);",
    "let x = me.plan_jump(400, 0, 20);",
    "let x = me.plan_jump(3000, 0, 900);",
    "let x = me.jump_to(400, 0, 20);",
    "me.tune(\"platformer.jump_speed\", 500 + i);",
    "let x = world::rest_positions(\"hero\", -30, -100, 30, 60);",
    "let x = world::cast(-4000, 450, 4000, 450);",
    "let x = parse_float(\"12345678901234567890.12345678901234567890\");",
];

/// Calls with the largest arguments in a top view.
const TOP_CALLS: [&str; 6] = [
    "me.place(3 * i, 30, 5);",
    "let x = world::create(\"stone\", 3000 + 40 * i, 300, 20);",
    "let x = world::cast(-4000, 450, 4000, 450);",
    "let x = world::zones_at(0, 100);",
    "let x = me.plan_jump(400, 0, 20);",
    "let x = me.jump_to(400, 0, 20);",
];
