//! What `check` finds inside functions, and where it stays silent.

use crate::{
    check_table::{BEHAVIORS, LEVELS, LIBRARIES, Row, TESTS},
    folder::Folder,
    named_game,
    program::{code, out, run},
};
use hangtime::{
    playtest::calls::calls_of_tests,
    project::check,
    script::{
        host::{Diagnostic, HookKind, STACK, api::ApiSet, hooks},
        rhai::api_entries,
    },
};

/// The game of the tables, with entities of all models, so that each call has an effect.
fn game() -> Folder {
    let folder = named_game::game();
    let models = ["vessel", "ballistic", "two_velocity"];
    let entity = |model: &str| format!("[[entity]]\nkind = \"coin\"\nmodel = \"{model}\"\nat = [0, 100]\nplayer = 1\n");
    folder.write("levels/models.toml", &models.map(entity).concat());
    folder
}

/// Runs in a thread with a stack large enough for scripts.
fn on_large_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    thread.expect("a thread").join().expect("no panic");
}

fn look(folder: &Folder, path: &str, text: &str) -> Vec<Diagnostic> {
    folder.write(path, text);
    check(folder.root(), &[path.to_string()], &calls_of_tests()).expect("a file").diagnostics
}

fn all(found: &[Diagnostic]) -> String {
    found.iter().map(|d| d.headline() + "\n").collect()
}

/// A test that also checks something, unless that is what its mistake is about.
fn checking(text: &str, message: &str) -> String {
    if !text.contains("fn test_it() { let t") || text.contains("expect") || message.contains("expect") {
        return text.into();
    }
    let end = text.find("}\nfn ").unwrap_or(text.len() - 1);
    format!("{} expect(t.tick).above(-1); {}", &text[..end], &text[end..])
}

/// Expects exactly one finding for every wrong script of a table, with its place and message, and
/// none for its right twin.
fn assert_table(path: &'static str, rows: &'static [Row]) {
    on_large_stack(move || {
        let folder = game();
        let mut failed = String::new();
        for (number, (marked, severity, message, right)) in rows.iter().enumerate() {
            let at = marked.find('§').expect("a mark");
            let before = &marked[..at];
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
            let head = format!("{path}:{line}:{column}: {severity}: ");
            let found = look(&folder, path, &checking(&marked.replace('§', ""), message));
            let said = all(&found);
            if found.len() != 1 || !said.starts_with(&head) || !said.contains(message) {
                failed += &format!("{number}: {marked}\n  wanted {head}{message}\n  got {said}\n");
            }
            let silent = look(&folder, path, &checking(right, message));
            if !silent.is_empty() {
                failed += &format!("{number}: {right}\n  said {}\n", all(&silent));
            }
        }
        assert!(failed.is_empty(), "{failed}");
    });
}

#[test]
fn finds_mistakes_in_behaviors() {
    assert!(BEHAVIORS.len() + TESTS.len() + LEVELS.len() + LIBRARIES.len() >= 60);
    assert_table("scripts/a.rhai", BEHAVIORS);
}

#[test]
fn finds_mistakes_in_tests() {
    assert_table("levels/tests/a.rhai", TESTS);
}

#[test]
fn finds_mistakes_in_level_scripts() {
    assert_table("scripts/gate.rhai", LEVELS);
}

#[test]
fn finds_mistakes_in_the_use_of_modules() {
    assert_table("scripts/a.rhai", LIBRARIES);
}

#[test]
fn solids_may_have_names_that_scripts_compute() {
    on_large_stack(|| {
        let folder = game();
        let test = "fn test_it() { let t = play(\"gate.toml\"); expect(t.solid(\"step 3\").present).equals(true); }";
        for (name, computed) in [
            ("\"step\"", false),
            ("`step`", false),
            ("\"step \" + n", true),
            ("`step ${n}`", true),
            ("n", true),
            ("event.data.name", true),
        ] {
            let script = format!(
                "fn on_land(me, event) {{ let n = 3; world::create_solid({name}, #{{ box: [0, 0, n, 9] }}); }}"
            );
            folder.write("scripts/gate.rhai", &script);
            let found = look(&folder, "levels/tests/a.rhai", test);
            let said = all(&found);
            let expected = if computed {
                ""
            } else {
                "levels/tests/a.rhai:1:58: warning: no level has a solid `step 3`"
            };
            assert!(said.starts_with(expected) && said.is_empty() == computed, "{name}: {said}");
        }
    });
}

