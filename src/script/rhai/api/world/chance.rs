//! Chance: a stream of numbers for each entity, the same in every run with the same seed.

use super::super::arguments::{Fallible, finite, wrong};
use super::super::outlook::Outlook;
use super::super::registry::Registry;
use super::world;
use crate::script::host::api::{Topic, Type, param};
use crate::sim::Digest;
use rhai::{Dynamic, FLOAT, NativeCallContext};

/// Registers the stream.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::Chance);
    registry.add(
        world(
            "random",
            "A number from 0 up to but not 1, from a stream of the entity's own: other scripts do not \
             change it, and the same seed gives the same run.",
            "if world::random() < 0.1 { me.jump(); }",
        )
        .answers(Type::Number, ""),
        |context: NativeCallContext<'_>| next(&context),
    );
    registry.add(
        world(
            "random",
            "The same, from `low` up to `high`.",
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
        .answers(Type::Number, ""),
        |context: NativeCallContext<'_>, low: Dynamic, high: Dynamic| -> Fallible<FLOAT> {
            let low = finite("random's low", &low)?;
            let high = finite("random's high", &high)?;
            if low > high {
                return wrong(format!(
                    "`random` takes the lower number first, not {low} and {high}"
                ));
            }
            Ok(low + (high - low) * next(&context)?)
        },
    );
}

/// The next number of the stream of whose turn it is.
fn next(context: &NativeCallContext<'_>) -> Fallible<FLOAT> {
    let outlook = Outlook::of(context)?;
    let sight = outlook.lock();
    let mut moment = sight.me()?.lock();
    let mut digest = Digest::new();
    digest.word(sight.seed);
    digest.text(&moment.view.name);
    digest.word(moment.random);
    moment.random += 1;
    // The upper 53 bits, as many as a number of this size holds exactly.
    Ok((digest.finish() >> 11) as FLOAT / (1_u64 << 53) as FLOAT)
}
