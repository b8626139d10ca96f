//! Names of sounds and pictures that do not exist are reported once, in both languages, and the game continues.

use super::{Folder, on_large_stack};
use hangtime_core::sim::{Inputs, Value};
use std::sync::Arc;

/// A game with a sound and a picture whose hero has this script.
fn folder(ending: &str, script: &str) -> Folder {
    let folder = Folder::with_script("");
    folder.write("config/entities/hero.toml", &format!("script = \"hero.{ending}\"\nvars = {{ n = 0, r = 0.0 }}\n"));
    folder.write(&format!("scripts/hero.{ending}"), script);
    folder.write("config/hangtime.toml", "[sounds]\nping = \"ping.wav\"\n");
    folder.write_png("pictures/cat.png", (1, 1), &[[255; 4]]);
    folder
}

/// Everything that is reported as not shown in some ticks, by tick.
fn unshown(game: &mut crate::folder::Game, ticks: u64) -> Vec<(u64, String)> {
    let mut all = Vec::new();
    for tick in 0..ticks {
        all.extend(game.live.step(&Inputs::default()).unshown.iter().map(|line| (tick, line.clone())));
        game.note_report();
    }
    all
}

#[test]
fn sounds_and_pictures_that_do_not_exist_are_reported_once() {
    on_large_stack(|| {
        for (ending, play, draw) in [
            ("rhai", "world::sound(\"NAME\");", "me.sprite(\"a\", 0, 0, \"NAME\");"),
            ("luau", "world.sound('NAME')", "me:sprite('a', 0, 0, 'NAME')"),
        ] {
            for (code, right, wrong, what) in [
                (play, "ping", "pnig", "there is no sound `pnig`"),
                (draw, "cat.png", "cta.png", "there is no picture `cta.png`"),
            ] {
                let hook = |code: &str| match ending {
                    "rhai" => format!("fn on_tick(me) {{ this.n += 1; {code} }}"),
                    _ => format!("function on_tick(me) vars.n += 1 {code} end"),
                };
                let folder = folder(ending, &hook(&code.replace("NAME", wrong)));
                let mut game = folder.game();
                let said = unshown(&mut game, 20);
                assert!(said.len() == 1 && said[0].0 == 0, "{said:?}");
                assert!(said[0].1.starts_with(what) && said[0].1.contains(&format!("`{right}`")), "{said:?}");
                // The game continues, and a new revision says it again.
                assert_eq!((game.var("n"), game.faults.len()), (Value::Int(20), 0));
                folder.write(&format!("scripts/hero.{ending}"), &hook(&format!("{} ", code.replace("NAME", wrong))));
                game.live.adopt(Arc::new(folder.open().expect("a good game")));
                assert_eq!(unshown(&mut game, 5).len(), 1);
                folder.write(&format!("scripts/hero.{ending}"), &hook(&code.replace("NAME", right)));
                assert!(unshown(&mut folder.game(), 5).is_empty());
            }
        }
    });
}

#[test]
fn names_that_a_script_makes_up_are_not_reported_without_end() {
    on_large_stack(|| {
        let many =
            "fn on_tick(me) { this.n += 1; let x = `no ${this.n}`; world::sound(x); me.sprite(\"a\", 0, 0, x); }";
        let said = unshown(&mut folder("rhai", many).game(), 200);
        for what in ["sound", "picture"] {
            let ticks: Vec<u64> = said
                .iter()
                .filter(|(_, line)| line.starts_with(&format!("there is no {what} ")))
                .map(|it| it.0)
                .collect();
            assert_eq!(ticks, (0..16).collect::<Vec<u64>>(), "a {what} of the same name counts apart: {said:?}");
        }
        let steers = folder("rhai", "fn on_tick(me) { world::sound(\"\\x1b[31m\"); }");
        let said = unshown(&mut steers.game(), 2);
        assert!(said.len() == 1 && !said[0].1.contains('\x1b'), "{said:?}");
    });
}
