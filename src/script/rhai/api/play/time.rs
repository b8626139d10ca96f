//! Letting time pass in a test.

use super::super::arguments::{Fallible, any_number, fail, parameter};
use super::super::entries::of_test;
use super::super::registry::{Registry, read_only};
use super::test_level::TestLevel;
use crate::script::host::api::{Access, ApiEntry, Owner, Type, param};
use rhai::{Dynamic, FLOAT, FnPtr, INT, NativeCallContext};

/// Longest time that one call plays, s.
const MAX_SECONDS: f64 = 3600.0;

/// A number of ticks, given as a whole number or as a floating-point number without a fraction.
fn tick_count(value: &Dynamic) -> Fallible<u64> {
    let what = parameter("ticks", "count");
    match any_number(what, value)? {
        x if x >= 0.0 && x.trunc() == x && x < 1e9 => Ok(x as u64),
        x => fail(format!(
            "{what} is {x}; it must be a whole number, 0 or more"
        )),
    }
}

impl TestLevel {
    /// How many ticks the argument `seconds` of a call lasts.
    fn ticks_in(&self, call: &str, seconds: &Dynamic) -> Fallible<u64> {
        let what = parameter(call, "seconds");
        let seconds = any_number(what, seconds)?;
        if !(0.0..=MAX_SECONDS).contains(&seconds) {
            return fail(format!(
                "{what} is {seconds}; it must be between 0 and {MAX_SECONDS}"
            ));
        }
        Ok((seconds * f64::from(self.lock().hz())).round() as u64)
    }
}

/// Registers these calls.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.add(
        of_test(
            "run",
            "Plays for a time, rounded to whole ticks.",
            "t.run(0.5);",
        )
        .takes(const { &[param("seconds", Type::Number, "s")] }),
        |t: &mut TestLevel, seconds: Dynamic| -> Fallible<()> {
            let ticks = t.ticks_in("run", &seconds)?;
            t.steps(ticks)
        },
    );
    registry.add(
        of_test("ticks", "Plays a number of ticks.", "t.ticks(2);")
            .takes(const { &[param("count", Type::Number, "")] }),
        |t: &mut TestLevel, count: Dynamic| -> Fallible<()> { t.steps(tick_count(&count)?) },
    );
    registry.add(
        of_test(
            "run_until",
            "Plays until the condition, a function of `t`, returns true. Fails if that takes longer than `seconds`.",
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
    t: TestLevel,
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
    fail(format!("the condition was not met within {seconds} s"))
}

fn register_clocks(registry: &mut Registry<'_>) {
    const PASSES: Access = Access::ReadOnly("use `t.run` or `t.ticks`");
    registry.property(
        ApiEntry::property(
            Owner::Test,
            "tick",
            PASSES,
            "Number of ticks played.",
            "expect(t.tick).equals(0);",
        )
        .returns(Type::Whole, ""),
        |t: &mut TestLevel| Ok((t.lock().tick() as INT).into()),
        read_only,
    );
    registry.property(
        ApiEntry::property(
            Owner::Test,
            "time",
            PASSES,
            "Time since the start of the level.",
            "t.run(0.5);\nexpect(t.time).equals(0.5);",
        )
        .returns(Type::Number, "s"),
        |t: &mut TestLevel| {
            let level = t.lock();
            Ok((level.tick() as FLOAT / FLOAT::from(level.hz())).into())
        },
        read_only,
    );
}
