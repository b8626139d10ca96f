//! Every call and property of the tables is reached from Lua, with a dot and with a colon.

use super::{Folder, on_large_stack, results};
use hangtime_game::LANGUAGES;
use hangtime_play::calls::{calls_of_tests, test_calls};
use hangtime_script::{
    ReferenceFormat,
    api::{Access, ApiEntry, EntryKind, Names, Owner, Type},
    calls::behavior_calls,
};

/// A value that fits a parameter of a call.
fn sample(name: &str, takes: Type) -> String {
    match takes {
        Type::Flag => "true".into(),
        Type::Whole | Type::Number => match name {
            "high" | "count" => "2".into(),
            _ => "1".into(),
        },
        Type::Vec => "vec(1, 2)".into(),
        Type::Array(each) => format!("{{ {} }}", sample(name, *each)),
        Type::Map(_) => "{}".into(),
        Type::Data | Type::Any | Type::Nothing => "1".into(),
        Type::Function => "function(t) return true end".into(),
        Type::Snapshot => "t:snapshot()".into(),
        Type::Either(types) => sample(name, types[0]),
        Type::Text => "'text'".into(),
        Type::Name(names) => format!("'{}'", named(names)),
        Type::Me | Type::Entity | Type::Test | Type::Live | Type::Expectation => format!("nil --[[ {takes:?} ]]"),
    }
}

fn named(names: Names) -> &'static str {
    match names {
        Names::Action | Names::PlayerAction => "right",
        Names::Axis | Names::PlayerAxis => "move",
        Names::Model => "platformer",
        Names::Tunable | Names::Setting => "platformer.jump_speed",
        Names::Kind | Names::Entity => "hero",
        Names::Solid => "floor",
        Names::Surface => "stone",
        Names::Zone => "wind",
        Names::Event => "jump",
        Names::OwnEvent => "alarm",
        Names::Picture => "hero.png",
        Names::Sound => "jump",
        Names::Level => "level.toml",
        Names::Input => "walk.input",
        Names::Mode => "ground",
        Names::HookState => "idle",
        Names::Stance => "crouch",
    }
}

/// The statements that use an entry of an owner that scripts know by this name.
fn uses(entry: &ApiEntry, owner: &str) -> Vec<String> {
    let name = entry.name;
    let arguments: Vec<String> = entry.parameters.iter().map(|of| sample(of.name, of.takes)).collect();
    let arguments = arguments.join(", ");
    match entry.kind {
        EntryKind::Operator => Vec::new(),
        EntryKind::Property(Access::ReadOnly(_)) => vec![format!("local x = {owner}.{name}")],
        EntryKind::Property(Access::Write) => vec![format!("{owner}.{name} = {owner}.{name}")],
        EntryKind::Property(Access::WriteOnly(_)) => vec![format!("{owner}.{name} = 1")],
        EntryKind::Function if owner.is_empty() => vec![format!("{name}({arguments})")],
        EntryKind::Function => [".", ":"].map(|sign| format!("local x = {owner}{sign}{name}({arguments})")).to_vec(),
    }
}

/// Whether a message says that something is not there or called in another way, not that it is refused now.
fn is_unreached(message: &str) -> bool {
    ["has no `", "there is no `", "takes ", "cannot be called", "parameters, but", "did you mean"]
        .iter()
        .any(|part| message.contains(part))
}

fn folder() -> Folder {
    let folder = Folder::with_script("");
    let zone = "[[zone]]\nname = \"wind\"\npoints = [[0, 0], [9, 0], [9, 9]]\n";
    folder.write("levels/level.toml", &format!("{}{zone}", super::folder::LEVEL));
    folder.write("levels/tests/walk.input", "level ../level.toml\n3 right\n");
    folder.write("levels/tests/walk.trace", "");
    folder
}

