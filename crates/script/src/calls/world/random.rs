//! Random numbers: one stream per entity, the same in every run with the same seed.

use crate::calls::*;
use hangtime_core::sim::{Digest, MOST_DRAWN};

const LOW: Param = param("low", Type::Number, "");
const HIGH: Param = param("high", Type::Number, "");

/// Adds the topic.
pub fn add(table: &mut CallTable) {
    table.topic(Topic::Random);
    add_calls! { table;
        /// A random number from 0 up to, but not including, 1.
        of_world random() -> Type::Number;
        "if world::random() < 0.1 { me.jump(); }";
        |moment, _| Ok(CallAnswer::Number(next(moment)?));

        /// A random number from `low` to `high`.
        of_world random(LOW, HIGH) -> Type::Number;
        "let pause = world::random(0.5, 1.5);";
        |moment, args| {
            let low = args.number(0)?;
            let high = args.number(1)?;
            if low > high {
                return refuse(format!("`low` of `random` must not exceed `high`, but {low} is more than {high}"));
            }
            Ok(CallAnswer::Number(low + (high - low) * next(moment)?))
        };

        /// A random whole number from `low` to `high`, both included. Each is as likely as the others.
        of_world random_int(LOW, HIGH) -> Type::Whole;
        "let face = world::random_int(1, 6);";
        |moment, args| {
            let low = args.whole(0)?;
            let high = args.whole(1)?;
            if low > high {
                return refuse(format!("`low` of `random_int` must not exceed `high`, but {low} is more than {high}"));
            }
            let count = i128::from(high) - i128::from(low) + 1;
            // At most 2^64 numbers, so the product has 128 bits.
            let chosen = (u128::from(next_word(moment)?) * count as u128) >> 64;
            Ok(CallAnswer::Whole((i128::from(low) + chosen as i128) as i64))
        };
    }
}

/// The next number in the stream of the entity whose script runs, from 0 up to 1.
fn next(moment: &mut CallMoment) -> Accepted<f64> {
    // The upper 53 bits: as many as a float holds exactly.
    Ok((next_word(moment)? >> 11) as f64 / (1_u64 << 53) as f64)
}

/// The next 64 bits of the stream.
fn next_word(moment: &mut CallMoment) -> Accepted<u64> {
    let (me, world) = moment.both()?;
    let mut digest = Digest::new();
    digest.word(world.seed);
    digest.text(&me.view().name);
    if let Some(layer) = me.layer() {
        digest.text(layer);
    }
    digest.word(me.random);
    me.random = me.random % MOST_DRAWN + 1;
    Ok(digest.finish())
}
