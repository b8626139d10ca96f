//! What scripts pay for: every step by its size, and all scripts of a tick together.

use crate::{
    folder::{Folder, Game, LEVEL, on_large_stack, with_kind},
    program::{code, game, out, run},
};
use hangtime::sim::{EventKind, Inputs, Value};
use std::{fmt::Write as _, sync::Arc};

/// The operations of a tick in which the hero runs `body` after `setup`.
fn operations(setup: &str, body: &str) -> u64 {
    operations_at(LEVEL, setup, body)
}

fn operations_at(level: &str, setup: &str, body: &str) -> u64 {
    let script = format!("fn kept(x) {{ x }} fn on_tick(me) {{ {setup} {body} }}");
    let folder = Folder::with_script(&script);
    folder.write("levels/level.toml", level);
    let much = [("scripts.operations", "10000000")];
    let mut game = Game::new(Arc::new(folder.open_with(&much).expect("a good level")));
    game.ticks(1);
    assert_eq!(game.wrong(), [""; 0], "{setup} {body}");
    game.live.script_operations()
}

/// The operations of `body` alone.
fn price(setup: &str, body: &str) -> u64 {
    operations(setup, body) - operations(setup, "")
}

/// Text, an array and a map of these sizes.
fn values(text: usize, list: usize) -> String {
    format!(
        "let text = \"\"; text.pad({text}, \"a\"); this.text = text; \
         let list = []; list.pad({list}, 1); this.list = list;"
    )
}

#[test]
fn keys_of_maps_are_paid_for_like_other_memory() {
    on_large_stack(|| {
        let map = |key: usize| {
            format!(
                "let key = \"\"; key.pad({key}, \"k\"); let m = #{{}}; \
                 for i in 0..20 {{ m[key + i] = i; }} this.n = 1;"
            )
        };
        for copy in ["let x = m;", "let x = [m];", "kept(m);"] {
            let (short, long) = (price(&map(4), copy), price(&map(4000), copy));
            // A copy of 80,000 bytes: at least an operation for each 500.
            assert!(long >= short + 80_000 / 500, "{copy}: {short}, {long}");
        }
    });
}

#[test]
fn a_place_in_text_is_paid_for_by_the_length_of_the_text() {
    on_large_stack(|| {
        for (body, per) in [
            ("this.text[3] = 'x';", 8),
            ("text[3] = 'x';", 8),
            ("this.text[1 + 2] = 'x';", 8),
            ("let i = 3; this.text[i] = 'x';", 8),
            ("let x = this.text[3];", 64),
            ("let x = text[-3];", 64),
            ("let x = text[1 + 2];", 64),
        ] {
            let (short, long) = (price(&values(64, 1), body), price(&values(4096, 1), body));
            let more = (4096 - 64) / per;
            assert!(long >= short + more, "{body}: {short}, {long}");
        }
    });
}

#[test]
fn copies_out_of_this_cost_as_much_as_copies_of_local_variables() {
    on_large_stack(|| {
        for (of_this, of_local) in [
            ("let x = this.list;", "let x = list;"),
            ("let x = [this.list];", "let x = [list];"),
            ("let x = #{ a: this.list };", "let x = #{ a: list };"),
            ("kept(this.list);", "kept(list);"),
            ("if this.list == 1 { }", "if list == 1 { }"),
            ("for x in this.list { break; }", "for x in list { break; }"),
            ("switch this.list { 1 => 2, _ => 3 }", "switch list { 1 => 2, _ => 3 }"),
        ] {
            let elements = 400;
            let (this, local) = (price(&values(8, elements), of_this), price(&values(8, elements), of_local));
            // An operation is enough for 8 numbers; the chain itself takes up to six more.
            assert!(local >= elements as u64 / 8, "{of_local}: {local}");
            assert!(this >= local && this <= local + 6, "{of_this}: {this}, {local}");
        }
    });
}

#[test]
fn an_element_costs_the_same_in_a_small_and_in_a_large_array() {
    on_large_stack(|| {
        for body in [
            "let x = list[3];",
            "let x = this.list[3];",
            "list[3] = 7;",
            "this.list[3] = 7;",
            "list[3] += 7;",
            "this.list[3] += 7;",
            "let i = 3; let x = list[i] + 1;",
        ] {
            let (small, large) = (price(&values(8, 5), body), price(&values(8, 500), body));
            assert_eq!(small, large, "{body}");
        }
    });
}

