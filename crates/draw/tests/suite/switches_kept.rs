//! Switches are part of snapshots, hashes and reloads, and visible in pictures.

use crate::{
    common::loaded,
    folder::{Folder, Game, on_large_stack},
};
use hangtime_core::sim::{Artwork, Command, Value};
use hangtime_draw::{Picture, Show, colors, paint};
use hangtime_script::render_all;
use std::sync::Arc;
use tiny_skia::Pixmap;

const FLOOR: &str = "[[solid]]\nname = \"floor\"\n\
                     points = [[-900, -50], [900, -50], [900, 0], [-900, 0]]\n";

const HERO: &str = "[[entity]]\nkind = \"hero\"\nat = [0, 119]\nplayer = 1\n";

/// A solid under the hero and one next to it, each with extra keys for its table.
fn door(more: &str) -> String {
    format!("[[solid]]\nname = \"door\"\npoints = [[-50, 90], [50, 90], [50, 100], [-50, 100]]\n{more}\n")
}

fn gate(more: &str) -> String {
    format!("[[solid]]\nname = \"gate\"\npoints = [[200, 0], [220, 0], [220, 90], [200, 90]]\n{more}\n")
}

fn folder(solids: &[&str]) -> Folder {
    let folder = Folder::with_script("");
    write(&folder, solids);
    folder
}

fn write(folder: &Folder, solids: &[&str]) {
    let text = format!("{}{HERO}", solids.concat());
    folder.write("levels/level.toml", &text);
}

/// Switches a solid by its name, before the next tick.
fn switch(game: &mut Game, name: &str, there: bool) {
    let stage = game.live.revision().stage.clone();
    let solid = stage.level.terrain.solid_named(name).expect("a solid");
    let mut world = game.live.world().clone();
    let hero = world.entities()[0].id;
    world.order(&stage, hero, &Command::Switch(solid, there));
    game.live.restore(world);
}

fn is_present(game: &Game, name: &str) -> bool {
    let terrain = &game.live.revision().stage.level.terrain;
    let solid = terrain.solid_named(name).expect("a solid");
    game.live.world().is_present(solid)
}

/// Reloads the files and continues.
fn reload(game: &mut Game, folder: &Folder) {
    let revision = folder.open().expect("a good level");
    game.live.adopt(Arc::new(revision));
}

const ON: &str = "present = true";
const OFF: &str = "present = false";

#[test]
fn a_level_starts_with_the_switches_of_its_file() {
    let mut game = folder(&[FLOOR, &door(OFF), &gate(ON)]).game();
    let there = ["floor", "door", "gate"].map(|name| is_present(&game, name));
    assert_eq!(there, [true, false, true]);
    game.ticks(60);
    assert_eq!(game.hero().pos.y, 19.0);
    // A solid without the key cannot be switched.
    switch(&mut game, "floor", false);
    assert!(is_present(&game, "floor"));
    let mut world = game.live.world().clone();
    let hero = world.entities()[0].id;
    let stage = game.live.revision().stage.clone();
    world.order(&stage, hero, &Command::Switch(99, false));
    assert_eq!(world, *game.live.world());
}

#[test]
fn hashes_depend_on_switches_but_not_on_their_order_in_the_file() {
    let (door, gate) = (door(ON), gate(ON));
    let hashes = |solids: &[&str], switched: &[(&str, bool)]| {
        let mut game = folder(solids).game();
        for (name, there) in switched {
            switch(&mut game, name, *there);
        }
        (0..30).map(|_| game.ticks(1).live.world().hash()).collect::<Vec<_>>()
    };
    let one = [FLOOR, &door, &gate];
    let other = [gate.as_str(), FLOOR, &door];
    let open = hashes(&one, &[("gate", false)]);
    let closed = hashes(&one, &[]);
    assert!(open.iter().zip(&closed).all(|(a, b)| a != b));
    assert_eq!(open, hashes(&other, &[("gate", false)]));
    assert_eq!(closed, hashes(&other, &[("gate", false), ("gate", true)]));
    let both = [("gate", false), ("door", false)];
    let turned = [("door", false), ("gate", false)];
    assert_eq!(hashes(&one, &both), hashes(&other, &turned));
    assert_ne!(hashes(&one, &both), hashes(&one, &[("door", false)]));
}

