//! Whether operations cost what the budget of scripts says: `cargo bench --bench prices`.
//!
//! 20,000 operations are to take about a millisecond, so one may take 50 ns. For every entry of the
//! script API, and for the language's own ways to handle large values, this prints how long an
//! operation takes: in an empty level and in a crowded one, and with the largest arguments that the
//! default limits allow. The entries come from the table of calls, so none can be forgotten. The
//! exit code is 1 if an operation takes longer somewhere. `-- TEXT` measures only rows that contain
//! the text.

use hangtime::project::{Live, Project};
use hangtime::script::host::STACK;
use hangtime::script::host::api::ApiSet;
use hangtime::script::rhai::api_entries;
use hangtime::sim::Inputs;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// The most that an operation may take, ns.
const MOST: f64 = 50.0;
/// How often a statement runs in the tick that is measured. No call may be made more than 64 times.
const TIMES: usize = 60;
/// Worlds that are measured for each row; the fastest counts, as other programs only slow it down.
const WORLDS: usize = 16;

/// Values of the largest size, for the rows below.
const LARGE: &str = r#"
    let text = ""; text.pad(4096, "a");
    let list = []; list.pad(960, 1);
    let rows = []; rows.pad(30, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
    let map = #{}; for i in 0..200 { map[`${i}`] = i; }
    let long = #{}; let key = ""; key.pad(1000, "k"); for i in 0..8 { long[key + i] = i; }
    this.text = text; this.list = []; this.list.pad(400, 1); this.map = #{ a: 1, b: [1, 2, 3] };
"#;

/// Statements that handle large values.
const STATEMENTS: [&str; 77] = [
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
    "let x = list[i];",
    "let x = rows[i % 30][i % 30];",
    "let x = map[\"7\"];",
    "let x = this.list[i];",
    "this.text[4094] = 'x';",
    "this.text[i + 4000] = 'x';",
    "this.text[0..2] = \"ab\";",
    "text[4094] = 'x';",
    "list[7] = 8;",
    "list[i] += 1;",
    "rows[3][4] = 5;",
    "rows[3] = 5;",
    "this.list[i] = 7;",
    "this.list[i] += 7;",
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
    "list.append([1, 2]);",
    "list.drain(0..2);",
    "list.splice(0..2, [1, 2]);",
    "map.remove(\"3\");",
    "map.mixin(#{ a: 1 });",
];

/// Calls of the game with the largest arguments.
const CALLS: [&str; 22] = [
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
    "let x = parse_float(\"12345678901234567890.12345678901234567890\");",
];

fn main() -> ExitCode {
    // Scripts need a large stack.
    let bench = std::thread::Builder::new().stack_size(STACK).spawn(run);
    if bench.expect("a thread").join().expect("the benches run") {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn run() -> bool {
    let chosen = std::env::args().skip(1).find(|a| !a.starts_with("--"));
    let chosen = |name: &str| {
        chosen
            .as_ref()
            .is_none_or(|part| name.contains(part.as_str()))
    };
    println!("ns for each operation; {MOST:.0} are the most");
    println!("{:>8}{:>8}  {:8}", "ns", "ops", "level");
    let mut dear = Vec::new();
    let mut show = |level: Level, name: &str, setup: &str, body: &str| {
        if !chosen(name) {
            return;
        }
        let Some(price) = measure(level, setup, body) else {
            println!("{:>16}  {:8}{name}", "cannot run", level.name());
            dear.push(name.to_string());
            return;
        };
        let mark = if price.ns > MOST { " <- over" } else { "" };
        println!(
            "{:>8.1}{:>8.0}  {:8}{name}{mark}",
            price.ns,
            price.operations,
            level.name()
        );
        if price.ns > MOST {
            dear.push(name.to_string());
        }
    };
    for level in [Level::Empty, Level::Crowded] {
        for entry in api_entries()
            .iter()
            .filter(|entry| entry.api_set.is_in(ApiSet::Behavior))
        {
            show(level, &entry.signature(), OFTEN_USED, entry.example);
        }
    }
    for body in CALLS {
        show(Level::Crowded, body, LARGE, body);
    }
    for body in STATEMENTS.iter().chain(&FUNCTIONS) {
        show(Level::Empty, body, LARGE, body);
    }
    if dear.is_empty() {
        println!("no operation takes more than {MOST:.0} ns");
    } else {
        println!(
            "{} take more than {MOST:.0} ns: {}",
            dear.len(),
            dear.join(" | ")
        );
    }
    dear.is_empty()
}

/// A variable that examples of the reference use.
const OFTEN_USED: &str = "this.n = 0;";

/// Entries whose examples work only for a vessel.
const OF_VESSELS: [&str; 2] = ["me.angle", "me.spin"];

/// The price of a statement.
struct Price {
    /// Nanoseconds for each operation.
    ns: f64,
    /// Operations each time.
    operations: f64,
}

/// The price of `body` after `setup`; none if it cannot run.
fn measure(level: Level, setup: &str, body: &str) -> Option<Price> {
    let idle = fastest(level, setup, "")?;
    let busy = fastest(level, setup, body)?;
    let operations = busy.operations as f64 - idle.operations as f64;
    (operations > 0.0).then(|| Price {
        ns: (busy.ns - idle.ns).max(0.0) / operations,
        operations: operations / TIMES as f64,
    })
}

struct Tick {
    ns: f64,
    operations: u64,
}

/// The fastest second tick of several worlds.
fn fastest(level: Level, setup: &str, body: &str) -> Option<Tick> {
    let folder = tempfile::tempdir().expect("a folder");
    level.write(folder.path(), setup, body);
    let project = Project::load(folder.path()).expect("the folder");
    let path = project.find_level("prices").expect("the level");
    let revision = Arc::new(project.open(Path::new(&path), &[]).ok()?);
    let mut best: Option<Tick> = None;
    for _ in 0..WORLDS {
        let mut live = Live::new(revision.clone(), 0);
        live.step(&Inputs::none());
        let before = nanoseconds();
        live.step(&Inputs::none());
        let ns = nanoseconds() - before;
        let operations = live.script_operations();
        let faults = live.take_faults();
        let _ = live.take_printed();
        if let Some(fault) = faults.first() {
            eprintln!("{}", fault.render(false));
            return None;
        }
        if best.as_ref().is_none_or(|best| ns < best.ns) {
            best = Some(Tick { ns, operations });
        }
    }
    best
}

/// The processor time of this thread: other load on the machine counts little.
#[cfg(unix)]
fn nanoseconds() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 * 1e9 + now.tv_nsec as f64
}

/// The time since the first call.
#[cfg(not(unix))]
fn nanoseconds() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START
        .get_or_init(std::time::Instant::now)
        .elapsed()
        .as_nanos() as f64
}

/// Where statements run.
#[derive(Clone, Copy)]
enum Level {
    Empty,
    /// 500 entities, 3,000 edges within reach, platforms and zones.
    Crowded,
}

impl Level {
    fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Crowded => "crowded",
        }
    }

    /// Writes a game whose hero runs the statements in the second tick.
    fn write(self, folder: &Path, setup: &str, body: &str) {
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        };
        let script = format!(
            "fn kept(x) {{ x }}\nfn on_tick(me) {{\n    if world::tick() != 1 {{ return; }}\n{setup}\n    \
             for i in 0..{TIMES} {{\n{body}\n    }}\n}}\n"
        );
        write("scripts/hero.rhai", &script);
        // The budget is not what is measured.
        write(
            "config/hangtime.toml",
            "[scripts]\noperations = 100000000\ntick_operations = 4000000000\n",
        );
        let turns = OF_VESSELS.iter().any(|name| body.contains(name));
        let model = if turns { "vessel" } else { "platformer" };
        let kind = format!(
            "model = \"{model}\"\nscript = \"hero.rhai\"\nvars = {{ n = 0, ball = \"\", goal = 0, height = 0, wants = false, stunned = false }}\n"
        );
        write("config/entities/hero.toml", &kind);
        for kind in ["stone", "ball", "guard", "none"] {
            write(&format!("config/entities/{kind}.toml"), "");
        }
        let mut level = String::from(
            "surface = \"ice\"\n[[solid]]\nname = \"floor\"\npoints = [[-5000, -100], [5000, -100], [5000, 0], [-5000, 0]]\n\
             [[solid]]\nname = \"door\"\npresent = true\npoints = [[900, 0], [920, 0], [920, 90], [900, 90]]\n\
             [[zone]]\nname = \"water\"\npoints = [[-300, 0], [300, 0], [300, 200], [-300, 200]]\n\
             [[entity]]\nkind = \"hero\"\nname = \"hero\"\nat = [0, 19]\nplayer = 1\n",
        );
        write("config/surfaces.toml", "[ice]\n");
        if matches!(self, Self::Crowded) {
            crowd(&mut level);
        }
        level.push_str(
            "[[solid]]\nname = \"last\"\npoints = [[4900, 0], [4950, 0], [4950, 50], [4900, 50]]\n",
        );
        level.push_str("[[entity]]\nkind = \"guard\"\nname = \"last\"\nat = [4800, 19]\n");
        write("levels/prices.toml", &level);
    }
}