#[test]
fn a_number_costs_the_same_in_this_and_in_a_map() {
    on_large_stack(|| {
        let setup = "this.n = 1; let m = #{ n: 1 }; let x = 0;";
        for (of_this, of_map) in
            [("x = this.n;", "x = m.n;"), ("this.n = 2;", "m.n = 2;"), ("this.n += 2;", "m.n += 2;")]
        {
            assert_eq!(price(setup, of_this), price(setup, of_map), "{of_this}");
        }
    });
}

#[test]
fn looking_through_a_map_costs_more_than_looking_through_an_array() {
    on_large_stack(|| {
        let setup = "let m = #{}; for i in 0..160 { m[`k${i}`] = i; } let maps = []; maps.pad(160, #{ a: 1 }); \
                     let lists = []; lists.pad(160, [1]); let list = []; list.pad(160, 1); let n = 0;";
        // Rhai looks at every part, and an entry of a map is in another place than the next.
        for (body, parts) in [
            ("n = list.len();", 160),
            ("n = lists.len();", 160 * (3 + 1)),
            ("n = maps.len();", 160 * (3 + 4 + 1)),
            ("n = m.len();", 160 * (4 + 1)),
            ("m.k5 += 1;", 160 * (4 + 1)),
            ("m.k5 = 1;", 160 * (4 + 1)),
        ] {
            let cost = price(setup, body);
            let least = parts / 16;
            assert!((least..least + 16).contains(&cost), "{body}: {cost} for {parts} parts");
        }
    });
}

/// A crowd of small blocks above the hero's path.
fn crowded() -> String {
    let mut level = LEVEL.to_string();
    for i in 0..800 {
        let (x, y) = (f64::from(i % 40) * 10.0 - 400.0, 60.0 + f64::from(i / 40) * 10.0);
        let _ =
            writeln!(level, "[[solid]]\npoints = [[{x}, {y}], [{0}, {y}], [{0}, {1}], [{x}, {1}]]", x + 6.0, y + 6.0);
    }
    level
}

#[test]
fn rays_are_paid_for_by_what_is_in_their_way() {
    on_large_stack(|| {
        let body = "world::cast(-400, 300, 0, 0);";
        let open = operations_at(LEVEL, "", body) - operations_at(LEVEL, "", "");
        let crowd = operations_at(&crowded(), "", body) - operations_at(&crowded(), "", "");
        // 800 blocks have 3,200 edges, and the ray's box holds more than half of them.
        assert!(crowd >= open + 200, "{body}: {open}, {crowd}");
    });
}

#[test]
fn plans_are_paid_for_by_the_length_of_their_flight() {
    on_large_stack(|| {
        // A flight to a height h and back takes 2 √(2 h / g) s. It is looked at in pieces whose arcs bend by 0.25 px, for
        // √(8 · 0.25 / g) s each.
        let pieces = |height: f64| 2.0 * (2.0 * height / 3672.0).sqrt() / (2.0_f64 / 3672.0).sqrt();
        for call in ["plan_jump", "jump_to"] {
            let low = price("", &format!("me.{call}(-100, 0, 20);"));
            let high = price("", &format!("me.{call}(-100, 0, 400);"));
            // At least one operation for each piece.
            let more = pieces(400.0) - pieces(20.0) - 2.0;
            assert!(high as f64 >= low as f64 + more, "{call}: {low}, {high}");
        }
    });
}

#[test]
fn a_plan_ends_when_its_call_is_out_of_operations() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { for i in 0..1000 { me.plan_jump(0, 0, 200); } }";
        let folder = Folder::with_script(script);
        folder.write("levels/level.toml", &crowded());
        let mut game = folder.game();
        game.ticks(1);
        let wrong = game.wrong();
        assert!(wrong[0].contains("was stopped after 20000 operations"), "{wrong:?}");
        // Not more than one call has, and what is charged around it.
        let most = 20_000 + 1_000;
        assert!(game.live.script_operations() <= most);
    });
}