#[test]
fn reports_nothing_about_the_bundled_game() {
    on_large_stack(|| {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let found = check(root, &[], &calls_of_tests()).expect("the game");
        assert!(found.files > 40, "{}", found.files);
        assert!(found.diagnostics.is_empty(), "{}", all(&found.diagnostics));
    });
}

#[test]
fn reports_no_error_in_any_example() {
    on_large_stack(|| {
        let folder = game();
        // Files for the names that examples use.
        folder.write("config/entities/guard.toml", "");
        folder.write("config/entities/ball.toml", "");
        folder
            .write("scripts/hears.rhai", "fn on_recovered(me) {}\nfn on_won(me) {}\nfn on_door_opened(me, event) {}\n");
        for picture in ["torch", "hat", "sword", "coin", "hearts"] {
            folder.write_png(&format!("pictures/{picture}.png"), (1, 1), &[[0; 4]]);
        }
        folder.write("config/hangtime.toml", "[sounds]\nping = \"ping.wav\"\n");
        let mut said = String::new();
        for entry in api_entries(&calls_of_tests()) {
            let (path, text) = if entry.api_set == ApiSet::Test {
                let open = "let t = play(\"level.toml\");\nlet hero = t.entity(\"hero\");";
                let test = format!("fn test_it() {{\n{open}\n{}\n}}\n", entry.example);
                ("levels/tests/example.rhai", test)
            } else {
                let script = match entry.example.starts_with("fn ") {
                    true => format!("{}\n", entry.example),
                    false => format!("fn on_tick(me) {{\n{}\n}}\n", entry.example),
                };
                ("scripts/example.rhai", script)
            };
            let found = look(&folder, path, &text);
            // Some use surfaces, zones and events that this game does not have.
            let errors = found.iter().filter(|d| d.is_error());
            said.extend(errors.map(|d| format!("{}: {}\n", entry.signature(), d.headline())));
        }
        for hook in hooks() {
            let found = look(&folder, "scripts/example.rhai", hook.example);
            let errors = found.iter().filter(|d| d.is_error());
            said.extend(errors.map(|d| format!("{}: {}\n", hook.name, d.headline())));
            assert!(hook.kind == HookKind::Event || hook.about.is_none_or(|s| !s.own.is_empty()));
        }
        assert!(said.is_empty(), "{said}");
    });
}

/// Correct uses of everything that the language has.
const CORRECT: &str = r#"
import "lib/tools" as tools;

const NAMES = ["a", "b"];
const HOME = vec(3, 4);
const SPEEDS = #{ slow: 10, fast: 20.5 };