fn crowd(level: &mut String) {
    for i in 0..750 {
        // Small blocks in the air, above the heads of all.
        let (x, y) = (
            f64::from(i % 50) * 12.0 - 300.0,
            120.0 + f64::from(i / 50) * 12.0,
        );
        let _ = write!(
            level,
            "[[solid]]\npoints = [[{x}, {y}], [{0}, {y}], [{0}, {1}], [{x}, {1}]]\n",
            x + 8.0,
            y + 8.0
        );
    }
    for i in 0..60 {
        let x = f64::from(i) * 60.0 - 1800.0;
        let _ = write!(
            level,
            "[[solid]]\nname = \"lift {i}\"\npoints = [[{x}, 400], [{0}, 400], [{0}, 420], [{x}, 420]]\n\
             path = {{ points = [[0, 0], [0, 40]], speed = 40 }}\n",
            x + 40.0
        );
    }
    for i in 0..40 {
        let _ = write!(
            level,
            "[[zone]]\nname = \"zone {i}\"\npoints = [[-{0}, 0], [{0}, 0], [{0}, 300], [-{0}, 300]]\n",
            100 + i
        );
    }
    for i in 0..500 {
        let _ = write!(
            level,
            "[[entity]]\nkind = \"stone\"\nat = [{}, 19]\n",
            1000.0 + f64::from(i) * 7.0
        );
    }
}