/// A game with `count` entities of the kind `one`, which has this script.
fn many(script: &str, count: usize) -> Folder {
    let folder = with_kind("fn on_tick(me) { this.n += 1; }", "one", script);
    let mut level = LEVEL.to_string();
    for i in 0..count {
        let x = -990 + 40 * (i as i64 % 70);
        let _ = writeln!(level, "[[entity]]\nkind = \"one\"\nat = [{x}, {}]", 60 + i / 70 * 40);
    }
    folder.write("levels/level.toml", &level);
    folder
}

#[test]
fn one_message_names_the_script_that_used_up_a_tick() {
    on_large_stack(|| {
        // A hundred and fifty calls of 9,000 rounds take more than a tick has.
        let mut game = many("fn on_tick(me) { for i in 0..9000 { } }", 150).game();
        game.ticks(1);
        let wrong = game.wrong();
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        for part in [
            "together were stopped after 1000000 operations",
            "used by `scripts/one.rhai`",
            "receive their own events in the next tick, but not the events that scripts emitted",
        ] {
            assert!(wrong[0].contains(part), "{wrong:?}");
        }
        assert_eq!(game.live.script_operations(), 1_000_000);
        // One that is skipped has not failed.
        game.ticks(30);
        assert!(game.live.world().entities().iter().all(|e| !e.quarantined()));
    });
}

#[test]
fn the_same_calls_are_skipped_after_a_save_at_any_tick() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { this.n = (this.n ?? 0) + 1; let s = \"\"; s.pad(2000, \"x\"); \
                      for i in 0..(500 * (world::tick() % 7)) { s[i % 2000] = 'y'; } this.s = s; }";
        let folder = many(script, 60);
        let revision = Arc::new(folder.open().expect("a good level"));
        let mut one = Game::new(revision.clone());
        let mut other = Game::new(revision.clone());
        for tick in 0..40 {
            one.ticks(1);
            let saved = serde_json::to_string(other.live.world()).expect("a saved world");
            other = Game::new(revision.clone());
            let world = serde_json::from_str(&saved).expect("a saved world");
            other.live.load(world).expect("a world of this level");
            other.ticks(1);
            assert_eq!(one.live.world().hash(), other.live.world().hash(), "tick {tick}");
            let operations = [&one, &other].map(|game| game.live.script_operations());
            assert_eq!(operations[0], operations[1], "tick {tick}");
        }
        assert!(one.wrong().iter().any(|w| w.contains("remaining calls")));
    });
}

#[test]
fn thousands_of_timers_are_refused_with_the_name_of_the_script() {
    on_large_stack(|| {
        let script = "fn on_birth(me) { for i in 0..64 { me.after(80000, \"ring\"); } } fn on_ring(me) { }";
        let mut game = many(script, 300).game();
        game.ticks(2);
        let wrong = game.wrong();
        // 256 times 64 are 16,384.
        assert_eq!(wrong.len(), 300 - 256, "{wrong:?}");
        assert!(wrong[0].starts_with("scripts/one.rhai:"), "{wrong:?}");
        assert!(wrong[0].contains("all entities together can have at most 16384 running timers"), "{wrong:?}");
        assert_eq!(game.live.world().timer_count(), 16_384);
    });
}

#[test]
fn spawning_is_paid_for_and_ends_at_a_thousand() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { for i in 0..20 { world::create(\"stone\", me.x + 40 * i, 60); } }";
        let folder = Folder::with_script(script);
        folder.write("config/entities/stone.toml", "");
        let mut game = folder.game();
        game.ticks(1);
        assert_eq!(game.wrong(), [""; 0]);
        // At least 300 operations each.
        assert!(game.live.script_operations() >= 20 * 300);
        game.ticks(50);
        let wrong = game.wrong();
        // 50 times 20 are 1,000, so the next tick fails once.
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(wrong[0].contains("at most 1000 spawned entities can be alive"), "{wrong:?}");
    });
}