#[test]
fn every_call_of_tests_is_reached() {
    on_large_stack(|| {
        let (folder, mut script, mut lines) = (folder(), String::new(), Vec::new());
        let owner = |owner: Owner| match owner {
            Owner::Test => "t",
            Owner::Live => "hero",
            Owner::Free => "",
            other => panic!("{other:?} has calls in tests"),
        };
        for call in test_calls() {
            for line in uses(&call.entry, owner(call.entry.owner)) {
                let reached = line.clone();
                script.push_str(&format!(
                    "function test_{}() local t = play('level.toml') local hero = t:entity('hero') {line} end\n",
                    lines.len()
                ));
                lines.push(reached);
            }
        }
        folder.write("levels/tests/a.luau", &script);
        let results: Vec<_> = results(folder.root()).into_iter().filter(|result| result.name.contains("::")).collect();
        assert_eq!(results.len(), lines.len());
        for (result, line) in results.iter().zip(&lines) {
            let message = result.diagnostic().map(|wrong| wrong.message.clone()).unwrap_or_default();
            assert!(!is_unreached(&message), "{line}: {message}");
        }
        let passed = results.iter().filter(|result| result.passed()).count();
        println!(
            "{} calls and properties of tests in {} lines, of which {passed} pass",
            test_calls().len(),
            lines.len()
        );
        // Some need what this game does not have, such as a sound.
        assert!(passed * 10 > lines.len() * 9, "{passed} of {}", lines.len());
    });
}

#[test]
fn every_call_of_behaviors_is_reached() {
    on_large_stack(|| {
        let mut lines = Vec::new();
        // `on_tick` cannot wait.
        for entry in behavior_calls().entries.iter().filter(|entry| entry.owner != Owner::Free) {
            lines.extend(match entry.owner {
                Owner::Me => uses(entry, "me"),
                Owner::World => uses(entry, "world"),
                Owner::Hud => uses(entry, "hud"),
                Owner::Camera => uses(entry, "camera"),
                Owner::Entity => uses(entry, "world.entity('hero')"),
                other => panic!("{other:?} has calls in behaviors"),
            });
        }
        // What Rhai alone registers, and Lua has by itself. Rhai needs `to_debug` to print a list.
        let all = LANGUAGES.first().entries(&calls_of_tests()).into_iter();
        let of_vecs = all.filter(|entry| entry.owner == Owner::Vec && entry.name != "to_debug");
        lines.extend(of_vecs.flat_map(|entry| match entry.kind {
            // A method of a vec needs the vec, so there is only the colon.
            EntryKind::Function => uses(entry, "vec(3, 4)").split_off(1),
            _ => vec![format!("local v = vec(3, 4) v.{0} = v.{0}", entry.name)],
        }));
        let mut refused = Vec::new();
        for line in &lines {
            let folder = folder();
            folder.write("config/entities/hero.toml", "script = \"hero.luau\"\n");
            folder.write("scripts/hero.luau", &format!("function on_tick(me) {line} end"));
            let mut game = folder.game();
            game.ticks(1);
            let message = game.faults.first().map(|fault| fault.diagnostic.message.clone()).unwrap_or_default();
            assert!(!is_unreached(&message), "{line}: {message}");
            if !message.is_empty() {
                refused.push(format!("{line}: {message}"));
            }
        }
        println!(
            "{} entries in {} lines; refused:\n{}",
            behavior_calls().entries.len(),
            lines.len(),
            refused.join("\n")
        );
        assert!(refused.len() * 2 < lines.len(), "{} of {}: {refused:#?}", refused.len(), lines.len());
    });
}

#[test]
fn the_definitions_for_editors_have_every_call() {
    let tests = calls_of_tests();
    let lua = LANGUAGES.of("a.luau").expect("Lua");
    let text = lua.describe(ReferenceFormat::Definitions, &tests);
    let has = |name: &str| {
        ["function NAME(", "    NAME: ", "declare NAME: "]
            .iter()
            .any(|form| text.contains(&form.replace("NAME", name)))
    };
    let entries = behavior_calls().entries.iter().chain(test_calls().iter().map(|call| &call.entry));
    for entry in entries {
        assert!(has(entry.name), "{}", entry.signature());
    }
    for hook in hangtime_script::hooks() {
        assert!(text.contains(&format!("export type {} = ", hook.name)), "{}", hook.name);
    }
    // What opens a class or a table closes it.
    let classes = text.lines().filter(|line| line.starts_with("declare class")).count();
    assert_eq!(text.lines().filter(|line| *line == "end").count(), classes);
    assert_eq!(text.matches('{').count(), text.matches('}').count());
    assert_eq!(text.matches('(').count(), text.matches(')').count());
}
