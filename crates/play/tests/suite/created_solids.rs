//! Solids that scripts create and remove, and tiles that they break.

use crate::{
    common::{RATES, near},
    folder::{Folder, Game, on_large_stack},
};
use hangtime_core::sim::{Inputs, Value};
use hangtime_game::{GameFolder, Live, Project};
use hangtime_play::{HeavyTwin, rgb_picture};
use hangtime_script::Execution;
use std::sync::Arc;

const FLOOR: &str = "[[solid]]\nname = \"floor\"\npoints = [[-500, -40], [500, -40], [500, 0], [-500, 0]]\n\
                     [[solid]]\nname = \"wall\"\npoints = [[200, 0], [230, 0], [230, 90], [200, 90]]\n";
const HERO: &str = "[[entity]]\nkind = \"hero\"\nat = [0, 19]\nplayer = 1\n";

fn folder(script: &str) -> Folder {
    let folder = Folder::with_script(script);
    folder.write("levels/level.toml", &format!("{FLOOR}{HERO}"));
    let kind = "script = \"hero.rhai\"\nvars = { n = 0 }\n[platformer]\nrest_spacing = 0\n";
    folder.write("config/entities/hero.toml", kind);
    folder
}

/// The names of the solids that are there.
fn solids(live: &Live) -> Vec<String> {
    let (world, stage) = (live.world(), &live.revision().stage);
    let all = (0..).zip(world.level(stage).terrain.solids());
    let there = all.filter(|(index, solid)| !solid.is_gone() && world.is_present(*index));
    there.map(|(_, solid)| solid.name.to_string()).collect()
}

#[test]
fn solids_that_cannot_be_created_or_removed_say_why() {
    on_large_stack(|| {
        for (call, message) in [
            ("world::create_solid(\"a\", #{});", "`create_solid` needs either `points` or `box` in its map"),
            (
                "world::create_solid(\"a\", #{ box: [0, 0, 9, 9], points: [[0, 0], [9, 0], [0, 9]] });",
                "`create_solid` needs either `points` or `box` in its map",
            ),
            ("world::create_solid(\"a\", 5);", "`settings` of `create_solid` must be a map"),
            ("world::create_solid(\"\", #{ box: [0, 0, 9, 9] });", "a solid needs a name that is not empty"),
            ("world::create_solid(\"wall\", #{ box: [0, 0, 9, 9] });", "a solid `wall` exists"),
            ("world::create_solid(\"a\", #{ box: [0, 0, 0, 9] });", "`[left, bottom, right, top]` with left < right"),
            ("world::create_solid(\"a\", #{ box: [0, 0, 9] });", "`[left, bottom, right, top]` with left < right"),
            ("world::create_solid(\"a\", #{ box: [0, 0, 9, 0.0 / 0.0] });", "`box` of `create_solid` cannot be NaN"),
            ("world::create_solid(\"a\", #{ box: [0, 0, 9, 1e9] });", "it must be between -16384 and 16384"),
            ("world::create_solid(\"a\", #{ points: [[0, 0], [9, 0]] });", "an outline needs at least three points"),
            (
                "world::create_solid(\"a\", #{ points: [[0, 0], [9, 0], [5]] });",
                "each point in `points` of `create_solid`",
            ),
            (
                "world::create_solid(\"a\", #{ points: [[0, 0], [9, 9], [9, 0], [0, 9]] });",
                "the solid `a` cannot be created: the outline crosses or touches itself",
            ),
            ("world::create_solid(\"a\", #{ points: [[0, 0], [1e-9, 0], [0, 1e-9]] });", "px wide and high"),
            (
                "world::create_solid(\"a\", #{ points: [[0, 0], [0, 9]], one_way: true });",
                "a one-way platform must run from one side to the other",
            ),
            (
                "world::create_solid(\"a\", #{ box: [0, 0, 9, 9], top: 5 });",
                "`top` of `create_solid` works in top views only",
            ),
            ("world::create_solid(\"a\", #{ box: [0, 0, 9, 9], speed: -1 });", "`speed` of `create_solid` is -1"),
            (
                "world::create_solid(\"a\", #{ box: [0, 0, 9, 9], surface: \"plian\" });",
                "the level names no surface `plian`; did you mean `plain`?",
            ),
            (
                "world::create_solid(\"a\", #{ bx: [0, 0, 9, 9] });",
                "`create_solid` has no setting `bx`; did you mean `box`?",
            ),
            (
                "let p = []; for i in 0..65 { p.push([i, i * i]); } world::create_solid(\"a\", #{ points: p });",
                "`points` of `create_solid` can have at most 64 points",
            ),
            (
                "for i in 0..1001 { world::create_solid(\"a\" + i, #{ box: [i, 200, i + 0.5, 201] }); }",
                "at most 1000 created solids can exist; remove some with `world::remove_solid`",
            ),
            ("world::remove_solid(\"wal\");", "there is no solid `wal` in this level; did you mean `wall`?"),
            ("world::break_tile(0.0 / 0.0, 0);", "`x` of `break_tile` cannot be NaN"),
        ] {
            let folder = folder(&format!("fn on_tick(me) {{ {call} }}"));
            folder.write("config/hangtime.toml", "[scripts]\noperations = 10000000\ntick_operations = 50000000\n");
            let mut game = folder.game();
            game.ticks(1);
            let wrong = game.wrong();
            assert!(wrong.first().is_some_and(|w| w.contains(message)), "{call}: {wrong:?}");
        }
    });
}

