//! Everything scripts can call has a description and an example that runs.

use crate::{
    docs::is_sentence,
    folder::{Folder, Game, on_large_stack},
    program::{code, out, run},
    sounds::wav,
    tiled_exports::copy,
};
use hangtime::{
    playtest::calls::calls_of_tests,
    project::{Project, SourceSet},
    script::{
        host::{
            HookKind, ScriptHook,
            api::{Access, ApiEntry, ApiSet, EntryKind, Owner, Topic, Type},
            hooks,
        },
        rhai::{NameUse, RegisteredName, api_entries, reference::wishes, registered_names},
    },
};
use std::{collections::BTreeSet, sync::Arc};

/// The functions that the engine should register for an entry.
fn expected(entry: &ApiEntry) -> Vec<RegisteredName> {
    let owned = usize::from(entry.owner.of_type().is_some());
    let name = |usage, parameters| RegisteredName {
        module: if entry.owner.is_module() { entry.owner.name() } else { "" }.into(),
        owner: match entry.parameters.first() {
            _ if owned == 1 => entry.owner.name(),
            Some(first) if first.takes == Type::Vec => "vec",
            _ => "",
        }
        .into(),
        name: entry.name.into(),
        usage,
        parameters,
    };
    match entry.kind {
        EntryKind::Property(_) => vec![name(NameUse::Get, 1), name(NameUse::Set, 2)],
        _ => vec![name(NameUse::Call, entry.parameters.len() + owned)],
    }
}

#[test]
fn registered_functions_and_entries_match() {
    for api_set in [ApiSet::Behavior, ApiSet::Test] {
        let entries = api_entries(&calls_of_tests()).iter().filter(|e| e.api_set.is_in(api_set));
        let described: BTreeSet<RegisteredName> = entries.flat_map(expected).collect();
        let registered = registered_names((api_set == ApiSet::Test).then(calls_of_tests).as_ref());
        assert!(registered.len() > 60, "{}", registered.len());
        let undocumented: Vec<_> = registered.difference(&described).collect();
        assert!(undocumented.is_empty(), "{api_set:?} has no entries for {undocumented:#?}");
        let unknown: Vec<_> = described.difference(&registered).collect();
        assert!(unknown.is_empty(), "{api_set:?} does not have {unknown:#?}");
    }
}

#[test]
fn every_entry_has_a_description_and_an_example() {
    for entry in api_entries(&calls_of_tests()) {
        let what = entry.signature();
        assert!(is_sentence(entry.doc), "{what}: {}", entry.doc);
        let shown = entry.name != "to_string" || entry.owner == Owner::Vec;
        assert!(!shown || entry.example.contains(entry.name), "{what}: {}", entry.example);
        if let EntryKind::Property(Access::ReadOnly(why)) = entry.kind {
            assert!(!why.is_empty(), "{what} does not say what to call instead");
        }
        let mut names = BTreeSet::new();
        for parameter in entry.parameters {
            assert!(names.insert(parameter.name), "{what}");
        }
        if matches!(entry.kind, EntryKind::Property(_)) {
            assert_ne!(entry.returns, Type::Nothing, "{what}");
        }
    }
    for hook in hooks() {
        assert!(is_sentence(hook.doc), "{}: {}", hook.name, hook.doc);
        assert!(hook.example.starts_with(&format!("fn {}(me", hook.name)), "{}", hook.name);
        for field in hook.about.into_iter().flat_map(|shape| shape.fields()) {
            let what = format!("{} of {}", field.name, hook.name);
            assert!(!["", field.name].contains(&field.doc), "{what}");
        }
    }
}

#[test]
fn entries_are_unique() {
    let mut seen = BTreeSet::new();
    for entry in api_entries(&calls_of_tests()) {
        let whose = (entry.owner, entry.name, entry.parameters.len());
        let fits = seen.insert((whose, format!("{:?}", entry.parameters)));
        assert!(fits, "{} is registered twice", entry.signature());
    }
}

