//! What scripts answer when a program asks how well an entity does.

use crate::folder::{Folder, Game, on_large_stack};
use hangtime_core::sim::{Judgement, Value};

const RATES: [u32; 4] = [30, 60, 120, 240];

fn judge(game: &mut Game) -> Judgement {
    let hero = game.hero().id;
    let judgement = game.live.judge(hero);
    game.note_report();
    judgement
}

/// The headline of what is wrong with the rules of this script.
fn wrong(script: &str) -> Vec<String> {
    let mut game = Folder::with_script(script).game();
    game.ticks(1);
    assert_eq!(judge(&mut game), Judgement::default(), "{script}");
    game.wrong()
}

#[test]
fn rules_judge_the_state_after_the_last_tick() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { this.n += 1; me.hold(\"right\"); }\n\
             fn reward(me) { me.x + 1000 * this.n }\n\
             fn done(me) { this.n == 4 }\n";
        let mut game = Folder::with_script(script).game();
        for tick in 1..=6 {
            game.ticks(1);
            let expected =
                Judgement { reward: Some(game.hero().pos.x + 1000.0 * f64::from(tick)), done: Some(tick == 4) };
            assert_eq!(judge(&mut game), expected, "{:?}", game.wrong());
        }
        assert_eq!(game.wrong(), [""; 0]);
    });
}

#[test]
fn whole_numbers_and_nothing_are_answers() {
    on_large_stack(|| {
        let mut game = Folder::with_script("fn reward(me) { 3 }\nfn done(me) { }").game();
        let three = Judgement { reward: Some(3.0), done: None };
        assert_eq!(judge(&mut game), three);
        let mut game = Folder::with_script("fn on_tick(me) { }").game();
        assert_eq!(judge(&mut game), Judgement::default());
        assert_eq!(game.wrong(), [""; 0]);
    });
}

#[test]
fn judging_changes_nothing() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { this.n += 1; if world::random() < 0.2 { me.jump(); } }\n\
             fn reward(me) { this.n += 100; me.push(0, 500); me.note(\"x\"); me.after(0.1, \"bang\"); world::random() }\n\
             fn done(me) { me.place(0, 500); true }\n\
             fn on_bang(me) { me.place(0, 300); }\n";
        for hz in RATES {
            let folder = Folder::with_script(script);
            folder.write("config/hangtime.toml", &format!("[simulation]\ntick_hz = {hz}\n"));
            let (mut judged, mut left_alone) = (folder.game(), folder.game());
            for tick in 0..120 {
                judged.ticks(1);
                left_alone.ticks(1);
                for _ in 0..tick % 3 {
                    assert!(judge(&mut judged).reward.is_some());
                }
                let (one, other) = (judged.live.world(), left_alone.live.world());
                assert_eq!(one.hash(), other.hash(), "{hz} Hz, tick {tick}");
                assert_eq!(one, other);
            }
            assert_eq!(judged.var("n"), Value::Int(120));
            assert_eq!(judged.wrong(), [""; 0]);
        }
    });
}

#[test]
fn invalid_answers_are_faults_with_the_right_type() {
    on_large_stack(|| {
        for (script, message) in [
            ("fn reward(me) { \"much\" }", "`reward` must return a number, not text"),
            ("fn reward(me) { let x = 1e308; x * 10 }", "`reward` must return a finite number, not inf"),
            ("fn done(me) { 1 }", "`done` must return true or false, not a number"),
        ] {
            let wrong = wrong(script);
            assert_eq!(wrong.len(), 1, "{script}: {wrong:?}");
            assert!(wrong[0].contains(message), "{wrong:?}");
        }
        assert_eq!(wrong("fn reward(me) { world::nothing() }").len(), 1);
    });
}

#[test]
fn a_function_whose_name_is_near_a_rule_does_not_keep_a_game_from_opening() {
    for name in ["one", "bone", "dune"] {
        let folder = Folder::with_script(&format!("fn {name}(me) {{ }}\nfn on_tick(me) {{ }}\n"));
        assert!(folder.open().is_ok(), "{name}: {:?}", folder.wrong());
    }
    // A letter is missing, which is hardly meant.
    let folder = Folder::with_script("fn rewad(me) { 1 }");
    let wrong = folder.wrong();
    assert!(folder.open().is_ok(), "{wrong:?}");
    assert!(wrong[0].contains(": warning: ") && wrong[0].contains("did you mean `reward(me)`"), "{wrong:?}");
}
