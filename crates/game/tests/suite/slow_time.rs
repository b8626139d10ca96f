//! Time that scripts slow down, and pauses: what scripts see of it.

use crate::{
    common::{RATES, loaded, near},
    folder::{Folder, Game, LEVEL, on_large_stack, with_kind},
};
use hangtime_core::{models::Action, sim::Value};

fn number(game: &Game, name: &str) -> f64 {
    match game.var(name) {
        Value::Float(x) => x,
        Value::Int(x) => x as f64,
        other => panic!("`{name}` is {other:?}"),
    }
}

#[test]
fn what_takes_time_follows_the_product_of_all_rates() {
    on_large_stack(|| {
        let hero = "
            fn on_birth(me) { me.after(0.5, \"ring\"); me.start(\"watch\"); this.sum = 0.0; this.ticks = 0; }
            fn on_ring(me) { this.rang = world::time(); }
            fn watch(me) { wait(0.5); this.waited = world::time(); let hit = wait_for(\"never\", 0.25); this.deadline = world::time(); }
            fn on_tick(me) { this.sum += world::dt(); this.ticks += 1; this.own = me.time_scale; this.world = world::time_scale(); }
            fn on_never(me) { }";
        for hz in RATES {
            for (world, own, zone) in
                [(1.0, 0.5, 1.0), (0.5, 1.0, 1.0), (1.0, 1.0, 0.5), (0.5, 2.0, 0.3), (2.0, 0.25, 2.0)]
            {
                let folder = Folder::with_script(hero);
                folder.write("config/entities/hero.toml", &format!("script = \"hero.rhai\"\ntime_scale = {own:?}\n"));
                let level = format!(
                    "script = \"level.rhai\"\n{LEVEL}[[zone]]\nname = \"slow\"\ntime_scale = {zone:?}\n\
                     points = [[-900, -900], [900, -900], [900, 900], [-900, 900]]\n"
                );
                folder.write("levels/level.toml", &level);
                folder.write(
                    "scripts/level.rhai",
                    &format!("fn on_birth(me, event) {{ world::set_time_scale({world:?}); }}"),
                );
                let mut game = folder.game_at(hz);
                let rate = world * own * zone;
                let ticks = (1.0 / rate * f64::from(hz)).round() as usize;
                game.ticks(ticks);
                assert_eq!(game.wrong(), [""; 0]);
                let case = format!("{world} {own} {zone} at {hz} Hz");
                // Entities that are born in the tick of the order see the rate of before once.
                near(number(&game, "sum"), rate * ticks as f64 / f64::from(hz), 1.1 * (1.0 + rate) / f64::from(hz));
                assert_eq!((number(&game, "own"), number(&game, "ticks")), (own, ticks as f64), "{case}");
                near(number(&game, "world"), world, 0.0);
                near(game.hero().age, rate * ticks as f64 / f64::from(hz), 1e-6);
                // In the time of the level, which passes `own·zone` times as slowly; events come a tick later.
                let tick = world / f64::from(hz);
                near(number(&game, "rang"), 0.5 / (own * zone), 2.6 * tick);
                near(number(&game, "waited"), 0.5 / (own * zone), 2.6 * tick);
                near(number(&game, "deadline"), 0.75 / (own * zone), 4.1 * tick);
            }
        }
    });
}

#[test]
fn waits_for_ticks_and_conditions_count_every_tick() {
    on_large_stack(|| {
        let hero = "
            fn on_birth(me) { this.n = 0; world::set_time_scale(0.1); me.start(\"count\"); me.start(\"meet\"); }
            fn count(me) { loop { this.n += 1; wait_ticks(1); } }
            fn meet(me) { wait_until(|| world::tick() >= 17); this.met = world::tick(); }";
        let mut game = Folder::with_script(hero).game();
        game.ticks(30);
        assert_eq!(game.wrong(), [""; 0]);
        assert_eq!((number(&game, "n"), number(&game, "met")), (30.0, 17.0));
    });
}

#[test]
fn a_pause_is_a_script() {
    on_large_stack(|| {
        let hero = "
            fn on_birth(me) { this.n = 0; this.sum = 0.0; this.rang = false; me.after(0.4, \"ring\"); }
            fn on_ring(me) { this.rang = true; }
            fn on_tick(me) {
                this.n += 1;
                this.sum += world::dt();
                if me.pressed(\"up\") { world::set_time_scale(if world::time_scale() == 0 { 1 } else { 0 }); }
                if world::time_scale() == 0 { hud::text(\"pause\", 8, 4, `paused ${this.n}`); } else { hud::erase(\"pause\"); }
            }";
        for hz in RATES {
            let folder = Folder::with_script(hero);
            let mut game = folder.game_at(hz);
            game.input.held.insert(Action::Right);
            game.ticks(6);
            game.input.held.insert(Action::Up);
            game.ticks(1);
            game.input.held.remove(Action::Up);
            let (before, time) = (game.hero(), game.live.world().seconds(&game.live.revision().stage));
            game.ticks(hz as usize);
            let after = game.hero();
            assert_eq!((after.pos, after.vel, after.age), (before.pos, before.vel, before.age));
            assert_eq!(game.live.world().seconds(&game.live.revision().stage), time);
            assert_eq!((number(&game, "n"), game.var("rang")), (7.0 + f64::from(hz), Value::Bool(false)));
            let (shown, sum) = (format!("{:?}", game.live.world().drawing()), number(&game, "sum"));
            assert!(shown.contains("paused"), "{shown}");
            assert!(sum < 8.0 / f64::from(hz), "dt is 0 in a pause");
            game.input.held.insert(Action::Up);
            game.ticks(1);
            game.input.held.remove(Action::Up);
            game.ticks(hz as usize / 2);
            assert_eq!(game.var("rang"), Value::Bool(true));
            assert!(game.hero().pos.x > after.pos.x + 50.0);
            assert!(!format!("{:?}", game.live.world().drawing()).contains("paused"));
            assert_eq!(game.wrong(), [""; 0]);
        }
    });
}

#[test]
fn bad_rates_are_refused_with_their_range() {
    on_large_stack(|| {
        let rows = [
            ("world::set_time_scale(-0.1);", "it must be between 0 and 8"),
            ("world::set_time_scale(1000000);", "`scale` of `set_time_scale` is 1000000; it must be between 0 and 8"),
            ("world::set_time_scale(0.0 / 0.0);", "set_time_scale"),
            ("world::set_time_scale(1.0 / 0.0);", "set_time_scale"),
            ("world::set_time_scale(\"slow\");", "set_time_scale"),
            ("me.time_scale = -1;", "`me.time_scale` is -1; it must be between 0 and 8"),
            ("me.time_scale = 8.5;", "`me.time_scale` is 8.5; it must be between 0 and 8"),
            ("me.time_scale = 0.0 / 0.0;", "`me.time_scale`"),
        ];
        for (line, expected) in rows {
            let mut game = Folder::with_script(&format!("fn on_tick(me) {{ {line} }}")).game();
            game.ticks(1);
            let wrong = game.wrong().join("\n");
            assert!(wrong.contains(expected), "{line}: {wrong}");
            assert_eq!((game.hero().rate, game.live.world().time_scale()), (1.0, 1.0));
        }
    });
}

#[test]
fn a_saved_game_continues_alike_in_the_midst_of_slow_waits() {
    on_large_stack(|| {
        let hero = "
            fn on_birth(me) { this.n = 0; me.start(\"act\"); }
            fn act(me) { loop { me.time_scale = 0.7; wait(0.11); me.jump(); me.after(0.05, \"ring\"); wait_for(\"ring\", 0.3); world::set_time_scale(0.3); wait(0.07); world::set_time_scale(1.3); } }
            fn on_ring(me) { this.n += 1; }";
        let folder = Folder::with_script(hero);
        let (mut whole, mut cut) = (folder.game(), folder.game());
        for tick in 0..300 {
            for game in [&mut whole, &mut cut] {
                game.ticks(1);
            }
            if tick % 7 == 0 {
                let saved = serde_json::to_string(cut.live.world()).expect("it is saved");
                let world = loaded(&saved, &cut.live.revision().stage);
                assert_eq!(&world, cut.live.world());
                cut.live
                    .load(serde_json::from_str(&saved).expect("a world"))
                    .expect("a world of this game");
            }
            assert_eq!(whole.live.world().hash(), cut.live.world().hash(), "tick {tick}");
        }
        assert!(number(&whole, "n") > 5.0);
        assert_eq!(whole.wrong(), [""; 0]);
    });
}

#[test]
fn a_kind_has_its_own_rate_and_a_reload_changes_it() {
    on_large_stack(|| {
        let folder = with_kind("fn on_birth(me) { world::create(\"coin\", 300, 400); }", "coin", "");
        let kind = |scale: &str| {
            folder.write("config/entities/coin.toml", &format!("script = \"coin.rhai\"\ntime_scale = {scale}\n"))
        };
        kind("0.5");
        let mut game = folder.game();
        game.ticks(31);
        let coin = game.live.views().nth(1).expect("a coin");
        // It has spawned at the end of the first tick: ½·g·t² with t = 30·0.5/60.
        near(coin.age, 0.25, 1e-9);
        assert_eq!((coin.time_scale, coin.rate, game.hero().rate), (0.5, 0.5, 1.0));
        kind("0.25");
        game.live.adopt(folder.open_at(60));
        assert_eq!(game.live.views().nth(1).expect("a coin").rate, 0.25);
    });
}