#[test]
fn timers_of_a_failed_hook_are_free_again() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { if world::tick() == 0 { for i in 0..64 { me.after(9, \"ring\"); } throw 1; } }\n\
                      fn on_ring(me) { this.rung = true; }";
        let mut game = Folder::with_script(script).game();
        game.ticks(2);
        assert_eq!(game.live.world().timer_count(), 0);
    });
}

#[test]
fn timers_fire_in_the_order_in_which_they_were_set_after_a_save() {
    on_large_stack(|| {
        let script = "fn on_birth(me) { this.order = \"\"; me.after(0.5, \"b\"); me.after(0.5, \"a\"); me.after(0.2, \"c\"); }\n\
                      fn on_a(me) { this.order += \"a\"; } fn on_b(me) { this.order += \"b\"; } fn on_c(me) { this.order += \"c\"; }";
        let folder = Folder::with_script(script);
        let mut game = folder.game();
        game.ticks(10);
        let saved = serde_json::to_string(game.live.world()).expect("a saved world");
        let world = serde_json::from_str(&saved).expect("a saved world");
        game.live.load(world).expect("a world of this level");
        assert_eq!(game.live.world().timer_count(), 3);
        game.ticks(40);
        // By time, then in the order in which they were set.
        assert_eq!(game.var("order"), Value::Text("cba".into()));
    });
}

#[test]
fn events_between_hundreds_stay_within_the_budget_of_a_tick() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { for i in 0..10 { world::emit(\"hey\", [1, 2, 3]); } }\n\
                      fn on_hey(me, event) { this.heard = (this.heard ?? 0) + 1; }";
        let mut game = many(script, 200).game();
        for _ in 0..5 {
            game.ticks(1);
            assert!(game.live.script_operations() <= 1_000_000);
        }
        let emitted = game.live.world().events().iter();
        let emitted = emitted.filter(|e| matches!(e.kind, EventKind::Signal { .. }));
        assert!(emitted.count() <= 1_024);
        assert!(game.wrong().iter().any(|w| w.contains("used by `scripts/one.rhai`")), "{:?}", game.wrong());
    });
}

#[test]
fn entities_that_hear_nothing_pay_nothing_for_events() {
    on_large_stack(|| {
        let run = |emits: &str| {
            let script = format!("fn on_tick(me) {{ {emits} }}");
            let folder = many("fn on_crush(me) { }", 100);
            folder.write("scripts/hero.rhai", &script);
            let mut game = folder.game();
            game.ticks(3);
            game.live.step(&Inputs::none());
            game.live.script_operations()
        };
        let (quiet, loud) = (run(""), run("world::emit(\"hey\");"));
        // One event costs its emitter, and none of the hundred others.
        assert!(loud > quiet && loud < quiet + 100, "{quiet}, {loud}");
    });
}

/// Runs one test of a game whose level has a hero that does nothing.
fn tested(test: &str) -> (i32, String) {
    let folder = game();
    folder.write("levels/tests/a.rhai", test);
    let output = run(folder.root(), &["test"]);
    (code(&output), out(&output))
}

#[test]
fn a_test_that_keeps_too_many_levels_fails_with_a_message() {
    let (code, text) =
        tested("fn test_it() {\n    let all = [];\n    for i in 0..400 { all.push(play(\"level.toml\")); }\n}");
    assert_eq!(code, 100, "{text}");
    assert!(text.contains("the levels and snapshots that this test holds need more than 192 MiB"), "{text}");
    assert!(text.contains("levels/tests/a.rhai:3:"), "{text}");
}

#[test]
fn a_test_may_play_any_number_of_levels_one_after_the_other() {
    let (code, text) = tested(
        "fn test_it() { for i in 0..250 { let t = play(\"level.toml\"); t.ticks(1); expect(t.tick).equals(1); } }",
    );
    assert_eq!(code, 0, "{text}");
}

#[test]
fn a_test_that_keeps_too_many_snapshots_fails_with_a_message() {
    let folder = many("", 300);
    let test =
        "fn test_it() { let t = play(\"level.toml\"); let all = []; for i in 0..1000 { all.push(t.snapshot()); } }";
    folder.write("levels/tests/a.rhai", test);
    let output = run(folder.root(), &["test"]);
    let (code, text) = (code(&output), out(&output));
    assert_eq!(code, 100, "{text}");
    assert!(text.contains("need more than 192 MiB"), "{text}");
}

#[test]
fn a_test_that_restores_its_snapshots_holds_only_those_it_keeps() {
    let (code, text) = tested(
        "fn test_it() { let t = play(\"level.toml\"); for i in 0..3000 { let m = t.snapshot(); t.ticks(1); t.restore(m); } \
         expect(t.tick).equals(0); }",
    );
    assert_eq!(code, 0, "{text}");
}
