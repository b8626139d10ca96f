//! Random numbers: one stream per entity, the same in every run with the same seed.

use super::super::answer::CallAnswer;
use super::super::arguments::{exactly, finite, parameter};
use super::super::entries::of_world;
use super::super::moment::CallMoment;
use super::super::table::CallTable;
use crate::script::host::api::{Topic, Type, param};
use crate::script::host::{CallRefusal, refuse};
use crate::sim::{Digest, MOST_DRAWN};

/// Adds the topic.
pub(super) fn add(table: &mut CallTable) {
    table.topic(Topic::Random);
    table.add(
        of_world(
            "random",
            "A random number from 0 up to, but not including, 1.",
            "if world::random() < 0.1 { me.jump(); }",
        )
        .returns(Type::Number, ""),
        |moment, _| Ok(CallAnswer::Number(next(moment)?)),
    );
    table.add(
        of_world(
            "random",
            "A random number from `low` to `high`.",
            "let pause = world::random(0.5, 1.5);",
        )
        .takes(
            const {
                &[
                    param("low", Type::Number, ""),
                    param("high", Type::Number, ""),
                ]
            },
        )
        .returns(Type::Number, ""),
        |moment, args| {
            let [low, high] = *exactly(args)?;
            let low = finite(parameter("random", "low"), low)?;
            let high = finite(parameter("random", "high"), high)?;
            if low > high {
                return refuse(format!(
                    "`low` of `random` must not exceed `high`, but {low} is more than {high}"
                ));
            }
            Ok(CallAnswer::Number(low + (high - low) * next(moment)?))
        },
    );
}

/// The next number in the stream of the entity whose script runs.
fn next(moment: &mut CallMoment) -> Result<f64, CallRefusal> {
    let (me, world) = moment.both()?;
    let mut digest = Digest::new();
    digest.word(world.seed);
    digest.text(&me.view().name);
    digest.word(me.random);
    me.random = me.random % MOST_DRAWN + 1;
    // The upper 53 bits: as many as a float holds exactly.
    Ok((digest.finish() >> 11) as f64 / (1_u64 << 53) as f64)
}