#[test]
fn created_solids_that_cannot_do_what_a_call_wants_say_how_they_could() {
    on_large_stack(|| {
        for (call, message) in [
            (
                "move_solid(\"a\", 10, 0)",
                "the solid `a` cannot be moved; give it a speed when you create it: `speed: 100` in the map of `world::create_solid`",
            ),
            ("stop(\"a\")", "the solid `a` cannot be stopped; give it a speed when you create it"),
            ("set_path_speed(\"a\", 5)", "the solid `a` has no speed; give it a speed when you create it"),
            ("send(\"a\", 1)", "the solid `a` cannot be sent; only solids of the level file have a path with points"),
            ("send(\"fast\", 1)", "the solid `fast` cannot be sent; use `world::move_solid`"),
            ("turn_solid(\"a\", 1)", "the solid `a` does not rotate; only solids of the level file can"),
            ("set_solid(\"a\", false)", ""),
            ("move_solid(\"fast\", 10, 0)", ""),
        ] {
            let mut game = folder(&format!(
                "fn on_tick(me) {{\n\
                 this.n += 1;\n\
                 if this.n == 1 {{\n\
                 world::create_solid(\"a\", #{{ box: [60, 0, 90, 10] }});\n\
                 world::create_solid(\"fast\", #{{ box: [100, 0, 120, 10], speed: 50 }});\n\
                 }} else if this.n == 3 {{ world::{call}; }}\n}}"
            ))
            .game();
            game.ticks(4);
            let wrong = game.wrong();
            assert_eq!(wrong.is_empty(), message.is_empty(), "{call}: {wrong:?}");
            assert!(wrong.iter().all(|w| w.contains(message)), "{call}: {wrong:?}");
        }
    });
}

#[test]
fn what_a_failed_hook_has_created_is_not_there_and_its_names_are_free() {
    on_large_stack(|| {
        let script = "fn on_tick(me) {\n\
             this.n += 1;\n\
             if this.n == 2 { world::create_solid(\"step\", #{ box: [60, 0, 90, 10] }); world::remove_solid(\"wall\"); this.nothing.x = 1; }\n\
             if this.n == 3 { world::create_solid(\"step\", #{ box: [60, 0, 90, 30] }); }\n}";
        for execution in [Execution::BothWays, Execution::Interpreted] {
            let folder = folder(script);
            let project = Project::load(GameFolder::new(folder.root()).run_scripts(execution)).expect("a folder");
            let opened = project.open(&folder.path("levels/level.toml"), &[]);
            let mut game = Game::new(Arc::new(opened.expect("a good game")));
            game.ticks(2);
            assert_eq!(solids(&game.live), ["floor", "wall"]);
            game.ticks(1);
            assert_eq!(solids(&game.live), ["floor", "wall", "step"]);
            assert_eq!(game.live.take_call_difference(), None);
            assert_eq!(game.wrong().len(), 1, "{:?}", game.wrong());
        }
    });
}

