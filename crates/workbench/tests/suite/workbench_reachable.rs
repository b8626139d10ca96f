//! What can be reached, over the game.

use crate::{
    folder::{Folder, on_large_stack},
    workbench_case::{COUNTS, Case, hero},
};
use hangtime_core::models::Action;
use hangtime_play::{ReachAnswer, ReachOrder, ReachSearch};
use hangtime_workbench::{ReachProgress, WindowKey};

const RATES: [u32; 4] = [30, 60, 120, 240];
const HERO: &str = "config/entities/hero.toml";
const GRAVITY: f64 = 1000.0;

/// Ledges above the floor, in steps of 60 px, each shorter than the one below.
const LEDGES: usize = 4;

fn level() -> String {
    let line = |number: usize| {
        let (right, height) = (-50.0 * number as f64, 60.0 * number as f64);
        format!(
            "[[solid]]\nname = \"ledge {number}\"\none_way = true\npoints = [[-300, {height:?}], [{right:?}, {height:?}]]\n"
        )
    };
    let hero = "[[entity]]\nkind = \"hero\"\nname = \"hero\"\nat = [-150, 19]\nplayer = 1\n";
    let ledges: String = (0..=LEDGES).map(line).collect();
    format!("bounds = [-600, -300, 600, 600]\n{ledges}{hero}")
}

/// A body whose jumps rise by this much, px.
fn jumper(apex: f64) -> String {
    let speed = (2.0 * GRAVITY * apex).sqrt();
    hero(&format!(
        "jump_speed = {speed:?}\njump_hold_time = 0\nhook_length = 0\nrun_speed_min = 200\nrun_speed_max = 200"
    ))
}

fn case(hz: u32, apex: f64) -> Case {
    let folder = Folder::with_script(COUNTS);
    folder.write("config/hangtime.toml", &format!("[simulation]\ntick_hz = {hz}\ngravity = {GRAVITY:?}\n"));
    folder.write("levels/level.toml", &level());
    folder.write(HERO, &jumper(apex));
    let mut case = Case::of(folder);
    case.frames(u64::from(hz) / 2);
    case
}

/// What is known, with time standing still.
fn known(case: &mut Case) -> ReachProgress {
    case.wait();
    case.bench.reachable().expect("it is open").clone()
}