fn on_birth(me, event) {
    this.list = [];
    this.home = HOME;
    this.by_name = #{ hero: 1 };
    this.by_name["coin"] = 2;
    this.by_name.extra = HOME.x;
    let map = #{ run: |x| x * 2, n: 3 };
    this.n = map.run(map.n) + map?.m ?? 4;
    let counter = #{ hp: 3, get: || this.hp };
    this.last = counter.get();
    this.list.push(#{ hp: 1, total: 2 });
    this.list.for_each(|| this.hp -= 1);
    this.list.for_each(|i| this.total = i);
    this.list.retain(|| this.hp > 0);
    this.most = this.list.reduce(|most| max(most, this.hp), 0);
    let add = |x| this.n += x;
    this.call(add, 3);
    let names = NAMES;
    names.push("c");
    let text = `/* no comment ${names}`;
    this.log += text;
    this = this;
}

fn on_tick(me) {
    for (name, index) in NAMES { this.list.push(`${name} ${index}`); }
    let way = 1;
    if me.facing < 0 { way = -1; }
    let v = me.vel;
    v.x = 300 * way;
    v += vec(1, 0);
    me.vel = v.clamped(SPEEDS.fast * 10);
    let seen = world::entity("hero");
    if seen != () && seen.vel.length() > 3.0 && type_of(seen) != "()" { this.far = seen.x - me.x; }
    let found = [3, 1, 2];
    found.sort(|a, b| a - b);
    found.for_each(|i| this += i);
    let total = found.reduce(|sum, x| (sum ?? 0) + x, 0);
    let big = found.filter(|x| x > total / 4).map(|x| x * way);
    this.most = big.len() + found[0] + found[-1];
    let add = |x, y| x + y;
    this.sum = add.call(1, 2);
    let f = Fn("helper");
    this.helped = f.call(3) + call(f, 4);
    let other = helper;
    this.again = other.call(5);
    this.text = "abc".to_upper() + me.name.sub_string(0, 2) + 3;
    this.chars = me.name.len + 'c'.to_string();
    let n = loop { total += 1; if total > 10 { break total; } };
    do { n -= 1; } until n < 3;
    while n > 0 { n -= 1; if n == 1 { continue; } }
    let event = #{ made: 1 };
    event.speed = 3;
    this.own = event.speed + event.made + event.len();
    let text = switch me.surface { "ice" => "slips", "" if me.age > 1 => "falls", _ => "holds" };
    this.said = text + if me.grounded { "!" } else { "?" };
    this.choose(me, text);
    this.choose(me);
    tools::walk(me, way);
    let who = me;
    who.push(1, 2.5);
    push(me, 1, 2);
    this.length = (me.vel * 2 - vec(1, 2) / 2).length() + hypot(me.x, 2) + max(1, 2.0) + abs(-3);
    this.value = this.value;
    this.entity = world::entity("hero");
    this.entity = if this.entity == () { "" } else { this.entity.name };
    me.tune("platformer.jump_speed", 700 + n);
    if "water" in me.zones || me.surface in NAMES { me.hold(if way > 0 { "right" } else { "left" }); }
    { let inner = 1; this.inner = inner; }
    if (me.x > 3) == me.grounded && me.kind == "hero" && me.zones != [] { me.jump(); }
    switch me.model { "vessel" => { if me.x > 1 { me.note("b"); } } "platformer" | "topdown" => [1], _ => { 3 } }
    switch this.next { "run" => me.jump(), 3 => me.jump(), _ => () }
    let last = me.vel;
    last.x = 3;
    me.vel = if me.grounded { last } else { vec(1, 2) };
    let k = 7;
    while k > 0 { k -= 1; this.k = k / 2; }
    this.bits = 5 & 3 | 1 ^ me.player;
    let made = world::create("coin", 0, 0);
    this.list.push(made + "!");
    this.second = world::tick() / 60;
}

fn helper(x) { x + 1 }

fn choose(me, text) { this.chosen = text; if text.contains("a") { return; } me.hold("up"); }
fn choose(me) { this.choose(me, "b"); }

fn on_land(me, event) {
    if event.speed > 3 && event.solid != "" && event.normal.y > 0.5 { this.hard(event); }
    let told = event;
    told.twice = event.speed * 2;
    this.n = told.twice;
}

fn hard(event) { this.hardest = max(this.hardest, event.speed); }

fn jump_windows(me) { let windows = #{}; windows.coyote_time = 0.1; windows }
fn grapple_snaps(me, rope) { if rope.snaps { return true; } rope.length > 300 || rope.tip.y < me.y }
fn can_grab(me, hit) { !hit.roof && hit.surface != "ice" }
fn model(me) { let model = "platformer"; if me.z > 3 { model = "topdown"; } model }
fn recursive(me, n) { if n > 0 { recursive(me, n - 1); } }
fn on_jump(me) { recursive(me, 3); }
"#;

#[test]
fn reports_nothing_about_a_correct_script() {
    on_large_stack(|| {
        let found = look(&game(), "scripts/a.rhai", CORRECT);
        assert!(found.is_empty(), "{}", all(&found));
    });
}

#[test]
fn scripts_that_tests_import_may_play_levels() {
    on_large_stack(|| {
        let folder = game();
        folder.write("levels/tests/a.rhai", "import \"lib/play\" as p;\nfn test_it() { p::run(1); }\n");
        let library = "fn run(seconds) { let t = play(\"level.toml\"); t.run(seconds); t }\n";
        let found = look(&folder, "scripts/lib/play.rhai", library);
        assert!(found.is_empty(), "{}", all(&found));
        let found = look(&folder, "scripts/lib/play.rhai", &library.replace("t.run(", "t.rum("));
        assert!(all(&found).contains("there is no function `rum`"), "{}", all(&found));
    });
}

#[test]
fn findings_in_functions_have_a_line_and_a_caret() {
    let folder = game();
    folder.write("scripts/a.rhai", "fn on_tick(me) {\n    if me.gronded { me.jump(); }\n}\n");
    let checked = run(folder.root(), &["check"]);
    assert_eq!(code(&checked), 1);
    let said = out(&checked);
    assert!(
        said.starts_with("scripts/a.rhai:2:11: error: `me` has no `gronded`; did you mean `grounded`?\n"),
        "{said}"
    );
    assert!(said.contains("if me.gronded") && said.contains("^^^^^^^"), "{said}");
    let json = out(&run(folder.root(), &["check", "--format", "json"]));
    let found: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&found[0]["line"], &found[0]["col"]), (&2.into(), &11.into()));
    assert_eq!((&found[0]["end_line"], &found[0]["end_col"]), (&2.into(), &18.into()));
}

