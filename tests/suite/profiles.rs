//! Profiles: their counts are true, their shares add up, and measuring changes nothing.

use crate::{
    folder::{Folder, LEVEL, on_large_stack},
    goldens::{GAMES, levels, root},
    program::{code, err, out, run},
};
use hangtime::{
    playtest::{flame_graph, profile_json, profile_table},
    project::{HookTimes, Live, Project, TickProfile},
    sim::Inputs,
};
use serde_json::Value;
use std::sync::Arc;

/// A level's live game that is measured.
fn measured(folder: &Folder, ticks: u64) -> Live {
    let mut live = folder.game().live;
    live.measure(true);
    for _ in 0..ticks {
        live.step(&Inputs::none());
    }
    live
}

fn profile_of(folder: &Folder, ticks: u64) -> TickProfile {
    measured(folder, ticks).profile().expect("a profile")
}

fn hook<'a>(profile: &'a TickProfile, name: &str) -> &'a HookTimes {
    let found = profile.hooks.iter().find(|hook| hook.hook == name);
    found.unwrap_or_else(|| panic!("{name} in {profile:?}"))
}

/// A game with this many heroes that have a script.
fn crowd(script: &str, heroes: usize) -> Folder {
    let folder = Folder::with_script(script);
    let mut level = LEVEL.to_string();
    for n in 1..heroes {
        let x = 40.0 * n as f64 - 900.0;
        level += &format!("[[entity]]\nname = \"h{n}\"\nkind = \"hero\"\nat = [{x}, 19]\n");
    }
    folder.write("levels/level.toml", &level);
    folder
}

#[test]
fn on_tick_is_called_once_for_each_entity_and_tick() {
    on_large_stack(|| {
        for (heroes, ticks) in [(1, 0), (1, 1), (3, 20), (7, 50)] {
            let folder = crowd("fn on_tick(me) { this.n += 1; } fn on_land(me) {}", heroes);
            let profile = profile_of(&folder, ticks);
            assert_eq!(profile.ticks, ticks);
            if ticks == 0 {
                assert_eq!((profile.hooks.len(), profile.total()), (0, 0));
                continue;
            }
            let on_tick = hook(&profile, "on_tick");
            assert_eq!(on_tick.calls, heroes as u64 * ticks);
            assert_eq!(on_tick.behavior, "hero.rhai");
            assert!(on_tick.compiled + on_tick.bailed <= on_tick.calls);
        }
    });
}

#[test]
fn operations_are_those_that_the_budget_of_the_tick_is_charged() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { for i in 0..this.n { let x = i; } this.n += 1; }\n\
                      fn on_timer(me, event) {}\nfn model(me) { \"platformer\" }\n\
                      fn on_birth(me) { me.after(0.1, \"timer\"); world::emit(\"all\", 3); }\n\
                      fn on_all(me, event) { this.heard = event; }";
        for heroes in [1, 4] {
            let folder = crowd(script, heroes);
            let mut live = folder.game().live;
            live.measure(true);
            let mut charged = 0;
            for _ in 0..30 {
                assert!(live.step(&Inputs::none()).faults.is_empty());
                charged += live.script_operations();
            }
            let profile = live.profile().expect("a profile");
            let counted: u64 = profile.hooks.iter().map(|hook| hook.operations).sum();
            assert_eq!(counted, charged, "{profile:?}");
            for (name, calls) in [("on_tick", 30), ("on_timer", 1), ("on_birth", 1)] {
                assert_eq!(hook(&profile, name).calls, calls * heroes as u64, "{name}");
            }
            // Each of them is heard by all.
            assert_eq!(hook(&profile, "on_all").calls, (heroes * heroes) as u64);
        }
    });
}

#[test]
fn more_work_takes_more_operations_and_the_order_is_by_time() {
    on_large_stack(|| {
        let script = |steps: u32| format!("fn on_tick(me) {{ for i in 0..{steps} {{ }} }} fn on_birth(me) {{ }}");
        let of = |steps| {
            let profile = profile_of(&Folder::with_script(&script(steps)), 20);
            let on_tick = hook(&profile, "on_tick").clone();
            assert!(profile.hooks.is_sorted_by_key(|hook| u64::MAX - hook.total));
            (on_tick.operations, on_tick.total)
        };
        let (few, many) = (of(10), of(3_000));
        // Each iteration counts, and nothing else differs: ten times as many take ten times as many more.
        let (more, most) = (of(20).0 - few.0, of(110).0 - few.0);
        assert_eq!(most, 10 * more);
        assert!(many.1 > few.1, "{few:?} {many:?}");
    });
}

