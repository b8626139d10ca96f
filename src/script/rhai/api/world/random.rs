//! Random numbers: one stream per entity, the same in every run with the same seed.

use super::super::arguments::{Fallible, fail, finite, parameter};
use super::super::entries::of_world;
use super::super::registry::Registry;
use super::super::world_view::WorldHandle;
use crate::script::host::api::{Topic, Type, param};
use crate::sim::Digest;
use crate::sim::MOST_DRAWN;
use rhai::{Dynamic, FLOAT, NativeCallContext};

/// Registers the topic.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::Random);
    registry.add(
        of_world(
            "random",
            "A random number from 0 up to, but not including, 1.",
            "if world::random() < 0.1 { me.jump(); }",
        )
        .returns(Type::Number, ""),
        |context: NativeCallContext<'_>| next(&context),
    );
    registry.add(
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
        |context: NativeCallContext<'_>, low: Dynamic, high: Dynamic| -> Fallible<FLOAT> {
            let low = finite(&parameter("random", "low"), &low)?;
            let high = finite(&parameter("random", "high"), &high)?;
            if low > high {
                return fail(format!(
                    "`low` of `random` must not exceed `high`, but {low} is more than {high}"
                ));
            }
            Ok(low + (high - low) * next(&context)?)
        },
    );
}

/// The next number in the stream of the entity whose script runs.
fn next(context: &NativeCallContext<'_>) -> Fallible<FLOAT> {
    let world = WorldHandle::of(context)?;
    let world = world.lock();
    let mut state = world.me()?.lock();
    let mut digest = Digest::new();
    digest.word(world.seed);
    digest.text(&state.view.name);
    digest.word(state.random);
    state.random = state.random % MOST_DRAWN + 1;
    // The upper 53 bits: as many as a float holds exactly.
    Ok((digest.finish() >> 11) as FLOAT / (1_u64 << 53) as FLOAT)
}
