//! Scripts that mean harm, or are broken: each gets its message, and everything else goes on.
//!
//! `tests/hostile/*.rhai` are run beside a neighbor that counts its ticks and walks. Their first
//! lines say what is to happen:
//!
//! ```text
//! // expect: load error "…"            the level cannot be opened; a message contains this
//! // expect: fault in on_tick "…"      this hook fails with a message that contains this
//! // expect: nothing                   it runs
//! // expect: quarantine                in the end its script is not called any more
//! // set: scripts.operations=500       a setting
//! // rule: …                           free text
//! //// scripts/lib/a.rhai              what follows is another file
//! ```
//!
//! Nothing may go wrong that is not expected.

use crate::folder::{Folder, on_large_stack};
use hangtime::project::{Live, Revision};
use hangtime::script::host::{Diagnostic, Fault};
use hangtime::sim::{Inputs, Value};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

const TICKS: u64 = 120;

/// Most memory that one tick may take, bytes.
const MOST_MEMORY: u64 = 8 << 20;

/// Most memory that 60 ticks may leave behind, bytes.
const MOST_LEFT: i64 = 1 << 20;

const LEVEL: &str = r#"
surface = "stone"
[[solid]]
name = "floor"
points = [[-4000, -100], [4000, -100], [4000, 0], [-4000, 0]]
[[zone]]
name = "pond"
points = [[-300, 0], [-100, 0], [-100, 90], [-300, 90]]
[[entity]]
kind = "hostile"
name = "hostile"
at = [-200, 60]
player = 1
[[entity]]
kind = "neighbor"
name = "neighbor"
at = [400, 19]
"#;

const NEIGHBOR: &str = "fn on_tick(me) { this.ticks += 1; me.hold(\"right\"); }\n";

/// What a script's first lines say.
#[derive(Default)]
struct Case {
    name: String,
    files: Vec<(String, String)>,
    settings: Vec<(String, String)>,
    load_errors: Vec<String>,
    faults: Vec<(String, String)>,
    quarantine: bool,
    nothing: bool,
}

impl Case {
    fn read(path: &Path) -> Self {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = std::fs::read_to_string(path).expect("a script");
        let mut case = Self {
            name: name.into_owned(),
            ..Self::default()
        };
        let mut file = "scripts/hostile.rhai".to_string();
        let mut body = String::new();
        for line in text.split_inclusive('\n') {
            if let Some(next) = line.strip_prefix("//// ") {
                let before = std::mem::replace(&mut file, next.trim().to_string());
                case.files.push((before, std::mem::take(&mut body)));
                continue;
            }
            body.push_str(line);
            if let Some(what) = line.trim_end().strip_prefix("// expect: ") {
                case.expect(what);
            } else if let Some(setting) = line.trim_end().strip_prefix("// set: ") {
                let (key, value) = setting.split_once('=').expect("KEY=VALUE");
                case.settings.push((key.into(), value.into()));
            }
        }
        case.files.push((file, body));
        case
    }

    fn expect(&mut self, what: &str) {
        let quoted = what.split_once('"').map_or("", |(_, rest)| {
            rest.strip_suffix('"').expect("a closing quote")
        });
        if what == "nothing" {
            self.nothing = true;
        } else if what == "quarantine" {
            self.quarantine = true;
        } else if what.starts_with("load error ") {
            self.load_errors.push(quoted.into());
        } else if let Some(rest) = what.strip_prefix("fault in ") {
            let hook = rest.split(' ').next().unwrap_or_default();
            self.faults.push((hook.into(), quoted.into()));
        } else {
            panic!("{}: `{what}` is no expectation", self.name);
        }
    }

    fn folder(&self) -> Folder {
        let folder = Folder::empty();
        folder.write("levels/level.toml", LEVEL);
        folder.write("config/surfaces.toml", "[stone]\n");
        for kind in ["hostile", "neighbor"] {
            let text = format!("script = \"{kind}.rhai\"\nvars = {{ n = 0, ticks = 0 }}\n");
            folder.write(&format!("config/entities/{kind}.toml"), &text);
        }
        folder.write("scripts/neighbor.rhai", NEIGHBOR);
        for (name, text) in &self.files {
            folder.write(name, text);
        }
        folder
    }

