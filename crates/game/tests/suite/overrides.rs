//! Overrides of one entity leave all others alone, and follow from the state alone.

use crate::{
    common::loaded,
    folder::{Folder, Game, on_large_stack},
};

/// A ferry that carries `riders` heroes to the right, and one hero on a floor far away. The riders
/// and the far hero have these scripts.
fn ferry(riders: usize, rider: &str, far: &str) -> Folder {
    let folder = Folder::with_script(rider);
    let mut level = String::from(
        "surface = \"stone\"\nscript = \"level.rhai\"\n\
         [[solid]]\nname = \"ferry\"\npoints = [[-2000, -100], [0, -100], [0, 0], [-2000, 0]]\n\
         path = { points = [[0, 0], [3000, 900]], speed = 137 }\n\
         [[solid]]\nname = \"far\"\npoints = [[9000, -100], [9900, -100], [9900, 0], [9000, 0]]\n\
         [[entity]]\nkind = \"far\"\nat = [9400, 19]\n",
    );
    for i in 0..riders {
        let x = 90.0 * i as f64 - 1900.0;
        level += &format!("[[entity]]\nkind = \"hero\"\nname = \"r{i}\"\nat = [{x}, 19]\n");
    }
    folder.write("levels/level.toml", &level);
    folder.write("scripts/level.rhai", "");
    folder.write("config/entities/far.toml", "script = \"far.rhai\"\n");
    folder.write("scripts/far.rhai", far);
    folder
}

const TUNED: &str = "fn on_birth(me) { me.tune(\"platformer.jump_speed\", 300); } ";

/// The positions of all riders, bit for bit.
fn places(game: &Game) -> Vec<(String, [u64; 2])> {
    let riders = game.live.views().filter(|view| &*view.kind == "hero");
    let bits = |at: glam::DVec2| [at.x.to_bits(), at.y.to_bits()];
    riders.map(|v| (v.name.to_string(), bits(v.pos))).collect()
}

#[test]
fn a_restored_world_plays_on_the_same_after_a_tuned_entity_was_removed() {
    on_large_stack(|| {
        let far = "fn on_birth(me) { me.tune(\"platformer.jump_speed\", 200); } \
                   fn on_tick(me) { if world::tick() == 20 { me.remove(); } }";
        let folder = ferry(5, TUNED, far);
        let mut game = folder.game();
        game.ticks(30);
        assert_eq!(game.wrong(), [""; 0]);
        let saved = serde_json::to_string(game.live.world()).expect("it is saved");
        let mut other = folder.game();
        let world = loaded(&saved, &other.live.revision().stage);
        assert_eq!(world.hash(), game.live.world().hash());
        other.live.restore(world);
        for tick in 30..300 {
            game.ticks(1);
            other.ticks(1);
            let hashes = [&game, &other].map(|game| game.live.world().hash());
            assert_eq!(hashes[0], hashes[1], "after tick {tick}");
        }
    });
}

#[test]
fn an_entity_that_tunes_itself_moves_no_other_that_is_tuned() {
    on_large_stack(|| {
        let busy = "fn on_tick(me) { let t = world::tick(); \
                    if t % 40 == 11 { me.tune(\"platformer.jump_speed\", 100 + t); } \
                    if t % 40 == 29 { me.untune(\"platformer.jump_speed\"); } }";
        let mut games = ["", busy].map(|far| ferry(20, TUNED, far).game());
        for tick in 0..600 {
            for game in &mut games {
                game.ticks(1);
            }
            assert_eq!(places(&games[0]), places(&games[1]), "after tick {tick}");
        }
        assert_eq!(games[1].wrong(), [""; 0]);
    });
}

#[test]
fn an_entity_that_tunes_its_speed_every_tick_stays_on_its_platform() {
    on_large_stack(|| {
        let busy = "fn on_tick(me) { me.tune(\"platformer.run_accel\", 100 + world::tick()); }";
        let mut games = ["", busy].map(|rider| ferry(1, rider, "").game());
        for tick in 0..120 {
            for game in &mut games {
                game.ticks(1);
            }
            assert_eq!(places(&games[0]), places(&games[1]), "after tick {tick}");
        }
        assert_eq!(games[1].wrong(), [""; 0]);
    });
}

#[test]
fn a_body_slides_once_its_slope_is_tuned_too_steep() {
    on_large_stack(|| {
        // The slope rises by 30°.
        let script = "fn on_birth(me) { me.tune(\"platformer.max_slope_deg\", 40); } \
                      fn on_tick(me) { if world::tick() == 60 { me.tune(\"platformer.max_slope_deg\", 20); } }";
        let folder = Folder::with_script(script);
        folder.write(
            "levels/level.toml",
            "surface = \"stone\"\n[[solid]]\npoints = [[-1000, 0], [1000, 0], [1000, 1154.7005]]\n\
             [[entity]]\nkind = \"hero\"\nat = [0, 610]\nplayer = 1\n",
        );
        let mut game = folder.game();
        game.ticks(60);
        assert!(game.hero().grounded, "40° holds on 30°");
        let before = game.hero().pos;
        game.ticks(30);
        assert_eq!(game.wrong(), [""; 0]);
        assert!(!game.hero().grounded, "20° does not hold on 30°");
        // Half a second along a slope of 30°: ½·g·sin 30°·t² is far more than this.
        assert!(game.hero().pos.distance(before) > 50.0);
    });
}

#[test]
fn profiles_of_overrides_are_as_many_as_entities_that_have_some() {
    on_large_stack(|| {
        // A new value in every tick, and in every third tick a tuned entity that lives for a while.
        let spawner = "fn on_tick(me) { me.tune(\"platformer.run_accel\", 100 + world::tick()); \
                       if world::tick() % 3 == 0 { world::create(\"hero\", me.x, 400); } }";
        let rider = "fn on_tick(me) { if me.age > 0.3 && me.name.contains(\"hero\") { me.remove(); } \
                     me.tune(\"platformer.jump_speed\", 200 + world::tick() % 50); }";
        let folder = ferry(2, rider, spawner);
        let mut game = folder.game();
        let mut most = 0;
        for _ in 0..300 {
            game.ticks(1);
            let world = game.live.world();
            let profiles = format!("{:?}", world.clone()).matches("Profile {").count();
            let shared = game.live.revision().stage.profiles.len();
            // The stage without overrides and with them. A profile may outlive its entity until
            // the next one changes.
            let living = world.entities().len();
            assert!(profiles <= 2 * shared + living + 2, "{profiles} for {living}");
            most = most.max(living);
        }
        assert_eq!(game.wrong(), [""; 0]);
        assert!(most > 5, "entities were created");
    });
}
