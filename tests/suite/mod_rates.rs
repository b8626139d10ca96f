//! Scripts of mods above a kind's own, at all tick rates, saved and loaded before every tick, and in a sweep.

use crate::{
    folder::{Folder, on_large_stack},
    mod_scripts::layered,
    program::{code, err, out, run},
    sweeps_case::{measured, sweep},
};
use hangtime::{playtest::HeavyTwin, project::Live, sim::Inputs};

const RATES: [u32; 4] = [30, 60, 120, 240];

/// The lowest script counts seconds and rolls dice; each one above has a timer, dice and a rule, and calls the one below.
fn game() -> Folder {
    let lowest = "fn on_birth(me) { me.after(1, \"rung\"); }
        fn on_rung(me) { this.n += 1; me.after(1, \"rung\"); }
        fn roll(sides) { world::random_int(1, sides) }
        fn jump_windows(me) { #{ coyote_time: 0.1 } }";
    let upper = "fn on_birth(me) { me.after(0.5, \"rung\"); }
        fn on_rung(me) { this.n += base::roll(6); this.mine = world::random(); me.after(0.5, \"rung\"); }
        fn roll(sides) { base::roll(sides) + world::random_int(0, 1) }
        fn jump_windows(me) { #{ coyote_time: 0.2 + this.n * 0.0 } }";
    layered(lowest, [upper, upper])
}

#[test]
fn layers_count_the_same_seconds_at_all_tick_rates() {
    on_large_stack(|| {
        for hz in RATES {
            let mut live = Live::new(game().open_at(hz), 7);
            let mut twin = HeavyTwin::new(&live);
            for _ in 0..3 * hz + hz / 4 {
                let same = twin.step(&mut live, &Inputs::none());
                same.unwrap_or_else(|difference| panic!("{hz} Hz: {difference}"));
                assert!(live.report().faults.is_empty());
            }
            let hero = live.world().entity("hero").expect("a hero");
            let number = |vars: &hangtime::sim::Vars| match vars.0.to_plain()["n"] {
                hangtime::sim::Value::Int(n) => n,
                ref other => panic!("{other:?}"),
            };
            assert_eq!(number(&hero.vars), 3, "{hz} Hz");
            // Six rolls: of a die in `a`, and of a die and a coin in `b`.
            let [a, b] = [0, 1].map(|layer| number(&hero.layers()[layer].vars));
            assert!((6..=36).contains(&a) && (6..=42).contains(&b), "{hz} Hz: {a}, {b}");
        }
    });
}

#[test]
fn tests_and_runs_with_layers_have_no_difference_in_heavy_mode_and_both_ways() {
    let folder = game();
    let test = "const RATES = [30, 60, 120, 240];\n\
        fn test_layers() {\n    for hz in RATES {\n\
        \x20       let t = play(\"level.toml\", #{ \"simulation.tick_hz\": hz, seed: hz });\n\
        \x20       let hero = t.entity(\"hero\");\n        t.run(2.25);\n\
        \x20       expect(hero.vars.n).equals(2);\n        expect(hero.layers.a.vars.n).above(3);\n\
        \x20       let was = t.snapshot();\n        t.run(1);\n        let hash = t.hash;\n\
        \x20       t.restore(was);\n        t.run(1);\n        expect(t.hash).equals(hash);\n    }\n}\n";
    folder.write("levels/tests/layers.rhai", test);
    for mode in ["--heavy", "--both-ways"] {
        let tested = run(folder.root(), &["test", mode]);
        assert_eq!(code(&tested), 0, "{mode}: {}{}", out(&tested), err(&tested));
        for hz in RATES {
            let rate = format!("simulation.tick_hz={hz}");
            let arguments = ["run", "level", "--strict", "--set", &rate, "--ticks", "300", mode];
            let ran = run(folder.root(), &arguments);
            assert_eq!(code(&ran), 0, "{mode} {hz}: {}", err(&ran));
        }
    }
}

#[test]
fn a_sweep_plays_the_layers_of_mods() {
    let folder = game();
    let rates = "simulation.tick_hz=30,60,120,240";
    let arguments = ["level", "--vary", rates, "--ticks", "130", "--measure", "hero.layers.b.vars.n"];
    let json = sweep(&folder, &arguments);
    let counted = measured(&json, 0);
    assert_eq!(counted.len(), RATES.len());
    for (hz, counted) in RATES.into_iter().zip(counted) {
        let mut live = Live::new(game().open_at(hz), 0);
        for _ in 0..130 {
            live.step(&Inputs::none());
        }
        let hero = live.world().entity("hero").expect("a hero");
        let n = hero.layers()[1].vars.0.to_plain()["n"].clone();
        assert_eq!(n, hangtime::sim::Value::Int(counted as i64), "{hz} Hz");
    }
}