const COMES_AND_GOES: &str = "fn on_tick(me) {\n\
     this.n += 1;\n\
     let name = \"made \" + (this.n % 7);\n\
     if this.n % 3 == 0 {\n\
         if this.has == name { world::remove_solid(name); this.has = \"\"; }\n\
         else if this.has == \"\" { world::create_solid(name, #{ box: [me.x - 30, me.y - 40, me.x + 10, me.y - 19.5], speed: 90 }); this.has = name; }\n\
     }\n\
     if this.has != \"\" && this.n % 5 == 0 { world::move_solid(this.has, 20, 30); }\n\
     if this.n == 20 { world::remove_solid(\"wall\"); }\n}";

#[test]
fn solids_that_come_and_go_are_saved_in_each_tick_and_stay_when_files_change() {
    on_large_stack(|| {
        for hz in RATES {
            let folder = folder(COMES_AND_GOES);
            let kind = "script = \"hero.rhai\"\nvars = { n = 0, has = \"\" }\n";
            folder.write("config/entities/hero.toml", kind);
            let (mut game, mut other) = (folder.game_at(hz), folder.game_at(hz));
            let mut twin = HeavyTwin::new(&game.live);
            for tick in 0..2 * hz {
                twin.step(&mut game.live, &Inputs::none()).expect("no difference");
                other.ticks(1);
                assert_eq!(game.wrong(), [""; 0]);
                assert_eq!(solids(&game.live), solids(&other.live));
                if tick == hz {
                    folder.write("levels/level.toml", &format!("# Saved.\n{FLOOR}{HERO}"));
                    other.live.adopt(folder.open_at(hz));
                    assert_eq!(solids(&game.live), solids(&other.live), "after a reload at {hz} Hz");
                }
            }
            assert!(!solids(&other.live).contains(&"wall".to_string()));
            other.live.restart();
            assert_eq!(solids(&other.live), ["floor", "wall"]);
        }
    });
}

#[test]
fn a_planned_jump_and_a_cast_see_solids_as_they_are() {
    on_large_stack(|| {
        let script = "fn on_tick(me) {\n\
             this.n += 1;\n\
             if this.n == 1 { world::create_solid(\"roof\", #{ box: [-400, 60, 400, 80], surface: \"plain\" }); }\n\
             if this.n == 10 { world::remove_solid(\"roof\"); world::remove_solid(\"wall\"); }\n\
             this.jumps = me.plan_jump(100, 0, 120).ok;\n\
             let up = world::cast(me.x, me.y, me.x, 500);\n\
             this.up = if up == () { \"\" } else { up.solid };\n\
             let right = world::cast(me.x, me.y, 400, me.y);\n\
             this.right = if right == () { \"\" } else { right.solid };\n}";
        let mut game = folder(script).game();
        let mut seen = Vec::new();
        for _ in 0..15 {
            game.ticks(1);
            seen.push((game.var("jumps"), game.var("up"), game.var("right")));
        }
        assert_eq!(game.wrong(), [""; 0]);
        let text = |text: &str| Value::Text(text.into());
        let without = (Value::Bool(true), text(""), text("wall"));
        let with = (Value::Bool(false), text("roof"), text("wall"));
        let after = (Value::Bool(true), text(""), text(""));
        assert_eq!(seen[0], without);
        assert!(seen[1..10].iter().all(|seen| *seen == with), "{seen:?}");
        assert!(seen[10..].iter().all(|seen| *seen == after), "{seen:?}");
    });
}

