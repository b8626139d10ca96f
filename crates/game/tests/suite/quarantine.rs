//! Scripts that keep failing, and scripts that use up the budget of others.

use crate::{
    folder::{Folder, Game, LEVEL, on_large_stack, with_kind},
    lives::{names, told},
};
use hangtime_core::{
    models::Action,
    sim::{EventKind, Value},
};

#[test]
fn ten_failing_ticks_in_a_row_disable_a_script_until_a_file_changes() {
    on_large_stack(|| {
        let script = "fn jump_windows(me) { #{ jump_hold_time: 0.1 } } fn on_tick(me) { this.n += 1; throw \"no\"; }";
        let folder = Folder::with_script(script);
        let mut game = folder.game();
        let events = told(&mut game, 30);
        assert_eq!(game.faults.len(), 10);
        assert_eq!(game.var("n"), Value::Int(10));
        assert!(game.hero().quarantined);
        let told = events.iter().filter(|e| e.kind == EventKind::Quarantine);
        assert_eq!(told.map(|e| e.tick).collect::<Vec<_>>(), [10]);
        // The files' tuning applies again: 0.278 s of held jump are 17 ticks and a part.
        game.input.held.insert(Action::Jump);
        let mut held = 0;
        while game.ticks(1).hero().vel.y == 540.0 {
            held += 1;
        }
        assert_eq!(held, (0.278_f64 * 60.0).floor() as i32);
        folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += 1; }");
        game.live.adopt(std::sync::Arc::new(folder.open().expect("a good script")));
        game.ticks(5);
        assert_eq!(game.var("n"), Value::Int(15));
        assert!(!game.hero().quarantined);
    });
}

#[test]
fn occasional_failures_do_not_disable_a_script() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { this.n += 1; if this.n % 10 != 0 { throw \"no\"; } }";
        let mut game = Folder::with_script(script).game();
        game.ticks(100);
        assert_eq!(game.var("n"), Value::Int(100));
        assert_eq!(game.faults.len(), 90);
    });
}

#[test]
fn a_removed_entity_does_not_come_back_with_a_reload() {
    on_large_stack(|| {
        let folder = with_kind("", "coin", "fn on_tick(me) { if me.age > 0.1 { me.remove(); } }");
        let coin = "[[entity]]\nkind = \"coin\"\nname = \"coin\"\nat = [-500, 19]\n";
        folder.write("levels/level.toml", &format!("{LEVEL}{coin}"));
        let mut game = folder.game();
        game.ticks(20);
        assert_eq!(names(&game.live), ["hero"]);
        let before = game.live.world().hash();
        let reload = |game: &mut Game| {
            game.live.adopt(std::sync::Arc::new(folder.open().expect("a good level")));
        };
        reload(&mut game);
        game.ticks(20);
        assert_eq!(names(&game.live), ["hero"]);
        // Removal is state: a world that never had the coin differs.
        let plain = Folder::with_script("");
        let mut other = plain.game();
        other.ticks(20);
        assert_ne!(other.live.world().hash(), before);
        // An entity that is removed from the file and added again is a new one.
        folder.write("levels/level.toml", LEVEL);
        reload(&mut game);
        folder.write("levels/level.toml", &format!("{LEVEL}{coin}"));
        reload(&mut game);
        assert_eq!(names(&game.live).len(), 2);
    });
}

#[test]
fn a_rule_that_fails_every_tick_disables_its_script() {
    on_large_stack(|| {
        // If the rule fails, tuning decides: the rope holds, and the rule is called again next tick.
        let script = "fn on_birth(me) { me.fire_hook(me.x, 200); } fn on_tick(me) { this.n += 1; } fn grapple_snaps(me, rope) { throw \"no\" }";
        let folder = Folder::with_script(script);
        let ceiling = "[[solid]]\npoints = [[-1000, 200], [1000, 200], [1000, 300], [-1000, 300]]\n";
        folder.write("levels/level.toml", &format!("{LEVEL}{ceiling}"));
        let mut game = folder.game();
        game.ticks(60);
        assert!(game.hero().quarantined, "{} faults", game.faults.len());
        assert_eq!(game.faults.len(), 10);
    });
}

