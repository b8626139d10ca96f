//! The inputs in a recording: all are read back as they were, and what is not an input is named.

use crate::folder::Folder;
use glam::DVec2;
use hangtime_core::{
    models::Action,
    sim::{Inputs, MOST_PLAYERS, PlayerInput},
};
use hangtime_game::{
    Live,
    recording::{Recorder, RecordingLine, RecordingReader},
};
use proptest::prelude::*;
use std::{io::Cursor, sync::Arc};

const HEADER: &str = "{\"run\":1,\"hangtime\":\"0.1.0\",\"level\":\"a.toml\",\"tick_hz\":60,\"seed\":0}\n";

/// The inputs of the ticks of a recording.
fn read(recording: Vec<u8>) -> Result<Vec<Inputs>, String> {
    let reader = RecordingReader::new("a.run", Box::new(Cursor::new(recording)));
    let mut reader = reader.map_err(|error| error.to_string())?;
    let mut ticks = Vec::new();
    while let Some(line) = reader.next_line().map_err(|error| error.to_string())? {
        if let RecordingLine::Ticks(stretch) = line {
            ticks.extend(stretch.inputs());
        }
    }
    Ok(ticks)
}

/// The inputs of a stretch of ticks that have this text.
fn read_text(ticks: usize, text: &str) -> Result<Vec<Inputs>, String> {
    let (text, hashes) = (serde_json::to_string(text).expect("text"), "0123456789abcdef".repeat(ticks));
    let moved = vec!["[]"; ticks].join(",");
    let line = format!("{{\"from\":0,\"inputs\":[[{ticks},{text}]],\"hashes\":\"{hashes}\",\"moved\":[{moved}]}}");
    read(format!("{HEADER}{line}\n").into_bytes())
}

/// A recording of these inputs.
fn recorded(live: &Live, ticks: &[Inputs]) -> Vec<u8> {
    let mut recorder = Recorder::start(Vec::new(), live).expect("written");
    for inputs in ticks {
        recorder.step(inputs, live.world()).expect("written");
    }
    recorder.finish(live.world()).expect("written")
}

fn live() -> (Folder, Live) {
    let folder = Folder::with_script("");
    let revision = folder.open().expect("a good level");
    (folder, Live::new(Arc::new(revision), 1))
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<i32>().prop_map(f64::from),
        (-128..=128_i32).prop_map(|steps| f64::from(steps) / 128.0),
        Just(0.0),
        any::<f64>().prop_filter("a number", |x| !x.is_nan()),
        Just(-0.0),
    ]
}

prop_compose! {
    fn any_inputs()(
        players in proptest::collection::vec(
            (any::<u16>(), any::<u16>(), number(), number(), any::<Option<()>>(), number(), number()),
            0..=usize::from(MOST_PLAYERS),
        )
    ) -> Inputs {
        let mut inputs = Inputs::none();
        for (player, (held, pressed, x, y, aims, ax, ay)) in (1..).zip(players) {
            let input = inputs.player_mut(player);
            for (bit, action) in Action::every().enumerate() {
                if held >> bit & 1 == 1 { input.held.insert(action); }
                if pressed >> bit & 1 == 1 { input.pressed.insert(action); }
            }
            input.stick = DVec2::new(x, y);
            input.aim = aims.map(|()| DVec2::new(ax, ay));
        }
        inputs
    }
}

#[test]
fn inputs_read_back_as_they_were_written() {
    let (_folder, live) = live();
    proptest!(|(ticks in proptest::collection::vec((any_inputs(), 1..5_usize), 1..6))| {
        let repeated = ticks.into_iter().map(|(inputs, count)| vec![inputs; count]);
        let ticks = repeated.collect::<Vec<_>>().concat();
        let read = read(recorded(&live, &ticks)).expect("readable");
        prop_assert_eq!(read.len(), ticks.len());
        for (player, (read, was)) in (1..=MOST_PLAYERS)
            .flat_map(|player| read.iter().zip(&ticks).map(move |both| (player, both)))
        {
            let (read, was) = (read.player(player), was.player(player));
            let bits = |v: DVec2| (v.x.to_bits(), v.y.to_bits());
            prop_assert_eq!((read.held, read.pressed), (was.held, was.pressed), "{:?}", ticks);
            prop_assert_eq!(read.aim.map(bits), was.aim.map(bits), "{:?}", ticks);
            prop_assert_eq!(bits(read.stick), bits(was.stick), "{:?}", ticks);
        }
    });
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[ -~]{0,40}") {
        let _ = read_text(3, &text);
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    for wrong in [
        "jmp",
        "p9.jump",
        "p0.jump",
        "move=1",
        "aim=a:b",
        "!",
        "x=1:2",
        "p.jump",
        "move~",
        "move~!",
        "p9.move~!!",
        "jump~!!",
        "~!!",
        "move~!!!",
        "p2.move^\u{7f}!",
    ] {
        let refused = read_text(2, &format!("right {wrong}")).expect_err("not an input");
        assert!(refused.contains(&format!("`{}` is not an input", wrong.escape_debug())), "{refused}");
    }
}

#[test]
fn an_axis_has_one_path() {
    let path = "move~III";
    assert!(read_text(3, path).is_ok());
    assert!(read_text(3, &format!("{path} p2.{path}")).is_ok());
    let refused = read_text(3, &format!("{path} {path}")).expect_err("two paths");
    assert!(refused.contains(&format!("`{path}` is not an input")), "{refused}");
}

#[test]
fn ticks_that_differ_only_in_a_stick_are_one_run() {
    let (_folder, live) = live();
    let right = Inputs::of_first(PlayerInput { stick: DVec2::new(0.5, -0.25), ..PlayerInput::default() });
    let ticks = [vec![Inputs::none(); 3], vec![right; 30]].concat();
    let recording = recorded(&live, &ticks);
    let text = String::from_utf8(recording.clone()).expect("text");
    assert!(text.contains("\"inputs\":[[33,\"move~"), "{text}");
    assert_eq!(read(recording), Ok(ticks));
}