    fn open(&self) -> Result<Revision, Vec<Diagnostic>> {
        let settings: Vec<(&str, &str)> = self
            .settings
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect();
        self.folder().open_with(&settings)
    }
}

/// What came of playing a case.
struct Played {
    faults: Vec<Fault>,
    quarantined: bool,
    neighbor: (Value, f64),
    vars: usize,
    entities: usize,
    slow: Duration,
    /// The most memory that a tick took beside what was there before it, bytes.
    memory: u64,
    /// How much of it was left after the last half of the ticks, bytes.
    left: i64,
}

/// What a slow tick takes: the median of the ten slowest, since whatever else the machine does adds to
/// some, and who fails does so ten times.
fn slow_tick(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() - 5]
}

fn play(revision: Revision) -> Played {
    let mut live = Live::new(Arc::new(revision), 0);
    let mut faults = Vec::new();
    let mut times = Vec::new();
    let (mut memory, mut left) = (0, 0);
    for tick in 0..TICKS {
        let before = Instant::now();
        let counted = allocation_counter::measure(|| {
            live.step(&Inputs::none());
        });
        times.push(before.elapsed());
        memory = memory.max(counted.bytes_max);
        left += if tick < TICKS / 2 {
            0
        } else {
            counted.bytes_current
        };
        faults.extend(live.take_faults());
        let _ = live.take_printed();
    }
    let entities = live.world().entities();
    let named = |name: &str| entities.iter().find(|entity| &*entity.name == name);
    let neighbor = named("neighbor").expect("the neighbor is there");
    let view = live.views().find(|view| &*view.name == "neighbor");
    let hostile = named("hostile");
    Played {
        quarantined: hostile.is_some_and(|entity| entity.quarantined()),
        neighbor: (
            neighbor.vars.0.to_plain()["ticks"].clone(),
            view.expect("the neighbor is seen").pos.x,
        ),
        vars: hostile.map_or(0, |h| format!("{:?}", h.vars.0.to_plain()).len()),
        entities: entities.len(),
        faults,
        slow: slow_tick(times),
        memory,
        left,
    }
}

/// What is not as it should be with a case.
fn judge(case: &Case, walked: f64) -> Vec<String> {
    let mut wrong = Vec::new();
    let revision = match case.open() {
        Ok(revision) => revision,
        Err(errors) => {
            let said: Vec<String> = errors.iter().map(Diagnostic::headline).collect();
            if case.load_errors.is_empty() {
                wrong.push(format!("does not load: {said:?}"));
            }
            for expected in &case.load_errors {
                if !said.iter().any(|s| s.contains(expected)) {
                    wrong.push(format!("`{expected}` is not among {said:?}"));
                }
            }
            wrong.extend(errors.iter().filter_map(unplaced));
            return wrong;
        }
    };
    if !case.load_errors.is_empty() {
        wrong.push(format!("loads, without {:?}", case.load_errors));
        return wrong;
    }
    let played = play(revision);
    for (hook, expected) in &case.faults {
        let found = |f: &&Fault| *f.hook == **hook && f.diagnostic.message.contains(expected);
        match played.faults.iter().find(found) {
            Some(fault) => wrong.extend(unplaced(&fault.diagnostic)),
            None => wrong.push(format!("no fault in {hook} with `{expected}`")),
        }
    }
    let known = |fault: &&Fault| {
        let mut expected = case.faults.iter();
        expected
            .any(|(hook, what)| *fault.hook == **hook && fault.diagnostic.message.contains(what))
    };
    if let Some(odd) = played.faults.iter().find(|fault| !known(fault)) {
        wrong.push(format!("unexpected: {}", odd.render(false)));
    }
    if case.faults.is_empty() && !case.nothing {
        wrong.push("expects neither something nor nothing".into());
    }
    if case.quarantine != played.quarantined {
        wrong.push(format!("quarantined: {}", played.quarantined));
    }
    if played.neighbor != (Value::Int(TICKS as i64), walked) {
        wrong.push(format!("the neighbor suffered: {:?}", played.neighbor));
    }
    if played.memory > MOST_MEMORY || played.left > MOST_LEFT {
        wrong.push(format!(
            "a tick took {} bytes, {} were left in the end",
            played.memory, played.left
        ));
    }
    if played.vars > 100_000 || played.entities > 20_000 {
        wrong.push(format!(
            "{} bytes of variables, {} entities",
            played.vars, played.entities
        ));
    }
    wrong
}

