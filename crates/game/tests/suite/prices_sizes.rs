//! Steps that handle much in one call: each is paid for by its size.

use crate::folder::{Folder, Game, LEVEL, on_large_stack};
use std::{fmt::Write as _, sync::Arc};

/// The operations of a tick in which the hero runs a script.
fn operations(level: &str, body: &str) -> u64 {
    let folder = Folder::with_script(&format!("fn on_tick(me) {{ {body} }}"));
    folder.write("levels/level.toml", level);
    let much = [("scripts.operations", "10000000")];
    let mut game = Game::new(Arc::new(folder.open_with(&much).expect("a good level")));
    game.ticks(1);
    assert_eq!(game.wrong(), [""; 0], "{body}");
    game.live.script_operations()
}

/// The operations of `body` after `setup`.
fn price(setup: &str, body: &str) -> u64 {
    operations(LEVEL, &format!("{setup} {body}")) - operations(LEVEL, setup)
}

/// An array and a text of this size, as locals and in `this`.
fn sized(size: usize) -> String {
    format!(
        "let list = []; list.pad({size}, 1); this.list = list; \
         let text = \"\"; text.pad({size}, \"a\"); this.text = text;"
    )
}

/// Asserts that `body` costs at least `per` operations for each element more.
fn grows(body: &str, per: f64) {
    let (small, large) = (20, 300);
    let (low, high) = (price(&sized(small), body), price(&sized(large), body));
    let least = per * (large - small) as f64;
    assert!(high as f64 >= low as f64 + least, "{body}: {low}, {high}, at least {least} more");
}

#[test]
fn arrays_made_into_text_are_paid_for_by_element() {
    on_large_stack(|| {
        // The text of an element takes about 300 ns, six times as long as an operation may take.
        for body in [
            "let x = list.to_string();",
            "let x = `${list}`;",
            "let x = list.to_debug();",
            "print(list);",
            "debug(list);",
        ] {
            grows(body, 6.0);
        }
    });
}

#[test]
fn compared_arrays_are_paid_for_by_element() {
    on_large_stack(|| {
        // Comparing two elements takes about 230 ns.
        for body in [
            "if list == list { }",
            "if list != list { }",
            "if this.list == list { }",
            "if 7 in list { }",
            "let x = list.contains(7);",
            "list.dedup();",
        ] {
            grows(body, 4.0);
        }
    });
}

#[test]
fn elements_that_pad_adds_are_paid_for() {
    on_large_stack(|| {
        let pad = |length: usize| price("", &format!("let x = []; x.pad({length}, 1);"));
        let (small, large) = (pad(10), pad(910));
        // As much as copying them.
        assert!(large >= small + 900 / 4, "{small}, {large}");
        let rows = |length: usize| price("", &format!("let x = []; x.pad({length}, [1, 2, 3, 4, 5]);"));
        let (small, large) = (rows(10), rows(110));
        assert!(large >= small + 100 * 5 / 4, "{small}, {large}");
    });
}

#[test]
fn removing_a_text_from_a_text_is_paid_for_by_its_length() {
    on_large_stack(|| {
        // A search takes about a nanosecond for each byte.
        for body in ["let x = text - \"b\";", "let x = this.text - \"b\";", "text -= \"b\";", "this.text -= \"b\";"] {
            grows(body, 1.0 / 50.0);
        }
    });
}

#[test]
fn entries_of_map_literals_are_paid_for() {
    on_large_stack(|| {
        let literal = |entries: usize| {
            let entries: Vec<_> = (0..entries).map(|i| format!("e{i}: {i}")).collect();
            price("", &format!("let x = #{{ {} }};", entries.join(", ")))
        };
        let (small, large) = (literal(2), literal(42));
        assert!(large >= small + 40 * 2, "{small}, {large}");
    });
}

#[test]
fn an_element_with_a_computed_index_is_paid_for_by_the_search_for_large_ones() {
    on_large_stack(|| {
        for body in ["list[1 + 2] += 1;", "this.list[1 + 2] += 1;"] {
            grows(body, 1.0 / 20.0);
        }
    });
}

#[test]
fn calls_of_the_api_cost_more_than_the_step() {
    on_large_stack(|| {
        // A native call takes about 100 to 200 ns, on top of the steps around it.
        for (call, plain) in
            [("x = tan(0.5);", "x = kept(0.5);"), ("x = vec(1, 2);", "x = 1 + 2;"), ("x = me.vel;", "x = this.n;")]
        {
            let setup = "let x = 0; this.n = 1;";
            let folder = |body: &str| operations(LEVEL, &format!("{setup} {body}"));
            let step = folder(&plain.replace("kept(0.5)", "0.5"));
            assert!(folder(call) >= step + 3, "{call}");
        }
    });
}

#[test]
fn places_are_paid_for_by_the_edges_there() {
    on_large_stack(|| {
        let mut crowded = LEVEL.to_string();
        for i in 0..49 {
            let (x, y) = (f64::from(i % 7) * 10.0, 60.0 + f64::from(i / 7) * 10.0);
            let _ = writeln!(
                crowded,
                "[[solid]]\npoints = [[{x}, {y}], [{0}, {y}], [{0}, {1}], [{x}, {1}]]",
                x + 6.0,
                y + 6.0
            );
        }
        for call in ["me.place(35, 95);", "me.place_feet(35, 95);"] {
            let alone = |level: &str| operations(level, call) - operations(level, "");
            // 49 blocks with four edges each, an operation or more for each edge.
            let (open, crowd) = (alone(LEVEL), alone(&crowded));
            assert!(crowd >= open + 49 * 4, "{call}: {open}, {crowd}");
        }
    });
}

#[test]
fn a_jump_pays_for_being_planned_again_when_it_starts() {
    on_large_stack(|| {
        let plan = operations(LEVEL, "me.plan_jump(-100, 0, 200);") - operations(LEVEL, "");
        let jump = operations(LEVEL, "me.jump_to(-100, 0, 200);") - operations(LEVEL, "");
        // Planning again takes up to twice the work, which is most of what a plan costs.
        assert!(jump >= 2 * plan, "{plan}, {jump}");
    });
}
