//! Tests of `src/calls/plain_vars.rs`.

use super::*;
use hangtime_core::sim::Value;

#[test]
fn variables_of_scripts_weigh_what_plain_data_weighs() {
    let map = |entries: usize| Value::Map((0..entries).map(|i| (format!("k{i}"), Value::Int(1))).collect());
    let small = Value::List(vec![map(0), map(1), map(12), Value::Vector([1.0, 2.0, 3.0]), "a text".into()]);
    for value in [Value::Unit, Value::Int(1), Value::Vector([0.0; 3]), "text".into(), map(0), map(1), map(40), small] {
        let vars = BTreeMap::from([("a".to_string(), value.clone())]);
        let sizes = sizes_of(&KeptVars::of_plain(&vars), &Limits::of_tests());
        assert_eq!(sizes.map(|sizes| sizes.values as u64), Some(value.weight()), "{value:?}");
    }
    // A list of numbers is two more than its numbers, and a map takes as much memory as many of them.
    assert_eq!((Value::List(vec![Value::Int(1); 9]).weight(), map(1).weight(), map(12).weight()), (11, 10, 32));
}
