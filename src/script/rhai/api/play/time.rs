//! How a test lets time pass.

use super::super::arguments::{Fallible, any_number, wrong};
use super::super::registry::{Registry, never};
use super::{Test, finite, of_test};
use crate::script::host::api::{Access, Entry, Owner, Type, param};
use rhai::{Dynamic, FLOAT, FnPtr, INT, NativeCallContext};

/// A whole number, or a floating one that is whole.
fn whole(what: &str, value: &Dynamic) -> Fallible<u64> {
    match any_number(what, value)? {
        x if x >= 0.0 && x.trunc() == x && x < 1e9 => Ok(x as u64),
        x => wrong(format!("{what} takes a whole number from 0, not {x}")),
    }
}

impl Test {
    fn ticks_in(&self, what: &str, seconds: &Dynamic) -> Fallible<u64> {
        let seconds = finite(what, seconds)?;
        if !(0.0..=3600.0).contains(&seconds) {
            return wrong(format!("{what} takes 0 to 3600 seconds, not {seconds}"));
        }
        Ok((seconds * f64::from(self.lock().hz())).round() as u64)
    }
}

/// Registers it.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.add(
        of_test("run", "Plays so many seconds.", "t.run(0.5);")
            .takes(const { &[param("seconds", Type::Number, "s")] }),
        |t: &mut Test, seconds: Dynamic| -> Fallible<()> {
            let ticks = t.ticks_in("run", &seconds)?;
            t.steps(ticks)
        },
    );
    registry.add(
        of_test("ticks", "Plays so many ticks.", "t.ticks(2);")
            .takes(const { &[param("count", Type::Number, "")] }),
        |t: &mut Test, count: Dynamic| -> Fallible<()> { t.steps(whole("ticks", &count)?) },
    );
    registry.add(
        of_test(
            "run_until",
            "Plays until a condition is met, which is given the level; fails when it is not met in \
             time.",
            "t.run_until(|t| hero.grounded, 2);",
        )
        .takes(
            const {
                &[
                    param("condition", Type::Function, ""),
                    param("seconds", Type::Number, "s"),
                ]
            },
        ),
        run_until,
    );
    register_clocks(registry);
}

fn run_until(
    context: NativeCallContext<'_>,
    t: Test,
    condition: FnPtr,
    seconds: Dynamic,
) -> Fallible<()> {
    let most = t.ticks_in("run_until", &seconds)?;
    for _ in 0..most {
        if condition.call_within_context::<bool>(&context, (t.clone(),))? {
            return Ok(());
        }
        t.step()?;
    }
    if condition.call_within_context::<bool>(&context, (t.clone(),))? {
        return Ok(());
    }
    wrong(format!("the condition was not met within {seconds} s"))
}

fn register_clocks(registry: &mut Registry<'_>) {
    const PASSES: Access = Access::ReadOnly("time passes by `t.run` and `t.ticks`");
    registry.property(
        Entry::property(
            Owner::Test,
            "tick",
            PASSES,
            "How many ticks were played.",
            "expect(t.tick).equals(0);",
        )
        .answers(Type::Whole, ""),
        |t: &mut Test| Ok((t.lock().tick() as INT).into()),
        never,
    );
    registry.property(
        Entry::property(
            Owner::Test,
            "time",
            PASSES,
            "How long the level has been played.",
            "t.run(0.5);\nexpect(t.time).equals(0.5);",
        )
        .answers(Type::Number, "s"),
        |t: &mut Test| {
            let game = t.lock();
            Ok((game.tick() as FLOAT / FLOAT::from(game.hz())).into())
        },
        never,
    );
}
