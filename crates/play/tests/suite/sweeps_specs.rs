//! What `--vary` takes: any text gives values or a message, and ranges have the values that they say.

use crate::ground::tried;
use hangtime_play::{MOST_RUNS, SweepPlan, VariedKey};
use proptest::prelude::*;

/// A number with some decimal places, as text.
fn decimal(units: i64, places: u32) -> String {
    let (sign, digits) = (if units < 0 { "-" } else { "" }, units.unsigned_abs());
    let scale = 10_u64.pow(places);
    let (whole, rest) = (digits / scale, digits % scale);
    match places {
        0 => format!("{sign}{whole}"),
        n => format!("{sign}{whole}.{rest:0n$}", n = n as usize),
    }
}

proptest! {
    #![proptest_config(tried(20_000))]

    #[test]
    fn any_text_gives_values_or_a_message(text in "[a-z.]{0,4}=?[-0-9.:,e\"' \\[\\]x\u{0}-\u{7}ö]{0,24}") {
        match VariedKey::parse(&text) {
            Ok(key) => {
                prop_assert!((1..=MOST_RUNS).contains(&key.len()));
                for i in [0, key.len() / 2, key.len() - 1, usize::MAX] {
                    prop_assert!(!key.value(i).label.is_empty(), "{text}");
                }
                let plan = SweepPlan::new(vec![key]).expect("one key");
                prop_assert!(plan.corners().iter().all(|run| *run < plan.runs()));
            }
            Err(message) => prop_assert!(!message.is_empty()),
        }
    }

    #[test]
    fn ranges_have_their_values(
        from in -100_000_i64..100_000,
        step in 1_i64..5_000,
        steps in 0_i64..60,
        more in 0.0..1.0_f64,
        places in 0_u32..5,
        down in any::<bool>(),
    ) {
        let step = if down { -step } else { step };
        // The end is beyond the last value by less than a step.
        let beyond = (more * step.abs() as f64) as i64 * step.signum();
        let to = from + steps * step + beyond;
        let texts = [from, to, step].map(|n| decimal(n, places));
        let text = format!("a.b={}..{}:{}", texts[0], texts[1], texts[2]);
        let key = VariedKey::parse(&text).expect("a good range");
        prop_assert_eq!(key.len() as i64, steps + 1, "{}", text);
        for i in 0..key.len() {
            let right: f64 = decimal(from + i as i64 * step, places).parse().expect("a number");
            prop_assert_eq!(key.value(i).number, Some(right), "{}", text);
            let number: f64 = key.value(i).setting.parse().expect("a number");
            prop_assert_eq!(Some(number), key.value(i).number);
        }
    }
}
