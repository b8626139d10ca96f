//! Models that a script asks for and that the level's view does not have.

use crate::{
    folder::{Folder, Game, LEVEL, on_large_stack},
    lives::told,
};
use hangtime_core::sim::{EventKind, Value};

/// A game in a top view.
fn from_above(script: &str) -> Game {
    let folder = Folder::with_script(script);
    let hero = "script = \"hero.rhai\"\nmodel = \"topdown\"\nvars = { n = 0, refused = [] }\n";
    folder.write("config/entities/hero.toml", hero);
    folder.write("levels/level.toml", &format!("view = \"top\"\n{LEVEL}"));
    folder.game()
}

/// Counts the ticks, and logs the model and tick of each refusal.
const COUNTING: &str = "fn on_tick(me) { this.n += 1; }\n\
    fn on_model_refused(me, event) { this.refused.push(`${event.model}: ${event.reason}`); }\n";

fn refused(game: &mut Game, ticks: usize) -> Vec<u64> {
    let events = told(game, ticks);
    let refusals = events.iter().filter(|e| matches!(e.kind, EventKind::ModelRefused { .. }));
    refusals.map(|e| e.tick).collect()
}

#[test]
fn the_rule_model_with_a_model_that_the_view_lacks_is_refused_once() {
    on_large_stack(|| {
        let script = format!("fn model(me) {{ \"platformer\" }}\n{COUNTING}");
        let mut game = from_above(&script);
        assert_eq!(refused(&mut game, 60), [1]);
        assert_eq!(game.wrong(), [""; 0]);
        assert!(!game.hero().quarantined);
        assert_eq!(game.hero().model_name(), "topdown");
        assert_eq!(game.var("n"), Value::Int(60));
        let why = "platformer: it does not work in a top view";
        assert_eq!(game.var("refused"), Value::List(vec![Value::Text(why.into())]));
    });
}

#[test]
fn set_model_with_a_model_that_the_view_lacks_is_refused_once_and_the_call_continues() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { me.set_model(\"vessel\"); this.n += 1; me.vel.x = 33; }\n";
        let mut game = from_above(script);
        assert_eq!(refused(&mut game, 60), [1]);
        assert_eq!(game.wrong(), [""; 0]);
        assert!(!game.hero().quarantined);
        assert_eq!(game.var("n"), Value::Int(60));
        assert!(game.hero().vel.x > 0.0, "the rest of the call takes effect");
    });
}

#[test]
fn a_different_answer_or_the_same_after_another_is_reported_again() {
    on_large_stack(|| {
        let script = format!(
            "fn model(me) {{\n\
               if this.n < 10 {{ return \"platformer\"; }}\n\
               if this.n < 20 {{ return \"vessel\"; }}\n\
               if this.n < 30 {{ return (); }}\n\
               \"vessel\"\n\
             }}\n{COUNTING}"
        );
        let mut game = from_above(&script);
        let ticks = refused(&mut game, 60);
        assert_eq!(ticks.len(), 3, "{ticks:?}");
        assert_eq!(game.wrong(), [""; 0]);
        let Value::List(list) = game.var("refused") else {
            panic!("a list");
        };
        let names: Vec<String> = list.iter().map(|v| format!("{v:?}")).collect();
        assert!(names[0].contains("platformer") && names[2].contains("vessel"));
    });
}

#[test]
fn a_model_that_does_not_exist_is_still_an_error() {
    on_large_stack(|| {
        let script = "fn name() { \"plat\" + \"fromer\" }\nfn on_tick(me) { me.set_model(name()); this.n += 1; }\n";
        let mut game = from_above(script);
        game.ticks(3);
        assert_eq!(game.var("n"), Value::Int(0));
        assert!(game.wrong()[0].contains("there is no model `platfromer`"), "{:?}", game.wrong());
    });
}