#[test]
fn pictures_show_created_solids_and_not_those_that_are_removed() {
    on_large_stack(|| {
        let script = "fn on_tick(me) {\n\
             this.n += 1;\n\
             if this.n == 1 { world::create_solid(\"step\", #{ box: [40, 20, 80, 40] }); }\n\
             if this.n == 3 { world::remove_solid(\"step\"); }\n}";
        let mut game = folder(script).game();
        let pixels = |game: &Game| rgb_picture(&game.live).1;
        let mut seen = vec![pixels(&game)];
        for _ in 0..4 {
            game.ticks(1);
            seen.push(pixels(&game));
        }
        assert_ne!(seen[0], seen[1]);
        assert_eq!(seen[0], seen[4]);
    });
}

/// A floor of tiles, 20 wide and 2 deep, whose top is at y = 0, and a hero on it.
fn map(script: &str) -> Folder {
    let folder = Folder::with_script(script);
    let rows = vec![vec!["1"; 20].join(","); 2].join(",\n");
    folder.write(
        "levels/level.tmx",
        &format!(
            r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="20" height="2" tilewidth="16" tileheight="16" infinite="0">
 <tileset firstgid="1" name="set" tilewidth="16" tileheight="16" tilecount="1" columns="1">
  <tile id="0">
   <objectgroup>
    <object id="1" x="0" y="0" width="16" height="16"/>
   </objectgroup>
  </tile>
 </tileset>
 <layer id="1" name="ground" width="20" height="2">
  <data encoding="csv">
{rows}
</data>
 </layer>
 <objectgroup id="2">
  <object id="1" name="hero" type="hero" x="160" y="-19">
   <properties>
    <property name="player" type="int" value="1"/>
   </properties>
   <point/>
  </object>
 </objectgroup>
</map>
"#
        ),
    );
    let kind = "script = \"hero.rhai\"\nvars = { n = 0 }\n[platformer]\nrest_spacing = 0\n";
    folder.write("config/entities/hero.toml", kind);
    folder
}

fn map_game(folder: &Folder, hz: u32) -> Game {
    let project = Project::load(folder.root()).expect("a folder");
    let rate = [("simulation.tick_hz".to_string(), hz.to_string())];
    Game::new(Arc::new(project.open(&folder.path("levels/level.tmx"), &rate).expect("a good game")))
}

#[test]
fn a_script_breaks_tiles_once_and_the_hero_falls_into_the_hole() {
    on_large_stack(|| {
        let script = "fn on_tick(me) {\n\
             this.n += 1;\n\
             this.broken = world::break_tile(152, -8);\n\
             this.also = world::break_tile(168, -8);\n\
             this.none = world::break_tile(160, 8);\n}";
        for hz in RATES {
            let folder = map(script);
            let mut game = map_game(&folder, hz);
            let mut twin = HeavyTwin::new(&game.live);
            for tick in 0..hz {
                twin.step(&mut game.live, &Inputs::none()).expect("no difference");
                assert_eq!(game.wrong(), [""; 0]);
                assert_eq!((game.var("broken"), game.var("none")), (Value::Bool(tick == 0), Value::Bool(false)));
            }
            near(game.hero().pos.y, 19.0 - 16.0, 1e-3);
            // A reload of the map keeps the hole, also where the map has changed elsewhere.
            let text = folder.read("levels/level.tmx").replacen("1,1,", "0,1,", 1);
            folder.write("levels/level.tmx", &text);
            let project = Project::load(folder.root()).expect("a folder");
            let rate = [("simulation.tick_hz".to_string(), hz.to_string())];
            game.live
                .adopt(Arc::new(project.open(&folder.path("levels/level.tmx"), &rate).expect("a good game")));
            game.ticks(hz as usize / 2);
            near(game.hero().pos.y, 19.0 - 16.0, 1e-3);
            assert_eq!(game.live.world().changes().broken.len(), 2);
            game.live.restart();
            assert!(game.live.world().changes().broken.is_empty());
        }
    });
}
