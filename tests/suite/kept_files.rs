//! The files of what scripts keep: what is saved, and what can be read again.

use crate::{
    folder::{Folder, on_large_stack},
    kept::{SCRIPT, kept, open},
    program::{code, err, out, run},
};
use hangtime::{
    project::Project,
    sim::{KeptValues, MOST_KEPT, MOST_KEPT_DEPTH, Value},
    workbench::{WindowKey, Workbench},
};

#[test]
fn looking_back_in_time_or_a_loop_does_not_save_old_values() {
    on_large_stack(|| {
        for keys in [&[WindowKey::Pause, WindowKey::ScrubBack][..], &[WindowKey::MarkB]] {
            let folder = Folder::with_script(SCRIPT);
            let project = Project::load(folder.root()).expect("a game");
            let open_level = || {
                let revision = project.open(&folder.path("levels/level.toml"), &[]);
                let revision = revision.expect("a level");
                Workbench::new(revision.into(), folder.root().into(), false)
            };
            let mut bench = open_level();
            bench.keep_for(open(&folder, "ann").0);
            let mut frame = 0;
            let mut frames = |bench: &mut Workbench, count: u32| {
                for _ in 0..count {
                    frame += 1;
                    bench.frame(f64::from(frame) / 60.0, &mut |_| Default::default());
                }
            };
            frames(&mut bench, 20);
            bench.press(WindowKey::MarkA);
            frames(&mut bench, 100);
            for key in keys {
                bench.press(*key);
                frames(&mut bench, 1);
            }
            frames(&mut bench, 30);
            let shown = bench.live().world().kept().get("n").cloned();
            let is_older = matches!(shown, Some(Value::Int(n)) if n < 120);
            assert!(is_older, "{keys:?} shows {shown:?}");
            bench.save_kept(true);
            let newest = kept(&[("n", Value::Int(120))]);
            assert_eq!(open(&folder, "ann").0.kept(), &newest, "{keys:?}");
            // The next level continues with the newest values, too.
            let mut next = open_level();
            next.continue_saving(&mut bench);
            assert_eq!(next.live().world().kept(), &newest, "{keys:?}");
        }
    });
}

#[test]
fn everything_that_can_be_kept_can_be_read_again() {
    on_large_stack(|| {
        let folder = Folder::empty();
        // Each character takes six bytes in the file.
        let text = Value::Text("\u{1}".repeat(4096));
        let vector = Value::Vector([-f64::MAX, f64::MIN_POSITIVE, 1.0 / 3.0]);
        let mut nested = Value::List(vec![vector; 63 - MOST_KEPT_DEPTH as usize]);
        for _ in 1..MOST_KEPT_DEPTH {
            nested = Value::List(vec![nested]);
        }
        assert_eq!(nested.depth(), MOST_KEPT_DEPTH);
        for value in [text, nested.clone()] {
            let mut all = KeptValues::default();
            for number in 0..MOST_KEPT {
                let name = format!("{number:\u{1}>64}").replace(' ', "\u{1}");
                assert!(all.set(&name, value.clone()));
            }
            let (mut saves, _) = open(&folder, "ann");
            saves.save(&all).expect("saved");
            let (again, warning) = open(&folder, "ann");
            assert_eq!((again.kept() == &all, warning), (true, None));
        }
        // Values that could not be read again are not written.
        let deeper = kept(&[("deep", Value::List(vec![nested]))]);
        let (mut saves, _) = open(&folder, "bob");
        let error = saves.save(&deeper).expect_err("too deep").to_string();
        assert!(error.contains("cannot be written"), "{error}");
        assert!(!folder.path("saves/bob.json").exists());
        let nests = |depth: u64| {
            format!("fn on_tick(me) {{ let v = 1; for n in 0..{depth} {{ v = [v]; }} world::keep(\"deep\", v); }}")
        };
        let mut game = Folder::with_script(&nests(MOST_KEPT_DEPTH)).game();
        game.ticks(1);
        assert_eq!(game.wrong(), [""; 0]);
        let mut game = Folder::with_script(&nests(MOST_KEPT_DEPTH + 1)).game();
        game.ticks(1);
        let wrong = game.wrong();
        assert!(wrong[0].contains("32 deep"), "{wrong:?}");
        assert!(game.live.world().kept().is_empty());
    });
}

#[test]
fn a_list_of_saves_changes_no_file_and_lists_all_it_can_read() {
    let folder = Folder::with_script(SCRIPT);
    let good = "{\"saves\":1,\"hangtime\":\"0.1.0\",\"kept\":{\"best\":{\"Int\":3}}";
    folder.write("saves/ann.json", &format!("\u{feff}{good},\"note\":\"mine\"}}"));
    folder.write("saves/later.json", "{\"saves\":2}");
    folder.write("saves/dir.json/inside", "");
    folder.write("saves/zoe.json", &format!("{good}}}"));
    #[cfg(unix)]
    {
        let mut command = std::process::Command::new("mkfifo");
        let made = command.arg(folder.path("saves/pipe.json")).status();
        assert!(made.is_ok_and(|status| status.success()));
    }
    let listed = run(folder.root(), &["saves"]);
    let (said, wrong) = (out(&listed), err(&listed));
    assert_eq!(code(&listed), 2, "{said}{wrong}");
    for player in ["ann", "zoe"] {
        assert!(said.contains(player), "{said}");
    }
    assert_eq!(said.matches("best = 3").count(), 2, "{said}");
    assert!(wrong.contains("from a later version") && wrong.contains("dir.json"), "{wrong}");
    assert!(folder.path("saves/later.json").exists());
    // What others have added stays.
    let (mut saves, warning) = open(&folder, "ann");
    assert_eq!(warning, None);
    saves.save(&kept(&[("best", Value::Int(4))])).expect("saved");
    let text = folder.read("saves/ann.json");
    assert!(text.contains("\"note\":\"mine\"") && text.contains("4"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_whose_trace_cannot_be_written_saves_what_was_kept() {
    let folder = Folder::with_script(SCRIPT);
    let arguments = ["run", "level", "--ticks", "5", "--player", "ann", "--trace", "/dev/full"];
    let ran = run(folder.root(), &arguments);
    assert_eq!(code(&ran), 2, "{}", err(&ran));
    assert_eq!(open(&folder, "ann").0.kept(), &kept(&[("n", Value::Int(5))]));
}
