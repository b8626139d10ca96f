//! The inputs in a recording: every press and every path of a stick, in few bytes.

use crate::{
    folder::{Folder, on_large_stack},
    program::{code, err, run},
};
use glam::{DVec2, dvec2};
use hangtime::{
    models::Action,
    playtest::{Replay, ReplayOutcome},
    project::{
        Live,
        recording::{Recorder, RecordingReader, text_of},
    },
    sim::{Inputs, PlayerInput},
    workbench::{PadEvent, PadStick, Pads},
};
use std::{io::Cursor, sync::Arc};

/// Reports everything that reaches the body: what is held, and what was pressed and released in a tick.
const REPORTS: &str = r#"
fn on_tick(me) {
    this.n += 1;
    for action in ["left", "right", "up", "down", "jump", "hook"] {
        if me.held(action) { this.n += 10; }
        if me.pressed(action) { this.n += 1000; }
        if me.released(action) { this.n += 100000; }
    }
}
"#;

fn live(hz: u32) -> (Folder, Live) {
    let folder = Folder::with_script(REPORTS);
    let config = format!("[simulation]\ntick_hz = {hz}\n");
    folder.write("config/hangtime.toml", &config);
    let revision = folder.open().expect("a good level");
    (folder, Live::new(Arc::new(revision), 1))
}

/// Plays and records inputs. Returns the recording and the hash at its end.
fn record(live: &mut Live, ticks: &[Inputs]) -> (Vec<u8>, u64) {
    let mut recorder = Recorder::start(Vec::new(), live).expect("written");
    for inputs in ticks {
        live.step(inputs);
        recorder.step(inputs, live.world()).expect("written");
    }
    let hash = live.world().hash();
    (recorder.finish(live.world()).expect("written"), hash)
}

fn replays_as_it_was_played(recording: &[u8], hash: u64) {
    let input = Box::new(Cursor::new(recording.to_vec()));
    let reader = RecordingReader::new("test.run", input).expect("readable");
    let mut replay = Replay::new(reader, None);
    let outcome = replay.play(&mut []).expect("readable");
    assert_eq!(outcome, ReplayOutcome::Same { complete: true });
    assert_eq!(replay.live().expect("a game").world().hash(), hash);
}

/// Numbers from 0 up to `below`.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
}

/// Keys that go down and up at any moment, also more than once within a tick, as a window passes them on:
/// what is down at the tick, and what went down since the last one.
fn random_presses(hz: u32, seed: u64) -> Vec<Inputs> {
    let mut dice = Dice(seed);
    let mut down = [false; 6];
    let mut ticks = Vec::new();
    for _ in 0..3 * hz {
        let mut input = PlayerInput::default();
        for _ in 0..dice.roll(4) {
            let key = dice.roll(6) as usize;
            down[key] = !down[key];
            if down[key] {
                input.pressed.insert(Action::ALL[key]);
            }
        }
        let held = Action::ALL.into_iter().zip(down).filter(|(_, down)| *down);
        input.held = held.map(|(action, _)| action).collect();
        ticks.push(Inputs::of_first(input));
    }
    ticks
}

#[test]
fn a_key_that_is_released_and_pressed_again_within_a_tick_replays_as_a_second_press() {
    on_large_stack(|| {
        for hz in [30, 60, 120, 240] {
            let press = |pressed: bool| {
                let jump: hangtime::models::Actions = [Action::Jump].into_iter().collect();
                let pressed = if pressed { jump } else { Default::default() };
                let held = jump;
                Inputs::of_first(PlayerInput { held, pressed, ..PlayerInput::default() })
            };
            let long = [press(true), press(false), press(false), press(false)];
            let twice = [press(true), press(false), press(true), press(false)];
            let [long, twice] = [long, twice].map(|ticks| {
                let (_folder, mut live) = live(hz);
                let (recording, hash) = record(&mut live, &ticks);
                replays_as_it_was_played(&recording, hash);
                hash
            });
            assert_ne!(long, twice, "{hz} Hz: a second press is another input");
        }
    });
}

