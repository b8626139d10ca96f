//! Letting time pass in a test.

use super::*;

/// Longest time that one call plays, s.
const MAX_SECONDS: f64 = 3600.0;

/// A number of ticks, given as a whole number or as a floating-point number without a fraction.
fn tick_count(args: Args<'_>) -> Result<u64, CallRefusal> {
    let what = args.parameter(0);
    match args.get(0).any_number(what)? {
        x if x >= 0.0 && x.trunc() == x && x < 1e9 => Ok(x as u64),
        x => refuse(format!("{what} is {x}; it must be a whole number, 0 or more")),
    }
}

const SECONDS: Param = param("seconds", Type::Number, "s");

impl TestLevel {
    /// How many ticks the argument `seconds` at a place lasts.
    fn ticks_in(&self, args: Args<'_>, place: usize) -> Result<u64, CallRefusal> {
        let what = args.parameter(place);
        let seconds = args.get(place).any_number(what)?;
        if !(0.0..=MAX_SECONDS).contains(&seconds) {
            return refuse(format!("{what} is {seconds}; it must be between 0 and {MAX_SECONDS}"));
        }
        Ok((seconds * f64::from(self.lock().game.hz())).round() as u64)
    }
}

/// Adds these calls.
pub fn add(table: &mut ObjectCalls) {
    add_calls! { table;
        /// Plays for a time, rounded to whole ticks.
        call run(SECONDS);
        "t.run(0.5);";
        |level: &TestLevel, args| level.steps(level.ticks_in(args, 0)?);

        /// Plays a number of ticks.
        call ticks(param("count", Type::Number, ""));
        "t.ticks(2);";
        |level: &TestLevel, args| level.steps(tick_count(args)?);

        /// Plays until the condition, a function of `t`, returns true. Fails if that takes longer than `seconds`.
        call run_until(param("condition", Type::Function, ""), SECONDS);
        "t.run_until(|t| hero.grounded, 2);";
        run_until;
    }
    add_clocks(table);
}

fn run_until<'a>(level: &'a TestLevel, args: Args<'a>) -> Answered<'a> {
    let Arg::Foreign(condition) = args.get(0) else {
        return refuse("`condition` of `run_until` must be a function");
    };
    let most = level.ticks_in(args, 1)?;
    let object = Object::new(level.clone());
    for tick in 0..=most {
        level.lock().looked_at.clear();
        if condition.holds(&object)? {
            return Ok(CallAnswer::Nothing);
        }
        if tick < most {
            level.step()?;
        }
    }
    let seconds = args.get(1).written().unwrap_or_default();
    Err(condition.unmet(format!("the condition was not met within {seconds} s{}", level.looked_at())))
}

fn add_clocks(table: &mut ObjectCalls) {
    const PASSES: &str = "use `t.run` or `t.ticks`";
    table.add(
        property("tick", PASSES, "Number of ticks played.", "expect(t.tick).equals(0);").returns(Type::Whole, ""),
        |level: &TestLevel, _| Ok(CallAnswer::Whole(level.lock().game.tick() as i64)),
    );
    table.add(
        property(
            "time",
            PASSES,
            "Time since the test's level began, as players see it: neither a restart nor slow motion changes it.",
            "t.run(0.5);\nexpect(t.time).equals(0.5);",
        )
        .returns(Type::Number, "s"),
        |level: &TestLevel, _| {
            let game = &level.lock().game;
            Ok(CallAnswer::Number(game.tick() as f64 / f64::from(game.hz())))
        },
    );
}
