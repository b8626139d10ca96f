//! The order in which pairs are dealt with, in waves: no entity is in two pairs of a wave, so that the pairs of a wave may
//! be dealt with at the same time.

/// Divides pairs of entities into waves. Its memory is reused in every tick and is not state.
#[derive(Default)]
pub struct Waves {
    /// The first wave in which each entity can be in another pair.
    next: Vec<u32>,
    /// The waves in which each entity is, one bit each.
    taken: Vec<u64>,
    /// The wave of each pair.
    of_pairs: Vec<u32>,
    /// Where each wave ends in the list of pairs.
    ends: Vec<u32>,
    /// The pairs, wave by wave.
    ordered: Vec<(u32, u32)>,
}

/// How many waves have a bit in [`Waves::taken`].
const COLORS: u32 = u64::BITS;

impl Waves {
    /// Divides the pairs of this many entities so that the result is the same as in the order in which they are: a pair
    /// waits for all earlier pairs that share an entity with it. Returns the number of waves.
    pub fn keep_order(&mut self, pairs: &[(u32, u32)], entities: usize) -> usize {
        self.begin(pairs.len(), entities);
        for (a, b) in pairs {
            let wave = self.next_of(*a, *b);
            self.add(*a, *b, wave);
        }
        self.ends.len()
    }

    /// Divides the pairs into few waves, in another order: each is in the first wave that neither of its entities is in.
    pub fn color(&mut self, pairs: &[(u32, u32)], entities: usize) {
        self.begin(pairs.len(), entities);
        self.taken.clear();
        self.taken.resize(entities, 0);
        for (a, b) in pairs {
            let [one, other] = [*a as usize, *b as usize];
            let free = (self.taken[one] | self.taken[other]).trailing_ones();
            if free < COLORS {
                self.taken[one] |= 1 << free;
                self.taken[other] |= 1 << free;
                self.add(*a, *b, free);
            } else {
                // An entity with very many others around it.
                let wave = self.next_of(*a, *b).max(COLORS);
                self.add(*a, *b, wave);
            }
        }
    }

    /// Sorts the pairs by wave; within a wave they keep their order.
    pub fn sort(&mut self, pairs: &mut Vec<(u32, u32)>) {
        let Self { of_pairs, ends, ordered, .. } = self;
        // From the number of pairs in each wave to where it begins. It then moves on to where it ends.
        let mut begin = 0;
        for end in &mut *ends {
            (begin, *end) = (begin + *end, begin);
        }
        ordered.clear();
        ordered.reserve_exact(pairs.capacity());
        ordered.resize(pairs.len(), (0, 0));
        for (pair, wave) in pairs.iter().zip(of_pairs) {
            let place = &mut ends[*wave as usize];
            ordered[*place as usize] = *pair;
            *place += 1;
        }
        std::mem::swap(pairs, ordered);
    }

    /// The waves of pairs that are [sorted](Self::sort).
    pub fn of<'a>(&'a self, pairs: &'a [(u32, u32)]) -> impl Iterator<Item = &'a [(u32, u32)]> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, end)| &pairs[begin as usize..*end as usize])
    }

    fn begin(&mut self, pairs: usize, entities: usize) {
        self.next.clear();
        self.next.resize(entities, 0);
        self.of_pairs.clear();
        self.ends.clear();
        // There is a wave for each pair at most.
        for list in [&mut self.of_pairs, &mut self.ends] {
            list.reserve(pairs.next_power_of_two());
        }
    }

    /// The first wave after all that one of two entities is in.
    fn next_of(&self, a: u32, b: u32) -> u32 {
        self.next[a as usize].max(self.next[b as usize])
    }

    /// Counts a pair in a wave.
    fn add(&mut self, a: u32, b: u32, wave: u32) {
        for entity in [a, b] {
            let next = &mut self.next[entity as usize];
            *next = (*next).max(wave + 1);
        }
        self.of_pairs.push(wave);
        if self.ends.len() <= wave as usize {
            self.ends.resize(wave as usize + 1, 0);
        }
        self.ends[wave as usize] += 1;
    }
}

#[cfg(test)]
mod tests {
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
}