#[test]
fn warnings_alone_exit_with_0() {
    let folder = game();
    folder.write("scripts/a.rhai", "fn on_tick(me) { this.half = 5 / 2; }\n");
    let checked = run(folder.root(), &["check"]);
    assert_eq!(code(&checked), 0, "{}", out(&checked));
    assert!(out(&checked).contains("warning: `5 / 2` is 2"), "{}", out(&checked));
}

/// Mistakes inside functions do not keep a level from loading; they are runtime errors.
#[test]
fn a_level_loads_with_a_mistake_inside_a_function() {
    let folder = game();
    folder.write("scripts/hero.rhai", "fn on_jump(me) { me.jmp(); }\n");
    folder.open().expect("a revision");
    let checked = run(folder.root(), &["check"]);
    assert_eq!(code(&checked), 1);
}

/// A file that cannot be read may define any name that others use.
#[test]
fn an_unreadable_file_causes_no_findings_in_others() {
    on_large_stack(|| {
        let folder = game();
        let uses = "fn on_exploded(me) { me.jump(); }\nfn on_tick(me) {\n    world::emit(\"rang\");\n\
                      if world::solid(\"gate\") && me.surface == \"snow\" { me.jump(); }\n}\n";
        assert_eq!(look(&folder, "scripts/a.rhai", uses).len(), 4);
        folder.write("scripts/broken.rhai", "fn on_rang(me) { world::emit(");
        assert_eq!(look(&folder, "scripts/a.rhai", uses).len(), 2);
        folder.write("levels/broken.toml", "[[solid]\nname = ");
        let found = look(&folder, "scripts/a.rhai", uses);
        assert!(found.is_empty(), "{}", all(&found));
    });
}

/// The problem matcher in docs/testing.md parses the output of `check`.
#[test]
fn the_problem_matcher_in_the_docs_parses_the_output() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = std::fs::read_to_string(root.join("docs/testing.md")).expect("the docs");
    let from = docs.find("{\n    \"version\": \"2.0.0\"").expect("tasks.json");
    let task = docs[from..].split("```").next().expect("its end");
    let task: serde_json::Value = serde_json::from_str(task).expect("JSON");
    let pattern = &task["tasks"][0]["problemMatcher"]["pattern"];
    assert_eq!(pattern["regexp"], r"^(.+?):(\d+):(\d+): (error|warning): (.*)$");
    let folder = game();
    folder.write("scripts/a.rhai", "fn on_tick(me) {\n    me.jmp();\n    this.half = 5 / 2;\n}\n");
    let said = out(&run(folder.root(), &["check"]));
    let heads: Vec<(&str, &str, &str, &str)> = said.lines().filter_map(matched).collect();
    assert_eq!(heads, [("scripts/a.rhai", "2", "8", "error"), ("scripts/a.rhai", "3", "17", "warning"),]);
}

