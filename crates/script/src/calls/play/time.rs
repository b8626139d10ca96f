//! Letting time pass in a test.

use super::super::answer::{Answered, CallAnswer};
use super::super::arg::Arg;
use super::super::arguments::{any_number, exactly, parameter};
use super::super::entries::of_test;
use super::super::table::CallTable;
use super::level::TestLevel;
use crate::api::{Access, ApiEntry, Owner, Type, param};
use crate::{CallRefusal, refuse};

/// Longest time that one call plays, s.
const MAX_SECONDS: f64 = 3600.0;

/// A number of ticks, given as a whole number or as a floating-point number without a fraction.
fn tick_count(value: Arg<'_>) -> Result<u64, CallRefusal> {
    let what = parameter("ticks", "count");
    match any_number(what, value)? {
        x if x >= 0.0 && x.trunc() == x && x < 1e9 => Ok(x as u64),
        x => refuse(format!("{what} is {x}; it must be a whole number, 0 or more")),
    }
}

impl TestLevel {
    /// How many ticks the argument `seconds` of a call lasts.
    fn ticks_in(&self, call: &str, seconds: Arg<'_>) -> Result<u64, CallRefusal> {
        let what = parameter(call, "seconds");
        let seconds = any_number(what, seconds)?;
        if !(0.0..=MAX_SECONDS).contains(&seconds) {
            return refuse(format!("{what} is {seconds}; it must be between 0 and {MAX_SECONDS}"));
        }
        Ok((seconds * f64::from(self.lock().hz())).round() as u64)
    }
}

/// Adds these calls.
pub(super) fn add(table: &mut CallTable) {
    table.add_of_level(
        of_test("run", "Plays for a time, rounded to whole ticks.", "t.run(0.5);")
            .takes(const { &[param("seconds", Type::Number, "s")] }),
        |level, args| {
            let [seconds] = *exactly(args)?;
            let ticks = level.ticks_in("run", seconds)?;
            level.steps(ticks)?;
            Ok(CallAnswer::Nothing)
        },
    );
    table.add_of_level(
        of_test("ticks", "Plays a number of ticks.", "t.ticks(2);")
            .takes(const { &[param("count", Type::Number, "")] }),
        |level, args| {
            let [count] = *exactly(args)?;
            level.steps(tick_count(count)?)?;
            Ok(CallAnswer::Nothing)
        },
    );
    table.add_of_level(
        of_test(
            "run_until",
            "Plays until the condition, a function of `t`, returns true. Fails if that takes longer than `seconds`.",
            "t.run_until(|t| hero.grounded, 2);",
        )
        .takes(const { &[param("condition", Type::Function, ""), param("seconds", Type::Number, "s")] }),
        |level, args| {
            let [condition, seconds] = *exactly(args)?;
            run_until(level, condition, seconds)
        },
    );
    add_clocks(table);
}

fn run_until<'a>(level: &TestLevel, condition: Arg<'_>, seconds: Arg<'_>) -> Answered<'a> {
    let Arg::Foreign(condition) = condition else {
        return refuse("`condition` of `run_until` must be a function");
    };
    let most = level.ticks_in("run_until", seconds)?;
    for _ in 0..most {
        if condition.holds(level)? {
            return Ok(CallAnswer::Nothing);
        }
        level.step()?;
    }
    if condition.holds(level)? {
        return Ok(CallAnswer::Nothing);
    }
    refuse(format!("the condition was not met within {} s", seconds.written().unwrap_or_default()))
}

fn add_clocks(table: &mut CallTable) {
    const PASSES: Access = Access::ReadOnly("use `t.run` or `t.ticks`");
    table.add_of_level(
        ApiEntry::property(Owner::Test, "tick", PASSES, "Number of ticks played.", "expect(t.tick).equals(0);")
            .returns(Type::Whole, ""),
        |level, _| Ok(CallAnswer::Whole(level.lock().tick() as i64)),
    );
    table.add_of_level(
        ApiEntry::property(
            Owner::Test,
            "time",
            PASSES,
            "Time since the start of the level.",
            "t.run(0.5);\nexpect(t.time).equals(0.5);",
        )
        .returns(Type::Number, "s"),
        |level, _| {
            let level = level.lock();
            let time = level.tick() as f64 / f64::from(level.hz());
            Ok(CallAnswer::Number(time))
        },
    );
}