#[test]
fn shares_add_up_to_the_whole_tick() {
    on_large_stack(|| {
        let folder = crowd("fn on_tick(me) { this.n += 1; } fn jump_windows(me) { () }", 5);
        let profile = profile_of(&folder, 40);
        let parts = [profile.scripts(), profile.around_scripts(), profile.physics()];
        assert!(parts.iter().all(|part| *part > 0), "{profile:?}");
        assert_eq!(parts.iter().sum::<u64>(), profile.total());
        let hooks: f64 = profile.hooks.iter().map(|h| profile.share(h.total)).sum();
        let phases: f64 = profile.phases.iter().map(|p| profile.share(p.total)).sum();
        assert!((hooks + phases - 1.0).abs() < 1e-9);
        assert!(hooks > 0.0 && hooks < 1.0);
        assert!(profile.median_tick > 0 && profile.median_tick < profile.total());
        let names: Vec<_> = profile.phases.iter().map(|phase| phase.phase.name()).collect();
        assert_eq!(names.first(), Some(&"orders"));
        assert_eq!(names.len(), 10);
    });
}

#[test]
fn every_level_plays_the_same_when_it_is_measured() {
    on_large_stack(|| {
        for game in GAMES {
            let folder = root().join(game);
            let project = Project::load(&folder).expect("a game folder");
            for level in levels(game) {
                let revision = project.open(&folder.join(&level), &[]);
                let revision = Arc::new(revision.expect("a good level"));
                let demo = revision.demo.as_ref();
                let track = demo.map(|demo| demo.track(revision.stage.hz));
                let track = track.unwrap_or_default();
                let mut plain = Live::new(revision.clone(), 0);
                let mut measured = Live::new(revision, 0);
                measured.measure(true);
                for tick in 0..track.length().clamp(30, 120) {
                    // Also where it begins and ends in the middle.
                    if tick % 40 == 39 {
                        measured.measure(tick % 80 == 79);
                    }
                    plain.step(&track.at(tick));
                    measured.step(&track.at(tick));
                    assert_eq!(plain.world().hash(), measured.world().hash(), "{level}");
                }
                assert!(plain.world() == measured.world(), "{level}");
                // Also in what comparing does not tell apart, such as the sign of zero.
                let saved =
                    [plain.world(), measured.world()].map(|world| serde_json::to_string(world).expect("a world"));
                assert!(saved[0] == saved[1], "{level}");
            }
        }
    });
}

#[test]
fn a_script_that_fails_in_each_tick_is_measured_until_it_is_disabled() {
    on_large_stack(|| {
        let mut live = measured(&Folder::with_script("fn on_tick(me) { this.x.y.z = 1; }"), 0);
        let faults: usize = (0..40).map(|_| live.step(&Inputs::none()).faults.first.len()).sum();
        let profile = live.profile().expect("a profile");
        // Ten ticks in a row, then it is disabled.
        assert_eq!(hook(&profile, "on_tick").calls, 10);
        assert_eq!(profile.ticks, 40);
        assert_eq!(faults, 10);
        assert!(profile.share(profile.physics()) > 0.0);
    });
}

#[test]
fn measuring_begins_again_under_a_new_revision_and_continues_after_a_restart() {
    on_large_stack(|| {
        let folder = Folder::with_script("fn on_tick(me) { }");
        let mut live = measured(&folder, 5);
        live.restart();
        for _ in 0..5 {
            live.step(&Inputs::none());
        }
        assert_eq!(hook(&live.profile().expect("one"), "on_tick").calls, 10);
        folder.write("scripts/hero.rhai", "fn on_reload(me) { }");
        live.adopt(Arc::new(folder.open().expect("a good level")));
        assert_eq!(live.profile().expect("one").ticks, 0);
        for _ in 0..3 {
            live.step(&Inputs::none());
        }
        let profile = live.profile().expect("one");
        assert_eq!((profile.ticks, profile.hooks.len()), (3, 1));
        assert_eq!(hook(&profile, "on_reload").calls, 1);
        live.measure(false);
        assert_eq!(live.profile(), None);
        live.step(&Inputs::none());
        assert_eq!(live.profile(), None);
    });
}