/// Three games: a platformer, a vessel, and a character in a top view. One of them fits each
/// example.
fn places(script: &str) -> [Folder; 3] {
    let common = "[[solid]]\nname = \"door\"\npresent = true\npoints = [[300, 0], [320, 0], [320, 60], [300, 60]]\n\
        [[solid]]\nname = \"lift\"\npoints = [[500, 0], [560, 0], [560, 20], [500, 20]]\n\
        path = { points = [[0, 0], [0, 90]], speed = 60, loop = \"called\" }\n\
        [[solid]]\nname = \"gate\"\npoints = [[600, 0], [620, 0], [620, 90], [600, 90]]\n\
        path = { loop = \"free\", speed = 60 }\n\
        [[solid]]\nname = \"bridge\"\npoints = [[640, 0], [650, 0], [650, 90], [640, 90]]\n\
        rotation = { pivot = [645, 0], speed_deg = 45, loop = \"called\" }\n\
        [[solid]]\nname = \"pendulum\"\npoints = [[660, 20], [670, 20], [670, 90], [660, 90]]\n\
        rotation = { pivot = [665, 90], swing_deg = 30, period = 2 }\n\
        [[zone]]\nname = \"wind\"\npoints = [[700, 0], [800, 0], [800, 90], [700, 90]]\nexternal_accel = [90, 0]\n\
        [[entity]]\nkind = \"guard\"\nname = \"guard\"\nat = [200, 30]\n\
        [[entity]]\nkind = \"ball\"\nname = \"thrown\"\nat = [-300, 60]\n";
    [
        ("side", "platformer", "ellipse = [10.0, 19.0]"),
        ("side", "vessel", "pieces = [{ points = [[-10, -10], [10, -10], [0, 10]] }]"),
        ("top", "topdown", "ellipse = [10.0, 10.0]"),
    ]
    .map(|(view, model, body)| {
        let folder = Folder::empty();
        folder.write(
            "levels/level.toml",
            &format!(
                "view = \"{view}\"\nsurface = \"stone\"\n[[solid]]\nname = \"floor\"\n\
                 points = [[-900, -100], [900, -100], [900, 0], [-900, 0]]\n{common}\
                 [[entity]]\nkind = \"hero\"\nat = [0, 30]\nplayer = 1\n"
            ),
        );
        folder.write("config/surfaces.toml", "[stone]\n[ice]\ngrip = 0.1\n");
        let stances = if model == "vessel" { "" } else { "[stances]\ncrouch = { size = [20, 24] }\n" };
        let hero = format!("script = \"hero.rhai\"\nmodel = \"{model}\"\nbody = {{ {body} }}\n{stances}");
        folder.write("config/entities/hero.toml", &hero);
        folder.write("config/entities/guard.toml", "");
        folder.write("config/entities/ball.toml", "model = \"ballistic\"\n");
        folder.write("scripts/hero.rhai", script);
        folder
    })
}

/// The errors of a script in each game, until it runs without errors in one.
fn failures(script: &str) -> Vec<String> {
    let mut failures = Vec::new();
    for folder in places(script) {
        let project = Project::load(folder.root()).expect("a folder");
        let sources = SourceSet::read(project.root(), &folder.path("levels/level.toml"));
        assert!(sources.unreadable.is_empty());
        let wrong = match project.open(&folder.path("levels/level.toml"), &[]) {
            Ok(revision) => {
                let mut game = Game::new(Arc::new(revision));
                game.ticks(3);
                game.wrong()
            }
            Err(error) => error.diagnostics().iter().map(|d| d.headline()).collect(),
        };
        if wrong.is_empty() {
            return Vec::new();
        }
        failures.extend(wrong);
    }
    failures
}

#[test]
fn behavior_examples_run() {
    on_large_stack(|| {
        for entry in api_entries(&calls_of_tests()).iter().filter(|e| e.api_set != ApiSet::Test) {
            let script = match entry.example.starts_with("fn ") {
                true => entry.example.to_string(),
                false => format!("fn on_tick(me) {{\n{}\n}}", entry.example),
            };
            let wrong = failures(&script);
            assert!(wrong.is_empty(), "{}: {wrong:#?}\n{script}", entry.signature());
        }
    });
}

