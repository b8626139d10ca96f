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
#[path = "../../tests/unit/sim/waves.rs"]
mod tests;
