//! Input files: what is accepted can be written down again and means the same.

use super::{
    games::{build, file, play},
    messages,
};
use hangtime::{
    models::Action,
    project::{InputScript, Revision, Track},
    sim::{Inputs, MOST_PLAYERS},
};
use std::{
    fmt::Write as _,
    sync::{Arc, LazyLock},
};

/// The longest track that is written down tick by tick.
const LONGEST: u64 = 300;

/// The ticks that are played.
const TICKS: u64 = 20;

const LEVEL: &str = r#"
surface = "stone"
[[solid]]
points = [[-500, -50], [500, -50], [500, 0], [-500, 0]]
[[entity]]
kind = "hero"
at = [0, 19]
player = 1
[[entity]]
kind = "hero"
at = [90, 19]
player = 2
"#;

static GAME: LazyLock<Arc<Revision>> = LazyLock::new(|| {
    let files = [("levels/level.toml", LEVEL), ("config/entities/hero.toml", ""), ("config/surfaces.toml", "[stone]")];
    build(&files).expect("a good level")
});

/// Reads an input file, writes it down again, and plays it.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let script = match InputScript::parse(&file("levels/a.input", &text)) {
        Ok(script) => script,
        Err(error) => return messages::check_refusal(&error.diagnostics()),
    };
    for hz in [10, 60, 1000] {
        let track = script.track(hz);
        check_track(&track);
        if track.length() <= LONGEST {
            let again = format!("# again\n\n{}", written(&track));
            let again = InputScript::parse(&file("again.input", &again)).expect("a good file");
            let again = again.track(hz);
            assert_eq!(again.length(), track.length());
            for tick in 0..track.length() {
                same(&track.at(tick), &again.at(tick));
            }
        }
    }
    let track = script.track(60);
    play(GAME.clone(), TICKS.min(track.length()), |tick| track.at(tick));
}

/// What holds for every track.
fn check_track(track: &Track) {
    let length = track.length();
    assert_eq!(track.at(length), Inputs::none());
    assert_eq!(track.at(u64::MAX), Inputs::none());
    for tick in [0, 1, length / 2, length.saturating_sub(1)] {
        let inputs = track.at(tick);
        for player in 1..=MOST_PLAYERS {
            let input = inputs.player(player);
            assert!(input.stick.abs().max_element() <= 1.0, "{input:?}");
            assert!(input.aim.is_none_or(|aim| aim.is_finite()), "{input:?}");
        }
    }
}

/// A track as an input file with one line for each tick.
fn written(track: &Track) -> String {
    let mut text = String::new();
    for tick in 0..track.length() {
        let inputs = track.at(tick);
        text += "1";
        for player in 1..=MOST_PLAYERS {
            let input = inputs.player(player);
            for (mark, actions) in [("", input.held), ("!", input.pressed)] {
                for action in Action::ALL.into_iter().filter(|a| actions.has(*a)) {
                    let _ = write!(text, " p{player}.{mark}{}", action.name());
                }
            }
            let _ = write!(text, " p{player}.move={:?}:{:?}", input.stick.x, input.stick.y);
            if let Some(aim) = input.aim {
                let _ = write!(text, " p{player}.aim={:?}:{:?}", aim.x, aim.y);
            }
        }
        text.push('\n');
    }
    text
}

/// Both have the same input for each player.
fn same(one: &Inputs, other: &Inputs) {
    for player in 1..=MOST_PLAYERS {
        assert_eq!(one.player(player), other.player(player));
    }
}
