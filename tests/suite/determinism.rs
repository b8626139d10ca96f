//! The same stage, seed and inputs give the same hashes: from any snapshot and in any order of
//! creation. `goldens.rs` compares builds.

use crate::{
    common::loaded as load,
    folder::{Folder, on_large_stack},
};
use hangtime::{
    project::{Live, Project, Revision},
    sim::World,
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

fn level(name: &str) -> Arc<Revision> {
    let project = Project::load(root()).expect("this repository is there");
    let level = project.find_level(name).expect("its level is there");
    Arc::new(project.open(&level, &[]).expect("a good level"))
}

fn playground() -> Arc<Revision> {
    level("playground")
}

/// The hash after each tick of the level's demo.
fn hashes(live: &mut Live, ticks: u64) -> Vec<u64> {
    let demo = live.revision().demo.clone().expect("a demo");
    let track = demo.track(live.revision().stage.hz);
    let mut hashes = vec![live.world().hash()];
    while live.world().ticks() < ticks {
        live.step(&track.at(live.world().ticks()));
        hashes.push(live.world().hash());
    }
    hashes
}

#[test]
fn a_restored_snapshot_continues_with_the_same_hashes() {
    on_large_stack(|| {
        // These levels have hooks, grips, moving platforms and flights in their snapshots.
        for name in ["playground", "swing", "shaft", "ferry", "hoppers"] {
            let revision = level(name);
            let demo = revision.demo.as_ref().expect("a demo");
            let track = demo.track(revision.stage.hz);
            let expected = hashes(&mut Live::new(revision.clone(), 0), track.length());
            let mut live = Live::new(revision.clone(), 0);
            for tick in 0..track.length() {
                // Take a snapshot, play other inputs, then restore it.
                let snapshot: World = live.world().clone();
                live.step(&track.at(tick + 97));
                live.step(&track.at(tick * 3));
                live.restore(snapshot.clone());
                assert_eq!(*live.world(), snapshot);
                live.step(&track.at(tick));
                let hash = live.world().hash();
                assert_eq!(hash, expected[tick as usize + 1], "{name} after tick {tick}");
            }
        }
    });
}

#[test]
fn a_saved_and_loaded_world_continues_with_the_same_hashes() {
    on_large_stack(|| {
        let revision = playground();
        let expected = hashes(&mut Live::new(revision.clone(), 0), 300);
        let mut live = Live::new(revision, 0);
        let track = live.revision().demo.as_ref().expect("a demo").track(60);
        for tick in 0..300 {
            if tick % 50 == 0 {
                let saved = serde_json::to_string(live.world()).expect("a world can be saved");
                live.restore(load(&saved, &live.revision().stage));
            }
            live.step(&track.at(tick));
            assert_eq!(live.world().hash(), expected[tick as usize + 1], "after tick {tick}");
        }
    });
}

/// A character is saved as text. Comparing the two as different variables would ask rules in other
/// ticks than without saving, which shows in the random stream.
#[test]
fn a_loaded_world_asks_rules_in_the_same_ticks() {
    on_large_stack(|| {
        for value in ["'a'", "\"a\"", "['b', 2]", "#{ c: 'c' }", "#{ x: 1.0, y: 2.0, z: 3.0 }", "me.vel", "0.5"] {
            let folder = Folder::with_script(&format!(
                "fn on_tick(me) {{ this.n = {value}; }}\n\
                 fn model(me) {{ if world::random() < 2 {{ \"platformer\" }} else {{ \"vessel\" }} }}"
            ));
            let mut game = folder.game();
            game.ticks(5);
            assert_eq!(game.faults.len(), 0, "{value}: {:?}", game.faults);
            let saved = serde_json::to_string(game.live.world()).expect("a world can be saved");
            let mut loaded = folder.game();
            let world = load(&saved, &game.live.revision().stage);
            loaded.live.restore(world);
            for tick in 5..15 {
                let hashes = [&mut game, &mut loaded].map(|game| {
                    game.ticks(1);
                    game.live.world().hash()
                });
                assert_eq!(hashes[0], hashes[1], "{value} in tick {tick}");
            }
        }
    });
}

#[test]
fn the_order_of_entities_in_the_level_does_not_change_hashes() {
    on_large_stack(|| {
        let revision = playground();
        let expected = hashes(&mut Live::new(revision, 0), 300);
        let project = Project::load(root()).expect("this repository is there");
        let level = project.find_level("playground").expect("its level is there");
        let mut turned = project.open(&level, &[]).expect("a good level");
        Arc::make_mut(&mut turned.stage.starts).reverse();
        assert!(turned.stage.starts.len() > 1);
        let got = hashes(&mut Live::new(Arc::new(turned), 0), 300);
        assert_eq!(got, expected);
    });
}

#[test]
fn the_order_of_solids_in_the_level_does_not_change_hashes() {
    let stone = "[[solid]]\nname = \"floor\"\nsurface = \"stone\"\n\
                 points = [[-900, -50], [900, -50], [900, 0], [-900, 0]]\n";
    let ice = "[[solid]]\nname = \"far\"\nsurface = \"ice\"\n\
               points = [[2000, 0], [2100, 0], [2100, 50], [2000, 50]]\n";
    let hero = "[[entity]]\nkind = \"hero\"\nat = [0, 60]\nplayer = 1\n";
    let hash = |solids: [&str; 2]| {
        let folder = Folder::with_script("");
        folder.write("levels/level.toml", &format!("{}{}{hero}", solids[0], solids[1]));
        let mut game = folder.game();
        game.ticks(30);
        assert!(game.hero().grounded);
        game.live.world().hash()
    };
    assert_eq!(hash([stone, ice]), hash([ice, stone]));
}