/// Each message has a file, a line, and the line with a caret.
fn unplaced(message: &Diagnostic) -> Option<String> {
    let shown = message.render(false);
    let placed = message.place.is_some() && shown.contains('^');
    (!placed).then(|| format!("has no place: {shown}"))
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let entries = std::fs::read_dir(folder).expect("tests/hostile");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().map(|path| Case::read(path)).collect()
}

/// How far the neighbor gets in peace.
fn walked_in_peace() -> f64 {
    let peace = Case {
        files: vec![("scripts/hostile.rhai".into(), "fn on_tick(me) { }".into())],
        ..Case::default()
    };
    let played = play(peace.open().expect("it loads"));
    assert_eq!(played.neighbor.0, Value::Int(TICKS as i64));
    played.neighbor.1
}

#[test]
fn hostile_scripts_get_their_message_and_the_others_play_on() {
    on_large_stack(|| {
        let walked = walked_in_peace();
        let cases = cases();
        let mut failed = Vec::new();
        for case in &cases {
            // A panic is a failure of its own script only.
            let judged = std::panic::catch_unwind(|| judge(case, walked));
            let wrong = judged.unwrap_or_else(|_| vec!["panicked".into()]);
            if !wrong.is_empty() {
                failed.push(format!("{}: {}", case.name, wrong.join("\n    ")));
            }
        }
        println!("{} of {} passed", cases.len() - failed.len(), cases.len());
        assert!(failed.is_empty(), "{}", failed.join("\n"));
        assert!(cases.len() >= 160, "only {} scripts are left", cases.len());
    });
}

#[test]
#[ignore = "measures"]
fn the_slowest_ticks_of_hostile_scripts() {
    on_large_stack(|| {
        let mut times: Vec<(Duration, String)> = cases()
            .into_iter()
            .filter_map(|case| Some((play(case.open().ok()?).slow, case.name)))
            .collect();
        times.sort();
        for (time, name) in times.iter().rev().take(40) {
            println!("{:8.1} ms  {name}", time.as_secs_f64() * 1000.0);
        }
    });
}

#[test]
#[ignore = "measures"]
fn the_largest_ticks_of_hostile_scripts() {
    on_large_stack(|| {
        let mut sizes: Vec<(u64, i64, String)> = cases()
            .into_iter()
            .filter_map(|case| {
                let played = play(case.open().ok()?);
                Some((played.memory, played.left, case.name))
            })
            .collect();
        sizes.sort();
        for (most, left, name) in sizes.iter().rev().take(40) {
            println!("{most:10} bytes, {left:9} left  {name}");
        }
    });
}

#[test]
#[ignore = "prints"]
fn what_hostile_scripts_say() {
    on_large_stack(|| {
        for case in cases() {
            println!("== {}", case.name);
            match case.open() {
                Err(errors) => errors
                    .iter()
                    .for_each(|e| println!("LOAD {}", e.headline())),
                Ok(revision) => {
                    let played = play(revision);
                    let mut last = String::new();
                    for fault in &played.faults {
                        let said = format!("FAULT {} {}", fault.hook, fault.diagnostic.headline());
                        if said != last {
                            println!("{said}");
                        }
                        last = said;
                    }
                    println!(
                        "RAN quarantined={} neighbor={:?} vars={} entities={}",
                        played.quarantined, played.neighbor, played.vars, played.entities
                    );
                }
            }
        }
    });
}
