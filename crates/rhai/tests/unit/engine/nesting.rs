//! Tests of `src/engine/nesting.rs`.

use super::{MOST_VISITED, PARSE, Parse, limit_nesting, parse};
use rhai::{ASTNode, Engine, OptimizationLevel};

fn engine() -> Engine {
    let mut engine = Engine::new_raw();
    engine.set_optimization_level(OptimizationLevel::None);
    engine.set_max_expr_depths(64, 64);
    limit_nesting(&mut engine);
    engine
}

fn nested(depth: usize, labels: &str) -> String {
    let case = |inner: String, _| format!("switch x {{ {labels} => {inner} }}");
    let inner = (0..depth).fold("y".to_string(), case);
    format!("fn f(x, y) {{ {inner} }}")
}

#[test]
fn nested_cases_with_many_labels_are_refused_before_the_tree_is_walked() {
    let engine = engine();
    let wrong = parse(&engine, &nested(18, "1|2|3|4|5|6|7|8")).expect_err("too nested");
    assert!(wrong.to_string().contains("too many labels"), "{wrong}");
    let block = nested(18, "1|2|3|4|5|6|7|8").replace("=> ", "=> { ").replace("y ", "y }");
    assert!(parse(&engine, &block).is_err());
    let guarded = nested(18, "1|2|3|4|5|6|7|8 if x == 1");
    assert!(parse(&engine, &guarded).is_err());
    let ranges = nested(30, "1..4");
    assert!(parse(&engine, &ranges).is_err());
    // The next file is not affected.
    assert!(parse(&engine, "fn f() { 1 }").is_ok());
}

#[test]
fn ordinary_cases_are_no_nearer_to_the_limit_than_other_code() {
    let engine = engine();
    let text = nested(3, "1|2|3|4|5|6|7|8");
    assert!(parse(&engine, &text).is_ok());
    let one_label = nested(15, "1 => 2, 3 => (4 | 5), 6 => { 7 | 8 } 9");
    assert!(parse(&engine, &one_label).is_ok());
}

#[test]
fn the_count_bounds_the_nodes_that_a_walk_visits() {
    let engine = engine();
    for text in [
        nested(4, "1|2|3"),
        nested(4, "1|2 if y"),
        nested(4, "1..3|7"),
        nested(3, "(1)|[2]|#{a: 3}"),
        "fn f(x) { switch switch x { 1|2 => 3 } { 4|5 => [x, switch x { 6|7|8 => x }] } }".into(),
        "fn f(x) { switch x { 1 => |a| a + 1, 2|3 => `a${switch x { 4|5 => x }}b` } }".into(),
    ] {
        let mut count = Parse::default();
        PARSE.set(Parse::default());
        let Ok(ast) = engine.compile(&text) else {
            continue;
        };
        PARSE.with_borrow_mut(|parse| std::mem::swap(parse, &mut count));
        let mut nodes = 0;
        ast.walk(&mut |path: &[ASTNode<'_>]| {
            nodes += 1;
            !path.is_empty()
        });
        // No token makes more than a few nodes.
        assert!(nodes <= 4 * count.visited, "{nodes}, {}: {text}", count.visited);
        assert!(count.visited < MOST_VISITED);
    }
}
