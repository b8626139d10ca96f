//! Searches that are saved and continued.

use crate::{
    folder::on_large_stack,
    reachable::{Room, ground, zone},
};
use hangtime_game::{Live, Revision};
use hangtime_play::{ReachOrder, ReachSearch, SearchOrigin};
use std::sync::Arc;

fn begin(revision: &Arc<Revision>) -> ReachSearch {
    let live = Live::new(revision.clone(), 0);
    ReachSearch::new(revision.clone(), live.world(), &ReachOrder::default()).expect("a search")
}

fn origin() -> SearchOrigin {
    SearchOrigin {
        version: "1".into(),
        level: "level".into(),
        files: "0123".into(),
        settings: Vec::new(),
        seed: 0,
        entity: None,
        must: Vec::new(),
        presses: Vec::new(),
    }
}

/// A room with ledges, one too high, a zone and a hook.
fn level() -> Arc<Revision> {
    let room = Room { gravity: 2000.0, jump: 600.0, run: 300.0 };
    let ledges =
        [ground("low", -250.0, -100.0, 80.0), ground("far", 150.0, 400.0, 40.0), ground("high", 600.0, 700.0, 600.0)];
    let never = zone("never", [5000.0, 0.0], [5100.0, 100.0]);
    room.open_with("hook_length = 120.0", "", "at = [-150, 19]", &[ledges.concat(), never].concat())
}

/// All that a search answers.
fn all_of(search: &ReachSearch) -> String {
    let answers = search.answers().map(|(goal, answer, miss)| {
        let distance = miss.map(|miss| (miss.distance.to_bits(), miss.at.to_array().map(f64::to_bits)));
        format!("{goal:?} {answer:?} {:?} {distance:?}", search.way(goal))
    });
    format!("{:#?} {} {:?} {}", answers.collect::<Vec<_>>(), search.ticks(), search.places(), search.restless())
}

#[test]
fn a_search_that_is_saved_and_continued_answers_the_same_as_one_in_one_go() {
    on_large_stack(|| {
        let revision = level();
        let mut whole = begin(&revision);
        whole.advance(u64::MAX, 2, &|| false);
        assert!(whole.is_done() && whole.places().0 > 10, "{:?}", whole.places());
        for step in [1, 5_000, 20_000] {
            let (mut text, mut runs) = (begin(&revision).saved(&origin()), 0);
            loop {
                let mut part = begin(&revision);
                part.resume(&text, &origin()).expect("its own file");
                // The file is as good as the search.
                assert_eq!(part.saved(&origin()), text);
                if part.is_done() {
                    assert_eq!(all_of(&part), all_of(&whole), "in steps of {step} ticks");
                    break;
                }
                part.advance(step, 1 + runs % 2, &|| false);
                text = part.saved(&origin());
                runs += 1;
            }
            assert!(runs > 1);
        }
    });
}

#[test]
fn an_interrupted_search_loses_nothing() {
    on_large_stack(|| {
        let revision = level();
        let mut whole = begin(&revision);
        whole.advance(u64::MAX, 1, &|| false);
        let mut search = begin(&revision);
        let mut left = 40;
        while !search.is_done() {
            // The first ones stop in the middle of the moves.
            left -= i32::from(left > 0);
            let stop = left % 2 == 1;
            let asked = Arc::new(std::sync::atomic::AtomicU32::new(0));
            let stopped = move || stop && asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > 2;
            search.advance(1, 2, &stopped);
        }
        assert!(!search.is_cut());
        assert_eq!(all_of(&search), all_of(&whole));
    });
}

#[test]
fn files_of_other_searches_and_damaged_ones_are_refused() {
    on_large_stack(|| {
        let revision = level();
        let mut search = begin(&revision);
        search.advance(5_000, 1, &|| false);
        let text = search.saved(&origin());
        let refused = |text: &str, origin: &SearchOrigin| {
            let mut search = begin(&revision);
            let before = all_of(&search);
            let refusal = search.resume(text, origin).expect_err("refused");
            assert_eq!(all_of(&search), before, "a refused file changes nothing");
            refusal
        };
        let other = |change: fn(&mut SearchOrigin)| {
            let mut origin = origin();
            change(&mut origin);
            origin
        };
        for (changed, expected) in [
            (other(|it| it.version = "2".into()), "with hangtime 1, not 2"),
            (other(|it| it.level = "other".into()), "of the level level, not other"),
            (other(|it| it.files = "4567".into()), "the files of the game have changed"),
            (other(|it| it.seed = 7), "with --seed 0, not 7"),
            (other(|it| it.settings = vec![("a.b".into(), "1".into())]), "with --set"),
            (other(|it| it.must = vec!["exit".into()]), "with --must"),
            (other(|it| it.presses = vec!["dash".into()]), "with --press"),
            (other(|it| it.entity = Some("hero".into())), "with --entity"),
        ] {
            let refusal = refused(&text, &changed);
            assert!(refusal.contains(expected), "{refusal}");
        }
        // Cut, empty, another file, and a digit that was changed.
        let place = text.find("\"ticks\":").expect("a number") + 8;
        let tampered = format!("{}9{}", &text[..place], &text[place..]);
        let newer = text.replacen("\"reachable\":1", "\"reachable\":2", 1);
        for text in ["", "{}", "[1]", "10 right", &text[..text.len() / 2], &tampered] {
            assert!(refused(text, &origin()).contains("damaged"), "{}", refused(text, &origin()));
        }
        assert!(refused(&newer, &origin()).contains("another version"));
    });
}