/// Each line of "I want to …" compiles and runs: as it is in a script, whose functions are called every tick with the fields of their
/// events, or as the body of a function.
#[test]
fn the_lines_of_i_want_to_run() {
    on_large_stack(|| {
        let mut count = 0;
        for (wish, code) in wishes() {
            count += 1;
            let name = code.strip_prefix("fn ").and_then(|rest| rest.split('(').next());
            let script = match name {
                None => format!("fn on_tick(me) {{\n{code}\n}}"),
                Some(name) => {
                    let known = hooks().find(|hook| hook.name == name);
                    let fields = known.and_then(|hook| hook.about).into_iter().flat_map(|shape| shape.fields());
                    let fields: Vec<String> = fields.map(|f| format!("{}: {}", f.name, sample(f.holds))).collect();
                    // A custom event brings the data that another line emits.
                    let data = "data: #{ name: me.name, points: 1, x: 0 }";
                    let fields = if known.is_some() { fields.join(", ") } else { data.into() };
                    let about = if code.contains("(me)") { String::new() } else { format!(", #{{ {fields} }}") };
                    let helper = code.replacen(&format!("fn {name}("), "fn example(", 1);
                    let call = if code.contains("wait") {
                        "on_birth(me) { me.start(\"example\"); }"
                    } else {
                        &format!("on_tick(me) {{ this.example(me{about}); }}")
                    };
                    format!("{helper}\nfn {call}")
                }
            };
            let wrong = failures(&script);
            assert!(wrong.is_empty(), "{wish}: {wrong:#?}\n{script}");
        }
        assert!(count >= 50, "{count}");
    });
}

/// The code of a line of "I want to …".
fn code_of(wish: &str) -> &'static str {
    let found = wishes().find(|(other, _)| other.starts_with(wish));
    found.expect("a line of this name").1
}

