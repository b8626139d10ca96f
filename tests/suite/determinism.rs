//! The same stage, seed and inputs give the same hashes: from any snapshot, in any order of
//! creation, in debug and release builds.

use crate::folder::{Folder, on_large_stack};
use hangtime::project::{Live, Project, Revision};
use hangtime::sim::World;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// The game whose hash is known: a level of its own, whose files only change with this test.
fn fixture() -> Arc<Revision> {
    let root = root().join("tests/fixture");
    let project = Project::load(&root).expect("the fixture is there");
    let level = project.find_level("course").expect("its level is there");
    Arc::new(project.open(&level, &vec![]).expect("a good level"))
}

fn level(name: &str) -> Arc<Revision> {
    let project = Project::load(root()).expect("this repository is there");
    let level = project.find_level(name).expect("its level is there");
    Arc::new(project.open(&level, &vec![]).expect("a good level"))
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
fn a_run_after_any_snapshot_goes_the_same_way() {
    on_large_stack(|| {
        // The hook, holds, moving platforms and flights are in snapshots, too.
        for name in ["playground", "swing", "shaft", "ferry", "hoppers"] {
            let revision = level(name);
            let demo = revision.demo.as_ref().expect("a demo");
            let track = demo.track(revision.stage.hz);
            let expected = hashes(&mut Live::new(revision.clone(), 0), track.length());
            let mut live = Live::new(revision.clone(), 0);
            for tick in 0..track.length() {
                // A snapshot, then something else altogether, then back again.
                let snapshot: World = live.world().clone();
                live.step(&track.at(tick + 97));
                live.step(&track.at(tick * 3));
                live.restore(snapshot.clone());
                assert_eq!(*live.world(), snapshot);
                live.step(&track.at(tick));
                let hash = live.world().hash();
                assert_eq!(
                    hash,
                    expected[tick as usize + 1],
                    "{name} after tick {tick}"
                );
            }
        }
    });
}

#[test]
fn a_world_that_was_saved_and_loaded_goes_the_same_way() {
    on_large_stack(|| {
        let revision = playground();
        let expected = hashes(&mut Live::new(revision.clone(), 0), 300);
        let mut live = Live::new(revision, 0);
        let track = live.revision().demo.as_ref().expect("a demo").track(60);
        for tick in 0..300 {
            if tick % 50 == 0 {
                let saved = serde_json::to_string(live.world()).expect("a world can be saved");
                live.restore(serde_json::from_str(&saved).expect("and loaded"));
            }
            live.step(&track.at(tick));
            assert_eq!(
                live.world().hash(),
                expected[tick as usize + 1],
                "after tick {tick}"
            );
        }
    });
}

#[test]
fn the_order_in_which_entities_are_created_changes_nothing() {
    on_large_stack(|| {
        let revision = playground();
        let expected = hashes(&mut Live::new(revision, 0), 300);
        let project = Project::load(root()).expect("this repository is there");
        let level = project
            .find_level("playground")
            .expect("its level is there");
        let mut turned = project.open(&level, &vec![]).expect("a good level");
        Arc::make_mut(&mut turned.stage.starts).reverse();
        assert!(turned.stage.starts.len() > 1);
        let got = hashes(&mut Live::new(Arc::new(turned), 0), 300);
        assert_eq!(got, expected);
    });
}

/// What the whole run of the fixture hashes to. If the simulation was changed on purpose, run
/// `cargo run -- --root tests/fixture run course` and write its hash here; say "simulation
/// changed" in the commit.
const GOLDEN: u64 = 0xa2ec_c5f3_b6fa_cdc9;

#[test]
fn a_whole_run_hashes_to_the_same_in_every_build() {
    on_large_stack(|| {
        let revision = fixture();
        let length = revision
            .demo
            .as_ref()
            .expect("a demo")
            .track(revision.stage.hz)
            .length();
        let last = *hashes(&mut Live::new(revision, 0), length)
            .last()
            .expect("a tick");
        assert_eq!(
            last, GOLDEN,
            "the run's hash is {last:016x}; if the simulation was changed on purpose, write \
             that into GOLDEN and say \"simulation changed\" in the commit"
        );
    });
}

#[test]
fn the_order_of_solids_in_the_file_does_not_show_in_the_hash() {
    let stone = "[[solid]]\nname = \"floor\"\nsurface = \"stone\"\n\
                 points = [[-900, -50], [900, -50], [900, 0], [-900, 0]]\n";
    let ice = "[[solid]]\nname = \"far\"\nsurface = \"ice\"\n\
               points = [[2000, 0], [2100, 0], [2100, 50], [2000, 50]]\n";
    let hero = "[[entity]]\nkind = \"hero\"\nat = [0, 60]\nplayer = 1\n";
    let hash = |solids: [&str; 2]| {
        let folder = Folder::with_script("");
        folder.write(
            "levels/level.toml",
            &format!("{}{}{hero}", solids[0], solids[1]),
        );
        let mut game = folder.game();
        game.ticks(30);
        assert!(game.hero().grounded);
        game.live.world().hash()
    };
    assert_eq!(hash([stone, ice]), hash([ice, stone]));
}