#[test]
fn snapshots_include_switches() {
    let mut game = folder(&[FLOOR, &door(ON), &gate(OFF)]).game();
    game.ticks(10);
    switch(&mut game, "door", false);
    game.ticks(1);
    let snapshot = game.live.world().clone();
    let saved = serde_json::to_string(&snapshot).expect("a world can be saved");
    let run = |game: &mut Game| (0..60).map(|_| game.ticks(1).live.world().hash()).collect::<Vec<_>>();
    let expected = run(&mut game);
    switch(&mut game, "door", true);
    game.ticks(5);
    let loaded = loaded(&saved, &game.live.revision().stage);
    for world in [snapshot.clone(), loaded] {
        assert_eq!(world, snapshot);
        game.live.restore(world);
        assert!(!is_present(&game, "door"));
        assert_eq!(run(&mut game), expected);
    }
    game.live.restart();
    assert!(is_present(&game, "door") && !is_present(&game, "gate"));
}

#[test]
fn a_reload_matches_switches_by_the_names_of_solids() {
    let folder = folder(&[FLOOR, &door(ON), &gate(OFF)]);
    let mut game = folder.game();
    switch(&mut game, "door", false);
    switch(&mut game, "gate", true);
    game.ticks(60);
    assert_eq!(game.hero().pos.y, 19.0);
    let before = game.live.world().hash();
    // Another order, and one more solid.
    let third = door(OFF).replace("door", "third");
    write(&folder, &[&gate(OFF), &third, FLOOR, &door(ON)]);
    reload(&mut game, &folder);
    let there = |game: &Game| ["door", "gate", "third"].map(|name| is_present(game, name));
    assert_eq!(there(&game), [false, true, false]);
    assert_ne!(game.live.world().hash(), before, "the third is a new one");
    // A changed value in the file applies; an unchanged one does not.
    write(&folder, &[&gate(ON), &third, FLOOR, &door(OFF)]);
    reload(&mut game, &folder);
    assert_eq!(there(&game), [false, true, false]);
    switch(&mut game, "door", true);
    game.ticks(1);
    reload(&mut game, &folder);
    assert_eq!(there(&game), [true, true, false]);
    write(&folder, &[&gate(OFF), &third, FLOOR, &door(ON)]);
    reload(&mut game, &folder);
    assert_eq!(there(&game), [true, false, false]);
    // Without the key the solid exists; with a new key its value applies.
    write(&folder, &[&gate(""), FLOOR, &door(ON), &third]);
    reload(&mut game, &folder);
    assert_eq!(there(&game), [true, true, false]);
    write(&folder, &[&gate(OFF), FLOOR, &door(ON), &third]);
    reload(&mut game, &folder);
    assert_eq!(there(&game), [true, false, false]);
}

#[test]
fn a_reload_that_removes_or_adds_ground_drops_bodies_or_moves_them_out() {
    let folder = folder(&[FLOOR, &door(ON)]);
    let mut game = folder.game();
    game.ticks(10);
    assert!(game.hero().grounded);
    write(&folder, &[FLOOR, &door(OFF)]);
    reload(&mut game, &folder);
    game.ticks(1);
    assert!(!game.hero().grounded);
    game.ticks(60);
    assert_eq!(game.hero().pos.y, 19.0);
    let low = door(ON).replace("90]", "10]").replace("100]", "20]");
    write(&folder, &[FLOOR, &low]);
    reload(&mut game, &folder);
    let hero = game.hero();
    assert!(hero.pos.x.abs() >= 60.0 - 1e-6 || hero.pos.y >= 39.0 - 1e-6);
}

