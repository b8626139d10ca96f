//! Tests of `src/calls/kept_vars.rs`.

use super::*;

fn vars(all: &[(&str, Value)]) -> BTreeMap<String, Value> {
    all.iter().map(|(name, value)| (name.to_string(), value.clone())).collect()
}

fn thing(count: i64) -> Value {
    Value::Map(vars(&[("count", Value::Int(count)), ("name", "rope".into())]))
}

/// The addresses of the arrays and maps.
fn addresses(kept: &KeptVars) -> Vec<(String, *const Dynamic)> {
    let owned = |(name, value): (&Identifier, &VarSlot)| match value {
        VarSlot::Data(data) => Some((name.to_string(), Arc::as_ptr(data))),
        _ => None,
    };
    kept.iter().filter_map(owned).collect()
}

#[test]
fn what_is_the_same_is_not_copied() {
    let before = vars(&[("a", thing(1)), ("b", Value::Int(2)), ("c", thing(3))]);
    let kept = KeptVars::of_plain(&before);
    let old = addresses(&kept);
    assert_eq!(addresses(&kept.clone()), old);
    let mut map = kept.to_map();
    map.remove("b");
    map.insert("a".into(), to_dynamic(&thing(7)));
    map.insert("d".into(), "a text".into());
    let kept = kept.updated(&map);
    let after = vars(&[("a", thing(7)), ("c", thing(3)), ("d", "a text".into())]);
    assert_eq!(kept.to_plain(), after);
    let new = addresses(&kept);
    assert_eq!((new.len(), new[1] == old[1], new[0] == old[0]), (2, true, false));
}

#[test]
fn maps_become_equal_whatever_they_were() {
    let kept = KeptVars::of_plain(&vars(&[("a", thing(1)), ("b", Value::Int(2)), ("c", "c".into())]));
    for other in [
        vars(&[]),
        vars(&[("a", thing(1)), ("b", Value::Int(3)), ("c", "d".into())]),
        vars(&[("b", thing(1)), ("c", "c".into()), ("x", thing(2))]),
    ] {
        let mut map = KeptVars::of_plain(&other).to_map();
        kept.write_to(&mut map);
        assert!(KeptVars::default().updated(&map).same_as(&kept), "{other:?}");
        let mut same_names = KeptVars::of_plain(&other);
        if same_names.iter().map(|(name, _)| name).eq(kept.iter().map(|(name, _)| name)) {
            same_names.copy_values(&kept.to_map(), 1);
            assert!(same_names.same_as(&kept));
        }
    }
}

#[test]
fn variables_are_set_and_added_in_the_order_of_their_names() {
    let mut kept = KeptVars::of_plain(&vars(&[("b", Value::Int(1))]));
    kept.set(&"c".into(), &VarSlot::of(&"text".into()));
    kept.set(&"b".into(), &VarSlot::of(&2_i64.into()));
    kept.fill(&vars(&[("a", thing(1)), ("b", Value::Int(9))]));
    assert_eq!(kept.to_plain(), vars(&[("a", thing(1)), ("b", Value::Int(2)), ("c", "text".into())]));
    let names: Vec<&str> = kept.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    assert!(kept.get(&"b".into()).is_some() && kept.get(&"d".into()).is_none());
}

#[test]
fn a_character_is_the_same_as_its_text() {
    let text = KeptVars::of_plain(&vars(&[("a", "x".into())]));
    let mut map = text.to_map();
    map.insert("a".into(), 'x'.into());
    let character = KeptVars::default().updated(&map);
    assert!(text.same_as(&character) && character.same_as(&text));
    assert_eq!(character.to_plain(), text.to_plain());
}