#[test]
fn a_profile_is_a_table_json_and_a_flame_graph_that_name_every_hook() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { this.n += 1; } fn on_birth(me) { me.after(0.05, \"bell\"); }\n\
                      fn on_bell(me) { } fn model(me) { () }";
        let profile = profile_of(&crowd(script, 2), 30);
        let table = profile_table(&profile);
        let json = profile_json("levels/a <b>.toml", &profile).expect("JSON");
        let parsed: Value = serde_json::from_str(&json).expect("JSON");
        assert!(json.starts_with("{\"profile\":1,\"level\":\"levels/a <b>.toml\","));
        let flame = flame_graph("levels/a <b>.toml", &profile).expect("a flame graph");
        assert!(flame.starts_with("<svg "), "{}", &flame[..100]);
        let mut reader = quick_xml::Reader::from_str(&flame);
        while reader.read_event().expect("good XML") != quick_xml::events::Event::Eof {}
        assert!(flame.contains("levels/a &lt;b&gt;.toml"));
        let hooks = parsed["hooks"].as_array().expect("hooks");
        assert_eq!(hooks.len(), 4);
        for (written, known) in hooks.iter().zip(&profile.hooks) {
            let name = &known.hook;
            assert!(table.contains(&format!("hero.rhai  {name}")), "{table}");
            assert!(flame.contains(&format!("<title>{name} (")), "{name}");
            assert_eq!(written["hook"], known.hook.as_str());
            assert_eq!(written["behavior"], "hero.rhai");
            assert_eq!(written["calls"], known.calls);
            assert_eq!(written["operations"], known.operations);
            assert_eq!(written["ns"], known.median);
            assert_eq!(written["total_ns"], known.total);
        }
        for phase in &profile.phases {
            let name = phase.phase.name();
            assert!(phase.total == 0 || flame.contains(&format!("<title>{name} (")), "{name}");
        }
        let numbers = ["scripts", "around_scripts", "physics"];
        let sum: f64 = numbers.iter().filter_map(|key| parsed[key].as_f64()).sum();
        assert!((sum - 1.0).abs() < 1e-9);
    });
}

#[test]
fn the_program_writes_profiles() {
    let folder = crowd("fn on_tick(me) { this.n += 1; }", 3);
    let plain = run(folder.root(), &["run", "level", "--ticks", "20"]);
    let arguments = ["run", "level", "--ticks", "20", "--profile", "--flame", "a.svg"];
    let table = run(folder.root(), &arguments);
    assert_eq!(code(&table), 0, "{}", err(&table));
    assert!(out(&table).contains("hero.rhai  on_tick     60 "), "{}", out(&table));
    assert!(out(&table).contains("20 ticks of "), "{}", out(&table));
    assert!(folder.read("a.svg").contains("<title>on_tick ("));
    let hash = |text: String| text.lines().last().unwrap_or_default().rsplit(' ').next().map(String::from);
    assert_eq!(hash(err(&table)), hash(err(&plain)), "wrote and hashes");
    // A second run replaces what the first has written.
    for _ in 0..2 {
        let json = run(folder.root(), &["run", "level", "--ticks", "20", "--profile=p.json"]);
        assert_eq!((code(&json), out(&json).as_str()), (0, ""), "{}", err(&json));
        let parsed: Value = serde_json::from_str(&folder.read("p.json")).expect("JSON");
        assert_eq!((&parsed["ticks"], &parsed["hooks"][0]["calls"]), (&20.into(), &60.into()));
        assert_eq!(parsed["level"], "levels/level.toml");
    }
}

#[test]
fn profiles_without_scripts_or_ticks_say_so() {
    let folder = Folder::with_script("");
    for (ticks, line) in [("0", "no tick was made"), ("5", "no script was called")] {
        let arguments = ["run", "level", "--ticks", ticks, "--profile", "--flame", "a.svg"];
        let output = run(folder.root(), &arguments);
        assert_eq!(code(&output), 0, "{}", err(&output));
        assert!(out(&output).contains(line), "{}", out(&output));
        assert!(folder.read("a.svg").starts_with("<svg "));
    }
}

#[test]
fn profiles_that_cannot_be_written_are_refused_before_the_run() {
    let folder = crowd("fn on_tick(me) { }", 1);
    for (arguments, expected) in [
        (&["run", "level", "--profile=levels/level.toml"][..], "level.toml"),
        (&["run", "level", "--flame", "scripts/a.rhai"], "a.rhai"),
        (&["run", "level", "--flame", "no/such/folder/a.svg"], "no/such/folder"),
        (&["run", "level", "--profile=a.svg", "--flame", "./a.svg"], "a.svg"),
        (&["run", "level", "--profile", "--trace", "-"], "--profile=FILE"),
        (&["test", "--flame", "a.svg"], "--flame"),
        (&["play", "level", "--profile"], "--profile"),
    ] {
        let output = run(folder.root(), arguments);
        assert_eq!(code(&output), 2, "{arguments:?}: {}", err(&output));
        assert!(err(&output).contains(expected), "{}", err(&output));
        assert!(!folder.path("a.svg").exists());
    }
    let script = folder.read("scripts/hero.rhai");
    assert_eq!(script, "fn on_tick(me) { }");
}