#[test]
fn queries_ignore_solids_that_are_switched_off() {
    on_large_stack(|| {
        let folder = folder(&[FLOOR, &door(ON), &gate(ON)]);
        folder.write(
            "scripts/hero.rhai",
            "fn on_tick(me) {
                let hit = world::cast(100, 40, 400, 40);
                this.n = if hit == () { 0 } else { 1 };
                this.there = me.plan_jump(300, 0, 5).ok;
            }",
        );
        let mut game = folder.game();
        game.ticks(2);
        assert_eq!(game.var("n"), Value::Int(1));
        switch(&mut game, "gate", false);
        // Scripts see the world at the start of the tick, so the solid is gone now.
        game.ticks(2);
        assert_eq!(game.var("n"), Value::Int(0));
        assert_eq!(game.var("there"), Value::Bool(true));
        assert!(game.faults.is_empty());
    });
}

#[test]
fn a_wrong_value_shows_its_line_and_a_caret() {
    let folder = folder(&[FLOOR, &door("present = 3")]);
    let wrong = folder.open().expect_err("a mistake");
    let text = render_all(&wrong, false);
    assert!(text.contains("level.toml:7:11"), "{text}");
    assert!(text.contains("`present` takes true or false, not a number"), "{text}");
    assert!(text.contains("present = 3") && text.contains('^'), "{text}");
    write(&folder, &[FLOOR, &door("presnt = true")]);
    let wrong = folder.wrong();
    assert!(wrong[0].contains("did you mean `present`?"), "{wrong:?}");
}

fn picture(game: &Game, time: f64) -> Pixmap {
    let mut canvas = Pixmap::new(200, 200).expect("a size above 0");
    let bodies: Vec<_> = game.live.views().collect();
    let picture = Picture {
        level: &game.live.revision().stage.level,
        time,
        changes: game.live.world().changes(),
        why: "",
        bodies: &bodies,
        hud: "",
        banner: "",
        show: Show::default(),
    };
    paint(&mut canvas, &picture);
    canvas
}

fn differing(a: &Pixmap, b: &Pixmap) -> usize {
    let pairs = a.pixels().iter().zip(b.pixels());
    pairs.filter(|(a, b)| a != b).count()
}

#[test]
fn switched_off_solids_are_drawn_as_a_hint() {
    for view in ["side", "top"] {
        let view = format!("view = \"{view}\"\n");
        let model = "model = \"two_velocity\"\n";
        let shown = |solid: &str| {
            let folder = Folder::empty();
            folder.write("config/entities/hero.toml", model);
            folder.write("levels/level.toml", &format!("{view}{solid}{HERO}"));
            picture(&folder.game(), 0.0)
        };
        let box_ = |more: &str| door(more).replace("90]", "150]").replace("100]", "180]");
        let (without, off, on) = (shown(""), shown(&box_(OFF)), shown(&box_(ON)));
        let (hint, full) = (differing(&without, &off), differing(&without, &on));
        assert!(hint > 100 && full > 2000, "{hint} and {full} in {view}");
        // A hint is nearly transparent: close to the empty color and far from the solid one.
        let off_by = |a: &Pixmap, b: &Pixmap| {
            let pairs = a.pixels().iter().zip(b.pixels());
            pairs.map(|(a, b)| u64::from(a.red().abs_diff(b.red()))).sum::<u64>()
        };
        assert!(off_by(&without, &off) * 2 < off_by(&off, &on), "{view}");
    }
    // The hint moves with the solid.
    let ferry = "path = { points = [[0, 0], [30, 0]], speed = 30 }\n";
    let game = folder(&[&door(&format!("{OFF}\n{ferry}"))]).game();
    assert!(differing(&picture(&game, 0.0), &picture(&game, 0.5)) > 50);
    // GIFs have its colors.
    let level = |more| folder(&[&door(more)]).game().live.revision().stage.clone();
    let count = |text: &'static str| colors(&level(text).level, &Artwork::default()).len();
    assert!(count(OFF) > count(""));
}
