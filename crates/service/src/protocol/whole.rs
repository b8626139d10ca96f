//! Whole numbers of parameters. JSON has only one kind of numbers: `2.0` is the whole number 2.

use super::*;
use serde::de::{Error, Unexpected};
use std::marker::PhantomData;

/// Floating-point numbers represent every whole number up to this one exactly.
const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

/// Reads a whole number.
pub fn whole<'de, D: Deserializer<'de>, N: TryFrom<u64>>(from: D) -> Result<N, D::Error> {
    Whole::<N>::deserialize(from).map(|whole| whole.0)
}

/// Reads a whole number or `null`.
pub fn whole_if_any<'de, D: Deserializer<'de>, N: TryFrom<u64>>(from: D) -> Result<Option<N>, D::Error> {
    let read = Option::<Whole<N>>::deserialize(from)?;
    Ok(read.map(|whole| whole.0))
}

/// Reads a list of whole numbers.
pub fn whole_list<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u64>, D::Error> {
    let read = Vec::<Whole<u64>>::deserialize(from)?;
    Ok(read.into_iter().map(|whole| whole.0).collect())
}

struct Whole<N>(N);

struct WholeVisitor<N>(PhantomData<N>);

impl<N: TryFrom<u64>> Visitor<'_> for WholeVisitor<N> {
    type Value = Whole<N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer of at least 0")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        let fits = N::try_from(number).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))?;
        Ok(Whole(fits))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        match u64::try_from(number) {
            Ok(number) => self.visit_u64(number),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(number), &self)),
        }
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        if number.fract() == 0.0 && (0.0..=MOST_EXACT).contains(&number) {
            self.visit_u64(number as u64)
        } else {
            Err(E::invalid_type(Unexpected::Float(number), &self))
        }
    }
}

impl<'de, N: TryFrom<u64>> Deserialize<'de> for Whole<N> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_u64(WholeVisitor(PhantomData))
    }
}
