//! Where reasons are shown, and that asking for them changes nothing.

use crate::{
    common::loaded,
    folder::{Folder, Game, on_large_stack},
    ledge::{LEDGE, ledge, played, run_off},
    program::{code, err, game, out, run},
};
use hangtime::{
    draw::{Picture, Show, paint},
    models::Action,
    project::{Project, WhyPanel},
    sim::{
        Inputs, World,
        why::{Kinetics, Watch, WhyDetail},
    },
};
use std::{path::Path, sync::Arc};
use tiny_skia::Pixmap;

#[test]
fn each_phase_starts_where_the_previous_one_ended() {
    on_large_stack(|| {
        let project = Project::load(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("this one");
        for level in ["playground", "swing", "courtyard", "landing", "ferry", "five"] {
            let path = project.find_level(level).expect("a level");
            let revision = Arc::new(project.open(&path, &[]).expect("a good level"));
            let demo = revision.demo.clone().expect("a demo");
            let track = demo.track(revision.stage.hz);
            let mut game = Game::new(revision.clone());
            game.live.watch(Watch::All);
            let mut before: Vec<_> = game.live.views().collect();
            let mut changes = 0;
            for tick in 0..track.length() {
                game.live.step(&track.at(tick));
                let now: Vec<_> = game.live.views().collect();
                for account in game.live.world().why() {
                    assert_eq!(account.tick, tick + 1);
                    let seen = |views: &[hangtime::sim::EntityView]| {
                        let view = views.iter().find(|v| v.id == account.entity);
                        view.map(|v| Kinetics {
                            pos: v.pos.extend(v.z),
                            vel: v.vel.extend(v.vel_z),
                            external: v.external.extend(v.external_z),
                            spin: v.spin,
                        })
                    };
                    let mut last = seen(&before);
                    for entry in &account.entries {
                        if let WhyDetail::Changed { before, after } = &entry.detail {
                            assert_eq!(Some(*before), last, "{level}, {}", entry.phase.name());
                            last = Some(*after);
                            changes += 1;
                        }
                    }
                    assert_eq!(last, seen(&now), "{level}, {} at {tick}", account.name);
                }
                before = now;
            }
            assert!(changes > 100, "{changes} in {level}");
        }
    });
}

#[test]
fn watching_an_entity_changes_no_state() {
    on_large_stack(|| {
        let project = Project::load(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("this one");
        for level in ["playground", "swing", "hoppers"] {
            let path = project.find_level(level).expect("a level");
            let revision = Arc::new(project.open(&path, &[]).expect("a good level"));
            let track = revision.demo.clone().map(|demo| demo.track(revision.stage.hz));
            let input = |tick| track.as_ref().map_or_else(Inputs::none, |t| t.at(tick));
            let (mut plain, mut watched) = (Game::new(revision.clone()), Game::new(revision));
            for tick in 0..600 {
                // Sometimes no entity is watched.
                if tick % 100 == 0 {
                    let all = tick % 200 == 0;
                    watched.live.watch(if all { Watch::All } else { Watch::one("hero") });
                }
                plain.live.step(&input(tick));
                watched.live.step(&input(tick));
                let (one, other) = (plain.live.world(), watched.live.world());
                assert_eq!(one.hash(), other.hash(), "{level} at {tick}");
            }
            assert!(watched.live.world().why().count() > 0);
            let (one, other) = (plain.live.world(), watched.live.world());
            assert_eq!(one, other);
            let saved = |world: &World| serde_json::to_string(world).expect("plain data");
            assert_eq!(saved(one), saved(other));
            let loaded = loaded(&saved(other), &watched.live.revision().stage);
            assert_eq!(loaded.watched(), Watch::Off);
        }
    });
}

#[test]
fn only_watched_entities_are_logged() {
    let folder = ledge("");
    let level = format!("{LEDGE}[[entity]]\nkind = \"hero\"\nname = \"other\"\nat = [-300, 19]\n");
    folder.write("levels/level.toml", &level);
    let mut game = played(&folder, &[]);
    game.live.watch(Watch::one("other"));
    game.input.held.insert(Action::Right);
    game.ticks(1);
    assert!(game.live.world().why_of("hero").is_none());
    assert!(game.live.world().why_of("other").is_some());
    game.live.watch(Watch::Off);
    game.ticks(1);
    assert_eq!(game.live.world().why().count(), 0);
}

/// A game whose demo runs off the ledge and presses jump 30 ticks too late.
fn late() -> Folder {
    let folder = ledge("script = \"hero.rhai\"\n[platformer]\ncoyote_time = 0.1\n");
    folder.write("scripts/hero.rhai", "fn jump_windows(me) { #{ coyote_time: 0.05 } }\n");
    folder.write("levels/late.input", "60 right\n2 right jump\n20\n");
    folder.write("levels/level.toml", &format!("demo = \"late.input\"\n{LEDGE}"));
    folder
}

fn lines(text: &str) -> Vec<serde_json::Value> {
    let lines = text.lines();
    lines.map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_trace_includes_reasons_only_on_request() {
    let folder = late();
    let plain = run(folder.root(), &["run", "level", "--trace", "-"]);
    assert!(!out(&plain).contains("\"why\""), "{}", out(&plain));
    let asked = run(folder.root(), &["run", "level", "--trace", "-", "--trace-why"]);
    assert_eq!(code(&asked), 0, "{}", err(&asked));
    let (plain, asked) = (lines(&out(&plain)), lines(&out(&asked)));
    assert_eq!(plain.len(), asked.len());
    let mut told = Vec::new();
    let mut moved = false;
    for (without, with) in plain.iter().zip(&asked).skip(1) {
        assert_eq!(without["hash"], with["hash"]);
        let hero = &with["entities"][0];
        for reason in hero["why"].as_array().expect("an array") {
            assert_eq!(reason["tick"], with["tick"]);
            if reason["refused"] == "jump" || reason["rule"] == "jump_windows" {
                told.push(reason.clone());
            }
            if reason["phase"] == "travel" {
                moved = true;
                assert_eq!(reason["after"]["vel"], hero["vel"]);
                assert_eq!(reason["after"]["pos"], hero["pos"]);
            }
        }
    }
    assert!(moved);
    let rule = &told[0];
    assert_eq!(rule["phase"], "orders");
    assert_eq!(rule["answer"], "#{ coyote_time: 0.05 }");
    assert_eq!(rule["from"], "scripts/hero.rhai:1");
    let refused = told.last().expect("a refusal");
    assert_eq!(refused["from"], "scripts/hero.rhai:1");
    let text = refused["text"].as_str().expect("text");
    assert!(text.ends_with("window 3 (coyote_time 0.05 s, scripts/hero.rhai:1)"), "{text}");
    // A thinned trace keeps the reasons between its lines.
    let thin = run(folder.root(), &["run", "level", "--trace", "-", "--trace-why", "--trace-every", "41"]);
    let thin = lines(&out(&thin));
    let all = thin.iter().skip(1).flat_map(|line| {
        let why = line["entities"][0]["why"].as_array();
        why.cloned().unwrap_or_default()
    });
    assert!(all.into_iter().any(|reason| reason == *refused));
}

#[test]
fn run_prints_why_an_entity_moved() {
    let folder = late();
    let asked = run(folder.root(), &["run", "level", "--why", "hero"]);
    let text = out(&asked);
    assert!(text.starts_with("tick 1  hero  orders      jump_windows → #{ coyote_time: 0.05 }"), "{text}");
    let refused = text.lines().find(|line| line.contains("jump refused: "));
    let refused = refused.expect("a refusal");
    let tick = refused.split_whitespace().nth(1).expect("a tick");
    // Ticks of plain motion are left out unless requested.
    assert!(!text.contains("tick 5 "), "{text}");
    for (at, part) in [(tick, "jump refused: "), ("5", "drive       wants vel (")] {
        let one = run(folder.root(), &["run", "level", "--why", &format!("hero@{at}")]);
        let text = out(&one);
        assert!(text.contains(part), "{text}");
        assert!(text.lines().all(|line| line.starts_with(&format!("tick {at}  hero  "))), "{text}");
    }
    // The run is shorter than that, and no output would look like an answer.
    let late = run(folder.root(), &["run", "level", "--ticks", "50", "--why", "hero@51", "--why", "hero@50"]);
    assert!(out(&late).contains("tick 50  hero  "), "{}", out(&late));
    let said = err(&late);
    assert!(said.contains("--why hero@51: the run ends at tick 50"), "{said}");
    assert!(!said.contains("hero@50"), "{said}");
    for wrong in ["hero@0", "hero@soon"] {
        let output = run(folder.root(), &["run", "level", "--why", wrong]);
        assert_eq!(code(&output), 2, "{wrong}");
    }
    let unknown = run(folder.root(), &["run", "level", "--why", "heor"]);
    assert!(err(&unknown).contains("no such entity when the level starts"));
}

#[test]
fn a_test_can_assert_why() {
    let folder = late();
    folder.write(
        "levels/tests/why.rhai",
        r##"
fn test_it_says_why_a_late_jump_did_not_start() {
    let t = play("level.toml");
    let hero = t.entity("hero");
    t.hold("right");
    t.run_until(|t| !hero.grounded, 2);
    t.ticks(7);
    t.press("jump");
    t.ticks(1);
    let moved = t.why("hero").filter(|r| r.phase == "drive");
    expect(moved.len()).equals(1);
    expect(moved[0].text).contains("wants vel");
    expect(moved[0].tick).equals(t.tick);
    t.run(0.2);
    expect(t.why_text("hero")).contains("7 ticks after leaving the ground, window 3");
    expect(t.why_text("hero")).contains("scripts/hero.rhai:1");
}
fn test_rules_and_refusals_are_maps() {
    let t = play("level.toml", #{ "platformer.jump_buffer": 0.0 });
    t.ticks(1);
    let rule = t.why("hero").filter(|r| r.rule == "jump_windows")[0];
    expect(rule.answer).equals("#{ coyote_time: 0.05 }");
    expect(rule.from).equals("scripts/hero.rhai:1");
    expect(rule.refused).equals("");
    t.hold("right");
    t.run(0.5);
    t.press("jump");
    t.ticks(1);
    expect(t.why("hero").map(|r| r.refused)).contains("jump");
}
fn test_restoring_a_snapshot_restores_its_reasons() {
    let t = play("level.toml", #{ "platformer.jump_buffer": 0.0 });
    t.hold("right");
    t.run(0.5);
    let moment = t.snapshot();
    let told = t.why_text("hero");
    for again in 0..2 {
        t.press("jump");
        t.ticks(1);
        expect(t.why("hero").map(|r| r.refused)).contains("jump");
        expect(t.why_text("hero")).contains("jump refused: ");
        t.restore(moment);
        expect(t.why_text("hero")).equals(told);
    }
}
fn test_contains_looks_into_texts_and_arrays() {
    expect("a long text").contains("long");
    expect([1, 2.0, "three"]).contains(2);
    expect([1, 2.0, "three"]).contains("three", "a message");
}
fn test_contains_fails_for_a_text_without_it() { expect("short").contains("long", "a message"); }
fn test_a_number_contains_nothing() { expect(5).contains(5); }
fn test_an_unknown_entity_fails() { play("level.toml").why("heor"); }
"##,
    );
    let output = run(folder.root(), &["test"]);
    let text = out(&output);
    assert_eq!(text.lines().last(), Some("4 passed, 3 failed"), "{text}");
    for part in [
        "a message: expected something that contains \"long\", got \"short\"",
        "something that contains 5",
        "there is no entity `heor` in this level; did you mean `hero`?",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn the_overlay_shows_refusals_and_motion() {
    on_large_stack(|| {
        let folder = ledge("[platformer]\ncoyote_time = 0.1\n");
        let mut game = played(&folder, &[]);
        let mut panel = WhyPanel::open(&mut game.live, "hero".into());
        let mut keep = |game: &mut Game, ticks: usize| {
            for _ in 0..ticks {
                game.ticks(1);
                panel.record(&game.live);
            }
            panel.text(&game.live)
        };
        run_off(&mut game);
        keep(&mut game, 7);
        game.input.pressed.insert(Action::Jump);
        keep(&mut game, 1);
        game.input.pressed.remove(Action::Jump);
        let text = keep(&mut game, 20);
        let refused = "jump refused: 7 ticks after leaving the ground, window 6 \
                       (coyote_time 0.1 s, config/entities/hero.toml:2)";
        assert!(text.contains(refused), "{text}");
        assert!(text.contains("travel      pos ("), "{text}");
        // The overlay covers only the lower half.
        let bodies: Vec<_> = game.live.views().collect();
        let picture = |why: &str| {
            let mut canvas = Pixmap::new(640, 360).expect("a size above 0");
            let level = &game.live.revision().stage.level;
            let scene = Picture {
                level,
                changes: game.live.world().changes(),
                time: 0.0,
                bodies: &bodies,
                hud: "",
                banner: "",
                why,
                show: Show::default(),
            };
            paint(&mut canvas, &scene);
            canvas
        };
        let (without, with) = (picture(""), picture(&text));
        let differs = |row: u32| {
            let from = (row * 640) as usize;
            without.pixels()[from..from + 640] != with.pixels()[from..from + 640]
        };
        assert!((0..180).all(|row| !differs(row)), "the upper half stays");
        assert!(differs(355), "the lower end is covered");
        panel.close(&mut game.live);
        assert!(game.live.why("hero").is_empty());
    });
}

#[test]
fn zones_report_their_effect_on_the_bodies_inside() {
    let folder = ledge("");
    let zone = "[[zone]]\nname = \"wind\"\npoints = [[-200, -50], [-50, -50], [-50, 200], [-200, 200]]\n";
    let does = "external_accel = [30, 0]\ngravity_scale = 0.5\n";
    folder.write("levels/level.toml", &format!("{LEDGE}{zone}{does}"));
    let mut game = played(&folder, &[]);
    game.ticks(1);
    let reasons = game.live.why("hero");
    let last = reasons.last().expect("it is blown");
    assert_eq!(last.phase, "zones");
    assert_eq!(last.text, "in wind: external_accel [30, 0] px/s², gravity_scale 0.5");
    // The wind is plain motion, and so are its effects.
    assert!(reasons.iter().all(|reason| reason.plain), "{reasons:?}");
    folder.write("levels/level.toml", &format!("{LEDGE}{zone}"));
    let mut game = played(&folder, &[]);
    game.ticks(1);
    assert_eq!(game.live.why("hero"), [], "nothing moves a standing body");
}

#[test]
fn why_names_the_solid_of_a_landing() {
    let folder = game();
    folder.write("keys.input", "1 jump\n90\n");
    let output = run(folder.root(), &["run", "level", "--input", "keys.input", "--why", "hero"]);
    let text = out(&output);
    let landings: Vec<&str> = text.lines().filter(|line| line.contains("landed on")).collect();
    assert_eq!(landings.len(), 1, "{text}");
    assert!(landings[0].contains("settle") && landings[0].contains("landed on `floor`, surface `"), "{text}");
}
