//! Random sequences, saved and loaded at random ticks, against what their text says.
//!
//! A program is made as a tree. Written as a script, the game plays it; `Oracle` computes from the tree alone in which tick
//! it does what. `HANGTIME_SEQUENCES` is the number of programs.

use crate::{
    program::{Dice, Maker, Oracle, write},
    run::{Run, on_large_stack},
};
use hangtime_core::sim::Value;
use hangtime_script::Execution;

#[test]
fn random_sequences_do_what_they_say_when_saved_and_loaded_at_any_tick() {
    let programs: u64 = std::env::var("HANGTIME_SEQUENCES").map_or(60, |count| count.parse().expect("a number"));
    on_large_stack(|| {
        let (mut restores, mut too_large) = (0, 0);
        for program in 0..programs {
            let mut maker = Maker { dice: Dice(program * 977 + 1), names: 1, left: 40 };
            let parts = maker.block(&[1], 4, false);
            let mut text = String::from("fn on_birth(me) { me.start(\"play\"); }\nfn play(me) {\nlet v1 = 1;\n");
            write(&parts, &mut text);
            text.push_str("wait_ticks(1);\n}\n");
            let end = 40 + maker.dice.roll(80);
            // The first tick begins at 0.
            let mut oracle = Oracle { tick: 0, end, vars: vec![0; maker.names + 1], h: 0, n: 0 };
            oracle.vars[1] = 1;
            oracle.play(&parts);
            let right = (Value::Int(oracle.h), Value::Int(oracle.n));
            for execution in [Execution::Compiled, Execution::Interpreted, Execution::BothWays] {
                let mut run = Run::executed(&text, execution);
                for _ in 0..end {
                    if maker.dice.roll(6) == 0 {
                        run.restore();
                        restores += 1;
                    }
                    run.ticks(1);
                }
                // It says so where a program has more variables than a wait remembers.
                if run.faults.len() == 1 && run.faults[0].contains("it can remember at most 16 values") {
                    too_large += 1;
                    continue;
                }
                assert_eq!(run.faults, [""; 0], "{text}");
                assert_eq!((run.var("h"), run.var("n")), right, "program {program}, {execution:?}\n{text}");
            }
        }
        println!(
            "{programs} programs, {restores} times saved and loaded; {too_large} of {} runs too large",
            3 * programs
        );
        assert!(too_large * 20 < 3 * programs, "{too_large}");
    });
}
