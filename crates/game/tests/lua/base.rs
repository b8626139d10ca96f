//! `base`: scripts of mods call functions of the scripts below them, whatever the languages.

use super::{Folder, on_large_stack};
use crate::sequence_pairs::restore;
use hangtime_core::sim::Value;

/// A game whose hero has a script, with the script of a mod above it.
fn folder(lower: (&str, &str), upper: (&str, &str)) -> Folder {
    let folder = Folder::with_script("");
    let kind = format!("script = \"hero.{}\"\nvars = {{ n = 0 }}\n", lower.0);
    folder.write("config/entities/hero.toml", &kind);
    folder.write(&format!("scripts/hero.{}", lower.0), lower.1);
    folder.write("mods/up/mod.toml", "name = \"up\"\nversion = \"1.0.0\"\n");
    folder.write("mods/up/config/entities/hero.toml", &format!("scripts = [\"up.{}\"]\n", upper.0));
    folder.write(&format!("mods/up/scripts/up.{}", upper.0), upper.1);
    folder
}

const LOWER: [(&str, &str); 2] = [
    (
        "rhai",
        "fn grow(me, by) { this.n += by.step; me.push(by.step, 0); #{ n: this.n, luck: world::random(), name: me.name } }
         fn model(me) { \"two_velocity\" }
         fn fails(me) { me.jmup(); }
         fn spins(me) { loop {} }
         fn on_land(me) {}",
    ),
    (
        "luau",
        "function grow(me, by) vars.n += by.step me:push(by.step, 0) return { n = vars.n, luck = world.random(), name = me.name } end
         function model(me) return 'two_velocity' end
         function fails(me) me.jmup() end
         function spins(me) while true do end end
         function on_land(me) end",
    ),
];

const UPPER: [(&str, &str); 2] = [
    (
        "rhai",
        "fn on_tick(me) { let grown = base::grow(me, #{ step: 2 }); this.n = grown.n; this.luck = grown.luck; this.own = world::random(); this.name = grown.name; }
         fn model(me) { base::model(me) }",
    ),
    (
        "luau",
        "function on_tick(me) local grown = base.grow(me, { step = 2 }) vars.n = grown.n vars.luck = grown.luck vars.own = world.random() vars.name = grown.name end
         function model(me) return base.model(me) end",
    ),
];

#[test]
fn every_pair_of_languages_plays_the_same_game() {
    on_large_stack(|| {
        let mut hashes = Vec::new();
        for lower in LOWER {
            for upper in UPPER {
                let mut game = folder(lower, upper).game();
                assert_eq!(game.live.revision().mods.left_out.len(), 0);
                game.ticks(5);
                assert!(game.faults.is_empty(), "{}: {}", upper.0, game.faults[0].render(false));
                let hero = &game.live.world().entities()[0];
                let layer = hero.layers()[0].vars.0.to_plain();
                assert_eq!(game.var("n"), Value::Int(10));
                assert_eq!((&layer["n"], &layer["name"]), (&Value::Int(10), &Value::Text("hero".into())));
                assert_ne!(layer["luck"], layer["own"], "each layer has a random stream");
                assert_eq!(game.hero().model_name(), "two_velocity");
                hashes.push(game.live.world().hash());
            }
        }
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
    });
}

/// The first message of a mod's script above one in each language.
fn messages((ending, text): (&str, &str)) -> [String; 2] {
    let mut found = [String::new(), String::new()];
    on_large_stack(|| {
        for (message, lower) in found.iter_mut().zip(LOWER) {
            let mut game = folder(lower, (ending, text)).game();
            *message = match game.live.revision().mods.left_out.first() {
                Some(left_out) => left_out.why[0].headline(),
                None => game.ticks(1).faults.first().map_or_else(String::new, |fault| fault.diagnostic.headline()),
            };
        }
    });
    found
}

#[test]
fn calls_that_are_not_there_are_found_when_the_mod_is_loaded() {
    for (line, why) in [
        ("base.grwo(me, 1)", "2:6: error: no layer below has a function `grwo`; did you mean `grow`?"),
        ("base.on_land(me)", "2:6: error: `base.on_land` cannot be called: hooks run in every layer by themselves"),
    ] {
        for message in messages(("luau", &format!("function on_tick(me)\n{line}\nend"))) {
            assert_eq!(message, format!("mods/up/scripts/up.luau:{why}"));
        }
    }
    let [_, message] = messages(("rhai", "fn on_tick(me) {\nbase::grow(me);\n}"));
    assert_eq!(message, "mods/up/scripts/up.rhai:2:1: error: `grow` in scripts/hero.luau takes 2 arguments, not 1");
}

#[test]
fn failing_calls_name_the_line_below() {
    for text in [("luau", "function on_tick(me) base.fails(me) end"), ("rhai", "fn on_tick(me) { base::fails(me); }")] {
        for message in messages(text) {
            assert!(message.contains("scripts/hero."), "{message}");
            assert_eq!(message.matches("error:").count(), 1, "{message}");
            assert!(message.contains("`jmup") && message.contains("did you mean `jump`?"), "{message}");
        }
    }
    for text in [("luau", "function on_tick(me) base.spins(me) end"), ("rhai", "fn on_tick(me) { base::spins(me); }")] {
        for message in messages(text) {
            assert!(message.contains("operations; is there an infinite loop?"), "{message}");
        }
    }
    let [_, message] = messages(("luau", "function on_tick(me)\nbase.grow(me)\nend"));
    assert!(message.contains("2:6: error: `grow` in scripts/hero.luau takes 2 arguments, not 1"), "{message}");
    for message in messages(("luau", "function on_tick(me)\nbase.grow(me, print)\nend")) {
        assert!(message.contains("argument 2 of `base.grow` is a function; it takes `me` and plain data"), "{message}");
    }
}

#[test]
fn each_layer_has_its_own_sequences() {
    let lower = [
        (
            "rhai",
            "fn on_birth(me) { me.start(\"attack\"); } fn attack(me) { for i in 1..=3 { wait_ticks(2); this.n += i; } }
             fn double(me, x) { x * 2 }",
        ),
        (
            "luau",
            "function on_birth(me) me:start('attack') end function attack(me) for i = 1, 3 do wait_ticks(2) vars.n += i end end
             function double(me, x) return x * 2 end",
        ),
    ];
    let upper = [
        (
            "rhai",
            "fn on_birth(me) { me.start(\"attack\"); this.n = 0; } fn on_tick(me) { if world::tick() == 2 { world::emit(\"bell\", 4); } }
             fn attack(me) { let own = 1; let rung = wait_for(\"bell\"); this.n = base::double(me, rung.data) + own; wait_ticks(2); this.n += 10; }",
        ),
        (
            "luau",
            "function on_birth(me) me:start('attack') vars.n = 0 end function on_tick(me) if world.tick() == 2 then world.emit('bell', 4) end end
             function attack(me) local own = 1 local rung = wait_for('bell') vars.n = base.double(me, rung.data) + own wait_ticks(2) vars.n += 10 end",
        ),
    ];
    on_large_stack(|| {
        let mut hashes = Vec::new();
        for lower in lower {
            for upper in upper {
                let mut game = folder(lower, upper).game();
                let mut of_ticks = Vec::new();
                for tick in 0..9 {
                    game.ticks(1);
                    restore(&mut game);
                    let hero = &game.live.world().entities()[0];
                    let n = |vars: &hangtime_core::sim::Vars| vars.0.to_plain()["n"].clone();
                    // Each step is in the tick that its wait says, and the bell is heard in the tick after it was rung.
                    let of_lower = (1..=3).filter(|step| tick >= step * 2).sum();
                    let of_upper = if tick >= 5 { 19 } else { i64::from(tick >= 3) * 9 };
                    assert_eq!(n(&hero.vars), Value::Int(of_lower), "tick {tick}");
                    assert_eq!(n(&hero.layers()[0].vars), Value::Int(of_upper), "tick {tick}");
                    of_ticks.push(game.live.world().hash());
                }
                assert!(game.faults.is_empty(), "{}: {}", upper.0, game.faults[0].render(false));
                hashes.push(of_ticks);
            }
        }
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
        // A sequence below cannot be called.
        for text in
            [("luau", "function on_tick(me) base.attack(me) end"), ("rhai", "fn on_tick(me) { base::attack(me); }")]
        {
            for lower in lower {
                let mut game = folder(lower, text).game();
                let left_out = !game.live.revision().mods.left_out.is_empty();
                game.ticks(1);
                assert!(left_out || !game.faults.is_empty(), "{} over {}", text.0, lower.0);
                game.ticks(8);
                assert_eq!(game.var("n"), Value::Int(6), "{} over {}", text.0, lower.0);
            }
        }
    });
}