#[test]
fn presses_at_any_moment_of_a_tick_replay_and_become_the_same_test() {
    on_large_stack(|| {
        for hz in [30, 60, 120, 240] {
            for seed in 1..=8 {
                let (folder, mut live) = live(hz);
                let ticks = random_presses(hz, seed * 0x9e37_79b9);
                let (recording, hash) = record(&mut live, &ticks);
                replays_as_it_was_played(&recording, hash);
                if seed > 1 {
                    continue;
                }
                // The level has seed 1, which its recording has, too.
                std::fs::write(folder.path("keys.run"), &recording).expect("written");
                let made = run(folder.root(), &["test", "--from", "keys.run", "keys"]);
                assert_eq!(code(&made), 0, "{hz} Hz: {}", err(&made));
                let said = err(&made);
                assert!(said.contains("the game plays as it was recorded"), "{hz} Hz: {said}");
            }
        }
    });
}

/// Where a hand has the left stick of a gamepad at a moment, and what keys it holds.
type Hand = fn(f64, &mut Dice) -> DVec2;

fn at_angle(turns: f64) -> DVec2 {
    let angle = turns * std::f64::consts::TAU;
    dvec2(libm::cos(angle), libm::sin(angle))
}

/// A stick that is held still is reported with some noise.
fn noise(dice: &mut Dice) -> DVec2 {
    let mut one = || (dice.roll(2001) as f64 / 1000.0 - 1.0) * 0.004;
    dvec2(one(), one())
}

/// Runs one way for a second and then the other way; the thumb takes 80 ms to cross.
fn runs(seconds: f64, dice: &mut Dice) -> DVec2 {
    let (way, since) = (seconds.floor() % 2.0, seconds.fract());
    let across = (since / 0.08).min(1.0);
    let x = (2.0 * across - 1.0) * (1.0 - 2.0 * way);
    dvec2(x, 0.05) + noise(dice)
}

/// Walks slowly, with the stick half pushed by an unsteady thumb.
fn walks(seconds: f64, dice: &mut Dice) -> DVec2 {
    dvec2(0.6 + 0.05 * libm::sin(seconds * 5.0), 0.03) + noise(dice)
}

/// Never rests: a turn each second, half pushed.
fn turns(seconds: f64, dice: &mut Dice) -> DVec2 {
    at_angle(seconds) * 0.6 + noise(dice)
}

/// The bytes of the inputs in a recording.
fn input_bytes(recording: &[u8]) -> usize {
    let text = std::str::from_utf8(recording).expect("UTF-8");
    let inputs = text.lines().filter_map(|line| {
        let (_, inputs) = line.strip_prefix("{\"from\":")?.split_once("\"inputs\":")?;
        Some(inputs.split_once(",\"hashes\"")?.0.len())
    });
    inputs.sum()
}

#[test]
fn a_stick_that_moves_all_the_time_takes_about_100_bytes_a_second() {
    on_large_stack(|| {
        let hands: [(&str, Hand, usize); 3] = [("runs", runs, 100), ("walks", walks, 110), ("turns", turns, 130)];
        let (hz, seconds) = (60, 20);
        for (name, hand, most) in hands {
            let (_folder, mut live) = live(hz);
            let mut pads = Pads::default();
            let mut dice = Dice(7);
            let ticks: Vec<Inputs> = (0..hz * seconds)
                .map(|tick| {
                    let at = hand(f64::from(tick) / f64::from(hz), &mut dice);
                    pads.handle(PadEvent::Stick(0, PadStick::Left, at));
                    let [stick, _] = pads.sticks(0.2)[0];
                    let jump = (tick % 50 < 12).then_some(Action::Jump);
                    Inputs::of_first(PlayerInput { stick, held: jump.into_iter().collect(), ..PlayerInput::default() })
                })
                .collect();
            let (recording, hash) = record(&mut live, &ticks);
            replays_as_it_was_played(&recording, hash);
            let each = input_bytes(&recording) / seconds as usize;
            let runs = ticks.chunk_by(|a, b| a == b).map(|run| (run.len(), text_of(&run[0])));
            let written_out: usize = runs.map(|(n, text)| format!("[{n},{text:?}],").len()).sum();
            let before = written_out / seconds as usize;
            println!("{name}: {each} bytes a second, {before} written out");
            assert!(each <= most, "{name}: {each} bytes a second");
        }
    });
}