#[test]
fn crouching_and_slow_motion_last_as_long_as_their_keys_and_a_roof() {
    let folder = Folder::empty();
    folder.write(
        "levels/level.toml",
        "[[solid]]\npoints = [[-600, -60], [600, -60], [600, 0], [-600, 0]]\n\
         [[solid]]\npoints = [[40, 30], [120, 30], [120, 90], [40, 90]]\n\
         [[entity]]\nkind = \"hero\"\nat = [0, 19]\nplayer = 1\n",
    );
    let kind = "script = \"hero.rhai\"\nbody = { ellipse = [10, 19] }\n[stances]\ncrouch = { size = [20, 24] }\n";
    folder.write("config/entities/hero.toml", kind);
    let (crouch, slow) = (code_of("crouch"), code_of("slow motion"));
    folder.write("scripts/hero.rhai", &format!("fn on_tick(me) {{\n{crouch}\n{slow}\n}}"));
    let tests = "\
fn test_crouch() {
    let t = play(\"level.toml\"); let hero = t.entity(\"hero\");
    t.hold(\"down\"); t.ticks(2); t.hold(\"right\"); t.run_until(|t| hero.x > 80, 5);
    t.release(\"down\"); t.ticks(2);
    expect(hero.height).equals(24.0);
    t.run_until(|t| hero.x > 140, 5); t.ticks(2);
    expect(hero.height).equals(38.0);
}
fn test_slow() {
    let t = play(\"level.toml\"); let hero = t.entity(\"hero\");
    t.run(1); let age = hero.age;
    t.hold(\"hook\"); t.run(1);
    // The key is seen in the first tick and counts from the second on.
    expect(hero.age - age).near(0.3, 0.03);
}
";
    folder.write("levels/tests/rows.rhai", tests);
    let done = run(folder.root(), &["test"]);
    assert_eq!(code(&done), 0, "{}", out(&done));
}

#[test]
fn a_wrong_example_is_found() {
    on_large_stack(|| {
        let wrong = failures("fn on_tick(me) { me.jmup(); }");
        assert_eq!(wrong.len(), 9);
        assert!(wrong.iter().all(|why| why.contains("jmup")), "{wrong:?}");
    });
}

#[test]
fn hook_examples_compile_and_run() {
    on_large_stack(|| {
        for hook in hooks() {
            let wrong = failures(&bodily(hook));
            assert!(wrong.is_empty(), "{}: {wrong:#?}\n{}", hook.name, hook.example);
        }
    });
}

/// A hook's example under another name, called every tick with an event that has the fields the hook
/// receives.
fn bodily(hook: &ScriptHook) -> String {
    let helper = hook.example.replacen(&format!("fn {}(", hook.name), "fn example(", 1);
    let fields = hook.about.into_iter().flat_map(|shape| shape.fields());
    let fields: Vec<String> = fields.map(|f| format!("{}: {}", f.name, sample(f.holds))).collect();
    let about = match hook.kind {
        HookKind::Rule => String::new(),
        _ if hook.example.contains("(me)") => String::new(),
        _ => format!(", #{{ {} }}", fields.join(", ")),
    };
    format!("{helper}\nfn on_tick(me) {{ this.example(me{about}); }}")
}

/// A value of a type, as a script writes it.
fn sample(of: Type) -> &'static str {
    match of {
        Type::Flag => "true",
        Type::Whole => "3",
        Type::Number => "1000.5",
        Type::Text | Type::Name(_) => "\"ice\"",
        Type::Vec => "vec(0, 1)",
        _ => "()",
    }
}

#[test]
fn test_examples_run() {
    let mut tests = String::new();
    let entries = api_entries(&calls_of_tests()).iter().filter(|e| e.api_set == ApiSet::Test);
    for (number, entry) in entries.enumerate() {
        tests += &format!(
            "// {}\nfn test_{number}() {{\nlet t = play(\"playground.toml\");\n\
             let hero = t.entity(\"hero\");\n{}\n}}\n",
            entry.signature(),
            entry.example
        );
    }
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Folder::empty();
    copy(&root.join("config"), &folder.path("config"));
    copy(&root.join("levels"), &folder.path("levels"));
    copy(&root.join("scripts"), &folder.path("scripts"));
    std::fs::remove_dir_all(folder.path("levels/tests")).expect("it was copied");
    folder.write("levels/tests/examples.rhai", &tests);
    let config = std::fs::read_to_string(folder.path("config/hangtime.toml")).expect("a file");
    folder.write("config/hangtime.toml", &format!("{config}\n[sounds]\nping = \"ping.wav\"\n"));
    folder.write_bytes("sounds/ping.wav", &wav(8_000, 1, &[5; 100]));
    let done = run(folder.root(), &["test"]);
    assert_eq!(code(&done), 0, "{}", out(&done));
}

#[test]
fn parameters_that_are_names_say_so() {
    on_large_stack(|| {
        let mut script = String::new();
        let mut parameters = BTreeSet::new();
        for (number, entry) in api_entries(&calls_of_tests()).iter().enumerate() {
            let names: Vec<String> = (0..entry.parameters.len()).map(|i| format!("p{i}")).collect();
            let call = match (entry.kind, entry.owner) {
                (EntryKind::Operator, _) => continue,
                // Words that wait are no functions.
                (_, Owner::Free) if entry.topic == Topic::Sequences => continue,
                (EntryKind::Property(Access::Write), _) => format!("it.{0} = it.{0}", entry.name),
                (EntryKind::Property(_), _) => format!("it.{}", entry.name),
                (EntryKind::Function, owner) if owner.is_module() => {
                    format!("{}{}({})", owner.prefix(), entry.name, names.join(", "))
                }
                (EntryKind::Function, Owner::Free) => {
                    format!("{}({})", entry.name, names.join(", "))
                }
                (EntryKind::Function, _) => format!("it.{}({})", entry.name, names.join(", ")),
            };
            let takes: Vec<String> = std::iter::once("it".to_string()).chain(names).collect();
            script += &format!("fn f{number}({}) {{ {call}; }}\n", takes.join(", "));
            parameters.extend(entry.parameters.iter().map(|parameter| parameter.name));
        }
        for name in parameters {
            script += &format!("fn parameter_{name}({name}) {{ {name} }}\n");
        }
        script += "fn on_tick(me) { this.n += 1; }";
        assert_eq!(Folder::with_script(&script).wrong(), Vec::<String>::new());
    });
}