/// A game in which `hog` comes first and uses up the common budget of a tick.
fn with_hog(other: &str) -> Folder {
    let hog = "fn on_tick(me) { if world::tick() < 20 { for i in 0..2000 { } } }";
    let folder = with_kind(hog, "other", other);
    folder.write("config/hangtime.toml", "[scripts]\ntick_operations = 1000\n");
    folder.write(
        "levels/level.toml",
        &format!("{LEVEL}[[entity]]\nkind = \"other\"\nname = \"other\"\nat = [-500, 60]\n"),
    );
    folder
}

#[test]
fn a_skipped_script_is_called_later_and_has_not_failed() {
    on_large_stack(|| {
        let other = "fn on_birth(me) { this.born = world::tick(); } \
                     fn on_land(me) { this.landed = world::tick(); } \
                     fn model(me) { if me.grounded { \"two_velocity\" } else { \"platformer\" } }";
        let mut game = with_hog(other).game();
        game.ticks(40);
        let entity = &game.live.world().entities()[1];
        assert!(!entity.quarantined());
        let vars = entity.vars.0.to_plain();
        // After its tenth failure the hog is disabled, and the others are called.
        assert!(matches!(vars["born"], Value::Int(1..=20)), "{vars:?}");
        assert!(matches!(vars["landed"], Value::Int(1..=20)), "{vars:?}");
        assert_eq!(game.live.views().nth(1).expect("the other").model_name(), "two_velocity");
        let all = game.faults.iter().map(|f| &*f.entity).collect::<Vec<_>>();
        assert!(all.contains(&"other"), "the first that is left out is named: {all:?}");
    });
}

#[test]
fn a_failing_hook_returns_its_share_of_the_common_budget() {
    on_large_stack(|| {
        // The first emits all it may and fails; the other's events arrive.
        let hero = "fn on_tick(me) { for i in 0..64 { world::emit(\"x\"); } throw \"no\"; }";
        let other = "fn on_birth(me) { this.heard = 0; } fn on_tick(me) { world::emit(\"y\"); } fn on_y(me) { this.heard += 1; }";
        let folder = with_kind(hero, "other", other);
        folder.write("levels/level.toml", &format!("{LEVEL}[[entity]]\nkind = \"other\"\nat = [-500, 19]\n"));
        let mut game = folder.game();
        game.ticks(9);
        let vars = game.live.world().entities()[1].vars.0.to_plain();
        assert_eq!(vars["heard"], Value::Int(8));
        let greedy = "fn on_tick(me) { for i in 0..65 { world::emit(\"x\"); } }";
        let mut game = Folder::with_script(greedy).game();
        game.ticks(1);
        assert!(game.wrong()[0].contains("an entity can emit at most 64 events per tick"));
    });
}

#[test]
fn many_events_with_many_listeners_use_up_the_budget_of_a_tick() {
    on_large_stack(|| {
        let hero = "fn on_tick(me) { let data = []; for i in 0..60 { data.push(i); } \
                    for i in 0..64 { world::emit(\"x\", data); } }";
        let folder = with_kind(hero, "ear", "fn on_x(me, event) { }");
        let ears = "[[entity]]\nkind = \"ear\"\nat = [-500, 19]\n".repeat(30);
        folder.write("levels/level.toml", &format!("{LEVEL}{ears}"));
        folder.write("config/hangtime.toml", "[scripts]\ntick_operations = 100000\n");
        let mut game = folder.game();
        game.ticks(3);
        let wrong = game.wrong();
        assert!(wrong.iter().any(|w| w.contains("together were stopped after 100000 operations")), "{wrong:?}");
    });
}

#[test]
fn all_scripts_together_emit_at_most_1024_events_in_a_tick() {
    on_large_stack(|| {
        let loud = "fn on_tick(me) { for i in 0..64 { world::emit(\"x\"); } }";
        let folder = with_kind("", "loud", loud);
        let crowd = "[[entity]]\nkind = \"loud\"\nat = [-500, 19]\n".repeat(17);
        folder.write("levels/level.toml", &format!("{LEVEL}{crowd}"));
        let mut game = folder.game();
        let events = told(&mut game, 1);
        let wrong = game.wrong();
        assert_eq!(wrong.len(), 1, "16 times 64 are 1024");
        assert!(wrong[0].contains("all scripts together can emit at most 1024 events per tick"), "{wrong:?}");
        // Events that the last script emitted before it failed are dropped.
        let emitted = events.iter().filter(|e| matches!(e.kind, EventKind::Signal { .. }));
        assert_eq!(emitted.count(), 1024);
    });
}