/// The groups that the matcher's expression finds in a line: the shortest file name before two
/// numbers and a severity.
fn matched(line: &str) -> Option<(&str, &str, &str, &str)> {
    let number = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let (file, rest) = line.split_once(':')?;
    let (row, rest) = rest.split_once(':')?;
    let (column, rest) = rest.split_once(": ")?;
    let (severity, _) = rest.split_once(": ")?;
    let fits = !file.is_empty() && number(row) && number(column);
    (fits && matches!(severity, "error" | "warning")).then_some((file, row, column, severity))
}

/// A text literal over the configured limit is an error at its own place.
#[test]
fn a_literal_over_the_limit_is_an_error_at_its_place() {
    on_large_stack(|| {
        let folder = game();
        folder.write("config/hangtime.toml", "[scripts]\nstring_length = 64\n");
        for (length, wrong) in [(64, false), (65, true), (128, true), (129, true)] {
            let text = format!("fn on_tick(me) {{\n    me.note(\"{}\");\n}}\n", "a".repeat(length));
            let said = all(&look(&folder, "scripts/a.rhai", &text));
            let expected = "scripts/a.rhai:2:13: error: this text is over the limit of 64 bytes\n";
            assert_eq!(said, if wrong { expected } else { "" }, "{length}");
        }
    });
}

/// A variable of a level that no script reads is a warning if it is close to one that is read.
#[test]
fn warns_about_a_misspelled_variable_of_a_level() {
    on_large_stack(|| {
        let folder = game();
        folder.write("config/entities/lamp.toml", "script = \"lamp.rhai\"\nvars = { used = 3 }\n");
        let lamp = |body: &str| {
            let text = format!("fn on_tick(me) {{\n    {body}\n}}\n");
            folder.write("scripts/lamp.rhai", &text);
        };
        let level = |vars: &str| {
            let text = format!(
                "[[solid]]\nname = \"door\"\npoints = [[0, 0], [9, 0], [9, 9], [0, 9]]\n\
                 [[entity]]\nkind = \"lamp\"\nplayer = 1\nat = [100, 100]\nvars = {{ {vars} }}\n"
            );
            all(&look(&folder, "levels/lamps.toml", &text))
        };
        lamp("this.used -= 1; this.usable = true;");
        let said = level("usde = 4");
        assert_eq!(said, "levels/lamps.toml:8:10: warning: no script reads `usde`; did you mean `used`?\n");
        assert_eq!(level("used = 4"), "");
        assert_eq!(level("used = 4, color = 3"), "levels/lamps.toml:8:20: warning: no script reads `color`\n");
        lamp("this.used -= 1; let usde = this.keys();");
        assert_eq!(level("usde = 4"), "");
        lamp("this.used -= 1; for name in this.keys() { me.note(this[name]); }");
        assert_eq!(level("usde = 4"), "");
    });
}

/// Scripts that compute the names of events may emit the one that a misspelled hook seems to
/// handle.
#[test]
fn a_misspelled_hook_is_a_warning_if_event_names_are_computed() {
    on_large_stack(|| {
        let folder = game();
        let expected = "scripts/a.rhai:1:4: warning: nothing calls `on_lnad`; did you mean `on_land(me)` or \
                    `on_land(me, event)`?\n";
        let handler = "fn on_lnad(me, event) { print(event.entity); }\n";
        assert_eq!(all(&look(&folder, "scripts/a.rhai", handler)), expected.replace("warning", "error"));
        let emitter = "fn on_birth(me) { world::emit(this.next); }\n";
        folder.write("scripts/lever.rhai", emitter);
        assert_eq!(all(&look(&folder, "scripts/a.rhai", handler)), expected);
    });
}
