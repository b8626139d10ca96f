//! Tests of `src/sim/waves.rs`.

use super::Waves;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The number of entities.
const COUNT: u32 = 40;

fn pairs() -> impl Strategy<Value = Vec<(u32, u32)>> {
    // Few entities in many pairs, and chains.
    let some = (0..COUNT, 0..COUNT).prop_map(|(a, b)| (a, if a == b { (b + 1) % COUNT } else { b }));
    let chain = (0..COUNT - 1).prop_map(|a| (a, a + 1));
    let star = (1..COUNT).prop_map(|b| (0, b));
    prop::collection::vec(prop_oneof![some, chain, star], 0..300)
}

/// The waves of the pairs, after checking that these are the same pairs and that no entity is in a wave twice.
fn waves_of(waves: &Waves, pairs: &[(u32, u32)], before: &[(u32, u32)]) -> Vec<Vec<(u32, u32)>> {
    let all: Vec<_> = waves.of(pairs).map(<[_]>::to_vec).collect();
    for wave in &all {
        let entities: BTreeSet<u32> = wave.iter().flat_map(|(a, b)| [*a, *b]).collect();
        assert_eq!(entities.len(), 2 * wave.len(), "{wave:?}");
    }
    let sorted = |mut pairs: Vec<(u32, u32)>| {
        pairs.sort_unstable();
        pairs
    };
    assert_eq!(sorted(all.concat()), sorted(before.to_vec()));
    all
}

proptest! {
    #[test]
    fn waves_keep_the_order_of_pairs_that_share_an_entity(pairs in pairs()) {
        let mut waves = Waves::default();
        let mut sorted = pairs.clone();
        let count = waves.keep_order(&pairs, COUNT as usize);
        waves.sort(&mut sorted);
        let all = waves_of(&waves, &sorted, &pairs);
        prop_assert_eq!(all.len(), count);
        prop_assert!(all.iter().all(|wave| !wave.is_empty()));
        for entity in 0..COUNT {
            let of_entity = |pairs: &[(u32, u32)]| {
                let own = pairs.iter().filter(|(a, b)| *a == entity || *b == entity);
                own.copied().collect::<Vec<_>>()
            };
            prop_assert_eq!(of_entity(&sorted), of_entity(&pairs));
        }
    }

    #[test]
    fn colors_are_few(pairs in pairs()) {
        let mut waves = Waves::default();
        let mut sorted = pairs.clone();
        waves.color(&pairs, COUNT as usize);
        waves.sort(&mut sorted);
        let all = waves_of(&waves, &sorted, &pairs);
        // A pair finds all colors taken that its two entities are in.
        let times = |entity| pairs.iter().filter(|(a, b)| *a == entity || *b == entity).count();
        let most = (0..COUNT).map(times).max().unwrap_or(0);
        prop_assert!(all.len() <= 2 * most || most > 32, "{} colors, {most} pairs of an entity", all.len());
    }
}

#[test]
fn a_row_has_a_wave_for_each_pair_in_its_order_and_two_colors() {
    let row: Vec<(u32, u32)> = (0..COUNT - 1).map(|a| (a, a + 1)).collect();
    let mut waves = Waves::default();
    assert_eq!(waves.keep_order(&row, COUNT as usize), row.len());
    waves.color(&row, COUNT as usize);
    let mut sorted = row.clone();
    waves.sort(&mut sorted);
    let even = |pair: &&(u32, u32)| pair.0.is_multiple_of(2);
    let expected: Vec<Vec<_>> =
        vec![row.iter().filter(even).copied().collect(), row.iter().filter(|pair| !even(pair)).copied().collect()];
    assert_eq!(waves.of(&sorted).collect::<Vec<_>>(), expected);
}

#[test]
fn an_entity_in_more_pairs_than_there_are_colors_has_a_wave_for_each() {
    let star: Vec<(u32, u32)> = (1..200).map(|b| (0, b)).collect();
    let mut waves = Waves::default();
    waves.color(&star, 200);
    let mut sorted = star.clone();
    waves.sort(&mut sorted);
    assert_eq!(sorted, star);
    assert!(waves.of(&sorted).all(|wave| wave.len() == 1));
}