/// Plays frames with a moment of real time after each, until something holds.
fn play_until(case: &mut Case, what: &str, holds: impl Fn(&Case) -> bool) -> u64 {
    for frames in 1..20_000 {
        case.frames(1);
        if holds(case) {
            return frames;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    panic!("never: {what}");
}

#[test]
fn it_answers_what_a_search_from_the_shown_tick_answers() {
    on_large_stack(|| {
        for hz in RATES {
            // A jump reaches one ledge above another, two, or none.
            for (apex, ledges) in [(75.0, LEDGES), (140.0, LEDGES), (45.0, 0)] {
                let mut case = case(hz, apex);
                case.tap(WindowKey::Pause);
                case.tap(WindowKey::Reachable);
                let known = known(&mut case);
                assert_eq!(
                    (known.reached, known.missed, known.unknown),
                    (1 + ledges, LEDGES - ledges, 0),
                    "{hz} Hz, {apex}"
                );
                let live = case.bench.live();
                let order = ReachOrder::default();
                let mut search = ReachSearch::new(live.revision().clone(), live.world(), &order).expect("a search");
                search.advance(u64::MAX, 2, &|| false);
                let yes = search
                    .answers()
                    .filter(|(_, answer, _)| matches!(answer, ReachAnswer::Yes { .. }))
                    .count();
                assert_eq!((known.reached, known.ticks), (yes, search.ticks()), "{hz} Hz");
                assert_eq!(known.map.dots.len(), search.places().0);
                assert_eq!(known.map.marks.len(), LEDGES + 1);
                let missed = known.map.marks.iter().filter(|mark| mark.text.contains("missed by 15"));
                assert_eq!(missed.count(), usize::from(ledges == 0), "{hz} Hz: {:?}", known.map.marks);
                assert!(case.bench.picture().status.contains(&format!("reaches {} of 5", 1 + ledges)));
            }
        }
    });
}

#[test]
fn a_game_under_it_plays_on_as_without_it() {
    on_large_stack(|| {
        for hz in RATES {
            let (mut open, mut bare) = (case(hz, 75.0), case(hz, 75.0));
            open.bench.press(WindowKey::Reachable);
            for _ in 0..4 {
                assert_eq!(open.play_about(u64::from(hz)), bare.play_about(u64::from(hz)), "{hz} Hz");
                for case in [&mut open, &mut bare] {
                    case.edit(HERO, &jumper(90.0)).expect("good");
                }
            }
            // Running forward, a game does not begin the search again.
            play_until(&mut open, "an end", |case| case.bench.reachable().is_some_and(|known| known.done));
            let ended = open.bench.reachable().expect("open").clone();
            open.frames(3 * u64::from(hz));
            assert_eq!(open.bench.reachable(), Some(&ended), "{hz} Hz");
        }
    });
}

#[test]
fn a_number_that_changes_changes_the_answer_and_the_old_one_stays_until_then() {
    on_large_stack(|| {
        for hz in RATES {
            let mut case = case(hz, 75.0);
            case.bench.press(WindowKey::Reachable);
            let all = LEDGES + 1;
            play_until(&mut case, "all", |case| case.bench.reachable().is_some_and(|known| known.reached == all));
            // As a slider moves: a revision in each frame.
            for step in 0..40 {
                case.edit(HERO, &jumper(75.0 - f64::from(step) * 0.01)).expect("good");
                case.frames(1);
                assert_eq!(case.bench.reachable().expect("open").reached, all, "{hz} Hz: it does not flicker");
            }
            case.edit(HERO, &jumper(45.0)).expect("good");
            play_until(&mut case, "one", |case| {
                case.bench
                    .reachable()
                    .is_some_and(|known| known.done && (known.reached, known.missed) == (1, LEDGES))
            });
            assert!(case.bench.picture().status.contains("reaches 1 of 5"), "{}", case.bench.picture().status);
        }
    });
}

#[test]
fn it_follows_restarts_and_steps_in_time_and_ends_when_it_is_closed() {
    on_large_stack(|| {
        for hz in RATES {
            let mut case = case(hz, 75.0);
            case.hold(&[Action::Left]);
            case.frames(u64::from(hz) / 4);
            case.hold(&[]);
            case.frames(u64::from(hz) / 4);
            case.bench.press(WindowKey::Reachable);
            let begins = |case: &Case| case.bench.reachable().and_then(|known| known.map.dots.first().copied());
            play_until(&mut case, "a place", |case| begins(case).is_some());
            let moved = begins(&case).expect("a place");
            case.tap(WindowKey::Restart);
            play_until(&mut case, "the start", |case| begins(case).is_some_and(|at| at.x > moved.x + 10.0));
            case.tap(WindowKey::Pause);
            for _ in 0..5 {
                case.tap(WindowKey::StepBack);
            }
            known(&mut case);
            assert_eq!(begins(&case), Some(case.place()), "{hz} Hz");
            // Closed in the middle of a search, it stops and leaves nothing.
            case.tap(WindowKey::StepBack);
            case.tap(WindowKey::Reachable);
            assert!(case.bench.reachable().is_none() && !case.bench.is_busy());
            assert!(case.bench.picture().reach.dots.is_empty() && !case.bench.picture().status.contains("reaches"));
            case.tap(WindowKey::Reachable);
            known(&mut case);
            assert_eq!(begins(&case), Some(case.place()), "{hz} Hz");
        }
    });
}

#[test]
fn levels_without_a_body_to_move_are_refused_in_words() {
    on_large_stack(|| {
        for (level, word) in
            [("bounds = [0, 0, 100, 100]\n", "no entity"), ("[[entity]]\nkind = \"hero\"\nat = [0, 0]\n", "player")]
        {
            let folder = Folder::with_script(COUNTS);
            folder.write("levels/level.toml", level);
            let mut case = Case::of(folder);
            case.tap(WindowKey::Pause);
            case.tap(WindowKey::Reachable);
            let known = known(&mut case);
            assert!(known.refusal.contains(word) && known.done, "{}", known.refusal);
            assert!(case.bench.picture().status.contains("reaches nothing"));
            case.frames(10);
            assert!(!case.bench.is_busy());
        }
    });
}

#[test]
fn a_crowd_is_searched_for_a_bounded_number_of_ticks() {
    on_large_stack(|| {
        let folder = Folder::with_script(COUNTS);
        let coin = |number: usize| {
            let (x, y) = (-280 + number as i32 % 70 * 4, 1000 + number as i32 / 70 * 4);
            format!("[[entity]]\nkind = \"coin\"\nname = \"coin {number}\"\nat = [{x}, {y}]\n")
        };
        let coins: String = (0..2_000).map(coin).collect();
        folder.write("config/entities/coin.toml", "body = { box = [2, 2] }\n[platformer]\ngravity_scale = 0.0\n");
        folder.write("levels/level.toml", &format!("{}{coins}", level().replace("600, 600]", "600, 2000]")));
        folder.write(HERO, &jumper(75.0));
        let mut case = Case::of(folder);
        case.tap(WindowKey::Pause);
        case.tap(WindowKey::Reachable);
        let known = known(&mut case);
        assert!(known.done && known.reached > 0, "{known:?}");
        // Of 20 million ticks of bodies, and a round of 16 places more.
        assert!(known.ticks < 20_000_000 / 2_000 + 16 * 20_000, "{} ticks", known.ticks);
    });
}
